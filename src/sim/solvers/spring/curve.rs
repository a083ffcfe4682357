//! Whole strands of the spring: how a curve follows its tip, and how tips are taken over from
//! solvers that move particles.

use super::tips::Spring;
use crate::sim::hair::Hair;
use crate::sim::pose::Pose;
use crate::sim::simd::{LANES, get3, set3};
use glam::{Vec3, Vec4};

impl Spring {
    /// Writes the particles of every `every`-th strand, root first: `[x, y, z, 0]`, world space,
    /// interpolated by `alpha` between two poses as [`write_drawn_tips`] does with their tips.
    ///
    /// The point at share s of the rest curve moves by s² times what the tip has moved, then each
    /// segment is brought back to its length.
    ///
    /// [`write_drawn_tips`]: Self::write_drawn_tips
    pub(crate) fn write_curves(
        &self,
        [from, to]: [&Pose; 2],
        alpha: f64,
        particles: usize,
        every: usize,
        out: &mut Vec<[f32; 4]>,
    ) {
        out.clear();
        out.reserve(self.len().div_ceil(every) * particles);
        let strands = (0..self.len()).step_by(every);
        self.add_curves([from, to], alpha, particles, strands, out);
    }

    /// Appends the particles of some strands, as [`write_curves`](Self::write_curves).
    pub(crate) fn add_curves(
        &self,
        [from, to]: [&Pose; 2],
        alpha: f64,
        particles: usize,
        strands: impl Iterator<Item = usize>,
        out: &mut Vec<[f32; 4]>,
    ) {
        let mut tips = Vec::new();
        self.write_drawn_tips(from, to, alpha, &mut tips);
        let drawn = from.interpolate(to, alpha);
        let rotation = drawn.to_dmat3().as_mat3();
        let mut curve = vec![Vec3::ZERO; particles];
        for strand in strands {
            let (shape, lane) = (&self.shape[strand / LANES], strand % LANES);
            let root = get3(&shape.root, lane).as_dvec3();
            let root = drawn.transform_point(root).as_vec3();
            let reach = get3(&shape.reach, lane).as_dvec3();
            let reach = drawn.transform_vector(reach).as_vec3();
            let moved = Vec4::from(tips[strand]).truncate() - root - reach;
            let last = (particles - 1) as f32;
            let share = |j: usize| j as f32 / last;
            match &self.curves {
                Some(curves) => {
                    curves.write(strand, &mut curve);
                    curve.iter_mut().for_each(|p| *p = rotation * *p);
                }
                None => (0..particles).for_each(|j| curve[j] = reach * share(j)),
            }
            let segment = |j: usize| match &self.curves {
                Some(_) => curve[j].distance(curve[j - 1]),
                None => shape.length.0[lane] / last,
            };
            let at = |j: usize| curve[j] + moved * (share(j) * share(j));
            let mut end = root;
            out.push(root.extend(0.0).to_array());
            for j in 1..particles {
                end += (at(j) - at(j - 1)).normalize_or_zero() * segment(j);
                out.push(end.extend(0.0).to_array());
            }
        }
    }

    /// Returns the two ends of a strand's spring, its anchor and its simulated tip, and its root:
    /// interpolated by `alpha` between two poses.
    pub(crate) fn ends(&self, poses: [&Pose; 2], alpha: f64, strand: usize) -> [Vec3; 3] {
        let (block, lane) = (strand / LANES, strand % LANES);
        let drawn = poses[0].interpolate(poses[1], alpha);
        let place = |at| drawn.transform_point(get3(at, lane).as_dvec3()).as_vec3();
        let anchor = place(&self.rest[block].anchor);
        let before = get3(&self.previous[block], lane);
        let offset = before.lerp(get3(&self.state[block].offset, lane), alpha as f32);
        [anchor, anchor + offset, place(&self.shape[block].root)]
    }

    /// Takes over tips and their velocities from particles. `poses` are the head's before and after
    /// the last step.
    pub(crate) fn take_over(&mut self, hair: &Hair, poses: [&Pose; 2]) {
        let tip = hair.particles() - 1;
        for strand in 0..self.len().min(hair.len()) {
            let (block, lane) = (strand / LANES, strand % LANES);
            let anchor = get3(&self.rest[block].anchor, lane).as_dvec3();
            let offset = |pose: &Pose, tip: Vec3| tip - pose.transform_point(anchor).as_vec3();
            let now = offset(poses[1], hair.position(strand, tip));
            let before = offset(poses[0], hair.previous(strand, tip));
            set3(&mut self.state[block].offset, lane, now);
            set3(&mut self.previous[block], lane, before);
            let velocity = hair.velocity(strand, tip);
            set3(&mut self.state[block].velocity, lane, velocity);
        }
    }
}
