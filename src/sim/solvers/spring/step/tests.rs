use super::*;
use crate::sim::STEP_SECS;
use crate::sim::simd::blocks::set3;
use glam::Vec3;
use std::slice;

/// A block of strands that stand upright, and what a step makes of it.
struct Block {
    state: StateBlock,
    previous: Lanes3,
    rest: RestBlock,
}

impl Block {
    fn new() -> Self {
        let mut rest = RestBlock::default();
        for lane in 0..LANES {
            let anchor = Vec3::new(0.1 * lane as f32, 1.9, -0.3);
            set3(&mut rest.anchor, lane, anchor);
            rest.lift.0[lane] = 0.75;
        }
        Self {
            state: StateBlock::default(),
            previous: Lanes3::default(),
            rest,
        }
    }

    fn advance(&mut self, steps: &[SpringStep]) -> Outcome {
        let up = [0.0, 1.0, 0.0].map(|axis| Lanes([axis; LANES]));
        let blocks = Blocks {
            state: slice::from_mut(&mut self.state),
            previous: slice::from_mut(&mut self.previous),
            rest: slice::from_ref(&self.rest),
            normals: &[up],
            shape: &[ShapeBlock::default()],
            soft: &[],
        };
        advance_blocks(blocks, steps, &Contacts::default())
    }
}

#[test]
fn a_still_head_never_leaves_denormal_numbers_behind() {
    for (k, c) in [(4.0, 1.5), (0.01, 0.0), (0.01, 1000.0), (10_000.0, 50.0)] {
        let mut block = Block::new();
        for lane in 0..LANES {
            let push = Vec3::new(1e-3, 1e-9 * lane as f32, -0.2);
            set3(&mut block.state.velocity, lane, push);
        }
        let propagator = Propagator::new(k, c, STEP_SECS);
        let still = SpringStep::new(&propagator, &Pose::IDENTITY, &Pose::IDENTITY, DVec3::ZERO);
        for second in 0..300 {
            block.advance(&[still; 240]);
            let numbers = (block.state.offset.iter().chain(&block.state.velocity))
                .chain(&block.previous)
                .flat_map(|lanes| lanes.0);
            for x in numbers {
                assert!(x == 0.0 || x.abs() >= SNAP, "{x:e} after {second} s");
            }
        }
    }
}

#[test]
fn an_easing_that_has_ended_leaves_no_denormal_numbers_in_the_matrices() {
    let propagator = Propagator::new(4.0, 1.5, STEP_SECS);
    let to = Pose::new(glam::DQuat::IDENTITY, glam::DVec3::splat(1e-40));
    let step = SpringStep::new(&propagator, &Pose::IDENTITY, &to, DVec3::ZERO);
    assert_eq!(step.shift, [0.0; 3]);
}

#[test]
fn each_broken_strand_is_reset_and_its_neighbours_are_not() {
    let mut block = Block::new();
    for lane in 0..LANES {
        set3(&mut block.state.velocity, lane, Vec3::X);
    }
    let mut expected = Block::new();
    expected.state = block.state;
    set3(&mut block.state.velocity, 1, Vec3::new(0.0, f32::NAN, 0.0));
    set3(
        &mut block.state.offset,
        4,
        Vec3::new(f32::INFINITY, 0.0, 0.0),
    );
    set3(&mut block.state.offset, 6, Vec3::new(0.0, 1e25, 0.0));
    let propagator = Propagator::new(4.0, 1.5, STEP_SECS);
    let step = SpringStep::new(&propagator, &Pose::IDENTITY, &Pose::IDENTITY, DVec3::ZERO);
    let report = block.advance(&[step; 3]);
    assert_eq!(report.reset_strands, 3);
    assert!(!report.settled);
    expected.advance(&[step; 3]);
    for lane in 0..LANES {
        let velocity = lane3(&block.state.velocity, lane);
        if [1, 4, 6].contains(&lane) {
            assert_eq!(velocity, [0.0; 3]);
            assert_eq!(lane3(&block.state.offset, lane), [0.0; 3]);
            assert_eq!(lane3(&block.previous, lane), [0.0; 3]);
        } else {
            assert_eq!(velocity, lane3(&expected.state.velocity, lane));
        }
    }
}

