//! Strokes over the UV layout.

use super::*;
use crate::maps::{Canvas, Dab, MapUndo};
use crate::style::paint::UvSheet;

const SIZE: [u32; 2] = [512, 512];
/// The top of the forehead in a picture of the shipped head's layout.
const FOREHEAD: Vec2 = Vec2::new(255.5, 320.5);

fn brush(radius: f32) -> Brush {
    Brush {
        tool: Tool::Smooth,
        radius,
        strength: 0.8,
        ..Brush::default()
    }
}

/// Paints over the layout along some points. Returns whether anything changed.
fn paint_flat(
    styler: &mut Styler,
    kind: MapKind,
    paint: Paint,
    brush: Brush,
    points: &[Vec2],
) -> bool {
    styler
        .begin_flat(kind, paint, brush, SIZE, &mut go_on)
        .unwrap();
    for point in points {
        styler.move_to(point.x.into(), point.y.into());
    }
    styler.end()
}

#[test]
fn a_stroke_on_the_layout_is_the_same_as_dabs_on_the_head() {
    let mut styler = styler(200, 1.0);
    let layout = styler.uv_layout().unwrap();
    let (kind, brush) = (MapKind::Length, brush(20.0));
    let way = [FOREHEAD, FOREHEAD + Vec2::new(0.0, 8.0)];
    assert!(paint_flat(
        &mut styler,
        kind,
        Paint::Value([0.2; 3]),
        brush,
        &way
    ));

    let sheet = UvSheet {
        layout: layout.clone(),
        size: Vec2::splat(512.0),
    };
    let part = styler.part();
    let canvas = Canvas::of_part(part, RESOLUTION);
    let mut map = Map::uniform(canvas.layout(), kind, kind.neutral()).unwrap();
    for step in [4.0, 8.0] {
        let at = FOREHEAD + Vec2::new(0.0, step);
        let found = layout.find(part, at / 512.0).unwrap();
        let spot = sheet.spot(part, at, 20.0).unwrap();
        assert_eq!(spot.centre, found.position);
        // Skin is stretched little there, and not equally in all directions.
        let ratio = spot.radius / (20.0 / 512.0 * found.scale);
        assert!((0.7..1.4).contains(&ratio), "{ratio}");
        assert!((0.05..1.0).contains(&spot.radius), "{}", spot.radius);
        let dab = Dab {
            centre: found.position,
            radius: spot.radius,
            strength: 0.8,
            falloff: brush.falloff,
            value: [0.2; 3],
            ..Dab::default()
        };
        assert!(map.dab(&canvas, &dab, &mut MapUndo::default()) > 100);
    }
    assert_eq!(*styler.style().maps[&kind], map);
    // The layout is computed once.
    assert!(Arc::ptr_eq(&layout, &styler.uv_layout().unwrap()));
}

#[test]
fn strokes_on_the_layout_are_undone_and_redone_to_the_bit() {
    let mut styler = styler(200, 1.0);
    let mut states = vec![styler.style().clone()];
    let way = [Vec2::new(200.0, 300.0), Vec2::new(320.0, 330.0)];
    for (kind, paint) in [
        (MapKind::Length, Paint::Value([0.3; 3])),
        (MapKind::Density, Paint::Value([1.0; 3])),
        (MapKind::Density, Paint::Value([0.1; 3])),
        (MapKind::Length, Paint::Smooth),
    ] {
        assert!(
            paint_flat(&mut styler, kind, paint, brush(40.0), &way),
            "{kind}"
        );
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
    // Cancelled, they leave nothing, not even a map that was created for them.
    for kind in [MapKind::Length, MapKind::Curl] {
        let paint = Paint::Value([0.0; 3]);
        (styler.begin_flat(kind, paint, brush(40.0), SIZE, &mut go_on)).unwrap();
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
    for kind in [MapKind::Length, MapKind::Density] {
        for (is_flat, paint) in [
            (true, Paint::Value([0.0; 3])),
            (false, Paint::Value([0.0; 3])),
            (false, Paint::Smooth),
        ] {
            match is_flat {
                true => styler.begin_flat(kind, paint, brush(20.0), SIZE, &mut go_on),
                false => styler.begin_map(kind, paint, brush(20.0), view, &mut go_on),
            }
            .unwrap();
            for (x, y) in [(3.0, 2.0), (9.0, 2.0), (-40.0, 700.0), (1e5, 3.0)] {
                styler.move_to(x, y);
            }
            assert!(!styler.end() && styler.history().is_empty());
            assert!(styler.style() == &style && styler.grown == grown);
        }
    }
}

#[test]
fn models_without_uvs_and_pictures_without_pixels_are_refused() {
    let mut head = (**HEAD).clone();
    let part = head.scalp_part.unwrap();
    head.parts[part].uvs = None;
    let mut config = Config::default();
    config.roots.amount = Amount::Strands(100);
    let styler = Styler::new(Arc::new(head), None, Style::of(config), &mut go_on);
    let mut bare = styler.unwrap().unwrap();
    for (size, expected) in [(SIZE, "\"head\" has no usable UVs"), ([0, 5], "not 0 x 5")] {
        let begun = bare.begin_flat(MapKind::Length, Paint::Smooth, brush(9.0), size, &mut go_on);
        let error = begun.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert!(bare.style().maps.is_empty() && bare.uv_layout().is_none());
    }
}

#[test]
fn stroke_files_hold_strokes_on_the_layout() {
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

    // Replayed, they are the same as by hand.
    let (mut played, mut painted) = (styler(200, 1.0), styler(200, 1.0));
    played.play(&read, &mut go_on).unwrap();
    let (value, brush) = (Paint::Value([0.2; 3]), read.strokes[0].brush());
    let way = [FOREHEAD, FOREHEAD + Vec2::new(0.0, 8.0)];
    assert!(paint_flat(
        &mut painted,
        MapKind::Length,
        value,
        brush,
        &way
    ));
    assert!(played.style() == painted.style());

    let at = r#""radius":20,"strength":1,"flat":true,"points":[[0,9,9]]"#;
    let smooth = format!(r#"{{"tool":"smooth","map":"length",{at}}}"#);
    assert!(file(&smooth).is_ok());
    let fill = r#""fill","map":"length","value":1"#;
    for tool in [r#""comb""#, r#""smooth""#, r#""add""#, fill] {
        let error = file(&format!(r#"{smooth},{{"tool":{tool},{at}}}"#));
        let error = error.unwrap_err().to_string();
        assert!(
            error.starts_with("stroke 2: \"flat\" is only for"),
            "{error}"
        );
    }
}
