//! Rods in motion: no frame of reference shows, none gains energy, none folds, and coarse strands
//! move as fine ones.

use super::*;
use std::sync::Arc;

/// Settings of rods that nothing damps but their steps.
fn undamped(particles: u32) -> SimSettings {
    let mut settings = with(SolverKind::Rod);
    settings.strand_particles = particles;
    settings.rod.damping = 0.0;
    settings.forces.drag = 0.0;
    settings
}

#[test]
fn head_and_air_that_move_together_change_nothing() {
    let groom = single(Vec3::new(0.3, -1.0, 0.1), 0.75);
    for damping in [0.0, 5.0] {
        let after = |speed: f64| {
            let mut settings = with(SolverKind::Rod);
            settings.rod.damping = damping;
            settings.forces.wind = [speed as f32, 0.0, 0.0];
            let at = |t: f64| Pose::new(DQuat::IDENTITY, DVec3::X * (speed * t));
            let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
            // Until the hair has taken on the speed.
            for _ in 0..150 {
                simulation.advance(1.0 / 30.0, &mut |t| at(t));
            }
            let points = particles(&simulation);
            let root = xyz(&points[0]);
            points.iter().map(|p| xyz(p) - root).collect::<Vec<_>>()
        };
        let (still, moving) = (after(0.0), after(14.0));
        for (a, b) in still.iter().zip(&moving) {
            assert!(a.distance(*b) < 0.003, "damping {damping}: {a} and {b}");
        }
    }
}

/// Returns by how much of m g L / 2 the energy rises at most above that of the start, with the
/// kinetic energy of each step and the places at its end, as implicit Euler bounds it.
fn gain(groom: &Groom, settings: SimSettings, steps: u32) -> f64 {
    let m = settings.strand_particles as usize;
    let gravity = f64::from(-settings.forces.gravity[1]);
    let mut simulation = Simulation::new(groom, settings, Pose::IDENTITY);
    let of = |simulation: &Simulation| particles(simulation).iter().map(xyz).collect::<Vec<_>>();
    let mut before = of(&simulation);
    let length = |points: &[DVec3], j: usize| points[j].distance(points[j - 1]);
    let masses: Vec<f64> = (0..before.len())
        .map(|i| match i % m {
            0 => 0.0,
            j if j + 1 == m => 0.5 * length(&before, i),
            _ => 0.5 * (length(&before, i) + length(&before, i + 1)),
        })
        .collect();
    let energy = |from: &[DVec3], to: &[DVec3]| {
        let each = from.iter().zip(to).zip(&masses).map(|((a, b), mass)| {
            let speed = a.distance(*b) / STEP_SECS;
            mass * (0.5 * speed * speed + gravity * b.y)
        });
        each.collect::<Vec<_>>()
    };
    let strands = before.len() / m;
    let sums = |each: &[f64]| -> Vec<f64> { each.chunks(m).map(|e| e.iter().sum()).collect() };
    let start = sums(&energy(&before, &before));
    let mut worst = f64::MIN;
    for _ in 0..steps {
        simulation.advance(STEP_SECS, &mut |_| Pose::IDENTITY);
        let now = of(&simulation);
        let energies = sums(&energy(&before, &now));
        for strand in 0..strands {
            let mass: f64 = masses[strand * m..(strand + 1) * m].iter().sum();
            let whole = 0.5 * mass * gravity * f64::from(groom.lengths[strand]);
            worst = worst.max((energies[strand] - start[strand]) / whole);
        }
        before = now;
    }
    worst
}

/// Returns strands of one length that leave the origin in all directions.
fn all_around(length: f32) -> Groom {
    let directions: Vec<Vec3> = (0..8)
        .map(|i| {
            let (sin, cos) = (2.4 * i as f32).sin_cos();
            let y = 0.9 - 0.24 * i as f32;
            let r = (1.0 - y * y).max(0.0).sqrt();
            Vec3::new(r * cos, y, r * sin).normalize()
        })
        .collect();
    Groom {
        roots: vec![Vec3::ZERO; 8],
        normals: directions.clone(),
        directions,
        lengths: vec![length; 8],
        ..Groom::default()
    }
}

