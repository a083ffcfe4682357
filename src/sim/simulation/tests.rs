//! Tests of readings, forks, watched steps and rest; `measures` has those of measures.

mod measures;

use super::*;
use crate::sim::{Collider, Push, STEP_SECS, Scene};
use glam::{DQuat, DVec3, Vec4};

/// Returns straight strands with roots 0.1 apart.
fn groom(count: usize, direction: Vec3, length: f32) -> Groom {
    let root = |i: usize| Vec3::new((i % 5) as f32 * 0.1, 1.0, (i / 5) as f32 * 0.1);
    Groom::parallel((0..count).map(root).collect(), direction, length)
}

/// The number of segments of the strands of [`simulation`].
const SEGMENTS: f64 = 10.0;

/// Returns strands of length 1 that rest along x.
fn simulation(solver: SolverKind, change: impl FnOnce(&mut SimSettings)) -> Simulation {
    let mut settings = SimSettings {
        solver,
        strand_particles: SEGMENTS as u32 + 1,
        ..SimSettings::default()
    };
    settings.forces.drag = 10.0;
    change(&mut settings);
    Simulation::new(groom(9, Vec3::X, 1.0), settings, Pose::IDENTITY)
}

fn run(simulation: &mut Simulation, steps: u32, scene: Scene) {
    for _ in 0..steps {
        simulation.advance(STEP_SECS, &mut |t| scene.pose(t));
    }
}

/// Skin is moved every few steps, and carries the roots evenly from one place to the next.
#[test]
fn skin_moves_hair_as_a_head_does() {
    let per_step = 0.004;
    let solvers = [
        SolverKind::Ftl,
        SolverKind::Angular,
        SolverKind::Particles,
        SolverKind::Rod,
    ];
    let all = solvers.into_iter();
    for (solver, hold) in all.flat_map(|solver| [(solver, 0.0), (solver, 0.8)]) {
        let mut on_head = simulation(solver, |settings| settings.hold = hold);
        let mut on_skin = simulation(solver, |settings| settings.hold = hold);
        for interval in 1..=60_u16 {
            let mut groom = groom(9, Vec3::X, 1.0);
            for root in &mut groom.roots {
                *root += Vec3::Z * per_step * 4.0 * f32::from(interval);
            }
            let poses = on_skin.poses;
            on_skin.engine.carry(&groom, poses.each_ref(), SKIN_STEPS);
            for _ in 0..SKIN_STEPS {
                on_skin.advance(STEP_SECS, &mut |_| Pose::IDENTITY);
                let speed = f64::from(per_step) / STEP_SECS;
                let pose = |secs| Pose::new(DQuat::IDENTITY, DVec3::Z * speed * secs);
                on_head.advance(STEP_SECS, &mut |secs| pose(secs));
                let [mut skin, mut head] = [Vec::new(), Vec::new()];
                on_skin.write_strand(3, false, &mut skin);
                on_head.write_strand(3, false, &mut head);
                let apart = farthest(&skin, &head);
                assert!(apart < 2e-3, "{solver}, hold {hold}: {apart}");
            }
        }
    }
}

/// Other settings once put skin at the end of its way at once, while roots went on from there.
#[test]
fn settings_do_not_stop_skin() {
    for solver in [SolverKind::Ftl, SolverKind::Angular] {
        let [mut plain, mut set] = [(); 2].map(|()| simulation(solver, |_| {}));
        for sim in [&mut plain, &mut set] {
            let mut groom = groom(9, Vec3::X, 1.0);
            groom
                .roots
                .iter_mut()
                .for_each(|root| *root += Vec3::Z * 0.02);
            let poses = sim.poses;
            sim.engine.carry(&groom, poses.each_ref(), SKIN_STEPS);
        }
        for step in 1..=SKIN_STEPS {
            let mut settings = set.settings().clone();
            settings.rod.bending += 0.1;
            set.set_settings(settings);
            for sim in [&mut plain, &mut set] {
                run(sim, 1, Scene::Still);
            }
            let (plain, set) = (particles(&plain, 1.0), particles(&set, 1.0));
            assert_eq!(farthest(&plain, &set), 0.0, "{solver}");
            let expected = 0.02 * step as f32 / SKIN_STEPS as f32;
            assert!((set[0][2] - expected).abs() < 1e-6);
        }
    }
}

