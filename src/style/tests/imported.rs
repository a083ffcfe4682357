//! Hair that is read from files of strands.

use super::*;
use crate::head::{Limits, Model, Up};
use crate::strands::{Form, Shape, Strands as FileStrands, Values};
use glam::DVec3;
use std::path::Path;

fn begun(saved: Saved) -> Styler {
    let head = Arc::new(saved.model.load(&saved.style.config.head).unwrap());
    let config = saved.style.config.clone();
    Styler::open(Measured::new(head, None), saved, config, &mut go_on).unwrap()
}

/// Writes strands and opens them as hair.
fn imported(strands: &FileStrands, heads: &[(Model, HeadSettings)]) -> Saved {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npz");
    strands.save(&path, Form::default(), None).unwrap();
    open_hair(&path, heads, &Limits::default()).unwrap()
}

/// Returns curved hair of the shipped head, in the space of its file.
fn exported() -> (FileStrands, Arc<Groom>) {
    let mut styler = styler(300, 0.75);
    let mut config = styler.style().config.clone();
    config.groom.curl_deg = 40.0;
    styler.set_config(config, false, &mut go_on).unwrap();
    let groom = styler.groom().clone();
    let strands = FileStrands::for_file(&groom, &styler.style().config, Some(&HEAD.units), None);
    (strands, groom)
}

/// Checks that hair is a groom, in any order, within a tolerance.
fn check_same(found: &Groom, meant: &Groom, tolerance: f32) {
    assert_eq!(found.len(), meant.len());
    let per = meant.curves.as_ref().unwrap().per_strand();
    let mut points = [vec![Vec3::ZERO; per], vec![Vec3::ZERO; per]];
    for strand in 0..found.len() {
        let root = found.roots[strand];
        let twin = (0..meant.len()).min_by(|&a, &b| {
            let away = |other: usize| meant.roots[other].distance(root);
            away(a).total_cmp(&away(b))
        });
        found.write_rest(strand, &mut points[0]);
        meant.write_rest(twin.unwrap(), &mut points[1]);
        let off = points[0]
            .iter()
            .zip(&points[1])
            .map(|(a, b)| a.distance(*b));
        let most = off.fold(0.0, f32::max);
        assert!(most < tolerance, "strand {strand}: {most}");
    }
}

#[test]
fn exported_hair_comes_back_on_its_head() {
    let (strands, groom) = exported();
    let saved = imported(&strands, &[]);
    assert_eq!(saved.model, Model::default());
    check_same(begun(saved).groom(), &groom, 1e-4);
}

#[test]
fn the_length_of_imported_hair_follows_the_setting() {
    let saved = imported(&exported().0, &[]);
    let head = Arc::new(saved.model.load(&saved.style.config.head).unwrap());
    let longest = |times: f32| {
        let (measured, mut config) = (
            Measured::new(head.clone(), None),
            saved.style.config.clone(),
        );
        // Clumps change lengths, too.
        config.groom.clump = 0.0;
        config.groom.length *= times;
        let styler = Styler::open(measured, saved.clone(), config, &mut go_on).unwrap();
        styler.groom().lengths.iter().copied().fold(0.0, f32::max)
    };
    let ratio = longest(2.0) / longest(1.0);
    assert!((ratio - 2.0).abs() < 1e-3, "{ratio}");
}

#[test]
fn lines_alone_are_hair_in_the_formats_of_heads() {
    let (strands, groom) = exported();
    let folder = tempfile::tempdir().unwrap();
    for extension in ["glb", "obj", "ply", "usda", "usdc", "usdz"] {
        let path = folder.path().join("a").with_extension(extension);
        strands.save(&path, Form::default(), None).unwrap();
        assert!(opens(&path), "{extension}");
        let saved = open_within(&path, &Limits::default()).unwrap();
        check_same(begun(saved).groom(), &groom, 1e-4);
    }
    let ribbons = folder.path().join("ribbons.glb");
    strands.save(&ribbons, Shape::Ribbons.into(), None).unwrap();
    let shipped = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/models/head.glb"));
    for head in [&*ribbons, shipped] {
        assert!(!opens(head));
    }
}

#[test]
fn curves_beside_a_mesh_are_hair_on_it() {
    let stage = "#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n\
        def Mesh \"skin\"\n{\n    int[] faceVertexCounts = [4]\n\
        int[] faceVertexIndices = [0, 1, 2, 3]\n\
        point3f[] points = [(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0)]\n}\n\
        def BasisCurves \"hair\"\n{\n    int[] curveVertexCounts = [2, 2]\n\
        uniform token type = \"linear\"\n\
        point3f[] points = [(0.3, 0, 0.3), (0.3, 0.2, 0.3), (0.6, 0, 0.6), (0.6, 0.2, 0.6)]\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stage.usda");
    std::fs::write(&path, stage).unwrap();
    assert!(opens(&path));
    let saved = open_within(&path, &Limits::default()).unwrap();
    assert_eq!(saved.model, Model::File(path));
    let styler = begun(saved);
    assert_eq!(styler.groom().len(), 2);
    let unit = styler.head().units.scale;
    for length in &styler.groom().lengths {
        assert!((length - 0.2 * unit).abs() < 1e-3 * unit, "{length}");
    }
    // The skin is not painted: new roots grow where hair was.
    let mut styler = styler;
    let mut config = styler.style().config.clone();
    config.roots.amount = Amount::Strands(400);
    styler.set_config(config, false, &mut go_on).unwrap();
    assert!(styler.groom().len() > 2, "{}", styler.groom().len());
}

