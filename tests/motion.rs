//! Tests of strands in motion: the same at every frame rate and on any number of threads, bounded
//! under any head motion, above the skin, and at rest when nothing moves.

#[path = "common/strands.rs"]
mod strands;

use glam::{DQuat, DVec3, Vec3};
use mohawk::groom::{GroomSettings, strand_curve_point};
use mohawk::sim::{Pose, STEP_SECS, Scene, SimSettings, SpringSettings};
use mohawk::{Groom, Simulation};
use proptest::prelude::*;
use std::f64::consts::FRAC_PI_2;
use strands::{dome, grown, hash, on_threads};

fn at_rest(groom: &Groom) -> Simulation {
    Simulation::new(groom, SimSettings::default(), Pose::IDENTITY)
}

fn spring(stiffness: f32, damping: f32) -> SimSettings {
    SimSettings {
        spring: SpringSettings {
            stiffness,
            damping,
            ..SpringSettings::default()
        },
        ..SimSettings::default()
    }
}

fn drawn(simulation: &Simulation) -> Vec<[f32; 4]> {
    let mut tips = Vec::new();
    simulation.write_drawn_tips(&mut tips);
    tips
}

fn simulated(simulation: &Simulation) -> Vec<[f32; 4]> {
    let mut tips = Vec::new();
    simulation.write_simulated_tips(&mut tips);
    tips
}

fn xyz(tip: &[f32; 4]) -> Vec3 {
    Vec3::new(tip[0], tip[1], tip[2])
}

/// A quarter tilt about z, in one frame.
fn tilted() -> Pose {
    Pose::new(DQuat::from_rotation_z(FRAC_PI_2), DVec3::ZERO)
}

/// Returns the largest distance of a simulated tip from its rest position under the present pose.
fn farthest_from_rest(simulation: &Simulation, groom: &Groom) -> f64 {
    let pose = simulation.pose();
    let anchors = (0..groom.len()).map(|i| {
        pose.transform_point((groom.roots[i] + groom.directions[i] * groom.lengths[i]).as_dvec3())
    });
    (simulated(simulation).iter().zip(anchors))
        .map(|(tip, anchor)| xyz(tip).as_dvec3().distance(anchor))
        .fold(0.0, f64::max)
}

// ---- The same motion everywhere ----

#[test]
fn the_motion_is_the_same_at_every_frame_rate() {
    let groom = grown(200);
    for scene in [Scene::Swing, Scene::Nod, Scene::Turn, Scene::Shake] {
        let mut expected: Option<(Vec<_>, Vec<_>)> = None;
        for fps in [15, 24, 60, 240] {
            let mut simulation = at_rest(&groom);
            for _ in 0..3 * fps {
                simulation.advance(1.0 / f64::from(fps), &mut |t| scene.pose(t));
            }
            assert_eq!(simulation.steps(), 720);
            let state = (simulated(&simulation), drawn(&simulation));
            match &expected {
                Some(expected) => assert_eq!(&state, expected, "{scene} at {fps} fps"),
                None => expected = Some(state),
            }
        }
    }
}

#[test]
fn uneven_frames_give_the_same_states_too() {
    let groom = grown(50);
    let (mut even, mut uneven) = (at_rest(&groom), at_rest(&groom));
    for _ in 0..100 {
        uneven.advance(0.013, &mut |t| Scene::Swing.pose(t));
        uneven.advance(0.0004, &mut |t| Scene::Swing.pose(t));
    }
    while even.steps() < uneven.steps() {
        even.advance(STEP_SECS, &mut |t| Scene::Swing.pose(t));
    }
    assert_eq!(simulated(&even), simulated(&uneven));
}

