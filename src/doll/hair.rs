//! One hair: a quadratic Bezier that leaves its root, or where a clip holds it.

use glam::DVec2;
use serde::{Deserialize, Serialize};

/// The two legs of a hair's control polygon are together at most so many times as long as the hair.
/// A curve is no longer than its polygon and, its chord being at most the hair's length, is at most
/// [`MOST_STRETCH`] times as long as the hair.
const MOST_LEGS: f64 = 1.5;
/// How much longer than its hair a curve can be: the legs of a curve whose chord is as long as the
/// hair are longest together with a curve of ½ (3/2 + asinh(√5/2) · 2/√5) times that.
pub const MOST_STRETCH: f64 = 1.181;
/// No hair is cut shorter, pixels.
pub(super) const SHORTEST: f64 = 3.0;
/// Chords that stand in for a curve where its length is measured.
const CHORDS: u32 = 64;

/// A quadratic Bezier, pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// Where it begins.
    pub from: DVec2,
    /// Its control point.
    pub mid: DVec2,
    /// Where it ends.
    pub to: DVec2,
}

impl Curve {
    /// Where it is at 0 (`from`) to 1 (`to`).
    pub fn at(&self, t: f64) -> DVec2 {
        let Self { from, mid, to } = *self;
        from.lerp(mid, t).lerp(mid.lerp(to, t), t)
    }

    /// The place along the curve that is nearest to a point, and the square of its distance.
    ///
    /// The distance is least at an end, or where half the derivative of its square, a cubic, rises
    /// through 0.
    pub fn nearest(&self, to: DVec2) -> (f64, f64) {
        let (a, b, c) = self.around(to);
        let cubic = [
            b.dot(c),
            2.0 * b.dot(b) + a.dot(c),
            3.0 * a.dot(b),
            a.dot(a),
        ];
        let distance_sq = |t: f64| self.at(t).distance_squared(to);
        let mut best = (0.0, distance_sq(0.0));
        let mut consider = |t: f64| {
            let far = distance_sq(t);
            if far < best.1 {
                best = (t, far);
            }
        };
        consider(1.0);
        let turns = turns(&cubic);
        let mut low = 0.0;
        for high in turns.into_iter().flatten().chain([1.0]) {
            if let Some(t) = rising_root(&cubic, low, high) {
                consider(t);
            }
            low = high;
        }
        best
    }

    /// The curve seen from a point: `a t² + 2 b t + c`.
    fn around(&self, point: DVec2) -> (DVec2, DVec2, DVec2) {
        let Self { from, mid, to } = *self;
        (from - 2.0 * mid + to, mid - from, from - point)
    }

    /// Does it pass within a radius of a point?
    pub fn passes(&self, point: DVec2, radius: f64) -> bool {
        // It lies in the box around its points.
        let low = self.from.min(self.mid).min(self.to) - radius;
        let high = self.from.max(self.mid).max(self.to) + radius;
        let may = point.cmpge(low).all() && point.cmple(high).all();
        let is_in = |t: f64| self.at(t).distance_squared(point) <= radius * radius;
        // Most of what is touched is so in the middle, and needs no roots.
        may && ([0.5, 0.75, 0.25].into_iter().any(is_in)
            || self.nearest(point).1 <= radius * radius)
    }

    /// Where it first comes within a radius of a point, 0 to 1.
    pub(super) fn enters(&self, point: DVec2, radius: f64) -> Option<f64> {
        let (near, far) = self.nearest(point);
        let is_in = |t: f64| self.at(t).distance_squared(point) <= radius * radius;
        if far > radius * radius {
            return None;
        }
        let looked = (0..=CHORDS).map(|i| near * f64::from(i) / f64::from(CHORDS));
        let mut before = 0.0;
        let mut inside = near;
        for t in looked {
            if is_in(t) {
                inside = t;
                break;
            }
            before = t;
        }
        if inside == 0.0 {
            return Some(0.0);
        }
        for _ in 0..48 {
            let middle = 0.5 * (before + inside);
            match is_in(middle) {
                true => inside = middle,
                false => before = middle,
            }
        }
        Some(inside)
    }

    /// Both sides of a place along it (de Casteljau).
    pub(super) fn split(&self, t: f64) -> [Curve; 2] {
        let Self { from, mid, to } = *self;
        let (left, right, at) = (from.lerp(mid, t), mid.lerp(to, t), self.at(t));
        let (before, after) = ((from, left, at), (at, right, to));
        [before, after].map(|(from, mid, to)| Curve { from, mid, to })
    }

