//! Promises about the solvers that move particles: physics against closed forms, lengths and
//! collisions, the same motion everywhere, and going from one to the other in mid-swing.

#[path = "common/strands.rs"]
mod strands;

use glam::{DQuat, DVec3, Vec3};
use mohawk::sim::{
    AngularSettings, Collider, Ellipsoid, ForceSettings, FtlSettings, GuideBlend, GuideChoice,
    GuideSettings, Hair, Outcome, ParticleSettings, Pose, PoseTrack, RodSettings, STEP_SECS, Scene,
    SimSettings, Solver, SolverKind, SpringSettings, Step, Stepping,
};
use mohawk::{Groom, Simulation};
use proptest::prelude::*;
use std::f64::consts::{PI, TAU};
use strands::{grown, hash};

/// The solvers that keep lengths to rounding.
const INEXTENSIBLE: [SolverKind; 3] = [SolverKind::Ftl, SolverKind::Angular, SolverKind::Rod];
const OF_PARTICLES: [SolverKind; 4] = [
    SolverKind::Ftl,
    SolverKind::Angular,
    SolverKind::Particles,
    SolverKind::Rod,
];
/// dm/s²
const GRAVITY: f64 = 98.1;

/// The ball that [`grown`] hair grows on.
const BALL: Ellipsoid = Ellipsoid {
    center: Vec3::ZERO,
    radii: Vec3::splat(1.3),
};

fn with(solver: SolverKind) -> SimSettings {
    SimSettings {
        solver,
        ..SimSettings::default()
    }
}

fn on_ball(groom: &Groom, settings: SimSettings) -> Simulation {
    let mut simulation = Simulation::new(groom, settings, Pose::IDENTITY);
    simulation.set_head(Some(BALL));
    simulation
}

fn particles(simulation: &Simulation) -> Vec<[f32; 4]> {
    let mut out = Vec::new();
    simulation.write_particles(1.0, &mut out);
    out
}

fn xyz(point: &[f32; 4]) -> DVec3 {
    Vec3::new(point[0], point[1], point[2]).as_dvec3()
}

/// Rods that do not stand up.
fn limp(bending: f32) -> RodSettings {
    RodSettings {
        bending,
        ..RodSettings::default()
    }
}

/// One strand from the origin.
fn single(direction: Vec3, length: f32) -> Groom {
    Groom {
        roots: vec![Vec3::ZERO],
        directions: vec![direction.normalize()],
        normals: vec![direction.normalize()],
        lengths: vec![length],
    }
}

// ---- Physics ----

/// Of the pendulum scene: the period, the amplitude (radians) of the last of its swings within
/// 4 s, and when that was.
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

/// Period of a pendulum of reduced length `length` (dm) with an amplitude: the series of the
/// elliptic integral.
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
    // Between those of the first and the last amplitude.
    let (wide, narrow) = (period(1.0, PI / 6.0), period(1.0, amplitude));
    assert!(got > 0.999 * narrow && got < 1.001 * wide, "{got}");
    // What docs/solvers.md says of its numerical damping: with one segment of 1 dm the amplitude
    // falls at a quarter per second.
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

/// The source's own form: zenith and azimuth, each a two-step recursion.
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
    let mut simulation = Simulation::new(&single(direction, 1.0), settings, Pose::IDENTITY);

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
        let mut simulation = Simulation::new(&single(direction, 1.0), settings, Pose::IDENTITY);
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

/// The heavy elastica, clamped horizontally, in units of its length: height and angle (radians,
/// down) of the tip. B θ'' = −w (L − s) cos θ with θ(0) = 0 and θ'(L) = 0, by shooting.
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
                return (theta, theta, drop); // Far too much or too little.
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

/// Tip height and angle of the cantilever scene at rest.
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

