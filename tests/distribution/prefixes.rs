//! Progressive order: every prefix of the list is a set that is itself evenly spread.

use super::meshes::{hemisphere, sphere, square};
use super::surfaces::{Surface, heads};
use super::{hold, strands_by};
use mohawk::roots::{Method, certify, relative_radius};

/// Levels are spaced 2^¼ apart: a prefix that ends within the level of spacing r has no two roots
/// closer than r and no gap beyond 2^¼ r = 1.189 r. It has at least the roots of the level above,
/// so N ≥ 0.6732 A / (√2 r²), which is ρ ≥ 0.764 / 2^¼ = 0.643 where there are no borders, less
/// what counts scatter. As the farthest come first, r falls slowly within a level: measured 0.687
/// and up, R/r up to 1.1875. Prefixes grow by a factor of 1.13, so they end anywhere within levels.
#[test]
fn every_prefix_is_evenly_spread() {
    let mut surfaces = vec![
        Surface::new("closed sphere", sphere()),
        Surface::new("unit square", square(5)),
        Surface::new("hemisphere", hemisphere(8)),
    ];
    surfaces.extend(heads());
    for Surface { name, scalp } in surfaces {
        let (seed, steps) = (1, 24);
        let roots = strands_by(&scalp, Method::Progressive, 5000, seed);
        for step in 0..=steps {
            let share = 0.05 * 20_f64.powf(f64::from(step) / f64::from(steps));
            let count = (share * roots.positions.len() as f64).round() as usize;
            let part = roots.prefix(count);
            let radius = relative_radius(part.spacing.into(), count, scalp.area());
            let of = format!(
                "the first {:.1} % of {}",
                100.0 * share,
                roots.positions.len()
            );
            hold(&name, &of, "relative radius", seed, radius, 0.66..1.0);
            let covered = certify(&scalp, &part).expect("a certificate");
            hold(
                &name,
                &of,
                "R/r",
                seed,
                covered.ratio_upper_bound,
                0.5..=1.20,
            );
        }
    }
}

/// Within levels the order is that of clearance, which has no place: the whole list is not its
/// levels' in the order of places.
#[test]
fn neighbours_in_the_list_are_not_neighbours_on_the_scalp() {
    let scalp = sphere();
    let roots = strands_by(&scalp, Method::Progressive, 5000, 1);
    let steps = roots.positions.windows(2);
    let far = steps.map(|pair| f64::from(pair[0].distance(pair[1])));
    let far: Vec<f64> = far.collect();
    // Of two random points on the unit sphere the mean distance is 4/3, and its deviation
    // √(2 − 16/9) = 0.47, so the mean of 5,000 scatters by 0.0067; blue noise only less.
    let tolerance = 3.2905 * 0.0067;
    let mean = super::mean(&far);
    let interval = 4.0 / 3.0 - tolerance..=4.0 / 3.0 + tolerance;
    hold(
        "closed sphere",
        "progressive",
        "mean distance of successors",
        1,
        mean,
        interval,
    );
}
