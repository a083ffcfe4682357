//! Surfaces of heads and plain solids: a mesh on the GPU and its glTF material.

use super::light::{Quality, Studio};
use super::shadow_map::SHADOW_STATES;
use crate::head::{self, AlphaMode};
use crate::render::convert;
use crate::render::frame::{Drawn, Frame, OVER};
use std::rc::Rc;
use three_d::*;

/// The textures of a material: the sampler and the switch of each in the shader.
const TEXTURES: [(&str, &str); 5] = [
    ("baseColorTexture", "USE_BASE_COLOR_TEXTURE"),
    ("metallicRoughnessTexture", "USE_METALLIC_ROUGHNESS_TEXTURE"),
    ("normalTexture", "USE_NORMAL_TEXTURE"),
    ("emissiveTexture", "USE_EMISSIVE_TEXTURE"),
    ("sheenTexture", "USE_SHEEN_TEXTURE"),
];

/// A mesh on the GPU with its glTF metallic-roughness material.
pub struct Surface {
    pub mesh: Mesh,
    /// The switches of the attributes of the mesh in the shaders.
    attributes: Vec<&'static str>,
    material: head::Material,
    /// The textures in the order of [`TEXTURES`].
    pub(super) textures: [Option<Rc<Texture2D>>; 5],
    /// The depth of light under the surface: 1 for skin, 0 for stone.
    subsurface: f32,
    /// `true` for what fades out at the neck.
    pub(super) fades: bool,
    /// `true` if it lies within the opaque parts of its head, such as the glass of eyes.
    pub(super) is_inner: bool,
    /// `true` if its triangles are so small that the light between its vertices can be interpolated.
    pub(super) is_fine: bool,
}

/// The vertex shader of surfaces.
const VERTEX_SHADER: &str = include_str!("surface.vert");

impl Surface {
    pub(super) fn new(
        context: &Context,
        mesh: &CpuMesh,
        material: head::Material,
        subsurface: f32,
    ) -> Self {
        let attributes = [
            (mesh.uvs.is_some(), "USE_UVS"),
            (mesh.tangents.is_some(), "USE_TANGENTS"),
            (mesh.colors.is_some(), "USE_VERTEX_COLORS"),
        ];
        let attributes = attributes.into_iter().filter(|(exists, _)| *exists);
        Self {
            mesh: Mesh::new(context, mesh),
            attributes: attributes.map(|(_, switch)| switch).collect(),
            material,
            textures: [const { None }; 5],
            subsurface,
            fades: false,
            is_inner: false,
            is_fine: false,
        }
    }

    /// Returns a surface of one colour (sRGB) without gloss.
    pub fn matte(context: &Context, mesh: &CpuMesh, color: [f32; 3]) -> Self {
        let material = head::Material {
            name: String::new(),
            base_color: convert::linear_from_srgb(color).extend(1.0).into(),
            base_color_texture: None,
            metallic: 0.0,
            roughness: 0.9,
            reflectance: 0.03,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            emissive: [0.0; 3],
            emissive_texture: None,
            sheen: [0.0; 3],
            sheen_roughness: 1.0,
            sheen_texture: None,
            is_unlit: false,
            alpha: AlphaMode::Opaque,
            double_sided: false,
        };
        Self::new(context, mesh, material, 0.0)
    }

    /// Returns `true` if it is blended over the rest. It then casts no shadow.
    pub(super) fn is_blended(&self) -> bool {
        self.material.alpha == AlphaMode::Blend
    }

