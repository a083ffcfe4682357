//! A file written with other paint reads as before except for the paint.

use crate::common::gltf_builder::*;
use mohawk::head::write::{Painted, WriteErrorKind, painted};
use mohawk::head::{Head, HeadSettings, Model};
use proptest::prelude::*;
use serde_json::{Value, json};

const W: [f32; 3] = [1.0; 3];
const B: [f32; 3] = [0.0; 3];

/// Returns the document and the binary chunk of a `.glb`.
pub fn split(glb: &[u8]) -> (Value, &[u8]) {
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&glb[..4], word(4), word(8)), (&b"glTF"[..], 2, glb.len()));
    let (json, bin) = glb[12..].split_at(8 + word(12));
    assert_eq!((&json[4..8], &bin[4..8]), (&b"JSON"[..], &b"BIN\0"[..]));
    let end = 20 + json.len() + word(12 + json.len());
    let bin = &glb[20 + json.len()..end];
    let json: Value = serde_json::from_slice(&json[8..]).unwrap();
    let length = json["buffers"][0]["byteLength"].as_u64();
    assert_eq!((bin.len() % 4, length), (0, Some(bin.len() as u64)));
    (json, bin)
}

/// Paints a part of a file and loads the result.
fn paint(glb: &[u8], part: usize, density: &[f32]) -> (Painted, Head) {
    let (name, settings) = ("test.glb", HeadSettings::default());
    let head = Head::from_bytes(name, glb, &settings).unwrap();
    let file = Model::Embedded(glb.into());
    let painted = painted(&file, &head, part, density, &settings).unwrap();
    let again = Head::from_bytes(name, &painted.glb, &settings).unwrap();
    (painted, again)
}

fn density(head: &Head, part: usize) -> &[f32] {
    &head.parts[part].paint.as_ref().unwrap().density
}

/// Asserts that two heads are equal except for the paint.
fn assert_same_but_paint(a: &Head, b: &Head) {
    let bare = |head: &Head| {
        let mut parts = head.parts.clone();
        parts.iter_mut().for_each(|part| part.paint = None);
        format!("{parts:?} {:?}", head.materials)
    };
    assert!(bare(a) == bare(b));
    assert_eq!(a.textures.len(), b.textures.len());
    for (a, b) in a.textures.iter().zip(&b.textures) {
        assert_eq!((&a.name, a.wrap, a.smooth), (&b.name, b.wrap, b.smooth));
        assert!(a.pixels.get() == b.pixels.get());
    }
}

#[test]
fn the_shipped_head_round_trips() {
    let settings = HeadSettings::default();
    let head = Head::shipped(&settings).unwrap();
    let scalp = head.scalp_part.unwrap();
    let own = density(&head, scalp);
    let written = painted(&Model::default(), &head, scalp, own, &settings).unwrap();
    assert_eq!((written.set, &written.warnings[..]), (0, &[][..]));
    let bald = own.iter().filter(|&&density| density == 0.0).count();
    assert_eq!(written.vertices, own.len() - bald);
    let again = Head::from_bytes("head.glb", &written.glb, &settings).unwrap();
    assert_same_but_paint(&head, &again);
    let differs =
        |(a, b): (&f32, &f32)| (a - b).abs() > 1.0 / 65535.0 || (*a == 0.0) != (*b == 0.0);
    let mut pairs = own.iter().zip(density(&again, scalp));
    assert_eq!(pairs.find(|&pair| differs(pair)), None);
    assert_eq!(
        (again.scalp_part, &again.extent),
        (head.scalp_part, &head.extent)
    );

    // The file gains one accessor, one view and their bytes.
    let shipped = include_bytes!("../../models/head.glb");
    let ((mut old, old_bin), (new, new_bin)) = (split(shipped), split(&written.glb));
    let list = |document: &Value, key: &str| document[key].as_array().unwrap().clone();
    let views = list(&old, "bufferViews").len();
    let accessors = list(&old, "accessors").len();
    assert_eq!(new["accessors"][accessors]["bufferView"], views);
    assert_eq!(new["bufferViews"][views]["byteOffset"], old_bin.len());
    old["meshes"][3]["primitives"][0]["attributes"]["COLOR_0"] = json!(accessors);
    for key in ["accessors", "bufferViews"] {
        let last = list(&new, key).pop().unwrap();
        old[key].as_array_mut().unwrap().push(last);
    }
    old["buffers"][0]["byteLength"] = json!(new_bin.len());
    assert_eq!(old, new);
    assert!(new_bin.starts_with(old_bin));
    assert_eq!(new_bin.len(), old_bin.len() + 8 * own.len());
}

