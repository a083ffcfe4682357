//! Differences between tables of settings, and putting them together.

use toml::{Table, Value};

/// Returns `base` with the values of `read` whose keys are `written`.
pub(super) fn overlay(written: &Table, read: &Table, mut base: Table) -> Table {
    for (key, written) in written {
        match (written, read.get(key), base.get_mut(key)) {
            (Value::Table(written), Some(Value::Table(read)), Some(Value::Table(base))) => {
                *base = overlay(written, read, std::mem::take(base));
            }
            (_, Some(read), _) => _ = base.insert(key.clone(), read.clone()),
            // The version, and the name of a look.
            (_, None, _) => {}
        }
    }
    base
}

/// Adds the keys of `current` whose values differ from those in `base`, with `section` before them.
pub(super) fn differences(
    section: &str,
    base: &Table,
    current: &Table,
    found: &mut Vec<(String, String)>,
) {
    let empty = Table::new();
    for (key, value) in current {
        let key = format!("{section}{key}");
        match (base.get(&key[section.len()..]), value) {
            (before, Value::Table(value)) => {
                let before = before.and_then(Value::as_table).unwrap_or(&empty);
                differences(&format!("{key}."), before, value, found);
            }
            (Some(before), value) if before == value => {}
            // A word needs no quotes where it cannot be taken for something else.
            (_, Value::String(word)) if format!("value = {word}").parse::<Table>().is_err() => {
                found.push((key, word.clone()));
            }
            (_, value) => found.push((key, value.to_string())),
        }
    }
}

/// Returns `new` with the values of `current` that differ from those of `base`. Tables are merged
/// key by key. A missing key counts as a value.
pub(super) fn merge(base: &Table, current: &Table, mut new: Table) -> Table {
    let empty = Table::new();
    for key in base.keys().chain(current.keys()) {
        match (base.get(key), current.get(key), new.get_mut(key)) {
            (base, Some(Value::Table(current)), Some(Value::Table(new))) => {
                let base = base.and_then(Value::as_table).unwrap_or(&empty);
                *new = merge(base, current, std::mem::take(new));
            }
            (base, current, _) if base == current => {}
            (_, Some(current), _) => _ = new.insert(key.clone(), current.clone()),
            (_, None, _) => _ = new.remove(key),
        }
    }
    new
}