    /// Draws the surface.
    pub fn draw(&self, frame: &Frame, studio: &Studio) -> Drawn {
        let textures = || self.textures.iter().zip(TEXTURES);
        let is_used = |switch| frame.fine || switch != "USE_NORMAL_TEXTURE";
        let switches = textures().filter(|(texture, _)| texture.is_some());
        let switches = switches.filter(|(_, (_, switch))| is_used(*switch));
        let mut defines = self.attributes.clone();
        defines.extend(switches.map(|(_, (_, switch))| switch));
        let lit_vertices = self.is_fine && !frame.fine;
        defines.extend(lit_vertices.then_some("LIT_VERTICES"));
        const LIGHT: &str = concat!(include_str!("lighting.glsl"), include_str!("skin.glsl"));
        const FRAGMENT: &str = concat!(include_str!("color.glsl"), include_str!("skin.frag"));
        let material = &self.material;
        let alpha_cutoff = match material.alpha {
            AlphaMode::Mask(cutoff) => cutoff,
            // Fully transparent texels are not blended at all.
            AlphaMode::Blend => 1.0 / 255.0,
            AlphaMode::Opaque => -1.0,
        };
        let (write_mask, blend) = match self.is_blended() {
            true => (WriteMask::COLOR, OVER),
            false => (WriteMask::COLOR_AND_DEPTH, Blend::Disabled),
        };
        let states = RenderStates {
            cull: self.cull(),
            write_mask,
            blend,
            ..Default::default()
        };
        let shaders = || match lit_vertices {
            true => [format!("{LIGHT}{VERTEX_SHADER}"), FRAGMENT.into()],
            false => [VERTEX_SHADER.into(), format!("{LIGHT}{FRAGMENT}")],
        };
        frame.with_program("surfaces", &defines, shaders, |program| {
            studio.use_uniforms(program, frame.camera);
            if lit_vertices {
                // Few vertices have the time for a filter that leaves no steps between them.
                program.use_uniform_if_required("shadowTaps", i32::from(Quality::FULL.shadow_taps));
            }
            program.use_uniform_if_required("fade", self.fade(frame));
            program.use_uniform_if_required("filterTurn", Vec2::from(frame.filter_turn));
            program.use_uniform_if_required("baseColor", Vec4::from(material.base_color));
            program.use_uniform_if_required("metallic", material.metallic);
            program.use_uniform_if_required("roughness", material.roughness);
            program.use_uniform_if_required("reflectance", material.reflectance);
            program.use_uniform_if_required("emissive", Vec3::from(material.emissive));
            program.use_uniform_if_required("unlit", i32::from(material.is_unlit));
            program.use_uniform_if_required("sheen", Vec3::from(material.sheen));
            program.use_uniform_if_required("sheenRoughness", material.sheen_roughness);
            program.use_uniform_if_required("normalScale", material.normal_scale);
            program.use_uniform_if_required("alphaCutoff", alpha_cutoff);
            program.use_uniform_if_required("subsurface", self.subsurface);
            program.use_uniform_if_required("blended", i32::from(self.is_blended()));
            let is_opaque = material.alpha == AlphaMode::Opaque;
            program.use_uniform_if_required("opaque", i32::from(is_opaque));
            for (texture, (name, _)) in textures() {
                if let Some(texture) = texture.as_ref().filter(|_| program.requires_uniform(name)) {
                    program.use_texture(name, texture);
                }
            }
            self.mesh.draw(frame.camera, program, states);
        })
    }

    fn cull(&self) -> Cull {
        match self.material.double_sided {
            true => Cull::None,
            false => Cull::Back,
        }
    }

    /// Returns how the surface fades in a view.
    fn fade(&self, frame: &Frame) -> Vec4 {
        match self.fades {
            true => frame.fade,
            false => Frame::UNFADED,
        }
    }

    /// Draws the depth of the surface, without what a MASK material cuts out. Where it fades, only a
    /// share of the samples have it.
    pub fn draw_depth(&self, frame: &Frame) -> Drawn {
        let cutoff = match self.material.alpha {
            AlphaMode::Mask(cutoff) => Some(cutoff),
            AlphaMode::Opaque | AlphaMode::Blend => None,
        };
        let texture = cutoff.and(self.textures[0].as_deref());
        let mut defines = self.attributes.clone();
        defines.extend(cutoff.map(|_| "CUTOUT"));
        defines.extend(texture.map(|_| TEXTURES[0].1));
        defines.push("DEPTH_ONLY");
        let fade = self.fade(frame);
        defines.extend((fade != Frame::UNFADED).then_some("FADES"));
        let mut states = SHADOW_STATES;
        if frame.fade != Frame::UNFADED {
            states.cull = self.cull();
        }
        let shaders = || {
            let fragment = concat!(include_str!("color.glsl"), include_str!("shadow.frag"));
            [VERTEX_SHADER, fragment]
        };
        frame.with_program("surface shadows", &defines, shaders, |program| {
            if let Some(cutoff) = cutoff {
                program.use_uniform("alpha", self.material.base_color[3]);
                program.use_uniform("alphaCutoff", cutoff);
            }
            if let Some(texture) = texture {
                program.use_texture(TEXTURES[0].0, texture);
            }
            program.use_uniform_if_required("fade", fade);
            program.use_uniform_if_required("filterTurn", frame.filter_turn[0]);
            self.mesh.draw(frame.camera, program, states);
        })
    }
}

/// Uploads a texture with mipmaps.
pub fn upload(context: &Context, texture: &head::Texture) -> Texture2D {
    let wrap = |wrap| match wrap {
        head::Wrap::Repeat => Wrapping::Repeat,
        head::Wrap::Mirror => Wrapping::MirroredRepeat,
        head::Wrap::Clamp => Wrapping::ClampToEdge,
    };
    let filter = if texture.smooth {
        Interpolation::Linear
    } else {
        Interpolation::Nearest
    };
    let uploaded = Texture2D::new_empty::<[u8; 4]>(
        context,
        texture.width,
        texture.height,
        Interpolation::Linear,
        filter,
        Some(Mipmap::default()),
        wrap(texture.wrap[0]),
        wrap(texture.wrap[1]),
    );
    uploaded.fill(&texture.pixels.get());
    uploaded
}
