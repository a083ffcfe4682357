//! Reports that compare sets of roots by numbers and pictures, and charts of growth.
//!
//! `measures` has the numbers, `contents` all that a report shows. `scalp` (with `view`) and
//! `charts` draw its panels, and `page` puts them on a sheet, as SVG, PNG or HTML. `growth` is a
//! chart of its own. `panel` has the SVG elements and `axes` the axes of charts.

mod axes;
mod charts;
mod contents;
mod growth;
mod measures;
mod page;
mod panel;
mod scalp;
mod view;

pub use contents::{LabelledSpectrum, Report, Row};
pub use growth::Growth;
pub use measures::{JudgedRoots, MEASURES};
