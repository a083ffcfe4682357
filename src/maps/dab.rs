//! The touch of a brush on a map.

use super::canvas::Canvas;
use super::map::{FULL, Map, stored};
use super::undo::MapUndo;
use glam::{Vec3, Vec4};

/// A touch of a brush: a ball in head space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dab {
    /// Middle of the ball, head space, decimetres.
    pub centre: Vec3,
    /// Radius of the ball, decimetres, up to 1e6.
    pub radius: f32,
    /// Strength: 0 does nothing, 1 sets values in the middle completely.
    pub strength: f32,
    /// Falloff: 0 is a hard edge, 1 fades from the middle to the edge.
    pub falloff: f32,
    /// The value that is mixed in, each number 0 to 1; grey maps use the first. `None` smooths:
    /// values are mixed with the mean of those around, about a quarter of the radius away.
    pub value: Option<[f32; 3]>,
    /// `true` if the other side of the head (x to −x) changes too; directions are mirrored there.
    pub mirror: bool,
}

impl Default for Dab {
    /// Returns a soft dab of white with a radius of 0.2 dm, at the origin.
    fn default() -> Self {
        Dab {
            centre: Vec3::ZERO,
            radius: 0.2,
            strength: 1.0,
            falloff: 0.5,
            value: Some([1.0; 3]),
            mirror: false,
        }
    }
}

/// Larger radii are clamped to this, and dabs with farther centres do nothing, decimetres.
const MAX_DISTANCE: f32 = 1e6;
/// Nodes of a lattice per radius of a dab. A mean reaches about one and a half node distances to
/// each side.
const NODES_PER_RADIUS: f32 = 4.0;

