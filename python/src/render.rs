//! Pictures.

use crate::hair::Groom;
use crate::head::Head;
use crate::settings::{Settings, written};
use crate::simulation::Simulation;
use crate::work::run;
use crate::{Error, GraphicsError, failed, within};
use glam::{Mat4, Vec3};
use mohawk::embed::{self, EmbedError, Hair, Motion};
use mohawk::render::{
    CameraView, Framing, Highlight, Offscreen, OrbitCamera, Quality, RenderError, Ring, Shot,
    Solid, Stage, ball_around,
};
use mohawk::{Config, head};
use numpy::{PyArray, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// The most points of a head, and of its hair, that are kept in the picture.
const FRAMED_POINTS: usize = 4096;

/// The subject of a picture.
enum Subject {
    Head(Arc<embed::OpenHead>),
    Hair(Arc<Hair>),
    Motion(Box<Drawn>),
}

/// Strands at a moment.
struct Drawn {
    head: Option<Arc<head::Head>>,
    groom: mohawk::Groom,
    config: Config,
    points: Vec<[f32; 4]>,
    per_strand: usize,
    pose: Mat4,
    rings: Vec<Ring>,
    skull: Option<(Vec3, Vec3)>,
    wetness: f32,
}

impl Drawn {
    fn of(motion: &Motion) -> Self {
        let simulation = motion.simulation();
        let mut points = Vec::new();
        simulation.write_drawn(&mut points);
        let rings = simulation.ribbons(&points).into_iter().map(|ribbon| Ring {
            place: ribbon.place,
            axis: ribbon.axis,
            radius: ribbon.radius,
        });
        let skull = motion.scene().and_then(|scene| scene.skull);
        Self {
            head: motion.skin().map(|skin| skin.head.clone()),
            groom: simulation.groom().clone(),
            config: motion.config().clone(),
            rings: rings.collect(),
            per_strand: simulation.drawn_particles(),
            pose: simulation.drawn_pose().to_mat4(),
            skull: skull.map(|skull| (skull.center, skull.radii)),
            wetness: simulation.wetness(),
            points,
        }
    }
}

/// The camera as it was asked for.
#[derive(Clone, Copy)]
struct View {
    named: Option<CameraView>,
    yaw: Option<f32>,
    pitch: Option<f32>,
    distance: Option<f32>,
    target: Option<Vec3>,
    fov: Option<f32>,
}

impl View {
    /// Returns the camera in its direction, at the place that was asked for or as near as balls
    /// allow. Without `keeps` it comes nearer than usual.
    fn camera(
        &self,
        config: &Config,
        aspect: f32,
        balls: &[(Vec3, f32)],
        keeps: bool,
    ) -> OrbitCamera {
        let named = self.named.map(OrbitCamera::named);
        let camera = named.unwrap_or_else(|| OrbitCamera::of_settings(&config.view));
        let angles = [self.yaw, self.pitch, self.fov];
        let [yaw, pitch, fov] = angles.map(|angle| angle.map(f32::to_radians));
        let mut camera = camera.seen_by(yaw, pitch, fov);
        let is_set = self.named.is_none() && config.view.distance > 0.0;
        if !(is_set || self.distance.is_some() || self.target.is_some()) {
            let mut framing = if keeps {
                Framing::keeping(camera, aspect, false)
            } else {
                camera.target = ball_around(balls).map_or(camera.target, |(middle, _)| middle);
                Framing::new(camera, aspect, false)
            };
            balls
                .iter()
                .for_each(|&(at, radius)| framing.add(at, radius));
            camera = framing.camera();
        }
        OrbitCamera {
            distance: self.distance.unwrap_or(camera.distance),
            target: self.target.unwrap_or(camera.target),
            ..camera
        }
    }
}

/// Draw a head, its hair, or a moment of a simulation, without a window.
///
/// Args:
///     subject: A `Head`, `Groom` or `Simulation`.
///     size: Width and height in pixels.
///     camera: "front", "side", "top", "back" or "three-quarter".
///     yaw, pitch: Angles around the head and above the horizon, degrees.
///     distance: From the target, decimetres. Without it and `target`, all hair is in the picture.
///     target: The point looked at (x, y, z), decimetres.
///     fov: Vertical field of view, degrees, 1 to 120.
///     background: False for a transparent one.
///     samples: Samples per pixel, 1 to 256.
///     settings: Settings of `look` and `view` by their keys.
///
/// Returns:
///     An array (height, width, 4), uint8: sRGB and straight alpha, top row first.
///
/// Raises:
///     GraphicsError: There is no EGL with OpenGL 3.3 here; the text says what to install.
#[pyfunction]
#[pyo3(signature = (subject, *, size=(1280, 720), camera=None, yaw=None, pitch=None, distance=None, target=None, fov=None, background=true, samples=16, settings=None),
    // Tuples are not printed otherwise.
    text_signature = "(subject, *, size=(1280, 720), camera=None, yaw=None, pitch=None, distance=None, target=None, fov=None, background=True, samples=16, settings=None)"
)]
#[allow(clippy::too_many_arguments)] // Keywords.
pub fn render<'py>(
    py: Python<'py>,
    subject: &Bound<'py, PyAny>,
    size: (i64, i64),
    camera: Option<&str>,
    yaw: Option<f32>,
    pitch: Option<f32>,
    distance: Option<f32>,
    target: Option<[f32; 3]>,
    fov: Option<f32>,
    background: bool,
    samples: i64,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    for (name, value, low, high) in [
        ("yaw", yaw, -3600.0, 3600.0),
        ("pitch", pitch, -88.0, 88.0),
        ("distance", distance, 0.05, 1000.0),
        ("fov", fov, 1.0, 120.0),
    ] {
        if let Some(value) = value.filter(|value| !(low..=high).contains(value)) {
            return Err(Error::new_err(format!(
                "{name} = {value}: expected {low} to {high}"
            )));
        }
    }
    let samples = within("samples", samples, 1..=256)?;
    if let Some(target) = target.filter(|target| !target.iter().all(|x| x.abs() <= 1000.0)) {
        return Err(Error::new_err(format!(
            "target = {target:?}: expected -1000 to 1000"
        )));
    }
    let (Ok(width), Ok(height)) = (u32::try_from(size.0), u32::try_from(size.1)) else {
        return Err(Error::new_err(format!("size = {size:?}: expected pixels")));
    };
    let named = camera.map(str::parse).transpose().map_err(failed)?;
    let target = target.map(Vec3::from);
    let view = View {
        named,
        yaw,
        pitch,
        distance,
        target,
        fov,
    };
    let settings = written(settings)?;
    let subject = if let Ok(head) = subject.cast::<Head>() {
        Subject::Head(head.get().open.clone())
    } else if let Ok(groom) = subject.cast::<Groom>() {
        Subject::Hair(groom.get().hair.clone())
    } else if let Ok(simulation) = subject.cast::<Simulation>() {
        Subject::Motion(Box::new(
            simulation.get().with(py, |motion| Drawn::of(motion))?,
        ))
    } else {
        let told = subject.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "subject: expected a Head, a Groom or a Simulation, not a {told}"
        )));
    };
    let pixels = run(py, None, move |_| {
        let drawn = drawn(subject, &settings).map_err(failed)?;
        picture(&drawn, &view, (width, height), background, samples).map_err(|error| match error {
            RenderError::Size { .. } => failed(error),
            error => GraphicsError::new_err(error.to_string()),
        })
    })??;
    PyArray::from_vec(py, pixels).reshape([height as usize, width as usize, 4])
}

