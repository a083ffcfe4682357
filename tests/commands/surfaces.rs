//! `mohawk sample` on plain meshes, of other people's points, and repeated.

use crate::common::program::*;
use std::path::{Path, PathBuf};

/// A folder, and the names of files in it.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        Desk(tempfile::tempdir().unwrap())
    }

    fn at(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    fn path(&self, name: &str) -> PathBuf {
        Path::new(self.0.path()).join(name)
    }

    fn put(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path(name), text).unwrap();
        self.at(name)
    }
}

const SQUARE: &str = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 1 2 3 4\n";

#[test]
fn exported_sets_are_judged_as_they_were_sampled() {
    let desk = Desk::new();
    for (roots, ascii) in [("roots.csv", false), ("roots.ply", true), ("b.ply", false)] {
        let (roots, scalp) = (desk.at(roots), desk.at("scalp.ply"));
        let mut args = vec!["sample", "--strands", "400", "--json"];
        args.extend(["-o", &roots, "--surface-output", &scalp]);
        if ascii {
            args.push("--ascii");
        }
        let ours = json(&args);
        let theirs = json(&["sample", "--surface", &scalp, "--points", &roots, "--json"]);
        for key in [
            "roots",
            "min_distance",
            "relative_radius",
            "area",
            "distribution",
        ] {
            assert_eq!(ours[key], theirs[key], "{key} of {roots}");
        }
        assert_eq!(theirs["points"], roots);
        assert_eq!(theirs["file"], scalp);
        assert_eq!(theirs["method"], serde_json::Value::Null);
        assert_eq!(theirs["seconds"], serde_json::Value::Null);
        // Asked what it was made for, it covers as well.
        let spacing = ours["spacing"].to_string();
        let mut args = vec!["sample", "--surface", &scalp, "--points", &roots];
        args.extend(["--spacing", &spacing, "--json"]);
        assert_eq!(json(&args)["coverage_ratio"], ours["coverage_ratio"]);
    }
}

#[test]
fn a_mesh_is_sampled_in_its_own_units() {
    let desk = Desk::new();
    let square = desk.put("square.obj", SQUARE);
    let args = ["sample", "--surface", &square, "--spacing", "0.1"];
    let found = json(&[&args[..], &["--json"]].concat());
    assert_eq!(found["area"], 4.0);
    assert_eq!(found["maximal"], true);
    assert_eq!(found["method"], "progressive");
    let roots = found["roots"].as_u64().unwrap();
    assert!((220..360).contains(&roots), "{roots}");
    let told = stdout(&args);
    assert_mentions(
        &told,
        &["square.obj", "bond order", "cell variance", "largest gap"],
    );
    assert!(!told.contains("dm"), "{told}");
}

#[test]
fn repeated_sets_have_mean_and_deviation() {
    let desk = Desk::new();
    let (first, alone) = (desk.at("first.csv"), desk.at("alone.csv"));
    let args = ["sample", "--strands", "200", "--seed", "4", "-o"];
    let found = json(&[&args[..], &[&first, "--repeat", "3", "--json"]].concat());
    json(&[&args[..], &[&alone, "--json"]].concat());
    assert_eq!(
        std::fs::read(desk.path("first.csv")).unwrap(),
        std::fs::read(desk.path("alone.csv")).unwrap()
    );
    assert_eq!(found["repeat"]["sets"], 3);
    let measures = &found["repeat"]["measures"];
    let radius = &measures["relative_radius"];
    assert!((0.6..1.0).contains(&radius["mean"].as_f64().unwrap()));
    assert!((1e-6..0.1).contains(&radius["deviation"].as_f64().unwrap()));
    // The mean, from the seeds one by one.
    let one_by_one = ["4", "5", "6"].map(|seed| {
        let found = json(&["sample", "--strands", "200", "--seed", seed, "--json"]);
        found["min_distance"].as_f64().unwrap()
    });
    let mean = one_by_one.iter().sum::<f64>() / 3.0;
    assert!((measures["min_distance"]["mean"].as_f64().unwrap() - mean).abs() < 1e-9);
    let told = stdout(&["sample", "--strands", "50", "--repeat", "2"]);
    assert_mentions(&told, &["2 sets", "deviation", "coverage"]);
}

#[test]
fn what_cannot_be_judged_is_named() {
    let desk = Desk::new();
    let square = desk.put("square.obj", SQUARE);
    let far = desk.put("far.csv", "x,y,z\n1,1,0\n1,1,9\n");
    let text = desk.put("text.csv", "1,1,0\n1,one,9\n");
    let heap = desk.put("heap.csv", "1,1,0\n".repeat(2000));
    let claims = "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\n\
        property float x\nproperty float y\nproperty float z\nend_header\n0000";
    let hostile = desk.put("hostile.ply", claims);
    let open = desk.put("open.obj", "v 0 0 0\nv 1 1 1\n");
    for (args, parts) in [
        (
            &["--points", &far][..],
            &["far.csv", "point 1 is 9.0000 away", "same place and units"][..],
        ),
        (
            &["--points", &text],
            &["text.csv", "line 2: \"one\" is not a number"],
        ),
        (&["--points", &heap], &["heap.csv", "more than 1000 others"]),
        (
            &["--points", &hostile],
            &["hostile.ply", "claims 4000000000"],
        ),
        (
            &["--points", &desk.at("none.ply")],
            &["none.ply", "Check the path"],
        ),
    ] {
        let args = [&["sample", "--surface", &square][..], args].concat();
        assert_mentions(&refused(1, &args), parts);
    }
    assert_mentions(
        &refused(1, &["sample", "--surface", &hostile]),
        &["hostile.ply"],
    );
    assert_mentions(
        &refused(1, &["sample", "--surface", &open]),
        &["open.obj", "no faces"],
    );
    for args in [
        &["--points", "a.ply", "--seed", "1"][..],
        &["--points", "a.ply", "--method", "uniform"],
        &["--points", "a.ply", "--strands", "5"],
        &["--points", "a.ply", "--repeat", "5"],
        &["--surface", "a.ply", "head.glb"],
        &["--surface", "a.stl"],
        &["--repeat", "0"],
    ] {
        refused(2, &[&["sample"][..], args].concat());
    }
}

#[test]
fn a_set_without_a_pair_is_told_what_its_spacing_is() {
    let desk = Desk::new();
    let square = desk.put("square.obj", SQUARE);
    for points in ["0.5,1,0\n", "0.5,1,0\n0.5,1,0\n"] {
        let points = desk.put("few.csv", points);
        let told = mohawk(&["sample", "--surface", &square, "--points", &points]);
        assert_eq!(told.code, 0, "{}", told.stderr);
        assert_mentions(&told.stderr, &["few.csv", "--spacing"]);
    }
}

#[test]
fn what_is_read_is_not_written_over() {
    let desk = Desk::new();
    let mesh = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
                property float z\nelement face 1\nproperty list uchar int vertex_indices\n\
                end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    let file = desk.put("mesh.ply", mesh);
    let said = refused(2, &["sample", "--surface", &file, "-o", &file]);
    assert!(said.contains("--output would overwrite"), "{said}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), mesh);
    let [out, other] = ["roots.ply", "./roots.ply"].map(|name| file.replace("mesh.ply", name));
    let said = refused(
        2,
        &[
            "sample",
            "--surface",
            &file,
            "-o",
            &out,
            "--surface-output",
            &other,
        ],
    );
    assert!(said.contains("name the same file"), "{said}");
}