/// Returns 20 strands, of which a share are guides.
fn strands(solver: SolverKind, guides: f32, change: impl FnOnce(&mut SimSettings)) -> Simulation {
    let mut settings = SimSettings {
        solver,
        ..SimSettings::default()
    };
    settings.guides.share = guides;
    change(&mut settings);
    Simulation::new(groom(20, Vec3::Y, 0.6), settings, Scene::Swing.pose(0.0))
}

/// Returns the largest distance between points of two lists.
fn farthest(a: &[[f32; 4]], b: &[[f32; 4]]) -> f32 {
    assert_eq!(a.len(), b.len());
    let apart = |(a, b): (&[f32; 4], &[f32; 4])| Vec4::from(*a).distance(Vec4::from(*b));
    a.iter().zip(b).map(apart).fold(0.0, f32::max)
}

fn particles(sim: &Simulation, alpha: f64) -> Vec<[f32; 4]> {
    let mut points = Vec::new();
    sim.write_particles(alpha, &mut points);
    points
}

#[test]
fn a_fork_continues_from_the_same_state() {
    let apart = |a: &Simulation, b: &Simulation| farthest(&particles(a, 1.0), &particles(b, 1.0));
    for solver in SolverKind::ALL {
        let mut sim = strands(solver, 1.0, |settings| settings.hold = 0.5);
        run(&mut sim, 100, Scene::Swing);
        for other in SolverKind::ALL {
            let mut fork = sim.fork(other);
            assert_eq!(fork.settings().solver, other);
            assert_eq!(fork.steps(), sim.steps());
            assert_eq!(fork.drawn_pose(), sim.drawn_pose());
            let jump = apart(&sim, &fork);
            // Stretched hair gets its length back as another solver takes it.
            let within = if solver == SolverKind::Particles {
                4e-3
            } else {
                1e-3
            };
            assert!(jump < within, "{solver} to {other}: {jump} dm");
            run(&mut fork, 20, Scene::Swing);
            assert!(apart(&sim, &fork) > 0.01, "{other} moves independently");
        }
        // Started from rest, the same solver gives the same motion.
        let mut fork = sim.fork(solver);
        for sim in [&mut sim, &mut fork] {
            sim.reset(Scene::Swing.pose(0.0));
            run(sim, 60, Scene::Swing);
        }
        assert_eq!(apart(&sim, &fork), 0.0, "{solver}");
    }
}

/// The tips of springs alone meet obstacles.
#[test]
fn a_fork_moves_out_of_obstacles_as_an_exchange_does() {
    let mut sim = simulation(SolverKind::Spring, |settings| {
        settings.colliders = vec![Collider {
            from: [0.5, 1.0, 0.1],
            to: None,
            radius: 0.2,
        }];
    });
    run(&mut sim, 9, Scene::Still);
    let mut fork = sim.fork(SolverKind::Ftl);
    sim.set_settings(fork.settings().clone());
    for sim in [&mut sim, &mut fork] {
        run(sim, 9, Scene::Still);
    }
    assert_eq!(particles(&sim, 1.0), particles(&fork, 1.0));
}

#[test]
fn a_single_strand_is_written_as_among_all() {
    for (solver, guides) in [
        (SolverKind::Spring, 1.0),
        (SolverKind::Spring, 0.3),
        (SolverKind::Ftl, 1.0),
        (SolverKind::Particles, 0.3),
    ] {
        let mut sim = strands(solver, guides, |_| {});
        run(&mut sim, 80, Scene::Swing);
        let mut one = Vec::new();
        for (before, alpha) in [(true, 0.0), (false, 1.0)] {
            let all = particles(&sim, alpha);
            for strand in [0, 7, 19] {
                sim.write_strand(strand, before, &mut one);
                let apart = farthest(&one, &all[strand * one.len()..][..one.len()]);
                assert!(apart < 1e-5, "{solver} {guides}: {apart}");
            }
        }
        sim.write_strand(20, false, &mut one);
        assert!(one.is_empty());
    }
}

/// Rounding would give hair at rest a velocity in recordings.
#[test]
fn the_state_before_a_step_is_that_after_the_last_one_to_the_bit() {
    for solver in SolverKind::ALL {
        let mut sim = strands(solver, 1.0, |_| {});
        run(&mut sim, 80, Scene::Swing);
        let (mut after, mut before) = (Vec::new(), Vec::new());
        for _ in 0..20 {
            sim.write_strand(7, false, &mut after);
            run(&mut sim, 1, Scene::Swing);
            sim.write_strand(7, true, &mut before);
            assert_eq!(before, after, "{solver}");
        }
    }
}

