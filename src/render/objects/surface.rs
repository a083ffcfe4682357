//! The surfaces of heads and plain solids: meshes on the GPU and their glTF material.

use super::light::{SHADOW_SHADER, SHADOW_STATES, Studio};
use crate::head::{self, AlphaMode};
use crate::render::gpu::convert;
use crate::render::gpu::frame::OVER;
use std::rc::Rc;
use three_d::*;

/// The textures of a material: the sampler and the switch of each in the shader.
const TEXTURES: [(&str, &str); 4] = [
    ("baseColorTexture", "USE_BASE_COLOR_TEXTURE"),
    ("metallicRoughnessTexture", "USE_METALLIC_ROUGHNESS_TEXTURE"),
    ("normalTexture", "USE_NORMAL_TEXTURE"),
    ("emissiveTexture", "USE_EMISSIVE_TEXTURE"),
];

/// A mesh on the GPU with its glTF metallic-roughness material.
pub struct Surface {
    pub mesh: Mesh,
    material: head::Material,
    /// In the order of [`TEXTURES`].
    textures: [Option<Rc<Texture2D>>; 4],
    has_uvs: bool,
    has_tangents: bool,
    /// The depth of light under the surface: 1 for skin, 0 for stone.
    subsurface: f32,
}

impl Surface {
    fn of_part(
        context: &Context,
        part: &head::Part,
        material: &head::Material,
        textures: &[Rc<Texture2D>],
    ) -> Self {
        let has_uvs = part.uvs.is_some();
        let texture = |index: Option<usize>| textures.get(index.filter(|_| has_uvs)?).cloned();
        let indices = [
            material.base_color_texture,
            material.metallic_roughness_texture,
            material.normal_texture,
            material.emissive_texture,
        ];
        Self {
            mesh: Mesh::new(context, &cpu_mesh(part)),
            material: material.clone(),
            textures: indices.map(texture),
            has_uvs,
            has_tangents: part.tangents.is_some(),
            subsurface: 1.0,
        }
    }

    /// Returns a surface of one colour (sRGB) without gloss.
    pub fn matte(context: &Context, mesh: &CpuMesh, color: [f32; 3]) -> Self {
        Self {
            mesh: Mesh::new(context, mesh),
            material: head::Material {
                name: String::new(),
                base_color: convert::linear_from_srgb(color).extend(1.0).into(),
                base_color_texture: None,
                metallic: 0.0,
                roughness: 0.9,
                metallic_roughness_texture: None,
                normal_texture: None,
                normal_scale: 1.0,
                emissive: [0.0; 3],
                emissive_texture: None,
                alpha: AlphaMode::Opaque,
                double_sided: false,
            },
            textures: [const { None }; 4],
            has_uvs: false,
            has_tangents: false,
            subsurface: 0.0,
        }
    }

    /// Returns `true` if it is blended over the rest. It then casts no shadow.
    fn is_blended(&self) -> bool {
        self.material.alpha == AlphaMode::Blend
    }

    /// Draws the surface.
    ///
    /// # Errors
    /// [`RendererError`] if the driver refuses a shader.
    pub fn draw(
        &self,
        context: &Context,
        camera: &Camera,
        studio: &Studio,
    ) -> Result<(), RendererError> {
        render_with_material(
            context,
            camera,
            &self.mesh,
            SurfaceMaterial(self, studio),
            &[],
        )
    }

    /// Draws the depth of the surface, as for the shadow map.
    ///
    /// # Errors
    /// [`RendererError`] if the driver refuses a shader.
    pub fn draw_depth(&self, context: &Context, camera: &Camera) -> Result<(), RendererError> {
        render_with_material(context, camera, &self.mesh, DepthMaterial(self), &[])
    }

    /// Returns the switches of the shader, and `true` for those that are on.
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

/// The shading of a surface.
struct SurfaceMaterial<'a>(&'a Surface, &'a Studio);

impl Material for SurfaceMaterial<'_> {
    fn fragment_shader_source(&self, _lights: &[&dyn Light]) -> String {
        let on = self.0.features().filter(|(is_on, _)| *is_on);
        let defines: String = on.map(|(_, name)| format!("#define {name}\n")).collect();
        defines + include_str!("lighting.glsl") + include_str!("skin.frag")
    }

    fn id(&self) -> EffectMaterialId {
        let features = self.0.features().enumerate();
        let bits = features.fold(0, |bits, (i, (is_on, _))| bits | (u16::from(is_on) << i));
        EffectMaterialId(0x0100 + bits)
    }

