//! A head read from a file of seven formats: parts, materials, textures and scalp paint.
//!
//! | module | contents |
//! |---|---|
//! | `whole`, `model`, `settings` | [`Head`]; its parts; how a file is read |
//! | `shipped` | the models in the program |
//! | `load`, `place` | from a file or memory to a [`Head`]: parts, scalp, units |
//! | `gltf` | the file format: container, document (JSON), URIs, buffers, accessors |
//! | `convert` | models of other formats, as glTF |
//! | `extent` | which part of a model is the head |
//! | `scalp_part` | which part hair grows on |
//! | `doubled` | which triangles count where several lie at one place |
//! | `mask` | the scalp by a name |
//! | `contents` | what a model has beside, for `mohawk inspect` |
//! | `mesh` | nodes, primitives, paint, normals |
//! | `rig` | animations: how nodes, skins and morph targets move the parts |
//! | `material` | materials and textures, which never stop a load |
//! | `pixels` | the pixels of textures, which need not stay decoded |
//! | [`mod@write`] | the file again, with other paint |
//! | `names` | words in names of nodes, meshes and materials |
//! | `limits`, `error` | what a file may ask for, and the messages |
//!
//! Where glTF leaves a choice: missing normals are computed smooth over vertices at the same
//! position; lines are hair that comes with the head; points are skipped.

mod contents;
mod convert;
mod doubled;
mod error;
mod extent;
/// The glTF 2.0 format: from the bytes of a file to checked arrays.
mod gltf {
    pub mod accessor;
    pub mod buffers;
    pub mod container;
    pub mod document;
    pub mod draco;
    pub mod meshopt;
    pub mod parser;
    pub mod uri;
    pub mod vrm;
}
mod limits;
mod lines;
mod load;
mod loose;
mod mask;
mod material;
mod mesh;
mod model;
mod names;
mod pixels;
mod place;
mod rig;
mod scalp_part;
mod settings;
mod shipped;
mod units;
mod whole;
pub mod write;

pub use contents::{Contents, MorphTargets, Skin};
pub use convert::HEAD_EXTENSIONS;
pub(crate) use convert::{Clock, GUIDE, Kinds, Lines, ROOT_UV, WIDTH, is_usd, kinds};
pub(crate) use doubled::without_copies;
pub(crate) use error::limit_hint;
pub use error::{LoadError, LoadErrorKind, Topic};
pub(crate) use limits::Budget;
pub use limits::{Limits, MAX_COORDINATE};
pub(crate) use lines::read_lines;
pub use load::STANDARD_HEIGHT;
pub(crate) use loose::loose_model;
pub use mask::is_picture as is_mask_picture;
pub(crate) use mesh::normals::smooth as smooth_normals;
pub use mesh::paint::PaintRule;
pub use mesh::pose::PartShape;
pub use model::{AlphaMode, Extent, Material, Model, Paint, Part, PrimitiveRef, Texture, Wrap};
pub use pixels::Pixels;
pub use rig::{Animation, Rig};
pub use settings::HeadSettings;
pub use shipped::ShippedModel;
pub use units::{NativeUnits, Units, Up};
pub use whole::Head;
