//! Dyed strands.

use super::locks::locks;
use super::strands::{Strand, Strands, random_of};
use super::{Dye, Modifier};
use rayon::prelude::*;

impl Strands<'_> {
    pub(super) fn dye(&mut self, modifier: &Modifier, dye: &Dye) {
        let middles = match dye.lock > 0.0 && dye.share < 1.0 {
            true => locks(&self.groom.roots, &self.groom.normals, dye.lock),
            false => Vec::new(),
        };
        let (groom, ground, seed) = (&*self.groom, self.ground, self.seed(modifier));
        let tint = |index: usize| {
            let old = groom.tints.get(index).copied().unwrap_or([1.0; 3]);
            let middle = middles.get(index).map_or(index, |&middle| middle as usize);
            let rank = ground.ranks.get(middle).map_or(middle as u32, |&rank| rank);
            let strand = Strand::new(groom, ground, modifier, index);
            let drawn = random_of(seed, rank).uniform() as f32;
            match drawn < dye.share {
                true => {
                    [0, 1, 2].map(|i| old[i] * (1.0 - strand.weight) + dye.color[i] * strand.weight)
                }
                false => old,
            }
        };
        let tints = (0..groom.len()).into_par_iter().map(tint).collect();
        self.groom.tints = tints;
    }
}
