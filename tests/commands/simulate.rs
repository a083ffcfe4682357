//! `mohawk simulate`: what is written, and the same bits whatever runs it.

use crate::common::{gltf_builder, program::*};
use npyz::{NpyFile, WriterBuilder};
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// Shape and numbers of a NumPy file.
fn read(path: &Path) -> (Vec<u64>, Vec<f32>) {
    let bytes = fs::read(path).unwrap();
    let file = NpyFile::new(&bytes[..]).unwrap();
    (file.shape().to_vec(), file.into_vec::<f32>().unwrap())
}

fn path_in(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

#[test]
fn positions_are_those_that_the_json_tells_of() {
    let folder = tempfile::tempdir().unwrap();
    for solver in ["spring", "ftl", "angular", "particles", "rod"] {
        let file = path_in(&folder, "p.npy");
        let told = json(&[
            "simulate",
            "--solver",
            solver,
            "--scene",
            "nod",
            "--strands",
            "100",
            "--frames",
            "7",
            "--fps",
            "144",
            "--set",
            "sim.strand_particles=9",
            "-o",
            &file,
            "--json",
        ]);
        assert_eq!(told["solver"], solver);
        assert_eq!(told["scene"], "nod");
        assert_eq!(
            (&told["frames"], &told["particles"]),
            (&7.into(), &9.into())
        );
        assert_eq!(told["dt"].as_f64().unwrap(), 1.0 / 240.0);
        assert_eq!(told["resets"], 0);
        let (shape, numbers) = read(Path::new(&file));
        let strands = told["strands"].as_u64().unwrap();
        assert_eq!(shape, [7, strands, 9, 3]);
        // The largest stretch, from the file, whose pictures are between steps.
        let point = |frame: usize, i: usize, j: usize| {
            let at = ((frame * strands as usize + i) * 9 + j) * 3;
            [0, 1, 2].map(|axis| f64::from(numbers[at + axis]))
        };
        let length = |frame, i, j| {
            let (a, b) = (point(frame, i, j - 1), point(frame, i, j));
            (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
        };
        let mut worst = 0.0_f64;
        for frame in 0..7 {
            for i in 0..strands as usize {
                for j in 1..9 {
                    worst = worst.max((length(frame, i, j) / length(0, i, j) - 1.0).abs());
                }
            }
        }
        let told = told["max_stretch"].as_f64().unwrap();
        assert!(
            (worst - told).abs() < 1e-5 + 1e-3 * told,
            "{solver}: {worst} {told}"
        );
    }
}

#[test]
fn equal_times_have_equal_positions_at_any_frame_rate() {
    let folder = tempfile::tempdir().unwrap();
    let mut at_a_sixth = Vec::new();
    for fps in [30_usize, 60, 144, 240] {
        let file = path_in(&folder, "p.npy");
        let frames = (fps / 6 + 1).to_string();
        stdout(&[
            "simulate",
            "--solver",
            "ftl",
            "--strands",
            "60",
            "--frames",
            &frames,
            "--fps",
            &fps.to_string(),
            "-o",
            &file,
        ]);
        let (shape, numbers) = read(Path::new(&file));
        let frame = numbers.len() / shape[0] as usize;
        at_a_sixth.push(numbers[numbers.len() - frame..].to_vec());
    }
    for other in &at_a_sixth[1..] {
        assert_eq!(other, &at_a_sixth[0]);
    }
}

/// A file of poses: all at rest, the second frame changed.
fn poses(path: &str, shape: &[u64], change: impl Fn(&mut [f64])) {
    let identity = [
        1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
    ];
    let count: u64 = shape.iter().product();
    let mut numbers: Vec<f64> = identity.into_iter().cycle().take(count as usize).collect();
    change(&mut numbers);
    let mut file = fs::File::create(path).unwrap();
    let options = npyz::WriteOptions::new().default_dtype().shape(shape);
    let mut writer = options.writer(&mut file).begin_nd().unwrap();
    writer.extend(numbers).unwrap();
    writer.finish().unwrap();
}

#[test]
fn roots_follow_the_poses_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (path_in(&folder, "poses.npy"), path_in(&folder, "p.npy"));
    // To the right by a tenth of a decimetre a frame.
    poses(&file, &[5, 4, 4], |m| {
        for (frame, m) in m.chunks_mut(16).enumerate() {
            m[3] = 0.1 * frame as f64;
        }
    });
    let told = json(&[
        "simulate",
        "--poses",
        &file,
        "--strands",
        "20",
        "--solver",
        "rod",
        "-o",
        &out,
        "--json",
    ]);
    assert_eq!(
        (&told["frames"], &told["scene"]),
        (&5.into(), &"poses".into())
    );
    let (shape, numbers) = read(Path::new(&out));
    let frame = numbers.len() / 5;
    for i in 0..shape[1] as usize {
        let root = i * shape[2] as usize * 3;
        for f in 0..5 {
            let moved = numbers[f * frame + root] - numbers[root];
            assert!((moved - 0.1 * f as f32).abs() < 1e-6);
        }
    }
}

#[test]
fn what_is_no_file_of_poses_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = path_in(&folder, "poses.npy");
    let refused_with = |told: &[&str]| {
        let error = refused(1, &["simulate", "--poses", &file, "--strands", "20"]);
        assert_mentions(&error, &["poses.npy"]);
        assert_mentions(&error, told);
    };
    refused_with(&["cannot be read"]);
    fs::write(&file, "not numpy at all").unwrap();
    refused_with(&["not a pose file"]);
    poses(&file, &[2, 3, 4], |_| ());
    refused_with(&["[2, 3, 4]", "[frames, 4, 4]"]);
    poses(&file, &[0, 4, 4], |_| ());
    refused_with(&["no poses"]);
    poses(&file, &[2, 4, 4], |m| m[16] = f64::NAN);
    refused_with(&["frame 1", "not finite"]);
    poses(&file, &[2, 4, 4], |m| m[16] = 2.0);
    refused_with(&["frame 1", "not a rotation"]);
    poses(&file, &[2, 4, 4], |m| m[16] = -1.0);
    refused_with(&["frame 1", "not a rotation"]);
    poses(&file, &[2, 4, 4], |m| m[28] = 1.0);
    refused_with(&["frame 1", "last column"]);
    // A header that promises more than there is.
    poses(&file, &[2, 4, 4], |_| ());
    let mut bytes = fs::read(&file).unwrap();
    let at = bytes.windows(3).position(|w| w == b"(2,").unwrap();
    bytes[at + 1] = b'9';
    fs::write(&file, bytes).unwrap();
    refused_with(&["shorter"]);
}

