//! Value noise with the same bits on every machine.

use glam::Vec3;

/// Hash constants of the three components of a corner's vector.
const COMPONENTS: [u32; 3] = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d];

/// Returns a smooth random vector, whose components are within -1 to 1, at a place of a lattice of
/// unit cells: the whole number of the cell, and the place in it, 0 to 1.
///
/// Vectors at the corners of the cell are hashed from their place and a seed, with smooth weights in
/// between.
#[inline(always)]
pub(crate) fn noise(cell: [i32; 3], within: [f32; 3], seed: u32) -> Vec3 {
    let share = within.map(|x| x * x * (3.0 - 2.0 * x));
    let mut sum = [0.0; 3];
    for corner in 0..8 {
        let (mut weight, mut hash) = (1.0, seed);
        for axis in 0..3 {
            let upper = corner >> axis & 1;
            weight *= if upper == 1 {
                share[axis]
            } else {
                1.0 - share[axis]
            };
            hash = mixed(hash ^ cell[axis].wrapping_add(upper) as u32);
        }
        for (axis, component) in COMPONENTS.into_iter().enumerate() {
            sum[axis] += weight * signed(mixed(hash ^ component));
        }
    }
    Vec3::from(sum)
}

/// Permutes the 32-bit numbers so that all bits mix (lowbias32, Ettinger 2018).
#[inline(always)]
fn mixed(x: u32) -> u32 {
    let x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
    let x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

/// Converts the upper 24 bits to a number from -1 to 1, exactly.
#[inline(always)]
fn signed(x: u32) -> f32 {
    (x >> 8) as f32 * (2.0 / 16_777_216.0) - 1.0
}
