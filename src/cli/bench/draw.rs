//! Pictures: the first after the GL context exists, and further ones.

use super::harness::{Report, Row, best_ns};
use crate::cli::pipeline::{self, Grown};
use mohawk::render::{CameraView, Offscreen, OrbitCamera, Shot, Stage};
use mohawk::roots::Amount;
use mohawk::sim::Pose;
use mohawk::{Config, Simulation};
use std::time::Instant;

/// Size of the pictures.
const SIZE: (u32, u32) = (1280, 720);
/// Above this, growing the hair takes too long for a benchmark.
const MAX_STRANDS: u32 = 100_000;

pub fn measure(report: &mut Report, strands: &[u32]) -> anyhow::Result<()> {
    let most = strands.iter().filter(|&&strands| strands <= MAX_STRANDS);
    for &strands in most {
        report.show(format!("drawing {strands} strands"));
        let mut config = Config::default();
        config.roots.amount = Amount::Strands(strands);
        let grown = pipeline::grow(&config, None, report.messages)?;
        let offscreen = match Offscreen::new() {
            Ok(offscreen) => offscreen,
            Err(error) => {
                tracing::warn!("drawing is not measured: {error}");
                return Ok(());
            }
        };
        let (renderer, _) = mohawk::render::renderer_name(offscreen.context());
        let (width, height) = SIZE;

        let started = Instant::now();
        let mut stage = offscreen.window_stage(&config.look);
        show(&mut stage, &grown, &config);
        offscreen.draw_like_window(&mut stage, &shot(), width, height)?;
        let first_ns = started.elapsed().as_secs_f64() * 1e9;
        report.add(Row::new(
            "first-picture",
            format!(
                "a window's first picture, {width} x {height} with {} strands, GL context to pixels, {renderer}",
                grown.groom.len()
            ),
            1,
            first_ns,
        ))?;

        let mut failed = None;
        let ns = best_ns(grown.groom.len(), || {
            failed = offscreen
                .draw_like_window(&mut stage, &shot(), width, height)
                .err();
        });
        if let Some(error) = failed {
            return Err(error.into());
        }
        report.add(Row::new(
            "draw",
            format!(
                "a strand in a window's picture of {width} x {height} with head and sky, {renderer}"
            ),
            grown.groom.len(),
            ns,
        ))?;
    }
    Ok(())
}

fn shot() -> Shot {
    Shot {
        camera: OrbitCamera::named(CameraView::ThreeQuarter),
        world_from_head: Pose::IDENTITY.to_mat4(),
        background: true,
    }
}

fn show(stage: &mut Stage, grown: &Grown, config: &Config) {
    stage.set_head(&grown.head);
    stage.set_groom(&grown.groom);
    let sim = Simulation::new(&grown.groom, config.sim.clone(), Pose::IDENTITY);
    let mut points = Vec::new();
    sim.write_drawn(&mut points);
    stage.set_points(&points, sim.drawn_particles());
}
