//! Strokes on guides, and hair that follows them.

use super::*;
use crate::groom::{Effect, EffectKind, Modifier};

/// Draws a guide from the top of the head to its left side.
fn draw(more: &str) -> String {
    format!(
        r#"{{"tool":"draw","radius":20,"strength":1{more},
        "points":[[0,400,150],[0.1,440,160],[0.2,480,180],[0.3,500,220],[0.4,510,280]]}}"#
    )
}

fn guides(styler: &Styler) -> Vec<Vec<Vec3>> {
    let guides = styler.style().config.groom.guides();
    let guides = guides.map_or(&[][..], |(_, guides)| guides);
    let points = |guide: &Vec<[f32; 3]>| guide.iter().copied().map(Vec3::from).collect();
    guides.iter().map(points).collect()
}

/// Returns the mean distance of points of strands from where they were.
fn moved(old: &Strands, new: &Strands) -> f32 {
    assert_eq!(old.roots, new.roots);
    let share = |strand: usize| {
        let tips = [old, new].map(|strands| strands.strand(strand)[strands.per - 1]);
        tips[0].distance(tips[1])
    };
    (0..old.len()).map(share).sum::<f32>() / old.len() as f32
}

#[test]
fn a_drawn_guide_begins_on_the_skin_and_leads_the_hair() {
    let mut styler = styler(400, 0.5);
    let plain = styler.groom().clone();
    play(&mut styler, &draw(""), 0);
    let drawn = guides(&styler);
    assert_eq!(drawn.len(), 1);
    let away = |p: Vec3| FIELD.distance(p.to_array());
    assert!(away(drawn[0][0]).abs() < 0.02, "{}", drawn[0][0]);
    assert!(drawn[0].iter().all(|&p| away(p) > -0.01), "{drawn:?}");
    let length = strands::length(&drawn[0]);
    assert!(length > 0.8, "{length}");
    let strands = styler.strands();
    let away = |strand: &usize| strands.roots[*strand].distance(drawn[0][0]);
    let near: Vec<usize> = (0..strands.len()).filter(|i| away(i) < 0.5).collect();
    assert!(near.len() > 50 && near.len() < strands.len() / 2);
    assert!(
        near.iter()
            .all(|&strand| (strands.length(strand) - length).abs() < 0.01)
    );
    assert!(styler.deepest().unwrap() < 0.01);
    // The guide goes to the left of the head.
    let aside = |&strand: &usize| strands.strand(strand)[strands.per - 1].x;
    let mean = near.iter().map(aside).sum::<f32>() / near.len() as f32;
    assert!(mean > 0.2, "{mean}");
    // Hair that is farther away than the reach stays.
    for strand in (0..strands.len()).filter(|strand| away(strand) > 1.0) {
        assert!((strands.length(strand) - plain.lengths[strand]).abs() < 1e-4);
    }
    assert_eq!(styler.undo(&mut go_on).unwrap().unwrap(), "draw guides");
    assert!(*styler.groom() == plain && styler.style().config.groom.stack.is_empty());
    styler.redo(&mut go_on).unwrap();
    assert_eq!(guides(&styler), drawn);

    play(&mut styler, &draw(r#","mirror":true"#), 0);
    let all = guides(&styler);
    assert_eq!(all.len(), 3);
    let pairs = all[1].iter().zip(&all[2]);
    assert!(
        pairs
            .clone()
            .all(|(a, b)| (a.x + b.x).abs() < 1e-3 && a.y == b.y)
    );
    // A click draws nothing.
    let state = styler.history().state();
    play(
        &mut styler,
        r#"{"tool":"draw","radius":9,"strength":1,"points":[[0,400,150]]}"#,
        0,
    );
    assert_eq!((guides(&styler), styler.history().state()), (all, state));
}

#[test]
fn guides_are_brushed_planted_and_removed() {
    let mut styler = styler(400, 0.75);
    let stack = vec![Modifier::new(Effect::of(EffectKind::Follow))];
    let mut config = styler.style().config.clone();
    config.groom.stack = stack;
    styler.set_config(config, false, &mut go_on).unwrap();
    assert_eq!(styler.take_guides(Some(0), 30), guides(&styler).len());
    let taken = guides(&styler);
    assert!((15..=30).contains(&taken.len()), "{}", taken.len());
    for tool in [
        "comb", "cut", "grow", "puff", "flatten", "smooth", "clump", "curl", "part",
    ] {
        let before = styler.strands().clone();
        play(&mut styler, &stroke(tool, r#","guides":true"#), 0);
        let now = guides(&styler);
        assert!(now.len() == taken.len() && now != taken, "{tool}");
        let roots = now.iter().zip(&taken);
        assert!(
            roots.into_iter().all(|(a, b)| a[0].distance(b[0]) < 2e-3),
            "{tool}"
        );
        assert!(moved(&before, styler.strands()) > 1e-3, "{tool}");
        assert!(styler.style().edits.is_empty(), "{tool}");
        undo(&mut styler, 1);
        assert!(
            guides(&styler) == taken && *styler.strands() == before,
            "{tool}"
        );
    }
    play(&mut styler, &stroke("delete", r#","guides":true"#), 0);
    let left = guides(&styler);
    assert!(!left.is_empty() && left.len() < taken.len());
    assert!(left.iter().all(|guide| taken.contains(guide)));
    let add = stroke("add", r#","guides":true"#).replace("60", "20");
    play(&mut styler, &add, 0);
    assert!(guides(&styler).len() > left.len());
}

#[test]
fn hair_keeps_its_shape_when_guides_are_taken_from_it() {
    let mut styler = styler(600, 0.75);
    play(&mut styler, &stroke("comb", ""), 0);
    play(&mut styler, &stroke("cut", "").replace("0.8", "0.3"), 0);
    let brushed = styler.strands().clone();
    assert!(!styler.style().edits.curves.is_empty());
    let taken = styler.take_guides(None, 150);
    assert!(taken > 60, "{taken}");
    assert!(styler.style().edits.curves.is_empty());
    let apart = moved(&brushed, styler.strands());
    assert!(apart < 0.12, "{apart}");
    undo(&mut styler, 1);
    assert!(*styler.strands() == brushed && styler.style().config.groom.stack.is_empty());
}

#[test]
fn a_brush_without_guides_says_so_and_changes_nothing() {
    let mut styler = styler(100, 0.75);
    let view = View::new(&Camera::default(), [800, 600]).unwrap();
    let comb = Stroke {
        guides: true,
        ..Stroke::default()
    };
    let error = styler.begin(&comb, view, &mut go_on).unwrap_err();
    assert!(matches!(error, PaintError::NoGuides) && !styler.is_brushing());
    let mut config = styler.style().config.clone();
    config.groom.stack = vec![Modifier::new(Effect::of(EffectKind::Fall)); 32];
    styler.set_config(config, false, &mut go_on).unwrap();
    let draw = Stroke {
        tool: Tool::Draw,
        ..Stroke::default()
    };
    let error = styler.begin(&draw, view, &mut go_on).unwrap_err();
    assert!(matches!(error, PaintError::FullStack));
    assert_eq!(styler.style().config.groom.stack.len(), 32);
    for (stroke, told) in [
        (
            r#"{"tool":"select","guides":true"#,
            "\"guides\" is only for",
        ),
        (
            r#"{"tool":"paint","map":"length","value":1,"guides":true"#,
            "\"guides\" is only for",
        ),
    ] {
        let text = format!(
            r#"{{"version":1,"size":[9,9],"strokes":[{stroke},"radius":9,"strength":1,"points":[[0,1,1]]}}]}}"#
        );
        let error = StrokeFile::from_json(&text).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}
