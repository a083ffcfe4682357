//! Pictures that try to break a decoder or to keep it busy.

use crate::common::gltf_builder::*;
use crate::ends;
use image::ImageFormat::{Jpeg, Png};
use mohawk::head::Head;
use serde_json::json;

/// Returns the square with one material whose base colour is texture 0.
pub fn textured(file: &[u8]) -> Gltf {
    let mut gltf = Gltf::square();
    gltf.texture(file);
    let role = json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}});
    gltf.push("materials", role);
    gltf.primitive()["material"] = json!(0);
    gltf
}

/// Checks that a broken picture becomes a checker, with a warning that contains `why`.
pub fn broken(file: &[u8], why: &str) {
    let head = textured(file).load().unwrap();
    let said = head.warnings.join("\n");
    assert!(said.contains("base colour texture 0 (image 0) "), "{said}");
    assert!(
        said.contains(why) && said.contains("; a checker is shown"),
        "{why}: {said}"
    );
    assert_eq!(head.textures[0].name, "checkerboard");
}

fn big_endian(value: u32) -> [u8; 4] {
    value.to_be_bytes()
}

/// Returns the CRC-32 of PNG.
fn checksum(bytes: &[u8]) -> u32 {
    let sum = bytes.iter().fold(u32::MAX, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| {
            sum >> 1 ^ if sum & 1 == 1 { 0xEDB8_8320 } else { 0 }
        })
    });
    !sum
}

/// Returns a PNG of these chunks with valid checksums.
fn png(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, bytes) in chunks {
        let named = [&kind[..], bytes].concat();
        file.extend(big_endian(bytes.len() as u32));
        file.extend(&named);
        file.extend(big_endian(checksum(&named)));
    }
    file
}

fn header(width: u32, height: u32, depth: u8, color: u8) -> Vec<u8> {
    [
        &big_endian(width)[..],
        &big_endian(height),
        &[depth, color, 0, 0, 0],
    ]
    .concat()
}

/// Returns the compressed data of a black grey-scale picture.
fn deflated_zeros(width: u32, height: u32) -> Vec<u8> {
    let picture = image::GrayImage::new(width, height);
    let mut file = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut file, Png).unwrap();
    let file = file.into_inner();
    let (mut at, mut data) = (8, Vec::new());
    while at + 12 <= file.len() {
        let length = u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        if &file[at + 4..at + 8] == b"IDAT" {
            data.extend(&file[at + 8..at + 8 + length]);
        }
        at += 12 + length;
    }
    data
}

#[test]
fn headers_of_oversized_pictures() {
    ends(|| {
        for (width, height, why) in [
            (
                65_535,
                65_535,
                "is 65535 x 65535 pixels, more than 134217728 (limit `image-pixels`;",
            ),
            (1 << 30, 1 << 30, "needs too much memory beside its pixels"),
            (0x7FFF_FFFF, 1, "needs too much memory beside its pixels"),
            (
                1,
                0x7FFF_FFFF,
                "is 1 x 2147483647 pixels, more than 134217728",
            ),
            (0, 1, "is broken"),
            (1, 0, "is broken"),
            (u32::MAX, u32::MAX, "needs too much memory"),
            (
                11_000,
                11_000,
                "more than the file's size allows (limit `memory-free`;",
            ),
        ] {
            for (depth, color) in [(8, 6), (16, 6)] {
                let header = header(width, height, depth, color);
                let file = png(&[(b"IHDR", &header), (b"IDAT", b"x\x9c"), (b"IEND", b"")]);
                broken(&file, why);
            }
        }
        // JPEG headers.
        let mut file = picture(Jpeg, 16, 16, [1, 2, 3]);
        let frame = file.windows(2).position(|two| two == [0xFF, 0xC0]).unwrap();
        file[frame + 5..frame + 9].fill(0xFF);
        broken(&file, "is 65535 x 65535 pixels, more than 134217728");
        file[frame + 5..frame + 9].copy_from_slice(&[0x20, 0, 0x80, 0]);
        broken(&file, "is 32768 x 8192 pixels, more than");
        file[frame + 5..frame + 9].fill(0);
        broken(&file, "is broken");
    });
}

