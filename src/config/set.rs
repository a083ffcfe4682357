//! Setting one value by its key, as in `sim.ftl.damping=3`.

use super::error::{ConfigError, VERSION};
use super::file::Config;
use toml::{Table, Value};

impl Config {
    /// Sets the value of a key of the groom file, for example `sim.ftl.damping` to `3`. Words need
    /// no quotes. `roots.strands` and `roots.spacing` replace each other.
    ///
    /// # Errors
    /// [`ConfigError`] if the key is unknown, or the value has a wrong type or is out of range. The
    /// settings then stay unchanged.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigError> {
        let name = format!("{key} = {value}");
        let error = |message: &str| ConfigError::Parse {
            file: name.clone(),
            message: message.to_owned(),
        };
        let typed = format!("value = {value}").parse::<Table>();
        let value = (typed.ok())
            .and_then(|mut table| table.remove("value"))
            .unwrap_or_else(|| Value::String(value.to_owned()));

        let mut settings = Table::try_from(&*self)?;
        let mut path: Vec<&str> = key.split('.').collect();
        let last = path
            .pop()
            .filter(|last| !last.is_empty() && !path.is_empty());
        let last = last.ok_or_else(|| error("expected a key such as sim.hold"))?;
        let mut table = &mut settings;
        for part in &path {
            table = (table.get_mut(*part))
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
        settings.insert("version".to_owned(), Value::Integer(VERSION));
        let text = toml::to_string(&settings)?;
        let changed = Config::from_toml(&name, &text).map_err(|problem| match problem {
            // The text was written here, so its line numbers have no meaning to the user.
            ConfigError::Parse { message, .. } => error(message.lines().last().unwrap_or_default()),
            other => other,
        })?;
        // Limits come from the command line only and are not part of the file.
        let limits = std::mem::take(&mut self.head.limits);
        *self = changed;
        self.head.limits = limits;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roots::Amount;
    use crate::sim::SolverKind;

    #[test]
    fn values_of_every_kind() {
        let mut config = Config::default();
        for (key, value) in [
            ("sim.solver", "ftl"),
            ("sim.ftl.damping", "3"),
            ("sim.forces.wind", "[0, 0, -20.5]"),
            ("sim.angular.field", "false"),
            ("roots.spacing", "0.05"),
            ("head.scale", "2"),
            (
                "sim.colliders",
                "[{ from = [0, 1, 0], radius = 0.5 }, { from = [0, 1, 0], to = [1, 1, 0], radius = 2 }]",
            ),
        ] {
            config.set(key, value).unwrap();
        }
        assert_eq!(config.sim.solver, SolverKind::Ftl);
        assert_eq!(config.sim.ftl.damping, 3.0);
        assert_eq!(config.sim.forces.wind, [0.0, 0.0, -20.5]);
        assert!(!config.sim.angular.field);
        assert_eq!(config.roots.amount, Amount::Spacing(0.05));
        assert_eq!(config.head.scale, Some(2.0));
        assert_eq!(config.sim.colliders[1].to, Some([1.0, 1.0, 0.0]));
        let text = config.to_toml().unwrap();
        assert_eq!(Config::from_toml("again", &text).unwrap(), config, "{text}");
    }

    #[test]
    fn wrong_keys_and_values_are_named() {
        let mut config = Config::default();
        let before = config.clone();
        for (key, value, told) in [
            ("sim.hold", "2", "sim.hold = 2: expected 0 to 1"),
            ("sim.ftl.dampin", "2", "unknown field `dampin`"),
            ("sim.rope.damping", "2", "no such section"),
            (
                "sim.colliders",
                "[{ from = [0, 1, 0], radius = 0 }]",
                "sim.colliders.radius = 0: expected 0.001 to 100",
            ),
            ("hold", "1", "expected a key such as sim.hold"),
            ("sim.solver", "magic", "unknown variant `magic`"),
            ("sim.hold", "high", "invalid type: string"),
        ] {
            let error = config.set(key, value).unwrap_err().to_string();
            assert!(error.contains(told), "{key} = {value}: {error}");
        }
        assert_eq!(config, before);
    }
}
