//! All settings, and the groom file with them.

use super::comments::with_comments;
use super::error::{ConfigError, VERSION};
use crate::files::write_whole;
use crate::groom::GroomSettings;
use crate::head::HeadSettings;
use crate::look::{HairLook, Look, SkyLook};
use crate::roots::{Amount, MAX_STRANDS, RootSettings};
use crate::settings::SettingError;
use crate::sim::SimSettings;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// All settings, as in a groom file. Missing keys have their defaults; unknown keys are errors.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Config {
    /// The reading of the head file.
    pub head: HeadSettings,
    /// The roots of strands.
    pub roots: RootSettings,
    /// The strands at rest.
    pub groom: GroomSettings,
    /// The motion of strands.
    pub sim: SimSettings,
    /// Colours, widths and sky.
    pub look: Look,
}

/// The keys of a groom file: those of [`Config`], a version, and a look that may have a name.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ConfigFile {
    // Checked before the rest is read, because another version may have other keys.
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
    ///
    /// # Errors
    /// [`ConfigError`] if it cannot be read or a setting is wrong.
    pub fn load(path: &Path) -> Result<Config, ConfigError> {
        let text = fs::read_to_string(path).map_err(|source| ConfigError::Read {
            file: path.to_owned(),
            source,
        })?;
        Config::from_toml(&path.display().to_string(), &text)
    }

    /// Reads and checks the text of a groom file, whose name is `file` in messages.
    ///
    /// # Errors
    /// [`ConfigError`] if it is not TOML of this version or a setting is wrong.
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
    ///
    /// # Errors
    /// [`SettingError`] of the first setting that is out of range.
    pub fn validate(&self) -> Result<(), SettingError> {
        self.head.validate()?;
        check_roots(&self.roots)?;
        self.groom.validate()?;
        self.sim.validate()?;
        self.look.validate()
    }

    /// Writes a groom file, whole or not at all.
    ///
    /// # Errors
    /// [`ConfigError`] if it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), ConfigError> {
        write_whole(path, self.to_toml()?.as_bytes()).map_err(|source| ConfigError::Save {
            file: path.to_owned(),
            source,
        })
    }

    /// Returns a groom file with every setting, each with a comment.
    ///
    /// # Errors
    /// [`ConfigError::Write`] if a setting cannot be written as TOML.
    pub fn to_toml(&self) -> Result<String, ConfigError> {
        Ok(with_comments(&toml::to_string(self)?))
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

/// Returns the look `base` with the keys of the `[look]` of a file.
///
/// The outer error is a look that cannot be written as TOML, the inner one a wrong key. The typed
/// parse before this has found wrong keys already, with their lines.
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
    fn a_version_alone_is_the_default() {
        let config = Config::from_toml("hair.toml", "version = 1").unwrap();
        assert_eq!(config, Config::default());
    }

    #[test]
    fn written_settings_are_read_back() {
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
    fn saved_files_load_again() {
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
