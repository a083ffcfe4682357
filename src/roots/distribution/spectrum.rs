//! The power spectrum of points in the unit square.

use crate::det_math::sin_cos;
use glam::DVec2;
use serde::Serialize;
use std::f64::consts::TAU;

/// The highest frequency, in √N, which is the frequency of the mean spacing.
const HIGHEST: f64 = 2.0;

/// The end of the low frequencies, in √N.
const LOW: f64 = 0.5;

/// The largest number of points times frequency vectors, about a nanosecond each. More points get
/// fewer rings; 120,000 points still have the low end.
const MOST_WORK: f64 = 6e9;

/// The number of points taken together, so that their waves stay in the cache.
const BLOCK: usize = 32;

/// A power spectrum: 1 at all frequencies for random points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spectrum {
    /// Number of point sets it is the mean of.
    pub sets: usize,
    /// Mean number of points N in a set.
    pub points: f64,
    /// By frequency: ring j has the vectors with j − ½ ≤ |k| < j + ½, from 1 to 2 √N (or
    /// what is affordable).
    pub rings: Vec<Ring>,
    /// Mean power over all vectors with 0 < |k| ≤ ½ √N: small for blue noise. `None` where
    /// there are none, or that high was not affordable.
    pub low_frequency_power: Option<f64>,
}

/// The frequency vectors of about one length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ring {
    /// Cycles per side of the square.
    pub frequency: u32,
    /// Number of integer vectors, of each pair k, −k one.
    pub vectors: usize,
    /// Mean power.
    pub power: f64,
    /// 10 log₁₀ (s² / mean²) dB of the power within the ring: about −10 log₁₀ (sets) where all
    /// directions are alike. `None` where s is 0.
    pub anisotropy_db: Option<f64>,
}

/// Returns the mean power spectrum of sets of points in the unit square, Hann-windowed in both
/// axes:
///
/// P(k) = |Σ w(xⱼ) e^{−2πi k·xⱼ} − N ŵ(k)|² / Σ w(xⱼ)², for integer k.
///
/// N ŵ(k), the transform of the window itself, is what any even spread would give; it is 0
/// but for |k_x|, |k_y| ≤ 1. Without the window the square's border would give power to
/// frequencies that the points do not have. `None` when there is no set, or one with a point
/// outside the square or none off its border.
pub fn spectrum(sets: &[Vec<DVec2>]) -> Option<Spectrum> {
    let within = |p: &DVec2| p.cmpge(DVec2::ZERO).all() && p.cmple(DVec2::ONE).all();
    let counts = |p: &DVec2| hann(p.x) * hann(p.y) > 0.0;
    let good = |set: &Vec<DVec2>| set.iter().all(within) && set.iter().any(counts);
    if sets.is_empty() || !sets.iter().all(good) {
        return None;
    }
    let all: usize = sets.iter().map(Vec::len).sum();
    let points = all as f64 / sets.len() as f64;
    // π/2 k² vectors in a half disc.
    let affordable = (MOST_WORK / (all as f64 * 0.25 * TAU)).sqrt();
    let highest = (HIGHEST * points.sqrt()).min(affordable).max(1.0) as usize;

    let mut mean = Vectors {
        highest,
        power: vec![[0.0; 2]; (highest + 1) * (highest + 1)],
    };
    for set in sets {
        mean.add(set, 1.0 / sets.len() as f64);
    }
    let low = LOW * points.sqrt();
    let mut rings = vec![Sums::default(); highest + 1];
    let mut lowest = Sums::default();
    mean.each(|length, power| {
        if let Some(ring) = rings.get_mut(length.round() as usize) {
            ring.add(power);
        }
        if length <= low {
            lowest.add(power);
        }
    });
    Some(Spectrum {
        sets: sets.len(),
        points,
        rings: (1..=highest).map(|j| rings[j].ring(j as u32)).collect(),
        low_frequency_power: (lowest.number > 0 && low <= highest as f64).then(|| lowest.mean()),
    })
}

/// Number, sum and sum of squares.
#[derive(Clone, Default)]
struct Sums {
    number: usize,
    sum: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, power: f64) {
        self.number += 1;
        self.sum += power;
        self.squares += power * power;
    }

    fn mean(&self) -> f64 {
        self.sum / self.number as f64
    }

    fn ring(&self, frequency: u32) -> Ring {
        let mean = self.mean();
        let variance = (self.squares - self.sum * mean) / (self.number as f64 - 1.0);
        let ratio = variance / (mean * mean);
        Ring {
            frequency,
            vectors: self.number,
            power: mean,
            anisotropy_db: (ratio > 0.0).then(|| 10.0 * ratio.log10()),
        }
    }
}

/// The power of the frequency vectors in a quarter disc and its mirror image: entry
/// `y * (highest + 1) + x` has (x, y) and (x, −y); other vectors have the power of these.
struct Vectors {
    highest: usize,
    power: Vec<[f64; 2]>,
}

impl Vectors {
    /// Returns the number of x in the row of a y, from 0 up to |k| < highest + ½.
    fn reach(&self, y: usize) -> usize {
        let radius = self.highest as f64 + 0.5;
        (radius * radius - (y * y) as f64).sqrt() as usize + 1
    }

