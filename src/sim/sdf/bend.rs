//! Skin that has moved since its field was baked: the ways back to where the field has it.
//!
//! With p(q) the place where the field has a point q, f the field and J = ∂p/∂q, the skin is where
//! f(p(q)) = 0, its normal is along Jᵀ ∇f, and f |∇f| / |Jᵀ ∇f| is its distance to first order.
//! [`lattice`] is the grid that has p, [`ways`] finds p from points of skin, and [`free`] bounds
//! distances from below.

mod free;
mod lattice;
mod ways;

use super::Sdf;
use crate::sim::simd::{LANES, Lanes, Lanes3, clamp, dispatch, get3, set3};
use glam::{Mat3, Vec3, Vec4};
pub(crate) use lattice::Lattice;
use lattice::{MARGIN, Place, corners_of};
use std::sync::Arc;
pub(crate) use ways::Moved;

/// Distances are corrected by this factor at most.
const MOST_STRETCH: f32 = 4.0;
/// Skin that shrinks volumes below this share moves as if it were not turned.
const LEAST_VOLUME: f32 = 0.05;

/// Skin at a time between two moments.
#[derive(Clone, Debug)]
pub(crate) struct Bend {
    motion: Arc<BendMotion>,
    /// The share of the way from the first moment to the second one.
    share: f32,
}

/// Skin that moves from one moment to another one, head space.
#[derive(Debug)]
pub(crate) struct BendMotion {
    lattice: Lattice,
    /// The way from each node to where the field has it, at the first moment, and its change until
    /// the second one. The fourth lanes are 0.
    ways: Vec<[Vec4; 2]>,
    /// `true` for cells that are where the field has them, by their lowest node.
    still: Vec<bool>,
    /// The distance of the middle of each cell from skin, or less, by its lowest node.
    free: Vec<f32>,
    /// The number of steps from the first moment to the second one.
    steps: f32,
    /// `true` if both moments are the same.
    rests: bool,
}

impl BendMotion {
    /// Returns the motion from skin to skin in some steps. `before` is the motion that has ended at
    /// the first moment; without it, skin rests. Returns `None` if all skin is where the field has it.
    pub(crate) fn new(
        field: &Sdf,
        lattice: Lattice,
        before: Option<(&[Moved], Option<&Self>)>,
        now: &[Moved],
        steps: u64,
    ) -> Option<Arc<Self>> {
        let to = ways::ways(&lattice, now);
        let from = match before {
            None => to.clone(),
            Some((_, Some(before))) if before.lattice == lattice => before
                .ways
                .iter()
                .map(|[way, change]| (*way + *change).truncate())
                .collect(),
            Some((skin, _)) => ways::ways(&lattice, skin),
        };
        let ways = from.iter().zip(&to);
        let ways: Vec<[Vec4; 2]> = ways
            .map(|(from, to)| [from.extend(0.0), (*to - *from).extend(0.0)])
            .collect();
        let still = |first: usize| {
            let corners = lattice
                .is_cell(first)
                .then(|| corners_of(&lattice.size, first));
            corners.is_none_or(|nodes| nodes.iter().all(|&node| ways[node] == [Vec4::ZERO; 2]))
        };
        let still: Vec<bool> = (0..ways.len()).map(still).collect();
        if still.iter().all(|&still| still) {
            return None;
        }
        let mut motion = Self {
            lattice,
            still,
            free: Vec::new(),
            rests: ways.iter().all(|[_, change]| *change == Vec4::ZERO),
            steps: steps as f32,
            ways,
        };
        motion.free = motion.distances(field);
        Some(Arc::new(motion))
    }

    /// Returns the way back from a place at a share of the time, and its derivatives along the axes.
    #[inline(always)]
    fn way(&self, place: &Place, share: f32) -> [Vec4; 4] {
        let corner = |node: usize| {
            let [way, change] = self.ways[node];
            way + change * share
        };
        let [a, b, c, d, e, f, g, h] = corners_of(&self.lattice.size, place.first);
        let [a, b, c, d] = [corner(a), corner(b), corner(c), corner(d)];
        let [e, f, g, h] = [corner(e), corner(f), corner(g), corner(h)];
        let corners = [a, b, c, d, e, f, g, h];
        between(corners, place.share, self.lattice.per_cell)
    }

