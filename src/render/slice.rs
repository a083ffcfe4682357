//! A plane through a field of distances, coloured by distance, with lines of equal distance.

use crate::render::convert;
use crate::render::frame::{Drawn, Frame, Squares, blank_texture, over};
use glam::Vec3;
use three_d::*;

/// Distances on a plane, head space.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceSlice {
    /// The corner of the plane where the first distance is.
    pub corner: Vec3,
    /// The sides of the plane.
    pub sides: [Vec3; 2],
    /// Number of distances along each side.
    pub counts: [usize; 2],
    /// Decimetres, in equal steps from one end of a side to the other, the first side fastest.
    pub distances: Vec<f32>,
}

/// Largest distance with a colour of its own, decimetres.
pub const SLICE_END: f32 = 0.8;
/// Step between lines of equal distance, decimetres.
pub const SLICE_STEP: f32 = 0.1;
/// Colours (sRGB as drawn) inside, at the skin and outside.
pub const SLICE_COLORS: [[f32; 3]; 3] =
    [[0.86, 0.30, 0.10], [0.96, 0.93, 0.88], [0.10, 0.33, 0.72]];
/// Opacity of the part that the head hides, relative to the visible part.
const HIDDEN: f32 = 0.62;

/// The plane on the GPU.
pub struct SliceModel {
    square: Squares,
    slice: DistanceSlice,
    distances: Texture2D,
}

impl SliceModel {
    /// Uploads a plane. `None` if it has fewer than two distances along a side, or the number of
    /// distances does not match.
    pub fn new(context: &Context, slice: DistanceSlice) -> Option<Self> {
        let [width, height] = slice.counts;
        if width < 2 || height < 2 || slice.distances.len() != width * height {
            return None;
        }
        let size = [width as u32, height as u32];
        // All drivers filter half floats; they are off by at most a two-thousandth.
        let distances = blank_texture::<f16>(context, size, Interpolation::Linear);
        let halves = slice
            .distances
            .iter()
            .map(|&distance| f16::from_f32(distance));
        distances.fill(&halves.collect::<Vec<_>>());
        let square = Squares::one(context);
        Some(Self {
            square,
            slice,
            distances,
        })
    }

    /// Draws the visible part of the plane, and fainter the part that the head hides.
    pub fn draw(&self, frame: &Frame) -> Drawn {
        let shaders = || [include_str!("slice.vert"), include_str!("slice.frag")];
        let [inside, skin, outside] = SLICE_COLORS.map(three_d::Vec3::from);
        let counts = self.slice.counts.map(|count| count as f32);
        let clip_from_head = frame.clip_from_world() * frame.world_from_head;
        let parts = [(DepthTest::GreaterOrEqual, HIDDEN), (DepthTest::Less, 1.0)];
        frame.with_program("slice", &[], shaders, |program| {
            program.use_uniform("clipFromHead", clip_from_head);
            program.use_uniform("origin", convert::vec3(self.slice.corner));
            program.use_uniform("sideU", convert::vec3(self.slice.sides[0]));
            program.use_uniform("sideV", convert::vec3(self.slice.sides[1]));
            program.use_uniform("counts", three_d::Vec2::from(counts));
            program.use_texture("distances", &self.distances);
            program.use_uniform("inside", inside);
            program.use_uniform("skin", skin);
            program.use_uniform("outside", outside);
            program.use_uniform("end", SLICE_END);
            program.use_uniform("step_", SLICE_STEP);
            for (depth_test, presence) in parts {
                program.use_uniform("presence", presence);
                self.square
                    .draw(program, over(depth_test), frame.camera.viewport());
            }
        })
    }
}