/// Returns hashes of states along a scene, on a pool of so many threads.
fn hashes_on(threads: usize, groom: &Groom) -> Vec<u64> {
    on_threads(threads, || {
        let mut simulation = at_rest(groom);
        (0..30)
            .map(|_| {
                simulation.advance(0.034, &mut |t| Scene::Turn.pose(t));
                let tips = [simulated(&simulation), drawn(&simulation)].concat();
                hash(tips.into_iter().flatten())
            })
            .collect()
    })
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let groom = grown(12_345); // above the threshold, and no multiple of anything
    let expected = hashes_on(1, &groom);
    assert_eq!(hashes_on(2, &groom), expected);
    assert_eq!(hashes_on(5, &groom), expected);
}

#[test]
fn a_strand_does_not_notice_the_others() {
    let groom = grown(8_003);
    let mut whole = at_rest(&groom);
    let part = |range: std::ops::Range<usize>| Groom {
        roots: groom.roots[range.clone()].to_vec(),
        directions: groom.directions[range.clone()].to_vec(),
        normals: groom.normals[range.clone()].to_vec(),
        lengths: groom.lengths[range].to_vec(),
        ..Groom::default()
    };
    // Serial where the whole is parallel, and in other lanes of other blocks.
    let mut parts = [at_rest(&part(0..3_001)), at_rest(&part(3_001..8_003))];
    for _ in 0..40 {
        whole.advance(0.017, &mut |t| Scene::Swing.pose(t));
        for part in &mut parts {
            part.advance(0.017, &mut |t| Scene::Swing.pose(t));
        }
    }
    assert_eq!(drawn(&whole), parts.each_ref().map(drawn).concat());
    assert_eq!(simulated(&whole), parts.each_ref().map(simulated).concat());
}

/// The same numbers on every platform, in every build profile and with every instruction set.
/// When a change is meant to alter the motion or the strands, put the new values here.
#[test]
fn grooms_and_motion_have_the_same_bits_everywhere() {
    let groom = grown(1_000);
    let vectors = [&groom.roots, &groom.directions, &groom.normals];
    let numbers = (vectors.into_iter().flatten()).flat_map(|v| v.to_array());
    assert_eq!(hash(numbers.chain(groom.lengths.clone())), GROOM_HASH);

    let mut simulation = at_rest(&groom);
    let mut numbers = Vec::new();
    for scene in [Scene::Swing, Scene::Nod, Scene::Turn, Scene::Shake] {
        simulation.reset(Pose::IDENTITY);
        for _ in 0..50 {
            simulation.advance(0.021, &mut |t| scene.pose(t));
        }
        numbers.extend(simulated(&simulation).into_iter().flatten());
        numbers.extend(drawn(&simulation).into_iter().flatten());
    }
    assert_eq!(hash(numbers), MOTION_HASH);
}

const GROOM_HASH: u64 = 1_572_598_026_127_229_128;
const MOTION_HASH: u64 = 11_968_893_319_760_956_858;

// ---- Bounded whatever happens ----

#[test]
fn a_head_jerked_a_quarter_turn_in_one_frame_stays_bounded() {
    let groom = grown(300);
    for (k, c) in [
        (4.0, 1.5),
        (4.0, 0.0),
        (0.01, 0.0),
        (10_000.0, 0.0),
        (10_000.0, 1_000.0),
    ] {
        let mut simulation = Simulation::new(&groom, spring(k, c), Pose::IDENTITY);
        simulation.advance(1.0 / 15.0, &mut |_| tilted());
        // Tips lie within 1.3 + 0.75 dm of the centre, and a quarter turn moves them √2 times
        // that; from there a spring cannot swing out farther, and contact only takes energy.
        let bound = 2.05 * 2_f64.sqrt() * 1.02;
        for frame in 0..15 * 20 {
            let farthest = farthest_from_rest(&simulation, &groom);
            assert!(farthest <= bound, "k {k} c {c} frame {frame}: {farthest}");
            simulation.advance(1.0 / 15.0, &mut |_| tilted());
        }
        assert_eq!(simulation.reset_strands(), 0);
    }
}

