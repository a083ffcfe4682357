//! A plane through a field of distances, coloured by them, with lines of equal distance.

use super::convert;
use super::surface::OVER;
use glam::Vec3;
use three_d::*;

/// Distances on a plane, head space.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceSlice {
    /// One corner of the plane: where the first distance is.
    pub corner: Vec3,
    /// Its sides.
    pub sides: [Vec3; 2],
    /// Distances along each side.
    pub counts: [usize; 2],
    /// Decimetres, the first side fastest: as many as both counts say, at even steps from one end of
    /// a side to the other.
    pub distances: Vec<f32>,
}

/// Up to so many decimetres distances have colours of their own.
pub const SLICE_END: f32 = 0.8;
/// Lines of equal distance are so many decimetres apart.
pub const SLICE_STEP: f32 = 0.1;
/// Colours (sRGB as drawn): inside, at the skin, outside.
pub const SLICE_COLORS: [[f32; 3]; 3] =
    [[0.86, 0.30, 0.10], [0.96, 0.93, 0.88], [0.10, 0.33, 0.72]];

/// The plane on the GPU.
pub(super) struct SliceGeometry {
    context: Context,
    corners: VertexBuffer<three_d::Vec2>,
    elements: ElementBuffer<u8>,
    shown: DistanceSlice,
    distances: Texture2D,
    pub(super) world_from_head: three_d::Mat4,
    /// Drawn pixels per pixel of the picture.
    pub(super) pixel_scale: f32,
}

impl SliceGeometry {
    /// `None`: there is nothing to draw.
    pub(super) fn new(context: &Context, slice: DistanceSlice) -> Option<Self> {
        let [wide, high] = slice.counts;
        if wide < 2 || high < 2 || slice.distances.len() != wide * high {
            return None;
        }
        let distances = Texture2D::new_empty::<f32>(
            context,
            wide as u32,
            high as u32,
            Interpolation::Linear,
            Interpolation::Linear,
            None,
            Wrapping::ClampToEdge,
            Wrapping::ClampToEdge,
        );
        distances.fill(&slice.distances);
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let corners = corners.map(|(x, y)| vec2(x, y));
        Some(Self {
            context: context.clone(),
            corners: VertexBuffer::new_with_data(context, &corners),
            elements: ElementBuffer::new_with_data(context, &[0, 1, 2, 0, 2, 3]),
            shown: slice,
            distances,
            world_from_head: Mat4::identity(),
            pixel_scale: 1.0,
        })
    }
}

impl Geometry for SliceGeometry {
    fn draw(&self, viewer: &dyn Viewer, program: &Program, render_states: RenderStates) {
        let clip_from_world = viewer.projection() * viewer.view();
        program.use_uniform("clipFromHead", clip_from_world * self.world_from_head);
        program.use_uniform("origin", convert::vec3(self.shown.corner));
        program.use_uniform("sideU", convert::vec3(self.shown.sides[0]));
        program.use_uniform("sideV", convert::vec3(self.shown.sides[1]));
        program.use_uniform("pixelScale", self.pixel_scale);
        let counts = self.shown.counts.map(|count| count as f32);
        program.use_uniform("counts", three_d::Vec2::from(counts));
        program.use_texture("distances", &self.distances);
        program.use_vertex_attribute("corner", &self.corners);
        program.draw_elements(render_states, viewer.viewport(), &self.elements);
    }

    fn vertex_shader_source(&self) -> String {
        include_str!("shaders/slice.vert").to_owned()
    }

    fn id(&self) -> GeometryId {
        GeometryId(0x0005)
    }

    fn render_with_material(
        &self,
        material: &dyn Material,
        viewer: &dyn Viewer,
        lights: &[&dyn Light],
    ) {
        let drawn = render_with_material(&self.context, viewer, self, material, lights);
        if let Err(error) = drawn {
            tracing::error!("the slice cannot be drawn: {error}");
        }
    }

    fn render_with_effect(
        &self,
        effect: &dyn Effect,
        viewer: &dyn Viewer,
        lights: &[&dyn Light],
        color: Option<ColorTexture>,
        depth: Option<DepthTexture>,
    ) {
        let drawn = render_with_effect(&self.context, viewer, self, effect, lights, color, depth);
        if let Err(error) = drawn {
            tracing::error!("the slice cannot be drawn: {error}");
        }
    }

    fn aabb(&self) -> AxisAlignedBoundingBox {
        AxisAlignedBoundingBox::INFINITE
    }
}

/// How the plane is filled: where it is seen, or what of it the head hides, most of all its inside.
pub(super) struct SliceMaterial {
    pub(super) hidden: bool,
}

impl Material for SliceMaterial {
    fn fragment_shader_source(&self, _lights: &[&dyn Light]) -> String {
        include_str!("shaders/slice.frag").to_owned()
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
        program.use_uniform("presence", if self.hidden { 0.62 } else { 1.0 });
    }

    fn render_states(&self) -> RenderStates {
        RenderStates {
            write_mask: WriteMask::COLOR,
            depth_test: if self.hidden {
                DepthTest::GreaterOrEqual
            } else {
                DepthTest::Less
            },
            blend: OVER,
            cull: Cull::None,
        }
    }

    fn material_type(&self) -> MaterialType {
        MaterialType::Transparent
    }
}
