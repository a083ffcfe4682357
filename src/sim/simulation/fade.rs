//! Blends from the shape of another solver to the curve of the spring, which simulates tips only.

use super::super::Pose;
use glam::{DVec3, Vec3};

/// The number of steps of the blend.
const FADE_STEPS: u32 = 96;
/// The remaining difference to the shape of another solver.
#[derive(Clone)]
pub(crate) struct Fade {
    steps_left: u32,
    particles: usize,
    /// The initial offset of each particle, head space.
    offsets: Vec<Vec3>,
}

impl Fade {
    /// Blends from `shape` to the spring's `own`: `particles` points per strand, world space under
    /// `pose`.
    pub(crate) fn new(shape: &[[f32; 4]], own: &[[f32; 4]], particles: usize, pose: &Pose) -> Self {
        let head_from_world = pose.inverse();
        let offsets = (shape.iter().zip(own))
            .map(|(a, b)| {
                let apart = DVec3::from_array([0, 1, 2].map(|i| f64::from(a[i] - b[i])));
                head_from_world.transform_vector(apart).as_vec3()
            })
            .collect();
        Self {
            steps_left: FADE_STEPS,
            particles,
            offsets,
        }
    }

    /// Returns the number of points of a strand.
    pub(crate) fn particles(&self) -> usize {
        self.particles
    }

    /// Advances by `steps` steps. Returns whether the blend is over.
    pub(crate) fn is_over_after(&mut self, steps: usize) -> bool {
        self.steps_left = self.steps_left.saturating_sub(steps as u32);
        self.steps_left == 0
    }

    /// Adds the remaining offset to the spring's shape, and restores the segment lengths.
    pub(crate) fn add_to(&self, points: &mut [[f32; 4]], pose: &Pose) {
        self.add_from(0, points, pose);
    }

    /// As [`add`](Self::add), for the strands from `first` on.
    pub(crate) fn add_from(&self, first: usize, points: &mut [[f32; 4]], pose: &Pose) {
        let x = self.steps_left as f32 / FADE_STEPS as f32;
        let share = x * x * (3.0 - 2.0 * x);
        let rotation = pose.to_dmat3().as_mat3();
        let strands = points.chunks_exact_mut(self.particles);
        let offsets = self.offsets.chunks_exact(self.particles).skip(first);
        for (points, offsets) in strands.zip(offsets) {
            let vec = |p: &[f32; 4]| Vec3::new(p[0], p[1], p[2]);
            let mut before = vec(&points[0]);
            let mut end = before;
            for (point, &offset) in points.iter_mut().zip(offsets).skip(1) {
                let own = vec(point);
                let length = own.distance(before);
                before = own;
                let aim = own + rotation * offset * share;
                end += (aim - end).normalize_or_zero() * length;
                *point = [end.x, end.y, end.z, 0.0];
            }
        }
    }
}
