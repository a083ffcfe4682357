//! Declarations of settings.
//!
//! A setting is declared once, in [`settings!`](crate::settings!): its name, default, range, unit
//! and meaning, and its row in a panel. The struct, its validation, the comments of a settings
//! file, the texts of flags and the rows of the panel all come from that.
//! [`choices!`](crate::choices!) declares an enum whose variants people name.

mod choices;
mod editor;
mod list;
mod ranged;
#[cfg(test)]
mod tests;

pub use choices::Choice;
pub use editor::{AnyChoice, Editor, Value, Visitor};
pub use list::{List, ListItem};
pub use ranged::Ranged;

use crate::told;
use std::fmt::Display;
use std::ops::RangeInclusive;

/// A setting whose value cannot be used.
///
/// Reads `groom.length = -1: expected 0.01 to 10 (decimetres)`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key} = {value}: expected {expected}")]
pub struct SettingError {
    /// Full key as written in the settings file, for example `sim.spring.damping`.
    pub key: String,
    /// The offending value as a person would type it.
    pub value: String,
    /// The allowed values: a range with its unit, or a list of names.
    pub expected: String,
}

impl SettingError {
    /// Returns an error about anything that can be displayed.
    pub fn new(key: impl Display, value: impl Display, expected: impl Display) -> Self {
        Self {
            key: told::short(&key.to_string()),
            value: told::short(&value.to_string()),
            expected: expected.to_string(),
        }
    }
}

/// The largest number of elements of a setting that is a list.
pub const MOST_ELEMENTS: usize = 256;

/// The declaration of one setting.
#[derive(Debug)]
pub struct Field {
    /// Full key in a settings file.
    pub key: &'static str,
    /// The lines of its doc comment.
    pub docs: &'static [&'static str],
    /// Smallest and largest value; of each component for vectors. `None` for choices and switches.
    pub range: Option<[f32; 2]>,
    /// Unit of the value; empty for pure numbers.
    pub unit: &'static str,
    /// Label of its row in a panel; empty if it has none.
    pub label: &'static str,
    /// Range of its slider where that is narrower than the range of the setting.
    pub slider: Option<[f32; 2]>,
    /// `true` if the slider is logarithmic.
    pub is_logarithmic: bool,
    /// Returns the default as a person would type it; empty if there is none.
    pub default: fn() -> String,
    /// Returns the names of all values; none but for choices.
    pub names: fn() -> Vec<&'static str>,
}

