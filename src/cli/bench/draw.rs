//! Pictures: a window's first picture of a head, further ones, and pictures of a doll.

use super::doll;
use super::harness::{Report, Row, best_ns, for_all};
use crate::cli::pipeline::Source;
use anyhow::Context;
use glam::{Mat4, Vec2, Vec3};
use mohawk::doll::{Doll, DollSettings, Face};
use mohawk::groom::strand_curve_point;
use mohawk::render::{
    CameraView, Economy, Layers, Offscreen, OrbitCamera, Paper, Quality, Screen, Shot, Stage,
    renderer_name,
};
use mohawk::{Config, Groom, Simulation, roots::Amount, sim::Pose};
use std::time::Instant;
use three_d::{
    ClearState, HasContext, Program, RenderStates, RendererError, VertexBuffer, Viewport,
};

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

/// Measures the first picture of so many pixels after the GL context exists, and further ones.
pub fn head(
    report: &mut Report,
    strands: &[u32],
    (width, height): (u32, u32),
) -> anyhow::Result<()> {
    if strands.iter().all(|&strands| strands > MAX_STRANDS) {
        tracing::warn!("drawing is measured with up to {MAX_STRANDS} strands");
    }
    for &strands in strands.iter().filter(|&&strands| strands <= MAX_STRANDS) {
        report.show(format!("drawing {strands} strands"));
        let mut config = Config::default();
        config.roots.amount = Amount::Strands(strands);
        let source = Source {
            config: &config,
            path: None,
            is_style: false,
            opened: None,
            preset: None,
            messages: report.messages,
        };
        let (head, styler) = source.grow(false)?;
        let styler = styler.context("the shipped head is not painted")?;
        let groom = styler.groom();
        let Some((offscreen, renderer)) = context() else {
            return Ok(());
        };
        let mut screen = offscreen.screen([width, height])?;
        let mut shot = Shot {
            camera: OrbitCamera::named(CameraView::ThreeQuarter),
            world_from_head: Pose::IDENTITY.to_mat4(),
            background: true,
        };
        let count = groom.len();

        let started = Instant::now();
        let gl = offscreen.context();
        let mut stage = Stage::new(gl, &config.look, Quality::of_window(gl));
        stage.set_economy(Economy::HIDDEN);
        stage.set_head(&head);
        stage.set_groom(groom);
        let sim = Simulation::new(groom.clone(), config.sim.clone(), Pose::IDENTITY);
        let mut points = Vec::new();
        sim.write_drawn(&mut points);
        let at_rest = points.clone();
        stage.set_points(&points, sim.drawn_particles());
        let mut draw = |stage: &mut Stage, shot: &Shot| {
            screen.draw(|target| stage.draw(target, target.viewport(), shot, 1.0))
        };
        draw(&mut stage, &shot)?;
        let first_ns = started.elapsed().as_secs_f64() * 1e9;
        let text = format!(
            "a window's first picture, {width} x {height} with {count} strands, GL context to pixels, one run, {renderer}"
        );
        report.add(Row::new("first-picture", text, [1, 1], first_ns))?;

        let mut measure = |head, hair| {
            stage.layers = Layers {
                head,
                hair,
                discs: false,
            };
            let mut result = Ok(());
            let ns = best_ns(1, || {
                // Head and hair move between two pictures.
                let turn = Mat4::from_rotation_y(0.01);
                shot.world_from_head = turn * shot.world_from_head;
                for [x, y, z, _] in &mut points {
                    [*x, *y, *z] = turn.transform_point3([*x, *y, *z].into()).to_array();
                }
                stage.set_points(&points, sim.drawn_particles());
                result = draw(&mut stage, &shot).map(drop);
            });
            result.map(|()| ns)
        };
        let sky_ns = measure(false, false)?;
        let head_ns = measure(true, false)?;
        let all_ns = measure(true, true)?;
        while draw(&mut stage, &shot)? {}
        let mut result = Ok(());
        let rest_ns = best_ns(1, || result = draw(&mut stage, &shot).map(drop));
        result?;
        let lines_ns = lines(offscreen.context(), &mut screen, groom, &at_rest)?;
        for (kernel, what, ns, naive) in [
            ("draw-sky", "of the sky alone, in motion", sky_ns, None),
            ("draw-head", "of head and sky, in motion", head_ns, None),
            (
                "draw",
                "of head, hair and sky, in motion; naive: the strands as unlit GL lines",
                all_ns,
                Some(lines_ns),
            ),
            (
                "draw-rest",
                "of head, hair and sky that nothing has changed; naive: in motion",
                rest_ns,
                Some(all_ns),
            ),
        ] {
            let text = format!(
                "a window's picture {what}, {width} x {height}, {count} strands, {renderer}"
            );
            let mut row = Row::new(kernel, text, [1, 1], ns);
            row.naive_ns_per_element = naive;
            report.add(row)?;
        }
    }
    Ok(())
}

