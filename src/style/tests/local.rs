//! Paint changes what is under the brush, and nothing else.

use super::*;

/// Over the border of the paint.
const TEMPLE: [Vec2; 2] = [Vec2::new(470.0, 230.0), Vec2::new(480.0, 240.0)];

fn follicles(styler: &Styler) -> Vec<u32> {
    styler.strands().follicles.clone()
}

/// A density map is as fine as its values, the model's paint ends between them; and where a map is
/// only what the model says, it must not matter that there is one.
#[test]
fn the_first_paint_leaves_hair_elsewhere_alone() {
    let mut styler = styler(3000, 1.0);
    let before = follicles(&styler);
    play(&mut styler, &paint("density", 1.0, 40.0, &TEMPLE), 0);
    let after = follicles(&styler);
    assert!(before.iter().all(|root| after.binary_search(root).is_ok()));
    let roots = styler.follicles().roots();
    let place = |&root: &u32| roots.positions[root as usize];
    let new: Vec<Vec3> = (after.iter())
        .filter(|root| before.binary_search(root).is_err())
        .map(place)
        .collect();
    assert!(new.len() > 100, "{}", new.len());
    let middle = new.iter().sum::<Vec3>() / new.len() as f32;
    let farthest = new.iter().map(|p| p.distance(middle)).fold(0.0, f32::max);
    assert!(farthest < 0.7, "{farthest} dm away");

    // So does bald paint, and what is opened again grows the same.
    styler.undo(&mut go_on).unwrap();
    play(&mut styler, &paint("density", 0.0, 40.0, &TEMPLE), 0);
    let bald = follicles(&styler);
    assert!(bald.iter().all(|root| before.binary_search(root).is_ok()));
    let saved = Saved {
        style: styler.user_style(),
        ..Saved::default()
    };
    let config = saved.style.config.clone();
    let again = Styler::open(HEAD.clone(), None, saved, config, &mut go_on).unwrap();
    assert_eq!(follicles(&again), bald);

    // Undone to where there is no map.
    styler.undo(&mut go_on).unwrap();
    assert_eq!(follicles(&styler), before);
}

/// The same with values per vertex, and in what is written back into models.
#[test]
fn the_models_paint_comes_back_where_nobody_painted() {
    let mut styler = styler(500, 1.0);
    let model = styler.part().paint.as_ref().unwrap().density.clone();
    play(&mut styler, &paint("density", 0.5, 40.0, &TEMPLE), 0);
    let painted = styler.vertex_density().unwrap();
    let same = model.iter().zip(&painted).filter(|(a, b)| a == b).count();
    assert!(same > model.len() * 9 / 10 && same < model.len(), "{same}");
}

