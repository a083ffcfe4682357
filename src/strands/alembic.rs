//! Alembic, in the container Ogawa: `.abc`, in which the grooms of Blender, Maya, Houdini and Unreal
//! Engine travel. Every object of curves is read as it is in a sample, with the transforms above it. One object is written, with the attributes that Unreal Engine reads:
//! <https://dev.epicgames.com/documentation/en-us/unreal-engine/using-alembic-for-grooms-in-unreal-engine>.
//! Positions can move.
//!
//! The layout is that of the C++ library, <https://github.com/alembic/alembic>, without its older
//! container, HDF5.

mod archive;
mod compound;
mod curves;
mod join;
mod numbers;
#[cfg(test)]
mod tests;
mod write;
mod xform;

use super::{Moment, Strands};
use crate::head::{Budget, Up};
use archive::{Archive, value};
use glam::DMat4;

pub use write::write;

/// The first bytes of a file.
pub const MAGIC: &[u8] = b"Ogawa";

/// Reads the curves of a file at a moment, in its units; by convention +Y is up. Notes on values that are
/// left out are added to `warnings`.
///
/// # Errors
///
/// The file is damaged or was not written to its end, has no curves, or needs more than `budget`.
pub fn read(
    bytes: &[u8],
    budget: &Budget,
    moment: &mut Moment,
    warnings: &mut Vec<String>,
) -> Result<Strands, String> {
    let (archive, top) = Archive::open(bytes, moment.frame, budget)?;
    let mut parts = Vec::new();
    let mut open = vec![(top, DMat4::IDENTITY, 0)];
    while let Some((group, above, depth)) = open.pop() {
        if depth > budget.limits.node_depth {
            return Err(
                "it has objects within each other beyond the limit `node-depth`".to_owned(),
            );
        }
        let from = open.len();
        for object in archive.objects(group)? {
            let schema = value(object.metadata, "schema");
            let matrix = match schema.starts_with("AbcGeom_Xform_") {
                true => xform::apply(&archive, &object, above, moment)?,
                false => above,
            };
            if schema.starts_with("AbcGeom_Curve_") {
                parts.push(curves::read(&archive, &object, matrix, moment, warnings)?);
            }
            open.push((object.group, matrix, depth + 1));
        }
        open[from..].reverse();
    }
    // Files do not tell what is up.
    let up = Some(Up::Y);
    join::join(parts, budget, warnings).map(|strands| Strands { up, ..strands })
}
