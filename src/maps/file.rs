//! Pictures in, PNG out.

use super::map::{MAX_SIDE, ROW, named};
use super::{Layout, Map, MapError, MapErrorKind, MapKind, png_note};
use crate::files::{read_plain, write_whole};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ExtendedColorType, ImageDecoder, ImageEncoder, ImageError};
use image::{ImageFormat, ImageReader};
use std::io::Cursor;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

/// Largest file that is read, bytes: the largest map, as good as not compressed.
const MAX_FILE: u64 = 640 << 20;
/// What a decoder may allocate beside the pixels, bytes: profiles and texts.
const DECODER_BYTES: u64 = 16 << 20;
/// Deflate makes no more than this of a byte, so a PNG that promises more is not whole.
const MOST_INFLATED: u64 = 1032;
/// Scans of a JPEG; each decodes all of the picture again, and usual ones have about ten.
const MOST_SCANS: usize = 100;

impl Map {
    /// Reads a map from a PNG or JPEG file, 8 or 16 bits.
    ///
    /// Grey maps take the luma of coloured pictures (Rec. 709 weights on the values as stored);
    /// alpha is ignored. A file that [`Map::save`] wrote comes back to the bit.
    ///
    /// # Errors
    ///
    /// What cannot be read, is no picture, is broken, or is larger than a map may be.
    pub fn load(path: &Path, kind: MapKind) -> Result<Map, MapError> {
        let bytes =
            read_plain(path, MAX_FILE).map_err(|error| MapErrorKind::Unreadable(error.to_string()));
        let map = bytes.and_then(|bytes| read(kind, &bytes));
        map.map_err(|problem| in_file(path, problem))
    }

    /// Reads a map from the bytes of a PNG or JPEG file, as [`Map::load`].
    ///
    /// # Errors
    ///
    /// As [`Map::load`].
    pub fn from_png(kind: MapKind, bytes: &[u8]) -> Result<Map, MapError> {
        read(kind, bytes).map_err(|problem| named(kind, problem))
    }

    /// The map as a PNG of 16 bits, grey or RGB. Values per vertex are laid out in rows, with a
    /// note of how many there are.
    ///
    /// # Errors
    ///
    /// Only what the encoder may say.
    pub fn to_png(&self) -> Result<Vec<u8>, MapError> {
        let (width, height) = match self.layout {
            Layout::Picture { width, height } => (width, height),
            Layout::Vertices(count) => (count.min(ROW), count.div_ceil(ROW)),
        };
        let channels = self.kind.channels();
        let numbers = width as usize * height as usize * channels;
        let mut bytes = Vec::with_capacity(numbers * 2);
        bytes.extend(self.values.iter().flat_map(|number| number.to_ne_bytes()));
        bytes.resize(numbers * 2, 0);
        let color = match channels {
            1 => ExtendedColorType::L16,
            _ => ExtendedColorType::Rgb16,
        };
        let mut png = Vec::new();
        PngEncoder::new_with_quality(&mut png, CompressionType::Default, FilterType::Adaptive)
            .write_image(&bytes, width, height, color)
            .map_err(|error| named(self.kind, MapErrorKind::Unwritable(error.to_string())))?;
        Ok(match self.layout {
            Layout::Picture { .. } => png,
            Layout::Vertices(count) => png_note::with_note(&png, count),
        })
    }

    /// Writes the map as a PNG: all of it, or the file stays as it was.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn save(&self, path: &Path) -> Result<(), MapError> {
        let png = self.to_png().map_err(|error| in_file(path, error.kind))?;
        write_whole(path, &png)
            .map_err(|error| in_file(path, MapErrorKind::Unwritable(error.to_string())))
    }
}

fn in_file(path: &Path, kind: MapErrorKind) -> MapError {
    let what = path.display().to_string();
    MapError { what, kind }
}