    fn use_uniforms(&self, program: &Program, viewer: &dyn Viewer, _lights: &[&dyn Light]) {
        let Self(surface, studio) = self;
        let material = &surface.material;
        studio.use_uniforms(program, viewer);
        let alpha_cutoff = match material.alpha {
            AlphaMode::Mask(cutoff) => cutoff,
            // Fully transparent texels are not blended at all.
            AlphaMode::Blend => 1.0 / 255.0,
            AlphaMode::Opaque => -1.0,
        };
        program.use_uniform_if_required("baseColor", Vec4::from(material.base_color));
        program.use_uniform_if_required("metallic", material.metallic);
        program.use_uniform_if_required("roughness", material.roughness);
        program.use_uniform_if_required("emissive", Vec3::from(material.emissive));
        program.use_uniform_if_required("normalScale", material.normal_scale);
        program.use_uniform_if_required("alphaCutoff", alpha_cutoff);
        program.use_uniform_if_required("subsurface", surface.subsurface);
        program.use_uniform_if_required("blended", i32::from(surface.is_blended()));
        for (texture, (name, _)) in surface.textures.iter().zip(TEXTURES) {
            if let Some(texture) = texture.as_ref().filter(|_| program.requires_uniform(name)) {
                program.use_texture(name, texture);
            }
        }
    }

    fn render_states(&self) -> RenderStates {
        let (write_mask, blend) = match self.0.is_blended() {
            true => (WriteMask::COLOR, OVER),
            false => (WriteMask::COLOR_AND_DEPTH, Blend::Disabled),
        };
        RenderStates {
            cull: match self.0.material.double_sided {
                true => Cull::None,
                false => Cull::Back,
            },
            write_mask,
            blend,
            ..Default::default()
        }
    }

    fn material_type(&self) -> MaterialType {
        match self.0.is_blended() {
            true => MaterialType::Transparent,
            false => MaterialType::Opaque,
        }
    }
}

/// The depth of a surface, without what a MASK material cuts out.
struct DepthMaterial<'a>(&'a Surface);

impl DepthMaterial<'_> {
    /// Returns the alpha below which texels are cut out.
    fn cutoff(&self) -> Option<f32> {
        match self.0.material.alpha {
            AlphaMode::Mask(cutoff) => Some(cutoff),
            AlphaMode::Opaque | AlphaMode::Blend => None,
        }
    }

    fn texture(&self) -> Option<&Texture2D> {
        self.cutoff().and(self.0.textures[0].as_deref())
    }
}

impl Material for DepthMaterial<'_> {
    fn fragment_shader_source(&self, _lights: &[&dyn Light]) -> String {
        let cutout = self.cutoff().map_or("", |_| "#define CUTOUT\n");
        let texture = self
            .texture()
            .map_or("", |_| "#define USE_BASE_COLOR_TEXTURE\n");
        format!("{cutout}{texture}{SHADOW_SHADER}")
    }

    fn id(&self) -> EffectMaterialId {
        let cutout = u16::from(self.cutoff().is_some());
        let texture = u16::from(self.texture().is_some());
        EffectMaterialId(0x0400 + cutout + 2 * texture)
    }

    fn use_uniforms(&self, program: &Program, _viewer: &dyn Viewer, _lights: &[&dyn Light]) {
        if let Some(cutoff) = self.cutoff() {
            program.use_uniform("alpha", self.0.material.base_color[3]);
            program.use_uniform("alphaCutoff", cutoff);
        }
        if let Some(texture) = self.texture() {
            program.use_texture("baseColorTexture", texture);
        }
    }

    fn render_states(&self) -> RenderStates {
        SHADOW_STATES
    }

    fn material_type(&self) -> MaterialType {
        MaterialType::Opaque
    }
}

/// The parts of a head on the GPU.
pub struct HeadModel(Vec<Surface>);

impl HeadModel {
    pub fn new(context: &Context, head: &head::Head) -> Self {
        let textures = head.textures.iter();
        let textures: Vec<_> = textures
            .map(|texture| Rc::new(upload(context, texture)))
            .collect();
        let parts = head
            .parts
            .iter()
            .map(|part| Surface::of_part(context, part, &head.materials[part.material], &textures));
        Self(parts.collect())
    }

    pub fn set_pose(&mut self, world_from_head: Mat4) {
        for part in &mut self.0 {
            part.mesh.set_transformation(world_from_head);
        }
    }

    /// Returns the parts that cast shadows and hide what is behind them.
    pub fn opaque(&self) -> impl Iterator<Item = &Surface> {
        self.0.iter().filter(|part| !part.is_blended())
    }

    /// Returns the parts that are blended over the rest, farthest first.
    pub fn blended(&self, eye: Vec3) -> Vec<&Surface> {
        let mut parts: Vec<_> = self.0.iter().filter(|part| part.is_blended()).collect();
        let distance = |part: &&Surface| part.mesh.aabb().center().distance2(eye);
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