/// The way of the stroke on the skin is the direction that is painted, and its mirror image on the
/// other side.
#[test]
fn directions_follow_the_stroke() {
    let mut styler = styler(500, 1.0);
    // To the right in the picture, from in front: the head's left.
    let file = |points: &str| {
        let text = format!(
            r#"{{"version":1,"camera":{{"eye":[0,0.5,9],"target":[0,0.5,0],"up":[0,1,0],"fov_degrees":30}},
            "size":[800,600],"strokes":[{{"tool":"paint","map":"direction","value":"along",
            "radius":25,"strength":1,"falloff":0.1,"mirror":true,"points":[{points}]}}],"undo":0}}"#
        );
        StrokeFile::from_json(&text).unwrap()
    };
    styler.play(&file("[0,450,250]"), &mut go_on).unwrap();
    assert!(styler.style().maps.is_empty(), "a tap goes nowhere");
    let stroke = file("[0,430,250],[1,480,250]");
    styler.play(&stroke, &mut go_on).unwrap();
    let map = &styler.style().maps[&MapKind::Direction];
    let painted = |(vertex, place): (usize, &Vec3)| {
        let value = map.sample_rgb(styler.part(), [vertex as u32; 3], Vec3::X);
        Some((*place, crate::maps::direction_of(value)?))
    };
    let places = styler.part().positions.iter().enumerate();
    let painted: Vec<(Vec3, Vec3)> = places.filter_map(painted).collect();
    let sides = [1.0, -1.0].map(|side| painted.iter().filter(|(at, _)| at.x * side > 0.0).count());
    assert!(sides.iter().all(|&vertices| vertices > 5), "{sides:?}");
    for (at, way) in painted {
        // Skin turns away from the viewer there.
        let way = way.normalize();
        assert!(way.x * at.x.signum() > 0.05, "{at}: {way}");
        assert!(way.y.abs() < 0.5, "{at}: {way}");
    }
    // As recorded strokes are written.
    let text = serde_json::to_string(&stroke).unwrap();
    assert_eq!(StrokeFile::from_json(&text).unwrap(), stroke);
    for wrong in [
        r#""tool":"paint","map":"tint""#,
        r#""tool":"fill","map":"direction""#,
        r#""tool":"smooth","map":"direction""#,
    ] {
        let wrong = text
            .replace(r#""tool":"paint""#, "")
            .replace(r#""map":"direction""#, wrong);
        let wrong = wrong.replace("[{,", "[{");
        let error = StrokeFile::from_json(&wrong).unwrap_err().to_string();
        assert!(error.contains(r#""value": "along" is only for"#), "{error}");
    }
}

#[test]
fn pinching_is_clumping() {
    let both = ["clump", "pinch"].map(|tool| {
        let mut styler = styler(300, 1.0);
        play(&mut styler, &stroke(tool, ""), 0);
        styler
    });
    let [clumped, pinched] = &both;
    assert!(!clumped.style().edits.curves.is_empty());
    assert!(clumped.style() == pinched.style());
}

/// A stroke beside the head does nothing; to take it back must not take back what came before.
#[test]
fn only_the_strokes_of_a_file_are_taken_back() {
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

/// White is as no map at all; and what a dab makes shorter are the strands under it, and those that
/// clump around them.
#[test]
fn painted_length_leaves_hair_elsewhere_alone() {
    let mut styler = styler(1000, 1.0);
    let plain = styler.groom().clone();
    let layout = crate::maps::Layout::Vertices(styler.part().positions.len() as u32);
    let white = Map::uniform(layout, MapKind::Length, [1.0; 3]).unwrap();
    styler.set_map(white, &mut go_on).unwrap();
    let same = |i: usize| styler.groom().lengths[i] == plain.lengths[i];
    let other = (0..plain.len()).filter(|&i| !same(i)).count();
    assert_eq!(other, 0, "{} edited", styler.style().edits.curves.len());
    assert!(*styler.groom() == plain);
    styler.undo(&mut go_on).unwrap();
    let at = front_root(&plain.roots);
    play(&mut styler, &paint("length", 0.3, 40.0, &[at]), 0);
    let groom = styler.groom();
    let changed: Vec<Vec3> = (0..plain.len())
        .filter(|&i| groom.lengths[i] != plain.lengths[i])
        .map(|i| plain.roots[i])
        .collect();
    assert!(changed.len() > 20, "{}", changed.len());
    let middle = changed.iter().sum::<Vec3>() / changed.len() as f32;
    let away = changed.iter().map(|root| root.distance(middle));
    let farthest = away.fold(0.0, f32::max);
    assert!(farthest < 0.6, "{farthest} dm away");
}

/// The field closes nostrils, lips and ears, and cannot tell what is skin in there.
#[test]
fn hair_that_is_planted_in_pockets_is_cut_short() {
    let mut styler = styler(60, 1.0);
    let paint =
        r#"{"tool":"fill","map":"density","value":1,"radius":9,"strength":1,"points":[[0,0,0]]}"#;
    play(&mut styler, paint, 0);
    let pocket = |styler: &Styler, i: usize| {
        let strands = styler.strands();
        let is_bald = styler.follicles().is_bald(strands.follicles[i]);
        is_bald && FIELD.distance(strands.roots[i].to_array()) < -0.005
    };
    let cut = |styler: &Styler| {
        let mut all = (0..styler.strands().len()).filter(|&i| pocket(styler, i));
        let count = all.clone().count();
        assert!(all.all(|i| styler.strands().length(i) < 0.0101));
        count
    };
    let some = cut(&styler);
    assert!(some > 10, "{some}");
    assert!(styler.deepest().unwrap() < 0.01);
    // Nor does hair go through eyelids, which are too thin for the field.
    let thin = crate::style::brush::ThinSkin::new(styler.follicles().scalp(), &FIELD);
    let strands = styler.strands();
    for strand in (0..strands.len()).filter(|&i| !pocket(&styler, i)) {
        if styler.follicles().is_bald(strands.follicles[strand]) {
            let root = strands.roots[strand];
            assert_eq!(
                thin.length_outside(root, strands.strand(strand)),
                None,
                "{root}"
            );
        }
    }
    // They do not grow either.
    let grow = r#"{"tool":"grow","radius":200,"strength":1,"points":[[0,300,300],[1,500,300]]}"#;
    play(&mut styler, grow, 0);
    assert_eq!(cut(&styler), some);
}