// ---- Wind, hold ----

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
fn eddies_move_hair_that_is_apart_apart_and_hang_on_their_seed() {
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
        assert!(sag[1] > sag[0] && sag[1] < 1.2, "{solver}: {sag:?}");
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
        settings.ftl.hair_repulsion = repulsion;
        let mut simulation = on_ball(&groom, settings);
        for _ in 0..30 {
            simulation.advance(0.1, &mut |_| Pose::IDENTITY);
        }
        let points = particles(&simulation);
        let heights = points.iter().map(|point| xyz(point).length() - 1.3);
        heights.sum::<f64>() / points.len() as f64
    };
    let (flat, full) = (height(0.0), height(150.0));
    assert!(full > 1.3 * flat, "{flat} {full}");
}

// ---- Basis and dependent hairs ----

fn guided(solver: SolverKind, guides: GuideSettings) -> SimSettings {
    SimSettings {
        guides,
        ..with(solver)
    }
}

fn share(share: f32) -> GuideSettings {
    GuideSettings {
        share,
        ..GuideSettings::default()
    }
}

#[test]
fn basis_hairs_move_as_if_they_were_alone() {
    let groom = grown(300);
    let first = |list: &[Vec3]| list[..60].to_vec();
    let alone = Groom {
        roots: first(&groom.roots),
        directions: first(&groom.directions),
        normals: first(&groom.normals),
        lengths: groom.lengths[..60].to_vec(),
    };
    for solver in SolverKind::ALL {
        let mut all = on_ball(&groom, guided(solver, share(0.2)));
        let mut basis = on_ball(&alone, with(solver));
        for simulation in [&mut all, &mut basis] {
            for _ in 0..60 {
                simulation.advance(STEP_SECS, &mut |t| Scene::Swing.pose(t));
            }
        }
        assert_eq!(particles(&all)[..60 * 12], particles(&basis), "{solver}");
        assert_eq!(all.max_stretch(), basis.max_stretch());
    }
}

#[test]
fn dependents_stay_rooted_out_of_the_head_and_keep_their_shape() {
    let groom = grown(300);
    for choice in [GuideChoice::Even, GuideChoice::Random] {
        for blend in [GuideBlend::Nearest, GuideBlend::Three] {
            let guides = GuideSettings {
                share: 0.1,
                choice,
                blend,
                clump: 0.0,
            };
            let mut simulation = on_ball(&groom, guided(SolverKind::Ftl, guides));
            let rest = |pose: &Pose, i: usize, j: usize| {
                let along = groom.directions[i] * groom.lengths[i] * (j as f32 / 11.0);
                pose.transform_point((groom.roots[i] + along).as_dvec3())
            };
            for (k, point) in particles(&simulation).iter().enumerate() {
                let expected = rest(&Pose::IDENTITY, k / 12, k % 12);
                assert!(xyz(point).distance(expected) < 2e-6);
            }
            for _ in 0..240 {
                simulation.advance(STEP_SECS, &mut |t| Scene::Run.pose(t));
                assert!(simulation.max_penetration() <= 0.01);
                let pose = simulation.pose();
                for (i, strand) in particles(&simulation).chunks(12).enumerate() {
                    assert!(xyz(&strand[0]).distance(rest(&pose, i, 0)) < 2e-6);
                }
            }
            // Told by itself: a hair between guides that fell to different sides is squeezed.
            let stretch = simulation.max_dependent_stretch();
            assert!(stretch > 1e-3 && stretch.is_finite(), "{stretch}");
        }
    }
}

/// Back at rest, every strand is back where it stood: nothing has accumulated.
#[test]
fn dependents_come_back_to_rest_with_their_guides() {
    let groom = grown(300);
    let settings = guided(SolverKind::Spring, share(0.1));
    let mut simulation = on_ball(&groom, settings);
    let start = particles(&simulation);
    for _ in 0..8 {
        simulation.advance(0.25, &mut |t| Scene::Swing.pose(t));
    }
    let away = particles(&simulation);
    assert!(
        start
            .iter()
            .zip(&away)
            .any(|(a, b)| xyz(a).distance(xyz(b)) > 0.2)
    );
    for _ in 0..120 {
        simulation.advance(0.25, &mut |_| Pose::IDENTITY);
    }
    for (a, b) in start.iter().zip(&particles(&simulation)) {
        assert!(xyz(a).distance(xyz(b)) < 1e-5);
    }
}

