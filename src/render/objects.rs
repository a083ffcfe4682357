//! The solid things in a picture: the surfaces of a head, strands, solids, sky and light.
//!
//! `light` has the lights, the shadow map and the sky, `surface` the glTF material and the head,
//! `strands` the ribbons and their colours.

pub mod light;
pub mod solids;
pub mod strands;
pub mod surface;
