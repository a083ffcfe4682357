//! The texture coordinates that a material uses, and `KHR_texture_transform`.

use crate::head::error::Warnings;
use crate::head::gltf::document::{Material, TextureInfo, TextureTransform};
use glam::{DMat2, Vec2};

/// Returns the set of texture coordinates of a material and their transform: those of the base
/// colour texture, or else of the first texture.
pub fn choose(
    material: Option<&Material>,
    place: &str,
    warnings: &mut Warnings,
) -> (u64, Option<TextureTransform>) {
    let Some(material) = material else {
        return (0, None);
    };
    let pbr = &material.pbr_metallic_roughness;
    let textures = [
        &pbr.base_color_texture,
        &material.normal_texture,
        &pbr.metallic_roughness_texture,
        &material.emissive_texture,
    ];
    let mut used = textures.into_iter().flatten().map(coordinates);
    let Some(first) = used.next() else {
        return (0, None);
    };
    if used.any(|other| other != first) {
        warnings.push(format!(
            "{place}: its textures use different texture coordinates; those of the first, \
             TEXCOORD_{}, are used for all",
            first.0
        ));
    }
    first
}

fn coordinates(info: &TextureInfo) -> (u64, Option<TextureTransform>) {
    let extensions = info.extensions.as_ref();
    let transform = extensions.and_then(|extensions| extensions.texture_transform);
    let set = transform.and_then(|transform| transform.tex_coord);
    let set = set.or(info.tex_coord).unwrap_or_default();
    // The set is not a part of the transform.
    let transform = transform.map(|transform| TextureTransform {
        tex_coord: None,
        ..transform
    });
    (set.0, transform)
}

/// Transforms texture coordinates.
pub fn apply(transform: &TextureTransform, uvs: &mut [[f32; 2]]) {
    let [scale, offset] = [transform.scale, transform.offset].map(|v| Vec2::from(v).as_dvec2());
    let rotation = DMat2::from_angle(-f64::from(transform.rotation));
    for uv in uvs {
        let moved = rotation * (scale * Vec2::from(*uv).as_dvec2()) + offset;
        // A finite f64 may be infinite as f32.
        let finite = |lane: f32| if lane.is_finite() { lane } else { 0.0 };
        *uv = moved.as_vec2().to_array().map(finite);
    }
}
