//! Properties of random strokes.

use super::*;
use proptest::prelude::*;

/// Strokes over the hair: a brush and the corners of its path.
fn strokes() -> impl Strategy<Value = Vec<(DollBrush, Vec<(f64, f64)>)>> {
    let tools = prop_oneof![
        2 => Just(DollTool::Comb),
        5 => prop::sample::select(DollTool::ALL.to_vec()),
    ];
    let way = prop::collection::vec((250.0..550.0, 80.0..480.0_f64), 1..5);
    let brushes = (tools, 5.0..60.0, 0.05..1.0).prop_map(|(tool, radius, strength)| DollBrush {
        strength,
        ..brush(tool, radius)
    });
    prop::collection::vec((brushes, way), 1..8)
}

/// Does strokes and returns the number of those that changed anything.
fn play(session: &mut DollSession, strokes: &[(DollBrush, Vec<(f64, f64)>)]) -> usize {
    let changed = strokes
        .iter()
        .filter(|(brush, way)| stroke(session, *brush, way));
    changed.count()
}

fn session(hairs: u32) -> DollSession {
    let settings = DollSettings {
        hairs,
        ..DollSettings::default()
    };
    DollSession::new(Doll::grown(settings).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn chords_stay_within_the_length_and_curves_within_the_bound(strokes in strokes()) {
        let mut session = session(300);
        let before: Vec<f64> = session.doll().hairs.iter().map(DollHair::whole_length).collect();
        play(&mut session, &strokes);
        for (hair, before) in session.doll().hairs.iter().zip(before) {
            prop_assert!(hair.whole_length() <= before + 1e-9);
            let Curve { from, to, .. } = hair.curve;
            prop_assert!(from.distance(to) <= hair.length * (1.0 + 1e-12));
            prop_assert!(hair.curve.arc() <= hair.length * MAX_STRETCH);
            prop_assert!(hair.curve.mid.is_finite());
        }
    }

    #[test]
    fn undo_leads_back_to_the_bit_and_redo_forward(strokes in strokes()) {
        let mut session = session(200);
        let grown = session.doll().clone();
        let changed = play(&mut session, &strokes);
        let brushed = session.doll().clone();
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
    fn a_cancelled_stroke_changes_nothing(strokes in strokes()) {
        let mut session = session(200);
        let grown = session.doll().clone();
        for (brush, way) in &strokes {
            session.begin(*brush);
            for &(x, y) in way {
                session.move_to(x, y);
            }
            session.cancel();
        }
        prop_assert!(session.doll() == &grown);
        prop_assert!(session.history().is_empty());
    }

    #[test]
    fn hair_does_not_depend_on_the_rate_of_events(
        (x, y) in (280.0..520.0, 120.0..400.0_f64),
        (dx, dy) in (-200.0..200.0, -200.0..200.0_f64),
    ) {
        // The same path at 60 and at 1,000 events.
        let [slow, fast] = [60, 1000].map(|events| {
            let mut session = session(300);
            session.begin(DollBrush::default());
            for i in 0..=events {
                let share = f64::from(i) / f64::from(events);
                session.move_to(x + share * dx, y + share * dy);
            }
            session.end();
            session.doll().clone()
        });
        for (a, b) in slow.hairs.iter().zip(&fast.hairs) {
            prop_assert!(a.curve.to.distance(b.curve.to) < 1e-6);
            prop_assert!(a.curve.mid.distance(b.curve.mid) < 1e-6);
        }
    }

    #[test]
    fn the_distance_is_at_most_that_to_any_sample(
        points in prop::array::uniform4((-100.0..100.0, -100.0..100.0_f64)),
        scale in prop::sample::select(vec![1e-6, 1.0, 1e6]),
    ) {
        let [from, mid, to, point] = points.map(|(x, y)| scale * v(x, y));
        let curve = Curve { from, mid, to };
        let (t, far) = curve.nearest(point);
        prop_assert!((0.0..=1.0).contains(&t));
        let samples = (0..=2000).map(|i| curve.at(f64::from(i) / 2000.0).distance_squared(point));
        let least = samples.fold(f64::INFINITY, f64::min);
        prop_assert!(far <= least * (1.0 + 1e-9), "{far} {least}");
        prop_assert!(far >= 0.0 && (curve.at(t).distance_squared(point) - far).abs() <= 1e-9 * far);
    }
}

#[test]
fn the_longest_curve_is_as_the_docs_say() {
    // All control points on the border of the allowed ellipse, for all chords.
    let mut longest: f64 = 0.0;
    for chord in 0..=50 {
        let to = v(f64::from(chord) / 50.0, 0.0);
        for angle in 0..90 {
            let (sin, cos) = f64::from(angle).to_radians().sin_cos();
            let mut curve = Curve {
                from: v(0.0, 0.0),
                mid: 0.5 * to + 9.0 * v(cos, sin),
                to,
            };
            curve.settle(1.0);
            longest = longest.max(curve.arc());
        }
    }
    assert!(
        longest <= MAX_STRETCH && longest > MAX_STRETCH - 0.002,
        "{longest}"
    );
}
