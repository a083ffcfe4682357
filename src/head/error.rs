//! Errors and warnings of loading a head, and the words that they share.

use crate::files::FileError;
use crate::told::short;
use std::fmt;

/// An error of loading a head.
pub type LoadError = FileError<LoadErrorKind>;

/// A problem of a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// The file cannot be read; with the message of the operating system and the advice.
    #[error("cannot be read: {0}. {1}")]
    Unreadable(String, &'static str),
    /// The content is of no format that is read; with the likely one: "looks like a .blend file".
    #[error("{0}. Heads are read from glTF 2.0, COLLADA, FBX, OBJ, PLY, STL and USD. {EXPORT}")]
    NotGltf(String),
    /// The `.glb` container is damaged.
    #[error("damaged .glb: {0}. Copy, download or export it again.")]
    Container(String),
    /// The JSON does not parse or has a value of a wrong type; with line and column.
    #[error("its JSON cannot be read: {0}. {RE_EXPORT}")]
    Json(String),
    /// The file requires a glTF extension that is not supported.
    #[error("requires the glTF extension {name}, which is not read. {advice}")]
    Extension {
        /// The name of the extension.
        name: String,
        /// Advice on exporting without it.
        advice: String,
    },
    /// An element contradicts itself or the glTF specification.
    #[error("{at}: {problem}. {advice}")]
    Invalid {
        /// The element by index and name: `mesh 2 "head", primitive 0`.
        at: String,
        /// The problem.
        problem: String,
        /// The advice.
        advice: String,
    },
    /// A URI leads out of the model's folder, or its file cannot be read.
    #[error("{at}: {problem}. {advice}")]
    Uri {
        /// The buffer or image.
        at: String,
        /// The problem of the URI.
        problem: String,
        /// The advice.
        advice: &'static str,
    },
    /// The file needs more memory than its limits allow.
    #[error(
        "{what} would take {} of memory, and the file's size allows {} more {}. \
             Export the head with fewer vertices or instances.",
        Bytes(*needs), Bytes(*left), limit_hint("memory-free")
    )]
    TooBig {
        /// The thing that needs the memory.
        what: String,
        /// Bytes needed.
        needs: u64,
        /// Bytes left.
        left: u64,
    },
    /// The JSON has more entries than the limits allow.
    #[error(
        "its JSON has too many entries (nodes, primitives, accessors…): up to {place} they take \
             the {} of memory that the file's size allows {}. Export the head alone.",
        Bytes(*left), limit_hint("memory-free")
    )]
    Crowded {
        /// Line and column where parsing stopped.
        place: String,
        /// Bytes that were left for the document.
        left: u64,
    },
    /// The default scene has no triangles; with what the file has instead.
    #[error(
        "no triangles in the default scene ({0}). \
             Select the head and export it as a mesh with faces."
    )]
    Empty(String),
    /// A setting is out of its range.
    #[error("setting `{name}`: {problem}")]
    Setting {
        /// The name of the setting.
        name: &'static str,
        /// The problem, and the allowed values.
        problem: String,
    },
}

pub(super) type Result<T> = std::result::Result<T, LoadErrorKind>;

const EXPORT: &str = "Export one of these, best glTF 2.0 (.glb); in Blender: File > Export > glTF 2.0, \
                      with Data > Mesh > Vertex Colors set to Active if a scalp is painted.";

/// The advice where only another export can help.
pub(super) const RE_EXPORT: &str = "Export it again, or check it with the Khronos glTF validator.";

impl LoadErrorKind {
    /// Returns an invalid element that another export should repair.
    pub(super) fn invalid(at: impl fmt::Display, problem: impl fmt::Display) -> Self {
        Self::advised(at, problem, RE_EXPORT)
    }

    /// Returns an invalid element with advice of its own.
    pub(super) fn advised(at: impl fmt::Display, problem: impl fmt::Display, advice: &str) -> Self {
        Self::Invalid {
            at: at.to_string(),
            problem: problem.to_string(),
            advice: advice.to_owned(),
        }
    }

    /// Returns a URI whose bytes cannot be read.
    pub(super) fn uri(at: &str, problem: String, advice: &'static str) -> Self {
        let at = at.to_owned();
        Self::Uri {
            at,
            problem,
            advice,
        }
    }

    /// Returns an index that is out of range: `it names mesh 7, but there are only 1`.
    pub(super) fn missing(at: impl fmt::Display, kind: &str, index: usize, count: usize) -> Self {
        let problem = format!("it names {kind} {index}, but there are only {count}");
        Self::invalid(at, problem)
    }

    /// Puts `place` before the element that an invalid element belongs to.
    pub(super) fn within(mut self, place: &str) -> Self {
        if let Self::Invalid { at, .. } = &mut self {
            *at = match at.is_empty() {
                true => place.to_owned(),
                false => format!("{place}, {at}"),
            };
        }
        self
    }

    /// Puts `start` before the problem of an invalid element.
    pub(super) fn after(mut self, start: impl fmt::Display) -> Self {
        if let Self::Invalid { problem, .. } = &mut self {
            *problem = short(&format!("{start} {problem}"));
        }
        self
    }
}

/// Returns how to raise a limit, for the message that it was exceeded.
pub(crate) fn limit_hint(name: &str) -> String {
    format!("(limit `{name}`; raise it with --limit {name}=N)")
}

/// A number of bytes, displayed in kB, MB or GB.
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

/// Returns the kind, index and name of an element: `mesh 2 "head"`.
pub(super) fn label(kind: &str, index: usize, name: Option<&str>) -> String {
    match name {
        Some(name) if !name.is_empty() => format!("{kind} {index} {}", quoted(name)),
        _ => format!("{kind} {index}"),
    }
}

/// Returns a name from the file made safe to print: quoted, escaped and truncated.
pub(super) fn quoted(name: &str) -> String {
    format!("{:?}", truncated(name))
}

/// Returns at most 60 characters of a name from the file.
pub(super) fn truncated(name: &str) -> String {
    let mut start: String = name.chars().take(60).collect();
    if start.len() < name.len() {
        start.push('…');
    }
    start
}

/// The largest number of warnings that are kept; the rest is counted.
const MAX_WARNINGS: usize = 64;

/// The topic of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Why nothing is painted.
    Paint,
    /// Parts that look like hair.
    Hair,
    /// A picture that cannot be shown.
    Picture,
}

/// The warnings of one load, without repetitions.
#[derive(Default)]
pub(super) struct Warnings {
    list: Vec<String>,
    omitted: usize,
    told: Vec<(Topic, String)>,
}

impl Warnings {
    pub fn push(&mut self, text: impl Into<String>) {
        let text = text.into();
        if self.list.len() >= MAX_WARNINGS {
            self.omitted += 1;
        } else if !self.list.contains(&text) {
            self.list.push(text);
        }
    }

    /// Adds a warning on a topic, which is also kept apart.
    pub fn tell(&mut self, topic: Topic, text: String) {
        if self.told.len() < MAX_WARNINGS {
            self.told.push((topic, text.clone()));
        }
        self.push(text);
    }

    /// Returns the warnings that have a topic.
    pub fn take_told(&mut self) -> Vec<(Topic, String)> {
        std::mem::take(&mut self.told)
    }

    pub fn finish(mut self) -> Vec<String> {
        if self.omitted > 0 {
            self.list
                .push(format!("and {} more warnings", self.omitted));
        }
        self.list
    }
}