#[test]
fn clumpiness_draws_tips_together_and_leaves_roots_alone() {
    let groom = grown(300);
    let spread = |clump: f32| {
        let guides = GuideSettings {
            clump,
            blend: GuideBlend::Nearest,
            ..share(0.1)
        };
        let simulation = Simulation::new(&groom, guided(SolverKind::Rod, guides), Pose::IDENTITY);
        let points = particles(&simulation);
        let tips: Vec<DVec3> = points.chunks(12).map(|strand| xyz(&strand[11])).collect();
        for (strand, root) in points.chunks(12).zip(&groom.roots) {
            assert!(xyz(&strand[0]).distance(root.as_dvec3()) < 1e-6);
        }
        let nearest = |i: usize| {
            let others = (0..tips.len()).filter(|&k| k != i);
            others
                .map(|k| tips[k].distance(tips[i]))
                .fold(f64::MAX, f64::min)
        };
        (0..tips.len()).map(nearest).sum::<f64>() / tips.len() as f64
    };
    let (clean, half, all) = (spread(0.0), spread(0.5), spread(1.0));
    assert!(half < 0.8 * clean && all < 1e-5, "{clean} {half} {all}");
}

#[test]
fn another_share_in_mid_swing_is_no_jump_for_who_stays() {
    let groom = grown(300);
    for solver in SolverKind::ALL {
        let mut simulation = on_ball(&groom, guided(solver, share(0.2)));
        for _ in 0..100 {
            simulation.advance(STEP_SECS, &mut |t| Scene::Swing.pose(t));
        }
        let before = particles(&simulation);
        for next in [0.1, 1.0, 0.2] {
            simulation.set_settings(guided(solver, share(next)));
            let now = particles(&simulation);
            // Stretched and dependent segments come back to their lengths.
            let allowed = if solver == SolverKind::Particles {
                0.02
            } else {
                1e-4
            };
            for (a, b) in before[..30 * 12].iter().zip(&now) {
                assert!(xyz(a).distance(xyz(b)) < allowed, "{solver} to {next}");
            }
        }
        simulation.advance(0.1, &mut |t| Scene::Swing.pose(t));
        assert_eq!(simulation.reset_strands(), 0);
    }
}

// ---- Lengths and collisions ----

#[test]
fn lengths_are_kept_to_rounding_and_nothing_enters_the_head() {
    let groom = grown(160);
    for solver in INEXTENSIBLE {
        for scene in [Scene::Drop, Scene::Swing, Scene::Run, Scene::Shake] {
            let mut simulation = on_ball(&groom, with(solver));
            for _ in 0..480 {
                simulation.advance(STEP_SECS, &mut |t| scene.pose(t));
                check_lengths(&simulation, &groom, 12);
                let depth = simulation.max_penetration();
                assert!(depth <= 0.01, "{solver} in {scene}: {depth}");
            }
        }
    }
}

/// Hair from a bar falls over a sphere and a capsule that cross each other.
#[test]
fn hair_drapes_over_spheres_and_capsules() {
    let roots: Vec<Vec3> = (0..60)
        .map(|i| Vec3::new(0.02 * i as f32 - 0.6, 0.8, -0.05))
        .collect();
    let groom = Groom {
        directions: vec![Vec3::new(0.0, 0.3, -1.0).normalize(); roots.len()],
        normals: vec![Vec3::NEG_Z; roots.len()],
        lengths: vec![1.5; roots.len()],
        roots,
    };
    let colliders = vec![
        Collider {
            from: [-0.3, 0.0, -0.1],
            to: None,
            radius: 0.45,
        },
        Collider {
            from: [-0.1, 0.1, 0.0],
            to: Some([0.8, 0.2, -0.2]),
            radius: 0.2,
        },
    ];
    for solver in OF_PARTICLES {
        let settings = SimSettings {
            colliders: colliders.clone(),
            strand_particles: 20,
            rod: limp(0.05),
            ..with(solver)
        };
        let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
        let mut touched = 0;
        for _ in 0..600 {
            simulation.advance(STEP_SECS, &mut |_| Pose::IDENTITY);
            assert!(simulation.max_penetration() <= 0.01, "{solver}");
            if INEXTENSIBLE.contains(&solver) {
                check_lengths(&simulation, &groom, 20);
            }
        }
        for point in particles(&simulation) {
            let center = Vec3::from(colliders[0].from).as_dvec3();
            touched += usize::from(xyz(&point).distance(center) < 0.47);
        }
        assert!(
            touched > 60,
            "{solver}: only {touched} particles lie on the sphere"
        );
    }
}

