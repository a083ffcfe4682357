//! A hair: a quadratic Bezier from its root or its last clip.

use glam::DVec2;
use serde::{Deserialize, Serialize};

/// Largest length of both legs of the control polygon together, in lengths of the hair. As the
/// chord is no longer than the hair, this limits the curve to [`MAX_STRETCH`] lengths of the hair.
const MAX_LEGS: f64 = 1.5;
/// Largest length of a curve in lengths of its hair: ½ (3/2 + asinh(√5/2) · 2/√5), for a chord as
/// long as the hair and the longest legs.
pub const MAX_STRETCH: f64 = 1.181;
/// Smallest length after a cut, pixels.
pub(super) const MIN_LENGTH: f64 = 3.0;
/// Number of chords that approximate a curve to measure its length.
const CHORDS: u32 = 64;

/// A quadratic Bezier, pixels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// The start.
    pub from: DVec2,
    /// The control point.
    pub mid: DVec2,
    /// The end.
    pub to: DVec2,
}

impl Curve {
    /// Returns the point at a parameter from 0 (`from`) to 1 (`to`).
    pub fn at(&self, t: f64) -> DVec2 {
        let Self { from, mid, to } = *self;
        from.lerp(mid, t).lerp(mid.lerp(to, t), t)
    }

    /// Returns the parameter of the point that is nearest to another point, and the squared
    /// distance.
    ///
    /// The distance has its minimum at an end, or where half the derivative of its square, a cubic,
    /// rises through 0.
    pub fn nearest(&self, to: DVec2) -> (f64, f64) {
        // The curve relative to the point is a t² + 2 b t + c.
        let (a, b) = (self.from - 2.0 * self.mid + self.to, self.mid - self.from);
        let c = self.from - to;
        let cubic = [
            b.dot(c),
            2.0 * b.dot(b) + a.dot(c),
            3.0 * a.dot(b),
            a.dot(a),
        ];
        let distance_sq = |t: f64| self.at(t).distance_squared(to);
        let mut best = (0.0, distance_sq(0.0));
        let mut consider = |t: f64| {
            let distance = distance_sq(t);
            if distance < best.1 {
                best = (t, distance);
            }
        };
        consider(1.0);
        let mut low = 0.0;
        for high in turns(&cubic).into_iter().flatten().chain([1.0]) {
            rising_root(&cubic, low, high).map(&mut consider);
            low = high;
        }
        best
    }

    /// Returns `true` if it passes within a radius of a point.
    pub fn passes(&self, point: DVec2, radius: f64) -> bool {
        // The curve lies in the box around its points.
        let low = self.from.min(self.mid).min(self.to) - radius;
        let high = self.from.max(self.mid).max(self.to) + radius;
        let may = point.cmpge(low).all() && point.cmple(high).all();
        let is_in = |t: f64| self.at(t).distance_squared(point) <= radius * radius;
        // Most curves that pass do so at one of these points, which avoids the search for the
        // nearest.
        may && ([0.5, 0.75, 0.25].into_iter().any(is_in)
            || self.nearest(point).1 <= radius * radius)
    }

    /// Returns the parameter where it first comes within a radius of a point.
    pub(super) fn enters(&self, point: DVec2, radius: f64) -> Option<f64> {
        if !self.passes(point, radius) {
            return None;
        }
        let (near, _) = self.nearest(point);
        let is_in = |t: f64| self.at(t).distance_squared(point) <= radius * radius;
        let sample = |i: u32| near * f64::from(i) / f64::from(CHORDS);
        let first = (0..=CHORDS).find(|&i| is_in(sample(i)))?;
        let last_out = sample(first.saturating_sub(1));
        Some(bisect(last_out, sample(first), is_in))
    }

    /// Splits it at a parameter (de Casteljau).
    pub(super) fn split(&self, t: f64) -> [Curve; 2] {
        let Self { from, mid, to } = *self;
        let (left, right, at) = (from.lerp(mid, t), mid.lerp(to, t), self.at(t));
        let (before, after) = ((from, left, at), (at, right, to));
        [before, after].map(|(from, mid, to)| Curve { from, mid, to })
    }

    /// Returns its length, measured with 64 chords.
    pub fn arc(&self) -> f64 {
        let places = (0..=CHORDS).map(|i| self.at(f64::from(i) / f64::from(CHORDS)));
        let mut last = self.from;
        places.fold(0.0, |length, here| {
            length + here.distance(std::mem::replace(&mut last, here))
        })
    }

    /// Returns the share of its length before a parameter.
    pub(super) fn share(&self, t: f64) -> f64 {
        let [before, after] = self.split(t).map(|part| part.arc());
        match before + after {
            whole if whole > 0.0 => before / whole,
            _ => t,
        }
    }

    /// Returns the parameter after a share of its length.
    pub(super) fn after_share(&self, share: f64) -> f64 {
        bisect(0.0, 1.0, |t| self.share(t) >= share)
    }

