//! Pictures: sniffed by content, measured before they are decoded, made smaller
//! where they are larger than any head needs.

use super::jpeg;
use super::limits::{Budget, way_past};
use image::{ColorType, DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader};
use std::io::Cursor;
use std::panic::{self, AssertUnwindSafe};

/// What a decoder may allocate besides pixels: profiles and texts, which may be
/// compressed a thousandfold.
const DECODER_BYTES: u64 = 16 << 20;
/// Scans of a JPEG that are usual; more count as further pictures.
const SCANS: u64 = 16;

/// A decoded picture, RGBA.
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<[u8; 4]>,
    /// Width and height before it was made smaller, if it was.
    pub reduced_from: Option<[u32; 2]>,
}

/// Decodes PNG or JPEG; the error completes "texture 3 …".
pub fn decode(bytes: &[u8], budget: &Budget) -> Result<Picture, String> {
    let format = sniff(bytes)?;
    // The decoders are other people's; should one panic, only the picture is lost.
    let decoded = panic::catch_unwind(AssertUnwindSafe(|| read(bytes, format, budget)));
    let picture = decoded.unwrap_or_else(|_| Err("makes its decoder fail".to_owned()))?;
    let pixels = picture.pixels.len() as u64;
    budget.take(pixels, 4, String::new).map_err(|_| {
        let way_past = way_past("memory-free");
        format!("does not fit in the memory the file's size allows {way_past}")
    })?;
    Ok(picture)
}

/// Bytes that tell what a file is.
pub const MAGIC_BYTES: u64 = 16;

/// Whether a file that begins like this is no picture that can be read.
pub fn is_other(bytes: &[u8]) -> bool {
    sniff(bytes).is_err()
}

/// The media type of a picture, also of kinds that are not read here.
pub fn media_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        _ if bytes.starts_with(b"\x89PNG\r\n\x1a\n") => Some("image/png"),
        _ if bytes.starts_with(b"\xFF\xD8\xFF") => Some("image/jpeg"),
        _ if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") => Some("image/webp"),
        _ if bytes.starts_with(b"\xABKTX 20\xBB") => Some("image/ktx2"),
        _ if bytes.get(4..12) == Some(b"ftypavif") => Some("image/avif"),
        _ => None,
    }
}

fn sniff(bytes: &[u8]) -> Result<ImageFormat, String> {
    let riff = bytes.starts_with(b"RIFF");
    match bytes {
        _ if bytes.starts_with(b"\x89PNG\r\n\x1a\n") => Ok(ImageFormat::Png),
        _ if bytes.starts_with(b"\xFF\xD8\xFF") => Ok(ImageFormat::Jpeg),
        _ if riff && bytes.get(8..12) == Some(b"WEBP") => {
            Err("is WebP; only PNG and JPEG are read".into())
        }
        _ if bytes.starts_with(b"\xABKTX") => Err("is KTX; only PNG and JPEG are read".into()),
        [] => Err("is empty".into()),
        _ => Err("is neither PNG nor JPEG".into()),
    }
}