/// A file that is written in place repeatedly does not grow and holds only the last paint.
#[test]
fn own_colours_are_overwritten() {
    let shipped = include_bytes!("../../models/head.glb");
    let head = Head::shipped(&HeadSettings::default()).unwrap();
    let scalp = head.scalp_part.unwrap();
    let count = head.parts[scalp].positions.len();
    let (once, _) = paint(shipped, scalp, &vec![0.25; count]);
    let halves: Vec<f32> = (0..count).map(|vertex| (vertex % 2) as f32).collect();
    let (twice, _) = paint(&once.glb, scalp, &halves);
    let (thrice, last) = paint(&twice.glb, scalp, &vec![1.0; count]);
    assert_eq!(density(&last, scalp), vec![1.0; count]);
    assert_same_but_paint(&head, &last);
    let ((once, first), (thrice, again)) = (split(&once.glb), split(&thrice.glb));
    assert_eq!(once, thrice);
    let (same, _) = first.split_at(first.len() - 8 * count);
    assert_eq!((again.len(), again.starts_with(same)), (first.len(), true));

    // Shared colours are not overwritten.
    let mut shared = once.clone();
    let own = shared["meshes"][3]["primitives"][0]["attributes"]["COLOR_0"].clone();
    shared["meshes"][0]["primitives"][0]["attributes"]["_OTHER"] = own;
    let bytes = glb(&serde_json::to_vec(&shared).unwrap(), first);
    let (painted, _) = paint(&bytes, scalp, &halves);
    let (painted, bin) = split(&painted.glb);
    assert!(bin.starts_with(first));
    let accessors = |document: &Value| document["accessors"].as_array().unwrap().len();
    assert_eq!(accessors(&painted), accessors(&shared) + 1);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Density stays at its vertex for every topology; indices repeat and skip some vertices.
    #[test]
    fn density_stays_at_its_vertex(
        vertices in 3usize..40,
        mode in 4u32..=6,
        indices in prop::option::of(prop::collection::vec(0u32..1 << 16, 3..30)),
        lanes in prop::collection::vec(0u16.., 40),
        was_painted in any::<bool>(),
    ) {
        let mut gltf = Gltf::new();
        let place = |n: usize| [n as f32, (n * n % 7) as f32, (n % 3) as f32];
        let positions: Vec<f32> = (0..vertices).flat_map(place).collect();
        let position = gltf.floats("VEC3", &positions);
        let mut primitive = json!({"attributes": {"POSITION": position}, "mode": mode});
        if let Some(indices) = indices {
            let indices: Vec<u32> = indices.iter().map(|i| i % vertices as u32).collect();
            primitive["indices"] = json!(gltf.ints(U32, "SCALAR", &indices));
        }
        if was_painted {
            let bytes = vec![7; vertices * 3];
            primitive["attributes"]["COLOR_0"] = json!(gltf.ints(U8, "VEC3", &bytes));
        }
        gltf.head(primitive);
        let Ok(head) = gltf.load() else { return Ok(()) };
        let wanted: Vec<f32> = lanes[..vertices].iter().map(|&lane| f32::from(lane) / 65535.0).collect();
        prop_assume!(wanted.iter().any(|&density| density >= 0.02));
        let (written, again) = paint(&gltf.glb(), 0, &wanted);
        assert_same_but_paint(&head, &again);
        prop_assert_eq!(written.set, 0);
        for (read, wanted) in density(&again, 0).iter().zip(wanted) {
            let wanted = if wanted < 0.02 { 0.0 } else { wanted };
            prop_assert!((read - wanted).abs() <= 1.0 / 65535.0, "{} {}", read, wanted);
        }
    }
}

