//! Curves of strands: the rest curves of curved strands, the drawn curve of a straight one.

use super::Groom;
use glam::{Mat3, Vec3};
use rayon::prelude::*;
use std::sync::Arc;

/// A polyline per strand, all with the same number of points. Cloning is cheap.
#[derive(Clone, Debug, PartialEq)]
pub struct RestCurves {
    per_strand: usize,
    /// The points relative to the root of the strand, head space, decimetres; the first point is 0.
    points: Arc<[Vec3]>,
}

impl RestCurves {
    /// The largest number of points of a strand.
    pub const MOST_POINTS: usize = 1024;

    /// Returns curves from `per_strand` points (2 to [`MOST_POINTS`](Self::MOST_POINTS)) per
    /// strand, strand after strand, root first, head space, decimetres. The position of the roots
    /// is ignored. Returns `None` if the number of points is wrong or a point is not finite.
    pub fn new(per_strand: usize, mut points: Vec<Vec3>) -> Option<Self> {
        for strand in points.chunks_mut(per_strand.max(1)) {
            let root = strand[0];
            strand.iter_mut().for_each(|point| *point -= root);
        }
        Self::of_relative(per_strand, &points)
    }

    /// Returns curves from points relative to their roots, which are at 0; `None` as
    /// [`new`](Self::new).
    pub(crate) fn of_relative(per_strand: usize, points: &[Vec3]) -> Option<Self> {
        let whole = (2..=Self::MOST_POINTS).contains(&per_strand)
            && points.len().is_multiple_of(per_strand)
            && points.par_iter().all(|point| point.is_finite());
        whole.then(|| Self {
            per_strand,
            points: points.into(),
        })
    }

    /// Returns curves from strands with different numbers of points, 2 to
    /// [`MOST_POINTS`](Self::MOST_POINTS), root first. All get as many evenly spaced points as the
    /// longest list. Returns `None` as [`new`](Self::new).
    pub fn of_uneven(strands: &[Vec<Vec3>]) -> Option<Self> {
        let most = strands.iter().map(Vec::len).max()?;
        let mut points = Vec::with_capacity(most * strands.len());
        for strand in strands {
            let one = Self::new(strand.len(), strand.clone())?;
            let first = points.len();
            points.resize(first + most, Vec3::ZERO);
            one.write(0, &mut points[first..]);
        }
        Self::new(most, points)
    }

    /// Returns the curves, each turned about its root.
    pub(super) fn turned(&self, turns: &[Mat3]) -> Self {
        let mut points = self.points.to_vec();
        let strands = points.par_chunks_exact_mut(self.per_strand).zip(turns);
        strands.for_each(|(strand, turn)| {
            strand.iter_mut().for_each(|point| *point = *turn * *point);
        });
        Self {
            points: points.into(),
            ..*self
        }
    }

    /// Returns the number of points of a strand.
    pub fn per_strand(&self) -> usize {
        self.per_strand
    }

    /// Returns the points of a strand relative to its root.
    ///
    /// # Panics
    /// Panics if there is no such strand.
    pub fn strand(&self, strand: usize) -> &[Vec3] {
        &self.points[strand * self.per_strand..(strand + 1) * self.per_strand]
    }

    /// Writes points evenly spaced along a strand, relative to its root, including both ends. If
    /// the strand has that many points, they are written unchanged.
    pub(crate) fn write(&self, strand: usize, out: &mut [Vec3]) {
        let points = self.strand(strand);
        if points.len() == out.len() {
            out.copy_from_slice(points);
            return;
        }
        let length = |pair: &[Vec3]| f64::from(pair[0].distance(pair[1]));
        let whole = points.windows(2).map(length).sum();
        write_along(points, whole, out);
    }
}

/// Writes points evenly spaced along the first `whole` decimetres of a polyline, including both
/// ends.
pub(crate) fn write_along(points: &[Vec3], whole: f64, out: &mut [Vec3]) {
    let length = |pair: &[Vec3]| f64::from(pair[0].distance(pair[1]));
    let last = (out.len() - 1).max(1) as f64;
    let (mut pair, mut before) = (0, 0.0);
    for (j, point) in out.iter_mut().enumerate() {
        let place = whole * (j as f64 / last);
        let mut long = length(&points[pair..pair + 2]);
        while before + long < place && pair + 2 < points.len() {
            before += long;
            pair += 1;
            long = length(&points[pair..pair + 2]);
        }
        let share = if long > 0.0 {
            ((place - before) / long).clamp(0.0, 1.0)
        } else {
            0.0
        };
        *point = points[pair].lerp(points[pair + 1], share as f32);
    }
}