    /// Returns the distances of eight points and their gradients at a share of the time, as
    /// [`Sdf::sample_lanes`] would if skin had been baked there; outside of the grid, lower bounds.
    /// `None`: all of them are where the field has them.
    fn sample(&self, field: &Sdf, points: &Lanes3, share: f32) -> Option<(Lanes, Lanes3)> {
        let (mut places, mut moves) = ([Place::default(); LANES], false);
        for (lane, place) in places.iter_mut().enumerate() {
            *place = self.lattice.locate(get3(points, lane));
            moves |= place.is_outside() || !self.still[place.first];
        }
        if !moves {
            return None;
        }
        let (mut there, mut turns) = (Lanes3::default(), [[Vec4::ZERO; 3]; LANES]);
        for (lane, place) in places.iter().enumerate() {
            let [way, x, y, z] = self.way(place, share);
            set3(&mut there, lane, get3(points, lane) + way.truncate());
            turns[lane] = [x, y, z];
        }
        let (mut distance, mut gradient) = dispatch((field, &there));
        for (lane, place) in places.iter().enumerate() {
            if place.is_outside() {
                let away = place.off.length();
                distance.0[lane] = away + MARGIN;
                set3(&mut gradient, lane, place.off / away);
                continue;
            }
            let slope = get3(&gradient, lane);
            let [x, y, z] = turns[lane];
            let along = |way: Vec4| way.truncate().dot(slope);
            let turned = slope + Vec3::new(along(x), along(y), along(z));
            let stretch = turned.length() / slope.length().max(1e-6);
            let per_stretch = 1.0 / clamp(stretch, 1.0 / MOST_STRETCH, MOST_STRETCH);
            distance.0[lane] *= per_stretch;
            set3(&mut gradient, lane, turned * per_stretch);
        }
        Some((distance, gradient))
    }
}

impl Bend {
    /// Returns skin at a share of the time from the first moment to the second one.
    pub(crate) fn new(motion: Arc<BendMotion>, share: f32) -> Self {
        Self { motion, share }
    }

    /// Returns the distances of eight points and their gradients, as [`Sdf::sample_lanes`] would if
    /// skin had been baked here; far from skin, lower bounds. `None`: all of them are where the field
    /// has them.
    pub(crate) fn sample(&self, field: &Sdf, points: &Lanes3) -> Option<(Lanes, Lanes3)> {
        self.motion.sample(field, points, self.share)
    }

    /// Returns lower bounds of the distances of eight points.
    pub(crate) fn lower_bounds(&self, points: &Lanes3) -> Lanes {
        let mut bounds = Lanes::ZERO;
        for (lane, bound) in bounds.0.iter_mut().enumerate() {
            *bound = self.motion.lower_bound(get3(points, lane));
        }
        bounds
    }

    /// Returns `true` if skin moves in the step.
    pub(crate) fn moves(&self) -> bool {
        !self.motion.rests
    }

    /// Returns the displacements of skin at eight points in a step.
    pub(crate) fn displacements(&self, points: &Lanes3) -> Lanes3 {
        let motion = &*self.motion;
        let mut found = Lanes3::default();
        if motion.rests {
            return found;
        }
        for lane in 0..LANES {
            let place = motion.lattice.locate(get3(points, lane));
            if motion.still[place.first] || place.is_outside() {
                continue;
            }
            // Skin that keeps its p moves by dq with J dq + dp = 0.
            let [way, x, y, z] = motion.way(&place, self.share);
            let [before, ..] = motion.way(&place, 0.0);
            let change = (way - before).truncate() / self.share;
            let turn = Mat3::from_cols(x.truncate(), y.truncate(), z.truncate()) + Mat3::IDENTITY;
            let change = match turn.determinant() > LEAST_VOLUME {
                true => turn.inverse() * change,
                false => change,
            };
            set3(&mut found, lane, change / -motion.steps);
        }
        found
    }
}

/// Interpolates between the corners of a cell, x fastest. Returns the derivatives along the axes too.
#[inline(always)]
fn between(corners: [Vec4; 8], share: Vec3, per_cell: f32) -> [Vec4; 4] {
    let [a, b, c, d, e, f, g, h] = corners;
    let Vec3 { x, y, z } = share;
    let (ab, cd, ef, gh) = (b - a, d - c, f - e, h - g);
    let (a, c, e, g) = (a + ab * x, c + cd * x, e + ef * x, g + gh * x);
    let (ac, eg) = (c - a, g - e);
    let (a, e) = (a + ac * y, e + eg * y);
    let dz = e - a;
    let dy = ac + (eg - ac) * z;
    let (ab, ef) = (ab + (cd - ab) * y, ef + (gh - ef) * y);
    let dx = ab + (ef - ab) * z;
    [a + dz * z, dx * per_cell, dy * per_cell, dz * per_cell]
}
