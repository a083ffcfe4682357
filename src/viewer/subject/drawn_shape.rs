//! The shape in which hair is seen while it moves.

use glam::Vec3;
use mohawk::sim::Simulation;
use mohawk::style::Strands;
use rayon::prelude::*;

/// Hair that is nowhere farther from where it rests counts as at rest, decimetres: about a pixel.
const AT_REST: f32 = 0.005;

/// Returns the drawn points of strands, relative to each strand's root, head space. `None`: they
/// are at rest, or the simulation moves other strands.
pub(crate) fn shown(sim: &Simulation, strands: &Strands) -> Option<Vec<Vec3>> {
    if sim.strand_count() != strands.len() || strands.is_empty() {
        return None;
    }
    let mut particles = Vec::new();
    sim.write_shape(&mut particles);
    let of_strand = particles.len() / strands.len();
    let per = strands.per_strand();
    if of_strand < 2 || per < 2 {
        return None;
    }
    let head_from_world = sim.drawn_pose().to_mat4().inverse();
    let mut points = vec![Vec3::ZERO; strands.len() * per];
    let away = (points.par_chunks_exact_mut(per).enumerate()).map(|(strand, points)| {
        let particles = &particles[strand * of_strand..][..of_strand];
        let at = |i: usize| {
            let [x, y, z, _] = particles[i];
            head_from_world.transform_point3(Vec3::new(x, y, z))
        };
        let root = at(0);
        let mut away = 0.0_f32;
        for (i, (point, rest)) in points.iter_mut().zip(strands.strand(strand)).enumerate() {
            let place = i as f32 / (per - 1) as f32 * (of_strand - 1) as f32;
            let before = (place as usize).min(of_strand - 2);
            *point = at(before).lerp(at(before + 1), place - before as f32) - root;
            away = away.max(point.distance_squared(*rest));
        }
        away
    });
    let away = away.reduce(|| 0.0, f32::max);
    (away > AT_REST * AT_REST).then_some(points)
}