#[test]
fn settings_by_name_are_checked() {
    for (assignment, told) in [
        ("sim.hold=2", "expected 0 to 1"),
        ("sim.hold", "KEY=VALUE"),
        ("sim.rope=1", "unknown field"),
        ("sim.solver=magic", "unknown variant"),
    ] {
        let outcome = mohawk(&["simulate", "--set", assignment, "--strands", "20"]);
        assert_eq!(outcome.code, 2, "{assignment}");
        assert_mentions(
            &outcome.stderr,
            &[assignment.split('=').next().unwrap(), told],
        );
    }
}

const SCENE: &str = r#"
version = 1
frames = 31
fps = 30.0

[[strands]]
root = [0.0, 1.0, 0.0]
direction = [1.0, 0.2, 0.0]
length = 1.2

[[strands]]
root = [0.1, 1.0, 0.0]
direction = [-1.0, 0.2, 0.3]
length = 0.8

[skull]
center = [0.0, 0.0, 0.0]
radii = [0.9, 0.9, 0.9]

[[poses]]
time_secs = 0.0

[[poses]]
time_secs = 0.5
rotation_deg = [0.0, 0.0, 20.0]

[settings]
"sim.strand_particles" = 9
"sim.colliders" = [{ from = [1.2, 0.4, 0.0], radius = 0.3 }]
"#;

