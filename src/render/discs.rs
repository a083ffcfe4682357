//! Discs that lie on the skin, and a ring among them: one square each, instanced.

use super::convert;
use super::surface::OVER;
use glam::Vec3;
use three_d::*;

/// A disc on the skin, head space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Its middle.
    pub center: Vec3,
    /// Where it faces, unit.
    pub normal: Vec3,
    /// Decimetres.
    pub radius: f32,
    /// sRGB as drawn.
    pub color: [f32; 3],
}

/// Smaller discs keep this radius, in pixels, and pale instead: they must not flicker.
const LEAST_PX: f32 = 0.75;
/// How far a ring's reticle reaches: in radii of the ring, and at least in pixels.
const RETICLE: (f32, f32) = (1.7, 22.0);

/// Discs, or rings, on the GPU.
pub(super) struct DiscGeometry {
    context: Context,
    corners: VertexBuffer<three_d::Vec2>,
    elements: ElementBuffer<u8>,
    centers: InstanceBuffer<three_d::Vec4>,
    normals: InstanceBuffer<three_d::Vec3>,
    colors: InstanceBuffer<three_d::Vec3>,
    count: u32,
    pub(super) world_from_head: three_d::Mat4,
    /// Drawn pixels per pixel of the picture.
    pub(super) pixel_scale: f32,
}

impl DiscGeometry {
    /// `None`: there is nothing to draw.
    pub(super) fn new(context: &Context, discs: &[Disc]) -> Option<Self> {
        let count = u32::try_from(discs.len()).ok().filter(|&count| count > 0)?;
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let corners = corners.map(|(x, y)| vec2(x, y));
        let centers: Vec<_> = discs
            .iter()
            .map(|disc| convert::vec3(disc.center).extend(disc.radius))
            .collect();
        let normals: Vec<_> = discs.iter().map(|d| convert::vec3(d.normal)).collect();
        let colors: Vec<_> = discs
            .iter()
            .map(|disc| three_d::Vec3::from(disc.color))
            .collect();
        Some(Self {
            context: context.clone(),
            corners: VertexBuffer::new_with_data(context, &corners),
            elements: ElementBuffer::new_with_data(context, &[0, 1, 2, 0, 2, 3]),
            centers: InstanceBuffer::new_with_data(context, &centers),
            normals: InstanceBuffer::new_with_data(context, &normals),
            colors: InstanceBuffer::new_with_data(context, &colors),
            count,
            world_from_head: Mat4::identity(),
            pixel_scale: 1.0,
        })
    }
}

impl Geometry for DiscGeometry {
    fn draw(&self, viewer: &dyn Viewer, program: &Program, render_states: RenderStates) {
        let projection = viewer.projection();
        let height = viewer.viewport().height as f32;
        program.use_uniform("viewProjection", projection * viewer.view());
        program.use_uniform("worldFromHead", self.world_from_head);
        program.use_uniform("eye", viewer.position());
        program.use_uniform("pixelSize", 2.0 / (projection.y.y * height));
        program.use_uniform("leastPx", LEAST_PX);
        program.use_uniform("pixelScale", self.pixel_scale);
        program.use_vertex_attribute("corner", &self.corners);
        program.use_instance_attribute("centerRadius", &self.centers);
        program.use_instance_attribute("facing", &self.normals);
        program.use_instance_attribute("color", &self.colors);
        program.draw_elements_instanced(
            render_states,
            viewer.viewport(),
            &self.elements,
            self.count,
        );
    }

    fn vertex_shader_source(&self) -> String {
        include_str!("shaders/discs.vert").to_owned()
    }

    fn id(&self) -> GeometryId {
        GeometryId(0x0002)
    }

    fn render_with_material(
        &self,
        material: &dyn Material,
        viewer: &dyn Viewer,
        lights: &[&dyn Light],
    ) {
        let drawn = render_with_material(&self.context, viewer, self, material, lights);
        if let Err(error) = drawn {
            tracing::error!("discs cannot be drawn: {error}");
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
            tracing::error!("discs cannot be drawn: {error}");
        }
    }

    fn aabb(&self) -> AxisAlignedBoundingBox {
        AxisAlignedBoundingBox::INFINITE
    }
}

/// How discs are filled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DiscMaterial {
    /// A disc with a dot at its root.
    Root,
    /// A ring.
    Ring,
    /// A cross around the ring that faces the eye, through whatever hides it.
    Reticle,
}

impl DiscMaterial {
    /// What rings are drawn with, one after the other.
    pub(super) const OF_RINGS: [DiscMaterial; 2] = [DiscMaterial::Ring, DiscMaterial::Reticle];
}

impl Material for DiscMaterial {
    fn fragment_shader_source(&self, _lights: &[&dyn Light]) -> String {
        let ring = include_str!("shaders/ring.frag");
        match self {
            DiscMaterial::Root => include_str!("shaders/disc.frag").to_owned(),
            DiscMaterial::Ring => ring.to_owned(),
            DiscMaterial::Reticle => format!("#define RETICLE\n{ring}"),
        }
    }

    fn id(&self) -> EffectMaterialId {
        EffectMaterialId(match self {
            DiscMaterial::Root => 0x0500,
            DiscMaterial::Ring => 0x0501,
            DiscMaterial::Reticle => 0x0502,
        })
    }

    fn use_uniforms(&self, program: &Program, _viewer: &dyn Viewer, _lights: &[&dyn Light]) {
        let is_reticle = *self == DiscMaterial::Reticle;
        let (reach, reach_px) = if is_reticle { RETICLE } else { (1.0, 0.0) };
        program.use_uniform("reach", reach);
        program.use_uniform("reachPx", reach_px);
        program.use_uniform("billboard", i32::from(is_reticle));
    }

    fn render_states(&self) -> RenderStates {
        RenderStates {
            // Discs do not hide each other: where they overlap one sees that they do.
            write_mask: WriteMask::COLOR,
            depth_test: if *self == DiscMaterial::Reticle {
                DepthTest::Always
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
