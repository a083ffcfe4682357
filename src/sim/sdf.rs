//! The signed distance field of a head's skin: baked once, sampled by solvers.
//!
//! [`bake`] turns triangles into distances at the nodes of a [`grid`], [`sample`] interpolates
//! distance and gradient, and [`bend`] has skin that has moved since. Method, figures and limits:
//! `docs/field.md`.

mod bake;
mod bend;
mod grid;
mod sample;
mod settings;
#[cfg(test)]
mod tests;

pub(crate) use bend::{Bend, BendMotion, Lattice, Moved};
pub use settings::{SdfError, SdfSettings};

use crate::head::Head;
use bake::skin::{self, Mesh};
use glam::Vec3;
use grid::{BRICK, BYTES, Bricks, Grid};
use std::ops::ControlFlow;

/// Signed distances from the skin of a head, in head space, negative inside.
///
/// A point is inside if the generalised winding number of the skin (Jacobson and others 2013) is
/// above ½. Where the skin is open, as at a neck, the inside ends where the number is ½: on a flat
/// cut, that is the flat disc across it. Skin that encloses nothing is an obstacle without
/// thickness. Triangles deep inside, where one piece of skin passes through another, are ignored.
#[derive(Clone, Debug, PartialEq)]
pub struct Sdf {
    grid: Grid,
    /// 1 / cell.
    per_cell: f32,
    /// The position of the last node.
    high: [f32; 3],
    /// The number of cells along each axis.
    cells: [f32; 3],
    /// 1 / side of a brick.
    pub(crate) per_brick: f32,
    /// The lowest node, and the index of the last brick along each axis, in bricks.
    low_brick: [f32; 3],
    last_brick: [f32; 3],
    bricks: Bricks,
}

impl crate::groom::Skin for Sdf {
    fn sample(&self, point: Vec3) -> (f32, Vec3) {
        let (distance, gradient) = Sdf::sample(self, point.to_array());
        (distance, gradient.into())
    }
}

impl Sdf {
    /// Bakes the field of a head's skin: the part with the scalp paint, and the parts that continue
    /// it at its edges.
    ///
    /// `tell` receives the progress, 0 to 1, on the calling thread, and may cancel. Rayon's threads
    /// share the work; their number does not change the result.
    ///
    /// # Errors
    ///
    /// [`SdfError`] for a setting out of range, a head without scalp paint, skin without area or
    /// beyond the limits of size, count and complexity, and after cancellation.
    pub fn bake(
        head: &Head,
        settings: &SdfSettings,
        tell: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Self, SdfError> {
        let meshes = skin::meshes(head);
        if meshes.is_empty() {
            return Err(SdfError::NoSkin);
        }
        Self::of_meshes(&meshes, settings, tell)
    }

    /// Bakes the field of any mesh. Corner indices are counter-clockwise seen from outside.
    ///
    /// # Errors
    ///
    /// The errors of [`bake`](Self::bake), and one for corners without a finite vertex.
    pub fn of_mesh(
        positions: &[Vec3],
        triangles: &[[u32; 3]],
        settings: &SdfSettings,
        tell: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Self, SdfError> {
        Self::of_meshes(&[(positions, triangles.into())], settings, tell)
    }

    fn of_meshes(
        meshes: &[Mesh],
        settings: &SdfSettings,
        tell: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Self, SdfError> {
        settings.validate()?;
        let triangles = skin::triangles(meshes)?;
        let (grid, values) = bake::bake(triangles, settings, tell)?;
        Ok(Self::new(grid, &values))
    }

    /// Returns the indices of the parts that [`bake`](Self::bake) uses, the scalp's first; none
    /// without scalp paint.
    pub fn skin_parts(head: &Head) -> Vec<usize> {
        skin::parts(head)
    }

    /// `values` are the distances at the nodes, decimetres, x fastest, then y.
    fn new(grid: Grid, values: &[f32]) -> Self {
        let bricks = Bricks::new(grid.size, values);
        let per_cell = 1.0 / grid.cell;
        let per_brick = per_cell / BRICK as f32;
        Self {
            per_cell,
            high: grid.node(grid.size.map(|n| n - 1)).as_vec3().to_array(),
            cells: grid.size.map(|nodes| (nodes - 1) as f32),
            per_brick,
            low_brick: grid.low.map(|x| x * per_brick),
            last_brick: bricks.size.map(|bricks| (bricks - 1) as f32),
            bricks,
            grid,
        }
    }

    /// Returns the memory of the field, bytes.
    pub fn bytes(&self) -> usize {
        self.bricks.least.len() * BYTES
    }

    /// Returns the side of a cell, decimetres.
    pub fn cell(&self) -> f32 {
        self.grid.cell
    }

    /// Returns the number of nodes along x, y and z.
    pub fn nodes(&self) -> [usize; 3] {
        self.grid.size
    }

    /// Returns the lowest and the highest corner of the grid, head space.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        (self.grid.low.into(), self.high.into())
    }

    /// Returns the distance from the skin up to which nodes are exact, decimetres.
    pub fn band(&self) -> f32 {
        self.grid.far()
    }

    /// Returns the largest error of [`sample`](Self::sample) within [`band`](Self::band) of the
    /// skin, decimetres. Farther away, samples are too large by no more than that, and may be too
    /// small by five cells and 2 %.
    ///
    /// Nodes are exact, and the distance f is 1-Lipschitz. With the weights w of the corners x of a
    /// cell, Σ w = 1, and the position t in the cell along each axis:
    ///
    /// ```text
    /// |Σ w f(x) − f(p)| ≤ Σ w |x − p| ≤ √(Σ w |x − p|²) = cell √(Σ t (1 − t)) ≤ cell √3 / 2
    /// ```
    ///
    /// The rest is rounding. The bound is reached near sharp edges; on smooth skin, errors are
    /// proportional to the square of the cell (`docs/field.md`). Across a hole in the skin, the end
    /// of the inside is itself known only to a cell.
    pub fn error_bound(&self) -> f32 {
        let (low, high) = self.bounds();
        let farthest = low.abs().max(high.abs()).max_element();
        0.866_026 * self.grid.cell + 2e-6 * farthest
    }
}
