//! Measures of points.

use crate::work::run;
use crate::{Error, arrays, failed};
use mohawk::import::PointSet;
use mohawk::roots::distribution::{self, Distribution, analyse, nearest_distances, unit_square};
use mohawk::roots::{Coverage, SampleError, certify};
use mohawk::{Roots, Scalp};
use numpy::{PyArray, PyArray1};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;

/// The power spectrum of points in a square: 1 at all frequencies for random points.
///
/// Attributes:
///     sets: The number of sets that it is the mean of.
///     points: The mean number of points of a set.
///     frequency: Cycles per side of the square (f,), int64.
///     power: Mean power of the frequencies of about this length (f,), float64.
///     anisotropy_db: Variance of the power over directions, in decibels (f,); NaN where it is 0.
///     low_frequency_power: Mean power up to half the frequency of the mean spacing, or None.
#[pyclass(frozen, get_all, module = "mohawk_hair")]
pub struct Spectrum {
    sets: usize,
    points: f64,
    frequency: Py<PyArray1<i64>>,
    power: Py<PyArray1<f64>>,
    anisotropy_db: Py<PyArray1<f64>>,
    low_frequency_power: Option<f64>,
}

impl Spectrum {
    fn new(py: Python<'_>, of: &distribution::Spectrum) -> Self {
        let rings = || of.rings.iter();
        let list = |values: Vec<f64>| PyArray::from_vec(py, values).unbind();
        Self {
            sets: of.sets,
            points: of.points,
            frequency: arrays::of_indices(py, rings().map(|ring| ring.frequency)).unbind(),
            power: list(rings().map(|ring| ring.power).collect()),
            anisotropy_db: list(
                rings()
                    .map(|ring| ring.anisotropy_db.unwrap_or(f64::NAN))
                    .collect(),
            ),
            low_frequency_power: of.low_frequency_power,
        }
    }
}

#[pymethods]
impl Spectrum {
    fn __repr__(&self) -> String {
        format!("<Spectrum: {} sets of {} points>", self.sets, self.points)
    }
}

/// Measures of how evenly points are spread, each explained in `docs/distribution.md`.
///
/// Lengths are in units of the mesh. Only points on the same side of a sheet are neighbours. Measures
/// that do not exist for so few points are None.
///
/// Attributes:
///     count: The number of points.
///     area: The area of the mesh.
///     spacing: The spacing that was given, or the closest pair.
///     min_distance: The distance of the closest pair.
///     mean_distance: The mean distance to the nearest point.
///     relative_radius: `min_distance` over that of a hexagonal lattice: 0 clumped, 1 a lattice.
///     coverage_ratio: A proven bound of the largest gap, in spacings; inf if a face has no point.
///     maximal: True if that is at most 1.001: no point could be added.
///     coverage_radius: The radius of the largest gap.
///     largest_gap: Its middle (x, y, z).
///     cell_variance: Variance of counts in equal areas: 1 random, 0.12 to 0.2 maximal sets.
///     bond_order: Mean order of six neighbours: 1 a hexagonal lattice.
///     farthest: The largest distance of a point from the mesh.
///     nearest: Distance of each point to its nearest (k,), float64; inf where there is none.
///     pair_distance: Distances (b,), float64, at which `pair_correlation` is given.
///     pair_correlation: Pairs at these distances relative to random points (b,); NaN if unknown.
///     spectrum: The `Spectrum`, if the mesh is a flat square.
#[pyclass(frozen, get_all, module = "mohawk_hair")]
pub struct Measures {
    count: usize,
    area: f64,
    spacing: f32,
    min_distance: Option<f64>,
    mean_distance: Option<f64>,
    relative_radius: Option<f64>,
    coverage_ratio: f64,
    maximal: bool,
    coverage_radius: Option<f64>,
    largest_gap: Option<[f32; 3]>,
    cell_variance: Option<f64>,
    bond_order: Option<f64>,
    farthest: f64,
    nearest: Py<PyArray1<f64>>,
    pair_distance: Py<PyArray1<f64>>,
    pair_correlation: Py<PyArray1<f64>>,
    spectrum: Option<Py<Spectrum>>,
}

#[pymethods]
impl Measures {
    fn __repr__(&self) -> String {
        let number = |value: Option<f64>| value.map_or("None".to_owned(), |v| format!("{v:.4}"));
        format!(
            "<Measures: {} points, min_distance {}, relative_radius {}, coverage_ratio {:.4}, maximal {}>",
            self.count,
            number(self.min_distance),
            number(self.relative_radius),
            self.coverage_ratio,
            if self.maximal { "True" } else { "False" },
        )
    }
}

struct All {
    distribution: Distribution,
    coverage: Coverage,
    nearest: Vec<f64>,
    spectrum: Option<distribution::Spectrum>,
}

