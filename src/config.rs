//! All settings in one versioned TOML file, the settings file. The command line and the panel edit
//! the same settings.

mod comments;
mod keys;
mod tables;
#[cfg(test)]
mod tests;

use crate::files::{read_plain, write_whole};
use crate::groom::GroomSettings;
use crate::head::{HeadSettings, Limits};
use crate::look::{HairLook, LensLook, LightLook, Look, SkyLook, ViewSettings};
use crate::roots::{Amount, MAX_STRANDS, RootSettings};
use crate::settings::{SettingError, Visitor};
use crate::sim::{SimSettings, SpringSettings};
use crate::told;
use serde::ser::Error as _;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use tables::{merge, overlay};
use toml::{Table, Value};

/// The version of settings files that this program reads and writes.
pub const VERSION: i64 = 1;

/// The reason why a settings file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file does not exist or cannot be read.
    #[error("{} could not be read", .0.display())]
    Read(PathBuf, #[source] io::Error),
    /// The file could not be written.
    #[error("{} could not be written", .0.display())]
    Save(PathBuf, #[source] io::Error),
    /// A setting cannot be written as TOML.
    #[error("the settings could not be written as TOML")]
    Write(#[from] toml::ser::Error),
    /// The settings take so many bytes that no file of them could be read.
    #[error(
        "the settings take {0} bytes, and files of at most {MAX_BYTES} are read: draw or bake fewer \
         guides"
    )]
    Large(u64),
    /// The file has no version or another one.
    #[error("{file} has {found}")]
    Version {
        /// The name of the settings file.
        file: String,
        /// The version in the file, and what to do.
        found: String,
    },
    /// The file is not TOML, or has an unknown key, or a value of another type or out of range.
    #[error("{file}: {problem}")]
    Invalid {
        /// The name of the settings file.
        file: String,
        /// The line or the key, and what is allowed there.
        problem: String,
    },
}

fn unknown_look() -> String {
    format!("expected one of {}", Look::NAMES.join(", "))
}

/// The largest settings file, bytes: to parse it takes up to a hundred times as many.
const MAX_BYTES: u64 = 1 << 20;

fn read(path: &Path) -> Result<String, ConfigError> {
    let bytes = read_plain(path, MAX_BYTES);
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
    text.map_err(|error| ConfigError::Read(path.to_owned(), error))
}

/// All settings, as in a settings file. Missing keys have their defaults; unknown keys are errors.
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
    /// The camera that a picture begins with.
    pub view: ViewSettings,
}

/// The keys of a settings file: those of [`Config`], a version, and a look that may have a name.
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
    view: ViewSettings,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct LookFile {
    name: Option<String>,
    hair: HairLook,
    light: LightLook,
    sky: SkyLook,
    lens: LensLook,
}

impl Config {
    /// Reads and checks a settings file.
    ///
    /// # Errors
    /// [`ConfigError`] if it cannot be read or a setting is wrong.
    pub fn load(path: &Path) -> Result<Config, ConfigError> {
        Config::from_toml(&path.display().to_string(), &read(path)?)
    }

    /// Returns these settings with those that a settings file has in their place.
    ///
    /// # Errors
    /// The errors of [`Config::load`].
    pub fn overridden_by(&self, path: &Path) -> Result<Config, ConfigError> {
        let name = path.display().to_string();
        let text = read(path)?;
        // This reports what is wrong in the file.
        let read = Config::from_toml(&name, &text)?;
        let written: Table = text.parse().unwrap_or_default();
        let mut base = self.clone();
        let look = written.get("look").and_then(Value::as_table);
        let named = look.and_then(|look| look.get("name")?.as_str());
        if let Some(name) = named {
            let spring = base.sim.spring.clone();
            base.set_look(name);
            if has_spring(&written) {
                base.sim.spring = spring;
            }
        }
        if let Some(roots) = written.get("roots").and_then(Value::as_table)
            && ["strands", "spacing"]
                .iter()
                .any(|key| roots.contains_key(*key))
        {
            base.roots.amount = read.roots.amount;
        }
        let all = overlay(&written, &table_of(&read)?, table_of(&base)?);
        Config::of_table(&name, all, &self.head.limits)
    }

    /// Reads and checks the text of a settings file, whose name is `file` in messages.
    ///
    /// # Errors
    /// [`ConfigError`] if it is not TOML of this version or a setting is wrong.
    pub fn from_toml(file: &str, text: &str) -> Result<Config, ConfigError> {
        let file = || file.to_owned();
        let invalid = |problem| ConfigError::Invalid {
            file: file(),
            problem,
        };
        let parse_error = |error: toml::de::Error| invalid(told::parser_text(error));
        let mut table: Table = text.parse().map_err(parse_error)?;
        let version = table.get("version");
        if version != Some(&Value::Integer(VERSION)) {
            let found = match version {
                Some(found) => {
                    let found = told::short(&found.to_string());
                    format!("version = {found}, and this program reads version = {VERSION}")
                }
                None => format!("no `version`: write `version = {VERSION}` as its first line"),
            };
            return Err(ConfigError::Version {
                file: file(),
                found,
            });
        }
        let parsed: ConfigFile = toml::from_str(text).map_err(parse_error)?;
        let LookFile {
            name,
            hair,
            light,
            sky,
            lens,
        } = parsed.look;
        let mut look = Look {
            hair,
            light,
            sky,
            lens,
        };
        let mut name_of_look = None;
        if let (Some(name), Some(Value::Table(mut written))) = (name, table.remove("look")) {
            let base = Look::named(&name).ok_or_else(|| {
                let (name, problem) = (told::short(&name), unknown_look());
                invalid(format!("look.name = {name:?}: {problem}"))
            })?;
            written.remove("name");
            name_of_look = Some(name);
            let named = merge(&Table::new(), &written, table_of(&base)?);
            // The typed parse has found wrong keys already, with their lines.
            look = toml::from_str(&toml::to_string(&named)?).map_err(parse_error)?;
        }
        let mut config = Config {
            head: parsed.head,
            roots: parsed.roots,
            groom: parsed.groom,
            sim: parsed.sim,
            look,
            view: parsed.view,
        };
        if let Some(name) = name_of_look.filter(|_| !has_spring(&table)) {
            config.follow_look(&name);
        }
        let checked = config.validate();
        checked.map_err(|problem| invalid(problem.to_string()))?;
        Ok(config)
    }