#[test]
fn a_scene_file_has_strands_poses_and_settings() {
    let folder = tempfile::tempdir().unwrap();
    let (scene, out) = (path_in(&folder, "scene.toml"), path_in(&folder, "p.npy"));
    fs::write(&scene, SCENE).unwrap();
    for solver in ["spring", "ftl", "angular", "particles", "rod"] {
        let told = json(&[
            "simulate", "--scene", &scene, "--solver", solver, "-o", &out, "--json",
        ]);
        assert_eq!((&told["strands"], &told["frames"]), (&2.into(), &31.into()));
        assert_eq!(
            (&told["fps"], &told["scene"]),
            (&30.0.into(), &scene.as_str().into())
        );
        let (shape, numbers) = read(Path::new(&out));
        assert_eq!(shape, [31, 2, 9, 3]);
        // The root at the end: turned by 20 degrees about the origin.
        let root = &numbers[30 * 54..][..3];
        let (sin, cos) = 20_f64.to_radians().sin_cos();
        assert!((f64::from(root[0]) + sin).abs() < 1e-6);
        assert!((f64::from(root[1]) - cos).abs() < 1e-6);
        if solver != "spring" {
            for point in numbers.chunks(3) {
                let [x, y, z] = [point[0], point[1], point[2]].map(f64::from);
                let in_skull = 0.9 - (x * x + y * y + z * z).sqrt();
                let in_ball = 0.3 - ((x - 1.2).powi(2) + (y - 0.4).powi(2) + z * z).sqrt();
                assert!(
                    in_skull.max(in_ball) < 0.01,
                    "{solver}: {in_skull} {in_ball}"
                );
            }
        }
    }
    // Flags come last.
    let told = json(&[
        "simulate",
        "--scene",
        &scene,
        "--frames",
        "3",
        "--fps",
        "60",
        "--set",
        "sim.strand_particles=5",
        "--json",
    ]);
    assert_eq!(
        (&told["frames"], &told["particles"]),
        (&3.into(), &5.into())
    );
    let error = refused(1, &["simulate", "a-head.glb", "--scene", &scene]);
    assert_mentions(&error, &["a-head.glb", "of its own"]);
    let error = refused(1, &["simulate", "--scene", &path_in(&folder, "none.toml")]);
    assert_mentions(&error, &["none.toml", "cannot be read"]);
    assert_mentions(
        &refused(2, &["simulate", "--scene", "sway"]),
        &["sway", "gust", ".toml"],
    );
    let error = refused(1, &["simulate", "--set", "groom.density=0"]);
    assert_mentions(&error, &["no strand is left", "raise groom.density"]);
}

/// Hair of a map collides with the skin of a head without paint, as it does in the window.
#[test]
fn hair_of_a_map_collides_with_an_unpainted_head() {
    let folder = tempfile::tempdir().unwrap();
    let head = fs::read("models/head.glb").unwrap();
    let json_end = 20 + u32::from_le_bytes(head[12..16].try_into().unwrap()) as usize;
    let mut document: serde_json::Value = serde_json::from_slice(&head[20..json_end]).unwrap();
    for mesh in document["meshes"].as_array_mut().unwrap() {
        for primitive in mesh["primitives"].as_array_mut().unwrap() {
            let attributes = primitive["attributes"].as_object_mut().unwrap();
            attributes.remove("COLOR_0");
        }
    }
    let bald = path_in(&folder, "bald.glb");
    let json = serde_json::to_vec(&document).unwrap();
    fs::write(&bald, gltf_builder::glb(&json, &head[json_end + 8..])).unwrap();
    let map = path_in(&folder, "map.png");
    image::GrayImage::from_pixel(8, 8, image::Luma([255]))
        .save(&map)
        .unwrap();
    let (density, style) = (format!("density={map}"), path_in(&folder, "a.mohawk"));
    stdout(&[
        "style",
        &bald,
        "--map",
        &density,
        "--strands",
        "200",
        "-o",
        &style,
    ]);
    let positions = |more: &[&str]| {
        let out = path_in(&folder, "p.npy");
        let run = [
            "simulate", &style, "--solver", "ftl", "--frames", "20", "-o", &out,
        ];
        stdout(&[&run[..], more].concat());
        fs::read(out).unwrap()
    };
    assert_ne!(positions(&[]), positions(&["--collider", "ellipsoid"]));
}

