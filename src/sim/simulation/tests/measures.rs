//! Tests of measures against closed forms.

use super::*;
use crate::sim::Collider;

const GRAVITY: f64 = 98.1;

#[track_caller]
fn near(value: f64, expected: f64, share: f64) {
    let error = (value - expected).abs();
    let most = share * expected.abs();
    assert!(error <= most, "{value}, expected {expected}");
}

#[test]
fn hanging_hair_has_lost_its_potential() {
    let mut sim = simulation(SolverKind::Ftl, |_| {});
    let at_rest = sim.measures(100);
    assert_eq!((at_rest.kinetic, at_rest.gravity), (0.0, 0.0));
    run(&mut sim, 240 * 8, Scene::Still);
    let hangs = sim.measures(100);
    // Particle j of n hangs j / n below its root, and rested as high as that.
    let fallen = (SEGMENTS + 1.0) / (2.0 * SEGMENTS);
    near(hangs.gravity, -GRAVITY * fallen, 1e-3);
    assert!(hangs.kinetic < 1e-3, "{}", hangs.kinetic);
    assert_eq!(hangs.potential(), hangs.gravity);
    assert_eq!(hangs.max_penetration, 0.0);
}

#[test]
fn a_push_is_kinetic_energy() {
    let mut sim = simulation(SolverKind::Spring, |_| {});
    (0..9).for_each(|strand| sim.push(strand, Vec3::new(0.0, 3.0, 4.0)));
    near(sim.measures(100).kinetic, 12.5, 1e-6);
    // All strands are alike, so a sample of one gives the same.
    assert_eq!(sim.measures(1), sim.measures(100));
}

#[test]
fn held_hair_moves_as_fast_as_the_head() {
    for solver in [SolverKind::Ftl, SolverKind::Rod] {
        let mut sim = simulation(solver, |settings| settings.hold = 1.0);
        for _ in 0..240 {
            sim.advance(STEP_SECS, &mut |time| Pose {
                translation: DVec3::X * 2.0 * time,
                ..Pose::IDENTITY
            });
        }
        near(sim.measures(100).kinetic, 2.0, 0.01);
    }
}

#[test]
fn an_undamped_spring_keeps_its_energy() {
    let mut sim = simulation(SolverKind::Spring, |settings| {
        settings.spring.damping = 0.0;
        settings.hold = 0.5;
    });
    (0..9).for_each(|strand| sim.push(strand, Vec3::new(0.0, 0.2, 0.0)));
    let (mut most_elastic, mut least) = (0.0_f64, f64::MAX);
    for _ in 0..480 {
        run(&mut sim, 1, Scene::Still);
        let now = sim.measures(100);
        near(now.kinetic + now.potential(), 0.02, 1e-3);
        most_elastic = most_elastic.max(now.elastic);
        least = least.min(now.kinetic);
    }
    near(most_elastic, 0.02, 1e-2);
    assert!(least < 2e-4, "{least}");
}

#[test]
fn hanging_springs_are_stretched_by_the_particles_below() {
    let stiffness = 1e5_f32;
    let mut sim = simulation(SolverKind::Particles, |settings| {
        settings.particles.stiffness = stiffness;
    });
    run(&mut sim, 240 * 8, Scene::Still);
    let measured = sim.measures(100);
    // Segment j of n carries the n - j + 1 particles below it.
    let per_mass = GRAVITY / f64::from(stiffness);
    near(measured.max_stretch, SEGMENTS * SEGMENTS * per_mass, 0.01);
    let mean = SEGMENTS * 0.5 * (SEGMENTS + 1.0) * per_mass;
    near(measured.mean_stretch, mean, 0.01);
    near(measured.max_stretch, sim.max_stretch(), 1e-9);
    let square = (1..=10).map(|masses| masses * masses).sum::<i32>();
    let stored = 0.5 * f64::from(stiffness) * per_mass * per_mass * f64::from(square);
    near(measured.elastic, stored / SEGMENTS, 0.02);
}

#[test]
fn depth_is_that_of_the_deepest_particle() {
    let sim = simulation(SolverKind::Spring, |settings| {
        settings.colliders = vec![Collider {
            from: [1.0, 1.0, 0.0],
            to: None,
            radius: 0.3,
        }];
    });
    near(sim.measures(100).max_penetration, 0.3, 1e-6);
    assert_eq!(sim.measures(100).max_penetration, sim.max_penetration());
}
