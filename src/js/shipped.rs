//! The files that ship with the package, which it fetches when somebody asks for them.

use mohawk::files;
use mohawk::head::ShippedModel;
use mohawk::presets::Preset;
use mohawk::sim::{NECK, SolverKind};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// Returns the version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Returns the names of the presets.
#[wasm_bindgen]
pub fn presets() -> Vec<String> {
    Preset::shipped_names().map(str::to_owned).collect()
}

/// Returns the names of the solvers.
#[wasm_bindgen]
pub fn solvers() -> Vec<String> {
    SolverKind::ALL
        .map(|solver| solver.name().to_owned())
        .into()
}

/// Returns the joint that heads turn about, head space, decimetres.
#[wasm_bindgen]
pub fn neck() -> Vec<f64> {
    NECK.to_array().into()
}

/// Returns the paths of the files that a preset still needs.
#[wasm_bindgen]
pub fn missing_of_preset(name: &str) -> Result<Vec<String>, JsError> {
    Ok(owned(Preset::find(name)?.missing_files()))
}

/// Returns the paths of the files that a model still needs.
#[wasm_bindgen]
pub fn missing_of_model(name: &str) -> Result<Vec<String>, JsError> {
    Ok(owned(shipped_model(name)?.missing_files()))
}

/// Returns the name of the model that a preset is made for.
#[wasm_bindgen]
pub fn model_of_preset(name: &str) -> Result<String, JsError> {
    Ok(Preset::find(name)?.model()?.name().into_owned())
}

/// Takes a file by its path in the folder `models`.
#[wasm_bindgen]
pub fn provide(path: &str, bytes: Vec<u8>) {
    files::provide_file(path, bytes);
}

/// Returns the model that ships in a file of this name.
pub fn shipped_model(name: &str) -> Result<ShippedModel, JsError> {
    ShippedModel::named(name).ok_or_else(|| {
        let known: Vec<&str> = ShippedModel::names().collect();
        JsError::new(&format!(
            "no model {name:?} ships with the package; there are {}",
            known.join(", ")
        ))
    })
}

fn owned<'a>(paths: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    paths.into_iter().map(str::to_owned).collect()
}
