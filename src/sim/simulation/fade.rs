//! From another solver's shape to the spring's own, which knows tips only: without a jump.

use super::super::Pose;
use glam::{DVec3, Vec3};

/// Steps in which a strand goes from the shape that another solver gave it to the spring's.
const FADE_STEPS: u32 = 96;
/// What is left of another solver's shape.
#[derive(Clone)]
pub(crate) struct Fade {
    steps_left: u32,
    particles: usize,
    /// What is to be added to each particle at first, head space.
    offsets: Vec<Vec3>,
}

impl Fade {
    /// From `shape` to the spring's `own`: `particles` points a strand, world space under `pose`.
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

    /// Points of each strand.
    pub(crate) fn particles(&self) -> usize {
        self.particles
    }

    /// Goes on by so many steps; true once nothing is left.
    pub(crate) fn is_over_after(&mut self, steps: usize) -> bool {
        self.steps_left = self.steps_left.saturating_sub(steps as u32);
        self.steps_left == 0
    }

    /// Adds what is left to the spring's own shape, and brings segments back to their lengths.
    pub(crate) fn add_to(&self, points: &mut [[f32; 4]], pose: &Pose) {
        self.add_from(0, points, pose);
    }

    /// The same for strands from number `first` on.
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
