use super::*;
use crate::Config;
use toml::{Table, Value};

/// Every `section.key` of a table, sections included.
fn paths(table: &Table, prefix: &str, out: &mut Vec<String>) {
    for (name, value) in table {
        let path = format!("{prefix}{name}");
        match value {
            Value::Table(inner) => paths(inner, &format!("{path}."), out),
            _ => out.push(path),
        }
    }
}

#[test]
fn every_setting_has_a_meaning_and_every_meaning_a_setting() {
    let table = Table::try_from(Config::default()).unwrap();
    let mut written = Vec::new();
    paths(&table, "", &mut written);
    for path in &written {
        assert!(
            KEYS.iter().any(|key| key.path == path),
            "{path} has no meaning"
        );
    }
    for key in KEYS {
        let section = format!("{}.", key.path);
        let known = written
            .iter()
            .any(|path| path == key.path || path.starts_with(&section));
        assert!(known || key.example.is_some(), "{} is no setting", key.path);
    }
}

/// `0.01 to 10` in a meaning.
fn range(meaning: &str) -> Option<(f64, f64)> {
    let words: Vec<&str> = meaning.split([' ', ',', ';']).collect();
    words.windows(3).find_map(|words| match words {
        [min, "to", max] => Some((min.parse().ok()?, max.parse().ok()?)),
        _ => None,
    })
}

/// What a file with this one setting comes to.
fn try_value(path: &str, value: f64) -> Result<Config, String> {
    let (section, key) = path.rsplit_once('.').unwrap();
    let value = match key {
        "strands" | "strand_particles" => format!("{value:.0}"),
        "gravity" | "wind" => format!("[0.0, {value:?}, 0.0]"),
        key if key.ends_with("_color") => format!("[0.5, 0.5, {value:?}]"),
        _ => format!("{value:?}"),
    };
    let text = format!("version = 1\n[{section}]\n{key} = {value}\n");
    Config::from_toml("test.toml", &text).map_err(|e| e.to_string())
}

#[test]
fn ranges_are_those_that_validate_knows() {
    let mut checked = 0;
    for key in KEYS {
        let Some((min, max)) = range(key.meaning) else {
            continue;
        };
        checked += 1;
        for good in [min, max] {
            assert!(try_value(key.path, good).is_ok(), "{} = {good}", key.path);
        }
        let step = (max - min) * 1e-3;
        let step = if ["roots.strands", "sim.strand_particles"].contains(&key.path) {
            1.0
        } else {
            step
        };
        for bad in [min - step, max + step] {
            let error = try_value(key.path, bad).unwrap_err();
            let name = key.path.rsplit('.').next().unwrap();
            assert!(error.contains(name), "{} = {bad}: {error}", key.path);
        }
    }
    assert!(checked > 10, "only {checked} ranges were understood");
}

#[test]
fn examples_of_absent_keys_are_good() {
    for key in KEYS {
        if let Some(example) = key.example {
            let value = example.parse().unwrap();
            assert!(try_value(key.path, value).is_ok(), "{}", key.path);
        }
    }
}

#[test]
fn absent_keys_appear_as_comments() {
    let text = Config::default().to_toml().unwrap();
    assert!(text.contains("\n# scale = 1.0\n"), "{text}");
    assert!(text.contains("\n# spacing = "), "{text}");
    assert!(!text.contains("# strands = "), "{text}");
}
