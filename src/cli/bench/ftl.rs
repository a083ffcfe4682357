//! A step of Follow-The-Leader beside the published listing, with strands as in the largest scene of
//! the paper.

use super::harness::{Report, Row, best_ns, slanted_strands};
use super::memory;
use super::naive::{FollowTheLeader, Particle};
use glam::Vec3;
use mohawk::Simulation;
use mohawk::sim::{FtlSettings, Pose, STEP_SECS, Scene, SimSettings, SolverKind};
use rayon::{ThreadPool, prelude::*};

/// Müller, Kim, Chentanez 2012: 47k strands, 1.9 million particles.
const STRANDS: usize = 47_000;
const PARTICLES: usize = 40;
/// Numbers per particle that a step only reads: the length of its segment.
const REST: usize = 1;
/// Steps per frame of the window.
const FRAME: u32 = 4;
/// Strands per task of the listing.
const CHUNK: usize = 256;

pub fn measure(report: &mut Report, pools: &[ThreadPool]) -> anyhow::Result<()> {
    let row = Row {
        particles: PARTICLES as u64,
        ..Row::new(
            "ftl",
            format!(
                "a particle: one step of 1/240 s with a swinging head, in a scene as large as the largest of the paper ({} bytes)",
                memory::bytes(REST)
            ),
            STRANDS,
            1,
            0.0,
        )
    };
    let bytes = || memory::ns_per_element::<REST>(STRANDS * PARTICLES);
    report.add_with_baselines(row.clone(), pools, || ours(1), naive, bytes)?;
    for pool in pools {
        report.show("ftl, four steps at once");
        report.add(Row {
            kernel: "ftl-frame",
            measures: format!(
                "a particle: one of {FRAME} steps that are taken at once, as in a frame of 1/60 s"
            ),
            threads: pool.current_num_threads(),
            ns_per_element: pool.install(|| ours(FRAME)),
            ..row.clone()
        })?;
    }
    Ok(())
}

/// Returns the nanoseconds per particle and step if `steps` are taken at once.
fn ours(steps: u32) -> f64 {
    let settings = SimSettings {
        solver: SolverKind::Ftl,
        strand_particles: PARTICLES as u32,
        ..SimSettings::default()
    };
    let mut simulation = Simulation::new(&slanted_strands(STRANDS), settings, Pose::IDENTITY);
    let elements = STRANDS * PARTICLES * steps as usize;
    best_ns(elements, || {
        simulation.advance(f64::from(steps) * STEP_SECS, &mut |t| Scene::Swing.pose(t));
    })
}

fn naive() -> f64 {
    let settings = FtlSettings::default();
    let listing = FollowTheLeader {
        correction: settings.correction,
        retained: 1.0 - settings.damping * STEP_SECS as f32,
        gravity: Vec3::new(0.0, -98.1, 0.0),
    };
    let groom = slanted_strands(STRANDS);
    let segment = 0.75 / (PARTICLES - 1) as f32;
    let mut particles: Vec<Particle> = (groom.roots.iter())
        .flat_map(|&root| {
            (0..PARTICLES).map(move |j| Particle {
                pos: root + Vec3::Y * segment * j as f32,
                velocity: Vec3::ZERO,
                length: if j > 0 { segment } else { 0.0 },
            })
        })
        .collect();
    let mut step = 0;
    best_ns(STRANDS * PARTICLES, || {
        step += 1;
        let head = Scene::Swing.pose(f64::from(step) * STEP_SECS).to_mat4();
        let strands = |(roots, particles): (&[Vec3], &mut [Particle])| {
            for (&root, strand) in roots.iter().zip(particles.chunks_exact_mut(PARTICLES)) {
                listing.update(strand, head.transform_point3(root), STEP_SECS as f32);
            }
        };
        let roots = groom.roots.par_chunks(CHUNK);
        let all = roots.zip(particles.par_chunks_mut(CHUNK * PARTICLES));
        all.for_each(strands);
    })
}
