//! Compares pictures of `mohawk render` with `tests/golden/*.png`, with a tolerance for other
//! versions of the graphics driver. The last tests draw squares made by hand.
//!
//! After an intended change of the look, write the pictures again and look at them:
//! `MOHAWK_BLESS=1 cargo test --test golden_images`. The message of a failing test names the folder
//! with the picture that it drew.

#![cfg(feature = "viewer")]

use glam::{DVec2, Mat4, Vec2, Vec3, Vec4};
use image::RgbaImage;
use mohawk::{
    Groom, Head, Look,
    doll::{Doll, DollBrush, DollSession, DollSettings, DollTool, Face, Figure, Palette},
    head::{AlphaMode, Contents, Extent, HeadSettings, Material, Part, Texture, Units, Wrap},
    render::{CameraView, Disc, Offscreen, OrbitCamera, Paper, Shot, Stage},
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Largest mean difference of the channels, of 255.
const MAX_MEAN: f64 = 1.0;
/// Largest difference of a channel in equal pixels, of 255.
const PIXEL_TOLERANCE: u8 = 24;
/// Largest share of pixels that differ. Thin strands move by parts of a pixel.
const MAX_SHARE: f64 = 0.01;

/// Pictures are small and have few strands, to be fast without a GPU.
const SMALL: [&str; 6] = [
    "--quiet",
    "--resolution",
    "200,200",
    "--strands",
    "1500",
    "--seed=5",
];

/// Runs `mohawk render` into `file`.
fn render(file: &Path, args: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_mohawk"))
        .arg("render")
        .arg("--output")
        .arg(file)
        .args(SMALL)
        .args(args)
        .stdin(Stdio::null())
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {stderr}");
    assert_eq!(stderr, "", "--quiet says nothing");
}

fn picture(args: &[&str]) -> RgbaImage {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picture.png");
    render(&file, args);
    image::open(&file).unwrap().into_rgba8()
}

struct Difference {
    /// Mean over all channels, of 255.
    mean: f64,
    /// Number of pixels that differ by more than [`PIXEL_TOLERANCE`].
    share: f64,
}

fn difference(a: &RgbaImage, b: &RgbaImage) -> Difference {
    assert_eq!(a.dimensions(), b.dimensions());
    let (mut sum, mut differing) = (0_u64, 0_u32);
    for (a, b) in a.pixels().zip(b.pixels()) {
        let off = [0, 1, 2, 3].map(|c| a.0[c].abs_diff(b.0[c]));
        sum += off.map(u64::from).iter().sum::<u64>();
        differing += u32::from(off.iter().any(|&off| off > PIXEL_TOLERANCE));
    }
    let pixels = f64::from(a.width() * a.height());
    Difference {
        mean: sum as f64 / (4.0 * pixels),
        share: f64::from(differing) / pixels,
    }
}

/// Compares `actual` with `tests/golden/NAME.png`, or writes that file. The error says what
/// differs.
fn golden(name: &str, actual: &RgbaImage) -> Result<(), String> {
    let file = format!("{name}.png");
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "golden", &file]
        .iter()
        .collect();
    if std::env::var_os("MOHAWK_BLESS").is_some() {
        actual.save(&path).unwrap();
    }
    let expected = image::open(&path)
        .map_err(|error| format!("{}: {error}", path.display()))?
        .into_rgba8();
    let Difference { mean, share } = difference(actual, &expected);
    if mean > MAX_MEAN || share > MAX_SHARE {
        let drawn = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&file);
        actual.save(&drawn).unwrap();
        return Err(format!(
            "{} differs from {}: {mean:.2} of 255 in the mean, {:.1} % of the pixels",
            drawn.display(),
            path.display(),
            100.0 * share
        ));
    }
    Ok(())
}

