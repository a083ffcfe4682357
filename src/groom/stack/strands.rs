//! Strands while the stack changes them.

use super::line::Line;
use super::{Mask, Modifier};
use crate::det_math::sin_cos;
use crate::groom::{Groom, RestCurves, write_along};
use crate::random::Random;
use glam::Vec3;
use rayon::prelude::*;

/// The number of points of a strand, unless an effect needs more.
const POINTS: usize = 16;
/// The largest number of points of a strand, and of all strands: 0.4 GB.
const MOST_PER_STRAND: usize = 129;
const MOST_POINTS: usize = 32 << 20;
/// Hair is not cut shorter than this, decimetres.
pub(super) const LEAST_LENGTH: f32 = 0.002;
/// The distance from the skin that hair keeps grows from the root by this much per decimetre.
const SLOPE: f32 = 0.8;
/// The distance from the skin that hair keeps as it is bent, decimetres: in the skin it would not show.
pub(super) const APART: f32 = 0.02;
/// Times that a point is pushed out of the skin and brought back to its distance.
const PUSHES: usize = 4;

/// The skin that hair lies on.
pub trait Skin: Sync {
    /// Returns the signed distance of a point in head space from the skin, decimetres, negative
    /// inside, and the direction in which it grows fastest.
    fn sample(&self, point: Vec3) -> (f32, Vec3);
}

/// The ground that hair grows on, and the values of maps at the roots.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    /// `None` if the skin is not known: hair then only stays above the planes of its roots.
    pub skin: Option<&'a dyn Skin>,
    /// The values of the four mask maps at each root; empty means 1.
    pub masks: &'a [Vec<f32>; 4],
    /// The rank of each root, to which its random values belong.
    pub ranks: &'a [u32],
    pub seed: u64,
}

/// The strands of a groom while they are changed.
pub(super) struct Strands<'a> {
    pub(super) groom: &'a mut Groom,
    pub(super) ground: Ground<'a>,
    /// The line of the first modifier that parts hair, if there is one.
    pub(super) parting: Option<&'a Line>,
    /// The number of points of each strand.
    pub(super) per: usize,
    /// Points relative to the root of their strand, evenly spaced along it.
    pub(super) points: Vec<Vec3>,
}

/// A distance from the skin and the way out; `None` if the skin is not known.
pub(super) type Away = Option<(f32, Vec3)>;

/// One of them.
#[derive(Clone, Copy)]
pub(super) struct Strand<'a> {
    pub(super) index: usize,
    pub(super) root: Vec3,
    pub(super) normal: Vec3,
    /// The share of its full effect that the modifier has on it.
    pub(super) weight: f32,
    pub(super) modifier: &'a Modifier,
    /// The factor of its ramp, if that is the same everywhere.
    factor: Option<f32>,
    ground: Ground<'a>,
}

/// A segment of a strand that is put together again.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The number of the point at its end.
    pub(super) j: usize,
    /// The point at its end, as it was.
    pub(super) to: Vec3,
    /// The length of hair from the root to its end.
    pub(super) along: f32,
    /// The [distance](Strand::distance) of the start.
    pub(super) away: Away,
    /// Its direction as it was, and as the strand has turned so far.
    pub(super) own: Vec3,
    pub(super) carried: Vec3,
}

impl<'a> Strands<'a> {
    pub(super) fn new(groom: &'a mut Groom, ground: Ground<'a>, parting: Option<&'a Line>) -> Self {
        let grown = groom.curves.as_ref().map_or(0, RestCurves::per_strand);
        let per = POINTS.max(grown).min(most_points(groom.len()));
        let mut points = vec![Vec3::ZERO; per * groom.len()];
        (points.par_chunks_exact_mut(per).enumerate())
            .for_each(|(strand, points)| groom.write_curve(strand, points));
        Self {
            groom,
            ground,
            parting,
            per,
            points,
        }
    }

