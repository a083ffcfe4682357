use super::*;
use crate::roots::{Amount, Method};
use crate::style::tests::settings::set;
use crate::style::tests::{ADD, assert_saved_style_comes_back, go_on, play, stroke, styler};
use crate::style::{Strands, Styler};
use glam::Vec3;

fn set_roots(styler: &mut Styler, merge: bool, change: impl FnOnce(&mut RootSettings)) {
    set(styler, merge, |config| change(&mut config.roots));
}

/// Returns a session with hair that is combed, cut, planted and thinned out.
fn worked_on(strands: u32) -> Styler {
    let mut styler = styler(strands, 1.2);
    let cut = stroke("cut", "").replace(r#""radius":60"#, r#""radius":30"#);
    let delete = stroke("delete", "").replace("0.8", "1").replace("60", "25");
    let all = [&stroke("comb", ""), ADD, &cut, &delete];
    play(&mut styler, &all.join(","), 0);
    styler
}

#[test]
fn edits_follow_to_other_roots_and_come_back_to_the_bit() {
    for change in [
        (|roots| roots.seed = 9) as fn(&mut RootSettings),
        |roots| roots.amount = Amount::Strands(900),
        |roots| roots.amount = Amount::Strands(300),
        |roots| roots.method = Method::Variable,
    ] {
        let mut styler = worked_on(600);
        let before = (styler.style().clone(), styler.grown.clone());
        let positions = styler.follicles().roots().positions.clone();
        let (done, state) = (styler.history().len(), styler.history().state());
        set_roots(&mut styler, false, change);
        assert_eq!(styler.history().len(), done + 1);
        let after = (styler.style().clone(), styler.grown.clone());

        // The share of edited follicles is alike, whatever their number is.
        let shares = |edits: &Edits, count: usize| {
            let planted = edits.planted.values().filter(|&&planted| planted).count();
            let removed = edits.planted.len() - planted;
            let edited = [edits.curves.len(), planted, removed];
            edited.map(|edited| edited as f32 / count as f32)
        };
        let old = shares(&before.0.edits, positions.len());
        let new = shares(&after.0.edits, styler.follicles().len());
        for (old, new) in old.into_iter().zip(new) {
            let is_alike = (0.4..2.5).contains(&(new / old));
            assert!(old > 0.003 && is_alike, "{old} {new}");
        }
        let depth = styler.deepest().unwrap();
        assert!(depth < 0.01, "{depth}");

        styler.undo(&mut go_on).unwrap();
        assert!(*styler.style() == before.0 && styler.grown == before.1);
        assert_eq!(styler.follicles().roots().positions, positions);
        assert_eq!(styler.history().state(), state);
        styler.redo(&mut go_on).unwrap();
        assert!(*styler.style() == after.0 && styler.grown == after.1);

        // A saved style is opened with its new roots.
        assert_saved_style_comes_back(&styler);
    }
}

#[test]
fn curves_are_those_of_the_nearest_strands() {
    /// The strands of a session with the normals of their roots, and whether each is edited.
    fn strands(styler: &Styler) -> (Strands, Vec<(Vec3, bool)>) {
        let strands = styler.strands().clone();
        let (roots, edits) = (styler.follicles().roots(), &styler.style().edits);
        let of = |f: &u32| {
            (
                roots.face_normals[*f as usize],
                edits.curves.contains_key(f),
            )
        };
        let all = strands.follicles.iter().map(of).collect();
        (strands, all)
    }
    let mut styler = worked_on(600);
    let (old, was) = strands(&styler);
    styler.field = None; // nothing is turned out of the skin
    set_roots(&mut styler, false, |roots| roots.seed = 9);
    let (new, now) = strands(&styler);
    let (mut alike, mut others) = (0, 0);
    for (strand, (normal, is_edited)) in now.into_iter().enumerate() {
        let away = |&i: &usize| old.roots[i].distance(new.roots[strand]);
        let same_side = (0..old.len()).filter(|&i| normal.dot(was[i].0) > 0.0);
        let nearest = same_side.min_by(|a, b| away(a).total_cmp(&away(b)));
        let nearest = nearest.unwrap();
        if is_edited {
            assert!(was[nearest].1);
            // As long, and as far from straight.
            let long = [new.length(strand), old.length(nearest)];
            assert!((long[0] - long[1]).abs() < 1e-4, "{long:?}");
            let last = new.per_strand() - 1;
            let chord = [new.strand(strand)[last], old.strand(nearest)[last]].map(Vec3::length);
            assert!((chord[0] - chord[1]).abs() < 1e-4, "{chord:?}");
            alike += 1;
        } else if was[nearest].1 {
            let spacing = f64::from(styler.follicles().roots().spacing);
            assert!(f64::from(away(&nearest)) > REACH * spacing * 0.9);
            others += 1;
        }
    }
    assert!(alike > 50 && others < alike / 5, "{alike} {others}");
}

#[test]
fn lengths_still_follow_settings() {
    let mut styler = worked_on(300);
    styler.field = None;
    set(&mut styler, false, |config| {
        config.groom.clump = 0.0; // else lengths are not in proportion
        config.roots.seed = 9;
    });
    let before = styler.strands().clone();
    set(&mut styler, false, |config| config.groom.length *= 2.0);
    let after = styler.strands();
    assert_eq!(before.follicles, after.follicles);
    for (strand, follicle) in after.follicles.iter().enumerate() {
        if styler.style().edits.curves.contains_key(follicle) {
            let ratio = after.length(strand) / before.length(strand);
            assert!((ratio - 2.0).abs() < 1e-3, "{ratio}");
        }
    }
}

#[test]
fn roots_that_are_dragged_there_and_back_are_as_they_were() {
    let mut styler = worked_on(300);
    let before = (styler.style().clone(), styler.grown.clone());
    let mut other = worked_on(300);
    let count = |strands| move |roots: &mut RootSettings| roots.amount = Amount::Strands(strands);
    set_roots(&mut other, false, count(500));
    let straight = (other.style().clone(), other.grown.clone());
    let done = styler.history().len();
    for strands in [100, 10, 500] {
        set_roots(&mut styler, true, count(strands));
    }
    assert_eq!(styler.history().len(), done + 1);
    assert!(*styler.style() == straight.0 && styler.grown == straight.1);
    // Another slider in the same drag, and all of it back.
    set(&mut styler, true, |config| config.sim.hold += 0.125);
    assert!(styler.grown == straight.1);
    let config = before.0.config.clone();
    set(&mut styler, true, |now| *now = config);
    assert!(*styler.style() == before.0 && styler.grown == before.1);
    set_roots(&mut styler, true, |roots| roots.seed = 3);
    assert_eq!(styler.history().len(), done + 1);
    styler.undo(&mut go_on).unwrap();
    assert!(*styler.style() == before.0 && styler.grown == before.1);
}
