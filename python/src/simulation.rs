//! Hair in motion.

use crate::groom::Groom;
use crate::head::found;
use crate::settings::{Settings, written};
use crate::work::run;
use crate::{Error, arrays, failed};
use mohawk::embed::Motion;
use mohawk::scene_file::SceneSetup;
use mohawk::sim::{PoseTrack, Scene, SolverKind};
use numpy::{PyArray, PyArray2, PyArray3, PyArray4, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The most frames of one call.
const MAX_FRAMES: u32 = 1_000_000;

/// Return the names of the solvers.
#[pyfunction]
pub fn solvers() -> Vec<&'static str> {
    SolverKind::ALL.map(|solver| solver.name()).into()
}

/// Return the names of the scenes.
#[pyfunction]
pub fn scenes() -> Vec<&'static str> {
    Scene::ALL.map(|scene| scene.name()).into()
}

/// Hair in motion, in steps of `STEP_SECONDS`.
///
/// Args:
///     groom: The hair. Without it, a scene brings its own, or hair grows on the head that ships.
///     solver: One of `solvers()`; the default is that of the settings.
///     scene: One of `scenes()`, the path of a scene file, or poses (frames, 4, 4): how the head moves
///         where no pose is given, and the settings that belong to it.
///     fps: Frames per second of poses, 0.1 to 1000.
///     settings: Settings of `sim` by their keys, for example {"sim.hold": 0.3}.
///     progress: Called with the finished share while hair grows, 0 to 1.
///
/// Positions have the same bits as those that `mohawk simulate` writes, on every machine.
#[pyclass(frozen, module = "mohawk_hair")]
pub struct Simulation {
    motion: Arc<Mutex<Motion>>,
}

impl Simulation {
    pub fn begin(
        py: Python<'_>,
        groom: Option<&Groom>,
        solver: Option<&str>,
        scene: Option<&Bound<'_, PyAny>>,
        fps: f64,
        settings: Option<&Bound<'_, PyDict>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let settings = with_solver(solver, settings)?;
        let scene = scene.map(|scene| read_scene(scene, fps)).transpose()?;
        let motion = match (groom, scene) {
            (None, None) => return Err(PyTypeError::new_err("give groom, scene or both")),
            (None, Some(scene)) => run(py, progress, move |tell| {
                Motion::of_scene(scene, &settings, tell)
            })?,
            (Some(groom), scene) => {
                let hair = groom.hair.clone();
                run(py, progress, move |_| Motion::new(&hair, scene, &settings))?
            }
        };
        let motion = Arc::new(Mutex::new(motion.map_err(failed)?));
        Ok(Self { motion })
    }

