//! `mohawk inspect`

use crate::common::gltf_builder::{Gltf, U16, picture};
use crate::common::program::*;
use serde_json::{Value, json};
use std::path::Path;

const W: [f32; 3] = [1.0; 3];
const B: [f32; 3] = [0.0; 3];

fn write(gltf: &Gltf, folder: &Path) -> String {
    let file = folder.join("face.glb");
    std::fs::write(&file, gltf.glb()).unwrap();
    file.to_str().unwrap().to_owned()
}

#[track_caller]
fn assert_near(actual: &Value, expected: &[f64]) {
    let actual = actual.as_array().unwrap().iter();
    let actual: Vec<f64> = actual.map(|x| x.as_f64().unwrap()).collect();
    assert_eq!(actual.len(), expected.len());
    for (a, e) in actual.iter().zip(expected) {
        assert!((a - e).abs() < 1e-5, "{actual:?} is not {expected:?}");
    }
}

#[test]
fn the_shipped_head_is_what_its_builder_says() {
    let found = json(&["inspect", "--json"]);
    assert_eq!(found["triangles"], 21_564);
    let part = |name: &str| {
        let mut parts = found["parts"].as_array().unwrap().iter();
        parts.find(|part| part["name"] == name).unwrap().clone()
    };
    assert_eq!(part("head")["triangles"], 17_772);
    assert_eq!(part("head")["paint"], "COLOR_0");
    assert_eq!(part("head")["paint_evidence"], "COLOR_0 is black on white");
    assert_eq!(part("eyebrows")["triangles"], 0);
    assert_eq!(part("eyes")["painted_vertices"], 0);
    assert_eq!(found["scalp"]["part"], "head");
    assert_eq!(
        found["scalp"]["painted_vertices"],
        part("head")["painted_vertices"]
    );
    assert_eq!(found["warnings"], json!([]));
}

#[test]
fn counts_bounds_and_areas_are_in_the_files_own_units() {
    // A square of side 1, three corners painted, twice as large and moved; and a second
    // instance of it, mirrored, which hair does not grow on.
    let mut gltf = Gltf::painted([B, B, B, W]);
    gltf.json["nodes"][0]["scale"] = json!([2, 2, 2]);
    gltf.json["nodes"][0]["translation"] = json!([10, 20, 30]);
    gltf.root(json!({"name": "twin", "mesh": 0, "scale": [-1, 1, 1]}));
    let folder = tempfile::tempdir().unwrap();
    let file = write(&gltf, folder.path());

    let found = json(&["inspect", &file, "--json"]);
    assert_eq!(found["file"], file);
    assert_eq!(
        (&found["triangles"], &found["vertices"]),
        (&json!(4), &json!(8))
    );
    assert_near(&found["bounds"]["min"], &[-1.0, 0.0, 0.0]);
    assert_near(&found["bounds"]["max"], &[12.0, 22.0, 30.0]);
    assert_near(&json!([found["scalp"]["area"]]), &[2.0]);
    assert_eq!(found["scalp"]["part"], "head");
    assert_eq!(found["scalp"]["triangles"], 1);
    for part in found["parts"].as_array().unwrap() {
        let counts = ["triangles", "vertices", "painted_vertices"].map(|key| &part[key]);
        assert_eq!(counts, [&json!(2), &json!(4), &json!(3)]);
    }
    let warning = found["warnings"][0].as_str().unwrap();
    assert_mentions(warning, &["twin", "stays bald"]);

    // The scale that hair lengths are in changes nothing of that.
    let config = folder.path().join("hair.toml");
    std::fs::write(&config, "version = 1\n[head]\nscale = 25.0").unwrap();
    let scaled = json(&[
        "inspect",
        &file,
        "--json",
        "--config",
        config.to_str().unwrap(),
    ]);
    assert_near(&scaled["bounds"]["max"], &[12.0, 22.0, 30.0]);
    assert_near(&json!([scaled["scalp"]["area"]]), &[2.0]);
}

#[test]
fn a_head_without_paint_has_no_scalp_and_says_how_to_get_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(&Gltf::square(), folder.path());
    let found = json(&["inspect", &file, "--json"]);
    assert_eq!(found["scalp"], Value::Null);
    assert_mentions(found["warnings"][0].as_str().unwrap(), &["no scalp paint"]);

    let told = mohawk(&["inspect", &file]);
    assert_eq!(told.code, 0);
    let missing = "missing  scalp paint          the model has no vertex colours";
    assert_mentions(&told.stdout, &["triangles  2", missing, "Vertex Paint"]);
    assert_eq!(told.stderr, "");
}

