//! From a document and a buffer to the bytes of a file, mostly valid.

use super::mutate::{pick, up_to};
use super::seeds::Seed;
use base64::Engine;
use rand_pcg::Pcg64Mcg;
use serde_json::json;

/// Returns a `.glb`, or sometimes a `.gltf`.
pub fn assemble(mut seed: Seed, random: &mut Pcg64Mcg) -> Vec<u8> {
    if up_to(random, 8) == 0 {
        let text = base64::engine::general_purpose::STANDARD.encode(&seed.bin);
        if let Some(buffer) = seed.json.pointer_mut("/buffers/0")
            && buffer.is_object()
            && !seed.bin.is_empty()
        {
            buffer["uri"] = json!(format!("data:application/octet-stream;base64,{text}"));
        }
        return text_of(&seed, random);
    }
    let json = text_of(&seed, random);
    let mut glb = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    let mut chunks = vec![(*b"JSON", json, b' '), (*b"BIN\0", seed.bin, 0)];
    match up_to(random, 40) {
        0 => chunks.swap(0, 1),
        1 => chunks.insert(0, (*b"ABCD", vec![7; up_to(random, 99)], 0)),
        2 => chunks.truncate(1),
        3 => chunks.push(chunks[up_to(random, 2)].clone()),
        _ => {}
    }
    for (kind, mut bytes, pad) in chunks {
        bytes.resize(bytes.len().next_multiple_of(4), pad);
        glb.extend((bytes.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(bytes);
    }
    let length = glb.len() as u32;
    glb[8..12].copy_from_slice(&length.to_le_bytes());
    if up_to(random, 12) == 0 {
        damage(&mut glb, random);
    }
    glb
}

/// Writes wrong lengths or a wrong version, or truncates or extends the file.
fn damage(glb: &mut Vec<u8>, random: &mut Pcg64Mcg) {
    let length = glb.len();
    match up_to(random, 6) {
        0 => glb.truncate(up_to(random, length)),
        1 => glb.extend(vec![0; up_to(random, 64)]),
        2 => glb[4] = up_to(random, 4) as u8,
        3 => {
            let wrong = [0, 4, 11, 12, 20, length + 1, length - 1, u32::MAX as usize];
            let wrong = *pick(random, &wrong) as u32;
            let at = *pick(random, &[8, 12]);
            glb[at..at + 4].copy_from_slice(&wrong.to_le_bytes());
        }
        4 => {
            let at = up_to(random, length.min(2000));
            glb[at] = up_to(random, 256) as u8;
        }
        _ => {
            let cut = 12 + up_to(random, length - 12);
            glb.truncate(cut);
            glb[8..12].copy_from_slice(&(cut as u32).to_le_bytes());
        }
    }
}

/// Returns the document as text, sometimes with values that JSON types cannot hold.
fn text_of(seed: &Seed, random: &mut Pcg64Mcg) -> Vec<u8> {
    let mut text = seed.json.to_string().into_bytes();
    if up_to(random, 10) > 0 || text.len() < 3 {
        return text;
    }
    let at = up_to(random, text.len());
    match up_to(random, 8) {
        0 => text[at] = up_to(random, 256) as u8,
        1 => splice_number(&mut text, at, pick::<&str>(random, &NUMBERS)),
        2 => {
            let deep = "[".repeat(up_to(random, 200_000));
            splice_number(&mut text, at, &deep);
        }
        3 => {
            let deep = "{\"extras\":".repeat(up_to(random, 50_000));
            text.splice(1..1, format!("\"extras\":{deep}").bytes());
        }
        4 => {
            let deep = up_to(random, 200_000);
            let deep = format!("\"extras\":{}{},", "[".repeat(deep), "]".repeat(deep));
            text.splice(1..1, deep.bytes());
        }
        5 => {
            // A repeated key.
            let copy = text[1..text.len() - 1].to_vec();
            text.splice(1..1, [&copy[..], b","].concat());
        }
        6 => drop(text.splice(0..0, *b"\xEF\xBB\xBF")),
        _ => text.extend([0; 5]),
    }
    text
}

const NUMBERS: [&str; 12] = [
    "1e999",
    "-1e999",
    "-0",
    "0.5",
    "1e-999",
    "NaN",
    "00",
    "1E+2",
    "18446744073709551616",
    "9223372036854775808",
    "-9223372036854775809",
    "4.0",
];

/// Replaces the first number after a position.
fn splice_number(text: &mut Vec<u8>, at: usize, with: &str) {
    let start = (at..text.len()).find(|&at| text[at].is_ascii_digit());
    let Some(start) = start else { return };
    let end = (start..text.len()).find(|&at| !text[at].is_ascii_digit());
    text.splice(start..end.unwrap_or(text.len()), with.bytes());
}
