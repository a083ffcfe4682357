//! The frame of a card: the mean of its strands, and the direction across it.

use glam::{DVec3, Quat, Vec2, Vec3};
use std::f32::consts::PI;

/// Places along the mean strand.
pub const SAMPLES: usize = 32;
/// The weight of facing outward, beside the spread of the strands.
const OUTWARD: f32 = 0.4;
/// The least spread of strands, as a share of their length.
const LEAST_SPREAD: f32 = 1e-4;
/// The distance along a card over which its directions are smoothed, as a share of its length.
const SMOOTH: f32 = 0.3;
/// Strands are a round bundle if they spread in one direction no more than in the other but for this
/// share, and they stand if the square of the sine of their lean is below this.
const FLAT: f32 = 0.6;
const LYING: f32 = 0.4;

/// A place on the mean strand.
#[derive(Clone, Copy, Default)]
pub struct Sample {
    pub place: Vec3,
    /// The length of the mean strand to here.
    pub along: f32,
    /// Unit directions along the card and across it.
    pub forward: Vec3,
    pub side: Vec3,
}

/// The lie of the strands of a card.
pub struct Lie {
    /// `true` for a round bundle that stands on the head.
    pub is_round: bool,
    /// The share by which they lie on the head instead of standing, 0 to 1.
    pub lying: f32,
}

/// Turns a card to where its strands spread, and away from the head. Returns how they lie.
pub fn face(samples: &mut [Sample], even: &[Vec<Vec3>], middle: Vec3) -> Lie {
    let mut side = samples[0].forward.any_orthonormal_vector();
    // Twice the angle from `side` to the direction of the spread, as a vector, which has no sign.
    let mut spreads = [Vec2::ZERO; SAMPLES];
    let (mut all, mut lying) = (0.0, 0.0);
    let length = samples[SAMPLES - 1].along.max(f32::MIN_POSITIVE);
    for nth in 0..SAMPLES {
        let Sample { place, forward, .. } = samples[nth];
        let before = samples[nth.saturating_sub(1)].forward;
        side = Quat::from_rotation_arc(before, forward) * side;
        side = side.reject_from_normalized(forward).normalize_or(side);
        samples[nth].side = side;
        let up = side.cross(forward);
        let on_plane = |offset: Vec3| Vec2::new(offset.dot(side), offset.dot(up));
        let mut total = 0.0;
        for strand in even {
            let across = on_plane(strand[nth] - place);
            spreads[nth] += doubled(across);
            total += across.length_squared();
        }
        all += total;
        let outward = (place - middle).normalize_or_zero();
        let level = on_plane(forward.cross(outward));
        lying += total * level.length_squared();
        // A single strand has no spread.
        total += (LEAST_SPREAD * length).powi(2);
        spreads[nth] += OUTWARD * total * doubled(level);
    }
    let smooth = |nth: usize| {
        (0..SAMPLES).fold(Vec2::ZERO, |sum, other| {
            let away = (samples[nth].along - samples[other].along) / (SMOOTH * length);
            sum + spreads[other] * (-away * away).exp()
        })
    };
    let smoothed: [Vec2; SAMPLES] = std::array::from_fn(smooth);
    let flat: f32 = spreads.iter().map(|spread| spread.length()).sum();
    let (mut turn, mut faces) = (0.0, 0.0);
    for (sample, spread) in samples.iter_mut().zip(smoothed) {
        if let Some(spread) = spread.try_normalize() {
            let angle = spread.to_angle() / 2.0;
            // An axis has two directions; this is the one nearer to that of the sample before.
            turn = angle + ((turn - angle) / PI).round() * PI;
        }
        let up = sample.side.cross(sample.forward);
        sample.side = sample.side * turn.cos() + up * turn.sin();
        let outward = (sample.place - middle).normalize_or_zero();
        faces += sample.side.cross(sample.forward).dot(outward);
    }
    if faces < 0.0 {
        samples
            .iter_mut()
            .for_each(|sample| sample.side = -sample.side);
    }
    Lie {
        is_round: flat < FLAT * all && lying < LYING * all,
        lying: lying / all.max(f32::MIN_POSITIVE),
    }
}

/// Returns the vector with twice the angle, and the square of the length.
fn doubled(across: Vec2) -> Vec2 {
    across.rotate(across)
}

/// Returns the mean of strands, with its directions.
pub fn mean(even: &[Vec<Vec3>]) -> Vec<Sample> {
    let place = |nth: usize| {
        let places = even.iter().map(|strand| strand[nth].as_dvec3());
        (places.sum::<DVec3>() / even.len() as f64).as_vec3()
    };
    let places: [Vec3; SAMPLES] = std::array::from_fn(place);
    let (mut long, mut before) = (0.0, Vec3::Y);
    let first = |nth: usize| {
        (places[(nth + 1).min(SAMPLES - 1)] - places[nth.saturating_sub(1)]).try_normalize()
    };
    if let Some(first) = (0..SAMPLES).find_map(first) {
        before = first;
    }
    (0..SAMPLES)
        .map(|nth| {
            let last = nth.saturating_sub(1);
            long += places[nth].distance(places[last]);
            before = first(nth).unwrap_or(before);
            Sample {
                place: places[nth],
                along: long,
                forward: before,
                side: Vec3::ZERO,
            }
        })
        .collect()
}
