//! Steps of the solvers over strands on a plane, and where hair is drawn.

use super::baselines;
use super::harness::{Report, Row, best_ns, slanted_strands};
use crate::cli::report::Growth;
use glam::Vec3;
use mohawk::sim::{
    GuideBlend, GuideChoice, GuideSettings, Hair, HairInteraction, HairSettings, Pose, Propagator,
    STEP_SECS, Scene, SimSettings, SolverKind, Spring, SpringSettings, WetSettings, instructions,
};
use mohawk::{Groom, Simulation};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// Steps between two frames at 60 a second.
const STEPS_PER_FRAME: u32 = 4;

/// A simulation of strands on a plane under a swinging head.
struct Swinging {
    simulation: Simulation,
    points: Vec<[f32; 4]>,
}

impl Swinging {
    /// Returns the strands after some steps.
    fn after(steps: u32, strands: usize, settings: SimSettings) -> Self {
        let simulation = Simulation::new(slanted_strands(strands), settings, Pose::IDENTITY);
        let points = Vec::new();
        let mut swinging = Self { simulation, points };
        (0..steps).for_each(|_| swinging.step(1));
        swinging
    }

    /// Takes steps in one call.
    fn step(&mut self, steps: u32) {
        let secs = f64::from(steps) * STEP_SECS;
        self.simulation.advance(secs, &mut |t| Scene::Swing.pose(t));
    }

    /// Computes where the hair is drawn.
    fn draw(&mut self) {
        self.simulation.write_drawn(&mut self.points);
    }
}

/// Measures a step of the spring under a swinging head and under one that has stood still.
pub fn spring(report: &mut Report, strands: &[u32]) -> anyhow::Result<()> {
    /// Numbers of each strand that a step only reads: anchor and lift.
    const REST: usize = 4;
    for &strands in strands {
        let count = strands as usize;
        let message = format!("the spring, {count} strands");
        report.on_pools(message.clone(), || {
            let text = format!(
                "a strand: one exact step of 1/240 s under a swinging head ({} bytes)",
                baselines::step_bytes(REST)
            );
            Ok(Row {
                naive_ns_per_element: Some(baselines::spring(count)),
                memory_ns_per_element: Some(baselines::memory_of_step(count, REST)),
                ..Row::new("spring", text, [count, 1], spring_ns(count, false))
            })
        })?;
        report.on_pools(message, || {
            let text = "a strand: the same after the head has stood still for five minutes";
            let ns = spring_ns(count, true);
            Ok(Row::new("spring-still", text, [count, 1], ns))
        })?;
    }
    Ok(())
}

/// Returns the nanoseconds per strand and step of the spring: under a swinging head, or after the
/// head has swung for a second and then stood still for five minutes.
fn spring_ns(count: usize, is_still: bool) -> f64 {
    let settings = SpringSettings::default();
    let (stiffness, damping) = (settings.stiffness.into(), settings.damping.into());
    let propagator_of = |secs| Propagator::new(stiffness, damping, secs);
    let propagator = propagator_of(STEP_SECS);
    let mut spring = Spring::new(&slanted_strands(count));
    let mut steps = 0;
    let mut last = Pose::IDENTITY;
    let mut swing = |spring: &mut Spring| {
        let at = |step: u32| Scene::Swing.pose(f64::from(step) * STEP_SECS);
        steps += 1;
        last = at(steps);
        spring.step(&propagator, &at(steps - 1), &last);
    };
    if !is_still {
        return best_ns(count, || swing(&mut spring));
    }
    for _ in 0..(1.0 / STEP_SECS) as u32 {
        swing(&mut spring);
    }
    // Five minutes in usual steps would take minutes for a million strands. Steps of a quarter
    // second are as exact, and lead to the same state.
    let long = propagator_of(0.25);
    for _ in 0..5 * 60 * 4 {
        spring.step(&long, &last, &last);
    }
    best_ns(count, || _ = spring.step(&propagator, &last, &last))
}

/// Returns the settings of Follow-The-Leader with this number of particles a strand.
fn ftl_of(particles: usize) -> SimSettings {
    SimSettings {
        solver: SolverKind::Ftl,
        strand_particles: particles as u32,
        ..SimSettings::default()
    }
}