#[test]
fn dolls_match_their_goldens() {
    let folder = tempfile::tempdir().unwrap();
    let strokes = folder.path().join("strokes.json");
    let brushed = r#"{"version": 1, "size": [800, 600], "strokes": [
        {"tool": "comb", "points": [[0, 300, 200], [0.5, 250, 330], [1, 260, 460]]},
        {"tool": "clip", "radius": 36, "points": [[0, 300, 300]]},
        {"tool": "clip", "clip": "flower", "color": [0.4, 0.5, 1], "points": [[0, 470, 150]]},
        {"tool": "color", "color": [0.2, 0.5, 1], "points": [[0, 480, 380], [1, 560, 460]]},
        {"tool": "cut", "points": [[0, 480, 420], [1, 520, 400]]}]}"#;
    fs::write(&strokes, brushed).unwrap();
    let strokes = strokes.to_str().unwrap();
    for (name, args) in [
        ("doll-girl", &[][..]),
        ("doll-girl-brushed", &["--strokes", strokes]),
        ("doll-boy-blond", &["--figure", "boy", "--palette", "blond"]),
        (
            "doll-lion-ginger",
            &["--figure", "lion", "--palette", "ginger", "--hairs", "3000"],
        ),
        (
            "doll-troll-pink",
            &["--figure", "troll", "--palette", "pink", "--hairs", "2000"],
        ),
        // Beside its picture the page goes on.
        ("doll-wide", &["--palette", "rainbow"]),
    ] {
        let size = if name == "doll-wide" {
            "400,160"
        } else {
            "266,200"
        };
        let file = folder.path().join("doll.png");
        let output = Command::new(env!("CARGO_BIN_EXE_mohawk"))
            .args(["doll", "--quiet", "--resolution", size, "-o"])
            .arg(&file)
            .args(args)
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && stderr.is_empty(),
            "{name}: {stderr}"
        );
        let picture = image::open(&file).unwrap().into_rgba8();
        golden(name, &picture).unwrap_or_else(|problem| panic!("{problem}"));
    }
}

/// A window draws only the part of a page that changed.
#[test]
fn pages_drawn_in_parts_equal_pages_drawn_at_once() {
    let offscreen = Offscreen::new().unwrap();
    let new_paper = || Paper::new(offscreen.context());
    let drawn = |paper: &mut Paper, doll: &Doll, size| {
        paper.set_doll(doll);
        let drawn = offscreen.screen(size).unwrap().draw(|target| {
            paper.draw(target, target.viewport(), Face::default())?;
            Ok(target.read_color::<[u8; 4]>())
        });
        drawn.unwrap()
    };
    let mut kept = new_paper();
    let mut session = DollSession::new(Doll::grown(DollSettings::default()).unwrap());
    let mut before = Vec::new();
    let mut check = |doll: &Doll, size: [u32; 2], what: &str| {
        let by_parts = drawn(&mut kept, doll, size);
        let at_once = drawn(&mut new_paper(), doll, size);
        let differ = by_parts.iter().zip(at_once).filter(|(a, b)| *a != b);
        assert_eq!(differ.count(), 0, "pixels differ after {what} at {size:?}");
        assert_ne!(by_parts, before, "{what} is not seen");
        before = by_parts;
    };
    let usual = [310, 250];
    check(session.doll(), usual, "nothing");
    for tool in DollTool::ALL {
        session.begin(DollBrush {
            tool,
            color: [0.2, 0.5, 1.0],
            ..DollBrush::default()
        });
        session.move_to(310.0, 250.0);
        session.move_to(330.0, 380.0);
        session.end();
        check(session.doll(), usual, tool.name());
    }
    check(session.doll(), [400, 160], "another size");
    session.undo().unwrap();
    check(session.doll(), [400, 160], "undo");
    let settings = DollSettings {
        figure: Figure::Boy,
        palette: Palette::Blond,
        hairs: 300,
        ..session.doll().settings.clone()
    };
    session.set_settings(settings, false).unwrap();
    check(session.doll(), [400, 160], "another doll");
    // Of a hair alone every side is seen.
    let mut doll = session.doll().clone();
    doll.hairs.truncate(1);
    for turn in 0..12 {
        let way = DVec2::from_angle(f64::from(turn)) * 90.0;
        let curve = &mut doll.hairs[0].curve;
        curve.mid = curve.from + 0.5 * way + 0.2 * way.perp();
        curve.to = curve.from + way;
        check(&doll, [620, 500], "a turn");
    }
}

