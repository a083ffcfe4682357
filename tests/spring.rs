//! Tests that the spring's propagator is the exact solution: against closed forms, a matrix
//! exponential and a fine numerical integration, all implemented here in double precision.

use glam::{DQuat, DVec3, Vec3};
use mohawk::Groom;
use mohawk::sim::{Pose, Propagator, Spring};

/// The steps promised, seconds.
const STEPS_SECS: [f64; 3] = [1.0 / 15.0, 1.0 / 60.0, 1.0 / 240.0];

/// (k in 1/s², c in 1/s): under-, critically and over-damped, soft and stiff.
const SPRINGS: [(f64, f64); 9] = [
    (4.0, 1.5),
    (4.0, 0.0),
    (4.0, 4.0),
    (4.0, 20.0),
    (400.0, 3.0),
    (400.0, 40.0),
    (400.0, 90.0),
    (10_000.0, 20.0),
    (10_000.0, 1_000.0),
];

fn one_strand(root: Vec3, direction: Vec3, normal: Vec3, length: f32) -> Groom {
    Groom {
        roots: vec![root],
        directions: vec![direction.normalize()],
        normals: vec![normal],
        lengths: vec![length],
        ..Groom::default()
    }
}

fn simulated_tip(spring: &Spring, pose: &Pose) -> DVec3 {
    let mut tips = Vec::new();
    spring.write_tips(pose, &mut tips);
    Vec3::new(tips[0][0], tips[0][1], tips[0][2]).as_dvec3()
}

fn drawn_tip(spring: &Spring, pose: &Pose) -> DVec3 {
    let mut tips = Vec::new();
    spring.write_drawn_tips(pose, pose, 1.0, &mut tips);
    Vec3::new(tips[0][0], tips[0][1], tips[0][2]).as_dvec3()
}

/// Textbook solution of x'' + c x' + k x = 0 from x0, v0 after `t`.
fn free_oscillation(k: f64, c: f64, x0: DVec3, v0: DVec3, t: f64) -> DVec3 {
    let discriminant = c * c - 4.0 * k;
    if discriminant < 0.0 {
        let w = (-discriminant).sqrt() / 2.0;
        let sine = (v0 + x0 * (c / 2.0)) / w;
        (x0 * (w * t).cos() + sine * (w * t).sin()) * (-c * t / 2.0).exp()
    } else if discriminant == 0.0 {
        (x0 + (v0 + x0 * (c / 2.0)) * t) * (-c * t / 2.0).exp()
    } else {
        let r1 = (-c + discriminant.sqrt()) / 2.0;
        let r2 = (-c - discriminant.sqrt()) / 2.0;
        let a = (v0 - x0 * r2) / (r1 - r2);
        a * (r1 * t).exp() + (x0 - a) * (r2 * t).exp()
    }
}

/// Largest distance from the closed form over 4 s, as a share of the length: a strand at rest
/// that is pushed, while its head moves at constant velocity.
fn worst_error(k: f64, c: f64, dt: f64, head_velocity: DVec3, push: Vec3) -> f64 {
    let length = 0.75;
    let groom = one_strand(Vec3::new(0.3, 1.25, -0.2), Vec3::Y, Vec3::Y, length);
    let mut spring = Spring::new(&groom);
    spring.push(0, push);
    let propagator = Propagator::new(k, c, dt);
    let anchor = simulated_tip(&spring, &Pose::IDENTITY);

    // Behind an anchor of constant velocity V the tip hangs back by c V / k.
    let lag = head_velocity * (-c / k);
    let mut worst = 0.0_f64;
    let mut pose = Pose::IDENTITY;
    for step in 1..=(4.0 / dt).round() as u32 {
        let t = f64::from(step) * dt;
        let next = Pose::new(DQuat::IDENTITY, head_velocity * t);
        spring.step(&propagator, &pose, &next);
        pose = next;
        let free = free_oscillation(k, c, -lag, push.as_dvec3() - head_velocity, t);
        let expected = anchor + head_velocity * t + lag + free;
        worst = worst.max(simulated_tip(&spring, &pose).distance(expected));
    }
    worst / f64::from(length)
}

#[test]
fn a_still_anchor_gives_the_closed_form_at_every_step() {
    for (k, c) in SPRINGS {
        for dt in STEPS_SECS {
            let error = worst_error(k, c, dt, DVec3::ZERO, Vec3::new(0.9, 0.4, -0.7));
            assert!(error < 1e-4, "k {k} c {c} dt {dt}: {error}");
        }
    }
}

