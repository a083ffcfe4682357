//! The studio: key, fill, rim and ambient light, and the key light's shadow map.

use crate::look::Look;
use crate::render::gpu::{convert, gl};
use glam::Vec3;
use std::rc::Rc;
use three_d::*;

/// Radius around the origin that the shadow map covers, decimetres: a head, its strands and its
/// swing.
const SHADOW_RADIUS: f32 = 3.2;

/// The cost and detail of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quality {
    /// Side of the key light's shadow map, texels.
    pub shadow_size: u32,
    /// Samples of the shadow map per pixel of a strand, 1 to 12. Strands hide the noise of few
    /// samples; skin always has 12.
    pub shadow_taps: u8,
}

impl Quality {
    /// For pictures and graphics cards.
    pub const FULL: Quality = Quality {
        shadow_size: 2048,
        shadow_taps: 12,
    };
    /// For a window that is drawn on the CPU.
    pub const SOFTWARE: Quality = Quality {
        shadow_size: 768,
        shadow_taps: 4,
    };

    /// Returns the quality for a window: less where the CPU draws.
    pub fn of_window(context: &Context) -> Quality {
        if gl::renderer_name(context).1 {
            Quality::SOFTWARE
        } else {
            Quality::FULL
        }
    }
}

/// All lights and the shadow map, in world space.
pub struct Studio {
    context: Context,
    key_direction: three_d::Vec3,
    /// Half the width that the shadow map covers, decimetres.
    shadow_radius: f32,
    shadow_camera: Camera,
    shadow_map: DepthTexture2D,
    shadow_taps: u8,
    ambient_up: three_d::Vec3,
    ambient_down: three_d::Vec3,
}

impl Studio {
    /// Returns the lights and an empty shadow map.
    pub fn new(context: &Context, look: &Look, quality: Quality) -> Self {
        let shadow_size = quality.shadow_size;
        let key = Vec3::new(0.55, 0.90, 0.62).normalize();
        let shadow_camera = shadow_camera(shadow_size, key, Vec3::ZERO, SHADOW_RADIUS);
        let shadow_map = DepthTexture2D::new::<f32>(
            context,
            shadow_size,
            shadow_size,
            Wrapping::ClampToEdge,
            Wrapping::ClampToEdge,
        );
        let mut studio = Self {
            context: context.clone(),
            key_direction: convert::vec3(key),
            shadow_radius: SHADOW_RADIUS,
            shadow_camera,
            shadow_map,
            shadow_taps: quality.shadow_taps.clamp(1, 12),
            ambient_up: vec3(0.0, 0.0, 0.0),
            ambient_down: vec3(0.0, 0.0, 0.0),
        };
        studio.set_look(look);
        studio
    }

    /// Limits shadows to a ball, world space; `None` is where heads are.
    pub fn set_extent(&mut self, ball: Option<(Vec3, f32)>) {
        let (center, radius) = ball.unwrap_or((Vec3::ZERO, SHADOW_RADIUS));
        let key = self.key_direction;
        let key = Vec3::new(key.x, key.y, key.z);
        self.shadow_radius = radius;
        self.shadow_camera = shadow_camera(self.shadow_map.width(), key, center, radius);
    }

    /// Sets the ambient light from the colours of the sky.
    pub fn set_look(&mut self, look: &Look) {
        let tint = |c, amount: f32| {
            let c = convert::linear_from_srgb(c);
            let grey = (c.x + c.y + c.z) / 3.0;
            // Mostly neutral: a green sky must not make a green face.
            (vec3(grey, grey, grey) * 0.75 + c * 0.25) * amount + vec3(1.0, 1.0, 1.0) * 0.08
        };
        self.ambient_up = tint(look.sky.top_color, 0.55);
        self.ambient_down = tint(look.sky.bottom_color, 0.22);
    }

