//! Eight strands at once.
//!
//! [`lanes`] has the arithmetic of eight numbers, [`vector`] that of eight vectors. [`transpose`]
//! moves numbers between lanes. [`dispatch`] compiles a kernel for several instruction sets and
//! runs the widest one that the processor has.

pub(crate) mod dispatch;
pub(crate) mod lanes;
pub(crate) mod transpose;
pub(crate) mod vector;