#[test]
fn an_anchor_of_constant_velocity_gives_the_closed_form_at_every_step() {
    for (k, c) in SPRINGS {
        for dt in STEPS_SECS {
            let velocity = DVec3::new(-0.3, 0.0, 0.5);
            let error = worst_error(k, c, dt, velocity, Vec3::new(0.2, 0.1, 0.6));
            assert!(error < 1e-4, "k {k} c {c} dt {dt}: {error}");
        }
    }
}

/// 3×3 matrix product.
fn product(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|m| a[i][m] * b[m][j]).sum::<f64>()))
}

/// The propagator as a matrix exponential of (u, v, V), V the anchor's velocity, by scaling and
/// squaring of the Taylor series: knows nothing of damping ratios.
fn by_matrix_exponential(k: f64, c: f64, dt: f64) -> Propagator {
    const SQUARINGS: i32 = 12;
    let h = dt / f64::from(1 << SQUARINGS);
    let a = [[0.0, h, -h], [-k * h, -c * h, 0.0], [0.0; 3]];
    let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut sum = identity;
    for n in (1..=12).rev() {
        sum = product(&a, &sum);
        for i in 0..3 {
            for j in 0..3 {
                sum[i][j] = identity[i][j] + sum[i][j] / f64::from(n);
            }
        }
    }
    for _ in 0..SQUARINGS {
        sum = product(&sum, &sum);
    }
    let [[uu, uv, us], [vu, vv, vs], _] = sum;
    let (us, vs) = (us / dt, vs / dt);
    let stiffness = k;
    #[rustfmt::skip]
    return Propagator { uu, uv, us, vu, vv, vs, stiffness };
}

/// Largest difference of two propagators, with times measured in steps so that all six numbers
/// are shares.
fn difference(a: &Propagator, b: &Propagator, dt: f64) -> f64 {
    let shares = |p: &Propagator| [p.uu, p.uv / dt, p.us, p.vu * dt, p.vv, p.vs * dt];
    (shares(a).into_iter().zip(shares(b))).fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs()))
}

#[test]
fn all_branches_agree_with_the_matrix_exponential() {
    for dt in STEPS_SECS {
        for c in [0.0, 0.5, 1.5, 4.0, 30.0, 200.0, 1000.0] {
            for k in [0.01, 0.5, 4.0, 100.0, 2_500.0, 10_000.0] {
                let exact = by_matrix_exponential(k, c, dt);
                let worst = difference(&Propagator::new(k, c, dt), &exact, dt);
                assert!(worst < 1e-8, "k {k} c {c} dt {dt}: {worst}");
            }
        }
    }
}

#[test]
fn the_three_branches_meet() {
    for dt in STEPS_SECS {
        for alpha in [0.5, 2.0, 50.0] {
            let at = |z: f64| Propagator::new(alpha * alpha - z / (dt * dt), 2.0 * alpha, dt);
            // Borders of the branches, and critical damping itself.
            for border in [-0.01, 0.0, 0.01] {
                if alpha * alpha - border / (dt * dt) < 0.01 {
                    continue; // no spring this soft
                }
                let step = difference(&at(border - 1e-10), &at(border + 1e-10), dt);
                assert!(step < 1e-8, "alpha {alpha} dt {dt} z {border}: {step}");
            }
        }
    }
}

#[test]
fn a_step_is_as_good_as_its_parts() {
    let groom = one_strand(Vec3::new(0.0, 1.2, 0.1), Vec3::Y, Vec3::Y, 0.75);
    let (mut whole, mut parts) = (Spring::new(&groom), Spring::new(&groom));
    for spring in [&mut whole, &mut parts] {
        spring.push(0, Vec3::new(0.8, 0.1, 0.0));
    }
    let still = Pose::IDENTITY;
    whole.step(&Propagator::new(4.0, 1.5, 0.5), &still, &still);
    for _ in 0..120 {
        parts.step(&Propagator::new(4.0, 1.5, 0.5 / 120.0), &still, &still);
    }
    let gap = simulated_tip(&whole, &still).distance(simulated_tip(&parts, &still));
    assert!(gap < 1e-6, "{gap}");
}

/// A quarter turn about the vertical in 0.2 s.
const TURN_SECS: f64 = 0.2;

fn turning(t: f64) -> Pose {
    let angle = (t / TURN_SECS).min(1.0) * std::f64::consts::FRAC_PI_2;
    Pose::new(DQuat::from_rotation_y(angle), DVec3::ZERO)
}

