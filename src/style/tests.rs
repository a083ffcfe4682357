//! Sessions on the shipped head.

mod guides;
mod imported;
mod layers;
mod painting;
mod selecting;
pub(super) mod settings;

use super::brush::ThinSkin;
use super::*;
use crate::config::Config;
use crate::groom::Groom;
use crate::head::{Head, HeadSettings};
use crate::maps::MapKind;
use crate::roots::Amount;
use crate::sim::{Sdf, SdfSettings};
use glam::{DVec2, Vec2, Vec3, Vec3Swizzles};
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
    let measured = Measured::new(HEAD.clone(), Some(FIELD.clone()));
    Styler::open(measured, Saved::default(), config, &mut go_on).unwrap()
}

/// A camera from the left and above.
const CAMERA: &str = r#"{"eye":[5,2,7],"target":[0,0.3,0],"up":[0,1,0],"fov_degrees":30}"#;

/// Plays strokes, given as JSON, and undoes the last of them.
pub(super) fn play(styler: &mut Styler, strokes: &str, undo: u32) {
    let text = format!(
        r#"{{"version":1,"camera":{CAMERA},"size":[800,600],"strokes":[{strokes}],"undo":{undo}}}"#
    );
    let file = StrokeFile::from_json(&text).unwrap();
    styler.play(&file, &mut go_on).unwrap();
}

