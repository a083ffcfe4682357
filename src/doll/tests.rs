//! Tests of the rules of the tools with cases computed by hand; `files` tests the formats, `random`
//! properties of random strokes.

mod files;
mod random;

use super::*;
use glam::DVec2;

fn v(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

/// Returns a hair from (0, 0) to (0, 100) that is as long as its chord.
fn hair(mid: DVec2) -> DollHair {
    let (from, to) = (v(0.0, 0.0), v(0.0, 100.0));
    DollHair {
        held: Vec::new(),
        curve: Curve { from, mid, to },
        length: 100.0,
        color: [0.5; 3],
    }
}

/// Returns a session with a doll of a number of hairs as they grow.
fn grown(hairs: u32) -> DollSession {
    let settings = DollSettings {
        hairs,
        ..DollSettings::default()
    };
    DollSession::new(Doll::grown(settings).unwrap())
}

/// Returns a session with a doll of one hair.
fn one(hair: DollHair) -> DollSession {
    DollSession::new(Doll {
        settings: DollSettings::default(),
        hairs: vec![hair],
        clips: Vec::new(),
    })
}

fn root(hair: &DollHair) -> DVec2 {
    hair.curves().next().unwrap().from
}

fn brush(tool: DollTool, radius: f64) -> DollBrush {
    DollBrush {
        tool,
        radius,
        ..DollBrush::default()
    }
}

/// Makes a stroke through points and returns `true` if it changed anything.
fn stroke(session: &mut DollSession, brush: DollBrush, points: &[(f64, f64)]) -> bool {
    session.begin(brush);
    for &(x, y) in points {
        session.move_to(x, y);
    }
    session.end()
}

/// Makes a stroke of one point and returns `true` if it changed anything.
fn tap(session: &mut DollSession, tool: DollTool, at: DVec2, radius: f64) -> bool {
    stroke(session, brush(tool, radius), &[at.into()])
}

/// Returns a hair after a step of the comb from `at - moved` to `at`.
fn combed(mut hair: DollHair, at: DVec2, moved: DVec2, strength: f64) -> DollHair {
    let brush = DollBrush {
        strength,
        ..DollBrush::default()
    };
    brush.step(&mut hair, || unreachable!(), at, moved);
    hair
}

#[test]
fn a_step_of_the_comb_moves_hair_as_computed_by_hand() {
    // `mid` before; position and movement of the step; strength; `mid` and `to` after it.
    for case in [
        // Along: `to` moves by half the step, `mid` by 15 % of the way to the new middle (0, 49).
        "20 50   0 60   0 -4   1   17 49.85   0 98",
        // Across: `mid` moves by a quarter of the step. `to` would be farther than the hair is
        // long, and is pulled back.
        "0 50   10 50   4 0   1   1 50   1.99960011996 99.980005998",
        // A diagonal counts as along. The strength scales both shares.
        "10 50   0 50   -4 -4   0.5   9.2125 49.9625   -1 99",
        "9 9   0 50   4 0   0   9 9   0 100",
    ] {
        let n = case.split_whitespace().map(|n| n.parse().unwrap());
        let n: Vec<f64> = n.collect();
        let at = |i: usize| v(n[i], n[i + 1]);
        let now = combed(hair(at(0)), at(2), at(4), n[6]);
        let Curve { from, mid, to } = now.curve;
        let apart = mid.distance(at(7)).max(to.distance(at(9)));
        assert!(apart < 1e-10, "{case}: {mid} {to}");
        assert_eq!((from, now.length), (v(0.0, 0.0), 100.0));
    }
    let straight = hair(v(0.0, 50.0));
    let missed = combed(straight.clone(), v(30.1, 50.0), v(4.0, 0.0), 1.0);
    assert_eq!(missed, straight);
}

#[test]
fn each_hair_moves_once_a_step_and_a_stroke_has_steps_of_four_pixels() {
    let straight = hair(v(0.0, 50.0));
    let mut session = one(straight.clone());
    let points = [(-4.0, 90.0), (4.0, 90.0)];
    assert!(stroke(&mut session, DollBrush::default(), &points));
    // Two steps of 4: along the hair is down, so both go across.
    let by_hand = [0.0, 4.0].into_iter().fold(straight, |hair, x| {
        combed(hair, v(x, 90.0), v(4.0, 0.0), 1.0)
    });
    assert_eq!(session.doll().hairs[0], by_hand);
    assert_eq!(session.undo().as_deref(), Some("comb"));
}

#[test]
fn hair_is_cut_where_it_enters_the_circle() {
    let mut longest = hair(v(55.0, 50.0));
    longest.settle();
    for (whole, at, radius) in [
        (hair(v(0.0, 50.0)), v(6.0, 60.0), 10.0),
        (longest, v(30.0, 62.0), 12.0),
    ] {
        let mut session = one(whole.clone());
        assert!(tap(&mut session, DollTool::Cut, at, radius));
        let cut = session.doll().hairs[0].clone();
        let Curve { from, to, .. } = cut.curve;
        assert!((to.distance(at) - radius).abs() < 1e-9);
        assert!(whole.curve.nearest(to).1 < 1e-18, "on the hair as it was");
        assert!(from.distance(to) <= cut.length * (1.0 + 1e-12) && cut.length < 100.0);
        // Hair of the minimum length is left, and is not cut again.
        assert!(tap(&mut session, DollTool::Cut, DVec2::ZERO, 500.0));
        let stubble = &session.doll().hairs[0];
        assert!(stubble.length >= 3.0 - 1e-9 && stubble.length < 3.75);
        assert!((stubble.curve.arc() / whole.curve.arc() * 100.0 - 3.0).abs() < 0.6);
        assert!(!tap(&mut session, DollTool::Cut, DVec2::ZERO, 500.0));
    }
    // This curve goes up to 104.2 and back to its end at 100; cut, it is not longer than it was.
    let mut session = one(hair(v(0.0, 125.0)));
    assert!(tap(&mut session, DollTool::Cut, v(0.0, 113.5), 10.0));
    let cut = &session.doll().hairs[0];
    assert!((cut.length - 100.0).abs() < 1e-9, "{}", cut.length);
    assert!(cut.curve.to.distance(v(0.0, 100.0)) < 1e-9);
}

#[test]
fn clips_without_hair_are_removed_and_their_numbers_reused() {
    let mut session = grown(1200);
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
    let mut session = grown(1200);
    let before = session.doll().clone();
    let caught = |doll: &Doll| {
        let hairs = doll.hairs.iter();
        hairs.filter(|hair| !hair.held.is_empty()).count()
    };
    // Only the first point of the stroke counts.
    let points = [(320.0, 330.0), (370.0, 330.0)];
    assert!(stroke(&mut session, brush(DollTool::Clip, 30.0), &points));
    assert!(caught(session.doll()) > 40, "{}", caught(session.doll()));
    let tied = session.doll().clone();
    let at = tied.clips[0].at;
    for (hair, was) in tied.hairs.iter().zip(&before.hairs) {
        assert_eq!(root(hair), root(was));
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
    assert!(tap(&mut session, DollTool::Clip, v(322.0, 333.0), 30.0));
    assert_eq!((caught(session.doll()), session.doll().clips.len()), (0, 0));
    for (hair, was) in session.doll().hairs.iter().zip(&before.hairs) {
        assert!((hair.length - was.length).abs() < 1e-9);
    }
}

#[test]
fn color_dyes_hair_and_reset_restores_it() {
    let mut session = grown(1200);
    let grown = session.doll().clone();
    let across = [(250.0, 300.0), (550.0, 300.0)];
    let dye = DollBrush {
        color: [0.0, 0.0, 1.0],
        ..brush(DollTool::Color, 30.0)
    };
    assert!(stroke(&mut session, dye, &across));
    let hairs = session.doll().hairs.iter();
    assert!(hairs.filter(|hair| hair.color[2] > 0.9).count() > 100);
    for (hair, was) in session.doll().hairs.iter().zip(&grown.hairs) {
        assert_eq!((hair.curve, hair.length), (was.curve, was.length));
    }
    assert!(stroke(&mut session, DollBrush::default(), &across));
    let reset = brush(DollTool::Reset, 600.0);
    assert!(stroke(&mut session, reset, &across));
    assert!(session.doll() == &grown);
    assert!(!stroke(&mut session, reset, &across) && !session.reset());
    // Recordings have a reset of all hair as one tap.
    assert!(stroke(&mut session, dye, &across));
    let whole = brush(DollTool::Reset, f64::from(crate::strokes::MAX_RADIUS));
    assert!(stroke(&mut session, whole, &[(400.0, 300.0)]));
    assert!(session.doll() == &grown);
}

#[test]
fn hair_is_laid_out_as_in_the_source() {
    let doll = Doll::grown(DollSettings::default()).unwrap();
    assert_eq!(doll.settings.layers(), [1000, 200]);
    let (origin, radius) = (v(400.0, 240.0), 90.0);
    for (number, hair) in doll.hairs.iter().enumerate() {
        let Curve { from, mid, to } = hair.curve;
        let across = 2.0 * (from.x - origin.x) / radius;
        let (middle, distances, shortest, dark) = match number < 1000 {
            true => (origin - v(0.0, 30.0), [70.0, 120.0], 30.0, 50.0),
            false => (origin, [radius - 1e-9, radius + 1e-9], 50.0, 100.0),
        };
        let distance = from.distance(middle);
        assert!(distance >= distances[0] && distance <= distances[1]);
        assert!(from.y <= middle.y + 1e-9);
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
    let mut session = grown(1200);
    let grown = session.doll().clone();
    let comb = [(280.0, 300.0), (520.0, 330.0)];
    assert!(stroke(&mut session, DollBrush::default(), &comb));
    let combed = session.doll().clone();
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
    let (hairs, fringe) = (&session.doll().hairs, session.doll().settings.layers()[0]);
    assert_eq!(hairs.len(), 5000);
    assert_eq!(hairs[7].curve, combed.hairs[7].curve);
    assert_eq!(hairs[fringe + 7].curve, combed.hairs[1007].curve);
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
    assert!(root(&session.doll().hairs[0]) != root(&combed.hairs[0]));
    while session.undo().is_some() {}
    assert!(session.doll() == &grown);
    // An active stroke is not lost.
    session.begin(DollBrush::default());
    comb.iter().for_each(|&(x, y)| session.move_to(x, y));
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
            let mut settings = DollSettings::default();
            (settings.figure, settings.hairs) = (figure, hairs);
            let mut grow = |profile| {
                settings.profile = profile;
                Doll::grown(settings.clone()).unwrap().hairs
            };
            let even = grow(LengthProfile::Custom([100.0; STATIONS]));
            assert_eq!(even.len(), hairs as usize);
            for DollHair { length, .. } in even {
                assert!((75.0..=101.2).contains(&length), "{length}");
            }
            for hair in grow(LengthProfile::Figure) {
                let tip = hair.curve.to;
                assert!(tip.cmpge(DVec2::ZERO).all() && tip.y < 600.0, "{tip}");
            }
        }
    }
}
