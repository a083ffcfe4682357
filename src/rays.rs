//! The points where rays meet a head.

use crate::bvh::{Bvh, Corners};
use crate::head::Head;
use glam::Vec3;

/// Finds where rays meet the triangles of a head, in head space.
#[derive(Debug)]
pub struct RayFinder(Bvh);

impl RayFinder {
    /// Takes all triangles of a head as it was loaded.
    pub fn of(head: &Head) -> Self {
        let triangles = head.parts.iter().flat_map(|part| {
            let corners = |&vertex: &u32| part.positions[vertex as usize];
            (part.triangles.iter()).map(move |triangle| triangle.each_ref().map(corners))
        });
        Self(Bvh::of(&triangles.collect::<Vec<Corners>>()))
    }

    /// Returns the distance along a ray, in lengths of `direction`, to the first triangle that it meets
    /// from either side.
    pub fn distance(&self, origin: Vec3, direction: Vec3) -> Option<f32> {
        self.0.first_hit(origin, direction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{HeadSettings, Part};
    use proptest::prelude::*;

    /// Returns a head of random triangles.
    fn soup(corners: &[[f32; 3]]) -> Head {
        let mut head = Head::shipped(&HeadSettings::default()).unwrap();
        let positions: Vec<Vec3> = corners.iter().copied().map(Vec3::from).collect();
        head.parts = vec![Part {
            triangles: (0..positions.len() as u32 / 3)
                .map(|t| [0, 1, 2].map(|i| 3 * t + i))
                .collect(),
            positions,
            ..Part::default()
        }];
        head
    }

    fn vector() -> impl Strategy<Value = [f32; 3]> {
        [-2.0..2.0_f32, -2.0..2.0_f32, -2.0..2.0_f32]
    }

    proptest! {
        #[test]
        fn the_first_of_all_triangles_is_met(
            corners in prop::collection::vec(vector(), 0..180),
            origin in vector(),
            direction in vector(),
        ) {
            let head = soup(&corners);
            let (origin, direction) = (Vec3::from(origin), Vec3::from(direction));
            let part = &head.parts[0];
            let one = |triangle: &[u32; 3]| {
                let corners = triangle.map(|vertex| part.positions[vertex as usize]);
                crate::bvh::meets_triangle(origin, direction, corners)
            };
            let all = part.triangles.iter().filter_map(one).min_by(f32::total_cmp);
            prop_assert_eq!(RayFinder::of(&head).distance(origin, direction), all);
        }
    }
}
