//! Physics against closed forms.

use super::*;

/// Returns the period of the pendulum scene, and the amplitude (radians) and time of its last swing
/// within 4 s.
fn swing(solver: SolverKind, change: impl FnOnce(&mut SimSettings)) -> (f64, f64, f64) {
    let mut settings = with(solver);
    Scene::Pendulum.prepare(&mut settings);
    change(&mut settings);
    let groom = Scene::Pendulum.strands().unwrap();
    let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
    let (mut crossings, mut angles) = (Vec::new(), Vec::new());
    let mut before = 1.0_f64;
    for step in 1..=4 * 240 {
        simulation.advance(STEP_SECS, &mut |_| Pose::IDENTITY);
        let tip = xyz(&particles(&simulation)[1]);
        let angle = tip.x.atan2(-tip.y);
        if before * angle < 0.0 {
            let share = before / (before - angle);
            crossings.push((f64::from(step) - 1.0 + share) * STEP_SECS);
        }
        before = angle;
        angles.push(angle.abs());
    }
    let halves = crossings.len() as f64 - 1.0;
    let period = 2.0 * (crossings[crossings.len() - 1] - crossings[0]) / halves;
    let last = (240 * 3..angles.len()).max_by(|&a, &b| angles[a].total_cmp(&angles[b]));
    let last = last.unwrap();
    (period, angles[last], (last + 1) as f64 * STEP_SECS)
}

/// Returns the period of a pendulum of reduced length `length` (dm) with an amplitude, by the
/// series of the elliptic integral.
fn period(length: f64, amplitude: f64) -> f64 {
    let a2 = amplitude * amplitude;
    TAU * (length / GRAVITY).sqrt() * (1.0 + a2 / 16.0 + 11.0 * a2 * a2 / 3072.0)
}

#[test]
fn a_particle_on_a_stick_is_the_mathematical_pendulum() {
    for stepping in [Stepping::Euler, Stepping::Verlet] {
        let (got, amplitude, _) = swing(SolverKind::Particles, |s| s.particles.stepping = stepping);
        assert!((got / period(1.0, PI / 6.0) - 1.0).abs() < 1e-3, "{got}");
        assert!((amplitude.to_degrees() - 30.0).abs() < 0.3);
    }
}

#[test]
fn one_segment_of_angular_is_a_rod_on_a_pivot() {
    let (got, amplitude, _) = swing(SolverKind::Angular, |_| ());
    assert!(
        (got / period(2.0 / 3.0, PI / 6.0) - 1.0).abs() < 1e-3,
        "{got}"
    );
    assert!((amplitude.to_degrees() - 30.0).abs() < 0.3);
}

#[test]
fn one_segment_of_ftl_is_a_pendulum_that_its_steps_damp() {
    let (got, amplitude, at_secs) = swing(SolverKind::Ftl, |_| ());
    // Between the periods of the first and the last amplitude.
    let (wide, narrow) = (period(1.0, PI / 6.0), period(1.0, amplitude));
    assert!(got > 0.999 * narrow && got < 1.001 * wide, "{got}");
    // Its numerical damping (docs/ftl.md): with one segment of 1 dm the amplitude falls by a
    // quarter per second.
    let rate = (PI / 6.0 / amplitude).ln() / at_secs;
    assert!((0.2..0.3).contains(&rate), "{rate}");
}

#[test]
fn damping_is_in_one_over_seconds() {
    let (_, damped, at_secs) = swing(SolverKind::Angular, |s| s.angular.damping = 0.5);
    // theta'' = -c theta' - ... falls as e^(-c t / 2).
    let rate = 2.0 * (PI / 6.0 / damped).ln() / at_secs;
    assert!((rate / 0.5 - 1.0).abs() < 0.03, "{rate}");
}

#[test]
fn strands_end_up_hanging_straight_down() {
    for solver in OF_PARTICLES {
        let settings = SimSettings {
            forces: ForceSettings {
                drag: 4.0,
                ..ForceSettings::default()
            },
            rod: limp(0.0),
            ..with(solver)
        };
        let groom = single(Vec3::new(1.0, 0.4, 0.3), 1.5);
        let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
        for _ in 0..200 {
            simulation.advance(0.1, &mut |_| Pose::IDENTITY);
        }
        for (j, point) in particles(&simulation).iter().enumerate() {
            let at = xyz(point) / 1.5;
            let below = DVec3::NEG_Y * (j as f64 / 11.0);
            // Particle springs give by a few parts in a hundred.
            assert!(at.distance(below) < 0.03, "{solver} particle {j}: {at}");
        }
        assert!(simulation.is_settled(), "{solver}");
    }
}