/// The source of `angular`: hair at the back blows before that on top, and when the wind has
/// turned most of it still goes the old way.
#[test]
fn the_gust_takes_the_back_first() {
    let folder = tempfile::tempdir().unwrap();
    let out = path_in(&folder, "p.npy");
    stdout(&[
        "simulate",
        "--scene",
        "gust",
        "--solver",
        "angular",
        "--strands",
        "500",
        "--fps",
        "10",
        "--frames",
        "18",
        // What the source had is nearer to this than to skin.
        "--collider",
        "ellipsoid",
        "-o",
        &out,
    ]);
    let (shape, numbers) = read(Path::new(&out));
    let (strands, m) = (shape[1] as usize, shape[2] as usize);
    let point = |frame: usize, i: usize, j: usize| {
        let at = ((frame * strands + i) * m + j) * 3;
        [0, 1, 2].map(|axis| f64::from(numbers[at + axis]))
    };
    let apart =
        |a: [f64; 3], b: [f64; 3]| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt();
    // The first frame in which a tip is a tenth of its length from where it was.
    let moved = |i: usize| {
        let length = apart(point(0, i, 0), point(0, i, m - 1));
        let way = |frame| apart(point(frame, i, m - 1), point(0, i, m - 1));
        (0..18)
            .find(|&frame| way(frame) > 0.1 * length)
            .unwrap_or(18)
    };
    let mut heights: Vec<f64> = (0..strands).map(|i| point(0, i, 0)[1]).collect();
    heights.sort_by(f64::total_cmp);
    let (low, high) = (heights[strands * 3 / 10], heights[strands * 7 / 10]);
    let of = |is_of: &dyn Fn([f64; 3]) -> bool| {
        let mut frames: Vec<usize> = (0..strands)
            .filter(|&i| is_of(point(0, i, 0)))
            .map(moved)
            .collect();
        frames.sort_unstable();
        frames
    };
    let back = of(&|root| root[1] < low && root[2] < 0.0);
    let top = of(&|root| root[1] > high);
    let (last_at_back, first_on_top) = (back[back.len() - 1], top[0]);
    assert!(first_on_top >= last_at_back + 4, "{back:?} {top:?}");
    let on = (0..strands).filter(|&i| point(17, i, m - 1)[2] < point(16, i, m - 1)[2]);
    let share = on.count() as f64 / strands as f64;
    assert!(share >= 0.9, "{share}");
}

#[test]
fn what_is_read_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let file = path_in(&folder, "poses.npy");
    poses(&file, &[2, 4, 4], |_| ());
    let before = fs::read(&file).unwrap();
    let error = refused(2, &["simulate", "--poses", &file, "-o", &file]);
    assert_mentions(&error, &["would overwrite", "poses.npy"]);
    assert_eq!(fs::read(&file).unwrap(), before);
    // A preset may be a file.
    let [hair, style] = ["hair.usda", "style.mohawk"].map(|name| path_in(&folder, name));
    json(&["export", "--hair", "--strands", "9", "-o", &hair, "--json"]);
    json(&["style", "--strands", "9", "-o", &style, "--json"]);
    // So is the head of a style.
    let [on_own, head] = ["own.mohawk", "own.glb"].map(|name| path_in(&folder, name));
    fs::copy("models/head.glb", &head).unwrap();
    json(&["style", &head, "--strands", "9", "-o", &on_own, "--json"]);
    for args in [
        &["simulate", "--preset", &hair, "-o", &hair][..],
        &["export", "--hair", "--preset", &hair, "-o", &hair],
        &["style", "--preset", &style, "-o", &style],
        &["simulate", &on_own, "-o", &head],
    ] {
        let file = args[args.len() - 1];
        let before = fs::read(file).unwrap();
        let error = refused(2, args);
        assert_mentions(&error, &["would overwrite"]);
        assert_eq!(fs::read(file).unwrap(), before, "{args:?}");
    }
}

