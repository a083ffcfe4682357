//! Curves of animations: the values of a property over time (glTF 2.0, section 3.11 and appendix C).

use crate::det_math::{hermite, slerp};
use crate::head::mesh::nodes::unit;
use glam::{DQuat, DVec3, DVec4};
use std::sync::Arc;

/// The largest difference between the ends of a loop, and the cosine of half the largest angle.
const LOOP_GAP: f64 = 0.05;
/// The rounding of translations, as a share of the largest.
const NOISE: f64 = 1e-4;
const LOOP_COS: f64 = 0.9996;

/// The property of a node that a curve changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    Translation,
    Rotation,
    Scale,
    /// The weights of the morph targets of its mesh.
    Weights,
}

/// The way from one key to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    Step,
    Linear,
    /// Each key has the tangent that leads to it, its value, and the tangent that leads away.
    Cubic,
}

/// The values of a property of a node.
#[derive(Debug)]
pub struct Curve {
    pub node: usize,
    pub property: Property,
    pub interpolation: Interpolation,
    /// The times of the keys, seconds, in ascending order; at least one.
    pub times: Arc<[f32]>,
    /// The numbers of each value.
    pub lanes: usize,
    /// All numbers, key after key.
    pub values: Vec<f32>,
}

/// The values of a key: the tangent that leads to it, the value, the tangent that leads away.
type Key<'a> = [&'a [f32]; 3];

impl Curve {
    /// Returns the time of the last key, seconds.
    pub fn end_secs(&self) -> f64 {
        self.times.last().copied().map_or(0.0, f64::from)
    }

    /// Returns `true` if all its keys have about the same value.
    pub fn is_still(&self) -> bool {
        let largest = self.values.iter().fold(0.0_f32, |a, b| a.max(b.abs()));
        let first = self.key(0)[1];
        (1..self.times.len()).all(|number| {
            let mut lanes = self.key(number)[1].iter().zip(first);
            lanes.all(|(now, first)| (now - first).abs() <= NOISE as f32 * largest)
        })
    }

    /// Returns `true` if its value at a time is about that of the start, or if it is a translation of
    /// what `carries_head`, which goes on from where it ended.
    pub fn is_loop(&self, end_secs: f64, carries_head: bool) -> bool {
        let (mut start, mut end) = (Vec::new(), Vec::new());
        self.sample(0.0, &mut start);
        self.sample(end_secs, &mut end);
        let mut gaps = start
            .iter()
            .zip(&end)
            .map(|(start, end)| (start - end).abs());
        match self.property {
            // The dot product of unit quaternions is the cosine of half the angle.
            Property::Rotation => rotation(&start).dot(rotation(&end)).abs() > LOOP_COS,
            Property::Translation if carries_head => true,
            // Files have any unit: it is a share of the longest way.
            Property::Translation => {
                let values = (0..self.times.len()).flat_map(|number| self.key(number)[1]);
                let ways = values.zip(start.iter().cycle());
                let longest = ways.map(|(&value, start)| (f64::from(value) - start).abs());
                let longest = longest.fold(0.0, f64::max);
                // Constant curves have noise.
                let largest = self.values.iter().fold(0.0_f32, |a, b| a.max(b.abs()));
                let least = NOISE * f64::from(largest);
                gaps.all(|gap| gap <= least + LOOP_GAP * longest)
            }
            Property::Scale | Property::Weights => gaps.all(|gap| gap <= LOOP_GAP),
        }
    }

