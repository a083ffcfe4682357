//! The tint of skin in which hair grows: a soft disc around each root multiplies the light of the
//! skin. Many roots make it even, few leave stubble, and its border is as irregular as theirs.

use super::frame::{Drawn, Frame, Squares, over};
use crate::{groom::Groom, look::HairLook, render::convert};
use three_d::*;

/// Largest number of discs; they are enough for any number of roots.
const MAX_DISCS: usize = 8000;
/// Opacity of a disc if there are [`MAX_DISCS`], and of one alone.
const OPACITY: [f32; 2] = [0.12, 0.3];

/// The discs of a groom on the GPU.
pub struct Follicles {
    discs: Squares,
    opacity: f32,
}

impl Follicles {
    /// Returns the discs of a groom.
    pub fn new(context: &Context, groom: &Groom) -> Self {
        let step = groom.len().div_ceil(MAX_DISCS).max(1);
        let texel = |v: glam::Vec3| v.extend(0.0).to_array();
        let roots = groom.roots.iter().zip(&groom.normals).step_by(step);
        let mut discs = Squares::with_attributes(context, &["root", "normal"]);
        discs.fill(roots.map(|(&root, &normal)| [texel(root), texel(normal)]));
        let share = groom.len() as f32 / MAX_DISCS as f32;
        let [many, one] = OPACITY;
        Self {
            discs,
            opacity: one + (many - one) * share.min(1.0),
        }
    }

    /// Tints the skin that is drawn.
    pub fn draw(&self, frame: &Frame, look: &HairLook) -> Drawn {
        if self.discs.is_empty() || !look.lit {
            return Ok(());
        }
        let states = RenderStates {
            blend: Blend::Enabled {
                source_rgb_multiplier: BlendMultiplierType::Zero,
                source_alpha_multiplier: BlendMultiplierType::Zero,
                destination_rgb_multiplier: BlendMultiplierType::SrcColor,
                destination_alpha_multiplier: BlendMultiplierType::One,
                rgb_equation: BlendEquationType::Add,
                alpha_equation: BlendEquationType::Add,
            },
            ..over(DepthTest::Less)
        };
        let shaders = || {
            [
                include_str!("follicles.vert"),
                include_str!("follicles.frag"),
            ]
        };
        frame.with_program("follicles", &[], shaders, |program| {
            let [root, _] = look.colors();
            program.use_uniform("tint", convert::linear_from_srgb(root));
            program.use_uniform("opacity", self.opacity);
            self.discs.draw(program, states, frame.camera.viewport());
        })
    }
}