    /// How long it is, as 64 chords.
    pub fn arc(&self) -> f64 {
        let places = (0..=CHORDS).map(|i| self.at(f64::from(i) / f64::from(CHORDS)));
        let mut last = self.from;
        places.fold(0.0, |length, here| {
            length + here.distance(std::mem::replace(&mut last, here))
        })
    }

    /// The share of its length before a place along it.
    pub(super) fn share(&self, t: f64) -> f64 {
        let [before, after] = self.split(t).map(|part| part.arc());
        match before + after {
            whole if whole > 0.0 => before / whole,
            _ => t,
        }
    }

    /// The place after a share of its length.
    pub(super) fn after_share(&self, share: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..48 {
            let middle = 0.5 * (low + high);
            match self.share(middle) < share {
                true => low = middle,
                false => high = middle,
            }
        }
        high
    }

    /// Pulls `to` back until the chord is no longer than `length`, then `mid` towards the chord until
    /// the legs are no longer than [`MOST_LEGS`] of it.
    pub(super) fn settle(&mut self, length: f64) {
        let along = self.to - self.from;
        let chord = along.length();
        if chord > length {
            self.to = self.from + along * (length / chord);
        }
        self.pull_mid(MOST_LEGS * length);
    }

    /// Moves `mid` towards the chord's middle, on to the ellipse of all points whose ways to both
    /// ends are `legs` long together.
    fn pull_mid(&mut self, legs: f64) {
        let Self { from, mid, to } = *self;
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

/// Where a cubic (constant first) turns between 0 and 1, in order.
fn turns([_, c1, c2, c3]: &[f64; 4]) -> [Option<f64>; 2] {
    // Its derivative: 3 c3 t² + 2 c2 t + c1.
    let (a, half_b, c) = (3.0 * c3, *c2, *c1);
    let inside = |t: f64| (t > 0.0 && t < 1.0).then_some(t);
    let discriminant = half_b * half_b - a * c;
    if discriminant < 0.0 {
        return [None, None];
    }
    // The sum has no cancellation.
    let q = -(half_b + discriminant.sqrt().copysign(half_b));
    let (one, other) = (inside(q / a), inside(c / q));
    match (one, other) {
        (Some(x), Some(y)) if y < x => [other, one],
        _ => [one, other],
    }
}

/// Where a cubic that does not turn between two places rises through 0 between them.
fn rising_root(cubic: &[f64; 4], mut low: f64, mut high: f64) -> Option<f64> {
    let [c0, c1, c2, c3] = *cubic;
    let value = |t: f64| c0 + t * (c1 + t * (c2 + t * c3));
    if value(low) > 0.0 || value(high) < 0.0 {
        return None;
    }
    // Newton, kept between the two by halving.
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
        // Newton doubles the digits: the next step is below what a number holds.
        if step <= 1e-9 {
            break;
        }
    }
    Some(t)
}

/// A hair. What a clip holds of it stays; the rest, its curve, is brushed.
#[derive(Clone, Debug, PartialEq)]
pub struct Hair {
    /// What clips hold, root first: each piece ends where the next begins, the last where the
    /// curve does.
    pub held: Vec<Held>,
    /// What is free.
    pub curve: Curve,
    /// How long the free part is, pixels: its chord is no longer.
    pub length: f64,
    /// sRGB.
    pub color: [f32; 3],
}

/// A piece of a hair that a clip holds, up to the clip.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Held {
    /// The number of the clip.
    pub clip: u32,
    /// Where the piece begins, pixels.
    pub from: DVec2,
    /// Its control point.
    pub mid: DVec2,
    /// How much of the hair it is, pixels.
    pub length: f64,
}

impl Hair {
    /// Everything that is seen of it, root first.
    pub fn curves(&self) -> impl Iterator<Item = Curve> + '_ {
        let ends = (self.held.iter().skip(1).map(|held| held.from)).chain([self.curve.from]);
        let held = self.held.iter().zip(ends);
        let held = held.map(|(held, to)| Curve {
            from: held.from,
            mid: held.mid,
            to,
        });
        held.chain([self.curve])
    }

    /// Where it grows.
    pub fn root(&self) -> DVec2 {
        self.held.first().map_or(self.curve.from, |held| held.from)
    }

    /// All of it from root to tip, pixels.
    pub fn whole_length(&self) -> f64 {
        self.length + self.held.iter().map(|held| held.length).sum::<f64>()
    }

    /// Pulls the free part back within its length.
    pub(super) fn settle(&mut self) {
        self.curve.settle(self.length);
    }
}
