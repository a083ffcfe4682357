//! The library for Python: the module under the package `mohawk_hair`.
//!
//! `python/package/mohawk_hair/__init__.py` names what people see, and `_mohawk.pyi` has its types. Here are
//! borders only: arrays and names in, arrays out, the errors of the library as exceptions.

mod arrays;
mod groom;
mod hair;
mod head;
mod measures;
mod render;
mod roots;
mod scene;
mod settings;
mod simulation;
mod strands;
mod work;

use pyo3::create_exception;
use pyo3::exceptions::{PyFileNotFoundError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::error::Error as StdError;
use std::ops::RangeInclusive;
use std::path::PathBuf;

create_exception!(
    mohawk_hair,
    Error,
    PyValueError,
    "A file, a setting or an array that cannot be used. The text names it and says what to do."
);
create_exception!(
    mohawk_hair,
    GraphicsError,
    PyRuntimeError,
    "A picture that cannot be drawn here: there is no OpenGL 3.3, or the driver refuses."
);

/// Returns the exception of an error, with the texts of its causes.
fn failed(error: impl StdError) -> PyErr {
    Error::new_err(mohawk::embed::with_causes(error))
}

/// Returns an exception that begins with the name of an argument, for `map_err`.
fn of<E: std::fmt::Display>(name: &str) -> impl FnOnce(E) -> PyErr {
    move |problem| Error::new_err(format!("{name}: {problem}"))
}

/// Returns the path of a file or a folder that exists.
fn found(path: PathBuf) -> PyResult<PathBuf> {
    match path.exists() {
        true => Ok(path),
        false => Err(PyFileNotFoundError::new_err(format!(
            "{}: there is no such file. Check the path",
            path.display()
        ))),
    }
}

/// Returns the number of an argument of this name, if it is in range.
fn within(name: &str, given: i64, range: RangeInclusive<u32>) -> PyResult<u32> {
    let number = u32::try_from(given).ok();
    number
        .filter(|number| range.contains(number))
        .ok_or_else(|| {
            let (least, most) = range.into_inner();
            Error::new_err(format!("{name} = {given}: expected {least} to {most}"))
        })
}

#[pymodule]
mod _mohawk {
    use super::*;

    #[pymodule_export]
    use super::hair::Groom;
    #[pymodule_export]
    use super::head::{Head, Surface, models, presets};
    #[pymodule_export]
    use super::measures::{Measures, Spectrum, measure, spectrum};
    #[pymodule_export]
    use super::render::render;
    #[pymodule_export]
    use super::roots::{Sample, methods, sample};
    #[pymodule_export]
    use super::scene::{scenes, solvers};
    #[pymodule_export]
    use super::settings::settings;
    #[pymodule_export]
    use super::simulation::Simulation;
    #[pymodule_export]
    use super::strands::{Strands, read_strands, write_strands};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add("Error", py.get_type::<Error>())?;
        module.add("GraphicsError", py.get_type::<GraphicsError>())?;
        module.add("NECK", mohawk::sim::NECK.to_array())?;
        module.add("STEP_SECONDS", mohawk::sim::STEP_SECS)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
