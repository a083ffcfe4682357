//! Measures of strands: energies, stretch, depth.

use super::Simulation;
use super::engine::{Engine, spring_law};
use crate::sim::contact::StrandDepths;
use crate::sim::simd::{LANES, Lanes3, dispatch, set3};
use crate::sim::solvers::{HoldSettings, segment_stiffness};
use crate::sim::{Pose, STEP_SECS, STEPS_PER_SEC, SolverKind};
use glam::{DVec3, Vec3, Vec4};

/// The state of the strands after the last step. Energies are means over masses of 1: the particles
/// of strands without their roots, or with `spring` the tips. Followers are excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    /// Kinetic energy v² / 2 in world space, dm²/s². The velocity of a particle is its displacement
    /// in the last step over the time step, because velocities of `ftl` contain corrections and do
    /// not vanish at rest.
    pub kinetic: f64,
    /// Gravitational potential relative to the rest shape under the current head, dm²/s².
    pub gravity: f64,
    /// Energy stored by `hold` and, with `particles`, by stretched segments, dm²/s².
    pub elastic: f64,
    /// The largest |segment length / rest length − 1|.
    pub max_stretch: f64,
    /// The mean |segment length / rest length − 1|.
    pub mean_stretch: f64,
    /// Depth of the deepest particle inside the head or a collider, decimetres; 0 if none is
    /// inside.
    pub max_penetration: f64,
}

impl Measures {
    /// Returns the potential of gravity and springs.
    pub fn potential(&self) -> f64 {
        self.gravity + self.elastic
    }
}

/// Sums over the measured masses.
#[derive(Default)]
struct Sums {
    sums: Measures,
    masses: u32,
    segments: u32,
}

impl Sums {
    /// Adds a mass with its velocity, and its offset from where it rests. `stiffness` is that of
    /// its spring to this place, 1/s², and `stored` its other energy.
    fn add_mass(
        &mut self,
        velocity: Vec3,
        from_rest: DVec3,
        gravity: DVec3,
        stiffness: f64,
        stored: f64,
    ) {
        let kinetic = 0.5 * velocity.as_dvec3().length_squared();
        let elastic = 0.5 * stiffness * from_rest.length_squared() + stored;
        // A broken strand is reset by the next step.
        if !(kinetic + elastic).is_finite() {
            return;
        }
        self.sums.kinetic += kinetic;
        self.sums.elastic += elastic;
        self.sums.gravity -= gravity.dot(from_rest);
        self.masses += 1;
    }

    fn add_stretch(&mut self, stretch: f64) {
        if stretch.is_finite() {
            self.sums.max_stretch = self.sums.max_stretch.max(stretch);
            self.sums.mean_stretch += stretch;
            self.segments += 1;
        }
    }
}

impl Simulation {
    /// Returns energies, stretch and depth after the last step, of at most `most` evenly chosen
    /// simulated strands.
    pub fn measures(&self, most: usize) -> Measures {
        let (strands, settings) = (self.simulated(), &self.used);
        let every = strands.len().div_ceil(most.max(1)).max(1);
        let gravity = settings.forces.at(self.time_secs(), STEP_SECS).gravity;
        let gravity = gravity.as_dvec3();
        let mut sums = Sums::default();
        let mut points = Vec::new();
        match &self.engine {
            Engine::Tips { spring, .. } => {
                // Tips feel no gravity where they are groomed.
                let groomed = settings.groomed_gravity().as_dvec3();
                let left = gravity - self.poses[1].transform_vector(groomed);
                let gravity = left * f64::from(settings.spring.weight);
                let law = spring_law(settings);
                for strand in (0..spring.len()).step_by(every) {
                    let (offset, velocity) = spring.motion_of(strand);
                    let stiffness = spring.soft.stiffness_of(strand, &law);
                    sums.add_mass(velocity, offset.as_dvec3(), gravity, stiffness, 0.0);
                }
                // Curves keep their lengths by construction, so there is no stretch.
                let (poses, count) = (self.poses.each_ref(), self.strand_particles());
                let measured = (0..spring.len()).step_by(every);
                spring.write_curves(poses, 1.0, count, measured, &mut points);
            }
            Engine::Particles { hair, solver, .. } => {
                let of_segments = match solver.name() == SolverKind::Particles.name() {
                    true => {
                        let (own, particles) = (&settings.particles, settings.strand_particles);
                        f64::from(segment_stiffness(own, particles))
                    }
                    false => 0.0,
                };
                let hold = HoldSettings::of(settings);
                let mut rest = vec![Vec3::ZERO; hair.particles()];
                for strand in (0..hair.len()).step_by(every) {
                    strands.write_rest(strand, &mut rest);
                    let stiffness = hold.stiffness(hair.stiffness(strand));
                    let borne = hold.lift(stiffness) * stiffness;
                    let gravity = gravity + self.poses[1].transform_vector(borne);
                    let mut before = hair.position(strand, 0);
                    points.push(before.extend(0.0).to_array());
                    for particle in 1..hair.particles() {
                        let at = hair.position(strand, particle);
                        points.push(at.extend(0.0).to_array());
                        let length = f64::from(hair.segment_length(strand, particle));
                        let longer = at.as_dvec3().distance(before.as_dvec3()) - length;
                        if length > 0.0 {
                            sums.add_stretch((longer / length).abs());
                        }
                        let stored = 0.5 * of_segments * longer * longer;
                        let rest = self.poses[1].transform_point(rest[particle].as_dvec3());
                        let velocity =
                            (at - hair.previous(strand, particle)) * STEPS_PER_SEC as f32;
                        let from_rest = at.as_dvec3() - rest;
                        sums.add_mass(velocity, from_rest, gravity, stiffness, stored);
                        before = at;
                    }
                }
            }
        }
        let (per_mass, segments) = (1.0 / f64::from(sums.masses.max(1)), sums.segments.max(1));
        let sums = sums.sums;
        Measures {
            kinetic: sums.kinetic * per_mass,
            gravity: sums.gravity * per_mass,
            elastic: sums.elastic * per_mass,
            max_stretch: sums.max_stretch,
            mean_stretch: sums.mean_stretch / f64::from(segments),
            max_penetration: {
                let normals = strands.normals.iter().step_by(every);
                self.deepest(&self.poses[1], &points, normals)
            },
        }
    }

