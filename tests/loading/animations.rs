//! Animations: what moves as a whole, what moves on the head, and the hair on it.

use crate::common::gltf_builder::{Gltf, SQUARE};
use glam::{DQuat, DVec3, Quat, Vec3};
use mohawk::head::HeadSettings;
use mohawk::scene_file::SceneSetup;
use mohawk::sim::{Pose, SimSettings, SkinMotion, SolverKind};
use mohawk::{Groom, Simulation};
use serde_json::{Value, json};
use std::f32::consts::FRAC_PI_2;

const BLACK: [f32; 3] = [0.0; 3];

/// Adds an animation of properties: nodes, paths, and values of keys at 0 s and 2 s.
fn animate(gltf: &mut Gltf, name: &str, curves: &[(usize, &str, &[f32])]) -> usize {
    let times = gltf.floats("SCALAR", &[0.0, 2.0]);
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for (number, (node, path, values)) in curves.iter().enumerate() {
        let shape = match *path {
            "rotation" => "VEC4",
            "weights" => "SCALAR",
            _ => "VEC3",
        };
        let output = gltf.floats(shape, values);
        samplers.push(json!({"input": times, "output": output}));
        channels.push(json!({"sampler": number, "target": {"node": node, "path": path}}));
    }
    let animation = json!({"name": name, "channels": channels, "samplers": samplers});
    gltf.push("animations", animation)
}

/// Returns the painted square, which turns by a quarter about the vertical.
fn turning() -> Gltf {
    let mut gltf = Gltf::painted([BLACK; 4]);
    let quarter = Quat::from_rotation_y(FRAC_PI_2).to_array();
    let values = [Quat::IDENTITY.to_array(), quarter].concat();
    animate(&mut gltf, "turn", &[(0, "rotation", &values)]);
    gltf
}

#[test]
fn a_head_moves_as_a_whole_and_keeps_its_shape() {
    let gltf = turning();
    let head = gltf.load_with(&HeadSettings::default()).unwrap();
    let rig = head.rig.clone().unwrap();
    assert_eq!(rig.animations()[0].duration_secs, 2.0);
    // The origin of the file is a corner of the square.
    let corner = head.parts[0].positions[0].as_dvec3();
    for secs in [0.0, 0.5, 1.0, 2.0] {
        let (rotation, translation) = rig.rigid_motion(0, secs);
        let expected = DQuat::from_rotation_y(f64::from(FRAC_PI_2) * secs / 2.0);
        assert!(rotation.angle_between(expected) < 1e-4, "{secs}");
        assert!((rotation * corner + translation).distance(corner) < 1e-4);
        let shape = &rig.shapes(0, secs)[0];
        for (found, at_rest) in shape.positions.iter().zip(&head.parts[0].positions) {
            assert!(found.distance(*at_rest) < 1e-4, "{secs}");
        }
        for (found, at_rest) in shape.normals.iter().zip(&head.parts[0].normals) {
            assert!(found.distance(*at_rest) < 1e-4, "{secs}");
        }
    }
    // It does not end where it began, so that it returns there before it begins anew.
    let period = rig.animations()[0].period_secs();
    assert!(period > 2.0);
    let turned = |secs: f64| rig.rigid_motion(0, secs).0;
    assert!(turned(period - 1e-6).angle_between(DQuat::IDENTITY) < 1e-3);
    assert!(turned(period + 1.0).angle_between(turned(1.0)) < 1e-6);
}

/// Returns the painted square of which the upper two corners are on a joint that moves forwards.
fn bending() -> Gltf {
    let mut gltf = Gltf::painted([BLACK; 4]);
    gltf.hang_on_two_joints();
    let [root, moved] = ["hips", "brow"].map(|name| gltf.root(json!({"name": name})));
    gltf.push("skins", json!({"joints": [root, moved]}));
    gltf.json["nodes"][0]["skin"] = json!(0);
    let forwards = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    animate(&mut gltf, "raise", &[(moved, "translation", &forwards)]);
    gltf
}

/// Returns the lengths of the sides from the first corner to the others, in units of the file.
fn sides(gltf: &Gltf, secs: f64) -> [f32; 3] {
    let head = gltf.load_with(&HeadSettings::default()).unwrap();
    let positions = &head.rig.unwrap().shapes(0, secs)[0].positions;
    [1, 2, 3].map(|corner| positions[0].distance(positions[corner]) / head.units.scale)
}

