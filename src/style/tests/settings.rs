//! Settings that are set or overridden, with undo and redo.

use super::*;
use crate::maps::{Layout, Map};
use crate::roots::SampleError;

fn changed(styler: &Styler, change: impl FnOnce(&mut Config)) -> Config {
    let mut config = styler.style().config.clone();
    change(&mut config);
    config
}

/// Changes settings of a session.
pub(crate) fn set(styler: &mut Styler, merge: bool, change: impl FnOnce(&mut Config)) {
    let config = changed(styler, change);
    styler.set_config(config, merge, &mut go_on).unwrap();
}

fn override_with(styler: &mut Styler, config: &Config) {
    styler.override_config(config.clone(), &mut go_on).unwrap();
}

/// Returns the visible state of a session, beginning with the style and the hair.
fn shown(styler: &Styler) -> (Style, Grown, Vec<Vec3>, [usize; 3], u64) {
    let (history, roots) = (styler.history(), styler.follicles().roots());
    (
        styler.style().clone(),
        styler.grown.clone(),
        roots.positions.clone(),
        [history.len(), history.undone(), history.bytes()],
        history.state(),
    )
}

/// Cancels a change at the `from`th call of its progress, then at later ones, and at last lets it
/// finish. Returns the number of calls.
fn cancel_from(
    from: usize,
    styler: &mut Styler,
    mut change: impl FnMut(&mut Styler, Progress) -> Result<(), SampleError>,
) -> usize {
    let before = shown(styler);
    let mut stop = from;
    loop {
        let mut asked = 0;
        // Roots that are known would leave nothing to cancel.
        styler.forget_follicles();
        let done = change(styler, &mut |_| {
            asked += 1;
            match asked == stop {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        if asked < stop {
            assert_eq!(done, Ok(()));
            assert!(stop > from, "the progress was never called");
            return asked;
        }
        assert_eq!(done, Err(SampleError::Cancelled));
        assert!(shown(styler) == before, "stopped at {stop}");
        // There are hundreds of calls.
        stop += if from == 1 { 1 + stop / 6 } else { 1 };
    }
}

#[test]
fn the_settings_of_a_scene_that_a_style_was_opened_with_are_no_step() {
    let mut styler = styler(200, 0.8);
    let user = changed(&styler, |config| config.groom.length = 1.2);
    styler.count_as_override(&user);
    assert_eq!(styler.user_config(), &user);
    assert_eq!(styler.style().config.groom.length, 0.8);
    styler.set_config(user.clone(), false, &mut go_on).unwrap();
    assert!(!styler.is_overridden() && styler.history().is_empty());
    assert_eq!(styler.style().config, user);
}

#[test]
fn a_dragged_setting_is_one_thing_to_undo() {
    let mut styler = styler(200, 0.8);
    let first = shown(&styler);
    for (i, length) in [0.9, 1.0, 1.1].into_iter().enumerate() {
        set(&mut styler, true, |config| config.groom.length = length);
        assert_eq!(styler.history().len(), 1);
        assert_eq!(styler.history().state(), i as u64 + 1);
    }
    let dragged = shown(&styler);
    styler.undo(&mut go_on).unwrap();
    assert_eq!((styler.style(), styler.history().state()), (&first.0, 0));
    assert!(styler.grown == first.1);
    styler.redo(&mut go_on).unwrap();
    assert!(shown(&styler) == dragged);
    // After an undo or a redo, a change is a new thing to undo.
    set(&mut styler, true, |config| config.groom.length = 1.2);
    assert_eq!(styler.history().len(), 2);
    styler.undo(&mut go_on).unwrap();
    set(&mut styler, true, |config| config.groom.length = 1.3);
    assert_eq!(styler.history().len(), 2);
    // So is one without `merge`, or after a stroke.
    set(&mut styler, false, |config| config.groom.length = 1.4);
    assert_eq!(styler.history().len(), 3);
    play(&mut styler, &stroke("comb", ""), 0);
    set(&mut styler, true, |config| config.groom.length = 1.5);
    assert_eq!(styler.history().len(), 5);
    let state = styler.history().state();
    set(&mut styler, true, |_| {});
    assert_eq!(styler.history().state(), state, "nothing was changed");
}

#[test]
fn a_draft_has_some_of_the_strands_until_all_of_them_are_needed() {
    let mut styler = styler(600, 0.75);
    styler.set_share(0.25);
    assert_eq!(styler.draft(), None, "nothing has changed yet");
    set(&mut styler, true, |config| {
        (config.groom.length, config.groom.clump) = (0.9, 0.0);
    });
    assert_eq!(styler.draft(), Some(0.25));
    let draft = styler.grown.clone();
    let part = draft.groom.len() as f32 / 600.0;
    assert!((0.2..0.3).contains(&part), "{part}");

    styler.set_share(1.0);
    set(&mut styler, true, |_| {});
    assert_eq!(styler.draft(), None);
    assert_eq!(
        styler.history().len(),
        1,
        "growing the rest changes no style"
    );
    let all = &styler.grown;
    for (i, number) in draft.planted.numbers.iter().enumerate() {
        let same = all
            .planted
            .numbers
            .iter()
            .position(|other| other == number)
            .unwrap();
        assert_eq!(
            draft.groom.subset(&[i as u32]),
            all.groom.subset(&[same as u32])
        );
    }

    // Brushes never touch a draft.
    styler.set_share(0.25);
    set(&mut styler, true, |config| config.groom.length = 0.8);
    begin(&mut styler, r#""tool":"comb","radius":40,"strength":0.5"#);
    assert_eq!(styler.draft(), None);
    assert_eq!(styler.grown.groom.len(), styler.grown.planted.numbers.len());
    assert!(styler.grown.groom.len() > 2 * draft.groom.len());
}

#[test]
fn settings_of_looks_and_motion_grow_no_hair() {
    let mut styler = styler(200, 0.8);
    // Growing would remove this mark.
    styler.grown.strands_mut().points[5] += Vec3::X;
    let marked = styler.grown.clone();
    set(&mut styler, false, |config| config.sim.hold += 0.125);
    let other_config = changed(&styler, |config| config.sim.hold = 0.0);
    override_with(&mut styler, &other_config);
    styler.undo(&mut go_on).unwrap();
    assert!(styler.grown == marked);
    set(&mut styler, false, |config| config.groom.length = 0.9);
    assert!(styler.grown != marked);
}

#[test]
fn an_override_cannot_be_undone_and_changes_no_state() {
    let mut styler = styler(200, 0.8);
    play(&mut styler, &stroke("comb", ""), 0);
    let own = shown(&styler);
    let with = |length, strands| {
        let mut config = own.0.config.clone();
        config.groom.length = length;
        config.roots.amount = Amount::Strands(strands);
        config
    };
    for (length, strands) in [(1.5, 200), (0.8, 100), (1.2, 90), (1.2, 200)] {
        override_with(&mut styler, &with(length, strands));
        assert_eq!(styler.style().config, with(length, strands));
        assert!(styler.strands().len().abs_diff(strands as usize) < 20);
        assert_eq!((styler.history().len(), styler.history().state()), (1, 1));
    }
    override_with(&mut styler, &with(0.8, 200));
    assert!(shown(&styler) == own);

    // An override of roots ends when the user's are needed.
    override_with(&mut styler, &with(0.8, 100));
    styler.undo(&mut go_on).unwrap();
    assert!(styler.style().edits.is_empty());
    override_with(&mut styler, &with(0.8, 100));
    styler.redo(&mut go_on).unwrap();
    assert!(shown(&styler) == own);
    override_with(&mut styler, &with(0.8, 100));
    play(&mut styler, &stroke("comb", ""), 1);
    assert!(styler.style() == &own.0 && styler.grown == own.1);
    assert!(styler.user_style() == own.0);

    // An override of how hair grows survives strokes, but not other settings.
    override_with(&mut styler, &with(1.5, 200));
    play(&mut styler, &stroke("comb", ""), 1);
    assert_eq!(styler.style().config, with(1.5, 200));
    assert!(styler.user_style() == own.0);
    set(&mut styler, false, |config| config.sim.hold += 0.125);
    let user = styler.style().config.clone();
    styler.undo(&mut go_on).unwrap();
    assert!(styler.style() == &own.0 && styler.grown == own.1);
    override_with(&mut styler, &with(0.5, 200));
    styler.redo(&mut go_on).unwrap();
    assert_eq!(styler.style().config, user);
    // Settings that override and are then set become the user's.
    styler.undo(&mut go_on).unwrap();
    override_with(&mut styler, &with(0.5, 200));
    let state = styler.history().state();
    set(&mut styler, false, |config| *config = with(0.5, 200));
    assert!(styler.history().state() != state && styler.user_style().config == with(0.5, 200));
    override_with(&mut styler, &own.0.config);
    set(&mut styler, false, |config| *config = with(0.5, 200));
    assert_eq!(styler.history().len(), 2);
}

#[test]
fn a_cancelled_change_has_changed_nothing() {
    let mut styler = styler(20, 0.8);
    // Bald skin has follicles too.
    play(&mut styler, ADD, 0);
    play(&mut styler, &stroke("comb", ""), 0);
    set(&mut styler, false, |config| config.roots.seed = 5);
    let other = changed(&styler, |config| {
        config.roots.seed = 9;
        config.groom.length = 1.0;
    });
    let other_config = changed(&styler, |config| config.roots.seed = 7);
    cancel_from(1, &mut styler, |s, progress| {
        s.override_config(other_config.clone(), progress)
    });
    let mut set = |s: &mut Styler, progress: Progress| s.set_config(other.clone(), true, progress);
    let asked = cancel_from(1, &mut styler, &mut set);
    // Cancelled again where edits are transferred at the end.
    styler.undo(&mut go_on).unwrap();
    cancel_from(asked - 5, &mut styler, set);
    override_with(&mut styler, &other_config);
    cancel_from(1, &mut styler, |s, progress| s.undo(progress).map(|_| ()));
    override_with(&mut styler, &other_config);
    cancel_from(1, &mut styler, |s, progress| s.redo(progress).map(|_| ()));
    assert_eq!(styler.style().config, other);
    // A refused change has changed nothing either.
    let before = shown(&styler);
    let fine = changed(&styler, |config| {
        config.roots.amount = Amount::Spacing(1e-5);
    });
    styler.set_config(fine, false, &mut go_on).unwrap_err();
    assert!(shown(&styler) == before);
}

#[test]
fn other_settings_cancel_a_stroke() {
    let mut styler = styler(150, 0.8);
    let before = shown(&styler);
    begin(&mut styler, r#""tool":"delete","strength":1,"radius":200"#);
    styler.move_to(400.0, 200.0);
    set(&mut styler, false, |config| config.roots.seed = 5);
    styler.move_to(420.0, 200.0);
    assert!(!styler.end());
    styler.undo(&mut go_on).unwrap();
    assert!(styler.style() == &before.0 && styler.grown == before.1);
}

#[test]
fn another_style_is_one_thing_to_undo_and_no_root_is_sampled_twice() {
    let mut styler = styler(400, 0.75);
    play(&mut styler, &stroke("comb", ""), 0);
    let mut other = Saved::default();
    other.style.config.roots.amount = Amount::Strands(300);
    other.style.config.groom.length = 1.5;
    let layout = Layout::Vertices(styler.part().positions.len() as u32);
    let map = Map::uniform(layout, MapKind::Density, [0.3; 3]).unwrap();
    other.style.maps.insert(MapKind::Density, Arc::new(map));
    let (combed, before) = (styler.style().clone(), styler.grown.clone());
    styler
        .replace(other.clone(), "preset a", &mut go_on)
        .unwrap();
    assert!(styler.style() == &other.style);
    let (state, replaced) = (styler.history().state(), styler.grown.clone());
    let bald = Saved {
        style: styler.style().clone(),
        ..Saved::default()
    };
    let config = bald.style.config.clone();
    let opened = Styler::open(Measured::new(HEAD.clone(), None), bald, config, &mut go_on).unwrap();
    assert!(opened.grown == replaced, "as opened from a file");

    // From now on all roots are known: nothing reports progress.
    let no_work = &mut |_: f32| panic!("roots are sampled again");
    assert_eq!(styler.undo(no_work).unwrap().as_deref(), Some("preset a"));
    assert!(styler.style() == &combed && styler.grown == before);
    assert_eq!(styler.redo(no_work).unwrap().as_deref(), Some("preset a"));
    assert!(styler.grown == replaced && styler.history().state() == state);
    styler.undo(no_work).unwrap();
    styler.replace(other.clone(), "preset a", no_work).unwrap();
    assert!(styler.grown == replaced);

    // A style of another head changes nothing.
    other.roots.insert(3, Vec3::splat(5.0));
    let now = (styler.style().clone(), styler.history().state());
    styler.replace(other, "preset b", no_work).unwrap_err();
    assert!((styler.style().clone(), styler.history().state()) == now);
}

#[test]
fn opening_ends_when_it_is_cancelled_while_the_skin_is_baked() {
    let mut config = Config::default();
    config.roots.amount = Amount::Strands(10);
    let open = |progress: &mut dyn FnMut(f32) -> ControlFlow<()>| {
        let measured = Measured::new(HEAD.clone(), None).wanting_field(true);
        Styler::open(measured, Saved::default(), config.clone(), progress)
    };
    let mut shares = Vec::new();
    // The roots are sampled by then.
    let cancelled = open(&mut |share| {
        shares.push(share);
        match share > 0.55 {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    let error = cancelled.err();
    assert!(
        matches!(error, Some(OpenError::Sample(SampleError::Cancelled))),
        "{error:?}"
    );
    assert!(shares.is_sorted(), "{shares:?}");
    // With one thread, one follows the other.
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let baked = pool.unwrap().install(|| open(&mut go_on)).unwrap();
        assert!(baked.field().is_some() && baked.field_error().is_none());
    }
}
