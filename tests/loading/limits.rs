//! Every limit is named in its message and can be raised.

use crate::common::gltf_builder::*;
use mohawk::head::{Head, HeadSettings, Limits, LoadError};
use serde_json::json;
use std::path::Path;

fn settings(name: &str, value: u64) -> HeadSettings {
    let mut settings = HeadSettings::default();
    settings.limits.set(name, value).unwrap();
    settings
}

/// Returns the hint of a message on how to raise a limit.
fn limit_hint(name: &str) -> String {
    format!("(limit `{name}`; raise it with --limit {name}=N)")
}

fn check(name: &str, too_low: u64, enough: u64, load: impl Fn(&HeadSettings) -> Vec<String>) {
    let said = load(&settings(name, too_low)).join("\n");
    assert!(said.contains(&limit_hint(name)), "{said}");
    let said = load(&settings(name, enough)).join("\n");
    assert!(!said.contains("(limit `"), "{said}");
}

/// Returns the error or the warnings.
fn said(loaded: Result<Head, LoadError>) -> Vec<String> {
    match loaded {
        Ok(head) => head.warnings,
        Err(error) => vec![error.to_string()],
    }
}

#[test]
fn limits_of_the_document() {
    let mut gltf = Gltf::painted([[0.0; 3]; 4]);
    let nodes = json!([{"children": [1]}, {"children": [2]}, {"mesh": 0}]);
    gltf.json["nodes"] = nodes;
    gltf.primitive()["attributes"]["COLOR_1"] = json!(2);
    let mut twice = gltf.primitive().clone();
    twice["material"] = json!(0);
    let primitives = gltf.json["meshes"][0]["primitives"].as_array_mut();
    primitives.unwrap().push(twice);
    gltf.push(
        "materials",
        json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}),
    );
    gltf.texture(&picture(image::ImageFormat::Png, 20, 10, [1, 2, 3]));
    let load = |settings: &HeadSettings| said(gltf.load_with(settings));
    check("node-depth", 2, 3, load);
    check("primitives", 1, 2, load);
    check("vertices", 7, 8, load);
    check("color-sets", 1, 2, load);
    check("image-pixels", 199, 200, load);
    check("memory-free", 100, 1 << 20, load);
    let mut tight = settings("memory-free", 0);
    tight.limits.set("memory-per-byte", 0).unwrap();
    assert!(said(gltf.load_with(&tight))[0].contains("its JSON has too many entries"));
    tight.limits.set("memory-per-byte", 1000).unwrap();
    gltf.load_with(&tight).unwrap();
    let small = gltf.load_with(&settings("texture-side", 5)).unwrap();
    assert_eq!((small.textures[0].width, small.textures[0].height), (5, 3));
}

#[test]
fn file_bytes_counts_all_files() {
    let folder = tempfile::tempdir().unwrap();
    let gltf = Gltf::painted([[0.0; 3]; 4]);
    let (model, bin) = (gltf.external("head.bin"), gltf.bin.len() as u64);
    let path = folder.path().join("head.gltf");
    std::fs::write(&path, &model).unwrap();
    std::fs::write(folder.path().join("head.bin"), &gltf.bin).unwrap();
    let load = |settings: &HeadSettings| said(Head::load(&path, settings));
    let all = model.len() as u64 + bin;
    check("file-bytes", model.len() as u64 - 1, all, load);
    check("file-bytes", all - 1, all, load);
}

#[test]
fn a_settings_file_cannot_lift_a_limit() {
    for text in [
        "version = 1\n[head]\nlimits = {vertices = 4000000000}",
        "version = 1\n[head.limits]\nvertices = 4000000000",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hair.toml");
        std::fs::write(&path, text).unwrap();
        let error = mohawk::Config::load(Path::new(&path)).unwrap_err();
        assert!(
            error.to_string().contains("unknown field `limits`"),
            "{error}"
        );
    }
    let written = toml::to_string(&HeadSettings::default()).unwrap();
    assert!(!written.contains("limit"), "{written}");
    assert_eq!(HeadSettings::default().limits, Limits::default());
}
