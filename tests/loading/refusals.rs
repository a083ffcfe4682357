//! Every refusal names the file, the element in it and what to do.

use crate::common::gltf_builder::*;
use crate::files::bytes_error;
use serde_json::json;

/// Returns the error of loading the square after `change`.
fn refused(change: impl FnOnce(&mut Gltf)) -> String {
    let mut gltf = Gltf::square();
    change(&mut gltf);
    gltf.error()
}

const AT: &str = "test.glb: mesh 0 \"head\", primitive 0";
const AGAIN: &str = "Export it again, or check it with the Khronos glTF validator.";

#[test]
fn other_versions() {
    let error = refused(|gltf| gltf.json["asset"]["version"] = json!("1.0"));
    assert!(
        error.starts_with("test.glb: this is glTF version \"1.0\". Heads are read from glTF 2.0"),
        "{error}"
    );
    let mut glb = Gltf::square().glb();
    glb[4] = 1;
    assert!(bytes_error("a.glb", &glb).contains("glTF version \"1\""));
    assert!(bytes_error("a.gltf", b"{}").contains("JSON without an `asset`"));
    let error = bytes_error("a.gltf", b"{\"asset\": 3}");
    assert!(
        error.contains("its JSON cannot be read: ") && error.contains("line 1 column 11"),
        "{error}"
    );
}

