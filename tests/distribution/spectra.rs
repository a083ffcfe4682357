//! Sets on a square, by frequency: blue noise, the same in all directions.

use super::meshes::square;
use super::statistics::Z;
use super::{hold, strands_by};
use glam::DVec2;
use mohawk::roots::Method;
use mohawk::roots::distribution::{spectrum, unit_square};
use std::f64::consts::{LN_10, PI, TAU};

/// Sets in a spectrum.
const SETS: u64 = 10;

fn sets(method: Method) -> Vec<Vec<DVec2>> {
    let scalp = square(4);
    let set = |seed| unit_square(&scalp, &strands_by(&scalp, method, 2000, seed));
    (1..=SETS)
        .map(|seed| set(seed).expect("a square"))
        .collect()
}

/// Hypothesis: blue noise has little power below half the frequency of its spacing, in the mean
/// and in every ring.
///
/// The mean over the 760 vectors below is 0.068 to 0.087 and scatters by 0.002. A ring of n
/// vectors with mean power m scatters by m √(3.78 / (n S)): S sets, and 3.78 as the Hann window
/// makes neighbours agree (Σ of squared correlations, 1 + 2 (4/9 + 1/36) along each axis).
#[test]
fn low_frequencies_have_little_power() {
    for method in [Method::Progressive, Method::Maximal, Method::Tight] {
        let found = spectrum(&sets(method)).expect("a spectrum");
        let (of, seeds) = (method.name(), 1..=SETS);
        let low = found.low_frequency_power.expect("low frequencies");
        hold(
            "unit square",
            of,
            "low-frequency power",
            &seeds,
            low,
            0.0..=0.10,
        );
        for ring in &found.rings[2..(0.5 * found.points.sqrt()) as usize] {
            let scatter = (3.78 / (ring.vectors as f64 * SETS as f64)).sqrt();
            let what = format!("power in the ring of |k| = {}", ring.frequency);
            let most = 0.10 * (1.0 + Z * scatter);
            hold("unit square", of, &what, &seeds, ring.power, 0.0..=most);
        }
    }
}

/// Hypothesis: all directions are alike.
///
/// Then powers in a ring have the distribution of a mean of S exponential variables, Γ(S), whose
/// s²/mean² is 1/S: −10 dB for ten sets. By its moments s²/mean² of n independent powers scatters
/// by √((2 + 2/S) / n) of itself; n/3.78 count, as above. Rings are pooled, weighted by n, in
/// three bands: below the peak at √N, around it, and above.
fn anisotropy_is_that_of_chance(method: Method) {
    let found = spectrum(&sets(method)).expect("a spectrum");
    let root_n = found.points.sqrt();
    for (band, from, to) in [
        ("below the peak", 4.0, 0.8 * root_n),
        ("at the peak", 0.8 * root_n, 1.3 * root_n),
        ("above the peak", 1.3 * root_n, 2.0 * root_n),
    ] {
        let rings = found.rings.iter();
        let rings = rings.filter(|ring| (from..to).contains(&f64::from(ring.frequency)));
        let (mut number, mut sum) = (0.0, 0.0);
        for ring in rings {
            let n = ring.vectors as f64;
            number += n;
            sum += n * 10_f64.powf(0.1 * ring.anisotropy_db.expect("some scatter"));
        }
        let sets = SETS as f64;
        let scatter = ((2.0 + 2.0 / sets) * 3.78 / number).sqrt();
        let expected = -10.0 * sets.log10();
        let tolerance = Z * scatter * 10.0 / LN_10;
        hold(
            "unit square",
            method.name(),
            &format!("anisotropy {band}, dB"),
            1..=SETS,
            10.0 * (sum / number).log10(),
            expected - tolerance..=expected + tolerance,
        );
    }
}

/// Hypothesis: no single wave runs through the sets, as one does through a lattice, of roots or
/// of what they were made from.
///
/// Of all m vectors near the peak the loudest has power P, the mean of its ring being 1. Of chance
/// it is Γ(S)/S: P(> P) = e^{−SP} Σ_{j<S} (SP)^j / j!, times m for the loudest (Bonferroni; less
/// if neighbours agree). Below α = 10⁻³ the hypothesis falls.
fn no_wave_runs_through(method: Method) {
    let sets = sets(method);
    let points = sets.iter().map(Vec::len).sum::<usize>() as f64 / sets.len() as f64;
    let (from, to) = (0.9 * points.sqrt(), 1.1 * points.sqrt());
    let mut rings = std::collections::BTreeMap::<u32, Vec<(f64, [i32; 2])>>::new();
    for x in 0..=to as i32 {
        for y in -to as i32..=to as i32 {
            let length = f64::from(x * x + y * y).sqrt();
            if (from..to).contains(&length) && (x > 0 || y > 0) {
                let power = sets.iter().map(|set| power(set, [x, y])).sum::<f64>();
                let ring = rings.entry(length.round() as u32).or_default();
                ring.push((power / sets.len() as f64, [x, y]));
            }
        }
    }
    let vectors = rings.values().map(Vec::len).sum::<usize>() as f64;
    let (mut loudest, mut wave) = (0.0, [0, 0]);
    for ring in rings.values() {
        let mean = ring.iter().map(|(power, _)| power).sum::<f64>() / ring.len() as f64;
        for &(power, k) in ring {
            if power / mean > loudest {
                (loudest, wave) = (power / mean, k);
            }
        }
    }
    let (mut term, mut sum) = (1.0, 0.0);
    for j in 1..=sets.len() {
        sum += term;
        term *= sets.len() as f64 * loudest / j as f64;
    }
    let chance = vectors * (-(sets.len() as f64) * loudest).exp() * sum;
    let what = format!("chance of the wave {wave:?}, {loudest:.1} times its ring");
    hold(
        "unit square",
        method.name(),
        &what,
        1..=SETS,
        chance,
        1e-3..,
    );
}

/// The power of a wave in one set, as `spectrum` defines it, straight from the definition.
fn power(set: &[DVec2], [x, y]: [i32; 2]) -> f64 {
    let (mut re, mut im, mut squares) = (0.0, 0.0, 0.0);
    for p in set {
        let w = ((PI * p.x).sin() * (PI * p.y).sin()).powi(2);
        let (sin, cos) = (TAU * (f64::from(x) * p.x + f64::from(y) * p.y)).sin_cos();
        re += w * cos;
        im += w * sin;
        squares += w * w;
    }
    (re * re + im * im) / squares
}

fn all_directions_are_alike(method: Method) {
    anisotropy_is_that_of_chance(method);
    no_wave_runs_through(method);
}

#[test]
fn maximal_sets_are_alike_in_all_directions() {
    all_directions_are_alike(Method::Maximal);
}

/// While gaps were filled piece by piece, waves of the lattice of pieces ran through these: on
/// this square (32, ±32), with 5 times the power of their ring, and 15 times in tight sets.
#[test]
fn progressive_sets_are_alike_in_all_directions() {
    all_directions_are_alike(Method::Progressive);
}

#[test]
fn tight_sets_are_alike_in_all_directions() {
    all_directions_are_alike(Method::Tight);
}

/// What would show if the test itself saw waves.
#[test]
fn darts_have_no_waves() {
    no_wave_runs_through(Method::Darts);
}