#[test]
fn a_long_pause_drops_time_instead_of_exploding() {
    let groom = grown(100);
    let mut simulation = at_rest(&groom);
    for _ in 0..30 {
        simulation.advance(1.0 / 60.0, &mut |t| Scene::Swing.pose(t));
    }
    let steps = simulation.steps();
    let mut asked = 0;
    simulation.advance(3.0, &mut |t| {
        asked += 1;
        Scene::Swing.pose(t)
    });
    assert_eq!(asked, 60);
    assert_eq!(simulation.steps() - steps, 60);
    for _ in 0..60 {
        simulation.advance(1.0 / 60.0, &mut |t| Scene::Swing.pose(t));
        assert!(farthest_from_rest(&simulation, &groom) < 3.0);
    }
    // A drag that continued while the machine slept: the pose leaps once.
    simulation.advance(3.0, &mut |_| tilted());
    assert!(farthest_from_rest(&simulation, &groom) < 4.0);
}

#[test]
fn odd_frame_times_and_poses_do_nothing() {
    let groom = grown(20);
    let mut simulation = at_rest(&groom);
    simulation.advance(0.1, &mut |t| Scene::Nod.pose(t));
    let (tips, time) = (drawn(&simulation), simulation.time_secs());
    for odd in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
        simulation.advance(odd, &mut |_| tilted());
    }
    assert_eq!((drawn(&simulation), simulation.time_secs()), (tips, time));

    let held = simulation.pose();
    let broken = Pose::new(DQuat::IDENTITY, DVec3::new(f64::NAN, 0.0, 0.0));
    simulation.advance(0.1, &mut |_| broken);
    assert_eq!(simulation.pose(), held);
    assert!(drawn(&simulation).iter().flatten().all(|x| x.is_finite()));
    assert_eq!(simulation.reset_strands(), 0);
}

#[test]
fn strands_that_are_not_finite_are_reset_and_counted() {
    let groom = grown(6_000);
    let (mut pushed, mut alone) = (at_rest(&groom), at_rest(&groom));
    for (strand, push) in [
        (3, f32::NAN),
        (4, f32::INFINITY),
        (5_999, f32::NEG_INFINITY),
    ] {
        pushed.push(strand, Vec3::new(0.0, push, 0.0));
    }
    pushed.push(1_000_000, Vec3::X); // no such strand
    for simulation in [&mut pushed, &mut alone] {
        simulation.advance(1.0 / 60.0, &mut |t| Scene::Swing.pose(t));
    }
    assert_eq!(pushed.reset_strands(), 3);
    let rest = at_rest(&groom);
    for (i, (tip, other)) in drawn(&pushed).iter().zip(drawn(&alone)).enumerate() {
        if [3, 4, 5_999].contains(&i) {
            let rest_tip = xyz(&drawn(&rest)[i]).as_dvec3();
            let rest_tip = pushed.drawn_pose().transform_point(rest_tip);
            assert!(xyz(tip).as_dvec3().distance(rest_tip) < 1e-5);
        } else {
            assert_eq!(*tip, other);
        }
    }
    pushed.reset(Pose::IDENTITY);
    assert_eq!(pushed.reset_strands(), 0);
}

#[test]
fn rest_strands_that_are_not_finite_are_drawn_as_nothing() {
    let mut groom = grown(10);
    groom.roots[2].x = f32::NAN;
    groom.lengths[3] = f32::INFINITY;
    let mut simulation = at_rest(&groom);
    simulation.advance(0.1, &mut |_| tilted());
    let tips = drawn(&simulation);
    assert!(tips.iter().flatten().all(|x| x.is_finite()));
    assert_eq!((tips[2], tips[3]), ([0.0; 4], [0.0; 4]));
}

