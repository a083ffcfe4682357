//! Tests of the rules of the tools with cases computed by hand; `files` tests the formats, `random`
//! properties of random strokes.

mod files;
mod random;

use super::*;
use glam::DVec2;

fn v(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

fn hair(from: DVec2, mid: DVec2, to: DVec2) -> DollHair {
    DollHair {
        held: Vec::new(),
        curve: Curve { from, mid, to },
        length: from.distance(to),
        color: [0.5; 3],
    }
}

fn grown() -> DollSession {
    DollSession::new(Doll::grown(DollSettings::default()).unwrap())
}

fn brush(tool: DollTool, radius: f64) -> DollBrush {
    DollBrush {
        tool,
        radius,
        ..DollBrush::default()
    }
}

/// Does a stroke through points and returns whether it changed anything.
fn stroke(session: &mut DollSession, brush: DollBrush, points: &[(f64, f64)]) -> bool {
    session.begin(brush);
    for &(x, y) in points {
        session.move_to(x, y);
    }
    session.end()
}

/// Returns a hair after a step of the comb from `at - moved` to `at`, or `None` if it was not
/// touched.
fn combed(mut hair: DollHair, at: DVec2, moved: DVec2, strength: f64) -> Option<DollHair> {
    let brush = DollBrush {
        strength,
        ..DollBrush::default()
    };
    let before = hair.clone();
    brush.step(&mut hair, &before, at, moved).then_some(hair)
}

#[test]
fn a_step_along_drags_the_end_and_straightens() {
    // Bent by 20 to the right, and brushed upwards by 4: `to` goes up by 2, `mid` 15 % of the way
    // to the new middle (0, 49).
    let bent = hair(v(0.0, 0.0), v(20.0, 50.0), v(0.0, 100.0));
    let now = combed(bent, v(0.0, 60.0), v(0.0, -4.0), 1.0).unwrap();
    assert_eq!(now.curve.to, v(0.0, 98.0));
    assert_eq!(now.curve.mid, v(20.0 - 3.0, 50.0 - 0.15));
    assert_eq!((now.curve.from, now.length), (v(0.0, 0.0), 100.0));
}

#[test]
fn a_step_across_bends_and_the_chord_is_pulled_back() {
    // Brushed to the right by 4: `mid` goes 1, `to` 2, which is farther than the hair is long.
    let straight = hair(v(0.0, 0.0), v(0.0, 50.0), v(0.0, 100.0));
    let now = combed(straight, v(10.0, 50.0), v(4.0, 0.0), 1.0).unwrap();
    assert_eq!(now.curve.mid, v(1.0, 50.0));
    let far = v(2.0, 100.0);
    assert!(now.curve.to.distance(far * (100.0 / far.length())) < 1e-12);
    assert!((now.curve.to.length() - 100.0).abs() < 1e-12);
}

#[test]
fn half_along_counts_as_along_and_strength_scales_every_share() {
    let slanted = hair(v(0.0, 0.0), v(10.0, 50.0), v(0.0, 100.0));
    let now = combed(slanted, v(0.0, 50.0), v(-4.0, -4.0), 0.5).unwrap();
    // ½ · ½ of the step, then ½ · 15 % of the way from (10, 50) to (-0.5, 49.5).
    assert_eq!(now.curve.to, v(-1.0, 99.0));
    assert!(now.curve.mid.distance(v(10.0 - 0.7875, 50.0 - 0.0375)) < 1e-12);
    let none = combed(
        hair(v(0.0, 0.0), v(9.0, 9.0), v(0.0, 90.0)),
        v(0.0, 50.0),
        v(4.0, 0.0),
        0.0,
    );
    assert_eq!(none.unwrap(), hair(v(0.0, 0.0), v(9.0, 9.0), v(0.0, 90.0)));
}

#[test]
fn hair_is_touched_where_its_curve_is() {
    // The curve's top is at (0, 50): half as high as its control point.
    let arch = Curve {
        from: v(-100.0, 0.0),
        mid: v(0.0, 100.0),
        to: v(100.0, 0.0),
    };
    let (t, far) = arch.nearest(v(0.0, 80.0));
    assert!((t - 0.5).abs() < 1e-9 && (far - 900.0).abs() < 1e-9);
    assert!(arch.passes(v(0.0, 79.999), 30.0) && !arch.passes(v(0.0, 80.001), 30.0));
    // Between the samples of the source, which are a fifth of the curve apart.
    let (t, far) = arch.nearest(arch.at(0.3));
    assert!((t - 0.3).abs() < 1e-9 && far < 1e-18);
    assert!(arch.passes(arch.at(0.3) + v(0.0, 0.5), 0.5));
    assert_eq!(arch.nearest(v(-500.0, -20.0)).0, 0.0);
    assert_eq!(arch.nearest(v(500.0, -20.0)).0, 1.0);
    let untouched = hair(v(0.0, 0.0), v(0.0, 50.0), v(0.0, 100.0));
    assert_eq!(combed(untouched, v(30.1, 50.0), v(4.0, 0.0), 1.0), None);
    // Points, and curves that run back on themselves.
    let point = Curve {
        from: v(3.0, 4.0),
        mid: v(3.0, 4.0),
        to: v(3.0, 4.0),
    };
    assert_eq!(point.nearest(v(0.0, 0.0)).1, 25.0);
    let fold = Curve {
        from: v(0.0, 0.0),
        mid: v(0.0, 100.0),
        to: v(0.0, 0.0),
    };
    assert!((fold.nearest(v(7.0, 60.0)).1 - (49.0 + 100.0)).abs() < 1e-9);
}

#[test]
fn each_hair_moves_once_a_step_and_a_stroke_has_steps_of_four_pixels() {
    let mut session = one(hair(v(0.0, 0.0), v(0.0, 50.0), v(0.0, 100.0)));
    let points = [(-4.0, 90.0), (4.0, 90.0)];
    assert!(stroke(&mut session, DollBrush::default(), &points));
    // Two steps of 4: along the hair is down, so both go across.
    let by_hand = (0..2).fold(hair(v(0.0, 0.0), v(0.0, 50.0), v(0.0, 100.0)), |hair, i| {
        combed(hair, v(4.0 * f64::from(i), 90.0), v(4.0, 0.0), 1.0).unwrap()
    });
    assert_eq!(session.doll().hairs[0], by_hand);
    assert_eq!(session.undo().as_deref(), Some("comb"));
}

/// A session with a doll that has one hair.
fn one(hair: DollHair) -> DollSession {
    let doll = Doll {
        settings: DollSettings::default(),
        hairs: vec![hair],
        clips: Vec::new(),
    };
    DollSession::new(doll)
}

#[test]
fn hair_is_cut_where_it_enters_the_circle() {
    let mut session = one(hair(v(0.0, 0.0), v(0.0, 50.0), v(0.0, 100.0)));
    let tap = |session: &mut DollSession, x: f64, y: f64| {
        stroke(session, brush(DollTool::Cut, 10.0), &[(x, y)])
    };
    assert!(tap(&mut session, 6.0, 60.0));
    // The circle around (6, 60) meets the hair at y = 52.
    let cut = session.doll().hairs[0].clone();
    assert!(cut.curve.to.distance(v(0.0, 52.0)) < 1e-9 && (cut.length - 52.0).abs() < 1e-6);
    assert!(cut.curve.mid.distance(v(0.0, 26.0)) < 1e-9);
    assert!(!tap(&mut session, 6.0, 63.0));
    // A hair of the minimum length is left.
    assert!(tap(&mut session, 0.0, 0.0));
    assert!((session.doll().hairs[0].length - 3.0).abs() < 1e-9);
    assert!(!tap(&mut session, 0.0, 0.0));
}

#[test]
fn cut_hair_is_never_longer_than_it_was() {
    // The curve goes up to 104.2 and back to its end at 100.
    let hook = hair(v(0.0, 0.0), v(0.0, 125.0), v(0.0, 100.0));
    let mut session = one(hook);
    assert!(stroke(
        &mut session,
        brush(DollTool::Cut, 10.0),
        &[(0.0, 113.5)]
    ));
    let cut = &session.doll().hairs[0];
    assert!((cut.length - 100.0).abs() < 1e-9, "{}", cut.length);
    assert!(cut.curve.to.distance(v(0.0, 100.0)) < 1e-9);
}

#[test]
fn bent_hair_is_cut_where_it_enters_the_circle() {
    // The longest curve for its length.
    let mut bent = hair(v(0.0, 0.0), v(55.0, 50.0), v(0.0, 100.0));
    bent.settle();
    let whole = bent.curve;
    let mut session = one(bent);
    let at = v(30.0, 62.0);
    assert!(stroke(
        &mut session,
        brush(DollTool::Cut, 12.0),
        &[at.into()]
    ));
    let cut = session.doll().hairs[0].clone();
    assert!((cut.curve.to.distance(at) - 12.0).abs() < 1e-9);
    assert!(
        whole.nearest(cut.curve.to).1 < 1e-18,
        "on the hair as it was"
    );
    assert!(cut.curve.from.distance(cut.curve.to) <= cut.length * (1.0 + 1e-12));

    // Hair of the minimum length is not cut.
    let tap =
        |session: &mut DollSession| stroke(session, brush(DollTool::Cut, 500.0), &[(0.0, 0.0)]);
    assert!(tap(&mut session));
    let stubble = &session.doll().hairs[0];
    assert!(stubble.length >= 3.0 - 1e-9 && stubble.length < 3.75);
    assert!((stubble.curve.arc() / whole.arc() * 100.0 - 3.0).abs() < 0.6);
    assert!(!tap(&mut session));
}

#[test]
fn clips_without_hair_are_removed_and_their_numbers_reused() {
    let mut session = grown();
    let tap = |session: &mut DollSession, tool: DollTool, at: DVec2, radius: f64| {
        stroke(session, brush(tool, radius), &[at.into()])
    };
    // One clip without hair, and one that holds hair.
    assert!(tap(&mut session, DollTool::Clip, v(50.0, 50.0), 30.0));
    assert!(tap(&mut session, DollTool::Clip, v(310.0, 300.0), 30.0));
    let numbers = |session: &DollSession| -> Vec<u32> {
        let clips = session.doll().clips.iter();
        clips.map(|clip| clip.number).collect()
    };
    assert_eq!(numbers(&session), [1, 2]);
    let tied = session.doll().clone();
    for tool in [DollTool::Cut, DollTool::Reset] {
        assert!(tap(&mut session, tool, v(310.0, 240.0), 300.0));
        assert_eq!(numbers(&session), [1], "{tool:?}");
        assert_eq!(session.undo().as_deref(), Some(tool.name()));
        assert!(session.doll() == &tied);
    }
    // The smallest free number is used.
    let mut doll = tied.clone();
    doll.clips[0].number = u32::MAX;
    let mut session = DollSession::new(doll);
    for x in [100.0, 200.0, 600.0] {
        assert!(tap(&mut session, DollTool::Clip, v(x, 50.0), 30.0));
    }
    assert_eq!(numbers(&session), [u32::MAX, 2, 1, 3, 4]);
}

#[test]
fn clips_hold_their_point_while_the_rest_is_brushed() {
    let mut session = grown();
    let before = session.doll().clone();
    let tap = |session: &mut DollSession, x: f64, y: f64| {
        // Only the first point of a stroke counts.
        stroke(
            session,
            brush(DollTool::Clip, 30.0),
            &[(x, y), (x + 50.0, y)],
        )
    };
    assert!(tap(&mut session, 320.0, 330.0));
    let caught = |doll: &Doll| {
        doll.hairs
            .iter()
            .filter(|hair| !hair.held.is_empty())
            .count()
    };
    assert!(caught(session.doll()) > 40, "{}", caught(session.doll()));
    let tied = session.doll().clone();
    let at = tied.clips[0].at;
    for (hair, was) in tied.hairs.iter().zip(&before.hairs) {
        assert_eq!(hair.root(), was.root());
        if hair.held.is_empty() {
            assert_eq!(hair, was);
        } else {
            assert!(hair.curve.from.distance(at) <= 0.3 * 30.0 + 1e-9);
            assert!((hair.whole_length() - was.length).abs() < 1e-9);
        }
    }
    let points = [
        (300.0, 300.0),
        (340.0, 380.0),
        (250.0, 420.0),
        (420.0, 300.0),
    ];
    assert!(stroke(&mut session, DollBrush::default(), &points));
    let mut moved = 0;
    for (hair, was) in session.doll().hairs.iter().zip(&tied.hairs) {
        assert_eq!(hair.held, was.held);
        if !hair.held.is_empty() {
            assert_eq!(hair.curve.from, was.curve.from);
            moved += usize::from(hair.curve.to != was.curve.to);
        }
    }
    assert!(moved > 20, "{moved}");
    // Without the clip each hair is one curve again, as long as before.
    assert!(tap(&mut session, 322.0, 333.0));
    assert_eq!((caught(session.doll()), session.doll().clips.len()), (0, 0));
    for (hair, was) in session.doll().hairs.iter().zip(&before.hairs) {
        assert!((hair.length - was.length).abs() < 1e-9);
    }
}

#[test]
fn color_dyes_hair_and_reset_restores_it() {
    let mut session = grown();
    let grown = session.doll().clone();
    let across = [(250.0, 300.0), (550.0, 300.0)];
    let dye = DollBrush {
        color: [0.0, 0.0, 1.0],
        ..brush(DollTool::Color, 30.0)
    };
    assert!(stroke(&mut session, dye, &across));
    let dyed = |doll: &Doll| doll.hairs.iter().filter(|hair| hair.color[2] > 0.9).count();
    assert!(dyed(session.doll()) > 100);
    for (hair, was) in session.doll().hairs.iter().zip(&grown.hairs) {
        assert_eq!((hair.curve, hair.length), (was.curve, was.length));
    }
    assert!(stroke(&mut session, DollBrush::default(), &across));
    let reset = brush(DollTool::Reset, 600.0);
    assert!(stroke(&mut session, reset, &across));
    assert!(session.doll() == &grown);
    assert!(!stroke(&mut session, reset, &across) && !session.reset());
    // All three strokes can be undone, and done again.
    while session.undo().is_some() {}
    assert!(session.doll() == &grown);
    assert_eq!(session.redo().as_deref(), Some("color"));
}

#[test]
fn hair_is_laid_out_as_in_the_source() {
    let doll = Doll::grown(DollSettings::default()).unwrap();
    assert_eq!(doll.settings.layers(), [1000, 200]);
    let (origin, radius) = (v(400.0, 240.0), 90.0);
    for (number, hair) in doll.hairs.iter().enumerate() {
        let Curve { from, mid, to } = hair.curve;
        let across = 2.0 * (from.x - origin.x) / radius;
        let (middle, deep, shortest, dark) = match number < 1000 {
            true => (
                origin - v(0.0, 30.0),
                radius - 20.0..=radius + 30.0,
                30.0,
                50.0,
            ),
            false => (origin, radius - 1e-9..=radius + 1e-9, 50.0, 100.0),
        };
        assert!(deep.contains(&from.distance(middle)) && from.y <= middle.y + 1e-9);
        let length = to.y - from.y;
        assert!(length >= shortest - 1e-9 && length <= shortest + 50.0 * across * across + 1e-9);
        assert!((to.x - from.x).abs() <= 15.0);
        assert!(mid.x == from.x && mid.y >= from.y && mid.y <= to.y + 1e-9);
        assert!((hair.length - from.distance(to)).abs() < 1e-9);
        let [r, g, b] = hair.color.map(|channel| f64::from(channel) * 255.0);
        assert!(b >= -1e-4 && b <= dark + 1e-3);
        assert!((r - b - 50.0).abs() < 1e-3 && (g - b - 30.0).abs() < 1e-3);
    }
    // The ranges are filled.
    let most = |of: &dyn Fn(&DollHair) -> f64| doll.hairs.iter().map(of).fold(0.0, f64::max);
    assert!(most(&|hair| hair.length) > 200.0);
    assert!(most(&|hair| f64::from(hair.color[2]) * 255.0) > 95.0);
}

#[test]
fn settings_keep_edits_by_hand() {
    let mut session = grown();
    let comb = [(280.0, 300.0), (520.0, 330.0)];
    assert!(stroke(&mut session, DollBrush::default(), &comb));
    let combed = session.doll().clone();
    let grown = Doll::grown(DollSettings::default()).unwrap();
    let set = |session: &mut DollSession, change: &dyn Fn(&mut DollSettings), merge| {
        let mut settings = session.doll().settings.clone();
        change(&mut settings);
        session.set_settings(settings, merge).unwrap();
    };
    // Colours change, combed hair stays combed.
    set(&mut session, &|s| s.palette = Palette::Pink, false);
    for (hair, was) in session.doll().hairs.iter().zip(&combed.hairs) {
        assert!(hair.curve == was.curve && hair.color != was.color);
    }
    // More hair: the edits stay.
    set(&mut session, &|s| s.hairs = 5000, false);
    assert_eq!(session.doll().hairs.len(), 5000);
    let fringe = session.doll().settings.layers()[0];
    assert_eq!(session.doll().hairs[7].curve, combed.hairs[7].curve);
    assert_eq!(
        session.doll().hairs[fringe + 7].curve,
        combed.hairs[1007].curve
    );
    // A slider dragged to and fro is one step of the history and loses nothing.
    for hairs in [5000, 100, 2000, 1200] {
        set(&mut session, &|s| s.hairs = hairs, true);
    }
    assert_eq!(session.history().len(), 3);
    for (hair, was) in session.doll().hairs.iter().zip(&combed.hairs) {
        assert_eq!(hair.curve, was.curve);
    }
    // Another figure: other hair.
    set(&mut session, &|s| s.figure = Figure::Lion, false);
    assert!(session.doll().hairs[0].root() != combed.hairs[0].root());
    while session.undo().is_some() {}
    assert!(session.doll() == &grown);
    // An active stroke is not lost.
    session.begin(DollBrush::default());
    session.move_to(280.0, 300.0);
    session.move_to(520.0, 330.0);
    set(&mut session, &|s| s.palette = Palette::Blue, false);
    assert_eq!(session.history().len(), 2);
    assert_eq!(session.doll().hairs[7].curve, combed.hairs[7].curve);
    let wrong = DollSettings {
        hairs: 99,
        ..DollSettings::default()
    };
    let error = session.set_settings(wrong, false).unwrap_err();
    assert_eq!(error.to_string(), "hairs = 99: expected 100 to 5000");
}

#[test]
fn figures_and_profiles_grow_hair_of_their_lengths() {
    for figure in Figure::ALL {
        for hairs in COUNTS {
            let settings = DollSettings {
                figure,
                hairs,
                profile: LengthProfile::Custom([100.0; STATIONS]),
                ..DollSettings::default()
            };
            let doll = Doll::grown(settings.clone()).unwrap();
            assert_eq!(doll.hairs.len(), hairs as usize);
            for hair in &doll.hairs {
                assert!(
                    hair.length >= 75.0 && hair.length <= 101.2,
                    "{}",
                    hair.length
                );
            }
            let rare = Doll::grown(DollSettings {
                profile: LengthProfile::Figure,
                ..settings
            });
            let on_page = |place: DVec2| place.cmpge(v(0.0, 0.0)).all() && place.y < 600.0;
            assert!(
                rare.unwrap()
                    .hairs
                    .iter()
                    .all(|hair| on_page(hair.curve.to))
            );
        }
    }
}
