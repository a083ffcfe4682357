//! Roots on meshes and on heads.

use crate::measures::{Measures, measured};
use crate::settings::Settings;
use crate::work::run;
use crate::{arrays, failed};
use mohawk::roots::Method;
use mohawk::{Config, Roots, Scalp, embed};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyTuple};
use std::sync::Arc;

/// Return the names of the methods of sampling. `docs/roots.md` says what each achieves.
#[pyfunction]
pub fn methods() -> Vec<&'static str> {
    Method::ALL.map(|method| method.name()).into()
}

/// Points that are spread over a mesh, in progressive order. `points, faces, barycentric = sample`.
#[pyclass(frozen, module = "mohawk_hair")]
pub struct Sample {
    pub scalp: Arc<Scalp>,
    pub roots: Arc<Roots>,
    /// Points (k, 3), float32, in units of the mesh.
    #[pyo3(get)]
    points: Py<PyArray2<f32>>,
    /// The row of each point in `faces` of the caller (k,), int64.
    #[pyo3(get)]
    faces: Py<PyArray1<i64>>,
    /// Weights of the three corners of the face (k, 3), float32; each row sums to 1.
    #[pyo3(get)]
    barycentric: Py<PyArray2<f32>>,
    /// Unit normals (k, 3), float32, interpolated between those of the vertices.
    #[pyo3(get)]
    normals: Py<PyArray2<f32>>,
    /// Unit normals of the faces (k, 3), float32. `measure` tells the sides of thin sheets by them.
    #[pyo3(get)]
    face_normals: Py<PyArray2<f32>>,
}

impl Sample {
    /// Returns the arrays of roots. `numbers` are those of the triangles for the caller.
    pub fn new(py: Python<'_>, scalp: Arc<Scalp>, roots: Roots, numbers: &[u32]) -> PyResult<Self> {
        let faces = roots
            .points
            .iter()
            .map(|point| numbers[point.triangle as usize]);
        let weights: Vec<_> = roots.points.iter().map(|point| point.weights).collect();
        Ok(Self {
            points: arrays::of_vectors(py, &roots.positions)?.unbind(),
            faces: arrays::of_indices(py, faces).unbind(),
            barycentric: arrays::of_vectors(py, &weights)?.unbind(),
            normals: arrays::of_vectors(py, &roots.directions)?.unbind(),
            face_normals: arrays::of_vectors(py, &roots.face_normals)?.unbind(),
            scalp,
            roots: Arc::new(roots),
        })
    }

    fn tuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (&self.points, &self.faces, &self.barycentric).into_pyobject(py)
    }
}

#[pymethods]
impl Sample {
    /// Ranks of the points in the full set (k,), int64, ascending. Painted density leaves some out. In
    /// progressive order every prefix of the full set is even by itself.
    #[getter]
    fn ranks<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        arrays::of_indices(py, self.roots.ranks.iter().copied())
    }

    /// The smallest distance that points on one side of the mesh may have, in units of the mesh.
    #[getter]
    fn spacing(&self) -> f32 {
        self.roots.spacing
    }

    /// The area of the surface, in square units of the mesh.
    #[getter]
    fn area(&self) -> f64 {
        self.scalp.area()
    }

    /// The surface: vertices (n, 3), float32, and faces (m, 3), int64, that index them. Of a head this
    /// is the painted skin, in decimetres; `faces` has its rows.
    #[getter]
    fn mesh<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let vertices = arrays::of_vectors(py, self.scalp.positions())?;
        let faces = arrays::of_triangles(py, self.scalp.triangles())?;
        (vertices, faces).into_pyobject(py)
    }

    /// Measure how evenly the points are spread.
    #[pyo3(signature = (*, progress=None))]
    fn measure(&self, py: Python<'_>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Measures> {
        measured(py, self.scalp.clone(), self.roots.clone(), None, progress)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.tuple(py)?.try_iter()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        place: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.tuple(py)?.as_any().get_item(place)
    }

    fn __len__(&self) -> usize {
        3
    }

    fn __repr__(&self) -> String {
        format!(
            "<Sample: {} points, spacing {}>",
            self.roots.positions.len(),
            self.roots.spacing
        )
    }
}

/// Returns the settings of roots that are given.
pub fn options(
    count: Option<i64>,
    radius: Option<f64>,
    method: Option<&str>,
    seed: Option<i128>,
) -> PyResult<Settings> {
    let amount = match (count, radius) {
        (Some(count), None) => ("roots.strands", count.to_string()),
        (None, Some(radius)) => ("roots.spacing", format!("{radius:?}").replace("NaN", "nan")),
        (None, None) => return Err(PyTypeError::new_err("give count or radius")),
        (Some(_), Some(_)) => return Err(PyTypeError::new_err("give count or radius, not both")),
    };
    let method = method.map(|method| ("roots.method", method.to_owned()));
    let seed = seed.map(|seed| ("roots.seed", seed.to_string()));
    let given = [Some(amount), method, seed].into_iter().flatten();
    Ok(given.map(|(key, value)| (key.to_owned(), value)).collect())
}

/// Spread points over a mesh, so that no two are closer than a radius and no gap is wider.
///
/// Args:
///     vertices: Array (n, 3) of any real numbers, in any unit. They are rounded to float32.
///     faces: Array (m, 3) of any integers: triangles, counter-clockwise from outside.
///     count: About how many points, 1 to 2,000,000. The radius follows from the area.
///     radius: The smallest distance between points, in units of the mesh, instead of `count`.
///     method: One of `methods()`; the default is "progressive".
///     density: Array (n,) from 0 to 1: the share of points that stay at each vertex. Faces whose
///         corners are all 0 have none. Method "variable" widens the radius instead.
///     normals: Unit normals of the vertices (n, 3). Without them they are smoothed over the faces.
///     seed: 0 or more; 1 if left out. The same seed gives the same bits on every machine.
///     progress: Called with the finished share, 0 to 1.
///
/// Raises:
///     Error: An array or a value that cannot be used; the text names it.
#[pyfunction]
#[pyo3(signature = (vertices, faces, *, count=None, radius=None, method=None, density=None, normals=None, seed=None, progress=None))]
#[allow(clippy::too_many_arguments)] // Keywords.
pub fn sample(
    py: Python<'_>,
    vertices: &Bound<'_, PyAny>,
    faces: &Bound<'_, PyAny>,
    count: Option<i64>,
    radius: Option<f64>,
    method: Option<&str>,
    density: Option<&Bound<'_, PyAny>>,
    normals: Option<&Bound<'_, PyAny>>,
    seed: Option<i128>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Sample> {
    let options = options(count, radius, method, seed)?;
    let mut config = Config::default();
    embed::set(&mut config, &options, &["roots"]).map_err(failed)?;
    let (scalp, numbers) = arrays::surface(py, vertices, faces, density, normals)?;
    let scalp = Arc::new(scalp);
    let on = scalp.clone();
    let roots = run(py, progress, move |tell| {
        let roots = Roots::sample(&on, &config.roots, tell)?;
        Ok::<_, mohawk::roots::SampleError>(roots.thinned(&on, 1.0))
    })?;
    Sample::new(py, scalp, roots.map_err(failed)?, &numbers)
}
