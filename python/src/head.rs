//! Heads.

use crate::hair::Groom;
use crate::roots::{Sample, options};
use crate::settings::written;
use crate::work::run;
use crate::{Error, arrays, failed, found};
use mohawk::embed::{OpenHead, StyleSource};
use mohawk::head::{Model, Part, ShippedModel};
use mohawk::presets::Preset;
use numpy::PyArray2;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;

/// Return the names of the presets that ship.
#[pyfunction]
pub fn presets() -> Vec<&'static str> {
    Preset::shipped_names().collect()
}

/// Return the names of the models that ship.
#[pyfunction]
pub fn models() -> Vec<&'static str> {
    ShippedModel::names().collect()
}

/// A surface of a head, to draw.
///
/// Attributes:
///     name: The name of the part.
///     vertices: Array (n, 3), float32, head space, decimetres.
///     normals: Unit normals (n, 3), float32.
///     faces: Array (m, 3), int64.
///     color: Linear RGBA of its material.
#[pyclass(frozen, get_all, module = "mohawk_hair")]
pub struct Surface {
    name: String,
    vertices: Py<PyArray2<f32>>,
    normals: Py<PyArray2<f32>>,
    faces: Py<PyArray2<i64>>,
    color: [f32; 4],
}

#[pymethods]
impl Surface {
    fn __repr__(&self) -> String {
        format!("<Surface {:?}>", self.name)
    }
}

/// A head that hair grows on.
///
/// Args:
///     path: A file: glTF, COLLADA, FBX, OBJ, PLY, STL or USD. Without it, the head that ships.
///     model: One of `models()` instead.
///     settings: Settings of `head` by their keys, for example {"head.paint": "auto"}.
///
/// Raises:
///     FileNotFoundError: There is no such file.
///     Error: The file cannot be used; the text names what is wrong in it.
#[pyclass(frozen, module = "mohawk_hair")]
pub struct Head {
    pub open: Arc<OpenHead>,
}

impl Head {
    fn read(py: Python<'_>, model: Model, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let settings = written(settings)?;
        let open = run(py, None, move |_| OpenHead::read(model, &settings))?;
        let open = Arc::new(open.map_err(failed)?);
        Ok(Self { open })
    }
}

#[pymethods]
impl Head {
    #[new]
    #[pyo3(signature = (path=None, *, model=None, settings=None))]
    fn new(
        py: Python<'_>,
        path: Option<PathBuf>,
        model: Option<&str>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let model = match (path, model) {
            (Some(_), Some(_)) => return Err(PyTypeError::new_err("give path or model, not both")),
            (Some(path), None) => Model::File(found(path)?),
            (None, None) => Model::default(),
            (None, Some(name)) => Model::Shipped(ShippedModel::named(name).ok_or_else(|| {
                let known = models().join(", ");
                Error::new_err(format!("no model {name:?} ships; there are {known}"))
            })?),
        };
        Self::read(py, model, settings)
    }

    /// Read the model that a preset is made for.
    #[staticmethod]
    #[pyo3(signature = (preset, *, settings=None))]
    fn of_preset(
        py: Python<'_>,
        preset: &str,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let model = Preset::find(preset)
            .map_err(failed)?
            .model()
            .map_err(failed)?;
        Self::read(py, model, settings)
    }

    /// The name of the file without its extension.
    #[getter]
    fn name(&self) -> &str {
        &self.open.head().name
    }

    /// The licence in the file, or None.
    #[getter]
    fn licence(&self) -> Option<&str> {
        self.open.head().licence.as_deref()
    }