    /// Returns the largest |segment length / rest length − 1| after the last step, of simulated
    /// strands.
    pub fn max_stretch(&self) -> f64 {
        self.stretch_at(1.0)[0]
    }

    /// Returns the largest stretch of a follower's segment after the last step; 0 without
    /// followers.
    pub fn max_dependent_stretch(&self) -> f64 {
        self.stretch_at(1.0)[1]
    }

    fn stretch_at(&self, alpha: f64) -> [f64; 2] {
        let mut particles = Vec::new();
        self.write_particles(alpha, &mut particles);
        self.stretch_of(&particles)
    }

    /// Returns the largest stretch of a segment among points that
    /// [`write_particles`](Self::write_particles) has written: of simulated strands and of
    /// followers.
    pub fn stretch_of(&self, particles: &[[f32; 4]]) -> [f64; 2] {
        let mut worst = [0.0_f64; 2];
        let mut rest = vec![Vec3::ZERO; self.strand_particles()];
        for (i, strand) in particles.chunks_exact(rest.len()).enumerate() {
            self.groom.write_rest(i, &mut rest);
            let follows = (self.guides.as_ref()).is_some_and(|guides| !guides.is_basis(i));
            let worst = &mut worst[usize::from(follows)];
            for (ends, rest) in strand.windows(2).zip(rest.windows(2)) {
                let [a, b] = [ends[0], ends[1]].map(|end| Vec4::from(end).truncate().as_dvec3());
                let rest = f64::from(rest[0].distance(rest[1]));
                if rest > 0.0 {
                    *worst = worst.max((a.distance(b) / rest - 1.0).abs());
                }
            }
        }
        worst
    }

    /// Returns the depth of the deepest particle inside the head or a collider after the last step,
    /// decimetres; 0 if none is inside.
    pub fn max_penetration(&self) -> f64 {
        let mut particles = Vec::new();
        self.write_particles(1.0, &mut particles);
        self.penetration_of(1.0, &particles)
    }

    /// Returns the depth of the deepest point among those that
    /// [`write_particles`](Self::write_particles) has written at `alpha` of the last step.
    pub fn penetration_of(&self, alpha: f64, particles: &[[f32; 4]]) -> f64 {
        self.deepest(&self.pose_at(alpha), particles, self.groom.normals.iter())
    }

    /// Returns the depth of the deepest particle. `normals` are those of the skin at the roots.
    fn deepest<'a>(
        &self,
        pose: &Pose,
        particles: &[[f32; 4]],
        mut normals: impl Iterator<Item = &'a Vec3>,
    ) -> f64 {
        let contacts = &self.contacts.under(pose);
        let each = self.strand_particles();
        let rotation = pose.to_dmat3().as_mat3();
        let mut deepest = 0.0_f32;
        for points in particles.chunks(LANES * each) {
            let mut at_roots = Lanes3::default();
            for lane in 0..points.len() / each {
                let normal = normals.next().copied().unwrap_or_default();
                set3(&mut at_roots, lane, rotation * normal);
            }
            deepest = deepest.max(dispatch(StrandDepths {
                contacts,
                points,
                each,
                normals: &at_roots,
            }));
        }
        f64::from(deepest)
    }
}