#[test]
fn skins_and_morph_targets_change_the_shape() {
    let square = SQUARE.map(Vec3::from);
    let expected = |by: f32| {
        [1, 2, 3].map(|corner| {
            let forwards = if corner < 2 { 0.0 } else { by };
            (square[corner] + Vec3::Z * forwards).distance(square[0])
        })
    };
    let mut morphed = Gltf::painted([BLACK; 4]);
    let target = [[0.0; 3], [0.0; 3], [0.0, 0.0, 2.0], [0.0, 0.0, 2.0]].concat();
    let target = morphed.floats("VEC3", &target);
    let still = morphed.floats("VEC3", &[0.0; 12]);
    morphed.primitive()["targets"] = json!([{"POSITION": still}, {"POSITION": target}]);
    animate(
        &mut morphed,
        "smile",
        &[(0, "weights", &[0.0, 0.0, 1.0, 0.5])],
    );
    for gltf in [bending(), morphed] {
        for (secs, by) in [(0.0, 0.0), (1.0, 0.5), (1.9, 0.95)] {
            for (found, expected) in sides(&gltf, secs).into_iter().zip(expected(by)) {
                assert!(
                    (found - expected).abs() < 1e-4,
                    "{secs}: {found} {expected}"
                );
            }
        }
    }
}

#[test]
fn animations_are_chosen_by_name_or_number() {
    let mut gltf = turning();
    // One of a camera does not move the head.
    let camera = gltf.root(json!({"name": "camera"}));
    animate(&mut gltf, "fly", &[(camera, "translation", &[0.0; 6])]);
    animate(&mut gltf, "shift", &[(0, "translation", &[0.0; 6])]);
    let head = gltf.load_with(&HeadSettings::default()).unwrap();
    let names: Vec<_> = (head.rig.iter().flat_map(|rig| rig.animations()))
        .map(|animation| (animation.number, animation.name.as_str()))
        .collect();
    assert_eq!(names, [(0, "turn"), (2, "shift")]);
    assert_eq!(head.animation(None), Ok(Some(0)));
    assert_eq!(head.animation(Some("none")), Ok(None));
    assert_eq!(head.animation(Some("shift")), Ok(Some(1)));
    assert_eq!(head.animation(Some("2")), Ok(Some(1)));
    let error = head.animation(Some("run")).unwrap_err();
    assert!(error.contains("0 \"turn\", 2 \"shift\""), "{error}");
    // A pose of rest does not play by itself.
    let mut gltf = Gltf::painted([BLACK; 4]);
    animate(&mut gltf, "rest", &[(0, "translation", &[2.0; 6])]);
    let head = gltf.load_with(&HeadSettings::default()).unwrap();
    assert_eq!(head.animation(None), Ok(None));
    assert_eq!(head.animation(Some("rest")), Ok(Some(0)));
    animate(
        &mut gltf,
        &"x".repeat(200),
        &[(0, "translation", &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0])],
    );
    let head = gltf.load_with(&HeadSettings::default()).unwrap();
    assert_eq!(head.animation(None), Ok(Some(1)));
    assert_eq!(head.animation(Some(&"x".repeat(200))), Ok(Some(1)));
    let plain = Gltf::painted([BLACK; 4])
        .load_with(&HeadSettings::default())
        .unwrap();
    assert_eq!(plain.animation(None), Ok(None));
    assert!(plain.animation(Some("run")).is_err() && plain.rig.is_none());
}

#[test]
fn broken_animations_are_left_out_with_a_warning() {
    let refused = |change: &dyn Fn(&mut Value), problem: &str| {
        let mut gltf = turning();
        change(&mut gltf.json);
        let head = gltf.load_with(&HeadSettings::default()).unwrap();
        assert!(head.rig.is_none(), "{problem}");
        let warnings = &head.warnings;
        assert!(
            warnings.iter().any(|warning| warning.contains(problem)),
            "{warnings:?}"
        );
    };
    let sampler = |name: &'static str, value: Value| {
        move |json: &mut Value| json["animations"][0]["samplers"][0][name] = value.clone()
    };
    refused(
        &|json| json["animations"][0]["channels"] = json!(3),
        "invalid type",
    );
    let channel = |json: &mut Value| json["animations"][0]["channels"][0]["sampler"] = json!(7);
    refused(&channel, "sampler 7");
    refused(&sampler("input", json!(99)), "there are only");
    refused(
        &sampler("interpolation", json!("CUBICSPLINE")),
        "for 2 keys",
    );
    refused(&sampler("interpolation", json!("MAGIC")), "MAGIC");
    for times in [[1.0, 0.0], [0.0, f32::NAN], [-1.0, 0.0]] {
        let mut gltf = turning();
        let times = gltf.floats("SCALAR", &times);
        gltf.json["animations"][0]["samplers"][0]["input"] = json!(times);
        let head = gltf.load_with(&HeadSettings::default()).unwrap();
        assert!(head.rig.is_none() && head.warnings[0].contains("do not increase"));
    }
}