/// Tip and velocity after `t` by Runge-Kutta with steps of 1e-5 s, the anchor on its real arc.
fn by_runge_kutta(
    k: f64,
    c: f64,
    anchor: DVec3,
    from: (DVec3, DVec3),
    t0: f64,
    t1: f64,
) -> (DVec3, DVec3) {
    let count = ((t1 - t0) / 1e-5).ceil();
    let h = (t1 - t0) / count;
    let slope =
        |t: f64, p: DVec3, v: DVec3| (v, (turning(t).transform_point(anchor) - p) * k - v * c);
    let (mut p, mut v) = from;
    for i in 0..count as u32 {
        let t = t0 + f64::from(i) * h;
        let (p1, v1) = slope(t, p, v);
        let (p2, v2) = slope(t + h / 2.0, p + p1 * (h / 2.0), v + v1 * (h / 2.0));
        let (p3, v3) = slope(t + h / 2.0, p + p2 * (h / 2.0), v + v2 * (h / 2.0));
        let (p4, v4) = slope(t + h, p + p3 * h, v + v3 * h);
        p += (p1 + (p2 + p3) * 2.0 + p4) * (h / 6.0);
        v += (v1 + (v2 + v3) * 2.0 + v4) * (h / 6.0);
    }
    (p, v)
}

#[test]
fn a_quick_turn_is_close_to_the_true_motion_at_every_step() {
    let (k, c, length) = (4.0, 1.5, 0.75_f32);
    for (dt, allowed) in STEPS_SECS.into_iter().zip([1.5e-2, 1e-3, 1e-4]) {
        let mut worst = 0.0_f64;
        for root in [
            Vec3::new(0.0, 1.2, 0.9),
            Vec3::new(0.2, 1.3, 0.3),
            Vec3::new(0.0, 1.2, -0.8),
        ] {
            // Normals up: turning about the vertical, no strand touches its plane.
            let direction = Vec3::new(0.0, 1.0, root.z * 0.5);
            let groom = one_strand(root, direction, Vec3::Y, length);
            let mut spring = Spring::new(&groom);
            let propagator = Propagator::new(k, c, dt);
            let anchor = (root + groom.directions[0] * length).as_dvec3();
            let mut truth = (anchor, DVec3::ZERO);
            for step in 0..(1.2 / dt).round() as u32 {
                let (t0, t1) = (f64::from(step) * dt, f64::from(step + 1) * dt);
                spring.step(&propagator, &turning(t0), &turning(t1));
                truth = by_runge_kutta(k, c, anchor, truth, t0, t1);
                let drawn_root = turning(t1).transform_point(root.as_dvec3());
                let to_tip = (truth.0 - drawn_root).normalize();
                let drawn = drawn_tip(&spring, &turning(t1)) - drawn_root;
                worst = worst.max(drawn.normalize().distance(to_tip));
            }
        }
        assert!(worst < allowed, "dt {dt}: {worst}");
    }
}

/// Explicit steps as a first program would take them: velocity, then position, with whatever
/// the frame time is. Gives the largest distance of the tip from the truth in 1.2 s.
fn worst_error_of_explicit_steps(anchor: DVec3, dt: f64) -> f64 {
    let (k, c) = (4.0, 1.5);
    let (mut p, mut v) = (anchor, DVec3::ZERO);
    let mut truth = (anchor, DVec3::ZERO);
    let mut worst = 0.0_f64;
    for step in 0..(1.2 / dt).round() as u32 {
        let (t0, t1) = (f64::from(step) * dt, f64::from(step + 1) * dt);
        v += ((turning(t1).transform_point(anchor) - p) * k - v * c) * dt;
        p += v * dt;
        truth = by_runge_kutta(k, c, anchor, truth, t0, t1);
        worst = worst.max(p.distance(truth.0));
    }
    worst
}

#[test]
fn explicit_steps_of_the_frame_time_depend_on_the_frame_rate() {
    let anchor = DVec3::new(0.0, 1.8, 0.9);
    let errors = STEPS_SECS.map(|dt| worst_error_of_explicit_steps(anchor, dt) / 0.75);
    // First order: a quarter of the step leaves a quarter of the error, and plenty at 15 a second.
    assert!(
        errors[0] > 0.16 && errors[1] > 0.04 && errors[2] > 0.01,
        "{errors:?}"
    );
}

#[test]
fn explicit_steps_explode_from_0_693_s_on_and_the_propagator_never_does() {
    let (k, c) = (4.0, 1.5);
    let after_many_steps = |dt: f64| {
        let (mut p, mut v) = (1.0_f64, 0.0_f64);
        for _ in 0..2_000 {
            v += (-k * p - c * v) * dt;
            p += v * dt;
        }
        p.abs()
    };
    assert!(after_many_steps(0.692) < 1.0);
    assert!(after_many_steps(0.695) > 1e3);
    for dt in [0.7, 10.0, 1e3] {
        let exact = Propagator::new(k, c, dt);
        let (mut u, mut v) = (1.0_f64, 0.0_f64);
        for _ in 0..2_000 {
            (u, v) = (exact.uu * u + exact.uv * v, exact.vu * u + exact.vv * v);
            assert!(u.abs() <= 1.0);
        }
    }
}
