//! The ribbons of ties, as they lie around drawn strands.

use crate::groom::Groom;
use crate::sim::tie::Tie;
use glam::Vec3;

/// The number of strands of a tie that tell where its ribbon is.
const MOST: usize = 256;
/// The share of the strands that is within the radius of a ribbon.
const HELD: f32 = 0.95;
/// The smallest radius of a ribbon, decimetres.
const LEAST_RADIUS: f32 = 0.02;

/// A ribbon around the strands of a tie, world space, decimetres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ribbon {
    /// The middle.
    pub place: Vec3,
    /// The direction of the strands there, unit.
    pub axis: Vec3,
    /// The radius that holds all but a few of the strands.
    pub radius: f32,
}

/// The strands that tell where ribbons are.
#[derive(Clone, Debug)]
pub(in crate::sim) struct Ribbons {
    ties: Vec<Tie>,
    /// The number of drawn points of a strand.
    per: usize,
    /// The point after the tie and the share of the segment before it, for each strand of each tie.
    held: Vec<Vec<(usize, f32)>>,
}

impl Ribbons {
    pub(in crate::sim) fn new(groom: &Groom, ties: &[Tie], per: usize) -> Self {
        let held = ties.iter().map(|tie| {
            let bound = tie.bind(groom, per);
            let step = bound.len().div_ceil(MOST).max(1);
            let some = bound.iter().step_by(step);
            some.map(|bound| (bound.strand * per + bound.particle, bound.along))
                .collect()
        });
        Self {
            held: held.collect(),
            ties: ties.to_vec(),
            per,
        }
    }

    /// Returns `true` if these are for other ties or points.
    pub(in crate::sim) fn differ(&self, ties: &[Tie], per: usize) -> bool {
        self.ties != ties || self.per != per
    }

    /// Returns the ribbons around drawn points. A tie without strands has none.
    pub(in crate::sim) fn around(&self, points: &[[f32; 4]]) -> Vec<Ribbon> {
        let point = |i: usize| points.get(i).map(|&[x, y, z, _]| Vec3::new(x, y, z));
        let ribbon = |held: &Vec<(usize, f32)>| {
            let ends = |&(end, along): &(usize, f32)| {
                let (from, to) = (point(end.checked_sub(1)?)?, point(end)?);
                Some((from.lerp(to, along), to - from))
            };
            let crossed: Vec<(Vec3, Vec3)> = held.iter().filter_map(ends).collect();
            let count = crossed.len() as f32;
            let place = crossed.iter().map(|(place, _)| *place).sum::<Vec3>() / count;
            let axis = crossed.iter().map(|(_, way)| way.normalize_or_zero());
            let axis = axis.sum::<Vec3>().normalize_or(Vec3::Y);
            let away = crossed.iter().map(|(at, _)| {
                let off = *at - place;
                (off - axis * off.dot(axis)).length()
            });
            let mut away: Vec<f32> = away.collect();
            away.sort_unstable_by(f32::total_cmp);
            let radius = *away.get((HELD * count) as usize)?;
            let ribbon = Ribbon {
                place,
                axis,
                radius: radius.max(LEAST_RADIUS),
            };
            (place.is_finite() && radius.is_finite()).then_some(ribbon)
        };
        self.held.iter().filter_map(ribbon).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::TAU;

    #[test]
    fn a_ribbon_is_around_the_strands_that_its_tie_holds() {
        // Strands on two circles, the wider of which has half of them.
        let roots: Vec<Vec3> = (0..40)
            .map(|i| {
                let (sin, cos) = (i as f32 * 0.05 * TAU).sin_cos();
                let r = if i < 20 { 0.05 } else { 0.1 };
                Vec3::new(r * cos, 0.0, r * sin)
            })
            .collect();
        let groom = Groom::parallel(roots.clone(), Vec3::Y, 2.0);
        let tie = Tie {
            reach: 0.5,
            ..Tie::at([0.0, 1.0, 0.0])
        };
        let ribbons = Ribbons::new(&groom, &[tie, Tie::at([9.0, 9.0, 9.0])], 5);
        // The strands, moved and turned to lie along x.
        let turned = |p: Vec3| [p.y + 3.0, p.x, p.z, 0.0];
        let points: Vec<[f32; 4]> = (roots.iter())
            .flat_map(|&root| (0..5).map(move |j| turned(root + Vec3::Y * (0.5 * j as f32))))
            .collect();
        let found = ribbons.around(&points);
        assert_eq!(found.len(), 1, "a tie that holds nothing has no ribbon");
        let Ribbon {
            place,
            axis,
            radius,
        } = found[0];
        // Outer strands have a longer way to the tie.
        assert!(place.distance(Vec3::new(4.0, 0.0, 0.0)) < 0.01, "{place}");
        assert!(axis.distance(Vec3::X) < 1e-5, "{axis}");
        assert!((radius - 0.1).abs() < 1e-3, "{radius}");
        assert!(!ribbons.differ(&[tie, Tie::at([9.0, 9.0, 9.0])], 5) && ribbons.differ(&[], 5));
        assert!(ribbons.around(&[[f32::NAN; 4]; 200]).is_empty());
    }
}