    /// Does something short with the motion.
    pub fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Motion) -> T + Send) -> T {
        py.detach(|| work(&mut self.motion.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Does something long with the motion.
    fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        work: impl FnOnce(&mut Motion, &mut dyn FnMut(f32) -> ControlFlow<()>) -> T + Send + 'static,
    ) -> PyResult<T> {
        let motion = self.motion.clone();
        run(py, progress, move |tell| {
            work(
                &mut motion.lock().unwrap_or_else(PoisonError::into_inner),
                tell,
            )
        })
    }
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (groom=None, *, solver=None, scene=None, fps=60.0, settings=None, progress=None))]
    fn new(
        py: Python<'_>,
        groom: Option<&Bound<'_, Groom>>,
        solver: Option<&str>,
        scene: Option<&Bound<'_, PyAny>>,
        fps: f64,
        settings: Option<&Bound<'_, PyDict>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let groom = groom.map(Bound::get);
        Self::begin(py, groom, solver, scene, fps, settings, progress)
    }

    /// Take one step, at whose end the head is at a pose (4, 4), decimetres. Without it, the head moves
    /// as the scene says, or stays.
    #[pyo3(signature = (pose=None))]
    fn step(&self, py: Python<'_>, pose: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let pose = pose.map(|pose| arrays::pose("pose", pose)).transpose()?;
        self.with(py, |motion| motion.step(pose));
        py.check_signals()
    }

    /// Advance by seconds, 0 to 60, at whose end the head is at a pose (4, 4): it turns and moves evenly.
    /// Without a pose it moves as the scene says, or stays. Time that is no whole step waits.
    #[pyo3(signature = (seconds, pose=None, *, progress=None))]
    fn advance(
        &self,
        py: Python<'_>,
        seconds: f64,
        pose: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let pose = pose.map(|pose| arrays::pose("pose", pose)).transpose()?;
        let done = self.run(py, progress, move |motion, tell| {
            motion.advance(seconds, pose, tell)
        })?;
        done.map_err(failed)
    }

    /// Play frames, of which the first is the present, and return the positions in all of them: an array
    /// (frames, strands, points, 3), float32, decimetres. A frame between two steps is interpolated. From
    /// the start these are the frames of `mohawk simulate`.
    #[pyo3(signature = (frames, fps=60.0, *, progress=None))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        frames: i64,
        fps: f64,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray4<f32>>> {
        let count = u32::try_from(frames)
            .ok()
            .filter(|count| (1..=MAX_FRAMES).contains(count));
        let count = count.ok_or_else(|| {
            Error::new_err(format!("frames = {frames}: expected 1 to {MAX_FRAMES}"))
        })?;
        check_fps(fps)?;
        let played = self.run(py, progress, move |motion, tell| {
            let simulation = motion.simulation();
            let shape = [simulation.strand_count(), simulation.strand_particles()];
            let mut numbers: Vec<f32> = Vec::new();
            let all = (3 * shape[0] * shape[1]).checked_mul(count as usize);
            if all.is_none_or(|all| numbers.try_reserve_exact(all).is_err()) {
                return Ok(Err(shape));
            }
            let mut take = |particles: &[[f32; 4]]| {
                numbers.extend(particles.iter().flat_map(|&[x, y, z, _]| [x, y, z]));
            };
            motion.play(count, fps, &mut take, tell)?;
            Ok::<_, mohawk::embed::EmbedError>(Ok((shape, numbers)))
        })?;
        let (shape, numbers) = played.map_err(failed)?.map_err(|[strands, points]| {
            PyMemoryError::new_err(format!(
                "{count} frames of {strands} strands of {points} points do not fit into memory: play \
                 some at a time"
            ))
        })?;
        PyArray::from_vec(py, numbers).reshape([count as usize, shape[0], shape[1], 3])
    }

    /// Put the hair to rest under a pose (4, 4), or that of the start, at time 0.
    #[pyo3(signature = (pose=None))]
    fn reset(&self, py: Python<'_>, pose: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let pose = pose.map(|pose| arrays::pose("pose", pose)).transpose()?;
        self.with(py, |motion| motion.reset(pose));
        Ok(())
    }

    /// Change settings of `sim`, or the solver. The motion goes on.
    #[pyo3(signature = (settings=None, *, solver=None))]
    fn set(
        &self,
        py: Python<'_>,
        settings: Option<&Bound<'_, PyDict>>,
        solver: Option<&str>,
    ) -> PyResult<()> {
        let settings = with_solver(solver, settings)?;
        self.run(py, None, move |motion, _| motion.set(&settings))?
            .map_err(failed)
    }

    /// Add to the velocity of the tip of a strand: (x, y, z), decimetres per second.
    fn push(&self, py: Python<'_>, strand: usize, velocity: [f32; 3]) -> PyResult<()> {
        if velocity.iter().any(|part| !part.is_finite()) {
            return Err(Error::new_err(format!(
                "velocity = {velocity:?}: expected finite numbers"
            )));
        }
        self.with(py, |motion| {
            match strand < motion.simulation().strand_count() {
                true => {
                    motion.simulation_mut().push(strand, velocity.into());
                    Ok(())
                }
                false => Err(motion.simulation().strand_count()),
            }
        })
        .map_err(|count| Error::new_err(format!("strand = {strand}: there are {count} strands")))
    }

    /// The points after the last step: an array (strands, points, 3), float32, root first, world space,
    /// decimetres. Each access makes a new array, which stays as it is.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let (shape, numbers) = self.with(py, |motion| {
            let simulation = motion.simulation();
            let mut points = Vec::new();
            simulation.write_particles(1.0, &mut points);
            let numbers = points.iter().flat_map(|&[x, y, z, _]| [x, y, z]).collect();
            (
                [simulation.strand_count(), simulation.strand_particles(), 3],
                numbers,
            )
        });
        PyArray::from_vec(py, numbers).reshape(shape)
    }

    /// Write `positions` into an array of float32 (strands, points, 3) in C order, which saves making
    /// one.
    fn write_positions(&self, py: Python<'_>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let wrong = |_| PyTypeError::new_err("out: expected an array of float32 with three axes");
        let out = out.cast::<PyArray3<f32>>().map_err(wrong)?;
        let shape = out.shape().to_vec();
        let unusable = "out: expected an array in C order without gaps that can be written to";
        let in_order = out.is_c_contiguous().then(|| out.try_readwrite().ok());
        let mut out = in_order.flatten().ok_or_else(|| Error::new_err(unusable))?;
        let numbers = out.as_slice_mut().map_err(|_| Error::new_err(unusable))?;
        self.with(py, |motion| {
            let simulation = motion.simulation();
            let wanted = [simulation.strand_count(), simulation.strand_particles(), 3];
            if shape != wanted {
                return Err(wanted);
            }
            let mut points = Vec::new();
            simulation.write_particles(1.0, &mut points);
            for (to, [x, y, z, _]) in numbers.as_chunks_mut().0.iter_mut().zip(points) {
                *to = [x, y, z];
            }
            Ok(())
        })
        .map_err(|wanted| {
            Error::new_err(format!("out: expected the shape {wanted:?}, not {shape:?}"))
        })
    }

    /// The pose of the head after the last step (4, 4), float64.
    #[getter]
    fn pose<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let pose = self.with(py, |motion| motion.simulation().pose());
        arrays::matrix(py, &pose)
    }

    /// The simulated time, seconds.
    #[getter]
    fn time(&self, py: Python<'_>) -> f64 {
        self.with(py, |motion| motion.simulation().time_secs())
    }

    /// The number of steps since the start.
    #[getter]
    fn steps(&self, py: Python<'_>) -> u64 {
        self.with(py, |motion| motion.simulation().steps())
    }

    /// The number of strands.
    #[getter]
    fn strands(&self, py: Python<'_>) -> usize {
        self.with(py, |motion| motion.simulation().strand_count())
    }

    /// The number of points of each strand.
    #[getter]
    fn points_per_strand(&self, py: Python<'_>) -> usize {
        self.with(py, |motion| motion.simulation().strand_particles())
    }

    /// The name of the solver.
    #[getter]
    fn solver(&self, py: Python<'_>) -> String {
        self.with(py, |motion| motion.simulation().solver_name().to_owned())
    }

    /// True if nothing moves, so that no step is needed until the head does.
    #[getter]
    fn is_settled(&self, py: Python<'_>) -> bool {
        self.with(py, |motion| motion.simulation().is_settled())
    }

    /// Return energies per mass (`kinetic`, `gravity`, `elastic`, dm²/s²), `max_stretch` and `mean_stretch`
    /// (shares), `max_penetration` (decimetres) and `resets` (strands that became non-finite).
    fn measures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (now, resets) = self.with(py, |motion| {
            let simulation = motion.simulation();
            (simulation.measures(usize::MAX), simulation.reset_strands())
        });
        let all = PyDict::new(py);
        for (name, value) in [
            ("kinetic", now.kinetic),
            ("gravity", now.gravity),
            ("elastic", now.elastic),
            ("max_stretch", now.max_stretch),
            ("mean_stretch", now.mean_stretch),
            ("max_penetration", now.max_penetration),
        ] {
            all.set_item(name, value)?;
        }
        all.set_item("resets", resets)?;
        Ok(all)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        self.with(py, |motion| {
            let simulation = motion.simulation();
            let (solver, strands) = (simulation.solver_name(), simulation.strand_count());
            format!(
                "<Simulation: {solver}, {strands} strands, at {:.4} s>",
                simulation.time_secs()
            )
        })
    }
}