#[test]
fn pictures_truncated_at_every_byte() {
    for format in [Png, Jpeg] {
        let file = picture(format, 9, 7, [1, 2, 3]);
        // The last bytes of a PNG are only its end chunk.
        let most = file.len() - if format == Png { 13 } else { 1 };
        for length in 12..most {
            broken(&file[..length], "is ");
        }
    }
}

#[test]
fn pictures_with_every_byte_wrong_load_or_are_replaced() {
    ends(|| {
        for format in [Png, Jpeg] {
            let file = picture(format, 9, 7, [1, 2, 3]);
            for at in 0..file.len() {
                for change in [0x01, 0x80, 0xFF] {
                    let mut file = file.clone();
                    file[at] ^= change;
                    let head = textured(&file).load().unwrap();
                    assert!(!head.textures[0].pixels.get().is_empty());
                }
            }
        }
    });
}

#[test]
fn formats_are_recognised_by_content() {
    for (file, why) in [
        (&b"GIF89a\x01\0\x01\0"[..], "is not PNG, JPEG, WebP or KTX2"),
        (b"BM\x3a\0\0\0", "is not PNG, JPEG, WebP or KTX2"),
        (b"\0\0\0\x20ftypheic", "is not PNG, JPEG, WebP or KTX2"),
        (b"RIFF\x10\0\0\0WEBPVP8L", "is broken"),
        (b"\xABKTX 11\xBB", "is KTX 1;"),
        (b"\xABKTX 20\xBB", "is broken"),
        (b"DDS ", "is not PNG, JPEG, WebP or KTX2"),
        (b"<svg></svg>", "is not PNG, JPEG, WebP or KTX2"),
        (b"\x89PNG\r\n\x1a\n", "is broken"),
        (b"\xFF\xD8\xFF", "is broken: it is cut off"),
        (b"\xFF\xD8\xFF\xD9", "is broken"),
        (b"", "is empty"),
    ] {
        broken(file, why);
    }
    // The media type in the file is ignored.
    let mut gltf = textured(&picture(Png, 3, 2, [1, 2, 3]));
    gltf.json["images"][0]["mimeType"] = json!("image/webp");
    assert_eq!(gltf.load().unwrap().textures[0].width, 3);
}

#[test]
fn bombs_in_chunks_of_a_png() {
    let zeros = deflated_zeros(8192, 16_384);
    let profile = [b"icc\0\0", &zeros[..]].concat();
    let text = [b"comment\0\0", &zeros[..]].concat();
    let small = deflated_zeros(4, 4);
    let header = header(4, 4, 8, 0);
    ends(|| {
        for (kind, bomb) in [(b"iCCP", &profile), (b"zTXt", &text)] {
            let chunk = (kind, &bomb[..]);
            let file = png(&[(b"IHDR", &header), chunk, (b"IDAT", &small), (b"IEND", b"")]);
            // An oversized chunk loses the picture or is skipped.
            textured(&file).load().unwrap();
            let many = [
                &[(b"IHDR", &header[..])][..],
                &[chunk; 40],
                &[(b"IDAT", &small)],
            ]
            .concat();
            textured(&png(&many)).load().unwrap();
        }
        // More data than the header states, and less.
        let more = png(&[(b"IHDR", &header), (b"IDAT", &zeros), (b"IEND", b"")]);
        let head = textured(&more).load().unwrap();
        assert_eq!(head.textures[0].pixels.get().len() % 16, 0);
        let large = self::header(8192, 8192, 8, 0);
        broken(
            &png(&[(b"IHDR", &large), (b"IDAT", &small), (b"IEND", b"")]),
            "is broken",
        );
    });
    // Of an animation the first picture is shown.
    let control = [&big_endian(1)[..], &[0; 4]].concat();
    let file = png(&[
        (b"IHDR", &header),
        (b"acTL", &control),
        (b"IDAT", &small),
        (b"IEND", b""),
    ]);
    assert_eq!(textured(&file).load().unwrap().textures[0].width, 4);
}