impl Field {
    /// Returns the declaration of a setting that [`settings!`](crate::settings!) cannot express.
    pub const fn new(key: &'static str, docs: &'static [&'static str]) -> Self {
        Self {
            key,
            docs,
            range: None,
            unit: "",
            label: "",
            slider: None,
            is_logarithmic: false,
            default: String::new,
            names: Vec::new,
        }
    }

    /// Returns the declaration with a range and a unit.
    pub const fn within(self, min: f32, max: f32, unit: &'static str) -> Self {
        Self {
            range: Some([min, max]),
            unit,
            ..self
        }
    }

    /// Returns the allowed values; all numbers if there is no range.
    pub const fn range(&self) -> RangeInclusive<f32> {
        match self.range {
            Some([min, max]) => min..=max,
            None => f32::MIN..=f32::MAX,
        }
    }

    /// Returns the meaning in one line.
    pub fn meaning(&self) -> String {
        joined(self.docs)
    }

    /// Returns the meaning followed by range and unit, as in `Strand length (0.01 to 10
    /// decimetres)`, or by the names that it does not list itself.
    pub fn meaning_with_range(&self) -> String {
        let meaning = self.meaning();
        let meaning = meaning.trim_end_matches('.');
        let names = (self.names)();
        match self.range_with_unit() {
            Some(range) => format!("{meaning} ({range})"),
            None if names.iter().all(|name| meaning.contains(name)) => meaning.to_owned(),
            None => format!("{meaning} ({})", names.join(", ")),
        }
    }

    /// Returns the range with its unit, as in `0.01 to 10 decimetres`.
    fn range_with_unit(&self) -> Option<String> {
        let [min, max] = self.range?.map(shown);
        Some(match self.unit {
            "" => format!("{min} to {max}"),
            unit => format!("{min} to {max} {unit}"),
        })
    }

    /// Returns range and default in one line, as in `0.01 to 10 decimetres, by default 0.75`; empty
    /// if there is neither.
    pub fn range_and_default(&self) -> String {
        let default = Some((self.default)()).filter(|default| !default.is_empty());
        match (self.range_with_unit(), default) {
            (Some(range), Some(default)) => format!("{range}, by default {default}"),
            (None, Some(default)) => format!("By default {default}"),
            (range, None) => range.unwrap_or_default(),
        }
    }

    /// Returns the label of its row, or one made of its key if it has no row of its own.
    pub fn name(&self) -> String {
        if !self.label.is_empty() {
            return self.label.to_owned();
        }
        let last = self.key.rsplit('.').next().unwrap_or_default();
        let mut words = last.replace('_', " ");
        if let Some(first) = words.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        words
    }

    /// Returns an error if `value` is out of range. Not-a-number is out of every range.
    ///
    /// # Errors
    /// [`SettingError`] with key, value, range and unit.
    pub fn check<T: Ranged>(&self, value: &T) -> Result<(), SettingError> {
        if value.count() > MOST_ELEMENTS {
            let key = format!("number of {}", self.key);
            let expected = format!("at most {MOST_ELEMENTS}");
            return Err(SettingError::new(key, value.count(), expected));
        }
        let (min, max) = self.range().into_inner();
        let (range, mut outside) = (f64::from(min)..=f64::from(max), None);
        value.zipped(value, |number, _| {
            if !range.contains(&number) {
                outside.get_or_insert(number);
            }
            number
        });
        outside.map_or(Ok(()), |number| {
            let [min, max] = [min, max].map(shown);
            let expected = match self.unit {
                "" => format!("{min} to {max}"),
                unit => format!("{min} to {max} ({unit})"),
            };
            Err(SettingError::new(self.key, shown(number), expected))
        })
    }

    /// Returns `value` with each number moved into the range, and with that of `default` in place
    /// of what is not a number.
    pub fn clamped<T: Ranged>(&self, value: &T, default: &T) -> T {
        let (min, max) = self.range().into_inner();
        value.zipped(default, |number, default| match number.is_nan() {
            true => default,
            false => number.clamp(min.into(), max.into()),
        })
    }
}

/// Returns a number as text: whole numbers of 32 bits exactly, others in single precision.
fn shown(number: impl Into<f64>) -> String {
    let number = number.into();
    match number.fract() == 0.0 && number.abs() <= f64::from(u32::MAX) {
        true => number.to_string(),
        false => (number as f32).to_string(),
    }
}

/// Joins the lines of a doc comment.
pub fn joined(docs: &[&str]) -> String {
    let lines: Vec<&str> = docs.iter().map(|line| line.trim()).collect();
    lines.join(" ")
}

/// A section of a settings file: a struct of settings.
#[derive(Debug)]
pub struct Section {
    /// Key of the section, as in `sim.ftl`.
    pub key: &'static str,
    /// The lines of its doc comment.
    pub docs: &'static [&'static str],
    /// The settings of the section, without those of sections inside it.
    pub fields: &'static [&'static Field],
}

