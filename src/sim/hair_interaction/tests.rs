//! Tests of friction and repulsion.

use super::*;
use crate::Groom;
use crate::sim::Pose;
use crate::sim::contact::Contacts;
use crate::sim::solvers::{Angular, Ftl};

fn bunch(count: usize) -> Hair {
    let root = |i: usize| Vec3::new((i % 7) as f32, 0.0, (i / 7) as f32) * 0.01;
    let groom = Groom::parallel((0..count).map(root).collect(), Vec3::Y, 0.5);
    Hair::new(&groom, 6, &Pose::IDENTITY)
}

const DT: f32 = 1.0 / 240.0;

fn settings(friction: f32, repulsion: f32) -> HairSettings {
    HairSettings {
        friction,
        repulsion,
        cell: 0.02,
        density: 0.0,
    }
}

fn act(hair: &mut Hair, settings: HairSettings) {
    HairInteraction::default().apply(hair, &settings, DT);
}

#[test]
fn friction_evens_velocities_out_and_keeps_the_mean() {
    let mut hair = bunch(49);
    for i in 0..49 {
        let velocity = Vec3::new(3.0, if i % 2 == 0 { 1.0 } else { -1.0 }, 0.0);
        for j in 1..6 {
            hair.set(i, j, hair.position(i, j), velocity);
        }
    }
    for _ in 0..240 {
        act(&mut hair, settings(5.0, 0.0));
    }
    for i in 0..49 {
        let v = hair.velocity(i, 4);
        assert!((v.x - 3.0).abs() < 1e-2, "{v}");
        assert!(v.y.abs() < 0.1, "{v}");
    }
    assert_eq!(hair.velocity(0, 0), Vec3::ZERO);
}

#[test]
fn repulsion_spreads_a_bunch_at_most_at_its_rate() {
    let mut hair = bunch(49);
    act(&mut hair, settings(0.0, 24.0));
    for (strand, side) in [(0, -1.0), (48, 1.0)] {
        let v = hair.velocity(strand, 3) * side;
        assert!(v.x > 1e-3 && v.z > 1e-3 && v.length() <= 0.1, "{v}");
    }
}

#[test]
fn the_density_counts_all_particles_but_roots() {
    let mut interaction = HairInteraction::default();
    assert_eq!(interaction.density(), DensityGrid::default());
    let mut hair = bunch(49);
    interaction.apply(&mut hair, &settings(5.0, 0.0), DT);
    let DensityGrid { cell, nodes } = interaction.density();
    assert!((cell - 0.02).abs() < 1e-6);
    let all: f32 = nodes.iter().map(|(_, count)| count).sum();
    assert!((all - 49.0 * 5.0).abs() < 0.1, "{all}");
    let weighted = nodes.iter().map(|&(place, count)| place * count);
    let off = weighted.sum::<Vec3>() / all - Vec3::new(0.03, 0.3, 0.03);
    assert!(off.length() < 1e-3, "{off}");
}

/// The grid was once that of the step before, and took a part of what hair had gained since.
#[test]
fn friction_keeps_the_momentum_of_hair_that_is_pushed() {
    let (mut interaction, mut hair) = (HairInteraction::default(), bunch(49));
    let mut expected = Vec3::ZERO;
    for _ in 0..12 {
        for i in 0..49 {
            for j in 1..6 {
                let push = Vec3::new(0.04, (i % 5) as f32 * 0.02, (j % 2) as f32 * 0.03);
                expected += push;
                hair.set(i, j, hair.position(i, j), hair.velocity(i, j) + push);
            }
        }
        interaction.apply(&mut hair, &settings(100.0, 0.0), DT);
    }
    let off = hair.momentum() - expected;
    assert!(
        off.length() < 1e-4 * expected.length(),
        "{off} of {expected}"
    );
}

