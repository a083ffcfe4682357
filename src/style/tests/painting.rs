//! Strokes on maps, over the head and over the UV layout.

use super::*;
use crate::groom::{Effect, Modifier, Part};
use crate::maps::{Canvas, Dab, Layout, Map, MapUndo, direction_of};
use crate::style::styler::{RESOLUTION, UvSheet};

/// A way over the border of the model's paint.
const TEMPLE: [Vec2; 2] = [Vec2::new(470.0, 230.0), Vec2::new(480.0, 240.0)];

fn follicles(styler: &Styler) -> Vec<u32> {
    styler.strands().follicles.clone()
}

/// Returns the largest distance of points from their mean; there must be more than `min`.
fn extent(points: &[Vec3], min: usize) -> f32 {
    assert!(points.len() > min, "{}", points.len());
    let middle = points.iter().sum::<Vec3>() / points.len() as f32;
    let away = points.iter().map(|point| point.distance(middle));
    away.fold(0.0, f32::max)
}

/// A small map says nothing of where the model's paint ends.
#[test]
fn small_maps_of_density_are_taken_as_they_are() {
    for (width, height) in [(1, 1), (8, 8), (1024, 1)] {
        let layout = Layout::Picture { width, height };
        let mut style = styler(300, 1.0).user_style();
        let black = Map::uniform(layout, MapKind::Density, [0.0; 3]).unwrap();
        style.maps.insert(MapKind::Density, Arc::new(black));
        let saved = Saved {
            style,
            ..Saved::default()
        };
        let config = saved.style.config.clone();
        let bald = Styler::open(Measured::new(HEAD.clone(), None), saved, config, &mut go_on);
        assert!(bald.unwrap().groom().is_empty(), "{width} x {height}");
    }
}

/// A density map is as fine as its values, and the model's paint ends between them. Where a map
/// equals the model's paint, its hair must be that of the model.
#[test]
fn the_first_paint_leaves_hair_elsewhere_alone() {
    let mut styler = styler(3000, 1.0);
    let before = follicles(&styler);
    play(&mut styler, &paint("density", 1.0, 40.0, &TEMPLE), 0);
    let after = follicles(&styler);
    assert!(before.iter().all(|root| after.binary_search(root).is_ok()));
    let positions = &styler.follicles().roots().positions;
    let is_new = |root: &&u32| before.binary_search(root).is_err();
    let new = after.iter().filter(is_new);
    let new: Vec<Vec3> = new.map(|&root| positions[root as usize]).collect();
    assert!(extent(&new, 100) < 0.7);

    // This holds for bald paint too, and a style that is opened again grows alike.
    undo(&mut styler, 1);
    let at = front_root(&styler.strands().roots);
    play(&mut styler, &paint("density", 0.0, 40.0, &[at]), 0);
    let bald = follicles(&styler);
    assert!(bald.len() < before.len());
    assert!(bald.iter().all(|root| before.binary_search(root).is_ok()));
    let saved = Saved {
        style: styler.user_style(),
        ..Saved::default()
    };
    let config = saved.style.config.clone();
    let again = Styler::open(Measured::new(HEAD.clone(), None), saved, config, &mut go_on).unwrap();
    assert_eq!(follicles(&again), bald);
    // The paint that is written back into models, per vertex.
    let model = &styler.part().paint.as_ref().unwrap().density;
    let painted = styler.vertex_density().unwrap();
    let same = model.iter().zip(&painted).filter(|(a, b)| a == b).count();
    assert!(same > model.len() * 9 / 10 && same < model.len(), "{same}");

    undo(&mut styler, 1);
    assert_eq!(follicles(&styler), before);
}

/// White is as no map. A dab shortens the strands under it, and those that clump around them.
#[test]
fn painted_length_leaves_hair_elsewhere_alone() {
    let mut styler = styler(1000, 1.0);
    let plain = styler.groom().clone();
    let layout = Layout::Vertices(styler.part().positions.len() as u32);
    let white = Map::uniform(layout, MapKind::Length, [1.0; 3]).unwrap();
    styler.set_map(white, &mut go_on).unwrap();
    assert!(*styler.groom() == plain);
    undo(&mut styler, 1);
    let at = front_root(&plain.roots);
    play(&mut styler, &paint("length", 0.3, 40.0, &[at]), 0);
    let lengths = &styler.groom().lengths;
    let changed = (0..plain.len()).filter(|&i| lengths[i] != plain.lengths[i]);
    let is_half = |&i: &usize| lengths[i] < 0.5 * plain.lengths[i];
    assert!(changed.clone().filter(is_half).count() > 10);
    let changed: Vec<Vec3> = changed.map(|i| plain.roots[i]).collect();
    assert!(extent(&changed, 20) < 0.6);
    let chin = Vec2::new(430.0, 420.0);
    play(&mut styler, &paint("density", 0.0, 80.0, &[at]), 0);
    assert!(styler.strands().len() < plain.len() - 20);
    play(&mut styler, &paint("density", 1.0, 60.0, &[chin]), 0);
    let mut roots = styler.strands().roots.iter();
    assert!(roots.any(|root| root.y < -0.3), "no beard");
    undo(&mut styler, 3);
    assert!(*styler.groom() == plain);
}

