use super::*;
use crate::head::{HeadSettings, Paint};
use crate::{maps::test_parts::quad, render::Offscreen};

/// The quad in the middle of the square, half as wide.
fn small_quad() -> Part {
    let uvs = [[0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]];
    quad(Some(uvs.map(Vec2::from)))
}

/// Draws a canvas of the whole square, 64 pixels wide, with each of some maps.
fn pictures<const N: usize>(part: &Part, maps: [(MapKind, Option<&Map>); N]) -> [RgbaImage; N] {
    let offscreen = Offscreen::new().unwrap();
    // Without materials.
    let mut head = Head::shipped(&HeadSettings::default()).unwrap();
    head.materials.clear();
    let canvas = UvCanvas::new(offscreen.context(), &head, part).unwrap();
    let mut canvas = canvas.unwrap();
    maps.map(|(kind, map)| {
        canvas.set_map(part, kind, map);
        canvas.picture(64, Vec2::ZERO, 1.0).unwrap()
    })
}

fn brightness(picture: &RgbaImage, x: u32, y: u32) -> u8 {
    let [red, green, blue, alpha] = picture.get_pixel(x, y).0;
    assert_eq!((red, red, 255), (green, blue, alpha));
    red
}

/// Checks that a grey value is shown at a pixel, to within a number of steps.
fn check(picture: &RgbaImage, [x, y]: [u32; 2], value: f32, within: u8) {
    let shown = ((0.13 + 0.76 * value) * 255.0).round() as u8;
    let found = brightness(picture, x, y);
    assert!(found.abs_diff(shown) <= within, "{found}, not {shown}");
}

#[test]
fn pictures_show_values_where_the_skin_is() {
    let (width, height) = (4, 2);
    let layout = Layout::Picture { width, height };
    let mut length = Map::uniform(layout, MapKind::Length, [1.0; 3]).unwrap();
    for (column, value) in [(1, 0.5), (2, 0.0)] {
        length.set(column, [value; 3]);
        length.set(4 + column, [value; 3]);
    }
    let tint = Map::uniform(layout, MapKind::Tint, [1.0, 0.0, 0.5]).unwrap();
    let maps = [
        (MapKind::Length, Some(&length)),
        (MapKind::Tint, Some(&tint)),
    ];
    let [length, tint] = pictures(&small_quad(), maps);
    check(&length, [23, 40], 0.5, 4);
    check(&length, [39, 20], 0.0, 4);
    check(&length, [31, 20], 0.26, 4);
    // Background, border, and the edge along the diagonal.
    assert_eq!(length.get_pixel(5, 32), length.get_pixel(60, 2));
    assert!(length.get_pixel(5, 32).0[0] < 30);
    let [red, _, blue, _] = length.get_pixel(16, 32).0;
    assert!(blue > red + 60);
    assert!(brightness(&length, 38, 38) > brightness(&length, 38, 30) + 20);
    let [red, green, blue, _] = tint.get_pixel(23, 40).0;
    assert!(red > 235 && green < 20 && blue.abs_diff(127) < 10);
}

#[test]
fn without_a_map_the_paint_is_shown_and_other_kinds_are_neutral() {
    let mut part = small_quad();
    let mut curl = Map::uniform(Layout::Vertices(4), MapKind::Curl, [0.0; 3]).unwrap();
    curl.set(2, [1.0; 3]);
    let maps = [
        (MapKind::Density, None),
        (MapKind::Length, None),
        (MapKind::Curl, Some(&curl)),
    ];
    let [bald, length, curl] = pictures(&part, maps);
    check(&bald, [23, 40], 0.0, 1);
    check(&length, [23, 40], 1.0, 1);
    // Values per vertex are interpolated.
    assert!(brightness(&curl, 18, 44) > brightness(&curl, 22, 36) + 30);

    part.paint = Some(Paint {
        set: 0,
        why: String::new(),
        density: vec![1.0, 0.0, 1.0, 1.0],
        is_own: false,
    });
    let [painted] = pictures(&part, [(MapKind::Density, None)]);
    // The triangle with a bald corner is bald.
    assert!(brightness(&painted, 23, 40) > 220);
    check(&painted, [40, 23], 0.0, 1);
}

#[test]
fn triangles_beyond_the_unit_square_tile_and_the_first_is_in_front() {
    let uvs = [[2.75, -0.25], [3.25, -0.25], [2.75, 0.25], [3.25, 0.25]];
    let mut part = quad(Some(uvs.map(Vec2::from)));
    let [tiled] = pictures(&part, [(MapKind::Length, None)]);
    for (x, y) in [(4, 7), (60, 4), (4, 60), (57, 60)] {
        assert!(brightness(&tiled, x, y) > 200);
    }
    assert!(tiled.get_pixel(32, 32).0[0] < 30);

    // Two quads on each other, the second one with another value.
    part = small_quad();
    part.positions.extend_from_within(..);
    part.normals.extend_from_within(..);
    part.uvs.as_mut().unwrap().extend_from_within(..);
    let mut map = Map::uniform(Layout::Vertices(8), MapKind::Curl, [0.0; 3]).unwrap();
    (4..8).for_each(|vertex| map.set(vertex, [1.0; 3]));
    let (first, second) = ([[0, 2, 3], [0, 3, 1]], [[4, 6, 7], [4, 7, 5]]);
    for (order, value) in [([first, second], 0.0), ([second, first], 1.0)] {
        part.triangles = order.concat();
        let [picture] = pictures(&part, [(MapKind::Curl, Some(&map))]);
        check(&picture, [23, 40], value, 1);
    }
}

#[test]
fn the_shipped_head_is_seen_with_its_paint_its_skin_and_its_relief() {
    let head = Head::shipped(&HeadSettings::default()).unwrap();
    let part = &head.parts[head.scalp_part.unwrap()];
    let offscreen = Offscreen::new().unwrap();
    let canvas = UvCanvas::new(offscreen.context(), &head, part).unwrap();
    let mut canvas = canvas.unwrap();
    let painted = canvas.picture(512, Vec2::ZERO, 1.0).unwrap();
    canvas.set_map(part, MapKind::Length, None);
    let length = canvas.picture(512, Vec2::ZERO, 1.0).unwrap();
    let color = |picture: &RgbaImage, x, y| picture.get_pixel(x, y).0.map(i32::from);
    // The mohawk, the forehead, and the background.
    let [red, green, blue, _] = color(&painted, 255, 216);
    assert!(red > 200 && green > 150 && red > blue + 20);
    let [red, green, blue, _] = color(&painted, 255, 257);
    assert!(red < 70 && green < 60 && red > blue, "{red} {green} {blue}");
    assert!(color(&painted, 20, 130)[..3].iter().all(|&c| c < 40));
    // The underside of the nose is darker than its bridge.
    let column: Vec<i32> = (334..387).map(|y| color(&length, 255, y)[1]).collect();
    let (low, high) = (column.iter().min().unwrap(), column.iter().max().unwrap());
    assert!(high - low > 25, "{column:?}");
    // Magnified, a part of it fills the picture.
    let nose = canvas.picture(64, Vec2::new(0.4, 0.7), 5.0).unwrap();
    let difference = color(&nose, 32, 32)[1] - color(&length, 256, 410)[1];
    assert!(difference.abs() < 40, "{difference}");
}
