//! The drawn curve of a straight strand.

use glam::Vec3;

/// Returns the point of a drawn strand at `t` from 0 (root) to 1 (tip), all in one space.
///
/// The curve is a quadratic Bezier curve that leaves the root along the rest direction and ends at
/// the tip. Its middle control point is half the strand length along the rest direction:
///
/// ```text
///        control = root + rest_dir · length/2
///           o . . . .
///          /          ' o tip        length = |tip − root|
///         /
///   ─────o root ───────────── root's plane
/// ```
///
/// A Bezier curve stays inside the hull of its control points. If the tip and the rest direction
/// are on or above the plane of the root, so is the curve. The vertex shader of strands uses the
/// same formula.
///
/// `rest_dir` has unit length.
pub fn strand_curve_point(root: Vec3, rest_dir: Vec3, tip: Vec3, t: f32) -> Vec3 {
    let to_tip = tip - root;
    let to_control = rest_dir * (0.5 * to_tip.length());
    root + to_control * (2.0 * t * (1.0 - t)) + to_tip * (t * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_starts_at_the_root_along_the_rest_direction_and_ends_at_the_tip() {
        let (root, dir) = (Vec3::new(1.0, 2.0, 3.0), Vec3::Y);
        let tip = root + Vec3::new(0.6, 0.0, 0.8);
        assert_eq!(strand_curve_point(root, dir, tip, 0.0), root);
        assert!(strand_curve_point(root, dir, tip, 1.0).distance(tip) < 1e-6);
        let start = strand_curve_point(root, dir, tip, 1e-3) - root;
        assert!(start.normalize().dot(dir) > 0.999);
    }

    #[test]
    fn at_rest_it_is_straight_and_runs_evenly() {
        for t in [0.25, 0.5, 0.75] {
            let point = strand_curve_point(Vec3::ZERO, Vec3::Z, Vec3::Z * 2.0, t);
            assert!(point.distance(Vec3::Z * 2.0 * t) < 1e-6);
        }
    }
}
