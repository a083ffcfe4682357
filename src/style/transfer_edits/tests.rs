use super::*;
use crate::roots::{Amount, Method};
use crate::style::Styler;
use crate::style::tests::{HEAD, assert_saved_style_comes_back, go_on, play, stroke, styler};

fn set_roots(styler: &mut Styler, merge: bool, change: impl FnOnce(&mut RootSettings)) {
    let mut config = styler.style().config.clone();
    change(&mut config.roots);
    styler.set_config(config, merge, &mut go_on).unwrap();
}

/// Combed, cut, planted and thinned out.
fn worked_on(strands: u32) -> Styler {
    let mut styler = styler(strands, 1.2);
    let bare = r#"{"tool":"add","radius":50,"strength":1,"points":[[0,520,330]]}"#;
    let cut = stroke("cut", "").replace(r#""radius":60"#, r#""radius":30"#);
    let delete = stroke("delete", "").replace("0.8", "1").replace("60", "25");
    let all = [&stroke("comb", ""), bare, &cut, &delete];
    play(&mut styler, &all.join(","), 0);
    styler
}

#[test]
fn a_turn_leads_from_one_vector_to_the_other_and_keeps_lengths() {
    let all = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::new(0.6, 0.0, -0.8)];
    for from in all {
        for to in all {
            let turn = Turn::new(from, to);
            let turned = |v: Vec3| turn.turned(v.as_dvec3()).as_vec3();
            assert!(turned(from).distance(to) < 1e-6, "{from} {to}");
            for v in all {
                assert!((turned(v).length() - 1.0).abs() < 1e-6);
            }
            let across = from.cross(to);
            assert!(turned(across).distance(across) < 1e-6, "the smallest");
        }
    }
    let v = Vec3::new(0.1, 0.7, -0.3);
    let same = Turn::new(all[3], all[3]).turned(v.as_dvec3());
    assert_eq!(same.as_vec3(), v);
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
        let (done, state) = (styler.history().len(), styler.state());
        set_roots(&mut styler, false, change);
        assert_eq!(styler.history().len(), done + 1);
        let after = (styler.style().clone(), styler.grown.clone());

        // Alike, whatever their number is.
        let share = |edits: &Edits, count: usize| {
            let bald = edits.planted.values().filter(|&&planted| !planted);
            [edits.curves.len(), edits.planted.len(), bald.count()]
                .map(|edited| edited as f32 / count as f32)
        };
        let old = share(&before.0.edits, positions.len());
        let new = share(&after.0.edits, styler.follicles().len());
        for (old, new) in old.into_iter().zip(new) {
            assert!(
                old > 0.003 && new > 0.4 * old && new < 2.5 * old,
                "{old} {new}"
            );
        }
        let depth = styler.deepest().unwrap();
        assert!(depth < 0.01, "{depth}");

        styler.undo(&mut go_on).unwrap();
        assert!(*styler.style() == before.0 && styler.grown == before.1);
        assert_eq!(styler.follicles().roots().positions, positions);
        assert_eq!(styler.state(), state);
        styler.redo(&mut go_on).unwrap();
        assert!(*styler.style() == after.0 && styler.grown == after.1);

        // Saved, it is opened with its new roots.
        assert_saved_style_comes_back(&styler);
    }
}