/// The form of the source: zenith and azimuth, each a two-step recursion.
#[test]
fn angular_agrees_with_zenith_and_azimuth_away_from_the_poles() {
    let force = [15.0_f32, -9.0, 21.0];
    let settings = SimSettings {
        strand_particles: 2,
        forces: ForceSettings {
            gravity: force,
            drag: 0.0,
            ..ForceSettings::default()
        },
        angular: AngularSettings {
            damping: 0.0,
            field: false,
            ..AngularSettings::default()
        },
        ..with(SolverKind::Angular)
    };
    let direction = Vec3::new(0.6, 0.05, -0.8);
    let mut simulation = Simulation::new(single(direction, 1.0), settings, Pose::IDENTITY);

    let s = direction.normalize().as_dvec3();
    let force = Vec3::from(force).as_dvec3();
    let (mut zenith, mut azimuth) = (s.y.acos(), s.x.atan2(s.z));
    let (mut zenith_before, mut azimuth_before) = (zenith, azimuth);
    let at = |zenith: f64, azimuth: f64| {
        let flat = zenith.sin();
        DVec3::new(flat * azimuth.sin(), zenith.cos(), flat * azimuth.cos())
    };
    for step in 1..=24 {
        simulation.advance(STEP_SECS, &mut |_| Pose::IDENTITY);
        let along_zenith = DVec3::new(
            zenith.cos() * azimuth.sin(),
            -zenith.sin(),
            zenith.cos() * azimuth.cos(),
        );
        let along_azimuth = DVec3::new(azimuth.cos(), 0.0, -azimuth.sin());
        let gain = 1.5 * STEP_SECS * STEP_SECS;
        let next = 2.0 * zenith - zenith_before + gain * force.dot(along_zenith);
        (zenith_before, zenith) = (zenith, next);
        let next = 2.0 * azimuth - azimuth_before + gain * force.dot(along_azimuth);
        (azimuth_before, azimuth) = (azimuth, next);
        let (got, expected) = (xyz(&particles(&simulation)[1]), at(zenith, azimuth));
        let turned = expected.distance(s);
        assert!(
            got.distance(expected) < 1e-6 + 0.03 * turned,
            "step {step}: {got} {expected}"
        );
    }
    assert!(at(zenith, azimuth).distance(s) > 0.1);
}

#[test]
fn a_strand_along_the_pole_neither_flips_nor_blows_up() {
    for direction in [Vec3::Y, Vec3::NEG_Y, Vec3::new(1e-7, 1.0, 0.0)] {
        let mut settings = with(SolverKind::Angular);
        settings.forces.wind = [3.0, 0.0, 1.0];
        let mut simulation = Simulation::new(single(direction, 1.0), settings, Pose::IDENTITY);
        let mut before = particles(&simulation);
        for _ in 0..960 {
            simulation.advance(STEP_SECS, &mut |_| Pose::IDENTITY);
            let now = particles(&simulation);
            for (a, b) in before.iter().zip(&now) {
                assert!(xyz(a).distance(xyz(b)) < 0.3);
            }
            before = now;
        }
    }
}

/// Returns height and angle (radians, down) of the tip of the heavy elastica, clamped horizontally,
/// in units of its length: B θ'' = −w (L − s) cos θ with θ(0) = 0 and θ'(L) = 0, by shooting.
fn elastica(gamma: f64) -> (f64, f64) {
    const STEPS: u32 = 4_000;
    let h = 1.0 / f64::from(STEPS);
    let slope = |s: f64, theta: f64| -gamma * (1.0 - s) * theta.cos();
    let shoot = |curvature: f64| {
        let (mut theta, mut bend, mut drop) = (0.0_f64, curvature, 0.0);
        for i in 0..STEPS {
            let s = f64::from(i) * h;
            let (k1, l1) = (bend, slope(s, theta));
            let (k2, l2) = (
                bend + 0.5 * h * l1,
                slope(s + 0.5 * h, theta + 0.5 * h * k1),
            );
            let (k3, l3) = (
                bend + 0.5 * h * l2,
                slope(s + 0.5 * h, theta + 0.5 * h * k2),
            );
            let (k4, l4) = (bend + h * l3, slope(s + h, theta + h * k3));
            let next = theta + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
            bend += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
            drop += h / 6.0 * (theta.sin() + 4.0 * (0.5 * (theta + next)).sin() + next.sin());
            theta = next;
            if theta.abs() > 3.0 {
                return (theta, theta, drop); // Curled up: far too much or too little.
            }
        }
        (bend, theta, drop)
    };
    let (mut low, mut high) = (0.0, (2.0 * gamma).min(3.0 * gamma.sqrt() + 1.0));
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if shoot(middle).0 > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    let (_, theta, drop) = shoot(0.5 * (low + high));
    (-drop, theta)
}

