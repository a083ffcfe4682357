//! What brushes do to hair, step by step.
//!
//! A step (`step`) moves a brush (`tool`) by a few pixels: `weights` are how much it touches each
//! point, `displacement` is where it moves them, and `constraints` restore `lengths`, lock roots
//! and keep hair out of the skin (`thin_skin` where the distance field is too coarse). `planting`
//! adds and removes hair by the distance of roots; `neighbours` grow beside each other.
//!
//! A step depends only on where hair was before it: the order of strands makes no difference, and
//! with `mirror` both sides of the head change alike.

mod constraints;
mod displacement;
mod lengths;
mod neighbours;
mod planting;
mod step;
mod thin_skin;
mod tool;
mod weights;

pub(super) use constraints::{MAX_DEPTH, POCKET_LENGTH, SkinField};
pub(super) use lengths::Lengths;
pub(super) use neighbours::Neighbours;
pub(super) use planting::Planting;
pub(super) use thin_skin::ThinSkin;
pub use tool::{Brush, Tool};
pub(super) use tool::{BrushContext, Move};
