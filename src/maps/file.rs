//! Reading maps from pictures, and writing them as PNG.

use super::map::{Layout, MAX_SIDE, Map, MapError, MapErrorKind, MapKind, ROW, named};
use crate::files::{FileError, read_plain};
use crate::jpeg::JpegStructure;
use crate::told::short;
use image::{ColorType, DynamicImage, ImageDecoder, ImageFormat, ImageReader};
use std::fmt::Display;
use std::io::Cursor;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

/// Largest file that is read, bytes: the largest map, practically uncompressed.
const MAX_FILE: u64 = 640 << 20;
/// Largest allocation of a decoder beside the pixels, bytes: profiles and texts.
const DECODER_BYTES: usize = 16 << 20;
/// Largest compression ratio of deflate: a PNG that declares more pixels is not complete.
const MAX_INFLATION: u64 = 1032;
/// Largest number of scans of a JPEG; each decodes the whole picture again, and usual files have
/// about ten.
const MAX_SCANS: u64 = 100;
/// Keyword of the PNG text that tells the number of vertices of a map with a value for each.
const VERTICES: &str = "mohawk vertices";

impl Map {
    /// Reads a map from a PNG or JPEG file, 8 or 16 bits.
    ///
    /// Grey maps take the luma of coloured pictures (Rec. 709 weights on the values as stored);
    /// alpha is ignored.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is no PNG or JPEG, is broken, or is larger than a map may be.
    pub fn load(path: &Path, kind: MapKind) -> Result<Map, MapError> {
        let bytes = read_plain(path, MAX_FILE);
        let bytes = bytes.map_err(|error| MapErrorKind::Unreadable(error.to_string()));
        let map = bytes.and_then(|bytes| Self::from_bytes_within(kind, false, &bytes, u64::MAX));
        map.map_err(FileError::of(path.display()))
    }

    /// Reads a map from the bytes of a PNG or JPEG file, like [`Map::load`]. The values of a file
    /// of [`Map::to_png`] are restored to the bit.
    ///
    /// # Errors
    ///
    /// The errors of [`Map::load`].
    pub fn from_bytes(kind: MapKind, bytes: &[u8]) -> Result<Map, MapError> {
        Self::from_bytes_within(kind, false, bytes, u64::MAX).map_err(named(kind))
    }

    /// Reads a map in the same way if that takes at most `left` bytes of memory; else the error is
    /// [`MapErrorKind::Memory`]. The coverage of a layer is the alpha, full if there is none.
    pub(crate) fn from_bytes_within(
        kind: MapKind,
        has_coverage: bool,
        bytes: &[u8],
        left: u64,
    ) -> Result<Map, MapErrorKind> {
        let allows = |decoder: &dyn ImageDecoder| {
            let needs = memory(kind, has_coverage, decoder);
            (needs <= left)
                .then_some(())
                .ok_or(MapErrorKind::Memory(needs))
        };
        // If a decoder panics, only the map is lost.
        let picture = panic::catch_unwind(AssertUnwindSafe(|| decode(bytes, allows)));
        let (picture, vertices) = picture.unwrap_or_else(|_| Err(broken("its decoder fails")))?;
        let (width, height) = (picture.width(), picture.height());
        let mut map = Map {
            kind,
            layout: Layout::Picture { width, height },
            has_coverage,
            values: numbers(kind, has_coverage, picture),
        };
        if let Some(said) = vertices {
            let fits = |&count: &u32| {
                count > 0 && [width, height] == [count.min(ROW), count.div_ceil(ROW)]
            };
            let Some(count) = said.parse().ok().filter(fits) else {
                return Err(MapErrorKind::Padding(said, width, height));
            };
            map.layout = Layout::Vertices(count);
            map.values.truncate(count as usize * map.channels());
        }
        Ok(map)
    }

    /// Returns the map as a PNG of 16 bits, grey or RGB, with alpha if it is a layer. Values per vertex are laid out in rows,
    /// and a text in the file tells their number.
    ///
    /// # Errors
    ///
    /// The encoder fails.
    pub fn to_png(&self) -> Result<Vec<u8>, MapError> {
        self.to_png_of(false)
    }

    /// Returns the same, on demand without compression.
    pub(crate) fn to_png_of(&self, is_plain: bool) -> Result<Vec<u8>, MapError> {
        let png = self.encoded(is_plain);
        png.map_err(|error| named(self.kind)(MapErrorKind::Unwritable(error.to_string())))
    }