/// Returns the nanoseconds of a picture of strands as lines of eight segments, without light, on
/// nothing.
fn lines(
    gl: &three_d::Context,
    screen: &mut Screen,
    groom: &Groom,
    tips: &[[f32; 4]],
) -> anyhow::Result<f64> {
    const SHADERS: [&str; 2] = [
        "uniform mat4 clipFromWorld; in vec3 position;
        void main() { gl_Position = clipFromWorld * vec4(position, 1.0); }",
        "layout(location = 0) out vec4 color; void main() { color = vec4(0.9, 0.3, 0.5, 1.0); }",
    ];
    const SEGMENTS: usize = 8;
    let program = Program::from_source(gl, SHADERS[0], SHADERS[1])?;
    let camera = OrbitCamera::named(CameraView::ThreeQuarter);
    let points = (0..groom.len()).flat_map(|i| {
        let [x, y, z, _] = tips[i];
        let ends = (0..SEGMENTS).flat_map(|segment| [segment, segment + 1]);
        ends.map(move |end| {
            let t = end as f32 / SEGMENTS as f32;
            let tip = Vec3::new(x, y, z);
            let point = strand_curve_point(groom.roots[i], groom.directions[i], tip, t);
            three_d::Vec3::from(point.to_array())
        })
    });
    let points: Vec<three_d::Vec3> = points.collect();
    let mut buffer = VertexBuffer::new_with_data(gl, &points);
    let mut result = Ok(());
    let ns = best_ns(1, || {
        result = screen.draw(|target| {
            target.clear(ClearState::color_and_depth(0.1, 0.2, 0.3, 1.0, 1.0));
            let Viewport { width, height, .. } = target.viewport();
            let clip_from_world = camera.clip_from_world(Vec2::new(width as f32, height as f32));
            // A window's strands move.
            buffer.fill(&points);
            target.write::<RendererError>(|| {
                program.use_uniform(
                    "clipFromWorld",
                    three_d::Mat4::from(clip_from_world.to_cols_array_2d()),
                );
                program.use_vertex_attribute("position", &buffer);
                program.draw_with(RenderStates::default(), target.viewport(), || {
                    draw_lines(gl, points.len())
                });
                Ok(())
            })?;
            Ok(())
        });
    });
    result?;
    Ok(ns)
}

/// Draws the vertices that are bound, as lines: three-d draws only triangles.
#[allow(unsafe_code)]
fn draw_lines(gl: &three_d::Context, vertices: usize) {
    // Safe: the buffer that is bound holds as many vertices.
    unsafe { gl.draw_arrays(three_d::context::LINES, 0, vertices as i32) }
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
    let mut screen = offscreen.screen(DOLL_SIZE)?;
    let mut paper = Paper::new(offscreen.context());
    let mut result = Ok(());
    let mut draw = |doll: &Doll| {
        let drawn = screen.draw(|target| {
            paper.set_doll(doll);
            paper.draw(target, target.viewport(), Face::default())
        });
        if result.is_ok() {
            result = drawn;
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
