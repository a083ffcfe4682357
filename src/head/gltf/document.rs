//! The properties of a glTF document that a head needs, as serde types.
//!
//! All other properties are skipped unread. Lists are parsed item by item, and the memory of each
//! item is charged to the [`Budget`] before the item is parsed. Indices are not checked here;
//! every use looks them up with `get`.

mod whole;

pub use whole::{Index, Size, Whole};

use super::parser::{Parser, Raw};
use super::vrm;
use crate::head::error::{LoadErrorKind, Result, quoted};
use crate::head::limits::Budget;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

pub const DRACO: &str = "KHR_draco_mesh_compression";
pub const MESHOPT: &str = "EXT_meshopt_compression";
/// The name that later versions of [`MESHOPT`] have.
pub const KHR_MESHOPT: &str = "KHR_meshopt_compression";
pub const QUANTIZATION: &str = "KHR_mesh_quantization";

/// Heap bytes charged per byte of the text of an item without lists or maps: escaped strings.
const STRINGS: usize = 1;
/// Heap bytes per byte of lists of indices: one index of 8 bytes has 2 bytes of text, in a growing
/// list.
const INDICES: usize = 8;
/// Heap bytes per byte of maps of attributes: a B-tree node has room for eleven entries at once.
const ATTRIBUTES: usize = 16;

/// Declares the document with its lists of plain objects: their types, and the heap bytes charged
/// per byte of text.
macro_rules! document {
    ($($list:ident: $item:ty, $heap_factor:expr;)*) => {
        /// The document. Its lists have the names and the order of the file's.
        pub struct Document {
            /// The owner of the rights, as the file says.
            pub copyright: Option<String>,
            pub vrm: vrm::Extensions,
            pub extensions_used: Vec<String>,
            pub extensions_required: Vec<String>,
            pub scene: Option<Index>,
            pub meshes: Vec<Mesh>,
            pub animations: Vec<Animation>,
            $(pub $list: Vec<$item>,)*
        }

        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase", bound(deserialize = "'de: 'a"))]
        struct RawDocument<'a> {
            asset: Raw<'a>,
            extensions: Raw<'a>,
            extensions_used: Raw<'a>,
            extensions_required: Raw<'a>,
            scene: Raw<'a>,
            meshes: Raw<'a>,
            animations: Raw<'a>,
            $($list: Raw<'a>,)*
        }

        impl Document {
            /// Parses JSON of glTF 2.0 and charges the memory of the document to `budget`.
            pub fn parse(json: &[u8], budget: &Budget) -> Result<Self> {
                let left = budget.left();
                let parser = Parser { json, budget, left };
                let raw: RawDocument = parser.object(json)?;
                // Documents of other versions have other lists.
                let asset = raw.asset.map(|asset| parser.object(asset.get().as_bytes()));
                let asset: Option<Asset> = asset.transpose()?;
                check_version(asset.as_ref())?;
                let scene = raw.scene.map(|scene| parser.object(scene.get().as_bytes()));
                let extensions = raw.extensions.map_or("", RawValue::get);
                budget.take(extensions.len() as u64, 1, "its extensions")?;
                Ok(Document {
                    copyright: asset.and_then(|asset| asset.copyright),
                    // Broken metadata do not concern the head.
                    vrm: serde_json::from_str(extensions).unwrap_or_default(),
                    extensions_used: parser.list(raw.extensions_used, STRINGS)?,
                    extensions_required: parser.list(raw.extensions_required, STRINGS)?,
                    scene: scene.transpose()?,
                    $($list: parser.list(raw.$list, $heap_factor)?,)*
                    meshes: parser.list_of(raw.meshes, STRINGS, |mesh| {
                        let RawMesh { name, primitives, weights, extras } = parser.object(mesh)?;
                        let primitives = parser.list(primitives, ATTRIBUTES)?;
                        let weights = parser.list(weights, INDICES)?;
                        let extras = extras.map(ToOwned::to_owned);
                        Ok(Mesh { name, primitives, weights, extras })
                    })?,
                    animations: parser.list_of(raw.animations, INDICES, |animation| {
                        // A head can be shown without its animations.
                        Ok(parser.object(animation).unwrap_or_else(|error| Animation {
                            broken: Some(error.to_string()),
                            ..Animation::default()
                        }))
                    })?,
                })
            }
        }
    };
}