/// The motion of the stroke on the skin is the direction that is painted; the other side gets its
/// mirror image.
#[test]
fn directions_follow_the_stroke() {
    let mut styler = styler(500, 1.0);
    // To the right in the picture, from in front: the head's left.
    let stroke = |points: &str| {
        format!(
            r#"{{"tool":"paint","map":"direction","value":"along","camera":{{"eye":[0,0.5,9],
            "target":[0,0.5,0],"up":[0,1,0],"fov_degrees":30}},"radius":25,"strength":1,
            "falloff":0.1,"mirror":true,"points":[{points}]}}"#
        )
    };
    play(&mut styler, &stroke("[0,450,250]"), 0);
    assert!(styler.style().maps.is_empty(), "a tap has no direction");
    play(&mut styler, &stroke("[0,430,250],[1,480,250]"), 0);
    let map = &styler.style().maps[&MapKind::Direction];
    let mut sides = [0; 2];
    for (vertex, at) in styler.part().positions.iter().enumerate() {
        let value = map.sample_rgb(styler.part(), [vertex as u32; 3], Vec3::X);
        if let Some(direction) = direction_of(value).map(Vec3::normalize) {
            // Skin turns away from the viewer there.
            assert!(direction.x * at.x.signum() > 0.05, "{at}: {direction}");
            assert!(direction.y.abs() < 0.5, "{at}: {direction}");
            sides[usize::from(at.x > 0.0)] += 1;
        }
    }
    assert!(sides.iter().all(|&vertices| vertices > 5), "{sides:?}");
}

#[test]
fn a_stroke_on_the_layout_is_the_same_as_dabs_on_the_head() {
    let mut styler = styler(200, 1.0);
    let stroke = r#"{"tool":"paint","map":"length","value":0.2,"flat":true,"size":[512,512],
        "radius":20,"strength":0.8,"points":[[0,255.5,320.5],[1,255.5,328.5]]}"#;
    play(&mut styler, stroke, 0);
    let layout = styler.uv_layout().unwrap();
    let sheet = UvSheet {
        layout: layout.clone(),
        size: Vec2::splat(512.0),
    };
    let (part, kind) = (styler.part(), MapKind::Length);
    let canvas = Canvas::of_part(part, RESOLUTION);
    let mut map = Map::uniform(canvas.layout(), kind, kind.neutral()).unwrap();
    for y in [324.5, 328.5] {
        let at = Vec2::new(255.5, y);
        let (found, scale) = layout.find(part, at / 512.0).unwrap();
        let (centre, radius) = sheet.ball(part, at, 20.0).unwrap();
        assert_eq!(centre, found);
        // Skin is stretched little there, and not equally in all directions.
        let ratio = radius / (20.0 / 512.0 * scale);
        assert!((0.7..1.4).contains(&ratio), "{ratio}");
        assert!((0.05..1.0).contains(&radius), "{radius}");
        let dab = Dab {
            centre,
            radius,
            strength: 0.8,
            value: Some([0.2; 3]),
            ..Dab::default()
        };
        assert!(map.dab(&canvas, &dab, &mut MapUndo::default()) > 100);
    }
    assert_eq!(*styler.style().maps[&kind], map);
}