#[test]
fn looks_and_cameras_match_their_goldens() {
    let blessed = [
        ("studio-three-quarter", &[][..]),
        ("studio-front", &["--camera", "front"]),
        ("studio-side", &["--camera", "side"]),
        ("studio-top", &["--camera", "top"]),
        ("studio-back", &["--camera", "back"]),
        (
            "studio-swing",
            &["--camera", "front", "--scene", "swing", "--at", "0.8"],
        ),
        (
            "rod-swing",
            &["--solver", "rod", "--scene", "swing", "--at", "0.8"],
        ),
        (
            "classic-ftl-guides",
            &[
                "--look",
                "classic",
                "--solver",
                "ftl",
                "--set",
                "sim.hold=0.3",
                "--set",
                "sim.guides.share=0.2",
                "--scene",
                "nod",
                "--at",
                "0.7",
            ],
        ),
        (
            "drop-colliders",
            &[
                "--solver",
                "ftl",
                "--scene",
                "drop",
                "--at",
                "1",
                "--set",
                "sim.colliders=[{ from = [0.5, 1.1, 0.9], radius = 0.3 }, { from = [-0.8, 1.3, 0.2], to = [0.8, 1.3, 0.2], radius = 0.15 }]",
            ],
        ),
        (
            "wet-rod",
            &[
                "--solver",
                "rod",
                "--scene",
                "drop",
                "--at",
                "0.5",
                "--set",
                "sim.wet.wetness=1",
            ],
        ),
        (
            "tail",
            &[
                "--solver",
                "ftl",
                "--scene",
                "drop",
                "--at",
                "2",
                "--yaw",
                "120",
                "--set",
                "groom.length=2.5",
                "--set",
                "sim.ties=[{ place = [0, 0.4, -1.3], reach = 5 }]",
            ],
        ),
        ("preset-bob", &["--preset", "bob"]),
        ("preset-braids", &["--preset", "braids"]),
        ("preset-prairie", &["--preset", "prairie"]),
        (
            "stage-lens",
            &[
                "--light",
                "stage",
                "--set",
                "look.lens.bloom=0.2",
                "--set",
                "look.lens.aperture=0.15",
            ],
        ),
        (
            "daylight-floor",
            &[
                "--light",
                "daylight",
                "--set",
                "look.light.turn_deg=60",
                "--set",
                "look.light.floor=true",
            ],
        ),
        (
            "shake-blurred",
            &["--scene", "shake", "--at", "0.3", "--motion-blur", "0.8"],
        ),
        ("roots-back", &["--roots", "--camera", "back"]),
        ("classic-three-quarter", &["--look", "classic"]),
        (
            "classic-nod",
            &[
                "--look", "classic", "--camera", "side", "--scene", "nod", "--at", "0.7",
            ],
        ),
    ];
    let failures: Vec<String> = blessed
        .iter()
        .filter_map(|(name, args)| golden(name, &picture(args)).err())
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The faded end of the neck hid hair behind it, which hung in the air below.
#[test]
fn hair_behind_the_faded_neck_is_seen() {
    let picture = picture(&[
        "--no-background",
        "--solver",
        "ftl",
        "--scene",
        "drop",
        "--at",
        "1.5",
        "--set",
        "groom.length=2",
    ]);
    let is_seen = |y: u32| (0..picture.width()).any(|x| picture.get_pixel(x, y).0[3] > 150);
    let seen: Vec<u32> = (0..picture.height()).filter(|&y| is_seen(y)).collect();
    let rows = seen[seen.len() - 1] - seen[0] + 1;
    assert_eq!(seen.len() as u32, rows, "there is a gap: {seen:?}");
}

/// A model without a neck once faded away as a whole.
#[test]
fn a_flat_model_is_seen() {
    const SQUARE: &str = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\n\
        property float y\nproperty float z\nelement face 1\n\
        property list uchar int vertex_indices\nend_header\n\
        -1 0 -1\n-1 0 1\n1 0 1\n1 0 -1\n4 0 1 2 3\n";
    let folder = tempfile::tempdir().unwrap();
    let [square, file] = ["square.ply", "square.png"].map(|name| folder.path().join(name));
    fs::write(&square, SQUARE).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_mohawk"))
        .args(["render", "--camera", "top", "--no-background", "-o"])
        .args([&file, &square])
        .args(SMALL)
        .output();
    assert!(output.unwrap().status.success());
    let picture = image::open(&file).unwrap().to_rgba8();
    assert_eq!(picture.get_pixel(90, 90).0[3], 255);
}

#[test]
fn without_background_corners_are_clear_and_the_head_is_not() {
    let cut = picture(&["--no-background", "--camera", "front"]);
    let (width, height) = cut.dimensions();
    for (x, y) in [
        (0, 0),
        (width - 1, 0),
        (0, height - 1),
        (width - 1, height - 1),
    ] {
        assert_eq!(cut.get_pixel(x, y).0[3], 0, "corner {x}, {y}");
    }
    assert_eq!(cut.get_pixel(width / 2, height / 2).0[3], 255, "the face");
    let partial = cut.pixels().any(|pixel| (1..255).contains(&pixel.0[3]));
    assert!(partial, "edges are soft");
    golden("studio-cut-out", &cut).unwrap();
}

#[test]
fn the_picture_shows_hair_motion_and_seed() {
    let still = picture(&["--camera", "front"]);
    let moved = |args: &[&str]| difference(&still, &picture(args)).share;
    let swung = moved(&["--camera", "front", "--scene", "swing", "--at", "0.8"]);
    assert!(
        swung > 2.0 * MAX_SHARE,
        "swinging moves the head and its hair: {swung}"
    );
    let shorter = moved(&["--camera", "front", "--length", "0.2"]);
    assert!(shorter > 2.0 * MAX_SHARE, "the length shows: {shorter}");
    let settled = moved(&["--camera", "front", "--scene", "still", "--at", "3"]);
    assert_eq!(settled, 0.0, "nothing moves by itself");
}

#[test]
fn the_same_arguments_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--scene", "nod", "--frames", "4", "--fps", "10"];
    let runs = ["a", "b"].map(|run| {
        let clip = folder.path().join(format!("{run}.gif"));
        render(&clip, &args);
        render(&folder.path().join(format!("{run}_{{frame}}.png")), &args);
        let numbered = (0..4).map(|i| folder.path().join(format!("{run}_{i:04}.png")));
        let files = numbered.chain([clip]);
        files
            .map(|file| fs::read(file).unwrap())
            .collect::<Vec<_>>()
    });
    assert!(runs[0] == runs[1], "two runs differ");
    assert_ne!(runs[0][0], runs[0][3], "the head moves");
    let count = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(count, 10, "nothing else is left behind");
}

