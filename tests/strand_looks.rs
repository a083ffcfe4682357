//! Pictures of strands with their own widths and colours.

#![cfg(feature = "viewer")]

use glam::{Mat4, Vec3};
use image::{Rgba, RgbaImage};
use mohawk::render::{
    CameraView, Economy, Marks, Offscreen, OrbitCamera, Quality, Shot, Stage, Tints,
};
use mohawk::{Config, Groom, Head, Look, Roots, Scalp};
use std::f32::consts::FRAC_PI_3;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};

const SIDE: u32 = 200;

/// Returns parallel strands, the first half of them left of the middle.
fn fence() -> Groom {
    let count = 20;
    let across = |i: usize| (i as f32 + 0.5) / count as f32 * 2.0 - 1.0;
    Groom {
        roots: (0..count)
            .map(|i| Vec3::new(across(i), -0.5, 0.0))
            .collect(),
        directions: vec![Vec3::Y; count],
        normals: vec![Vec3::Y; count],
        lengths: vec![1.0; count],
        ..Groom::default()
    }
}

/// Returns one value for the left half and one for the right.
fn halves<T: Clone>(left: T, right: T) -> Vec<T> {
    let count = fence().len();
    [vec![left; count / 2], vec![right; count / 2]].concat()
}

fn shoot(gl: &Offscreen, stage: &mut Stage) -> RgbaImage {
    let camera = OrbitCamera {
        target: Vec3::ZERO,
        yaw: 0.0,
        pitch: 0.0,
        distance: 5.0,
        fov_y: OrbitCamera::FOV_Y,
    };
    let shot = Shot {
        camera,
        world_from_head: Mat4::IDENTITY,
        background: false,
    };
    gl.render(stage, &shot, SIDE, SIDE).unwrap()
}

fn drawn(gl: &Offscreen, groom: &Groom, look: &Look) -> RgbaImage {
    let mut stage = gl.stage(look);
    stage.set_groom(groom);
    shoot(gl, &mut stage)
}

/// Counts the pixels of the left and of the right half for which `is` holds.
fn count(picture: &RgbaImage, is: impl Fn(&Rgba<u8>) -> bool) -> [usize; 2] {
    let mut counts = [0; 2];
    for (x, _, pixel) in picture.enumerate_pixels() {
        counts[usize::from(x >= SIDE / 2)] += usize::from(pixel.0[3] > 100 && is(pixel));
    }
    counts
}

fn is_red(pixel: &Rgba<u8>) -> bool {
    let [r, g, b, _] = pixel.0;
    r > g.saturating_add(20) && r > b.saturating_add(20)
}

fn is_green(pixel: &Rgba<u8>) -> bool {
    let [r, g, b, _] = pixel.0;
    g > r.saturating_add(20) && g > b.saturating_add(20)
}

/// Returns the mean brightness of the covered pixels in a row of the left half.
fn row(picture: &RgbaImage, y: u32) -> f64 {
    let row = (0..SIDE / 2).map(|x| picture.get_pixel(x, y).0);
    let covered: Vec<f64> = row
        .filter(|pixel| pixel[3] > 200)
        .map(|pixel| f64::from(pixel[0].max(pixel[1]).max(pixel[2])))
        .collect();
    covered.iter().sum::<f64>() / covered.len() as f64
}