#[test]
fn contact_takes_the_inward_velocity_and_no_other() {
    let mut block = Block::new();
    for lane in 0..LANES {
        set3(&mut block.state.offset, lane, Vec3::new(0.0, -0.8, 0.0));
        let vertical = if lane % 2 == 0 { -2.0 } else { 2.0 };
        set3(
            &mut block.state.velocity,
            lane,
            Vec3::new(1.0, vertical, 0.0),
        );
    }
    let propagator = Propagator::new(0.01, 0.0, 1e-6);
    let step = SpringStep::new(&propagator, &Pose::IDENTITY, &Pose::IDENTITY, DVec3::ZERO);
    block.advance(&[step]);
    for lane in 0..LANES {
        let velocity = lane3(&block.state.velocity, lane);
        assert!((velocity[0] - 1.0).abs() < 1e-6);
        let kept = if lane % 2 == 0 { 0.0 } else { 2.0 };
        assert!((velocity[1] - kept).abs() < 1e-6, "{velocity:?}");
        assert!((lane3(&block.state.offset, lane)[1] + 0.75).abs() < 1e-6);
    }
}

/// Offsets and velocities of all sizes, some of them deep in the skin, turned by `seed`.
fn stir(block: &mut Block, seed: u32) {
    let mut random = seed;
    let mut next = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let share = (random >> 8) as f32 / (1 << 24) as f32 - 0.5;
        share * 10.0_f32.powi((random % 7) as i32 - 4)
    };
    for lane in 0..LANES {
        let vector = |next: &mut dyn FnMut() -> f32| Vec3::new(next(), next(), next());
        set3(&mut block.state.offset, lane, vector(&mut next));
        set3(&mut block.state.velocity, lane, vector(&mut next));
    }
}

fn bits(block: &Block) -> Vec<u32> {
    let lanes = block.state.offset.iter().chain(&block.state.velocity);
    let lanes = lanes.chain(&block.previous).flat_map(|lanes| lanes.0);
    lanes.map(f32::to_bits).collect()
}

#[test]
fn every_instruction_set_and_every_lane_gives_the_same_bits() {
    let propagator = Propagator::new(4.0, 1.5, STEP_SECS);
    let turned = Pose::about_neck(glam::DQuat::from_rotation_x(0.02));
    let step = SpringStep::new(&propagator, &Pose::IDENTITY, &turned, DVec3::ZERO);
    for seed in 0..1000 {
        let mut widest = Block::new();
        stir(&mut widest, seed);
        let (mut plain, alone) = (widest.state, widest.state);
        let mut previous = Lanes3::default();
        widest.advance(&[step; 3]);

        // As this test is compiled: SSE2 on x86-64.
        let up = [0.0, 1.0, 0.0].map(|axis| Lanes([axis; LANES]));
        let blocks = Blocks {
            state: slice::from_mut(&mut plain),
            previous: slice::from_mut(&mut previous),
            rest: slice::from_ref(&widest.rest),
            normals: &[up],
            shape: &[ShapeBlock::default()],
            soft: &[],
        };
        let steps = &[step; 3];
        let colliders = &Contacts::default();
        Advance::<false> {
            blocks,
            steps,
            colliders,
        }
        .run();
        let plain = Block {
            state: plain,
            previous,
            rest: widest.rest,
        };
        assert_eq!(bits(&plain), bits(&widest), "seed {seed}");

        // Strand by strand: whether the neighbours touch the skin makes no difference.
        for lane in 0..LANES {
            let mut single = Block::new();
            set3(
                &mut single.state.offset,
                lane,
                lane3(&alone.offset, lane).into(),
            );
            set3(
                &mut single.state.velocity,
                lane,
                lane3(&alone.velocity, lane).into(),
            );
            single.advance(&[step; 3]);
            for (one, all) in bits(&single)
                .iter()
                .zip(bits(&widest))
                .skip(lane)
                .step_by(LANES)
            {
                assert_eq!(*one, all, "seed {seed}, lane {lane}");
            }
        }
    }
}