    /// Pulls `to` back until the chord is no longer than `length`. Then moves `mid` towards the
    /// middle of the chord, onto the ellipse of the points whose distances to both ends sum to
    /// [`MAX_LEGS`] times `length`.
    pub(super) fn settle(&mut self, length: f64) {
        let along = self.to - self.from;
        let chord = along.length();
        if chord > length {
            self.to = self.from + along * (length / chord);
        }
        let Self { from, mid, to } = *self;
        let legs = MAX_LEGS * length;
        if mid.distance(from) + mid.distance(to) <= legs {
            return;
        }
        let middle = 0.5 * (from + to);
        let half_chord = 0.5 * from.distance(to);
        let along = (to - from).try_normalize().unwrap_or(DVec2::X);
        let out = mid - middle;
        let (x, y) = (out.dot(along), out.perp_dot(along));
        let major_sq = 0.25 * legs * legs;
        let minor_sq = (major_sq - half_chord * half_chord).max(f64::MIN_POSITIVE);
        let scale = (x * x / major_sq + y * y / minor_sq).sqrt();
        self.mid = middle + out / scale.max(1.0);
    }
}

/// Returns the parameter between `low` and `high` from which on `is_past` holds.
fn bisect(mut low: f64, mut high: f64, is_past: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..48 {
        let middle = 0.5 * (low + high);
        match is_past(middle) {
            true => high = middle,
            false => low = middle,
        }
    }
    high
}

/// Returns the turning points of a cubic (constant first) between 0 and 1, in order.
fn turns([_, c1, c2, c3]: &[f64; 4]) -> [Option<f64>; 2] {
    // Its derivative: 3 c3 t² + 2 c2 t + c1.
    let (a, half_b, c) = (3.0 * c3, *c2, *c1);
    let inside = |t: f64| (t > 0.0 && t < 1.0).then_some(t);
    let discriminant = half_b * half_b - a * c;
    if discriminant < 0.0 {
        return [None, None];
    }
    // This sum has no cancellation.
    let q = -(half_b + discriminant.sqrt().copysign(half_b));
    let (one, other) = (inside(q / a), inside(c / q));
    match (one, other) {
        (Some(x), Some(y)) if y < x => [other, one],
        _ => [one, other],
    }
}

/// Returns the root between two parameters at which a cubic rises through 0. It is monotonic there.
fn rising_root(cubic: &[f64; 4], mut low: f64, mut high: f64) -> Option<f64> {
    let [c0, c1, c2, c3] = *cubic;
    let value = |t: f64| c0 + t * (c1 + t * (c2 + t * c3));
    if value(low) > 0.0 || value(high) < 0.0 {
        return None;
    }
    // Newton's method, safeguarded by bisection.
    let mut t = 0.5 * (low + high);
    for _ in 0..64 {
        let here = value(t);
        match here < 0.0 {
            true => low = t,
            false => high = t,
        }
        let slope = c1 + t * (2.0 * c2 + t * 3.0 * c3);
        let newton = t - here / slope;
        let next = match newton > low && newton < high {
            true => newton,
            false => 0.5 * (low + high),
        };
        let step = (next - t).abs();
        t = next;
        // Newton's method doubles the digits: the next step would be below the precision.
        if step <= 1e-9 {
            break;
        }
    }
    Some(t)
}

/// A hair. Clips hold its first pieces; the rest, its curve, is free.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DollHair {
    /// The free part.
    #[serde(flatten)]
    pub curve: Curve,
    /// Length of the free part, pixels. Its chord is no longer.
    pub length: f64,
    /// The colour, sRGB.
    pub color: [f32; 3],
    /// The pieces that clips hold, root first. Each ends where the next begins, the last where
    /// `curve` begins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<HeldPiece>,
}

/// A piece of a hair up to a clip that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldPiece {
    /// The number of the clip.
    pub clip: u32,
    /// Start of the piece, pixels.
    pub from: DVec2,
    /// The control point.
    pub mid: DVec2,
    /// Length of the piece, pixels.
    pub length: f64,
}

impl DollHair {
    /// Returns all its curves, root first.
    pub fn curves(&self) -> impl Iterator<Item = Curve> + '_ {
        let ends = (self.held.iter().skip(1).map(|held| held.from)).chain([self.curve.from]);
        let held = self.held.iter().zip(ends);
        let held = held.map(|(&HeldPiece { from, mid, .. }, to)| Curve { from, mid, to });
        held.chain([self.curve])
    }

    /// Returns the length of the piece that a number of clips separate from the root, pixels.
    pub(super) fn piece_length(&self, number: usize) -> f64 {
        (self.held.get(number)).map_or(self.length, |held| held.length)
    }

    /// Returns its length from root to tip, pixels.
    pub fn whole_length(&self) -> f64 {
        self.length + self.held.iter().map(|held| held.length).sum::<f64>()
    }

    /// Pulls the free part back within its length.
    pub(super) fn settle(&mut self) {
        self.curve.settle(self.length);
    }
}
