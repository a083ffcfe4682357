use super::*;
use crate::maps::test_parts::{FULL_SQUARE, quad, shipped};
use proptest::prelude::*;
use std::sync::LazyLock;

static SHIPPED: LazyLock<(Part, UvLayout)> = LazyLock::new(|| {
    let part = shipped();
    let layout = UvLayout::of_part(&part).unwrap();
    (part, layout)
});

fn at(u: f32, v: f32) -> Vec2 {
    Vec2::new(u, v)
}

#[test]
fn points_are_those_computed_by_hand() {
    // In the middle of the square, half as wide.
    let part = quad(Some([
        at(0.25, 0.25),
        at(0.75, 0.25),
        at(0.25, 0.75),
        at(0.75, 0.75),
    ]));
    let layout = UvLayout::of_part(&part).unwrap();
    let find = |u, v| layout.find(&part, at(u, v));
    let found = find(0.625, 0.375).unwrap();
    // v goes down, and y up: three quarters of the way right, one quarter down.
    assert_eq!(found.position, Vec3::new(0.5, 0.5, 0.0));
    assert_eq!((found.scale, found.triangle), (4.0, 1));
    assert_eq!(found.weights, Vec3::new(0.25, 0.25, 0.5));
    assert_eq!(find(0.25, 0.25).unwrap().position, part.positions[0]);
    // On the edge between both triangles, the first one counts.
    let middle = find(0.5, 0.5).unwrap();
    assert_eq!((middle.position, middle.triangle), (Vec3::ZERO, 0));
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
    let layout = UvLayout::of_part(&part).unwrap();
    for (u, v, x, y) in [
        (0.125, 0.125, 0.5, -0.5),
        (0.875, 0.875, -0.5, 0.5),
        (0.875, 0.125, -0.5, -0.5),
        (0.0, 0.0, 0.0, 0.0),
    ] {
        let found = layout.find(&part, at(u, v)).unwrap();
        assert_eq!(found.position, Vec3::new(x, y, 0.0));
    }
    assert_eq!(layout.find(&part, at(0.5, 0.5)), None);
}

proptest! {
    /// A UV of the skin leads back to its point; where the layout overlaps, to the first triangle.
    #[test]
    fn a_point_of_the_shipped_head_leads_back(
        number in 0..12_914_u32,
        weights in [0.01_f32..1.0, 0.01_f32..1.0, 0.01_f32..1.0],
    ) {
        let (part, layout) = &*SHIPPED;
        let uvs = part.uvs.as_ref().unwrap();
        let corners = part.triangles[number as usize];
        prop_assume!(UvTriangle::of(uvs, corners).is_some());
        let weights = Vec3::from(weights) / Vec3::from(weights).element_sum();
        let [a, b, c] = corners.map(|v| v as usize);
        let uv = uvs[a] * weights.x + uvs[b] * weights.y + uvs[c] * weights.z;
        let p = &part.positions;
        let point = p[a] * weights.x + p[b] * weights.y + p[c] * weights.z;
        let found = layout.find(part, uv).unwrap();
        let wrapped = uv.as_dvec2().to_array().map(wrap_to_unit).into();
        let contain = uv_triangles(part).filter(|(_, triangle)| {
            matches!(triangle.weights_in_tiles(wrapped), Some((_, true)))
        });
        let contain: Vec<u32> = contain.map(|(number, _)| number).collect();
        prop_assert!(contain.first().is_none_or(|&first| first == found.triangle));
        if found.triangle == number || contain.len() == 1 {
            prop_assert!(found.position.distance(point) < 1e-4);
        }
    }

    #[test]
    fn any_uvs_are_borne(
        uvs in prop::collection::vec((prop::num::f32::ANY, -3.0_f32..4.0), 4),
        swap in any::<bool>(),
        place in (prop::num::f32::ANY, prop::num::f32::ANY),
    ) {
        let uv = |i: usize| if swap { at(uvs[i].1, uvs[i].0) } else { uvs[i].into() };
        let part = quad(Some([uv(0), uv(1), uv(2), uv(3)]));
        if let Some(layout) = UvLayout::of_part(&part) {
            for place in [Vec2::from(place), at(0.3, 0.6), uv(1)] {
                let on_quad = |found: UvPoint| {
                    found.position.abs().max_element() <= 1.0 + 1e-6 && found.scale.is_finite()
                };
                prop_assert!(layout.find(&part, place).is_none_or(on_quad));
            }
        }
    }
}

#[test]
fn parts_without_usable_uvs_have_no_layout() {
    assert!(UvLayout::of_part(&quad(None)).is_none());
    let line = [at(0.0, 0.0), at(0.5, 0.5), at(0.25, 0.25), at(1.0, 1.0)];
    let points = [f32::NAN, f32::INFINITY, 1e30, 1e5, 0.5].map(|u| [at(u, 0.5); 4]);
    for uvs in points.into_iter().chain([line]) {
        assert!(UvLayout::of_part(&quad(Some(uvs))).is_none());
    }
    let mut part = quad(FULL_SQUARE);
    part.triangles = vec![[0, 1, 4], [0, 1, u32::MAX]];
    assert!(UvLayout::of_part(&part).is_none());
    // With another part nothing is found.
    let layout = UvLayout::of_part(&quad(FULL_SQUARE)).unwrap();
    assert_eq!(layout.find(&part, at(0.3, 0.6)), None);
    assert_eq!(layout.find(&quad(None), at(0.3, 0.6)), None);
}

#[test]
fn a_million_triangles_on_one_another_are_borne() {
    let far = [at(0.0, 0.0), at(7.5, 0.0), at(0.0, 7.5), at(7.5, 7.5)];
    for uvs in [FULL_SQUARE, Some(far)] {
        let mut part = quad(uvs);
        part.triangles = vec![[0, 2, 3]; 1_000_000];
        let layout = UvLayout::of_part(&part).unwrap();
        let bytes = layout.cells.bytes();
        assert!(bytes < 64 << 20, "{bytes}");
        assert_eq!(layout.find(&part, at(0.2, 0.7)).unwrap().triangle, 0);
    }
}
