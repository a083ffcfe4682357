//! `mohawk sample`: the exported files say the same as the figures.

use crate::common::gltf_builder::Gltf;
use crate::common::program::*;
use glam::DVec3;
use std::path::Path;

/// Position and face normal of each root of a CSV file.
fn read_csv(file: &Path) -> Vec<(DVec3, DVec3)> {
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("x,y,z,nx,ny,nz,fx,fy,fz,density,rank"));
    let row = |(number, line): (usize, &str)| {
        let x: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        assert_eq!(x.len(), 11);
        assert!((0.0..=1.0).contains(&x[9]));
        let growth = DVec3::new(x[3], x[4], x[5]);
        assert!((growth.length() - 1.0).abs() < 1e-5, "{growth}");
        assert_eq!(x[10], number as f64, "ranks in order");
        (DVec3::new(x[0], x[1], x[2]), DVec3::new(x[6], x[7], x[8]))
    };
    lines.enumerate().map(row).collect()
}

/// The rows of an ASCII PLY file after its header, which is checked.
fn read_ply(file: &Path, elements: &[&str]) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(file).unwrap();
    let (header, body) = text.split_once("end_header\n").unwrap();
    assert!(header.starts_with("ply\nformat ascii 1.0\n"), "{header}");
    for element in elements {
        assert!(header.contains(element), "{element} is not in {header}");
    }
    let row = |line: &str| line.split(' ').map(|x| x.parse().unwrap()).collect();
    body.lines().map(row).collect()
}

#[test]
fn exported_files_bear_out_the_figures() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (csv, scalp) = (at("roots.csv"), at("scalp.ply"));
    let found = json(&[
        "sample",
        "--strands",
        "300",
        "--seed",
        "5",
        "-o",
        csv.to_str().unwrap(),
        "--surface-output",
        scalp.to_str().unwrap(),
        "--ascii",
        "--json",
    ]);
    let figure = |key: &str| found[key].as_f64().unwrap();
    let roots = read_csv(&csv);
    assert_eq!(found["roots"], roots.len());
    assert_eq!(found["seed"], 5);

    // The closest pair on one side, by brute force.
    let mut closest = f64::INFINITY;
    for (i, (p, face)) in roots.iter().enumerate() {
        for (q, other) in &roots[..i] {
            if face.dot(*other) > 0.0 {
                closest = closest.min(p.distance(*q));
            }
        }
    }
    assert!((closest - figure("min_distance")).abs() < 1e-9);
    assert!(closest >= figure("spacing"));
    let r_max = 2.0 * (figure("area") / (12f64.sqrt() * roots.len() as f64)).sqrt();
    assert!((figure("relative_radius") - closest / r_max).abs() < 1e-9);
    assert_eq!(found["maximal"], true);
    assert!(figure("coverage_ratio") <= 1.001);
    assert!(figure("seconds") > 0.0);

    // Scalp and roots share one space: every root lies in a face with its normal.
    let rows = read_ply(
        &scalp,
        &["element vertex ", "list uchar uint vertex_indices"],
    );
    let (faces, vertices): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.len() == 4);
    let corner = |i: f64| DVec3::from_slice(&vertices[i as usize][..3]);
    let faces: Vec<[DVec3; 3]> = (faces.iter())
        .map(|face| [face[1], face[2], face[3]].map(corner))
        .collect();
    let area = |[a, b, c]: &[DVec3; 3]| (*b - *a).cross(*c - *a).length() / 2.0;
    let total: f64 = faces.iter().map(area).sum();
    assert!((total / figure("area") - 1.0).abs() < 1e-6);
    for (p, normal) in &roots {
        let lies_in = |face: &[DVec3; 3]| {
            let [a, b, c] = *face;
            let (whole, parts) = (
                area(face),
                area(&[a, b, *p]) + area(&[b, c, *p]) + area(&[c, a, *p]),
            );
            parts <= whole * (1.0 + 1e-4) && (b - a).cross(c - a).normalize().dot(*normal) > 0.999
        };
        assert!(faces.iter().any(lies_in), "{p} lies on no face");
    }

    // The same seed gives the same roots, as PLY too.
    let ply = at("roots.ply");
    let more = ["-o", ply.to_str().unwrap(), "--ascii"];
    stdout(&[&["sample", "--strands", "300", "--seed", "5"][..], &more].concat());
    let rows = read_ply(&ply, &["element vertex ", "float fz"]);
    assert_eq!(rows.len(), roots.len());
    assert_eq!(DVec3::from_slice(&rows[7][..3]), roots[7].0);
}

