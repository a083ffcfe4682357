//! `mohawk export`: the file that is written holds what the other held.

use crate::common::gltf_builder::*;
use crate::common::program::*;
use mohawk::head::{Head, HeadSettings};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const W: [f32; 3] = [1.0; 3];
const B: [f32; 3] = [0.0; 3];

/// The document and the binary chunk of a `.glb`.
fn split(file: &Path) -> (Value, Vec<u8>) {
    let glb = fs::read(file).unwrap();
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&glb[..4], word(8)), (&b"glTF"[..], glb.len()));
    let end = 20 + word(12);
    assert_eq!(&glb[end + 4..end + 8], b"BIN\0");
    let json = serde_json::from_slice(&glb[20..end]).unwrap();
    (json, glb[end + 8..].to_vec())
}

fn load(file: &Path) -> Head {
    Head::load(file, &HeadSettings::default()).unwrap()
}

/// What a buffer view holds.
fn bytes<'a>((document, bin): &'a (Value, Vec<u8>), view: &Value) -> &'a [u8] {
    let view = &document["bufferViews"][view.as_u64().unwrap() as usize];
    assert_eq!(view["buffer"], 0);
    let number = |key: &str| view[key].as_u64().unwrap_or(0) as usize;
    &bin[number("byteOffset")..][..number("byteLength")]
}

#[test]
fn the_shipped_head_is_written_and_read_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("head.glb");
    let name = file.to_str().unwrap();
    let told = json(&["export", "--painted", "-o", name, "--json"]);
    let size = fs::metadata(&file).unwrap().len();
    assert_eq!(
        (&told["output"], &told["bytes"]),
        (&json!(name), &json!(size))
    );
    assert_eq!(
        (&told["paint"], &told["warnings"]),
        (&json!("COLOR_0"), &json!([]))
    );
    let inspect = |args: &[&str]| {
        let mut found = json(&[&["inspect", "--json"], args].concat());
        found["file"] = Value::Null;
        // It is other evidence that the new colours are paint.
        let parts = found["parts"].as_array_mut().unwrap();
        parts
            .iter_mut()
            .for_each(|part| part["paint_evidence"] = Value::Null);
        let checks = found["checks"].as_array_mut().unwrap();
        checks.retain(|check| check["check"] != "scalp paint");
        found
    };
    let shipped = inspect(&[]);
    assert_eq!(inspect(&[name]), shipped);
    assert_eq!(
        told["painted_vertices"],
        shipped["scalp"]["painted_vertices"]
    );

    // Again, over itself: only what the paint takes is new.
    let text = stdout(&["export", name, "--painted", "-o", name]);
    assert_mentions(&text, &[name, "part \"head\" painted (COLOR_0)"]);
    assert_eq!(inspect(&[name]), shipped);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// A `.gltf` with a buffer and pictures beside it, and much that nobody here knows.
