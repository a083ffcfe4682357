//! A head read from a glTF 2.0 file: parts, materials, textures and scalp paint.
//!
//! | file | one thing |
//! |---|---|
//! | `container` | what kind of file it is, the `.glb` envelope, required extensions |
//! | `document`, `sieve` | the JSON in the types of `gltf`, as far as a head needs it |
//! | `uri`, `buffers` | bytes: `data:`, files inside the model's folder, buffer views |
//! | `accessor` | checked reading of accessors |
//! | `nodes` | which meshes are shown, and where |
//! | `geometry` | a primitive's attributes and plain triangles |
//! | `paint` | hair density from vertex colours |
//! | `normals` | smooth normals where a file has none |
//! | `material`, `uv`, `image`, `jpeg` | materials and pictures; never an error |
//! | `placed` | a primitive moved to head space: winding, normals, tangents |
//! | `assemble` | all of it put together: scalp part, units |
//! | [`mod@write`] | the file again, with other paint |
//! | `limits`, `error` | what a file may ask for, and what is said when it may not |
//!
//! What glTF leaves to the reader: missing normals are computed smooth over
//! vertices at the same position; morph targets and skins are shown as modelled;
//! points and lines are skipped; `KHR_materials_*` extensions are ignored.

mod accessor;
mod assemble;
mod buffers;
mod container;
mod document;
mod error;
mod geometry;
mod image;
mod jpeg;
mod json_filter;
mod limits;
mod material;
mod nodes;
mod normals;
mod paint;
mod placed;
mod uri;
mod uv;
pub mod write;

pub use error::{LoadError, LoadErrorKind};
pub use limits::Limits;
pub(crate) use normals::smooth as smooth_normals;

use crate::settings::{Field, Section, SettingError};
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

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
    /// How large it is in the file's own units.
    pub extent: Extent,
    /// Things worth telling the user that did not stop the load.
    pub warnings: Vec<String>,
    /// Every file that was read or looked for, as it was named: the model, then the
    /// buffers and textures in its folder, missing ones too. Empty for a head from
    /// memory.
    pub files: Vec<PathBuf>,
}

/// Where head space lies in the file's own space: `head = (file - centre) * scale`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// Decimetres per file unit.
    pub scale: f32,
    /// The point of the file's space that becomes the origin of head space.
    pub centre: Vec3,
}

/// Sizes in the file's own units and space, node transforms applied, in double precision: head
/// space would round them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extent {
    /// Lowest corner of the box around all triangles.
    pub low: DVec3,
    /// Highest corner of that box.
    pub high: DVec3,
    /// Area of the scalp triangles; 0 without a scalp.
    pub scalp_area: f64,
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
    /// Where it is in the file, which has its vertices in the same order; `None` for a
    /// part that was made otherwise.
    pub source: Option<PrimitiveRef>,
}

/// A primitive of a glTF file. Parts of several nodes may show the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrimitiveRef {
    /// Index into the file's meshes.
    pub mesh: usize,
    /// Index into the primitives of that mesh.
    pub primitive: usize,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// What the file may ask for. Never in a groom file: that may come from a
    /// stranger, and must not lift the guards against strangers' heads.
    #[serde(skip)]
    pub limits: Limits,
}

impl Default for HeadSettings {
    fn default() -> Self {
        Self {
            paint_color: [0.0; 3],
            scale: None,
            limits: Limits::default(),
        }
    }
}

#[allow(non_upper_case_globals)]
impl HeadSettings {
    /// The declaration of [`paint_color`](Self::paint_color).
    pub const paint_color: Field = Field::new(
        "head.paint_color",
        &["Linear RGB of full scalp paint; white is always bald"],
    )
    .within(0.0, 1.0, "");
    /// The declaration of [`scale`](Self::scale).
    pub const scale: Field = Field::new(
        "head.scale",
        &["Decimetres per unit of the file; without it the painted part becomes 2.74 high"],
    )
    .within(1e-6, 1e6, "decimetres per unit");
    /// The section of the groom file.
    pub const SECTION: Section = Section {
        key: "head",
        docs: &["How to read the head file."],
        fields: &[&Self::paint_color, &Self::scale],
    };

    /// Checks every range.
    ///
    /// # Errors
    /// [`SettingError`] of the first setting that is out of range.
    pub fn validate(&self) -> Result<(), SettingError> {
        Self::paint_color.check(&self.paint_color)?;
        if paint::PaintColor::new(self.paint_color).is_err() {
            let value = format!("{:?}", self.paint_color);
            let expected = "a colour that can be told from white, which means bald";
            return Err(SettingError::new("head.paint_color", value, expected));
        }
        self.limits.validate()?;
        match self.scale {
            Some(scale) => Self::scale.check(&scale),
            None => Ok(()),
        }
    }
}

