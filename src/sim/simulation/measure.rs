//! Measures of strands: energies, stretch, depth.

use super::super::solvers::{SpringLaw, hold_stiffness};
use super::Simulation;
use super::engine::{Engine, spring_law};
use crate::groom::Groom;
use crate::sim::contact::StrandDepths;
use crate::sim::simd::{LANES, Lanes3, dispatch, set3};
use crate::sim::{Hair, Pose, STEP_SECS, STEPS_PER_SEC, SimSettings, SolverKind, Spring};
use glam::{DVec3, Vec3};

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
    moved: u32,
    segments: u32,
}

impl Sums {
    /// Adds a mass with its velocity, its offset from rest, and its other stored energy.
    fn add_mass(
        &mut self,
        springs: &Springs,
        to_rest: f64,
        velocity: Vec3,
        from_rest: DVec3,
        stored: f64,
    ) {
        let kinetic = 0.5 * velocity.as_dvec3().length_squared();
        let elastic = 0.5 * to_rest * from_rest.length_squared() + stored;
        // A broken strand is reset by the next step.
        if !(kinetic + elastic).is_finite() {
            return;
        }
        self.sums.kinetic += kinetic;
        self.sums.elastic += elastic;
        self.sums.gravity -= springs.gravity.dot(from_rest);
        self.moved += 1;
    }

    fn add_stretch(&mut self, stretch: f64) {
        if stretch.is_finite() {
            self.sums.max_stretch = self.sums.max_stretch.max(stretch);
            self.sums.mean_stretch += stretch;
            self.segments += 1;
        }
    }

    fn means(self) -> Measures {
        let per_mass = 1.0 / f64::from(self.moved.max(1));
        Measures {
            kinetic: self.sums.kinetic * per_mass,
            gravity: self.sums.gravity * per_mass,
            elastic: self.sums.elastic * per_mass,
            mean_stretch: self.sums.mean_stretch / f64::from(self.segments.max(1)),
            ..self.sums
        }
    }
}

/// The potentials.
struct Springs {
    /// Gravity, dm/s².
    gravity: DVec3,
    /// The springs of tips, 1/s².
    law: SpringLaw,
    /// The springs of `hold`, 1/s².
    hold: f64,
    /// The springs along segments, 1/s².
    of_lengths: f64,
}

impl Springs {
    fn new(settings: &SimSettings, engine: &Engine, time_secs: f64) -> Self {
        let forces = settings.forces.at(time_secs, STEP_SECS);
        let gravity = forces.gravity.as_dvec3();
        let (law, hold) = (spring_law(settings), f64::from(settings.hold));
        match engine {
            Engine::Tips { .. } => Self {
                law,
                hold,
                gravity: gravity * f64::from(settings.spring.weight),
                of_lengths: 0.0,
            },
            Engine::Particles { solver, .. } => Self {
                law,
                hold,
                gravity,
                of_lengths: if solver.name() == SolverKind::Particles.name() {
                    f64::from(settings.particles.stiffness)
                } else {
                    0.0
                },
            },
        }
    }
}

impl Simulation {
    /// Returns energies, stretch and depth after the last step, of at most `most` evenly chosen
    /// simulated strands.
    pub fn measures(&self, most: usize) -> Measures {
        let strands = self.simulated();
        let every = strands.len().div_ceil(most.max(1)).max(1);
        let springs = Springs::new(&self.used, &self.engine, self.time_secs());
        let mut sums = Sums::default();
        let mut points = Vec::new();
        match &self.engine {
            Engine::Tips { spring, .. } => {
                tips(spring, every, &springs, &mut sums);
                let (poses, count) = ([&self.previous_pose, &self.pose], self.particles());
                let measured = (0..spring.len()).step_by(every);
                spring.write_curves(poses, 1.0, count, measured, &mut points);
            }
            Engine::Particles { hair, .. } => {
                let rest = Rest::of(strands, &self.pose, hair.particles());
                particles(hair, every, rest, &springs, &mut sums, &mut points);
            }
        }
        let normals = strands.normals.iter().step_by(every);
        Measures {
            max_penetration: self.deepest(&points, normals),
            ..sums.means()
        }
    }

