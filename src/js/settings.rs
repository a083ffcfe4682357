//! Settings by their keys, as in a settings file.

use crate::arrays::error;
use mohawk::Config;
use wasm_bindgen::JsError;

/// Sets the settings of some sections. The list has keys and values by turns.
pub fn apply(config: &mut Config, list: &[String], sections: &[&str]) -> Result<(), JsError> {
    for [key, value] in list.as_chunks().0 {
        config.set(key, value)?;
        let section = key.split('.').next().unwrap_or_default();
        if !sections.contains(&section) {
            let sections = sections.join(", ");
            return Err(error(format!(
                "{key} = {value}: it cannot be set here; the sections that can are {sections}"
            )));
        }
    }
    Ok(())
}