/// Begins a stroke in a view from the front.
fn begin(styler: &mut Styler, stroke: &str) -> View {
    let view = View::new(&Camera::default(), [800, 600]).unwrap();
    let stroke = serde_json::from_str(&format!(r#"{{{stroke},"points":[]}}"#)).unwrap();
    styler.begin(&stroke, view, &mut go_on).unwrap();
    view
}

fn for_hair() -> impl Iterator<Item = Tool> {
    let is_for_hair = |tool: &Tool| !tool.is_for_maps() && *tool != Tool::Draw;
    Tool::ALL.into_iter().filter(is_for_hair)
}

fn undo(styler: &mut Styler, times: u32) {
    for _ in 0..times {
        styler.undo(&mut go_on).unwrap();
    }
}

/// A stroke that adds hair on bald skin.
pub(super) const ADD: &str = r#"{"tool":"add","radius":50,"strength":1,"points":[[0,520,330]]}"#;

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

/// Returns the pixel of a root on top, in front, in the view of [`play`].
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
    assert_eq!(**styler.groom(), groom);
}

#[test]
fn brushes_keep_lengths_and_stay_out_of_the_skin() {
    for tool in ["comb", "puff", "flatten", "smooth", "clump", "curl", "part"] {
        for mirror in ["", r#","mirror":true"#] {
            let mut styler = styler(800, 1.5);
            let old = styler.strands().clone();
            let stroke = stroke(tool, mirror);
            play(&mut styler, &format!("{stroke},{stroke}"), 0);
            let new = styler.strands();
            let moved = old.points.iter().zip(&new.points);
            let farthest = moved.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            // Upright hair cannot be puffed much.
            let min = match tool {
                "puff" | "smooth" => 0.02,
                _ => 0.1,
            };
            assert!(farthest > min, "{tool}: {farthest}");
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
    undo(&mut styler, 2);
    assert_eq!(total(&styler), before);
}

#[test]
fn hair_is_added_and_removed_where_the_brush_is() {
    let mut styler = styler(800, 0.5);
    let old = styler.strands().follicles.clone();
    play(&mut styler, &stroke("delete", r#","falloff":0"#), 0);
    let fewer = styler.strands().follicles.clone();
    assert!(fewer.len() < old.len() && fewer.iter().all(|f| old.contains(f)));
    play(&mut styler, ADD, 0);
    let more = &styler.strands().follicles;
    assert!(more.len() > fewer.len() + 10, "{}", more.len());
    assert!(fewer.iter().all(|f| more.contains(f)));
}

#[test]
fn a_combed_point_goes_half_of_the_brushs_way() {
    let mut styler = styler(600, 1.0);
    let roots = styler.strands().roots.iter().enumerate();
    let (strand, _) = roots.max_by(|a, b| a.1.y.total_cmp(&b.1.y)).unwrap();
    let tip = |styler: &Styler| {
        let strands = styler.strands();
        strands.roots[strand] + *strands.strand(strand).last().unwrap()
    };
    let before = tip(&styler);
    let brush = r#""tool":"comb","radius":5,"strength":1,"falloff":0"#;
    let view = begin(&mut styler, brush);
    let from = view.see(before).unwrap();
    let to = from.at + Vec2::new(4.0, 0.0);
    styler.step([from.at, to].map(|p| p.as_dvec2()));
    let moved = tip(&styler) - before;
    let motion = 4.0 / view.pixels(from.depth);
    // Half of the way across, but for the length that it keeps.
    let share = moved.x / (0.5 * motion);
    assert!((share - 1.0).abs() < 0.1, "{moved} {motion}");
    let sideways = moved.yz().abs() / moved.x;
    assert!(sideways.cmplt(Vec2::new(0.1, 0.2)).all(), "{moved}");
}

/// A hair with a mirrored twin for each strand, without the field: the head itself is not quite
/// symmetric. Returns the number of strands on one side too.
fn with_twins() -> (Styler, usize) {
    let mut styler = styler(400, 1.2);
    let strands = styler.grown.strands_mut();
    let count = strands.len();
    (strands.follicles).extend((count..2 * count).map(|twin| twin as u32));
    for vectors in [
        &mut strands.roots,
        &mut strands.normals,
        &mut strands.points,
    ] {
        vectors.extend_from_within(..);
        let twins = vectors.len() / 2;
        vectors[twins..].iter_mut().for_each(|v| v.x = -v.x);
    }
    styler.lengths = None;
    styler.field = None;
    (styler, count)
}

#[test]
fn mirrored_strokes_are_symmetric() {
    // Follicles have no twins.
    let apart = [Tool::Add, Tool::Delete, Tool::Select];
    for tool in for_hair().filter(|tool| !apart.contains(tool)) {
        let (mut styler, count) = with_twins();
        let brush = format!(r#""tool":"{tool}","radius":60,"strength":0.5,"mirror":true"#);
        begin(&mut styler, &brush);
        let old = styler.strands().clone();
        for i in 0..20 {
            let from = DVec2::new(430.0 + 4.0 * f64::from(i), 170.0);
            styler.step([from, from + DVec2::new(4.0, 0.0)]);
        }
        let (points, twins) = styler.strands().points.split_at(count * old.per);
        let mut farthest = 0.0_f32;
        for (i, (point, twin)) in points.iter().zip(twins).enumerate() {
            let apart = point.distance(twin * Vec3::new(-1.0, 1.0, 1.0));
            assert!(apart < 2e-5, "{tool}: {point} {twin}");
            farthest = farthest.max(point.distance(old.points[i]));
        }
        assert!(farthest > 0.004, "{tool}: {farthest}");
    }
}

/// The field closes nostrils, lips and ears. In these pockets it cannot tell skin from air.
#[test]
fn hair_that_is_planted_in_pockets_is_cut_short() {
    let mut styler = styler(60, 1.0);
    let paint =
        r#"{"tool":"fill","map":"density","value":1,"radius":9,"strength":1,"points":[[0,0,0]]}"#;
    play(&mut styler, paint, 0);
    let is_bald =
        |styler: &Styler, i: usize| styler.follicles().is_bald(styler.strands().follicles[i]);
    let is_pocket = |root: Vec3| FIELD.distance(root.to_array()) < -0.005;
    let cut = |styler: &Styler| {
        let strands = styler.strands();
        let in_pocket = |&i: &usize| is_bald(styler, i) && is_pocket(strands.roots[i]);
        let lengths = (0..strands.len()).filter(in_pocket);
        let lengths = lengths.map(|i| strands.length(i));
        assert!(lengths.clone().all(|length| length < 0.0101));
        lengths.count()
    };
    let some = cut(&styler);
    assert!(some > 10, "{some}");
    assert!(styler.deepest().unwrap() < 0.01);
    // Eyelids are too thin for the field, and hair does not go through them either.
    let thin = ThinSkin::new(styler.follicles().scalp(), &FIELD);
    let strands = styler.strands();
    for strand in (0..strands.len()).filter(|&i| is_bald(&styler, i)) {
        let root = strands.roots[strand];
        let length_outside = thin.length_outside(root, strands.strand(strand));
        assert!(is_pocket(root) || length_outside.is_none(), "{root}");
    }
    // Hair in pockets does not grow.
    let grow = r#"{"tool":"grow","radius":200,"strength":1,"points":[[0,300,300],[1,500,300]]}"#;
    play(&mut styler, grow, 0);
    assert_eq!(cut(&styler), some);
}

/// A stroke beside the head does nothing. Undoing it must not undo what was done before.
#[test]
fn only_the_strokes_of_a_file_are_undone() {
    let mut styler = styler(300, 1.0);
    play(&mut styler, &stroke("comb", ""), 0);
    let (style, done) = (styler.style().clone(), styler.history().len());
    let beside = r#"{"tool":"comb","radius":9,"strength":1,"points":[[0,5,5],[1,9,9]]}"#;
    let cut = stroke("cut", "");
    for (strokes, undo) in [
        (beside.to_owned(), 1),
        (format!("{cut},{beside}"), 2),
        (format!("{beside},{cut}"), 7),
    ] {
        play(&mut styler, &strokes, undo);
        assert!(*styler.style() == style, "{strokes}");
        assert_eq!(styler.history().len(), done);
    }
}

fn random_stroke() -> impl Strategy<Value = String> {
    let tools = for_hair().map(|tool| format!("{:?}", tool.name()));
    let paints = ["length", "density"].into_iter().flat_map(|map| {
        let paint = format!(r#""paint","map":"{map}","value":0.3"#);
        let flat = format!(r#"{paint},"flat":true"#);
        [paint.replace("paint", "fill"), paint, flat]
    });
    let tools = prop::sample::select(tools.chain(paints).collect::<Vec<_>>());
    let way = (300.0..500.0, 80.0..300.0, -60.0..60.0, -60.0..60.0_f64);
    (tools, way, any::<bool>(), 0.1..1.0).prop_map(|(tool, (x, y, dx, dy), mirror, strength)| {
        format!(
            r#"{{"tool":{tool},"radius":50,"strength":{strength},"mirror":{mirror},
                "points":[[0,{x},{y}],[1,{},{}]]}}"#,
            x + dx,
            y + dy
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

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
        // Points of cut hair lie on chords of the curve before the cut. Across a corner of the skin,
        // a chord of 0.06 dm lies up to 0.02 dm under it.
        prop_assert!(styler.deepest().unwrap() < 0.02);
    }
}

/// Asserts that a style is the same when it is saved and read again, and grows the same hair.
pub(super) fn assert_saved_style_comes_back(styler: &Styler) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mohawk");
    let saved = Saved {
        style: styler.style().clone(),
        roots: styler.edited_roots(),
        ..Saved::default()
    };
    saved.save(&path).unwrap();
    let read = Saved::open(&path).unwrap();
    assert!(read == saved);
    let config = read.style.config.clone();
    let again = Styler::open(Measured::new(HEAD.clone(), None), read, config, &mut go_on).unwrap();
    assert!(again.grown == styler.grown);
}