fn read(bytes: &[u8], format: ImageFormat, budget: &Budget) -> Result<Picture, String> {
    let (memory, limits) = (budget.left(), &budget.limits);
    let outline = match format {
        ImageFormat::Jpeg => jpeg::outline(bytes),
        _ => jpeg::Outline::default(),
    };
    if format == ImageFormat::Jpeg && !outline.ends {
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
        let way_past = way_past(limit);
        format!("is {width} x {height} pixels, more than {than} {way_past}")
    };
    let lanes = match decoder.color_type() {
        ColorType::L8 => Some(1),
        ColorType::La8 => Some(2),
        ColorType::Rgb8 => Some(3),
        ColorType::Rgba8 => Some(4),
        _ => None,
    };
    let pixels = u64::from(width) * u64::from(height);
    if pixels == 0 {
        return Err("has no pixels".to_owned());
    }
    if pixels > limits.image_pixels {
        let than = format!("{}", limits.image_pixels);
        return Err(too_large(&than, "image-pixels"));
    }
    // Decoding takes time for pixels that take no memory in the end.
    let work = pixels.saturating_mul(1 + outline.scans / SCANS);
    if !budget.decode(work) {
        let than = "all images may have together";
        return Err(too_large(than, "image-pixels"));
    }
    // A texture may take half of what is left, so that the next ones get some too.
    let (mut size, mut halvings) = ([width, height], 0);
    let side = limits.texture_side;
    while u64::from(size[0].max(size[1])) > side || area(size) * 8 > memory && area(size) > 1 {
        size = half(size);
        halvings += 1;
    }
    // Bytes are made smaller and widened in place.
    let raw = decoder.total_bytes();
    let words = raw.div_ceil(4).max(area(size));
    let fixed = match lanes {
        Some(_) => words * 4,
        // 16 bits take the raw pixels and two conversions.
        None => raw.saturating_add(pixels * 8),
    };
    let scratch = match format {
        // The decoder copies its file; a progressive picture keeps two bytes for
        // each decoded one until its last scan.
        ImageFormat::Jpeg if outline.progressive => raw.saturating_mul(2) + bytes.len() as u64,
        ImageFormat::Jpeg => bytes.len() as u64,
        _ => 0,
    };
    if fixed.saturating_add(scratch) > memory {
        return Err(too_large("the file's size allows", "memory-free"));
    }
    let (mut pixels, lanes) = match lanes {
        Some(lanes) => {
            let mut pixels = vec![[0; 4]; words as usize];
            let narrow = pixels.as_flattened_mut().get_mut(..raw as usize);
            decoder
                .read_image(narrow.ok_or("has an odd size")?)
                .map_err(broken)?;
            (pixels, lanes)
        }
        None => {
            let decoded = DynamicImage::from_decoder(decoder).map_err(broken)?;
            (decoded.into_rgba8().as_raw().as_chunks().0.to_vec(), 4)
        }
    };
    let mut from = [width, height];
    for _ in 0..halvings {
        halve(pixels.as_flattened_mut(), from, lanes);
        from = half(from);
    }
    pixels.truncate(area(size) as usize);
    pixels.shrink_to_fit();
    widen(&mut pixels, lanes);
    Ok(Picture {
        width: size[0],
        height: size[1],
        pixels,
        reduced_from: (halvings > 0).then_some([width, height]),
    })
}

fn area([width, height]: [u32; 2]) -> u64 {
    u64::from(width) * u64::from(height)
}

fn half(size: [u32; 2]) -> [u32; 2] {
    size.map(|side| side.div_ceil(2))
}

/// Half the size, each pixel the mean of up to four. In place: a pixel is written
/// where only pixels lay that have been read.
fn halve(bytes: &mut [u8], from: [u32; 2], lanes: usize) {
    let [width, height] = from.map(|side| side as usize);
    let mut to = 0;
    for y in (0..height).step_by(2) {
        let rows = [y, (y + 1).min(height - 1)].map(|y| y * width);
        for x in (0..width).step_by(2) {
            let columns = [x, (x + 1).min(width - 1)];
            for lane in 0..lanes {
                let four = rows.map(|row| columns.map(|x| bytes[(row + x) * lanes + lane]));
                let sum: u16 = four.iter().flatten().map(|&byte| u16::from(byte)).sum();
                bytes[to] = ((sum + 2) / 4) as u8;
                to += 1;
            }
        }
    }
}

/// Spreads grey, grey and alpha, or RGB to RGBA, from the last pixel to the
/// first, so that nothing is overwritten before it is read.
fn widen(pixels: &mut [[u8; 4]], lanes: usize) {
    if lanes == 4 {
        return;
    }
    let bytes = pixels.as_flattened_mut();
    for pixel in (0..bytes.len() / 4).rev() {
        let from = &bytes[pixel * lanes..];
        let rgba = match lanes {
            1 => [from[0], from[0], from[0], 255],
            2 => [from[0], from[0], from[0], from[1]],
            _ => [from[0], from[1], from[2], 255],
        };
        bytes[pixel * 4..pixel * 4 + 4].copy_from_slice(&rgba);
    }
}

/// What is shown for a picture that cannot be: a magenta and black checker.
pub fn placeholder() -> Picture {
    let checker = |i: u32| {
        if (i + i / 8).is_multiple_of(2) {
            [255, 0, 255, 255]
        } else {
            [0, 0, 0, 255]
        }
    };
    Picture {
        width: 8,
        height: 8,
        pixels: (0..64).map(checker).collect(),
        reduced_from: None,
    }
}
