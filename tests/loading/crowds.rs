//! Files with very many elements, and heads that are hard to grow hair on.

use crate::common::gltf_builder::*;
use crate::ends;
use mohawk::groom::GroomSettings;
use mohawk::head::{Head, HeadSettings, LoadError, PaintRule};
use mohawk::roots::{Amount, RootSettings, SampleError, certify};
use mohawk::{Groom, Roots, Scalp};
use serde_json::json;
use std::ops::ControlFlow;

/// Grows hair on a head and returns the number of strands.
pub fn grow(head: &Head) -> Result<usize, SampleError> {
    let Some(scalp) = Scalp::of_head(head) else {
        return Ok(0);
    };
    let settings = RootSettings {
        amount: Amount::Strands(200),
        seed: 1,
        ..RootSettings::default()
    };
    let roots = Roots::sample(&scalp, &settings, &mut |_| ControlFlow::Continue(()))?;
    // The proof may be too long as well.
    if let Ok(proof) = certify(&scalp, &roots) {
        assert!(proof.maximal, "{proof:?}");
    }
    let groom = Groom::grow(&roots, &GroomSettings::default(), 1);
    for (root, direction) in groom.roots.iter().zip(&groom.directions) {
        assert!(root.is_finite() && (direction.length() - 1.0).abs() < 1e-3);
    }
    Ok(groom.len())
}

/// Returns a head of these triangles, all painted.
fn painted(positions: &[[f32; 3]], indices: &[u32]) -> Result<Head, LoadError> {
    let mut gltf = Gltf::new();
    let position = gltf.floats("VEC3", positions.as_flattened());
    let color = gltf.ints(U8, "VEC4", &vec![0; 4 * positions.len()]);
    let attributes = json!({"POSITION": position, "COLOR_0": color});
    let mut primitive = json!({"attributes": attributes});
    if !indices.is_empty() {
        primitive["indices"] = json!(gltf.ints(U32, "SCALAR", indices));
    }
    gltf.head(primitive);
    gltf.load()
}

