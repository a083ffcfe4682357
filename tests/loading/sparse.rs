//! Accessors whose sums overflow, and invalid sparse accessors.

use crate::common::gltf_builder::*;
use crate::ends;
use serde_json::{Value, json};

/// Returns the painted square with two sparsely changed positions, after `bend`.
fn sparse(bend: impl FnOnce(&mut Value)) -> Gltf {
    let mut gltf = Gltf::painted([[0.0; 3]; 4]);
    let indices = gltf.view(&[1, 0, 2, 0]);
    let values = gltf.view(&f32_bytes(&[3.0, 0.0, 0.0, 3.0, 3.0, 0.0]));
    gltf.json["accessors"][0]["sparse"] = json!({"count": 2,
        "indices": {"bufferView": indices, "componentType": U16},
        "values": {"bufferView": values}});
    bend(&mut gltf.json["accessors"][0]);
    gltf
}

#[test]
fn a_valid_sparse_accessor_loads() {
    let head = sparse(|_| {}).load_plain();
    let width = head.parts[0].positions[1].x - head.parts[0].positions[0].x;
    assert_eq!(width, 3.0);
}

#[test]
fn invalid_sparse_accessors_are_refused() {
    const AT: &str = "test.glb: mesh 0 \"head\", primitive 0: POSITION accessor 0, ";
    for (place, value, said) in [
        ("count", json!(5), "it changes 5 of 4 elements"),
        (
            "count",
            json!(1u64 << 63),
            "it changes 9223372036854775808 of 4",
        ),
        (
            "count",
            json!(3),
            "3 elements of 2 bytes from byte 0 do not fit",
        ),
        (
            "indices/byteOffset",
            json!(2),
            "2 elements of 2 bytes from byte 2",
        ),
        ("indices/byteOffset", json!(u64::MAX), "do not fit"),
        (
            "values/byteOffset",
            json!(1),
            "2 elements of 12 bytes from byte 1",
        ),
        ("values/byteOffset", json!(1u64 << 63), "do not fit"),
        (
            "indices/bufferView",
            json!(99),
            "bufferView 99: there are only",
        ),
        (
            "values/bufferView",
            json!(99),
            "bufferView 99: there are only",
        ),
        (
            "indices/componentType",
            json!(F32),
            "its indices are of the wrong component type",
        ),
        (
            "indices/componentType",
            json!(I8),
            "its indices are of the wrong component type",
        ),
        ("indices/componentType", json!(U32), "elements of 4 bytes"),
        (
            "indices/componentType",
            json!(U8),
            "its indices do not increase: 0 comes after 1",
        ),
    ] {
        let error = sparse(|accessor| {
            let place = format!("/sparse/{place}");
            match accessor.pointer_mut(&place) {
                Some(old) => *old = value.clone(),
                None => {
                    let (parent, key) = place.rsplit_once('/').unwrap();
                    accessor.pointer_mut(parent).unwrap()[key] = value.clone();
                }
            }
        })
        .error();
        assert!(
            error.starts_with(AT) && error.contains(said),
            "{place}: {error}"
        );
        assert!(error.ends_with("Khronos glTF validator."), "{error}");
    }
    for (indices, said) in [
        ([1, 0, 1, 0], "its indices do not increase: 1 comes after 1"),
        ([2, 0, 1, 0], "its indices do not increase: 1 comes after 2"),
        ([2, 0, 4, 0], "it changes element 4 of 4"),
        ([0, 0, 255, 255], "it changes element 65535 of 4"),
    ] {
        let mut gltf = sparse(|_| {});
        let view = gltf.json["accessors"][0]["sparse"]["indices"]["bufferView"]
            .as_u64()
            .unwrap();
        let at = gltf.json["bufferViews"][view as usize]["byteOffset"]
            .as_u64()
            .unwrap() as usize;
        gltf.bin[at..at + 4].copy_from_slice(&indices);
        let error = gltf.error();
        assert!(error.starts_with(AT) && error.contains(said), "{error}");
    }
    for broken in [
        json!({"count": 2}),
        json!([]),
        json!(null),
        json!({"count": -1}),
    ] {
        let gltf = sparse(|accessor| accessor["sparse"] = broken.clone());
        match broken {
            Value::Null => drop(gltf.load().unwrap()),
            _ => assert!(gltf.error().contains("its JSON cannot be read"), "{broken}"),
        }
    }
}

