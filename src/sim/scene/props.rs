//! What scenes bring besides a motion: strands, settings, a comb.

use super::motion::Scene;
use crate::det_math::sin_cos;
use crate::groom::Groom;
use crate::sim::forces::{ForceSettings, Push};
use crate::sim::settings::{AngularSettings, SimSettings};
use glam::{DVec3, Vec3};
use std::f64::consts::TAU;

const PENDULUM_RADIANS: f64 = 30.0 * TAU / 360.0;
/// Forces of the published gust. Frames of the source are 0.1 s; its -x is our -z.
const GUST: [Push; 2] = [
    Push {
        from_secs: 0.0,
        acceleration: [0.0, 0.0, -200.0],
    },
    Push {
        from_secs: 1.5,
        acceleration: [0.0, -250.0, -20.0],
    },
];
/// Lift of combed hair off the skin, as a share of its way down.
const COMBED_LIFT: f32 = 0.6;

impl Scene {
    /// Returns the strands of a scene without a head; `None` for scenes with one.
    pub fn strands(self) -> Option<Groom> {
        let (sin, cos) = sin_cos(PENDULUM_RADIANS);
        let direction = match self {
            Scene::Pendulum => DVec3::new(sin, -cos, 0.0).as_vec3(),
            Scene::Cantilever => Vec3::X,
            _ => return None,
        };
        Some(Groom {
            roots: vec![Vec3::ZERO],
            directions: vec![direction],
            normals: vec![direction],
            lengths: vec![1.0],
            ..Groom::default()
        })
    }

    /// Whether the scene begins with hair at rest, which then falls or is blown about. The others
    /// only move the head.
    pub fn starts_from_rest(self) -> bool {
        matches!(
            self,
            Scene::Drop | Scene::Gust | Scene::Pendulum | Scene::Cantilever
        )
    }

    /// Combs hair for the scene: for `gust` down along the skin, so that wind from the front meets
    /// all of it from the side.
    pub fn comb(self, groom: &mut Groom) {
        if self != Scene::Gust {
            return;
        }
        for (direction, &normal) in groom.directions.iter_mut().zip(&groom.normals) {
            let down = Vec3::NEG_Y - normal * Vec3::NEG_Y.dot(normal);
            *direction = (down + normal * COMBED_LIFT).normalize_or(normal);
        }
    }

    /// Changes the settings that belong to the scene, but not the solver.
    pub fn prepare(self, settings: &mut SimSettings) {
        match self {
            Scene::Gust => {
                settings.strand_particles = 11;
                settings.forces = ForceSettings {
                    gravity: [0.0; 3],
                    drag: 0.0,
                    pushes: GUST.to_vec(),
                    ..ForceSettings::default()
                };
                settings.angular = AngularSettings {
                    damping: 1.0,
                    inertia: 100.0,
                    friction_crown: 0.2,
                    ..AngularSettings::default()
                };
                settings.hold = 0.0;
            }
            Scene::Pendulum => {
                settings.strand_particles = 2;
                settings.forces = ForceSettings {
                    drag: 0.0,
                    ..ForceSettings::default()
                };
                settings.ftl.damping = 0.0;
                settings.angular.damping = 0.0;
                settings.rod.damping = 0.0;
                settings.hold = 0.0;
            }
            Scene::Cantilever => {
                settings.strand_particles = 17;
                settings.forces = ForceSettings::default();
                settings.rod.bending = 9.81;
                settings.hold = 0.0;
            }
            _ => {}
        }
    }
}
