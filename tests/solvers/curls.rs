//! Hair that is curled at rest: every solver follows the rest curve, and rods bend and twist about
//! it as thin elastic rods do.

use super::*;
use mohawk::groom::RestCurves;

/// Returns one strand from the origin along the curve `point` of arc length, 1 dm long.
fn curve(point: impl Fn(f64) -> DVec3) -> Groom {
    const POINTS: usize = 1001;
    let at = |i: usize| point(i as f64 / (POINTS - 1) as f64);
    let points = (0..POINTS).map(|i| at(i).as_vec3()).collect();
    let along = (at(1) - at(0)).as_vec3();
    Groom {
        curves: RestCurves::new(POINTS, points),
        ..single(along, 1.0)
    }
}

/// Returns an arc of a circle that spans `angle` in the plane of `along` and `side`.
fn arc(angle: f64, along: DVec3, side: DVec3) -> impl Fn(f64) -> DVec3 {
    move |s| (along * (s * angle).sin() + side * (1.0 - (s * angle).cos())) / angle
}

/// Returns a horizontal helix of so many turns, which leans `lean` away from its axis.
fn helix(turns: f64, lean: f64) -> impl Fn(f64) -> DVec3 {
    let radius = lean.sin() / (TAU * turns);
    move |s| {
        let (sin, cos) = (TAU * turns * s).sin_cos();
        DVec3::new(s * lean.cos(), radius * (1.0 - cos), radius * sin)
    }
}

/// Returns the points of a strand at rest under its weight, from the root.
fn sagged(groom: &Groom, settings: SimSettings) -> Vec<DVec3> {
    let mut simulation = Simulation::new(groom, settings, Pose::IDENTITY);
    for _ in 0..50 {
        simulation.advance(0.1, &mut |_| Pose::IDENTITY);
    }
    assert!(simulation.is_settled(), "not at rest");
    particles(&simulation).iter().map(xyz).collect()
}

fn rod(bending: f32, twisting: f32, segments: u32) -> SimSettings {
    SimSettings {
        strand_particles: segments + 1,
        forces: ForceSettings {
            drag: 10.0,
            ..ForceSettings::default()
        },
        rod: RodSettings {
            bending,
            twisting,
            damping: 10.0,
        },
        ..with(SolverKind::Rod)
    }
}

/// Returns how far the tip of a clamped rod of any shape moves under a little weight w (per length,
/// down). With r the rest curve and t its tangent, the moment at s is M = ∫ (r(u) − r(s)) × w du
/// over all that hangs beyond it. The rod turns by M⊥ / B + (M · t) t / C per length, and the tip
/// moves by the integral of that turn × (r(1) − r(s)).
fn little_sag(point: impl Fn(f64) -> DVec3, bending: f64, twisting: f64) -> DVec3 {
    const STEPS: usize = 2000;
    let h = 1.0 / STEPS as f64;
    let middle = |i: usize| (i as f64 + 0.5) * h;
    let tip = point(1.0);
    let weight = DVec3::new(0.0, -GRAVITY, 0.0);
    let (mut beyond, mut lever, mut moved) = (0.0, DVec3::ZERO, DVec3::ZERO);
    for i in (0..STEPS).rev() {
        let (s, r) = (middle(i), point(middle(i)));
        beyond += 0.5 * h;
        lever += r * (0.5 * h);
        let moment = (lever - r * beyond).cross(weight);
        let t = (point(s + 1e-4) - point(s - 1e-4)).normalize();
        let twist = t * moment.dot(t);
        let turn = (moment - twist) / bending + twist / twisting;
        moved += turn.cross(tip - r) * h;
        beyond += 0.5 * h;
        lever += r * (0.5 * h);
    }
    moved
}

#[test]
fn rods_of_every_shape_sag_a_little_as_elasticity_says() {
    type Shape = Box<dyn Fn(f64) -> DVec3>;
    let shapes: [(&str, Shape); 4] = [
        ("straight", Box::new(|s| DVec3::X * s)),
        // Out of its plane: bent and twisted.
        (
            "level quarter ring",
            Box::new(arc(TAU / 4.0, DVec3::X, DVec3::Z)),
        ),
        (
            "level half ring",
            Box::new(arc(TAU / 2.0, DVec3::X, DVec3::Z)),
        ),
        ("helix", Box::new(helix(2.0, 0.9))),
    ];
    for (name, shape) in shapes {
        for (bending, twisting) in [(1000.0, 667.0), (1000.0, 300.0), (700.0, 1000.0)] {
            let exact = little_sag(&shape, f64::from(bending), f64::from(twisting));
            let groom = curve(&shape);
            for (segments, allowed) in [(16, 0.08), (32, 0.03)] {
                let points = sagged(&groom, rod(bending, twisting, segments));
                let moved = points[segments as usize] - shape(1.0);
                let off = (moved - exact).length() / exact.length();
                assert!(off < allowed, "{name}: moved by {moved}, expected {exact}");
            }
        }
    }
}

