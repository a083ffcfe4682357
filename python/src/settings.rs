//! Settings by their keys, as in a settings file.

use crate::{Error, failed};
use mohawk::Config;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

/// Lists in lists in a value, beyond which it has no end.
const DEEPEST: u32 = 8;

/// Keys and values, the values as they are written in a settings file.
pub type Settings = Vec<(String, String)>;

/// Returns keys and values of a dictionary.
pub fn written(settings: Option<&Bound<'_, PyDict>>) -> PyResult<Settings> {
    let items = settings.into_iter().flat_map(PyDictMethods::iter);
    items
        .map(|(key, value)| {
            let key: String = key.extract().map_err(|_| {
                PyTypeError::new_err(format!(
                    "settings: the key {key} is no text, such as \"sim.hold\""
                ))
            })?;
            let value = match value.cast::<PyString>() {
                Ok(text) => text.to_string(),
                Err(_) => toml(&key, &value, 0)?,
            };
            Ok((key, value))
        })
        .collect()
}

/// Returns settings, of which the solver comes first.
pub fn with_solver(
    solver: Option<&str>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Settings> {
    let solver = solver.map(|solver| ("sim.solver".to_owned(), solver.to_owned()));
    Ok(solver.into_iter().chain(written(settings)?).collect())
}

/// Returns a value as TOML.
fn toml(key: &str, value: &Bound<'_, PyAny>, depth: u32) -> PyResult<String> {
    if depth > DEEPEST {
        return Err(Error::new_err(format!(
            "{key}: it has lists in more than {DEEPEST} lists"
        )));
    }
    if let Ok(value) = value.cast::<PyBool>() {
        return Ok(value.is_true().to_string());
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(serde_json::Value::from(text.to_string()).to_string());
    }
    // Arrays and numbers of NumPy, of which some are numbers of Python too.
    if value.hasattr("tolist")? {
        return toml(key, &value.call_method0("tolist")?, depth + 1);
    }
    if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
        // Without digits: inf and nan, as in TOML.
        return Ok(value.call_method0("__repr__")?.to_string());
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let items = value.try_iter()?.map(|item| toml(key, &item?, depth + 1));
        return Ok(format!(
            "[{}]",
            items.collect::<PyResult<Vec<_>>>()?.join(", ")
        ));
    }
    if let Ok(table) = value.cast::<PyDict>() {
        let items = table.iter().map(|(name, item)| {
            let name = serde_json::Value::from(name.extract::<String>()?);
            Ok(format!("{name} = {}", toml(key, &item, depth + 1)?))
        });
        return Ok(format!(
            "{{ {} }}",
            items.collect::<PyResult<Vec<_>>>()?.join(", ")
        ));
    }
    let told = value.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "{key}: a {told} is no value of a setting"
    )))
}

/// Return all settings with their defaults, as the text of a settings file with the meaning and the
/// range of each.
#[pyfunction]
pub fn settings() -> PyResult<String> {
    Config::default().to_toml().map_err(failed)
}
