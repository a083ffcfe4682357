//! The state of the simulation beside what is drawn: springs, guide hairs, air, densities.

use super::Simulation;
use crate::groom::Groom;
use crate::sim::forces::Forces;
use crate::sim::{DensityGrid, Pose, STEP_SECS, Spring};
use glam::Vec3;

/// The spring of a strand, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringEnds {
    /// The index of the strand.
    pub strand: usize,
    /// The root.
    pub root: Vec3,
    /// The anchor: the rest position of the tip.
    pub anchor: Vec3,
    /// The simulated tip, at any distance from the root.
    pub tip: Vec3,
    /// The distance from the root to the anchor, decimetres.
    pub chord: f32,
}

/// The guide hair that a strand is, or follows most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basis {
    /// The index among the guide hairs.
    pub slot: usize,
    /// Whether the strand is that guide hair.
    pub is_own: bool,
}

/// The air at the last step.
#[derive(Clone, Copy, Debug)]
pub struct Air {
    forces: Forces,
    has_eddies: bool,
}

impl Air {
    /// Returns the velocity at a point in world space, dm/s.
    pub fn at(&self, point: Vec3) -> Vec3 {
        if self.has_eddies {
            self.forces.air_at(point)
        } else {
            self.forces.wind
        }
    }
}

impl Simulation {
    /// Returns the strands at rest.
    pub fn groom(&self) -> &Groom {
        &self.groom
    }

    /// Returns the number of particles of a strand, including its root.
    pub fn strand_particles(&self) -> usize {
        self.particles()
    }

    /// Returns the number of guide hairs, or `None` if every strand is simulated.
    pub fn basis_count(&self) -> Option<usize> {
        self.guides.as_ref().map(|guides| guides.basis_count())
    }

    /// Returns the guide hair of a strand, or `None` if every strand is simulated or there is no
    /// such strand.
    pub fn basis_of(&self, strand: usize) -> Option<Basis> {
        let guides = self.guides.as_ref()?;
        Some(Basis {
            slot: guides.slot_of(strand)?,
            is_own: guides.is_basis(strand),
        })
    }

    /// Returns the spring of a strand, or of its guide hair, at `alpha` of the last step; `None`
    /// without springs.
    pub fn spring_of(&self, strand: usize, alpha: f64) -> Option<SpringEnds> {
        let spring = self.engine.spring()?;
        let slot = match &self.guides {
            Some(guides) => guides.slot_of(strand)?,
            None => strand,
        };
        (slot < spring.len()).then(|| self.ends(spring, slot, alpha))
    }

    fn ends(&self, spring: &Spring, slot: usize, alpha: f64) -> SpringEnds {
        let poses = [&self.previous_pose, &self.pose];
        let [anchor, tip, root] = spring.ends(poses, alpha, slot);
        let guides = self.guides.as_ref();
        let strand = guides.map_or(slot, |guides| guides.number_of(slot));
        SpringEnds {
            strand,
            root,
            anchor,
            tip,
            chord: self.groom.chord(strand),
        }
    }

    /// Returns the springs of all simulated strands as drawn, or `None` without springs.
    pub fn springs(&self) -> Option<impl ExactSizeIterator<Item = SpringEnds>> {
        let spring = self.engine.spring()?;
        let alpha = self.clock.alpha();
        Some((0..spring.len()).map(move |slot| self.ends(spring, slot, alpha)))
    }

    /// Returns the current air. Eddies are left out for `spring`, which ignores them.
    pub fn air(&self) -> Air {
        Air {
            forces: self.used.forces.at(self.clock.time_secs(), STEP_SECS),
            has_eddies: self.engine.spring().is_none(),
        }
    }

    /// Returns the density of hair, if there is hair-hair interaction.
    pub fn density(&self) -> Option<DensityGrid> {
        self.engine.density()
    }

