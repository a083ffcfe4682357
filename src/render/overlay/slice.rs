//! A plane through a field of distances, coloured by distance, with lines of equal distance.

use crate::render::gpu::convert;
use crate::render::gpu::shape::{Shape, ShapeGeometry, Squares, over};
use crate::render::gpu::texture::blank_texture;
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

/// The plane on the GPU.
pub struct SliceShape {
    square: Squares,
    slice: DistanceSlice,
    distances: Texture2D,
    pub world_from_head: three_d::Mat4,
    /// Drawn pixels per pixel of the picture.
    pub pixel_scale: f32,
}

impl SliceShape {
    /// Uploads a plane. `None` if it has fewer than two distances along a side, or the number of
    /// distances does not match.
    pub fn geometry(context: &Context, slice: DistanceSlice) -> Option<ShapeGeometry<Self>> {
        let [width, height] = slice.counts;
        if width < 2 || height < 2 || slice.distances.len() != width * height {
            return None;
        }
        let size = [width as u32, height as u32];
        let distances = blank_texture::<f32>(context, size, Interpolation::Linear);
        distances.fill(&slice.distances);
        let shape = Self {
            square: Squares::one(context),
            slice,
            distances,
            world_from_head: Mat4::identity(),
            pixel_scale: 1.0,
        };
        Some(ShapeGeometry::new(context, shape))
    }
}

impl Shape for SliceShape {
    const NAME: &'static str = "the slice";

    fn id(&self) -> u16 {
        0x0005
    }

    fn vertex_shader(&self) -> String {
        include_str!("slice.vert").to_owned()
    }

    fn draw(&self, viewer: &dyn Viewer, program: &Program, states: RenderStates) {
        let clip_from_world = viewer.projection() * viewer.view();
        program.use_uniform("clipFromHead", clip_from_world * self.world_from_head);
        program.use_uniform("origin", convert::vec3(self.slice.corner));
        program.use_uniform("sideU", convert::vec3(self.slice.sides[0]));
        program.use_uniform("sideV", convert::vec3(self.slice.sides[1]));
        program.use_uniform("pixelScale", self.pixel_scale);
        let counts = self.slice.counts.map(|count| count as f32);
        program.use_uniform("counts", three_d::Vec2::from(counts));
        program.use_texture("distances", &self.distances);
        self.square.draw(program, states, viewer.viewport());
    }
}

/// The material of the plane.
pub struct SliceMaterial {
    /// Whether the part that the head hides is drawn instead of the visible part.
    pub is_hidden: bool,
}

impl Material for SliceMaterial {
    fn fragment_shader_source(&self, _lights: &[&dyn Light]) -> String {
        include_str!("slice.frag").to_owned()
    }

    fn id(&self) -> EffectMaterialId {
        EffectMaterialId(0x0610)
    }

    fn use_uniforms(&self, program: &Program, _viewer: &dyn Viewer, _lights: &[&dyn Light]) {
        let [inside, skin, outside] = SLICE_COLORS.map(three_d::Vec3::from);
        program.use_uniform("inside", inside);
        program.use_uniform("skin", skin);
        program.use_uniform("outside", outside);
        program.use_uniform("end", SLICE_END);
        program.use_uniform("step_", SLICE_STEP);
        program.use_uniform("presence", if self.is_hidden { 0.62 } else { 1.0 });
    }

    fn render_states(&self) -> RenderStates {
        over(match self.is_hidden {
            true => DepthTest::GreaterOrEqual,
            false => DepthTest::Less,
        })
    }

    fn material_type(&self) -> MaterialType {
        MaterialType::Transparent
    }
}
