//! The order of strands in memory: neighbours on the head are neighbours in memory.
//!
//! Strands come in an order of which every prefix is evenly spread, so consecutive strands are far
//! apart. What eight of them read of the head's distance field, or add to the grid on which hair
//! feels hair, would be spread over all of it.

use crate::bvh::bounds;
use glam::Vec3;
use std::f32::consts::SQRT_2;

/// Bits of the Morton code along an axis.
const BITS: u32 = 10;

/// Side of the cells by which skin is measured, decimetres, up to a factor of √2.
const PATCH: f32 = 0.1;
/// The number of cubes of side 1 that a plane meets per unit of area, the mean over its directions.
const CUBES_PER_AREA: f32 = 1.5;

/// The box around all roots.
struct Bounds {
    low: Vec3,
    /// Its longest side.
    side: f32,
}

impl Bounds {
    fn around(roots: &[Vec3]) -> Self {
        let finite = roots.iter().copied().filter(|root| root.is_finite());
        let (low, high) = bounds(finite);
        let side = (high - low).max_element();
        Self { low, side }
    }

    /// Returns the place of a root on the curve of Morton (1966) through the box.
    fn code(&self, root: Vec3) -> u32 {
        let cells = ((1_u32 << BITS) - 1) as f32;
        let place = (root - self.low) / self.side * cells;
        // NaN becomes 0.
        let [x, y, z] = place.to_array().map(|x| x as u32);
        spread(x) | spread(y) << 1 | spread(z) << 2
    }
}

/// Returns the strands along the curve through the box around all roots.
pub(in crate::sim) fn along_curve(roots: &[Vec3]) -> Vec<u32> {
    let around = Bounds::around(roots);
    let mut strands: Vec<u32> = (0..roots.len() as u32).collect();
    strands.sort_by_cached_key(|&strand| around.code(roots[strand as usize]));
    strands
}

/// Returns the area of the skin under the roots, in square decimetres, from the number of cells that
/// have roots. `strands` are in the order of [`along_curve`].
pub(super) fn area(roots: &[Vec3], strands: &[u32]) -> f32 {
    let around = Bounds::around(roots);
    let halvings = (0..BITS).take_while(|&k| around.side / (1 << k) as f32 > PATCH * SQRT_2);
    let halvings = halvings.count() as u32;
    let cell = (around.side / (1 << halvings) as f32).max(PATCH);
    let cells = strands
        .iter()
        .map(|&strand| around.code(roots[strand as usize]));
    let mut cells: Vec<u32> = cells.map(|code| code >> (3 * (BITS - halvings))).collect();
    cells.dedup();
    cells.len() as f32 * cell * cell / CUBES_PER_AREA
}

/// Returns the number of cells that have roots of some strands; a surface has about `wanted` cells, up
/// to a factor of 4.
pub(in crate::sim) fn occupied(roots: &[Vec3], strands: &[u32], wanted: usize) -> usize {
    let around = Bounds::around(roots);
    let halvings = (0..BITS).take_while(|&k| 4 << (2 * k) <= wanted).count() as u32;
    let codes = strands
        .iter()
        .map(|&strand| around.code(roots[strand as usize]));
    let mut cells: Vec<u32> = codes.map(|code| code >> (3 * (BITS - halvings))).collect();
    cells.sort_unstable();
    cells.dedup();
    cells.len()
}

/// Inserts two zeros before each of the lowest ten bits.
fn spread(x: u32) -> u32 {
    let x = x.min((1 << BITS) - 1);
    let x = (x | x << 16) & 0x0300_00ff;
    let x = (x | x << 8) & 0x0300_f00f;
    let x = (x | x << 4) & 0x030c_30c3;
    (x | x << 2) & 0x0924_9249
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Groom;
    use crate::sim::{Hair, Pose};

    #[test]
    fn the_area_of_skin_does_not_depend_on_the_number_of_roots() {
        let ball = |count: usize| -> Vec<Vec3> {
            let root = |i: usize| {
                let (y, around) = (
                    1.0 - (2 * i + 1) as f32 / count as f32,
                    i as f32 * 2.399_963,
                );
                let (sin, cos) = around.sin_cos();
                Vec3::new(cos, 0.0, sin) * (1.0 - y * y).sqrt() + Vec3::Y * y
            };
            (0..count).map(root).collect()
        };
        for count in [4_000, 40_000] {
            let roots = ball(count);
            let area = area(&roots, &along_curve(&roots)) / (4.0 * std::f32::consts::PI);
            assert!((0.8..1.2).contains(&area), "{count}: {area}");
        }
        let alone = [Vec3::ONE];
        assert!(area(&alone, &[0]) > 0.0);
    }

    #[test]
    fn neighbours_are_near_and_odd_roots_have_a_place() {
        let count = 4096;
        let mut roots: Vec<Vec3> = (0..count)
            .map(|i| {
                let at = i * 2731 % count;
                Vec3::new((at % 64) as f32, (at / 64) as f32, 0.0)
            })
            .collect();
        let strands = along_curve(&roots);
        let ways = strands.windows(2).map(|pair| {
            let [a, b] = [0, 1].map(|i: usize| roots[pair[i] as usize]);
            a.distance(b)
        });
        assert!(ways.sum::<f32>() / (count as f32) < 2.0);
        let groom = Groom::parallel(roots.clone(), Vec3::Z, 1.0);
        let hair = Hair::new(&groom, 2, &Pose::IDENTITY);
        let is_found = |i: usize| hair.strands[hair.slots[i] as usize] as usize == i;
        assert!(hair.strands == strands && (0..count).all(is_found));
        roots[7] = Vec3::NAN;
        assert_eq!(along_curve(&roots).len(), count);
        assert!(along_curve(&[]).is_empty());
        assert_eq!(along_curve(&[Vec3::ONE; 3]), [0, 1, 2]);
    }
}
