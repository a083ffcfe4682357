//! The contents of a report.

use super::measures::{JudgedRoots, MEASURES};
use mohawk::roots::distribution::Spectrum;
use mohawk::scalp::Scalp;

/// The contents of a report.
pub struct Report<'a> {
    /// The title.
    pub title: String,
    /// Names and values that describe how the set was made.
    pub facts: Vec<(String, String)>,
    /// The command that makes the set again.
    pub command: String,
    /// The unit of lengths after a blank; empty if it is unknown.
    pub unit: &'a str,
    /// The surface with the set.
    pub scalp: &'a Scalp,
    /// The set.
    pub set: &'a JudgedRoots,
    /// The distance of each root to the nearest root on its side.
    pub nearest: Vec<f64>,
    /// The spectrum of the set, or of sets that were made in the same way on a square.
    pub spectrum: Option<LabelledSpectrum>,
    /// The measures of the set and of other sets.
    pub rows: Vec<Row>,
}

/// A spectrum and the sets that it is of.
pub struct LabelledSpectrum {
    pub spectrum: Spectrum,
    /// The number and kind of the sets.
    pub of: String,
}

/// A line of the table.
pub struct Row {
    /// The name of the set.
    pub name: String,
    /// `true` for the set of the report.
    pub is_subject: bool,
    /// The values in the order of [`MEASURES`].
    pub values: [Option<f64>; MEASURES.len()],
}
