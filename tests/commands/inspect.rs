//! `mohawk inspect`

use crate::common::gltf_builder::Gltf;
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
    assert_mentions(&told.stdout, &["triangles  2", "scalp      none"]);
    assert_mentions(&told.stderr, &["Vertex Paint"]);
    assert_eq!(mohawk(&["inspect", &file, "--quiet"]).stderr, "");
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