/// Loads a square whose document has, instead of `"MANY"`, a list of `first` and a million times
/// `entry`; returns the warnings or the error.
fn with_a_million(gltf: &Gltf, first: &str, entry: &str) -> String {
    let mut gltf = gltf.clone();
    gltf.json["buffers"] = json!([{"byteLength": gltf.bin.len()}]);
    let many = format!("[{first}{}{entry}]", format!("{entry},").repeat(999_999));
    let text = gltf.json.to_string().replacen("\"MANY\"", &many, 1);
    match Head::from_bytes(
        "test.glb",
        &glb(text.as_bytes(), &gltf.bin),
        &Default::default(),
    ) {
        Ok(head) => head.warnings.join("\n"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_million_of_everything() {
    ends(|| {
        for (list, entry, crowded) in [
            ("nodes", "{}", true),
            ("nodes", r#"{"mesh":0}"#, true),
            (
                "meshes",
                r#"{"primitives":[{"attributes":{"POSITION":0}}]}"#,
                true,
            ),
            (
                "accessors",
                r#"{"componentType":5126,"type":"VEC3","count":3}"#,
                false,
            ),
            ("bufferViews", r#"{"buffer":0,"byteLength":4}"#, false),
            ("materials", "{}", true),
            ("textures", r#"{"source":0}"#, false),
            ("images", r#"{"uri":"a.png"}"#, false),
            ("samplers", "{}", false),
            ("scenes", r#"{"nodes":[]}"#, false),
            ("animations", r#"{"channels":[]}"#, true),
        ] {
            let mut gltf = Gltf::square();
            let old = gltf.json[list].as_array().cloned().unwrap_or_default();
            let old: String = old.iter().map(|entry| format!("{entry},")).collect();
            gltf.json[list] = json!("MANY");
            let said = with_a_million(&gltf, &old, entry);
            let has = |words: &str| said.contains(words);
            // Small entries of large types are refused; other lists fit in the memory of their
            // bytes.
            let too_many = has("its JSON has too many entries");
            assert_eq!(too_many, crowded, "{list}: {said}");
            assert_eq!(
                has("(limit `memory-free`; raise"),
                crowded,
                "{list}: {said}"
            );
        }
        for (place, entry, expected) in [
            ("/scenes/0/nodes", "0", "it is a child of both"),
            ("/nodes/0/children", "0", "its own ancestor"),
            (
                "/extensionsRequired",
                "\"ACME_curls\"",
                "requires the glTF extension ACME_curls",
            ),
        ] {
            let mut gltf = Gltf::square();
            gltf.json["nodes"][0]["children"] = json!([]);
            gltf.json["extensionsRequired"] = json!([]);
            *gltf.json.pointer_mut(place).unwrap() = json!("MANY");
            let said = with_a_million(&gltf, "", entry);
            assert!(said.contains(expected), "{said}");
        }
        let mut gltf = Gltf::square();
        let attributes = (0..200_000).map(|n| (format!("COLOR_{n}"), json!(0)));
        gltf.primitive()["attributes"] = attributes.collect();
        gltf.primitive()["attributes"]["POSITION"] = json!(0);
        let said = gltf.load().unwrap().warnings.join("\n");
        assert!(said.contains("(limit `color-sets`; raise"), "{said}");
    });
}

#[test]
fn sixteen_colour_sets_on_many_instances() {
    let mut gltf = Gltf::square();
    let count = 5000;
    let position = gltf.floats("VEC3", &vec![0.5; 3 * count]);
    let white = gltf.ints(U8, "VEC4", &vec![255; 4 * count]);
    let mut attributes = json!({"POSITION": position});
    for set in 0..40 {
        attributes[format!("COLOR_{set}")] = json!(white);
    }
    *gltf.primitive() = json!({"attributes": attributes});
    for _ in 0..500 {
        gltf.root(json!({"mesh": 0}));
    }
    ends(|| {
        // All corners are at one point, or the instances need too much memory.
        let error = gltf.error();
        assert!(
            error.contains("at one point") || error.contains("would take"),
            "{error}"
        );
    });
}

#[test]
fn degenerate_transforms() {
    let load = |node: serde_json::Value| {
        let mut gltf = Gltf::painted([[0.0; 3]; 4]);
        gltf.json["nodes"][0] = node;
        gltf.load()
    };
    let diagonal = |x: f64| json!({"mesh": 0, "matrix": [x,0,0,0, 0,x,0,0, 0,0,x,0, 0,0,0,1]});
    for (node, said) in [
        (diagonal(0.0), "all its corners are at one point"),
        (
            json!({"mesh": 0, "scale": [0, 0, 0]}),
            "all its corners are at one point",
        ),
        (
            json!({"mesh": 0, "translation": [3e38, 3e38, 3e38]}),
            "all its corners are at one point",
        ),
        (
            json!({"mesh": 0, "matrix": [1, 2, 3]}),
            "its JSON cannot be read",
        ),
        (
            json!({"mesh": 0, "scale": ["NaN", 1, 1]}),
            "its JSON cannot be read",
        ),
        (
            json!({"mesh": 0, "scale": [null, 1, 1]}),
            "its JSON cannot be read",
        ),
    ] {
        let error = load(node.clone()).unwrap_err().to_string();
        assert!(
            error.starts_with("test.glb: ") && error.contains(said),
            "{node}: {error}"
        );
    }
    // Anything with a size is shown; a zero quaternion is no rotation.
    for node in [
        diagonal(1e-30),
        diagonal(1e38),
        diagonal(-1.0),
        json!({"mesh": 0, "rotation": [0, 0, 0, 0]}),
        json!({"mesh": 0, "rotation": [1e38, 1e38, 1e38, 1e38]}),
        json!({"mesh": 0, "rotation": [1e-45, 0, 0, 0]}),
        json!({"mesh": 0, "matrix": [1,0,0,9, 0,1,0,9, 0,0,1,9, 0,0,0,0]}),
        json!({"mesh": 0, "scale": [1, 1, 0]}),
    ] {
        let head = load(node.clone()).unwrap();
        assert!(grow(&head).unwrap() > 100, "{node}");
    }
}

#[test]
fn positions_near_the_limits_of_f32() {
    let square = |size: f32| SQUARE.map(|corner| corner.map(|lane| lane * size));
    for size in [f32::MAX, 1e38, 1e30, 1e-30, 1e-37] {
        match painted(&square(size), &SQUARE_INDICES) {
            Ok(head) => drop(grow(&head)),
            Err(error) => assert!(error.to_string().contains("cannot be scaled"), "{error}"),
        }
    }
    for size in [1e-40, 1e-45] {
        let error = painted(&square(size), &SQUARE_INDICES)
            .unwrap_err()
            .to_string();
        assert!(error.contains("high, which cannot be scaled"), "{error}");
    }
    let error = painted(&[[7.0; 3]; 300], &[]).unwrap_err().to_string();
    assert!(
        error.contains("all its corners are at one point"),
        "{error}"
    );
    // One distant vertex makes its triangles needles and the rest a point.
    for far in [1e9, 1e30, 1e38] {
        let mut corners = square(1.0);
        corners[2] = [far, far, 0.0];
        let head = painted(&corners, &SQUARE_INDICES).unwrap();
        ends(|| drop(grow(&head)));
        corners[2] = [0.0, -far, far];
        let head = painted(&corners, &SQUARE_INDICES).unwrap();
        ends(|| drop(grow(&head)));
    }
}

/// Returns the `n`th number of a fixed sequence in 0 to 1.
fn noise(n: u32) -> f32 {
    let mixed = n.wrapping_mul(0x9E37_79B9) ^ n.wrapping_mul(0x85EB_CA6B).rotate_left(13);
    (mixed >> 8) as f32 / (1 << 24) as f32
}

#[test]
fn scalps_that_are_hard_to_sample() {
    const MANY: u32 = 200_000;
    let corners = |count: u32, at: &dyn Fn(u32) -> [f32; 3]| {
        let positions: Vec<_> = (0..count).map(at).collect();
        painted(&positions, &[])
    };
    let spot = |n: u32| [noise(3 * n), noise(3 * n + 1), noise(3 * n + 2)];
    let hard = [
        // Needles in all directions.
        corners(3 * MANY, &|n| {
            let [x, y, z] = spot(n / 3);
            match n % 3 {
                0 => [x, y, z],
                1 => [1.0 - x, 1.0 - z, 1.0 - y],
                _ => [x + 1e-6, y, z],
            }
        }),
        // Large triangles in all directions.
        corners(3 * MANY, &spot),
        // Triangles almost on top of each other.
        corners(3 * MANY, &|n| {
            [
                (n % 3 == 1) as u8 as f32,
                (n % 3 == 2) as u8 as f32,
                noise(n) * 1e-6,
            ]
        }),
        // The same triangle repeated.
        corners(3 * MANY, &|n| {
            [(n % 3 == 1) as u8 as f32, (n % 3 == 2) as u8 as f32, 0.0]
        }),
        // Triangles of every size.
        corners(3 * 200, &|n| {
            let size = 10f32.powf(10.0 - (n / 3) as f32 * 0.1);
            let [x, y, z] = spot(n);
            [x * size, y * size, z * size]
        }),
        // One large triangle and dust.
        corners(3 * MANY, &|n| {
            let size = if n < 3 { 1.0 } else { 1e-7 };
            spot(n).map(|lane| lane * size)
        }),
        // A strip a million times longer than wide.
        painted(
            &[
                [0.0, 0.0, 0.0],
                [0.0, 1e6, 0.0],
                [1.0, 1e6, 0.0],
                [1.0, 0.0, 0.0],
            ],
            &SQUARE_INDICES,
        ),
    ];
    for (nth, head) in hard.into_iter().enumerate() {
        let head = head.unwrap();
        ends(|| match grow(&head) {
            Ok(strands) => assert!(strands > 0, "{nth}"),
            Err(error) => {
                let error = error.to_string();
                assert!(
                    error.contains("triangles are thin as needles") || error.contains("too small"),
                    "{nth}: {error}"
                );
            }
        });
    }
}

#[test]
fn faint_paint_grows_hair() {
    let settings = HeadSettings {
        paint: PaintRule::Color,
        ..HeadSettings::default()
    };
    let faint = Gltf::painted([[0.975; 3]; 4]);
    let head = faint.load_with(&settings).unwrap();
    assert!(grow(&head).unwrap() > 100);
    let head = Gltf::painted([[-1e30; 3], [0.5; 3], [1e30; 3], [0.0; 3]])
        .load()
        .unwrap();
    grow(&head).unwrap();
}