impl Dab {
    /// Returns the weight of a value whose place is at a distance from the middle (decimetres): the
    /// strength, faded to 0 at the edge by `3 t² - 2 t³`.
    pub fn weight(&self, distance: f32) -> f32 {
        let strength = self.strength.clamp(0.0, 1.0);
        let inward = 1.0 - distance / self.radius;
        // The comparison is false for NaN too.
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
    /// Touches the map with a brush, as a part of a stroke that `undo` undoes. Returns the number
    /// of changed values.
    ///
    /// Weights depend on the distance in head space, so both sides of a UV seam get the same. A
    /// value with two places, where UVs overlap, gets the weight of the nearer. Nothing happens if
    /// the canvas is for another layout, or if the dab's middle or radius is not usable.
    pub fn dab(&mut self, canvas: &Canvas, dab: &Dab, undo: &mut MapUndo) -> usize {
        let mut count = 0;
        self.dab_telling(canvas, dab, f32::from(FULL), undo, |_| count += 1);
        count
    }

    /// Touches the map as [`dab`](Self::dab) does; a layer gets this coverage where it is painted.
    /// Calls `changed` with the index of each changed value.
    pub(super) fn dab_telling(
        &mut self,
        canvas: &Canvas,
        dab: &Dab,
        coverage: f32,
        undo: &mut MapUndo,
        mut changed: impl FnMut(usize),
    ) {
        let in_range = dab.centre.abs().max_element() <= MAX_DISTANCE && dab.centre.is_finite();
        if canvas.layout() != self.layout || !in_range || dab.radius.is_nan() || dab.radius <= 0.0 {
            return;
        }
        let dab = Dab {
            radius: dab.radius.min(MAX_DISTANCE),
            ..*dab
        };
        let sides = [Some(false), dab.mirror.then_some(true)];
        let of = |flipped| Side::of(self, canvas, &dab, coverage, flipped);
        let sides = sides.map(|side| side.map(of));
        let mut apply = |texel: u32, mix: Mix| {
            if let Some((old, covered)) = self.apply(texel as usize, mix) {
                undo.add(self, texel as usize, old, covered);
                changed(texel as usize);
            }
        };
        let mut shared: Vec<(u32, Mix)> = Vec::new();
        for (number, side) in sides.iter().enumerate() {
            let Some(side) = side else { continue };
            canvas.visit(side.centre, dab.radius, |at, place| {
                let mix = |side: &Option<Side>| side.as_ref()?.mix(&dab, place.position);
                // Places in reach of both sides were done with the first.
                let mix = match (mix(&sides[0]), mix(&sides[1])) {
                    (Some(_), _) if number > 0 => return,
                    (Some(first), Some(second)) => first.with(second),
                    (Some(mix), None) | (None, Some(mix)) => mix,
                    (None, None) => return,
                };
                if canvas.is_shared(at) {
                    shared.push((place.texel, mix));
                } else {
                    apply(place.texel, mix);
                }
            });
        }
        // A stable sort, so that places of a value are merged in the order of the canvas.
        shared.sort_by_key(|(texel, _)| *texel);
        for group in shared.chunk_by(|(a, _), (b, _)| a == b) {
            let mixes = group.iter().copied();
            let merged = mixes.reduce(|(texel, a), (_, b)| (texel, a.with(b)));
            if let Some((texel, mix)) = merged {
                apply(texel, mix);
            }
        }
    }

    /// Mixes a value in by a weight of 0 to 1, which also covers a layer; or without a value takes its
    /// coverage away.
    pub(super) fn mix(&mut self, index: usize, value: Option<[f32; 3]>, weight: f32) {
        let mix = Mix {
            weight,
            target: Vec3::from(
                value
                    .unwrap_or(self.kind.neutral())
                    .map(|x| f32::from(stored(x))),
            ),
            coverage: value.map_or(0.0, |_| f32::from(FULL)),
        };
        self.apply(index, mix);
    }

    /// Mixes a value in. Returns the value and the coverage before, if anything changes.
    ///
    /// With the weight w and the target t, the coverage a of a layer becomes a' = a + (t - a) w.
    /// The old value keeps its part a (1 - w) of that, so it has the share a (1 - w) / a' of the new
    /// one.
    fn apply(&mut self, index: usize, mix: Mix) -> Option<([u16; 3], u16)> {
        let stored = self.stored(index)?;
        let (mut covered, mut weight, mut is_changed) = (FULL, mix.weight, false);
        if self.has_coverage {
            covered = self.coverage(index);
            let old = f32::from(covered);
            let new = old + (mix.coverage - old) * mix.weight;
            is_changed = self.cover(index, (new + 0.5) as u16);
            weight = match new > 0.0 {
                true => (1.0 - old * (1.0 - mix.weight) / new).max(0.0),
                false => 0.0,
            };
        }
        let old = Vec3::from(stored.map(f32::from));
        let new = old + (mix.target - old) * weight;
        // Rounds, as no number is negative; casts saturate.
        let new = new.to_array().map(|number| (number + 0.5) as u16);
        is_changed |= self.put(index, new);
        is_changed.then_some((stored, covered))
    }
}

/// A change towards a target, in stored numbers: a value, and for a layer its coverage.
#[derive(Clone, Copy)]
struct Mix {
    weight: f32,
    target: Vec3,
    coverage: f32,
}

impl Mix {
    /// Merges two changes: the larger weight, and a target between both.
    fn with(self, other: Mix) -> Mix {
        let share = other.weight / (self.weight + other.weight);
        Mix {
            weight: self.weight.max(other.weight),
            target: self.target + (other.target - self.target) * share,
            coverage: self.coverage + (other.coverage - self.coverage) * share,
        }
    }
}

/// A dab on one side of the head.
struct Side {
    centre: Vec3,
    /// The value that is mixed in and its coverage, in stored numbers, unless there are means of
    /// those around.
    value: Vec3,
    coverage: f32,
    /// The means of values, and those of the coverage of a layer.
    means: Option<(Lattice, Option<Lattice>)>,
}

impl Side {
    fn of(map: &Map, canvas: &Canvas, dab: &Dab, coverage: f32, flipped: bool) -> Side {
        let mut centre = dab.centre;
        if flipped {
            centre.x = -centre.x;
        }
        let mut value = dab.value.unwrap_or_default().map(stored);
        if flipped {
            value = map.kind.mirrored(value);
        }
        let value_at = |index| Some(Vec3::from(map.stored(index)?.map(f32::from)).extend(1.0));
        let covered = |index| f32::from(map.coverage(index));
        let ball = (centre, dab.radius);
        let means = || match map.has_coverage {
            false => (Lattice::of(canvas, ball, flipped, value_at), None),
            true => {
                let values = |index| Some(value_at(index)? * (covered(index) / f32::from(FULL)));
                let coverage = |index| Some(Vec4::new(covered(index), 0.0, 0.0, 1.0));
                let coverage = Lattice::of(canvas, ball, flipped, coverage);
                let values = Lattice::of(canvas, ball, flipped, values);
                (values, Some(coverage))
            }
        };
        Side {
            centre,
            value: Vec3::from(value.map(f32::from)),
            coverage,
            means: dab.value.is_none().then(means),
        }
    }

