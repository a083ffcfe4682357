//! Strokes over the UV layout.

use super::*;
use crate::maps::{Canvas, Dab, MapUndo};
use crate::style::paint::UvSheet;
use glam::Vec2;

const SIZE: [u32; 2] = [512, 512];

fn brush(radius: f32) -> Brush {
    Brush {
        tool: Tool::Smooth,
        radius,
        strength: 0.8,
        ..Brush::default()
    }
}

/// Where the top of the forehead is in a picture of the shipped head.
const FOREHEAD: [f32; 2] = [255.5, 320.5];

#[test]
fn a_stroke_on_the_flat_is_the_same_as_dabs_on_the_head() {
    let mut styler = styler(200, 1.0);
    let layout = styler.uv_layout().unwrap();
    let brush = brush(20.0);
    let kind = MapKind::Length;
    (styler.begin_flat(kind, Paint::Value([0.2; 3]), brush, SIZE, &mut go_on)).unwrap();
    let [x, y] = FOREHEAD;
    styler.move_to(x.into(), y.into());
    styler.move_to(x.into(), f64::from(y) + 8.0);
    assert!(styler.end());

    let sheet = UvSheet {
        layout: layout.clone(),
        size: Vec2::splat(512.0),
    };
    let part = styler.part();
    let canvas = Canvas::of_part(part, RESOLUTION);
    let mut map = Map::uniform(canvas.layout(), kind, kind.neutral()).unwrap();
    for step in [4.0, 8.0] {
        let at = Vec2::new(x, y + step);
        let found = layout.find(part, at / 512.0).unwrap();
        let spot = sheet.spot(part, at, 20.0).unwrap();
        assert_eq!(spot.centre, found.position);
        // Skin is not stretched much there, and not the same way in all directions.
        let ratio = spot.radius / (20.0 / 512.0 * found.scale);
        assert!((0.7..1.4).contains(&ratio), "{ratio}");
        let dab = Dab {
            centre: found.position,
            radius: spot.radius,
            strength: 0.8,
            falloff: brush.falloff,
            value: [0.2; 3],
            ..Dab::default()
        };
        assert!(dab.radius > 0.05 && dab.radius < 1.0, "{}", dab.radius);
        assert!(map.dab(&canvas, &dab, &mut MapUndo::default()) > 100);
    }
    assert_eq!(*styler.style().maps[&kind], map);
    // Of another part of the head there is another layout, and nothing is made twice.
    assert!(Arc::ptr_eq(&layout, &styler.uv_layout().unwrap()));
}

#[test]
fn flat_strokes_are_undone_and_done_again_to_the_bit() {
    let mut styler = styler(200, 1.0);
    let mut states = vec![styler.style().clone()];
    for (kind, paint) in [
        (MapKind::Length, Paint::Value([0.3; 3])),
        (MapKind::Density, Paint::Value([1.0; 3])),
        (MapKind::Density, Paint::Value([0.1; 3])),
        (MapKind::Length, Paint::Smooth),
    ] {
        (styler.begin_flat(kind, paint, brush(40.0), SIZE, &mut go_on)).unwrap();
        styler.move_to(200.0, 300.0);
        styler.move_to(320.0, 330.0);
        assert!(styler.end(), "{kind}");
        states.push(styler.style().clone());
    }
    let hair = styler.grown.clone();
    for state in states.iter().rev().skip(1) {
        assert_eq!(styler.undo(&mut go_on).unwrap().as_deref(), Some("paint"));
        assert!(styler.style() == state);
    }
    assert_eq!(styler.undo(&mut go_on).unwrap(), None);
    while styler.redo(&mut go_on).unwrap().is_some() {}
    assert!(Some(styler.style()) == states.last() && styler.grown == hair);
    // Cancelled, as if it had never begun; a map of its own goes too.
    for kind in [MapKind::Length, MapKind::Curl] {
        (styler.begin_flat(kind, Paint::Value([0.0; 3]), brush(40.0), SIZE, &mut go_on)).unwrap();
        styler.move_to(250.0, 300.0);
        styler.move_to(250.0, 330.0);
        styler.cancel();
        assert!(Some(styler.style()) == states.last() && styler.grown == hair);
    }
}

