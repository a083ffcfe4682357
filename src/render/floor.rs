//! A floor that shows nothing but the shadow on it, so that it fits any background.

use super::frame::{Drawn, Frame, Squares, over};
use super::light::Studio;
use three_d::*;

/// Half of the side of the floor, decimetres. Shadows fade out before its edge.
const REACH: f32 = 6.0;

/// A floor on the GPU.
pub struct Floor(Squares);

impl Floor {
    /// Returns a floor.
    pub fn new(context: &Context) -> Self {
        Self(Squares::one(context))
    }

    /// Darkens what is drawn where the floor lies in shadow. `height` is that of the floor, world
    /// space.
    pub fn draw(&self, frame: &Frame, studio: &Studio, height: f32) -> Drawn {
        let fragment = concat!(
            include_str!("color.glsl"),
            include_str!("lighting.glsl"),
            include_str!("floor.frag")
        );
        let shaders = || [include_str!("floor.vert"), fragment];
        frame.with_program("floor", &[], shaders, |program| {
            studio.use_uniforms(program, frame.camera);
            program.use_uniform("height", height);
            program.use_uniform("reach", REACH);
            let middle = studio.carried();
            program.use_uniform("middle", Vec2::new(middle.x, middle.z));
            program.use_uniform("filterTurn", Vec2::from(frame.filter_turn));
            let states = over(DepthTest::Less);
            self.0.draw(program, states, frame.camera.viewport());
        })
    }
}
