//! Reports that compare sets of roots by numbers and pictures, and charts of growth.
//!
//! `measures` has the numbers and `content` all that a report shows. `scalp` (with `view`),
//! `charts` and `table` draw the panels of a report, and `page` puts them on a sheet, as SVG, PNG
//! or HTML. `growth` is a chart of its own. `panel` has the SVG elements, `plot` the use of
//! `plotters`.

mod charts;
mod content;
mod growth;
mod measures;
mod page;
mod panel;
mod plot;
mod scalp;
mod table;
mod view;

pub use content::{LabelledSpectrum, Report, Row};
pub use growth::Growth;
pub use measures::{JudgedRoots, MEASURES};