#[test]
fn settings_out_of_range_are_moved_into_it() {
    let groom = grown(20);
    for (k, c) in [
        (-4.0, 1.0),
        (0.0, -1.0),
        (f32::NAN, f32::NAN),
        (f32::INFINITY, 1e30),
    ] {
        let mut simulation = Simulation::new(&groom, spring(k, c), Pose::IDENTITY);
        simulation.advance(0.2, &mut |t| Scene::Shake.pose(t));
        assert!(drawn(&simulation).iter().flatten().all(|x| x.is_finite()));
        assert_eq!(simulation.reset_strands(), 0);
    }
}

// ---- Drawn strands: full length, above the skin ----

/// Checks that every drawn strand has its length and is above its root's plane.
fn check_drawn(simulation: &Simulation, groom: &Groom) -> Result<(), TestCaseError> {
    let pose = simulation.drawn_pose();
    for (i, tip) in drawn(simulation).iter().enumerate() {
        let root = pose.transform_point(groom.roots[i].as_dvec3()).as_vec3();
        let normal = pose.transform_vector(groom.normals[i].as_dvec3()).as_vec3();
        let rest_dir = pose
            .transform_vector(groom.directions[i].as_dvec3())
            .as_vec3();
        // Rounding of world coordinates, not of the method.
        let rounding = 4.0 * f32::EPSILON * (1.0 + root.abs().max_element());
        let (mut length, mut before) = (0.0, root);
        for step in 0..=200 {
            let point = strand_curve_point(root, rest_dir, xyz(tip), step as f32 / 200.0);
            let height = (point - root).dot(normal);
            prop_assert!(height >= -rounding, "strand {i}: {height}");
            length += point.distance(before);
            before = point;
        }
        let off = (length - groom.lengths[i]).abs();
        prop_assert!(
            off < 100.0 * rounding + 4e-3 * groom.lengths[i],
            "strand {i}: {off}"
        );
    }
    Ok(())
}

