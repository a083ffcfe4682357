//! The comments of a written settings file.

use crate::look::{HairLook, LensLook, LightLook, SkyLook, ViewSettings};
use crate::settings::{Section, joined};
use crate::sim::{
    AngularSettings, ForceSettings, FtlSettings, GuideSettings, HairSettings, ParticleSettings,
    RodSettings, SimSettings, SpringSettings, WetSettings,
};
use crate::{
    groom::EFFECT_SECTIONS, groom::GroomSettings, head::HeadSettings, roots::RootSettings,
};

/// Every section of a settings file.
const SECTIONS: [&Section; 18] = [
    &HeadSettings::SECTION,
    &RootSettings::SECTION,
    &GroomSettings::SECTION,
    &SimSettings::SECTION,
    &ForceSettings::SECTION,
    &GuideSettings::SECTION,
    &SpringSettings::SECTION,
    &HairSettings::SECTION,
    &WetSettings::SECTION,
    &FtlSettings::SECTION,
    &AngularSettings::SECTION,
    &ParticleSettings::SECTION,
    &RodSettings::SECTION,
    &HairLook::SECTION,
    &LightLook::SECTION,
    &SkyLook::SECTION,
    &LensLook::SECTION,
    &ViewSettings::SECTION,
];

/// Keys that a file may lack, with example values.
const OPTIONAL: [(&str, &str); 4] = [
    ("head.animation", "\"walk\""),
    ("head.scale", "1.0"),
    ("roots.strands", "6000"),
    ("roots.spacing", "0.02"),
];

/// Returns the meaning of a section or of a key.
fn meaning(path: &str) -> Option<String> {
    let mut sections = SECTIONS.iter().chain(EFFECT_SECTIONS);
    if let Some(section) = sections.clone().find(|section| section.key == path) {
        return Some(joined(section.docs).trim_end_matches('.').to_owned());
    }
    let mut fields = sections.by_ref().flat_map(|section| section.fields);
    let field = fields.find(|field| field.key == path)?;
    Some(field.meaning_with_range())
}

/// Adds the version, a comment to every section and key, and absent keys as comments.
pub fn with_comments(toml: &str, version: i64) -> String {
    let mut out = format!(
        "# Settings of mohawk: every key is here, with its meaning and range.\n\
         # Missing keys have their defaults. `[look]` may start from a named look: name = \"classic\".\n\
         # Use it with: mohawk --config FILE\n\
         version = {version}\n"
    );
    let mut section = String::new();
    let mut written: Vec<String> = Vec::new();
    for line in toml.lines().filter(|line| !line.trim().is_empty()) {
        if line.starts_with('[') {
            push_absent(&mut out, &section, &written);
            let name = line.trim_matches(['[', ']']);
            // The comment of a list is above its first element.
            if section != name {
                out.push('\n');
                push_meaning(&mut out, name);
            }
            section = name.to_owned();
            written.clear();
        } else if let Some((name, _)) = line.split_once(" = ") {
            push_meaning(&mut out, &format!("{section}.{name}"));
            written.push(name.to_owned());
        }
        out.push_str(line);
        out.push('\n');
    }
    push_absent(&mut out, &section, &written);
    out
}

fn push_meaning(out: &mut String, path: &str) {
    if let Some(meaning) = meaning(path) {
        out.push_str(&format!("# {meaning}\n"));
    }
}

fn push_absent(out: &mut String, section: &str, written: &[String]) {
    for (path, example) in OPTIONAL {
        let (of, name) = path.rsplit_once('.').unwrap_or_default();
        if of == section && !written.iter().any(|w| w == name) {
            push_meaning(out, path);
            out.push_str(&format!("# {name} = {example}\n"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;
    use crate::config::table_of;
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
        let table = table_of(&Config::default()).unwrap();
        let mut written = Vec::new();
        paths(&table, "", &mut written);
        for path in &written {
            assert!(meaning(path).is_some(), "{path} has no meaning");
        }
        for field in SECTIONS.iter().flat_map(|section| section.fields) {
            let section = format!("{}.", field.key);
            let known = |path: &String| path == field.key || path.starts_with(&section);
            let is_optional = OPTIONAL.iter().any(|(path, _)| *path == field.key);
            let is_known = is_optional || written.iter().any(known);
            assert!(is_known, "{} is no setting", field.key);
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
}
