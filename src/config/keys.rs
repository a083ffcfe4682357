//! Settings by the keys that they have in settings files.

use super::tables::differences;
use super::{Config, ConfigError, table_of, unknown_look};
use crate::look::Look;
use toml::{Table, Value};

impl Config {
    /// Sets the value of a key of the settings file, for example `sim.ftl.damping` to `3`. Words
    /// need no quotes. `roots.strands` and `roots.spacing` replace each other.
    ///
    /// # Errors
    /// [`ConfigError`] if the key is unknown, or the value has a wrong type or is out of range. The
    /// settings then stay unchanged.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigError> {
        let name = format!("{key} = {value}");
        let error = |problem: &str| ConfigError::Invalid {
            file: name.clone(),
            problem: problem.to_owned(),
        };
        if key == "look.name" {
            let look = value.trim_matches('"');
            if !Look::NAMES.contains(&look) {
                return Err(error(&unknown_look()));
            }
            self.set_look(look);
            return Ok(());
        }
        let typed = format!("value = {value}").parse::<Table>();
        let typed = typed.ok().and_then(|mut table| table.remove("value"));
        let text = Value::String(value.to_owned());

        let mut settings = table_of(self)?;
        let path = key.rsplit_once('.').filter(|(_, last)| !last.is_empty());
        let (sections, last) = path.ok_or_else(|| error("expected a key such as sim.hold"))?;
        let mut with = |value: Value| {
            let mut table = &mut settings;
            for part in sections.split('.') {
                table = (table.get_mut(part))
                    .and_then(Value::as_table_mut)
                    .ok_or_else(|| error("there is no such section"))?;
            }
            match key {
                "roots.strands" => table.remove("spacing"),
                "roots.spacing" => table.remove("strands"),
                _ => None,
            };
            // A whole number may be given for a decimal one.
            let value = match (value, table.get(last)) {
                (Value::Integer(whole), Some(Value::Float(_))) => Value::Float(whole as f64),
                (value, _) => value,
            };
            table.insert(last.to_owned(), value);
            Config::of_table(&name, settings.clone(), &self.head.limits)
        };
        let changed = match typed {
            // A name may look like a number.
            Some(typed) => with(typed).or_else(|problem| with(text).map_err(|_| problem)),
            None => with(text),
        };
        // The text was written here, so its line numbers have no meaning to the user.
        *self = changed.map_err(|failed| match failed {
            ConfigError::Invalid { problem, .. } => {
                let problem = problem.lines().last().unwrap_or("");
                // A value out of range is told with its key.
                let told = problem
                    .strip_prefix(key)
                    .and_then(|rest| rest.strip_prefix(" = "));
                error(
                    told.and_then(|rest| rest.split_once(": "))
                        .map_or(problem, |(_, told)| told),
                )
            }
            other => other,
        })?;
        Ok(())
    }

    /// Returns the keys whose values differ from those in `base`, with their values, as
    /// [`set`](Self::set) takes them. A setting that has no value here is left out.
    ///
    /// # Errors
    /// [`ConfigError`] if settings cannot be written as TOML.
    pub fn differences(&self, base: &Config) -> Result<Vec<(String, String)>, ConfigError> {
        let mut found = Vec::new();
        differences("", &table_of(base)?, &table_of(self)?, &mut found);
        Ok(found)
    }
}
