//! Enums whose variants have names for files, flags and panels.

use super::SettingError;
use std::fmt::Display;

/// An enum that [`choices!`](crate::choices!) declares.
pub trait Choice: Copy + PartialEq + Display + Send + Sync + 'static {
    /// Every variant in order with its name, on the command line and in files, and its description,
    /// one line.
    const TABLE: &'static [(Self, &'static str, &'static str)];

    /// Returns the variant with this name of the kind `what`.
    ///
    /// # Errors
    /// [`SettingError`] with all names.
    fn named(what: &str, name: &str) -> Result<Self, SettingError> {
        let found = Self::TABLE.iter().find(|row| row.1 == name);
        found.map(|row| row.0).ok_or_else(|| {
            let names: Vec<&str> = Self::TABLE.iter().map(|row| row.1).collect();
            SettingError::new(what, name, format!("one of {}", names.join(", ")))
        })
    }
}

/// Declares an enum whose variants have names for files, flags and panels. The doc comment of a
/// variant is its description; `Display` writes the name and `FromStr` reads it. The variant after
/// `=` is the default. A name may have an alias in files: `Color = "color" | "colour"`.
///
/// ```
/// mohawk::choices! {
///     /// A direction.
///     pub enum Direction: "direction" = Up {
///         /// The way up.
///         Up = "up",
///         /// The way down.
///         Down = "down",
///     }
/// }
/// assert_eq!("down".parse(), Ok(Direction::Down));
/// assert_eq!(Direction::default().about(), "The way up.");
/// assert!("left".parse::<Direction>().unwrap_err().to_string().ends_with("one of up, down"));
/// ```
#[macro_export]
macro_rules! choices {
    (
        $(#[doc = $enum_doc:literal])+
        pub enum $Name:ident: $what:literal = $Default:ident {
            $($(#[doc = $doc:literal])+ $Variant:ident = $name:literal $(| $alias:literal)?,)+
        }
    ) => {
        $(#[doc = $enum_doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, serde::Deserialize)]
        pub enum $Name {
            $($(#[doc = $doc])+ #[serde(rename = $name $(, alias = $alias)?)] $Variant,)+
        }

        impl $Name {
            /// Every variant.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$Variant),+];

            /// Returns the name on the command line and in files.
            pub const fn name(self) -> &'static str {
                <Self as $crate::settings::Choice>::TABLE[self as usize].1
            }

            /// Returns the description, one line.
            #[allow(dead_code)]
            pub const fn about(self) -> &'static str {
                <Self as $crate::settings::Choice>::TABLE[self as usize].2
            }
        }

        impl Default for $Name {
            fn default() -> Self {
                Self::$Default
            }
        }

        impl $crate::settings::Choice for $Name {
            const TABLE: &'static [(Self, &'static str, &'static str)] =
                &[$((Self::$Variant, $name, concat!($($doc),+).trim_ascii_start())),+];
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $Name {
            type Err = $crate::settings::SettingError;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                $crate::settings::Choice::named($what, name)
            }
        }
    };
}
