//! A slice through the distance field.

use super::legend::{Entry, Swatch};
use super::scale::Ramp;
use crate::viewer::input::lab_overlay::LabOverlay;
use crate::viewer::subject::Subject;
use glam::Vec3;
use mohawk::render::{DistanceSlice, SLICE_END};
use mohawk::sim::Sdf;

/// A plane perpendicular to an axis of the head.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Plane {
    /// The axis: 0 is x, 1 is y, 2 is z.
    pub(crate) axis: usize,
    /// The position on the axis, decimetres.
    pub(crate) offset: f32,
}

impl Plane {
    /// Samples the field on the plane at the spacing of its nodes, so that no detail is lost.
    pub(super) fn cut(self, field: &Sdf) -> DistanceSlice {
        let (low, high) = field.bounds();
        let nodes = field.nodes();
        let normal = self.axis.min(2);
        let [u, v] = [(normal + 1) % 3, (normal + 2) % 3];
        let mut corner = low;
        corner[normal] = self.offset.clamp(low[normal], high[normal]);
        let side = |axis: usize| {
            let mut side = Vec3::ZERO;
            side[axis] = high[axis] - low[axis];
            side
        };
        let (along_u, along_v) = (side(u), side(v));
        let counts = [nodes[u], nodes[v]];
        let step = |count: usize| 1.0 / (count - 1).max(1) as f32;
        let (step_u, step_v) = (step(counts[0]), step(counts[1]));
        let mut distances = Vec::with_capacity(counts[0] * counts[1]);
        for j in 0..counts[1] {
            let row = corner + along_v * (j as f32 * step_v);
            distances.extend((0..counts[0]).map(|i| {
                let point = row + along_u * (i as f32 * step_u);
                field.distance(point.to_array())
            }));
        }
        DistanceSlice {
            corner,
            sides: [along_u, along_v],
            counts,
            distances,
        }
    }
}

/// Returns the legend of the distance field.
pub(super) fn entry(subject: &Subject) -> Entry {
    let swatch = Swatch::Line(Ramp::Distance.color(1.0));
    let text = match subject.field() {
        None => "measuring the head…".to_owned(),
        Some(Err(why)) => format!("cannot be measured: {why}"),
        Some(Ok(_)) => "distance from the skin; a line every 0.1 dm, white at 0".to_owned(),
    };
    let entry = Entry::new(LabOverlay::Field, swatch, text);
    if !matches!(subject.field(), Some(Ok(_))) {
        return entry;
    }
    let [low, high] = [format!("−{SLICE_END}"), format!("{SLICE_END} dm")];
    entry.scaled(Ramp::Distance, [low, "0".to_owned(), high])
}

#[cfg(test)]
mod tests {
    use super::*;
    use mohawk::sim::SdfSettings;
    use std::ops::ControlFlow;

    /// The field of the octahedron |x| + |y| + |z| = 1.
    fn field() -> Sdf {
        let positions: Vec<Vec3> = [Vec3::X, Vec3::Y, Vec3::Z]
            .into_iter()
            .flat_map(|axis| [axis, -axis])
            .collect();
        let triangles = [
            [0, 2, 4],
            [2, 1, 4],
            [1, 3, 4],
            [3, 0, 4],
            [2, 0, 5],
            [1, 2, 5],
            [3, 1, 5],
            [0, 3, 5],
        ];
        let settings = SdfSettings {
            cell: 0.05,
            ..SdfSettings::default()
        };
        let go_on = &mut |_| ControlFlow::Continue(());
        Sdf::of_mesh(&positions, &triangles, &settings, go_on).unwrap()
    }

    #[test]
    fn a_slice_has_the_distances_of_the_field() {
        let field = field();
        for axis in 0..3 {
            for offset in [0.0, 0.31, -99.0] {
                let slice = Plane { axis, offset }.cut(&field);
                let [wide, high] = slice.counts;
                assert_eq!(slice.distances.len(), wide * high);
                for (i, j) in [(0, 0), (wide / 2, high / 2), (wide - 1, 3)] {
                    let share = |i: usize, count: usize| i as f32 / (count - 1) as f32;
                    let point = slice.corner
                        + slice.sides[0] * share(i, wide)
                        + slice.sides[1] * share(j, high);
                    let expected = field.distance(point.to_array());
                    assert!((slice.distances[j * wide + i] - expected).abs() < 1e-4);
                }
                let [normal_u, normal_v] = slice.sides.map(|side| side[axis]);
                assert_eq!((normal_u, normal_v), (0.0, 0.0));
            }
            let middle = Plane { axis, offset: 0.0 }.cut(&field);
            let inside = middle.distances.iter().filter(|&&d| d < 0.0).count();
            assert!(inside > 100 && inside < middle.distances.len() / 2);
        }
    }
}