#[test]
fn watching_steps_does_not_change_the_motion() {
    for solver in SolverKind::ALL {
        let [mut expected, mut sim] = [(); 2].map(|()| strands(solver, 1.0, |_| {}));
        let mut seen = Vec::new();
        for _ in 0..12 {
            let pose_at = &mut |t| Scene::Swing.pose(t);
            expected.advance(1.0 / 60.0, pose_at);
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
fn only_guides_have_springs_and_anchors_are_rest_positions() {
    let mut sim = strands(SolverKind::Spring, 0.25, |_| {});
    run(&mut sim, 80, Scene::Swing);
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
    assert!(strands(SolverKind::Ftl, 0.3, |_| {}).springs().is_none());
}

#[test]
fn new_guides_go_on_from_what_their_strands_followed() {
    let mut sim = strands(SolverKind::Spring, 0.25, |_| {});
    run(&mut sim, 80, Scene::Swing);
    let bent = |sim: &Simulation, strand: usize| {
        let ends = sim.spring_of(strand, 1.0).unwrap();
        ends.tip - ends.anchor
    };
    let (followed, other) = (bent(&sim, 7), bent(&sim, 0));
    // The one guide of these is strand 7, which follows guide 2.
    sim.set_groom(sim.groom().subset(&[7, 12]));
    assert_eq!(sim.basis_count(), Some(1));
    assert!(bent(&sim, 0).distance(followed) < 1e-6);
    assert!(followed.distance(other) > 1e-5);
}

#[test]
fn springs_ignore_eddies() {
    for (solver, has_eddies) in [(SolverKind::Spring, false), (SolverKind::Ftl, true)] {
        let mut sim = strands(solver, 1.0, |settings| {
            settings.forces.wind = [3.0, 0.0, 0.0];
            settings.forces.turbulence = 2.0;
        });
        run(&mut sim, 12, Scene::Swing);
        let air = sim.air();
        let differs = air(Vec3::ZERO) != air(Vec3::splat(0.77));
        assert_eq!(differs, has_eddies, "{solver}");
    }
}

#[test]
fn pushes_that_will_come_keep_hair_from_rest() {
    let push = Push {
        from_secs: 0.05,
        acceleration: [0.0, 0.0, 50.0],
    };
    let mut sim = simulation(SolverKind::Spring, |settings| {
        settings.spring.weight = 1.0;
        settings.forces.pushes = vec![push];
    });
    sim.reset(Pose::IDENTITY);
    assert!(!sim.is_settled());
    run(&mut sim, 30, Scene::Still);
    assert!(sim.measures(100).kinetic > 1e-3);
}

/// Eddies that springs ignore, and pushes that have begun, once kept hair from rest for ever.
#[test]
fn hair_rests_under_forces_that_do_not_change() {
    let push = Push {
        from_secs: 0.5,
        acceleration: [0.0, 0.0, 50.0],
    };
    for solver in [SolverKind::Spring, SolverKind::Ftl] {
        for weight in [0.0, 1.0] {
            let mut sim = simulation(solver, |settings| {
                settings.spring.weight = weight;
                settings.forces.pushes = vec![push];
                if solver == SolverKind::Spring {
                    settings.forces.turbulence = 2.0;
                }
            });
            let is_pushed = solver != SolverKind::Spring || weight > 0.0;
            assert_eq!(sim.is_settled(), !is_pushed, "{solver} {weight}");
            run(&mut sim, 60, Scene::Still);
            assert_eq!(sim.is_settled(), !is_pushed, "{solver} {weight}");
            run(&mut sim, 240 * 20, Scene::Still);
            assert!(sim.is_settled(), "{solver} {weight}");
        }
    }
}

#[test]
fn another_groom_on_the_same_roots_is_no_kick() {
    for solver in SolverKind::ALL {
        let [own, taken] = [false, true].map(|is_taken| {
            let mut sim = simulation(solver, |_| {});
            run(&mut sim, 40, Scene::Swing);
            if is_taken {
                sim.set_groom(groom(9, Vec3::X, 1.0));
            }
            run(&mut sim, 1, Scene::Swing);
            particles(&sim, 1.0)
        });
        let apart = farthest(&own, &taken);
        // Particle springs are stretched; the others keep their lengths.
        let allowed = match solver {
            SolverKind::Particles => 0.02,
            _ => 2e-3,
        };
        assert!(apart < allowed, "{solver}: {apart}");
    }
}
