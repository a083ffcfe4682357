//! Layers of maps: strokes on them, changes of their list, and their files.

use super::*;
use crate::maps::{LayerEdit, LayerSettings, LayeredMap, Layout, Map};
use std::fs;
use std::path::Path;

/// A stroke on a layer of the length map, from a root in front.
fn on_layer(styler: &Styler, layer: &str, value: &str) -> String {
    let at = front_root(&styler.strands().roots);
    let stroke = paint("length", 0.0, 60.0, &[at, at + Vec2::new(20.0, 30.0)]);
    let value = format!("\"layer\":\"{layer}\",\"value\":{value}");
    stroke.replace("\"value\":0", &value)
}

fn edit(styler: &mut Styler, layer: &str, edit: LayerEdit, merge: bool) -> bool {
    let edited = styler.edit_layer(MapKind::Length, layer, &edit, merge, &mut go_on);
    edited.unwrap()
}

fn set(name: &str, opacity: f32, on: bool) -> LayerEdit {
    let name = name.to_owned();
    LayerEdit::Set(LayerSettings { name, opacity, on })
}

fn longest_and_shortest(styler: &Styler) -> [f32; 2] {
    let lengths = &styler.groom().lengths;
    [f32::max, f32::min].map(|choose| lengths.iter().copied().reduce(choose).unwrap())
}

/// A styler with two layers of the length map.
fn with_layers() -> Styler {
    let mut styler = styler(300, 1.0);
    let short = on_layer(&styler, "short", "0.2");
    let grey = on_layer(&styler, "grey", "0.6");
    play(&mut styler, &format!("{short},{grey}"), 0);
    edit(&mut styler, "grey", set("grey", 0.3, true), false);
    styler
}

#[test]
fn every_change_of_layers_changes_hair_and_is_undone_to_the_bit() {
    let mut styler = styler(300, 1.0);
    let mut states = vec![(styler.style().clone(), styler.grown.clone())];
    let mut names = Vec::new();
    let mut done = |styler: &mut Styler, name: &str| {
        names.push(name.to_owned());
        assert_eq!(styler.history().next_name(false), Some(name));
        states.push((styler.style().clone(), styler.grown.clone()));
        let [.., before, after] = &states[..] else {
            panic!()
        };
        (before.1 != after.1).then_some(longest_and_shortest(styler))
    };
    let erase = on_layer(&styler, "grey", "\"erase\"").replace("60", "15");
    let smooth = on_layer(&styler, "short", "0").replace("paint", "smooth");
    for (stroke, name) in [
        (on_layer(&styler, "short", "0.2"), "paint"),
        (on_layer(&styler, "grey", "0.6"), "paint"),
        (erase, "erase"),
        (smooth, "paint"),
    ] {
        play(&mut styler, &stroke, 0);
        assert!(done(&mut styler, name).is_some(), "{name}: {stroke}");
    }
    for (name, change, told, is_seen) in [
        (
            "grey",
            set("grey", 0.3, true),
            "opacity of layer grey",
            true,
        ),
        (
            "grey",
            set("grey", 0.3, false),
            "switch layer grey off",
            true,
        ),
        ("grey", set("grey", 0.3, true), "switch layer grey on", true),
        ("grey", set("half", 0.3, true), "rename layer grey", false),
        ("half", LayerEdit::Lower, "lower layer half", true),
        ("half", LayerEdit::Raise, "raise layer half", true),
        ("new", LayerEdit::Add, "add layer new", false),
        ("new", LayerEdit::Delete, "delete layer new", false),
        ("short", LayerEdit::Delete, "delete layer short", true),
    ] {
        assert!(edit(&mut styler, name, change, false));
        assert_eq!(done(&mut styler, told).is_some(), is_seen, "{told}");
    }
    styler
        .fill_map(
            MapKind::Length,
            Some("half"),
            Some([0.5; 3]),
            None,
            &mut go_on,
        )
        .unwrap();
    assert!(done(&mut styler, "fill").is_some());
    assert!(edit(&mut styler, "half", LayerEdit::MergeDown, false));
    done(&mut styler, "merge layer half down");
    assert!(styler.style().layered.is_empty());
    // 0.3 of 0.5 over white.
    let value = styler.style().maps[&MapKind::Length].value(0)[0];
    assert!((value - 0.85).abs() < 1e-4, "{value}");
    for (before, name) in states.iter().zip(&names).rev() {
        assert_eq!(styler.undo(&mut go_on).unwrap().as_ref(), Some(name));
        assert!(
            (styler.style(), &styler.grown) == (&before.0, &before.1),
            "{name}"
        );
    }
    for (after, name) in states[1..].iter().zip(&names) {
        assert_eq!(styler.redo(&mut go_on).unwrap().as_ref(), Some(name));
        assert!(
            (styler.style(), &styler.grown) == (&after.0, &after.1),
            "{name}"
        );
    }
}

