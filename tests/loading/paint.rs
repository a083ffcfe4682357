//! Scalp paint in every form that exporters write.

use crate::common::gltf_builder::*;
use mohawk::head::{HeadSettings, LoadErrorKind};
use serde_json::json;

const W: [f32; 3] = [1.0; 3];
const B: [f32; 3] = [0.0; 3];

#[test]
fn colours_of_every_legal_type_are_paint() {
    for (component, one) in [(U8, 255), (U16, 65535), (F32, 1.0f32.to_bits())] {
        for shape in ["VEC3", "VEC4"] {
            let mut gltf = Gltf::square();
            let lanes = if shape == "VEC3" { 3 } else { 4 };
            // Vertices 0 to 2 black, vertex 3 white; opaque.
            let value = |n: usize| {
                if n / lanes == 3 || n % lanes == 3 {
                    one
                } else {
                    0
                }
            };
            let values: Vec<u32> = (0..4 * lanes).map(value).collect();
            let mut bytes = int_bytes(component, &values);
            let mut stride = bytes.len() / 4;
            if !stride.is_multiple_of(4) {
                // Vertex attributes are aligned to 4 bytes.
                let padded = stride.next_multiple_of(4);
                let vertices = bytes.chunks(stride);
                bytes = vertices
                    .flat_map(|v| [v, &[7; 3][..padded - stride]].concat())
                    .collect();
                stride = padded;
            }
            let view = gltf.view(&bytes);
            gltf.json["bufferViews"][view]["byteStride"] = json!(stride);
            let color = gltf.accessor(view, component, shape, 4);
            gltf.primitive()["attributes"]["COLOR_0"] = json!(color);
            let head = gltf.load().unwrap();
            assert_eq!(head.scalp_part, Some(0), "{component} {shape}");
            let paint = head.parts[0].paint.as_ref().unwrap();
            assert_eq!(
                (paint.set, &paint.density[..]),
                (0, &[1.0, 1.0, 1.0, 0.0][..])
            );
            assert_eq!(head.parts[0].colors, None);
        }
    }
}

#[test]
fn density_is_one_minus_the_mean_and_nearly_white_is_bald() {
    let gltf = Gltf::painted([[0.5, 0.25, 0.0], [0.99, 0.985, 0.98], W, B]);
    let paint = gltf.load().unwrap().parts[0].paint.clone().unwrap();
    assert_eq!(paint.density, [0.75, 0.0, 0.0, 1.0]);
}

#[test]
fn paint_in_color_1_is_found_behind_a_fake_white_color_0() {
    let mut gltf = Gltf::square();
    let white = gltf.ints(U8, "VEC4", &[255; 16]);
    let paint = gltf.floats("VEC3", [B, B, B, W].as_flattened());
    gltf.primitive()["attributes"]["COLOR_0"] = json!(white);
    gltf.primitive()["attributes"]["COLOR_1"] = json!(paint);
    let head = gltf.load().unwrap();
    assert_eq!(head.parts[0].paint.as_ref().unwrap().set, 1);
    assert_eq!(head.parts[0].colors, None);
    assert_eq!(head.warnings, Vec::<String>::new());
}

#[test]
fn uniformly_black_means_all_painted() {
    let head = Gltf::painted([B; 4]).load().unwrap();
    assert_eq!(head.scalp_part, Some(0));
    assert_eq!(head.parts[0].paint.as_ref().unwrap().density, [1.0; 4]);
}

#[test]
fn a_head_without_paint_is_a_warning_and_not_an_error() {
    let head = Gltf::painted([W; 4]).load().unwrap();
    assert_eq!(head.scalp_part, None);
    assert!(head.parts[0].paint.is_none());
    let advice = head.paint_advice().unwrap();
    for words in [
        "COLOR_n",
        "COLOR_0 is uniformly white on part \"head\"",
        "Vertex Paint",
        "Active",
    ] {
        assert!(advice.contains(words), "{advice}");
    }
    let advice = Gltf::square().load().unwrap().paint_advice().unwrap();
    assert!(
        advice.contains("\"head\" has no vertex colours"),
        "{advice}"
    );
}

#[test]
fn paint_without_a_whole_triangle_is_a_warning() {
    let head = Gltf::painted([W, B, W, W]).load().unwrap();
    assert_eq!(head.scalp_part, None);
    assert!(head.parts[0].paint.is_some());
    let advice = head.paint_advice().unwrap();
    assert!(
        advice.contains("1 vertices of \"head\" are painted"),
        "{advice}"
    );
}

#[test]
fn hair_grows_on_the_largest_painted_area_with_a_warning_about_the_others() {
    let mut gltf = Gltf::painted([B; 4]);
    gltf.root(json!({"name": "large", "mesh": 0, "scale": [2, 2, 2]}));
    let head = gltf.load().unwrap();
    assert_eq!(head.parts[head.scalp_part.unwrap()].name, "large");
    assert!(
        head.warnings[0].contains("\"head\" is painted too"),
        "{:?}",
        head.warnings
    );
}

#[test]
fn colours_other_than_the_paint_stay_a_tint() {
    let red = [1.0, 0.0, 0.0];
    let settings = HeadSettings {
        paint_color: red,
        ..Default::default()
    };
    let half = [1.0, 0.5, 0.5];
    let density = |colors| {
        let head = Gltf::painted(colors).load_with(&settings).unwrap();
        head.parts[0]
            .paint
            .as_ref()
            .map(|paint| paint.density.clone())
    };
    let found = density([red, half, W, [0.0, 1.0, 1.0]]).unwrap();
    assert!((found[0] - 1.0).abs() < 1e-6 && (found[1] - 0.5).abs() < 1e-6);
    assert_eq!(found[2..], [0.0, 0.0]);
    // Green holds no red paint, so it is a tint.
    let green = Gltf::painted([[0.0, 1.0, 0.0]; 4]);
    let head = green.load_with(&settings).unwrap();
    assert!(head.parts[0].paint.is_none());
    assert_eq!(
        head.parts[0].colors.as_ref().unwrap()[0].to_array(),
        [0.0, 1.0, 0.0, 1.0]
    );
}

#[test]
fn white_paint_is_refused() {
    for paint_color in [[1.0; 3], [f32::NAN, 0.0, 0.0], [2.0, 0.0, 0.0]] {
        let settings = HeadSettings {
            paint_color,
            ..Default::default()
        };
        let error = Gltf::square().load_with(&settings).unwrap_err();
        let expected = matches!(
            error.kind,
            LoadErrorKind::Setting {
                name: "paint_color",
                ..
            }
        );
        assert!(expected, "{error}");
    }
}
