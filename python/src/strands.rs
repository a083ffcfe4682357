//! Files of strands.

use crate::work::run;
use crate::{Error, arrays, failed, found, within};
use mohawk::head::{Limits, Up};
use mohawk::settings::Choice;
use mohawk::strands::{Form, Format, Shape, Strands as FileStrands, StrandsFile};
use numpy::{PyArray, PyArray1, PyArray2, PyArrayDyn};
use pyo3::prelude::*;
use std::path::PathBuf;

/// Strands in the space of a file.
///
/// Attributes:
///     counts: The number of points of each strand (n,), int64, at least 2.
///     points: The points of all strands (m, 3), float32, strand after strand, root first, in the units
///         and axes of the file. `numpy.split(points, counts.cumsum()[:-1])` are the strands.
///     widths: Diameters in the units of the file, float32: one for all (), for each strand (n,) or for
///         each point (m,), or None.
///     opacities: Opacities, 0 to 1, like `widths`.
///     colors: Colours, sRGB, 0 to 1, float32: (3,), (n, 3) or (m, 3), or None.
///     root_uvs: Texture coordinates of the skin at the roots (n, 2), float32, v up, or None.
///     guides: True for strands that others follow (n,), bool, or None.
///     up: The direction that is up in the file, "y", "-y", "z", "-z", "x" or "-x", or None.
///     unit_metres: The length of a unit in metres, or None.
///     frames: The number of frames of the file: 1 without a motion.
///     fps: The frames per second of a motion, or None.
///     notes: What was left out of the file.
#[pyclass(frozen, get_all, module = "mohawk_hair")]
pub struct Strands {
    counts: Py<PyArray1<i64>>,
    points: Py<PyArray2<f32>>,
    widths: Option<Py<PyArrayDyn<f32>>>,
    opacities: Option<Py<PyArrayDyn<f32>>>,
    colors: Option<Py<PyArrayDyn<f32>>>,
    root_uvs: Option<Py<PyArray2<f32>>>,
    guides: Option<Py<PyArray1<bool>>>,
    up: Option<&'static str>,
    unit_metres: Option<f64>,
    frames: usize,
    fps: Option<f64>,
    notes: Vec<String>,
}

#[pymethods]
impl Strands {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.counts.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let points = self.points.bind(py).len()?;
        Ok(format!(
            "<Strands: {} of {points} points>",
            self.__len__(py)?
        ))
    }
}

/// Read the strands of a file in any format of `mohawk convert`: .hair, .tfx, .data, USD, Alembic, glTF
/// lines, .npz, .obj or .ply. They stay in the space of the file.
///
/// Args:
///     path: The file.
///     frame: The frame of a motion that is read, from 0. Without one, the strands that have no time, or
///         the first frame.
///
/// Raises:
///     FileNotFoundError: There is no such file.
///     Error: The file is damaged, has no strands or no such frame, or is of an unknown format.
#[pyfunction]
#[pyo3(signature = (path, frame=None))]
pub fn read_strands(py: Python<'_>, path: PathBuf, frame: Option<i64>) -> PyResult<Strands> {
    let path = found(path)?;
    let whole = |frame| {
        let wrong = |_| Error::new_err(format!("frame = {frame}: expected 0 or more"));
        usize::try_from(frame).map_err(wrong)
    };
    let frame = frame.map(whole).transpose()?;
    let read = run(py, None, move |_| {
        let (file, (still, notes)) = StrandsFile::open(&path, &Limits::default())?;
        let strands = frame.map_or(Ok(still), |frame| file.frame(frame))?;
        Ok((strands, notes, file.frames, file.fps))
    })?;
    let (strands, notes, frames, fps) =
        read.map_err(|error: mohawk::strands::StrandsError| failed(error))?;
    let uvs = (!strands.root_uvs.is_empty()).then_some(&strands.root_uvs);
    let guides = (!strands.guides.is_empty()).then_some(&strands.guides);
    Ok(Strands {
        counts: arrays::of_indices(py, strands.counts.iter().copied()).unbind(),
        points: arrays::of_rows(py, &strands.points)?.unbind(),
        widths: arrays::of_values(py, &strands.widths.map(|width| [width]))?,
        opacities: arrays::of_values(py, &strands.opacities.map(|share| [share]))?,
        colors: arrays::of_values(py, &strands.colors)?,
        root_uvs: uvs
            .map(|uvs| arrays::of_rows(py, uvs))
            .transpose()?
            .map(Bound::unbind),
        guides: guides.map(|guides| PyArray::from_slice(py, guides).unbind()),
        up: strands.up.map(Up::name),
        unit_metres: strands.unit_metres,
        frames,
        fps: (frames > 1).then_some(fps),
        notes,
    })
}

