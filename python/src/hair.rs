//! Hair at rest, as heads, grooms and simulations hand it to each other.

use mohawk::embed::Hair;
use pyo3::prelude::*;
use std::sync::Arc;

/// Hair at rest. `Head.grow` makes it, or this of strands in the air.
///
/// Args:
///     points: Array (strands, points, 3), root first, decimetres: 2 to 1024 points each. A strand is
///         at rest in this shape. `sim.sag_free` is off, so that it bends under its weight.
#[pyclass(frozen, module = "mohawk_hair")]
pub struct Groom {
    pub hair: Arc<Hair>,
}
