//! Settings, scenes and cancellation, as packages meet them.

use super::*;
use crate::head::Model;
use crate::roots::Amount;
use crate::scene_file::SceneSetup;
use crate::sim::{HeadCollider, Pose, STEP_SECS, Scene};
use crate::strands::{Form, Strands};
use crate::style::Saved;
use glam::{DQuat, DVec3, Vec3};
use std::path::Path;

fn pairs(settings: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
    settings.iter().map(owned).collect()
}

fn go_on(_: f32) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn strand() -> Hair {
    Hair::straight([(Vec3::ZERO, Vec3::X, 1.0)]).unwrap()
}

fn points(motion: &Motion) -> Vec<[f32; 4]> {
    let mut points = Vec::new();
    motion.simulation().write_particles(1.0, &mut points);
    points
}

#[test]
fn settings_belong_to_their_sections() {
    let wrong = strand().simulate(&pairs(&[("groom.length", "1")]));
    let text = wrong.unwrap_err().to_string();
    assert!(
        text.contains("groom.length = 1: it cannot be set here"),
        "{text}"
    );
    let mut motion = strand().simulate(&[]).unwrap();
    for (key, value) in [("sim.hold", "7"), ("sim.nothing", "1"), ("roots.seed", "2")] {
        motion
            .set(&pairs(&[("sim.solver", "rod"), (key, value)]))
            .unwrap_err();
        // Nothing of it is set.
        assert_ne!(motion.simulation().solver_name(), "rod");
    }
}

#[test]
fn heads_without_paint_have_no_roots() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bald.obj");
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    let faces = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    std::fs::write(&path, format!("{corners}{faces}")).unwrap();
    let head = OpenHead::read(Model::File(path), &[]).unwrap();
    assert!(matches!(head.scalp(), Err(EmbedError::Bald(_))));
    let roots = head.roots(&pairs(&[("roots.strands", "10")]), &mut go_on);
    assert!(matches!(roots, Err(EmbedError::Bald(_))));
    let hair = head.grow(StyleSource::Default, &[], &mut go_on);
    assert!(matches!(hair, Err(EmbedError::Bald(_))));
}

#[test]
fn frames_and_steps_and_times_are_the_same_motion() {
    let begin = || {
        Motion::of_scene(
            Scene::Pendulum.into(),
            &pairs(&[("sim.solver", "ftl")]),
            &mut go_on,
        )
        .unwrap()
    };
    let (mut played, mut stepped, mut timed) = (begin(), begin(), begin());
    let mut frames = Vec::new();
    let mut take = |particles: &[[f32; 4]]| frames.push(particles.to_vec());
    played.play(4, 60.0, &mut take, &mut go_on).unwrap();
    (0..12).for_each(|_| stepped.step(None));
    timed.advance(12.0 * STEP_SECS, None, &mut go_on).unwrap();
    assert_eq!(frames.len(), 4);
    assert_ne!(frames[0], frames[3]);
    for motion in [&played, &stepped, &timed] {
        assert_eq!(motion.simulation().steps(), 12);
        assert_eq!(points(motion), frames[3]);
    }
}

