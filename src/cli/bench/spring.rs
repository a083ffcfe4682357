//! A step of the spring, beside the naive update and moving as many bytes.

use super::harness::{Report, Row, best_ns, slanted_strands};
use super::memory;
use super::naive::{NaiveSpring, NaiveStrand};
use glam::Vec3;
use mohawk::sim::{Pose, Propagator, STEP_SECS, Scene, Spring, SpringSettings};
use rayon::{ThreadPool, prelude::*};

/// Strands of the naive update that a thread takes at a time, as many as of the spring.
const CHUNK: usize = 1024;
/// Numbers of each strand that a step only reads: anchor and lift.
const REST: usize = 4;
/// Time for which the head has stood still before a step is measured.
const STILL_SECS: f64 = 300.0;

pub fn measure(report: &mut Report, strands: &[u32], pools: &[ThreadPool]) -> anyhow::Result<()> {
    for &strands in strands {
        let count = strands as usize;
        let message = format!("the spring, {count} strands");
        report.on_pools(message.clone(), pools, || {
            let text = format!(
                "a strand: one exact step of 1/240 s under a swinging head ({} bytes)",
                memory::bytes(REST)
            );
            Row {
                naive_ns_per_element: Some(naive(count)),
                memory_ns_per_element: Some(memory::ns_per_element(count, REST)),
                ..Row::new("spring", text, count, moving(count))
            }
        })?;
        report.on_pools(message, pools, || {
            let text = "a strand: the same after the head has stood still for five minutes";
            Row::new("spring-still", text, count, still(count))
        })?;
    }
    Ok(())
}

fn propagator_of(step_secs: f64) -> Propagator {
    let spring = SpringSettings::default();
    Propagator::new(spring.stiffness.into(), spring.damping.into(), step_secs)
}

/// Returns the poses of a swinging head, before and after each step.
fn poses() -> impl FnMut() -> [Pose; 2] {
    let mut step = 0;
    move || {
        let at = |step: u32| Scene::Swing.pose(f64::from(step) * STEP_SECS);
        step += 1;
        [at(step - 1), at(step)]
    }
}

/// Returns the nanoseconds per strand and step under a swinging head.
fn moving(count: usize) -> f64 {
    let (mut spring, propagator) = (
        Spring::new(&slanted_strands(count)),
        propagator_of(STEP_SECS),
    );
    let mut poses = poses();
    best_ns(count, || {
        let [from, to] = poses();
        spring.step(&propagator, &from, &to);
    })
}

/// As [`moving`], after the head has swung for a second and then stood still for long.
fn still(count: usize) -> f64 {
    let (mut spring, propagator) = (
        Spring::new(&slanted_strands(count)),
        propagator_of(STEP_SECS),
    );
    let mut poses = poses();
    let mut last = Pose::IDENTITY;
    for _ in 0..(1.0 / STEP_SECS) as u32 {
        let [from, to] = poses();
        spring.step(&propagator, &from, &to);
        last = to;
    }
    // Five minutes in usual steps would take minutes for a million strands. Steps of a quarter
    // second are as exact, and lead to the same state.
    let stride = 0.25;
    let long = propagator_of(stride);
    for _ in 0..(STILL_SECS / stride) as u32 {
        spring.step(&long, &last, &last);
    }
    best_ns(count, || {
        spring.step(&propagator, &last, &last);
    })
}

/// Returns the nanoseconds per strand and step of the reference's update under a swinging head.
fn naive(count: usize) -> f64 {
    let spring = SpringSettings::default();
    let hair = NaiveSpring {
        length: 0.75,
        k_anchor: spring.stiffness,
        damping: spring.damping,
    };
    let groom = slanted_strands(count);
    let mut strands: Vec<NaiveStrand> = (groom.roots.iter())
        .map(|&root| NaiveStrand {
            pos: root + Vec3::Y * hair.length,
            velocity: Vec3::ZERO,
            spawn_pt: root,
            spawn_dir: Vec3::Y,
        })
        .collect();
    let mut poses = poses();
    best_ns(count, || {
        let world_from_head = poses()[1].to_mat4();
        let update = |strands: &mut [NaiveStrand]| {
            hair.update(strands, &world_from_head, STEP_SECS as f32);
        };
        if rayon::current_num_threads() == 1 {
            update(&mut strands);
        } else {
            strands.par_chunks_mut(CHUNK).for_each(update);
        }
    })
}
