//! Hair that is baked once and drawn in parts.

use super::gltf_builder::shipped_head;
use super::{refused, render, rendered};
use serde_json::json;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// Arguments of the motion, the same in all runs.
const MOTION: [&str; 8] = [
    "--scene", "shake", "--fps", "8", "--length", "1.5", "--at", "0.3",
];

fn bytes(folder: &Path, name: &str) -> [Vec<u8>; 4] {
    [0, 1, 2, 3].map(|frame| fs::read(folder.join(format!("{name}_{frame:04}.png"))).unwrap())
}

#[test]
fn parts_from_a_cache_are_the_pictures_of_a_whole_run() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    for (name, more) in [
        ("plain", &[][..]),
        ("blurred", &["--motion-blur", "0.5", "--samples", "3"]),
    ] {
        let cache = format!("{name}.cache");
        let output = |part: &str| format!("{name}-{part}_{{frame}}.png");
        let run = |part: &str, args: &[&str]| {
            let output = output(part);
            let args = [&MOTION[..], more, &["-o", &output], args].concat();
            render(folder, &args)
        };
        rendered(run("whole", &["--frames", "4"]));
        let told = rendered(run("none", &["--frames", "4", "--bake", &cache]));
        assert_eq!(
            (&told["frames"], &told["output"]),
            (&4.into(), &cache.as_str().into())
        );
        assert!(!folder.join(format!("{name}-none_0000.png")).exists());
        for part in ["2..4/4", "0..2/4"] {
            rendered(run("parts", &["--frames", part, "--cache", &cache]));
        }
        let [whole, parts] =
            ["whole", "parts"].map(|part| bytes(folder, &format!("{name}-{part}")));
        assert!(whole == parts, "{name}: pictures differ");
        assert_ne!(whole[1], whole[2], "hair moves");
    }
}

/// Returns the shipped head, which breathes.
fn swelling_head() -> Vec<u8> {
    let mut gltf = shipped_head();
    let parts = gltf.json["scenes"][0]["nodes"].take();
    let neck = gltf.push("nodes", json!({"name": "neck", "children": parts}));
    gltf.json["scenes"][0]["nodes"] = json!([neck]);
    let times = gltf.floats("SCALAR", &[0.0, 0.3, 0.5]);
    let sizes = [1.0, 1.0005, 1.3].map(|size| [size; 3]);
    let sizes = gltf.floats("VEC3", sizes.as_flattened());
    gltf.push(
        "animations",
        json!({
            "samplers": [{"input": times, "output": sizes}],
            "channels": [{"sampler": 0, "target": {"node": neck, "path": "scale"}}],
        }),
    );
    gltf.glb()
}

#[test]
fn skin_that_moves_is_drawn_where_the_cache_has_it() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("head.glb"), swelling_head()).unwrap();
    let run = |name: &str, args: &[&str]| {
        let output = format!("{name}_{{frame}}.png");
        let head = ["head.glb", "--fps", "7", "-o", &output];
        rendered(render(folder, &[&head[..], args].concat()));
    };
    run("whole", &["--frames", "4"]);
    run("none", &["--frames", "4", "--bake", "a.cache"]);
    for part in ["3..4/4", "0..3/4"] {
        run("parts", &["--frames", part, "--cache", "a.cache"]);
    }
    let [whole, parts] = ["whole", "parts"].map(|name| bytes(folder, name));
    assert!(whole == parts, "pictures differ");
    assert_ne!(whole[2], whole[3], "the head swells");
}

