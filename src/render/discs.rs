//! Discs and rings on the skin.

use crate::render::frame::{Drawn, Frame, Squares, over};
use glam::Vec3;
use three_d::*;

/// A disc on the skin, head space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// The centre, decimetres.
    pub center: Vec3,
    /// The normal, unit.
    pub normal: Vec3,
    /// The radius, decimetres.
    pub radius: f32,
    /// sRGB as drawn.
    pub color: [f32; 3],
}

/// Smallest drawn radius, pixels. Smaller discs are drawn fainter instead, so that they do not
/// flicker.
const MIN_RADIUS_PX: f32 = 0.75;
/// Reach of the reticle of a ring: in radii of the ring, and at least in pixels.
const RETICLE: (f32, f32) = (1.7, 22.0);

/// Discs with a dot at their centre, or rings, on the GPU.
pub struct Discs {
    squares: Squares,
    are_rings: bool,
}

impl Discs {
    /// Uploads discs or rings. `None` if there are none.
    pub fn new(context: &Context, discs: &[Disc], are_rings: bool) -> Option<Self> {
        let names = ["centerRadius", "facing", "color"];
        let mut squares = Squares::with_attributes(context, &names);
        squares.fill(discs.iter().map(|disc| {
            let [r, g, b] = disc.color;
            let center = disc.center.extend(disc.radius).to_array();
            [center, disc.normal.extend(0.0).to_array(), [r, g, b, 1.0]]
        }));
        (!squares.is_empty()).then_some(Self { squares, are_rings })
    }

    /// Draws them. Around each ring is a cross, which faces the eye and is visible through the
    /// head.
    pub fn draw(&self, frame: &Frame) -> Drawn {
        let (name, fragment) = match self.are_rings {
            true => ("rings", include_str!("ring.frag")),
            false => ("discs", include_str!("disc.frag")),
        };
        let passes: [(&[&str], _, _); 2] = [
            (&[], (1.0, 0.0), DepthTest::Less),
            (&["RETICLE"], RETICLE, DepthTest::Always),
        ];
        let number = 1 + usize::from(self.are_rings);
        for (defines, (reach, reach_px), depth_test) in passes.into_iter().take(number) {
            let shaders = || [include_str!("discs.vert"), fragment];
            frame.with_program(name, defines, shaders, |program| {
                program.use_uniform("minRadiusPx", MIN_RADIUS_PX);
                program.use_uniform("reach", reach);
                program.use_uniform("reachPx", reach_px);
                program.use_uniform("billboard", i32::from(!defines.is_empty()));
                let viewport = frame.camera.viewport();
                self.squares.draw(program, over(depth_test), viewport);
            })?;
        }
        Ok(())
    }
}
