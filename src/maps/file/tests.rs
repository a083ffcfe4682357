use super::*;
use crate::maps::test_parts::picture_layout;
use proptest::prelude::*;

fn refusal(bytes: &[u8]) -> String {
    let error = Map::from_bytes(MapKind::Density, bytes).unwrap_err();
    error.to_string()
}

fn encoded(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn rgb(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 3]) -> image::RgbImage {
    image::RgbImage::from_fn(width, height, |x, y| image::Rgb(pixel(x, y)))
}

/// A grey PNG of 8 bits with this text of [`VERTICES`]; without pixels only its header.
fn png(width: u32, height: u32, vertices: Option<&str>, pixels: &[u8]) -> Vec<u8> {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, width, height);
    if let Some(said) = vertices {
        let added = encoder.add_text_chunk(VERTICES.into(), said.into());
        added.unwrap();
    }
    let mut writer = encoder.write_header().unwrap();
    if !pixels.is_empty() {
        writer.write_image_data(pixels).unwrap();
    }
    drop(writer);
    png
}

proptest! {
    #[test]
    fn maps_come_back_to_the_bit(
        numbers in prop::collection::vec(any::<u16>(), 3..200),
        width in 1_u32..20,
        per_vertex in any::<bool>(),
        kind in prop::sample::select(MapKind::ALL.to_vec()),
    ) {
        let values = (numbers.len() / kind.channels()) as u32;
        let width = width.min(values);
        let layout = match per_vertex {
            true => Layout::Vertices(values),
            false => Layout::Picture { width, height: values / width },
        };
        let values = numbers[..layout.values() * kind.channels()].to_vec();
        let map = Map { kind, layout, has_coverage: false, values };
        prop_assert_eq!(&Map::from_bytes(kind, &map.to_png().unwrap()).unwrap(), &map);
    }

    #[test]
    fn changed_bytes_give_a_map_or_an_error(
        mut at in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        end in any::<prop::sample::Index>(),
        start in prop::sample::select(vec![0, 1, 2]),
    ) {
        let map = Map::uniform(Layout::Vertices(9), MapKind::Tint, [0.1, 0.5, 0.9]).unwrap();
        let picture = rgb(9, 5, |x, y| [x as u8 * 20, y as u8 * 50, 128]);
        let mut bytes = match start {
            0 => map.to_png().unwrap(),
            1 => encoded(picture, ImageFormat::Png),
            _ => encoded(picture, ImageFormat::Jpeg),
        };
        bytes.truncate(end.index(bytes.len()) + 1);
        for (at, byte) in at.drain(..) {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(map) = Map::from_bytes(MapKind::Tint, &bytes) {
            prop_assert_eq!(map.values().len(), map.layout().values() * 3);
        }
    }
}

#[test]
fn more_vertices_than_a_row_come_back() {
    for count in [ROW, ROW + 1, 2 * ROW, 14_001] {
        let numbers = (0..count).map(|number| (number % 65_536) as u16);
        let kind = MapKind::Width;
        let map = Map {
            kind,
            layout: Layout::Vertices(count),
            has_coverage: false,
            values: numbers.collect(),
        };
        assert_eq!(Map::from_bytes(kind, &map.to_png().unwrap()), Ok(map));
    }
}

#[test]
fn pictures_of_all_formats_are_read() {
    use image::{GrayImage, ImageBuffer, Luma, LumaA};
    let read = |picture: DynamicImage, kind| {
        let map = Map::from_bytes(kind, &encoded(picture, ImageFormat::Png)).unwrap();
        map.values().to_vec()
    };
    // White, and primaries, by the weights of Rec. 709 on the values as stored.
    let colors = [[255; 3], [255, 0, 0], [0, 255, 0], [0, 0, 255]];
    let colors = rgb(4, 1, |x, _| colors[x as usize]).into();
    assert_eq!(read(colors, MapKind::Density), [65535, 13933, 46871, 4732]);
    let grey = ImageBuffer::<Luma<u16>, _>::from_vec(1, 1, vec![12345]).unwrap();
    assert_eq!(read(grey.into(), MapKind::Density), [12345]);
    let alpha = ImageBuffer::<LumaA<u16>, _>::from_vec(2, 1, vec![12345, 0, 54321, 9]).unwrap();
    assert_eq!(read(alpha.into(), MapKind::Density), [12345, 54321]);
    let grey = DynamicImage::from(GrayImage::from_vec(2, 1, vec![128, 255]).unwrap());
    assert_eq!(read(grey.clone(), MapKind::Density), [32896, 65535]);
    let repeated = [32896, 32896, 32896, 65535, 65535, 65535];
    assert_eq!(read(grey, MapKind::Tint), repeated);
    // A JPEG is near what went in.
    let jpeg = encoded(rgb(32, 16, |x, _| [x as u8 * 8; 3]), ImageFormat::Jpeg);
    let map = Map::from_bytes(MapKind::Density, &jpeg).unwrap();
    assert_eq!(map.layout(), picture_layout(32, 16));
    for (at, &value) in map.values().iter().enumerate() {
        assert!(value.abs_diff((at % 32 * 8) as u16 * 257) < 6 * 257);
    }
}

#[test]
fn broken_files_are_refused() {
    for bytes in [&b"density,1.0\n"[..], b"", b"GIF89a\x01\0\x01\0"] {
        let expected = "density map: it is neither PNG nor JPEG. Save the map as a PNG";
        assert_eq!(refusal(bytes), expected);
    }
    let picture = rgb(64, 64, |x, y| [x as u8 * 3, y as u8 * 3, (x * y) as u8]);
    for format in [ImageFormat::Png, ImageFormat::Jpeg] {
        let bytes = encoded(picture.clone(), format);
        for end in [12, 30, 60, bytes.len() / 2, bytes.len() * 9 / 10] {
            let text = refusal(&bytes[..end]);
            let is_broken = text.starts_with("density map: the picture is broken: ");
            assert!(
                is_broken && text.ends_with(". Save it again as a PNG"),
                "{text}"
            );
        }
    }
    let error = Map::load(Path::new("no/missing.png"), MapKind::Tint).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("missing.png: cannot be read: "), "{text}");
}

#[test]
fn sizes_are_checked_before_memory_is_taken() {
    // The beginning of the pixels, in place of the end of the file.
    let begun = |width, height| {
        let mut png = png(width, height, None, &[]);
        png.truncate(png.len() - 12);
        [&png[..], b"\0\0\0\0IDAT\x35\xaf\x06\x1e"].concat()
    };
    for (width, height) in [(8193, 1), (1, 8193), (0x7FFF_FFFF, 0x7FFF_FFFF)] {
        let text = refusal(&begun(width, height));
        let size = format!("{width} x {height} values; each side must be 1 to 8192");
        // The decoder itself may refuse.
        assert!(text.contains(&size) || text.contains("is broken"), "{text}");
    }
    let text = refusal(&begun(8192, 8192));
    let expected = "it has fewer bytes than its size needs";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn wrong_numbers_of_vertices_are_refused() {
    for said in ["4", "6", "0", "-", " "] {
        let png = png(5, 1, Some(said), &[255; 5]);
        let text = refusal(&png);
        let expected = " vertices, and has 5 x 1 values.";
        assert!(text.contains("for ") && text.contains(expected), "{text}");
    }
}