    /// Returns the largest stretch of a follower's segment after the last step; 0 without
    /// followers.
    pub fn max_dependent_stretch(&self) -> f64 {
        let Some(guides) = &self.guides else {
            return 0.0;
        };
        let (mut all, count) = (Vec::new(), self.particles());
        self.write_particles(1.0, &mut all);
        let point = |p: &[f32; 4]| DVec3::new(p[0].into(), p[1].into(), p[2].into());
        let mut worst = 0.0_f64;
        let mut rest = vec![Vec3::ZERO; count];
        for (i, strand) in all.chunks_exact(count).enumerate() {
            if guides.is_basis(i) {
                continue;
            }
            self.groom.write_rest(i, &mut rest);
            for (pair, rest) in strand.windows(2).zip(rest.windows(2)) {
                let length = point(&pair[0]).distance(point(&pair[1]));
                let rest = rest[0].as_dvec3().distance(rest[1].as_dvec3());
                if rest > 0.0 {
                    worst = worst.max((length / rest - 1.0).abs());
                }
            }
        }
        worst
    }

    /// Returns the largest stretch of a simulated segment after the last step.
    pub fn max_stretch(&self) -> f64 {
        self.engine.max_stretch()
    }

    /// Returns the depth of the deepest particle inside the head or a collider after the last step,
    /// decimetres; 0 if none is inside.
    pub fn max_penetration(&self) -> f64 {
        let mut particles = Vec::new();
        self.write_particles(1.0, &mut particles);
        self.deepest(&particles, self.groom.normals.iter())
    }

    /// Returns the depth of the deepest particle. `normals` are those of the skin at the roots.
    fn deepest<'a>(
        &self,
        particles: &[[f32; 4]],
        mut normals: impl Iterator<Item = &'a Vec3>,
    ) -> f64 {
        let (contacts, each) = (&self.contacts.under(&self.pose), self.particles());
        let rotation = self.pose.to_dmat3().as_mat3();
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

/// Returns nothing for springs, whose curves keep their lengths by construction.
fn tips(spring: &Spring, every: usize, springs: &Springs, sums: &mut Sums) {
    for strand in (0..spring.len()).step_by(every) {
        let (offset, velocity) = spring.motion_of(strand);
        let to_rest = spring.soft.stiffness_of(strand, &springs.law);
        sums.add_mass(springs, to_rest, velocity, offset.as_dvec3(), 0.0);
    }
}

/// Rest curves in world space.
struct Rest<'a> {
    groom: &'a Groom,
    pose: &'a Pose,
    curve: Vec<Vec3>,
}

impl<'a> Rest<'a> {
    fn of(groom: &'a Groom, pose: &'a Pose, particles: usize) -> Self {
        Self {
            groom,
            pose,
            curve: vec![Vec3::ZERO; particles],
        }
    }

    fn turn_to(&mut self, strand: usize) {
        self.groom.write_rest(strand, &mut self.curve);
    }

    fn point(&self, particle: usize) -> DVec3 {
        self.pose.transform_point(self.curve[particle].as_dvec3())
    }
}

fn particles(
    hair: &Hair,
    every: usize,
    mut rest: Rest<'_>,
    springs: &Springs,
    sums: &mut Sums,
    points: &mut Vec<[f32; 4]>,
) {
    for strand in (0..hair.len()).step_by(every) {
        rest.turn_to(strand);
        let to_rest = hold_stiffness(springs.hold * f64::from(hair.stiffness(strand)));
        let mut before = hair.position(strand, 0);
        points.push([before.x, before.y, before.z, 0.0]);
        for particle in 1..hair.particles() {
            let at = hair.position(strand, particle);
            points.push([at.x, at.y, at.z, 0.0]);
            let length = f64::from(hair.segment_length(strand, particle));
            let longer = at.as_dvec3().distance(before.as_dvec3()) - length;
            if length > 0.0 {
                sums.add_stretch((longer / length).abs());
            }
            let stored = 0.5 * springs.of_lengths * longer * longer;
            let from_rest = at.as_dvec3() - rest.point(particle);
            let velocity = (at - hair.previous(strand, particle)) * STEPS_PER_SEC as f32;
            sums.add_mass(springs, to_rest, velocity, from_rest, stored);
            before = at;
        }
    }
}

#[cfg(test)]
mod tests;