    /// Adds the power of a set, times a weight.
    ///
    /// Σ w e^{−2πi(k_x x ± k_y y)} is made of four real sums, of products of cosines and sines
    /// along the axes, which (k_x, k_y) and (k_x, −k_y) share.
    fn add(&mut self, set: &[DVec2], weight: f64) {
        let row = self.highest + 1;
        // Rows of cos·cos, sin·sin, sin·cos and cos·sin for each y.
        let mut sums = vec![0.0; 4 * row * row];
        // The cosines and the sines along both axes, a row per point of a block.
        let mut waves: [[Vec<f64>; 2]; 2] = Default::default();
        let mut squares = 0.0;
        for block in set.chunks(BLOCK) {
            waves.as_flattened_mut().iter_mut().for_each(Vec::clear);
            let [along_x, along_y] = &mut waves;
            for p in block {
                let window = hann(p.x) * hann(p.y);
                squares += window * window;
                add_waves(along_x, row, p.x, 1.0);
                add_waves(along_y, row, p.y, window);
            }
            for y in 0..row {
                let reach = self.reach(y).min(row);
                let (cc, rest) = sums[4 * row * y..][..4 * row].split_at_mut(row);
                let (ss, rest) = rest.split_at_mut(row);
                let (sc, cs) = rest.split_at_mut(row);
                let (cc, ss) = (&mut cc[..reach], &mut ss[..reach]);
                let (sc, cs) = (&mut sc[..reach], &mut cs[..reach]);
                for point in 0..block.len() {
                    let [cos_y, sin_y] = [0, 1].map(|part| along_y[part][row * point + y]);
                    let [cos_x, sin_x] = [0, 1].map(|part| &along_x[part][row * point..][..reach]);
                    for x in 0..reach {
                        cc[x] += cos_x[x] * cos_y;
                        ss[x] += sin_x[x] * sin_y;
                        sc[x] += sin_x[x] * cos_y;
                        cs[x] += cos_x[x] * sin_y;
                    }
                }
            }
        }
        for y in 0..row {
            for x in 0..self.reach(y).min(row) {
                let [cc, ss, sc, cs] = [0, 1, 2, 3].map(|part| sums[row * (4 * y + part) + x]);
                let own = set.len() as f64 * hann_transform(x) * hann_transform(y);
                let power = |real: f64, imaginary: f64| {
                    weight * ((real - own).powi(2) + imaginary.powi(2)) / squares
                };
                let vectors = &mut self.power[row * y + x];
                vectors[0] += power(cc - ss, sc + cs);
                vectors[1] += power(cc + ss, sc - cs);
            }
        }
    }

    /// Calls `visit` with length and power of each vector but 0, of each pair k, −k one.
    fn each(&self, mut visit: impl FnMut(f64, f64)) {
        let row = self.highest + 1;
        for y in 0..row {
            for x in 0..self.reach(y).min(row) {
                let length = ((x * x + y * y) as f64).sqrt();
                let [plus, minus] = self.power[row * y + x];
                if x + y > 0 {
                    visit(length, plus);
                }
                // On an axis the mirror image is the vector itself or its opposite.
                if x > 0 && y > 0 {
                    visit(length, minus);
                }
            }
        }
    }
}

/// Returns the Hann window on [0, 1].
fn hann(x: f64) -> f64 {
    0.5 - 0.5 * sin_cos(TAU * x).1
}

/// Returns the Fourier coefficient of the Hann window at an integer frequency.
fn hann_transform(k: usize) -> f64 {
    match k {
        0 => 0.5,
        1 => -0.25,
        _ => 0.0,
    }
}

/// Adds a row of cos 2πkx and one of sin 2πkx, k from 0, times an amplitude.
///
/// By turning, e^{i(k+1)a} = e^{ika} e^{ia}: each turn adds a rounding or two, 1e-13 after a
/// thousand.
fn add_waves([cosines, sines]: &mut [Vec<f64>; 2], row: usize, x: f64, amplitude: f64) {
    let (turn_sin, turn_cos) = sin_cos(TAU * x);
    let (mut cos, mut sin) = (amplitude, 0.0);
    for _ in 0..row {
        cosines.push(cos);
        sines.push(sin);
        let turned = cos * turn_cos - sin * turn_sin;
        (cos, sin) = (turned, sin * turn_cos + cos * turn_sin);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_waves_are_those_of_the_formula() {
        let mut random = crate::random::Random::new(1);
        let mut uniform = || random.uniform();
        let set: Vec<DVec2> = (0..77).map(|_| DVec2::new(uniform(), uniform())).collect();
        let mut vectors = Vectors {
            highest: 6,
            power: vec![[0.0; 2]; 7 * 7],
        };
        vectors.add(&set, 1.0);
        let window = |p: &DVec2| hann(p.x) * hann(p.y);
        let squares: f64 = set.iter().map(|p| window(p).powi(2)).sum();
        for (x, y, which) in [
            (1, 1, 0),
            (1, 1, 1),
            (0, 3, 0),
            (5, 0, 0),
            (4, 3, 0),
            (2, 4, 1),
        ] {
            let k = DVec2::new(x as f64, if which == 0 { y as f64 } else { -(y as f64) });
            let mut sum = DVec2::new(-77.0 * hann_transform(x) * hann_transform(y), 0.0);
            for p in &set {
                sum += window(p) * DVec2::from_angle(-TAU * k.dot(*p));
            }
            let power = sum.length_squared() / squares;
            let found = vectors.power[7 * y + x][which];
            assert!((found - power).abs() < 1e-12, "{k}: {found}, not {power}");
        }
        let mut number = 0;
        vectors.each(|length, _| {
            assert!(length < 6.5);
            number += 1;
        });
        // Integer vectors shorter than 6.5, less 0, one of each pair.
        let disc = |k: i32| (0..=6).filter(|j| 4 * (k * k + j * j) < 169).count();
        let quarter: usize = (1..=6).map(disc).sum();
        assert_eq!(number, 2 * quarter);
    }
}
