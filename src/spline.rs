//! Curves as polylines. Each keeps its number of points, so that what is given for each point stays.

use glam::{DVec3, DVec4};

/// The largest order of a spline that is evaluated: the number of points that a place depends on.
const MAX_ORDER: usize = 8;

/// Moves the two points within each segment of a Bézier curve onto it, at thirds of its parameter.
pub fn bezier(points: &mut [[f32; 3]]) {
    for first in (0..points.len().saturating_sub(3)).step_by(3) {
        let [a, b, c, d] = std::array::from_fn(|nth| wide(points[first + nth]));
        points[first + 1] = narrow((8.0 * a + 12.0 * b + 6.0 * c + d) / 27.0);
        points[first + 2] = narrow((a + 6.0 * b + 12.0 * c + 8.0 * d) / 27.0);
    }
}

/// Moves the points of a B-spline onto it, at equal steps of its parameter. A spline of `n` points has
/// `n + order` knots, which are equally far apart if none are given, and a weight of each point or
/// none. Splines without a domain stay as they are.
pub fn b_spline(
    points: &mut [[f32; 3]],
    order: usize,
    knots: Option<&[f64]>,
    weights: Option<&[f64]>,
) {
    let count = points.len();
    if !(2..=MAX_ORDER.min(count)).contains(&order) {
        return;
    }
    let knot = |nth: usize| knots.map_or(nth as f64, |knots| knots[nth]);
    let is_sorted = knots.is_none_or(|knots| knots.is_sorted());
    let (start, end) = (knot(order - 1), knot(count));
    if !is_sorted || !(end - start).is_finite() || end <= start {
        return;
    }
    let weighted = points.iter().enumerate().map(|(nth, point)| {
        let weight = weights.map_or(1.0, |weights| weights[nth]);
        (weight * wide(*point)).extend(weight)
    });
    let weighted: Vec<DVec4> = weighted.collect();
    let mut span = order - 1;
    for (nth, point) in points.iter_mut().enumerate() {
        let at = start + (end - start) * nth as f64 / (count - 1) as f64;
        while span + 1 < count && knot(span + 1) <= at {
            span += 1;
        }
        // De Boor's algorithm.
        let mut mix = [DVec4::ZERO; MAX_ORDER];
        mix[..order].copy_from_slice(&weighted[span + 1 - order..=span]);
        for level in 1..order {
            for last in (level..order).rev() {
                let left = knot(span + 1 + last - order);
                let share = (at - left) / (knot(span + 1 + last - level) - left);
                mix[last] = mix[last - 1].lerp(mix[last], share);
            }
        }
        let place = mix[order - 1];
        let place = place.truncate() / place.w;
        if place.is_finite() {
            *point = narrow(place);
        }
    }
}

/// Moves the points of a cubic B-spline onto it. The spline reaches its first and its last point.
pub fn pinned(points: &mut [[f32; 3]]) {
    let Some(&(mut before)) = points.first() else {
        return;
    };
    for nth in 1..points.len().saturating_sub(1) {
        let [a, b, c] = [before, points[nth], points[nth + 1]];
        before = b;
        points[nth] = narrow((wide(a) + 4.0 * wide(b) + wide(c)) / 6.0);
    }
}

fn wide(point: [f32; 3]) -> DVec3 {
    point.map(f64::from).into()
}

fn narrow(point: DVec3) -> [f32; 3] {
    point.as_vec3().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: [[f32; 3]; 5] = [
        [0.0, 0.0, 0.0],
        [1.0, 2.0, 0.0],
        [2.0, -1.0, 3.0],
        [4.0, 0.0, 1.0],
        [5.0, 5.0, 5.0],
    ];

    fn near(point: [f32; 3], place: DVec3) -> bool {
        wide(point).distance(place) < 1e-5
    }

    #[test]
    fn bezier_segments_are_evaluated() {
        // A parabola, raised to a cubic.
        let mut points =
            [0.0, 1.0, 2.0, 3.0].map(|x: f32| [x, if x == 3.0 { 3.0 } else { 0.0 }, 0.0]);
        points[2][1] = 1.0;
        bezier(&mut points);
        for [x, y, _] in points {
            assert!((y - x * x / 3.0).abs() < 1e-6, "{x} {y}");
        }
    }

    #[test]
    fn splines_of_equal_knots_are_those_of_their_basis() {
        let mut points = POINTS;
        b_spline(&mut points, 4, None, None);
        let p = POINTS.map(wide);
        let knot = |nth: usize| (p[nth] + 4.0 * p[nth + 1] + p[nth + 2]) / 6.0;
        assert!(near(points[0], knot(0)) && near(points[2], knot(1)) && near(points[4], knot(2)));
        let half = (p[0] + 23.0 * p[1] + 23.0 * p[2] + p[3]) / 48.0;
        assert!(near(points[1], half), "{points:?}");
    }

    #[test]
    fn clamped_splines_reach_their_ends() {
        let knots = [0.0, 0.0, 0.0, 0.0, 0.5, 1.0, 1.0, 1.0, 1.0];
        let mut points = POINTS;
        b_spline(&mut points, 4, Some(&knots), None);
        assert_eq!([points[0], points[4]], [POINTS[0], POINTS[4]]);
        // A quarter circle.
        let mut arc = [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        let weights = [1.0, 0.5_f64.sqrt(), 1.0];
        b_spline(
            &mut arc,
            3,
            Some(&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]),
            Some(&weights),
        );
        let middle = DVec3::new(0.5_f64.sqrt(), 0.5_f64.sqrt(), 0.0);
        assert!(near(arc[1], middle), "{arc:?}");
    }

    #[test]
    fn splines_without_a_domain_stay() {
        for (order, knots) in [
            (1, None),
            (9, None),
            (4, Some([1.0; 9])),
            (4, Some([f64::NAN; 9])),
        ] {
            let mut points = POINTS;
            b_spline(
                &mut points,
                order,
                knots.as_ref().map(|knots| &knots[..]),
                None,
            );
            assert_eq!(points, POINTS);
        }
    }
}
