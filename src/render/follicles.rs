//! The tint of skin in which hair grows: a soft disc around each root multiplies the light of the
//! skin. Many roots make it even, few leave stubble, and its border is as irregular as theirs.

use super::frame::{Drawn, Frame, Squares, over};
use super::strands::seed;
use crate::{groom::Groom, look::HairLook, render::convert};
use three_d::*;

/// Largest number of discs; they are enough for any number of roots.
const MAX_DISCS: usize = 8000;
/// Largest number of discs in motion where the CPU draws. They are as much larger.
const MAX_MOVING: u32 = 2000;
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
        // Some of the first are as evenly spread as all.
        let mut order: Vec<u32> = (0..groom.len() as u32).step_by(step).collect();
        order.sort_by(|&a, &b| seed(a).total_cmp(&seed(b)));
        let roots = order.iter().map(|&i| i as usize);
        let roots = roots.map(|i| (groom.roots[i], groom.normals[i]));
        let mut discs = Squares::with_attributes(context, &["root", "normal"]);
        discs.fill(roots.map(|(root, normal)| [texel(root), texel(normal)]));
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
            let all = self.discs.count();
            let drawn = if frame.fine { all } else { all.min(MAX_MOVING) };
            program.use_uniform("widening", (all as f32 / drawn as f32).sqrt());
            (self.discs).draw_first(drawn, program, states, frame.camera.viewport());
        })
    }
}
