//! Sets of roots measured side by side, as numbers and as pictures.

mod judged;

pub use judged::{Judged, MEASURES, Measure};
