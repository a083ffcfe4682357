//! Sessions on the shipped head.

mod local;
mod mirror;
mod uv_strokes;

use super::brush::Move;
use super::*;
use crate::config::Config;
use crate::groom::Groom;
use crate::head::{Head, HeadSettings};
use crate::maps::{Map, MapKind};
use crate::roots::Amount;
use crate::sim::{Sdf, SdfSettings};
use glam::{Vec2, Vec3};
use proptest::prelude::*;
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};

/// Progress that is never stopped.
pub(super) fn go_on(_: f32) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

pub(super) static HEAD: LazyLock<Arc<Head>> =
    LazyLock::new(|| Arc::new(Head::shipped(&HeadSettings::default()).unwrap()));
static FIELD: LazyLock<Arc<Sdf>> = LazyLock::new(|| {
    let settings = SdfSettings::default();
    Arc::new(Sdf::bake(&HEAD, &settings, &mut go_on).unwrap())
});

pub(super) fn styler(strands: u32, length: f32) -> Styler {
    let mut config = Config::default();
    config.roots.amount = Amount::Strands(strands);
    config.groom.length = length;
    let field = Some(FIELD.clone());
    Styler::new(HEAD.clone(), field, Style::of(config), &mut go_on)
        .unwrap()
        .unwrap()
}

/// A camera from the left and above.
const CAMERA: &str = r#"{"eye":[5,2,7],"target":[0,0.3,0],"up":[0,1,0],"fov_degrees":30}"#;

/// Does strokes, given as JSON, and undoes some. Without strokes, undoes what was done before.
pub(super) fn play(styler: &mut Styler, strokes: &str, undo: u32) {
    if strokes.is_empty() {
        let undo_one = |_| styler.undo(&mut go_on).unwrap();
        return (0..undo).map(undo_one).for_each(drop);
    }
    let text = format!(
        r#"{{"version":1,"camera":{CAMERA},"size":[800,600],"strokes":[{strokes}],"undo":{undo}}}"#
    );
    let file = StrokeFile::from_json(&text).unwrap();
    styler.play(&file, &mut go_on).unwrap();
}

/// A stroke over the mohawk.
pub(super) fn stroke(tool: &str, more: &str) -> String {
    format!(
        r#"{{"tool":"{tool}","radius":60,"strength":0.8{more},
        "points":[[0,380,140],[0.1,420,180],[0.4,460,300]]}}"#
    )
}

/// A stroke at full strength that paints a map.
fn paint(map: &str, value: f32, radius: f32, points: &[Vec2]) -> String {
    let points: Vec<[f32; 3]> = points.iter().map(|p| [0.0, p.x, p.y]).collect();
    format!(
        r#"{{"tool":"paint","map":"{map}","value":{value},"radius":{radius},"strength":1,
        "points":{points:?}}}"#
    )
}

fn segments(strands: &Strands) -> Vec<f32> {
    let length = |pair: &[Vec3]| pair[0].distance(pair[1]);
    let of = |strand| strands.strand(strand).windows(2).map(length);
    (0..strands.len()).flat_map(of).collect()
}

/// Where a root on top, in front, is seen by the camera of [`play`].
fn front_root(roots: &[Vec3]) -> Vec2 {
    let view = View::new(&serde_json::from_str(CAMERA).unwrap(), [800, 600]).unwrap();
    let front = |a: &&Vec3, b: &&Vec3| (a.y + a.z).total_cmp(&(b.y + b.z));
    view.see(*roots.iter().max_by(front).unwrap()).unwrap().at
}

#[test]
fn hair_without_edits_is_what_settings_grow() {
    let styler = styler(500, 0.75);
    let scalp = crate::Scalp::of_head(&HEAD).unwrap();
    let config = &styler.style().config;
    let roots = crate::Roots::sample(&scalp, &config.roots, &mut go_on).unwrap();
    let roots = roots.thinned(&scalp, 1.0);
    let groom = Groom::grow(&roots, &config.groom, config.roots.seed);
    assert_eq!(*styler.groom(), groom);
}

