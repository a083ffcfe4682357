//! Clumps: strands gather to the spikes of a mohawk.

use super::strand_modulation::{draw_per_rank, share};
use super::{Effect, Groom, GroomSettings, Shares, stack};
use crate::random::Random;
use crate::roots::Roots;
use glam::Vec3;
use rayon::prelude::*;

/// The seed of the random stream of clumping. It does not affect lengths and tilts.
const CLUMP_STREAM: u64 = 0x636c_756d_7073_2121;
/// The smallest random factor on the setting; a clump without stray hairs looks like plastic.
const LEAST_SHARE: f64 = 0.55;
/// The smallest sine of a gathered strand above the plane of its root. A strand that would be lower
/// stays as it grew, since on a curved scalp the tip of a neighbour can lie below the plane.
const LEAST_RISE: f32 = 0.17;

impl GroomSettings {
    /// Returns the radius of the widest level of clumps, decimetres; `None` without clumps.
    pub(crate) fn widest_clump(&self) -> Option<f32> {
        let acting = self.stack.iter().filter(|modifier| modifier.acts());
        let levels = acting.filter_map(|modifier| match &modifier.effect {
            Effect::Clump(clump) => Some(clump.size),
            _ => None,
        });
        let plain = (self.clump > 0.0 && self.clump_size > 0.0).then_some(self.clump_size);
        levels.chain(plain).reduce(f32::max)
    }
}

/// Leans every strand towards the tip of its clump's middle strand.
///
/// Clumps are [`locks`](stack::locks) of the radius `clump_size`, and as even as roots. The tip of a
/// strand moves by `clump`, times its value in `shares`, towards the tip of its middle. Returns the
/// middle of each strand, or nothing without clumps.
pub(super) fn gather(
    groom: &mut Groom,
    roots: &Roots,
    settings: &GroomSettings,
    shares: &Shares,
    seed: u64,
) -> Vec<u32> {
    if settings.clump == 0.0 || settings.clump_size == 0.0 {
        return Vec::new();
    }
    let middles = stack::locks(&groom.roots, &groom.normals, settings.clump_size);
    let reaches: Vec<Vec3> = (0..groom.len()).map(|i| groom.reach(i)).collect();
    let mut random = Random::new(seed ^ CLUMP_STREAM);
    let drawn = draw_per_rank(roots, || {
        LEAST_SHARE + (1.0 - LEAST_SHARE) * random.uniform()
    });
    let roots = &groom.roots;
    let strands = groom.directions.par_iter_mut().zip(&mut groom.lengths);
    let strands = strands.zip(&groom.normals).zip(drawn).enumerate();
    strands.for_each(|(i, (((direction, length), normal), drawn))| {
        let middle = middles[i] as usize;
        // Hair that is painted short stays short beside long hair.
        let shorter = share(&shares.length, i) / share(&shares.length, middle);
        let tip = (roots[middle] + reaches[middle] - roots[i]) * shorter.min(1.0);
        let towards = settings.clump * share(&shares.clump, i) * drawn as f32;
        let gathered = reaches[i].lerp(tip, towards);
        let size = gathered.length();
        if gathered.dot(*normal) >= LEAST_RISE * size && size > 0.0 {
            (*direction, *length) = (gathered / size, size);
        }
    });
    middles
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a patch of upright strands, gathered into clumps. Normals lean by `lean` to
    /// alternating sides.
    fn gathered(clump: f32, lean: f32) -> Groom {
        const COUNT: usize = 400;
        let root = |i| Vec3::new((i % 20) as f32, 0.0, (i / 20) as f32) * 0.01;
        let mut groom = Groom::parallel((0..COUNT).map(root).collect(), Vec3::Y, 0.5);
        let normal = |i| Vec3::new(lean * [1.0, -1.0][i % 2], 0.3, 0.0).normalize();
        groom.normals = (0..COUNT).map(normal).collect();
        groom.directions = groom.normals.clone();
        let settings = GroomSettings {
            clump,
            clump_size: 0.05,
            ..GroomSettings::default()
        };
        // Only the ranks of roots are used.
        let roots = Roots {
            ranks: (0..COUNT as u32).collect(),
            full_count: COUNT,
            ..Roots::default()
        };
        gather(&mut groom, &roots, &settings, &Shares::default(), 1);
        groom
    }

    #[test]
    fn clumping_brings_tips_together_and_none_changes_nothing() {
        // The mean distance from a tip to the nearest other tip.
        let crowding = |groom: &Groom| {
            let tip = |i: usize| groom.roots[i] + groom.reach(i);
            let nearest = |i: usize| {
                let others = (0..groom.len()).filter(|&j| j != i);
                others.fold(f32::MAX, |least, j| least.min(tip(j).distance(tip(i))))
            };
            (0..groom.len()).map(nearest).sum::<f32>() / groom.len() as f32
        };
        let (even, clumpy) = (gathered(0.0, 0.0), gathered(1.0, 0.0));
        assert_eq!(even.directions, even.normals);
        assert!(crowding(&clumpy) < 0.5 * crowding(&even));
        assert_eq!(clumpy.roots, even.roots);
    }

    #[test]
    fn gathered_strands_stay_above_their_planes() {
        // On ridges, the tip of a neighbour may lie below a strand's own plane.
        let groom = gathered(1.0, 1.0);
        for (direction, normal) in groom.directions.iter().zip(&groom.normals) {
            assert!(direction.dot(*normal) > 0.1);
        }
    }
}
