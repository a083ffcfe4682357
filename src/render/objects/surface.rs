//! The surfaces of heads and plain solids: meshes on the GPU and their glTF material.

use super::light::{Cutout, ShadowMaterial, Studio};
use crate::head;
use crate::render::gpu::convert;
use crate::render::gpu::shape::OVER;
use std::cell::RefCell;
use std::rc::Rc;
use three_d::*;

/// The textures of a material: the sampler and the switch of each in the shader.
const TEXTURES: [(&str, &str); 4] = [
    ("baseColorTexture", "USE_BASE_COLOR_TEXTURE"),
    ("metallicRoughnessTexture", "USE_METALLIC_ROUGHNESS_TEXTURE"),
    ("normalTexture", "USE_NORMAL_TEXTURE"),
    ("emissiveTexture", "USE_EMISSIVE_TEXTURE"),
];

/// A glTF metallic-roughness material with its textures on the GPU.
pub struct SurfaceMaterial {
    base_color: three_d::Vec4,
    metallic: f32,
    roughness: f32,
    emissive: three_d::Vec3,
    normal_scale: f32,
    alpha_cutoff: f32,
    blended: bool,
    /// The depth of light under the surface: 1 for skin, 0 for stone.
    subsurface: f32,
    cull: Cull,
    has_uvs: bool,
    has_tangents: bool,
    pub shadow: ShadowMaterial,
    /// In the order of [`TEXTURES`].
    textures: [Option<Rc<Texture2D>>; 4],
    studio: Rc<RefCell<Studio>>,
}

impl SurfaceMaterial {
    fn new(
        material: &head::Material,
        textures: &[Rc<Texture2D>],
        part: &head::Part,
        studio: Rc<RefCell<Studio>>,
    ) -> Self {
        let has_uvs = part.uvs.is_some();
        let texture = |index: Option<usize>| textures.get(index.filter(|_| has_uvs)?).cloned();
        let textures = [
            material.base_color_texture,
            material.metallic_roughness_texture,
            material.normal_texture,
            material.emissive_texture,
        ];
        let textures = textures.map(texture);
        let cutout = match material.alpha {
            head::AlphaMode::Mask(cutoff) => Some(Cutout {
                alpha: material.base_color[3],
                cutoff,
                texture: textures[0].clone(),
            }),
            head::AlphaMode::Opaque | head::AlphaMode::Blend => None,
        };
        Self {
            base_color: material.base_color.into(),
            metallic: material.metallic,
            roughness: material.roughness,
            emissive: material.emissive.into(),
            normal_scale: material.normal_scale,
            alpha_cutoff: match material.alpha {
                head::AlphaMode::Mask(cutoff) => cutoff,
                // Fully transparent texels are not blended at all.
                head::AlphaMode::Blend => 1.0 / 255.0,
                head::AlphaMode::Opaque => -1.0,
            },
            blended: material.alpha == head::AlphaMode::Blend,
            subsurface: 1.0,
            cull: if material.double_sided {
                Cull::None
            } else {
                Cull::Back
            },
            has_uvs,
            has_tangents: part.tangents.is_some(),
            shadow: ShadowMaterial { cutout },
            textures,
            studio,
        }
    }

    /// Returns a material of one colour (sRGB) without gloss.
    pub fn matte(color: [f32; 3], studio: Rc<RefCell<Studio>>) -> Self {
        Self {
            base_color: convert::linear_from_srgb(color).extend(1.0),
            metallic: 0.0,
            roughness: 0.9,
            emissive: vec3(0.0, 0.0, 0.0),
            normal_scale: 1.0,
            alpha_cutoff: -1.0,
            blended: false,
            subsurface: 0.0,
            cull: Cull::Back,
            has_uvs: false,
            has_tangents: false,
            shadow: ShadowMaterial::default(),
            textures: [const { None }; 4],
            studio,
        }
    }

    /// Returns the switches of the shader, and whether each is on.
    fn features(&self) -> impl Iterator<Item = (bool, &'static str)> + '_ {
        let attributes = [
            (self.has_uvs, "USE_UVS"),
            (self.has_tangents, "USE_TANGENTS"),
        ];
        let textures = self.textures.iter().zip(TEXTURES);
        let textures = textures.map(|(texture, (_, switch))| (texture.is_some(), switch));
        attributes.into_iter().chain(textures)
    }
}

impl Material for SurfaceMaterial {
    fn fragment_shader_source(&self, _lights: &[&dyn Light]) -> String {
        let mut source = String::new();
        for (_, define) in self.features().filter(|(is_on, _)| *is_on) {
            source += &format!("#define {define}\n");
        }
        source + include_str!("lighting.glsl") + include_str!("skin.frag")
    }

    fn id(&self) -> EffectMaterialId {
        let bits = self
            .features()
            .enumerate()
            .fold(0, |bits, (i, (is_on, _))| bits | (u16::from(is_on) << i));
        EffectMaterialId(0x0100 + bits)
    }

