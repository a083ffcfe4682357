//! The data of a head: its model, parts, materials and textures.

use super::pixels::Pixels;
use super::shipped::ShippedModel;
use glam::{DVec3, Vec2, Vec3, Vec4};
use std::path::PathBuf;
use std::sync::Arc;

/// The file of a head.
#[derive(Clone, Debug, PartialEq)]
pub enum Model {
    /// A model that ships with the program; by default the head.
    Shipped(ShippedModel),
    /// A `.glb` or `.gltf`, with the files it names beside it.
    File(PathBuf),
    /// The content of a self-contained file, for instance of one in a style's file.
    Embedded(Arc<[u8]>),
}

impl Model {
    /// Returns `true` unless it is a model of the program without a head: a meadow, a waist.
    pub fn is_head(&self) -> bool {
        !matches!(self, Model::Shipped(model) if !model.is_head())
    }
}

impl Default for Model {
    fn default() -> Self {
        Model::Shipped(ShippedModel::default())
    }
}

/// Sizes in the file's units and space, node transforms applied, before they are rounded to
/// single precision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extent {
    /// The low corner of the box around all triangles.
    pub low: DVec3,
    /// The high corner of that box.
    pub high: DVec3,
    /// The height at which the head begins, neck included, in head space.
    pub lowest: f32,
    /// The size of the geometry that is taken for the head.
    pub head: DVec3,
    /// The geometry whose box sets [`Units`](super::Units), as messages name it: `mesh 0 "head", primitive 0`.
    pub measured: String,
    /// The area of the scalp triangles; 0 without a scalp.
    pub scalp_area: f64,
}

/// One primitive of one node, node transforms applied, as a list of triangles or of lines.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// The name of the node, or else of the mesh, made unique.
    pub name: String,
    /// Vertex positions, head space, finite.
    pub positions: Vec<Vec3>,
    /// Unit vertex normals, one per position.
    pub normals: Vec<Vec3>,
    /// Tangents (xyz unit length, w the sign of the bitangent), if the file has them.
    pub tangents: Option<Vec<Vec4>>,
    /// Texture coordinates (v down, as in glTF) of the set that the material uses.
    pub uvs: Option<Vec<Vec2>>,
    /// Linear RGBA vertex colours that tint the surface, apart from the scalp paint.
    pub colors: Option<Vec<Vec4>>,
    /// Corner indices, each below `positions.len()`, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The ends of lines, each below `positions.len()`: hair that comes with the head, such as
    /// brows, root first.
    pub lines: Vec<[u32; 2]>,
    /// The scalp paint, if any vertex is painted.
    pub paint: Option<Paint>,
    /// An index into [`Head::materials`](super::Head::materials).
    pub material: usize,
    /// The primitive of the file, whose vertices have the same order; `None` for a part that is
    /// not from a file.
    pub source: Option<PrimitiveRef>,
}

/// A primitive of a glTF file; several nodes may show the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrimitiveRef {
    /// An index into the file's meshes.
    pub mesh: usize,
    /// An index into the primitives of that mesh.
    pub primitive: usize,
}

/// The scalp paint of a part.
#[derive(Clone, Debug)]
pub struct Paint {
    /// `n` of the `COLOR_n` set that holds the paint, or that is free for it.
    pub set: u32,
    /// The evidence that it is paint: `COLOR_0 is black on white`.
    pub why: String,
    /// Hair density per vertex, 0 (bald) to 1 (full).
    pub density: Vec<f32>,
    /// `true` if this program wrote it into the file. It comes before other paint.
    pub is_own: bool,
}

/// A glTF metallic-roughness material.
#[derive(Clone, Debug)]
pub struct Material {
    /// The name in messages.
    pub name: String,
    /// The linear RGBA factor.
    pub base_color: [f32; 4],
    /// An index into [`Head::textures`](super::Head::textures); sRGB.
    pub base_color_texture: Option<usize>,
    /// The metallic factor, 0 to 1.
    pub metallic: f32,
    /// The roughness factor, 0 to 1.
    pub roughness: f32,
    /// The share of light that it reflects towards its normal if it is no metal, 0 to 1.
    pub reflectance: f32,
    /// An index into [`Head::textures`](super::Head::textures); G is roughness, B is metallic.
    pub metallic_roughness_texture: Option<usize>,
    /// An index into [`Head::textures`](super::Head::textures); a tangent-space normal map.
    pub normal_texture: Option<usize>,
    /// The scale of x and y of the normal map.
    pub normal_scale: f32,
    /// The linear RGB factor of emission, which may exceed 1.
    pub emissive: [f32; 3],
    /// An index into [`Head::textures`](super::Head::textures); sRGB.
    pub emissive_texture: Option<usize>,
    /// The linear RGB factor of sheen, the soft light of cloth towards its edges, 0 to 1.
    pub sheen: [f32; 3],
    /// The roughness of sheen, 0.07 to 1: the larger, the further it reaches from the edges.
    pub sheen_roughness: f32,
    /// An index into [`Head::textures`](super::Head::textures); sRGB.
    pub sheen_texture: Option<usize>,
    /// `true` if the surface shows its colour, which is in `emissive`, whatever the light.
    pub is_unlit: bool,
    /// The use of alpha.
    pub alpha: AlphaMode,
    /// `true` if both sides are drawn.
    pub double_sided: bool,
}

/// The use of a material's alpha.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AlphaMode {
    /// Alpha is ignored.
    Opaque,
    /// Fragments with alpha below this cutoff are not drawn.
    Mask(f32),
    /// Fragments are blended by alpha.
    Blend,
}

/// A decoded image with the settings of its sampler.
#[derive(Clone, Debug)]
pub struct Texture {
    /// The name in messages.
    pub name: String,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The `width * height` pixels.
    pub pixels: Pixels,
    /// The wrapping along u and v.
    pub wrap: [Wrap; 2],
    /// `true` if magnification is linear rather than nearest-neighbour.
    pub smooth: bool,
}

/// The continuation of a texture outside 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The texture is tiled.
    Repeat,
    /// The texture is tiled, with every other tile mirrored.
    Mirror,
    /// The border of the texture is stretched.
    Clamp,
}
