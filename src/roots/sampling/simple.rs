//! Simpler sampling methods, for comparison.

use super::{Sampling, filler::GUARD};
use crate::random::{Random, pick};
use crate::roots::Method;
use crate::roots::fragment::Fragment;
use crate::roots::index::RootIndex;
use crate::roots::settings::PACKING;
use crate::roots::work::{self, Progress, Result};
use crate::scalp::{Scalp, SurfacePoint};
use std::collections::BinaryHeap;

/// The number of darts per root of a maximal set; nine in ten of those roots are then found.
const DARTS_PER_ROOT: f64 = 16.0;

/// The number of candidates per root of elimination; the paper uses 5.
const CANDIDATES: u32 = 5;
/// The parameters of weight and weight limiting of the paper, whose gamma is 1.5.
const ALPHA: i32 = 8;
const BETA: f64 = 0.65;

/// A generator of random points on a scalp, uniform by area or by triangle.
pub struct RandomPoints<'a> {
    scalp: &'a Scalp,
    /// The running sums of the weights of the triangles.
    sums: Vec<f64>,
    pub random: Random,
}

impl<'a> RandomPoints<'a> {
    pub fn new(scalp: &'a Scalp, by_area: bool, seed: u64) -> Self {
        let mut total = 0.0;
        let sums = scalp.triangle_areas().iter().map(|&area| {
            total += if by_area { area } else { 1.0 };
            total
        });
        Self {
            scalp,
            sums: sums.collect(),
            random: Random::new(seed),
        }
    }

    /// Returns a triangle and a point in it, as the weights of its second and third corner.
    pub fn next_place(&mut self) -> (u32, (f64, f64)) {
        let total = self.sums.last().copied().unwrap_or_default();
        let triangle = pick(&self.sums, self.random.uniform() * total);
        (triangle as u32, self.random.triangle())
    }

    fn next(&mut self) -> SurfacePoint {
        let (triangle, (s, t)) = self.next_place();
        Fragment::whole(triangle).surface_point(s, t)
    }

    /// Throws darts. Each hits unless a root on its side is closer than the radius. Returns the
    /// hits.
    pub fn throw(
        &mut self,
        darts: u64,
        radius: f64,
        progress: &mut Progress,
    ) -> Result<Vec<SurfacePoint>> {
        let (mut index, mut hits) = (RootIndex::default(), Vec::new());
        for dart in 0..darts {
            progress.step(dart as f64 / darts as f64)?;
            index.work += work::PIECE;
            progress.spend(&mut index.work)?;
            let point = self.next();
            let position = self.scalp.point(point);
            let face_normal = self.scalp.face_normal(point.triangle);
            if !index.any(position, face_normal, radius, |_| radius) {
                index.add(position, face_normal)?;
                hits.push(point);
            }
        }
        Ok(hits)
    }
}

/// Returns independent random points, uniform by area.
pub fn uniform(on: &Sampling, count: u32, progress: &mut Progress) -> Result<Vec<SurfacePoint>> {
    let mut random = RandomPoints::new(on.scalp, true, on.seed);
    let points = (0..count).map(|n| {
        progress.step(f64::from(n) / f64::from(count))?;
        Ok(random.next())
    });
    points.collect()
}

/// Returns the hits of a bounded number of darts.
///
/// With triangles chosen evenly instead of by area, this is the original program, whose rejection
/// never rejected.
pub fn darts(on: &Sampling, spacing: f64, progress: &mut Progress) -> Result<Vec<SurfacePoint>> {
    let radius = spacing * (1.0 + GUARD);
    let most = PACKING * on.scalp.area() / (radius * radius);
    let darts = (DARTS_PER_ROOT * most).max(DARTS_PER_ROOT) as u64;
    let by_area = on.method == Method::Darts;
    RandomPoints::new(on.scalp, by_area, on.seed).throw(darts, radius, progress)
}

/// Returns `count` roots of five times as many random points. The most crowded points are removed
/// (Yuksel 2015, "Sample Elimination for Generating Poisson Disk Sample Sets").
pub fn eliminate(on: &Sampling, count: u32, progress: &mut Progress) -> Result<Vec<SurfacePoint>> {
    let scalp = on.scalp;
    let mut random = RandomPoints::new(scalp, true, on.seed);
    let candidates = (count * CANDIDATES) as usize;
    let mut index = RootIndex::default();
    let mut points = Vec::with_capacity(candidates);
    for n in 0..candidates {
        progress.step(0.2 * n as f64 / candidates as f64)?;
        let point = random.next();
        // A point that the index refuses lies on 1,000 others and would be removed first.
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
        progress.spend(&mut index.work)?;
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
        progress.spend(&mut index.work)?;
        for &(other, distance) in &neighbours {
            weights[other] -= weight(distance);
        }
    }
    let mut gone = gone.into_iter();
    points.retain(|_| gone.next() == Some(false));
    Ok(points)
}