/// Each run that was broken off once left a hidden file beside its output.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_is_broken_off_leaves_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = path_in(&folder, "p.npy");
    // Tests may run where the signal is ignored.
    let mut run = std::process::Command::new("env")
        .args([
            "--default-signal=INT",
            env!("CARGO_BIN_EXE_mohawk"),
            "simulate",
            "-q",
        ])
        .args(["--strands", "9", "--frames", "1000000", "-o", &file])
        .spawn()
        .unwrap();
    while fs::read_dir(folder.path()).unwrap().count() == 0 {
        assert_eq!(run.try_wait().unwrap(), None);
        std::thread::yield_now();
    }
    let kill = format!("kill -INT {}", run.id());
    let kill = std::process::Command::new("sh")
        .args(["-c", &kill])
        .status();
    assert!(kill.unwrap().success());
    assert_eq!(run.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn an_unwritable_place_is_told_before_the_work() {
    let error = refused(1, &["simulate", "-o", "/nowhere/at/all/p.npy"]);
    assert_mentions(&error, &["/nowhere/at/all"]);
}

/// Contact lifted hair against the pull of a tie for nothing, and it whirled at 20 dm/s without end.
#[test]
fn tied_hair_beside_the_head_comes_to_rest() {
    let folder = tempfile::tempdir().unwrap();
    let file = path_in(&folder, "p.npy");
    let beside = "{ place = [0.9, 1.2, 0], reach = 1.2, radius = 0.12 }";
    let behind = "{ place = [0.9, 0.9, -0.5], reach = 1.4, radius = 0.15 }";
    for (length, tie) in [("2", beside), ("2.5", behind)] {
        let ties = format!("sim.ties=[{tie}]");
        let hair = ["--strands", "200", "--length", length, "--set", &ties];
        let run = ["--solver", "rod", "--scene", "still", "--frames", "241"];
        json(&[&["simulate", "-o", &file, "--json"], &hair[..], &run[..]].concat());
        let (shape, numbers) = read(Path::new(&file));
        let each = shape[1..].iter().product::<u64>() as usize;
        let last: Vec<_> = numbers.chunks(each).rev().take(30).collect();
        // The largest way along an axis from one picture to the next, 1/60 s later.
        let ways = last.windows(2).flat_map(|pair| pair[0].iter().zip(pair[1]));
        let fastest = ways
            .map(|(now, before)| (now - before).abs())
            .fold(0.0, f32::max);
        assert!(fastest * 60.0 < 1.0, "{tie}: {} dm/s", fastest * 60.0);
    }
}

#[test]
fn a_tie_that_holds_nothing_changes_no_bit() {
    let folder = tempfile::tempdir().unwrap();
    let file = path_in(&folder, "p.npy");
    for solver in ["spring", "ftl", "angular", "particles", "rod"] {
        let ends = ["[]", "[{ place = [60, 0, 0] }]"].map(|ties| {
            let ties = format!("sim.ties={ties}");
            let hair = ["--solver", solver, "--strands", "300", "--length", "1.2"];
            let run = ["--scene", "drop", "--frames", "61", "--set", &ties];
            json(&[&["simulate", "-o", &file, "--json"], &hair[..], &run[..]].concat());
            fs::read(&file).unwrap()
        });
        assert!(ends[0] == ends[1], "{solver}");
    }
}

#[test]
fn a_collider_far_away_changes_no_bit() {
    let folder = tempfile::tempdir().unwrap();
    let file = path_in(&folder, "p.npy");
    for solver in ["spring", "ftl", "angular", "particles", "rod"] {
        for head in ["field", "ellipsoid", "plane"] {
            let ends = ["[]", "[{ from = [60, 0, 0], radius = 0.3 }]"].map(|colliders| {
                let colliders = format!("sim.colliders={colliders}");
                let hair = ["--solver", solver, "--strands", "300", "--length", "1.2"];
                let run = ["--scene", "swing", "--frames", "31", "--collider", head];
                let set = ["--set", &colliders];
                json(
                    &[
                        &["simulate", "-o", &file, "--json"],
                        &hair[..],
                        &run[..],
                        &set[..],
                    ]
                    .concat(),
                );
                fs::read(&file).unwrap()
            });
            assert!(ends[0] == ends[1], "{solver}, {head}");
        }
    }
}

/// The same bits with every instruction set and any number of threads, and those recorded.
/// When a change is meant to alter the motion, put the new values here.
#[test]
fn every_solver_gives_the_same_bits_whatever_runs_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut hashes = Vec::new();
    for solver in ["spring", "ftl", "angular", "particles", "rod"] {
        let mut expected = None;
        for (simd, threads) in [("scalar", "1"), ("avx2", "2"), ("avx512", "2")] {
            let file = folder.path().join("p.npy");
            // Enough particles for several threads.
            let status = program()
                .args([
                    "simulate",
                    "--solver",
                    solver,
                    "--scene",
                    "run",
                    "--strands",
                    "1800",
                ])
                .args(["--fps", "240", "--frames", "41", "-q", "-o"])
                .arg(&file)
                .stdout(Stdio::null())
                .env("MOHAWK_SIMD", simd)
                .env("RAYON_NUM_THREADS", threads)
                .status()
                .unwrap();
            assert!(status.success());
            let bits = read(&file).1.into_iter().map(f32::to_bits);
            let hash = bits.fold(0xcbf2_9ce4_8422_2325_u64, |hash, bits| {
                (hash ^ u64::from(bits)).wrapping_mul(0x0100_0000_01b3)
            });
            let expected = *expected.get_or_insert(hash);
            assert_eq!(hash, expected, "{solver} with {simd} on {threads} threads");
        }
        hashes.push(expected.unwrap());
    }
    assert_eq!(hashes, HASHES);
}

const HASHES: [u64; 5] = [
    0xef88_564b_12d7_6911,
    0xd912_8efd_7a49_6ef2,
    0x54c1_ddb1_b7c9_2dab,
    0x2ead_b392_7bf3_b094,
    0xccab_addb_ad67_6264,
];
