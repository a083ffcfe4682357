//! Discs and rings on the skin.

use crate::render::gpu::shape::{Shape, ShapeGeometry, Squares, over};
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

/// Discs or rings on the GPU.
pub struct DiscShape {
    squares: Squares,
    pub world_from_head: three_d::Mat4,
    /// Drawn pixels per pixel of the picture.
    pub pixel_scale: f32,
}

impl DiscShape {
    /// Uploads discs. `None` if there are none.
    pub fn geometry(context: &Context, discs: &[Disc]) -> Option<ShapeGeometry<Self>> {
        let names = ["centerRadius", "facing", "color"];
        let mut squares = Squares::with_attributes(context, &names);
        squares.fill(discs.iter().map(|disc| {
            let [r, g, b] = disc.color;
            let center = disc.center.extend(disc.radius).to_array();
            [center, disc.normal.extend(0.0).to_array(), [r, g, b, 1.0]]
        }));
        let shape = Self {
            squares,
            world_from_head: Mat4::identity(),
            pixel_scale: 1.0,
        };
        (!shape.squares.is_empty()).then(|| ShapeGeometry::new(context, shape))
    }
}

impl Shape for DiscShape {
    const NAME: &'static str = "discs";

    fn id(&self) -> u16 {
        0x0002
    }

    fn vertex_shader(&self) -> String {
        include_str!("discs.vert").to_owned()
    }

    fn draw(&self, viewer: &dyn Viewer, program: &Program, states: RenderStates) {
        let projection = viewer.projection();
        let height = viewer.viewport().height as f32;
        program.use_uniform("viewProjection", projection * viewer.view());
        program.use_uniform("worldFromHead", self.world_from_head);
        program.use_uniform("eye", viewer.position());
        program.use_uniform("pixelSize", 2.0 / (projection.y.y * height));
        program.use_uniform("minRadiusPx", MIN_RADIUS_PX);
        program.use_uniform("pixelScale", self.pixel_scale);
        self.squares.draw(program, states, viewer.viewport());
    }
}

/// The material of discs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum DiscMaterial {
    /// A disc with a dot at its centre.
    Root,
    /// A ring.
    Ring,
    /// A cross around a ring. It faces the eye and is visible through the head.
    Reticle,
}

impl Material for DiscMaterial {
    fn fragment_shader_source(&self, _lights: &[&dyn Light]) -> String {
        let ring = include_str!("ring.frag");
        match self {
            DiscMaterial::Root => include_str!("disc.frag").to_owned(),
            DiscMaterial::Ring => ring.to_owned(),
            DiscMaterial::Reticle => format!("#define RETICLE\n{ring}"),
        }
    }

    fn id(&self) -> EffectMaterialId {
        EffectMaterialId(0x0500 + *self as u16)
    }

    fn use_uniforms(&self, program: &Program, _viewer: &dyn Viewer, _lights: &[&dyn Light]) {
        let is_reticle = *self == DiscMaterial::Reticle;
        let (reach, reach_px) = if is_reticle { RETICLE } else { (1.0, 0.0) };
        program.use_uniform("reach", reach);
        program.use_uniform("reachPx", reach_px);
        program.use_uniform("billboard", i32::from(is_reticle));
    }

    fn render_states(&self) -> RenderStates {
        over(match self {
            DiscMaterial::Reticle => DepthTest::Always,
            DiscMaterial::Root | DiscMaterial::Ring => DepthTest::Less,
        })
    }

    fn material_type(&self) -> MaterialType {
        MaterialType::Transparent
    }
}
