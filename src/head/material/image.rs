//! Pictures: measured before they are decoded, and made smaller where they are larger than a head
//! needs.

use super::ktx2::{Ktx2, area};
use crate::head::error::limit_hint;
use crate::head::gltf::uri::media_type;
use crate::head::limits::{Budget, Limits};
use crate::head::model::{Texture, Wrap};
use crate::jpeg::JpegStructure;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader};
use std::io::Cursor;
use std::panic::{self, AssertUnwindSafe};

/// Memory for a decoder besides the pixels: profiles and texts, which may be compressed a
/// thousandfold.
const DECODER_BYTES: u64 = 16 << 20;
/// Usual number of scans of a JPEG; more count as further pictures.
const SCANS: u64 = 16;

/// A texture without a name, with the default sampler, and its width and height before it was made
/// smaller, if it was.
pub type Decoded = (Texture, Option<[u32; 2]>);

/// Decodes a PNG, JPEG, WebP or KTX2. The error completes "texture 3 …".
pub fn decode(bytes: &[u8], budget: &Budget) -> Result<Decoded, String> {
    let unsupported = |name| Err(format!("is {name}; only PNG, JPEG, WebP and KTX2 are read"));
    let format = match media_type(bytes) {
        Some("image/png") => Some(ImageFormat::Png),
        Some("image/jpeg") => Some(ImageFormat::Jpeg),
        Some("image/webp") => Some(ImageFormat::WebP),
        Some("image/ktx2") => None,
        Some("image/avif") => return unsupported("AVIF"),
        _ if bytes.starts_with(b"\xABKTX") => return unsupported("KTX 1"),
        _ if bytes.is_empty() => return Err("is empty".into()),
        _ => return Err("is not PNG, JPEG, WebP or KTX2".into()),
    };
    // If a decoder panics, only the picture is lost.
    let decoded = panic::catch_unwind(AssertUnwindSafe(|| {
        let measured = match format {
            Some(format) => measured(bytes, format, budget),
            None => Ktx2::of(bytes).map(Measured::from),
        };
        read(measured?, budget)
    }));
    let picture = decoded.unwrap_or_else(|_| Err("makes its decoder fail".to_owned()))?;
    budget
        .take(area([picture.0.width, picture.0.height]), 4, "")
        .map_err(|_| {
            let hint = limit_hint("memory-free");
            format!("does not fit in the memory the file's size allows {hint}")
        })?;
    Ok(picture)
}

/// Decodes a picture as [`decode`] does, and keeps it beside its pixels, which may then be dropped,
/// if it is much smaller.
pub fn decode_and_keep(bytes: &[u8], budget: &Budget) -> Result<Decoded, String> {
    let (mut texture, reduced_from) = decode(bytes, budget)?;
    let size = [texture.width, texture.height];
    let (encoded, decoded) = (bytes.len() as u64, 4 * area(size));
    if 2 * encoded < decoded && budget.take(encoded, 1, "").is_ok() {
        let kept: Box<[u8]> = bytes.into();
        let again = move || decode_again(&kept, size);
        texture.pixels = texture.pixels.decoded_by(again);
    }
    Ok((texture, reduced_from))
}

/// Returns the pixels of a texture of a size whose picture was within the limits before.
fn decode_again(bytes: &[u8], size: [u32; 2]) -> Vec<[u8; 4]> {
    let limits = Limits {
        image_pixels: u64::MAX,
        memory_free: u64::MAX,
        texture_side: size[0].max(size[1]).into(),
        ..Limits::default()
    };
    let decoded = decode(bytes, &Budget::new(&limits, 0));
    let pixels = decoded.map_or(Vec::new(), |(texture, _)| texture.pixels.get().to_vec());
    match pixels.len() as u64 == area(size) {
        true => pixels,
        // A decoder could fail this time for want of memory.
        false => vec![[128, 128, 128, 255]; area(size) as usize],
    }
}

/// A picture that is measured, but not decoded.
struct Measured<'a> {
    size: [u32; 2],
    /// The times that each pixel is decoded.
    passes: u64,
    /// The channels of a decoded pixel.
    channels: usize,
    /// The bytes that the decoded pixels take, and those that decoding takes beside them.
    decoded: u64,
    scratch: u64,
    decode: Box<dyn FnOnce() -> Result<Vec<u8>, String> + 'a>,
}

impl<'a> From<Ktx2<'a>> for Measured<'a> {
    fn from(picture: Ktx2<'a>) -> Self {
        Measured {
            size: picture.size,
            passes: 1,
            channels: 4,
            decoded: area(picture.size) * 4,
            scratch: picture.scratch(),
            decode: Box::new(|| picture.decode()),
        }
    }
}

