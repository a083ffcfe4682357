//! The selection, by strokes and commands, and its effect on brushes.

use super::*;
use crate::groom::{Clump, Effect, Modifier};
use crate::style::selection::clumps;
use std::collections::BTreeSet;

/// A tap in the middle of the mohawk, in the view of [`play`].
fn tap(more: &str) -> String {
    format!(r#"{{"tool":"select","radius":60,"strength":1{more},"points":[[0,400,150]]}}"#)
}

/// Returns how much each strand is selected.
fn selected(styler: &Styler) -> Vec<f32> {
    let selected = styler.selected();
    match selected.is_empty() {
        true => vec![1.0; styler.strands().len()],
        false => selected,
    }
}

fn count(styler: &Styler, is_it: impl Fn(f32) -> bool) -> usize {
    selected(styler).into_iter().filter(|&s| is_it(s)).count()
}

#[test]
fn a_tap_selects_strands_with_a_soft_edge_and_another_adds_to_them() {
    let mut styler = styler(1500, 0.6);
    play(&mut styler, &tap(""), 0);
    let soft = count(&styler, |s| s > 0.0 && s < 1.0);
    let (full, none) = (count(&styler, |s| s == 1.0), count(&styler, |s| s == 0.0));
    assert!(soft > 10 && full > 10 && none > 700, "{soft} {full} {none}");
    // A stroke that passes the same hair again does not harden the edge.
    let before = selected(&styler);
    play(&mut styler, &tap(""), 0);
    let after = selected(&styler);
    let again = before
        .iter()
        .zip(&after)
        .map(|(a, b)| a + (1.0 - a) * a - b);
    assert!(again.into_iter().all(|apart| apart.abs() < 1e-6));
    // Elsewhere it adds, and with a value of 0 it takes away.
    play(&mut styler, &tap("").replace("400,150", "460,200"), 0);
    assert!(count(&styler, |s| s > 0.0) > soft + full);
    play(&mut styler, &tap(r#","value":0,"falloff":0"#), 0);
    let back = selected(&styler).into_iter().zip(&before);
    assert!(
        back.into_iter()
            .all(|(now, &then)| then == 0.0 || now == 0.0)
    );
    undo(&mut styler, 4);
    assert!(styler.style().edits.is_empty());
}

#[test]
fn every_brush_leaves_hair_alone_that_is_not_selected() {
    for tool in for_hair().filter(|&tool| tool != Tool::Select) {
        let mut styler = styler(1500, 0.6);
        play(&mut styler, &tap(""), 0);
        let weights = selected(&styler);
        let brush = format!(
            r#"{{"tool":"{tool}","radius":150,"strength":1,
            "points":[[0,380,140],[0.1,400,170],[0.4,430,210]]}}"#
        );
        let old = styler.strands().clone();
        play(&mut styler, &brush, 0);
        let new = styler.strands();
        if tool == Tool::Add {
            // Hair that is planted is selected at once.
            let is_new = |f: &&u32| old.follicles.binary_search(f).is_err();
            let planted: Vec<&u32> = new.follicles.iter().filter(is_new).collect();
            let selection = &styler.style().edits.selection;
            assert!(planted.iter().all(|&&f| selection.of(f) == 1.0));
            continue;
        }
        let there: BTreeSet<u32> = new.follicles.iter().copied().collect();
        let mut changed = [0; 2];
        for (strand, follicle) in old.follicles.iter().enumerate() {
            let now = new.follicles.binary_search(follicle).ok();
            let is_same = now.is_some_and(|now| new.strand(now) == old.strand(strand));
            changed[usize::from(weights[strand] > 0.0)] += usize::from(!is_same);
            if weights[strand] == 0.0 {
                assert!(is_same && there.contains(follicle), "{tool}: {follicle}");
            }
        }
        assert!(changed[1] > 20 && changed[0] == 0, "{tool}: {changed:?}");
    }
}

#[test]
fn a_half_selected_strand_is_combed_half_as_much() {
    let moved = |selection: &str| {
        let mut styler = styler(600, 1.0);
        if !selection.is_empty() {
            let all = tap(selection).replace("60", "1000");
            play(&mut styler, &all, 0);
        }
        let old = styler.strands().clone();
        let comb =
            r#"{"tool":"comb","radius":100,"strength":0.05,"points":[[0,400,150],[1,404,150]]}"#;
        play(&mut styler, comb, 0);
        let points = old.points.iter().zip(&styler.strands().points);
        points.map(|(a, b)| f64::from(a.distance(*b))).sum::<f64>()
    };
    let (whole, half) = (moved(""), moved(r#","value":0.5,"falloff":0"#));
    let share = half / whole;
    assert!((0.4..0.6).contains(&share), "{whole} {half}");
}

#[test]
fn commands_change_the_selection_and_can_be_undone() {
    let mut styler = styler(1500, 0.6);
    let command = |by: &str| {
        format!(r#"{{"tool":"select","by":"{by}","radius":1,"strength":1,"points":[[0,0,0]]}}"#)
    };
    play(&mut styler, &command("none"), 0);
    assert_eq!(count(&styler, |s| s > 0.0), 0);
    play(&mut styler, &command("invert"), 0);
    assert!(styler.style().edits.selection.is_all());
    assert_eq!(styler.history().len(), 2);
    play(&mut styler, &command("all"), 0);
    assert_eq!(styler.history().len(), 2, "nothing has changed");

    play(&mut styler, &tap(r#","falloff":0"#), 0);
    let first = selected(&styler);
    let some = count(&styler, |s| s == 1.0);
    play(&mut styler, &command("grow"), 0);
    let grown = selected(&styler);
    assert!(first.iter().zip(&grown).all(|(a, b)| a <= b));
    assert!(count(&styler, |s| s == 1.0) > some + some / 10);
    play(&mut styler, &command("soften"), 0);
    assert!(count(&styler, |s| s > 0.0 && s < 1.0) > 10);
    undo(&mut styler, 1);
    assert_eq!(selected(&styler), grown);
    play(&mut styler, &command("shrink"), 0);
    assert!(count(&styler, |s| s == 1.0) < grown.iter().filter(|&&s| s == 1.0).count());
    assert_saved_style_comes_back(&styler);

    // A mask map that was not painted is bright.
    play(&mut styler, &command("mask2"), 0);
    assert!(styler.style().edits.selection.is_all());
    let half = r#"{"tool":"fill","map":"mask2","value":0.25,"radius":9,"strength":1,
        "points":[[0,0,0]]}"#;
    play(&mut styler, half, 0);
    play(&mut styler, &command("mask2"), 0);
    assert!(selected(&styler).iter().all(|s| (s - 0.25).abs() < 1e-4));
}

#[test]
fn a_clump_is_selected_as_a_whole() {
    let mut styler = styler(1500, 0.6);
    let mut config = styler.style().config.clone();
    config.groom.clump = 0.0;
    let clump = |size| {
        let effect = Effect::Clump(Clump {
            size,
            ..Clump::default()
        });
        Modifier::new(effect)
    };
    config.groom.stack = vec![clump(0.3), clump(0.05)];
    styler.set_config(config, false, &mut go_on).unwrap();
    // A small brush takes the wider clumps of the strands under it, each as a whole.
    let tap = r#"{"tool":"select","by":"clump","radius":3,"strength":1,"falloff":0,
        "points":[[0,400,170]]}"#;
    play(&mut styler, tap, 0);
    let (strands, selected) = (styler.strands(), selected(&styler));
    let clumps = clumps(strands, &styler.style().config.groom);
    let touched = || (0..strands.len()).filter(|&i| selected[i] > 0.0);
    let chosen: BTreeSet<u32> = touched().map(|i| clumps[i]).collect();
    assert!(!chosen.is_empty() && 5 * chosen.len() < touched().count());
    for (clump, selected) in clumps.iter().zip(&selected) {
        assert_eq!(*selected, f32::from(u8::from(chosen.contains(clump))));
    }
}

/// Hair that grew on bald skin after a part was deselected could not be combed.
#[test]
fn hair_that_grows_later_is_selected_as_all_was() {
    let mut styler = styler(300, 0.6);
    let rest = |styler: &Styler| {
        let selection = &styler.style().edits.selection;
        assert!(!selection.is_all());
        selection.of(u32::MAX)
    };
    play(&mut styler, &tap(r#","value":0"#), 0);
    assert_eq!(rest(&styler), 1.0);
    styler.select(SelectBy::Invert);
    assert_eq!(rest(&styler), 0.0);
}

#[test]
fn a_selection_goes_over_to_other_roots() {
    let mut styler = styler(800, 0.6);
    play(&mut styler, &tap(r#","falloff":0"#), 0);
    let place = |styler: &Styler| {
        let (strands, selected) = (styler.strands(), selected(styler));
        let chosen = (0..strands.len()).filter(|&i| selected[i] > 0.5);
        let roots: Vec<Vec3> = chosen.map(|i| strands.roots[i]).collect();
        let share = roots.len() as f32 / strands.len() as f32;
        (roots.iter().sum::<Vec3>() / roots.len() as f32, share)
    };
    let (middle, share) = place(&styler);
    let mut config = styler.style().config.clone();
    config.roots.seed += 1;
    styler.set_config(config, false, &mut go_on).unwrap();
    let (new_middle, new_share) = place(&styler);
    assert!(middle.distance(new_middle) < 0.1, "{middle} {new_middle}");
    assert!((new_share / share - 1.0).abs() < 0.3, "{share} {new_share}");
}

/// A parting from the front to the back over the middle of the head, seen from above.
#[test]
fn hair_falls_to_both_sides_of_a_parting() {
    let mut styler = styler(2000, 1.2);
    let view = Camera {
        eye: [0.05, 9.0, 0.05],
        target: [0.05, 0.0, 0.0],
        up: [0.0, 0.0, -1.0],
        fov_degrees: 30.0,
    };
    let view = View::new(&view, [800, 600]).unwrap();
    let sides = |styler: &Styler| {
        let strands = styler.strands();
        let mut sums = [0.0_f32; 2];
        for strand in 0..strands.len() {
            let (root, tip) = (
                strands.roots[strand],
                *strands.strand(strand).last().unwrap(),
            );
            if root.x.abs() < 0.3 && root.y > 0.6 {
                sums[usize::from(root.x > 0.0)] += tip.x / tip.length();
            }
        }
        sums
    };
    let before = sides(&styler);
    let brush = r#"{"tool":"part","radius":60,"strength":1,"points":[]}"#;
    let brush: Stroke = serde_json::from_str(brush).unwrap();
    styler.begin(&brush, view, &mut go_on).unwrap();
    let [front, back] = [0.7, -0.7].map(|z| view.see(Vec3::new(0.0, 1.0, z)).unwrap().at);
    styler.move_to(front.x.into(), front.y.into());
    styler.move_to(back.x.into(), back.y.into());
    assert!(styler.end());
    let [left, right] = sides(&styler);
    assert!(left < before[0].min(0.0) - 5.0, "{before:?} {left} {right}");
    assert!(
        right > before[1].max(0.0) + 5.0,
        "{before:?} {left} {right}"
    );
    assert!(styler.deepest().unwrap() < 0.005);
}
