//! A step of the spring beside the naive update and beside moving as many bytes.

use super::harness::{Report, Row, best_ns, slanted_strands};
use super::memory;
use super::naive::{self, HairStrand};
use glam::Vec3;
use mohawk::sim::{Pose, Propagator, STEP_SECS, Scene, Spring, SpringSettings};
use rayon::{ThreadPool, prelude::*};

/// Strands per task of the naive update, as in the spring itself.
const CHUNK: usize = 1024;
/// Numbers per strand that a step only reads: anchor and lift.
const REST: usize = 4;
/// Time at rest before the step of a still head is measured, in seconds.
const STILL_SECS: f64 = 300.0;

pub fn measure(report: &mut Report, strands: &[u32], pools: &[ThreadPool]) -> anyhow::Result<()> {
    for &strands in strands {
        for pool in pools {
            let count = strands as usize;
            report.show(format!("the spring, {count} strands"));
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
                        "a strand: one exact step of 1/240 s with a swinging head ({} bytes)",
                        memory::bytes(REST)
                    ),
                    count,
                    threads,
                    moving,
                )
            })?;
            let text = "a strand: the same after five minutes with the head at rest";
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

/// Returns a source of the poses before and after each step of a swinging head.
fn poses() -> impl FnMut() -> [Pose; 2] {
    let mut step = 0;
    move || {
        let at = |step: u32| Scene::Swing.pose(f64::from(step) * STEP_SECS);
        step += 1;
        [at(step - 1), at(step)]
    }
}

/// Returns the nanoseconds per strand and step with a swinging head.
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

/// Returns the nanoseconds per strand and step after a second of swinging and a long rest.
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
    // Five minutes of usual steps would take minutes for a million strands. Steps of a quarter of a
    // second are as exact and reach the same state.
    let stride = 0.25;
    let long = propagator_of(stride);
    for _ in 0..(STILL_SECS / stride) as u32 {
        spring.step(&long, &last, &last);
    }
    best_ns(count, || {
        spring.step(&propagator, &last, &last);
    })
}

/// Returns the nanoseconds per strand and step of the original update with a swinging head.
fn naive(count: usize) -> f64 {
    let spring = SpringSettings::default();
    let spring_update = naive::Spring {
        length: 0.75,
        k_anchor: spring.stiffness,
        damping: spring.damping,
    };
    let groom = slanted_strands(count);
    let mut strands: Vec<HairStrand> = (groom.roots.iter())
        .map(|&root| HairStrand {
            pos: root + Vec3::Y * spring_update.length,
            velocity: Vec3::ZERO,
            spawn_pt: root,
            spawn_dir: Vec3::Y,
        })
        .collect();
    let mut poses = poses();
    best_ns(count, || {
        let world_from_head = poses()[1].to_mat4();
        let update = |strands: &mut [HairStrand]| {
            spring_update.update(strands, &world_from_head, STEP_SECS as f32);
        };
        if rayon::current_num_threads() == 1 {
            update(&mut strands);
        } else {
            strands.par_chunks_mut(CHUNK).for_each(update);
        }
    })
}