    /// Writes the particles of one strand after the last step, or `before` it, root first, world
    /// space: `[x, y, z, 0]`, decimetres. Writes nothing if there is no such strand.
    pub fn write_strand(&self, strand: usize, before: bool, out: &mut Vec<[f32; 4]>) {
        out.clear();
        if strand >= self.groom.len() {
            return;
        }
        let (each, poses) = (self.particles(), [&self.previous_pose, &self.pose]);
        let Some(guides) = &self.guides else {
            out.resize(each, [0.0; 4]);
            return self.engine.write_strand(poses, before, strand, out);
        };
        let mut basis = vec![[0.0; 4]; guides.basis_count() * each];
        for slot in guides.slots_of(strand) {
            let points = &mut basis[slot * each..(slot + 1) * each];
            self.engine.write_strand(poses, before, slot, points);
        }
        let pose: &Pose = poses[usize::from(!before)];
        let contacts = &self.contacts;
        let frame = guides.frame(&self.groom, &basis, each, pose, contacts);
        out.resize(each, [0.0; 4]);
        frame.write(strand, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Scene, SimSettings, SolverKind};

    fn groom(count: usize) -> Groom {
        let at = |i: usize| Vec3::new((i % 5) as f32 * 0.1, 1.0, (i / 5) as f32 * 0.1);
        Groom {
            roots: (0..count).map(at).collect(),
            directions: vec![Vec3::Y; count],
            normals: vec![Vec3::Y; count],
            lengths: vec![0.6; count],
            ..Groom::default()
        }
    }

    fn swung(settings: SimSettings, frames: usize) -> Simulation {
        let mut sim = Simulation::new(&groom(20), settings, Scene::Swing.pose(0.0));
        for _ in 0..frames {
            sim.advance(1.0 / 60.0, &mut |t| Scene::Swing.pose(t));
        }
        sim
    }

    fn settings(solver: SolverKind, share: f32) -> SimSettings {
        let mut settings = SimSettings {
            solver,
            ..SimSettings::default()
        };
        settings.guides.share = share;
        settings
    }

    #[test]
    fn one_strand_is_as_among_all() {
        for (solver, share) in [
            (SolverKind::Spring, 1.0),
            (SolverKind::Spring, 0.3),
            (SolverKind::Ftl, 1.0),
            (SolverKind::Particles, 0.3),
        ] {
            let sim = swung(settings(solver, share), 20);
            let (mut all, mut one) = (Vec::new(), Vec::new());
            for (before, alpha) in [(true, 0.0), (false, 1.0)] {
                sim.write_particles(alpha, &mut all);
                for strand in [0, 7, 19] {
                    sim.write_strand(strand, before, &mut one);
                    for (a, b) in one.iter().zip(&all[strand * one.len()..]) {
                        let apart = Vec3::from_slice(a).distance(Vec3::from_slice(b));
                        assert!(apart < 1e-5, "{solver} {share}: {a:?} {b:?}");
                    }
                }
            }
            sim.write_strand(20, false, &mut one);
            assert!(one.is_empty());
        }
    }

    #[test]
    fn every_step_is_seen_and_the_motion_is_the_same() {
        let of = |solver| settings(solver, 1.0);
        for solver in SolverKind::ALL {
            let expected = swung(of(solver), 12);
            let mut sim = Simulation::new(&groom(20), of(solver), Scene::Swing.pose(0.0));
            let mut seen = Vec::new();
            for _ in 0..12 {
                let pose_at = &mut |t| Scene::Swing.pose(t);
                sim.advance_watched(1.0 / 60.0, pose_at, &mut |sim| seen.push(sim.steps()));
            }
            assert_eq!(seen, (1..=48).collect::<Vec<u64>>());
            let (mut a, mut b) = (Vec::new(), Vec::new());
            expected.write_drawn(&mut a);
            sim.write_drawn(&mut b);
            assert_eq!(a, b, "{solver}");
        }
    }

    #[test]
    fn springs_pull_tips_to_where_they_rest_and_only_basis_hairs_have_one() {
        let sim = swung(settings(SolverKind::Spring, 0.25), 20);
        assert_eq!(sim.basis_count(), Some(5));
        let springs: Vec<SpringEnds> = sim.springs().unwrap().collect();
        assert_eq!(springs.len(), 5);
        let pose = sim.drawn_pose();
        for spring in springs {
            assert!(sim.basis_of(spring.strand).unwrap().is_own);
            let rest = sim.groom().roots[spring.strand] + Vec3::Y * 0.6;
            let rest = pose.transform_point(rest.as_dvec3()).as_vec3();
            assert!(spring.anchor.distance(rest) < 1e-5);
            assert!(spring.tip.distance(spring.anchor) > 1e-3, "it swings");
            assert_eq!(spring.chord, 0.6);
        }
        assert!(swung(settings(SolverKind::Ftl, 0.3), 1).springs().is_none());
    }

    #[test]
    fn the_air_is_that_of_the_forces_and_springs_feel_no_eddies() {
        for (solver, has_eddies) in [(SolverKind::Spring, false), (SolverKind::Ftl, true)] {
            let mut settings = settings(solver, 1.0);
            settings.forces.wind = [3.0, 0.0, 0.0];
            settings.forces.turbulence = 2.0;
            let air = swung(settings, 3).air();
            let differs = air.at(Vec3::ZERO) != air.at(Vec3::splat(0.77));
            assert_eq!(differs, has_eddies, "{solver}");
        }
    }
}
