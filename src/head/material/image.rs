//! Pictures: measured before they are decoded, and made smaller where they are larger than a head
//! needs.

use crate::head::error::limit_hint;
use crate::head::gltf::uri::media_type;
use crate::head::limits::Budget;
use crate::head::model::{Texture, Wrap};
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader};
use std::io::Cursor;
use std::panic::{self, AssertUnwindSafe};

/// Memory for a decoder besides the pixels: profiles and texts, which may be compressed a
/// thousandfold.
const DECODER_BYTES: u64 = 16 << 20;
/// Usual number of scans of a JPEG; more count as further pictures.
const SCANS: u64 = 16;

/// A decoded picture, RGBA.
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<[u8; 4]>,
    /// The width and height before it was made smaller, if it was.
    pub reduced_from: Option<[u32; 2]>,
}

/// Decodes a PNG or JPEG. The error completes "texture 3 …".
pub fn decode(bytes: &[u8], budget: &Budget) -> Result<Picture, String> {
    let format = format(bytes)?;
    // If a decoder panics, only the picture is lost.
    let decoded = panic::catch_unwind(AssertUnwindSafe(|| read(bytes, format, budget)));
    let picture = decoded.unwrap_or_else(|_| Err("makes its decoder fail".to_owned()))?;
    let pixels = picture.pixels.len() as u64;
    budget.take(pixels, 4, String::new).map_err(|_| {
        let hint = limit_hint("memory-free");
        format!("does not fit in the memory the file's size allows {hint}")
    })?;
    Ok(picture)
}

fn format(bytes: &[u8]) -> Result<ImageFormat, String> {
    let unsupported = |name| format!("is {name}; only PNG and JPEG are read");
    match media_type(bytes) {
        Some("image/png") => Ok(ImageFormat::Png),
        Some("image/jpeg") => Ok(ImageFormat::Jpeg),
        Some("image/webp") => Err(unsupported("WebP")),
        _ if bytes.starts_with(b"\xABKTX") => Err(unsupported("KTX")),
        _ if bytes.is_empty() => Err("is empty".into()),
        _ => Err("is neither PNG nor JPEG".into()),
    }
}

fn read(bytes: &[u8], format: ImageFormat, budget: &Budget) -> Result<Picture, String> {
    let (memory, limits) = (budget.left(), &budget.limits);
    let is_jpeg = format == ImageFormat::Jpeg;
    let jpeg = is_jpeg.then(|| JpegStructure::of(bytes));
    let jpeg = jpeg.unwrap_or_default();
    if is_jpeg && !jpeg.is_complete {
        return Err("is broken: it is cut off".to_owned());
    }
    let broken = |error: ImageError| match error {
        ImageError::Limits(_) => "needs too much memory beside its pixels".to_owned(),
        error => format!("is broken: {}", error.to_string().replace('\n', " ")),
    };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut decoder_limits = image::Limits::default();
    decoder_limits.max_alloc = Some(memory.min(DECODER_BYTES));
    reader.limits(decoder_limits);
    let decoder = reader.into_decoder().map_err(broken)?;
    let (width, height) = decoder.dimensions();
    let too_large = |than: &str, limit| {
        let hint = limit_hint(limit);
        format!("is {width} x {height} pixels, more than {than} {hint}")
    };
    let pixels = u64::from(width) * u64::from(height);
    if pixels == 0 {
        return Err("has no pixels".to_owned());
    }
    if pixels > limits.image_pixels {
        let than = limits.image_pixels.to_string();
        return Err(too_large(&than, "image-pixels"));
    }
    // Pixels that are dropped take time to decode too.
    let work = pixels.saturating_mul(1 + jpeg.scans / SCANS);
    if !budget.decode(work) {
        let than = "all images may have together";
        return Err(too_large(than, "image-pixels"));
    }
    // A texture may take half of the memory that is left, so that later ones get some too.
    let mut size = [width, height];
    while u64::from(size[0].max(size[1])) > limits.texture_side
        || area(size) * 8 > memory && area(size) > 1
    {
        size = half(size);
    }
    let color = decoder.color_type();
    let channels = usize::from(color.channel_count());
    let has_bytes = color.bytes_per_pixel() == color.channel_count();
    let raw = decoder.total_bytes();
    let converted = match has_bytes {
        // The final pixels exist beside the halved ones.
        true => raw.max(area(size) * 8),
        // 16-bit pixels need two conversions.
        false => raw.saturating_add(pixels * 8),
    };
    // The decoder of JPEG copies the file; of a progressive picture it keeps two bytes for each
    // decoded one until the last scan.
    let scratch = bytes.len() as u64 * u64::from(is_jpeg)
        + raw.saturating_mul(2 * u64::from(jpeg.is_progressive));
    if converted.saturating_add(scratch) > memory {
        return Err(too_large("the file's size allows", "memory-free"));
    }
    let decoded = DynamicImage::from_decoder(decoder).map_err(broken)?;
    let (mut bytes, channels) = match has_bytes {
        true => (decoded.into_bytes(), channels),
        false => (decoded.into_rgba8().into_raw(), 4),
    };
    let mut from = [width, height];
    while from != size {
        halve(&mut bytes, from, channels);
        from = half(from);
    }
    bytes.truncate(area(size) as usize * channels);
    bytes.shrink_to_fit();
    let rgba = |pixel: &[u8]| match *pixel {
        [y] => [y, y, y, 255],
        [y, a] => [y, y, y, a],
        [r, g, b] => [r, g, b, 255],
        [r, g, b, a, ..] => [r, g, b, a],
        [] => [0; 4],
    };
    Ok(Picture {
        width: size[0],
        height: size[1],
        pixels: bytes.chunks_exact(channels).map(rgba).collect(),
        reduced_from: (size != [width, height]).then_some([width, height]),
    })
}

