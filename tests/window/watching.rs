//! Files that change under an open window.

use crate::dropping::drop_file;
use crate::files::shipped;
use crate::picture::{Picture, Rgb, is_hair};
use crate::program::{HEAD, Program, SKY, STIFF, scene, sky};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn is_green([r, g, b]: Rgb) -> bool {
    g > 90 && g.saturating_sub(r.max(b)) > 30
}

fn is_blue([r, g, b]: Rgb) -> bool {
    b > 90 && b.saturating_sub(r.max(g)) > 50
}

fn is_red([r, g, b]: Rgb) -> bool {
    r > 150 && g < 40 && b < 40
}

/// The part of the scene above any message.
fn upper(picture: &Picture) -> Picture {
    scene(picture).part(0..960, 0..640)
}

fn skin(color: Rgb) -> Vec<u8> {
    let picture = image::RgbImage::from_pixel(4, 4, image::Rgb(color));
    let mut png = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
    png.into_inner()
}

/// The head that ships with the program as head.gltf with its buffer and the skin's picture
/// outside; gives the document.
fn unpack_head(folder: &Path) -> Value {
    let glb = include_bytes!("../../models/head.glb");
    let length = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    let json = &glb[20..20 + length(12)];
    let mut head: Value = serde_json::from_slice(json).unwrap();
    head["buffers"][0]["uri"] = json!("head.bin");
    let skin_image = (head["images"].as_array().unwrap().iter())
        .position(|image| image["name"] == "skin")
        .unwrap();
    head["images"][skin_image] = json!({"uri": "skin.png"});
    fs::write(folder.join("head.bin"), &glb[20 + json.len() + 8..]).unwrap();
    fs::write(folder.join("skin.png"), skin([230, 180, 150])).unwrap();
    fs::write(folder.join("head.gltf"), head.to_string()).unwrap();
    head
}

/// As careful editors save.
fn save_by_rename(path: &Path, bytes: &[u8]) {
    let new = path.with_extension("new");
    fs::write(&new, bytes).unwrap();
    fs::rename(&new, path).unwrap();
}

#[test]
fn a_head_that_changes_comes_again_and_all_else_stays() {
    let folder = tempfile::tempdir().unwrap();
    let mut head = unpack_head(folder.path());
    let program = Program::at_rest_in(folder, &["head.gltf", "--watch"]);
    let file = |name: &str| program.folder.path().join(name);
    program.dragged("1", SKY, (60, 30));
    let before = program.dragged("1", HEAD, (90, 0));
    assert_eq!(scene(&before).count(is_green), 0);
    let (hair, behind) = (scene(&before).center(is_hair), sky(&before));
    let assert_stayed = |seen: &Picture| {
        let now = scene(seen).center(is_hair);
        assert!(
            (now.0 - hair.0).abs() < 3.0 && (now.1 - hair.1).abs() < 3.0,
            "the head stays turned: {hair:?} to {now:?}"
        );
        let difference = sky(seen).difference(&behind);
        assert!(difference < 0.5, "the camera stays: {difference}");
    };

    save_by_rename(&file("skin.png"), &skin([40, 200, 60]));
    program.until_seen("green skin", |seen| scene(seen).count(is_green) > 20_000);
    program.until_logged(&["Reloaded head.gltf"]);
    assert_stayed(&program.settled());

    fs::write(file("skin.png"), skin([230, 180, 150])).unwrap();
    program.until_seen("the old skin", |seen| scene(seen).count(is_green) == 0);
    let seen = program.settled();
    let difference = upper(&seen).difference(&upper(&before));
    assert!(difference < 0.02, "all as it was: {difference}");

    // A file that is no head, or not all there yet: the old head stays, the next change counts.
    let plain = head.to_string();
    let mut document = plain.clone();
    fs::write(file("head.gltf"), &document[..document.len() / 2]).unwrap();
    program.until_logged(&["error:", "head.gltf"]);
    assert_stayed(&program.settled());
    for material in head["materials"].as_array_mut().unwrap() {
        material["pbrMetallicRoughness"]["baseColorFactor"] = json!([0.1, 0.2, 1.0, 1.0]);
    }
    document = head.to_string();
    fs::write(file("head.gltf"), &document).unwrap();
    program.until_seen("blue skin", |seen| scene(seen).count(is_blue) > 20_000);
    assert_stayed(&program.settled());

    // The head of a scene that could not be played does not come by itself.
    fs::write(file("late.toml"), "version = 1\nhead = \"late.glb\"\n").unwrap();
    drop_file(&program, &file("late.toml"));
    program.until_logged(&["error:", "late.glb"]);
    fs::copy(shipped(), file("late.glb")).unwrap();
    fs::write(file("head.gltf"), plain).unwrap();
    program.until_seen("plain skin", |seen| scene(seen).count(is_blue) == 0);
    program.until_shown("head", 800);
}