#[test]
fn cancelled_motions_go_on_from_where_they_are() {
    let mut motion = strand().simulate(&[]).unwrap();
    let mut calls = 0;
    let mut stop = |_| {
        calls += 1;
        match calls {
            4 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    };
    let stopped = motion.advance(10.0, None, &mut stop);
    assert!(matches!(stopped, Err(EmbedError::Cancelled)));
    assert_eq!(motion.simulation().steps(), 18);
    motion.advance(0.1, None, &mut go_on).unwrap();
    assert_eq!(motion.simulation().steps(), 42);
    for secs in [-1.0, 61.0, f64::NAN, f64::INFINITY] {
        let refused = motion.advance(secs, None, &mut go_on);
        assert!(matches!(refused, Err(EmbedError::Seconds(_))), "{secs}");
    }
}

#[test]
fn heads_come_to_their_pose_and_stay() {
    let mut motion = strand().simulate(&[]).unwrap();
    let pose = Pose::new(DQuat::from_rotation_y(0.5), DVec3::Y);
    motion.advance(0.5, Some(pose), &mut go_on).unwrap();
    assert_eq!(motion.simulation().pose(), pose);
    motion.step(None);
    assert_eq!(motion.simulation().pose(), pose);
    motion.reset(None);
    assert_eq!(motion.simulation().pose(), Pose::IDENTITY);
}

#[test]
fn hair_is_saved_and_opened_as_strands() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let head = OpenHead::read(Model::default(), &[]).unwrap();
    let few = pairs(&[("roots.strands", "40")]);
    let hair = head.grow(StyleSource::Default, &few, &mut go_on).unwrap();
    let lost = hair
        .save(&path("a.data"), Some(8), Form::default())
        .unwrap();
    assert_eq!(lost[..2], ["widths", "colours"]);
    let open = |path: &Path| head.grow(StyleSource::Strands(path), &[], &mut go_on);
    let opened = open(&path("a.data")).unwrap();
    assert_eq!(opened.groom.len(), hair.groom.len());
    let low = |hair: &Hair| {
        hair.groom
            .roots
            .iter()
            .copied()
            .fold(Vec3::INFINITY, Vec3::min)
    };
    assert!(low(&opened).distance(low(&hair)) < 1e-3);

    let mut motion = hair.simulate(&[]).unwrap();
    let pose = Pose::new(DQuat::from_rotation_y(0.5), DVec3::Y);
    motion.advance(0.1, Some(pose), &mut go_on).unwrap();
    let frames = |path: &Path| {
        let read = Strands::load(path, &Default::default()).unwrap().0;
        read.points
    };
    let units = head.head().units;
    let now: Vec<[f32; 3]> = (points(&motion).iter())
        .map(|&[x, y, z, _]| units.file_from_head(Vec3::new(x, y, z)).into())
        .collect();
    motion
        .save(&path("a.npz"), (3, 30.0), Form::default(), &mut go_on)
        .unwrap();
    assert_eq!(
        frames(&path("a.npz")),
        now,
        "the first frame is the present"
    );
    assert_eq!(motion.simulation().steps(), 24 + 16);
    motion
        .save(&path("a.hair"), (1, 30.0), Form::default(), &mut go_on)
        .unwrap();
    let mut stop = |_| ControlFlow::Break(());
    let stopped = motion.save(&path("b.usda"), (9, 30.0), Form::default(), &mut stop);
    assert!(matches!(stopped, Err(EmbedError::Cancelled)));
    assert!(!path("b.usda").exists());

    // Strands in the air lie on no head, and are decimetres.
    let air = Hair::straight([(10.0 * Vec3::X, Vec3::X, 1.0)]).unwrap();
    air.save(&path("air.usda"), None, Form::default()).unwrap();
    let read = Strands::load(&path("air.usda"), &Default::default())
        .unwrap()
        .0;
    assert!((read.points[0][0] - 1.0).abs() < 1e-6);
    let told = open(&path("air.usda")).unwrap_err().to_string();
    assert!(
        told.contains("air.usda: fewer than half of its roots"),
        "{told}"
    );
}

#[test]
fn free_hair_collides_with_the_head_that_it_goes_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("free.mohawk");
    let mut saved = Saved {
        model: Model::Embedded(vec![0].into()),
        ..Saved::default()
    };
    saved.style.edits.roots = Some([Vec3::ZERO].into());
    saved.style.config.sim.head_collider = HeadCollider::None;
    saved.style.config.roots.amount = Amount::Strands(40);
    saved.save(&path).unwrap();
    let head = OpenHead::read(Model::default(), &[]).unwrap();
    let hair = head.grow(StyleSource::File(&path), &[], &mut go_on);
    let collider = hair.unwrap().config.sim.head_collider;
    assert_eq!(collider, HeadCollider::default());
}

#[test]
fn scenes_with_strands_take_no_hair() {
    let refused = Motion::new(&strand(), Some(Scene::Cantilever.into()), &[]);
    let text = refused.unwrap_err().to_string();
    assert!(text.contains("cantilever: the scene has"), "{text}");
    let swing: SceneSetup = Scene::Swing.into();
    Motion::new(&strand(), Some(swing), &[]).unwrap();
}

#[test]
fn strands_for_a_file_are_on_the_head_as_it_is_there() {
    let open = OpenHead::read(Model::default(), &[]).unwrap();
    let settings = pairs(&[("roots.strands", "50"), ("sim.solver", "ftl")]);
    let hair = open.grow(StyleSource::Default, &settings, &mut go_on);
    let hair = hair.unwrap();
    let mut motion = hair.simulate(&[]).unwrap();
    let (start, rest) = (motion.strands(), hair.strands());
    let turned = Pose::about_neck(DQuat::from_rotation_y(1.0));
    motion.advance(0.2, Some(turned), &mut go_on).unwrap();
    let now = motion.strands();
    let per = now.counts[0] as usize;
    let apart = |a: [f32; 3], b: [f32; 3]| Vec3::from(a).distance(b.into());
    let size = apart(rest.points[0], rest.points[rest.counts[0] as usize - 1]);
    for (strand, first) in (0..now.len() * per).step_by(per).enumerate() {
        let root = rest.points[strand * rest.counts[0] as usize];
        for strands in [&start, &now] {
            assert!(apart(strands.points[first], root) < 1e-3 * size);
        }
    }
    // Tips hang behind.
    let moved = |i: usize| apart(now.points[i], start.points[i]);
    assert!((0..now.points.len()).map(moved).fold(0.0, f32::max) > 0.1 * size);
    assert_eq!(now.up, None, "as the file of the head is");
    let points = strand().simulate(&[]).unwrap().strands().points;
    assert_eq!((points[0], points.len()), ([0.0; 3], 12));
}
