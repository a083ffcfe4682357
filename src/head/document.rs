//! The glTF document: only what a head needs, and nothing a hostile file can inflate.
//!
//! These are our own types rather than the `gltf` crate's because that crate cuts
//! indices to 32 bits, refuses legal files (a texture without a source, an accessor
//! without a buffer view) and turns 3 bytes of JSON into 300 of memory. What is not
//! listed here (cameras, animations, extras…) is skipped unread, so nothing wrong
//! in it can stop a head.

use super::limits::{ENTRIES, LIST_ENTRIES};
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

/// A whole number that is not negative: an index, a count, an offset, an enum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Int(pub u64);

impl Int {
    /// As an index; too large a number becomes one that no list has.
    pub fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl<'de> Deserialize<'de> for Int {
    fn deserialize<D: Deserializer<'de>>(de: D) -> Result<Self, D::Error> {
        struct V;
        impl Visitor<'_> for V {
            type Value = Int;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a whole number that is not negative")
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<Int, E> {
                Ok(Int(value))
            }
            // Some writers put `5126.0`.
            fn visit_f64<E: Error>(self, value: f64) -> Result<Int, E> {
                if value.fract() == 0.0 && (0.0..9.0e15).contains(&value) {
                    Ok(Int(value as u64))
                } else {
                    Err(E::invalid_value(serde::de::Unexpected::Float(value), &self))
                }
            }
        }
        de.deserialize_any(V)
    }
}

thread_local! {
    /// Entries that the document being parsed may still have; serde has no other
    /// way to count across lists.
    static ENTRIES_LEFT: Cell<usize> = const { Cell::new(0) };
}

impl Document {
    /// Parses JSON.
    pub fn parse(json: &[u8]) -> serde_json::Result<Self> {
        ENTRIES_LEFT.set(ENTRIES);
        serde_json::from_slice(json)
    }
}

/// A list of the document, at most [`LIST_ENTRIES`] long.
#[derive(Debug)]
pub struct List<T>(Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        List(Vec::new())
    }
}

impl<T> Deref for List<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(de: D) -> Result<Self, D::Error> {
        struct V<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for V<T> {
            type Value = List<T>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a list")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<List<T>, A::Error> {
                let mut list = Vec::new();
                while let Some(entry) = seq.next_element()? {
                    let left = ENTRIES_LEFT.get();
                    if list.len() == LIST_ENTRIES || left == 0 {
                        let text = format!(
                            "more than {LIST_ENTRIES} entries in a list, or {ENTRIES} in all lists"
                        );
                        return Err(A::Error::custom(text));
                    }
                    ENTRIES_LEFT.set(left - 1);
                    list.push(entry);
                }
                Ok(List(list))
            }
        }
        de.deserialize_seq(V(PhantomData))
    }
}

