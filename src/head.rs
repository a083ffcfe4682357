//! A head read from a glTF 2.0 file: parts, materials, textures and scalp paint.

use crate::{
    look::check_color,
    settings::{SettingError, check_range},
};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A head ready to grow hair on and to draw, in head space (decimetres, centred).
#[derive(Clone, Debug)]
pub struct Head {
    /// What to call it: the file's stem.
    pub name: String,
    /// One part per primitive of every node of the default scene.
    pub parts: Vec<Part>,
    /// Materials that [`Part::material`] indexes; never empty.
    pub materials: Vec<Material>,
    /// Textures that the materials index.
    pub textures: Vec<Texture>,
    /// The part that carries the scalp paint: of all painted parts the one with
    /// the largest painted area. `None`: nothing is painted.
    pub scalp_part: Option<usize>,
    /// How the file's own units map to head space.
    pub units: Units,
    /// Things worth telling the user that did not stop the load.
    pub warnings: Vec<String>,
}

/// Where head space lies in the file's own space: `head = (file - centre) * scale`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// Decimetres per file unit.
    pub scale: f32,
    /// The point of the file's space that becomes the origin of head space.
    pub centre: Vec3,
}

/// One primitive of one node, all node transforms applied, always plain triangles.
#[derive(Clone, Debug)]
pub struct Part {
    /// Node (or mesh) name, made unique for messages.
    pub name: String,
    /// Vertex positions, head space, finite.
    pub positions: Vec<Vec3>,
    /// Unit vertex normals, one per position.
    pub normals: Vec<Vec3>,
    /// Tangents (xyz unit, w = bitangent sign), where the file has them.
    pub tangents: Option<Vec<glam::Vec4>>,
    /// Texture coordinates (glTF convention: v down) of the set that the material uses.
    pub uvs: Option<Vec<glam::Vec2>>,
    /// Linear RGBA vertex colours that tint the surface; never the scalp paint.
    pub colors: Option<Vec<glam::Vec4>>,
    /// Corner indices, each below `positions.len()`, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Scalp paint: hair density in [0, 1] per vertex, if any vertex is above 0.
    pub paint: Option<Paint>,
    /// Index into [`Head::materials`].
    pub material: usize,
}

/// Scalp paint found on a part.
#[derive(Clone, Debug)]
pub struct Paint {
    /// `n` of the `COLOR_n` set it was read from.
    pub set: u32,
    /// Hair density per vertex, 0 (bald) to 1 (full).
    pub density: Vec<f32>,
}

/// A glTF metallic-roughness material.
#[derive(Clone, Debug)]
pub struct Material {
    /// Name for messages.
    pub name: String,
    /// Linear RGBA factor.
    pub base_color: [f32; 4],
    /// Index into [`Head::textures`], sRGB.
    pub base_color_texture: Option<usize>,
    /// 0 to 1.
    pub metallic: f32,
    /// 0 to 1.
    pub roughness: f32,
    /// G = roughness, B = metallic.
    pub metallic_roughness_texture: Option<usize>,
    /// Tangent-space normal map.
    pub normal_texture: Option<usize>,
    /// Scale of the normal map's x and y.
    pub normal_scale: f32,
    /// Linear RGB factor.
    pub emissive: [f32; 3],
    /// sRGB.
    pub emissive_texture: Option<usize>,
    /// How alpha is used.
    pub alpha: AlphaMode,
    /// Draw both sides.
    pub double_sided: bool,
}

/// How a material's alpha is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AlphaMode {
    /// Ignored.
    Opaque,
    /// Cut out below the cutoff.
    Mask(f32),
    /// Blended.
    Blend,
}

/// A decoded image with its sampler.
#[derive(Clone, Debug)]
pub struct Texture {
    /// Name for messages.
    pub name: String,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// `width * height` RGBA8 pixels, top row first, as stored (not linearised).
    pub pixels: Vec<[u8; 4]>,
    /// Wrapping along u and v.
    pub wrap: [Wrap; 2],
    /// False: nearest-neighbour magnification.
    pub smooth: bool,
}

/// Texture wrapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// Tile.
    Repeat,
    /// Tile, mirrored every other time.
    Mirror,
    /// Stretch the border.
    Clamp,
}

/// How to read a head file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HeadSettings {
    /// Linear RGB of full scalp paint; white is always bald. Each 0 to 1.
    pub paint_color: [f32; 3],
    /// Decimetres per file unit; absent: the painted part is made 2.74 high.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<f32>,
}

impl Default for HeadSettings {
    fn default() -> Self {
        Self {
            paint_color: [0.0; 3],
            scale: None,
        }
    }
}

impl HeadSettings {
    /// Checks every range.
    pub fn validate(&self) -> Result<(), SettingError> {
        check_color("head.paint_color", self.paint_color)?;
        match self.scale {
            Some(scale) => check_range("head.scale", scale, 1e-6..=1e6, "decimetres per unit"),
            None => Ok(()),
        }
    }
}

/// Why a head could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// stub
    #[error("stub")]
    Stub,
}

impl Head {
    /// Reads a `.glb` or `.gltf` file with the buffers and images it names.
    pub fn load(_path: &Path, _settings: &HeadSettings) -> Result<Head, LoadError> {
        unimplemented!()
    }
    /// Reads a self-contained file from memory; `name` is used in messages.
    pub fn from_bytes(
        _name: &str,
        _bytes: &[u8],
        _settings: &HeadSettings,
    ) -> Result<Head, LoadError> {
        unimplemented!()
    }
    /// The head that ships with the program.
    pub fn shipped(_settings: &HeadSettings) -> Result<Head, LoadError> {
        unimplemented!()
    }
}