/// Returns the point of a drawn strand at `t` from 0 (root) to 1 (tip), all in one space.
///
/// The curve is a quadratic Bezier curve that leaves the root along the rest direction and ends at
/// the tip. Its middle control point is half the chord along the rest direction:
///
/// ```text
///        control = root + rest_dir · chord/2
///           o . . . .
///          /          ' o tip        chord = |tip − root|
///         /
///   ─────o root ───────────── root's plane
/// ```
///
/// A Bezier curve stays inside the hull of its control points. If the tip and the rest direction
/// are on or above the plane of the root, so is the curve. The vertex shader of strands uses the
/// same formula.
///
/// The curve is longer than its chord, so drawn tips are nearer to their roots than the length of
/// the strand: [`Spring::write_drawn_tips`](crate::sim::Spring::write_drawn_tips).
///
/// `rest_dir` has unit length.
pub fn strand_curve_point(root: Vec3, rest_dir: Vec3, tip: Vec3, t: f32) -> Vec3 {
    let to_tip = tip - root;
    let to_control = rest_dir * (0.5 * to_tip.length());
    root + to_control * (2.0 * t * (1.0 - t)) + to_tip * (t * t)
}

/// Returns the chord of a drawn curve as a share of its length. `turned` is 1 − cos of the angle
/// from the rest direction to the tip: g, 0 to 2.
///
/// A curve of chord 1 has the length ∫₀¹ √(1 − 4 g t + 8 g t²) dt: 1 at g = 0, 1.25 at g = 2. The
/// polynomial is a least-squares fit of its inverse, within 0.3 %, and exact for straight strands.
#[inline(always)]
pub(crate) fn chord_share(turned: f32) -> f32 {
    const FIT: [f32; 4] = [-0.314_386, 0.233_786, -0.110_888, 0.023_665];
    let g = if turned < 2.0 { turned } else { 2.0 };
    1.0 + g * (FIT[0] + g * (FIT[1] + g * (FIT[2] + g * FIT[3])))
}

/// Writes the `t` of points of a drawn curve that are evenly spaced along it, both ends included.
/// `turned` as for [`chord_share`].
pub(crate) fn even_places(turned: f32, out: &mut [f32]) {
    const PARTS: usize = 24;
    let part = 1.0 / PARTS as f32;
    // The speed |d curve / dt| in the middle of each part.
    let speeds: [f32; PARTS] = std::array::from_fn(|i| {
        let t = (i as f32 + 0.5) * part;
        let square = 1.0 - 4.0 * turned * t * (1.0 - 2.0 * t);
        square.max(1e-4).sqrt()
    });
    let whole: f32 = speeds.iter().sum();
    let last = (out.len() - 1).max(1) as f32;
    let (mut i, mut before) = (0, 0.0);
    for (j, place) in out.iter_mut().enumerate() {
        let along = whole * (j as f32 / last);
        while i + 1 < PARTS && before + speeds[i] < along {
            before += speeds[i];
            i += 1;
        }
        *place = ((i as f32 + (along - before) / speeds[i]) * part).min(1.0);
    }
}

impl Groom {
    /// Returns the rest tip of a strand relative to its root.
    pub fn reach(&self, strand: usize) -> Vec3 {
        match &self.curves {
            Some(curves) => curves.strand(strand)[curves.per_strand - 1],
            None => self.directions[strand] * self.lengths[strand],
        }
    }

    /// Returns the distance from root to tip at rest; for straight strands, the length.
    pub fn chord(&self, strand: usize) -> f32 {
        match &self.curves {
            Some(_) => self.reach(strand).length(),
            None => self.lengths[strand],
        }
    }

    /// Writes points evenly spaced along a strand at rest, head space, root first.
    pub fn write_rest(&self, strand: usize, out: &mut [Vec3]) {
        self.write_curve(strand, out);
        out.iter_mut()
            .for_each(|point| *point += self.roots[strand]);
    }

    /// Writes points evenly spaced along a strand at rest, relative to its root.
    pub(crate) fn write_curve(&self, strand: usize, out: &mut [Vec3]) {
        if let Some(curves) = &self.curves {
            return curves.write(strand, out);
        }
        let reach = self.reach(strand);
        let last = (out.len() - 1).max(1) as f32;
        for (j, point) in out.iter_mut().enumerate() {
            *point = reach * (j as f32 / last);
        }
    }

