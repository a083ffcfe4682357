//! Sample elimination: the most crowded of random points are removed (Yuksel 2015, "Sample
//! Elimination for Generating Poisson Disk Sample Sets").

use super::baselines::RandomPoints;
use crate::roots::coverage::index::RootIndex;
use crate::roots::progress::Progress;
use crate::roots::work::Work;
use crate::roots::{Roots, SampleError};
use crate::scalp::Scalp;
use std::collections::BinaryHeap;

/// The number of candidates per root; the paper uses 5.
const CANDIDATES: u32 = 5;
/// The parameters of weight and weight limiting of the paper, whose gamma is 1.5.
const ALPHA: i32 = 8;
const BETA: f64 = 0.65;

/// Returns `count` roots of five times as many random points.
pub(crate) fn eliminate(
    scalp: &Scalp,
    count: u32,
    spacing: f32,
    seed: u64,
    progress: &mut Progress,
) -> Result<Roots, SampleError> {
    let mut random = RandomPoints::new(scalp, true, seed);
    let candidates = (count * CANDIDATES) as usize;
    let mut index = RootIndex::default();
    index.work = Work::new(progress.work_left);
    let mut points = Vec::with_capacity(candidates);
    for n in 0..candidates {
        progress.step(0.2 * n as f64 / candidates as f64)?;
        let point = random.next();
        // A point that the index refuses lies on 32 others and would be removed first.
        if index
            .add(scalp.point(point), scalp.face_normal(point.triangle))
            .is_ok()
        {
            points.push(point);
        }
    }

    // r_max is half the spacing of a hexagonal lattice.
    let r_max = (scalp.area() / (2.0 * 3.0_f64.sqrt() * f64::from(count))).sqrt();
    let share = f64::from(count) / candidates as f64;
    // (n/m)^1.5 with a square root, which rounds the same everywhere.
    let r_min = r_max * (1.0 - share * share.sqrt()) * BETA;
    let weight = |distance: f64| {
        (1.0 - distance.max(2.0 * r_min).min(2.0 * r_max) / (2.0 * r_max)).powi(ALPHA)
    };

    let mut neighbours = Vec::new();
    let mut weights = Vec::with_capacity(points.len());
    for i in 0..points.len() {
        progress.step(0.2 + 0.3 * i as f64 / points.len() as f64)?;
        index.same_side_within(i, 2.0 * r_max, &mut neighbours);
        index.work.check()?;
        weights.push(neighbours.iter().map(|&(_, d)| weight(d)).sum::<f64>());
    }
    // Weights only decrease, so a stale entry is never too low and is reinserted when it comes up.
    // Positive floats are ordered like their bits.
    let key = |w: f64| w.max(0.0).to_bits();
    let mut heap: BinaryHeap<(u64, u32)> = (0..points.len() as u32)
        .map(|i| (key(weights[i as usize]), i))
        .collect();
    let mut gone = vec![false; points.len()];
    let mut left = points.len();
    while left > count as usize
        && let Some((claimed, i)) = heap.pop()
    {
        let i = i as usize;
        let actual = key(weights[i]);
        if actual < claimed {
            heap.push((actual, i as u32));
            continue;
        }
        gone[i] = true;
        left -= 1;
        let done = (points.len() - left) as f64 / (points.len() - count as usize) as f64;
        progress.step(0.5 + 0.5 * done)?;
        index.same_side_within(i, 2.0 * r_max, &mut neighbours);
        index.work.check()?;
        for &(other, distance) in &neighbours {
            weights[other] -= weight(distance);
        }
    }
    progress.work_left = index.work.left();
    progress.tell(1.0)?;
    let mut gone = gone.into_iter();
    points.retain(|_| gone.next() == Some(false));
    Ok(Roots::at(scalp, points, spacing))
}