    fn key(&self, number: usize) -> Key<'_> {
        let lanes = self.lanes;
        match self.interpolation {
            Interpolation::Cubic => {
                let at = |part: usize| &self.values[(3 * number + part) * lanes..][..lanes];
                [at(0), at(1), at(2)]
            }
            _ => [&self.values[number * lanes..][..lanes]; 3],
        }
    }

    /// Writes the value at a time: the first before the first key, the last after the last.
    pub fn sample(&self, secs: f64, out: &mut Vec<f64>) {
        out.clear();
        let after = self.times.partition_point(|&time| f64::from(time) <= secs);
        let number = after.saturating_sub(1).min(self.times.len() - 1);
        let [_, from, leaving] = self.key(number);
        let ends = (self.times[number], self.times.get(after));
        let (start, Some(&end)) = ends else {
            return out.extend(from.iter().map(|&value| f64::from(value)));
        };
        let length = f64::from(end) - f64::from(start);
        if after == 0 || length <= 0.0 || self.interpolation == Interpolation::Step {
            return out.extend(from.iter().map(|&value| f64::from(value)));
        }
        let t = (secs - f64::from(start)) / length;
        let [arriving, to, _] = self.key(after);
        if self.interpolation == Interpolation::Cubic {
            let [h0, h1, k0, k1] = hermite(t);
            out.extend((0..self.lanes).map(|lane| {
                let [p0, m0, p1, m1] = [from, leaving, to, arriving].map(|v| f64::from(v[lane]));
                p0 * h0 + p1 * h1 + (m0 * k0 + m1 * k1) * length
            }));
        } else {
            let numbers = |values: &[f32]| values.iter().map(|&v| f64::from(v)).collect::<Vec<_>>();
            out.extend(between(self.property, &numbers(from), &numbers(to), t));
        }
    }
}

/// Returns the value at a share of the way from one to another.
pub fn between(property: Property, from: &[f64], to: &[f64], t: f64) -> Vec<f64> {
    match property {
        Property::Rotation => slerp(rotation(from), rotation(to), t).to_array().into(),
        _ => {
            let both = from.iter().zip(to);
            both.map(|(from, to)| from * (1.0 - t) + to * t).collect()
        }
    }
}

/// Returns the unit rotation of a value.
pub fn rotation(value: &[f64]) -> DQuat {
    unit(value.try_into().map_or(DVec4::W, DVec4::from_array))
}

/// Returns the vector of a value.
pub fn vector(value: &[f64]) -> DVec3 {
    value.try_into().map_or(DVec3::ZERO, DVec3::from_array)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(property: Property, interpolation: Interpolation, values: &[f32]) -> Curve {
        let lanes = if property == Property::Rotation { 4 } else { 3 };
        Curve {
            node: 0,
            property,
            interpolation,
            times: [0.5, 1.5].into(),
            lanes,
            values: values.to_vec(),
        }
    }

    fn at(curve: &Curve, secs: f64) -> Vec<f64> {
        let mut out = Vec::new();
        curve.sample(secs, &mut out);
        out
    }

    #[test]
    fn keys_are_held_outside_and_joined_inside() {
        let ends = [1.0, 2.0, 3.0, 5.0, 2.0, -1.0];
        let line = curve(Property::Translation, Interpolation::Linear, &ends);
        assert_eq!(at(&line, -1.0), [1.0, 2.0, 3.0]);
        assert_eq!(at(&line, 0.75), [2.0, 2.0, 2.0]);
        assert_eq!(at(&line, 9.0), [5.0, 2.0, -1.0]);
        let step = curve(Property::Scale, Interpolation::Step, &ends);
        assert_eq!(at(&step, 1.49), [1.0, 2.0, 3.0]);
        assert_eq!(at(&step, 1.5), [5.0, 2.0, -1.0]);
    }

    #[test]
    fn rotations_turn_evenly_along_the_shortest_arc() {
        let quarter = DQuat::from_rotation_y(1.0);
        let opposite = -quarter;
        let values: Vec<f32> = (DQuat::IDENTITY.to_array().into_iter())
            .chain(opposite.to_array())
            .map(|x| x as f32)
            .collect();
        let turn = curve(Property::Rotation, Interpolation::Linear, &values);
        let found = rotation(&at(&turn, 0.75));
        assert!(found.angle_between(DQuat::from_rotation_y(0.25)) < 1e-6);
    }

    #[test]
    fn cubic_tangents_are_velocities() {
        // x(t) = t³ from 0.5 s: value 0, velocity 0; value 1, velocity 3 after a second.
        let key =
            |value: f32, velocity: f32| [velocity, 0.0, 0.0, value, 0.0, 0.0, velocity, 0.0, 0.0];
        let cubic = curve(
            Property::Translation,
            Interpolation::Cubic,
            &[key(0.0, 0.0), key(1.0, 3.0)].concat(),
        );
        for t in [0.0, 0.25, 0.5, 0.875, 1.0] {
            assert!((at(&cubic, 0.5 + t)[0] - t * t * t).abs() < 1e-12, "{t}");
        }
    }
}
