//! The studio: key, fill, rim and ambient light, and the key light's shadow map.

use crate::look::SkyLook;
use crate::render::frame::{Drawn, blank_texture};
use crate::render::{convert, gl};
use glam::Vec3;
use three_d::*;

/// The fragment shader that writes the depth of what casts a shadow.
pub const SHADOW_SHADER: &str = include_str!("shadow.frag");

/// The states of drawing what casts a shadow. Hair ribbons have no back, and thin parts must not
/// leak light.
pub const SHADOW_STATES: RenderStates = RenderStates {
    write_mask: WriteMask::DEPTH,
    depth_test: DepthTest::Less,
    blend: Blend::Disabled,
    cull: Cull::None,
};

/// Radius around the origin that the shadow map covers, decimetres: a head, its strands and its
/// swing.
const SHADOW_RADIUS: f32 = 3.2;

/// The cost and detail of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quality {
    /// Side of the key light's shadow map, texels.
    pub shadow_size: u32,
    /// Samples of the shadow map per point, 1 to 12.
    pub shadow_taps: u8,
    /// Samples per pixel of a picture in which nothing moves.
    pub samples: u32,
}

impl Quality {
    /// The quality for pictures and graphics cards.
    pub const FULL: Quality = Quality {
        shadow_size: 1024,
        shadow_taps: 12,
        samples: 16,
    };

    /// Returns the quality for a window: less where the CPU draws.
    pub fn of_window(context: &Context) -> Quality {
        let mut quality = Quality::FULL;
        if gl::renderer_name(context).1 {
            (quality.shadow_size, quality.shadow_taps) = (512, 4);
        }
        quality
    }
}

/// All lights and the shadow map, in world space.
pub struct Studio {
    /// The view of the key light.
    pub shadow_camera: Camera,
    shadow_map: DepthTexture2D,
    /// The strands in front of what else casts shadows: their number, and two moments of depth.
    hair_map: Texture2D,
    shadow_taps: u8,
    /// The ambient light from above and from below.
    ambient: [three_d::Vec3; 2],
}

impl Studio {
    /// Returns the lights and an empty shadow map.
    pub fn new(context: &Context, sky: &SkyLook, quality: Quality) -> Self {
        let (size, clamp) = (quality.shadow_size, Wrapping::ClampToEdge);
        Self {
            shadow_camera: shadow_camera(size, Vec3::ZERO, SHADOW_RADIUS),
            shadow_map: DepthTexture2D::new::<f32>(context, size, size, clamp, clamp),
            hair_map: blank_texture::<[f32; 4]>(context, [size, size], Interpolation::Linear),
            shadow_taps: quality.shadow_taps.clamp(1, 12),
            ambient: ambient(sky),
        }
    }

    /// Limits shadows to a ball, world space; `None` is where heads are.
    pub fn set_extent(&mut self, ball: Option<(Vec3, f32)>) {
        let (center, radius) = ball.unwrap_or((Vec3::ZERO, SHADOW_RADIUS));
        self.shadow_camera = shadow_camera(self.shadow_map.width(), center, radius);
    }

    /// Sets the ambient light to that of a sky.
    pub fn set_sky(&mut self, sky: &SkyLook) {
        self.ambient = ambient(sky);
    }

    /// Replaces the shadow map by what `surfaces` draws, and the hair map by what `hair` draws, both
    /// from the [`shadow_camera`](Self::shadow_camera).
    pub fn cast_shadows(
        &self,
        surfaces: impl FnOnce() -> Drawn,
        hair: impl FnOnce() -> Drawn,
    ) -> Drawn {
        let depth = || self.shadow_map.as_depth_target();
        depth().clear(ClearState::default()).write(surfaces)?;
        RenderTarget::new(self.hair_map.as_color_target(None), depth())
            .clear(ClearState::color(0.0, 0.0, 0.0, 0.0))
            .write(hair)?;
        Ok(())
    }

    /// Sets every uniform of `lighting.glsl`.
    pub fn use_uniforms(&self, program: &Program, view: &Camera) {
        let eye = view.position();
        // The fill stays beside the camera so that no side of the head is ever black.
        let towards = -view.view_direction();
        let right = vec3(0.0, 1.0, 0.0).cross(towards);
        let fill = (towards - right * 0.7 + vec3(0.0, 0.15, 0.0)).normalize();
        let rim = (right * 0.8 - towards * 0.75 + vec3(0.0, 0.55, 0.0)).normalize();
        let bias = Mat4::new(
            0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.5, 0.5, 0.5, 1.0,
        );
        let camera = &self.shadow_camera;
        let [ambient_up, ambient_down] = self.ambient;
        program.use_uniform_if_required("cameraPosition", eye);
        program.use_uniform_if_required("keyDirection", convert::vec3(key_direction()));
        program.use_uniform_if_required("keyColor", vec3(1.0, 0.94, 0.86) * 1.4);
        program.use_uniform_if_required("fillDirection", fill);
        program.use_uniform_if_required("fillColor", vec3(0.80, 0.90, 1.0) * 0.22);
        program.use_uniform_if_required("rimDirection", rim);
        program.use_uniform_if_required("rimColor", vec3(0.85, 0.92, 1.0) * 1.1);
        program.use_uniform_if_required("ambientUp", ambient_up);
        program.use_uniform_if_required("ambientDown", ambient_down);
        let shadow_from_world = bias * camera.projection() * camera.view();
        program.use_uniform_if_required("shadowFromWorld", shadow_from_world);
        // The map is as deep as it is wide.
        let depth = camera.z_far() - camera.z_near();
        let texel = depth / self.shadow_map.width() as f32;
        program.use_uniform_if_required("shadowTexel", texel);
        program.use_uniform_if_required("shadowTaps", i32::from(self.shadow_taps));
        program.use_uniform_if_required("shadowDepth", depth);
        if program.requires_uniform("shadowMap") {
            program.use_depth_texture("shadowMap", &self.shadow_map);
        }
        if program.requires_uniform("hairMap") {
            program.use_texture("hairMap", &self.hair_map);
        }
    }
}

/// Returns the ambient light from above and from below.
fn ambient(sky: &SkyLook) -> [three_d::Vec3; 2] {
    let tint = |c, amount: f32| {
        let c = convert::linear_from_srgb(c);
        let grey = (c.x + c.y + c.z) / 3.0;
        // Mostly neutral: a green sky must not make a green face.
        (vec3(grey, grey, grey) * 0.75 + c * 0.25) * amount + vec3(1.0, 1.0, 1.0) * 0.08
    };
    [tint(sky.top_color, 0.55), tint(sky.bottom_color, 0.22)]
}

/// Returns the unit direction towards the key light.
fn key_direction() -> Vec3 {
    Vec3::new(0.55, 0.90, 0.62).normalize()
}

/// Returns the camera of the key light that sees a ball.
fn shadow_camera(size: u32, center: Vec3, radius: f32) -> Camera {
    Camera::new_orthographic(
        Viewport::new_at_origo(size, size),
        convert::vec3(center + key_direction() * 2.0 * radius),
        convert::vec3(center),
        vec3(0.0, 1.0, 0.0),
        2.0 * radius,
        radius,
        3.0 * radius,
    )
}
