//! Wind, eddies, gusts, hold.

use super::*;

#[test]
fn wind_blows_hair_its_way() {
    for solver in SolverKind::ALL {
        let mut settings = with(solver);
        settings.forces.wind = [0.0, 0.0, -60.0];
        let groom = single(Vec3::NEG_Y, 1.0);
        let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
        for _ in 0..60 {
            simulation.advance(0.1, &mut |_| Pose::IDENTITY);
        }
        let tip = xyz(particles(&simulation).last().unwrap());
        assert!(tip.z < -0.3 && tip.x.abs() < 0.02, "{solver}: {tip}");
    }
}

#[test]
fn eddies_move_strands_differently_and_depend_on_their_seed() {
    let groom = grown(60);
    let tips = |seed: u32| {
        let mut settings = with(SolverKind::Ftl);
        settings.hold = 0.3;
        settings.forces.turbulence = 40.0;
        settings.forces.turbulence_scale = 0.4;
        settings.forces.turbulence_seed = seed;
        let mut simulation = on_ball(&groom, settings);
        let mut still = on_ball(
            &groom,
            SimSettings {
                hold: 0.3,
                ..with(SolverKind::Ftl)
            },
        );
        for simulation in [&mut simulation, &mut still] {
            simulation.advance(0.25, &mut |_| Pose::IDENTITY);
        }
        assert!(!simulation.is_settled());
        let (moved, still) = (particles(&simulation), particles(&still));
        let ways = moved.iter().zip(&still).map(|(a, b)| xyz(a) - xyz(b));
        ways.skip(11).step_by(12).collect::<Vec<DVec3>>()
    };
    let (one, same, other) = (tips(1), tips(1), tips(2));
    assert_eq!(one, same);
    assert_ne!(one, other);
    // Pushed to all sides: the mean is far below what single tips do.
    let mean = one.iter().sum::<DVec3>().length() / 60.0;
    let each = one.iter().map(|way| way.length()).sum::<f64>() / 60.0;
    assert!(each > 0.02 && mean < 0.6 * each, "{mean} {each}");
}

#[test]
fn a_full_hold_is_rigid_and_half_a_hold_sags_a_little() {
    let groom = grown(100);
    for solver in SolverKind::ALL {
        let mut sag = Vec::new();
        for hold in [1.0, 0.5] {
            let settings = SimSettings {
                hold,
                ..with(solver)
            };
            let mut simulation = on_ball(&groom, settings);
            let mut worst = 0.0_f64;
            for _ in 0..240 {
                simulation.advance(STEP_SECS, &mut |t| Scene::Swing.pose(t));
                let pose = simulation.pose();
                for (i, strand) in particles(&simulation).chunks(12).enumerate() {
                    let rest = groom.roots[i] + groom.directions[i] * groom.lengths[i];
                    let rest = pose.transform_point(rest.as_dvec3());
                    let length = f64::from(groom.lengths[i]);
                    worst = worst.max(xyz(&strand[11]).distance(rest) / length);
                }
            }
            sag.push(worst);
        }
        assert!(sag[0] < 0.01, "{solver}: {sag:?}");
        assert!(sag[1] > sag[0] && sag[1] < 1.5, "{solver}: {sag:?}");
    }
}

#[test]
fn mass_changes_what_the_air_does_and_not_how_hair_falls() {
    let mut groom = grown(40);
    groom.directions.fill(Vec3::X);
    groom.roots.fill(Vec3::ZERO);
    groom.lengths.fill(1.0);
    let tips = |wind: f32, drag: f32| {
        let mut settings = with(SolverKind::Ftl);
        settings.ftl.mass_variation = 0.8;
        settings.forces.drag = drag;
        settings.forces.wind = [0.0, 0.0, wind];
        let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
        simulation.advance(0.1, &mut |_| Pose::IDENTITY);
        let tips = particles(&simulation)
            .chunks(12)
            .map(|s| xyz(&s[11]))
            .collect::<Vec<_>>();
        let depths: Vec<f64> = tips.iter().map(|tip| tip.y).collect();
        let blown: Vec<f64> = tips.iter().map(|tip| tip.z).collect();
        let spread = |values: &[f64]| {
            let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| {
                (low.min(x), high.max(x))
            });
            high - low
        };
        (spread(&depths), spread(&blown))
    };
    let (falling, _) = tips(0.0, 0.0);
    assert!(falling < 1e-6, "{falling}");
    let (_, blown) = tips(20.0, 3.0);
    assert!(blown > 0.1, "{blown}");
}

#[test]
fn repulsion_gives_hair_volume() {
    let groom = grown(800);
    let height = |repulsion: f32| {
        let mut settings = with(SolverKind::Ftl);
        settings.hair.repulsion = repulsion;
        let mut simulation = on_ball(&groom, settings);
        for _ in 0..30 {
            simulation.advance(0.1, &mut |_| Pose::IDENTITY);
        }
        let points = particles(&simulation);
        let heights = points.iter().map(|point| xyz(point).length() - 1.3);
        heights.sum::<f64>() / points.len() as f64
    };
    let (flat, full) = (height(0.0), height(600.0));
    assert!(full > 1.3 * flat, "{flat} {full}");
}
