//! An index of roots by position: `kiddo`, with three precautions.

use crate::roots::SampleError;
use crate::roots::work::{self, Result};
use glam::{DMat3, DVec3, Vec3};
use kiddo::{Eytzinger, MutableKdTree, QueryScratch, SquaredEuclidean};
use std::collections::HashMap;
use std::num::NonZeroUsize;

/// The rows of a rotation about no special axis by no special angle.
///
/// A mutable tree cannot split a bucket of more than 32 points that agree in one coordinate, as on
/// flat or axis-aligned scalps. After this rotation, no modelled plane is perpendicular to an axis.
pub const GENERIC_ROTATION: DMat3 = DMat3::from_cols_array(&[
    0.511_285_043_132_029_2,
    0.489_981_952_876_750_4,
    0.706_049_070_904_115_8,
    -0.837_659_994_919_728_1,
    0.467_788_869_421_350_8,
    0.281_956_213_899_562_05,
    -0.192_128_440_321_989_4,
    -0.735_589_056_131_601_5,
    0.649_611_732_436_275_6,
]);

/// Queries extend a little beyond the radius, relative to the radius and to the coordinates, so
/// that the rounding of rotated coordinates hides no root. Exact tests follow.
const QUERY_SLACK: [f64; 2] = [1e-6, 1e-14];

/// The largest number of roots at one place beside those in the tree: the time of a query grows with
/// them.
const MAX_DOUBLES: usize = 1000;

/// Returns `true` if two faces look to the same side. Only then do their roots compete.
///
/// Two sheets closer than the spacing (an ear, a double-sided card) face away from each other, and
/// each gets its own roots. Products of two f32 are exact in f64, so exported normals give the same
/// result.
pub fn same_side(a: Vec3, b: Vec3) -> bool {
    a.as_dvec3().dot(b.as_dvec3()) > 0.0
}

/// Roots by position. Positions and face normals have the same length and order.
#[derive(Default)]
pub struct RootIndex {
    tree: MutableKdTree<f64, 3>,
    scratch: QueryScratch<Eytzinger, f64, 3>,
    positions: Vec<Vec3>,
    face_normals: Vec<Vec3>,
    /// Roots that the tree refused, because it has too many in their place, by the nearest one in
    /// it.
    doubles: HashMap<u32, Vec<u32>>,
    /// The largest distance between such roots.
    apart: f64,
    /// The work done by queries, in the units of [`work`].
    pub work: u64,
}

impl RootIndex {
    /// Returns the index of a finished set. The lists have the same length.
    pub fn of(positions: &[Vec3], face_normals: &[Vec3]) -> Result<Self> {
        let mut index = Self::default();
        for (&position, &normal) in positions.iter().zip(face_normals) {
            index.add(position, normal)?;
        }
        Ok(index)
    }

    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Adds a root. More than [`MAX_DOUBLES`] at one place are refused.
    pub fn add(&mut self, position: Vec3, face_normal: Vec3) -> Result<()> {
        let root = self.len();
        let error = |reason| SampleError::Index { root, reason };
        // The tree accepts NaN silently and then loses points.
        if !position.is_finite() {
            return Err(error("its position is not finite".into()));
        }
        let place = GENERIC_ROTATION * position.as_dvec3();
        // The tree refuses a 33rd root at one position.
        if self.tree.add(&place.to_array(), root as u32).is_err() {
            let nearest = self.nearest_in_tree(place, NonZeroUsize::MIN);
            let doubles = nearest
                .first()
                .map(|&first| self.doubles.entry(first).or_default());
            let Some(doubles) = doubles.filter(|doubles| doubles.len() < MAX_DOUBLES) else {
                return Err(error(
                    "more than 1000 others are in its place. Remove points that are there twice"
                        .into(),
                ));
            };
            doubles.push(root as u32);
            let place = position.as_dvec3();
            let first = self.positions[nearest[0] as usize].as_dvec3();
            self.apart = self.apart.max(first.distance(place));
        }
        self.positions.push(position);
        self.face_normals.push(face_normal);
        Ok(())
    }

    /// Calls `visit` with index, position and face normal of every root within `radius` of `p`, and
    /// perhaps of slightly farther ones, in no particular order.
    pub fn visit(&mut self, p: DVec3, radius: f64, mut visit: impl FnMut(usize, DVec3, Vec3)) {
        let slack = QUERY_SLACK[0] * radius + QUERY_SLACK[1] * (p.abs().max_element() + radius);
        let reach = radius + slack + self.apart;
        let (positions, face_normals) = (&self.positions, &self.face_normals);
        let doubles = &self.doubles;
        let mut count = 0;
        self.tree
            .query(&(GENERIC_ROTATION * p).to_array())
            .within::<SquaredEuclidean<f64>>(reach * reach)
            .unsorted()
            .with_scratch(&mut self.scratch)
            .visit(|found| {
                let others = match doubles.is_empty() {
                    true => None,
                    false => doubles.get(&found.item),
                };
                for &root in [found.item].iter().chain(others.into_iter().flatten()) {
                    let root = root as usize;
                    count += 1;
                    visit(root, positions[root].as_dvec3(), face_normals[root]);
                }
            });
        self.work += work::QUERY[0] + work::QUERY[1] * count;
    }

