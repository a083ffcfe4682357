//! How far any point is from the skin of a head, on which side, and which way is out: a signed
//! distance field, baked once and sampled by solvers.
//!
//! | file | one thing |
//! |---|---|
//! | `settings` | how fine it is to be, and why there may be none |
//! | `skin` | which parts of a head are its skin |
//! | `tree` | triangles in a tree of boxes |
//! | `packet`, `lanes` | eight points at once, and the nearest triangle of each |
//! | `winding` | inside or outside, for meshes with holes |
//! | `inside` | which way triangles face, and which are deep inside |
//! | `sign` | which nodes are inside, and where the inside ends without skin |
//! | `grid` | where the nodes are |
//! | `work` | parallel pieces of work: counted, told of, stopped |
//! | `close` | what hair would get caught in, closed |
//! | `bake` | all of it put together, in parallel |
//! | `bricks` | how distances lie in memory, and what is far away, told with one look |
//! | `sample` | distance and gradient between the nodes |
//!
//! Method, figures and limits: `docs/field.md`.

mod bake;
mod bricks;
mod close;
mod grid;
mod inside;
mod lanes;
mod packet;
mod sample;
mod settings;
mod sign;
mod skin;
mod tree;
mod winding;
mod work;

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod shapes;
#[cfg(test)]
mod tests;

pub(crate) use bricks::Look;
pub use settings::{FieldError, FieldSettings};

use crate::head::Head;
use bricks::Bricks;
use glam::Vec3;
use grid::Grid;
use std::ops::ControlFlow;

/// Signed distances from the skin of a head, in head space: negative inside.
///
/// What counts as inside is where the skin winds around a point by more than ½ (the generalised
/// winding number of Jacobson and others 2013). Where the skin is closed there is nothing to add;
/// where it is open, as at a neck, the inside ends at the surface where it winds by ½: on a flat
/// cut that is the flat disc across it. Skin that is a sheet and encloses nothing has no inside,
/// and is an obstacle of no thickness. Triangles deep inside, where one piece of skin is stuck
/// through another, do not count.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    grid: Grid,
    /// 1 / cell.
    per_cell: f32,
    /// The last node.
    high: [f32; 3],
    /// Cells along each axis.
    cells: [f32; 3],
    bricks: Bricks,
    /// Largest coordinate or side of the grid, decimetres.
    reach: f32,
}

impl Field {
    /// Bakes the field of a head's skin: of the part that carries the scalp paint, and of parts
    /// that go on where it ends.
    ///
    /// `tell` hears from time to time how far the work is, 0 to 1, on the thread that called, and
    /// may stop it. The work is split among rayon's threads; their number does not change a bit
    /// of the result.
    ///
    /// # Errors
    ///
    /// A setting out of its range, a head without scalp paint, skin without an area, or of more
    /// triangles, another size or more tangled than any head; or `tell` has stopped it.
    pub fn bake(
        head: &Head,
        settings: &FieldSettings,
        tell: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Self, FieldError> {
        settings.validate()?;
        let parts = skin::parts(head);
        if parts.is_empty() {
            return Err(FieldError::NoSkin);
        }
        bake::bake(skin::triangles(head, &parts)?, settings, tell)
    }

    /// Bakes the field of any mesh: corner indices counter-clockwise from outside.
    ///
    /// # Errors
    ///
    /// As [`bake`](Self::bake); also for corners that name no vertex or are not finite.
    pub fn of_mesh(
        positions: &[Vec3],
        triangles: &[[u32; 3]],
        settings: &FieldSettings,
        tell: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Self, FieldError> {
        settings.validate()?;
        let mut all = Vec::with_capacity(skin::within_limit(triangles.len())?);
        skin::gather(positions, triangles, &mut all)?;
        bake::bake(all, settings, tell)
    }

    /// Numbers of the parts of a head whose field [`bake`](Self::bake) makes, the scalp's first;
    /// none without scalp paint.
    pub fn skin_parts(head: &Head) -> Vec<usize> {
        skin::parts(head)
    }

    /// `values`: distances at the nodes, decimetres; x runs fastest, then y.
    fn new(grid: Grid, values: &[f32]) -> Self {
        let high = grid.high();
        let ends = grid.low.iter().chain(&high);
        let farthest = ends.fold(0.0_f32, |most, x| most.max(x.abs()));
        Self {
            per_cell: 1.0 / grid.cell,
            high,
            cells: grid.size.map(|nodes| (nodes - 1) as f32),
            bricks: Bricks::of(&grid, values),
            reach: 2.0 * farthest,
            grid,
        }
    }

    /// Memory of the field, bytes.
    pub fn bytes(&self) -> usize {
        self.bricks.bytes()
    }

    /// Side of a cell, decimetres.
    pub fn cell(&self) -> f32 {
        self.grid.cell
    }

    /// Nodes along x, y and z.
    pub fn nodes(&self) -> [usize; 3] {
        self.grid.size
    }

    /// The grid's lowest and highest corner, head space.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        (self.grid.low.into(), self.high.into())
    }

    /// Up to here from skin, inside and outside, nodes are exact, decimetres.
    pub fn band(&self) -> f32 {
        self.grid.margin.max(bake::FAR_CELLS * self.grid.cell)
    }

    /// How far [`sample`](Self::sample) may be from the true distance up to [`band`](Self::band)
    /// from skin, decimetres. Farther away it is larger than that by no more, and may be smaller by
    /// five cells and a fiftieth of itself.
    ///
    /// Nodes are exact, and the distance f changes by no more than the way gone. So with the
    /// weights w of the corners x of a cell, Σ w = 1, and t the share of the way through the cell
    /// along each axis:
    ///
    /// ```text
    /// |Σ w f(x) − f(p)| ≤ Σ w |x − p| ≤ √(Σ w |x − p|²) = cell √(Σ t (1 − t)) ≤ cell √3 / 2
    /// ```
    ///
    /// The rest is rounding. It is met beside edges that are sharp to the scale of a cell; where
    /// skin is smooth, errors go with the square of the cell (`docs/field.md`). Across a hole of
    /// the skin, the place where the inside ends is itself known to a cell only.
    pub fn error_bound(&self) -> f32 {
        0.866_026 * self.grid.cell + 1e-6 * self.reach
    }
}