#[test]
fn a_bald_head_gets_paint_where_the_loader_finds_it() {
    let white = [1.0f32; 12];
    let green = [0.0f32, 1.0, 0.0].repeat(4);
    let red = HeadSettings {
        paint_color: [1.0, 0.0, 0.0],
        ..Default::default()
    };
    for (sets, settings, free) in [
        (&[][..], HeadSettings::default(), 0),
        (&[(0, &white[..])], HeadSettings::default(), 1),
        (&[(1, &white)], HeadSettings::default(), 0),
        (&[(0, &white), (2, &white)], HeadSettings::default(), 1),
        // A tint, which stays a tint.
        (&[(0, &green)], red, 1),
    ] {
        let mut gltf = Gltf::square();
        for (set, colors) in sets {
            let accessor = gltf.floats("VEC3", colors);
            gltf.primitive()["attributes"][format!("COLOR_{set}")] = json!(accessor);
        }
        let (name, glb) = ("test.glb", gltf.glb());
        let head = Head::from_bytes(name, &glb, &settings).unwrap();
        assert!(head.parts[0].paint.is_none());
        let file = Model::Embedded(glb.into());
        let written = painted(&file, &head, 0, &[1.0, 0.5, 1.0, 0.0], &settings).unwrap();
        assert_eq!((written.set, written.vertices), (free, 3));
        let again = Head::from_bytes(name, &written.glb, &settings).unwrap();
        assert_same_but_paint(&head, &again);
        assert_eq!(again.parts[0].paint.as_ref().unwrap().set, free);
        assert_eq!(again.scalp_part, Some(0));
        let read = density(&again, 0);
        assert!((read[1] - 0.5).abs() < 1e-4 && read[3] == 0.0, "{read:?}");
    }
    let mut crowded = Gltf::square();
    for set in 0..16 {
        let accessor = crowded.floats("VEC3", &white);
        crowded.primitive()["attributes"][format!("COLOR_{set}")] = json!(accessor);
    }
    let (head, bytes) = (crowded.load().unwrap(), crowded.glb());
    let file = Model::Embedded(bytes.into());
    let error = painted(&file, &head, 0, &[1.0; 4], &HeadSettings::default()).unwrap_err();
    let error = error.to_string();
    assert!(
        error.starts_with("model.glb: mesh 0 \"head\", primitive 0: it has 16 colour sets"),
        "{error}"
    );
    assert!(error.contains("--limit color-sets=N"), "{error}");
}

#[test]
fn shared_colours_are_not_overwritten() {
    // Two primitives with the same vertices and colours, shown by two nodes.
    let mut gltf = Gltf::painted([B, B, B, W]);
    let other = gltf.primitive().clone();
    gltf.json["meshes"][0]["primitives"] = json!([other, other]);
    gltf.root(json!({"name": "twin", "mesh": 0, "translation": [5, 0, 0]}));
    let bytes = gltf.glb();
    let before = gltf.load().unwrap();
    let (written, after) = paint(&bytes, 1, &[0.5, 1.0, 1.0, 1.0]);
    assert_same_but_paint(&before, &after);
    let read: Vec<&[f32]> = (0..4).map(|part| density(&after, part)).collect();
    assert_eq!(
        (read[0], read[2]),
        (density(&before, 0), density(&before, 0))
    );
    assert_eq!(read[1], read[3]);
    assert_eq!(read[1][1..], [1.0; 3]);
    let warning = "\"head 2\" is the same mesh as \"twin 2\", which is painted with it";
    assert_eq!(written.warnings, [warning]);
    assert_eq!(
        after.scalp_part,
        Some(1),
        "four painted corners instead of three"
    );
    let (document, _) = split(&written.glb);
    let color = |n: usize| &document["meshes"][0]["primitives"][n]["attributes"]["COLOR_0"];
    assert_eq!(color(0), &other["attributes"]["COLOR_0"]);
    assert_ne!(color(0), color(1));

    // A warning says where hair grows instead.
    let (written, after) = paint(&bytes, 1, &[0.0; 4]);
    assert_eq!(after.scalp_part, Some(0));
    let told = written.warnings.join("\n");
    assert!(told.contains("no hair will grow on \"head 2\""), "{told}");
    assert!(told.contains("hair will grow on \"head\", where"), "{told}");
}