/// Every segment within 1e-5 of its length and two units in the last place of its coordinates.
fn check_lengths(simulation: &Simulation, groom: &Groom, count: usize) {
    for (i, strand) in particles(simulation).chunks(count).enumerate() {
        let segment = f64::from(groom.lengths[i]) / (count - 1) as f64;
        for pair in strand.windows(2) {
            let (a, b) = (xyz(&pair[0]), xyz(&pair[1]));
            let largest = a.abs().max(b.abs()).max_element();
            let allowed = 1e-5 * segment + 2.0 * largest * f64::from(f32::EPSILON);
            let off = (a.distance(b) - segment).abs();
            assert!(off <= allowed, "strand {i}: {off:e} of {segment}");
        }
    }
}

#[test]
fn particle_springs_stay_out_too_and_say_how_far_they_stretch() {
    let groom = grown(160);
    let mut simulation = on_ball(&groom, with(SolverKind::Particles));
    for _ in 0..480 {
        simulation.advance(STEP_SECS, &mut |t| Scene::Swing.pose(t));
        assert!(simulation.max_penetration() <= 0.01);
    }
    let stretch = simulation.max_stretch();
    assert!(stretch > 1e-4 && stretch < 0.2, "{stretch}");
}

/// Hair lies on the ball while a side wind blows: friction keeps more of it where it fell.
#[test]
fn friction_holds_hair_against_the_wind() {
    let groom = grown(60);
    for solver in OF_PARTICLES {
        let way = |friction: f32| {
            let mut settings = SimSettings {
                friction,
                rod: limp(0.01),
                ..with(solver)
            };
            let mut simulation = on_ball(&groom, settings.clone());
            let tips = |simulation: &mut Simulation, secs: f64| {
                for _ in 0..(secs * 240.0) as u32 {
                    simulation.advance(STEP_SECS, &mut |_| Pose::IDENTITY);
                }
                particles(simulation)
                    .chunks(12)
                    .map(|s| xyz(&s[11]))
                    .collect::<Vec<_>>()
            };
            let before = tips(&mut simulation, 4.0);
            settings.forces.wind = [12.0, 0.0, 0.0];
            simulation.set_settings(settings);
            let after = tips(&mut simulation, 2.0);
            let ways = before.iter().zip(&after).map(|(a, b)| a.distance(*b));
            ways.sum::<f64>() / before.len() as f64
        };
        let (smooth, rough) = (way(0.0), way(1.0));
        println!("{solver} {smooth} {rough}");
        assert!(rough < 0.8 * smooth, "{solver}: {smooth} {rough}");
    }
}

// ---- The same everywhere ----

#[test]
fn every_frame_rate_gives_the_same_positions_at_equal_times() {
    let groom = grown(60);
    for solver in SolverKind::ALL {
        for scene in [Scene::Swing, Scene::Walk, Scene::Drop] {
            let mut expected = None;
            for fps in [30, 60, 144, 240] {
                let mut simulation = on_ball(&groom, with(solver));
                for _ in 0..2 * fps {
                    simulation.advance(1.0 / f64::from(fps), &mut |t| scene.pose(t));
                }
                assert_eq!(simulation.steps(), 480);
                let state = particles(&simulation);
                let expected = expected.get_or_insert_with(|| state.clone());
                assert_eq!(&state, expected, "{solver}, {scene}, {fps} frames a second");
            }
        }
    }
}

