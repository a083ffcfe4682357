//! The solid things in a picture: the surfaces of a head, strands, solids, sky and light.
//!
//! `light` has the lights and the shadow map, `surface` the glTF material and the head, `strands`
//! the ribbons and `strand_colors` their own colours.

pub mod light;
pub mod sky;
pub mod solids;
pub mod strand_colors;
pub mod strands;
pub mod surface;