/// Measures a step of Follow-The-Leader in the largest scene of Müller, Kim, Chentanez 2012: 47,000
/// strands, 1.9 million particles.
pub fn ftl(report: &mut Report) -> anyhow::Result<()> {
    const STRANDS: usize = 47_000;
    const PARTICLES: usize = 40;
    /// Numbers of each particle that a step only reads: the length of its segment.
    const REST: usize = 1;
    let ns = |steps: u32| {
        let mut swinging = Swinging::after(0, STRANDS, ftl_of(PARTICLES));
        let elements = STRANDS * PARTICLES * steps as usize;
        best_ns(elements, || swinging.step(steps))
    };
    report.on_pools("ftl", || {
        let text = format!(
            "a particle: one step of 1/240 s under a swinging head, as large as the paper's largest scene ({} bytes)",
            baselines::step_bytes(REST)
        );
        let memory = baselines::memory_of_step(STRANDS * PARTICLES, REST);
        Ok(Row {
            naive_ns_per_element: Some(baselines::ftl(STRANDS, PARTICLES)),
            memory_ns_per_element: Some(memory),
            ..Row::new("ftl", text, [STRANDS, PARTICLES], ns(1))
        })
    })?;
    report.on_pools("ftl, four steps at once", || {
        let text = format!(
            "a particle: a step of {STEPS_PER_FRAME} that are taken at once, as in a frame of 1/60 s"
        );
        let ns = ns(STEPS_PER_FRAME);
        Ok(Row::new("ftl-frame", text, [STRANDS, PARTICLES], ns))
    })
}

/// Measures where dependent hairs are drawn that follow their basis hairs.
pub fn followers(report: &mut Report) -> anyhow::Result<()> {
    const STRANDS: usize = 62_500;
    const PARTICLES: usize = 16;
    /// Share of the strands that are simulated.
    const SHARE: f32 = 0.01;
    report.on_pools("followers", || {
        let settings = SimSettings {
            guides: GuideSettings {
                share: SHARE,
                choice: GuideChoice::Even,
                blend: GuideBlend::Nearest,
                clump: 0.0,
            },
            ..ftl_of(PARTICLES)
        };
        let mut swinging = Swinging::after(60, STRANDS, settings);
        let ns = best_ns(STRANDS * PARTICLES, || swinging.draw());
        let guides = (STRANDS as f32 * SHARE) as usize;
        let text = "a particle of a hair that follows another one: where it is drawn";
        Ok(Row {
            naive_ns_per_element: Some(baselines::followers(STRANDS, PARTICLES, guides)),
            memory_ns_per_element: Some(baselines::memory_of_points(STRANDS * PARTICLES)),
            ..Row::new("followers", text, [STRANDS, PARTICLES], ns)
        })
    })
}

/// Measures friction and repulsion between strands on a grid: splat and gather.
pub fn grid(report: &mut Report) -> anyhow::Result<()> {
    const STRANDS: usize = 62_500;
    /// Particles of a strand that feel each other: all but the root.
    const PARTICLES: usize = 16;
    /// Nodes along each side.
    const SIDE: usize = 64;
    let settings = HairSettings {
        friction: 0.5,
        repulsion: 50.0,
        cell: 0.05,
        ..HairSettings::default()
    };
    // The grid adds a cell on each side of the cube.
    let groom = cube(STRANDS, (SIDE - 4) as f32 * settings.cell);
    report.show("hair on a grid");
    let naive = baselines::grid(&groom, PARTICLES, SIDE, &settings);
    report.on_pools("hair on a grid", || {
        let mut hair = Hair::new(&groom, PARTICLES as u32 + 1, &Pose::IDENTITY);
        let mut interaction = HairInteraction::default();
        let ns = best_ns(STRANDS * PARTICLES, || {
            interaction.apply(&mut hair, &settings, STEP_SECS as f32);
        });
        let text = "a particle: added to a grid of 64 x 64 x 64 and moved by it; naive: one thread";
        Ok(Row {
            naive_ns_per_element: Some(naive),
            ..Row::new("grid", text, [STRANDS, PARTICLES], ns)
        })
    })
}

/// Returns upright strands at random places in a cube.
fn cube(strands: usize, side: f32) -> Groom {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut share = || (rng.next_u64() >> 40) as f32 / (1_u64 << 24) as f32;
    let length = 0.5;
    let mut root = || Vec3::new(share() * side, share() * (side - length), share() * side);
    Groom::parallel((0..strands).map(|_| root()).collect(), Vec3::Y, length)
}

