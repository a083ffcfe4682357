//! A step of Follow-The-Leader beside its listing, on strands as long as in the paper's largest
//! scene.

use super::harness::{Report, Row, best_ns, slanted_strands};
use super::memory;
use super::naive::{FollowTheLeader, Particle};
use glam::Vec3;
use mohawk::Simulation;
use mohawk::sim::{FtlSettings, Pose, STEP_SECS, Scene, SimSettings, SolverKind};
use rayon::{ThreadPool, prelude::*};

/// The largest scene of Müller, Kim, Chentanez 2012: 47k strands, 1.9 million particles.
const STRANDS: usize = 47_000;
const PARTICLES: usize = 40;
/// Numbers of each particle that a step only reads: the length of its segment.
const REST: usize = 1;
/// Steps of a frame in the window.
const FRAME: u32 = 4;
/// Strands of the listing that a thread takes at a time.
const CHUNK: usize = 256;

pub fn measure(report: &mut Report, pools: &[ThreadPool]) -> anyhow::Result<()> {
    report.on_pools("ftl", pools, || {
        let text = format!(
            "a particle: one step of 1/240 s under a swinging head, as large as the paper's largest scene ({} bytes)",
            memory::bytes(REST)
        );
        Row {
            particles: PARTICLES as u64,
            naive_ns_per_element: Some(naive()),
            memory_ns_per_element: Some(memory::ns_per_element(STRANDS * PARTICLES, REST)),
            ..Row::new("ftl", text, STRANDS, ours(1))
        }
    })?;
    report.on_pools("ftl, four steps at once", pools, || {
        let text = format!(
            "a particle: a step of {FRAME} that are taken at once, as in a frame of 1/60 s"
        );
        Row {
            particles: PARTICLES as u64,
            ..Row::new("ftl-frame", text, STRANDS, ours(FRAME))
        }
    })
}

/// Returns the nanoseconds per particle and step, with so many steps taken at once.
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
        decay: 1.0 - settings.damping * STEP_SECS as f32,
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