#[test]
fn strokes_that_are_cancelled_or_never_meet_skin_leave_nothing() {
    let mut styler = styler(200, 1.0);
    play(&mut styler, &paint("length", 0.3, 80.0, &TEMPLE), 0);
    let (style, grown) = (styler.style().clone(), styler.grown.clone());
    let on_skin = [(390.0, 352.0), (390.0, 390.0)];
    let beside = [(3.0, 2.0), (9.0, 2.0), (-40.0, 700.0), (1e5, 3.0)];
    for map in ["length", "density", "curl"] {
        for (tool, flat, points) in [
            (r#""paint","value":0"#, true, &on_skin[..]),
            (r#""paint","value":0"#, true, &beside),
            (r#""paint","value":0"#, false, &beside),
            (r#""smooth""#, false, &beside),
        ] {
            let more = r#""radius":20,"strength":0.8"#;
            let stroke = format!(r#""tool":{tool},"map":"{map}","flat":{flat},{more}"#);
            begin(&mut styler, &stroke);
            for &(x, y) in points {
                styler.move_to(x, y);
            }
            match points == on_skin {
                true => styler.cancel(),
                false => assert!(!styler.end()),
            }
            assert_eq!(styler.history().len(), 1);
            assert!(styler.style() == &style && styler.grown == grown);
        }
    }
}

/// Fills a side, and checks the values at a distance of the edge that is positive on that side.
fn check_side(
    styler: &mut Styler,
    fill: (MapKind, [f32; 3], FillSide),
    inside: impl Fn(Vec3) -> f32,
    outside: [f32; 3],
) {
    let (kind, value, side) = fill;
    styler
        .fill_map(kind, None, Some(value), Some(side), &mut go_on)
        .unwrap();
    let (map, canvas) = (
        &styler.style().maps[&kind],
        Canvas::of_part(styler.part(), RESOLUTION),
    );
    let mut counts = [0; 3];
    for place in canvas.places() {
        let found = Vec3::from(map.value(place.texel as usize));
        let away = inside(place.position);
        let expected = if away > 0.0 { value } else { outside };
        let is_edge = away.abs() < 0.026;
        assert!(
            is_edge || found.distance(expected.into()) < 1e-4,
            "{side}: {found} at {away}"
        );
        counts[if is_edge { 2 } else { usize::from(away > 0.0) }] += 1;
    }
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}

/// Left is the head's own, +x. An unpainted mask becomes dark elsewhere, as it is bright.
#[test]
fn one_side_of_the_head_or_of_the_parting_is_filled() {
    let mut styler = styler(500, 1.0);
    let (black, white, pink) = ([0.0; 3], [1.0; 3], [1.0, 0.4, 0.7]);
    let left = (MapKind::Mask1, white, FillSide::Left);
    check_side(&mut styler, left, |at| at.x, black);
    let right = (MapKind::Mask1, [0.5; 3], FillSide::Right);
    check_side(&mut styler, right, |at| -at.x, white);
    assert_eq!(styler.undo(&mut go_on).unwrap().unwrap(), "fill right half");
    undo(&mut styler, 1);
    assert!(styler.style().maps.is_empty());
    check_side(
        &mut styler,
        (MapKind::Tint, pink, FillSide::Right),
        |at| -at.x,
        white,
    );
    // On a layer, the other side is not covered.
    for (value, expected) in [(Some(black), black), (None, white)] {
        let left = Some(FillSide::Left);
        (styler.fill_map(MapKind::Tint, Some("half"), value, left, &mut go_on)).unwrap();
        let canvas = Canvas::of_part(styler.part(), RESOLUTION);
        for place in canvas.places() {
            let found = styler.style().maps[&MapKind::Tint].value(place.texel as usize);
            match place.position.x {
                x if x > 0.03 => assert_eq!(found, expected),
                x if x < -0.03 => assert!(Vec3::from(found).distance(pink.into()) < 1e-4),
                _ => {}
            }
        }
    }
    undo(&mut styler, 2);

    let parting = (MapKind::Mask2, white, FillSide::PartingLeft);
    let refused = styler.fill_map(parting.0, None, Some(white), Some(parting.2), &mut go_on);
    assert!(refused.unwrap_err().to_string().contains("add \"part\""));
    // Drawn from the back to the front, and one that does not act before it.
    let line = Part {
        from: [0.3, 1.2, -0.6],
        to: [0.3, 0.9, 0.9],
        ..Part::default()
    };
    let mut config = styler.style().config.clone();
    config.groom.stack = [Part::default(), line]
        .map(|line| Modifier::new(Effect::Part(line)))
        .to_vec();
    config.groom.stack[0].on = false;
    styler.set_config(config, false, &mut go_on).unwrap();
    check_side(&mut styler, parting, |at| at.x - 0.3, black);
    let file = r#"{"tool":"fill","map":"mask3","value":1,"side":"parting-right","radius":9,
        "strength":1,"points":[[0,0,0]]}"#;
    play(&mut styler, file, 0);
    let played = styler.style().maps[&MapKind::Mask3].clone();
    undo(&mut styler, 1);
    let right = (MapKind::Mask3, white, FillSide::PartingRight);
    check_side(&mut styler, right, |at| 0.3 - at.x, black);
    assert!(styler.style().maps[&MapKind::Mask3] == played);
}
