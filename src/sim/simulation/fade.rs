//! Blends from the shape of another solver to the curve of the spring, which simulates tips only.

use crate::det_math::smooth_step;
use crate::sim::Pose;
use glam::{Vec3, Vec4};

/// The number of steps of the blend.
const FADE_STEPS: u32 = 96;

/// The remaining difference to the shape of another solver.
#[derive(Clone)]
pub(crate) struct Fade {
    steps_left: u32,
    /// The number of points of a strand.
    pub(crate) particles: usize,
    /// The initial offset of each particle, head space.
    offsets: Vec<Vec3>,
}

impl Fade {
    /// Blends from `shape` to `curves` of the spring: `particles` points per strand, world space
    /// under `pose`.
    pub(crate) fn new(
        shape: &[[f32; 4]],
        curves: &[[f32; 4]],
        particles: usize,
        pose: &Pose,
    ) -> Self {
        let head_from_world = pose.rotation.conjugate();
        let apart = |(a, b): (&[f32; 4], &[f32; 4])| {
            let apart = (Vec4::from(*a) - Vec4::from(*b)).truncate().as_dvec3();
            (head_from_world * apart).as_vec3()
        };
        Self {
            steps_left: FADE_STEPS,
            particles,
            offsets: shape.iter().zip(curves).map(apart).collect(),
        }
    }

    /// Advances by `steps` steps. Returns whether the blend is over.
    pub(crate) fn is_over_after(&mut self, steps: usize) -> bool {
        self.steps_left = self.steps_left.saturating_sub(steps as u32);
        self.steps_left == 0
    }

    /// Adds the remaining offset to the spring's shape of the strands from `first` on, and restores
    /// the segment lengths. Strands of another number of `particles` are left alone.
    pub(crate) fn add_to(
        &self,
        points: &mut [[f32; 4]],
        first: usize,
        particles: usize,
        pose: &Pose,
    ) {
        if particles != self.particles {
            return;
        }
        let share = smooth_step(self.steps_left as f32 / FADE_STEPS as f32);
        let rotation = pose.to_dmat3().as_mat3();
        let strands = points.chunks_exact_mut(self.particles);
        let offsets = self.offsets.chunks_exact(self.particles).skip(first);
        for (points, offsets) in strands.zip(offsets) {
            let mut before = Vec4::from(points[0]).truncate();
            let mut end = before;
            for (point, &offset) in points.iter_mut().zip(offsets).skip(1) {
                let own = Vec4::from(*point).truncate();
                let length = own.distance(before);
                before = own;
                let aim = own + rotation * offset * share;
                end += (aim - end).normalize_or_zero() * length;
                *point = end.extend(0.0).to_array();
            }
        }
    }
}
