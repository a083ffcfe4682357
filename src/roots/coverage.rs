//! What roots cover: the pieces of skin (`fragment`) that no disc around a root covers (`gaps`),
//! the roots near a point (`index`), and the spacing there (`metric`).

pub(super) mod fragment;
pub(super) mod gaps;
pub(crate) mod index;
pub(super) mod metric;
