use super::*;
use crate::head::{Head, HeadSettings};
use crate::maps::canvas::tests::{ALL_OF_IT, quad, shipped};
use crate::maps::seams::{across, seam_points};
use crate::maps::{Canvas, Dab, Layout, Tool, Touched};
use proptest::prelude::*;
use std::sync::LazyLock;

static SHIPPED: LazyLock<(Part, Flat)> = LazyLock::new(|| {
    let part = shipped();
    let flat = Flat::of_part(&part).unwrap();
    (part, flat)
});

/// The quad in the middle of the square, half as wide.
fn small_quad() -> Part {
    let uvs = [[0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]];
    quad(Some(uvs.map(Vec2::from)))
}

fn at(u: f32, v: f32) -> Vec2 {
    Vec2::new(u, v)
}

#[test]
fn places_are_those_computed_by_hand() {
    let part = small_quad();
    let flat = Flat::of_part(&part).unwrap();
    let find = |u, v| flat.find(&part, at(u, v));
    let found = find(0.625, 0.375).unwrap();
    // v goes down, and y up: three quarters of the way right, one quarter down.
    assert_eq!(found.position, Vec3::new(0.5, 0.5, 0.0));
    assert_eq!((found.scale, found.triangle), (4.0, 1));
    assert_eq!(found.weights, Vec3::new(0.25, 0.25, 0.5));
    assert_eq!(find(0.5, 0.5).unwrap().position, Vec3::ZERO);
    // On the edge of both, the first has it.
    assert_eq!(find(0.5, 0.5).unwrap().triangle, 0);
    assert_eq!(find(0.25, 0.25).unwrap().position, part.positions[0]);
    // The square tiles.
    assert_eq!(find(-1.375, 3.375).unwrap(), found);
    for (u, v) in [(0.2, 0.5), (0.5, 0.8), (0.0, 0.0), (0.75001, 0.5)] {
        assert_eq!(find(u, v), None);
    }
    // What is outside by rounding is on the border.
    let border = find(0.750_000_5, 0.5).unwrap();
    assert!(border.position.distance(Vec3::X) < 1e-5);
}

#[test]
fn uvs_beyond_the_square_and_across_its_border_are_found_in_it() {
    let uvs = [[2.75, -0.25], [3.25, -0.25], [2.75, 0.25], [3.25, 0.25]];
    let part = quad(Some(uvs.map(Vec2::from)));
    let flat = Flat::of_part(&part).unwrap();
    for (u, v, x, y) in [
        (0.125, 0.125, 0.5, -0.5),
        (0.875, 0.875, -0.5, 0.5),
        (0.875, 0.125, -0.5, -0.5),
        (0.0, 0.0, 0.0, 0.0),
    ] {
        let found = flat.find(&part, at(u, v)).unwrap();
        assert_eq!(found.position, Vec3::new(x, y, 0.0));
    }
    assert_eq!(flat.find(&part, at(0.5, 0.5)), None);
}

#[test]
fn of_triangles_that_overlap_the_first_is_found() {
    let mut part = quad(ALL_OF_IT);
    let lower: Vec<Vec3> = part.positions.iter().map(|p| *p - Vec3::Z).collect();
    part.positions.extend(lower);
    part.normals.extend_from_within(..);
    part.uvs.as_mut().unwrap().extend_from_within(..);
    let upper = part.triangles.clone();
    let lower = [[4, 6, 7], [4, 7, 5]];
    for (order, z) in [([&upper[..], &lower], 0.0), ([&lower, &upper[..]], -1.0)] {
        part.triangles = order.concat();
        let flat = Flat::of_part(&part).unwrap();
        for (u, v) in [(0.1, 0.7), (0.7, 0.1), (0.5, 0.5)] {
            assert_eq!(flat.find(&part, at(u, v)).unwrap().position.z, z);
        }
    }
}