/// Declares a struct of settings, which is a section of the settings file.
///
/// ```
/// mohawk::settings! {
///     /// A pendulum.
///     pub struct Pendulum in "pendulum" {
///         /// Length of the thread.
///         length: f32 = 1.0, 0.1..=10.0 "decimetres" => "Length" 0.1..=2.0 log;
///         /// Whether it swings.
///         swings: bool = true => "Swings";
///     }
/// }
/// assert!(Pendulum { length: 11.0, swings: true }.validate().is_err());
/// assert_eq!(Pendulum::length.key, "pendulum.length");
/// ```
///
/// Each field reads `name: type = default, min..=max "unit" => "label" low..=high log;`. What does
/// not apply is left out. A field without a default is a section or a list of its own: its type has
/// `validate` and `clamped`. The associated constant of the same name is its [`Field`].
#[macro_export]
macro_rules! settings {
    (
        $(#[doc = $section_doc:literal])+
        pub struct $Name:ident in $section:literal {
            $(
                $(#[doc = $doc:literal])+
                $field:ident : $ty:ty
                    $(= $default:expr)?
                    $(, $min:literal ..= $max:literal $($unit:literal)?)?
                    $(=> $label:literal $($low:literal ..= $high:literal)? $($log:ident)?)?
                ;
            )*
        }
    ) => {
        $(#[doc = $section_doc])+
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct $Name {
            $(
                $(#[doc = $doc])+
                $(
                    #[doc = ""]
                    #[doc = concat!("Range: ", $min, " to ", $max, $(" ", $unit,)? ".")]
                )?
                pub $field: $ty,
            )*
        }

        impl Default for $Name {
            fn default() -> Self {
                Self { $($field: $crate::settings!(@default $($default)?),)* }
            }
        }

        #[allow(non_upper_case_globals)]
        impl $Name {
            $(
                #[doc = concat!("The declaration of the setting `", stringify!($field), "`.")]
                pub const $field: $crate::settings::Field = $crate::settings::Field {
                    key: concat!($section, ".", stringify!($field)),
                    docs: &[$($doc),+],
                    range: $crate::settings!(@range $($min, $max)?),
                    unit: $crate::settings!(@text $($($unit)?)?),
                    label: $crate::settings!(@text $($label)?),
                    slider: $crate::settings!(@range $($($low, $high)?)?),
                    is_logarithmic: $crate::settings!(@is_log $($($log)?)?),
                    default: $crate::settings!(@written $ty, [$($default)?]),
                    names: $crate::settings!(@names $ty, [$($default)?]),
                };
            )*

            /// Key, meaning and declarations of all of these settings.
            pub const SECTION: $crate::settings::Section = $crate::settings::Section {
                key: $section,
                docs: &[$($section_doc),+],
                fields: &[$(&Self::$field),*],
            };

            /// Checks every range.
            ///
            /// # Errors
            /// [`SettingError`](crate::settings::SettingError) of the first setting that is out of
            /// range.
            pub fn validate(&self) -> Result<(), $crate::settings::SettingError> {
                #[allow(unused_imports)]
                use $crate::settings::List as _;
                $($crate::settings!(@check self, $field, [$($default)?], [$($min)?]);)*
                Ok(())
            }

            /// Shows every setting to `visitor` together with its value in `was`, sections inside
            /// this one included, lists left out.
            #[allow(dead_code)]
            #[allow(unused_variables)]
            pub fn visit(&mut self, was: &Self, visitor: $crate::settings::Visitor<'_>) {
                #[allow(unused_imports)]
                use $crate::settings::List as _;
                $($crate::settings!(@visit self, was, visitor, $field, [$($default)?]);)*
            }

            /// Returns these settings with each value moved into its range, and with the default in
            /// place of what is not a number.
            #[allow(dead_code)]
            pub(crate) fn clamped(&self) -> Self {
                #[allow(unused_imports)]
                use $crate::settings::List as _;
                #[allow(unused_variables)]
                let default = Self::default();
                Self {
                    $($field: $crate::settings!(@clamped self, default, $field, [$($default)?], [$($min)?]),)*
                }
            }
        }
    };
    (@default) => { Default::default() };
    (@default $default:expr) => { $default };
    (@range) => { None };
    (@range $min:literal, $max:literal) => { Some([$min as f32, $max as f32]) };
    (@text) => { "" };
    (@text $text:literal) => { $text };
    (@is_log) => { false };
    (@is_log log) => { true };
    (@check $self:ident, $field:ident, [], []) => { $self.$field.validate()? };
    (@check $self:ident, $field:ident, [$default:expr], []) => {};
    (@check $self:ident, $field:ident, [$default:expr], [$min:literal]) => {
        Self::$field.check(&$self.$field)?
    };
    (@written $ty:ty, []) => { String::new };
    (@written $ty:ty, [$default:expr]) => {
        || <$ty as $crate::settings::Value>::written(&$default)
    };
    (@names $ty:ty, []) => { Vec::new };
    (@names $ty:ty, [$default:expr]) => { <$ty as $crate::settings::Value>::names };
    (@visit $self:ident, $was:ident, $visitor:ident, $field:ident, []) => {
        $self.$field.visit(&$was.$field, $visitor)
    };
    (@visit $self:ident, $was:ident, $visitor:ident, $field:ident, [$default:expr]) => {
        $visitor(
            &Self::SECTION,
            &Self::$field,
            $crate::settings::Value::editor(&mut $self.$field, &$was.$field),
        )
    };
    (@clamped $self:ident, $old:ident, $field:ident, [], []) => { $self.$field.clamped() };
    (@clamped $self:ident, $old:ident, $field:ident, [$default:expr], []) => { $self.$field.clone() };
    (@clamped $self:ident, $old:ident, $field:ident, [$default:expr], [$min:literal]) => {
        Self::$field.clamped(&$self.$field, &$old.$field)
    };
}