    /// Problems that did not stop the load.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.open.head().warnings.clone()
    }

    /// The matrix (4, 4), float64, to head space from the file, in the units and axes of `Groom.save`.
    #[getter]
    fn matrix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        arrays::of_matrix(py, self.open.head().units.native_matrix())
    }

    /// Decimetres per unit of the file, or per metre of USD, COLLADA and FBX.
    #[getter]
    fn scale(&self) -> f32 {
        self.open.head().units.scale
    }

    /// The origin of head space in the file, turned so that +Y is up and the face looks along +Z; in metres
    /// of USD, COLLADA and FBX.
    #[getter]
    fn centre(&self) -> [f32; 3] {
        self.open.head().units.centre.to_array()
    }

    /// The surfaces of the head: a list of `Surface`. Each access makes new arrays.
    #[getter]
    fn parts(&self, py: Python<'_>) -> PyResult<Vec<Surface>> {
        let head = self.open.head();
        let parts = head.parts.iter().filter(|part| !part.triangles.is_empty());
        let surface = |part: &Part| {
            let material = head.materials.get(part.material);
            Ok(Surface {
                name: part.name.clone(),
                vertices: arrays::of_vectors(py, &part.positions)?.unbind(),
                normals: arrays::of_vectors(py, &part.normals)?.unbind(),
                faces: arrays::of_triangles(py, &part.triangles)?.unbind(),
                color: material.map_or([1.0; 4], |material| material.base_color),
            })
        };
        parts.map(surface).collect()
    }

    /// Spread points over the painted skin, as `mohawk_hair.sample` does; lengths are decimetres.
    ///
    /// Raises:
    ///     Error: Nothing is painted, or a value is out of range.
    #[pyo3(signature = (*, count=None, radius=None, method=None, seed=None, progress=None))]
    fn sample(
        &self,
        py: Python<'_>,
        count: Option<i64>,
        radius: Option<f64>,
        method: Option<&str>,
        seed: Option<i128>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Sample> {
        let options = options(count, radius, method, seed)?;
        let open = self.open.clone();
        let sampled = run(py, progress, move |tell| {
            Ok::<_, mohawk::embed::EmbedError>((open.scalp()?, open.roots(&options, tell)?))
        })?;
        let (scalp, roots) = sampled.map_err(failed)?;
        let own: Vec<u32> = (0..scalp.triangles().len() as u32).collect();
        Sample::new(py, Arc::new(scalp), roots, &own)
    }

    /// Grow hair: a preset, the style in a `.mohawk` file, the strands in a file of another program, or
    /// the default.
    ///
    /// Args:
    ///     preset: One of `presets()`, or the name of one of your own.
    ///     style: A `.mohawk` file instead.
    ///     strands: A file that `read_strands` reads instead. At least half of its roots must lie on the
    ///         skin, in the units and axes of the model or in usual ones.
    ///     settings: Settings of `roots`, `groom`, `sim`, `look` and `view` by their keys, for example
    ///         {"roots.strands": 1000, "groom.stack": [{"curl": {"angle_deg": 50}}]}.
    ///     progress: Called with the finished share, 0 to 1.
    #[pyo3(signature = (*, preset=None, style=None, strands=None, settings=None, progress=None))]
    fn grow(
        &self,
        py: Python<'_>,
        preset: Option<String>,
        style: Option<PathBuf>,
        strands: Option<PathBuf>,
        settings: Option<&Bound<'_, PyDict>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Groom> {
        let given = [preset.is_some(), style.is_some(), strands.is_some()];
        if given.into_iter().filter(|given| *given).count() > 1 {
            return Err(PyTypeError::new_err(
                "give one of preset, style and strands",
            ));
        }
        let style = style.map(found).transpose()?;
        let strands = strands.map(found).transpose()?;
        let settings = written(settings)?;
        let open = self.open.clone();
        let hair = run(py, progress, move |tell| {
            let source = match (&preset, &style, &strands) {
                (Some(name), ..) => StyleSource::Preset(name),
                (_, Some(path), _) => StyleSource::File(path),
                (_, _, Some(path)) => StyleSource::Strands(path),
                (None, None, None) => StyleSource::Default,
            };
            open.grow(source, &settings, tell)
        })?;
        let hair = Arc::new(hair.map_err(failed)?);
        Ok(Groom { hair })
    }

    fn __repr__(&self) -> String {
        let head = self.open.head();
        format!(
            "<Head {:?}: {} triangles>",
            head.name,
            head.triangle_count()
        )
    }
}