proptest! {
    /// From the skin to its UV and back; where the layout overlaps, to the first triangle of all.
    #[test]
    fn a_point_of_the_shipped_head_leads_back(
        triangle in 0..12_914_u32,
        weights in [0.01_f32..1.0, 0.01_f32..1.0, 0.01_f32..1.0],
    ) {
        let (part, flat) = &*SHIPPED;
        let uvs = part.uvs.as_ref().unwrap();
        let corners = part.triangles[triangle as usize];
        let weights = Vec3::from(weights) / Vec3::from(weights).element_sum();
        let [a, b, c] = corners.map(|v| v as usize);
        let uv = uvs[a] * weights.x + uvs[b] * weights.y + uvs[c] * weights.z;
        let p = &part.positions;
        let point = p[a] * weights.x + p[b] * weights.y + p[c] * weights.z;
        prop_assume!(Shape::of(uvs, corners).is_some());
        let found = flat.find(part, uv).unwrap();
        let folded = DVec2::new(fold(uv.x.into()), fold(uv.y.into()));
        let inside = |shape: Option<(Shape, [u32; 3])>| {
            shape.is_some_and(|(shape, _)| matches!(shape.weights_folded(folded), Some((_, true))))
        };
        let first = shapes(part).position(inside);
        prop_assert!(first.is_none_or(|first| first == found.triangle as usize));
        if found.triangle == triangle {
            prop_assert!(found.position.distance(point) < 1e-4);
        }
        let others = shapes(part).filter(|shape| inside(*shape)).count();
        if others == 1 {
            prop_assert!(found.position.distance(point) < 1e-4);
        }
    }

    #[test]
    fn any_uvs_are_borne(
        uvs in prop::collection::vec(
            (prop::num::f32::ANY, -3.0_f32..4.0),
            4,
        ),
        swap in any::<bool>(),
        place in (prop::num::f32::ANY, prop::num::f32::ANY),
    ) {
        let uv = |i: usize| if swap { at(uvs[i].1, uvs[i].0) } else { uvs[i].into() };
        let part = quad(Some([uv(0), uv(1), uv(2), uv(3)]));
        if let Some(flat) = Flat::of_part(&part) {
            for place in [Vec2::from(place), at(0.3, 0.6), uv(1)] {
                let found = flat.find(&part, place);
                let on_quad = |found: FlatPoint| {
                    found.position.abs().max_element() <= 1.0 + 1e-6 && found.scale.is_finite()
                };
                prop_assert!(found.is_none_or(on_quad));
            }
            prop_assert_eq!(flat.picture(&part, None, 8).dimensions(), (8, 8));
        }
    }
}

#[test]
fn parts_without_usable_uvs_have_no_layout() {
    assert!(Flat::of_part(&quad(None)).is_none());
    for bad in [f32::NAN, f32::INFINITY, 1e30, 1e5] {
        let flat = Flat::of_part(&quad(Some([at(bad, 0.5); 4])));
        assert!(flat.is_none());
    }
    // A line, a point, and vertices that are not there.
    assert!(Flat::of_part(&quad(Some([at(0.5, 0.5); 4]))).is_none());
    let line = [at(0.0, 0.0), at(0.5, 0.5), at(0.25, 0.25), at(1.0, 1.0)];
    assert!(Flat::of_part(&quad(Some(line))).is_none());
    let mut part = quad(ALL_OF_IT);
    part.triangles = vec![[0, 1, 4], [0, 1, u32::MAX]];
    assert!(Flat::of_part(&part).is_none());
    // Of another part nothing is found.
    let flat = Flat::of_part(&quad(ALL_OF_IT)).unwrap();
    assert_eq!(flat.find(&part, at(0.3, 0.6)), None);
    assert_eq!(flat.find(&quad(None), at(0.3, 0.6)), None);
}

