//! Parts of JSON text, parsed level by level. The text of everything that is not edited stays:
//! numbers keep all their digits.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Result;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::BTreeMap;

/// An object with unparsed values.
pub type Object = BTreeMap<String, Box<RawValue>>;
/// A list of unparsed items.
pub type List = Vec<Box<RawValue>>;

/// Edits the value of a key; a missing one is empty.
pub fn edit<T: DeserializeOwned + Default + Serialize>(
    object: &mut Object,
    key: &str,
    change: impl FnOnce(&mut T) -> Result<()>,
) -> Result<()> {
    let mut value = match object.get(key) {
        Some(raw) => serde_json::from_str(raw.get())?,
        None => T::default(),
    };
    change(&mut value)?;
    set(object, key, &value)
}

/// Edits the value of a key, if it exists.
pub fn edit_existing<T: DeserializeOwned + Default + Serialize>(
    object: &mut Object,
    key: &str,
    change: impl FnOnce(&mut T) -> Result<()>,
) -> Result<()> {
    match object.contains_key(key) {
        true => edit(object, key, change),
        false => Ok(()),
    }
}

/// Edits the object at `index` of a list, if it exists.
pub fn edit_item(
    list: &mut List,
    index: usize,
    change: impl FnOnce(&mut Object) -> Result<()>,
) -> Result<()> {
    let Some(item) = list.get_mut(index) else {
        return Ok(());
    };
    let mut object = serde_json::from_str(item.get())?;
    change(&mut object)?;
    *item = to_raw_value(&object)?;
    Ok(())
}

/// Sets the value of a key.
pub fn set(object: &mut Object, key: &str, value: impl Serialize) -> Result<()> {
    object.insert(key.to_owned(), to_raw_value(&value)?);
    Ok(())
}