#[test]
fn a_file_of_many_becomes_one_with_everything_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut gltf = Gltf::square();
    let uv = gltf.floats("VEC2", &[0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    gltf.primitive()["attributes"]["TEXCOORD_0"] = json!(uv);
    let skin = picture(image::ImageFormat::Png, 2, 2, [200, 150, 120]);
    let webp = b"RIFF\x0c\0\0\0WEBPVP8 and so on";
    fs::write(at("skin a.png"), &skin).unwrap();
    fs::write(at("skin.webp"), webp).unwrap();
    fs::write(at("notes.txt"), "nobody's picture").unwrap();
    for image in [
        json!({"uri": "skin%20a.png", "name": "skin", "extras": {"by": "me"}}),
        json!({"uri": "skin.webp", "mimeType": "image/webp"}),
        json!({"uri": "skin%20a.png", "mimeType": "image/x-png"}),
        json!({"uri": "gone.png"}),
        json!({"uri": "../out.png"}),
        json!({"uri": "notes.txt"}),
        json!({"uri": "data:image/png;base64,AAAA"}),
    ] {
        gltf.push("images", image);
    }
    gltf.push("textures", json!({"source": 0}));
    let material = json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}});
    let material = gltf.push("materials", material);
    gltf.primitive()["material"] = json!(material);

    // Vertex colours in a buffer of their own, an animation's in one that is gone.
    gltf.json["buffers"] = json!([{"byteLength": gltf.bin.len(), "extras": [1]}]);
    let colors = f32_bytes([B, B, B, W].as_flattened());
    let data = "data:;base64,";
    let text = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &colors);
    gltf.push("buffers", json!({"byteLength": 9, "uri": "gone.bin"}));
    gltf.push(
        "buffers",
        json!({"byteLength": 48, "uri": format!("{data}{text}"), "name": "c"}),
    );
    let view = gltf.push("bufferViews", json!({"buffer": 2, "byteLength": 48}));
    let gone = gltf.push("bufferViews", json!({"buffer": 1, "byteLength": 9, "x": 1}));
    let meshopt = json!({"EXT_meshopt_compression": {"buffer": 2, "byteOffset": 4, "count": 1}});
    let meshopt = json!({"buffer": 0, "byteLength": 4, "extensions": meshopt});
    let packed = gltf.push("bufferViews", meshopt);
    let color = gltf.accessor(view, F32, "VEC3", 4);
    gltf.primitive()["attributes"]["COLOR_0"] = json!(color);

    gltf.json["extensionsUsed"] = json!(["ACME_hairdo"]);
    gltf.json["extensions"] = json!({"ACME_hairdo": {"curls": [1.5, {"x": null}]}});
    gltf.json["extras"] = json!({"seed": 18446744073709551615u64});
    gltf.json["nodes"][0]["extras"] = json!("a node's");
    gltf.json["meshes"][0]["extras"] = json!({"targetNames": []});
    gltf.json["unknown"] = json!({"key": true});
    let source = at("head.gltf");
    fs::write(at("head.bin"), &gltf.bin).unwrap();
    fs::write(&source, gltf.external("head.bin")).unwrap();

    // Into another folder, so that nothing beside it helps.
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("one.glb");
    let args = [
        source.to_str().unwrap(),
        "--painted",
        "-o",
        target.to_str().unwrap(),
    ];
    let told = json(&[&["export", "--json"], &args[..]].concat());
    let warnings: Vec<&str> = (told["warnings"].as_array().unwrap().iter())
        .map(|warning| warning.as_str().unwrap())
        .collect();
    for (nth, starts) in [
        "buffer 1: its file \"gone.bin\" does not exist; it stays out",
        "image 3: its file \"gone.png\" does not exist; it stays out",
        "image 4: its URI \"../out.png\" does not stay inside the model's folder; it stays out",
        "image 5: its file is no picture; it stays out",
        "buffer 2 is now a part of buffer 0",
    ]
    .into_iter()
    .enumerate()
    {
        assert!(warnings[nth].starts_with(starts), "{warnings:#?}");
    }
    assert_eq!(warnings.len(), 5);

    let (before, after) = (load(&source), load(&target));
    // It is other evidence that the new colours are paint.
    let looks = |head: &Head| {
        let looks = format!("{:?} {:?}", head.parts, head.materials);
        let looks = looks.replace("was painted here", "is black on white");
        looks.replace("is_own: true", "is_own: false")
    };
    assert_eq!(looks(&before), looks(&after));
    assert_eq!(
        before.textures[0].pixels.get(),
        after.textures[0].pixels.get()
    );
    assert_eq!(after.scalp_part, Some(0));

    let file = split(&target);
    let document = &file.0;
    for key in [
        "asset",
        "scene",
        "scenes",
        "nodes",
        "materials",
        "textures",
        "extensions",
        "extensionsUsed",
        "extras",
        "unknown",
    ] {
        assert_eq!(document[key], gltf.json[key], "{key}");
    }
    assert_eq!(document["meshes"][0]["extras"], json!({"targetNames": []}));
    assert_eq!(document["buffers"][0]["extras"], json!([1]));
    assert_eq!(document["buffers"][0]["uri"], Value::Null);
    assert_eq!(
        document["buffers"][1],
        json!({"byteLength": 9, "uri": "gone.bin"})
    );
    assert_eq!(document["bufferViews"][gone]["x"], 1);
    assert_eq!(document["bufferViews"][gone]["buffer"], 1);
    assert_eq!(bytes(&file, &json!(view)), colors);
    let compressed = &document["bufferViews"][packed]["extensions"]["EXT_meshopt_compression"];
    let offset = document["bufferViews"][view]["byteOffset"]
        .as_u64()
        .unwrap()
        + 4;
    assert_eq!(
        compressed,
        &json!({"buffer": 0, "byteOffset": offset, "count": 1})
    );

    let images = document["images"].as_array().unwrap();
    for (image, expected, kind) in [
        (&images[0], &skin[..], "image/png"),
        (&images[1], webp, "image/webp"),
        (&images[2], &skin, "image/x-png"),
    ] {
        assert_eq!(image["mimeType"], kind);
        assert_eq!(image["uri"], Value::Null);
        assert_eq!(bytes(&file, &image["bufferView"]), expected);
    }
    assert_eq!(images[0]["bufferView"], images[2]["bufferView"]);
    assert_eq!(images[0]["extras"], json!({"by": "me"}));
    assert_eq!(images[3..], gltf.json["images"].as_array().unwrap()[3..]);
}