document! {
    scenes: Scene, INDICES;
    nodes: Node, INDICES;
    skins: Skin, INDICES;
    accessors: Accessor, STRINGS;
    buffer_views: View, STRINGS;
    buffers: Buffer, STRINGS;
    materials: Material, STRINGS;
    textures: Texture, STRINGS;
    images: Image, STRINGS;
    samplers: Sampler, STRINGS;
}

impl Document {
    /// Returns `true` if attributes may be integers (`KHR_mesh_quantization`).
    pub fn is_quantized(&self) -> bool {
        let mut names = self.extensions_required.iter().chain(&self.extensions_used);
        names.any(|name| name == QUANTIZATION)
    }
}

pub struct Mesh {
    pub name: Option<String>,
    pub primitives: Vec<Primitive>,
    /// The weights of morph targets, unless a node has its own.
    pub weights: Vec<f32>,
    pub extras: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
struct RawMesh<'a> {
    name: Option<String>,
    primitives: Raw<'a>,
    weights: Raw<'a>,
    extras: Raw<'a>,
}

/// Declares structs of public properties with their names in camel case.
macro_rules! objects {
    ($($name:ident { $($(#[$attribute:meta])* $field:ident: $type:ty,)* })*) => {$(
        #[derive(Clone, Default, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $($(#[$attribute])* pub $field: $type,)* }
    )*};
}

objects! {
    Asset {
        version: String,
        min_version: Option<String>,
        copyright: Option<String>,
    }
    Scene {
        #[serde(default)]
        nodes: Vec<Index>,
    }
    Node {
        name: Option<String>,
        mesh: Option<Index>,
        skin: Option<Index>,
        children: Option<Vec<Index>>,
        matrix: Option<[f64; 16]>,
        translation: Option<[f64; 3]>,
        rotation: Option<[f64; 4]>,
        scale: Option<[f64; 3]>,
        weights: Option<Vec<f32>>,
    }
    Skin {
        name: Option<String>,
        #[serde(default)]
        joints: Vec<Index>,
        inverse_bind_matrices: Option<Index>,
    }
    Animation {
        name: Option<String>,
        #[serde(default)]
        channels: Vec<Channel>,
        #[serde(default)]
        samplers: Vec<AnimationSampler>,
        /// The problem of an animation that could not be parsed.
        #[serde(skip)]
        broken: Option<String>,
    }
    Channel {
        sampler: Index,
        target: Target,
    }
    Target {
        node: Option<Index>,
        path: String,
    }
    AnimationSampler {
        input: Index,
        output: Index,
        interpolation: Option<String>,
    }
    Primitive {
        #[serde(default)]
        attributes: BTreeMap<String, Index>,
        indices: Option<Index>,
        material: Option<Index>,
        mode: Option<Index>,
        targets: Option<Vec<BTreeMap<String, Index>>>,
        extensions: Option<PrimitiveExtensions>,
    }
    Accessor {
        name: Option<String>,
        buffer_view: Option<Index>,
        byte_offset: Option<Size>,
        count: Size,
        component_type: Index,
        #[serde(rename = "type")]
        shape: String,
        normalized: Option<bool>,
        sparse: Option<Sparse>,
    }
    Sparse {
        count: Size,
        indices: SparseView,
        values: SparseView,
    }
    SparseView {
        buffer_view: Index,
        byte_offset: Option<Size>,
        /// The type of indices. Values have that of their accessor.
        component_type: Option<Index>,
    }
    View {
        buffer: Index,
        byte_length: Size,
        byte_offset: Option<Size>,
        byte_stride: Option<Size>,
        extensions: Option<ViewExtensions>,
    }
    Buffer {
        name: Option<String>,
        uri: Option<String>,
        byte_length: Size,
        extensions: Option<ViewExtensions>,
    }
    Material {
        name: Option<String>,
        #[serde(default)]
        pbr_metallic_roughness: MetallicRoughness,
        normal_texture: Option<TextureInfo>,
        emissive_texture: Option<TextureInfo>,
        emissive_factor: Option<[f32; 3]>,
        alpha_mode: Option<String>,
        alpha_cutoff: Option<f32>,
        double_sided: Option<bool>,
        extensions: Option<Box<RawValue>>,
    }
    MetallicRoughness {
        base_color_factor: Option<[f32; 4]>,
        base_color_texture: Option<TextureInfo>,
        metallic_factor: Option<f32>,
        roughness_factor: Option<f32>,
        metallic_roughness_texture: Option<TextureInfo>,
    }
    TextureInfo {
        index: Index,
        tex_coord: Option<Index>,
        /// The scale of a normal map.
        scale: Option<f32>,
        extensions: Option<InfoExtensions>,
    }
    Texture {
        name: Option<String>,
        source: Option<Index>,
        sampler: Option<Index>,
        extensions: Option<TextureExtensions>,
    }
    Image {
        name: Option<String>,
        uri: Option<String>,
        buffer_view: Option<Index>,
    }
    Sampler {
        mag_filter: Option<Index>,
        wrap_s: Option<Index>,
        wrap_t: Option<Index>,
    }
    PrimitiveExtensions {
        #[serde(rename = "KHR_draco_mesh_compression")]
        draco: Option<Box<RawValue>>,
    }
    ViewExtensions {
        #[serde(rename = "EXT_meshopt_compression")]
        meshopt: Option<Box<RawValue>>,
        #[serde(rename = "KHR_meshopt_compression")]
        khr_meshopt: Option<Box<RawValue>>,
    }
    TextureExtensions {
        #[serde(rename = "EXT_texture_webp")]
        webp: Option<TextureSource>,
        #[serde(rename = "KHR_texture_basisu")]
        basisu: Option<TextureSource>,
    }
    TextureSource {
        source: Option<Index>,
    }
    InfoExtensions {
        #[serde(rename = "KHR_texture_transform")]
        texture_transform: Option<TextureTransform>,
    }
}

#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct TextureTransform {
    #[serde(default)]
    pub offset: [f32; 2],
    /// The angle in radians, from v towards u.
    #[serde(default)]
    pub rotation: f32,
    #[serde(default = "unscaled")]
    pub scale: [f32; 2],
    pub tex_coord: Option<Index>,
}

fn unscaled() -> [f32; 2] {
    [1.0; 2]
}

/// Checks that a document is of a version that is read here.
fn check_version(asset: Option<&Asset>) -> Result<()> {
    let Some(asset) = asset else {
        let found = "this is JSON without an `asset`, or glTF version 1.0".to_owned();
        return Err(LoadErrorKind::NotGltf(found));
    };
    let wanted = asset.min_version.as_ref().unwrap_or(&asset.version);
    let minor: Option<u32> = wanted.strip_prefix("2.").and_then(|n| n.parse().ok());
    // Every 2.x can be read unless `minVersion` asks for more than 2.0.
    match minor.is_none_or(|minor| minor > 0 && asset.min_version.is_some()) {
        true => Err(version_error(wanted)),
        false => Ok(()),
    }
}

/// Returns the error for a version that is not read.
pub fn version_error(version: &str) -> LoadErrorKind {
    LoadErrorKind::NotGltf(format!("this is glTF version {}", quoted(version)))
}

impl Buffer {
    /// Returns `true` if the buffer only states how large its data would be without compression.
    pub fn is_meshopt(&self) -> bool {
        let extensions = self.extensions.as_ref();
        extensions.is_some_and(|it| it.meshopt.is_some() || it.khr_meshopt.is_some())
    }
}

impl Primitive {
    /// Returns `true` if the geometry is compressed with Draco.
    pub fn has_draco(&self) -> bool {
        let extensions = self.extensions.as_ref();
        extensions.is_some_and(|extensions| extensions.draco.is_some())
    }

    /// Returns the `COLOR_n` attributes in order of n.
    pub fn colors(&self) -> Vec<(u32, Index)> {
        let sets = self.attributes.iter().filter_map(|(name, &accessor)| {
            let set = name.strip_prefix("COLOR_")?.parse().ok()?;
            Some((set, accessor))
        });
        let mut sets: Vec<_> = sets.collect();
        sets.sort_by_key(|&(set, _)| set);
        sets
    }
}
