//! How the cost of a step grows with the number of strands.

use super::harness::{Report, Row, best_ns, slanted_strands};
use crate::cli::report::Growth;
use mohawk::Simulation;
use mohawk::sim::{GuideSettings, Pose, STEP_SECS, Scene, SimSettings, SolverKind, instructions};
use rayon::ThreadPool;

const STRANDS: [usize; 7] = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
/// Steps before anything is measured.
const FIRST: u32 = 12;
/// Share of the hairs that are simulated in the row with guides.
const BASIS: f32 = 0.01;

/// Measures every solver with every number of strands.
pub fn measure(report: &mut Report, pool: &ThreadPool) -> anyhow::Result<Growth> {
    let threads = pool.current_num_threads();
    let solvers = SolverKind::ALL.map(|solver| (solver, 1.0));
    let mut lines = Vec::new();
    for (solver, share) in solvers.into_iter().chain([(SolverKind::Ftl, BASIS)]) {
        let name = if share < 1.0 {
            format!("{solver}, {:.0} % guides", 100.0 * share)
        } else {
            solver.to_string()
        };
        let mut line = Vec::new();
        for strands in STRANDS {
            report.show(format!("{name}, {strands} strands"));
            let ns = pool.install(|| step_ns(solver, strands, share));
            line.push((strands as f64, ns * strands as f64 * 1e-6));
            let text = format!(
                "a strand: one step of 1/240 s of {name}, and where it is drawn; {} particles each",
                SimSettings::default().strand_particles
            );
            report.add(Row {
                threads,
                ..Row::new("growth", text, strands, ns)
            })?;
        }
        lines.push((name, line));
    }
    Ok(Growth {
        title: "A step and where hair is drawn: its cost by the number of strands".to_owned(),
        about: format!(
            "{threads} threads, {}; {} particles a strand, swinging; dashed: a step in real time",
            instructions(),
            SimSettings::default().strand_particles
        ),
        x: "strands".to_owned(),
        y: "milliseconds".to_owned(),
        level: Some(1e3 * STEP_SECS),
        lines,
    })
}

/// Returns the nanoseconds per strand.
fn step_ns(solver: SolverKind, strands: usize, share: f32) -> f64 {
    let settings = SimSettings {
        solver,
        guides: GuideSettings {
            share,
            ..GuideSettings::default()
        },
        ..SimSettings::default()
    };
    let mut simulation = Simulation::new(&slanted_strands(strands), settings, Pose::IDENTITY);
    let mut points = Vec::new();
    let mut step = |steps: u32| {
        let secs = f64::from(steps) * STEP_SECS;
        simulation.advance(secs, &mut |t| Scene::Swing.pose(t));
        simulation.write_drawn(&mut points);
    };
    step(FIRST);
    best_ns(strands, || step(1))
}