#[test]
fn alpha_is_kept_and_a_draco_copy_is_removed() {
    let mut gltf = Gltf::square();
    let colors = [0, 0, 0, 51].repeat(4);
    let color = gltf.ints(U8, "VEC4", &colors);
    let draco = json!({"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {}}, "X": 1});
    gltf.primitive()["attributes"]["COLOR_0"] = json!(color);
    gltf.primitive()["extensions"] = draco;
    let (written, _) = paint(&gltf.glb(), 0, &[1.0, 1.0, 1.0, 0.0]);
    let (document, bin) = split(&written.glb);
    let primitive = &document["meshes"][0]["primitives"][0];
    assert_eq!(primitive["extensions"], json!({"X": 1}));
    assert!(
        written.warnings[0].contains("its Draco copy has the old paint"),
        "{:?}",
        written.warnings
    );
    let new = &bin[bin.len() - 32..];
    let lanes: Vec<u16> = new
        .chunks(2)
        .map(|two| u16::from_le_bytes([two[0], two[1]]))
        .collect();
    assert_eq!(lanes[8..], [0, 0, 0, 13107, 65535, 65535, 65535, 13107]);
}

#[test]
fn chunks_of_other_kinds_and_all_digits_are_kept() {
    let mut gltf = Gltf::painted([B; 4]);
    gltf.json["extras"] = json!({"n": "PLACE"});
    gltf.json["animations"] = json!([{"name": "nod", "channels": [], "samplers": []}]);
    gltf.json["cameras"] = json!([{"type": "perspective"}]);
    let json = serde_json::to_string(&gltf.json).unwrap();
    let odd = "[1.10000000000000000001, 123456789012345678901234567890, 5e-1, \"\\u00e9\"]";
    let json = json.replace("\"PLACE\"", odd);
    let json = json.replacen(
        '{',
        "{\"buffers\": [{\"byteLength\": 1000, \"name\": \"b\"}],",
        1,
    );
    gltf.bin.resize(1000, 0);
    let mut bytes = glb(json.as_bytes(), &gltf.bin);
    for kind in [b"XTRA", b"JSON"] {
        bytes.extend(8u32.to_le_bytes());
        bytes.extend(kind);
        bytes.extend(b"whatever");
    }
    let length = (bytes.len() as u32).to_le_bytes();
    bytes[8..12].copy_from_slice(&length);
    let (written, _) = paint(&bytes, 0, &[1.0; 4]);
    assert!(
        written
            .glb
            .ends_with(b"\x08\0\0\0XTRAwhatever\x08\0\0\0JSONwhatever")
    );
    let text = String::from_utf8_lossy(&written.glb);
    assert!(text.contains(odd), "{text}");
    assert!(text.contains("\"name\":\"b\""), "{text}");
    let end = written.glb.len() - 32;
    assert_eq!(written.glb[8..12], (written.glb.len() as u32).to_le_bytes());
    let mut without = written.glb[..end].to_vec();
    without[8..12].copy_from_slice(&(end as u32).to_le_bytes());
    let (document, _) = split(&without);
    for key in ["animations", "cameras"] {
        assert_eq!(document[key], gltf.json[key]);
    }
}

#[test]
fn invalid_paint_is_refused() {
    let gltf = Gltf::painted([B, B, B, W]);
    let settings = HeadSettings::default();
    let (head, bytes) = (gltf.load().unwrap(), gltf.glb());
    let error = |head: &Head, bytes: &[u8], part, density: &[f32], settings: &HeadSettings| {
        let file = Model::Embedded(bytes.into());
        painted(&file, head, part, density, settings).unwrap_err()
    };
    let told = error(&head, &bytes, 0, &[1.0; 3], &settings).to_string();
    assert_eq!(
        told,
        "model.glb: 3 densities for the 4 vertices of a part. Give one for each."
    );
    for density in [1.5, -0.1, f32::NAN] {
        let told = error(&head, &bytes, 0, &[1.0, density, 0.0, 0.0], &settings).to_string();
        let start = format!("model.glb: the density of vertex 1 is {density}. Give");
        assert!(told.starts_with(&start), "{told}");
    }
    let kind = error(&head, &bytes, 9, &[1.0; 4], &settings).kind;
    assert_eq!(kind, WriteErrorKind::NoPart { part: 9, count: 1 });
    let mut made = head.clone();
    made.parts[0].source = None;
    let kind = error(&made, &bytes, 0, &[1.0; 4], &settings).kind;
    assert_eq!(kind, WriteErrorKind::NoPart { part: 0, count: 1 });

    let told = error(&head, b"BLENDER", 0, &[1.0; 4], &settings).to_string();
    assert!(
        told.starts_with("model.glb: looks like a .blend file"),
        "{told}"
    );
    let mut larger = Gltf::new();
    let position = larger.floats("VEC3", &[0.0; 15]);
    larger.head(json!({"attributes": {"POSITION": position}}));
    let told = error(&head, &larger.glb(), 0, &[1.0; 4], &settings).to_string();
    assert!(told.contains("it has changed since the head was read from it: mesh 0 \"head\", primitive 0 has 5 vertices, and had 4. Load it again"), "{told}");
    let told = error(&head, &Gltf::new().glb(), 0, &[1.0; 4], &settings);
    assert!(matches!(told.kind, WriteErrorKind::Changed(_)), "{told}");

    let mut tight = settings.clone();
    tight.limits.memory_free = 0;
    tight.limits.memory_per_byte = 0;
    let told = error(&head, &bytes, 0, &[1.0; 4], &tight).to_string();
    assert!(told.contains("memory-free"), "{told}");
}
