//! Reports that compare sets of roots by numbers and pictures, and charts of growth.
//!
//! `measures` has the numbers. `scalp` (with `view`) and `charts` draw the panels of a report, and
//! `page` puts them on a sheet, as SVG, PNG or HTML. `growth` is a chart of its own. `panel` has
//! the SVG elements and `axes` the axes of charts.

mod axes;
mod charts;
mod growth;
mod measures;
mod page;
mod panel;
mod scalp;
mod view;

pub use growth::Growth;
pub use measures::{JudgedRoots, MEASURES};

use mohawk::{roots::distribution::Spectrum, scalp::Scalp};

/// The contents of a report.
pub struct Report<'a> {
    /// The title.
    pub title: String,
    /// Names and values that describe how the set was made.
    pub facts: Vec<(&'static str, String)>,
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
    /// The spectrum of the set, or of sets that were made in the same way on a square, with the
    /// number and kind of the sets.
    pub spectrum: Option<(Spectrum, String)>,
    /// The measures of the set and of other sets.
    pub rows: Vec<Row>,
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
