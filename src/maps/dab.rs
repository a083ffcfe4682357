//! One touch of a brush.

use super::lattice::Lattice;
use super::map::stored;
use super::{Canvas, Map, MapUndo};
use glam::Vec3;

/// What a brush does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tool {
    /// Mixes values towards [`Dab::value`].
    #[default]
    Set,
    /// Mixes values towards the mean of those around, about a quarter of the radius away.
    Smooth,
}

/// One touch of a brush: a ball in head space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dab {
    /// Middle of the ball, head space, decimetres.
    pub centre: Vec3,
    /// Radius of the ball, decimetres, up to 1e6.
    pub radius: f32,
    /// 0 does nothing, 1 goes all the way in the middle.
    pub strength: f32,
    /// 0 is a hard edge; 1 fades from the middle to the edge.
    pub falloff: f32,
    /// What [`Tool::Set`] paints, each 0 to 1; grey maps use the first number.
    pub value: [f32; 3],
    /// What it does.
    pub tool: Tool,
    /// Whether it touches the other side (x to −x) too; directions are mirrored there.
    pub mirror: bool,
}

impl Default for Dab {
    /// A soft touch of white, 0.2 dm around the middle of the head.
    fn default() -> Self {
        Dab {
            centre: Vec3::ZERO,
            radius: 0.2,
            strength: 1.0,
            falloff: 0.5,
            value: [1.0; 3],
            tool: Tool::Set,
            mirror: false,
        }
    }
}

/// Radii and centres beyond this are not told from infinite, decimetres.
const FARTHEST: f32 = 1e6;

impl Dab {
    /// How much of the way a value goes whose place is so far from the middle (decimetres): the
    /// strength, faded to 0 at the edge along `3 t² - 2 t³`.
    pub fn weight(&self, distance: f32) -> f32 {
        let strength = self.strength.clamp(0.0, 1.0);
        let inward = 1.0 - distance / self.radius;
        // Also where something is no number.
        if !(inward >= 0.0 && strength > 0.0) {
            return 0.0;
        }
        if self.falloff <= inward || self.falloff.is_nan() {
            return strength;
        }
        let t = inward / self.falloff.min(1.0);
        strength * t * t * (3.0 - 2.0 * t)
    }
}

impl Map {
    /// Touches the map with a brush, and remembers in `record` what was there before the stroke.
    /// How many values changed.
    ///
    /// What counts is how far a value's place is from the middle of the dab in head space, so
    /// that both sides of a UV seam get the same. A value with two places, where UVs overlap,
    /// gets the weight of the nearer. Nothing happens if the canvas is for another layout, or
    /// the dab's middle or radius is no sensible number.
    pub fn dab(&mut self, canvas: &Canvas, dab: &Dab, record: &mut MapUndo) -> usize {
        let in_range = dab.centre.abs().max_element() <= FARTHEST && dab.centre.is_finite();
        if canvas.layout() != self.layout || !in_range || dab.radius.is_nan() || dab.radius <= 0.0 {
            return 0;
        }
        let dab = Dab {
            radius: dab.radius.min(FARTHEST),
            ..*dab
        };
        let sides = [Some(false), dab.mirror.then_some(true)];
        let sides = sides.map(|side| side.map(|flipped| Side::of(self, canvas, &dab, flipped)));
        let mut changed = 0;
        let mut shared: Vec<(u32, Mix)> = Vec::new();
        for (number, side) in sides.iter().enumerate() {
            let Some(side) = side else { continue };
            canvas.grid.visit(side.centre, dab.radius, |at, place, _| {
                let mixes = sides.each_ref().map(|side| {
                    let side = side.as_ref()?;
                    side.mix(&dab, place.position)
                });
                // The first side has done what is in reach of both.
                let [first, second] = mixes;
                let mix = match (first, second) {
                    (Some(_), _) if number > 0 => return,
                    (Some(first), Some(second)) => first.with(second),
                    (Some(mix), None) | (None, Some(mix)) => mix,
                    (None, None) => return,
                };
                if canvas.is_shared(at) {
                    shared.push((place.texel, mix));
                } else {
                    changed += usize::from(self.apply(place.texel, mix, record));
                }
            });
        }
        // Stable, so that places of a value are merged in the order of the canvas.
        shared.sort_by_key(|(texel, _)| *texel);
        for group in shared.chunk_by(|(a, _), (b, _)| a == b) {
            let mixes = group.iter().copied();
            let merged = mixes.reduce(|(texel, a), (_, b)| (texel, a.with(b)));
            if let Some((texel, mix)) = merged {
                changed += usize::from(self.apply(texel, mix, record));
            }
        }
        changed
    }

    fn apply(&mut self, texel: u32, mix: Mix, record: &mut MapUndo) -> bool {
        let Some(old) = self.stored(texel as usize) else {
            return false;
        };
        let old = Vec3::from(old.map(f32::from));
        let new = old + (mix.target - old) * mix.weight;
        // Rounds, as none is negative; casts saturate.
        let new = new.to_array().map(|number| (number + 0.5) as u16);
        record.put(self, texel, new)
    }
}

/// How far to go, and where to, in stored numbers.
#[derive(Clone, Copy)]
struct Mix {
    weight: f32,
    target: Vec3,
}

impl Mix {
    /// The farther of the two goes, to between the two targets.
    fn with(self, other: Mix) -> Mix {
        let share = other.weight / (self.weight + other.weight);
        Mix {
            weight: self.weight.max(other.weight),
            target: self.target + (other.target - self.target) * share,
        }
    }
}

/// A dab on one side of the head.
struct Side {
    centre: Vec3,
    target: Target,
}

enum Target {
    Value(Vec3),
    Mean(Lattice),
}

impl Side {
    fn of(map: &Map, canvas: &Canvas, dab: &Dab, flipped: bool) -> Side {
        let mut centre = dab.centre;
        if flipped {
            centre.x = -centre.x;
        }
        let target = match dab.tool {
            Tool::Smooth => Target::Mean(Lattice::of(map, canvas, centre, dab.radius, flipped)),
            Tool::Set => {
                let mut value = dab.value.map(stored);
                if flipped {
                    value = map.kind.mirrored(value);
                }
                Target::Value(Vec3::from(value.map(f32::from)))
            }
        };
        Side { centre, target }
    }

    fn mix(&self, dab: &Dab, position: Vec3) -> Option<Mix> {
        let weight = dab.weight(position.distance(self.centre));
        if weight <= 0.0 {
            return None;
        }
        let target = match &self.target {
            Target::Value(value) => *value,
            Target::Mean(lattice) => lattice.mean(position)?,
        };
        Some(Mix { weight, target })
    }
}

#[cfg(test)]
mod tests;
