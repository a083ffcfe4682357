//! Discs and rings on the skin.

use crate::render::gpu::frame::{Frame, Squares, over};
use glam::Vec3;
use three_d::*;

/// A disc on the skin, head space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Its centre, decimetres.
    pub center: Vec3,
    /// Its normal, unit.
    pub normal: Vec3,
    /// Its radius, decimetres.
    pub radius: f32,
    /// sRGB as drawn.
    pub color: [f32; 3],
}

/// Smallest drawn radius, pixels. Smaller discs are drawn fainter instead, so that they do not
/// flicker.
const MIN_RADIUS_PX: f32 = 0.75;
/// Reach of the reticle of a ring: in radii of the ring, and at least in pixels.
const RETICLE: (f32, f32) = (1.7, 22.0);

/// The appearance of discs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum DiscStyle {
    /// A disc with a dot at its centre.
    Root,
    /// A ring.
    Ring,
    /// A cross around a ring. It faces the eye and is visible through the head.
    Reticle,
}

/// Discs or rings on the GPU.
pub struct Discs(Squares);

impl Discs {
    /// Uploads discs. `None` if there are none.
    pub fn new(context: &Context, discs: &[Disc]) -> Option<Self> {
        let names = ["centerRadius", "facing", "color"];
        let mut squares = Squares::with_attributes(context, &names);
        squares.fill(discs.iter().map(|disc| {
            let [r, g, b] = disc.color;
            let center = disc.center.extend(disc.radius).to_array();
            [center, disc.normal.extend(0.0).to_array(), [r, g, b, 1.0]]
        }));
        (!squares.is_empty()).then_some(Self(squares))
    }

    /// Draws the discs.
    pub fn draw(&self, frame: &Frame, style: DiscStyle) -> Result<(), RendererError> {
        let (disc, ring) = (include_str!("disc.frag"), include_str!("ring.frag"));
        let (name, fragment, defines): (_, _, &[&str]) = match style {
            DiscStyle::Root => ("discs", disc, &[]),
            DiscStyle::Ring => ("rings", ring, &[]),
            DiscStyle::Reticle => ("rings", ring, &["RETICLE"]),
        };
        let is_reticle = style == DiscStyle::Reticle;
        let ((reach, reach_px), depth_test) = match is_reticle {
            true => (RETICLE, DepthTest::Always),
            false => ((1.0, 0.0), DepthTest::Less),
        };
        let shaders = || [include_str!("discs.vert"), fragment];
        frame.with_program(name, defines, shaders, |program| {
            program.use_uniform("minRadiusPx", MIN_RADIUS_PX);
            program.use_uniform("reach", reach);
            program.use_uniform("reachPx", reach_px);
            program.use_uniform("billboard", i32::from(is_reticle));
            self.0
                .draw(program, over(depth_test), frame.camera.viewport());
        })
    }
}
