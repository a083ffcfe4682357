//! The velocity of the air, as arrows on a lattice.

use super::legend::{Entry, Swatch};
use super::scale::{Ramp, Top, largest};
use crate::viewer::input::lab_overlay::LabOverlay;
use crate::viewer::subject::Subject;
use glam::{UVec3, Vec3};
use mohawk::render::{Line, Marks};

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
    let mut points = Vec::new();
    for z in 0..counts.z {
        for y in 0..counts.y {
            for x in 0..counts.x {
                points.push(first + apart * UVec3::new(x, y, z).as_vec3());
            }
        }
    }
    (points, apart)
}

/// Draws the velocity of the air around head and hair.
pub(super) fn wind(subject: &Subject, top: &mut Top, marks: &mut Marks) -> Entry {
    let (low, high) = subject.bounds();
    let margin = Vec3::splat(BEYOND * (high - low).max_element());
    let (points, apart) = lattice(low - margin, high + margin);
    let air = subject.sim().air();
    let all: Vec<(Vec3, Vec3)> = (points.into_iter()).map(|p| (p, air.at(p))).collect();
    let fastest = largest(all.iter().map(|(_, wind)| wind.length()));
    let swatch = Swatch::Arrow(Ramp::Amount.color(0.8));
    if fastest <= 0.0 {
        return Entry::new(LabOverlay::Wind, swatch, "the air is still".to_owned());
    }
    let end = top.above(fastest, 1e-3);
    for (from, wind) in all {
        let share = wind.length() / end;
        let [r, g, b] = Ramp::Amount.color(share);
        let way = wind * (LONGEST * apart / end);
        // Still air is drawn as a dot.
        let way = if way.length() < 1e-3 {
            Vec3::X * 1e-3
        } else {
            way
        };
        marks.lines.push(Line {
            ends: [from - 0.5 * way, from + 0.5 * way],
            colors: [[r, g, b, 0.40], [r, g, b, 0.95]],
            width_px: 1.8,
            head_px: 8.0,
        });
    }
    let text = format!("fastest {fastest:.1} dm/s");
    Entry::new(LabOverlay::Wind, swatch, text).scaled_to(Ramp::Amount, end, "dm/s")
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