    /// Calls `visit` with index, position and face normal of the `count` roots nearest to `p`, or
    /// of all if there are fewer, on either side, in no particular order. Rounding decides among
    /// equally near ones.
    pub fn visit_nearest(
        &mut self,
        p: DVec3,
        count: NonZeroUsize,
        mut visit: impl FnMut(usize, DVec3, Vec3),
    ) {
        let mut nearest = self.nearest_in_tree(GENERIC_ROTATION * p, count);
        if !self.doubles.is_empty() {
            let others = nearest.iter().filter_map(|root| self.doubles.get(root));
            let others: Vec<u32> = others.flatten().copied().collect();
            nearest.extend(others);
            let distance2 = |root: &u32| self.at(*root as usize).0.distance_squared(p);
            nearest.sort_by(|a, b| distance2(a).total_cmp(&distance2(b)));
            nearest.truncate(count.get());
        }
        self.work += work::QUERY[0] + work::QUERY[1] * nearest.len() as u64;
        for root in nearest {
            let (position, face_normal) = self.at(root as usize);
            visit(root as usize, position, face_normal);
        }
    }

    /// Returns the `count` roots in the tree that are nearest to a rotated place.
    fn nearest_in_tree(&mut self, place: DVec3, count: NonZeroUsize) -> Vec<u32> {
        let place = place.to_array();
        let query = self.tree.query(&place);
        let nearest = query
            .nearest_n::<SquaredEuclidean<f64>>(count)
            .unsorted()
            .with_scratch(&mut self.scratch)
            .execute();
        nearest.into_iter().map(|found| found.item).collect()
    }

    /// Returns `true` if a root on the same side is closer to `p` than `limit` returns for it, at
    /// most `radius`.
    pub fn any(&mut self, p: Vec3, side: Vec3, radius: f64, limit: impl Fn(usize) -> f64) -> bool {
        let p = p.as_dvec3();
        let mut found = false;
        self.visit(p, radius, |i, root, normal| {
            let limit = limit(i);
            found |= root.distance_squared(p) < limit * limit && same_side(normal, side);
        });
        found
    }

    /// Returns the sum of the distances of the two nearest roots on the same side, each at most
    /// twice the radius; `None` if one is closer than the radius.
    pub fn room(&mut self, p: Vec3, face_normal: Vec3, radius: f64) -> Option<f64> {
        let p = p.as_dvec3();
        let mut nearest2 = [4.0 * radius * radius; 2];
        self.visit(p, 2.0 * radius, |_, root, normal| {
            let distance2 = root.distance_squared(p);
            if distance2 < nearest2[1] && same_side(normal, face_normal) {
                nearest2 = [distance2.min(nearest2[0]), distance2.max(nearest2[0])];
            }
        });
        (nearest2[0] >= radius * radius).then(|| nearest2[0].sqrt() + nearest2[1].sqrt())
    }

    /// Returns the other roots on the side of a root within `radius`, with their distances.
    pub fn same_side_within(&mut self, root: usize, radius: f64, into: &mut Vec<(usize, f64)>) {
        let (p, normal) = self.at(root);
        into.clear();
        self.visit(p, radius, |other, position, other_normal| {
            let distance = position.distance(p);
            if other != root && distance < radius && same_side(normal, other_normal) {
                into.push((other, distance));
            }
        });
    }

    /// Returns the nearest root on the same side within `radius` of `p`; of equally near ones, the
    /// first.
    pub fn nearest(&mut self, p: Vec3, face_normal: Vec3, radius: f64) -> Option<usize> {
        let p = p.as_dvec3();
        let mut best: Option<(f64, usize)> = None;
        self.visit(p, radius, |i, root, normal| {
            let found = (root.distance_squared(p), i);
            if same_side(normal, face_normal) && best.is_none_or(|best| found < best) {
                best = Some(found);
            }
        });
        best.map(|(_, i)| i)
    }

    /// Returns position and face normal of a root.
    pub fn at(&self, root: usize) -> (DVec3, Vec3) {
        (self.positions[root].as_dvec3(), self.face_normals[root])
    }
}

/// The number of roots in a cluster of a neighbourhood.
const CLUSTER: usize = 32;