#[test]
fn truncated_files() {
    let glb = Gltf::square().glb();
    for length in 4..glb.len() {
        let error = bytes_error("a.glb", &glb[..length]);
        assert!(error.starts_with("a.glb: damaged .glb: it "), "{error}");
        assert!(
            error.ends_with("Copy, download or export it again."),
            "{error}"
        );
    }
    let mut lying = glb.clone();
    lying[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(bytes_error("a.glb", &lying).contains("chunk 0 claims 4294967295 bytes"));
    let error = refused(|gltf| gltf.json["buffers"] = json!([{"byteLength": 1_000_000}]));
    assert_eq!(
        error,
        format!(
            "{AT}: POSITION accessor 0, buffer 0: it claims 1000000 bytes, but has only 60. \
                 The file is cut off; copy, download or export it again."
        )
    );
}

#[test]
fn extensions_that_are_not_read() {
    for (name, advice) in [
        ("EXT_mesh_gpu_instancing", "instances made real"),
        ("ACME_curls", "open the file in Blender"),
    ] {
        let error = refused(|gltf| gltf.json["extensionsRequired"] = json!([name]));
        let start =
            format!("test.glb: requires the glTF extension {name}, which is not read. Export");
        assert!(
            error.starts_with(&start) && error.contains(advice),
            "{error}"
        );
    }
    let mut gltf = Gltf::square();
    gltf.json["extensionsRequired"] = json!(["KHR_materials_unlit", "KHR_texture_transform"]);
    gltf.load().unwrap();
}

#[test]
fn accessors_of_wrong_types() {
    let error = refused(|gltf| {
        let colors = gltf.ints(I16, "VEC3", &[0; 12]);
        gltf.primitive()["attributes"]["COLOR_0"] = json!(colors);
    });
    assert_eq!(
        error,
        format!(
            "{AT}: COLOR_0 accessor 2: is VEC3 of i16; expected VEC3 or VEC4 of f32, normalised \
                 u8 or u16. Re-export the colours as bytes or floats."
        )
    );
    let error = refused(|gltf| gltf.json["accessors"][1]["componentType"] = json!(F32));
    assert!(
        error.contains("indices accessor 1: is SCALAR of f32; expected SCALAR of u8, u16 or u32")
    );
    let error = refused(|gltf| gltf.json["accessors"][0]["type"] = json!("VEC2"));
    assert!(
        error.contains("POSITION accessor 0: is VEC2 of f32; expected VEC3 of f32"),
        "{error}"
    );
    let error = refused(|gltf| gltf.json["accessors"][0]["componentType"] = json!(7));
    assert!(
        error.contains("is VEC3 of an unknown component type; expected VEC3 of f32"),
        "{error}"
    );
    let error = refused(|gltf| gltf.json["accessors"][0]["type"] = json!("VEC9"));
    assert!(error.contains("is an unknown type of f32"), "{error}");
    let error = refused(|gltf| gltf.json["accessors"][0]["type"] = json!("MAT4"));
    assert!(error.contains("is MAT4 of f32"), "{error}");
    let error = refused(|gltf| gltf.primitive()["mode"] = json!(7));
    assert!(error.contains("its mode is not one of 0 to 6"), "{error}");
}

#[test]
fn accessors_out_of_bounds() {
    let error = refused(|gltf| gltf.json["accessors"][0]["count"] = json!(5));
    assert_eq!(
        error,
        format!(
            "{AT}: POSITION accessor 0: 5 elements of 12 bytes from byte 0 do not fit in its \
                 buffer view of 48 bytes. {AGAIN}"
        )
    );
    for count in [1u64 << 40, 1 << 63, u64::MAX] {
        let error = refused(|gltf| gltf.json["accessors"][0]["count"] = json!(count));
        assert!(error.contains("do not fit"), "{error}");
        let error = refused(|gltf| {
            gltf.json["accessors"][0] =
                json!({"componentType": F32, "type": "VEC3", "count": count});
        });
        assert!(error.contains(&format!(
            "POSITION accessor 0, with {count} elements, would take"
        )));
        assert!(error.contains("of memory"), "{error}");
    }
    let error = refused(|gltf| gltf.json["accessors"][0]["byteOffset"] = json!(u64::MAX));
    assert!(error.contains("do not fit"), "{error}");
    let error = refused(|gltf| gltf.json["bufferViews"][0]["byteOffset"] = json!(u64::MAX));
    assert!(
        error.contains("bufferView 0: 48 bytes from byte 18446744073709551615 are wanted"),
        "{error}"
    );
    for stride in [0, 3, 8, 65536] {
        let error = refused(|gltf| gltf.json["bufferViews"][0]["byteStride"] = json!(stride));
        assert!(
            error.contains(&format!("byteStride {stride} is not between 12 and 252")),
            "{error}"
        );
    }
    for wrong in [
        json!(-4),
        json!(4.5),
        json!("4"),
        json!(null),
        json!([4]),
        json!({}),
        json!(true),
    ] {
        let error = refused(|gltf| gltf.json["accessors"][0]["count"] = wrong.clone());
        assert!(
            error.contains("expected a whole number that is not negative"),
            "{error}"
        );
        let error = refused(|gltf| gltf.json["bufferViews"][0]["buffer"] = wrong);
        assert!(
            error.contains("expected a whole number that is not negative"),
            "{error}"
        );
    }
}

#[test]
fn indices_out_of_range() {
    let error = refused(|gltf| {
        let indices = gltf.ints(U16, "SCALAR", &[0, 1, 2, 0, 2, 4]);
        gltf.primitive()["indices"] = json!(indices);
    });
    assert_eq!(
        error,
        format!("{AT}: indices accessor 2: index 5 is 4, but there are only 4 vertices. {AGAIN}")
    );
    let error = refused(|gltf| gltf.json["scenes"][0]["nodes"] = json!([1]));
    assert_eq!(
        error,
        format!("test.glb: the default scene: it names node 1, but there are only 1. {AGAIN}")
    );
    // Truncated to 32 bits these would be node 0 and f32.
    let error = refused(|gltf| gltf.json["scenes"][0]["nodes"] = json!([1u64 << 32]));
    assert!(
        error.contains(
            "JSON cannot be read: invalid value: integer `4294967296`, expected a whole number \
             that is not negative, up to 4294967294 at line 1"
        ),
        "{error}"
    );
    let error = refused(|gltf| {
        gltf.json["accessors"][0]["componentType"] = json!((1u64 << 32) + u64::from(F32));
    });
    assert!(error.contains("integer `4294972422`"), "{error}");
    let error = refused(|gltf| gltf.json["nodes"][0]["mesh"] = json!(7));
    assert!(
        error.contains("node 0 \"head\": it names mesh 7, but there are only 1"),
        "{error}"
    );
    let error = refused(|gltf| gltf.primitive()["material"] = json!(0));
    assert!(
        error.contains("it names material 0, but there are only 0"),
        "{error}"
    );
    let error = refused(|gltf| gltf.json["scene"] = json!(1));
    assert!(
        error.contains("scene 1: it is the default, but there are only 1 scenes"),
        "{error}"
    );
    let error = refused(|gltf| {
        let view = gltf.view(&[0, 9]);
        let values = gltf.view(&[0; 24]);
        gltf.json["accessors"][0]["sparse"] = json!({"count": 2,
            "indices": {"bufferView": view, "componentType": U8}, "values": {"bufferView": values}});
    });
    assert!(
        error.contains("POSITION accessor 0, sparse: it changes element 9 of 4"),
        "{error}"
    );
}

#[test]
fn attributes_of_different_lengths() {
    let error = refused(|gltf| {
        let normal = gltf.floats("VEC3", &[0.0; 9]);
        gltf.primitive()["attributes"]["NORMAL"] = json!(normal);
    });
    assert_eq!(
        error,
        format!("{AT}: NORMAL accessor 2: has 3 elements for 4 positions. {AGAIN}")
    );
}

#[test]
fn numbers_that_are_not_finite() {
    for bad in [f32::NAN, f32::INFINITY] {
        let error = refused(|gltf| {
            let mut positions = SQUARE;
            positions[2][1] = bad;
            let position = gltf.floats("VEC3", positions.as_flattened());
            gltf.primitive()["attributes"]["POSITION"] = json!(position);
        });
        let start = format!(
            "{AT}: POSITION accessor 2: vertex 2 is not finite: [1.0, {bad:?}, 0.0]. Remove"
        );
        assert!(error.starts_with(&start), "{error}");
        let error = refused(|gltf| {
            let colors = gltf.floats("VEC3", &[bad; 12]);
            gltf.primitive()["attributes"]["COLOR_0"] = json!(colors);
        });
        assert!(
            error.contains("COLOR_0 accessor 2: vertex 0 is not finite"),
            "{error}"
        );
    }
    let error = refused(|gltf| gltf.json["nodes"][0]["scale"] = json!([1e308, 1e308, 1e308]));
    assert!(
        error.contains("is not finite") || error.contains("cannot be scaled"),
        "{error}"
    );
}

#[test]
fn node_hierarchies_that_are_not_trees() {
    let error = refused(|gltf| gltf.json["nodes"][0]["children"] = json!([0]));
    assert_eq!(
        error,
        "test.glb: node 0 \"head\": it is its own ancestor; the hierarchy is a cycle. \
         glTF allows a node one parent; share the mesh between nodes instead."
    );
    let error = refused(|gltf| {
        gltf.json["nodes"] = json!([{"children": [1, 2]}, {"children": [3]},
            {"name": "b", "children": [3]}, {"name": "twice", "mesh": 0}]);
    });
    assert!(
        error.contains("node 3 \"twice\": it is a child of both node 1 and node 2 \"b\""),
        "{error}"
    );
    // 2^40 paths through 81 nodes.
    let error = refused(|gltf| {
        let layers = (0..40).flat_map(|layer| {
            let next = json!({"children": [2 * layer + 2, 2 * layer + 3]});
            [next.clone(), next]
        });
        gltf.json["nodes"] = layers
            .chain([json!({"mesh": 0}), json!({"mesh": 0})])
            .collect();
    });
    assert!(error.contains("it is a child of both"), "{error}");
    let error = refused(|gltf| {
        let chain = (0..100_000).map(|node| json!({"children": [node + 1]}));
        gltf.json["nodes"] = chain.chain([json!({"mesh": 0})]).collect();
    });
    assert!(
        error.contains("node 1024: it lies more than 1024 nodes deep"),
        "{error}"
    );
    let error = refused(|gltf| {
        gltf.json["nodes"] = json!([{"children": [1]}, {"children": [0]}]);
        gltf.json.as_object_mut().unwrap().remove("scenes");
        gltf.json.as_object_mut().unwrap().remove("scene");
    });
    assert!(error.contains("the hierarchy is a cycle"), "{error}");
}

#[test]
fn scenes_without_triangles() {
    let error = Gltf::new().error();
    assert_eq!(
        error,
        "test.glb: no triangles in the default scene (0 meshes, 0 nodes, 0 primitives shown). \
         Select the head and export it as a mesh with faces."
    );
    let error = refused(|gltf| gltf.primitive()["mode"] = json!(0));
    assert!(
        error.contains("(1 meshes, 1 nodes, 1 primitives shown)"),
        "{error}"
    );
}

#[test]
fn instances_beyond_what_the_size_allows() {
    let error = refused(|gltf| {
        let many = vec![0.5; 30_000];
        let position = gltf.floats("VEC3", &many);
        *gltf.primitive() = json!({"attributes": {"POSITION": position}});
        for _ in 0..2000 {
            gltf.root(json!({"mesh": 0}));
        }
    });
    assert!(
        error.contains("would take") && error.contains("fewer vertices or instances"),
        "{error}"
    );
    let error = refused(|gltf| {
        for _ in 0..20_000 {
            gltf.root(json!({"mesh": 0}));
        }
    });
    assert!(
        error.contains("the nodes show more than 20000 primitives"),
        "{error}"
    );
}

#[test]
fn entries_beyond_what_the_size_allows() {
    for (list, entry) in [
        ("nodes", json!({})),
        ("meshes", json!({"primitives": vec![json!({}); 100_000]})),
        ("materials", json!({})),
    ] {
        let error = refused(|gltf| {
            gltf.json[list] = vec![entry.clone(); 6_000_000 / entry.to_string().len()].into()
        });
        assert!(
            error.starts_with("test.glb: its JSON has too many entries")
                && error.ends_with("Export the head alone."),
            "{error}"
        );
    }
}

#[test]
fn names_are_safe_to_print() {
    let error = refused(|gltf| {
        gltf.json["meshes"][0]["name"] = json!(format!("\u{1b}[31mred{}", "x".repeat(1000)));
        gltf.json["accessors"][0]["count"] = json!(5);
    });
    assert!(!error.contains('\u{1b}') && error.len() < 400, "{error}");
}