/// Returns settings, of which the solver comes first.
fn with_solver(solver: Option<&str>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Settings> {
    let solver = solver.map(|solver| ("sim.solver".to_owned(), solver.to_owned()));
    Ok(solver.into_iter().chain(written(settings)?).collect())
}

/// Reads a scene: its name, the path of its file, or poses for each frame.
fn read_scene(scene: &Bound<'_, PyAny>, fps: f64) -> PyResult<SceneSetup> {
    if let Ok(name) = scene.cast::<PyString>()
        && let Ok(named) = name.to_string().parse::<Scene>()
    {
        return Ok(named.into());
    }
    let Ok(path) = scene.extract::<PathBuf>() else {
        check_fps(fps)?;
        let track = PoseTrack::new(arrays::poses("scene", scene)?, fps);
        return Ok(track
            .ok_or_else(|| Error::new_err("scene: it has no poses"))?
            .into());
    };
    if path.extension().is_none_or(|extension| extension != "toml") {
        let known = scenes().join(", ");
        return Err(Error::new_err(format!(
            "scene {:?}: expected {known}, a file .toml, or poses (frames, 4, 4)",
            path.display().to_string()
        )));
    }
    SceneSetup::load(&found(path)?).map_err(failed)
}

fn check_fps(fps: f64) -> PyResult<()> {
    match (0.1..=1000.0).contains(&fps) {
        true => Ok(()),
        false => Err(Error::new_err(format!("fps = {fps}: expected 0.1 to 1000"))),
    }
}
