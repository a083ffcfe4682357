//! Which texture coordinates a material uses, and how they are moved.

use super::error::Warnings;
use gltf::json;
use gltf::json::extensions::texture::TextureTransform;
use gltf::json::texture::Info;

/// `KHR_texture_transform`.
#[derive(PartialEq)]
pub struct Transform {
    offset: [f32; 2],
    rotation: f32,
    scale: [f32; 2],
}

/// A texture's set of coordinates and their transform.
type Used = (u32, Option<Transform>);

/// What a material uses: the coordinates of its base colour texture, or of its
/// first texture if that has none.
pub fn choice(
    material: Option<&json::Material>,
    place: &str,
    warnings: &mut Warnings,
) -> (u32, Option<Transform>) {
    let Some(material) = material else {
        return (0, None);
    };
    let pbr = &material.pbr_metallic_roughness;
    let used = [
        pbr.base_color_texture.as_ref().map(of_info),
        material.normal_texture.as_ref().map(of_normal),
        pbr.metallic_roughness_texture.as_ref().map(of_info),
        material.emissive_texture.as_ref().map(of_info),
    ];
    let mut used = used.into_iter().flatten();
    let Some(first) = used.next() else {
        return (0, None);
    };
    if used.any(|other| other != first) {
        warnings.push(format!(
            "{place}: its textures use different texture coordinates; those of the first, TEXCOORD_{}, are used for all",
            first.0
        ));
    }
    first
}

fn of_info(info: &Info) -> Used {
    let extensions = info.extensions.as_ref();
    let transform = extensions.and_then(|extensions| extensions.texture_transform.as_ref());
    used(info.tex_coord, transform)
}

/// Of a normal map `gltf` keeps the extension as plain JSON.
fn of_normal(info: &json::material::NormalTexture) -> Used {
    let extensions = info.extensions.as_ref();
    let transform = extensions.and_then(|all| all.others.get("KHR_texture_transform"));
    let transform = transform.and_then(|json| serde_json::from_value(json.clone()).ok());
    used(info.tex_coord, transform.as_ref())
}

fn used(set: u32, transform: Option<&TextureTransform>) -> Used {
    let moved_to = transform.and_then(|transform| transform.tex_coord);
    let transform = transform.map(|transform| Transform {
        offset: transform.offset.0,
        rotation: transform.rotation.0,
        scale: transform.scale.0,
    });
    (moved_to.unwrap_or(set), transform)
}

impl Transform {
    /// Moves texture coordinates.
    pub fn apply(&self, uvs: &mut [[f32; 2]]) {
        let [su, sv] = self.scale.map(f64::from);
        let [ou, ov] = self.offset.map(f64::from);
        let (sin, cos) = f64::from(self.rotation).sin_cos();
        for uv in uvs {
            let (u, v) = (su * f64::from(uv[0]), sv * f64::from(uv[1]));
            let moved = [cos * u + sin * v + ou, cos * v - sin * u + ov];
            // Finite as f64 may be infinite as f32.
            let finite = |lane: f32| if lane.is_finite() { lane } else { 0.0 };
            *uv = moved.map(|lane| finite(lane as f32));
        }
    }
}