/// Write strands to a file, whose extension tells the format. Positions keep their bits, but for formats
/// that have units and axes of their own. `Groom.save` writes hair, which is in another space.
///
/// Args:
///     path: A file; see `read_strands`.
///     points: Array (strands, points, 3), root first, or (m, 3) with `counts`, in your units.
///     counts: The number of points of each strand (n,), 2 or more.
///     widths, opacities: A number for all, or arrays (n,) of strands or (m,) of points.
///     colors: sRGB, 0 to 1: (3,), (n, 3) or (m, 3).
///     root_uvs: Texture coordinates of the skin at the roots (n, 2), v up.
///     guides: True for strands that others follow (n,).
///     up: The direction that is up: "y", "-y", "z", "-z", "x" or "-x".
///     unit_metres: The length of your unit in metres.
///     mesh: The form of strands in .glb: "lines", "ribbons", "tubes" or "cards".
///     cards: The number of cards, by default a thirtieth of the number of strands.
///     texture: The side of the texture of cards, 64 to 8192 texels.
///
/// Returns:
///     The names of what the format does not keep.
///
/// Raises:
///     Error: The arrays do not fit each other or the format, or the file cannot be written.
#[pyfunction]
#[pyo3(signature = (path, points, counts=None, *, widths=None, opacities=None, colors=None,
    root_uvs=None, guides=None, up=None, unit_metres=None, mesh="lines", cards=None, texture=2048))]
#[allow(clippy::too_many_arguments)]
pub fn write_strands(
    py: Python<'_>,
    path: PathBuf,
    points: &Bound<'_, PyAny>,
    counts: Option<&Bound<'_, PyAny>>,
    widths: Option<&Bound<'_, PyAny>>,
    opacities: Option<&Bound<'_, PyAny>>,
    colors: Option<&Bound<'_, PyAny>>,
    root_uvs: Option<&Bound<'_, PyAny>>,
    guides: Option<&Bound<'_, PyAny>>,
    up: Option<&str>,
    unit_metres: Option<f64>,
    mesh: &str,
    cards: Option<i64>,
    texture: i64,
) -> PyResult<Vec<&'static str>> {
    let form = form(mesh, cards, texture)?;
    let (counts, points) = arrays::polylines(points, counts)?;
    let sizes = [counts.len(), points.len()];
    if let Some(unit) = unit_metres
        && !(unit.is_normal() && unit > 0.0)
    {
        return Err(Error::new_err(format!(
            "unit_metres = {unit}: expected a length above 0"
        )));
    }
    let strands = FileStrands {
        widths: arrays::values("widths", widths, sizes)?.map(|[width]| width),
        opacities: arrays::values("opacities", opacities, sizes)?.map(|[share]| share),
        colors: arrays::values("colors", colors, sizes)?,
        root_uvs: root_uvs
            .map(|uvs| arrays::rows("root_uvs", uvs, "fiu"))
            .transpose()?
            .unwrap_or_default(),
        guides: guides
            .map(|guides| arrays::flags("guides", guides))
            .transpose()?
            .unwrap_or_default(),
        up: up
            .map(|up| Up::named("up", up))
            .transpose()
            .map_err(failed)?,
        unit_metres,
        counts,
        points,
    };
    let saved = run(py, None, move |_| {
        strands.save(&path, form, None)?;
        let format = Format::of_path(&path);
        Ok(format.map_or(Vec::new(), |format| format.losses(&strands, form.shape)))
    })?;
    saved.map_err(|error: mohawk::strands::StrandsError| failed(error))
}

/// Returns the form of strands in files of meshes.
pub fn form(mesh: &str, cards: Option<i64>, texture: i64) -> PyResult<Form> {
    let cards = cards.map(|cards| within("cards", cards, Form::CARDS));
    Ok(Form {
        shape: Shape::named("mesh", mesh).map_err(failed)?,
        cards: cards.transpose()?,
        texture: within("texture", texture, Form::TEXTURES)?,
    })
}
