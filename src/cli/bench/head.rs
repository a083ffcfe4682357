//! Long hair on the shipped head: what contact with the skin and with other hair costs.

use super::harness::{Report, Row, best_ns};
use anyhow::Context;
use mohawk::groom::{Groom, GroomSettings};
use mohawk::head::{Head, HeadSettings};
use mohawk::roots::{Amount, RootSettings, Roots};
use mohawk::sim::{
    FtlSettings, HeadCollider, HeadShape, Pose, STEP_SECS, Scene, Sdf, SdfSettings, SimSettings,
    SolverKind,
};
use mohawk::{Scalp, Simulation};
use rayon::ThreadPool;
use std::ops::ControlFlow;
use std::sync::Arc;

const STRANDS: u32 = 50_000;
const PARTICLES: u32 = 16;
/// Decimetres: to the shoulders.
const LENGTH: f32 = 2.5;
/// Steps for the hair to fall before a measurement: two seconds.
const FALL_STEPS: u32 = 480;
const FALL_SECS: f64 = FALL_STEPS as f64 * STEP_SECS;
const FRICTION: f32 = 2.0;
const REPULSION: f32 = 20.0;

pub fn measure(report: &mut Report, pools: &[ThreadPool]) -> anyhow::Result<()> {
    report.show("growing long hair");
    let head = Head::shipped(&HeadSettings::default())?;
    let scalp = Scalp::of_head(&head).context("the shipped head is not painted")?;
    let roots = RootSettings {
        amount: Amount::Strands(STRANDS),
        ..RootSettings::default()
    };
    let roots = Roots::sample(&scalp, &roots, &mut |_| ControlFlow::Continue(()))?;
    let mut groom = Groom::grow(&roots, &GroomSettings::default(), 0);
    groom.lengths.fill(LENGTH);
    let field = Sdf::bake(&head, &SdfSettings::default(), &mut |_| {
        ControlFlow::Continue(())
    })?;
    let shape = HeadShape {
        ellipsoid: None,
        field: Some(Arc::new(field)),
    };
    for (collider, crowded, text) in [
        (HeadCollider::None, false, "meeting nothing"),
        (HeadCollider::Field, false, "on the skin"),
        (HeadCollider::Field, true, "on the skin, hair against hair"),
    ] {
        report.on_pools(format!("long hair {text}"), pools, || {
            let mut simulation =
                Simulation::new(&groom, settings(collider, crowded), Pose::IDENTITY);
            simulation.set_head(shape.clone());
            let particles = PARTICLES as usize - 1;
            // One by one: a single advance takes at most a quarter second.
            for _ in 0..FALL_STEPS {
                simulation.advance(STEP_SECS, &mut |_| Pose::IDENTITY);
            }
            let ns = best_ns(groom.len() * particles, || {
                simulation.advance(STEP_SECS, &mut |t| Scene::Swing.pose(t - FALL_SECS));
            });
            let text = format!(
                "a particle: one step of 1/240 s of long hair {text}, {:.1} ms for all",
                ns * (groom.len() * particles) as f64 * 1e-6
            );
            Row {
                particles: particles as u64,
                ..Row::new("head", text, groom.len(), ns)
            }
        })?;
    }
    Ok(())
}

fn settings(head_collider: HeadCollider, crowded: bool) -> SimSettings {
    let felt = if crowded { 1.0 } else { 0.0 };
    SimSettings {
        solver: SolverKind::Ftl,
        strand_particles: PARTICLES,
        hold: 0.0,
        head_collider,
        ftl: FtlSettings {
            hair_friction: felt * FRICTION,
            hair_repulsion: felt * REPULSION,
            ..FtlSettings::default()
        },
        ..SimSettings::default()
    }
}
