//! A step of the spring beside the naive update and beside moving as many bytes.

use super::naive::{Hair, HairStrand};
use super::{Report, Row, best_ns, field, memory};
use glam::Vec3;
use mohawk::sim::{Pose, Propagator, STEP_SECS, Scene, Spring, SpringSettings};
use rayon::{ThreadPool, prelude::*};

/// Strands of the naive update that a thread takes at a time, as the spring's own.
const CHUNK: usize = 1024;
/// Numbers of each strand that a step only reads: anchor and lift.
const REST: usize = 4;
/// How long a head has stood still before its step is measured again.
const STILL_SECS: f64 = 300.0;

pub fn measure(report: &mut Report, strands: &[u32], pools: &[ThreadPool]) -> anyhow::Result<()> {
    for &strands in strands {
        for pool in pools {
            let count = strands as usize;
            report
                .bar
                .set_message(format!("the spring, {count} strands"));
            let threads = pool.current_num_threads();
            let moving = pool.install(|| moving(count));
            let naive = pool.install(|| naive(count));
            let bytes = pool.install(|| memory::ns_per_element::<REST>(count));
            report.add(Row {
                naive_ns_per_element: Some(naive),
                memory_ns_per_element: Some(bytes),
                ..Row::new(
                    "spring",
                    format!(
                        "a strand: one exact step of 1/240 s under a swinging head ({} bytes)",
                        memory::bytes(REST)
                    ),
                    count,
                    threads,
                    moving,
                )
            })?;
            let text = "a strand: the same after the head has stood still for five minutes";
            let still = pool.install(|| still(count));
            report.add(Row::new("spring-still", text, count, threads, still))?;
        }
    }
    Ok(())
}

fn propagator_of(step_secs: f64) -> Propagator {
    let spring = SpringSettings::default();
    Propagator::new(spring.stiffness.into(), spring.damping.into(), step_secs)
}

/// Poses of a head that swings on and on.
fn poses() -> impl FnMut() -> [Pose; 2] {
    let mut step = 0;
    move || {
        let at = |step: u32| Scene::Swing.pose(f64::from(step) * STEP_SECS);
        step += 1;
        [at(step - 1), at(step)]
    }
}

/// Nanoseconds per strand and step under a swinging head.
fn moving(count: usize) -> f64 {
    let (mut spring, propagator) = (Spring::new(&field(count)), propagator_of(STEP_SECS));
    let mut poses = poses();
    best_ns(count, || {
        let [from, to] = poses();
        spring.step(&propagator, &from, &to);
    })
}

/// The same when the head has swung for a second, and then stood still for long.
fn still(count: usize) -> f64 {
    let (mut spring, propagator) = (Spring::new(&field(count)), propagator_of(STEP_SECS));
    let mut poses = poses();
    let mut last = Pose::IDENTITY;
    for _ in 0..(1.0 / STEP_SECS) as u32 {
        let [from, to] = poses();
        spring.step(&propagator, &from, &to);
        last = to;
    }
    // Five minutes in steps as they are would take minutes for a million strands. Steps of a
    // quarter second are as exact, and leave the same state behind.
    let stride = 0.25;
    let long = propagator_of(stride);
    for _ in 0..(STILL_SECS / stride) as u32 {
        spring.step(&long, &last, &last);
    }
    best_ns(count, || {
        spring.step(&propagator, &last, &last);
    })
}

/// Nanoseconds per strand and step of the reference's update under a swinging head.
fn naive(count: usize) -> f64 {
    let spring = SpringSettings::default();
    let hair = Hair {
        length: 0.75,
        k_anchor: spring.stiffness,
        damping: spring.damping,
    };
    let groom = field(count);
    let mut strands: Vec<HairStrand> = (groom.roots.iter())
        .map(|&root| HairStrand {
            pos: root + Vec3::Y * hair.length,
            velocity: Vec3::ZERO,
            spawn_pt: root,
            spawn_dir: Vec3::Y,
        })
        .collect();
    let mut poses = poses();
    best_ns(count, || {
        let world_from_head = poses()[1].to_mat4();
        let update = |strands: &mut [HairStrand]| {
            hair.update(strands, &world_from_head, STEP_SECS as f32);
        };
        if rayon::current_num_threads() == 1 {
            update(&mut strands);
        } else {
            strands.par_chunks_mut(CHUNK).for_each(update);
        }
    })
}
