//! `mohawk doll` without a window.

use crate::common::program::*;
use serde_json::Value;
use std::fs;
use std::path::Path;

const COMB: &str = r#"{"version": 1, "size": [800, 600], "strokes": [
    {"tool": "comb", "radius": 30, "strength": 1, "points": [[0, 300, 250], [0.5, 260, 330], [1, 330, 420]]},
    {"tool": "cut", "points": [[0, 520, 300]]}], "undo": 0}"#;

/// A folder with a file of strokes, and the path of something in it.
fn folder(strokes: &str) -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.json"), strokes).unwrap();
    let path = folder.path().to_owned();
    (folder, move |name: &str| {
        path.join(name).display().to_string()
    })
}

fn point(hair: &Value, name: &str) -> [f64; 2] {
    [0, 1].map(|i| hair[name][i].as_f64().unwrap())
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

#[test]
fn hair_is_told_as_json_with_all_that_it_is() {
    let doll = json(&["doll", "--json"]);
    assert_eq!(doll["page"], serde_json::json!([800, 600]));
    let hairs = doll["hairs"].as_array().unwrap();
    assert_eq!(
        (hairs.len(), doll["settings"]["hairs"].as_u64()),
        (1200, Some(1200))
    );
    for hair in hairs {
        let [from, mid, to] = ["from", "mid", "to"].map(|name| point(hair, name));
        let length = hair["length"].as_f64().unwrap();
        assert!((distance(from, to) - length).abs() < 1e-9);
        assert!(mid[0] == from[0] && mid[1] >= from[1]);
        let color = hair["color"].as_array().unwrap();
        assert!(
            color
                .iter()
                .all(|c| (0.0..=1.0).contains(&c.as_f64().unwrap()))
        );
    }
    // The same program says the same; another seed other hair.
    assert_eq!(json(&["doll", "--json"]), doll);
    assert_ne!(
        json(&["doll", "--json", "--seed", "2"])["hairs"],
        doll["hairs"]
    );
}

#[test]
fn strokes_are_replayed_and_saved_dolls_go_on() {
    let (_folder, path) = folder(COMB);
    let table = stdout(&[
        "doll",
        "--strokes",
        &path("s.json"),
        "--json",
        &path("h.json"),
    ]);
    assert_mentions(
        &table,
        &[
            "girl, brown",
            "1,000 at the back",
            "2, of which 2",
            "h.json",
        ],
    );
    let read = |name: &str| -> Value {
        serde_json::from_str(&fs::read_to_string(path(name)).unwrap()).unwrap()
    };
    let both = read("h.json");
    let grown = json(&["doll", "--json"]);
    let hairs = |doll: &Value| doll["hairs"].as_array().unwrap().clone();
    let (mut combed, mut cut) = (0, 0);
    for (hair, was) in hairs(&both).iter().zip(hairs(&grown)) {
        let [from, to] = ["from", "to"].map(|name| point(hair, name));
        let length = hair["length"].as_f64().unwrap();
        assert!(distance(from, to) <= length * (1.0 + 1e-12));
        combed += usize::from(hair["to"] != was["to"]);
        cut += usize::from(length < was["length"].as_f64().unwrap() - 1e-9);
    }
    assert!(combed > 50 && cut > 10, "{combed} {cut}");

    // In two steps, over a file; a .doll is what --json writes.
    let [first, second] = [0, 1].map(|i| {
        let mut file: Value = serde_json::from_str(COMB).unwrap();
        file["strokes"] = Value::Array(vec![file["strokes"][i].clone()]);
        let name = path(&format!("{i}.json"));
        fs::write(&name, file.to_string()).unwrap();
        name
    });
    stdout(&["doll", "--strokes", &first, "-o", &path("lily.doll")]);
    stdout(&[
        "doll",
        &path("lily.doll"),
        "--strokes",
        &second,
        "-o",
        &path("lily.doll"),
    ]);
    assert_eq!(read("lily.doll"), both);
    let at_once = json(&["doll", "--strokes", &first, "--strokes", &second, "--json"]);
    assert_eq!(at_once, both);

    // Undone strokes never were.
    fs::write(path("u.json"), COMB.replace("\"undo\": 0", "\"undo\": 2")).unwrap();
    assert_eq!(
        json(&["doll", "--strokes", &path("u.json"), "--json"]),
        grown
    );
}

#[test]
fn figures_palettes_counts_and_profiles_are_settings() {
    let doll = json(&[
        "doll",
        "--json",
        "--figure",
        "lion",
        "--palette",
        "pink",
        "--hairs",
        "100",
        "--profile",
        "10,20,30,40,50,60,70,80,90",
    ]);
    let settings = &doll["settings"];
    assert_eq!(
        (settings["figure"].as_str(), settings["palette"].as_str()),
        (Some("lion"), Some("pink"))
    );
    assert_eq!(settings["profile"][8], 90.0);
    let hairs = doll["hairs"].as_array().unwrap();
    assert_eq!(hairs.len(), 100);
    // Longer to the right.
    let mean = |is_right: bool| {
        let side = |hair: &&Value| (point(hair, "from")[0] > 400.0) == is_right;
        let lengths = hairs
            .iter()
            .filter(side)
            .map(|hair| hair["length"].as_f64().unwrap());
        let lengths: Vec<f64> = lengths.collect();
        lengths.iter().sum::<f64>() / lengths.len() as f64
    };
    assert!(mean(true) > 1.5 * mean(false));
}

#[test]
fn wrong_use_is_told_with_what_to_do() {
    let (folder, path) = folder(COMB);
    let s = path("s.json");
    for (args, parts) in [
        (
            &["doll", "--hairs", "99"][..],
            &["99 is not in 100..=5000"][..],
        ),
        (&["doll", "--figure", "dog"], &["girl, boy, lion, troll"]),
        (
            &["doll", "--profile", "1,2"],
            &["expected \"figure\" or 9 lengths"],
        ),
        (
            &["doll", "--profile", "1,2,3,4,5,6,7,8,900"],
            &["lengths of 0 to 500 (pixels)"],
        ),
        (&["doll", "-o", "a.jpg"], &["must end in .png or .doll"]),
        (
            &["doll", "--json", "lily.doll"],
            &["must end in .json", "put --json last"],
        ),
        (&["doll", "--resolution", "80,60"], &["add -o doll.png"]),
        (
            &["doll", "--strokes", &s, "--json", &s],
            &["would overwrite", "s.json, which is read"],
        ),
    ] {
        assert_mentions(&refused(2, args), parts);
    }
    fs::write(path("bad.json"), COMB.replace("comb", "brush")).unwrap();
    fs::write(path("bad.doll"), "{\"version\": 1}").unwrap();
    for (args, parts) in [
        (
            &["doll", "no.doll", "--json"][..],
            &["no.doll cannot be read"][..],
        ),
        (
            &["doll", &path("bad.doll"), "--json"],
            &["bad.doll is not a doll that can be opened: missing field"],
        ),
        (
            &["doll", "--strokes", "no.json", "--json"],
            &["no.json cannot be read"],
        ),
        (
            &["doll", "--strokes", &path("bad.json"), "--json"],
            &[
                "bad.json is not a stroke file",
                "unknown variant `brush`, expected one of `comb`",
            ],
        ),
        (
            &["doll", "-o", "no/such/folder/a.png"],
            &["there is no folder no/such/folder", "mkdir"],
        ),
    ] {
        assert_mentions(&refused(1, args), parts);
    }
    // What a file says is no command to the terminal.
    fs::write(path("esc.json"), COMB.replace("comb", "\\u001b[31mred")).unwrap();
    let said = refused(1, &["doll", "--strokes", &path("esc.json"), "--json"]);
    assert_mentions(&said, &["unknown variant `", "[31mred`"]);
    assert!(!said.contains('\u{1b}'), "{said:?}");
    assert_mentions(
        &refused(2, &["doll", "--profile", "-1,2,3,4,5,6,7,8,9"]),
        &["lengths of 0 to 500 (pixels)"],
    );
    assert!(!Path::new(&path("lily.doll")).exists());
    drop(folder);
}

#[test]
fn bindings_are_listed_without_a_display() {
    assert_mentions(
        &stdout(&["doll", "--list-bindings"]),
        &["Ctrl+Z", "use the current tool"],
    );
    let listed = json(&["doll", "--list-bindings", "--json"]);
    assert_eq!(listed[0]["group"], "Hair");
}