/// Returns the largest distance of a particle from its rest position.
fn off_rest(simulation: &Simulation, groom: &Groom) -> f64 {
    let points = particles(simulation);
    let count = points.len() / groom.len();
    let mut rest = vec![Vec3::ZERO; count];
    let mut off = 0.0_f64;
    for (i, strand) in points.chunks(count).enumerate() {
        groom.write_rest(i, &mut rest);
        for (point, rest) in strand.iter().zip(&rest) {
            off = off.max(xyz(point).distance(rest.as_dvec3()));
        }
    }
    off
}

#[test]
fn without_weight_curled_rods_stay_as_they_rest() {
    for (name, groom) in [
        ("helix", curve(helix(3.0, 1.0))),
        ("ring", curve(arc(TAU * 0.9, DVec3::Y, DVec3::Z))),
        ("curls", curled(20)),
    ] {
        let mut settings = rod(9.0, 6.0, 40);
        settings.forces.gravity = [0.0; 3];
        let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
        simulation.push(0, Vec3::new(3.0, -5.0, 4.0));
        for _ in 0..40 {
            simulation.advance(0.1, &mut |_| Pose::IDENTITY);
        }
        let off = off_rest(&simulation, &groom);
        assert!(off < 2e-3, "{name}: {off} off");
    }
}

#[test]
fn every_solver_rests_in_the_rest_curve_and_holds_it() {
    let groom = curled(60);
    for solver in SolverKind::ALL {
        let mut settings = with(solver);
        settings.strand_particles = 24;
        settings.hold = 1.0;
        let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
        let off = off_rest(&simulation, &groom);
        assert!(off < 1e-5, "{solver}: starts {off} off");
        for _ in 0..20 {
            simulation.advance(0.1, &mut |t| Scene::Swing.pose(t.min(0.0)));
        }
        let off = off_rest(&simulation, &groom);
        assert!(off < 0.02, "{solver}: {off} off");
    }
}

#[test]
fn curls_follow_the_head_and_keep_their_lengths() {
    let groom = curled(60);
    for solver in SolverKind::ALL {
        let mut settings = with(solver);
        settings.strand_particles = 24;
        let mut simulation = on_ball(&groom, settings);
        for _ in 0..120 {
            simulation.advance(1.0 / 60.0, &mut |t| Scene::Run.pose(t));
        }
        let points = particles(&simulation);
        let mut rest = vec![Vec3::ZERO; 24];
        for (i, strand) in points.chunks(24).enumerate() {
            groom.write_rest(i, &mut rest);
            let root = simulation.pose().transform_point(rest[0].as_dvec3());
            assert!(xyz(&strand[0]).distance(root) < 1e-5, "{solver}: root {i}");
            if solver == SolverKind::Particles {
                continue; // They stretch.
            }
            for (pair, rest) in strand.windows(2).zip(rest.windows(2)) {
                let long = xyz(&pair[0]).distance(xyz(&pair[1]));
                let wanted = f64::from(rest[0].distance(rest[1]));
                let off = (long / wanted - 1.0).abs();
                assert!(off < 1e-4, "{solver}: {long}, rests at {wanted}");
            }
        }
    }
}

#[test]
fn dependents_of_curled_hair_rest_in_their_own_curls() {
    let groom = curled(80);
    let mut settings = super::guides::guided(SolverKind::Rod, super::guides::share(0.2));
    settings.strand_particles = 24;
    let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
    assert!(off_rest(&simulation, &groom) < 1e-5);
    simulation.advance(0.25, &mut |t| Scene::Swing.pose(t));
    let stretch = simulation.max_dependent_stretch();
    assert!(stretch < 1e-4, "{stretch}");
}

#[test]
fn the_spring_is_exchanged_for_rods_and_back_without_a_jump() {
    let groom = curled(60);
    let settings = |solver| SimSettings {
        strand_particles: 24,
        ..with(solver)
    };
    let mut simulation = on_ball(&groom, settings(SolverKind::Spring));
    for solver in [SolverKind::Rod, SolverKind::Spring, SolverKind::Angular] {
        for _ in 0..100 {
            simulation.advance(STEP_SECS, &mut |t| Scene::Swing.pose(t));
        }
        let before = particles(&simulation);
        simulation.set_settings(settings(solver));
        let after = particles(&simulation);
        for (a, b) in before.iter().zip(&after) {
            assert!(xyz(a).distance(xyz(b)) < 1e-4, "to {solver}");
        }
    }
    assert_eq!(simulation.drawn_particles(), 24);
}
