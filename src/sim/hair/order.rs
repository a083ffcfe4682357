//! The order of strands in memory: neighbours on the head are neighbours in memory.
//!
//! Strands come in an order of which every prefix is evenly spread, so consecutive strands are far
//! apart. What eight of them read of the head's distance field, or add to the grid on which hair
//! feels hair, would be spread over all of it.

use crate::bvh::bounds;
use glam::Vec3;

/// Bits of the Morton code along an axis.
const BITS: u32 = 10;

/// Returns the strands along the curve of Morton (1966) through the box around all roots.
pub(super) fn along_curve(roots: &[Vec3]) -> Vec<u32> {
    let finite = roots.iter().copied().filter(|root| root.is_finite());
    let (low, high) = bounds(finite);
    let side = (high - low).max_element();
    let cells = ((1_u32 << BITS) - 1) as f32;
    let code = |&strand: &u32| {
        let place = (roots[strand as usize] - low) / side * cells;
        // NaN becomes 0.
        let [x, y, z] = place.to_array().map(|x| x as u32);
        spread(x) | spread(y) << 1 | spread(z) << 2
    };
    let mut strands: Vec<u32> = (0..roots.len() as u32).collect();
    strands.sort_by_cached_key(code);
    strands
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
