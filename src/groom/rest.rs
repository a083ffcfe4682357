//! Rest curves of curved strands.

use super::Groom;
use glam::Vec3;
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
        let whole = (2..=Self::MOST_POINTS).contains(&per_strand)
            && points.len().is_multiple_of(per_strand)
            && points.iter().all(|point| point.is_finite());
        if !whole {
            return None;
        }
        for strand in points.chunks_exact_mut(per_strand) {
            let root = strand[0];
            strand.iter_mut().for_each(|point| *point -= root);
        }
        Some(Self {
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

    /// Returns the number of points of a strand.
    pub fn per_strand(&self) -> usize {
        self.per_strand
    }

    /// Returns the number of strands.
    pub fn len(&self) -> usize {
        self.points.len() / self.per_strand
    }

    /// Whether there are no strands.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
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

    fn subset(&self, strands: &[u32]) -> Self {
        let points = strands.iter().flat_map(|&i| self.strand(i as usize));
        Self {
            per_strand: self.per_strand,
            points: points.copied().collect(),
        }
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
        let root = self.roots[strand];
        match &self.curves {
            Some(curves) => {
                curves.write(strand, out);
                out.iter_mut().for_each(|point| *point += root);
            }
            None => {
                let reach = self.reach(strand);
                let last = (out.len() - 1).max(1) as f32;
                for (j, point) in out.iter_mut().enumerate() {
                    *point = root + reach * (j as f32 / last);
                }
            }
        }
    }

    /// Returns some of the strands, in the given order.
    ///
    /// # Panics
    /// Panics if a strand does not exist.
    pub fn subset(&self, strands: &[u32]) -> Groom {
        fn pick<T: Copy>(all: &[T], strands: &[u32]) -> Vec<T> {
            strands.iter().map(|&i| all[i as usize]).collect()
        }
        fn pick_any<T: Copy>(all: &[T], strands: &[u32]) -> Vec<T> {
            match all {
                [] => Vec::new(),
                all => pick(all, strands),
            }
        }
        Groom {
            roots: pick(&self.roots, strands),
            directions: pick(&self.directions, strands),
            normals: pick(&self.normals, strands),
            lengths: pick(&self.lengths, strands),
            curves: self.curves.as_ref().map(|curves| curves.subset(strands)),
            faces: pick_any(&self.faces, strands),
            widths: pick_any(&self.widths, strands),
            stiffness: pick_any(&self.stiffness, strands),
            tints: pick_any(&self.tints, strands),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn angled() -> RestCurves {
        let at = |x: f32, y: f32| Vec3::new(5.0 + x, y, 0.0);
        RestCurves::new(3, vec![at(0.0, 0.0), at(1.0, 0.0), at(1.0, 3.0)]).unwrap()
    }

    #[test]
    fn they_are_seen_from_the_root_and_resampled_evenly() {
        let curves = angled();
        assert_eq!(curves.strand(0)[2], Vec3::new(1.0, 3.0, 0.0));
        let mut five = [Vec3::ZERO; 5];
        curves.write(0, &mut five);
        let expected = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (1.0, 2.0), (1.0, 3.0)];
        for (point, (x, y)) in five.iter().zip(expected) {
            assert!(point.distance(Vec3::new(x, y, 0.0)) < 1e-6, "{five:?}");
        }
        let mut three = [Vec3::ZERO; 3];
        curves.write(0, &mut three);
        assert_eq!(three[1], Vec3::X, "as they are, however unevenly spaced");
    }

    #[test]
    fn what_is_no_curve_is_refused() {
        assert_eq!(RestCurves::new(3, vec![Vec3::ZERO; 4]), None);
        assert_eq!(RestCurves::new(1, vec![Vec3::ZERO; 4]), None);
        assert_eq!(RestCurves::new(2, vec![Vec3::NAN; 4]), None);
        let mut out = [Vec3::ONE; 4];
        let nothing = RestCurves::new(2, vec![Vec3::X; 2]).unwrap();
        nothing.write(0, &mut out);
        assert_eq!(out, [Vec3::ZERO; 4]);
    }
}