#[test]
fn brushes_keep_lengths_and_stay_out_of_the_skin() {
    for tool in ["comb", "puff", "flatten", "smooth", "clump", "curl"] {
        for mirror in ["", r#","mirror":true"#] {
            let mut styler = styler(800, 1.5);
            let old = styler.strands().clone();
            let stroke = stroke(tool, mirror);
            play(&mut styler, &format!("{stroke},{stroke}"), 0);
            let new = styler.strands();
            let moved = old.points.iter().zip(&new.points);
            let farthest = moved.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            // Upright hair cannot be puffed much.
            let is_weak = matches!(tool, "puff" | "smooth");
            assert!(
                farthest > if is_weak { 0.02 } else { 0.1 },
                "{tool}: {farthest}"
            );
            for (before, after) in segments(&old).into_iter().zip(segments(new)) {
                let apart = (before - after).abs();
                assert!(apart < 1e-5 * before + 5e-7, "{tool}: {before} {after}");
            }
            assert_eq!(old.roots, new.roots);
            let deepest = styler.deepest().unwrap();
            assert!(deepest < 0.005, "{tool}: {deepest}");
        }
    }
}

#[test]
fn cutting_shortens_and_growing_lengthens() {
    let total = |styler: &Styler| segments(styler.strands()).iter().sum::<f32>();
    let mut styler = styler(800, 1.0);
    let before = total(&styler);
    play(&mut styler, &stroke("cut", ""), 0);
    let cut = total(&styler);
    assert!(cut < 0.95 * before, "{before} {cut}");
    let grow = stroke("grow", r#","falloff":0"#).replace("60", "150");
    play(&mut styler, &grow, 0);
    assert!(total(&styler) > 1.05 * cut);
    play(&mut styler, "", 2);
    assert_eq!(total(&styler), before);
}

#[test]
fn hair_is_added_and_removed_where_the_brush_is() {
    let mut styler = styler(800, 0.5);
    let old = styler.strands().follicles.clone();
    play(&mut styler, &stroke("delete", r#","falloff":0"#), 0);
    let fewer = styler.strands().follicles.clone();
    assert!(fewer.len() < old.len() && fewer.iter().all(|f| old.contains(f)));
    let bare = r#"{"tool":"add","radius":50,"strength":1,"points":[[0,520,330]]}"#;
    play(&mut styler, bare, 0);
    let more = &styler.strands().follicles;
    assert!(
        more.len() > fewer.len() + 10,
        "{} {}",
        fewer.len(),
        more.len()
    );
    assert!(fewer.iter().all(|f| more.contains(f)));
}

#[test]
fn painted_density_and_length_show() {
    let mut styler = styler(1000, 1.0);
    let old = styler.strands().clone();
    let at = front_root(&old.roots);
    let short = paint("length", 0.3, 80.0, &[at, at + Vec2::new(3.0, 9.0)]);
    play(&mut styler, &short, 0);
    let now = styler.strands();
    assert_eq!(now.follicles, old.follicles);
    let is_short = |&i: &usize| now.length(i) < 0.5 * old.length(i);
    let shorter = (0..now.len()).filter(is_short).count();
    assert!(shorter > 20 && shorter < now.len(), "{shorter}");
    play(&mut styler, &paint("density", 0.0, 80.0, &[at]), 0);
    let now = styler.strands();
    let remains = |f: &&u32| now.follicles.contains(f);
    let remaining = old.follicles.iter().filter(remains).count();
    let new = now.len() - remaining;
    assert!(
        remaining < old.len() - 20 && new < old.len() / 20,
        "{remaining}, {new}"
    );
    let chin = Vec2::new(430.0, 420.0);
    play(&mut styler, &paint("density", 1.0, 60.0, &[chin]), 0);
    let beard = styler.strands();
    assert!(beard.roots.iter().any(|root| root.y < -0.3), "no beard");
    play(&mut styler, "", 3);
    assert_eq!(*styler.strands(), old);
}

#[test]
fn a_combed_point_goes_half_of_the_brushs_way() {
    let mut styler = styler(600, 1.0);
    let view = View::new(&Camera::default(), [800, 600]).unwrap();
    let roots = styler.strands().roots.iter().enumerate();
    let (strand, _) = roots.max_by(|a, b| a.1.y.total_cmp(&b.1.y)).unwrap();
    let tip = |styler: &Styler| {
        let strands = styler.strands();
        strands.roots[strand] + *strands.strand(strand).last().unwrap()
    };
    let before = tip(&styler);
    let from = view.see(before).unwrap();
    let brush = Brush {
        radius: 5.0,
        strength: 1.0,
        falloff: 0.0,
        ..Brush::default()
    };
    styler.begin(brush, view, &mut go_on).unwrap();
    let to = from.at + Vec2::new(4.0, 0.0);
    styler.step(Move { from: from.at, to });
    let moved = tip(&styler) - before;
    let motion = 4.0 / view.pixels(from.depth);
    // Half of the way across, but for the length that it keeps.
    assert!(
        (moved.x / (0.5 * motion) - 1.0).abs() < 0.1,
        "{moved} {motion}"
    );
    assert!(
        moved.y.abs() < 0.1 * moved.x && moved.z.abs() < 0.2 * moved.x,
        "{moved}"
    );
}

fn random_stroke() -> impl Strategy<Value = String> {
    let maps = ["length", "density"].map(|map| (true, map));
    let tools = Tool::ALL.into_iter().map(|tool| (false, tool.name()));
    let tools = prop::sample::select(tools.chain(maps).collect::<Vec<_>>());
    let way = (300.0..500.0, 80.0..300.0, -60.0..60.0, -60.0..60.0_f64);
    let all = (tools, way, any::<bool>(), 0.1..1.0);
    all.prop_map(|((is_map, name), (x, y, dx, dy), mirror, strength)| {
        let value = strength * 0.5;
        let tool = match is_map {
            true => format!(r#""paint","map":"{name}","value":{value}"#),
            false => format!("{name:?}"),
        };
        format!(
            r#"{{"tool":{tool},"radius":50,"strength":{strength},"mirror":{mirror},
            "points":[[0,{x},{y}],[1,{},{}]]}}"#,
            x + dx,
            y + dy
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn undo_and_redo_give_the_same_bits(
        strokes in prop::collection::vec(random_stroke(), 1..6),
        undo in 1_u32..7,
    ) {
        let mut styler = styler(200, 0.9);
        let mut states = vec![(styler.style().clone(), styler.grown.clone())];
        for stroke in &strokes {
            let before = styler.history().len();
            play(&mut styler, stroke, 0);
            if styler.history().len() > before {
                states.push((styler.style().clone(), styler.grown.clone()));
            }
        }
        let last = states.len() - 1;
        for n in 1..=undo as usize {
            let undone = styler.undo(&mut go_on).unwrap().is_some();
            prop_assert_eq!(undone, n <= last);
            let (style, grown) = &states[last.saturating_sub(n)];
            prop_assert!(styler.style() == style);
            prop_assert!(&styler.grown == grown);
        }
        while styler.redo(&mut go_on).unwrap().is_some() {}
        prop_assert!(styler.style() == &states[last].0);
        prop_assert!(styler.grown == states[last].1);
        assert_saved_style_comes_back(&styler);
        prop_assert!(styler.deepest().unwrap() < 0.01);
    }
}

/// Saved and read again, a style is the same, and so is the hair that grows from it.
pub(super) fn assert_saved_style_comes_back(styler: &Styler) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mohawk");
    let saved = Saved {
        style: styler.style().clone(),
        model: Model::Shipped,
        roots: styler.edited_roots(),
    };
    saved.save(&path).unwrap();
    let read = Saved::open(&path).unwrap();
    assert!(read == saved);
    let again = Styler::new(HEAD.clone(), None, read.style, &mut go_on);
    let again = again.unwrap().unwrap();
    assert!(again.grown == styler.grown);
    assert!(again.misplaced(&read.roots).is_none());
}
