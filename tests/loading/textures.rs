//! Materials, textures and buffers from every source.

use crate::common::gltf_builder::*;
use image::ImageFormat::{Jpeg, Png};
use mohawk::head::{AlphaMode, Head, HeadSettings, Wrap};
use serde_json::json;

fn load(path: &std::path::Path) -> Head {
    Head::load(path, &HeadSettings::default()).unwrap()
}

/// Returns the square with one material whose base colour is texture 0.
fn textured(file: &[u8]) -> Gltf {
    let mut gltf = Gltf::square();
    gltf.texture(file);
    gltf.push(
        "materials",
        json!({"name": "skin", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}),
    );
    gltf.primitive()["material"] = json!(0);
    gltf
}

#[test]
fn buffers_load_embedded_and_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let gltf = Gltf::square();
    let path = folder.path().join("my head.gltf");
    std::fs::write(&path, gltf.embedded()).unwrap();
    assert_eq!(load(&path).name, "my head");
    std::fs::create_dir(folder.path().join("data")).unwrap();
    std::fs::write(folder.path().join("data/a b.bin"), &gltf.bin).unwrap();
    for uri in ["data/a b.bin", "./data/a%20b.bin", "data\\a b.bin"] {
        std::fs::write(&path, gltf.external(uri)).unwrap();
        assert_eq!(load(&path).parts[0].triangles.len(), 2, "{uri}");
    }
    let path = folder.path().join("head.glb");
    std::fs::write(&path, gltf.glb()).unwrap();
    assert_eq!(load(&path).name, "head");
}

#[test]
fn pictures_load_by_content_from_views_files_and_data() {
    for format in [Png, Jpeg] {
        let file = picture(format, 6, 4, [200, 100, 50]);
        let check = |head: &Head| {
            assert_eq!(
                head.warnings.len(),
                1,
                "only the missing paint: {:?}",
                head.warnings
            );
            let texture = &head.textures[head.materials[0].base_color_texture.unwrap()];
            assert_eq!(
                (texture.width, texture.height, texture.pixels.get().len()),
                (6, 4, 24)
            );
            let near = |lane: usize, value: u8| texture.pixels.get()[7][lane].abs_diff(value) < 4;
            assert!(near(0, 200) && near(1, 100) && near(2, 50) && near(3, 255));
        };
        // The builder always states image/png.
        let mut gltf = textured(&file);
        check(&gltf.load().unwrap());
        let text = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &file);
        gltf.json["images"][0] = json!({"uri": format!("data:image/jpeg;base64,{text}")});
        check(&gltf.load().unwrap());
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("skin.dat"), &file).unwrap();
        gltf.json["images"][0] = json!({"uri": "skin.dat"});
        let path = folder.path().join("head.gltf");
        std::fs::write(&path, gltf.embedded()).unwrap();
        check(&load(&path));
    }
}

#[test]
fn pictures_of_every_pixel_type_become_rgba8() {
    use image::DynamicImage as Any;
    let mut value = 0u32;
    let colours = image::Rgba32FImage::from_fn(5, 3, |_, _| {
        image::Rgba(std::array::from_fn(|_| {
            value += 1;
            (value * 37 % 64) as f32 / 63.0
        }))
    });
    let colours = Any::ImageRgba32F(colours);
    for any in [
        Any::ImageLuma8(colours.to_luma8()),
        Any::ImageLumaA8(colours.to_luma_alpha8()),
        Any::ImageRgb8(colours.to_rgb8()),
        Any::ImageRgba8(colours.to_rgba8()),
        Any::ImageLuma16(colours.to_luma16()),
        Any::ImageLumaA16(colours.to_luma_alpha16()),
        Any::ImageRgb16(colours.to_rgb16()),
        Any::ImageRgba16(colours.to_rgba16()),
    ] {
        let mut file = std::io::Cursor::new(Vec::new());
        any.write_to(&mut file, Png).unwrap();
        let head = textured(&file.into_inner()).load().unwrap();
        let pixels = head.textures[0].pixels.get();
        assert_eq!(
            pixels.as_flattened(),
            any.to_rgba8().as_raw(),
            "{:?}",
            any.color()
        );
    }
}

#[test]
fn large_pictures_are_halved() {
    let head = textured(&picture(Png, 5000, 2, [9, 8, 7])).load().unwrap();
    let texture = &head.textures[0];
    assert_eq!((texture.width, texture.height), (2500, 1));
    let told =
        |warning: &String| warning.ends_with("texture 0 is 5000 x 2, made smaller: 2500 x 1");
    assert!(head.warnings.iter().any(told), "{:?}", head.warnings);
    assert!(
        texture
            .pixels
            .get()
            .iter()
            .all(|&pixel| pixel == [9, 8, 7, 255])
    );
}