#[test]
fn a_clip_has_the_requested_length_and_loops() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("clip.gif");
    render(&file, &["--frames", "7", "--fps", "30"]);
    let mut decoder = gif::DecodeOptions::new()
        .read_info(fs::File::open(&file).unwrap())
        .unwrap();
    assert_eq!((decoder.width(), decoder.height()), (200, 200));
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        delays.push(frame.delay);
    }
    assert_eq!(delays, [3, 4, 3, 3, 4, 3, 3]);
}

#[test]
fn heads_without_paint_are_drawn_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let (head, target) = (folder.path().join("bald.gltf"), folder.path().join("a.png"));
    fs::write(&head, BALD).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_mohawk"))
        .args(["render", "--resolution", "64,64", "-o"])
        .args([&target, &head])
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert!(stderr.starts_with("warning: "), "{stderr}");
    assert!(stderr.contains("COLOR_n"), "{stderr}");
    assert!(target.exists());
}

/// One triangle, no paint.
const BALD: &str = r#"{
  "asset": { "version": "2.0" },
  "scenes": [{ "nodes": [0] }], "scene": 0, "nodes": [{ "mesh": 0 }],
  "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
  "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                  "min": [0, 0, 0], "max": [1, 1, 0] }],
  "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
  "buffers": [{ "byteLength": 36,
    "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA" }]
}"#;

