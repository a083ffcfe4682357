//! A second simulation that continues from a running one.

use super::Simulation;
use crate::sim::SolverKind;

impl Simulation {
    /// Returns another simulation of the same strands with `solver`, at the same time and under the
    /// same head, with otherwise equal settings.
    pub fn fork(&self, solver: SolverKind) -> Self {
        let mut settings = self.settings.clone();
        settings.solver = solver;
        let used = settings.clamped();
        let poses = [&self.previous_pose, &self.pose];
        let engine = self.engine.fork(self.simulated(), &self.used, &used, poses);
        Self {
            settings,
            used,
            groom: self.groom.clone(),
            guides: self.guides.clone(),
            head: self.head.clone(),
            contacts: self.contacts.clone(),
            engine,
            clock: self.clock.clone(),
            previous_pose: self.previous_pose,
            pose: self.pose,
            strands_settled: false,
            reset_strands: self.reset_strands,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::groom::Groom;
    use crate::sim::{STEP_SECS, Scene, SimSettings, Simulation, SolverKind};
    use glam::Vec3;

    fn in_mid_swing(solver: SolverKind) -> Simulation {
        let count = 20;
        let groom = Groom {
            roots: (0..count).map(|i| Vec3::X * 0.1 * i as f32).collect(),
            directions: vec![Vec3::Y; count],
            normals: vec![Vec3::Y; count],
            lengths: vec![0.8; count],
            ..Groom::default()
        };
        let settings = SimSettings {
            solver,
            hold: 0.5,
            ..SimSettings::default()
        };
        let mut sim = Simulation::new(&groom, settings, Scene::Swing.pose(0.0));
        run(&mut sim, 100);
        sim
    }

    fn run(sim: &mut Simulation, steps: u32) {
        for _ in 0..steps {
            sim.advance(STEP_SECS, &mut |t| Scene::Swing.pose(t));
        }
    }

    fn farthest(a: &Simulation, b: &Simulation) -> f32 {
        let points = [a, b].map(|sim| {
            let mut points = Vec::new();
            sim.write_particles(1.0, &mut points);
            points
        });
        let pairs = points[0].iter().zip(&points[1]);
        let apart = pairs.map(|(a, b)| {
            let point = |p: &[f32; 4]| Vec3::new(p[0], p[1], p[2]);
            point(a).distance(point(b))
        });
        apart.fold(0.0, f32::max)
    }

    #[test]
    fn a_fork_goes_on_from_where_hair_is_at_the_same_time() {
        for solver in SolverKind::ALL {
            let mut sim = in_mid_swing(solver);
            for beside in SolverKind::ALL {
                let mut fork = sim.fork(beside);
                assert_eq!(fork.settings().solver, beside);
                assert_eq!(fork.steps(), sim.steps());
                assert_eq!(fork.drawn_pose(), sim.drawn_pose());
                let jump = farthest(&sim, &fork);
                assert!(jump < 1e-3, "{solver} to {beside}: {jump} dm");
                run(&mut fork, 20);
                assert!(farthest(&sim, &fork) > 0.01, "{beside} goes its own way");
            }
            // Started from rest, the same solver gives the same motion.
            let mut fork = sim.fork(solver);
            for sim in [&mut sim, &mut fork] {
                sim.reset(Scene::Swing.pose(0.0));
                run(sim, 60);
            }
            assert_eq!(farthest(&sim, &fork), 0.0, "{solver}");
        }
    }
}