#[test]
fn halving_takes_the_mean_of_four_in_every_pixel_type() {
    use image::DynamicImage as Any;
    // 4098 x 3, so that the height is odd and the last row is halved alone.
    let grey = image::GrayImage::from_fn(4098, 3, |x, y| image::Luma([(x % 50 + y * 50) as u8]));
    let grey = Any::ImageLuma8(grey);
    for any in [
        grey.clone(),
        Any::ImageLumaA8(grey.to_luma_alpha8()),
        Any::ImageRgb8(grey.to_rgb8()),
        Any::ImageRgba8(grey.to_rgba8()),
        Any::ImageRgb16(grey.to_rgb16()),
    ] {
        let mut file = std::io::Cursor::new(Vec::new());
        any.write_to(&mut file, Png).unwrap();
        let texture = &textured(&file.into_inner()).load().unwrap().textures[0];
        assert_eq!((texture.width, texture.height), (2049, 2));
        for (nth, pixel) in texture.pixels.get().iter().enumerate() {
            let (x, y) = (nth as u32 % 2049, nth as u32 / 2049);
            let left = 2 * x % 50;
            // Averaging two columns adds half a level, averaging two rows 25.
            let value = if y == 0 { left + 26 } else { left + 101 } as u8;
            assert_eq!(
                *pixel,
                [value, value, value, 255],
                "{:?} {x} {y}",
                any.color()
            );
        }
    }
}

#[test]
fn a_jpeg_of_8192_x_8192_in_a_small_file_is_made_smaller() {
    let file = picture(Jpeg, 8192, 8192, [200, 100, 50]);
    let head = textured(&file).load().unwrap();
    let texture = &head.textures[0];
    assert_eq!((texture.width, texture.height), (4096, 4096));
    let near = |pixel: &[u8; 4]| pixel[0].abs_diff(200) < 4 && pixel[2].abs_diff(50) < 4;
    assert!(texture.pixels.get().iter().all(near));
    let told = |warning: &String| warning.ends_with("is 8192 x 8192, made smaller: 4096 x 4096");
    assert!(head.warnings.iter().any(told), "{:?}", head.warnings);
}

#[test]
fn all_material_fields_are_read() {
    let mut gltf = textured(&picture(Png, 1, 1, [1, 2, 3]));
    for _ in 0..3 {
        gltf.texture(&picture(Png, 2, 2, [4, 5, 6]));
    }
    gltf.json["materials"][0] = json!({
        "name": "skin",
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.1, 0.2, 0.3, 0.4], "metallicFactor": 0.5, "roughnessFactor": 0.6,
            "baseColorTexture": {"index": 0}, "metallicRoughnessTexture": {"index": 1},
        },
        "normalTexture": {"index": 2, "scale": 0.7},
        "emissiveTexture": {"index": 3}, "emissiveFactor": [0.8, 0.9, 1.0],
        "alphaMode": "MASK", "alphaCutoff": 0.25, "doubleSided": true,
    });
    let head = gltf.load().unwrap();
    let skin = &head.materials[head.parts[0].material];
    assert_eq!(skin.name, "skin");
    assert_eq!(skin.base_color, [0.1, 0.2, 0.3, 0.4]);
    assert_eq!(
        (skin.metallic, skin.roughness, skin.normal_scale),
        (0.5, 0.6, 0.7)
    );
    assert_eq!(skin.emissive, [0.8, 0.9, 1.0]);
    assert_eq!(
        (skin.alpha, skin.double_sided),
        (AlphaMode::Mask(0.25), true)
    );
    assert_eq!(head.textures[skin.base_color_texture.unwrap()].width, 1);
    let others = [
        skin.metallic_roughness_texture,
        skin.normal_texture,
        skin.emissive_texture,
    ];
    for other in others {
        assert_eq!(head.textures[other.unwrap()].width, 2);
    }
}

#[test]
fn alpha_modes_and_the_default_material() {
    let mut gltf = textured(&picture(Png, 1, 1, [0; 3]));
    for (mode, expected) in [
        ("OPAQUE", AlphaMode::Opaque),
        ("MASK", AlphaMode::Mask(0.5)),
        // Nothing of it is transparent.
        ("BLEND", AlphaMode::Opaque),
    ] {
        gltf.json["materials"][0]["alphaMode"] = json!(mode);
        assert_eq!(gltf.load().unwrap().materials[0].alpha, expected);
    }
    let mut clear = textured(&picture(Png, 1, 1, [0; 3]));
    clear.json["materials"][0]["alphaMode"] = json!("BLEND");
    clear.json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = json!([1, 1, 1, 0.5]);
    assert_eq!(clear.load().unwrap().materials[0].alpha, AlphaMode::Blend);
    let head = Gltf::square().load().unwrap();
    let plain = &head.materials[head.parts[0].material];
    assert_eq!(
        (plain.base_color, plain.metallic, plain.roughness),
        ([1.0; 4], 1.0, 1.0)
    );
    assert_eq!(
        (plain.alpha, plain.double_sided),
        (AlphaMode::Opaque, false)
    );
}