/// A double-sided square of `half` size around `centre` that faces +Z and shows the first texture
/// upright; `mirrored` swaps left and right.
fn square(centre: Vec3, half: f32, material: usize, mirrored: bool) -> Part {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(Vec2::from);
    let side = if mirrored { -1.0 } else { 1.0 };
    Part {
        name: "square".to_owned(),
        positions: corners.map(|c| centre + half * c.extend(0.0)).into(),
        normals: vec![Vec3::Z; 4],
        tangents: Some(vec![Vec4::new(side, 0.0, 0.0, side); 4]),
        // glTF: v runs down.
        uvs: Some(
            corners
                .map(|c| (Vec2::ONE + c * Vec2::new(side, -1.0)) / 2.0)
                .into(),
        ),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        material,
        ..Part::default()
    }
}

fn matte() -> Material {
    Material {
        name: "matte".to_owned(),
        base_color: [0.5, 0.5, 0.5, 1.0],
        base_color_texture: None,
        metallic: 0.0,
        roughness: 1.0,
        reflectance: 0.03,
        metallic_roughness_texture: None,
        normal_texture: None,
        normal_scale: 1.0,
        emissive: [0.0; 3],
        emissive_texture: None,
        sheen: [0.0; 3],
        sheen_roughness: 1.0,
        sheen_texture: None,
        is_unlit: false,
        alpha: AlphaMode::Opaque,
        double_sided: true,
    }
}

fn head_of(parts: Vec<Part>, materials: Vec<Material>, texel: [u8; 4]) -> Head {
    let texture = Texture {
        name: "one colour".to_owned(),
        width: 4,
        height: 4,
        pixels: vec![texel; 16].into(),
        wrap: [Wrap::Repeat; 2],
        smooth: true,
    };
    Head {
        rig: None,
        licence: None,
        name: "squares".to_owned(),
        parts,
        materials,
        textures: vec![texture],
        scalp_part: None,
        units: Units {
            turn: glam::DQuat::IDENTITY,
            scale: 1.0,
            centre: Vec3::ZERO,
            native: None,
        },
        extent: Extent::default(),
        contents: Contents::default(),
        warnings: Vec::new(),
        files: Vec::new(),
    }
}

/// A camera on +Z.
const FRONT: OrbitCamera = OrbitCamera {
    target: Vec3::ZERO,
    yaw: 0.0,
    pitch: 0.0,
    distance: 8.0,
    fov_y: OrbitCamera::FOV_Y,
};

/// The head from +Z, without background.
fn shoot(gl: &Offscreen, head: &Head, world_from_head: Mat4) -> RgbaImage {
    let mut stage = gl.stage(&Look::default());
    stage.set_head(head);
    shoot_stage(gl, &mut stage, world_from_head)
}

fn shoot_stage(gl: &Offscreen, stage: &mut Stage, world_from_head: Mat4) -> RgbaImage {
    let shot = Shot {
        camera: FRONT,
        world_from_head,
        background: false,
    };
    gl.render(stage, &shot, 64, 64).unwrap()
}

