//! Hair as the first modifiers of a stack leave it, so that a change of a later one need not shape
//! it from the start.

use super::strands::{Ground, Strands};
use super::{Effect, Mask, Modifier};
use crate::groom::{Groom, RestCurves};
use glam::Vec3;

/// Hair of more points than this is not kept.
const MOST_POINTS: usize = 8 << 20;

/// The input of the last time that hair was shaped, and its shape before the modifier that had
/// changed then.
#[derive(Default)]
pub struct Checkpoint {
    /// The shape of the hair before the stack.
    base: Groom,
    masks: [Vec<f32>; 4],
    ranks: Vec<u32>,
    seed: u64,
    has_skin: bool,
    /// The modifiers that acted.
    stack: Vec<Modifier>,
    shaped: Option<Shaped>,
}

/// Hair after the first modifiers.
struct Shaped {
    /// The number of those modifiers.
    count: usize,
    groom: Groom,
    per: usize,
    points: Vec<Vec3>,
}

impl Checkpoint {
    /// Takes note of what hair is shaped from and by now. Returns the number of modifiers that have
    /// nothing left to do, as [`restore`](Self::restore) brings their hair back, and the number after
    /// which hair is to be [kept](Self::keep); that is 0 for none.
    pub(super) fn meet(
        &mut self,
        groom: &Groom,
        stack: &[&Modifier],
        ground: &Ground,
    ) -> (usize, usize) {
        let is_same = self.seed == ground.seed
            && self.has_skin == ground.skin.is_some()
            && self.ranks == ground.ranks
            && shape(&self.base) == shape(groom);
        let alike = match is_same {
            true => self.alike(stack, ground.masks),
            false => {
                self.base = with_shape(groom, Groom::default());
                self.ranks = ground.ranks.to_vec();
                (self.seed, self.has_skin) = (ground.seed, ground.skin.is_some());
                0
            }
        };
        if self.masks != *ground.masks {
            self.masks.clone_from(ground.masks);
        }
        self.stack = stack.iter().map(|&modifier| modifier.clone()).collect();
        self.shaped.take_if(|shaped| shaped.count > alike);
        let done = self.shaped.as_ref().map_or(0, |shaped| shaped.count);
        (done, if alike > done { alike } else { 0 })
    }

    /// Returns the number of first modifiers that do what they did the last time.
    fn alike(&self, stack: &[&Modifier], masks: &[Vec<f32>; 4]) -> usize {
        let sees_same = |mask| match mask {
            Mask::Everywhere => true,
            mask => masks[mask as usize - 1] == self.masks[mask as usize - 1],
        };
        // No shape depends on the surface, nor that on a shape.
        let is_surface = |modifier: &Modifier| !modifier.effect.kind().shapes_hair();
        let pairs = self.stack.iter().zip(stack);
        let alike = pairs.take_while(|(was, now)| {
            (was == *now && sees_same(now.mask)) || (is_surface(was) && is_surface(now))
        });
        let alike = alike.count();
        // Hair that follows guides also depends on where the stack parts it.
        let follows = |modifier: &&Modifier| matches!(modifier.effect, Effect::Follow(_));
        let parts = |modifier: &&Modifier| matches!(modifier.effect, Effect::Part(_));
        match self.stack.iter().find(parts) == stack.iter().copied().find(parts) {
            true => alike,
            false => alike.min(stack.iter().copied().take_while(|m| !follows(m)).count()),
        }
    }

    /// Gives hair the shape in which the modifiers that are done left it. Its surface stays.
    pub(super) fn restore(&self, strands: &mut Strands) {
        if let Some(shaped) = &self.shaped {
            let surface = std::mem::take(strands.groom);
            *strands.groom = with_shape(&shaped.groom, surface);
            (strands.per, strands.points) = (shaped.per, shaped.points.clone());
        }
    }

    /// Keeps hair as the first `count` modifiers have left it.
    pub(super) fn keep(&mut self, strands: &Strands, count: usize) {
        self.shaped = (strands.points.len() <= MOST_POINTS).then(|| Shaped {
            count,
            groom: with_shape(strands.groom, Groom::default()),
            per: strands.per,
            points: strands.points.clone(),
        });
    }
}

type Shape<'a> = ([&'a [Vec3]; 3], &'a [f32], &'a Option<RestCurves>);

/// Returns what modifiers that shape hair read and change.
fn shape(groom: &Groom) -> Shape<'_> {
    let vectors = [&groom.roots[..], &groom.directions, &groom.normals];
    (vectors, &groom.lengths, &groom.curves)
}

/// Returns hair with the shape of one and the surface of another.
fn with_shape(groom: &Groom, surface: Groom) -> Groom {
    Groom {
        roots: groom.roots.clone(),
        directions: groom.directions.clone(),
        normals: groom.normals.clone(),
        lengths: groom.lengths.clone(),
        curves: groom.curves.clone(),
        ..surface
    }
}