/// The roots around a moving point. The tree is queried again only when the point has moved away.
#[derive(Default)]
pub struct Neighbourhood {
    centre: DVec3,
    /// The radius around the centre within which all roots are known; 0 if none are.
    known: f64,
    roots: Vec<Known>,
    /// The ball around each [`CLUSTER`] of the roots. The tree finds roots that are near each other
    /// one after the other.
    clusters: Vec<Cluster>,
}

/// Number, position and face normal of a root in the index.
type Known = (u32, DVec3, Vec3);

/// Roots that are passed by together where they are too far away.
pub struct Cluster {
    centre: DVec3,
    radius: f64,
    /// The largest number of a root in it.
    pub last: u32,
}

impl Cluster {
    /// A cluster that is never passed by.
    const NEAR: Self = Self {
        centre: DVec3::ZERO,
        radius: f64::INFINITY,
        last: u32::MAX,
    };

    fn of(roots: &[Known]) -> Self {
        let sum: DVec3 = roots.iter().map(|&(_, position, _)| position).sum();
        let centre = sum / roots.len() as f64;
        let distances = roots.iter().map(|root| root.1.distance(centre));
        Self {
            centre,
            radius: distances.fold(0.0, f64::max),
            last: roots.iter().map(|root| root.0).max().unwrap_or(0),
        }
    }

    /// Returns a distance from `p` that no root in it is below.
    pub fn distance(&self, p: DVec3) -> f64 {
        if self.radius == f64::INFINITY {
            return f64::NEG_INFINITY;
        }
        let centre = p.distance(self.centre);
        centre - self.radius - QUERY_SLACK[0] * (centre + self.radius)
    }
}

impl Neighbourhood {
    /// Forgets the neighbourhood, because roots were added.
    pub fn forget(&mut self) {
        self.known = 0.0;
    }

    /// Returns all roots within `radius` of `p` and some beyond. `reach` is the distance from `p`
    /// at which the next queries are expected.
    pub fn around(&mut self, index: &mut RootIndex, p: DVec3, radius: f64, reach: f64) -> &[Known] {
        let spare = self.known - radius;
        if spare < 0.0 || p.distance_squared(self.centre) > spare * spare {
            self.centre = p;
            self.known = radius + reach;
            self.roots.clear();
            index.visit(p, radius + reach, |root, position, face_normal| {
                self.roots.push((root as u32, position, face_normal));
            });
            self.clusters.clear();
            match self.roots.len() > CLUSTER {
                true => (self.clusters).extend(self.roots.chunks(CLUSTER).map(Cluster::of)),
                false => self.clusters.push(Cluster::NEAR),
            }
        }
        index.work += work::NEIGHBOUR * self.clusters.len() as u64;
        &self.roots
    }

    /// Returns the roots that [`around`](Self::around) has found, in clusters.
    pub fn clusters(&self) -> impl Iterator<Item = (&Cluster, &[Known])> {
        self.clusters.iter().zip(self.roots.chunks(CLUSTER))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_roots_at_one_place_are_all_found() {
        let place = Vec3::new(0.3, -2.0, 5.0);
        let mut index = RootIndex::default();
        for i in 0..100 {
            index.add(place, Vec3::Z).unwrap();
            index.add(place + Vec3::X * i as f32, Vec3::Z).unwrap();
        }
        let mut found = Vec::new();
        index.visit(place.as_dvec3(), 0.5, |root, _, _| found.push(root));
        found.sort_unstable();
        // Of the row, the first is there too.
        let expected = (0..200).filter(|root| root % 2 == 0 || *root == 1);
        assert_eq!(found, expected.collect::<Vec<_>>());
        let mut nearest = 0;
        let count = NonZeroUsize::new(101).unwrap();
        index.visit_nearest(place.as_dvec3(), count, |_, position, _| {
            assert_eq!(position, place.as_dvec3());
            nearest += 1;
        });
        assert_eq!(nearest, 101);
    }

    /// Far from the origin, the tree sees roots in one place that are apart.
    #[test]
    fn roots_that_agree_in_their_far_coordinates_are_found() {
        let mut index = RootIndex::default();
        let place = |i: u8| Vec3::new(1e9, 0.0, 1e-9 * f32::from(i));
        for i in 0..90 {
            index.add(place(i), Vec3::Z).unwrap();
        }
        for i in 0..90 {
            assert_eq!(
                index.nearest(place(i), Vec3::Z, 1e-12),
                Some(usize::from(i))
            );
        }
    }

    #[test]
    fn crowds_are_refused_in_our_words() {
        let mut index = RootIndex::default();
        let refused = (0..2000).find_map(|_| index.add(Vec3::ONE, Vec3::Z).err());
        let told = refused.unwrap().to_string();
        assert!(
            told.contains("more than 1000 others are in its place. Remove"),
            "{told}"
        );
        assert!(index.len() >= 1000);
    }
}
