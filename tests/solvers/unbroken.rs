//! No settings or motions break anything.

use super::*;

#[test]
fn broken_strands_are_reset_and_counted_and_the_others_go_on() {
    let groom = grown(40);
    for solver in OF_PARTICLES {
        let mut whole = on_ball(&groom, with(solver));
        let mut broken = on_ball(&groom, with(solver));
        broken.push(3, Vec3::new(0.0, f32::NAN, 0.0));
        broken.push(17, Vec3::splat(f32::INFINITY));
        for simulation in [&mut whole, &mut broken] {
            for _ in 0..30 {
                simulation.advance(0.01, &mut |t| Scene::Swing.pose(t));
            }
        }
        let resets = (whole.reset_strands(), broken.reset_strands());
        assert_eq!(resets, (0, 2), "{solver}");
        let (whole, broken) = (particles(&whole), particles(&broken));
        for (i, (a, b)) in whole.chunks(12).zip(broken.chunks(12)).enumerate() {
            if i != 3 && i != 17 {
                assert_eq!(a, b, "{solver}: strand {i}");
            }
        }
        assert!(broken.iter().flatten().all(|x| x.is_finite()));
    }
}

/// Steps once overflowed, so that every strand was reset in each.
#[test]
fn tiny_inertia_breaks_no_strand() {
    let mut settings = with(SolverKind::Angular);
    settings.angular.inertia = f32::MIN_POSITIVE;
    let mut simulation = on_ball(&grown(20), settings);
    simulation.advance(0.1, &mut |t| Scene::Swing.pose(t));
    assert_eq!(simulation.reset_strands(), 0);
}

fn any_settings() -> impl Strategy<Value = SimSettings> {
    let solver = prop::sample::select(SolverKind::ALL.to_vec());
    let forces = (
        prop::array::uniform3(-1_000.0..1_000.0_f32),
        0.0..1_000.0_f32,
        prop::array::uniform3(-1_000.0..1_000.0_f32),
        0.0..1.0_f32,
    );
    let angular = (
        0.0..100.0_f32,
        -2.0..4.0_f32,
        0.0..180.0_f32,
        0.0..180.0_f32,
    );
    let springs = (3.0..7.0_f32, 0.0..1_000.0_f32, any::<bool>());
    let own = (
        -2.0..4.0_f32,
        0.0..1_000.0_f32,
        0.0..100.0_f32,
        0.0..1.0_f32,
    );
    (
        solver,
        2..65_u32,
        0.0..1.0_f32,
        0.0..2.0_f32,
        forces,
        angular,
        springs,
        own,
    )
        .prop_map(
            |(solver, strand_particles, hold, friction, forces, angular, springs, own)| {
                SimSettings {
                    solver,
                    strand_particles,
                    hold,
                    friction,
                    forces: ForceSettings {
                        gravity: forces.0,
                        drag: forces.1,
                        wind: forces.2,
                        turbulence: forces.3 * 100.0,
                        gust: forces.3,
                        ..ForceSettings::default()
                    },
                    spring: SpringSettings {
                        stiffness: 10_f32.powf(own.0),
                        damping: own.1,
                        weight: own.3,
                    },
                    hair: HairSettings {
                        friction: if springs.2 { own.2 } else { 0.0 },
                        repulsion: if springs.2 { own.1 } else { 0.0 },
                        ..HairSettings::default()
                    },
                    ftl: FtlSettings {
                        damping: own.2,
                        correction: own.3,
                        ..FtlSettings::default()
                    },
                    angular: AngularSettings {
                        damping: angular.0,
                        inertia: if angular.1 < -1.0 {
                            0.0
                        } else {
                            10_f32.powf(angular.1)
                        },
                        stiffness_root_deg: angular.2,
                        stiffness_tip_deg: angular.3,
                        field: springs.2,
                        ..AngularSettings::default()
                    },
                    particles: ParticleSettings {
                        stiffness: 10_f32.powf(springs.0),
                        damping: springs.1,
                        stepping: if springs.2 {
                            Stepping::Euler
                        } else {
                            Stepping::Verlet
                        },
                    },
                    rod: RodSettings {
                        bending: 10_f32.powf(own.0).min(1_000.0) - 0.01,
                        twisting: own.1,
                        damping: own.2,
                    },
                    colliders: vec![Collider {
                        from: [0.3, 1.6, 0.1],
                        to: springs.2.then_some([angular.0 * 0.02 - 1.0, 1.2, -0.4]),
                        radius: 0.05 + own.3 * 0.5,
                    }],
                    ..SimSettings::default()
                }
            },
        )
}

/// Returns random head poses, some of them not finite.
fn any_pose() -> impl Strategy<Value = Pose> {
    let component = || -1.0..1.0_f64;
    let rotation = (component(), component(), component(), component());
    let odd = prop::sample::select(vec![1.0, 1.0, 1.0, 1.0, 1.0, f64::NAN, f64::INFINITY]);
    (rotation, prop::array::uniform3(-3.0..3.0_f64), odd).prop_map(|((x, y, z, w), at, odd)| {
        let rotation = DQuat::from_xyzw(x, y, z, w + 1e-3).normalize();
        Pose::new(rotation, DVec3::from_array(at) * odd)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_is_not_finite_comes_out(
        settings in any_settings(),
        then in any_settings(),
        curls in any::<bool>(),
        jerks in prop::collection::vec((any_pose(), 0.0..0.1_f64), 1..10),
    ) {
        prop_assert!(settings.validate().is_ok());
        let groom = if curls { curled(20) } else { grown(20) };
        let mut simulation = on_ball(&groom, settings.clone());
        for (i, (pose, elapsed)) in jerks.into_iter().enumerate() {
            if i == 4 {
                simulation.set_settings(then.clone());
            }
            simulation.advance(elapsed, &mut |_| pose);
            let points = particles(&simulation);
            prop_assert!(points.iter().flatten().all(|x| x.is_finite()));
        }
        prop_assert_eq!(simulation.reset_strands(), 0, "a strand broke");
    }
}
