//! Arrays of JavaScript, and errors that name them.

use glam::Vec3;
use std::fmt::Display;
use wasm_bindgen::JsError;

/// Returns an error with a text.
pub fn error(text: impl Display) -> JsError {
    JsError::new(&text.to_string())
}

/// Returns the conversion of errors to those that begin with a name, for `map_err`.
pub fn of<E: Display>(name: impl Display) -> impl FnOnce(E) -> JsError {
    move |problem| error(format!("{name}: {problem}"))
}

/// Returns the vectors of a list of numbers, three for each.
pub fn vectors(name: &str, numbers: &[f32]) -> Result<Vec<Vec3>, JsError> {
    let threes = threes(name, numbers)?;
    Ok(threes.iter().copied().map(Vec3::from).collect())
}

/// Returns the numbers of a list, three by three.
pub fn threes<'a, T>(name: &str, numbers: &'a [T]) -> Result<&'a [[T; 3]], JsError> {
    match numbers.as_chunks() {
        (threes, []) => Ok(threes),
        _ => Err(error(format!(
            "{name}: it has {} numbers, which cannot be divided by 3",
            numbers.len()
        ))),
    }
}

/// Returns the numbers of vectors.
pub fn numbers(vectors: &[Vec3]) -> Vec<f32> {
    vectors.iter().flat_map(Vec3::to_array).collect()
}
