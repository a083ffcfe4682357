//! The commands that need no drawing, as other programs use them: what is asked, what is answered.

#[path = "../common/mod.rs"]
mod common;

mod bench;
mod completions;
mod doll;
mod export;
mod inspect;
mod limits;
mod man;
mod presets;
mod report;
mod sample;
mod simulate;
mod strands;
mod style;
mod surfaces;