#[test]
fn a_dragged_opacity_is_one_thing_to_undo() {
    let mut styler = with_layers();
    let before = styler.style().clone();
    let count = styler.history().len();
    for (step, opacity) in [0.5, 0.7, 0.9].into_iter().enumerate() {
        edit(&mut styler, "grey", set("grey", opacity, true), step > 0);
    }
    assert_eq!(styler.history().len(), count + 1);
    undo(&mut styler, 1);
    assert!(styler.style() == &before);
    // Another drag, and one of another layer.
    edit(&mut styler, "grey", set("grey", 0.5, true), false);
    edit(&mut styler, "short", set("short", 0.5, true), true);
    assert_eq!(styler.history().len(), count + 2);
}

#[test]
fn strokes_that_layers_do_not_allow_change_nothing() {
    let mut styler = with_layers();
    edit(&mut styler, "grey", set("grey", 1.0, false), false);
    let before = (styler.style().clone(), styler.history().state());
    let view = View::new(&Camera::default(), [800, 600]).unwrap();
    for (layer, expected) in [
        (
            "grey",
            "the layer \"grey\" is switched off: switch it on to paint on it",
        ),
        (
            "",
            "\"\" cannot be the name of a layer: choose one line of 1 to 40 characters",
        ),
    ] {
        let stroke = serde_json::from_str(&on_layer(&styler, layer, "1")).unwrap();
        let error = styler.begin(&stroke, view, &mut go_on).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(!styler.is_brushing());
    }
    // A stroke that paints nothing adds no layer; neither does a cancelled one.
    let beside = paint("length", 0.0, 60.0, &[Vec2::new(3.0, 2.0)]);
    play(
        &mut styler,
        &beside.replace("\"value\"", "\"layer\":\"new\",\"value\""),
        0,
    );
    let stroke = serde_json::from_str(&on_layer(&styler, "new", "0")).unwrap();
    styler.begin(&stroke, view, &mut go_on).unwrap();
    styler.move_to(400.0, 250.0);
    assert!(styler.style() != &before.0);
    styler.cancel();
    assert!((styler.style(), styler.history().state()) == (&before.0, before.1));

    // Layers that would take too much memory.
    let layout = Layout::Picture {
        width: 8192,
        height: 8192,
    };
    let huge = Map::uniform(layout, MapKind::Length, [1.0; 3]).unwrap();
    let mut huge = LayeredMap::new(Arc::new(huge));
    for name in ["one", "two"] {
        huge.edit(name, &LayerEdit::Add).unwrap();
    }
    let error = huge.edit("three", &LayerEdit::Add).unwrap_err().to_string();
    assert!(error.contains("more than 512 MiB"), "{error}");
}

fn saved(styler: &Styler) -> Saved {
    Saved {
        style: styler.user_style(),
        ..Saved::default()
    }
}