/// As from a mouse: one pose a frame. Hair that hangs: hair that stands up and is not held falls
/// to whichever side the last bit says.
#[test]
fn poses_sampled_once_a_frame_change_little() {
    let mut groom = grown(60);
    groom.directions.fill(Vec3::NEG_Y);
    // Begins smoothly, as heads do.
    let nod = |t: f64| {
        let strength = 0.4 * (2.0 * t).min(1.0).powi(2);
        Pose::about_neck(DQuat::from_rotation_x(strength * (TAU * t).sin()))
    };
    for (solver, hold) in SolverKind::ALL
        .into_iter()
        .flat_map(|s| [(s, 0.0), (s, 0.5)])
    {
        let tips_at = |fps: i32| {
            let settings = SimSettings {
                hold,
                ..with(solver)
            };
            let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
            let poses = (0..=3 * fps).map(|frame| nod(f64::from(frame) / f64::from(fps)));
            let track = PoseTrack::new(poses, f64::from(fps)).unwrap();
            let mut tips = Vec::new();
            for frame in 0..3 * fps {
                simulation.advance(1.0 / f64::from(fps), &mut |t| track.at(t));
                if (frame + 1) % (fps / 30) == 0 {
                    tips.extend(
                        particles(&simulation)
                            .chunks(12)
                            .map(|strand| xyz(&strand[11])),
                    );
                }
            }
            tips
        };
        let (coarse, fine) = (tips_at(30), tips_at(240));
        let lengths = groom.lengths.iter().cycle();
        let apart = (coarse.iter().zip(&fine).zip(lengths))
            .map(|((a, b), &length)| a.distance(*b) / f64::from(length));
        let apart = apart.fold(0.0, f64::max);
        assert!(apart < 0.04, "{solver}, hold {hold}: {apart}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let groom = grown(3_001);
    for solver in OF_PARTICLES {
        let mut settings = with(solver);
        settings.ftl.hair_friction = 5.0;
        settings.ftl.hair_repulsion = 50.0;
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().expect("a thread pool").install(|| {
                let mut simulation = on_ball(&groom, settings.clone());
                for _ in 0..20 {
                    simulation.advance(0.03, &mut |t| Scene::Run.pose(t));
                }
                hash(particles(&simulation).into_iter().flatten())
            })
        };
        let expected = on(1);
        assert_eq!([on(2), on(7)], [expected; 2], "{solver}");
    }
}

// ---- Going from one to another ----

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
                // No faster than hair goes anyway: it falls 0.75 dm and whips.
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

/// A solver of one's own: hair that stands still in head space.
struct Frozen;

impl Solver for Frozen {
    fn name(&self) -> &str {
        "frozen"
    }

    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome {
        let Some(last) = steps.last() else {
            return Outcome::nothing();
        };
        hair.rest_under(last.from());
        hair.keep_previous();
        for strand in 0..hair.len() {
            for j in 0..hair.particles() {
                let rest = hair.rest(strand, j).as_dvec3();
                let now = last.to().transform_point(rest).as_vec3();
                hair.set(strand, j, now, Vec3::ZERO);
            }
        }
        Outcome::nothing()
    }
}

#[test]
fn a_solver_of_ones_own_is_one_of_them() {
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

/// Whatever else the settings change: particles, guides, both, under any named solver.
#[test]
fn a_solver_of_ones_own_stays_until_another_is_named() {
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

// ---- Never broken ----

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
                    ftl: FtlSettings {
                        damping: own.2,
                        correction: own.3,
                        hair_friction: if springs.2 { own.2 } else { 0.0 },
                        hair_repulsion: if springs.2 { own.1 } else { 0.0 },
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
                    ..SimSettings::default()
                }
            },
        )
}

/// A head thrown about, now and then to nowhere.
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
        jerks in prop::collection::vec((any_pose(), 0.0..0.1_f64), 1..10),
    ) {
        prop_assert!(settings.validate().is_ok());
        let groom = grown(20);
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