/// Returns the check of this name.
fn check(inspection: &Value, name: &str) -> Value {
    let mut checks = inspection["checks"].as_array().unwrap().iter();
    let found = checks.find(|check| check["check"] == name);
    found.unwrap_or(&Value::Null).clone()
}

#[track_caller]
fn assert_check(inspection: &Value, name: &str, state: &str, found: &str, advice: Option<&str>) {
    let check = check(inspection, name);
    assert_eq!(check["state"], state, "{check}");
    assert_mentions(check["found"].as_str().unwrap(), &[found]);
    match advice {
        Some(advice) => assert_mentions(check["advice"].as_str().unwrap(), &[advice]),
        None => assert_eq!(check["advice"], Value::Null, "{check}"),
    }
}

#[test]
fn nothing_is_missing_from_the_shipped_head() {
    let found = json(&["inspect", "--json"]);
    for check in found["checks"].as_array().unwrap() {
        let state = check["state"].as_str().unwrap();
        assert!(["found", "none"].contains(&state), "{check}");
    }
    assert_check(&found, "scalp area", "found", "786 triangles", None);
    assert_check(&found, "direction", "found", "as its eyes tell", None);
}

#[test]
fn the_checklist_says_what_is_missing_and_how_to_mend_it() {
    let mut gltf = Gltf::square();
    let broken = gltf.texture(b"no picture");
    gltf.push(
        "materials",
        json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": broken}}}),
    );
    gltf.primitive()["material"] = json!(0);
    let fringe = gltf.square_primitive();
    let fringe = gltf.mesh("cards", json!([fringe]));
    gltf.root(json!({"name": "Hair_Front", "mesh": fringe}));
    let folder = tempfile::tempdir().unwrap();
    let file = write(&gltf, folder.path());
    let found = json(&["inspect", &file, "--json"]);
    assert_check(&found, "geometry", "found", "4 triangles in 2 parts", None);
    assert_check(
        &found,
        "scale",
        "remark",
        "1.00 high, 1.00 wide, 0 deep",
        Some("bone"),
    );
    assert_check(
        &found,
        "direction",
        "remark",
        "no part is called eyes",
        Some("--turn 180"),
    );
    assert_check(
        &found,
        "scalp paint",
        "missing",
        "no vertex colours",
        Some("Vertex Paint"),
    );
    assert_eq!(check(&found, "scalp area"), Value::Null);
    assert_check(
        &found,
        "normals",
        "missing",
        "\"head\", \"Hair_Front\"",
        Some("Normals"),
    );
    assert_check(
        &found,
        "texture coordinates",
        "missing",
        "\"head\"",
        Some("Smart UV Project"),
    );
    assert_check(
        &found,
        "pictures",
        "missing",
        "a checker is shown",
        Some("PNG or JPEG"),
    );
    assert_check(
        &found,
        "own hair",
        "remark",
        "\"Hair_Front\"; --hide hair",
        Some("Blender"),
    );
    assert_check(&found, "skins", "none", "no joints", None);
    assert_check(&found, "morph targets", "none", "no shapes", None);
    assert_check(
        &found,
        "licence",
        "missing",
        "names none",
        Some("Copyright"),
    );
    // Hidden hair is no remark, and the text repeats no warning.
    let hidden = json(&["inspect", &file, "--json", "--hide", "hair"]);
    assert_check(&hidden, "own hair", "none", "no part", None);
    let text = mohawk(&["inspect", &file]).stdout;
    assert!(!text.contains("warning") && text.lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn the_checklist_judges_paint_and_lists_skins_and_morph_targets() {
    let mut gltf = Gltf::painted([B, B, B, W]);
    gltf.json["asset"]["copyright"] = json!("Jo, CC0");
    let moves = gltf.floats("VEC3", &[0.0; 12]);
    gltf.primitive()["targets"] = json!([{"POSITION": moves}, {"POSITION": moves}]);
    gltf.json["meshes"][0]["extras"] = json!({"targetNames": ["jawOpen", "blink\u{1b}[31m"]});
    let joint = gltf.root(json!({"name": "hip"}));
    gltf.push("skins", json!({"name": "Armature", "joints": [joint]}));
    let folder = tempfile::tempdir().unwrap();
    let file = write(&gltf, folder.path());
    let found = json(&["inspect", &file, "--json"]);
    assert_check(&found, "scalp paint", "found", "on part \"head\"", None);
    assert_check(
        &found,
        "scalp area",
        "remark",
        "1 triangle, 3.75 dm²",
        Some("Subdivide"),
    );
    let skin = "skin 0 \"Armature\": 1 joint, which bend nothing here";
    assert_check(&found, "skins", "remark", skin, Some("Skinning"));
    let targets = "2 on mesh 0 \"head\": jawOpen, blink\u{fffd}[31m";
    assert_check(&found, "morph targets", "found", targets, None);
    assert_check(&found, "licence", "found", "Jo, CC0", None);
    assert_eq!(found["morph_targets"][0]["names"][0], "jawOpen");
    assert_eq!(
        found["skins"][0],
        json!({"name": "skin 0 \"Armature\"", "joints": 1})
    );
    // Extras may be anything.
    gltf.json["nodes"][0]["skin"] = json!(0);
    gltf.json["meshes"][0]["extras"] = json!(["no", {"targetNames": 7}]);
    let joints = gltf.ints(U16, "VEC4", &[0; 16]);
    let weights = gltf.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(4));
    gltf.primitive()["attributes"]["JOINTS_0"] = json!(joints);
    gltf.primitive()["attributes"]["WEIGHTS_0"] = json!(weights);
    let file = write(&gltf, folder.path());
    let found = json(&["inspect", &file, "--json"]);
    assert_check(
        &found,
        "skins",
        "found",
        "skin 0 \"Armature\": 1 joint",
        None,
    );
    assert_check(
        &found,
        "morph targets",
        "found",
        "2 on mesh 0 \"head\"",
        None,
    );
}

#[test]
fn animations_are_listed_with_how_to_choose_one() {
    let mut gltf = Gltf::painted([B, B, B, W]);
    let folder = tempfile::tempdir().unwrap();
    let file = write(&gltf, folder.path());
    let found = json(&["inspect", &file, "--json"]);
    assert_check(&found, "animations", "none", "stands still", None);
    let times = gltf.floats("SCALAR", &[0.0, 1.5]);
    let places = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    gltf.json["animations"] = json!([{
        "name": "nod",
        "samplers": [{"input": times, "output": places}],
        "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
    }]);
    let file = write(&gltf, folder.path());
    let found = json(&["inspect", &file, "--json"]);
    assert_check(
        &found,
        "animations",
        "found",
        "0 \"nod\", 1.5 s",
        Some("--animation"),
    );
    let listed = json!([{"number": 0, "name": "nod", "seconds": 1.5}]);
    assert_eq!(found["animations"], listed);
    // What plays unless it is told otherwise, and what does not.
    let played = |args: &[&str]| {
        let all = [&["simulate", &file, "--json", "--frames", "3"], args].concat();
        json(&all)["scene"].clone()
    };
    assert_eq!(played(&[]), "nod");
    assert_eq!(played(&["--animation", "0"]), "nod");
    assert_eq!(played(&["--animation", "none"]), "swing");
    assert_eq!(played(&["--scene", "turn"]), "turn");
    let wrong = ["simulate", &file, "--animation", "walk"];
    assert_mentions(&refused(1, &wrong), &["no animation \"walk\"", "0 \"nod\""]);
    let both = ["simulate", &file, "--animation", "nod", "--scene", "turn"];
    assert_mentions(&refused(2, &both), &["leave one out"]);
}

#[test]
fn a_mask_is_told_and_its_picture_lies_beside_the_head() {
    let mut gltf = Gltf::painted([B, W, W, W]);
    let uvs = gltf.floats("VEC2", &[0.5, 0.5].repeat(4));
    gltf.primitive()["attributes"]["TEXCOORD_0"] = json!(uvs);
    let folder = tempfile::tempdir().unwrap();
    let file = write(&gltf, folder.path());
    let inspect = |mask: &str| json(&["inspect", &file, "--json", "--mask", mask]);
    let found = inspect("head");
    assert_check(
        &found,
        "scalp paint",
        "found",
        "node \"head\" (--mask)",
        None,
    );
    assert_check(
        &found,
        "scalp area",
        "remark",
        "2 triangles",
        Some("Few triangles"),
    );
    assert_eq!(found["parts"][0]["paint"], Value::Null);
    let told = inspect("hat")["warnings"].to_string();
    assert_mentions(
        &told,
        &["--mask", "hat", "nothing is called so; there are nodes"],
    );

    let white = picture(image::ImageFormat::Png, 2, 2, [255; 3]);
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::create_dir(at("maps")).unwrap();
    std::fs::write(at("maps/scalp.png"), &white).unwrap();
    for mask in [&at("maps/scalp.png")[..], "maps/scalp.png"] {
        let told = "picture \"maps/scalp.png\" (--mask)";
        assert_check(&inspect(mask), "scalp paint", "found", told, None);
    }
    // One elsewhere would be lost when the head is moved.
    let elsewhere = tempfile::tempdir().unwrap();
    let outside = elsewhere.path().join("scalp.png");
    std::fs::write(&outside, &white).unwrap();
    let message = refused(1, &["inspect", &file, "--mask", outside.to_str().unwrap()]);
    assert_mentions(
        &message,
        &["must lie in the folder of the head", "copy it there"],
    );
}

/// A head with eyes, from the front, from behind, lying on its back and on its face.
#[test]
fn eyes_tell_where_a_head_looks() {
    let folder = tempfile::tempdir().unwrap();
    let half = 0.5_f64.sqrt();
    for (turn, state, found, advice) in [
        ([0.0, 0.0, 0.0, 1.0], "found", "upright and facing +z", None),
        (
            [0.0, 1.0, 0.0, 0.0],
            "remark",
            "look to -z",
            Some("Try --turn 180."),
        ),
        (
            [0.0, half, 0.0, half],
            "remark",
            "look to +x",
            Some("Try --turn -90."),
        ),
        (
            [half, 0.0, 0.0, half],
            "remark",
            "look to -y",
            Some("Try --up z."),
        ),
        (
            [-half, 0.0, 0.0, half],
            "remark",
            "look to +y",
            Some("Try --up -z."),
        ),
    ] {
        let mut gltf = Gltf::new();
        let square = gltf.square_primitive();
        let mesh = gltf.mesh("square", json!([square]));
        let side = |name: &str, place: [f64; 3], turn: [f64; 4], scale: f64| {
            json!({"name": name, "mesh": mesh, "translation": place, "rotation": turn,
                   "scale": [scale, scale, scale]})
        };
        let (ahead, aside) = ([0.0, 0.0, 0.0, 1.0], [0.0, half, 0.0, half]);
        let parts = [
            side("front", [-0.5, -0.5, 0.5], ahead, 1.0),
            side("back", [-0.5, -0.5, -0.5], ahead, 1.0),
            side("left", [0.5, -0.5, 0.5], aside, 1.0),
            side("right", [-0.5, -0.5, 0.5], aside, 1.0),
            side("EyeLeft", [0.0, 0.1, 0.4], ahead, 0.1),
        ];
        let parts = parts.map(|part| gltf.push("nodes", part));
        gltf.root(json!({"children": parts, "rotation": turn}));
        let file = write(&gltf, folder.path());
        let told = json(&["inspect", &file, "--json"]);
        assert_check(&told, "direction", state, found, advice);
        // The advice helps.
        if let Some(flags) = advice {
            let flags = flags.trim_start_matches("Try ").trim_end_matches('.');
            let mut arguments = vec!["inspect", &file, "--json"];
            arguments.extend(flags.split(' '));
            assert_check(&json(&arguments), "direction", "found", "+z", None);
        }
    }
}

#[test]
fn what_is_no_head_is_an_error_and_no_data() {
    let message = refused(1, &["inspect", "nowhere/none.glb", "--json"]);
    assert_mentions(&message, &["nowhere/none.glb", "Check the path"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.glb");
    std::fs::write(&file, "Kaydara FBX Binary  \0").unwrap();
    let message = refused(1, &["inspect", file.to_str().unwrap()]);
    assert_mentions(&message, &["a.glb", "FBX", "glTF"]);
}

#[test]
fn a_head_that_is_inside_out_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let checks_of = |faces: &str| {
        let file = folder.path().join("head.obj");
        let corners = [
            "0 0 0", "1 0 0", "1 1 0", "0 1 0", "0 0 1", "1 0 1", "1 1 1", "0 1 1",
        ];
        let corners = corners.map(|corner| format!("v {corner} 0 0 0\n")).concat();
        std::fs::write(&file, corners + faces).unwrap();
        let found = json(&[
            "inspect",
            file.to_str().unwrap(),
            "--paint",
            "black",
            "--json",
        ]);
        let checks = found["checks"].as_array().unwrap().clone();
        checks.into_iter().any(|check| check["check"] == "faces")
    };
    let outward = "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    let inward = "f 2 3 4 1\nf 8 7 6 5\nf 5 6 2 1\nf 6 7 3 2\nf 7 8 4 3\nf 8 5 1 4\n";
    assert!(!checks_of(outward) && checks_of(inward));
}