#[test]
fn saved_layers_come_back_to_the_bit() {
    let mut styler = with_layers();
    edit(
        &mut styler,
        "short",
        set("short \"1\" ä", 1.0, false),
        false,
    );
    let saved = saved(&styler);
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.mohawk", "folder"] {
        let path = folder.path().join(name);
        saved.save(&path).unwrap();
        let read = Saved::open(&path).unwrap();
        assert!(read.style == saved.style);
        assert_eq!(read.style.layered[&MapKind::Length].layers().len(), 2);
    }
    // Without the list of layers, the file is one of before there were any.
    let manifest = folder.path().join("folder/style.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let (old, _) = text.split_once("[[layers").unwrap();
    fs::write(&manifest, old).unwrap();
    let read = Saved::open(&manifest).unwrap().style;
    let base = styler.style().layered[&MapKind::Length].base();
    assert!(read.layered.is_empty() && read.maps[&MapKind::Length] == *base);
}

#[test]
fn contradictory_layers_in_files_are_refused_by_name() {
    let styler = with_layers();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("folder");
    saved(&styler).save(&path).unwrap();
    let manifest = path.join("style.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let told = |text: &str| {
        fs::write(&manifest, text).unwrap();
        Saved::open(&path).unwrap_err().to_string()
    };
    let refused = |from: &str, to: &str, parts: &[&str]| {
        let told = told(&text.replacen(from, to, 1));
        let has_all = parts.iter().all(|part| told.contains(part));
        assert!(has_all && told.contains("folder"), "{told}");
    };
    let manifest_name = "style.toml in it";
    refused(
        "opacity = 1.0",
        "opacity = 1.5",
        &[manifest_name, "\"short\"", "0 to 1"],
    );
    refused(
        "opacity = 1.0",
        "opacity = nan",
        &[manifest_name, "\"short\"", "0 to 1"],
    );
    refused(
        "opacity = 1.0",
        "opacity = \"x\"",
        &[manifest_name, "opacity"],
    );
    refused("on = true", "visible = true", &[manifest_name, "visible"]);
    refused(
        "\"short\"",
        "\"grey\"",
        &[manifest_name, "has a layer \"grey\" already"],
    );
    refused("\"short\"", "\"\"", &[manifest_name, "1 to 40 characters"]);
    refused(
        "length-1.png",
        "../length-1.png",
        &["../length-1.png in it", "outside"],
    );
    refused(
        "length-1.png",
        "gone.png",
        &["gone.png in it", "cannot be read"],
    );
    refused(
        "[[layers.length]]",
        "[[layers.curl]]",
        &[manifest_name, "curl map that it lacks"],
    );
    let one = text.split("[[layers").nth(1).unwrap();
    let entry = |number: u32| format!("[[layers{}", one.replace("short", &number.to_string()));
    let many: String = (0..17).map(entry).collect();
    let (before, _) = text.split_once("[[layers").unwrap();
    let many = told(&format!("{before}{many}"));
    assert!(many.contains("more than 16 layers"), "{many}");
    // Pictures that do not fit, or are none.
    let file = path.join("maps/length-1.png");
    let picture = |bytes: &[u8], problem: &str| {
        fs::write(&file, bytes).unwrap();
        let told = told(&text);
        let named = told.contains("maps/length-1.png in it is no layer of the length map");
        assert!(named && told.contains(problem), "{told}");
    };
    let whole = fs::read(&file).unwrap();
    picture(&whole[..whole.len() / 2], "the picture is broken");
    picture(b"none", "neither PNG nor JPEG");
    let small = Map::uniform(Layout::Vertices(9), MapKind::Length, [1.0; 3]).unwrap();
    fs::write(&file, small.to_png().unwrap()).unwrap();
    let sizes = "the layer \"short\" has not as many values across and down as its map";
    assert!(told(&text).contains(sizes));
    fs::write(&file, whole).unwrap();
    fs::write(&manifest, &text).unwrap();
    assert!(Saved::open(Path::new(&path)).unwrap().style == *styler.style());
}
