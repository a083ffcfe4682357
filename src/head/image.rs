//! Pictures: sniffed by content, measured before they are decoded, made smaller
//! where they are larger than any head needs.

use super::limits::{Budget, IMAGE_PIXELS, TEXTURE_SIDE};
use image::{ColorType, DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};
use std::io::Cursor;

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
    let memory = budget.left();
    let decoded = std::panic::catch_unwind(|| read(bytes, format, memory));
    let picture = decoded.unwrap_or_else(|_| Err("makes its decoder fail".to_owned()))?;
    let pixels = picture.pixels.len() as u64;
    budget
        .take(pixels, 4, String::new)
        .map_err(|_| "does not fit in the memory the file's size allows".to_owned())?;
    Ok(picture)
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

fn read(bytes: &[u8], format: ImageFormat, memory: u64) -> Result<Picture, String> {
    let broken = |error: image::ImageError| format!("is broken: {error}");
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(memory);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(broken)?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    // A progressive JPEG keeps two bytes for each decoded one until its last scan.
    let raw = decoder.total_bytes();
    let scratch = if format == ImageFormat::Jpeg && is_progressive(bytes) {
        2
    } else {
        0
    };
    let lanes = match decoder.color_type() {
        ColorType::L8 => Some(1),
        ColorType::La8 => Some(2),
        ColorType::Rgb8 => Some(3),
        ColorType::Rgba8 => Some(4),
        _ => None,
    };
    // Bytes are widened in place; 16 bits take the raw pixels and two conversions.
    let fixed = pixels.saturating_mul(if lanes.is_some() { 4 } else { 8 });
    let extra = if lanes.is_some() { 0 } else { raw };
    let needs = raw
        .saturating_mul(scratch)
        .saturating_add(fixed)
        .saturating_add(extra);
    if pixels == 0 || pixels > IMAGE_PIXELS || needs > memory {
        return Err(format!(
            "is {width} x {height} pixels, more than the file's size allows"
        ));
    }
    let pixels = match lanes {
        Some(lanes) => {
            let mut pixels = vec![[0; 4]; pixels as usize];
            let narrow = pixels.as_flattened_mut().get_mut(..raw as usize);
            decoder
                .read_image(narrow.ok_or("has an odd size")?)
                .map_err(broken)?;
            widen(&mut pixels, lanes);
            pixels
        }
        None => {
            let decoded = DynamicImage::from_decoder(decoder).map_err(broken)?;
            decoded.into_rgba8().as_raw().as_chunks().0.to_vec()
        }
    };
    let mut picture = Picture {
        width,
        height,
        pixels,
        reduced_from: None,
    };
    // A texture may take half of what is left, so that the next ones get some too.
    while picture.width.max(picture.height) > TEXTURE_SIDE
        || picture.pixels.len() as u64 * 8 > memory && picture.pixels.len() > 1
    {
        picture = halved(&picture);
        picture.reduced_from = Some([width, height]);
    }
    Ok(picture)
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

/// Whether a JPEG's frame header says progressive.
fn is_progressive(bytes: &[u8]) -> bool {
    let mut at = 2;
    while let Some(&[0xFF, marker, high, low]) = bytes.get(at..).and_then(|rest| rest.first_chunk())
    {
        match marker {
            0xC2 | 0xC6 | 0xCA | 0xCE => return true,
            0xDA => return false,
            0xFF => at += 1,
            _ => at += 2 + usize::from(u16::from_be_bytes([high, low])),
        }
    }
    false
}

/// Half the size, each pixel the mean of up to four.
fn halved(picture: &Picture) -> Picture {
    let half = |side: u32| side.div_ceil(2).max(1);
    let (width, height) = (half(picture.width), half(picture.height));
    let mut pixels = Vec::with_capacity(width as usize * height as usize);
    for y in 0..height {
        for x in 0..width {
            let pixel = |dx: u32, dy: u32| {
                let x = (2 * x + dx).min(picture.width - 1) as usize;
                let y = (2 * y + dy).min(picture.height - 1) as usize;
                picture.pixels[y * picture.width as usize + x]
            };
            let four = [pixel(0, 0), pixel(1, 0), pixel(0, 1), pixel(1, 1)];
            pixels.push(std::array::from_fn(|lane| {
                let sum: u16 = four.iter().map(|pixel| u16::from(pixel[lane])).sum();
                ((sum + 2) / 4) as u8
            }));
        }
    }
    Picture {
        width,
        height,
        pixels,
        reduced_from: None,
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