/// Blue glass of this size and depth beside red hair at depth 0. Between opaque squares it is within
/// the head, if it is no larger.
#[test]
fn hair_hides_glass_behind_it_and_glass_in_front_hides_hair() {
    let gl = Offscreen::new().unwrap();
    let mut look = Look::default();
    look.hair.lit = false;
    look.hair.radius = 0.02;
    (look.hair.root_color, look.hair.tip_color) = ([0.6, 0.0, 0.0], [0.6, 0.0, 0.0]);
    let roots = (0..400).map(|i| Vec3::new(i as f32 / 400.0 - 0.5, -0.5, 0.0));
    let groom = Groom::parallel(roots.collect(), Vec3::Y, 1.0);
    let shows_glass = |half: f32, depth: f32| {
        let mut glass = matte();
        (glass.alpha, glass.base_color) = (AlphaMode::Blend, [0.0, 0.0, 0.0, 0.9]);
        glass.emissive = [0.0, 0.0, 1.0];
        let aside = Vec3::new(0.0, 0.8, 0.9);
        let parts = vec![
            square(-Vec3::Z, 1.0, 0, false),
            square(aside, 0.1, 0, false),
            square(Vec3::Z * depth, half, 1, false),
        ];
        let mut stage = gl.stage(&look);
        stage.set_head(&head_of(parts, vec![matte(), glass], [255; 4]));
        stage.set_groom(&groom);
        let picture = shoot_stage(&gl, &mut stage, Mat4::IDENTITY);
        let [red, _, blue, _] = picture.get_pixel(32, 32).0;
        assert!(red.abs_diff(blue) > 100, "{half} {depth}: {red} {blue}");
        blue > red
    };
    // Behind hair: within the head, and larger than it.
    assert!(!shows_glass(0.6, -0.5));
    assert!(!shows_glass(1.5, -0.5));
    // In front of hair and of the head.
    assert!(shows_glass(1.5, 1.2));
    assert!(shows_glass(0.6, 1.2));
}

#[test]
fn discs_lie_on_the_skin_and_are_hidden_behind_it() {
    const RADIUS: f32 = 0.5;
    let gl = Offscreen::new().unwrap();
    let mut stage = gl.stage(&Look::default());
    let ground = square(Vec3::ZERO, 1.0, 0, false);
    stage.set_head(&head_of(vec![ground], vec![matte()], [255; 4]));
    let disc = Disc {
        center: Vec3::ZERO,
        normal: Vec3::Z,
        radius: RADIUS,
        color: [0.0, 0.0, 1.0],
    };
    stage.set_discs(&[disc]);
    let mut blue = |discs: bool, world_from_head: Mat4| {
        stage.layers.discs = discs;
        let shot = Shot {
            camera: FRONT,
            world_from_head,
            background: false,
        };
        let picture = gl.render(&mut stage, &shot, 200, 200).unwrap();
        // The colour of what is hardly there is rounded.
        let is_blue = |pixel: &&image::Rgba<u8>| {
            let [red, _, blue, alpha] = pixel.0;
            alpha > 15 && blue > red.saturating_add(60)
        };
        picture.pixels().filter(is_blue).count() as f32
    };
    let pixels_per_dm = 1.0 / FRONT.pixel_size(200.0);
    let area = std::f32::consts::PI * (RADIUS * pixels_per_dm).powi(2);
    let front = blue(true, Mat4::IDENTITY);
    // The dot at its root is not blue.
    assert!((0.93..1.02).contains(&(front / area)), "{front} of {area}");
    let slanted = blue(true, Mat4::from_rotation_y(1.0));
    let ratio = slanted / front / 1.0_f32.cos();
    assert!((0.9..1.1).contains(&ratio), "it lies in the plane: {ratio}");
    assert_eq!(blue(true, Mat4::from_rotation_y(3.1)), 0.0, "from behind");
    assert_eq!(blue(false, Mat4::IDENTITY), 0.0, "switched off");
}

/// Returns the sum of red, green and blue in the middle of the picture.
fn brightness(picture: &RgbaImage) -> i32 {
    let [r, g, b, a] = picture.get_pixel(32, 32).0;
    assert_eq!(a, 255, "the middle is covered");
    i32::from(r) + i32::from(g) + i32::from(b)
}

