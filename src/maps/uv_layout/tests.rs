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
    // The quad is half as wide as the square.
    let (inside, across_the_border) = (at(0.25, 0.25), at(2.75, -0.25));
    for (low, u, v, expected) in [
        // v goes down, and y up: three quarters of the way right, one quarter down.
        (inside, 0.625, 0.375, Some([0.5, 0.5])),
        (inside, -1.375, 3.375, Some([0.5, 0.5])),
        (inside, 0.25, 0.25, Some([-1.0, 1.0])),
        (inside, 0.5, 0.5, Some([0.0, 0.0])),
        (inside, 0.2, 0.5, None),
        (inside, 0.5, 0.8, None),
        (inside, 0.0, 0.0, None),
        // A point that rounding puts outside is on the border.
        (inside, 0.750_000_5, 0.5, Some([1.0, 0.0])),
        (inside, 0.75001, 0.5, None),
        (across_the_border, 0.125, 0.125, Some([0.5, -0.5])),
        (across_the_border, 0.875, 0.875, Some([-0.5, 0.5])),
        (across_the_border, 0.875, 0.125, Some([-0.5, -0.5])),
        (across_the_border, 0.0, 0.0, Some([0.0, 0.0])),
        (across_the_border, 0.5, 0.5, None),
    ] {
        let corners = [at(0.0, 0.0), at(0.5, 0.0), at(0.0, 0.5), at(0.5, 0.5)];
        let part = quad(Some(corners.map(|corner| low + corner)));
        let found = UvLayout::of_part(&part).unwrap().find(&part, at(u, v));
        assert_eq!(found.is_some(), expected.is_some(), "{u} {v}");
        if let (Some((found, scale)), Some([x, y])) = (found, expected) {
            assert!(found.distance(Vec3::new(x, y, 0.0)) < 1e-5);
            assert_eq!(scale, 4.0);
        }
    }
}

/// Where triangles lie on one another, the first one counts, also on the edge between two.
#[test]
fn the_first_triangle_counts() {
    let mut part = quad(FULL_SQUARE);
    part.positions.extend_from_within(..);
    part.positions[4..].iter_mut().for_each(|p| p.z = 1.0);
    part.uvs.as_mut().unwrap().extend_from_within(..);
    part.triangles = vec![[4, 6, 7], [0, 2, 3], [0, 3, 1], [4, 7, 5]];
    let layout = UvLayout::of_part(&part).unwrap();
    for (u, v, z) in [(0.2, 0.7, 1.0), (0.5, 0.5, 1.0), (0.7, 0.2, 0.0)] {
        assert_eq!(layout.find(&part, at(u, v)).unwrap().0.z, z);
    }
}

proptest! {
    /// A UV of the skin leads back to its point, unless the layout overlaps there.
    #[test]
    fn a_point_of_the_shipped_head_leads_back(
        number in 0..12_914_usize,
        weights in [0.01_f32..1.0, 0.01_f32..1.0, 0.01_f32..1.0],
    ) {
        let (part, layout) = &*SHIPPED;
        let uvs = part.uvs.as_ref().unwrap();
        prop_assume!(UvTriangle::of(uvs, part.triangles[number]).is_some());
        let weights = Vec3::from(weights) / Vec3::from(weights).element_sum();
        let [a, b, c] = part.triangles[number].map(|v| v as usize);
        let uv = uvs[a] * weights.x + uvs[b] * weights.y + uvs[c] * weights.z;
        let p = &part.positions;
        let point = p[a] * weights.x + p[b] * weights.y + p[c] * weights.z;
        let (found, _) = layout.find(part, uv).unwrap();
        // Its UVs lie in the unit square.
        let contain = uv_triangles(part).filter(|(_, triangle)| {
            matches!(triangle.weights(uv.as_dvec2()), Some((_, true)))
        });
        if contain.count() == 1 {
            prop_assert!(found.distance(point) < 1e-4);
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
                let on_quad = |(found, scale): (Vec3, f32)| {
                    found.abs().max_element() <= 1.0 + 1e-6 && scale.is_finite()
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
        part.positions.extend_from_within(..);
        part.positions[4..].iter_mut().for_each(|p| p.z = 1.0);
        part.uvs.as_mut().unwrap().extend_from_within(..);
        part.triangles = vec![[0, 2, 3]; 1_000_000];
        part.triangles[0] = [4, 6, 7];
        let layout = UvLayout::of_part(&part).unwrap();
        let tree = &layout.tree;
        assert!(size_of_val(&tree.nodes[..]) + size_of_val(&tree.corners[..]) < 64 << 20);
        assert_eq!(layout.find(&part, at(0.2, 0.7)).unwrap().0.z, 1.0);
    }
}
