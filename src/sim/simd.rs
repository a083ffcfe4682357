//! Eight strands at once.
//!
//! [`lanes`] has the arithmetic of eight numbers and eight vectors. [`transpose`] moves numbers
//! between lanes. [`dispatch`](mod@dispatch) compiles a kernel for several instruction sets and
//! runs the widest one that the processor has.

mod dispatch;
mod lanes;
mod transpose;

pub use dispatch::instructions;
pub(crate) use dispatch::{Kernel, dispatch, prefetch};
pub(crate) use lanes::{
    DLanes, DLanes3, LANES, Lanes, Lanes3, SHORT, above3, add_scaled3, axes, clamp, cross3, dot3,
    flush, flushed3, get3, minus3, negative_part, over3, rotate3, scaled3, select, set3, splat3,
    sum3, unit_or, unit3,
};
pub(crate) use transpose::{Portable, ROUNDING, Transpose};