#[test]
fn samplers_are_read() {
    let mut gltf = textured(&picture(Png, 1, 1, [0; 3]));
    assert_eq!(gltf.load().unwrap().textures[0].wrap, [Wrap::Repeat; 2]);
    gltf.json["samplers"] = json!([{"magFilter": 9728, "wrapS": 33071, "wrapT": 33648}]);
    gltf.json["textures"][0]["sampler"] = json!(0);
    let texture = &gltf.load().unwrap().textures[0];
    assert_eq!(
        (texture.wrap, texture.smooth),
        ([Wrap::Clamp, Wrap::Mirror], false)
    );
}

#[test]
fn the_material_chooses_its_texture_coordinates() {
    let mut gltf = textured(&picture(Png, 1, 1, [0; 3]));
    let zero = gltf.floats("VEC2", &[0.0; 8]);
    let half = gltf.floats("VEC2", &[0.5; 8]);
    gltf.primitive()["attributes"]["TEXCOORD_0"] = json!(zero);
    gltf.primitive()["attributes"]["TEXCOORD_1"] = json!(half);
    let base = &mut gltf.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"];
    base["texCoord"] = json!(1);
    let uv = |gltf: &Gltf| gltf.load().unwrap().parts[0].uvs.as_ref().unwrap()[0].to_array();
    assert_eq!(uv(&gltf), [0.5, 0.5]);
    let base = &mut gltf.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"];
    base["extensions"] = json!({"KHR_texture_transform": {"offset": [0.25, 0], "scale": [2, 1]}});
    assert_eq!(uv(&gltf), [1.25, 0.5]);
    let same = json!({"index": 0, "texCoord": 1,
        "extensions": {"KHR_texture_transform": {"offset": [0.25, 0], "scale": [2, 1]}}});
    gltf.json["materials"][0]["normalTexture"] = same;
    assert_eq!(gltf.load().unwrap().warnings.len(), 1);
    gltf.json["materials"][0]["normalTexture"] = json!({"index": 0});
    let warnings = gltf.load().unwrap().warnings;
    assert!(
        warnings[0].contains("different texture coordinates"),
        "{warnings:?}"
    );
}

#[test]
fn broken_base_colours_become_a_warning_and_a_checker() {
    let good = picture(Png, 64, 64, [1, 2, 3]);
    let mut bomb = good.clone();
    bomb[16..24].copy_from_slice(&[0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]);
    for (file, expected) in [
        (&good[..40], "is broken"),
        (&bomb, "is broken"),
        (b"GIF89a".as_slice(), "is not PNG, JPEG, WebP or KTX2"),
        (b"RIFF....WEBPVP8 ".as_slice(), "is broken"),
        (b"", "is empty"),
    ] {
        let mut gltf = textured(file);
        gltf.json["materials"][0]["normalTexture"] = json!({"index": 0});
        let head = gltf.load().unwrap();
        let warning = &head.warnings[1];
        assert!(
            warning.contains("material 0 \"skin\": base colour texture 0"),
            "{warning}"
        );
        assert!(warning.contains(expected), "{warning}");
        assert_eq!(head.materials[0].normal_texture, None);
        let checker = &head.textures[head.materials[0].base_color_texture.unwrap()];
        assert_eq!((checker.width, checker.height), (8, 8));
        assert_eq!(
            checker.pixels.get()[..2],
            [[255, 0, 255, 255], [0, 0, 0, 255]]
        );
    }
}

#[test]
fn picture_bombs_are_made_smaller() {
    // 16 pictures of 64 MB each in a file of a few kilobytes.
    let mut gltf = textured(&picture(Png, 4096, 4096, [0; 3]));
    let primitive = gltf.primitive().clone();
    for n in 1..16 {
        gltf.push("images", json!({"bufferView": 2}));
        gltf.push("textures", json!({"source": n}));
        gltf.push(
            "materials",
            json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": n}}}),
        );
        let mut primitive = primitive.clone();
        primitive["material"] = json!(n);
        gltf.json["meshes"][0]["primitives"]
            .as_array_mut()
            .unwrap()
            .push(primitive);
    }
    let head = gltf.load().unwrap();
    let pixels: usize = head
        .textures
        .iter()
        .map(|texture| texture.pixels.get().len())
        .sum();
    assert!(pixels * 4 < 220 << 20, "{pixels}");
    assert!(
        head.warnings
            .iter()
            .any(|warning| warning.contains("made smaller"))
    );
}

#[test]
fn missing_textures_and_images_are_a_warning() {
    for (list, value, expected) in [
        ("textures", json!([]), "is not in the file"),
        (
            "textures",
            json!([{}]),
            "has no PNG, JPEG, WebP or KTX2 source",
        ),
        ("images", json!([]), "names image 0"),
        (
            "images",
            json!([{"uri": "../skin.png"}]),
            "does not stay inside the model's folder",
        ),
        (
            "images",
            json!([{"uri": "skin.png"}]),
            "a head in memory cannot name",
        ),
        ("images", json!([{}]), "neither a URI nor a buffer view"),
        ("images", json!([{"bufferView": 99}]), "bufferView 99"),
    ] {
        let mut gltf = textured(b"");
        gltf.json[list] = value;
        let warnings = gltf.load().unwrap().warnings;
        assert!(warnings[1].contains(expected), "{warnings:?}");
    }
}
