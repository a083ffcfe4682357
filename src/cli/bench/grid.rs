//! Hair against hair on a grid: splat and gather, beside the naive loop.

use super::harness::{Report, Row, best_ns};
use super::naive::{Grid, Node, Particle};
use glam::Vec3;
use mohawk::Groom;
use mohawk::sim::{Hair, HairInteraction, InteractionSettings, Pose, STEP_SECS};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};
use rayon::ThreadPool;

const STRANDS: usize = 62_500;
const PARTICLES: usize = 17;
/// Particles that feel each other: all but the roots.
const ELEMENTS: usize = STRANDS * (PARTICLES - 1);
/// Nodes along each side.
const SIDE: usize = 64;
const CELL: f32 = 0.05;
const FRICTION: f32 = 0.5;
const REPULSION: f32 = 50.0;

pub fn measure(report: &mut Report, pools: &[ThreadPool]) -> anyhow::Result<()> {
    let groom = cube();
    report.show("hair on a grid");
    let naive = naive(&groom);
    report.on_pools("hair on a grid", pools, || {
        let text = "a particle: added to a grid of 64 x 64 x 64 and moved by it; naive: one thread";
        Row {
            particles: (PARTICLES - 1) as u64,
            naive_ns_per_element: Some(naive),
            ..Row::new("grid", text, STRANDS, ours(&groom))
        }
    })
}

/// Returns strands at random in a cube, which the grid then surrounds.
fn cube() -> Groom {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut share = || (rng.next_u64() >> 40) as f32 / (1_u64 << 24) as f32;
    let length = 0.5;
    // The grid adds a cell on each side.
    let side = (SIDE - 4) as f32 * CELL;
    let mut groom = Groom::default();
    for _ in 0..STRANDS {
        let (x, y, z) = (share() * side, share() * (side - length), share() * side);
        groom.roots.push(Vec3::new(x, y, z));
        groom.directions.push(Vec3::Y);
        groom.normals.push(Vec3::Y);
        groom.lengths.push(length);
    }
    groom
}

fn ours(groom: &Groom) -> f64 {
    let mut hair = Hair::new(groom, PARTICLES as u32, &Pose::IDENTITY);
    let mut interaction = HairInteraction::default();
    let settings = InteractionSettings {
        friction: FRICTION,
        repulsion: REPULSION,
        cell: CELL,
    };
    best_ns(ELEMENTS, || {
        interaction.apply(&mut hair, &settings, STEP_SECS as f32);
    })
}

fn naive(groom: &Groom) -> f64 {
    let segment = groom.lengths[0] / (PARTICLES - 1) as f32;
    let mut particles: Vec<Particle> = (groom.roots.iter())
        .flat_map(|&root| {
            (1..PARTICLES).map(move |j| Particle {
                pos: root + Vec3::Y * segment * j as f32,
                velocity: Vec3::ZERO,
                length: segment,
            })
        })
        .collect();
    let mut grid = Grid {
        low: Vec3::splat(-CELL),
        cell: CELL,
        size: SIDE,
        nodes: vec![Node::default(); SIDE * SIDE * SIDE],
    };
    let dt = STEP_SECS as f32;
    best_ns(ELEMENTS, || {
        grid.act(&mut particles, FRICTION * dt, REPULSION * dt);
    })
}