    /// Gives strands as many points as an effect needs, if they have fewer. Those before it were
    /// spared them.
    pub(super) fn refine(&mut self, wanted: usize) {
        let wanted = wanted.min(most_points(self.groom.len()));
        if wanted <= self.per {
            return;
        }
        let mut points = vec![Vec3::ZERO; wanted * self.groom.len()];
        (points.par_chunks_exact_mut(wanted))
            .zip(self.points.par_chunks_exact(self.per))
            .for_each(|(fine, coarse)| write_along(coarse, length(coarse).into(), fine));
        (self.per, self.points) = (wanted, points);
    }

    /// Gives the curves to the groom.
    pub(super) fn finish(self) {
        let Self {
            groom, per, points, ..
        } = self;
        (groom.lengths.par_iter_mut())
            .zip(groom.directions.par_iter_mut())
            .zip(points.par_chunks_exact(per))
            .for_each(|((length_of, direction), points)| {
                *length_of = length(points).max(LEAST_LENGTH);
                *direction = (points[1] - points[0]).normalize_or(*direction);
            });
        groom.curves = RestCurves::new(per, points);
    }

    /// Calls a function with each strand that a modifier acts on, and its points.
    pub(super) fn each(
        &mut self,
        modifier: &Modifier,
        change: impl Fn(Strand, &mut [Vec3]) + Sync,
    ) {
        let (groom, ground) = (&*self.groom, self.ground);
        (self.points.par_chunks_exact_mut(self.per).enumerate()).for_each(|(index, points)| {
            let strand = Strand::new(groom, ground, modifier, index);
            if strand.weight > 0.0 {
                change(strand, points);
            }
        });
    }

    /// Returns the seed of the random values of a modifier.
    pub(super) fn seed(&self, modifier: &Modifier) -> u64 {
        seed(self.ground, modifier)
    }
}

/// Returns the largest number of points that each of so many strands gets.
pub(crate) fn most_points(strands: usize) -> usize {
    MOST_PER_STRAND.min((MOST_POINTS / strands.max(1)).max(POINTS))
}

