//! From one solver to another in mid-swing.

use super::guides::{guided, share};
use super::*;

#[test]
fn solvers_are_exchanged_in_mid_swing_without_a_jump() {
    let groom = grown(60);
    let reach = |a: &[[f32; 4]], b: &[[f32; 4]]| {
        let apart = a.iter().zip(b).map(|(a, b)| xyz(a).distance(xyz(b)));
        apart.fold(0.0, f64::max)
    };
    for from in SolverKind::ALL {
        for to in SolverKind::ALL {
            let mut simulation = on_ball(&groom, with(from));
            for _ in 0..150 {
                simulation.advance(STEP_SECS, &mut |t| Scene::Swing.pose(t));
            }
            let before = particles(&simulation);
            simulation.set_settings(with(to));
            let after = particles(&simulation);
            let jump = reach(&before, &after);
            // Particle springs are stretched; the others bring segments back to their lengths.
            let allowed = if from == SolverKind::Particles {
                0.02
            } else {
                1e-5
            };
            assert!(jump < allowed, "{from} to {to}: jumped by {jump}");
            let mut last = after;
            for _ in 0..240 {
                simulation.advance(STEP_SECS, &mut |t| Scene::Swing.pose(t));
                let now = particles(&simulation);
                // No faster than hair moves anyway: it falls 0.75 dm and whips.
                let speed = reach(&last, &now) / STEP_SECS;
                assert!(speed < 90.0, "{from} to {to}: {speed} dm/s");
                last = now;
            }
            assert_eq!(simulation.reset_strands(), 0);
        }
    }
}

#[test]
fn another_number_of_particles_keeps_the_shape() {
    let groom = grown(60);
    for solver in OF_PARTICLES {
        let mut simulation = on_ball(&groom, with(solver));
        simulation.advance(0.2, &mut |t| Scene::Swing.pose(t));
        let mut before = Vec::new();
        simulation.write_simulated_tips(&mut before);
        let mut settings = with(solver);
        settings.strand_particles = 24;
        simulation.set_settings(settings);
        let mut after = Vec::new();
        simulation.write_simulated_tips(&mut after);
        for (a, b) in before.iter().zip(&after) {
            assert!(xyz(a).distance(xyz(b)) < 0.05, "{solver}");
        }
    }
}

/// A custom solver: hair that stands still in head space.
struct Frozen;

impl Solver for Frozen {
    fn name(&self) -> &str {
        "frozen"
    }

    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome {
        let Some(last) = steps.last() else {
            return Outcome::nothing();
        };
        hair.rest_under(&last.from);
        hair.keep_previous();
        for strand in 0..hair.len() {
            for j in 0..hair.particles() {
                let rest = hair.rest(strand, j).as_dvec3();
                let now = last.to.transform_point(rest).as_vec3();
                hair.set(strand, j, now, Vec3::ZERO);
            }
        }
        Outcome::nothing()
    }
}

#[test]
fn a_custom_solver_moves_hair() {
    let groom = grown(20);
    let mut simulation = on_ball(&groom, with(SolverKind::Ftl));
    simulation.set_solver(Box::new(Frozen));
    assert_eq!(simulation.solver_name(), "frozen");
    simulation.advance(0.1, &mut |t| Scene::Nod.pose(t));
    for (i, strand) in particles(&simulation).chunks(12).enumerate() {
        let tip = groom.roots[i] + groom.directions[i] * groom.lengths[i];
        let tip = simulation.pose().transform_point(tip.as_dvec3());
        assert!(xyz(&strand[11]).distance(tip) < 1e-5);
    }
}

/// Other settings may change: particles, guides, both, under any named solver.
#[test]
fn a_custom_solver_stays_until_another_is_named() {
    let groom = grown(40);
    for named in [SolverKind::Spring, SolverKind::Ftl] {
        let mut simulation = on_ball(&groom, with(named));
        simulation.set_solver(Box::new(Frozen));
        for (strand_particles, part) in [(12, 1.0), (20, 1.0), (20, 0.5), (8, 1.0)] {
            let settings = SimSettings {
                strand_particles,
                ..guided(named, share(part))
            };
            simulation.set_settings(settings);
            simulation.advance(0.05, &mut |t| Scene::Nod.pose(t));
            assert_eq!(simulation.solver_name(), "frozen");
            let count = particles(&simulation).len();
            assert_eq!(count, groom.len() * strand_particles as usize);
        }
        simulation.set_settings(with(SolverKind::Rod));
        assert_eq!(simulation.solver_name(), "rod");
    }
}
