use super::*;
use crate::maps::test_parts::{picture_layout, quad};
use proptest::prelude::*;

fn text(bytes: &[u8]) -> String {
    let error = Map::from_png(MapKind::Density, bytes).unwrap_err();
    error.to_string()
}

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn rgb(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 3]) -> DynamicImage {
    image::RgbImage::from_fn(width, height, |x, y| image::Rgb(pixel(x, y))).into()
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
        let map = Map { kind, layout, values };
        prop_assert_eq!(&Map::from_png(kind, &map.to_png().unwrap()).unwrap(), &map);
    }

    #[test]
    fn no_bytes_break_it(
        mut at in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        end in any::<prop::sample::Index>(),
        start in prop::sample::select(vec![0, 1, 2]),
    ) {
        let map = Map::uniform(Layout::Vertices(9), MapKind::Tint, [0.1, 0.5, 0.9]).unwrap();
        let picture = rgb(9, 5, |x, y| [x as u8 * 20, y as u8 * 50, 128]);
        let mut bytes = match start {
            0 => map.to_png().unwrap(),
            1 => encoded(&picture, ImageFormat::Png),
            _ => encoded(&picture, ImageFormat::Jpeg),
        };
        bytes.truncate(end.index(bytes.len()) + 1);
        for (at, byte) in at.drain(..) {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(map) = Map::from_png(MapKind::Tint, &bytes) {
            prop_assert_eq!(map.values().len(), map.layout().values() * 3);
        }
    }
}

#[test]
fn more_vertices_than_a_row_come_back() {
    for count in [ROW, ROW + 1, 2 * ROW, 14_001] {
        let numbers = (0..count).map(|number| (number % 65_536) as u16);
        let map = Map {
            kind: MapKind::Width,
            layout: Layout::Vertices(count),
            values: numbers.collect(),
        };
        assert_eq!(
            Map::from_png(MapKind::Width, &map.to_png().unwrap()),
            Ok(map)
        );
    }
}

#[test]
fn files_are_written_whole_and_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tint.png");
    let map = Map::uniform(picture_layout(7, 3), MapKind::Tint, [0.1, 0.2, 0.3]).unwrap();
    map.save(&path).unwrap();
    assert_eq!(Map::load(&path, MapKind::Tint).unwrap(), map);

    let missing = folder.path().join("missing.png");
    let error = Map::load(&missing, MapKind::Tint).unwrap_err().to_string();
    assert!(error.contains("missing.png: cannot be read: "), "{error}");
    let nowhere = folder.path().join("no/such.png");
    let error = map.save(&nowhere).unwrap_err().to_string();
    assert!(error.contains("such.png: cannot be written: "), "{error}");
}

#[test]
fn any_picture_will_do() {
    let grey = |bytes: &[u8]| Map::from_png(MapKind::Density, bytes).unwrap();
    // White, and primaries, by the weights of Rec. 709 on the values as stored.
    let picture = rgb(4, 1, |x, _| {
        [[255; 3], [255, 0, 0], [0, 255, 0], [0, 0, 255]][x as usize]
    });
    let map = grey(&encoded(&picture, ImageFormat::Png));
    assert_eq!(map.values(), [65535, 13933, 46871, 4732]);
    // A JPEG of 8 bits is near what went in.
    let picture = rgb(32, 16, |x, _| [x as u8 * 8, x as u8 * 8, x as u8 * 8]);
    let jpeg = encoded(&picture, ImageFormat::Jpeg);
    let map = grey(&jpeg);
    assert_eq!(map.layout(), picture_layout(32, 16));
    for (at, &value) in map.values().iter().enumerate() {
        assert!(value.abs_diff((at % 32 * 8) as u16 * 257) < 6 * 257);
    }
    let map = Map::from_png(MapKind::Tint, &jpeg).unwrap();
    assert_eq!(map.values().len(), 32 * 16 * 3);
    // Grey of 16 bits as it is; alpha counts for nothing.
    type Grey = image::ImageBuffer<image::Luma<u16>, Vec<u16>>;
    type GreyAlpha = image::ImageBuffer<image::LumaA<u16>, Vec<u16>>;
    let picture = Grey::from_vec(1, 1, vec![12345]).unwrap();
    assert_eq!(
        grey(&encoded(&picture.into(), ImageFormat::Png)).values(),
        [12345]
    );
    let picture = GreyAlpha::from_vec(2, 1, vec![12345, 0, 54321, 9]).unwrap();
    assert_eq!(
        grey(&encoded(&picture.into(), ImageFormat::Png)).values(),
        [12345, 54321]
    );
    // Grey of 8 bits reaches white, and gives three equal numbers.
    let picture: DynamicImage = image::GrayImage::from_vec(2, 1, vec![128, 255])
        .unwrap()
        .into();
    let png = encoded(&picture, ImageFormat::Png);
    assert_eq!(grey(&png).values(), [128 * 257, 65535]);
    let map = Map::from_png(MapKind::Tint, &png).unwrap();
    assert_eq!(map.values(), [32896, 32896, 32896, 65535, 65535, 65535]);
}

