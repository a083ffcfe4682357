//! What a step of the spring costs, one thread against all: `cargo bench --bench spring`.
//!
//! The baseline is the same work on one thread in the same run. `PARALLEL_STRANDS` in
//! `src/sim/spring.rs` is where the ratio leaves 1.

use glam::Vec3;
use mohawk::Groom;
use mohawk::sim::{Pose, Propagator, STEP_SECS, Scene, Spring};
use std::time::Instant;

/// Each figure is the best of this many runs: the one that was disturbed least.
const RUNS: usize = 7;
/// Strand-steps per run: long enough for the clock, short enough to wait for.
const STRAND_STEPS: usize = 8_000_000;

fn lawn(count: usize) -> Groom {
    let root = |i: usize| Vec3::new((i % 1000) as f32 * 1e-3, 1.0, (i / 1000) as f32 * 1e-3);
    Groom {
        roots: (0..count).map(root).collect(),
        directions: vec![Vec3::Y; count],
        normals: vec![Vec3::Y; count],
        lengths: vec![0.75; count],
    }
}

/// Nanoseconds per strand and step under a swinging head.
fn measure(count: usize) -> f64 {
    let mut spring = Spring::new(&lawn(count));
    let propagator = Propagator::new(4.0, 1.5, STEP_SECS);
    let steps = (STRAND_STEPS / count).max(4);
    let pose = |step: usize| -> Pose { Scene::Swing.pose(step as f64 * STEP_SECS) };
    let run = |spring: &mut Spring| {
        let started = Instant::now();
        for step in 0..steps {
            spring.step(&propagator, &pose(step), &pose(step + 1));
        }
        started.elapsed().as_secs_f64() * 1e9 / (steps * count) as f64
    };
    (0..RUNS).map(|_| run(&mut spring)).fold(f64::MAX, f64::min)
}

fn main() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let (Ok(one), Ok(all)) = (pool(1), pool(threads)) else {
        eprintln!("no thread pool");
        std::process::exit(1);
    };
    println!("spring, exact propagator, {STRAND_STEPS} strand-steps, best of {RUNS}");
    println!(
        "{:>9}  {:>12}  {:>15}  {:>7}",
        "strands",
        "1 thread, ns",
        format!("{threads} threads, ns"),
        "ratio"
    );
    for count in [400, 2_000, 5_000, 20_000, 100_000, 1_000_000] {
        let single = one.install(|| measure(count));
        let every = all.install(|| measure(count));
        println!(
            "{count:>9}  {single:>12.2}  {every:>15.2}  {:>7.2}",
            single / every
        );
    }
}
