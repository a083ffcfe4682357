//! Arrays of NumPy, and errors that name them.

use crate::{Error, of};
use glam::{DMat4, DVec2, Vec3};
use mohawk::Scalp;
use mohawk::sim::Pose;
use mohawk::strands::Values;
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;

/// Returns the numbers of anything that NumPy makes an array of real numbers of, in C order, and the
/// shape. An aligned array of this type in this order is not copied before the numbers are read.
fn numbers<T: Element + Copy>(
    name: &str,
    value: &Bound<'_, PyAny>,
    kinds: &str,
) -> PyResult<(Vec<T>, Vec<usize>)> {
    let py = value.py();
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (value,))?;
    let shape = array.cast::<PyUntypedArray>()?.shape().to_vec();
    let kind: char = array.getattr("dtype")?.getattr("kind")?.extract()?;
    // An empty list has no kind of its own.
    if !kinds.contains(kind) && !shape.contains(&0) {
        let dtype = array.getattr("dtype")?;
        let wanted = if kinds.contains('f') {
            "numbers"
        } else {
            "integers"
        };
        return Err(PyTypeError::new_err(format!(
            "{name}: expected an array of {wanted}, not of {dtype}"
        )));
    }
    let needs = ["C_CONTIGUOUS", "ALIGNED"];
    let array = numpy.call_method1("require", (array, T::get_dtype(py), needs))?;
    let array = array.cast_into::<PyArrayDyn<T>>().map_err(PyErr::from)?;
    let mut numbers = Vec::new();
    if numbers.try_reserve_exact(array.len()).is_err() {
        let text = format!("{name}: its {} numbers do not fit into memory", array.len());
        return Err(PyMemoryError::new_err(text));
    }
    numbers.extend_from_slice(array.try_readonly()?.as_slice()?);
    Ok((numbers, shape))
}

/// Returns an error for whole numbers above 1 where shares are expected: they count to 255.
fn check_shares(name: &str, value: &Bound<'_, PyAny>, numbers: &[f32]) -> PyResult<()> {
    let array = value
        .py()
        .import("numpy")?
        .call_method1("asarray", (value,))?;
    let kind: char = array.getattr("dtype")?.getattr("kind")?.extract()?;
    match numbers.iter().find(|&&number| kind != 'f' && number > 1.0) {
        Some(number) => Err(Error::new_err(format!(
            "{name}: expected numbers from 0 to 1, not {number}; divide by 255"
        ))),
        None => Ok(()),
    }
}

/// Returns rows of `N` numbers.
pub fn rows<T: Element + Copy, const N: usize>(
    name: &str,
    value: &Bound<'_, PyAny>,
    kinds: &str,
) -> PyResult<Vec<[T; N]>> {
    let (numbers, shape) = numbers(name, value, kinds)?;
    match shape[..] {
        [_, columns] if columns == N => Ok(numbers.as_chunks().0.to_vec()),
        _ => Err(wrong_shape(name, &format!("(n, {N})"), &shape)),
    }
}