#[test]
fn dyed_halves_have_their_colours_and_keep_their_shading() {
    let gl = Offscreen::new().unwrap();
    let mut groom = fence();
    groom.tints = halves([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    for look in Look::NAMES.iter().map(|name| Look::named(name).unwrap()) {
        let picture = drawn(&gl, &groom, &look);
        let (red, green) = (count(&picture, is_red), count(&picture, is_green));
        assert!(red[0] > 500 && red[1] < red[0] / 50, "{red:?} {green:?}");
        assert!(green[1] > 500 && green[0] < green[1] / 50, "{green:?}");
    }
    // Darker at its roots, as the look has it.
    let picture = drawn(&gl, &groom, &Look::default());
    let covered: Vec<u32> = (0..SIDE)
        .filter(|&y| (0..SIDE / 2).any(|x| picture.get_pixel(x, y).0[3] > 200))
        .collect();
    let at = |share: f32| covered[(share * (covered.len() - 1) as f32) as usize];
    let (tips, roots) = (row(&picture, at(0.1)), row(&picture, at(0.9)));
    assert!(tips > 1.5 * roots, "{tips} {roots}");
}

#[test]
fn bleach_lightens_dark_hair_and_lets_dyes_shine() {
    let gl = Offscreen::new().unwrap();
    let mut look = Look::default();
    (look.hair.root_color, look.hair.tip_color) = ([0.16, 0.1, 0.07], [0.2, 0.13, 0.09]);
    let mut groom = fence();
    let sum = |picture: &RgbaImage, right: bool, channel: usize| -> u32 {
        let half = |x: u32| (x >= SIDE / 2) == right;
        let pixels = picture
            .enumerate_pixels()
            .filter(|(x, _, p)| half(*x) && p.0[3] > 200);
        pixels.map(|(_, _, p)| u32::from(p.0[channel])).sum()
    };
    groom.bleach = halves(0.0, 0.9);
    let picture = drawn(&gl, &groom, &look);
    let [dark, fair] = [false, true].map(|right| sum(&picture, right, 1));
    assert!(2 * dark < fair, "{dark} {fair}");
    let order = [0, 1, 2].map(|channel| sum(&picture, true, channel));
    assert!(order[0] > order[1] && order[1] > order[2], "{order:?}");
    groom.tints = halves([0.1, 0.2, 1.0], [0.1, 0.2, 1.0]);
    let picture = drawn(&gl, &groom, &look);
    let [dark, bright] = [false, true].map(|right| sum(&picture, right, 2));
    assert!(2 * dark < bright, "{dark} {bright}");
}

#[test]
fn wet_hair_is_darker() {
    let gl = Offscreen::new().unwrap();
    let look = Look::default();
    let mut groom = fence();
    groom.wetness = halves(0.0, 1.0);
    let wet = drawn(&gl, &groom, &look);
    groom.wetness = halves(1.0, 1.0);
    let all = drawn(&gl, &groom, &look);
    groom.wetness = Vec::new();
    let dry = drawn(&gl, &groom, &look);
    let light = |picture: &RgbaImage, columns: std::ops::Range<u32>| -> u32 {
        let pixels = columns.flat_map(|x| (0..SIDE).map(move |y| picture.get_pixel(x, y).0));
        pixels
            .map(|p| p[..3].iter().map(|&c| u32::from(c)).sum::<u32>())
            .sum()
    };
    let (left, right) = (0..SIDE / 2, SIDE / 2..SIDE);
    assert_eq!(light(&wet, left.clone()), light(&dry, left));
    assert_eq!(light(&wet, right.clone()), light(&all, right.clone()));
    let [wet, dry] = [wet, dry].map(|picture| light(&picture, right.clone()));
    assert!(10 * wet < 9 * dry, "{wet} {dry}");
}

#[test]
fn white_and_full_width_change_nothing() {
    let gl = Offscreen::new().unwrap();
    let mut groom = fence();
    let mut look = Look::default();
    for width_px in [0.0, 3.0] {
        look.hair.width_px = width_px;
        let plain = drawn(&gl, &groom, &look);
        groom.tints = halves([1.0; 3], [1.0; 3]);
        groom.widths = halves(1.0, 1.0);
        groom.bleach = halves(0.0, 0.0);
        groom.wetness = halves(0.0, 0.0);
        let off = |(a, b): (&u8, &u8)| a.abs_diff(*b);
        let worst = plain
            .iter()
            .zip(drawn(&gl, &groom, &look).iter())
            .map(off)
            .max();
        assert!(worst <= Some(1), "{worst:?}");
        groom = fence();
    }
}

#[test]
fn widths_are_shares_of_the_looks_with_a_minimum() {
    let gl = Offscreen::new().unwrap();
    let mut look = Look::default();
    look.hair.taper = 1.0;
    for width_px in [0.0, 4.0] {
        look.hair.radius = 0.03;
        look.hair.width_px = width_px;
        let mut groom = fence();
        let covered = |groom: &Groom| count(&drawn(&gl, groom, &look), |_| true);
        let [left, right] = covered(&groom);
        assert!(left.abs_diff(right) < right / 10, "{left} {right}");
        groom.widths = halves(0.4, 1.0);
        let [thin, wide] = covered(&groom);
        assert_eq!(wide, right);
        assert!(thin * 3 < wide * 2, "{thin} {wide}");
        groom.widths = halves(0.0, 1.0);
        let mut stage = gl.stage(&look);
        stage.set_groom(&groom);
        let some = shoot(&gl, &mut stage);
        let seen = some
            .enumerate_pixels()
            .filter(|(x, _, p)| *x < SIDE / 2 && p.0[3] > 20);
        let seen = seen.count();
        assert!(seen > 10 * 40 && seen < wide, "{seen}");
    }
}

#[test]
fn tints_replace_dyes_while_they_are_shown() {
    let gl = Offscreen::new().unwrap();
    let mut groom = fence();
    groom.tints = halves([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let mut stage = gl.stage(&Look::default());
    stage.set_groom(&groom);
    stage.set_tints(Some(&Tints {
        colors: vec![[0, 255, 0, 255]; groom.len()],
        per_strand: 1,
    }));
    let shown = shoot(&gl, &mut stage);
    assert_eq!(count(&shown, is_red), [0, 0]);
    assert!(count(&shown, is_green)[0] > 500);
    stage.set_tints(None);
    let back = shoot(&gl, &mut stage);
    assert_eq!(count(&back, is_green), [0, 0]);
    assert!(count(&back, is_red)[0] > 500);
}

/// Two views share a stage, and yet each gets as good at rest as a view that is alone.
#[test]
fn two_views_are_refined_at_rest() {
    let gl = Offscreen::new().unwrap();
    let groom = fence();
    let tips = |shift: f32| {
        let tips = (0..groom.len()).map(|i| groom.roots[i] + groom.directions[i]);
        let tips = tips.map(|tip| (tip + shift * Vec3::X).extend(0.0).to_array());
        tips.collect::<Vec<_>>()
    };
    let views = [tips(0.2), tips(-0.3)];
    let mut stage = gl.stage(&Look::default());
    stage.set_groom(&groom);
    let mut rounds = |shown: &[usize]| {
        let mut last = [Vec::new(), Vec::new()];
        for round in 0..40 {
            let mut refines = false;
            for &view in shown {
                stage.show_view(view, round == 0, (&views[view], 1), None, &[]);
                let pixels = gl.screen([120, 120]).unwrap().draw(|target| {
                    refines |= stage.draw(target, target.viewport(), &front(), 1.0)?;
                    Ok(target.read_color::<[u8; 4]>())
                });
                last[view] = pixels.unwrap();
            }
            if !refines {
                return (round, last);
            }
        }
        panic!("never done");
    };
    let (both_after, both) = rounds(&[0, 1]);
    for view in [0, 1] {
        let (after, alone) = rounds(&[view]);
        assert_eq!(after, both_after);
        assert!(alone[view] == both[view], "{view}");
    }
    assert!(both[0] != both[1]);
}

/// A picture that is shown again is a copy, until something changes: the sky alone too.
#[test]
fn a_picture_at_rest_stays_the_same_until_something_changes() {
    let gl = Offscreen::new().unwrap();
    let mut look = Look::default();
    let mut stage = gl.stage(&look);
    stage.set_groom(&fence());
    let shot = Shot {
        background: true,
        ..front()
    };
    let mut rest = |look: &Look, marks: [&Marks; 2]| {
        stage.set_look(look);
        let mut show = |marks| {
            stage.set_marks(marks);
            let mut refines = false;
            let pixels = gl.screen([120, 120]).unwrap().draw(|target| {
                refines = stage.draw(target, target.viewport(), &shot, 1.0)?;
                Ok(target.read_color::<[u8; 4]>())
            });
            (refines, pixels.unwrap())
        };
        let mut shown = std::iter::repeat_with(|| show(marks[0])).take(100);
        let (_, first) = shown.find(|(refines, _)| !refines).expect("done");
        drop(shown);
        let [again, last] = [(); 2].map(|()| show(marks[1]));
        assert!(again == last && !again.0);
        assert!((first == again.1) == (marks[0] == marks[1]));
        again.1
    };
    let (none, mut line) = (Marks::default(), Marks::default());
    let ends = [Vec3::new(-0.8, 0.0, -0.8), Vec3::new(0.8, 0.0, 0.8)];
    line.add_path(ends.into_iter(), [0.0, 1.0, 0.0, 1.0], 2.0);
    let plain = rest(&look, [&none; 2]);
    look.sky.top_color = [1.0; 3];
    let bright = rest(&look, [&none; 2]);
    assert!(plain != bright);
    look.lens.bloom = 0.5;
    assert!(rest(&look, [&none; 2]) != bright);
    look.lens.bloom = 0.0;
    // Marks are drawn over the copy as over the picture.
    let marked = rest(&look, [&line; 2]);
    assert!(rest(&look, [&line, &none]) == bright);
    // Hair hides those that come later.
    look.hair.radius *= 2.0;
    rest(&look, [&none; 2]);
    look.hair.radius *= 0.5;
    let late = rest(&look, [&none, &line]);
    let green = |picture: &[[u8; 4]]| {
        let is_green = |&&[r, g, b, _]: &&[u8; 4]| g > 100.max(r.max(b));
        picture.iter().filter(is_green).count()
    };
    let [shown, shown_late] = [&marked, &late].map(|picture| green(picture));
    assert!(
        shown > 10 && shown_late.abs_diff(shown) < 4,
        "{shown} {shown_late}"
    );
    look.sky.top_color = Look::default().sky.top_color;
    assert!(rest(&look, [&none; 2]) == plain);
}

#[test]
fn the_first_picture_in_motion_after_a_rehearsal_is_lit_whole() {
    let gl = Offscreen::new().unwrap();
    let first = |rehearses: bool| {
        let quality = Quality {
            fine_in_motion: false,
            ..Quality::FULL
        };
        let mut stage = Stage::new(gl.context(), &Look::default(), quality);
        stage.set_groom(&fence());
        let pixels = gl.screen([120, 120]).unwrap().draw(|target| {
            while rehearses && !stage.rehearse(target, target.viewport(), &front(), 1.0)? {}
            stage.draw(target, target.viewport(), &front(), 1.0)?;
            Ok(target.read_color::<[u8; 4]>())
        });
        pixels.unwrap()
    };
    let lit = first(false);
    assert!(lit.iter().any(|pixel| pixel[0] > 100));
    assert!(first(true) == lit);
}

/// Returns a view from the front on nothing.
fn front() -> Shot {
    Shot {
        camera: OrbitCamera {
            target: Vec3::ZERO,
            yaw: 0.0,
            pitch: 0.0,
            distance: 20.0,
            fov_y: OrbitCamera::FOV_Y,
        },
        world_from_head: Mat4::IDENTITY,
        background: false,
    }
}

/// Draws with one sample per pixel on nothing, and returns the opacity of each pixel.
fn opacities(gl: &Offscreen, groom: &Groom, look: &Look, size: [u32; 2]) -> Vec<f64> {
    let mut stage = gl.stage(look);
    stage.set_groom(groom);
    opacities_of(gl, &mut stage, size)
}

fn opacities_of(gl: &Offscreen, stage: &mut Stage, size: [u32; 2]) -> Vec<f64> {
    let pixels = gl.screen(size).unwrap().draw(|target| {
        stage.draw(target, target.viewport(), &front(), 1.0)?;
        Ok(target.read_color())
    });
    let opacity = |pixel: [u8; 4]| f64::from(pixel[3]) / 255.0;
    pixels.unwrap().into_iter().map(opacity).collect()
}

#[test]
fn thin_hair_covers_its_share_wherever_it_lies() {
    let gl = Offscreen::new().unwrap();
    let size = [900, 300];
    let mut look = Look::default();
    look.hair.lit = false;
    look.hair.taper = 1.0;
    // So many strands that they are not drawn wider to be seen, and none over another.
    let count = 220;
    let hair = |shift: f32, angle: f32| {
        let along = Vec3::new(angle.sin(), angle.cos(), 0.0);
        let across = Vec3::new(angle.cos(), -angle.sin(), 0.0);
        let at = |i: usize| across * (0.1 * (i as f32 - 0.5 * count as f32) + shift) - along;
        Groom {
            roots: (0..count).map(at).collect(),
            directions: vec![along; count],
            normals: vec![along; count],
            lengths: vec![2.0; count],
            ..Groom::default()
        }
    };
    let covered =
        |groom: &Groom, look: &Look| opacities(&gl, groom, look, size).iter().sum::<f64>();
    // Strands of several pixels tell how large a pixel is.
    look.hair.radius = 0.03;
    let area_per_width = covered(&hair(0.0, 0.0), &look) / f64::from(look.hair.radius);
    for thinner in [3.0, 5.6] {
        look.hair.radius = 0.03 / thinner;
        for step in (0..12).map(|step| step as f32) {
            // By less than the distance between two strands, and by up to 16 degrees.
            let groom = hair(0.007 * step, 0.025 * step);
            let share = covered(&groom, &look) / f64::from(look.hair.radius) / area_per_width;
            assert!((share - 1.0).abs() < 0.03, "{thinner} {step}: {share}");
        }
    }
}

#[test]
fn strands_in_few_layers_are_all_drawn_in_motion_and_many_keep_what_they_cover() {
    let gl = Offscreen::new().unwrap();
    let mut look = Look::default();
    look.hair.lit = false;
    look.hair.taper = 1.0;
    look.hair.radius = 0.0008;
    let covered = |count: usize, strands: f32| {
        let across = |i: usize| {
            // Strands at the same depth would hide each other in full.
            let depth = 0.02 * (i * 37 % 100) as f32;
            Vec3::new((i as f32 + 0.5) / count as f32 * 8.0 - 4.0, -0.5, depth)
        };
        let groom = Groom::parallel((0..count).map(across).collect(), Vec3::Y, 1.0);
        let mut stage = gl.stage(&look);
        stage.set_groom(&groom);
        stage.set_economy(Economy {
            strands,
            ..Economy::NONE
        });
        opacities_of(&gl, &mut stage, [900, 300])
            .iter()
            .sum::<f64>()
    };
    for few in [300, 4000] {
        assert_eq!(covered(few, 0.2), covered(few, 1.0));
    }
    // Twelve layers, of which half are left out.
    let share = covered(60_000, 0.5) / covered(60_000, 1.0);
    assert!((0.9..1.02).contains(&share), "{share}");
}

/// Draws a wide strand at depth 0 and a thin one with these depths at its root and its tip, which
/// `is_first` or last in the groom. Expects that nothing is seen through them near their roots.
fn expect_no_hole(gl: &Offscreen, [root, tip]: [f32; 2], is_first: bool) {
    let mut look = Look::default();
    look.hair.lit = false;
    look.hair.straight = true;
    look.hair.taper = 1.0;
    look.hair.radius = 0.3;
    let mut ends = [
        (Vec3::new(0.0, -1.0, root), Vec3::new(0.0, 1.0, tip), 0.3),
        (Vec3::new(0.0, -1.0, 0.0), Vec3::Y, 1.0),
    ];
    if !is_first {
        ends.reverse();
    }
    let mut groom = Groom::default();
    for (root, tip, width) in ends {
        groom.roots.push(root);
        groom.directions.push((tip - root).normalize());
        groom.normals.push(Vec3::Y);
        groom.lengths.push(root.distance(tip));
        groom.widths.push(width);
    }
    let opacities = opacities(gl, &groom, &look, [200, 200]);
    // The highest row comes first.
    let row = &opacities[115 * 200..][..200];
    let opaque = row.iter().filter(|&&opacity| opacity > 0.99).count();
    let clear = row.iter().filter(|&&opacity| opacity < 0.01).count();
    assert!(opaque >= 8 && opaque + clear >= 198, "{row:?}");
}

#[test]
fn hair_in_front_is_blended_with_what_is_behind() {
    let gl = Offscreen::new().unwrap();
    for is_first in [true, false] {
        expect_no_hole(&gl, [0.3, 0.3], is_first);
        // Its middle is behind, so that it is drawn first, but its root is in front.
        expect_no_hole(&gl, [0.003, -0.008], is_first);
    }
}

/// Points beside and behind the eye once took the ends of strands away.
#[test]
fn hair_that_passes_the_eye_reaches_the_border() {
    let gl = Offscreen::new().unwrap();
    let mut look = Look::default();
    look.hair.lit = false;
    look.hair.taper = 1.0;
    look.hair.radius = 0.03;
    let groom = Groom::parallel(vec![Vec3::new(-0.1, -0.05, 0.0); 220], Vec3::Z, 6.0);
    let mut stage = gl.stage(&look);
    stage.set_groom(&groom);
    // Its points are nearer and farther in turn.
    for distance in (0..6).map(|step| 2.0 + 0.15 * step as f32) {
        let mut shot = front();
        (shot.camera.distance, shot.camera.fov_y) = (distance, FRAC_PI_3);
        let picture = gl.render(&mut stage, &shot, SIDE, SIDE).unwrap();
        for (x, y) in [(50, 125), (30, 135), (10, 145)] {
            let opacity = picture.get_pixel(x, y).0[3];
            assert!(opacity > 240, "{distance}: {opacity} at {x}, {y}");
        }
    }
}

/// Runs the program in a folder and expects success without messages.
fn mohawk(folder: &Path, args: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_mohawk"))
        .args(args)
        .arg("--quiet")
        .current_dir(folder)
        .stdin(Stdio::null())
        .env_remove("RUST_LOG")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && told.is_empty(),
        "{args:?}: {told}"
    );
}

#[test]
fn a_painted_head_is_dyed_with_and_without_guides() {
    let folder = tempfile::tempdir().unwrap();
    let strokes = r#"{"version": 1,
        "camera": {"eye": [5, 2, 7], "target": [0, 0.3, 0], "up": [0, 1, 0], "fov_degrees": 30},
        "size": [800, 600],
        "strokes": [
            {"tool": "fill", "map": "tint", "value": [0, 1, 0], "radius": 1, "strength": 1,
                "points": [[0, 0, 0]]},
            {"tool": "paint", "map": "tint", "value": [1, 0, 0], "radius": 90, "strength": 1,
                "points": [[0, 380, 120], [0.3, 460, 220]]}]}"#;
    fs::write(folder.path().join("dye.json"), strokes).unwrap();
    let style = ["style", "--strokes", "dye.json", "-o", "dyed.mohawk"];
    mohawk(folder.path(), &[&style[..], &["--strands", "600"]].concat());
    let shown = |name: &str, more: &[&str]| {
        let args = ["render", "dyed.mohawk", "--camera", "side", "-o", name];
        let size = ["--resolution", "200,200", "--no-background"];
        mohawk(folder.path(), &[&args[..], &size, more].concat());
        let picture = image::open(folder.path().join(name)).unwrap();
        let picture = picture.into_rgba8();
        [is_red, is_green].map(|is| count(&picture, is).iter().sum::<usize>())
    };
    let plain = shown("plain.png", &[]);
    let guided = shown("guided.png", &["--set", "sim.guides.share=0.1"]);
    assert!(plain[1] > 300 && guided[1] > 300, "{plain:?} {guided:?}");
    for (a, b) in plain.into_iter().zip(guided) {
        assert!(a.abs_diff(b) < a / 20 + 10, "{plain:?} {guided:?}");
    }
}

/// Draws the default head as a window does, with `finer` drawn pixels along each side of a pixel.
/// Returns the mean light of each pixel and its opacity, 0 to 1.
fn lights(gl: &Offscreen, stage: &mut Stage, shot: &Shot, finer: u32) -> Vec<[f64; 2]> {
    const SIZE: [u32; 2] = [960, 540];
    let [width, height] = SIZE.map(|side| side * finer);
    let drawn = gl.screen([width, height]).unwrap().draw(|target| {
        stage.draw(target, target.viewport(), shot, finer as f32)?;
        Ok(target.read_color::<[u8; 4]>())
    });
    let drawn = drawn.unwrap();
    let linear: Vec<f64> = (0..256).map(|c| (f64::from(c) / 255.0).powf(2.2)).collect();
    let pixel = |at: u32| {
        let (x, y) = (at % SIZE[0] * finer, at / SIZE[0] * finer);
        let rows = (y..y + finer).map(|y| (y * width + x) as usize);
        let parts = rows.flat_map(|first| &drawn[first..][..finer as usize]);
        let sum = parts.fold([0.0; 2], |[light, opacity], &[r, g, b, a]| {
            let [r, g, b] = [r, g, b].map(|c| linear[usize::from(c)]);
            let luma = 0.2126 * r + 0.7152 * g + 0.0722 * b;
            [light + luma, opacity + f64::from(a) / 255.0]
        });
        sum.map(|sum| sum / f64::from(finer * finer))
    };
    (0..SIZE[0] * SIZE[1]).map(pixel).collect()
}

/// Measures the flicker of a slow turn beside that of 4 x 4 samples: the mean second difference in
/// time. `script/check-flicker` shows the figures.
#[test]
fn hair_hardly_flickers_in_a_slow_turn() {
    const PICTURES: usize = 24;
    let gl = Offscreen::new().unwrap();
    let config = Config::default();
    let head = Head::shipped(&config.head).unwrap();
    let scalp = Scalp::of_head(&head).unwrap();
    let roots = Roots::sample(&scalp, &config.roots, &mut |_| ControlFlow::Continue(()));
    let groom = Groom::grow(&roots.unwrap(), &config.groom, config.roots.seed);
    // A plain sky: only hair moves.
    let mut look = config.look.clone();
    (look.sky.top_color, look.sky.bottom_color) = ([0.35; 3], [0.35; 3]);
    look.sky.wire_opacity = 0.0;
    let mut stage = Stage::new(gl.context(), &look, Quality::of_window(gl.context()));
    stage.set_head(&head);
    stage.set_groom(&groom);
    let shot = |picture: usize, background| {
        let mut camera = OrbitCamera::named(CameraView::ThreeQuarter);
        camera.yaw += 0.1_f32.to_radians() * picture as f32;
        Shot {
            camera,
            world_from_head: Mat4::IDENTITY,
            background,
        }
    };
    let middle = shot(PICTURES / 2, false);
    let opacity = lights(&gl, &mut stage, &middle, 4);
    let [window, fine] = [1, 4].map(|finer| {
        let level = |[light, _]: [f64; 2]| 255.0 * light.powf(1.0 / 2.2);
        let picture = |i| lights(&gl, &mut stage, &shot(i, true), finer);
        let pictures = (0..PICTURES).map(picture);
        let levels = pictures.map(|picture| picture.into_iter().map(level).collect());
        levels.collect::<Vec<Vec<f64>>>()
    });
    stage.layers.hair = false;
    let bald = lights(&gl, &mut stage, &middle, 4);
    stage.layers.hair = true;
    let hair = lights(&gl, &mut stage, &middle, 4);
    // Where there is hair, in full or in part of the pixel.
    let places = |is_edge: bool| {
        let is_hair = |at: &usize| (hair[*at][0] - bald[*at][0]).abs() > 0.01;
        let places = (0..opacity.len()).filter(is_hair);
        let places = places.filter(|&at| (0.02..0.98).contains(&opacity[at][1]) == is_edge);
        places.collect::<Vec<_>>()
    };
    let flicker = |pictures: &[Vec<f64>], places: &[usize]| {
        let second = |w: &[Vec<f64>], at: usize| (w[0][at] - 2.0 * w[1][at] + w[2][at]).abs();
        let sums = pictures.windows(3);
        let sums = sums.map(|w| places.iter().map(|&at| second(w, at)).sum::<f64>());
        sums.sum::<f64>() / (places.len() * (PICTURES - 2)) as f64
    };
    let (inside, edge) = (places(false), places(true));
    let ratio = |places: &[usize]| flicker(&window, places) / flicker(&fine, places);
    let bias: f64 = edge.iter().map(|&at| window[0][at] - fine[0][at]).sum();
    let bias = bias / edge.len() as f64;
    let (inside, edge) = (ratio(&inside), ratio(&edge));
    println!(
        "flicker of 4 x 4 samples: {inside:.2} inside, {edge:.2} at edges; bias at edges {bias:.1}"
    );
    assert!(inside <= 1.5 && edge <= 1.0 && bias.abs() <= 2.0);
}