/// The root of the document.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Document {
    pub asset: Option<Asset>,
    pub extensions_required: List<String>,
    pub scene: Option<Int>,
    pub scenes: List<Scene>,
    pub nodes: List<Node>,
    pub meshes: List<Mesh>,
    pub accessors: List<Accessor>,
    pub buffer_views: List<BufferView>,
    pub buffers: List<Buffer>,
    pub materials: List<Material>,
    pub textures: List<Texture>,
    pub images: List<Image>,
    pub samplers: List<Sampler>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Asset {
    pub version: String,
    pub min_version: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Scene {
    #[serde(default)]
    pub nodes: List<Int>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Node {
    pub name: Option<String>,
    pub children: List<Int>,
    pub mesh: Option<Int>,
    pub skin: Option<Int>,
    // Boxed: most nodes of a large file have none of them.
    pub matrix: Option<Box<[f64; 16]>>,
    pub translation: Option<Box<[f64; 3]>>,
    pub rotation: Option<Box<[f64; 4]>>,
    pub scale: Option<Box<[f64; 3]>>,
}

#[derive(Debug, Deserialize)]
pub struct Mesh {
    pub name: Option<String>,
    #[serde(default)]
    pub primitives: List<Primitive>,
}

#[derive(Debug, Deserialize)]
pub struct Primitive {
    #[serde(default)]
    pub attributes: Attributes,
    pub indices: Option<Int>,
    pub material: Option<Int>,
    pub mode: Option<Int>,
    #[serde(default)]
    pub extensions: PrimitiveExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub draco: Option<IgnoredAny>,
}

/// The attributes that are read; sets are `(n, accessor)`, in order of `n`.
#[derive(Debug, Default)]
pub struct Attributes {
    pub position: Option<Int>,
    pub normal: Option<Int>,
    pub tangent: Option<Int>,
    pub joints: bool,
    pub texcoords: Vec<(u32, Int)>,
    pub colors: Vec<(u32, Int)>,
}

impl<'de> Deserialize<'de> for Attributes {
    fn deserialize<D: Deserializer<'de>>(de: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Attributes;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a map from attribute names to accessors")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Attributes, A::Error> {
                let mut found = Attributes::default();
                while let Some((name, accessor)) = map.next_entry::<String, Int>()? {
                    let set = |prefix| name.strip_prefix(prefix).and_then(|n| n.parse().ok());
                    match name.as_str() {
                        "POSITION" => found.position = Some(accessor),
                        "NORMAL" => found.normal = Some(accessor),
                        "TANGENT" => found.tangent = Some(accessor),
                        "JOINTS_0" => found.joints = true,
                        _ => {
                            if let Some(n) = set("TEXCOORD_") {
                                found.texcoords.push((n, accessor));
                            } else if let Some(n) = set("COLOR_") {
                                found.colors.push((n, accessor));
                            }
                        }
                    }
                }
                found.texcoords.sort_by_key(|set| set.0);
                found.colors.sort_by_key(|set| set.0);
                Ok(found)
            }
        }
        de.deserialize_map(V)
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: Option<Int>,
    #[serde(default)]
    pub byte_offset: Int,
    pub component_type: Int,
    pub count: Int,
    #[serde(rename = "type")]
    pub shape: String,
    pub sparse: Option<Box<Sparse>>,
}

#[derive(Debug, Deserialize)]
pub struct Sparse {
    pub count: Int,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseIndices {
    pub buffer_view: Int,
    #[serde(default)]
    pub byte_offset: Int,
    pub component_type: Int,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseValues {
    pub buffer_view: Int,
    #[serde(default)]
    pub byte_offset: Int,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    pub buffer: Int,
    #[serde(default)]
    pub byte_offset: Int,
    pub byte_length: Int,
    pub byte_stride: Option<Int>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    pub name: Option<String>,
    pub uri: Option<String>,
    pub byte_length: Int,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Material {
    pub name: Option<String>,
    pub pbr_metallic_roughness: Option<Box<MetallicRoughness>>,
    pub normal_texture: Option<Box<TextureInfo>>,
    pub emissive_texture: Option<Box<TextureInfo>>,
    pub emissive_factor: Option<[f64; 3]>,
    pub alpha_mode: Option<String>,
    pub alpha_cutoff: Option<f64>,
    pub double_sided: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MetallicRoughness {
    pub base_color_factor: Option<[f64; 4]>,
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: Option<f64>,
    pub roughness_factor: Option<f64>,
    pub metallic_roughness_texture: Option<TextureInfo>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextureInfo {
    pub index: Int,
    #[serde(default)]
    pub tex_coord: Int,
    /// Of normal maps.
    pub scale: Option<f64>,
    #[serde(default)]
    pub extensions: TextureInfoExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TextureInfoExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub transform: Option<Box<TextureTransform>>,
}

/// `KHR_texture_transform`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TextureTransform {
    pub offset: Option<[f64; 2]>,
    pub rotation: f64,
    pub scale: Option<[f64; 2]>,
    pub tex_coord: Option<Int>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Texture {
    pub name: Option<String>,
    pub source: Option<Int>,
    pub sampler: Option<Int>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Image {
    pub name: Option<String>,
    pub uri: Option<String>,
    pub buffer_view: Option<Int>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Sampler {
    pub mag_filter: Option<Int>,
    pub wrap_s: Option<Int>,
    pub wrap_t: Option<Int>,
}
