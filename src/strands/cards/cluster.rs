//! Clusters of strands that lie close to one another from root to tip.
//!
//! All strands begin as one cluster. The cluster whose strands are farthest from their mean is cut across
//! the direction in which they spread most, until there are as many as are wanted. The same strands give
//! the same clusters.

use super::Source;
use crate::strands::{along, even_places};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The places along a strand that are compared.
const PLACES: usize = 4;
const LANES: usize = 3 * PLACES;
/// The smallest share of a cluster that is cut off, so that no order of strands takes long.
const LEAST_SHARE: usize = 8;
/// Steps of the search for the direction of the largest spread.
const STEPS: usize = 16;

/// The places of a strand.
type Places = [f32; LANES];

/// A part of the strands.
struct Part {
    strands: Vec<u32>,
    spread: Spread,
}

/// The spread of strands around their mean.
struct Spread {
    mean: [f64; LANES],
    /// The direction in which it is largest.
    axis: [f64; LANES],
    /// The sum of squared distances from the mean, over the square root of the number of strands: few
    /// strands far from each other are cut before many that are close.
    total: f64,
}

/// Returns the strands of each of at most `count` clusters. Each strand is in one of them.
pub fn clusters(source: &Source, count: usize) -> Vec<Vec<u32>> {
    let places: Vec<Places> = (source.ranges.iter())
        .map(|range| {
            let points = &source.strands.points;
            let even = even_places(&points[range.clone()], range.start, PLACES);
            let points = along(&even.collect::<Vec<_>>(), points);
            std::array::from_fn(|lane| points[lane / 3][lane % 3])
        })
        .collect();
    let part = |strands: Vec<u32>| Part {
        spread: Spread::of(&places, &strands),
        strands,
    };
    let mut parts = BinaryHeap::from([part((0..places.len() as u32).collect())]);
    let mut whole = Vec::new();
    while parts.len() + whole.len() < count
        && let Some(widest) = parts.pop()
    {
        match widest.spread.total > 0.0 && widest.strands.len() > 1 {
            true => parts.extend(widest.cut(&places).map(part)),
            false => whole.push(widest.strands),
        }
    }
    whole.extend(parts.into_iter().map(|part| part.strands));
    // The heap has no fixed order.
    whole.iter_mut().for_each(|strands| strands.sort_unstable());
    whole.sort_unstable();
    whole
}

impl Spread {
    fn of(places: &[Places], strands: &[u32]) -> Self {
        let all = || {
            strands
                .iter()
                .map(|&strand| places[strand as usize].map(f64::from))
        };
        let mut mean = [0.0; LANES];
        for place in all() {
            (0..LANES).for_each(|i| mean[i] += place[i]);
        }
        mean = mean.map(|sum| sum / strands.len().max(1) as f64);
        let mut covariance = [[0.0; LANES]; LANES];
        for place in all() {
            let offset: [f64; LANES] = std::array::from_fn(|i| place[i] - mean[i]);
            for (row, from) in covariance.iter_mut().zip(offset) {
                (0..LANES).for_each(|i| row[i] += from * offset[i]);
            }
        }
        let total: f64 = (0..LANES).map(|i| covariance[i][i]).sum();
        Self {
            mean,
            total: total / (strands.len().max(1) as f64).sqrt(),
            axis: widest_axis(&covariance),
        }
    }
}

/// Returns the direction in which a covariance is largest, by repeated multiplication.
fn widest_axis(covariance: &[[f64; LANES]; LANES]) -> [f64; LANES] {
    let by_lane = |&a: &usize, &b: &usize| covariance[a][a].total_cmp(&covariance[b][b]);
    let mut axis = covariance[(0..LANES).max_by(by_lane).unwrap_or(0)];
    for _ in 0..STEPS {
        let next: [f64; LANES] = std::array::from_fn(|i| dot(&covariance[i], &axis));
        let length = dot(&next, &next).sqrt();
        if length > 0.0 {
            axis = next.map(|lane| lane / length);
        }
    }
    axis
}

impl Part {
    /// Cuts the strands in two where the halves are closest to their means.
    fn cut(self, places: &[Places]) -> [Vec<u32>; 2] {
        let mut sorted: Vec<(f64, u32)> = (self.strands.into_iter())
            .map(|strand| {
                let place = places[strand as usize];
                let offset = std::array::from_fn(|i| f64::from(place[i]) - self.spread.mean[i]);
                (dot(&offset, &self.spread.axis), strand)
            })
            .collect();
        sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let count = sorted.len();
        let least = (count / LEAST_SHARE).max(1);
        let (mut before, mut best) = (0.0, (f64::NEG_INFINITY, count / 2));
        for (nth, (place, _)) in sorted.iter().enumerate() {
            // The sum of all places is 0, so both sides have the same sum but for its sign.
            let gain = before * before * (1.0 / nth as f64 + 1.0 / (count - nth) as f64);
            if (least..=count - least).contains(&nth) && gain > best.0 {
                best = (gain, nth);
            }
            before += place;
        }
        let after = sorted.split_off(best.1);
        [sorted, after].map(|side| side.into_iter().map(|(_, strand)| strand).collect())
    }
}

fn dot(a: &[f64; LANES], b: &[f64; LANES]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Ord for Part {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_spread = self.spread.total.total_cmp(&other.spread.total);
        by_spread.then_with(|| other.strands.cmp(&self.strands))
    }
}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Part {}
