//! A step of each solver over particles, and what guide hairs save: the published table as ratios.

use super::harness::{Report, Row, best_ns, slanted_strands};
use mohawk::Simulation;
use mohawk::sim::{
    GuideBlend, GuideChoice, GuideSettings, Pose, STEP_SECS, Scene, SimSettings, SolverKind,
};
use rayon::ThreadPool;

/// Strands of the rows of solvers.
const STRANDS: usize = 5_000;
/// Steps between two frames at 60 a second.
const STEPS_PER_FRAME: u32 = 4;
/// Table 1 of the source (WSCG 2004 posters): numbers of basis hairs and frames a second; the first
/// of each row has all hairs.
const PUBLISHED: [[(usize, f64); 3]; 2] = [
    [(5_000, 20.0), (2_500, 30.0), (500, 60.0)],
    [(14_000, 8.0), (7_000, 10.0), (1_000, 20.0)],
];

pub fn measure(report: &mut Report, pools: &[ThreadPool]) -> anyhow::Result<()> {
    // The spring, first of all, has rows of its own.
    for solver in SolverKind::ALL.into_iter().skip(1) {
        report.on_pools(format!("solver {solver}"), pools, || {
            let mut simulation = swinging(STRANDS, solver, GuideSettings::default());
            let particles = simulation.settings().strand_particles as usize - 1;
            let ns = best_ns(STRANDS * particles, || step(&mut simulation, 1));
            let text = "a particle: one step of 1/240 s under a swinging head";
            Row {
                particles: particles as u64,
                ..Row::new(solver.name(), text, STRANDS, ns)
            }
        })?;
    }
    for rows in PUBLISHED {
        let (hairs, slowest) = rows[0];
        let mut all = None;
        for (basis, fps) in rows {
            report.show(format!("{basis} basis hairs of {hairs}"));
            let guides = GuideSettings {
                share: basis as f32 / hairs as f32,
                choice: GuideChoice::Random,
                blend: GuideBlend::Nearest,
                clump: 0.0,
            };
            let mut simulation = swinging(hairs, SolverKind::Particles, guides);
            let mut points = Vec::new();
            let ns = pools[0].install(|| {
                best_ns(hairs, || {
                    step(&mut simulation, STEPS_PER_FRAME);
                    simulation.write_drawn(&mut points);
                })
            });
            let all = *all.get_or_insert(ns);
            let text = format!(
                "a hair: a frame of 1/60 s, {basis} basis hairs of {hairs}; published, drawn too: {:.2} times as many frames as with all",
                fps / slowest
            );
            report.add(Row {
                threads: 1,
                naive_ns_per_element: Some(all),
                ..Row::new("guides", text, hairs, ns)
            })?;
        }
    }
    Ok(())
}

fn swinging(strands: usize, solver: SolverKind, guides: GuideSettings) -> Simulation {
    let settings = SimSettings {
        solver,
        guides,
        hold: 0.5,
        ..SimSettings::default()
    };
    let mut simulation = Simulation::new(&slanted_strands(strands), settings, Pose::IDENTITY);
    step(&mut simulation, 240);
    simulation
}

fn step(simulation: &mut Simulation, steps: u32) {
    let secs = f64::from(steps) * STEP_SECS;
    simulation.advance(secs, &mut |t| Scene::Swing.pose(t));
}