/// The units of a splat must be those of its own hair.
#[test]
fn forces_do_not_depend_on_the_hair_of_the_step_before() {
    let crowd = |count: usize| {
        let roots = (0..count).map(|i| Vec3::X * (i % 7) as f32 * 1e-4);
        let groom = Groom::parallel(roots.collect(), Vec3::Y, 0.5);
        let mut hair = Hair::new(&groom, 60, &Pose::IDENTITY);
        for i in 0..count {
            let velocity = Vec3::new(0.37 * (i % 5) as f32, 0.11, 0.7);
            hair.set(i, 9, hair.position(i, 9), velocity);
        }
        hair
    };
    let mut interaction = HairInteraction::default();
    for count in [9, 4_000, 4_000, 800, 9] {
        let [mut new, mut old] = [crowd(count), crowd(count)];
        act(&mut new, settings(5.0, 0.0));
        interaction.apply(&mut old, &settings(5.0, 0.0), DT);
        for i in (0..count).step_by(37) {
            assert_eq!(new.velocity(i, 9), old.velocity(i, 9), "{count}");
        }
    }
    assert!(interaction.most <= DENSE);
}

/// Repulsion once was as strong for the least difference, and hair trembled.
#[test]
fn repulsion_vanishes_with_the_difference_in_density() {
    // Bunches on nodes side by side, each denser than the one before by two strands.
    let counts = (0..7).map(|bunch| 200 + 2 * bunch);
    let place = |bunch: usize| Vec3::new(bunch as f32 * 0.02, 0.0, 0.0);
    let roots = counts
        .enumerate()
        .flat_map(|(i, count)| vec![place(i); count]);
    let groom = Groom::parallel(roots.collect(), Vec3::Y, 0.5);
    let mut hair = Hair::new(&groom, 26, &Pose::IDENTITY);
    act(&mut hair, settings(0.0, 100.0));
    let along = |strand: usize| -hair.velocity(strand, 12).x / (100.0 * DT);
    let (least, middle) = (along(0), along(3 * 203));
    assert!(
        least > 0.3 && (0.001..0.01).contains(&middle),
        "{least}, {middle}"
    );
}

/// Without a target, hair spreads until it is even, like a gas.
#[test]
fn hair_below_the_target_density_is_not_pushed() {
    let pushed = |density: f32| {
        let mut hair = bunch(49);
        let settings = HairSettings {
            density,
            ..settings(0.0, 24.0)
        };
        act(&mut hair, settings);
        hair.velocity(0, 3).length()
    };
    // Particles of parallel strands lie in layers, five cells apart.
    let [everywhere, half, over] = [0.0, 0.5, 10.0].map(pushed);
    assert!(everywhere > half && half > 0.0 && over == 0.0);
}

/// Repulsion once let hair creep for minutes.
#[test]
fn hair_that_hardly_moves_sticks_under_a_still_head() {
    let contacts = Contacts::default();
    let way = |to: Pose, acceleration: f32, solver: &dyn Solver| {
        let step = Step::new(Pose::IDENTITY, to, 0.0, &SimSettings::default(), &contacts);
        let mut hair = bunch(9);
        let push = Vec3::X * acceleration * DT;
        hair.set(3, 5, hair.position(3, 5) + push * DT, push);
        stick(&mut hair, &step, solver);
        let moved = hair.position(3, 5) - hair.rest(3, 5);
        assert!((hair.velocity(3, 5) - moved / DT).length() < 1e-4);
        moved.x
    };
    let moving = Pose::new(glam::DQuat::IDENTITY, glam::DVec3::Y);
    let free = &Ftl::default();
    assert_eq!(way(Pose::IDENTITY, 1.0, free), 0.0);
    assert!(way(Pose::IDENTITY, 4.0, free) > 0.0);
    assert!(way(moving, 1.0, free) > 0.0);
    // Sticks of much inertia move less under the same force.
    let mut settings = SimSettings::default();
    settings.angular.inertia = 100.0;
    let mut slow = Angular::default();
    slow.configure(&settings);
    assert!(way(Pose::IDENTITY, 1.0, &slow) > 0.0);
}

#[test]
fn distant_and_non_finite_hair_is_left_alone() {
    let mut hair = bunch(2);
    for place in [1e9, f32::NAN] {
        hair.set(1, 3, Vec3::splat(place), Vec3::X);
        act(&mut hair, settings(5.0, 5.0));
        assert!(hair.velocity(1, 3).is_finite());
    }
    assert_eq!(hair.velocity(1, 3), Vec3::X);
    act(&mut bunch(0), settings(5.0, 5.0));
}
