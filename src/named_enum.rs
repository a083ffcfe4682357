//! Enums whose variants have names on the command line and in files.

/// Declares an enum by the names of its variants, and what to call a value in error messages.
///
/// Defines `ALL` (in the order of declaration), `name`, `Display`, `FromStr` (whose error lists all
/// names) and serde by name; and `about`, where variants have a text after `=>`.
macro_rules! named_enum {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $Enum:ident as $what:literal {
            $($(#[$of_variant:meta])* $Variant:ident = $name:literal $(=> $about:literal)?),+ $(,)?
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        $visibility enum $Enum {
            $($(#[$of_variant])* #[serde(rename = $name)] $Variant),+
        }

        impl $Enum {
            /// All variants.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$Variant),+];

            /// Returns the name on the command line and in files.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name),+
                }
            }

            named_enum!(@about $($Variant $($about)?),+);
        }

        impl std::fmt::Display for $Enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $Enum {
            type Err = crate::settings::SettingError;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                (Self::ALL.into_iter()).find(|one| one.name() == name).ok_or_else(|| {
                    let names = Self::ALL.map(Self::name).join(", ");
                    Self::Err::new($what, name, format!("one of {names}"))
                })
            }
        }
    };
    (@about $($Variant:ident $about:literal),+) => {
        /// Returns a description of one line.
        pub fn about(self) -> &'static str {
            match self {
                $(Self::$Variant => $about),+
            }
        }
    };
    (@about $($Variant:ident),+) => {};
}
pub(crate) use named_enum;