#[test]
fn normal_maps_need_no_tangents() {
    let gl = Offscreen::new().unwrap();
    let [right, left, up, down] = [(208, 128), (48, 128), (128, 208), (128, 48)];
    let tilted = |(x, y): (u8, u8), mirrored: bool, pose: Mat4| {
        let mut material = matte();
        material.normal_texture = Some(0);
        let part = square(Vec3::ZERO, 1.0, 0, mirrored);
        let mut head = head_of(vec![part], vec![material], [x, y, 226, 255]);
        let with = shoot(&gl, &head, pose);
        head.parts[0].tangents = None;
        let without = shoot(&gl, &head, pose);
        let Difference { mean, share } = difference(&with, &without);
        assert!(
            mean < 0.1 && share == 0.0,
            "({x}, {y}), mirrored: {mirrored}: {mean} of 255 in the mean, share {share}"
        );
        brightness(&without)
    };
    // The key light comes from the upper right.
    for (name, brighter, darker, mirrored, pose) in [
        ("right", right, left, false, Mat4::IDENTITY),
        ("up", up, down, false, Mat4::IDENTITY),
        ("mirrored", left, right, true, Mat4::IDENTITY),
        ("mirrored, up", up, down, true, Mat4::IDENTITY),
        (
            "upside down",
            left,
            right,
            false,
            Mat4::from_rotation_z(3.1),
        ),
        // From behind, bumps are dents.
        ("behind", right, left, false, Mat4::from_rotation_y(3.1)),
        ("behind, up", down, up, false, Mat4::from_rotation_y(3.1)),
    ] {
        let (brighter, darker) = (
            tilted(brighter, mirrored, pose),
            tilted(darker, mirrored, pose),
        );
        assert!(brighter > darker + 30, "{name}: {brighter} and {darker}");
    }
}

#[test]
fn skin_that_faces_the_eye_has_no_black_specks() {
    let gl = Offscreen::new().unwrap();
    let mut stage = gl.stage(&Look::default());
    stage.set_head(&Head::shipped(&HeadSettings::default()).unwrap());
    let shot = Shot {
        camera: OrbitCamera::named(CameraView::Top),
        world_from_head: Mat4::IDENTITY,
        background: false,
    };
    let picture = gl.render(&mut stage, &shot, 600, 600).unwrap();
    let crown = image::imageops::crop_imm(&picture, 250, 250, 100, 100).to_image();
    let darkest = crown.pixels().map(|pixel| pixel.0[0]).min().unwrap();
    assert!(darkest > 150, "a pixel has {darkest} of red");
}

#[test]
fn opaque_and_mask_materials_do_not_blend() {
    let gl = Offscreen::new().unwrap();
    let alpha = |mode: AlphaMode| {
        let mut material = matte();
        material.base_color_texture = Some(0);
        material.alpha = mode;
        let parts = vec![square(Vec3::ZERO, 1.0, 0, false)];
        let head = head_of(parts, vec![material], [255, 255, 255, 77]);
        let picture = shoot(&gl, &head, Mat4::IDENTITY);
        assert_eq!(picture.get_pixel(0, 0).0[3], 0, "nothing is there");
        picture.get_pixel(32, 32).0[3]
    };
    assert_eq!(alpha(AlphaMode::Opaque), 255);
    assert_eq!(alpha(AlphaMode::Mask(0.2)), 255);
    assert_eq!(alpha(AlphaMode::Mask(0.4)), 0);
    assert_eq!(alpha(AlphaMode::Blend), 77);
}

#[test]
fn cut_out_texels_cast_no_shadow() {
    let gl = Offscreen::new().unwrap();
    let ground = || square(Vec3::ZERO, 1.0, 0, false);
    // Between the middle of the ground and the key light, beside what the camera sees of it.
    let screen = || square(Vec3::new(0.67, 1.1, 0.76), 0.5, 1, false);
    let shadowed = |alpha: u8| {
        let mut mask = matte();
        mask.base_color_texture = Some(0);
        mask.alpha = AlphaMode::Mask(0.5);
        let head = head_of(
            vec![ground(), screen()],
            vec![matte(), mask],
            [255, 255, 255, alpha],
        );
        brightness(&shoot(&gl, &head, Mat4::IDENTITY))
    };
    let bare = head_of(vec![ground()], vec![matte()], [255; 4]);
    let bare = brightness(&shoot(&gl, &bare, Mat4::IDENTITY));
    assert_eq!(shadowed(100), bare, "nothing is left of the screen");
    let dark = shadowed(200);
    assert!(dark < bare - 100, "the screen: {dark}, without: {bare}");
}
