//! Value noise with the same bits on every machine.

/// Hash constants of the three components of a corner's vector.
const COMPONENTS: [u32; 3] = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d];

/// Returns smooth random vectors, whose components are within -1 to 1, at places of a lattice of
/// unit cells: the whole numbers of the cell, and the place in it, 0 to 1, each axis of all places
/// after the other.
///
/// Vectors at the corners of the cell are hashed from their place and a seed, with smooth weights in
/// between.
#[inline(always)]
pub(crate) fn noise<const N: usize>(
    cell: [[i32; N]; 3],
    within: [[f32; N]; 3],
    seed: u32,
) -> [[f32; N]; 3] {
    // The weights and the hashes of both ends of the cell along an axis.
    let share = within.map(|lanes| {
        let upper = lanes.map(|x| x * x * (3.0 - 2.0 * x));
        [upper.map(|upper| 1.0 - upper), upper]
    });
    let ends = |axis: usize, hash: [u32; N]| {
        [0, 1].map(|upper: i32| {
            let mut ends = hash;
            for lane in 0..N {
                ends[lane] = mixed(hash[lane] ^ cell[axis][lane].wrapping_add(upper) as u32);
            }
            ends
        })
    };
    let along = ends(0, [seed; N]).map(|hash| ends(1, hash).map(|hash| ends(2, hash)));
    let mut sum = [[0.0; N]; 3];
    for corner in 0..8 {
        let [i, j, k] = [0, 1, 2].map(|axis| corner >> axis & 1);
        for (sum, component) in sum.iter_mut().zip(COMPONENTS) {
            for lane in 0..N {
                let weight = share[0][i][lane] * share[1][j][lane] * share[2][k][lane];
                sum[lane] += weight * signed(mixed(along[i][j][k][lane] ^ component));
            }
        }
    }
    sum
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
