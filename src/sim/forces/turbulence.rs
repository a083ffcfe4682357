//! Eddies in the air: a smooth random velocity in space that drifts with the wind.
//!
//! Value noise: vectors at the corners of a lattice, hashed from their place and a seed, with
//! smooth weights in between. Eddies are carried along unchanged (Taylor's hypothesis of frozen
//! turbulence, 1938), and drift a little in still air.

use glam::{DVec3, Vec3};

/// Velocity at which eddies drift in still air, as a share of their own speed: along no axis.
const OWN_DRIFT: DVec3 = DVec3::new(0.31, 0.43, -0.29);
/// Hash constants of the three components of a corner's vector.
const COMPONENTS: [u32; 3] = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d];

/// The eddies of one step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turbulence {
    /// Largest component of the velocity, dm/s; 0: none.
    pub(crate) strength: f32,
    /// 1 / size of the eddies.
    per_scale: f32,
    /// Drift in whole cells, and the rest.
    cells: [i32; 3],
    rest: [f32; 3],
    seed: u32,
}

impl Turbulence {
    /// The eddies at a time, `scale` decimetres large, in a steady wind.
    pub(crate) fn new(strength: f32, scale: f32, seed: u32, wind: Vec3, time_secs: f64) -> Self {
        let drift = wind.as_dvec3() + OWN_DRIFT * f64::from(strength);
        let way = (drift * (time_secs / f64::from(scale))).to_array();
        Self {
            strength,
            per_scale: 1.0 / scale,
            cells: way.map(|x| x.floor() as i64 as i32),
            rest: way.map(|x| (x - x.floor()) as f32),
            seed,
        }
    }

    /// Velocity at a point, world space, dm/s.
    #[inline(always)]
    pub(crate) fn at(&self, point: Vec3) -> Vec3 {
        let point = point.to_array();
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
        Vec3::from(sum) * self.strength
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn still(strength: f32, scale: f32) -> Turbulence {
        Turbulence::new(strength, scale, 7, Vec3::ZERO, 0.0)
    }

    #[test]
    fn it_is_smooth_bounded_and_of_its_scale() {
        let air = still(10.0, 0.5);
        let (mut before, mut sum, mut squares) = (air.at(Vec3::ZERO), 0.0, 0.0);
        for i in 1..20_000 {
            let v = air.at(Vec3::new(1.0, 0.3, -0.2) * (i as f32 * 0.001));
            assert!(v.abs().max_element() <= 10.0);
            // At most 2 · 10 in a cell of 0.5, smoothly: no step.
            assert!((v - before).abs().max_element() < 0.15);
            sum += v.x;
            squares += v.x * v.x;
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
                (air.at(Vec3::X * x).x - air.at(Vec3::X * (x + d)).x).abs()
            };
            (0..500).map(apart).sum::<f32>()
        });
        assert!(far > 4.0 * near, "{near} {far}");
    }

    #[test]
    fn eddies_drift_with_the_wind_and_differ_by_seed() {
        let [early, late, other] = [(7, 100.0), (7, 100.1), (8, 100.0)]
            .map(|(seed, time)| Turbulence::new(0.1, 0.5, seed, Vec3::X * 6.0, time));
        for i in 0..50 {
            let p = Vec3::new(i as f32 * 0.13, 0.2, 0.1);
            assert!((early.at(p).x - late.at(p + Vec3::X * 0.6).x).abs() < 0.01);
        }
        let p = Vec3::new(0.3, 0.2, 0.1);
        assert_ne!(early.at(p), other.at(p));
    }

    #[test]
    fn far_places_are_finite() {
        let air = Turbulence::new(1000.0, 0.05, 7, Vec3::splat(1000.0), 3600.0);
        for x in [1e9, -1e9, 1e30] {
            let v = air.at(Vec3::new(x, 0.0, x));
            assert!(v.abs().max_element() <= 1000.0, "{v}");
        }
    }
}
