//! Strands of your own, and what hair at rest can do.

use crate::hair::Groom;
use crate::simulation::Simulation;
use crate::strands::form;
use crate::work::{check_process, run};
use crate::{Error, arrays, failed, within};
use glam::Vec3;
use mohawk::embed::Hair;
use numpy::{PyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

/// The numbers of points of a strand that can be asked for.
const POINTS: RangeInclusive<u32> = 2..=1024;

#[pymethods]
impl Groom {
    #[new]
    fn new(points: &Bound<'_, PyAny>) -> PyResult<Self> {
        check_process()?;
        let strands = arrays::strands("points", points)?;
        let hair = Arc::new(Hair::curved(strands).map_err(failed)?);
        Ok(Self { hair })
    }

    /// Return straight strands in the air.
    ///
    /// Args:
    ///     roots: Array (n, 3), decimetres.
    ///     directions: Array (n, 3), or (1, 3) for all, of any length but 0.
    ///     lengths: Array (n,), or a number for all, decimetres.
    #[staticmethod]
    fn straight(
        roots: &Bound<'_, PyAny>,
        directions: &Bound<'_, PyAny>,
        lengths: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let roots = arrays::vectors("roots", roots)?;
        let mut directions = arrays::vectors("directions", directions)?;
        if let [one] = directions[..] {
            directions = vec![one; roots.len()];
        }
        if directions.len() != roots.len() {
            let (there, wanted) = (directions.len(), roots.len());
            return Err(Error::new_err(format!(
                "directions: there are {there}, but {wanted} roots"
            )));
        }
        let lengths = arrays::scalars("lengths", lengths, roots.len())?;
        let strands = roots.into_iter().zip(directions).zip(lengths);
        let strands = strands.map(|((root, direction), length)| (root, direction, length));
        let hair = Arc::new(Hair::straight(strands).map_err(failed)?);
        Ok(Self { hair })
    }

    /// Roots (n, 3), float32, head space, decimetres.
    #[getter]
    fn roots<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        arrays::of_vectors(py, &self.hair.groom.roots)
    }

    /// Unit normals of the skin at the roots (n, 3), float32.
    #[getter]
    fn normals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        arrays::of_vectors(py, &self.hair.groom.normals)
    }

    /// Unit directions of growth (n, 3), float32.
    #[getter]
    fn directions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        arrays::of_vectors(py, &self.hair.groom.directions)
    }

    /// Lengths (n,), float32, decimetres.
    #[getter]
    fn lengths<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        PyArray::from_slice(py, &self.hair.groom.lengths)
    }

    /// The colour at the roots, sRGB, 0 to 1.
    #[getter]
    fn root_color(&self) -> [f32; 3] {
        self.hair.config.look.hair.colors()[0]
    }

    /// The colour at the tips, sRGB, 0 to 1.
    #[getter]
    fn tip_color(&self) -> [f32; 3] {
        self.hair.config.look.hair.colors()[1]
    }

    /// The parts of the style that belong to its own head and are left out here, or None.
    #[getter]
    fn left_out(&self) -> Option<&str> {
        self.hair.left_out.as_deref()
    }

    /// Return `count` points along each strand, 2 to 1024, evenly spaced (n, count, 3), float32, head space,
    /// decimetres.
    #[pyo3(signature = (count=12))]
    fn points<'py>(&self, py: Python<'py>, count: i64) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let per_strand = within("count", count, POINTS)? as usize;
        let groom = &self.hair.groom;
        let numbers = py.detach(|| {
            let mut strand = vec![Vec3::ZERO; per_strand];
            let mut numbers = Vec::new();
            let all = 3 * per_strand * groom.len();
            numbers.try_reserve_exact(all).ok()?;
            for number in 0..groom.len() {
                groom.write_rest(number, &mut strand);
                numbers.extend(strand.iter().flat_map(Vec3::to_array));
            }
            Some(numbers)
        });
        let numbers = numbers.ok_or_else(|| {
            let strands = groom.len();
            PyMemoryError::new_err(format!(
                "{strands} strands of {per_strand} points do not fit into memory"
            ))
        })?;
        PyArray::from_vec(py, numbers).reshape([groom.len(), per_strand, 3])
    }

    /// Begin a `Simulation` of the hair, at rest.
    #[pyo3(signature = (*, solver=None, scene=None, fps=60.0, settings=None))]
    fn simulate(
        &self,
        py: Python<'_>,
        solver: Option<&str>,
        scene: Option<&Bound<'_, PyAny>>,
        fps: f64,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Simulation> {
        Simulation::begin(py, Some(self), solver, scene, fps, settings, None)
    }

    /// Write the strands at rest to a file, whose extension tells the format; see `write_strands`. They are
    /// in the units and axes of the model, where `points` are in head space, so that hair and model fit in
    /// other programs; strands in the air are in decimetres with +Y up.
    ///
    /// Args:
    ///     path: The file.
    ///     points: The points of each strand, 2 to 1024, evenly spaced; by default as many as it has.
    ///     mesh, cards, texture: The form in .glb, as in `write_strands`.
    ///
    /// Returns:
    ///     The names of what the format does not keep.
    #[pyo3(signature = (path, *, points=None, mesh="lines", cards=None, texture=2048))]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        points: Option<i64>,
        mesh: &str,
        cards: Option<i64>,
        texture: i64,
    ) -> PyResult<Vec<&'static str>> {
        let form = form(mesh, cards, texture)?;
        let points = points.map(|points| within("points", points, POINTS));
        let points = points.transpose()?;
        let hair = self.hair.clone();
        run(py, None, move |_| hair.save(&path, points, form))?.map_err(failed)
    }

    fn __len__(&self) -> usize {
        self.hair.groom.len()
    }

    fn __repr__(&self) -> String {
        format!("<Groom: {} strands>", self.hair.groom.len())
    }
}
