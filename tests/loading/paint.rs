//! Scalp paint in every form that exporters write.

use crate::common::gltf_builder::*;
use mohawk::head::{Head, HeadSettings, LoadErrorKind, Model, PaintRule, write};
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
    let settings = HeadSettings {
        paint: PaintRule::Color,
        ..HeadSettings::default()
    };
    let head = gltf.load_with(&settings).unwrap();
    let paint = head.parts[0].paint.clone().unwrap();
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
        "COLOR_0 is uniformly white (part \"head\")",
        "Vertex Paint",
        "Active",
    ] {
        assert!(advice.contains(words), "{advice}");
    }
    let advice = Gltf::square().load().unwrap().paint_advice().unwrap();
    assert!(
        advice.contains("the model has no vertex colours"),
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
    // However much red they hold, black and orange are other colours.
    assert_eq!(density([[0.0; 3], [0.0; 3], [1.0, 0.5, 0.0], W]), None);
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

/// Returns a strip of quads with these colours, one for each column.
fn strip(colors: &[[f32; 4]]) -> Gltf {
    let columns = colors.len();
    let at = |i: usize| [(i % columns) as f32, (i / columns) as f32, 0.0];
    let positions: Vec<[f32; 3]> = (0..2 * columns).map(at).collect();
    let corners = (0..columns as u32 - 1).flat_map(|a| {
        let c = a + columns as u32;
        [a, a + 1, c, a + 1, c + 1, c]
    });
    let corners: Vec<u32> = corners.collect();
    let mut gltf = Gltf::new();
    let position = gltf.floats("VEC3", positions.as_flattened());
    let color = gltf.floats("VEC4", [colors, colors].concat().as_flattened());
    let indices = gltf.ints(U32, "SCALAR", &corners);
    let attributes = json!({"POSITION": position, "COLOR_0": color});
    gltf.head(json!({"attributes": attributes, "indices": indices}));
    gltf
}

fn grey(value: f32) -> [f32; 4] {
    [value, value, value, 1.0]
}

#[test]
fn colours_that_were_never_meant_as_paint_are_a_tint() {
    let shades: Vec<_> = (0..40).map(|i| grey(0.3 + 0.6 * i as f32 / 40.0)).collect();
    let faint: Vec<_> = (0..40).map(|i| grey(1.0 - (i % 4) as f32 * 0.06)).collect();
    let skin = vec![[0.8, 0.6, 0.5, 1.0]; 40];
    let green: Vec<_> = (0..40).map(|i| [0.0, (i % 2) as f32, 0.0, 1.0]).collect();
    for (colors, told) in [
        (&shades, "shades rather than black on white"),
        (&faint, "shades rather than black on white"),
        (&skin, "other colours than black and white"),
        (&green, "other colours than black and white"),
    ] {
        let gltf = strip(colors);
        let head = gltf.load().unwrap();
        let advice = head.paint_advice().unwrap();
        assert!(
            advice.contains(told) && advice.contains("--paint"),
            "{advice}"
        );
        assert!(head.parts[0].colors.is_some());
        // The user may say that they are paint.
        let settings = HeadSettings {
            paint: PaintRule::Color,
            ..HeadSettings::default()
        };
        assert!(
            gltf.load_with(&settings).unwrap().scalp_part.is_some(),
            "{told}"
        );
    }
    // Opaque black is paint. Transparent black beside it is of a mesh that had no colours.
    let half: Vec<_> = (0..40)
        .map(|i| [0.0, 0.0, 0.0, if i < 20 { 0.0 } else { 1.0 }])
        .collect();
    let head = strip(&half).load().unwrap();
    let density = &head.parts[0].paint.as_ref().unwrap().density;
    assert_eq!(density[18..22], [0.0, 0.0, 1.0, 1.0]);
    // Soft edges, of a few columns, are paint.
    let soft: Vec<_> = (0..40)
        .map(|i| grey(((i as f32 - 16.0) / 8.0).clamp(0.0, 1.0)))
        .collect();
    let head = strip(&soft).load().unwrap();
    let paint = head.parts[0].paint.as_ref().unwrap();
    assert_eq!(paint.why, "COLOR_0 is black on white");
    assert!(
        paint
            .density
            .iter()
            .any(|&density| (0.2..0.8).contains(&density))
    );
}

#[test]
fn white_and_opacity_are_paint_if_asked_for() {
    let white: Vec<_> = (0..10)
        .map(|i| grey(if i < 5 { 1.0 } else { 0.0 }))
        .collect();
    let clear: Vec<_> = (0..10)
        .map(|i| [0.5, 0.2, 0.1, if i < 5 { 1.0 } else { 0.0 }])
        .collect();
    for (colors, paint) in [(white, PaintRule::White), (clear, PaintRule::Alpha)] {
        let settings = HeadSettings {
            paint,
            ..HeadSettings::default()
        };
        let head = strip(&colors).load_with(&settings).unwrap();
        let density = &head.parts[0].paint.as_ref().unwrap().density;
        assert_eq!(
            density[..10],
            [1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
        );
    }
}

#[test]
fn colours_without_opacity_are_no_paint_by_opacity() {
    let settings = HeadSettings {
        paint: PaintRule::Alpha,
        ..HeadSettings::default()
    };
    let opaque: Vec<_> = (0..10).map(|_| [0.5, 0.2, 0.1, 1.0]).collect();
    let head = strip(&opaque).load_with(&settings).unwrap();
    assert!(head.parts[0].paint.is_none() && head.scalp_part.is_none());
}

#[test]
fn attributes_named_scalp_or_density_come_first() {
    for name in ["_SCALP", "_DENSITY"] {
        let mut gltf = Gltf::painted([B; 4]);
        let density = gltf.floats("SCALAR", &[0.0, 0.25, 1.0, 1.0]);
        gltf.primitive()["attributes"][name] = json!(density);
        let head = gltf.load().unwrap();
        let paint = head.parts[0].paint.as_ref().unwrap();
        assert_eq!(
            (&paint.why[..], &paint.density[..]),
            (name, &[0.0, 0.25, 1.0, 1.0][..])
        );
        // Painted again, the colours count.
        let model = Model::Embedded(gltf.glb().into());
        let settings = HeadSettings::default();
        let painted = write::painted(&model, &head, 0, &[1.0, 1.0, 1.0, 0.0], &settings).unwrap();
        let again = Head::from_bytes("a.glb", &painted.glb, &settings).unwrap();
        let density = &again.parts[0].paint.as_ref().unwrap().density;
        assert_eq!(density[..], [1.0, 1.0, 1.0, 0.0]);
        // Numbers beyond 1 are no density.
        let broken = gltf.floats("SCALAR", &[0.0, 7.0, 1.0, 1.0]);
        gltf.primitive()["attributes"][name] = json!(broken);
        let head = gltf.load().unwrap();
        assert!(
            head.parts[0]
                .paint
                .as_ref()
                .unwrap()
                .why
                .starts_with("COLOR_0")
        );
        assert!(
            head.warnings.iter().any(|told| told.contains(name)),
            "{:?}",
            head.warnings
        );
    }
}

#[test]
fn a_scalp_without_area_says_so() {
    let mut gltf = Gltf::painted([B; 4]);
    gltf.json["nodes"][0]["scale"] = json!([1.0, 0.0, 1.0]);
    let other = gltf.square_primitive();
    gltf.head(other);
    let advice = gltf.load().unwrap().paint_advice().unwrap();
    assert!(
        advice.contains("the triangles that are painted have no area"),
        "{advice}"
    );
}

#[test]
fn other_paint_is_told() {
    let mut gltf = Gltf::painted([B, B, B, W]);
    let told = |gltf: &Gltf, settings: &HeadSettings| {
        let head = gltf.load_with(settings).unwrap();
        head.contents.other_paint.unwrap_or_default()
    };
    let automatic = HeadSettings::default();
    assert_eq!(told(&gltf, &automatic), "");
    let asked = HeadSettings {
        paint: PaintRule::Color,
        ..HeadSettings::default()
    };
    let black = "COLOR_0 is black on white, on part ";
    assert!(told(&gltf, &asked).starts_with(black));
    let density = gltf.floats("SCALAR", &[1.0, 1.0, 0.0, 1.0]);
    gltf.primitive()["attributes"]["_SCALP"] = json!(density);
    assert!(told(&gltf, &automatic).starts_with(black));
}