#[test]
fn another_paint_is_written_in_black() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (head, config, out) = (at("a.glb"), at("hair.toml"), at("b.glb"));
    let red = [1.0, 0.0, 0.0];
    fs::write(&head, Gltf::painted([red, red, [1.0, 0.5, 0.5], W]).glb()).unwrap();
    fs::write(&config, "version = 1\n[head]\npaint_color = [1, 0, 0]").unwrap();
    let args = [
        &head,
        "--config",
        &config,
        "--painted",
        "-o",
        &out,
        "--json",
    ];
    let told = json(&[&["export"], &args[..]].concat());
    assert_eq!(told["painted_vertices"], 3);
    let (document, bin) = split(out.as_ref());
    assert_eq!(
        document["accessors"].as_array().unwrap().last().unwrap()["type"],
        "VEC4"
    );
    let new = &bin[bin.len() - 32..];
    let lanes: Vec<u16> = new
        .chunks(2)
        .map(|two| u16::from_le_bytes([two[0], two[1]]))
        .collect();
    let (full, half) = (65535, 32768);
    assert_eq!(lanes[..4], [0, 0, 0, full]);
    assert_eq!(lanes[8..12], [half, half, half, full]);
    assert_eq!(lanes[12..], [full; 4]);
    // It reads the same whatever the colour of other paint is.
    let found = |flags: &[&str]| {
        json(&[&["inspect", &out, "--json"], flags].concat())["scalp_area"].clone()
    };
    assert_eq!(found(&[]), found(&["--config", &config]));
}

#[test]
fn what_cannot_be_written_is_said_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (bald, out) = (at("bald.glb"), at("out.glb"));
    fs::write(&bald, Gltf::square().glb()).unwrap();
    let message = refused(1, &["export", &bald, "--painted", "-o", &out]);
    assert_mentions(&message, &[&bald, "Vertex Paint"]);
    let message = refused(1, &["export", "gone.glb", "--painted", "-o", &out]);
    assert_mentions(&message, &["gone.glb", "Check the path"]);
    let message = refused(1, &["export", "--painted", "-o", "no/such/out.glb"]);
    assert_mentions(&message, &["no/such", "mkdir -p"]);
    assert!(!Path::new(&out).exists());

    // A buffer may be called anything.
    let gltf = Gltf::painted([B; 4]);
    fs::write(at("data.glb"), &gltf.bin).unwrap();
    fs::write(at("head.gltf"), gltf.external("data.glb")).unwrap();
    let message = refused(
        2,
        &[
            "export",
            &at("head.gltf"),
            "--painted",
            "-o",
            &at("data.glb"),
        ],
    );
    assert_mentions(&message, &["would overwrite", "data.glb, which is read"]);
    assert_eq!(fs::read(at("data.glb")).unwrap(), gltf.bin);
}

#[test]
fn hair_of_a_head_in_usd_has_its_unit_and_axes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let corner = |i: usize| {
        let [x, y, z] = [i & 1, i >> 1 & 1, i >> 2].map(|far| 20 * far);
        format!("({x}, {y}, {})", 150 + z)
    };
    let corners: Vec<String> = (0..8).map(corner).collect();
    let colors: Vec<&str> = (0..8).map(|i| ["(1, 1, 1)", "(0, 0, 0)"][i / 4]).collect();
    let text = format!(
        "#usda 1.0\n(\n    metersPerUnit = 0.01\n    upAxis = \"Z\"\n)\ndef Mesh \"head\"\n{{\n\
         int[] faceVertexCounts = [4, 4, 4, 4, 4, 4]\nint[] faceVertexIndices = [0, 2, 3, 1, 4, 5, 7, \
         6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5]\npoint3f[] points = [{}]\n\
         color3f[] primvars:displayColor = [{}] (\n    interpolation = \"vertex\"\n)\n}}\n",
        corners.join(", "),
        colors.join(", ")
    );
    let [head, hair, npz] = ["head.usda", "hair.usda", "hair.npz"].map(path);
    std::fs::write(&head, text).unwrap();
    for output in [&hair, &npz] {
        let args = ["export", &head, "--hair", "--strands", "60", "-o", output];
        json(&[&args[..], &["--json"]].concat());
    }
    let written = std::fs::read_to_string(&hair).unwrap();
    assert_mentions(&written, &["metersPerUnit = 0.01", "upAxis = \"Z\""]);
    let (strands, _) = mohawk::strands::Strands::load(npz.as_ref(), &Default::default()).unwrap();
    assert_eq!(strands.unit_metres, Some(0.01));
    for range in strands.ranges() {
        let [x, y, z] = strands.points[range.start];
        let is_on_top = (-0.1..20.1).contains(&x) && (-0.1..20.1).contains(&y);
        assert!(is_on_top && (149.9..170.1).contains(&z), "{x} {y} {z}");
    }
}