#[test]
fn what_is_no_picture_is_refused() {
    assert_eq!(
        text(b"density,1.0\n"),
        "density map: it is neither PNG nor JPEG. Save the map as a PNG"
    );
    assert!(text(b"").contains("neither PNG nor JPEG"));
    assert!(text(b"GIF89a\x01\0\x01\0").contains("neither PNG nor JPEG"));
}

#[test]
fn what_is_cut_off_is_refused() {
    let picture = rgb(64, 64, |x, y| [x as u8 * 3, y as u8 * 3, (x * y) as u8]);
    for format in [ImageFormat::Png, ImageFormat::Jpeg] {
        let bytes = encoded(&picture, format);
        for end in [12, 30, 60, bytes.len() / 2, bytes.len() * 9 / 10] {
            let text = text(&bytes[..end]);
            assert!(
                text.starts_with("density map: the picture is broken: "),
                "{text}"
            );
            assert!(text.ends_with(". Save it again as a PNG"), "{text}");
        }
    }
}

/// A PNG that declares a size and has no pixels.
fn declared(width: u32, height: u32) -> Vec<u8> {
    let mut png = Vec::new();
    let encoder = png::Encoder::new(&mut png, width, height);
    drop(encoder.write_header().unwrap());
    // The beginning of its pixels.
    let end = png.len() - 12;
    png.splice(end.., *b"\0\0\0\0IDAT\x35\xaf\x06\x1e");
    png
}

#[test]
fn sizes_are_refused_before_anything_is_made_for_them() {
    for (width, height) in [(8193, 1), (1, 8193), (0x7FFF_FFFF, 0x7FFF_FFFF)] {
        let text = text(&declared(width, height));
        let size = text.contains(&format!(
            "{width} x {height} values; each side must be 1 to 8192"
        ));
        // The decoder itself may have refused.
        assert!(size || text.contains("is broken"), "{text}");
    }
    let text = text(&declared(8192, 8192));
    assert!(
        text.contains("it has fewer bytes than its size needs"),
        "{text}"
    );
}

#[test]
fn values_of_other_vertices_are_refused() {
    let map = Map::uniform(Layout::Vertices(5), MapKind::Density, [1.0; 3]).unwrap();
    for said in ["4", "6", "0", "-", " "] {
        let text = text(&map.encoded(Some(said)).unwrap());
        assert!(
            text.contains("for ") && text.contains(" vertices, and has 5 x 1 values."),
            "{text}"
        );
    }
    let part = quad(None);
    let error = map.check_fits(&part).unwrap_err().to_string();
    assert!(
        error.contains("has values for 5 vertices, and the model has 4"),
        "{error}"
    );
    let map = Map::uniform(picture_layout(1, 1), MapKind::Density, [1.0; 3]).unwrap();
    let error = map.check_fits(&part).unwrap_err().to_string();
    assert!(error.contains("the model has no UVs"), "{error}");
}