    /// Draws the shadow map: the depth of what casts a shadow, seen from the key light.
    pub fn cast_shadows<'a>(
        &self,
        casters: impl Iterator<Item = (&'a dyn Geometry, &'a ShadowMaterial)>,
    ) -> Result<(), RendererError> {
        self.shadow_map
            .as_depth_target()
            .clear(ClearState::default())
            .write::<RendererError>(|| {
                for (geometry, material) in casters {
                    render_with_material(
                        &self.context,
                        &self.shadow_camera,
                        geometry,
                        material,
                        &[],
                    )?;
                }
                Ok(())
            })?;
        Ok(())
    }

    /// Sets every uniform of `lighting.glsl`.
    pub fn use_uniforms(&self, program: &Program, viewer: &dyn Viewer) {
        let eye = viewer.position();
        // The fill stays beside the camera so that no side of the head is ever black.
        let towards = eye.normalize();
        let right = vec3(0.0, 1.0, 0.0).cross(towards);
        let fill = (towards - right * 0.7 + vec3(0.0, 0.15, 0.0)).normalize();
        let rim = (right * 0.8 - towards * 0.75 + vec3(0.0, 0.55, 0.0)).normalize();
        let bias = Mat4::new(
            0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.5, 0.5, 0.5, 1.0,
        );
        let camera = &self.shadow_camera;
        program.use_uniform_if_required("cameraPosition", eye);
        program.use_uniform_if_required("keyDirection", self.key_direction);
        program.use_uniform_if_required("keyColor", vec3(1.0, 0.94, 0.86) * 1.4);
        program.use_uniform_if_required("fillDirection", fill);
        program.use_uniform_if_required("fillColor", vec3(0.80, 0.90, 1.0) * 0.22);
        program.use_uniform_if_required("rimDirection", rim);
        program.use_uniform_if_required("rimColor", vec3(0.85, 0.92, 1.0) * 1.1);
        program.use_uniform_if_required("ambientUp", self.ambient_up);
        program.use_uniform_if_required("ambientDown", self.ambient_down);
        program.use_uniform_if_required(
            "shadowFromWorld",
            bias * camera.projection() * camera.view(),
        );
        let texel = 2.0 * self.shadow_radius / self.shadow_map.width() as f32;
        program.use_uniform_if_required("shadowTexel", texel);
        program.use_uniform_if_required("shadowTaps", i32::from(self.shadow_taps));
        program.use_uniform_if_required("shadowDepth", camera.z_far() - camera.z_near());
        if program.requires_uniform("shadowMap") {
            program.use_depth_texture("shadowMap", &self.shadow_map);
        }
    }
}

/// Returns the camera of the key light that sees a ball.
fn shadow_camera(size: u32, key: Vec3, center: Vec3, radius: f32) -> Camera {
    Camera::new_orthographic(
        Viewport::new_at_origo(size, size),
        convert::vec3(center + key * 2.0 * radius),
        convert::vec3(center),
        vec3(0.0, 1.0, 0.0),
        2.0 * radius,
        radius,
        3.0 * radius,
    )
}

/// Writes the depth of what casts a shadow.
#[derive(Default)]
pub struct ShadowMaterial {
    /// `None` if the whole surface casts a shadow.
    pub cutout: Option<Cutout>,
}

/// The alpha test of a MASK surface.
pub struct Cutout {
    pub alpha: f32,
    pub cutoff: f32,
    pub texture: Option<Rc<Texture2D>>,
}

impl ShadowMaterial {
    fn texture(&self) -> Option<&Texture2D> {
        self.cutout.as_ref()?.texture.as_deref()
    }
}

impl Material for ShadowMaterial {
    fn fragment_shader_source(&self, _lights: &[&dyn Light]) -> String {
        let mut source = String::new();
        if self.cutout.is_some() {
            source += "#define CUTOUT\n";
        }
        if self.texture().is_some() {
            source += "#define USE_BASE_COLOR_TEXTURE\n";
        }
        source + include_str!("shadow.frag")
    }

    fn id(&self) -> EffectMaterialId {
        let cutout = u16::from(self.cutout.is_some());
        let texture = u16::from(self.texture().is_some());
        EffectMaterialId(0x0400 + cutout + 2 * texture)
    }

    fn use_uniforms(&self, program: &Program, _viewer: &dyn Viewer, _lights: &[&dyn Light]) {
        if let Some(cutout) = &self.cutout {
            program.use_uniform("alpha", cutout.alpha);
            program.use_uniform("alphaCutoff", cutout.cutoff);
        }
        if let Some(texture) = self.texture() {
            program.use_texture("baseColorTexture", texture);
        }
    }

    fn render_states(&self) -> RenderStates {
        RenderStates {
            write_mask: WriteMask::DEPTH,
            // Hair ribbons have no back, and thin parts must not leak light.
            cull: Cull::None,
            ..Default::default()
        }
    }

    fn material_type(&self) -> MaterialType {
        MaterialType::Opaque
    }
}
