use super::*;
use crate::Config;
use toml::{Table, Value};

/// Collects every `section.key` of a table.
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
        assert!(meaning(path).is_some(), "{path} has no meaning");
    }
    for field in SECTIONS.iter().flat_map(|section| section.fields) {
        let section = format!("{}.", field.key);
        let known = |path: &String| path == field.key || path.starts_with(&section);
        let is_optional = OPTIONAL.iter().any(|(path, _)| *path == field.key);
        let key = field.key;
        assert!(
            is_optional || written.iter().any(known),
            "{key} is no setting"
        );
    }
}

#[test]
fn examples_of_absent_keys_are_valid() {
    for (path, example) in OPTIONAL {
        let (section, key) = path.rsplit_once('.').unwrap();
        let text = format!("version = 1\n[{section}]\n{key} = {example}\n");
        Config::from_toml("test.toml", &text).unwrap();
    }
}

#[test]
fn keys_appear_with_meaning_and_range() {
    let text = Config::default().to_toml().unwrap();
    for part in [
        "\n# Strand length (0.01 to 10 decimetres)\nlength = 0.75\n",
        "\n# scale = 1.0\n",
        "\n# spacing = ",
    ] {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
    assert!(!text.contains("# strands = "), "{text}");
}
