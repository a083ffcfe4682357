//! Sets of roots measured side by side, as numbers and as pictures.
//!
//! | file | one thing |
//! |---|---|
//! | `judged` | a set and the numbers it is compared by |
//! | `view` | looking at a scalp; its surface in pixels |
//! | `scalp`, `charts`, `table` | the panels |
//! | `page`, `png` | all of them on a sheet, as HTML, in pixels |
//! | `growth` | a chart of its own: what grows with a number |
//! | `svg`, `drawn`, `palette` | elements, charts' own elements, letters and colours they share |

mod charts;
mod drawn;
mod growth;
mod judged;
mod page;
mod palette;
mod png;
mod scalp;
mod svg;
mod table;
mod view;

pub use growth::Growth;
pub use judged::{Judged, MEASURES};

use mohawk::roots::distribution::Spectrum;
use mohawk::scalp::Scalp;

/// What a report tells: all numbers have been computed.
pub struct Report<'a> {
    /// Its first line.
    pub title: String,
    /// What is worth knowing of how the set was made: names and values.
    pub facts: Vec<(String, String)>,
    /// How to make it again.
    pub command: String,
    /// Unit of lengths, with a blank before it; empty where nobody knows.
    pub unit: &'a str,
    /// What the set lies on.
    pub scalp: &'a Scalp,
    /// The set.
    pub set: &'a Judged,
    /// The distance of each root to the nearest one on its side.
    pub nearest: Vec<f64>,
    /// Spectrum of the set, or of sets made like it on a square.
    pub spectrum: Option<ShownSpectrum>,
    /// The set and others, by their measures.
    pub rows: Vec<Row>,
}

/// A spectrum and whose it is.
pub struct ShownSpectrum {
    /// The spectrum.
    pub spectrum: Spectrum,
    /// Of how many sets of what.
    pub of: String,
}

/// A line of the table.
pub struct Row {
    /// Whose measures.
    pub name: String,
    /// Whether it is the set that the report is about.
    pub is_subject: bool,
    /// In the order of [`MEASURES`].
    pub values: [Option<f64>; MEASURES.len()],
}

/// Why a report could not be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The surface could not be made a picture.
    #[error("the surface could not be drawn: {0}")]
    Picture(image::ImageError),
    /// A chart or the whole sheet could not be drawn.
    #[error("a chart could not be drawn: {0}")]
    Chart(String),
}

impl Report<'_> {
    /// One sheet as a vector graphic that needs nothing from elsewhere.
    ///
    /// # Errors
    ///
    /// [`ReportError`], as for the other formats.
    pub fn to_svg(&self) -> Result<String, ReportError> {
        Ok(page::sheet(self)?.document())
    }

    /// The same sheet in pixels.
    ///
    /// # Errors
    ///
    /// As [`Report::to_svg`].
    pub fn to_png(&self) -> Result<Vec<u8>, ReportError> {
        png::rendered(&page::sheet(self)?)
    }

    /// A page with the same panels and a table of text.
    ///
    /// # Errors
    ///
    /// As [`Report::to_svg`].
    pub fn to_html(&self) -> Result<String, ReportError> {
        page::html(self)
    }
}
