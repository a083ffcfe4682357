use super::*;
use crate::random::Random;
use crate::sim::simd::{LANES, get3, set3, splat3};
use crate::sim::time_step::STEP_SECS;
use glam::DQuat;
use glam::Vec3;
use std::slice;

/// A block of strands that stand upright, and their state.
#[derive(Clone)]
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

    /// Takes steps by a way of running kernels.
    fn advance_by(
        &mut self,
        steps: &[SpringStep],
        run: impl Fn(Advance<'_, false>) -> Outcome,
    ) -> Outcome {
        let blocks = Blocks {
            state: slice::from_mut(&mut self.state),
            previous: slice::from_mut(&mut self.previous),
            rest: slice::from_ref(&self.rest),
            normals: &[splat3(Vec3::Y)],
            shape: &[ShapeBlock::default()],
            soft: &[],
        };
        run(Advance(blocks, steps, &Contacts::default()))
    }

    fn advance(&mut self, steps: &[SpringStep]) -> Outcome {
        self.advance_by(steps, |kernel| dispatch(kernel))
    }

    fn numbers(&self) -> impl Iterator<Item = f32> {
        let lanes = [self.state.offset, self.state.velocity, self.previous];
        lanes.into_iter().flatten().flat_map(|lanes| lanes.0)
    }
}

/// A step under a still head.
fn still(k: f64, c: f64, dt: f64) -> SpringStep {
    let propagator = Propagator::new(k, c, dt);
    SpringStep::new(&propagator, &Pose::IDENTITY, &Pose::IDENTITY, DVec3::ZERO)
}

#[test]
fn a_still_head_never_leaves_denormal_numbers_behind() {
    for (k, c) in [(4.0, 1.5), (0.01, 0.0), (0.01, 1000.0), (10_000.0, 50.0)] {
        let mut block = Block::new();
        for lane in 0..LANES {
            let push = Vec3::new(1e-3, 1e-9 * lane as f32, -0.2);
            set3(&mut block.state.velocity, lane, push);
        }
        let still = still(k, c, STEP_SECS);
        for second in 0..300 {
            block.advance(&[still; 240]);
            for x in block.numbers() {
                assert!(x == 0.0 || x.abs() >= 1e-15, "{x:e} after {second} s");
            }
        }
    }
}

#[test]
fn each_broken_strand_is_reset_and_its_neighbours_are_not() {
    let mut block = Block::new();
    block.state.velocity = splat3(Vec3::X);
    let mut expected = block.clone();
    set3(&mut block.state.velocity, 1, Vec3::new(0.0, f32::NAN, 0.0));
    set3(&mut block.state.offset, 4, Vec3::X * f32::INFINITY);
    set3(&mut block.state.offset, 6, Vec3::Y * 1e25);
    let step = still(4.0, 1.5, STEP_SECS);
    let outcome = block.advance(&[step; 3]);
    assert_eq!((outcome.reset_strands, outcome.settled), (3, false));
    expected.advance(&[step; 3]);
    for lane in 0..LANES {
        let velocity = get3(&block.state.velocity, lane);
        if [1, 4, 6].contains(&lane) {
            assert_eq!(velocity, Vec3::ZERO);
            assert_eq!(get3(&block.state.offset, lane), Vec3::ZERO);
            assert_eq!(get3(&block.previous, lane), Vec3::ZERO);
        } else {
            assert_eq!(velocity, get3(&expected.state.velocity, lane));
        }
    }
}

#[test]
fn contact_takes_the_inward_velocity_and_no_other() {
    for (vertical, left) in [(-2.0, 0.0), (2.0, 2.0)] {
        let mut block = Block::new();
        block.state.offset = splat3(Vec3::new(0.0, -0.8, 0.0));
        block.state.velocity = splat3(Vec3::new(1.0, vertical, 0.0));
        block.advance(&[still(0.01, 0.0, 1e-6)]);
        for lane in 0..LANES {
            let velocity = get3(&block.state.velocity, lane);
            assert!((velocity.x - 1.0).abs() < 1e-6);
            assert!((velocity.y - left).abs() < 1e-6, "{velocity:?}");
            assert!((get3(&block.state.offset, lane).y + 0.75).abs() < 1e-6);
        }
    }
}

/// Sets offsets and velocities of all sizes from `seed`, some of them deep in the skin.
fn stir(block: &mut Block, seed: u32) {
    let mut random = Random::new(seed.into());
    let mut next = || {
        let share = random.uniform() as f32 - 0.5;
        share * 10.0_f32.powi(random.below(7) as i32 - 4)
    };
    for lane in 0..LANES {
        for vectors in [&mut block.state.offset, &mut block.state.velocity] {
            set3(vectors, lane, Vec3::new(next(), next(), next()));
        }
    }
}

#[test]
fn every_instruction_set_and_every_lane_gives_the_same_bits() {
    let bits = |block: &Block| -> Vec<u32> { block.numbers().map(f32::to_bits).collect() };
    let propagator = Propagator::new(4.0, 1.5, STEP_SECS);
    let turned = Pose::about_neck(DQuat::from_rotation_x(0.02));
    let step = SpringStep::new(&propagator, &Pose::IDENTITY, &turned, DVec3::ZERO);
    for seed in 0..1000 {
        let mut stirred = Block::new();
        stir(&mut stirred, seed);
        let (mut widest, mut plain) = (stirred.clone(), stirred.clone());
        widest.advance(&[step; 3]);
        plain.advance_by(&[step; 3], |kernel| kernel.run_as_compiled());
        assert_eq!(bits(&plain), bits(&widest), "seed {seed}");

        // Strand by strand: whether the neighbours touch the skin makes no difference.
        for lane in 0..LANES {
            let mut single = Block::new();
            let (from, to) = (&stirred.state, &mut single.state);
            set3(&mut to.offset, lane, get3(&from.offset, lane));
            set3(&mut to.velocity, lane, get3(&from.velocity, lane));
            single.advance(&[step; 3]);
            let both = bits(&single).into_iter().zip(bits(&widest));
            for (one, all) in both.skip(lane).step_by(LANES) {
                assert_eq!(one, all, "seed {seed}, lane {lane}");
            }
        }
    }
}
