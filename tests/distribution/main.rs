//! How roots are distributed, as a test that one can run and read:
//!
//! ```sh
//! cargo test --test distribution                                     # under a minute
//! cargo test --test distribution -- --nocapture --test-threads 1     # each measure beside its bound
//! MOHAWK_HEAD=my-head.glb cargo test --test distribution             # one's own painted head as well
//! ```
//!
//! - `traps`, `surfaces`: what is promised of every set, by brute force, on surfaces that are hard.
//! - `amounts`, `sameness`, `certificate`: counts and refusals, the same bits everywhere, the proof.
//! - `statistics`, `spectra`: how even sets are, each with hypothesis, significance and bound.
//! - `prefixes`, `density`, `variable`: sets that painted density thins out or stretches.
//! - `beside`: sets on bald skin beside those of painted skin.
//!
//! Seeds are fixed, so a test that passes always passes. A failure names surface, method, measure,
//! seed and bound. What the measures are: `docs/distribution.md`.

mod amounts;
mod beside;
mod brute;
mod certificate;
mod density;
mod meshes;
mod prefixes;
#[path = "../common/random.rs"]
mod random;
mod sameness;
mod spectra;
mod statistics;
mod surfaces;
mod traps;
mod variable;

use mohawk::roots::distribution::{Distribution, analyse};
use mohawk::roots::{Amount, Method, RootSettings, Roots, SampleError};
use mohawk::scalp::Scalp;
use random::Random;
use std::fmt::{Debug, Display};
use std::ops::{ControlFlow, RangeBounds};

/// Methods whose sets are maximal where all is painted.
const MAXIMAL: [Method; 4] = [
    Method::Progressive,
    Method::Maximal,
    Method::Tight,
    Method::Variable,
];

fn sample_by(
    scalp: &Scalp,
    method: Method,
    amount: Amount,
    seed: u64,
) -> Result<Roots, SampleError> {
    let settings = RootSettings {
        amount,
        seed,
        method,
    };
    Roots::sample(scalp, &settings, &mut |_| ControlFlow::Continue(()))
}

fn sample(scalp: &Scalp, amount: Amount, seed: u64) -> Result<Roots, SampleError> {
    sample_by(scalp, Method::Maximal, amount, seed)
}

fn spaced(scalp: &Scalp, spacing: f32, seed: u64) -> Roots {
    sample(scalp, Amount::Spacing(spacing), seed).expect("a sample")
}

fn strands(scalp: &Scalp, count: u32, seed: u64) -> Roots {
    strands_by(scalp, Method::Maximal, count, seed)
}

fn strands_by(scalp: &Scalp, method: Method, count: u32, seed: u64) -> Roots {
    let sampled = sample_by(scalp, method, Amount::Strands(count), seed);
    sampled.unwrap_or_else(|error| panic!("{count} by {}, seed {seed}: {error}", method.name()))
}

fn analysed(scalp: &Scalp, roots: &Roots) -> Distribution {
    analyse(scalp, roots, &mut |_| ControlFlow::Continue(())).expect("measures")
}

/// Holds a measure to its bound. Both are told, with what they are about, when it is broken; with
/// `--nocapture` in any case.
#[track_caller]
fn hold(
    place: &str,
    of: impl Display,
    measure: &str,
    seeds: impl Debug,
    value: f64,
    bound: impl RangeBounds<f64> + Debug,
) {
    let line = format!("{place}: {of}: {measure} = {value:.4}, bound {bound:?}, seed {seeds:?}");
    assert!(bound.contains(&value), "{line}");
    println!("{line}");
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

impl Random {
    /// A point of the scalp, uniform by area: its triangle and the weights of the corners.
    fn point(&mut self, area_sums: &[f64]) -> (usize, [f64; 3]) {
        let at = self.uniform() * area_sums[area_sums.len() - 1];
        let triangle = area_sums.partition_point(|&sum| sum <= at);
        let (s, t) = (self.uniform().sqrt(), self.uniform());
        let triangle = triangle.min(area_sums.len() - 1);
        (triangle, [1.0 - s, s * (1.0 - t), s * t])
    }
}