#[test]
fn a_million_triangles_on_one_another_are_borne() {
    let far = [at(0.0, 0.0), at(7.5, 0.0), at(0.0, 7.5), at(7.5, 7.5)];
    for uvs in [ALL_OF_IT, Some(far)] {
        let mut part = quad(uvs);
        part.triangles = vec![[0, 2, 3]; 1_000_000];
        let flat = Flat::of_part(&part).unwrap();
        let bytes = flat.cells.bytes();
        assert!(bytes < 64 << 20, "{bytes}");
        assert_eq!(flat.find(&part, at(0.2, 0.7)).unwrap().triangle, 0);
        let picture = flat.picture(&part, None, 64);
        assert_eq!(picture.dimensions(), (64, 64));
    }
}

fn brightness(picture: &image::RgbaImage, x: u32, y: u32) -> u8 {
    let [red, green, blue, alpha] = picture.get_pixel(x, y).0;
    assert_eq!((red, red, 255), (green, blue, alpha));
    red
}

#[test]
fn pictures_show_values_where_the_skin_is() {
    let part = small_quad();
    let flat = Flat::of_part(&part).unwrap();
    let picture = Layout::Picture {
        width: 4,
        height: 2,
    };
    let mut map = Map::uniform(picture, MapKind::Length, [1.0; 3]).unwrap();
    for (column, value) in [(1, 0.5), (2, 0.0)] {
        map.set(column, [value; 3]);
        map.set(4 + column, [value; 3]);
    }
    let shown = flat.picture(&part, Some(&map), 64);
    assert_eq!(shown.dimensions(), (64, 64));
    // Half, and between half and the least. Not on the diagonal.
    let expected = |v: f32| ((shade::GREYS[0] + shade::GREYS[1] * v) * 255.0).round() as u8;
    assert!(brightness(&shown, 23, 40).abs_diff(expected(0.5)) <= 4);
    assert!(brightness(&shown, 39, 20).abs_diff(expected(0.0)) <= 4);
    assert!(brightness(&shown, 31, 20).abs_diff(expected(0.26)) <= 3);
    // No skin, and its border.
    assert_eq!(shown.get_pixel(5, 32), shown.get_pixel(60, 2));
    assert!(shown.get_pixel(5, 32).0[0] < 30);
    let [red, _, blue, _] = shown.get_pixel(16, 32).0;
    assert!(blue > red + 60);
    // An edge is seen, on what is bright and on what is dark.
    assert!(brightness(&shown, 38, 38) > brightness(&shown, 38, 30) + 20);
    // What is kept makes no difference.
    assert_eq!(flat.picture(&part, Some(&map), 64), shown);
    flat.picture(&part, Some(&map), 32);
    let again = Flat::of_part(&part).unwrap();
    assert_eq!(flat.picture(&part, Some(&map), 64), shown);
    assert_eq!(again.picture(&part, Some(&map), 64), shown);
    // Colours as they are stored, but for a little.
    let tint = Map::uniform(picture, MapKind::Tint, [1.0, 0.0, 0.5]).unwrap();
    let [red, green, blue, _] = flat.picture(&part, Some(&tint), 64).get_pixel(23, 40).0;
    assert!(red > 235 && green < 20 && blue.abs_diff(127) < 10);
    // Sides out of range are the nearest that is in it.
    assert_eq!(flat.picture(&part, None, 0).dimensions(), (1, 1));
}

#[test]
fn without_a_map_paint_is_shown_and_other_kinds_are_neutral() {
    let mut part = small_quad();
    let flat = Flat::of_part(&part).unwrap();
    let dark = (shade::GREYS[0] * 255.0).ceil() as u8;
    assert!(brightness(&flat.picture(&part, None, 64), 23, 40) <= dark);
    let length = flat.picture_of(&part, MapKind::Length, None, 64);
    assert!(brightness(&length, 23, 40) > 220);
    part.paint = Some(crate::head::Paint {
        set: 0,
        density: vec![1.0, 0.0, 1.0, 1.0],
    });
    let painted = flat.picture(&part, None, 64);
    // The triangle with a bald corner is bald.
    assert!(brightness(&painted, 23, 40) > 220);
    assert!(brightness(&painted, 40, 23) <= dark);
    // Values per vertex are between those of the corners.
    let mut map = Map::uniform(Layout::Vertices(4), MapKind::Curl, [0.0; 3]).unwrap();
    map.set(2, [1.0; 3]);
    let shown = flat.picture(&part, Some(&map), 64);
    assert!(brightness(&shown, 18, 44) > brightness(&shown, 22, 36) + 30);
}