#[test]
fn a_spacing_is_kept_and_binary_files_are_as_long_as_they_say() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("roots.ply");
    let name = file.to_str().unwrap();
    let found = json(&["sample", "--spacing", "0.08", "--json", "--output", name]);
    assert!(found["min_distance"].as_f64().unwrap() >= f64::from(0.08_f32));
    let bytes = std::fs::read(&file).unwrap();
    let header = b"end_header\n";
    let start = bytes
        .windows(header.len())
        .position(|w| w == header)
        .unwrap()
        + header.len();
    let roots = found["roots"].as_u64().unwrap() as usize;
    assert_eq!(bytes.len() - start, roots * 11 * 4);
}

/// A square whose density falls from 1 to 0: what --thin leaves is what the columns say.
#[test]
fn thinning_keeps_the_roots_whose_rank_is_below_their_density() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let square = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n\
        property float z\nproperty float density\nelement face 2\n\
        property list uchar int vertex_indices\nend_header\n\
        0 0 0 1\n1 0 0 0\n1 1 0 0\n0 1 0 1\n3 0 1 2\n3 0 2 3\n";
    std::fs::write(at("square.ply"), square).unwrap();
    let (surface, all, thin) = (at("square.ply"), at("all.ply"), at("thin.ply"));
    let args = [
        "sample",
        "--surface",
        &surface,
        "--strands",
        "4000",
        "--ascii",
    ];
    stdout(&[&args[..], &["-o", &all]].concat());
    let found = json(&[&args[..], &["-o", &thin, "--thin", "--json"]].concat());

    let all = read_ply(Path::new(&all), &["float density", "uint rank"]);
    let count = all.len() as f64;
    let kept: Vec<_> = (all.into_iter())
        .filter(|row| row[10] + 0.5 < row[9] * count)
        .collect();
    assert_eq!(found["roots"], kept.len());
    assert_eq!(read_ply(Path::new(&thin), &[]), kept);
    let share = kept.len() as f64 / count;
    assert!(
        (share - 0.5).abs() < 0.0075,
        "{share} of them at density 0.5"
    );
    assert!(found["coverage_ratio"].as_f64().unwrap() < 1.3);
}

#[test]
fn people_read_it_as_text() {
    let told = mohawk(&["sample", "--strands", "50"]);
    assert_eq!((told.code, told.stderr.as_str()), (0, ""));
    assert_mentions(
        &told.stdout,
        &["roots on the shipped head", "maximal", "yes, proven"],
    );
}

#[test]
fn what_cannot_be_sampled_or_written_is_said_before_the_work() {
    for (args, parts) in [
        (&["sample", "-o", "roots.obj"][..], &[".ply or .csv"][..]),
        (&["sample", "--surface-output", "a.csv"], &[".ply"]),
        (
            &["sample", "-o", "a.ply", "--surface-output", "a.ply"],
            &["same file"],
        ),
        (
            &["sample", "--strands", "9", "--spacing", "1"],
            &["--spacing"],
        ),
    ] {
        assert_mentions(&refused(2, args), parts);
    }
    let missing = "no/such/folder/roots.ply";
    assert_mentions(
        &refused(1, &["sample", "-o", missing]),
        &["no/such/folder", "mkdir -p"],
    );
    let message = refused(1, &["sample", "--spacing", "1e-6"]);
    assert_mentions(&message, &["too small", "the smallest is"]);

    let folder = tempfile::tempdir().unwrap();
    let bald = folder.path().join("bald.glb");
    std::fs::write(&bald, Gltf::square().glb()).unwrap();
    let message = refused(1, &["sample", bald.to_str().unwrap(), "--json"]);
    assert_mentions(&message, &["bald", "Vertex Paint"]);
}