    fn encoded(&self, is_plain: bool) -> Result<Vec<u8>, png::EncodingError> {
        let (width, height) = match self.layout {
            Layout::Picture { width, height } => (width, height),
            Layout::Vertices(count) => (count.min(ROW), count.div_ceil(ROW)),
        };
        let channels = self.channels();
        let mut png = Vec::new();
        let mut encoder = png::Encoder::new(&mut png, width, height);
        encoder.set_color(match channels {
            1 => png::ColorType::Grayscale,
            2 => png::ColorType::GrayscaleAlpha,
            3 => png::ColorType::Rgb,
            _ => png::ColorType::Rgba,
        });
        encoder.set_depth(png::BitDepth::Sixteen);
        encoder.set_filter(png::Filter::Adaptive);
        if is_plain {
            encoder.set_compression(png::Compression::NoCompression);
        }
        if let Layout::Vertices(count) = self.layout {
            encoder.add_text_chunk(VERTICES.to_owned(), count.to_string())?;
        }
        let numbers = width as usize * height as usize * channels;
        let mut bytes: Vec<u8> = self.values.iter().flat_map(|n| n.to_be_bytes()).collect();
        bytes.resize(numbers * 2, 0);
        encoder.write_header()?.write_image_data(&bytes)?;
        Ok(png)
    }
}

fn broken(problem: impl Display) -> MapErrorKind {
    MapErrorKind::Broken(short(&problem.to_string().replace('\n', " ")))
}

/// Decodes a picture, and what it says about vertices.
fn decode(
    bytes: &[u8],
    allows: impl Fn(&dyn ImageDecoder) -> Result<(), MapErrorKind>,
) -> Result<(DynamicImage, Option<String>), MapErrorKind> {
    let mut vertices = None;
    let format = match image::guess_format(bytes) {
        Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg)) => format,
        _ => return Err(MapErrorKind::NoPicture),
    };
    if format == ImageFormat::Png {
        let limits = png::Limits {
            bytes: DECODER_BYTES,
        };
        let reader = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
        let reader = reader.read_info().map_err(broken)?;
        let info = reader.info();
        let (width, height) = (info.width, info.height);
        Layout::Picture { width, height }.check()?;
        if info.raw_bytes() as u64 > (bytes.len() as u64).saturating_mul(MAX_INFLATION) {
            return Err(broken("it has fewer bytes than its size needs"));
        }
        let mut texts = info.uncompressed_latin1_text.iter();
        let text = texts.find(|text| text.keyword == VERTICES);
        vertices = text.map(|text| short(&text.text));
    } else {
        let jpeg = JpegStructure::of(bytes);
        if jpeg.scans > MAX_SCANS {
            return Err(broken("it is stored in more scans than any camera's"));
        }
        // The decoder would invent what is missing.
        if !jpeg.is_complete {
            return Err(broken("it is cut off"));
        }
    }
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(DECODER_BYTES as u64);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(broken)?;
    let (width, height) = decoder.dimensions();
    Layout::Picture { width, height }.check()?;
    allows(&decoder)?;
    let picture = DynamicImage::from_decoder(decoder).map_err(broken)?;
    Ok((picture, vertices))
}

/// Returns the bytes of memory that a picture takes until it is a map.
fn memory(kind: MapKind, has_coverage: bool, decoder: &dyn ImageDecoder) -> u64 {
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    let numbers = kind.channels() as u64 + u64::from(has_coverage);
    let color = decoder.color_type();
    let is_that = matches!(
        (color, numbers),
        (ColorType::L16, 1) | (ColorType::La16, 2) | (ColorType::Rgb16, 3) | (ColorType::Rgba16, 4)
    );
    match is_that {
        true => decoder.total_bytes(),
        // The decoded bytes, four numbers per pixel and those of the map; a number has 2 bytes. A
        // JPEG of many scans keeps three more in between.
        false => decoder.total_bytes() + pixels * 2 * (4 + numbers + 3),
    }
}

/// Converts a picture to the numbers of a map; those of a layer have its alpha as their coverage.
fn numbers(kind: MapKind, has_coverage: bool, picture: DynamicImage) -> Vec<u16> {
    let has_color = picture.color().has_color();
    match (kind.channels(), has_color, has_coverage) {
        (1, false, false) => picture.into_luma16().into_raw(),
        (1, false, true) => picture.into_luma_alpha16().into_raw(),
        (1, true, false) => {
            let rgb = picture.into_rgb16().into_raw();
            rgb.as_chunks().0.iter().map(luma).collect()
        }
        (1, true, true) => {
            let rgba = picture.into_rgba16().into_raw();
            let pixels = rgba.as_chunks().0.iter();
            pixels
                .flat_map(|&[r, g, b, a]| [luma(&[r, g, b]), a])
                .collect()
        }
        (_, _, false) => picture.into_rgb16().into_raw(),
        (_, _, true) => picture.into_rgba16().into_raw(),
    }
}

/// Rec. 709 luma in ten-thousandths, rounded so that greys stay the same.
fn luma(&[red, green, blue]: &[u16; 3]) -> u16 {
    let sum = 2126 * u32::from(red) + 7152 * u32::from(green) + 722 * u32::from(blue);
    ((sum + 5000) / 10_000) as u16
}

// A row of vertices fits into a picture.
const _: () = assert!(ROW <= MAX_SIDE);

#[cfg(test)]
mod tests;