#[test]
fn sparse_values_are_checked_like_other_values() {
    let mut gltf = Gltf::square();
    let indices = gltf.view(&[3, 0, 0, 0]);
    let values = gltf.floats("VEC3", &[f32::NAN, 0.0, 0.0]);
    gltf.json["accessors"][0]["sparse"] = json!({"count": 1,
        "indices": {"bufferView": indices, "componentType": U8},
        "values": {"bufferView": gltf.json["accessors"][values]["bufferView"]}});
    assert!(
        gltf.error().contains("vertex 3 is not finite"),
        "{}",
        gltf.error()
    );
    let mut gltf = Gltf::square();
    let at = gltf.view(&[3, 0, 0, 0]);
    let values = gltf.view(&[4, 0, 0, 0]);
    gltf.json["accessors"][1]["sparse"] = json!({"count": 1,
        "indices": {"bufferView": at, "componentType": U8}, "values": {"bufferView": values}});
    let error = gltf.error();
    assert!(
        error.contains("index 3 is 4, but there are only 4 vertices"),
        "{error}"
    );
}

#[test]
fn accessors_without_bytes_are_charged_too() {
    // Any number of zeros without a buffer view, three of them changed.
    ends(|| {
        for count in [
            1u64 << 24,
            1 << 31,
            1 << 32,
            1 << 40,
            1 << 62,
            (1 << 63) - 1,
        ] {
            let error = {
                let mut gltf = sparse(|accessor| {
                    accessor["count"] = json!(count);
                    accessor.as_object_mut().unwrap().remove("bufferView");
                });
                gltf.primitive().as_object_mut().unwrap().remove("indices");
                gltf.error()
            };
            assert!(
                error.contains("would take") && error.contains("`memory-free`"),
                "{error}"
            );
        }
    });
}

#[test]
fn sums_that_overflow() {
    let refused = |change: &dyn Fn(&mut Gltf)| {
        let mut gltf = Gltf::square();
        change(&mut gltf);
        gltf.error()
    };
    for huge in [u64::MAX, u64::MAX - 11, 1 << 63, (1 << 63) - 1] {
        let error = refused(&|gltf| {
            gltf.json["accessors"][0]["byteOffset"] = json!(huge);
            gltf.json["bufferViews"][0]["byteStride"] = json!(252);
        });
        assert!(
            error.contains("do not fit in its buffer view of 48 bytes"),
            "{error}"
        );
        let error = refused(&|gltf| gltf.json["bufferViews"][0]["byteLength"] = json!(huge));
        assert!(
            error.contains(&format!("{huge} bytes from byte 0 are wanted")),
            "{error}"
        );
        let error = refused(&|gltf| {
            gltf.json["bufferViews"][0]["byteOffset"] = json!(huge);
            gltf.json["bufferViews"][0]["byteLength"] = json!(huge);
        });
        assert!(
            error.contains("are wanted of buffer 0, which has 60"),
            "{error}"
        );
        let error = refused(&|gltf| gltf.json["buffers"] = json!([{"byteLength": huge}]));
        assert!(
            error.contains(&format!("it claims {huge} bytes")),
            "{error}"
        );
        let error = refused(&|gltf| {
            gltf.json["accessors"][0]["count"] = json!(huge);
            gltf.json["bufferViews"][0]["byteStride"] = json!(252);
        });
        assert!(error.contains("do not fit"), "{error}");
    }
    let error = refused(&|gltf| gltf.json["accessors"][1]["count"] = json!(0));
    assert!(
        error.contains("no triangles in the default scene"),
        "{error}"
    );
    let error = refused(&|gltf| gltf.json["accessors"][0]["count"] = json!(0));
    assert!(
        error.contains("index 0 is 0, but there are only 0 vertices"),
        "{error}"
    );
    // Overlapping elements are odd but within bounds.
    let mut gltf = Gltf::square();
    gltf.json["bufferViews"][0]["byteStride"] = json!(12);
    gltf.load().unwrap();
}
