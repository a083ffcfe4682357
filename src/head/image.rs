//! Pictures: sniffed by content, measured before they are decoded, made smaller
//! where they are larger than any head needs.

use super::limits::{Budget, IMAGE_PIXELS, TEXTURE_SIDE};
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};
use std::io::Cursor;

/// A decoded picture, RGBA.
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<[u8; 4]>,
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
    // Raw pixels, RGBA, and a copy while converting; a progressive JPEG keeps
    // two bytes of coefficients for each raw one until its last scan.
    let raw = decoder.total_bytes();
    let scratch = if format == ImageFormat::Jpeg && is_progressive(bytes) {
        3
    } else {
        1
    };
    let needs = raw
        .saturating_mul(scratch)
        .saturating_add(pixels.saturating_mul(8));
    if pixels == 0 || pixels > IMAGE_PIXELS || needs > memory {
        return Err(format!(
            "is {width} x {height} pixels, more than the file's size allows"
        ));
    }
    let decoded = DynamicImage::from_decoder(decoder).map_err(broken)?;
    let pixels = match &decoded {
        DynamicImage::ImageRgba8(rgba) => rgba.as_raw().as_chunks().0.to_vec(),
        DynamicImage::ImageRgb8(rgb) => {
            let rgb = rgb.as_raw().as_chunks().0;
            rgb.iter().map(|&[r, g, b]| [r, g, b, 255]).collect()
        }
        other => other.to_rgba8().as_raw().as_chunks().0.to_vec(),
    };
    drop(decoded);
    let mut picture = Picture {
        width,
        height,
        pixels,
    };
    while picture.width.max(picture.height) > TEXTURE_SIDE {
        picture = halved(&picture);
    }
    Ok(picture)
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
    }
}
