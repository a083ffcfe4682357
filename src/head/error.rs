//! Why a head could not be loaded: the file, the thing in it, and the way out.

use super::limits::{self, way_past};
use std::fmt;

/// Why a head could not be loaded.
///
/// The text names the file, the thing in it and what to do about it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{file}: {kind}")]
pub struct LoadError {
    /// The file as the caller named it.
    pub file: String,
    /// What is wrong with it.
    pub kind: LoadErrorKind,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// The file cannot be read.
    #[error("cannot be read: {problem}. {advice}")]
    Unreadable {
        /// What the system said.
        problem: String,
        /// The way out.
        advice: String,
    },
    /// The content is not glTF.
    #[error("{looks_like}, not glTF 2.0. {advice}")]
    NotGltf {
        /// What the content looks like: "looks like FBX".
        looks_like: String,
        /// The way out.
        advice: String,
    },
    /// The `.glb` envelope is damaged.
    #[error("damaged .glb: {problem}. Copy, download or export it again.")]
    Container {
        /// What does not fit.
        problem: String,
    },
    /// The JSON does not parse or has a value of a wrong type.
    #[error(
        "its JSON cannot be read: {problem}. Export it again, or check it with the Khronos glTF validator."
    )]
    Json {
        /// What the parser said, with line and column.
        problem: String,
    },
    /// The file requires a glTF extension that is not read.
    #[error("requires the glTF extension {name}, which is not read. {advice}")]
    Extension {
        /// The extension's name.
        name: String,
        /// How to export without it.
        advice: String,
    },
    /// Something in the file contradicts itself or the glTF specification.
    #[error("{at}: {problem}. {advice}")]
    Invalid {
        /// The thing, by index and name: `mesh 2 "head", primitive 0`.
        at: String,
        /// What is wrong with it.
        problem: String,
        /// The way out.
        advice: String,
    },
    /// A file outside the model's folder, or one that cannot be had.
    #[error("{at}: {problem}. {advice}")]
    Uri {
        /// Which buffer or image.
        at: String,
        /// What is wrong with the address.
        problem: String,
        /// The way out.
        advice: String,
    },
    /// The file asks for more than the limits allow.
    #[error(
        "{what} would take {} of memory, and the file's size allows {} more {}. \
             Export the head with fewer vertices or instances.",
        Bytes(*needs), Bytes(*left), way_past("memory-free")
    )]
    TooBig {
        /// The thing that asks.
        what: String,
        /// Bytes it needs.
        needs: u64,
        /// Bytes that are left.
        left: u64,
    },
    /// The JSON has more entries than the limits allow.
    #[error(
        "its JSON has too many entries (nodes, primitives, accessors…): up to {place} they take \
             the {} of memory that the file's size allows {}. Export the head alone.",
        Bytes(*left), way_past("memory-free")
    )]
    Crowded {
        /// Line and column where reading stopped.
        place: String,
        /// Bytes that were left for it.
        left: u64,
    },
    /// Nothing to draw.
    #[error(
        "no triangles in the default scene ({found}). \
             Select the head and export it as a mesh with faces."
    )]
    Empty {
        /// What there is instead.
        found: String,
    },
    /// A setting is out of its range.
    #[error("setting `{name}`: {problem}")]
    Setting {
        /// The setting's name.
        name: &'static str,
        /// What is wrong and what would be right.
        problem: String,
    },
}

pub(super) type Result<T> = std::result::Result<T, LoadErrorKind>;

/// What is said when only the exporter can help.
pub(super) const RE_EXPORT: &str = "Export it again, or check it with the Khronos glTF validator.";

impl LoadErrorKind {
    /// Something invalid that another export should cure.
    pub(super) fn invalid(at: impl fmt::Display, problem: impl fmt::Display) -> Self {
        Self::advised(at, problem, RE_EXPORT)
    }

    /// Something invalid with its own way out.
    pub(super) fn advised(at: impl fmt::Display, problem: impl fmt::Display, advice: &str) -> Self {
        Self::Invalid {
            at: at.to_string(),
            problem: problem.to_string(),
            advice: advice.to_owned(),
        }
    }
}

/// Bytes for people.
pub(super) struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            0..1_000_000 => write!(f, "{} kB", self.0.div_ceil(1000)),
            1_000_000..1_000_000_000 => write!(f, "{} MB", self.0 / 1_000_000),
            _ => write!(f, "{:.1} GB", self.0 as f64 / 1e9),
        }
    }
}

/// A thing of the document by index and name: `mesh 2 "head"`.
pub(super) fn thing(kind: &str, index: usize, name: Option<&str>) -> String {
    match name {
        Some(name) if !name.is_empty() => format!("{kind} {index} {}", quoted(name)),
        _ => format!("{kind} {index}"),
    }
}

/// A name from the file, safe to print: quoted, escaped, not longer than a line.
pub(super) fn quoted(name: &str) -> String {
    format!("{:?}", short(name))
}

/// A name from the file, not longer than a line: it is copied to every part.
pub(super) fn short(name: &str) -> String {
    let mut short: String = name.chars().take(60).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    short
}

/// Warnings of one load, capped.
#[derive(Default)]
pub(super) struct Warnings {
    list: Vec<String>,
    more: usize,
}

impl Warnings {
    /// Adds one, unless the same was said already or there are too many.
    pub fn push(&mut self, text: impl Into<String>) {
        let text = text.into();
        if self.list.len() >= limits::WARNINGS {
            self.more += 1;
        } else if !self.list.contains(&text) {
            self.list.push(text);
        }
    }

    /// All of them.
    pub fn finish(mut self) -> Vec<String> {
        if self.more > 0 {
            self.list.push(format!("and {} more warnings", self.more));
        }
        self.list
    }
}