/// Measures a picture of the formats that `image` reads.
fn measured<'a>(
    bytes: &'a [u8],
    format: ImageFormat,
    budget: &Budget,
) -> Result<Measured<'a>, String> {
    let is_jpeg = format == ImageFormat::Jpeg;
    let jpeg = is_jpeg.then(|| JpegStructure::of(bytes));
    let jpeg = jpeg.unwrap_or_default();
    if is_jpeg && !jpeg.is_complete {
        return Err("is broken: it is cut off".to_owned());
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut decoder_limits = image::Limits::default();
    decoder_limits.max_alloc = Some(budget.left().min(DECODER_BYTES));
    reader.limits(decoder_limits);
    let decoder = reader.into_decoder().map_err(broken)?;
    let (width, height) = decoder.dimensions();
    let pixels = area([width, height]);
    let color = decoder.color_type();
    let has_bytes = color.bytes_per_pixel() == color.channel_count();
    let raw = decoder.total_bytes();
    // The decoder of JPEG copies the file; of a progressive picture it keeps two bytes for each
    // decoded one until the last scan. That of WebP keeps the pixels in its own form.
    let scratch = bytes.len() as u64 * u64::from(is_jpeg)
        + raw.saturating_mul(2 * u64::from(jpeg.is_progressive))
        + pixels.saturating_mul(8 * u64::from(format == ImageFormat::WebP));
    Ok(Measured {
        size: [width, height],
        passes: 1 + jpeg.scans / SCANS,
        channels: if has_bytes {
            color.channel_count().into()
        } else {
            4
        },
        decoded: match has_bytes {
            true => raw,
            // 16-bit pixels need two conversions.
            false => raw.saturating_add(pixels.saturating_mul(8)),
        },
        scratch,
        decode: Box::new(move || {
            let decoded = DynamicImage::from_decoder(decoder).map_err(broken)?;
            Ok(match has_bytes {
                true => decoded.into_bytes(),
                false => decoded.into_rgba8().into_raw(),
            })
        }),
    })
}

fn broken(error: ImageError) -> String {
    match error {
        ImageError::Limits(_) => "needs too much memory beside its pixels".to_owned(),
        error => format!("is broken: {}", error.to_string().replace('\n', " ")),
    }
}

/// Decodes a picture, if it is within the limits.
fn read(picture: Measured, budget: &Budget) -> Result<Decoded, String> {
    let (memory, limits) = (budget.left(), &budget.limits);
    let [width, height] = picture.size;
    let too_large = |than: &str, limit| {
        let hint = limit_hint(limit);
        format!("is {width} x {height} pixels, more than {than} {hint}")
    };
    let pixels = area(picture.size);
    if pixels == 0 {
        return Err("has no pixels".to_owned());
    }
    if pixels > limits.image_pixels {
        let than = limits.image_pixels.to_string();
        return Err(too_large(&than, "image-pixels"));
    }
    // Pixels that are dropped take time to decode too.
    if !budget.decode(pixels.saturating_mul(picture.passes)) {
        let than = "all images may have together";
        return Err(too_large(than, "image-pixels"));
    }
    // A texture may take half of the memory that is left, so that later ones get some too.
    let mut size = picture.size;
    while u64::from(size[0].max(size[1])) > limits.texture_side
        || area(size) * 8 > memory && area(size) > 1
    {
        size = half(size);
    }
    // The final pixels exist beside the halved ones.
    let pixels = picture.decoded.max(area(size) * 8);
    if pixels.saturating_add(picture.scratch) > memory {
        return Err(too_large("the file's size allows", "memory-free"));
    }
    let channels = picture.channels;
    let mut bytes = (picture.decode)()?;
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
    let pixels = bytes.chunks_exact(channels).map(rgba).collect();
    let reduced_from = (size != [width, height]).then_some([width, height]);
    Ok((texture("", size, pixels), reduced_from))
}

/// Returns a texture with the default sampler.
fn texture(name: &str, [width, height]: [u32; 2], pixels: Vec<[u8; 4]>) -> Texture {
    Texture {
        name: name.to_owned(),
        width,
        height,
        pixels: pixels.into(),
        wrap: [Wrap::Repeat; 2],
        smooth: true,
    }
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
pub fn checkerboard() -> Texture {
    let checker = |i: u32| match (i + i / 8) % 2 {
        0 => [255, 0, 255, 255],
        _ => [0, 0, 0, 255],
    };
    texture("checkerboard", [8; 2], (0..64).map(checker).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_that_were_dropped_are_decoded_again() {
        let picture = image::RgbImage::from_fn(64, 40, |x, _| image::Rgb([x as u8, 8, 9]));
        let mut file = Cursor::new(Vec::new());
        picture.write_to(&mut file, ImageFormat::Png).unwrap();
        // The texture is half as large as its picture.
        let limits = Limits {
            texture_side: 32,
            ..Limits::default()
        };
        let budget = Budget::new(&limits, 1 << 10);
        let (kept, _) = decode_and_keep(file.get_ref(), &budget).unwrap();
        let before = kept.pixels.get();
        assert_eq!(before.len(), 32 * 20);
        kept.pixels.drop_decoded();
        assert_eq!(format!("{:?}", kept.pixels), "Pixels { decoded: None }");
        assert!(kept.pixels.get() == before);
        // Pixels without a picture stay.
        let plain = checkerboard();
        plain.pixels.drop_decoded();
        assert!(format!("{:?}", plain.pixels).contains("64"));
    }
}