#[test]
fn settings_that_change_come_again_where_people_have_not_changed_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::at_rest_in(folder, &["--watch"]);
    let file = program.folder.path().join("hair.toml");
    program.point(SKY);
    program.after_key("c");
    // Elsewhere, so that it is not selected.
    program.click((SKY.0, 700));
    let magenta = |[r, g, b]: Rgb| r > 230 && g < 60 && b > 200;
    let is_magenta = |seen: &Picture| scene(seen).count(magenta);
    let classic = "[look]\nname = \"classic\"\n";
    save_by_rename(&file, format!("{STIFF}{classic}").as_bytes());
    program.until_seen("classic roots", |seen| is_magenta(seen) > 300);
    let short = is_magenta(&program.after_key("r"));
    assert!(short > 300, "classic roots: {short}");

    // The collider is people's own; the length follows the file, the flag stays above it.
    let long = "[groom]\nlength = 1.5\n[roots]\nstrands = 300\n";
    save_by_rename(&file, format!("{STIFF}{classic}{long}").as_bytes());
    program.until_seen("longer hair", |seen| is_magenta(seen) > short * 5 / 4);
    program.until_logged(&["Reloaded hair.toml"]);
    // Settled hair still creeps with each frame that is drawn; hair that was put to rest does not.
    let grown = program.after_key("r");
    program.until_shown("head", 800);

    // An error is told and changes nothing.
    fs::write(&file, "version = 1\n[groom]\nlength = 'long'\n").unwrap();
    program.until_logged(&["error:", "hair.toml"]);
    let difference = upper(&program.settled()).difference(&upper(&grown));
    assert!(difference < 0.02, "nothing changes: {difference}");

    // What is saved is in the file, and the file's next change is one from there.
    program.key("ctrl+s");
    program.until_logged(&["Saved", "hair.toml"]);
    let saved = fs::read_to_string(&file).unwrap();
    assert!(
        saved.contains("length = 1.5") && saved.contains("[[sim.colliders]]"),
        "{saved}"
    );
    let difference = upper(&program.settled()).difference(&upper(&grown));
    assert!(difference < 0.02, "saving changes nothing: {difference}");
    let mut lines: Vec<&str> = saved.lines().collect();
    for line in &mut lines {
        if line.starts_with("top_color") || line.starts_with("bottom_color") {
            *line = if line.starts_with('t') {
                "top_color = [1, 0, 0]"
            } else {
                "bottom_color = [1, 0, 0]"
            };
        }
    }
    fs::write(&file, lines.join("\n")).unwrap();
    program.until_seen("a red sky", |seen| sky(seen).count(is_red) > 50_000);
    assert!(
        is_magenta(&program.settled()) > short * 5 / 4,
        "all else stays"
    );

    // Nothing is unsaved: Esc asks nothing.
    program.key("Escape");
    assert_eq!(program.until_ended().code(), Some(0));
}