/// Returns what there is to draw, with some settings of its look changed.
fn drawn(subject: Subject, settings: &Settings) -> Result<Drawn, EmbedError> {
    let mut drawn = match subject {
        Subject::Motion(drawn) => *drawn,
        Subject::Hair(hair) => Drawn::of(&hair.simulate(&[])?),
        Subject::Head(open) => Drawn {
            head: Some(open.head().clone()),
            groom: mohawk::Groom::default(),
            config: Config::default(),
            points: Vec::new(),
            per_strand: 1,
            pose: Mat4::IDENTITY,
            rings: Vec::new(),
            skull: None,
            wetness: 0.0,
        },
    };
    embed::set(&mut drawn.config, settings, &["look", "view"])?;
    Ok(drawn)
}

/// Draws a picture and returns its pixels, four numbers each.
fn picture(
    drawn: &Drawn,
    view: &View,
    (width, height): (u32, u32),
    background: bool,
    samples: u32,
) -> Result<Vec<u8>, RenderError> {
    let offscreen = Offscreen::new()?;
    let quality = Quality {
        samples,
        ..Quality::FULL
    };
    let mut stage = Stage::new(offscreen.context(), &drawn.config.look, quality);
    let mut balls = balls(drawn);
    match &drawn.head {
        Some(head) => stage.set_head(head),
        None => {
            stage.solids.set_ellipsoid(drawn.skull);
            balls.extend(
                drawn
                    .skull
                    .map(|(center, radii)| (center, radii.max_element())),
            );
            stage.set_extent(ball_around(&balls));
        }
    }
    stage.set_groom(&drawn.groom);
    let solids = drawn.config.sim.colliders.iter().map(|collider| Solid {
        from: collider.from.into(),
        to: collider.to.map(Vec3::from),
        radius: collider.radius,
        highlight: Highlight::Plain,
    });
    stage.solids.set(&solids.collect::<Vec<_>>());
    stage.set_rings(&drawn.rings);
    stage.set_points(&drawn.points, drawn.per_strand);
    stage.set_wetness(drawn.wetness);
    let aspect = width.max(1) as f32 / height.max(1) as f32;
    let shot = Shot {
        camera: view.camera(&drawn.config, aspect, &balls, drawn.head.is_some()),
        world_from_head: drawn.pose,
        background,
    };
    let picture = offscreen.render(&mut stage, &shot, width, height)?;
    Ok(picture.into_raw())
}

/// Returns points of head and hair that belong into the picture.
fn balls(drawn: &Drawn) -> Vec<(Vec3, f32)> {
    let mut head = Vec::new();
    for (number, part) in drawn
        .head
        .iter()
        .flat_map(|head| head.parts.iter().enumerate())
    {
        let scalp = drawn.head.as_ref().and_then(|head| head.scalp_part);
        let lowest = drawn
            .head
            .as_ref()
            .map_or(0.0, |head| head.extent.lowest - 1e-3);
        if scalp.is_none_or(|scalp| scalp == number) {
            let shown = part.positions.iter().filter(|place| place.y >= lowest);
            head.extend(shown.map(|&place| drawn.pose.transform_point3(place)));
        }
    }
    let hair: Vec<Vec3> = drawn
        .points
        .iter()
        .map(|&[x, y, z, _]| Vec3::new(x, y, z))
        .collect();
    let some = |points: Vec<Vec3>| {
        let every = points.len().div_ceil(FRAMED_POINTS).max(1);
        points.into_iter().step_by(every).map(|point| (point, 0.0))
    };
    let roots = drawn.groom.roots.iter();
    let roots = roots
        .map(|&root| drawn.pose.transform_point3(root))
        .collect();
    some(head).chain(some(hair)).chain(some(roots)).collect()
}
