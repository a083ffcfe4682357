//! Fields of skin that has moved, against fields that are baked from it where it is.

use super::*;
use crate::sim::sdf::bend::{Bend, BendMotion, Lattice, Moved};
use crate::sim::simd::{get3, set3};
use glam::Quat;

/// A bar whose upper part is turned, with a bend between.
fn bent(point: Vec3, angle: f32) -> (Vec3, Mat3) {
    let share = ((point.y + 0.4) / 0.8).clamp(0.0, 1.0);
    let share = share * share * (3.0 - 2.0 * share);
    let turn = Mat3::from_quat(Quat::from_rotation_x(angle));
    // As skins are blended.
    let blend = Mat3::IDENTITY * (1.0 - share) + turn * share;
    (blend * point, blend)
}

/// Returns a bar, and the points of its skin when it is bent.
fn bar() -> Vec<Corners> {
    let scale = Vec3::new(0.5, 1.6, 0.5);
    let ball = icosphere(4).into_iter();
    ball.map(|corners| corners.map(|point| point * scale))
        .collect()
}

fn skin_at(bar: &[Corners], angle: f32) -> Vec<Moved> {
    let points = bar.iter().flatten().map(|&then| {
        let (now, turn) = bent(then, angle);
        let back = turn.inverse();
        Moved { now, then, back }
    });
    points.collect()
}

fn lattice() -> Lattice {
    Lattice::around((Vec3::splat(-1.7), Vec3::splat(1.7)))
}

/// Returns points near bent skin.
fn points(now: &[Corners]) -> Vec<DVec3> {
    let mut points = beside(now, 800, 0.02);
    points.extend(around(now, 800, 0.3));
    points
}

fn lanes(point: DVec3) -> Lanes3 {
    let mut points = Lanes3::default();
    (0..LANES).for_each(|lane| set3(&mut points, lane, point.as_vec3()));
    points
}

#[test]
fn the_field_of_bent_skin_is_that_of_the_skin_where_it_is() {
    let bar = bar();
    let field = field_of(&bar, 0.025);
    for (angle, most) in [(0.3, 0.012), (1.0, 0.06)] {
        let now: Vec<Corners> = (bar.iter())
            .map(|corners| corners.map(|point| bent(point, angle).0))
            .collect();
        let motion = BendMotion::new(&field, lattice(), None, &skin_at(&bar, angle), 4).unwrap();
        let bend = Bend::new(motion, 1.0);
        let (mut errors, mut slopes) = (Vec::new(), Vec::new());
        for point in points(&now) {
            let inside = winding(&now, point) > 0.5;
            let exact = distance(&now, point) * if inside { -1.0 } else { 1.0 };
            let bound = f64::from(bend.lower_bounds(&lanes(point)).0[0]);
            assert!(bound < exact.max(0.0) + 0.01, "{point}: {bound} {exact}");
            let Some((found, gradient)) = bend.sample(&field, &lanes(point)) else {
                let found = f64::from(at(&field, point));
                assert!((found - exact).abs() < 0.03, "{point}: {found} {exact}");
                continue;
            };
            let found = f64::from(found.0[0]);
            if exact.abs() > 0.05 {
                assert!(found * exact > 0.0, "{point}: {found} {exact}");
                continue;
            }
            errors.push((found - exact).abs());
            // The gradient leads straight away from skin, but for sharp folds.
            let ahead = point + 0.1 * get3(&gradient, 0).normalize().as_dvec3();
            slopes.push((distance(&now, ahead) - exact - 0.1).abs());
        }
        for (mut errors, limits) in [(errors, [0.001, 0.01, most]), (slopes, [0.002, 0.02, 0.2])] {
            errors.sort_by(f64::total_cmp);
            let last = (errors.len() - 1) as f64;
            let found = [0.5, 0.9, 1.0].map(|share| errors[(last * share) as usize]);
            assert!(
                last > 500.0
                    && found
                        .iter()
                        .zip(limits)
                        .all(|(found, limit)| *found < limit),
                "{angle}: {found:?}"
            );
        }
    }
}

#[test]
fn skin_that_moves_has_its_own_velocity() {
    let bar = bar();
    let field = field_of(&bar, 0.025);
    let [before, after] = [0.8, 0.85].map(|angle| skin_at(&bar, angle));
    let first = BendMotion::new(&field, lattice(), None, &before, 4).unwrap();
    let rests = Bend::new(first.clone(), 1.0).displacements(&lanes(DVec3::new(0.5, 1.0, 0.0)));
    assert_eq!(get3(&rests, 0), Vec3::ZERO);
    let again = BendMotion::new(&field, lattice(), Some((&before, None)), &after, 4).unwrap();
    let motion = BendMotion::new(&field, lattice(), Some((&before, Some(&first))), &after, 4);
    let [motion, again] = [motion.unwrap(), again].map(|motion| Bend::new(motion, 0.5));
    let mut errors = Vec::new();
    for (from, to) in before.iter().zip(&after) {
        let middle = ((from.now + to.now) * 0.5).as_dvec3();
        let found = get3(&motion.displacements(&lanes(middle)), 0);
        errors.push(found.distance((to.now - from.now) * 0.25));
        let anew = get3(&again.displacements(&lanes(middle)), 0);
        assert!(found.distance(anew) < 1e-6);
    }
    // The upper end moves by 0.02 dm in a step.
    errors.sort_by(f32::total_cmp);
    let [half, most] = [errors.len() / 2, errors.len() * 99 / 100].map(|at| errors[at]);
    assert!(half < 2e-4 && most < 0.004, "{half} {most}");
}

#[test]
fn skin_that_has_not_moved_is_not_bent() {
    let bar = bar();
    let field = field_of(&bar, 0.05);
    assert!(BendMotion::new(&field, lattice(), None, &skin_at(&bar, 0.0), 4).is_none());
    let bend = BendMotion::new(&field, lattice(), None, &skin_at(&bar, 0.5), 4).unwrap();
    let bend = Bend::new(bend, 1.0);
    // The lower end stays.
    assert!(
        bend.sample(&field, &lanes(DVec3::new(0.0, -1.5, 0.0)))
            .is_none()
    );
    // Far away, and where a point is not a number, nothing is near.
    for point in [DVec3::splat(9.0), DVec3::splat(f64::NAN)] {
        let is_far = |distance: f32| distance > 0.1 || distance.is_nan();
        let found = bend.sample(&field, &lanes(point));
        assert!(found.is_none_or(|(distance, _)| is_far(distance.0[0])));
        assert!(is_far(bend.lower_bounds(&lanes(point)).0[0]), "{point}");
    }
}