/// Measures a step of each solver over particles, and what guide hairs save: the published table as
/// ratios.
pub fn solvers(report: &mut Report) -> anyhow::Result<()> {
    const STRANDS: usize = 5_000;
    /// Table 1 of the source (WSCG 2004 posters): numbers of basis hairs and frames a second; the
    /// first of each row has all hairs.
    const PUBLISHED: [[(usize, f64); 3]; 2] = [
        [(5_000, 20.0), (2_500, 30.0), (500, 60.0)],
        [(14_000, 8.0), (7_000, 10.0), (1_000, 20.0)],
    ];
    let swinging = |strands, solver, guides| {
        let settings = SimSettings {
            solver,
            guides,
            hold: 0.5,
            ..SimSettings::default()
        };
        Swinging::after(60, strands, settings)
    };
    // The spring, the first solver, is measured separately.
    for solver in SolverKind::ALL.into_iter().skip(1) {
        report.on_pools(format!("solver {solver}"), || {
            let mut swinging = swinging(STRANDS, solver, GuideSettings::default());
            let particles = swinging.simulation.settings().strand_particles as usize - 1;
            let ns = best_ns(STRANDS * particles, || swinging.step(1));
            let text = "a particle: one step of 1/240 s under a swinging head";
            Ok(Row::new(solver.name(), text, [STRANDS, particles], ns))
        })?;
    }
    report.on_pools("wet hair", || {
        let settings = SimSettings {
            solver: SolverKind::Ftl,
            hold: 0.5,
            wet: WetSettings {
                wetness: 1.0,
                ..WetSettings::default()
            },
            ..SimSettings::default()
        };
        let mut swinging = Swinging::after(60, STRANDS, settings);
        let particles = swinging.simulation.settings().strand_particles as usize - 1;
        let ns = best_ns(STRANDS * particles, || swinging.step(1));
        let text = "a particle: a step of ftl in soaked hair, which gathers in locks";
        Ok(Row::new("ftl-wet", text, [STRANDS, particles], ns))
    })?;
    for rows in PUBLISHED {
        let (hairs, slowest) = rows[0];
        let mut all = None;
        for (basis, fps) in rows {
            let guides = GuideSettings {
                share: basis as f32 / hairs as f32,
                choice: GuideChoice::Random,
                blend: GuideBlend::Nearest,
                clump: 0.0,
            };
            report.on_one_thread(format!("{basis} basis hairs of {hairs}"), || {
                let mut swinging = swinging(hairs, SolverKind::Particles, guides);
                let ns = best_ns(hairs, || {
                    swinging.step(STEPS_PER_FRAME);
                    swinging.draw();
                });
                let text = format!(
                    "a hair: a frame of 1/60 s, {basis} basis hairs of {hairs}; published, drawn too: {:.2} times as many frames as with all",
                    fps / slowest
                );
                Ok(Row {
                    naive_ns_per_element: Some(*all.get_or_insert(ns)),
                    ..Row::new("guides", text, [hairs, 1], ns)
                })
            })?;
        }
    }
    Ok(())
}

/// Measures how the cost of a step of every solver grows with the number of strands.
pub fn growth(report: &mut Report) -> anyhow::Result<Growth> {
    const STRANDS: [usize; 7] = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
    /// Share of the hairs that are simulated in the line with guides.
    const BASIS: f32 = 0.01;
    let particles = SimSettings::default().strand_particles;
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
            let ns = report.on_all_threads(format!("{name}, {strands} strands"), || {
                let mut settings = SimSettings {
                    solver,
                    ..SimSettings::default()
                };
                settings.guides.share = share;
                let mut swinging = Swinging::after(12, strands, settings);
                let ns = best_ns(strands, || {
                    swinging.step(1);
                    swinging.draw();
                });
                let text = format!(
                    "a strand: one step of 1/240 s of {name}, and where it is drawn; {particles} particles each"
                );
                Row::new("growth", text, [strands, 1], ns)
            })?;
            line.push((strands as f64, ns * strands as f64 * 1e-6));
        }
        lines.push((name, line));
    }
    Ok(Growth {
        title: "A step and where hair is drawn: its cost by the number of strands".to_owned(),
        about: format!(
            "{} threads, {}; {particles} particles a strand, swinging; dashed: a step in real time",
            report.threads(),
            instructions()
        ),
        level: 1e3 * STEP_SECS,
        lines,
    })
}
