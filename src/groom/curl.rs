//! Curls and waves: rest curves that wind around the direction of growth.

use super::strand_modulation::{draw_per_rank, share};
use super::{Groom, GroomSettings, RestCurves};
use crate::det_math::sin_cos;
use crate::random::Random;
use crate::roots::Roots;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use std::f64::consts::TAU;

/// The seed of the random stream of curls. It does not affect lengths, tilts and clumps.
const CURL_STREAM: u64 = 0x6375_726c_7321_2121;
/// The number of points per turn; chords are then at most 0.7 % shorter than their arcs.
const POINTS_PER_TURN: f64 = 16.0;
/// The smallest and the largest number of points of a strand.
const POINTS: std::ops::RangeInclusive<usize> = 9..=129;
/// The number of points of all strands from which each strand gets fewer: 0.4 GB.
const MOST_POINTS: usize = 32 << 20;
/// The number of integration steps per turn.
const STEPS_PER_TURN: f64 = 64.0;
/// The part of the first turn over which the curl opens, so that strands leave the skin in the
/// direction of growth.
const OPENING_TURNS: f64 = 0.5;
/// The largest phase difference of a strand to the middle of its clump, in turns.
const STRAY_TURNS: f64 = 0.12;

/// Winds every strand around its direction if the settings say so. `middles` are the middles of
/// clumps, whose phase the strands share, so that locks stay together.
///
/// The tangent leans away from the direction d by the angle `curl_deg` = a and turns once around
/// it in `curl_length` of hair: at arc length s, with θ = 2π s / `curl_length` + phase and
/// f = 1 − `curl_flat`,
///
/// ```text
/// v = a (e1 cos θ + f e2 sin θ),   tangent = d cos |v| + (v / |v|) sin |v|
/// ```
///
/// a helix for f = 1, a wave in a plane for f = 0; unit speed, so the hair keeps its length.
pub(super) fn wind(
    groom: &mut Groom,
    roots: &Roots,
    middles: &[u32],
    settings: &GroomSettings,
    shares: &[f32],
    seed: u64,
) {
    if settings.curl_deg == 0.0 || groom.is_empty() {
        return;
    }
    let turn = f64::from(settings.curl_length);
    let round = 1.0 - f64::from(settings.curl_flat);
    let longest = groom.lengths.iter().fold(0.0_f32, |a, &b| a.max(b));
    let wanted = (f64::from(longest) / turn * POINTS_PER_TURN).ceil() as usize + 1;
    let room = (MOST_POINTS / groom.len()).max(*POINTS.start());
    let per_strand = wanted.clamp(*POINTS.start(), *POINTS.end()).min(room);
    // Points of very tight curls are still at the right places.
    let steps = f64::from(longest) / turn * STEPS_PER_TURN / (per_strand - 1) as f64;
    let steps = steps.ceil().max(1.0) as usize;
    let mut random = Random::new(seed ^ CURL_STREAM);
    let phases = draw_per_rank(roots, || {
        [random.uniform(), random.uniform()].map(|x| x * TAU)
    });
    let mut points = vec![Vec3::ZERO; groom.len() * per_strand];
    (points.par_chunks_exact_mut(per_strand).enumerate()).for_each(|(strand, points)| {
        let middle = middles.get(strand).map(|&middle| middle as usize);
        let phase = match middle {
            Some(middle) => phases[middle][0] + STRAY_TURNS * (phases[strand][1] - 0.5 * TAU),
            None => phases[strand][0],
        };
        // Strands of a clump wind about nearly equal axes, so they need the same zero angle.
        let along = groom.directions[strand].as_dvec3();
        let (e1, _) =
            (groom.directions[middle.unwrap_or(strand)].as_dvec3()).any_orthonormal_pair();
        let e1 = (e1 - along * along.dot(e1)).normalize_or(along.any_orthonormal_vector());
        let e2 = along.cross(e1);
        let most = f64::from(settings.curl_deg * share(shares, strand)).to_radians();
        let tangent = |s: f64| {
            let open = (s / (turn * OPENING_TURNS)).min(1.0);
            let lean = most * open * open * (3.0 - 2.0 * open);
            let (sin, cos) = sin_cos(TAU * s / turn + phase);
            let v = (e1 * cos + e2 * (round * sin)) * lean;
            let (sin, cos) = sin_cos(v.length());
            along * cos + v.normalize_or_zero() * sin
        };
        let step = f64::from(groom.lengths[strand]) / ((per_strand - 1) * steps) as f64;
        let mut at = DVec3::ZERO;
        for i in 0..(per_strand - 1) * steps {
            at += tangent((i as f64 + 0.5) * step) * step;
            if (i + 1) % steps == 0 {
                points[(i + 1) / steps] = at.as_vec3();
            }
        }
    });
    groom.curves = RestCurves::new(per_strand, points);
}