fn any_pose() -> impl Strategy<Value = Pose> {
    let component = || -1.0..1.0_f64;
    let rotation = (component(), component(), component(), component());
    let translation = (component(), component(), component());
    (rotation, translation).prop_map(|((x, y, z, w), (tx, ty, tz))| {
        let rotation = DQuat::from_xyzw(x, y, z, w + 1e-3).normalize();
        Pose::new(rotation, DVec3::new(tx, ty, tz) * 2.0)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_drawn_point_is_under_its_roots_plane(
        jerks in prop::collection::vec((any_pose(), 0.0..0.2_f64), 1..12),
        (log_k, log_c) in (-2.0..4.0_f32, -2.0..3.0_f32),
        (length, spread_deg) in (0.01..4.0_f32, 0.0..80.0_f32),
        (clump, clump_size) in (0.0..1.0_f32, 0.0..1.0_f32),
    ) {
        let settings = GroomSettings { density: 1.0, length, length_variation: 0.5, spread_deg, clump, clump_size, ..GroomSettings::default() };
        let groom = Groom::grow(&dome(60), &settings, 3);
        let settings = spring(10_f32.powf(log_k), 10_f32.powf(log_c));
        let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
        check_drawn(&simulation, &groom)?;
        for (pose, elapsed) in jerks {
            simulation.advance(elapsed, &mut |_| pose);
            check_drawn(&simulation, &groom)?;
        }
        prop_assert_eq!(simulation.reset_strands(), 0);
    }
}

#[test]
fn a_tip_straight_under_its_root_is_still_drawn_above_the_skin() {
    let groom = grown(40);
    let mut simulation = at_rest(&groom);
    for i in 0..groom.len() {
        simulation.push(i, groom.normals[i] * -1_000.0);
    }
    for _ in 0..20 {
        simulation.advance(0.003, &mut |_| Pose::IDENTITY);
        check_drawn(&simulation, &groom).unwrap();
    }
}

#[test]
fn head_and_hair_are_drawn_between_the_same_two_states() {
    let groom = grown(30);
    let mut simulation = Simulation::new(&groom, spring(10_000.0, 200.0), Pose::IDENTITY);
    let poses = |t: f64| Pose::new(DQuat::IDENTITY, DVec3::X * t);
    simulation.advance(1.0, &mut |t| poses(t));
    for _ in 0..3 {
        simulation.advance(0.25, &mut |t| poses(t));
    }
    simulation.advance(0.25 * STEP_SECS, &mut |t| poses(t));
    // A quarter of a step past the 240th: drawn a quarter on from the 239th.
    let expected = simulation.time_secs() - 0.75 * STEP_SECS;
    assert!((simulation.drawn_pose().translation.x - expected).abs() < 1e-9);
    let before = drawn(&simulation);
    simulation.advance(0.5 * STEP_SECS, &mut |t| poses(t));
    for (tip, later) in before.iter().zip(drawn(&simulation)) {
        assert!((later[0] - tip[0] - 0.5 * STEP_SECS as f32).abs() < 1e-5);
    }
}

// ---- Rest ----

#[test]
fn rest_stays_at_rest_exactly() {
    let groom = grown(100);
    let turned = Pose::new(
        DQuat::from_euler(glam::EulerRot::YXZ, 0.4, 1.0, -0.3),
        DVec3::splat(0.7),
    );
    for pose in [Pose::IDENTITY, turned] {
        let mut simulation = Simulation::new(&groom, SimSettings::default(), pose);
        let tips = drawn(&simulation);
        for (i, tip) in tips.iter().enumerate() {
            let rest_tip = groom.roots[i] + groom.directions[i] * groom.lengths[i];
            let expected = pose.transform_point(rest_tip.as_dvec3());
            assert!(xyz(tip).as_dvec3().distance(expected) < 1e-6);
        }
        for _ in 0..200 {
            simulation.advance(0.019, &mut |_| pose);
            assert!(simulation.is_settled());
            assert_eq!(drawn(&simulation), tips);
        }
    }
}

#[test]
fn hair_settles_when_the_head_stops_and_not_before() {
    let groom = grown(100);
    let mut simulation = at_rest(&groom);
    assert!(simulation.is_settled());
    let mut settled_at = None;
    for frame in 0..60 * 40 {
        simulation.advance(1.0 / 60.0, &mut |t| Scene::Swing.pose(t.min(2.0)));
        match settled_at {
            None if simulation.is_settled() => settled_at = Some(frame),
            Some(_) => assert!(simulation.is_settled()),
            None => {}
        }
    }
    // Offsets shrink by e^(-2.5 t): to 1e-4 in about 4 s.
    let settled_at = f64::from(settled_at.expect("it settles")) / 60.0;
    assert!((5.0..9.0).contains(&settled_at), "{settled_at} s");
    let before = drawn(&simulation);
    simulation.advance(1.0, &mut |_| Scene::Swing.pose(2.0));
    for (tip, earlier) in drawn(&simulation).iter().zip(before) {
        assert!(xyz(tip).distance(xyz(&earlier)) < 1e-4);
    }
    simulation.advance(0.1, &mut |_| tilted());
    assert!(!simulation.is_settled());
}

/// The lanes that fill up the last block of eight once swung forever after the head moved sideways,
/// and the viewer never came to rest.
#[test]
fn hair_settles_after_a_sideways_shake_whatever_the_number_of_strands() {
    for count in [1, 7, 8, 9] {
        let mut simulation = at_rest(&grown(count));
        for _ in 0..60 * 30 {
            simulation.advance(1.0 / 60.0, &mut |t| Scene::Shake.pose(t.min(1.3)));
        }
        assert!(simulation.is_settled(), "{count} strands");
    }
}

#[test]
fn scenes_loop_from_the_third_period_on() {
    let groom = grown(100);
    for scene in Scene::ALL {
        let mut simulation = at_rest(&groom);
        let frames = (scene.period_secs() * 60.0) as usize;
        let mut period = || -> Vec<Vec<[f32; 4]>> {
            (0..frames)
                .map(|_| {
                    simulation.advance(1.0 / 60.0, &mut |t| scene.pose(t));
                    drawn(&simulation)
                })
                .collect()
        };
        period();
        period();
        let (third, fourth) = (period().concat(), period().concat());
        let worst = (third.iter().zip(&fourth))
            .map(|(a, b)| xyz(a).distance(xyz(b)))
            .fold(0.0, f32::max);
        assert!(worst < 0.003, "{scene}: {worst}");
    }
}

// ---- Changing things while they move ----

fn in_full_swing(groom: &Groom) -> Simulation {
    let mut simulation = at_rest(groom);
    for _ in 0..40 {
        simulation.advance(1.0 / 60.0, &mut |t| Scene::Swing.pose(t));
    }
    simulation
}

#[test]
fn new_settings_keep_the_motion() {
    let groom = grown(50);
    let mut simulation = in_full_swing(&groom);
    let tips = (drawn(&simulation), simulated(&simulation));
    simulation.set_settings(spring(100.0, 5.0));
    assert_eq!((drawn(&simulation), simulated(&simulation)), tips);
    assert_eq!(simulation.settings(), &spring(100.0, 5.0));
    simulation.advance(1.0 / 60.0, &mut |t| Scene::Swing.pose(t));
    assert_ne!(drawn(&simulation), tips.0);
}

#[test]
fn new_lengths_keep_the_motion_and_scale_the_tips() {
    let groom = grown(50);
    let mut simulation = in_full_swing(&groom);
    let before = simulated(&simulation);
    let mut longer = groom.clone();
    longer.lengths.iter_mut().for_each(|length| *length *= 2.0);
    simulation.set_groom(&longer);
    let pose = simulation.pose();
    for (i, (tip, before)) in simulated(&simulation).iter().zip(&before).enumerate() {
        let root = pose.transform_point(groom.roots[i].as_dvec3()).as_vec3();
        assert!(((xyz(before) - root) * 2.0).distance(xyz(tip) - root) < 1e-5);
    }
    check_drawn(&simulation, &longer).unwrap();
    assert!(!simulation.is_settled());
    // Back again is where it was.
    simulation.set_groom(&groom);
    for (tip, before) in simulated(&simulation).iter().zip(&before) {
        assert!(xyz(tip).distance(xyz(before)) < 1e-5);
    }
}

#[test]
fn another_number_of_strands_starts_at_rest_under_the_present_pose() {
    let mut simulation = in_full_swing(&grown(50));
    let (pose, time) = (simulation.pose(), simulation.time_secs());
    let groom = grown(77);
    simulation.set_groom(&groom);
    assert_eq!((simulation.pose(), simulation.time_secs()), (pose, time));
    assert_eq!(simulation.strand_count(), 77);
    assert!(farthest_from_rest(&simulation, &groom) < 1e-6);
    let mut rest = Simulation::new(&groom, SimSettings::default(), pose);
    for simulation in [&mut simulation, &mut rest] {
        simulation.advance(STEP_SECS, &mut |_| pose);
    }
    assert!(simulation.is_settled());
}

#[test]
fn reset_begins_anew() {
    let groom = grown(50);
    let mut simulation = in_full_swing(&groom);
    simulation.reset(tilted());
    let fresh = Simulation::new(&groom, SimSettings::default(), tilted());
    assert_eq!(drawn(&simulation), drawn(&fresh));
    assert_eq!(simulation.time_secs(), 0.0);
    assert!(simulation.is_settled());
}

#[test]
fn no_strands_are_fine() {
    let mut simulation = at_rest(&Groom::default());
    simulation.advance(0.1, &mut |t| Scene::Swing.pose(t));
    assert!(drawn(&simulation).is_empty());
    assert_eq!(simulation.strand_count(), 0);
}
