//! Eddies in the air: a smooth random velocity in space that drifts with the wind.
//!
//! Vectors at the corners of a lattice, hashed from their place and a seed, with smooth weights in
//! between (value noise). Eddies are carried along unchanged (Taylor's hypothesis of frozen
//! turbulence, 1938), and drift a little in still air.

use glam::{DVec3, Vec3};

/// Share of their own speed at which eddies drift in still air, along no axis.
const OWN_DRIFT: DVec3 = DVec3::new(0.31, 0.43, -0.29);
/// The three components of a corner's vector.
const COMPONENTS: [u32; 3] = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d];

/// Eddies of one step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turbulence {
    /// Largest component of the velocity, dm/s; 0: none.
    pub(crate) strength: f32,
    /// 1 / size of the eddies.
    per_scale: f32,
    /// How far they have drifted: whole cells, and the rest.
    cells: [i32; 3],
    rest: [f32; 3],
    seed: u32,
}

impl Turbulence {
    /// Eddies of `scale` decimetres at a time, in a steady wind.
    pub(crate) fn new(
        strength: f32,
        scale: f32,
        seed: u32,
        wind: [f32; 3],
        time_secs: f64,
    ) -> Self {
        let drift = Vec3::from(wind).as_dvec3() + OWN_DRIFT * f64::from(strength);
        let way = (drift * (time_secs / f64::from(scale))).to_array();
        Self {
            strength,
            per_scale: 1.0 / scale,
            cells: way.map(|x| x.floor() as i64 as i32),
            rest: way.map(|x| (x - x.floor()) as f32),
            seed,
        }
    }

    /// Velocity at a point of the world, dm/s.
    #[inline(always)]
    pub(crate) fn at(&self, point: [f32; 3]) -> [f32; 3] {
        let (mut low, mut share) = ([0_i32; 3], [0.0; 3]);
        for axis in 0..3 {
            let place = point[axis] * self.per_scale - self.rest[axis];
            let floor = place.floor();
            let x = place - floor;
            low[axis] = (floor as i32).wrapping_sub(self.cells[axis]);
            share[axis] = x * x * (3.0 - 2.0 * x);
        }
        let mut sum = [0.0; 3];
        for corner in 0..8 {
            let (mut weight, mut hash) = (1.0, self.seed);
            for axis in 0..3 {
                let upper = corner >> axis & 1;
                weight *= if upper == 1 {
                    share[axis]
                } else {
                    1.0 - share[axis]
                };
                hash = mixed(hash ^ low[axis].wrapping_add(upper) as u32);
            }
            for (axis, component) in COMPONENTS.into_iter().enumerate() {
                sum[axis] += weight * signed(mixed(hash ^ component));
            }
        }
        sum.map(|x| x * self.strength)
    }
}

/// A permutation of the 32-bit numbers that mixes all bits (Ettinger 2018, lowbias32).
#[inline(always)]
fn mixed(x: u32) -> u32 {
    let x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
    let x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

/// 24 bits as a number from -1 to 1, exactly.
#[inline(always)]
fn signed(x: u32) -> f32 {
    (x >> 8) as f32 * (2.0 / 16_777_216.0) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_smooth_bounded_and_of_its_scale() {
        let air = Turbulence::new(10.0, 0.5, 7, [0.0; 3], 0.0);
        let (mut before, mut sum, mut squares) = (air.at([0.0; 3]), 0.0, 0.0);
        for i in 1..20_000 {
            let x = i as f32 * 0.001;
            let v = air.at([x, 0.3 * x, -0.2 * x]);
            for axis in 0..3 {
                assert!(v[axis].abs() <= 10.0);
                // At most 2 · 10 in a cell of 0.5, smoothly: no step.
                assert!((v[axis] - before[axis]).abs() < 0.15);
            }
            sum += v[0];
            squares += v[0] * v[0];
            before = v;
        }
        let (mean, rms) = (sum / 20_000.0, (squares / 20_000.0).sqrt());
        assert!(
            mean.abs() < 2.0 && (2.0..6.0).contains(&rms),
            "{mean} {rms}"
        );
        let [near, far] = [0.05, 5.0].map(|d| {
            let apart = |i: usize| {
                let x = i as f32 * 0.37;
                (air.at([x, 0.0, 0.0])[0] - air.at([x + d, 0.0, 0.0])[0]).abs()
            };
            (0..500).map(apart).sum::<f32>()
        });
        assert!(far > 4.0 * near, "{near} {far}");
    }

    #[test]
    fn eddies_drift_with_the_wind_and_differ_by_seed() {
        let wind = [6.0, 0.0, 0.0];
        let (early, late) = (
            Turbulence::new(0.1, 0.5, 7, wind, 100.0),
            Turbulence::new(0.1, 0.5, 7, wind, 100.1),
        );
        for i in 0..50 {
            let x = i as f32 * 0.13;
            let (a, b) = (early.at([x, 0.2, 0.1]), late.at([x + 0.6, 0.2, 0.1]));
            assert!((a[0] - b[0]).abs() < 0.01);
        }
        let other = Turbulence::new(0.1, 0.5, 8, wind, 100.0);
        assert_ne!(early.at([0.3, 0.2, 0.1]), other.at([0.3, 0.2, 0.1]));
    }

    #[test]
    fn far_places_are_finite() {
        let air = Turbulence::new(1000.0, 0.05, 7, [1000.0; 3], 3600.0);
        for x in [1e9, -1e9, 1e30] {
            assert!(air.at([x, 0.0, x]).iter().all(|v| v.abs() <= 1000.0));
        }
    }
}