#[test]
fn curves_are_those_of_the_nearest_strands() {
    let mut styler = worked_on(600);
    let old = styler.strands().clone();
    let mut edited = vec![false; old.len()];
    for (strand, edited) in edited.iter_mut().enumerate() {
        let curves = &styler.style().edits.curves;
        *edited = curves.contains_key(&old.follicles[strand]);
    }
    styler.field = None; // nothing is turned out of the skin
    set_roots(&mut styler, false, |roots| roots.seed = 9);
    let new = styler.strands();
    let normals = |positions: &[Vec3], follicles: &Follicles| -> BTreeMap<[u32; 3], Vec3> {
        let roots = follicles.roots();
        let bits = |p: Vec3| p.to_array().map(f32::to_bits);
        let all = (0..follicles.len()).map(|i| (bits(roots.positions[i]), roots.face_normals[i]));
        let all: BTreeMap<_, _> = all.collect();
        positions
            .iter()
            .map(|&p| (bits(p), all[&bits(p)]))
            .collect()
    };
    let now = normals(&new.roots, styler.follicles());
    let config = &styler.style().config.roots;
    let settings = RootSettings {
        seed: 1,
        ..config.clone()
    };
    let was = Follicles::of_head(&HEAD, &settings, &mut go_on);
    let mut was = was.unwrap().unwrap();
    was.add_bald(&settings, &mut go_on).unwrap();
    let was = normals(&old.roots, &was);
    let bits = |p: Vec3| p.to_array().map(f32::to_bits);
    let (mut alike, mut others) = (0, 0);
    for strand in 0..new.len() {
        let root = new.roots[strand];
        let same_side = |&i: &usize| now[&bits(root)].dot(was[&bits(old.roots[i])]) > 0.0;
        let away = |i: usize| old.roots[i].distance(root);
        let nearest = (0..old.len())
            .filter(same_side)
            .min_by(|&a, &b| away(a).total_cmp(&away(b)))
            .unwrap();
        let has = styler
            .style()
            .edits
            .curves
            .contains_key(&new.follicles[strand]);
        if has {
            assert!(edited[nearest]);
            // As long, and as far from straight.
            let long = [new.length(strand), old.length(nearest)];
            assert!((long[0] - long[1]).abs() < 1e-4, "{long:?}");
            let last = new.per_strand() - 1;
            let chord = [new.strand(strand)[last], old.strand(nearest)[last]].map(Vec3::length);
            assert!((chord[0] - chord[1]).abs() < 1e-4, "{chord:?}");
            alike += 1;
        } else if edited[nearest] {
            assert!(away(nearest) as f64 > REACH * styler.follicles().roots().spacing as f64 * 0.9);
            others += 1;
        }
    }
    assert!(alike > 50 && others < alike / 5, "{alike} {others}");
}

#[test]
fn lengths_still_follow_settings() {
    let mut styler = worked_on(300);
    styler.field = None;
    let mut config = styler.style().config.clone();
    config.groom.clump = 0.0; // else lengths are not in proportion
    config.roots.seed = 9;
    styler
        .set_config(config.clone(), false, &mut go_on)
        .unwrap();
    let before = styler.strands().clone();
    config.groom.length *= 2.0;
    styler.set_config(config, false, &mut go_on).unwrap();
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
    let straight = {
        let mut styler = worked_on(300);
        set_roots(&mut styler, false, |roots| {
            roots.amount = Amount::Strands(500)
        });
        (styler.style().clone(), styler.grown.clone())
    };
    let done = styler.history().len();
    for strands in [100, 10, 500] {
        set_roots(&mut styler, true, |roots| {
            roots.amount = Amount::Strands(strands)
        });
    }
    assert_eq!(styler.history().len(), done + 1);
    assert!(*styler.style() == straight.0 && styler.grown == straight.1);
    // Another slider in the same drag, and all of it back.
    let mut config = styler.style().config.clone();
    config.sim.hold += 0.125;
    styler.set_config(config, true, &mut go_on).unwrap();
    assert!(styler.grown == straight.1);
    let mut config = before.0.config.clone();
    styler.set_config(config.clone(), true, &mut go_on).unwrap();
    assert!(*styler.style() == before.0 && styler.grown == before.1);
    config.roots.seed = 3;
    styler.set_config(config, true, &mut go_on).unwrap();
    assert_eq!(styler.history().len(), done + 1);
    styler.undo(&mut go_on).unwrap();
    assert!(*styler.style() == before.0 && styler.grown == before.1);
}

#[test]
fn a_plain_style_stays_plain() {
    let mut styler = styler(200, 1.2);
    set_roots(&mut styler, false, |roots| roots.seed = 9);
    assert!(styler.style().is_plain());
}
