//! The extensions that a file may require, and how to export without the others.

use crate::head::error::{LoadErrorKind, Result};

pub const DRACO: &str = "KHR_draco_mesh_compression";
pub const MESHOPT: &str = "EXT_meshopt_compression";
/// The name that later versions of [`MESHOPT`] have.
pub const KHR_MESHOPT: &str = "KHR_meshopt_compression";

/// Extensions that affect at most the material, besides `KHR_materials_*`.
const IGNORABLE: [&str; 4] = [
    "KHR_texture_transform",
    "KHR_lights_punctual",
    "KHR_animation_pointer",
    "KHR_xmp_json_ld",
];

/// Checks that every required extension is supported or can be ignored.
pub fn check_required(names: &[String]) -> Result<()> {
    let is_ignorable =
        |name: &&String| IGNORABLE.contains(&name.as_str()) || name.starts_with("KHR_materials_");
    match names.iter().find(|name| !is_ignorable(name)) {
        Some(name) => Err(unsupported(name)),
        None => Ok(()),
    }
}

/// Returns the error for an extension, with advice on how to export without it.
pub fn unsupported(name: &str) -> LoadErrorKind {
    let advice = match name {
        DRACO => {
            "Export without Draco (Blender: File > Export > glTF 2.0 > Data > untick Compression)."
        }
        MESHOPT | KHR_MESHOPT => {
            "Export without meshopt compression (gltfpack: leave out -c and -cc, add -noq)."
        }
        "KHR_mesh_quantization" => {
            "Export with float positions (gltfpack: add -noq; gltf-transform: `dequantize`)."
        }
        "KHR_texture_basisu" => "Export with PNG or JPEG textures instead of KTX2/Basis.",
        "EXT_texture_webp" => {
            "Export with PNG or JPEG textures instead of WebP (Blender: Images: Automatic)."
        }
        "EXT_texture_avif" => "Export with PNG or JPEG textures instead of AVIF.",
        "EXT_mesh_gpu_instancing" => "Export with instances made real.",
        _ => {
            "Export without it: open the file in Blender and use File > Export > glTF 2.0 with default options."
        }
    };
    LoadErrorKind::Extension {
        name: name.escape_debug().take(80).collect(),
        advice: advice.into(),
    }
}