/// Returns a progressive JPEG: a grey plane of blocks that further scans do not change.
fn progressive(side: u16, scans: usize) -> Vec<u8> {
    let [high, low] = side.to_be_bytes();
    let mut file = vec![0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0];
    file.extend([1; 64]);
    file.extend([0xFF, 0xC2, 0, 11, 8, high, low, high, low, 1, 1, 0x11, 0]);
    // One 1-bit code each: DC difference 0, AC a run of 2^14 empty blocks.
    for (class, value) in [(0x00, 0x00), (0x10, 0xE0)] {
        file.extend([0xFF, 0xC4, 0, 20, class, 1]);
        file.extend([0; 15]);
        file.push(value);
    }
    let blocks = usize::from(side).div_ceil(8).pow(2);
    file.extend([0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0]);
    file.extend(vec![0; blocks.div_ceil(8)]);
    for _ in 0..scans {
        file.extend([0xFF, 0xDA, 0, 8, 1, 1, 0, 1, 63, 0]);
        // Runs: the 1-bit code and 14 zero bits.
        file.extend(vec![0; (blocks >> 14) * 2 + 2]);
    }
    file.extend([0xFF, 0xD9]);
    file
}

#[test]
fn jpegs_with_very_many_scans() {
    let head = textured(&progressive(64, 3)).load().unwrap();
    assert_eq!(head.textures[0].width, 64, "{:?}", head.warnings);
    ends(|| {
        broken(
            &progressive(8192, 5000),
            "is 8192 x 8192 pixels, more than all images may have",
        );
        broken(&progressive(64, 5000), "is broken");
        textured(&progressive(4096, 90)).load().unwrap();
    });
}

/// Loads a mesh of `count` primitives, each with its own material, texture and image, which
/// `image` makes.
fn crowd(count: usize, image: impl Fn(usize) -> serde_json::Value, file: &[u8]) -> Head {
    let mut gltf = textured(file);
    let mut primitives = vec![gltf.primitive().clone()];
    for n in 1..count {
        gltf.push("images", image(n));
        gltf.push("textures", json!({"source": n}));
        let role = json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": n}}});
        gltf.push("materials", role);
        let mut primitive = primitives[0].clone();
        primitive["material"] = json!(n);
        primitives.push(primitive);
    }
    gltf.json["meshes"][0]["primitives"] = json!(primitives);
    gltf.load().unwrap()
}

#[test]
fn one_picture_ten_thousand_times() {
    let file = picture(Png, 2048, 2048, [1, 2, 3]);
    ends(|| {
        // One texture of ten thousand materials.
        let mut gltf = textured(&file);
        let material = gltf.json["materials"][0].clone();
        gltf.json["materials"] = json!(vec![material; 10_000]);
        let mut primitive = gltf.primitive().clone();
        let primitives = (0..10_000).map(|n| {
            primitive["material"] = json!(n);
            primitive.clone()
        });
        let primitives: Vec<_> = primitives.collect();
        gltf.json["meshes"][0]["primitives"] = json!(primitives);
        let head = gltf.load().unwrap();
        assert_eq!((head.materials.len(), head.textures.len()), (10_000, 1));
        // Ten thousand textures of one image.
        let textures = json!(vec![json!({"source": 0}); 10_000]);
        gltf.json["textures"] = textures;
        for n in 0..10_000 {
            gltf.json["materials"][n]["pbrMetallicRoughness"]["baseColorTexture"]["index"] =
                json!(n);
        }
        let head = gltf.load().unwrap();
        assert_eq!((head.materials.len(), head.textures.len()), (10_000, 1));
        // Ten thousand images of one file, of which only the first are shown.
        let head = crowd(10_000, |_| json!({"bufferView": 2}), &file);
        assert!(head.textures.len() > 5, "{}", head.textures.len());
        assert!(
            head.warnings.iter().any(|w| w.contains("(limit `")),
            "{:?}",
            head.warnings
        );
    });
}

#[test]
fn thin_pictures_that_take_time_but_no_memory() {
    // 100 megapixels that become a few thousand pixels.
    let file = picture(Png, 100_000, 1000, [0; 3]);
    ends(|| {
        let head = crowd(300, |_| json!({"bufferView": 2}), &file);
        let said = head.warnings.join("\n");
        assert!(
            said.contains("more than all images may have together"),
            "{said}"
        );
    });
}