    /// Returns some of the strands, in the given order.
    ///
    /// # Panics
    /// Panics if a strand does not exist.
    pub fn subset(&self, strands: &[u32]) -> Groom {
        let count = self.len().max(1);
        /// Picks from a list of as many values for each of all strands, or none.
        fn pick<T: Copy>(all: &[T], strands: &[u32], count: usize) -> Vec<T> {
            let per = all.len() / count;
            let picked = strands.iter().map(|&i| &all[i as usize * per..][..per]);
            picked.flatten().copied().collect()
        }
        let curves = self.curves.as_ref().map(|curves| {
            let points = strands.iter().flat_map(|&i| curves.strand(i as usize));
            let points = points.copied().collect();
            RestCurves { points, ..*curves }
        });
        Groom {
            roots: pick(&self.roots, strands, count),
            directions: pick(&self.directions, strands, count),
            normals: pick(&self.normals, strands, count),
            lengths: pick(&self.lengths, strands, count),
            curves,
            faces: pick(&self.faces, strands, count),
            widths: pick(&self.widths, strands, count),
            stiffness: pick(&self.stiffness, strands, count),
            tints: pick(&self.tints, strands, count),
            bleach: pick(&self.bleach, strands, count),
            wetness: pick(&self.wetness, strands, count),
            fuzz: self.fuzz,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_relative_to_the_root_and_resampled_evenly() {
        let at = |x: f32, y: f32| Vec3::new(5.0 + x, y, 0.0);
        let curves = RestCurves::new(3, vec![at(0.0, 0.0), at(1.0, 0.0), at(1.0, 3.0)]).unwrap();
        assert_eq!(curves.strand(0)[2], Vec3::new(1.0, 3.0, 0.0));
        let mut five = [Vec3::ZERO; 5];
        curves.write(0, &mut five);
        let expected = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (1.0, 2.0), (1.0, 3.0)];
        for (point, (x, y)) in five.iter().zip(expected) {
            assert!(point.distance(Vec3::new(x, y, 0.0)) < 1e-6, "{five:?}");
        }
        let mut three = [Vec3::ZERO; 3];
        curves.write(0, &mut three);
        assert_eq!(three[1], Vec3::X, "as many points stay uneven");
        let short = RestCurves::new(2, vec![Vec3::X; 2]).unwrap();
        short.write(0, &mut five);
        assert_eq!(five, [Vec3::ZERO; 5]);
    }

    #[test]
    fn a_subset_has_all_values_of_its_strands() {
        let groom = Groom {
            roots: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            widths: vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
            stiffness: vec![1.0, 2.0, 3.0],
            ..Groom::default()
        };
        let some = groom.subset(&[2, 0]);
        assert_eq!(some.roots, [Vec3::Y, Vec3::ZERO]);
        assert_eq!(some.widths, [0.5, 0.6, 0.1, 0.2]);
        assert_eq!(some.stiffness, [3.0, 1.0]);
        assert_eq!(some.tints, [[0.0; 3]; 0]);
    }

    #[test]
    fn wrong_counts_and_points_that_are_not_finite_are_refused() {
        for (per_strand, point) in [(3, Vec3::ZERO), (1, Vec3::ZERO), (2, Vec3::NAN)] {
            assert_eq!(RestCurves::new(per_strand, vec![point; 4]), None);
        }
    }

    #[test]
    fn a_drawn_curve_is_as_long_as_its_strand_and_its_points_are_evenly_spaced() {
        const FINE: usize = 4000;
        let apart = |points: &[Vec3]| -> f32 {
            let pairs = points.windows(2);
            pairs.map(|pair| pair[0].distance(pair[1])).sum()
        };
        for degrees in 0_u8..=180 {
            let (sin, cos) = f32::from(degrees).to_radians().sin_cos();
            let (turned, length) = (1.0 - cos, 1.7);
            let tip = Vec3::new(cos, sin, 0.0) * (length * chord_share(turned));
            let at = |t: f32| strand_curve_point(Vec3::ZERO, Vec3::X, tip, t);
            let fine: Vec<Vec3> = (0..=FINE).map(|i| at(i as f32 / FINE as f32)).collect();
            let error = apart(&fine) / length - 1.0;
            assert!(error.abs() < 4e-3, "{degrees} degrees: {error}");
            let mut places = [0.0; 9];
            even_places(turned, &mut places);
            assert!(places[0] == 0.0 && (places[8] - 1.0).abs() < 1e-5);
            for pair in places.windows(2) {
                let [a, b] = [pair[0], pair[1]].map(|t| (t * FINE as f32) as usize);
                let share = apart(&fine[a..=b]) / length;
                assert!((share - 0.125).abs() < 5e-3, "{degrees} degrees: {share}");
            }
        }
        assert_eq!(chord_share(0.0), 1.0);
    }

    #[test]
    fn a_drawn_curve_leaves_along_the_rest_direction_and_ends_at_the_tip() {
        let (root, dir) = (Vec3::new(1.0, 2.0, 3.0), Vec3::Y);
        let tip = root + Vec3::new(0.6, 0.0, 0.8);
        assert_eq!(strand_curve_point(root, dir, tip, 0.0), root);
        assert!(strand_curve_point(root, dir, tip, 1.0).distance(tip) < 1e-6);
        let start = strand_curve_point(root, dir, tip, 1e-3) - root;
        assert!(start.normalize().dot(dir) > 0.999);
        for t in [0.25, 0.5, 0.75] {
            let point = strand_curve_point(Vec3::ZERO, dir, dir * 2.0, t);
            let apart = point.distance(dir * 2.0 * t);
            assert!(apart < 1e-6, "straight and even at rest");
        }
    }
}