fn read(kind: MapKind, bytes: &[u8]) -> Result<Map, MapErrorKind> {
    // The decoders are other people's; should one panic, only the map is lost.
    let picture = panic::catch_unwind(AssertUnwindSafe(|| decode(bytes)));
    let failed = |_| Err(MapErrorKind::Broken("its decoder fails".to_owned()));
    let picture = picture.unwrap_or_else(failed)?;
    let (width, height) = (picture.width(), picture.height());
    let mut values = numbers(kind, picture);
    let mut layout = Layout::Picture { width, height };
    if let Some(said) = png_note(bytes) {
        let padding = |said| MapErrorKind::Padding {
            said,
            width,
            height,
        };
        let Ok(count) = said.parse::<u32>() else {
            return Err(padding(said));
        };
        if count == 0 || [width, height] != [count.min(ROW), count.div_ceil(ROW)] {
            return Err(padding(said));
        }
        layout = Layout::Vertices(count);
        values.truncate(count as usize * kind.channels());
    }
    Ok(Map {
        kind,
        layout,
        values,
    })
}

fn png_note(bytes: &[u8]) -> Option<String> {
    let is_png = bytes.starts_with(b"\x89PNG\r\n\x1a\n");
    is_png.then(|| png_note::note(bytes)).flatten()
}

fn decode(bytes: &[u8]) -> Result<DynamicImage, MapErrorKind> {
    let broken = |error: ImageError| MapErrorKind::Broken(error.to_string().replace('\n', " "));
    let said = |problem: &str| MapErrorKind::Broken(problem.to_owned());
    let format = match image::guess_format(bytes) {
        Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg)) => format,
        _ => return Err(MapErrorKind::NoPicture),
    };
    if format == ImageFormat::Jpeg {
        whole_jpeg(bytes).map_err(said)?;
    }
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(DECODER_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(broken)?;
    let (width, height) = decoder.dimensions();
    Layout::Picture { width, height }.check()?;
    if format == ImageFormat::Png {
        let most = (bytes.len() as u64).saturating_mul(MOST_INFLATED);
        let smallest = packed(bytes, width, height);
        if smallest.is_none_or(|smallest| smallest > most) {
            return Err(said("it has fewer bytes than its size needs"));
        }
    }
    DynamicImage::from_decoder(decoder).map_err(broken)
}

/// Bytes that the pixels of a PNG take before they are compressed, by its header.
fn packed(png: &[u8], width: u32, height: u32) -> Option<u64> {
    let depth = u64::from(*png.get(24)?);
    let lanes = match png.get(25)? {
        2 => 3,
        4 => 2,
        6 => 4,
        _ => 1,
    };
    let bits = u64::from(width) * u64::from(height) * lanes;
    Some(bits.saturating_mul(depth) / 8)
}

/// Whether a JPEG has an end after its last scan: its decoder makes something up for what is
/// missing. Inside a scan 0xFF is never followed by these markers.
fn whole_jpeg(bytes: &[u8]) -> Result<(), &'static str> {
    let mut scans = 0;
    let mut ended = false;
    for pair in bytes.windows(2) {
        match pair {
            [0xFF, 0xDA] => {
                scans += 1;
                ended = false;
            }
            [0xFF, 0xD9] => ended = true,
            _ => {}
        }
    }
    match ended {
        _ if scans > MOST_SCANS => Err("it is stored in more scans than any camera's"),
        false => Err("it is cut off"),
        true => Ok(()),
    }
}

/// The numbers of a map from a picture, without alpha.
fn numbers(kind: MapKind, picture: DynamicImage) -> Vec<u16> {
    use DynamicImage as D;
    let is_grey = matches!(
        picture,
        D::ImageLuma8(_) | D::ImageLumaA8(_) | D::ImageLuma16(_) | D::ImageLumaA16(_)
    );
    match (kind.channels(), picture) {
        (1, D::ImageLuma16(picture)) => picture.into_raw(),
        (1, picture) if is_grey => picture.into_luma16().into_raw(),
        (1, picture) => {
            let rgb = picture.into_rgb16().into_raw();
            rgb.as_chunks().0.iter().map(luma).collect()
        }
        (_, picture) => picture.into_rgb16().into_raw(),
    }
}

/// Rec. 709 luma in ten-thousandths, rounded: greys stay what they are.
fn luma(&[red, green, blue]: &[u16; 3]) -> u16 {
    let sum = 2126 * u32::from(red) + 7152 * u32::from(green) + 722 * u32::from(blue);
    ((sum + 5000) / 10_000) as u16
}

// A row of vertices fits into a picture.
const _: () = assert!(ROW <= MAX_SIDE);

#[cfg(test)]
mod tests;