    /// Takes a [named look](Look::named), if there is one of that name. `classic` comes with the
    /// spring of the program that this one started from, every other look with the default spring;
    /// a spring that was changed stays.
    pub fn set_look(&mut self, name: &str) {
        if let Some(look) = Look::named(name) {
            self.look = look;
            self.follow_look(name);
        }
    }

    /// Takes the spring that belongs to a named look.
    fn follow_look(&mut self, name: &str) {
        let springs = [SpringSettings::default(), SpringSettings::REFERENCE];
        if springs.contains(&self.sim.spring) {
            let [default, reference] = springs;
            let is_reference = name == "classic";
            self.sim.spring = if is_reference { reference } else { default };
        }
    }

    /// Returns the settings of a table without a version. Limits come from the command line only
    /// and are not part of it.
    fn of_table(name: &str, mut table: Table, limits: &Limits) -> Result<Config, ConfigError> {
        table.insert("version".to_owned(), Value::Integer(VERSION));
        let mut config = Config::from_toml(name, &toml::to_string(&table)?)?;
        config.head.limits = limits.clone();
        Ok(config)
    }

    /// Checks every range.
    ///
    /// # Errors
    /// [`SettingError`] of the first setting that is out of range.
    pub fn validate(&self) -> Result<(), SettingError> {
        self.head.validate()?;
        let amount = self.roots.amount;
        amount.check().map_err(|_| match amount {
            Amount::Strands(strands) => {
                SettingError::new("roots.strands", strands, format!("1 to {MAX_STRANDS}"))
            }
            Amount::Spacing(spacing) => {
                SettingError::new("roots.spacing", spacing, "a length above 0 (decimetres)")
            }
        })?;
        self.groom.validate()?;
        self.sim.validate()?;
        self.look.validate()?;
        self.view.validate()
    }

    /// Shows every setting of grooms, motion and looks to `visitor`, each with its value in `was`.
    pub fn visit(&mut self, was: &Self, visitor: Visitor<'_>) {
        self.groom.visit(&was.groom, visitor);
        self.sim.visit(&was.sim, visitor);
        let (look, was) = (&mut self.look, &was.look);
        look.hair.visit(&was.hair, visitor);
        look.light.visit(&was.light, visitor);
        look.lens.visit(&was.lens, visitor);
        look.sky.visit(&was.sky, visitor);
    }

    /// Returns the name of the setting that differs from `was`; `settings` if several do or none has a
    /// name of its own.
    pub fn changed_since(&self, was: &Self) -> String {
        let mut names = Vec::new();
        self.clone().visit(was, &mut |_, field, editor| {
            if editor.is_changed() {
                names.push(field.name().to_lowercase());
            }
        });
        if self.groom.stack != was.groom.stack {
            names.push("stack".to_owned());
        }
        match names.as_slice() {
            [name] => name.clone(),
            _ => "settings".to_owned(),
        }
    }

    /// Writes a settings file, whole or not at all.
    ///
    /// # Errors
    /// [`ConfigError`] if it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), ConfigError> {
        let written = write_whole(path, self.to_toml()?.as_bytes());
        written.map_err(|error| ConfigError::Save(path.to_owned(), error))
    }

    /// Returns a settings file with every setting, each with a comment.
    ///
    /// # Errors
    /// [`ConfigError::Write`] if a setting cannot be written as TOML, [`ConfigError::Large`] if it could
    /// not be read again.
    pub fn to_toml(&self) -> Result<String, ConfigError> {
        let text = comments::with_comments(&toml::to_string(self)?, VERSION);
        match text.len() as u64 {
            ..=MAX_BYTES => Ok(text),
            bytes => Err(ConfigError::Large(bytes)),
        }
    }

    /// Returns the settings of `new`, except for the keys whose values differ between `base` and
    /// `current`, which have the values of `current`.
    ///
    /// # Errors
    /// [`ConfigError`] if settings cannot be written as TOML, or are not valid together.
    pub fn merged(base: &Config, current: &Config, new: &Config) -> Result<Config, ConfigError> {
        // Strands and spacing are two keys but one setting.
        let amount = match current.roots.amount == base.roots.amount {
            true => new.roots.amount,
            false => current.roots.amount,
        };
        let table = |config: &Config| {
            let mut config = config.clone();
            config.roots.amount = amount;
            table_of(&config)
        };
        let merged = merge(&table(base)?, &table(current)?, table(new)?);
        Config::of_table("the merged settings", merged, &new.head.limits)
    }
}

/// Returns settings as the table that a settings file holds. It takes the way of a settings file, so
/// that programs need only one writer and one reader of TOML for every setting.
fn table_of(settings: &impl Serialize) -> Result<Table, ConfigError> {
    let text = toml::to_string(settings)?;
    Ok(text.parse().map_err(toml::ser::Error::custom)?)
}

/// Returns `true` if the table of a settings file has settings of the spring.
fn has_spring(written: &Table) -> bool {
    let sim = written.get("sim").and_then(Value::as_table);
    sim.is_some_and(|sim| sim.contains_key("spring"))
}
