//! The shadow map of a light.

use crate::render::convert;
use crate::render::frame::{Drawn, blank_texture};
use crate::render::gl::blends_floats;
use glam::Vec3;
use three_d::*;

/// The states of drawing what casts a shadow. Hair ribbons have no back, and thin parts must not
/// leak light.
pub const SHADOW_STATES: RenderStates = RenderStates {
    write_mask: WriteMask::DEPTH,
    depth_test: DepthTest::Less,
    blend: Blend::Disabled,
    cull: Cull::None,
};

/// Radius around the origin that the shadow maps cover, decimetres: a head, its strands and its
/// swing.
pub const SHADOW_RADIUS: f32 = 3.2;

/// The things that hide a light: the depth of surfaces, and the strands in front of them.
pub struct ShadowMap {
    camera: Camera,
    depth: DepthTexture2D,
    /// The number of strands, and two moments of their depth.
    hair: Texture2D,
}

impl ShadowMap {
    /// Returns an empty map.
    pub fn new(context: &Context, size: u32) -> Self {
        let clamp = Wrapping::ClampToEdge;
        Self {
            camera: shadow_camera(size, Vec3::Y, (Vec3::ZERO, SHADOW_RADIUS)),
            depth: DepthTexture2D::new::<f32>(context, size, size, clamp, clamp),
            hair: match blends_floats(context) {
                true => blank_texture::<[f32; 4]>(context, [size, size], Interpolation::Linear),
                false => blank_texture::<[f16; 4]>(context, [size, size], Interpolation::Linear),
            },
        }
    }

    /// Returns the distance along the light that the map covers, which is as deep as it is wide,
    /// decimetres.
    pub fn reach(&self) -> f32 {
        self.camera.z_far() - self.camera.z_near()
    }

    /// Returns the side, texels.
    pub fn size(&self) -> u32 {
        self.depth.width()
    }

    /// Replaces the maps by ones of this side, of what `surfaces` draws and what `hair` draws for a
    /// camera that sees a ball from a direction.
    pub fn cast(
        &mut self,
        (context, size): (&Context, u32),
        towards_light: Vec3,
        ball: (Vec3, f32),
        surfaces: impl FnOnce(&Camera) -> Drawn,
        hair: impl FnOnce(&Camera) -> Drawn,
    ) -> Drawn {
        if self.size() != size {
            *self = Self::new(context, size);
        }
        self.camera = shadow_camera(size, towards_light, ball);
        let depth = || self.depth.as_depth_target();
        let target = depth();
        target.clear(ClearState::default());
        target.write(|| surfaces(&self.camera))?;
        RenderTarget::new(self.hair.as_color_target(None), depth())
            .clear(ClearState::color(0.0, 0.0, 0.0, 0.0))
            .write(|| hair(&self.camera))?;
        Ok(())
    }

    /// Sets the uniforms of a map in `lighting.glsl`.
    pub fn use_uniforms(&self, program: &Program, [depth, hair, from_world, texel]: [&str; 4]) {
        let bias = Mat4::new(
            0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.5, 0.5, 0.5, 1.0,
        );
        let shadow_from_world = bias * self.camera.projection() * self.camera.view();
        program.use_uniform_if_required(from_world, shadow_from_world);
        program.use_uniform_if_required(texel, self.reach() / self.size() as f32);
        if program.requires_uniform(depth) {
            program.use_depth_texture(depth, &self.depth);
        }
        if program.requires_uniform(hair) {
            program.use_texture(hair, &self.hair);
        }
    }
}

/// Returns the camera of a light that sees a ball, its middle and radius.
fn shadow_camera(size: u32, towards_light: Vec3, (middle, radius): (Vec3, f32)) -> Camera {
    let up = match towards_light.y.abs() < 0.99 {
        true => vec3(0.0, 1.0, 0.0),
        false => vec3(0.0, 0.0, 1.0),
    };
    Camera::new_orthographic(
        Viewport::new_at_origo(size, size),
        convert::vec3(middle + towards_light * 2.0 * radius),
        convert::vec3(middle),
        up,
        2.0 * radius,
        radius,
        3.0 * radius,
    )
}
