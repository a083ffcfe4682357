//! Hostile JSON and `.glb` containers.

use crate::common::gltf_builder::*;
use crate::ends;
use crate::files::bytes_error;
use mohawk::head::{Head, HeadSettings};
use serde_json::json;

/// Returns the document of the square with `from` replaced by `to`.
fn replaced(from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(Gltf::square().embedded()).unwrap();
    assert!(text.contains(from), "{text}");
    text.replacen(from, to, 1).into_bytes()
}

const NOT_READ: &str = "a.gltf: its JSON cannot be read: ";

#[test]
fn a_million_brackets_are_an_error_unless_they_are_skipped() {
    let deep = 1_000_000;
    let (open, close) = ("[".repeat(deep), "]".repeat(deep));
    let objects = "{\"a\":".repeat(deep) + "1" + &"}".repeat(deep);
    ends(|| {
        for value in [open.clone(), "{\"a\":".repeat(deep)] {
            for key in ["\"extras\"", "\"unknown\"", "\"nodes\"", "\"extensions\""] {
                let error = bytes_error("a.gltf", &replaced("{", &format!("{{{key}:{value},")));
                assert!(error.starts_with(NOT_READ), "{error}");
                assert!(error.contains("line 1 column "), "{error}");
            }
        }
        // Skipped values may be of any depth.
        let draco = |value: &str| format!("{{\"KHR_draco_mesh_compression\":{value}}}");
        for value in [format!("{open}{close}"), objects] {
            for bytes in [
                replaced("{", &format!("{{\"extras\":{value},")),
                replaced(
                    "\"attributes\"",
                    &format!("\"extensions\":{},\"attributes\"", draco(&value)),
                ),
            ] {
                Head::from_bytes("a.gltf", &bytes, &HeadSettings::default()).unwrap();
            }
        }
        let deep = format!("\"nodes\":{open}{close},\"other\":");
        let error = bytes_error("a.gltf", &replaced("\"nodes\":", &deep));
        assert!(error.contains("invalid type: sequence"), "{error}");
    });
}

#[test]
fn numbers_out_of_range_are_refused() {
    for (number, said) in [
        ("1e999", "number out of range"),
        ("-1", "expected a whole number that is not negative"),
        ("1.5", "expected a whole number that is not negative"),
        ("-0.0", ""),
        ("1e300", "expected a whole number that is not negative"),
        ("18446744073709551616", "expected a whole number"),
        ("00", "invalid number"),
        ("NaN", "expected value"),
        ("0x4", "expected `,` or `}`"),
        ("\"4\"", "expected a whole number that is not negative"),
    ] {
        for key in ["\"indices\":", "\"scene\":", "\"mesh\":"] {
            let text = String::from_utf8(Gltf::square().embedded()).unwrap();
            let at = text.find(key).unwrap() + key.len();
            let bytes = format!("{}{number}{}", &text[..at], &text[at + 1..]);
            let loaded = Head::from_bytes("a.gltf", bytes.as_bytes(), &HeadSettings::default());
            let Err(error) = loaded else {
                assert_eq!(number, "-0.0");
                continue;
            };
            let error = error.to_string();
            assert!(error.contains(said), "{key}{number}: {error}");
        }
    }
    for number in ["1e999", "-1e999"] {
        let bytes = replaced(
            "\"mesh\":0",
            &format!("\"mesh\":0,\"scale\":[{number},1,1]"),
        );
        let error = bytes_error("a.gltf", &bytes);
        assert!(error.contains("number out of range"), "{error}");
    }
}

#[test]
fn invalid_text_is_refused() {
    let error = bytes_error("a.gltf", &{
        let mut bytes = replaced("\"head\"", "\"heXd\"");
        let at = bytes.windows(4).position(|four| four == b"heXd").unwrap();
        bytes[at + 2] = 0xFF;
        bytes
    });
    assert!(
        error.starts_with(NOT_READ) && error.contains("invalid unicode"),
        "{error}"
    );
    let error = bytes_error("a.gltf", &replaced("\"head\"", "\"\\ud800\""));
    assert!(error.starts_with(NOT_READ), "{error}");
    let error = bytes_error("a.gltf", &replaced("\"scene\":", "\"scene\":0,\"scene\":"));
    assert!(error.contains("duplicate field `scene`"), "{error}");
    for (before, after) in [
        (&b"\xEF\xBB\xBF"[..], &b""[..]),
        (b" \r\n\t", b" \n"),
        (b"", b""),
    ] {
        let bytes = [before, &Gltf::square().embedded(), after].concat();
        Head::from_bytes("a.gltf", &bytes, &HeadSettings::default()).unwrap();
    }
    for after in [&b"\0"[..], b"}", b"{}", b"// made by hand"] {
        let bytes = [&Gltf::square().embedded(), after].concat();
        let error = bytes_error("a.gltf", &bytes);
        assert!(error.contains("trailing characters"), "{error}");
    }
    let cut = Gltf::square().embedded();
    for length in (1..cut.len()).step_by(7) {
        let error = bytes_error("a.gltf", &cut[..length]);
        assert!(error.starts_with(NOT_READ), "{error}");
        assert!(error.contains("EOF while parsing"), "{error}");
    }
    let utf16: Vec<u8> = "{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(bytes_error("a.gltf", &utf16).starts_with("a.gltf: its JSON"));
}