fn seed(ground: Ground, modifier: &Modifier) -> u64 {
    const STREAM: u64 = 0x7374_6163_6b21_2121;
    let kind = modifier.effect.kind().stream();
    ground.seed
        ^ STREAM
        ^ (kind << 40)
        ^ u64::from(modifier.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl<'a> Strand<'a> {
    pub(super) fn new(
        groom: &Groom,
        ground: Ground<'a>,
        modifier: &'a Modifier,
        index: usize,
    ) -> Self {
        let map = match modifier.mask {
            Mask::Everywhere => None,
            mask => ground.masks[mask as usize - 1].get(index),
        };
        let share = map.map_or(1.0, |&share| share.clamp(0.0, 1.0));
        let inverts = modifier.invert && modifier.mask != Mask::Everywhere;
        let share = if inverts { 1.0 - share } else { share };
        Self {
            index,
            root: groom.roots[index],
            normal: groom.normals[index],
            weight: modifier.amount * share,
            modifier,
            factor: modifier.is_even().then(|| modifier.along(0.0)),
            ground,
        }
    }

    /// Returns the random values of this strand: they belong to its rank, so that other strands may
    /// come and go.
    pub(super) fn random(&self) -> Random {
        let rank = self.ground.ranks.get(self.index).copied();
        let rank = rank.unwrap_or(self.index as u32);
        random_of(seed(self.ground, self.modifier), rank)
    }

    /// Returns how much the modifier acts on point j of a strand of this number of points.
    pub(super) fn at(&self, j: usize, points: usize) -> f32 {
        let ramp = || self.modifier.along(j as f32 / (points - 1) as f32);
        self.weight * self.factor.unwrap_or_else(ramp)
    }

    /// Puts a strand together again from the root outwards: `turn` gets a [`Step`], and returns the
    /// new one, whose length does not matter. Segments keep their length, and hair stays `layer` away
    /// from the skin, which gets the length of hair from the root.
    pub(super) fn walk(
        &self,
        points: &mut [Vec3],
        layer: impl Fn(f32) -> f32,
        mut turn: impl FnMut(Step) -> Vec3,
    ) {
        let mut away = self.distance(Vec3::ZERO);
        let at_root = away.map_or(0.0, |(d, _)| d.min(layer(0.0)));
        let (mut before, mut along) = (points[0], 0.0);
        let mut own_before = Vec3::ZERO;
        let mut now = Vec3::ZERO;
        for j in 1..points.len() {
            let to = points[j];
            let step = to - before;
            let size = step.length();
            let own = step.normalize_or(self.normal);
            // The strand keeps its own bends.
            let carried = match j {
                1 => own,
                _ => unit(now + own - own_before).unwrap_or(own),
            };
            before = to;
            own_before = own;
            along += size;
            let from = points[j - 1];
            let step = Step {
                j,
                to,
                along,
                away,
                own,
                carried,
            };
            let wanted = turn(step).normalize_or(carried);
            let clearance = (at_root + SLOPE * along).min(layer(along));
            let turned;
            (turned, away) = self.outside(from, wanted, size, clearance);
            points[j] = from + turned * size;
            // Hair that the skin turns leans on it, and does not leave it by its swing.
            now = 0.5 * (turned + wanted);
        }
    }

    /// Turns segments as they would be if points were elsewhere: `target` gets the number of a point
    /// and its place. The strand keeps its length, so that it does not get to all of those places.
    pub(super) fn lead(&self, points: &mut [Vec3], target: impl Fn(usize, Vec3) -> Vec3) {
        let mut before = Vec3::ZERO;
        self.walk(
            points,
            |_| APART * self.weight,
            |Step { j, to, .. }| {
                let now = target(j, to);
                now - std::mem::replace(&mut before, now)
            },
        );
    }

    /// Returns a unit direction that is turned until the point at a distance is away from the skin,
    /// and the distance of that point from the skin; that before the last turn if the skin leaves
    /// no room.
    pub(super) fn outside(
        &self,
        from: Vec3,
        mut way: Vec3,
        size: f32,
        clearance: f32,
    ) -> (Vec3, Away) {
        let mut found = None;
        for _ in 0..PUSHES {
            found = self.distance(from + way * size);
            match found {
                Some((away, out)) if away < clearance => {
                    let pushed = way * size + out * (1.1 * (clearance - away) + 1e-4);
                    way = pushed.normalize_or(out);
                }
                _ => break,
            }
        }
        (way, found)
    }

    /// Returns the distance from the skin of a point relative to the root, and the way out; `None` if
    /// the skin is not known.
    pub(super) fn distance(&self, point: Vec3) -> Away {
        let (away, gradient) = self.ground.skin?.sample(self.root + point);
        Some((away, unit(gradient).unwrap_or(self.normal)))
    }
}

/// Returns the generator of random values of a number in a stream.
pub(super) fn random_of(seed: u64, number: u32) -> Random {
    Random::new(seed ^ u64::from(number).wrapping_mul(0x2545_f491_4f6c_dd1d))
}

/// Returns a vector of about unit length in its direction; `None` if it has none. Vectors that are
/// nearly of that length need no root: the first terms of 1 / √x about 1 are within 0.4 %.
fn unit(v: Vec3) -> Option<Vec3> {
    const NEAR: f32 = 0.1;
    let square = v.length_squared();
    match (square - 1.0).abs() < NEAR {
        true => Some(v * (1.5 - 0.5 * square)),
        false => v.try_normalize(),
    }
}

/// Returns the length of a polyline.
pub(super) fn length(points: &[Vec3]) -> f32 {
    points
        .windows(2)
        .map(|pair| pair[0].distance(pair[1]))
        .sum()
}

/// Returns a vector turned about a unit axis by an angle in radians (Rodrigues).
pub(super) fn turned(v: Vec3, axis: Vec3, angle: f64) -> Vec3 {
    if angle == 0.0 {
        return v;
    }
    let (sin, cos) = sin_cos(angle);
    let (sin, cos) = (sin as f32, cos as f32);
    v * cos + axis.cross(v) * sin + axis * (axis.dot(v) * (1.0 - cos))
}

/// Returns a vector after the smallest rotation from one unit vector to another.
pub(super) fn carried(v: Vec3, from: Vec3, to: Vec3) -> Vec3 {
    let (across, cos) = (from.cross(to), from.dot(to));
    v * cos + across.cross(v) + across * (across.dot(v) / (1.0 + cos).max(1e-3))
}