    fn use_uniforms(&self, program: &Program, viewer: &dyn Viewer, _lights: &[&dyn Light]) {
        self.studio.borrow().use_uniforms(program, viewer);
        program.use_uniform_if_required("baseColor", self.base_color);
        program.use_uniform_if_required("metallic", self.metallic);
        program.use_uniform_if_required("roughness", self.roughness);
        program.use_uniform_if_required("emissive", self.emissive);
        program.use_uniform_if_required("normalScale", self.normal_scale);
        program.use_uniform_if_required("alphaCutoff", self.alpha_cutoff);
        program.use_uniform_if_required("subsurface", self.subsurface);
        program.use_uniform_if_required("blended", i32::from(self.blended));
        for (texture, (name, _)) in self.textures.iter().zip(TEXTURES) {
            if let Some(texture) = texture.as_ref().filter(|_| program.requires_uniform(name)) {
                program.use_texture(name, texture);
            }
        }
    }

    fn render_states(&self) -> RenderStates {
        RenderStates {
            cull: self.cull,
            write_mask: if self.blended {
                WriteMask::COLOR
            } else {
                WriteMask::COLOR_AND_DEPTH
            },
            blend: if self.blended { OVER } else { Blend::Disabled },
            ..Default::default()
        }
    }

    fn material_type(&self) -> MaterialType {
        if self.blended {
            MaterialType::Transparent
        } else {
            MaterialType::Opaque
        }
    }
}

/// The parts of a head on the GPU.
pub struct HeadModel {
    pub parts: Vec<Gm<Mesh, SurfaceMaterial>>,
}

impl HeadModel {
    pub fn new(context: &Context, head: &head::Head, studio: &Rc<RefCell<Studio>>) -> Self {
        let textures: Vec<_> = head
            .textures
            .iter()
            .map(|texture| Rc::new(upload(context, texture)))
            .collect();
        let parts = head
            .parts
            .iter()
            .map(|part| {
                let material = &head.materials[part.material];
                Gm::new(
                    Mesh::new(context, &cpu_mesh(part)),
                    SurfaceMaterial::new(material, &textures, part, studio.clone()),
                )
            })
            .collect();
        Self { parts }
    }

    pub fn set_pose(&mut self, world_from_head: three_d::Mat4) {
        for part in &mut self.parts {
            part.geometry.set_transformation(world_from_head);
        }
    }

    /// Returns the parts that cast shadows and hide what is behind them.
    pub fn opaque(&self) -> impl Iterator<Item = &Gm<Mesh, SurfaceMaterial>> {
        self.parts.iter().filter(|part| !part.material.blended)
    }

    /// Returns the parts that are blended over the rest, farthest first.
    pub fn blended(&self, eye: three_d::Vec3) -> Vec<&Gm<Mesh, SurfaceMaterial>> {
        let mut parts: Vec<_> = self
            .parts
            .iter()
            .filter(|part| part.material.blended)
            .collect();
        let distance = |part: &&Gm<Mesh, SurfaceMaterial>| part.aabb().center().distance2(eye);
        parts.sort_by(|a, b| distance(b).total_cmp(&distance(a)));
        parts
    }
}

fn cpu_mesh(part: &head::Part) -> CpuMesh {
    CpuMesh {
        positions: Positions::F32(part.positions.iter().map(|&p| convert::vec3(p)).collect()),
        indices: Indices::U32(part.triangles.as_flattened().to_vec()),
        normals: Some(part.normals.iter().map(|&n| convert::vec3(n)).collect()),
        tangents: part
            .tangents
            .as_ref()
            .map(|tangents| tangents.iter().map(|t| vec4(t.x, t.y, t.z, t.w)).collect()),
        uvs: part
            .uvs
            .as_ref()
            .map(|uvs| uvs.iter().map(|uv| vec2(uv.x, uv.y)).collect()),
        colors: part
            .colors
            .as_ref()
            .map(|colors| colors.iter().map(srgba).collect()),
    }
}

/// Converts a vertex colour from linear floats, as in glTF, to sRGB bytes, as in three-d.
fn srgba(linear: &glam::Vec4) -> Srgba {
    let byte = |c: f32| (255.0 * c.clamp(0.0, 1.0)).round() as u8;
    let color = |c: f32| byte(convert::srgb_from_linear(c.clamp(0.0, 1.0)));
    Srgba::new(
        color(linear.x),
        color(linear.y),
        color(linear.z),
        byte(linear.w),
    )
}

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
    Texture2D::new(
        context,
        &CpuTexture {
            name: texture.name.clone(),
            data: TextureData::RgbaU8(texture.pixels.clone()),
            width: texture.width,
            height: texture.height,
            min_filter: Interpolation::Linear,
            mag_filter: filter,
            mipmap: Some(Mipmap::default()),
            wrap_s: wrap(texture.wrap[0]),
            wrap_t: wrap(texture.wrap[1]),
        },
    )
}
