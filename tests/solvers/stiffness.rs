//! Strands that differ in stiffness.

use super::guides::{guided, share};
use super::*;

/// Returns strands side by side, a quarter decimetre apart, that stick out to the side.
fn rods(stiffness: &[f32]) -> Groom {
    let roots = (0..stiffness.len()).map(|i| Vec3::new(0.0, 0.0, 0.25 * i as f32));
    Groom {
        roots: roots.collect(),
        directions: vec![Vec3::X; stiffness.len()],
        normals: vec![Vec3::X; stiffness.len()],
        lengths: vec![1.0; stiffness.len()],
        stiffness: stiffness.to_vec(),
        ..Groom::default()
    }
}

/// Returns settings with which every solver pulls hair to its rest shape and the spring feels some
/// weight.
fn held(solver: SolverKind, hold: f32) -> SimSettings {
    SimSettings {
        hold,
        spring: SpringSettings {
            weight: 0.02,
            ..SpringSettings::default()
        },
        ..with(solver)
    }
}

fn after(groom: &Groom, settings: SimSettings, seconds: f64) -> Vec<[f32; 4]> {
    let mut simulation = Simulation::new(groom, settings, Pose::IDENTITY);
    for _ in 0..(seconds / STEP_SECS) as usize {
        simulation.advance(STEP_SECS, &mut |_| Pose::IDENTITY);
    }
    particles(&simulation)
}

fn tip(points: &[[f32; 4]], strand: usize) -> DVec3 {
    xyz(&points[strand * 12 + 11])
}

#[test]
fn the_less_stiff_sag_more_with_every_solver() {
    let shares = [1.0, 0.5, 0.25, 0.0];
    let groom = rods(&shares);
    for solver in SolverKind::ALL {
        let points = after(&groom, held(solver, 0.7), 8.0);
        let drops: Vec<f64> = (0..4).map(|i| -tip(&points, i).y).collect();
        for pair in drops.windows(2) {
            assert!(
                pair[1] > 1.2 * pair[0] && pair[0] > 1e-3,
                "{solver}: {drops:?}"
            );
        }
    }
    // Rods do so without being held.
    let points = after(&groom, with(SolverKind::Rod), 8.0);
    let drops: Vec<f64> = (0..4).map(|i| -tip(&points, i).y).collect();
    assert!(
        drops.windows(2).all(|pair| pair[1] > pair[0] + 0.02),
        "{drops:?}"
    );
}

#[test]
fn the_less_stiff_lag_behind_a_head_that_turns() {
    let groom = rods(&[1.0, 0.3]);
    for solver in SolverKind::ALL {
        let settings = SimSettings {
            forces: ForceSettings {
                gravity: [0.0; 3],
                ..ForceSettings::default()
            },
            ..held(solver, 0.5)
        };
        let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
        let turn = |t: f64| Pose::new(DQuat::from_rotation_z(t.min(1.0)), DVec3::ZERO);
        let mut behind = [0.0_f64; 2];
        for _ in 0..300 {
            simulation.advance(STEP_SECS, &mut |t| turn(t));
            let points = particles(&simulation);
            for (strand, behind) in behind.iter_mut().enumerate() {
                let root = simulation
                    .pose()
                    .transform_point(groom.roots[strand].as_dvec3());
                let rigid = root + simulation.pose().rotation * DVec3::X;
                *behind = behind.max(tip(&points, strand).distance(rigid));
            }
        }
        assert!(behind[1] > 1.1 * behind[0], "{solver}: {behind:?}");
    }
}

/// Where a stiffness map is white, motion is that without a map, to the bit.
#[test]
fn full_stiffness_is_as_without_any() {
    let mut groom = grown(100);
    let plain = groom.clone();
    groom.stiffness = vec![1.0; groom.len()];
    for solver in SolverKind::ALL {
        for hold in [0.0, 0.6] {
            let settings = SimSettings {
                hold,
                ..with(solver)
            };
            let [a, b] = [&plain, &groom].map(|groom| {
                let mut simulation = on_ball(groom, settings.clone());
                for _ in 0..120 {
                    simulation.advance(STEP_SECS, &mut |t| Scene::Swing.pose(t));
                }
                particles(&simulation)
            });
            assert!(a == b, "{solver}, hold {hold}");
        }
    }
}

#[test]
fn no_stiffness_at_all_is_the_method_as_published() {
    for solver in [SolverKind::Ftl, SolverKind::Particles] {
        let limp = after(&rods(&[0.0]), held(solver, 0.7), 1.0);
        let published = after(&rods(&[1.0]), held(solver, 0.0), 1.0);
        for (a, b) in limp.iter().zip(&published) {
            assert!(xyz(a).distance(xyz(b)) < 1e-5, "{solver}: {a:?} {b:?}");
        }
    }
}

#[test]
fn basis_hairs_are_as_stiff_as_they_are_themselves() {
    let mut groom = grown(300);
    groom.stiffness = (0..300).map(|i| (i % 5) as f32 * 0.25).collect();
    let alone = groom.subset(&(0..60).collect::<Vec<u32>>());
    for solver in SolverKind::ALL {
        let settings = |part| SimSettings {
            hold: 0.5,
            ..guided(solver, share(part))
        };
        let [all, basis] = [(&groom, 0.2), (&alone, 1.0)].map(|(groom, part)| {
            let mut simulation = on_ball(groom, settings(part));
            for _ in 0..60 {
                simulation.advance(STEP_SECS, &mut |t| Scene::Swing.pose(t));
            }
            particles(&simulation)
        });
        assert!(all[..60 * 12] == basis, "{solver}");
    }
}

#[test]
fn other_stiffness_takes_over_in_mid_swing_and_hair_comes_to_rest() {
    let plain = grown(100);
    let mut soft = plain.clone();
    soft.stiffness = (0..100).map(|i| (i % 3) as f32 * 0.5).collect();
    for solver in SolverKind::ALL {
        let settings = SimSettings {
            hold: 0.5,
            ..with(solver)
        };
        let mut simulation = on_ball(&plain, settings);
        for _ in 0..60 {
            simulation.advance(STEP_SECS, &mut |t| Scene::Swing.pose(t));
        }
        let before = particles(&simulation);
        simulation.set_groom(&soft);
        for (a, b) in before.iter().zip(&particles(&simulation)) {
            // Springs between particles are put to their lengths.
            assert!(xyz(a).distance(xyz(b)) < 0.01, "{solver}");
        }
        let still = simulation.pose();
        let mut seconds = 0;
        while !simulation.is_settled() && seconds < 90 {
            for _ in 0..60 {
                simulation.advance(1.0 / 60.0, &mut |_| still);
            }
            seconds += 1;
        }
        assert!(simulation.is_settled(), "{solver}");
        assert_eq!(simulation.reset_strands(), 0, "{solver}");
    }
}

#[test]
fn odd_stiffness_is_kept_in_range() {
    let groom = rods(&[f32::NAN, -3.0, 7.0, f32::INFINITY]);
    let usual = rods(&[1.0, 0.0, 1.0, 1.0]);
    for solver in SolverKind::ALL {
        let [odd, usual] = [&groom, &usual].map(|groom| after(groom, held(solver, 0.5), 0.3));
        assert!(odd == usual, "{solver}");
    }
}
