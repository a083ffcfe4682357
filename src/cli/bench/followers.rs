//! Dependent hairs that follow their basis hairs, beside the naive loop.

use super::harness::{Report, Row, best_ns, slanted_strands};
use super::memory;
use super::naive::{Follower, follow};
use glam::{Quat, Vec3};
use mohawk::Simulation;
use mohawk::sim::{
    GuideBlend, GuideChoice, GuideSettings, Pose, STEP_SECS, Scene, SimSettings, SolverKind,
};
use rayon::{ThreadPool, prelude::*};

const STRANDS: usize = 62_500;
const PARTICLES: usize = 16;
/// Share of the strands that are simulated.
const SHARE: f32 = 0.01;
/// Followers of the naive loop that a thread takes at a time.
const CHUNK: usize = 512;

pub fn measure(report: &mut Report, pools: &[ThreadPool]) -> anyhow::Result<()> {
    report.on_pools("followers", pools, || {
        let text = "a particle of a hair that follows another one: where it is drawn";
        Row {
            particles: PARTICLES as u64,
            naive_ns_per_element: Some(naive()),
            memory_ns_per_element: Some(memory::ns_per_written(STRANDS * PARTICLES)),
            ..Row::new("followers", text, STRANDS, ours())
        }
    })
}

fn ours() -> f64 {
    let settings = SimSettings {
        solver: SolverKind::Ftl,
        strand_particles: PARTICLES as u32,
        guides: GuideSettings {
            share: SHARE,
            choice: GuideChoice::Even,
            blend: GuideBlend::Nearest,
            clump: 0.0,
        },
        ..SimSettings::default()
    };
    let mut simulation = Simulation::new(&slanted_strands(STRANDS), settings, Pose::IDENTITY);
    for _ in 0..60 {
        simulation.advance(STEP_SECS, &mut |t| Scene::Swing.pose(t));
    }
    let mut points = Vec::new();
    best_ns(STRANDS * PARTICLES, || simulation.write_drawn(&mut points))
}

fn naive() -> f64 {
    let groom = slanted_strands(STRANDS);
    let guides = (STRANDS as f32 * SHARE) as usize;
    let followers: Vec<Follower> = (0..STRANDS)
        .map(|i| Follower {
            guide: i * guides / STRANDS,
            root: groom.roots[i],
            direction: groom.directions[i],
            length: groom.lengths[i],
            turn: Quat::IDENTITY,
            scale: 1.0,
        })
        .collect();
    let at_rest: Vec<Vec3> = (0..guides * PARTICLES)
        .map(|i| Vec3::Y * (i % PARTICLES) as f32)
        .collect();
    let moved: Vec<Vec3> = at_rest.iter().map(|p| *p * 0.9).collect();
    let mut out = vec![Vec3::ZERO; STRANDS * PARTICLES];
    let head = Scene::Swing.pose(0.3).to_mat4();
    best_ns(STRANDS * PARTICLES, || {
        let followers = followers.par_chunks(CHUNK);
        let all = followers.zip(out.par_chunks_mut(CHUNK * PARTICLES));
        all.for_each(|(followers, out)| {
            follow(followers, &moved, &at_rest, PARTICLES, &head, out);
        });
    })
}