/// One step linearised about the shape before it gave long or limp rods 2 to 25 times the energy
/// that they had.
#[test]
fn long_and_limp_rods_gain_no_energy() {
    for (length, bending, particles) in [
        (3.0, 9.0, 12),
        (5.0, 9.0, 12),
        (5.0, 9.0, 32),
        (0.75, 0.001, 12),
        (0.75, 0.0, 12),
        (10.0, 1.0, 64),
    ] {
        let mut settings = undamped(particles);
        settings.rod.bending = bending;
        let gain = gain(&all_around(length), settings, 360);
        assert!(gain < 1e-3, "{length} dm, B {bending}, {particles}: {gain}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rods_gain_no_energy_at_any_settings(
        particles in 2..65_u32,
        length in -2.3..2.3_f32,
        bending in -7.0..7.0_f32,
        twisting in -7.0..7.0_f32,
        strong in any::<bool>(),
        drag in 0.0..5.0_f32,
    ) {
        let mut settings = undamped(particles);
        settings.rod.bending = if bending < -6.0 { 0.0 } else { bending.exp() };
        settings.rod.twisting = if twisting < -6.0 { 0.0 } else { twisting.exp() };
        settings.forces.gravity = [0.0, if strong { -1_000.0 } else { -98.1 }, 0.0];
        settings.forces.drag = if drag < 1.0 { 0.0 } else { drag };
        let gain = gain(&all_around(length.exp()), settings, 120);
        prop_assert!(gain < 1e-3, "{gain}");
    }
}

#[test]
fn curls_gain_no_energy() {
    let groom = curled(8);
    for (bending, twisting) in [(9.0, 6.0), (0.01, 0.0), (0.05, 1.0), (1_000.0, 1_000.0)] {
        let mut settings = undamped(24);
        settings.rod.bending = bending;
        settings.rod.twisting = twisting;
        let gain = gain(&groom, settings, 240);
        assert!(gain < 1e-3, "B {bending}, C {twisting}: {gain}");
    }
}

/// B (1 − cos φ) let upright hair fold by 177 degrees in its first joint.
#[test]
fn upright_hair_does_not_fold_at_its_clamp() {
    for length in [1.2, 2.5, 3.0, 4.0] {
        let along = Vec3::new(0.035, 1.0, 0.0);
        let hung = |segments: u32| {
            let mut settings = with(SolverKind::Rod);
            settings.strand_particles = segments + 1;
            settings.rod.damping = 3.0;
            let groom = single(along, length);
            let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
            for _ in 0..120 {
                simulation.advance(0.1, &mut |_| Pose::IDENTITY);
            }
            let points: Vec<DVec3> = particles(&simulation).iter().map(xyz).collect();
            let first = (points[1] - points[0]).angle_between(along.as_dvec3());
            (first.to_degrees(), points[points.len() - 1])
        };
        let (coarse, fine) = (hung(11), hung(44));
        assert!(
            coarse.0 < 90.0 && fine.0 < 60.0,
            "{length} dm: {coarse:?}, {fine:?}"
        );
        let apart = coarse.1.distance(fine.1) / f64::from(length);
        assert!(apart < 0.05, "{length} dm: tips {apart} apart");
    }
}

/// Tips of 12, 24 and 48 segments were up to 0.67 lengths apart.
#[test]
fn coarse_and_fine_rods_move_alike() {
    for scene in [Scene::Swing, Scene::Drop, Scene::Shake] {
        let mut groom = Arc::new(grown(24));
        scene.comb(&mut groom);
        let mut runs = [12, 24, 48].map(|segments| {
            let mut settings = with(SolverKind::Rod);
            scene.prepare(&mut settings);
            settings.strand_particles = segments + 1;
            let each = settings.strand_particles as usize;
            let sim = Simulation::new(groom.clone(), settings, Pose::IDENTITY);
            (sim, each)
        });
        for frame in 0..48 {
            let tips = runs.each_mut().map(|(simulation, each)| {
                simulation.advance(1.0 / 30.0, &mut |t| scene.pose(t));
                let points = particles(simulation);
                let tips = points.chunks(*each).map(|strand| xyz(&strand[*each - 1]));
                tips.collect::<Vec<_>>()
            });
            for (coarse, fine) in [(0, 1), (1, 2)] {
                let apart = (tips[coarse].iter().zip(&tips[fine]).zip(&groom.lengths))
                    .map(|((a, b), &length)| a.distance(*b) / f64::from(length));
                let mean = apart.sum::<f64>() / groom.lengths.len() as f64;
                assert!(mean < 0.05, "{scene:?}, frame {frame}: {mean}");
            }
        }
    }
}
