//! What each key of the groom file means, for the comments of a written one.
//!
//! A test holds these texts to the settings: every key has one, and what it says about the range
//! is what `validate` does.

use super::VERSION;

struct Key {
    /// `section.key`, or a section alone.
    path: &'static str,
    meaning: &'static str,
    /// Shown commented out where the key is absent.
    example: Option<&'static str>,
}

const fn key(path: &'static str, meaning: &'static str) -> Key {
    Key {
        path,
        meaning,
        example: None,
    }
}

const fn optional(path: &'static str, meaning: &'static str, example: &'static str) -> Key {
    Key {
        path,
        meaning,
        example: Some(example),
    }
}

const KEYS: &[Key] = &[
    key("head", "How to read the head file"),
    key(
        "head.paint_color",
        "Linear RGB of full scalp paint, each 0 to 1; white is always bald",
    ),
    optional(
        "head.scale",
        "Decimetres per unit of the file, 0.000001 to 1000000; absent: the painted part becomes 2.74 high",
        "1.0",
    ),
    key("roots", "Where strands grow"),
    optional(
        "roots.strands",
        "About this many strands, 1 to 2000000; instead of spacing",
        "6000",
    ),
    optional(
        "roots.spacing",
        "No two roots are closer than this, decimetres; instead of strands",
        "0.02",
    ),
    key("roots.seed", "Same seed, same hair, on every machine"),
    key(
        "roots.method",
        "How they are chosen: progressive, maximal, tight, variable, darts, uniform, elimination or reference",
    ),
    key("groom", "How strands leave the scalp"),
    key(
        "groom.density",
        "Share of the painted density that grows hair, 0 to 1",
    ),
    key("groom.length", "Strand length, decimetres, 0.01 to 10"),
    key(
        "groom.length_variation",
        "Share by which lengths vary at random, 0 to 1",
    ),
    key(
        "groom.spread_deg",
        "Largest random angle to the surface normal, degrees, 0 to 80",
    ),
    key(
        "groom.clump",
        "Share by which strands lean to the tip of their clump's middle strand, 0 to 1",
    ),
    key(
        "groom.clump_size",
        "Radius of a clump at the scalp, decimetres, 0 to 1; 0: no clumps",
    ),
    key(
        "sim.spring",
        "How strands move: a damped spring pulls each tip to where it stands at rest",
    ),
    key(
        "sim.spring.stiffness",
        "Spring constant, 1/s^2, 0.01 to 10000",
    ),
    key("sim.spring.damping", "Damping, 1/s, 0 to 1000"),
    key("look.hair", "How strands are drawn"),
    key("look.hair.root_color", "At the root: sRGB, each 0 to 1"),
    key("look.hair.tip_color", "At the tip: sRGB, each 0 to 1"),
    key(
        "look.hair.radius",
        "Radius at the root, decimetres, 0.0005 to 0.1",
    ),
    key(
        "look.hair.taper",
        "Radius at the tip as a share of the root's, 0 to 1",
    ),
    key(
        "look.hair.width_px",
        "Constant width in pixels instead of the radius, 0 to 20; 0: off",
    ),
    key(
        "look.hair.straight",
        "Straight lines from root to drawn tip instead of curves that leave along the rest direction",
    ),
    key(
        "look.hair.lit",
        "Lit as hair and shadowed; false: flat colours, no shadow on the head",
    ),
    key("look.hair.gloss", "Strength of the highlight, 0 to 2"),
    key("look.sky", "What is behind the head"),
    key("look.sky.top_color", "Straight up: sRGB, each 0 to 1"),
    key("look.sky.bottom_color", "Straight down: sRGB, each 0 to 1"),
    key(
        "look.sky.contrast",
        "How steeply the colours meet at the horizon, 1 to 20; 1: evenly from pole to pole",
    ),
    key("look.sky.wire_color", "The wire sphere: sRGB, each 0 to 1"),
    key(
        "look.sky.wire_opacity",
        "Opacity of the wire sphere, 0 to 1",
    ),
];

/// Adds the version, a comment to every section and key, and keys that are absent as comments.
pub fn with_comments(toml: &str) -> String {
    let mut out = format!(
        "# Settings of mohawk: every key is here, with its meaning and range.\n\
         # A key left out has its default; `[look]` may start from a named look: name = \"classic\".\n\
         # Use it with: mohawk --config FILE\n\
         version = {VERSION}\n"
    );
    let mut section = String::new();
    let mut written: Vec<String> = Vec::new();
    for line in toml.lines().filter(|line| !line.trim().is_empty()) {
        if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            push_absent(&mut out, &section, &written);
            section = name.to_owned();
            written.clear();
            out.push('\n');
            push_meaning(&mut out, name);
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
    if let Some(key) = KEYS.iter().find(|key| key.path == path) {
        out.push_str(&format!("# {}\n", key.meaning));
    }
}

fn push_absent(out: &mut String, section: &str, written: &[String]) {
    for key in KEYS {
        if let Some((of, name)) = key.path.rsplit_once('.')
            && let Some(example) = key.example
            && of == section
            && !written.iter().any(|w| w == name)
        {
            out.push_str(&format!("# {}\n# {name} = {example}\n", key.meaning));
        }
    }
}

#[cfg(test)]
mod tests {
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
            "strands" => format!("{value:.0}"),
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
            let step = if key.path == "roots.strands" {
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
}