#[test]
fn strokes_that_never_meet_skin_leave_nothing() {
    let mut styler = styler(200, 1.0);
    let (style, grown) = (styler.style().clone(), styler.grown.clone());
    let view = View::new(&Camera::default(), [800, 600]).unwrap();
    let paint = Paint::Value([0.0; 3]);
    let end = |styler: &mut Styler| {
        for (x, y) in [(3.0, 2.0), (9.0, 2.0), (-40.0, 700.0), (1e5, 3.0)] {
            styler.move_to(x, y);
        }
        let changed = styler.end();
        assert!(!changed && styler.history().is_empty());
        assert!(styler.style() == &style && styler.grown == grown);
    };
    for kind in [MapKind::Length, MapKind::Density] {
        (styler.begin_flat(kind, paint, brush(20.0), SIZE, &mut go_on)).unwrap();
        end(&mut styler);
        (styler.begin_map(kind, paint, brush(20.0), view, &mut go_on)).unwrap();
        end(&mut styler);
        (styler.begin_map(kind, Paint::Smooth, brush(20.0), view, &mut go_on)).unwrap();
        end(&mut styler);
    }
}

#[test]
fn models_without_uvs_and_pictures_without_pixels_are_told_of() {
    let mut head = (**HEAD).clone();
    let part = head.scalp_part.unwrap();
    head.parts[part].uvs = None;
    let mut config = Config::default();
    config.roots.amount = Amount::Strands(100);
    let styler = Styler::new(Arc::new(head), None, Style::of(config), &mut go_on);
    let mut bare = styler.unwrap().unwrap();
    let mut begin = |size| {
        let begun = bare.begin_flat(MapKind::Length, Paint::Smooth, brush(9.0), size, &mut go_on);
        let error = begun.unwrap_err().to_string();
        assert!(bare.style().maps.is_empty() && bare.uv_layout().is_none());
        error
    };
    let error = begin(SIZE);
    assert!(error.starts_with("\"head\" has no usable UVs"), "{error}");
    assert!(begin([0, 5]).contains("not 0 x 5"));
}

#[test]
fn stroke_files_know_flat_strokes() {
    let file = |stroke: &str| {
        StrokeFile::from_json(&format!(
            r#"{{"version":1,"size":[512,512],"strokes":[{stroke}]}}"#
        ))
    };
    let paint = r#""tool":"paint","map":"length","value":0.2,"radius":20,"strength":0.8,
        "points":[[0,255.5,320.5],[1,255.5,328.5]]"#;
    let read = file(&format!(r#"{{{paint},"flat":true}}"#)).unwrap();
    let text = serde_json::to_string(&read).unwrap();
    assert!(text.contains(r#""flat":true"#));
    assert_eq!(StrokeFile::from_json(&text).unwrap(), read);
    let on_head = file(&format!("{{{paint}}}")).unwrap();
    assert!(!serde_json::to_string(&on_head).unwrap().contains("flat"));

    // Replayed, it is what painting by hand does.
    let (mut played, mut painted) = (styler(200, 1.0), styler(200, 1.0));
    played.play(&read, &mut go_on).unwrap();
    let kind = MapKind::Length;
    let brush = read.strokes[0].brush();
    (painted.begin_flat(kind, Paint::Value([0.2; 3]), brush, SIZE, &mut go_on)).unwrap();
    painted.move_to(255.5, 320.5);
    painted.move_to(255.5, 328.5);
    assert!(painted.end());
    assert!(played.style() == painted.style());

    let at = r#""radius":20,"strength":1,"flat":true,"points":[[0,9,9]]"#;
    let smooth = format!(r#"{{"tool":"smooth","map":"length",{at}}}"#);
    assert!(file(&smooth).is_ok());
    for tool in [
        r#""comb""#,
        r#""smooth""#,
        r#""add""#,
        r#""fill","map":"length","value":1"#,
    ] {
        let error = file(&format!(r#"{smooth},{{"tool":{tool},{at}}}"#));
        let error = error.unwrap_err().to_string();
        assert!(
            error.starts_with("stroke 2: \"flat\" is only for"),
            "{error}"
        );
    }
}