/// Returns tip height and angle of the cantilever scene at rest.
fn cantilever(gamma: f32, segments: u32, steps_per_advance: u32) -> (f64, f64) {
    let mut settings = with(SolverKind::Rod);
    Scene::Cantilever.prepare(&mut settings);
    settings.strand_particles = segments + 1;
    settings.rod.bending = 98.1 / gamma;
    settings.rod.damping = 10.0; // So that it comes to rest soon.
    let groom = Scene::Cantilever.strands().unwrap();
    let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
    for _ in 0..6 * 240 / steps_per_advance {
        let secs = f64::from(steps_per_advance) * STEP_SECS;
        simulation.advance(secs, &mut |_| Pose::IDENTITY);
    }
    assert!(simulation.is_settled(), "not at rest");
    let points = particles(&simulation);
    // Twice as many steps change next to nothing.
    for _ in 0..60 {
        simulation.advance(0.1, &mut |_| Pose::IDENTITY);
    }
    let later = particles(&simulation);
    let change = xyz(&later[later.len() - 1]).distance(xyz(&points[points.len() - 1]));
    assert!(
        change < 3e-4,
        "doubling the steps moves the tip by {change}"
    );
    let (before, tip) = (
        xyz(&points[points.len() - 2]),
        xyz(&points[points.len() - 1]),
    );
    let along = tip - before;
    (tip.y, -along.y.atan2(along.x))
}

#[test]
fn a_rod_bends_as_the_heavy_elastica() {
    for gamma in [0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0] {
        let (height, angle) = elastica(f64::from(gamma));
        for (segments, allowed) in [(8, 0.03), (16, 0.015), (32, 0.007)] {
            let (got, turned) = cantilever(gamma, segments, 4);
            let off = (got - height).abs();
            let turned = (turned - angle).to_degrees();
            assert!(
                off < allowed,
                "{gamma}, {segments} segments: {got}, expected {height}"
            );
            assert!(
                turned.abs() < 1.0,
                "{gamma}, {segments} segments: {turned} degrees off"
            );
        }
    }
}

/// Particles that get closer to each other have stiffer springs, as the parts of one fibre have.
#[test]
fn a_strand_of_springs_stretches_alike_with_few_and_with_many_particles() {
    for count in [12, 64] {
        let mut settings = with(SolverKind::Particles);
        settings.strand_particles = count;
        settings.particles.damping = 1000.0;
        let mut simulation = Simulation::new(single(-Vec3::Y, 0.75), settings, Pose::IDENTITY);
        (0..40).for_each(|_| simulation.advance(0.25, &mut |_| Pose::IDENTITY));
        let points = particles(&simulation);
        let segments = f64::from(count - 1);
        let root = xyz(&points[1]).length() / (0.75 / segments) - 1.0;
        // The weight of all particles on the spring of a segment, 11 of which have 1e6 /s².
        let expected = segments * GRAVITY / (1e6 * (segments / 11.0).powi(2) * 0.75 / segments);
        assert!((root / expected - 1.0).abs() < 0.01, "{count}: {root}");
    }
}

/// Springs once stretched to twice their length where hair fell onto the head, and flung it off.
#[test]
fn springs_stretch_by_a_fifth_at_most_and_gain_no_energy_where_hair_falls() {
    let groom = grown(100);
    for (stiffness, damping) in [(1e6, 100.0), (1e7, 0.0), (1e3, 0.0)] {
        for scene in [Scene::Drop, Scene::Shake] {
            let mut settings = with(SolverKind::Particles);
            settings.particles.stiffness = stiffness;
            settings.particles.damping = damping;
            let mut simulation = on_ball(&groom, settings);
            let start = simulation.measures(100);
            let scale = GRAVITY * 0.75 / 2.0;
            for _ in 0..240 {
                simulation.advance(STEP_SECS, &mut |t| scene.pose(t));
                let stretch = simulation.max_stretch();
                assert!(stretch <= 0.2001, "{scene}, {stiffness}: {stretch}");
                let now = simulation.measures(100);
                let gain = now.kinetic + now.potential() - start.potential();
                assert!(
                    scene == Scene::Shake || gain < 0.05 * scale,
                    "{stiffness}: {}",
                    gain / scale
                );
            }
        }
    }
}