/// Measures roots. `farthest` is the largest distance of a point from the surface.
pub fn measured(
    py: Python<'_>,
    scalp: Arc<Scalp>,
    roots: Arc<Roots>,
    farthest: Option<f64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Measures> {
    let spacing = roots.spacing;
    let all = run(py, progress, move |tell| {
        Ok::<_, SampleError>(All {
            distribution: analyse(&scalp, &roots, tell)?,
            coverage: certify(&scalp, &roots)?,
            nearest: nearest_distances(&roots)?,
            spectrum: unit_square(&scalp, &roots)
                .and_then(|points| distribution::spectrum(&[points])),
        })
    })?;
    let All {
        distribution,
        coverage,
        nearest,
        spectrum,
    } = all.map_err(failed)?;
    let list = |values: Vec<f64>| PyArray::from_vec(py, values).unbind();
    let pairs = distribution.pair_correlation.iter();
    let bins: Vec<_> = pairs
        .flat_map(|pairs| {
            pairs
                .bins
                .iter()
                .map(|bin| (bin.distance * pairs.unit, bin.g))
        })
        .collect();
    Ok(Measures {
        count: distribution.count,
        area: distribution.area,
        spacing,
        min_distance: distribution.nearest.min,
        mean_distance: distribution.nearest.mean,
        relative_radius: distribution.relative_radius,
        coverage_ratio: coverage.ratio_upper_bound,
        maximal: coverage.maximal,
        coverage_radius: distribution.largest_gap.map(|gap| gap.radius),
        largest_gap: distribution.largest_gap.map(|gap| gap.position.to_array()),
        cell_variance: distribution.cells.map(|cells| cells.relative),
        bond_order: distribution.bond_order,
        farthest: farthest.unwrap_or(0.0),
        nearest: list(nearest),
        pair_distance: list(bins.iter().map(|bin| bin.0).collect()),
        pair_correlation: list(bins.iter().map(|bin| bin.1.unwrap_or(f64::NAN)).collect()),
        spectrum: spectrum
            .map(|of| Py::new(py, Spectrum::new(py, &of)))
            .transpose()?,
    })
}

/// Measure how evenly points are spread over a mesh, however they were made.
///
/// Args:
///     points: Array (k, 3), on the mesh and in its units; at most 2,000,000.
///     vertices, faces: The mesh, as `sample` takes it.
///     normals: Normals of the points (k, 3), which tell the sides of thin sheets:
///         `Sample.face_normals`, or any.
///     density: Array (n,); faces whose corners are all 0 are left out.
///     spacing: The spacing to judge by; the closest pair if left out.
///     progress: Called with the finished share, 0 to 1.
///
/// Raises:
///     Error: Points off the mesh, or an array that cannot be used.
#[pyfunction]
#[pyo3(signature = (points, vertices, faces, *, normals=None, density=None, spacing=None, progress=None))]
#[allow(clippy::too_many_arguments)] // Keywords.
pub fn measure(
    py: Python<'_>,
    points: &Bound<'_, PyAny>,
    vertices: &Bound<'_, PyAny>,
    faces: &Bound<'_, PyAny>,
    normals: Option<&Bound<'_, PyAny>>,
    density: Option<&Bound<'_, PyAny>>,
    spacing: Option<f32>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Measures> {
    let positions = arrays::vectors("points", points)?;
    let normals = normals
        .map(|normals| arrays::vectors("normals", normals))
        .transpose()?;
    if let Some(normals) = normals
        .as_ref()
        .filter(|normals| normals.len() != positions.len())
    {
        let (points, normals) = (positions.len(), normals.len());
        return Err(Error::new_err(format!(
            "normals: there are {normals}, but {points} points"
        )));
    }
    if let Some(wrong) = spacing.filter(|&spacing| !(spacing > 0.0 && spacing.is_finite())) {
        return Err(Error::new_err(format!(
            "spacing = {wrong}: expected a length above 0"
        )));
    }
    let set = PointSet { positions, normals }.checked();
    let set = set.map_err(|error| crate::of("points")(error))?;
    let (scalp, _) = arrays::surface(py, vertices, faces, density, None)?;
    let scalp = Arc::new(scalp);
    let on = scalp.clone();
    let found = run(py, None, move |_| Roots::of_points(&on, &set, spacing))?;
    let found = found.map_err(|error| crate::of("points")(error))?;
    measured(
        py,
        scalp,
        Arc::new(found.roots),
        Some(found.farthest),
        progress,
    )
}

/// Return the mean power spectrum of sets of points in the unit square, each an array (k, 2).
///
/// Raises:
///     Error: A set with a point outside, or none off the border.
#[pyfunction]
#[pyo3(signature = (*sets))]
pub fn spectrum(py: Python<'_>, sets: &Bound<'_, PyTuple>) -> PyResult<Spectrum> {
    let read =
        |(nth, set): (usize, Bound<'_, PyAny>)| arrays::points_2d(&format!("set {nth}"), &set);
    let sets = sets
        .iter()
        .enumerate()
        .map(read)
        .collect::<PyResult<Vec<_>>>()?;
    if sets.is_empty() {
        return Err(PyTypeError::new_err("give one set of points or more"));
    }
    let found = run(py, None, move |_| distribution::spectrum(&sets).ok_or(()))?;
    let found = found.map_err(|()| {
        Error::new_err("each set must lie in the unit square, with a point off its border")
    })?;
    Ok(Spectrum::new(py, &found))
}