#[test]
fn hair_is_carried_by_skin_that_moves() {
    let gltf = bending();
    let head = gltf.load_with(&HeadSettings::default()).unwrap();
    let positions = &head.parts[0].positions;
    // Two strands near the ends of the left side; the upper one moves.
    let roots = [0.05, 0.95].map(|share| positions[0].lerp(positions[2], share));
    let groom = Groom::parallel(roots.to_vec(), Vec3::Z, 0.4);
    let setup = SceneSetup::of_animation(&head, 0).unwrap();
    for solver in [
        SolverKind::Spring,
        SolverKind::Ftl,
        SolverKind::Rod,
        SolverKind::Angular,
    ] {
        let settings = SimSettings {
            solver,
            ..SimSettings::default()
        };
        let mut sim = Simulation::new(&groom, settings, setup.pose(0.0));
        sim.set_skin(SkinMotion::new(&head, 0, &groom));
        for _ in 0..120 {
            sim.advance(1.0 / 60.0, &mut |secs| setup.pose(secs));
        }
        // At this step, skin has gone as far as it was to go.
        let shape = &head.rig.as_ref().unwrap().shapes(0, sim.time_secs())[0];
        let mut points = Vec::new();
        sim.write_particles(1.0, &mut points);
        let each = points.len() / 2;
        for (strand, share) in [0.05, 0.95].into_iter().enumerate() {
            let on_skin = shape.positions[0].lerp(shape.positions[2], share);
            let at = setup
                .pose(sim.time_secs())
                .transform_point(on_skin.as_dvec3());
            let [x, y, z, _] = points[strand * each];
            let found = Vec3::new(x, y, z).as_dvec3();
            assert!(
                found.distance(at) < 1e-4,
                "{solver:?}, strand {strand}: {found} {at}"
            );
            let [x, y, z, _] = points[(strand + 1) * each - 1];
            let length = found.distance(Vec3::new(x, y, z).as_dvec3());
            assert!((length - 0.4).abs() < 0.1, "{solver:?}: {length}");
        }
        // Without the animation, roots are back where they were.
        sim.set_skin(None);
        assert_eq!(sim.groom().roots, groom.roots);
    }
}

#[test]
fn the_same_motion_comes_at_any_frame_rate() {
    let head = bending().load_with(&HeadSettings::default()).unwrap();
    let groom = Groom::parallel(head.parts[0].positions[2..].to_vec(), Vec3::Z, 0.4);
    let setup = SceneSetup::of_animation(&head, 0).unwrap();
    let played = |frames: u32| {
        let mut sim = Simulation::new(&groom, SimSettings::default(), setup.pose(0.0));
        sim.set_skin(SkinMotion::new(&head, 0, &groom));
        // The clock rounds steps down.
        let secs = 1.0001 / f64::from(frames);
        (0..frames).for_each(|_| sim.advance(secs, &mut |secs| setup.pose(secs)));
        let mut points = Vec::new();
        sim.write_particles(1.0, &mut points);
        (sim.steps(), points)
    };
    assert_eq!(played(240), played(48));
}

#[test]
fn a_camera_follows_a_head_that_walks_and_not_one_that_nods() {
    let walking = |far: f32| {
        let mut gltf = Gltf::painted([BLACK; 4]);
        animate(
            &mut gltf,
            "walk",
            &[(0, "translation", &[0.0, 0.0, 0.0, far, 0.0, 0.0])],
        );
        let head = gltf.load_with(&HeadSettings::default()).unwrap();
        SceneSetup::of_animation(&head, 0).unwrap()
    };
    let head = turning().load_with(&HeadSettings::default()).unwrap();
    let near = SceneSetup::of_animation(&head, 0).unwrap();
    assert_eq!(near.followed_at(0.0), near.followed_at(1.0));
    // It goes on from where it ended.
    let far = walking(20.0);
    let [end, next] = [2.0 - 1e-5, 2.0 + 1e-5].map(|secs| far.pose(secs).translation);
    assert!(end.distance(next) < 1e-2, "{end} {next}");
    let distance = |secs: f64| {
        far.pose(secs)
            .translation
            .distance(far.followed_at(secs).as_dvec3())
    };
    assert!(far.pose(1.0).translation.distance(DVec3::ZERO) > 10.0);
    for secs in [0.0, 1.0, 1.99, 2.5, 7.3] {
        assert!(distance(secs) < 2.0, "{secs}: {}", distance(secs));
    }
    assert_eq!(
        SceneSetup::from(mohawk::sim::Scene::Swing).followed_at(0.7),
        Vec3::ZERO
    );
    assert_ne!(far.pose(0.5), Pose::IDENTITY);
}
