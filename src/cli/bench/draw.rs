//! Pictures: a window's first picture of a head, further ones, and pictures of a doll.

use super::doll;
use super::harness::{Report, Row, best_ns, for_all};
use crate::cli::pipeline::Source;
use anyhow::Context;
use mohawk::doll::{Doll, DollSettings, Face};
use mohawk::render::{
    CameraView, Offscreen, OrbitCamera, Paper, Quality, Shot, Stage, renderer_name,
};
use mohawk::{Config, Simulation, roots::Amount, sim::Pose};
use std::time::Instant;

/// Size of the pictures of a head, in pixels.
const HEAD_SIZE: (u32, u32) = (1280, 720);
/// Size of the pictures of a doll, in pixels.
const DOLL_SIZE: [u32; 2] = [992, 800];
/// Above this, growing the hair takes too long for a benchmark.
const MAX_STRANDS: u32 = 100_000;

/// Returns a context to draw with and the name of its renderer; `None` with a warning if there is
/// none.
fn context() -> Option<(Offscreen, String)> {
    let offscreen = Offscreen::new();
    let offscreen =
        offscreen.inspect_err(|error| tracing::warn!("drawing is not measured: {error}"));
    let offscreen = offscreen.ok()?;
    let (renderer, _) = renderer_name(offscreen.context());
    Some((offscreen, renderer))
}

/// Measures the first picture after the GL context exists, and further ones.
pub fn head(report: &mut Report, strands: &[u32]) -> anyhow::Result<()> {
    for &strands in strands.iter().filter(|&&strands| strands <= MAX_STRANDS) {
        report.show(format!("drawing {strands} strands"));
        let mut config = Config::default();
        config.roots.amount = Amount::Strands(strands);
        let source = Source {
            config: &config,
            path: None,
            messages: report.messages,
        };
        let (head, styler) = source.grow()?;
        let styler = styler.context("the shipped head is not painted")?;
        let groom = styler.groom();
        let Some((offscreen, renderer)) = context() else {
            return Ok(());
        };
        let (width, height) = HEAD_SIZE;
        let shot = Shot {
            camera: OrbitCamera::named(CameraView::ThreeQuarter),
            world_from_head: Pose::IDENTITY.to_mat4(),
            background: true,
        };
        let count = groom.len();

        let started = Instant::now();
        let gl = offscreen.context();
        let mut stage = Stage::new(gl, &config.look, Quality::of_window(gl));
        stage.set_head(&head);
        stage.set_groom(groom);
        let sim = Simulation::new(groom, config.sim.clone(), Pose::IDENTITY);
        let mut points = Vec::new();
        sim.write_drawn(&mut points);
        stage.set_points(&points, sim.drawn_particles());
        let mut draw = || {
            offscreen.draw_like_window([width, height], |target| {
                stage.draw(target, target.viewport(), &shot, 1.0)
            })
        };
        draw()?;
        let first_ns = started.elapsed().as_secs_f64() * 1e9;
        let text = format!(
            "a window's first picture, {width} x {height} with {count} strands, GL context to pixels, {renderer}"
        );
        report.add(Row::new("first-picture", text, [1, 1], first_ns))?;

        let mut result = Ok(());
        let ns = best_ns(count, || {
            result = draw().map(drop);
        });
        result?;
        let text = format!(
            "a strand in a window's picture of {width} x {height} with head and sky, {renderer}"
        );
        report.add(Row::new("draw", text, [count, 1], ns))?;
    }
    Ok(())
}

/// Measures pictures of a doll with the usual hair, and of one with much hair.
pub fn dolls(report: &mut Report) -> anyhow::Result<()> {
    doll(report, &Doll::grown(DollSettings::default())?)?;
    doll(report, &doll::dense()?)
}

/// Measures pictures of a doll whose hair is dyed or combed between them.
fn doll(report: &mut Report, doll: &Doll) -> anyhow::Result<()> {
    let Some((offscreen, renderer)) = context() else {
        return Ok(());
    };
    let [width, height] = DOLL_SIZE;
    let count = doll.hairs.len();
    let mut paper = Paper::new(offscreen.context());
    let mut result = Ok(());
    let mut draw = |doll: &Doll| {
        let drawn = offscreen.draw_like_window(DOLL_SIZE, |target| {
            paper.set_doll(doll);
            paper.draw(target, target.viewport(), Face::default())
        });
        if result.is_ok() {
            result = drawn.map(drop);
        }
    };
    let mut dyed = doll.clone();
    let mut red = 0.0;
    let dye_ns = best_ns(count, || {
        red = 1.0 - red;
        dyed.hairs.iter_mut().for_each(|hair| hair.color[0] = red);
        draw(&dyed);
    });
    let mut session = doll::combing(doll.clone());
    let mut step = doll::STEP;
    let comb_ns = best_ns(count, || {
        session.move_to(doll::AT.x + step, doll::AT.y);
        step = doll::STEP - step;
        draw(session.doll());
    });
    result?;
    for (kernel, what, ns) in [
        ("dye-doll", "all of it dyed", dye_ns),
        ("comb-doll", "with a step of combing", comb_ns),
    ] {
        let all = for_all(ns, count);
        let text = format!(
            "a hair of a doll in a window's picture of {width} x {height}, {what}, {all}, {renderer}"
        );
        report.add(Row::new(kernel, text, [count, 1], ns))?;
    }
    Ok(())
}
