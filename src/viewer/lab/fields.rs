//! Overlays of fields in space: the wind, the density of hair, the distance from the skin.

use super::legend::{Entry, Ramp, Swatch, Top, largest};
use super::strands::line;
use crate::numbers::grouped;
use crate::viewer::interface::rows::short;
use crate::viewer::subject::Subject;
use glam::{UVec3, Vec3};
use mohawk::render::{DistanceSlice, Dot, Marks, Radius, SLICE_END};
use mohawk::sim::{Sdf, Simulation};

/// Arrows along the longest side of the lattice.
const MOST_ARROWS: f32 = 8.0;
/// The margin of the lattice around head and hair, as a fraction of their size.
const BEYOND: f32 = 0.18;
/// The length of the longest arrow, as a fraction of the lattice spacing.
const LONGEST: f32 = 0.85;

/// Returns the points of a cubic lattice in a box, and their spacing.
fn lattice(low: Vec3, high: Vec3) -> (Vec<Vec3>, f32) {
    let size = (high - low).max(Vec3::splat(1e-3));
    let apart = size.max_element() / (MOST_ARROWS - 1.0);
    let counts: UVec3 = (size / apart).round().as_uvec3() + UVec3::ONE;
    let middle = 0.5 * (low + high);
    let first = middle - 0.5 * apart * (counts - UVec3::ONE).as_vec3();
    let UVec3 { x, y, z } = counts;
    let place = |i: u32| UVec3::new(i % x, i / x % y, i / (x * y)).as_vec3();
    let points = (0..x * y * z).map(|i| first + apart * place(i));
    (points.collect(), apart)
}

/// Draws the velocity of the air around head and hair.
pub(super) fn wind(subject: &Subject, top: &mut Top, marks: &mut Marks) -> Entry {
    let (low, high) = subject.bounds();
    let margin = Vec3::splat(BEYOND * (high - low).max_element());
    let (points, apart) = lattice(low - margin, high + margin);
    let air = subject.sim().air();
    let all: Vec<(Vec3, Vec3)> = (points.into_iter()).map(|p| (p, air(p))).collect();
    let fastest = largest(all.iter().map(|(_, wind)| wind.length()));
    let swatch = Swatch::Arrow(Ramp::Amount.color(0.8));
    if fastest <= 0.0 {
        return Entry::new(swatch, "the air is still");
    }
    let end = top.above(fastest, 1e-3);
    for (from, wind) in all {
        let [r, g, b] = Ramp::Amount.color(wind.length() / end);
        let way = wind * (LONGEST * apart / end);
        // Still air is drawn as a dot.
        let way = match way.length() < 1e-3 {
            true => Vec3::X * 1e-3,
            false => way,
        };
        let ends = [from - 0.5 * way, from + 0.5 * way];
        let colors = [0.40, 0.95].map(|alpha| [r, g, b, alpha]);
        marks.lines.push(line(ends, colors, 1.8, 8.0));
    }
    let text = format!("fastest {fastest:.1} dm/s");
    Entry::new(swatch, text).scaled_to(Ramp::Amount, end, "dm/s")
}

/// The largest number of cells drawn; the densest are kept.
const MAX_CELLS: usize = 15_000;
/// Cells below this fraction of the densest one are not drawn.
const MIN_SHARE: f32 = 0.01;

/// Draws a ball at each node of the grid; its size and brightness grow with the density.
pub(super) fn density(sim: &Simulation, top: &mut Top, marks: &mut Marks) -> Entry {
    let swatch = Swatch::Dot(Ramp::Amount.color(0.8));
    let Some(mut grid) = sim.density().filter(|grid| !grid.nodes.is_empty()) else {
        return Entry::new(swatch, "available after the next step");
    };
    let most = largest(grid.nodes.iter().map(|(_, count)| *count));
    let end = top.above(most, 1.0);
    grid.nodes.retain(|(_, count)| *count >= MIN_SHARE * most);
    let cells = grid.nodes.len();
    if cells > MAX_CELLS {
        grid.nodes
            .select_nth_unstable_by(MAX_CELLS, |a, b| b.1.total_cmp(&a.1));
        grid.nodes.truncate(MAX_CELLS);
    }
    for (center, count) in grid.nodes {
        let share = (count / end).clamp(0.0, 1.0);
        let [r, g, b] = Ramp::Amount.color(share);
        marks.dots.push(Dot {
            center,
            radius: Radius::Decimetres(grid.cell * (0.14 + 0.46 * share.sqrt())),
            color: [r, g, b, 0.45 + 0.50 * share],
        });
    }
    let cell = short(grid.cell.into());
    let text = format!(
        "{} cells of {cell} dm; most {most:.1} particles",
        grouped(cells)
    );
    Entry::new(swatch, text).scaled_to(Ramp::Amount, end, "per cell")
}

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
        let sides = [u, v].map(|axis| Vec3::AXES[axis] * (high - low));
        let counts = [nodes[u], nodes[v]];
        let [step_u, step_v] = counts.map(|count| 1.0 / (count - 1).max(1) as f32);
        let distance = |node: usize| {
            let [i, j] = [node % counts[0], node / counts[0]].map(|i| i as f32);
            let point = corner + sides[1] * (j * step_v) + sides[0] * (i * step_u);
            field.distance(point.to_array())
        };
        DistanceSlice {
            corner,
            sides,
            counts,
            distances: (0..counts[0] * counts[1]).map(distance).collect(),
        }
    }
}

/// Returns the legend of the distance field.
pub(super) fn distance(subject: &Subject) -> Entry {
    let swatch = Swatch::Line(Ramp::Distance.color(1.0));
    match subject.field() {
        None => Entry::new(swatch, "measuring the head…"),
        Some(Err(why)) => Entry::new(swatch, format!("cannot be measured: {why}")),
        Some(Ok(_)) => {
            let text = "distance from the skin; a line every 0.1 dm, white at 0";
            let [low, high] = [format!("−{SLICE_END}"), format!("{SLICE_END} dm")];
            Entry::new(swatch, text).scaled(Ramp::Distance, [low, "0".to_owned(), high])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mohawk::sim::SdfSettings;
    use std::ops::ControlFlow;

    #[test]
    fn the_lattice_is_even_about_the_middle_and_never_large() {
        let (low, high) = (Vec3::new(-1.0, -2.0, 0.0), Vec3::new(1.0, 2.0, 1.0));
        let (points, apart) = lattice(low, high);
        assert!(points.len() <= 512 && points.len() > 20);
        let sum: Vec3 = points.iter().sum();
        assert!((sum / points.len() as f32).distance(0.5 * (low + high)) < 1e-5);
        let nearest = points[1..].iter().map(|p| p.distance(points[0]));
        assert!((nearest.fold(f32::MAX, f32::min) - apart).abs() < 1e-5);
        assert_eq!(lattice(low, low).0.len(), 512, "a point gives a small cube");
    }

    /// The field of the octahedron |x| + |y| + |z| = 1.
    fn field() -> Sdf {
        let positions: Vec<Vec3> = [Vec3::X, Vec3::Y, Vec3::Z]
            .into_iter()
            .flat_map(|axis| [axis, -axis])
            .collect();
        let around = [[0, 2], [2, 1], [1, 3], [3, 0]].into_iter();
        let triangles: Vec<[u32; 3]> = around.flat_map(|[a, b]| [[a, b, 4], [b, a, 5]]).collect();
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