    fn mix(&self, dab: &Dab, position: Vec3) -> Option<Mix> {
        let weight = dab.weight(position.distance(self.centre));
        if weight <= 0.0 {
            return None;
        }
        let (target, coverage) = match &self.means {
            Some((values, None)) => (values.mean(position)?, self.coverage),
            Some((values, Some(coverage))) => (values.mean(position)?, coverage.mean(position)?.x),
            None => (self.value, self.coverage),
        };
        Some(Mix {
            weight,
            target,
            coverage,
        })
    }
}

/// Means over a neighbourhood: values are spread to the nodes of a cube around a dab, and gathered
/// from them. The cost depends on the number of places alone, not on the size of the neighbourhood,
/// and the mean is a smooth function of the position: seams do not show.
struct Lattice {
    centre: Vec3,
    /// −1 along x on the mirrored side, so that the nodes of both sides are mirrored.
    turn: Vec3,
    /// Nodes per decimetre.
    scale: f32,
    /// Distance from the first node to the middle, nodes.
    half: f32,
    /// Nodes along each axis.
    side: u32,
    /// The weighted sum of values per node, and in w the sum of weights.
    sums: Vec<Vec4>,
}

impl Lattice {
    /// Returns a lattice of the values in reach of a dab, and a little beyond: each as `value`
    /// gives it, with how much it counts in w.
    fn of(
        canvas: &Canvas,
        (centre, radius): (Vec3, f32),
        flipped: bool,
        value: impl Fn(usize) -> Option<Vec4>,
    ) -> Lattice {
        // With nodes closer than values, every value would be its own mean.
        let apart = (radius / NODES_PER_RADIUS).max(2.0 * canvas.texel_size());
        let beyond = (radius / apart).ceil() + 2.0;
        let side = 2 * beyond as u32 + 1;
        let mut lattice = Lattice {
            centre,
            turn: Vec3::new(if flipped { -1.0 } else { 1.0 }, 1.0, 1.0),
            scale: apart.recip(),
            half: beyond,
            side,
            sums: vec![Vec4::ZERO; side.pow(3) as usize],
        };
        canvas.visit(centre, radius + apart, |_, place| {
            if let Some(value) = value(place.texel as usize) {
                let (rows, across) = lattice.nodes(place.position);
                for (row, weight) in rows {
                    let nodes = lattice.sums.get_mut(row..).and_then(<[_]>::first_chunk_mut);
                    if let Some([first, second, third]) = nodes {
                        let value = value * weight;
                        *first += value * across[0];
                        *second += value * across[1];
                        *third += value * across[2];
                    }
                }
            }
        });
        lattice
    }

    /// Returns the mean around a position in reach of the dab.
    fn mean(&self, position: Vec3) -> Option<Vec3> {
        let mut sum = Vec4::ZERO;
        let (rows, across) = self.nodes(position);
        for (row, weight) in rows {
            let [first, second, third] = *self.sums.get(row..)?.first_chunk()?;
            sum += (first * across[0] + second * across[1] + third * across[2]) * weight;
        }
        (sum.w > 0.0).then(|| sum.truncate() / sum.w)
    }

    /// Returns the 27 nodes around a position: the first node and the weight of nine rows of three,
    /// and the weights along rows. Weights are quadratic B-splines along each axis, which have no
    /// kinks that would show across a seam.
    fn nodes(&self, position: Vec3) -> ([(usize, f32); 9], [f32; 3]) {
        let at = (position - self.centre) * self.turn * self.scale + self.half;
        let last = self.side as i32 - 2;
        // In reach of the dab these are positive, and casts are faster than rounding.
        let middle = (at + 0.5).to_array().map(|at| (at as i32).clamp(1, last));
        let t = at - Vec3::from(middle.map(|at| at as f32));
        let t = t.clamp(Vec3::splat(-0.5), Vec3::splat(0.5));
        let (before, after) = (0.5 - t, 0.5 + t);
        let shares = [0.5 * before * before, 0.75 - t * t, 0.5 * after * after];
        let [x, y, z] = middle.map(|at| at as usize - 1);
        let side = self.side as usize;
        let rows = std::array::from_fn(|n| {
            let (up, deep) = (n % 3, n / 3);
            let row = ((z + deep) * side + y + up) * side + x;
            (row, shares[up].y * shares[deep].z)
        });
        (rows, shares.map(|share| share.x))
    }
}

#[cfg(test)]
mod tests;
