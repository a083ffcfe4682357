//! Eight strands at once.
//!
//! [`blocks`] lays strands out as structures of arrays, eight to a block. [`lanes`] is the
//! arithmetic on them, [`transpose`] the moves between lanes, and [`dispatch`] compiles a kernel
//! for each instruction set and picks the widest that the processor has.

pub mod blocks;
pub mod dispatch;
pub mod lanes;
pub mod transpose;
