//! The gradient skysphere with its faint wire sphere.

use crate::look::SkyLook;
use three_d::*;

/// Fills the whole screen, before anything else is drawn.
pub struct SkyMaterial<'a> {
    pub look: &'a SkyLook,
}

impl Material for SkyMaterial<'_> {
    fn fragment_shader_source(&self, _lights: &[&dyn Light]) -> String {
        include_str!("sky.frag").to_owned()
    }

    fn id(&self) -> EffectMaterialId {
        EffectMaterialId(0x0300)
    }

    fn use_uniforms(&self, program: &Program, viewer: &dyn Viewer, _lights: &[&dyn Light]) {
        let clip_from_world = viewer.projection() * viewer.view();
        let world_from_clip = clip_from_world.invert().unwrap_or_else(Mat4::identity);
        program.use_uniform("worldFromClip", world_from_clip);
        program.use_uniform("eyePosition", viewer.position());
        program.use_uniform("topColor", three_d::Vec3::from(self.look.top_color));
        program.use_uniform("bottomColor", three_d::Vec3::from(self.look.bottom_color));
        program.use_uniform("contrast", self.look.contrast);
        program.use_uniform("wireColor", three_d::Vec3::from(self.look.wire_color));
        program.use_uniform("wireOpacity", self.look.wire_opacity);
    }

    fn render_states(&self) -> RenderStates {
        RenderStates {
            write_mask: WriteMask::COLOR,
            depth_test: DepthTest::Always,
            cull: Cull::None,
            ..Default::default()
        }
    }

    fn material_type(&self) -> MaterialType {
        MaterialType::Opaque
    }
}
