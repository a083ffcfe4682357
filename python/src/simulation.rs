//! Hair in motion.

use crate::hair::Groom;
use crate::scene::{frame_count, read_scene};
use crate::settings::with_solver;
use crate::strands::form;
use crate::work::{check_process, run};
use crate::{Error, arrays, failed};
use mohawk::embed::{EmbedError, Motion, Progress};
use numpy::{PyArray, PyArray2, PyArray3, PyArray4, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::{self, ThreadId};
use std::time::Duration;

/// The time between two looks at a simulation that another thread uses.
const TURN: Duration = Duration::from_millis(1);

/// Hair in motion, in steps of `STEP_SECONDS`.
///
/// Args:
///     groom: The hair. Without it, a scene brings its own, or hair grows on the head that ships.
///     solver: One of `solvers()`; the default is that of the settings.
///     scene: One of `scenes()`, the path of a scene file, or poses (frames, 4, 4): how the head moves
///         where no pose is given, and the settings that belong to it.
///     fps: Frames per second of poses, 0.1 to 1000.
///     settings: Settings of `sim` by their keys, for example {"sim.hold": 0.3}; without a groom those of
///         `head`, `roots` and `groom` too.
///     progress: Called with the finished share while hair grows, 0 to 1.
///
/// Positions have the same bits as those that `mohawk simulate` writes, on every machine.
#[pyclass(frozen, module = "mohawk_hair")]
pub struct Simulation {
    motion: Arc<Mutex<Motion>>,
    /// The threads of Python that long work is done for, or that wait for their turn.
    callers: Mutex<Vec<ThreadId>>,
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
        Ok(Self {
            motion: Arc::new(Mutex::new(motion.map_err(failed)?)),
            callers: Mutex::default(),
        })
    }

    /// Runs something short on the motion, when no other thread is at work with it.
    pub fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Motion) -> T + Send,
    ) -> PyResult<T> {
        check_process()?;
        self.check_caller()?;
        let mut work = Some(work);
        loop {
            let done = py.detach(|| match self.motion.try_lock() {
                Err(TryLockError::WouldBlock) => {
                    thread::sleep(TURN);
                    None
                }
                Err(TryLockError::Poisoned(motion)) => Some(work.take()?(&mut motion.into_inner())),
                Ok(mut motion) => Some(work.take()?(&mut motion)),
            });
            match done {
                Some(done) => return Ok(done),
                None => py.check_signals()?,
            }
        }
    }

    /// Reads something of the simulation.
    fn read<T: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&mohawk::Simulation) -> T + Send,
    ) -> PyResult<T> {
        self.with(py, |motion| read(motion.simulation()))
    }

    /// Runs something long on the motion, when no other thread is at work with it.
    fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        work: impl FnOnce(&mut Motion, Progress) -> Result<T, EmbedError> + Send + 'static,
    ) -> PyResult<T> {
        self.check_caller()?;
        let motion = self.motion.clone();
        let work = move |tell: Progress| {
            let mut motion = motion.lock().unwrap_or_else(PoisonError::into_inner);
            // It may have been stopped while it waited.
            match tell(0.0) {
                ControlFlow::Break(()) => Err(EmbedError::Cancelled),
                ControlFlow::Continue(()) => work(&mut motion, tell),
            }
        };
        let caller = thread::current().id();
        self.callers().push(caller);
        let done = run(py, progress, work);
        self.callers().retain(|&other| other != caller);
        done?.map_err(failed)
    }

    fn callers(&self) -> MutexGuard<'_, Vec<ThreadId>> {
        self.callers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns an error in a callback of long work with this simulation, which would wait for itself.
    fn check_caller(&self) -> PyResult<()> {
        match self.callers().contains(&thread::current().id()) {
            true => Err(Error::new_err(
                "the simulation is at work: progress cannot use it. Advance it in parts instead",
            )),
            false => Ok(()),
        }
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
        self.with(py, |motion| motion.step(pose))?;
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
        self.run(py, progress, move |motion, tell| {
            motion.advance(seconds, pose, tell)
        })
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
        let count = frame_count(frames, fps)?;
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
            Ok(Ok((shape, numbers)))
        })?;
        let (shape, numbers) = played.map_err(|[strands, points]| {
            PyMemoryError::new_err(format!(
                "{count} frames of {strands} strands of {points} points do not fit into memory: play \
                 some at a time"
            ))
        })?;
        PyArray::from_vec(py, numbers).reshape([count as usize, shape[0], shape[1], 3])
    }

    /// Play frames, of which the first is the present, and write them as strands to a file: .abc, .usda,
    /// .usdc, .usdz or .npz. One frame alone is a pose, which every format of `write_strands` holds.
    /// Points are in the units and axes of the model, and move with the head.
    ///
    /// Args:
    ///     path: The file; there is none if the work is stopped.
    ///     frames, fps: Their number, and how many are a second.
    ///     mesh, cards, texture: The form in .glb, as in `write_strands`.
    ///     progress: Called with the finished share, 0 to 1.
    ///
    /// Returns:
    ///     The names of what the format does not keep.
    #[pyo3(signature = (path, frames=1, fps=60.0, *, mesh="lines", cards=None, texture=2048, progress=None))]
    #[allow(clippy::too_many_arguments)]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        frames: i64,
        fps: f64,
        mesh: &str,
        cards: Option<i64>,
        texture: i64,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<&'static str>> {
        let form = form(mesh, cards, texture)?;
        let count = frame_count(frames, fps)?;
        self.run(py, progress, move |motion, tell| {
            motion.save(&path, (count, fps), form, tell)
        })
    }

    /// Put the hair to rest under a pose (4, 4), or that of the start, at time 0.
    #[pyo3(signature = (pose=None))]
    fn reset(&self, py: Python<'_>, pose: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let pose = pose.map(|pose| arrays::pose("pose", pose)).transpose()?;
        self.with(py, |motion| motion.reset(pose))
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
        self.run(py, None, move |motion, _| motion.set(&settings))
    }

    /// Add to the velocity of the tip of a strand: (x, y, z), decimetres per second.
    fn push(&self, py: Python<'_>, strand: i64, velocity: [f32; 3]) -> PyResult<()> {
        if velocity.iter().any(|part| !part.is_finite()) {
            return Err(Error::new_err(format!(
                "velocity = {velocity:?}: expected finite numbers"
            )));
        }
        self.with(py, |motion| {
            let count = motion.simulation().strand_count();
            let known = usize::try_from(strand).ok().filter(|&known| known < count);
            let push = |known| motion.simulation_mut().push(known, velocity.into());
            known.map(push).ok_or(count)
        })?
        .map_err(|count| Error::new_err(format!("strand = {strand}: there are {count} strands")))
    }

    /// The points after the last step: an array (strands, points, 3), float32, root first, world space,
    /// decimetres. Each access makes a new array, which stays as it is.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let (shape, numbers) = self.read(py, |simulation| {
            let numbers = arrays::particles(simulation).into_flattened();
            (arrays::shape(simulation), numbers)
        })?;
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
        self.read(py, |simulation| {
            let wanted = arrays::shape(simulation);
            if shape != wanted {
                return Err(wanted);
            }
            let points = arrays::particles(simulation);
            numbers.copy_from_slice(points.as_flattened());
            Ok(())
        })?
        .map_err(|wanted| {
            Error::new_err(format!("out: expected the shape {wanted:?}, not {shape:?}"))
        })
    }

    /// The pose of the head after the last step (4, 4), float64.
    #[getter]
    fn pose<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let pose = self.read(py, |simulation| simulation.pose())?;
        arrays::of_matrix(py, pose.to_dmat4())
    }

    /// The simulated time, seconds.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |simulation| simulation.time_secs())
    }

    /// The number of steps since the start.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<u64> {
        self.read(py, |simulation| simulation.steps())
    }

    /// The number of strands.
    #[getter]
    fn strands(&self, py: Python<'_>) -> PyResult<usize> {
        self.read(py, |simulation| simulation.strand_count())
    }

    /// The number of points of each strand.
    #[getter]
    fn points_per_strand(&self, py: Python<'_>) -> PyResult<usize> {
        self.read(py, |simulation| simulation.strand_particles())
    }

    /// The name of the solver.
    #[getter]
    fn solver(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |simulation| simulation.solver_name().to_owned())
    }

    /// True if nothing moves, so that no step is needed until the head does.
    #[getter]
    fn is_settled(&self, py: Python<'_>) -> PyResult<bool> {
        self.read(py, |simulation| simulation.is_settled())
    }

    /// Return energies per mass (`kinetic`, `gravity`, `elastic`, dm²/s²), `max_stretch` and `mean_stretch`
    /// (shares), `max_penetration` (decimetres) and `resets` (strands that became non-finite).
    fn measures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (now, resets) = self.read(py, |simulation| {
            (simulation.measures(usize::MAX), simulation.reset_strands())
        })?;
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

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |simulation| {
            let (solver, strands) = (simulation.solver_name(), simulation.strand_count());
            format!(
                "<Simulation: {solver}, {strands} strands, at {:.4} s>",
                simulation.time_secs()
            )
        })
    }
}
