//! Grows a strand from every root.

use super::stack::{self, Checkpoint, Ground, Skin};
use super::strand_modulation::{above, draw_per_rank, in_range, of_strands, tints_of_strands};
use super::{Fuzz, Groom, GroomSettings, Shares, clump, curl};
use crate::det_math::one_minus_cos;
use crate::random::Random;
use crate::roots::Roots;
use glam::Vec3;
use rayon::prelude::*;

/// The seeds of the random streams of tilts and lengths, so that the spread does not affect
/// lengths.
const LENGTH_STREAM: u64 = 0x6c65_6e67_7468_7321;

impl Groom {
    /// Grows a strand from every root.
    ///
    /// A strand leaves along the growth direction of its root, tilted by a random angle, uniformly
    /// on the cap of `spread_deg`. Its length is `length · (1 − length_variation · u)` with `u`
    /// uniform in [0, 1).
    ///
    /// Strands then gather into clumps (`clump`, `clump_size`) and wind into curls (`curl_deg`,
    /// `curl_length`, `curl_flat`), and the modifiers of the `stack` shape them. Random values belong
    /// to the rank of a root, so roots that density leaves out change no other strand.
    ///
    /// The same roots, settings and seed give the same bits on every platform. Settings are
    /// expected to be [valid](GroomSettings::validate).
    pub fn grow(roots: &Roots, settings: &GroomSettings, seed: u64) -> Groom {
        Self::grow_by(roots, settings, &Shares::default(), seed, None)
    }

    /// Grows strands with settings modulated per root. Modifiers keep hair out of the skin if it is
    /// given.
    pub fn grow_by(
        roots: &Roots,
        settings: &GroomSettings,
        shares: &Shares,
        seed: u64,
        skin: Option<&dyn Skin>,
    ) -> Groom {
        Self::regrow_by(
            roots,
            settings,
            shares,
            seed,
            skin,
            &mut Checkpoint::default(),
        )
    }

    /// Grows strands as [`grow_by`](Self::grow_by) does, and spares the modifiers before the first
    /// that has changed since the last time. The skin must be the same as then, if it is given.
    pub(crate) fn regrow_by(
        roots: &Roots,
        settings: &GroomSettings,
        shares: &Shares,
        seed: u64,
        skin: Option<&dyn Skin>,
        checkpoint: &mut Checkpoint,
    ) -> Groom {
        let strands = (0..roots.directions.len()).into_par_iter();
        let normals: Vec<Vec3> = strands.map(|root| normal_at(roots, root)).collect();
        let mut random = Random::new(seed);
        let cap_height = one_minus_cos(f64::from(settings.spread_deg).to_radians());
        let tilts = draw_per_rank(roots, || random_on_cap(cap_height, &mut random));
        let directions = (normals.par_iter().zip(tilts).enumerate())
            .map(
                |(root, (&normal, tilt))| match shares.direction.is_empty() {
                    true => tilt(normal),
                    false => above(tilt(shares.lean(root, normal)), normal),
                },
            )
            .collect();
        let mut random = Random::new(seed ^ LENGTH_STREAM);
        let mut lengths = draw_per_rank(roots, || {
            let share = 1.0 - f64::from(settings.length_variation) * random.uniform();
            (f64::from(settings.length) * share) as f32
        });
        for (length, &share) in lengths.iter_mut().zip(&shares.length) {
            let least = GroomSettings::length.range().start().min(*length);
            *length = (*length * in_range(share)).max(least);
        }
        let mut groom = Groom {
            roots: roots.positions.clone(),
            directions,
            normals,
            lengths,
            curves: None,
            faces: roots.points.iter().map(|point| point.triangle).collect(),
            widths: of_strands(&shares.width, roots.positions.len()),
            stiffness: of_strands(&shares.stiffness, roots.positions.len()),
            tints: tints_of_strands(&shares.tint, roots.positions.len()),
            bleach: Vec::new(),
            wetness: Vec::new(),
            fuzz: Fuzz {
                stray: settings.stray,
                frizz: settings.frizz,
            },
        };
        let middles = clump::gather(&mut groom, roots, settings, shares, seed);
        curl::wind(&mut groom, roots, &middles, settings, &shares.curl, seed);
        let ground = Ground {
            skin,
            masks: &shares.masks,
            ranks: &roots.ranks,
            seed,
        };
        stack::shape(&mut groom, &settings.stack, ground, checkpoint);
        groom
    }
}

/// Returns the unit normal of the skin at a root. Interpolated directions can cancel on a crease:
/// the face normal, then +Y, replaces them.
pub(crate) fn normal_at(roots: &Roots, root: usize) -> Vec3 {
    let face_normal = roots.face_normals.get(root).copied().unwrap_or(Vec3::Y);
    roots.directions[root].normalize_or(face_normal.normalize_or(Vec3::Y))
}

/// Returns the function from an axis to a unit direction, uniform on the spherical cap of height
/// `cap_height = 1 − cos θ` around it.
///
/// By Archimedes, the height below the pole is uniform on a cap. A point (x, y) uniform in the unit
/// disk has s = x² + y² uniform in [0, 1], independent of its angle. With h = s · cap height, the
/// direction of the point serves as the azimuth, and no sine is needed:
///
/// ```text
/// direction = (1 − h) axis + √(h (2 − h) / s) (x e1 + y e2),   h (2 − h) / s = cap (2 − h)
/// ```
fn random_on_cap(cap_height: f64, random: &mut Random) -> impl Fn(Vec3) -> Vec3 + use<> {
    let (x, y, s) = loop {
        let x = 2.0 * random.uniform() - 1.0;
        let y = 2.0 * random.uniform() - 1.0;
        let s = x * x + y * y;
        if s < 1.0 {
            break (x, y, s);
        }
    };
    let h = s * cap_height;
    let (sideways, along) = ((cap_height * (2.0 - h)).sqrt(), 1.0 - h);
    move |axis| {
        let axis = axis.as_dvec3();
        let (e1, e2) = axis.any_orthonormal_pair();
        let direction = axis * along + (e1 * x + e2 * y) * sideways;
        direction.normalize().as_vec3()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_uniform_on_the_cap() {
        let cap = one_minus_cos(60_f64.to_radians()); // height 0.5
        let mut random = Random::new(5);
        let count = 40_000;
        let (mut sum, mut upper_half) = (Vec3::ZERO, 0);
        for _ in 0..count {
            let direction = random_on_cap(cap, &mut random)(Vec3::X);
            assert!((direction.length() - 1.0).abs() < 1e-6);
            assert!(direction.x >= 0.5 - 1e-6);
            sum += direction;
            upper_half += i32::from(direction.x > 0.75);
        }
        let mean = sum / count as f32;
        // Equal heights have equal areas, and no side is preferred.
        assert!((upper_half as f32 / count as f32 - 0.5).abs() < 0.01);
        assert!((mean - Vec3::X * 0.75).length() < 0.01, "{mean}");
    }
}