/// Height in decimetres that the scalp part is given, neck included.
///
/// The shipped head is 2.7383 high, so its scale is 1.0006.
pub const STANDARD_HEIGHT: f64 = 2.74;

/// The head that ships with the program.
const SHIPPED: &[u8] = include_bytes!("../models/head.glb");
/// What it is called.
const SHIPPED_NAME: &str = "head.glb";

/// How the warning starts that says why nothing is painted.
const NO_PAINT: &str = "no scalp paint found";

impl Head {
    /// [`Head::warnings`] that [`Head::paint_advice`] does not repeat.
    pub fn warnings_beside_advice(&self) -> impl Iterator<Item = &str> {
        let advice = self.paint_advice().unwrap_or_default();
        let warnings = self.warnings.iter().map(String::as_str);
        warnings.filter(move |warning| !advice.contains(warning))
    }

    /// Reads a `.glb` or `.gltf` file with the buffers and images it names.
    ///
    /// # Errors
    ///
    /// Whatever cannot be read or makes no sense; the text names the file, the
    /// thing in it and the way out. Broken textures are only warnings.
    pub fn load(path: &Path, settings: &HeadSettings) -> Result<Head, LoadError> {
        let file = path.display().to_string();
        read(path, &settings.limits)
            .and_then(|bytes| assemble::head(&stem(&file), &bytes, Some(path), settings))
            .map_err(|kind| LoadError { file, kind })
    }

    /// Reads a self-contained file from memory; `name` is used in messages.
    ///
    /// # Errors
    ///
    /// As [`Head::load`]; buffers in other files are an error too.
    pub fn from_bytes(
        name: &str,
        bytes: &[u8],
        settings: &HeadSettings,
    ) -> Result<Head, LoadError> {
        assemble::head(&stem(name), bytes, None, settings).map_err(|kind| LoadError {
            file: name.to_owned(),
            kind,
        })
    }

    /// The head that ships with the program.
    ///
    /// # Errors
    ///
    /// Only for settings out of range.
    pub fn shipped(settings: &HeadSettings) -> Result<Head, LoadError> {
        Head::from_bytes(SHIPPED_NAME, SHIPPED, settings)
    }

    /// What to tell somebody whose head has no scalp paint: what was looked for,
    /// what was found, and how to paint one. `None` if the head has a scalp.
    pub fn paint_advice(&self) -> Option<String> {
        if self.scalp_part.is_some() {
            return None;
        }
        let mut found: Vec<&str> = self.warnings.iter().map(String::as_str).collect();
        found.retain(|warning| warning.starts_with(NO_PAINT));
        Some(format!(
            "No hair grows on {}: a scalp is where the vertex colours (any COLOR_n, linear) are \
             dark at all three corners of a triangle, and there is none. {}{}\
             To paint one in Blender: select the head, fill a new Color Attribute with white, \
             paint the scalp black in Vertex Paint mode, and export glTF 2.0 (.glb) with \
             Data > Mesh > Vertex Colors set to Active.",
            error::quoted(&self.name),
            found.join(". "),
            if found.is_empty() { "" } else { ". " },
        ))
    }
}

/// The whole file, if it is a plain one of a sensible size.
fn read(path: &Path, limits: &Limits) -> Result<Vec<u8>, LoadErrorKind> {
    let fail = |problem: String, advice: &str| LoadErrorKind::Unreadable {
        problem,
        advice: advice.to_owned(),
    };
    let meta = path
        .metadata()
        .map_err(|error| fail(error.to_string(), "Check the path."))?;
    if meta.is_dir() {
        return Err(fail(
            "it is a directory".to_owned(),
            "Name the .glb or .gltf file in it.",
        ));
    }
    if !meta.is_file() {
        return Err(fail(
            "it is not a plain file".to_owned(),
            "Name a .glb or .gltf file.",
        ));
    }
    uri::read_capped(path, uri::Wanted::Bytes(u64::MAX), 0, limits).map_err(|error| {
        fail(
            error.to_string(),
            "Check that it may be read, and its size.",
        )
    })
}

/// `head` of `models/head.glb`.
fn stem(name: &str) -> String {
    let stem = Path::new(name)
        .file_stem()
        .map(|stem| stem.to_string_lossy());
    stem.map_or_else(|| name.to_owned(), |stem| stem.into_owned())
}