fn area([width, height]: [u32; 2]) -> u64 {
    u64::from(width) * u64::from(height)
}

fn half(size: [u32; 2]) -> [u32; 2] {
    size.map(|side| side.div_ceil(2))
}

/// Halves the size in place; each pixel becomes the mean of up to four. A pixel is written only
/// where the pixels have been read already.
fn halve(bytes: &mut [u8], from: [u32; 2], channels: usize) {
    let [width, height] = from.map(|side| side as usize);
    let mut to = 0;
    for y in (0..height).step_by(2) {
        let rows = [y, (y + 1).min(height - 1)].map(|y| y * width);
        for x in (0..width).step_by(2) {
            let columns = [x, (x + 1).min(width - 1)];
            for channel in 0..channels {
                let four = rows.map(|row| columns.map(|x| bytes[(row + x) * channels + channel]));
                let sum: u16 = four.iter().flatten().map(|&byte| u16::from(byte)).sum();
                bytes[to] = ((sum + 2) / 4) as u8;
                to += 1;
            }
        }
    }
}

/// Returns the picture that stands in for a missing base colour: a magenta and black checker.
pub fn placeholder() -> Texture {
    let checker = |i: u32| match (i + i / 8) % 2 {
        0 => [255, 0, 255, 255],
        _ => [0, 0, 0, 255],
    };
    Texture {
        name: "placeholder".to_owned(),
        width: 8,
        height: 8,
        pixels: (0..64).map(checker).collect(),
        wrap: [Wrap::Repeat; 2],
        smooth: true,
    }
}

/// The structure of a JPEG, read from its markers before it is decoded.
#[derive(Debug, Default, PartialEq)]
struct JpegStructure {
    /// `true` if the decoder keeps the coefficients of all scans until the last.
    is_progressive: bool,
    /// The number of scans; each takes time for the whole picture, however short it is.
    scans: u64,
    /// `true` if the end marker exists; the decoder accepts a truncated picture.
    is_complete: bool,
}

impl JpegStructure {
    /// Walks the markers up to the end of the picture.
    fn of(bytes: &[u8]) -> Self {
        let mut structure = Self::default();
        let mut at = 2;
        while let Some(&byte) = bytes.get(at) {
            let marker = bytes.get(at + 1);
            match (byte, marker) {
                (0xFF, Some(0xD9)) => {
                    structure.is_complete = true;
                    break;
                }
                // Scan data writes 0xFF as 0xFF 0; restarts and 0x01 have no length.
                (0xFF, Some(0x00 | 0x01 | 0xD0..=0xD8)) => at += 2,
                (0xFF, Some(0xFF)) | (0..=0xFE, _) => at += 1,
                (0xFF, Some(marker)) => {
                    match marker {
                        0xC2 | 0xC6 | 0xCA | 0xCE => structure.is_progressive = true,
                        0xDA => structure.scans += 1,
                        _ => {}
                    }
                    let length = bytes.get(at + 2..at + 4);
                    let length =
                        length.map_or(0, |two| usize::from(two[0]) << 8 | usize::from(two[1]));
                    at += 2 + length;
                }
                (0xFF, None) => break,
            }
        }
        structure
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_inside_segments_and_scan_data_are_ignored() {
        // A comment that holds markers, a progressive frame, two scans.
        let jpeg = [
            &[0xFF, 0xD8, 0xFF, 0xFE, 0, 6, 0xFF, 0xDA, 0xFF, 0xD9][..],
            &[
                0xFF, 0xC2, 0, 2, 0xFF, 0xDA, 0, 3, 9, 1, 0xFF, 0, 0xFF, 0xD0, 7,
            ],
            &[0xFF, 0xFF, 0xDA, 0, 2, 5, 0xFF, 0xD9],
        ]
        .concat();
        let whole = JpegStructure {
            is_progressive: true,
            scans: 2,
            is_complete: true,
        };
        assert_eq!(JpegStructure::of(&jpeg), whole);
        for length in 0..jpeg.len() {
            assert!(!JpegStructure::of(&jpeg[..length]).is_complete, "{length}");
        }
    }
}
