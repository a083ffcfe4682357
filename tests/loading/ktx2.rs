//! Pictures of Basis Universal.

use crate::common::gltf_builder::*;
use crate::ends;
use crate::ktx2_files::{etc1s, etc1s_with_a_long_code, uastc};
use crate::pictures::{broken, textured};
use mohawk::head::{Head, Texture};
use serde_json::json;

/// Returns a head whose texture has this picture as its extension says, and `plain` beside it.
fn basis(file: &[u8], plain: Option<&[u8]>) -> Head {
    let mut gltf = textured(plain.unwrap_or(file));
    let source = match plain {
        Some(_) => gltf.texture(file),
        None => 0,
    };
    let extension = json!({"KHR_texture_basisu": {"source": source}});
    gltf.json["textures"][0]["extensions"] = extension;
    if plain.is_none() {
        gltf.json["textures"][0]
            .as_object_mut()
            .unwrap()
            .remove("source");
        for list in ["extensionsUsed", "extensionsRequired"] {
            gltf.json[list] = json!(["KHR_texture_basisu"]);
        }
    }
    gltf.load().unwrap()
}

/// Returns what is told of pictures.
fn told(head: &Head) -> Vec<&String> {
    let told = head.warnings.iter();
    told.filter(|told| told.contains("texture")).collect()
}

fn base_color(head: &Head) -> &Texture {
    &head.textures[head.materials[0].base_color_texture.unwrap()]
}

#[test]
fn etc1s_has_its_colours_and_alpha() {
    let head = basis(&etc1s(), None);
    assert_eq!(told(&head), Vec::<&String>::new());
    let texture = base_color(&head);
    assert_eq!((texture.width, texture.height), (8, 8));
    for y in 0..8 {
        for x in 0..8 {
            let color = match x {
                0..4 => [124, 0, 0],
                _ => [0, 124, 0],
            };
            let alpha = if x < 4 && y < 4 { 124 } else { 0 };
            let [r, g, b] = color;
            assert_eq!(
                texture.pixels.get()[8 * y + x],
                [r, g, b, alpha],
                "{x}, {y}"
            );
        }
    }
}

#[test]
fn uastc_has_its_colours_plain_and_packed() {
    for is_packed in [false, true] {
        let head = basis(&uastc(is_packed), None);
        assert_eq!(told(&head), Vec::<&String>::new());
        let texture = base_color(&head);
        assert_eq!((texture.width, texture.height), (6, 5));
        for y in 0..5 {
            for x in 0..6 {
                let block = (x / 4 + 2 * (y / 4)) as u8;
                assert_eq!(
                    texture.pixels.get()[6 * y + x],
                    [block, 20, 30, 40],
                    "{x}, {y}"
                );
            }
        }
    }
}

#[test]
fn the_plain_picture_stands_in_for_one_that_is_broken() {
    let png = picture(image::ImageFormat::Png, 3, 2, [1, 2, 3]);
    let head = basis(&uastc(true), Some(&png));
    assert_eq!(base_color(&head).width, 6);
    let head = basis(&etc1s_with_a_long_code(), Some(&png));
    let texture = base_color(&head);
    assert_eq!(
        (texture.width, texture.pixels.get()[0]),
        (3, [1, 2, 3, 255])
    );
    let why = "(image 1) is broken: its blocks cannot be decoded; its plain picture is shown";
    let told = told(&head);
    assert!(told.len() == 1 && told[0].contains(why), "{told:?}");
}

/// Returns the file with a word of its header changed.
fn with(file: &[u8], at: usize, word: u32) -> Vec<u8> {
    let mut file = file.to_vec();
    file[at..at + 4].copy_from_slice(&word.to_le_bytes());
    file
}

#[test]
fn hostile_ktx2_is_refused_before_it_is_decoded() {
    let files = [etc1s(), uastc(false), uastc(true)];
    ends(|| {
        broken(&etc1s_with_a_long_code(), "its blocks cannot be decoded");
        for file in &files {
            broken(&with(file, 20, 0), "has no pixels");
            broken(&with(file, 20, u32::MAX), "is broken: it has 4294967295 x");
            broken(&with(file, 28, 4), "only plain pictures are read");
            broken(&with(file, 32, 7), "only plain pictures are read");
            broken(&with(file, 36, 6), "only plain pictures are read");
            broken(&with(file, 12, 37), "is KTX2 without Basis Universal");
            broken(&with(file, 44, 3), "is KTX2 without Basis Universal");
            // Offsets that do not fit in memory, and lengths that end beyond it.
            for at in [84, 92] {
                broken(&with(file, at, u32::MAX), "it is cut off");
            }
        }
        let large = |file: &[u8], width, height| with(&with(file, 20, width), 24, height);
        broken(&large(&files[0], 1 << 15, 1 << 13), "more than 134217728");
        broken(&large(&files[0], 11_000, 11_000), "the file's size allows");
        broken(&large(&files[1], 1 << 15, 1 << 13), "it is cut off");
        broken(&large(&files[2], 11_000, 11_000), "the file's size allows");
        broken(&large(&files[2], 16, 16), "its blocks cannot be decoded");
        broken(&with(&files[0], 40, u32::MAX), "it is cut off");
        // A frame of Zstandard that looks back for terabytes.
        let mut frame = files[2].clone();
        let at = frame
            .windows(4)
            .position(|four| four == [0x28, 0xB5, 0x2F, 0xFD]);
        let at = at.unwrap() + 4;
        (frame[at], frame[at + 1]) = (frame[at] & !0x20, 0xFF);
        broken(&frame, "the file's size allows");
    });
}

#[test]
fn ktx2_cut_off_or_changed_at_any_byte_is_read_or_replaced() {
    ends(|| {
        for file in [etc1s(), uastc(false), uastc(true)] {
            for at in 0..file.len() {
                broken(&file[..at], "is ");
                for change in [0x01, 0x80, 0xFF] {
                    let mut file = file.clone();
                    file[at] ^= change;
                    let head = textured(&file).load().unwrap();
                    assert!(!head.textures[0].pixels.get().is_empty());
                    let told = head.warnings.join("\n");
                    assert!(!told.contains("makes its decoder fail"), "{at}: {told}");
                }
            }
        }
    });
}