fn wrong_shape(name: &str, wanted: &str, shape: &[usize]) -> PyErr {
    let sides: Vec<String> = shape.iter().map(usize::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    Error::new_err(format!(
        "{name}: expected the shape {wanted}, not ({}{comma})",
        sides.join(", ")
    ))
}

/// Returns vectors of an array (n, 3).
pub fn vectors(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Vec3>> {
    let rows = rows::<f32, 3>(name, value, "fiu")?;
    Ok(rows.into_iter().map(Vec3::from).collect())
}

/// Returns points of an array (n, 2).
pub fn points_2d(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<DVec2>> {
    let rows = rows::<f64, 2>(name, value, "fiu")?;
    Ok(rows.into_iter().map(DVec2::from).collect())
}

/// Returns the strands of an array (n, k, 3).
pub fn strands(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<Vec3>>> {
    let (numbers, shape) = numbers::<f32>(name, value, "fiu")?;
    match shape[..] {
        [_, points @ 1..=usize::MAX, 3] => {
            let points = numbers.chunks_exact(3 * points);
            let strand = |points: &[f32]| {
                points
                    .as_chunks()
                    .0
                    .iter()
                    .copied()
                    .map(Vec3::from)
                    .collect()
            };
            Ok(points.map(strand).collect())
        }
        _ => Err(wrong_shape(name, "(strands, points, 3)", &shape)),
    }
}

/// Returns the counts and points of polylines: those of an array (strands, points, 3), or of (m, 3) with
/// counts.
pub fn polylines(
    points: &Bound<'_, PyAny>,
    counts: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Vec<u32>, Vec<[f32; 3]>)> {
    let (numbers, shape) = numbers::<f32>("points", points, "fiu")?;
    let points = || numbers.as_chunks().0.to_vec();
    let counts = counts.map(|counts| self::numbers::<i64>("counts", counts, "iu"));
    match (&shape[..], counts.transpose()?) {
        (&[strands, per, 3], None) => {
            let per = u32::try_from(per).map_err(of("points"))?;
            Ok((vec![per; strands], points()))
        }
        (&[_, 3], Some((counts, counts_shape))) if counts_shape.len() == 1 => {
            let whole = |&count: &i64| {
                let wrong = || Error::new_err(format!("counts: {count} is no number of points"));
                u32::try_from(count).map_err(|_| wrong())
            };
            let counts: PyResult<Vec<u32>> = counts.iter().map(whole).collect();
            Ok((counts?, points()))
        }
        (_, None) => Err(wrong_shape("points", "(strands, points, 3)", &shape)),
        (_, Some((_, counts))) if counts.len() != 1 => Err(wrong_shape("counts", "(n,)", &counts)),
        _ => Err(wrong_shape("points", "(m, 3)", &shape)),
    }
}

/// Returns values for all, for each of so many strands or for each of so many points.
pub fn values<const N: usize>(
    name: &str,
    value: Option<&Bound<'_, PyAny>>,
    [strands, points]: [usize; 2],
) -> PyResult<Values<[f32; N]>> {
    let Some(value) = value else {
        return Ok(Values::None);
    };
    let (numbers, shape) = numbers::<f32>(name, value, "fiu")?;
    let groups = numbers.as_chunks().0;
    let row = if N == 1 { &[][..] } else { &[N] };
    let values = match groups {
        &[all] if shape == row => Values::All(all),
        _ if shape == [&[strands], row].concat() => Values::Strands(groups.to_vec()),
        _ if shape == [&[points], row].concat() => Values::Points(groups.to_vec()),
        _ => {
            let lanes = if N == 1 {
                String::new()
            } else {
                format!(" {N}")
            };
            let wanted = format!("({strands},{lanes}) or ({points},{lanes})");
            return Err(wrong_shape(name, &wanted, &shape));
        }
    };
    if name != "widths" {
        check_shares(name, value, &numbers)?;
    }
    Ok(values)
}

/// Returns yes or no for each of a list.
pub fn flags(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<bool>> {
    let (numbers, shape) = numbers::<i64>(name, value, "biu")?;
    match shape.len() {
        1 => Ok(numbers.into_iter().map(|number| number != 0).collect()),
        _ => Err(wrong_shape(name, "(n,)", &shape)),
    }
}

/// Returns an array of as many numbers, of which a single one may stand for all.
pub fn scalars(name: &str, value: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<f32>> {
    let (numbers, shape) = numbers(name, value, "fiu")?;
    match (shape.len(), &numbers[..]) {
        (0, [one]) => Ok(vec![*one; count]),
        (1, all) if all.len() == count => Ok(numbers),
        _ => Err(wrong_shape(name, &format!("({count},)"), &shape)),
    }
}

/// Returns the corners of triangles of an array (m, 3) of any integers.
pub fn triangles(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<[u32; 3]>> {
    let rows = rows::<i64, 3>(name, value, "iu")?;
    let corners = rows.iter().enumerate().map(|(row, &corners)| {
        let [a, b, c] = corners.map(|corner| u32::try_from(corner).ok());
        let whole = a.zip(b).zip(c).map(|((a, b), c)| [a, b, c]);
        whole.ok_or_else(|| {
            Error::new_err(format!(
                "{name}: row {row} has a corner that is no index: {corners:?}"
            ))
        })
    });
    corners.collect()
}

/// Returns the pose of a matrix (4, 4) from head to world space, decimetres, the translation in the
/// last column.
pub fn pose(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Pose> {
    let (numbers, shape) = numbers::<f64>(name, value, "fiu")?;
    match (&shape[..], <&[f64; 16]>::try_from(&numbers[..])) {
        ([4, 4], Ok(rows)) => pose_of(rows).map_err(of(name)),
        _ => Err(wrong_shape(name, "(4, 4)", &shape)),
    }
}

/// Returns the poses of an array (frames, 4, 4).
pub fn poses(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Pose>> {
    let (numbers, shape) = numbers::<f64>(name, value, "fiu")?;
    if !matches!(shape[..], [1..=usize::MAX, 4, 4]) {
        return Err(wrong_shape(name, "(frames, 4, 4)", &shape));
    }
    let rows = numbers.as_chunks::<16>().0.iter().enumerate();
    let poses = rows.map(|(frame, rows)| pose_of(rows).map_err(of(&format!("{name}[{frame}]"))));
    poses.collect()
}

fn pose_of(rows: &[f64; 16]) -> Result<Pose, mohawk::sim::PoseError> {
    Pose::of_matrix(&DMat4::from_cols_array(rows).transpose())
}

/// Returns a matrix, the translation in the last column, as [`pose()`] reads it.
pub fn of_matrix(py: Python<'_>, matrix: DMat4) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let rows = matrix.transpose().to_cols_array();
    PyArray1::from_slice(py, &rows).reshape([4, 4])
}

/// Returns an array of rows.
pub fn of_rows<'py, const N: usize>(
    py: Python<'py>,
    rows: &[[f32; N]],
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    PyArray1::from_slice(py, rows.as_flattened()).reshape([rows.len(), N])
}

/// Returns an array of values, as [`values`] reads it; `None` without values.
pub fn of_values<const N: usize>(
    py: Python<'_>,
    values: &Values<[f32; N]>,
) -> PyResult<Option<Py<PyArrayDyn<f32>>>> {
    let Some((is_many, groups)) = values.scoped([false, true, true]) else {
        return Ok(None);
    };
    let rows = is_many.then_some(groups.len());
    let shape: Vec<usize> = rows.into_iter().chain((N > 1).then_some(N)).collect();
    let array = PyArray1::from_slice(py, groups.as_flattened());
    Ok(Some(array.reshape(shape)?.unbind()))
}

/// Returns an array of vectors, which takes over the numbers.
pub fn of_vectors<'py>(py: Python<'py>, vectors: &[Vec3]) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let numbers: Vec<f32> = vectors.iter().flat_map(Vec3::to_array).collect();
    PyArray::from_vec(py, numbers).reshape([vectors.len(), 3])
}

/// Returns an array of indices.
pub fn of_indices<'py>(
    py: Python<'py>,
    indices: impl IntoIterator<Item = u32>,
) -> Bound<'py, PyArray1<i64>> {
    PyArray::from_vec(py, indices.into_iter().map(i64::from).collect())
}

/// Returns an array of the corners of triangles.
pub fn of_triangles<'py>(
    py: Python<'py>,
    triangles: &[[u32; 3]],
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    of_indices(py, triangles.iter().flatten().copied()).reshape([triangles.len(), 3])
}

/// Returns the surface of a mesh, and the numbers of its triangles for the caller.
pub fn surface(
    py: Python<'_>,
    vertices: &Bound<'_, PyAny>,
    faces: &Bound<'_, PyAny>,
    density: Option<&Bound<'_, PyAny>>,
    normals: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Scalp, Vec<u32>)> {
    let vertices = vectors("vertices", vertices)?;
    let faces = triangles("faces", faces)?;
    let normals = normals.map(|normals| vectors("normals", normals));
    let count = vertices.len();
    let density = density.map(|density| {
        let numbers = scalars("density", density, count)?;
        check_shares("density", density, &numbers)?;
        PyResult::Ok(numbers)
    });
    let (normals, density) = (normals.transpose()?, density.transpose()?);
    py.detach(|| {
        let scalp = Scalp::of_mesh(vertices, normals, faces.clone(), density)?;
        let numbers = scalp.numbers_in(&faces);
        Ok((scalp, numbers))
    })
    .map_err(|error: mohawk::scalp::ScalpError| of("the mesh")(error))
}

/// Returns the shape of the array of points of a simulation.
pub fn shape(simulation: &mohawk::Simulation) -> [usize; 3] {
    [simulation.strand_count(), simulation.strand_particles(), 3]
}

/// Returns the points after the last step.
pub fn particles(simulation: &mohawk::Simulation) -> Vec<[f32; 3]> {
    let mut points = Vec::new();
    simulation.write_particles(1.0, &mut points);
    points.into_iter().map(|[x, y, z, _]| [x, y, z]).collect()
}
