//! Properties of random strokes.

use super::*;
use proptest::prelude::*;

/// Returns strokes over the hair: a brush and the corners of its path.
fn strokes() -> impl Strategy<Value = Vec<(DollBrush, Vec<(f64, f64)>)>> {
    let tools = prop_oneof![
        2 => Just(DollTool::Comb),
        5 => prop::sample::select(DollTool::ALL.to_vec()),
    ];
    let path = prop::collection::vec((250.0..550.0, 80.0..480.0_f64), 1..5);
    let brushes = (tools, 5.0..60.0, 0.05..1.0).prop_map(|(tool, radius, strength)| DollBrush {
        strength,
        ..brush(tool, radius)
    });
    prop::collection::vec((brushes, path), 1..8)
}

/// Returns a coordinate that is often 0, so that points coincide and curves fold.
fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(0.0), 3 => -100.0..100.0_f64]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn strokes_keep_lengths_and_are_cancelled_undone_and_redone_to_the_bit(strokes in strokes()) {
        let mut session = grown(300);
        let grown = session.doll().clone();
        for (brush, path) in &strokes {
            session.begin(*brush);
            path.iter().for_each(|&(x, y)| session.move_to(x, y));
            session.cancel();
            prop_assert!(session.doll() == &grown && session.history().is_empty());
        }
        let changed = strokes.iter().filter(|(brush, path)| stroke(&mut session, *brush, path));
        let changed = changed.count();
        let brushed = session.doll().clone();
        for (hair, before) in brushed.hairs.iter().zip(&grown.hairs) {
            prop_assert!(hair.whole_length() <= before.length + 1e-9);
            let Curve { from, to, .. } = hair.curve;
            prop_assert!(from.distance(to) <= hair.length * (1.0 + 1e-12));
            prop_assert!(hair.curve.arc() <= hair.length * MAX_STRETCH);
            prop_assert!(hair.curve.mid.is_finite());
        }
        prop_assert_eq!(session.history().len(), changed);
        for _ in 0..changed {
            prop_assert!(session.undo().is_some());
        }
        prop_assert!(session.doll() == &grown);
        prop_assert!(session.undo().is_none());
        while session.redo().is_some() {}
        prop_assert!(session.doll() == &brushed);
    }

    #[test]
    fn hair_does_not_depend_on_the_rate_of_events(
        (x, y) in (280.0..520.0, 120.0..400.0_f64),
        (dx, dy) in (-200.0..200.0, -200.0..200.0_f64),
    ) {
        // One path, at 60 and at 1,000 events.
        let [slow, fast] = [60, 1000].map(|events| {
            let mut session = grown(300);
            let share = |i: i32| f64::from(i) / f64::from(events);
            let path = (0..=events).map(|i| (x + share(i) * dx, y + share(i) * dy));
            stroke(&mut session, DollBrush::default(), &path.collect::<Vec<_>>());
            session.doll().clone()
        });
        for (a, b) in slow.hairs.iter().zip(&fast.hairs) {
            prop_assert!(a.curve.to.distance(b.curve.to) < 1e-6);
            prop_assert!(a.curve.mid.distance(b.curve.mid) < 1e-6);
        }
    }

    #[test]
    fn the_distance_is_at_most_that_to_any_sample(
        points in prop::array::uniform4((coordinate(), coordinate())),
        scale in prop::sample::select(vec![1e-6, 1.0, 1e6]),
    ) {
        let [from, mid, to, point] = points.map(|(x, y)| scale * v(x, y));
        let curve = Curve { from, mid, to };
        let (t, far) = curve.nearest(point);
        prop_assert!((0.0..=1.0).contains(&t));
        let samples = (0..=2000).map(|i| curve.at(f64::from(i) / 2000.0).distance_squared(point));
        let least = samples.fold(f64::INFINITY, f64::min);
        prop_assert!(far <= least * (1.0 + 1e-9) + 1e-12 * scale * scale, "{far} {least}");
        prop_assert!(far >= 0.0 && (curve.at(t).distance_squared(point) - far).abs() <= 1e-9 * far);
        prop_assert!(curve.passes(point, 1.001 * far.sqrt()));
        prop_assert!(far == 0.0 || !curve.passes(point, 0.999 * far.sqrt()));
    }
}

#[test]
fn the_longest_curve_is_as_the_docs_say() {
    // All control points on the border of the allowed ellipse, for all chords.
    let mut longest: f64 = 0.0;
    for chord in 0..=50 {
        let to = v(f64::from(chord) / 50.0, 0.0);
        for angle in 0..90 {
            let mid = 0.5 * to + 9.0 * DVec2::from_angle(f64::from(angle).to_radians());
            let from = v(0.0, 0.0);
            let mut curve = Curve { from, mid, to };
            curve.settle(1.0);
            longest = longest.max(curve.arc());
        }
    }
    let range = MAX_STRETCH - 0.002..=MAX_STRETCH;
    assert!(range.contains(&longest), "{longest}");
}