#[test]
fn huge_strings_make_short_messages() {
    let long = "x".repeat(5_000_000);
    ends(|| {
        for (from, to) in [
            ("\"2.0\"", format!("\"{long}\"")),
            ("\"SCALAR\"", format!("\"{long}\"")),
            (
                "\"scene\":",
                format!("\"extensionsRequired\":[\"{long}\"],\"scene\":"),
            ),
            ("\"scene\":", format!("\"scene\":\"{long}\",\"s\":")),
            ("\"data:", format!("\"{long}")),
        ] {
            let error = bytes_error("a.gltf", &replaced(from, &to));
            assert!(error.starts_with("a.gltf: "), "{error}");
            assert!(error.len() < 800, "{} of {from}", error.len());
        }
        let bytes = replaced("\"head\"", &format!("\"{long}\""));
        let head = Head::from_bytes("a.gltf", &bytes, &HeadSettings::default()).unwrap();
        assert!(head.parts[0].name.len() < 100);
    });
}

/// Returns a `.glb` of these chunks; `lie` is added to its stated length.
fn chunks(chunks: &[(&[u8; 4], &[u8])], lie: i32) -> Vec<u8> {
    let mut glb = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, bytes) in chunks {
        glb.extend((bytes.len() as u32).to_le_bytes());
        glb.extend(*kind);
        glb.extend(*bytes);
    }
    let length = glb.len() as i32 + lie;
    glb[8..12].copy_from_slice(&length.to_le_bytes());
    glb
}

#[test]
fn chunks_in_any_order_and_with_wrong_lengths() {
    let gltf = Gltf::square();
    let glb = gltf.glb();
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let (json, bin) = (&glb[20..20 + length], &gltf.bin[..]);
    let load = |bytes: Vec<u8>| Head::from_bytes("a.glb", &bytes, &HeadSettings::default());
    let whole: [(&[u8; 4], &[u8]); 2] = [(b"JSON", json), (b"BIN\0", bin)];
    load(chunks(&whole, 0)).unwrap();
    // Chunks of other kinds and empty ones are legal; the other order is accepted.
    load(chunks(
        &[(b"ABCD", b"1234"), whole[0], (b"\0\0\0\0", b""), whole[1]],
        0,
    ))
    .unwrap();
    load(chunks(&[whole[1], whole[0]], 0)).unwrap();
    // The first of two chunks of a kind counts.
    load(chunks(
        &[whole[0], whole[1], (b"JSON", b"{}"), (b"BIN\0", b"")],
        0,
    ))
    .unwrap();
    let error = |bytes| load(bytes).unwrap_err().to_string();
    for (broken, said) in [
        (chunks(&[], 0), "it has no JSON chunk"),
        (chunks(&[whole[1]], 0), "it has no JSON chunk"),
        (
            chunks(&[(b"JSON", b""), whole[1]], 0),
            "EOF while parsing a value",
        ),
        (
            chunks(&[(b"JSON", b"    "), whole[1]], 0),
            "EOF while parsing a value",
        ),
        (chunks(&whole, 1), "it is cut off"),
        (chunks(&whole, i32::MAX - 5000), "it is cut off"),
        (chunks(&whole, -1), "chunk 1 claims"),
        (
            chunks(&whole, -(bin.len() as i32) - 1),
            "it ends within the header of chunk 1",
        ),
        (
            chunks(&[whole[0], (b"BIN\0", &bin[..8])], 0),
            "it claims 60 bytes, but has only 8",
        ),
        (
            chunks(&[whole[0]], 0),
            "it has neither a URI nor a binary chunk",
        ),
        (glb[..11].to_vec(), "it ends within its 12-byte header"),
        (b"glTF".to_vec(), "it ends within its 12-byte header"),
    ] {
        let error = error(broken);
        assert!(
            error.starts_with("a.glb: ") && error.contains(said),
            "{said}: {error}"
        );
    }
    // Every stated length below the true one.
    for lie in 0..glb.len() as u32 {
        let mut lying = glb.clone();
        lying[8..12].copy_from_slice(&lie.to_le_bytes());
        let error = error(lying);
        let ends_well = lie as usize == 20 + length;
        let said = match ends_well {
            true => "it has neither a URI nor a binary chunk",
            false => "a.glb: damaged .glb: ",
        };
        assert!(error.contains(said), "{error}");
    }
    // Bytes after the stated length are ignored.
    load([&glb[..], &[7; 100]].concat()).unwrap();
    // The padding is spaces, but some exporters write zeros.
    let padded = [json, &[0; 4]].concat();
    load(chunks(&[(b"JSON", &padded), whole[1]], 0)).unwrap();
}

#[test]
fn values_of_wrong_types_are_refused() {
    for (list, value) in [
        ("asset", json!([])),
        ("scenes", json!({})),
        ("scene", json!([0])),
        ("nodes", json!("node")),
        ("nodes", json!([null])),
        ("meshes", json!([[]])),
        ("accessors", json!([{"count": 4}])),
        ("bufferViews", json!([0])),
        ("buffers", json!([{"byteLength": "60"}])),
        ("materials", json!([3])),
        ("extensionsRequired", json!("KHR_draco_mesh_compression")),
    ] {
        let mut gltf = Gltf::square();
        gltf.json[list] = value;
        let error = gltf.error();
        assert!(
            error.starts_with("test.glb: its JSON cannot be read: "),
            "{list}: {error}"
        );
    }
}