#[test]
fn the_shipped_head_is_seen_with_its_paint_its_skin_and_its_relief() {
    let head = Head::shipped(&HeadSettings::default()).unwrap();
    let part = &head.parts[head.scalp_part.unwrap()];
    let flat = Flat::of_head(&head, part).unwrap();
    let seen = |picture: &image::RgbaImage, x, y| {
        let [red, green, blue, _] = picture.get_pixel(x, y).0.map(i32::from);
        [red, green, blue]
    };
    let painted = flat.picture(part, None, 512);
    if let Some(folder) = std::env::var_os("MOHAWK_FLAT_PICTURES") {
        // For eyes: nothing else says whether it is legible.
        let folder = std::path::PathBuf::from(folder);
        let canvas = Canvas::of_part(part, 1024);
        let none = MapKind::Direction.neutral();
        let mut direction = Map::uniform(canvas.layout(), MapKind::Direction, none).unwrap();
        let mut length = Map::uniform(canvas.layout(), MapKind::Length, [0.0; 3]).unwrap();
        for centre in part.positions.iter().step_by(160).copied() {
            let value = (centre.normalize() * 0.5 + 0.5).to_array();
            let dab = Dab {
                centre,
                value,
                ..Dab::default()
            };
            direction.dab(&canvas, &dab, &mut Touched::default());
            length.dab(&canvas, &dab, &mut Touched::default());
        }
        painted.save(folder.join("paint.png")).unwrap();
        for map in [&direction, &length] {
            for side in [512, 1024] {
                let name = format!("{}-{side}.png", map.kind());
                let picture = flat.picture(part, Some(map), side);
                picture.save(folder.join(name)).unwrap();
            }
        }
    }
    // The mohawk, the forehead, and where no skin is.
    let [red, green, blue] = seen(&painted, 255, 318);
    assert!(red > 200 && green > 150 && red > blue + 20);
    let [red, green, blue] = seen(&painted, 255, 345);
    assert!(red < 70 && green < 60 && red > blue, "{red} {green} {blue}");
    assert!(seen(&painted, 300, 100).iter().all(|&c| c < 40));
    // Under the nose it is darker than on it.
    let length = flat.picture_of(part, MapKind::Length, None, 512);
    let column: Vec<i32> = (395..430).map(|y| seen(&length, 255, y)[1]).collect();
    let (low, high) = (column.iter().min().unwrap(), column.iter().max().unwrap());
    assert!(high - low > 25, "{column:?}");
}

#[test]
fn dabs_on_the_flat_leave_no_seams() {
    let (part, flat) = &*SHIPPED;
    let points = seam_points(part);
    let canvas = Canvas::of_part(part, 1024);
    let mut map = Map::uniform(canvas.layout(), MapKind::Density, [0.0; 3]).unwrap();
    for (nth, (position, sides)) in points.iter().enumerate().step_by(points.len() / 12) {
        let found = flat.find(part, sides[nth % 2]).unwrap();
        assert!(found.position.distance(*position) < 1e-4);
        let dab = Dab {
            centre: found.position,
            radius: 0.4,
            falloff: 1.0,
            value: [if nth % 2 == 0 { 1.0 } else { 0.3 }; 3],
            strength: 0.8,
            tool: Tool::Set,
            mirror: false,
        };
        map.dab(&canvas, &dab, &mut Touched::default());
    }
    let (worst, painted) = across(&map, &points);
    assert!(painted >= 150 && worst <= 6.0, "{painted} {worst}");
}
