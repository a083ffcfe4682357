//! Every setting in one versioned TOML file: what the command line and the panel edit too.

mod keys;
mod merge;
mod set;

use crate::{
    files::write_whole,
    groom::GroomSettings,
    head::HeadSettings,
    look::{HairLook, Look, SkyLook},
    roots::{Amount, MAX_STRANDS, RootSettings},
    settings::SettingError,
    sim::SimSettings,
};
use serde::{Deserialize, Serialize};
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use toml::{Table, Value};

/// The version of the file that this program reads and writes.
pub const VERSION: i64 = 1;

/// The groom file. Keys that are absent have their defaults; unknown or wrong keys are errors.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Config {
    /// How to read the head file.
    pub head: HeadSettings,
    /// Where strands grow.
    pub roots: RootSettings,
    /// How they leave the scalp.
    pub groom: GroomSettings,
    /// How they move.
    pub sim: SimSettings,
    /// How they are drawn.
    pub look: Look,
}

/// Why a groom file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is not there or not readable.
    #[error("{} could not be read", file.display())]
    Read {
        /// The groom file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Not TOML, an unknown key, or a value of another type; the message shows the line.
    #[error("{file}: {message}")]
    Parse {
        /// Name of the groom file.
        file: String,
        /// Line, what is wrong and what is known.
        message: String,
    },
    /// No `version`.
    #[error("{file} has no `version`: write `version = {VERSION}` as its first line")]
    NoVersion {
        /// Name of the groom file.
        file: String,
    },
    /// A version of some other program.
    #[error("{file} has version = {found}, and this program reads version = {VERSION}")]
    UnknownVersion {
        /// Name of the groom file.
        file: String,
        /// As written in the file.
        found: String,
    },
    /// A look nobody has heard of.
    #[error("{file}: look.name = {found}: expected {}", Look::NAMES.join(" or "))]
    UnknownLook {
        /// Name of the groom file.
        file: String,
        /// As written in the file.
        found: String,
    },
    /// A value out of its range.
    #[error("{file}: {problem}")]
    Range {
        /// Name of the groom file.
        file: String,
        /// Key, value and range.
        problem: SettingError,
    },
    /// The file could not be written.
    #[error("{} could not be written", file.display())]
    Save {
        /// The groom file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A setting that TOML cannot hold.
    #[error("the settings could not be written as TOML")]
    Write(#[from] toml::ser::Error),
}

/// The file as written: [`Config`] with a version and a look that may start from a named one.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ConfigFile {
    // Checked before the rest, which another version may not even spell like this one.
    #[serde(rename = "version")]
    _version: i64,
    head: HeadSettings,
    roots: RootSettings,
    groom: GroomSettings,
    sim: SimSettings,
    look: LookFile,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct LookFile {
    name: Option<String>,
    hair: HairLook,
    sky: SkyLook,
}

impl Config {
    /// Reads and checks a groom file.
    pub fn load(path: &Path) -> Result<Config, ConfigError> {
        let text = fs::read_to_string(path).map_err(|source| ConfigError::Read {
            file: path.to_owned(),
            source,
        })?;
        Config::from_toml(&path.display().to_string(), &text)
    }

    /// Reads and checks the text of a groom file; `file` is its name for messages.
    pub fn from_toml(file: &str, text: &str) -> Result<Config, ConfigError> {
        let parse_error = |error: toml::de::Error| ConfigError::Parse {
            file: file.to_owned(),
            message: error.to_string().trim_end().to_owned(),
        };
        let table: Table = text.parse().map_err(parse_error)?;
        match table.get("version") {
            Some(&Value::Integer(VERSION)) => {}
            Some(found) => {
                return Err(ConfigError::UnknownVersion {
                    file: file.to_owned(),
                    found: found.to_string(),
                });
            }
            None => {
                return Err(ConfigError::NoVersion {
                    file: file.to_owned(),
                });
            }
        }
        let parsed: ConfigFile = toml::from_str(text).map_err(parse_error)?;
        let look = match &parsed.look.name {
            None => Look {
                hair: parsed.look.hair,
                sky: parsed.look.sky,
            },
            Some(name) => {
                let base = Look::named(name).ok_or_else(|| ConfigError::UnknownLook {
                    file: file.to_owned(),
                    found: format!("{name:?}"),
                })?;
                override_look(base, table.get("look"))?.map_err(parse_error)?
            }
        };
        let config = Config {
            head: parsed.head,
            roots: parsed.roots,
            groom: parsed.groom,
            sim: parsed.sim,
            look,
        };
        config.validate().map_err(|problem| ConfigError::Range {
            file: file.to_owned(),
            problem,
        })?;
        Ok(config)
    }

    /// Checks every range.
    pub fn validate(&self) -> Result<(), SettingError> {
        self.head.validate()?;
        check_roots(&self.roots)?;
        self.groom.validate()?;
        self.sim.validate()?;
        self.look.validate()
    }

    /// Writes [`Config::to_toml`] to a file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), ConfigError> {
        write_whole(path, self.to_toml()?.as_bytes()).map_err(|source| ConfigError::Save {
            file: path.to_owned(),
            source,
        })
    }

    /// A groom file with every setting, each with a comment.
    pub fn to_toml(&self) -> Result<String, ConfigError> {
        Ok(keys::with_comments(&toml::to_string(self)?))
    }
}

fn check_roots(roots: &RootSettings) -> Result<(), SettingError> {
    if roots.amount.check().is_ok() {
        return Ok(());
    }
    Err(match roots.amount {
        Amount::Strands(strands) => {
            SettingError::new("roots.strands", strands, format!("1 to {MAX_STRANDS}"))
        }
        Amount::Spacing(spacing) => {
            SettingError::new("roots.spacing", spacing, "a length above 0 (decimetres)")
        }
    })
}

/// `base` with what the file's `[look]` says on top of it.
///
/// The outer error is a look that TOML cannot hold, the inner one a key that is wrong; the typed
/// parse before this has found those already, with their lines.
fn override_look(
    base: Look,
    written: Option<&Value>,
) -> Result<Result<Look, toml::de::Error>, toml::ser::Error> {
    let mut look = Value::try_from(base)?;
    if let Some(written) = written {
        merge(&mut look, written);
    }
    if let Some(table) = look.as_table_mut() {
        table.remove("name");
    }
    Ok(look.try_into())
}

fn merge(base: &mut Value, over: &Value) {
    match (base, over) {
        (Value::Table(base), Value::Table(over)) => {
            for (key, value) in over {
                match base.get_mut(key) {
                    Some(old) => merge(old, value),
                    None => {
                        base.insert(key.clone(), value.clone());
                    }
                }
            }
        }
        (base, over) => *base = over.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Config::from_toml("hair.toml", text)
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn version_alone_is_the_default() {
        let config = Config::from_toml("hair.toml", "version = 1").unwrap();
        assert_eq!(config, Config::default());
    }

    #[test]
    fn what_is_written_reads_back_the_same() {
        let mut config = Config::default();
        config.head.scale = Some(0.1);
        config.roots.amount = Amount::Spacing(0.033);
        config.roots.seed = 77;
        config.groom.length = 1.0 / 3.0;
        config.sim.spring.damping = 0.7;
        config.look = Look::named("classic").unwrap();
        for config in [Config::default(), config] {
            let text = config.to_toml().unwrap();
            assert_eq!(Config::from_toml("hair.toml", &text).unwrap(), config);
        }
    }

    #[test]
    fn what_is_saved_loads_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("hair.toml");
        Config::default().save(&file).unwrap();
        assert_eq!(Config::load(&file).unwrap(), Config::default());
        let nowhere = folder.path().join("no/hair.toml");
        let message = Config::default().save(&nowhere).unwrap_err().to_string();
        assert!(
            message.contains("no/hair.toml could not be written"),
            "{message}"
        );
    }

    #[test]
    fn named_looks_are_a_base_that_other_keys_override() {
        let text = "version = 1\n[look]\nname = 'classic'\n[look.hair]\ntip_color = [0, 0, 1]";
        let look = Config::from_toml("hair.toml", text).unwrap().look;
        let mut expected = Look::named("classic").unwrap();
        expected.hair.tip_color = [0.0, 0.0, 1.0];
        assert_eq!(look, expected);
    }

    #[test]
    fn errors_name_file_key_and_what_is_known() {
        assert_eq!(
            error(""),
            "hair.toml has no `version`: write `version = 1` as its first line"
        );
        assert_eq!(
            error("version = 2"),
            "hair.toml has version = 2, and this program reads version = 1"
        );
        assert_eq!(
            error("version = 1\n[groom]\nlength = 11"),
            "hair.toml: groom.length = 11: expected 0.01 to 10 (decimetres)"
        );
        assert_eq!(
            error("version = 1\n[look]\nname = 'noir'"),
            "hair.toml: look.name = \"noir\": expected studio or classic"
        );
        let unknown = error("version = 1\n[groom]\nlenght = 0.5");
        for part in ["hair.toml", "line 3", "`lenght`", "`length_variation`"] {
            assert!(unknown.contains(part), "{part} is not in: {unknown}");
        }
        let section = error("version = 1\n[hair]\nlength = 0.5");
        for part in ["hair.toml", "line 2", "`hair`", "`groom`"] {
            assert!(section.contains(part), "{part} is not in: {section}");
        }
        let of_type = error("version = 1\n[groom]\nlength = 'long'");
        for part in ["hair.toml", "line 3", "length = 'long'", "expected f32"] {
            assert!(of_type.contains(part), "{part} is not in: {of_type}");
        }
    }

    #[test]
    fn not_a_number_is_out_of_every_range() {
        let message = error("version = 1\n[sim.spring]\nstiffness = nan");
        assert!(message.contains("sim.spring.stiffness = NaN"), "{message}");
        assert!(error("version = 1\n[head]\nscale = inf").contains("head.scale"));
    }

    #[test]
    fn a_look_that_is_no_table_is_an_error() {
        assert!(error("version = 1\nlook = 3").contains("look = 3"));
    }
}