#[test]
fn caches_of_other_runs_and_damaged_ones_are_refused() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let run = |args: &[&str]| {
        let motion = ["--fps", "8", "-o", "a_{frame}.png"];
        render(folder, &[&motion[..], args].concat())
    };
    rendered(run(&["--frames", "2", "--bake", "a.cache"]));
    let refusal = |args: &[&str]| refused(run(&[args, &["--cache", "a.cache"]].concat()));
    for (args, what) in [
        (&["--frames", "3"][..], "another number of --frames"),
        (&["--frames", "2", "--scene", "nod"], "another --scene"),
        (&["--frames", "2", "--length", "2"], "other hair"),
        (&["--frames", "2", "--at", "1"], "another --at"),
        (&["--frames", "2", "--solver", "ftl"], "another --solver"),
    ] {
        let error = refusal(args);
        assert!(error.contains(what) && error.contains("a.cache"), "{error}");
    }
    let cache = folder.join("a.cache");
    let mut bytes = fs::read(&cache).unwrap();
    fs::write(&cache, &bytes[..bytes.len() - 1]).unwrap();
    let error = refusal(&["--frames", "2"]);
    assert!(error.contains("not baked to its end"), "{error}");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&cache, &bytes).unwrap();
    let error = refusal(&["--frames", "2"]);
    assert!(error.contains("is damaged; bake it again"), "{error}");
    let error = refused(run(&["--frames", "2", "--cache", "none.cache"]));
    assert!(error.contains("none.cache cannot be read"), "{error}");

    let scene = |degrees: &str| {
        let poses = "[[poses]]\ntime_secs = 0\n[[poses]]\ntime_secs = 0.1\nrotation_deg";
        let text = format!("version = 1\n{poses} = [{degrees}, 0, 0]");
        fs::write(folder.join("own.toml"), text).unwrap();
    };
    let own = ["--frames", "2", "--scene", "own.toml"];
    scene("20");
    let error = refused(run(&[&own[..], &["--bake", "own.toml"]].concat()));
    assert!(error.contains("would overwrite own.toml"), "{error}");
    rendered(run(&[&own[..], &["--bake", "a.cache"]].concat()));
    scene("30");
    let error = refusal(&own);
    assert!(error.contains("another motion of the head"), "{error}");
}

#[test]
fn pictures_are_joined_to_what_a_whole_run_writes() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let run = |output: &str, args: &[&str]| {
        render(folder, &[&MOTION[..], &["-o", output], args].concat())
    };
    rendered(run("a_{frame}.png", &["--frames", "4"]));
    for (name, more) in [("clip.apng", &[][..]), ("sheet.png", &["--sheet", "2"])] {
        rendered(run(name, &[&["--frames", "4"], more].concat()));
        let joined = format!("joined-{name}");
        let told = rendered(run(
            &joined,
            &[&["--pictures", "a_{frame}.png"], more].concat(),
        ));
        assert_eq!(told["frames"], 4, "{told}");
        let [whole, joined] = [name, &joined].map(|name| fs::read(folder.join(name)).unwrap());
        assert!(whole == joined, "{name}");
    }
    let error = refused(run("one.png", &["--pictures", "a_{frame}.png"]));
    assert!(
        error.contains("one.png holds one picture, and there are 4"),
        "{error}"
    );
    assert!(!folder.join("one.png").exists());
    let first = folder.join("a_0000.png");
    fs::rename(&first, folder.join("kept.png")).unwrap();
    let part = ["--pictures", "a_{frame}.png", "--frames", "2..4"];
    assert_eq!(rendered(run("part.apng", &part))["frames"], 2);
    fs::rename(folder.join("kept.png"), &first).unwrap();

    fs::write(folder.join("a_0002.png"), "no picture").unwrap();
    let error = refused(run("b.apng", &["--pictures", "a_{frame}.png"]));
    assert!(
        error.contains("a_0002.png") && error.contains("draw it again"),
        "{error}"
    );
    fs::remove_file(folder.join("a_0001.png")).unwrap();
    let error = refused(run("b.apng", &["--pictures", "a_{frame}.png"]));
    assert!(error.contains("a_0001.png is not"), "{error}");
    let error = refused(run("b.apng", &["--pictures", "none_{frame}.png"]));
    assert!(error.contains("none_0000.png"), "{error}");
}