#[test]
fn axes_and_units_are_found_by_the_skin() {
    let (mut strands, groom) = exported();
    for [x, y, z] in &mut strands.points {
        [*x, *y, *z] = [*x * 100.0, *z * -100.0, *y * 100.0];
    }
    (strands.up, strands.unit_metres) = (None, None);
    let saved = imported(&strands, &[]);
    assert_eq!(saved.model, Model::default());
    check_same(begun(saved).groom(), &groom, 1e-3);
}

#[test]
fn hair_of_a_turned_head_is_where_the_file_has_it() {
    let (mut strands, groom) = exported();
    let mut config = Config::default();
    config.head.up = Up::Z;
    let turned = FileStrands::for_file(&groom, &config, Some(&HEAD.units), None);
    let folder = tempfile::tempdir().unwrap();
    for extension in ["abc", "glb", "npz", "obj", "usda"] {
        let path = folder.path().join("a").with_extension(extension);
        turned.save(&path, Form::default(), None).unwrap();
        let (read, _) = FileStrands::load(&path, &Limits::default()).unwrap();
        assert_eq!(read.points, strands.points, "{extension}");
    }
    // Other programs write hair that stands upright, as the head does once it is turned.
    let heads = [(Model::default(), config.head)];
    let lying = begun(imported(&strands, &heads));
    for point in &mut strands.points {
        let place = Up::Z.turn() * DVec3::from(point.map(f64::from));
        *point = place.as_vec3().into();
    }
    let upright = begun(imported(&strands, &heads));
    check_same(upright.groom(), lying.groom(), 1e-4);
}

#[test]
fn strands_without_a_head_are_free() {
    let (mut strands, groom) = exported();
    strands.points.iter_mut().for_each(|point| point[0] += 30.0);
    let saved = imported(&strands, &[]);
    assert!(matches!(saved.model, Model::Embedded(_)));
    let styler = begun(saved);
    assert_eq!(styler.groom().len(), groom.len());
    let strands = styler.strands();
    let positions = || strands.positions();
    let [low, high] = [
        positions().map(|p| p.y).fold(f32::INFINITY, f32::min),
        positions().map(|p| p.y).fold(f32::NEG_INFINITY, f32::max),
    ];
    assert!((0.5..=2.8).contains(&(high - low)), "{}", high - low);
}

#[test]
fn imported_hair_is_saved_and_brushed() {
    let (strands, _) = exported();
    let mut styler = begun(imported(&strands, &[]));
    play(
        &mut styler,
        r#"{"tool":"cut","radius":150,"strength":1,"points":[[400,250,0],[400,320,1]]}"#,
        0,
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mohawk");
    let saved = Saved {
        style: styler.user_style(),
        roots: styler.edited_roots(),
        ..Saved::default()
    };
    saved.save(&path).unwrap();
    let again = begun(Saved::open(&path).unwrap());
    assert!(again.groom() == styler.groom(), "the same bits");
    let length = |groom: &Groom| groom.lengths.iter().sum::<f32>();
    assert!(length(again.groom()) < length(begun(imported(&strands, &[])).groom()));

    // Its places belong to the head as it was.
    let saved = Saved::open(&path).unwrap();
    let mut config = saved.style.config.clone();
    config.head.turn_deg = 90.0;
    let head = Arc::new(saved.model.load(&config.head).unwrap());
    let refused = Styler::open(Measured::new(head, None), saved, config, &mut go_on).err();
    assert!(matches!(refused, Some(OpenError::MovedHead)));
}

#[test]
fn other_settings_of_roots_sample_new_ones() {
    let (strands, _) = exported();
    let mut styler = begun(imported(&strands, &[]));
    let own = styler.groom().clone();
    let mut config = styler.style().config.clone();
    config.roots.amount = Amount::Strands(150);
    styler.set_config(config, false, &mut go_on).unwrap();
    assert!(styler.style().edits.roots.is_none());
    assert!(styler.groom().len().abs_diff(150) < 20);
    assert!(
        !styler.style().edits.curves.is_empty(),
        "they take over strands near them"
    );
    styler.undo(&mut go_on).unwrap();
    assert!(*styler.groom() == own, "the same bits");
}

#[test]
fn guides_of_a_file_are_guides() {
    let (mut strands, _) = exported();
    let guides = strands.len() / 5;
    strands.guides = (0..strands.len()).map(|strand| strand % 5 == 0).collect();
    strands.widths = Values::All(0.002);
    let saved = imported(&strands, &[]);
    let share = saved.style.config.sim.guides.share;
    assert!((share - 0.2).abs() < 0.01, "{share}");
    let radius = saved.style.config.look.hair.radius;
    assert!((radius - 0.001).abs() < 1e-6, "{radius}");
    let styler = begun(saved);
    let chosen = styler
        .style()
        .config
        .sim
        .guides
        .chosen(styler.groom())
        .unwrap();
    assert!(chosen.len().abs_diff(guides) <= 1);
    let roots: Vec<Vec3> = (strands.ranges().step_by(5))
        .map(|range| {
            HEAD.units
                .head_from_file(strands.points[range.start].into())
        })
        .collect();
    let is_guide = |root: Vec3| roots.iter().any(|guide| guide.distance(root) < 1e-5);
    let first = &chosen[..guides.min(chosen.len())];
    assert!(
        first
            .iter()
            .all(|&strand| is_guide(styler.groom().roots[strand as usize]))
    );
}
