//! Merging a changed groom file with settings that were changed meanwhile.

use super::error::{ConfigError, VERSION};
use super::file::Config;
use toml::{Table, Value};

/// Keys of `[roots]` that exclude each other, because they are one setting.
const AMOUNTS: [&str; 2] = ["strands", "spacing"];

impl Config {
    /// Returns the settings of `new`, except for the keys whose values differ between `base` and
    /// `current`, which have the values of `current`.
    ///
    /// # Errors
    /// [`ConfigError`] if settings cannot be written as TOML, or are not valid together.
    pub fn merged(base: &Config, current: &Config, new: &Config) -> Result<Config, ConfigError> {
        let mut table = merge(&table(base)?, &table(current)?, table(new)?);
        split_amount(&mut table);
        table.insert("version".to_owned(), Value::Integer(VERSION));
        let mut merged = Config::from_toml("the merged settings", &toml::to_string(&table)?)?;
        // Limits come from the command line only and are not part of the file.
        merged.head.limits = new.head.limits.clone();
        Ok(merged)
    }
}

/// Returns the settings as a table in which `roots.amount` replaces [`AMOUNTS`].
fn table(config: &Config) -> Result<Table, ConfigError> {
    let mut table = Table::try_from(config)?;
    if let Some(Value::Table(roots)) = table.get_mut("roots") {
        let amount = AMOUNTS.iter().filter_map(|&key| {
            let value = roots.remove(key)?;
            Some(Value::Array(vec![Value::String(key.to_owned()), value]))
        });
        let amount = amount.collect();
        roots.insert("amount".to_owned(), Value::Array(amount));
    }
    Ok(table)
}

/// Replaces `roots.amount` by the keys that it stands for.
fn split_amount(table: &mut Table) {
    if let Some(Value::Table(roots)) = table.get_mut("roots")
        && let Some(Value::Array(amount)) = roots.remove("amount")
    {
        for pair in amount {
            if let Value::Array(pair) = pair
                && let Ok([Value::String(key), value]) = <[Value; 2]>::try_from(pair)
            {
                roots.insert(key, value);
            }
        }
    }
}

/// Merges tables key by key. A missing key counts as a value.
fn merge(base: &Table, current: &Table, mut new: Table) -> Table {
    let keys: Vec<String> = base.keys().chain(current.keys()).cloned().collect();
    for key in keys {
        match (base.get(&key), current.get(&key), new.get_mut(&key)) {
            (Some(Value::Table(base)), Some(Value::Table(current)), Some(Value::Table(new))) => {
                *new = merge(base, current, std::mem::take(new));
            }
            (base, current, _) if base == current => {}
            (_, Some(current), _) => {
                new.insert(key, current.clone());
            }
            (_, None, _) => {
                new.remove(&key);
            }
        }
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{look::Look, roots::Amount};
    use proptest::prelude::*;

    fn merged(base: &Config, current: &Config, new: &Config) -> Config {
        Config::merged(base, current, new).unwrap()
    }

    /// Returns settings that differ in keys of every kind: pair, number, colour, optional, flag.
    fn any_config() -> impl Strategy<Value = Config> {
        let amount = prop_oneof![
            (1..4u32).prop_map(Amount::Strands),
            (1..4u8).prop_map(|n| Amount::Spacing(f32::from(n) / 7.0)),
        ];
        let scale = proptest::option::of((1..4u8).prop_map(f32::from));
        (amount, 0..3u64, 0..3u8, 0..3u8, scale, any::<bool>()).prop_map(
            |(amount, seed, length, blue, scale, classic)| {
                let mut config = Config::default();
                if classic {
                    config.look = Look::named("classic").unwrap();
                }
                config.roots.amount = amount;
                config.roots.seed = seed;
                config.groom.length = 0.1 + f32::from(length) / 3.0;
                config.look.hair.tip_color[2] = f32::from(blue) / 3.0;
                config.head.scale = scale;
                config
            },
        )
    }

    proptest! {
        #[test]
        fn a_change_on_one_side_is_kept(
            base in any_config(), current in any_config(), new in any_config(),
        ) {
            prop_assert_eq!(&merged(&base, &base, &new), &new);
            prop_assert_eq!(&merged(&base, &current, &base), &current);
            prop_assert_eq!(&merged(&base, &current, &current), &current);
            let got = merged(&base, &current, &new);
            macro_rules! check {
                ($($key:ident).+) => {
                    let changed = current.$($key).+ != base.$($key).+;
                    let wanted = if changed { &current } else { &new };
                    prop_assert_eq!(&got.$($key).+, &wanted.$($key).+);
                };
            }
            check!(roots.amount);
            check!(roots.seed);
            check!(groom.length);
            check!(look.hair.tip_color);
            check!(look.hair.lit);
            check!(look.sky);
            check!(head.scale);
        }
    }

    #[test]
    fn strands_and_spacing_exclude_each_other() {
        let of = |amount| {
            let mut config = Config::default();
            config.roots.amount = amount;
            config
        };
        let (few, many) = (of(Amount::Strands(5)), of(Amount::Strands(9)));
        let apart = of(Amount::Spacing(0.5));
        assert_eq!(merged(&few, &few, &apart), apart);
        assert_eq!(merged(&few, &apart, &many), apart);
        assert_eq!(merged(&apart, &many, &few), many);
        assert_eq!(merged(&apart, &apart, &few), few);
    }
}
