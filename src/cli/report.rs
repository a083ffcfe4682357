//! Reports that compare sets of roots by numbers and pictures, and charts of growth.
//!
//! `measures` has the numbers. `page` has all that a report shows and puts its panels on a sheet, as
//! SVG, PNG or HTML: `scalp` (with `view`) and `charts` draw them. `growth` is a chart of its own.
//! `panel` has the SVG elements and `axes` the axes of charts.

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
pub use page::{LabelledSpectrum, Report, Row};
