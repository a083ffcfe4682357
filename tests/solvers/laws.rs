//! Laws of physics that no setting breaks.

use super::*;

/// Returns strands from the origin in sixteen directions.
fn star() -> Groom {
    let direction = |i: usize| {
        let (y, turn) = (1.0 - (i as f32 + 0.5) / 8.0, i as f32 * 2.4);
        let across = (1.0 - y * y).sqrt();
        Vec3::new(across * turn.cos(), y, across * turn.sin())
    };
    let directions: Vec<Vec3> = (0..16).map(direction).collect();
    Groom {
        roots: vec![Vec3::ZERO; 16],
        normals: directions.clone(),
        lengths: vec![0.75; 16],
        directions,
        ..Groom::default()
    }
}

/// Damping in the world was once air that stood still, and blew hair back by 14 % of its length.
#[test]
fn head_and_air_that_go_on_together_change_nothing() {
    for solver in [SolverKind::Ftl, SolverKind::Angular] {
        let hanging = |speed: f64| {
            let mut settings = with(solver);
            settings.forces.wind = [speed as f32, 0.0, 0.0];
            let groom = single(Vec3::new(0.3, -1.0, 0.1), 0.75);
            let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
            let pose = |t: f64| Pose::new(DQuat::IDENTITY, DVec3::X * (speed * t));
            for _ in 0..30 {
                simulation.advance(0.2, &mut |t| pose(t));
            }
            let points = particles(&simulation);
            xyz(&points[11]) - xyz(&points[0])
        };
        let off = hanging(14.0).distance(hanging(0.0)) / 0.75;
        assert!(off < 0.005, "{solver}: {off}");
    }
}

/// Without a correction, tips once cracked like whips: strands gained 18 m g L / 2 in 2 s.
#[test]
fn ftl_gains_little_energy_with_any_correction() {
    for (correction, most) in [(0.0, 0.05), (0.5, 0.05), (0.9, 0.12)] {
        let mut settings = with(SolverKind::Ftl);
        settings.ftl.correction = correction;
        let mut simulation = Simulation::new(star(), settings, Pose::IDENTITY);
        let mut before = particles(&simulation);
        let potential =
            |points: &[[f32; 4]]| points.iter().map(|p| GRAVITY * xyz(p).y).sum::<f64>();
        let starts: Vec<f64> = before.chunks(12).map(potential).collect();
        for _ in 0..480 {
            simulation.advance(STEP_SECS, &mut |_| Pose::IDENTITY);
            let now = particles(&simulation);
            for ((a, b), start) in before.chunks(12).zip(now.chunks(12)).zip(&starts) {
                let squares = a
                    .iter()
                    .zip(b)
                    .map(|(a, b)| xyz(a).distance_squared(xyz(b)));
                let kinetic = 0.5 * squares.sum::<f64>() / (STEP_SECS * STEP_SECS);
                let energy = kinetic + 0.5 * (potential(a) + potential(b));
                let gain = (energy - start) / (11.0 * GRAVITY * 0.75 / 2.0);
                assert!(gain < most, "correction {correction}: {gain}");
            }
            before = now;
        }
    }
}

/// Hair against hair once was for `ftl` alone.
#[test]
fn hair_of_every_solver_is_pushed_apart() {
    let root = |i: usize| Vec3::new((i % 8) as f32, 0.0, (i / 8) as f32) * 0.01;
    let groom = Groom::parallel((0..64).map(root).collect(), Vec3::NEG_Y, 0.75);
    for solver in SolverKind::ALL {
        let width = |repulsion: f32| {
            let mut settings = with(solver);
            settings.hair.repulsion = repulsion;
            settings.hair.density = 0.0;
            let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
            simulation.advance(0.2, &mut |_| Pose::IDENTITY);
            let points = particles(&simulation);
            let tip = |strand: usize| xyz(&points[strand * 12 + 11]);
            tip(0).distance(tip(63))
        };
        let (alone, apart) = (width(0.0), width(150.0));
        assert!(apart > 1.1 * alone, "{solver}: {alone} {apart}");
    }
}
