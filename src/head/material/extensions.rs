//! `KHR_materials_*`: what they say in terms of the metallic-roughness model.

use crate::head::gltf::document::{Document, Material, MetallicRoughness, TextureInfo};
use crate::head::model::{self, AlphaMode};
use crate::told::short;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// The extensions of a material that change its picture.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Extensions {
    #[serde(rename = "KHR_materials_pbrSpecularGlossiness")]
    glossiness: Option<Glossiness>,
    #[serde(rename = "KHR_materials_unlit")]
    unlit: Option<IgnoredAny>,
    #[serde(rename = "KHR_materials_emissive_strength")]
    strength: Option<Strength>,
    #[serde(rename = "KHR_materials_ior")]
    ior: Option<Ior>,
    #[serde(rename = "KHR_materials_specular")]
    specular: Option<Specular>,
    #[serde(rename = "KHR_materials_clearcoat")]
    coat: Option<Coat>,
    #[serde(rename = "KHR_materials_sheen")]
    sheen: Option<Sheen>,
    #[serde(rename = "KHR_materials_transmission")]
    transmission: Option<Transmission>,
}

/// Declares structs of optional properties.
macro_rules! properties {
    ($($name:ident { $($field:ident: $type:ty,)* })*) => {$(
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct $name { $($field: Option<$type>,)* }
    )*};
}

properties! {
    Glossiness {
        diffuse_factor: [f32; 4],
        diffuse_texture: TextureInfo,
        specular_factor: [f32; 3],
        glossiness_factor: f32,
        specular_glossiness_texture: TextureInfo,
    }
    Strength { emissive_strength: f32, }
    Ior { ior: f32, }
    Specular { specular_factor: f32, }
    Coat { clearcoat_factor: f32, clearcoat_roughness_factor: f32, }
    Sheen {
        sheen_color_factor: [f32; 3],
        sheen_color_texture: TextureInfo,
        sheen_roughness_factor: f32,
    }
    Transmission { transmission_factor: f32, }
}

/// The share of light that a surface reflects towards its normal, of the skin that is drawn here.
pub const REFLECTANCE: f32 = 0.03;
/// The reflectance of glTF's usual index of refraction, 1.5.
const USUAL: f32 = 0.04;
/// The smallest roughness of sheen that is drawn.
pub const SHARPEST_SHEEN: f32 = 0.07;
/// The largest strength of emission.
const STRONGEST: f32 = 100.0;
/// The share of the light behind glass that its picture lets through at most.
const CLEAREST: f32 = 0.9;

impl Extensions {
    /// Reads the extensions of a material; the error completes "its extensions …".
    pub fn of(material: &Material, document: &Document) -> Result<Self, String> {
        let Some(raw) = &material.extensions else {
            return Ok(Self::default());
        };
        let read = serde_json::from_str(raw.get());
        let mut read: Self =
            read.map_err(|error| format!("cannot be read ({})", short(&error.to_string())))?;
        // The toon materials of VRM are also declared as unlit. They are shown plainly.
        let is_vrm = |name: &String| name.starts_with("VRM");
        if document.extensions_used.iter().any(is_vrm) {
            read.unlit = None;
        }
        Ok(read)
    }

    /// Returns the metallic-roughness model that stands for specular and glossiness, if the material
    /// has these.
    pub fn metallic_roughness(&self) -> Option<MetallicRoughness> {
        let given = self.glossiness.as_ref()?;
        let mut color = given.diffuse_factor.unwrap_or([1.0; 4]);
        let specular = given.specular_factor.unwrap_or([1.0; 3]);
        let brightest = specular.iter().fold(0.0_f32, |a, &b| a.max(b));
        // Only metals have a strong colour of reflection, and hardly any other.
        let diffuse = color[..3].iter().fold(0.0_f32, |a, &b| a.max(b));
        // The factors only scale a texture of specular and glossiness, which is not read: the surface
        // counts as no metal, and as half as glossy as the factor says.
        let is_unknown = given.specular_glossiness_texture.is_some();
        let has_texture = given.diffuse_texture.is_some() || is_unknown;
        let glossiness =
            given.glossiness_factor.unwrap_or(1.0) * if is_unknown { 0.5 } else { 1.0 };
        let is_metal = !has_texture && brightest > 0.2 && brightest > 2.0 * diffuse;
        if is_metal {
            color[..3].copy_from_slice(&specular);
        }
        Some(MetallicRoughness {
            base_color_factor: Some(color),
            base_color_texture: given.diffuse_texture.clone(),
            metallic_factor: Some(if is_metal { 1.0 } else { 0.0 }),
            roughness_factor: Some(1.0 - glossiness),
            metallic_roughness_texture: None,
        })
    }

    /// Returns the texture of the colour of sheen.
    pub fn sheen_texture(&self) -> &Option<TextureInfo> {
        let sheen = self.sheen.as_ref();
        sheen.map_or(&None, |sheen| &sheen.sheen_color_texture)
    }

    /// Changes a material as the extensions say.
    pub fn apply(&self, material: &mut model::Material) {
        let unit = |value: Option<f32>, usual: f32| value.unwrap_or(usual).clamp(0.0, 1.0);
        if let Some(strength) = &self.strength {
            let strength = strength.emissive_strength.unwrap_or(1.0);
            let strength = strength.clamp(0.0, STRONGEST);
            material.emissive = material.emissive.map(|channel| channel * strength);
        }
        if let Some(ior) = self.ior.as_ref().and_then(|ior| ior.ior) {
            // 0 is said to reflect all.
            let ior = if ior < 1.0 { f32::INFINITY } else { ior };
            let ratio = if ior.is_finite() {
                (ior - 1.0) / (ior + 1.0)
            } else {
                1.0
            };
            material.reflectance *= ratio * ratio / USUAL;
        }
        if let Some(specular) = &self.specular {
            material.reflectance *= unit(specular.specular_factor, 1.0);
        }
        material.reflectance = material.reflectance.min(1.0);
        if let Some(coat) = &self.coat {
            let share = unit(coat.clearcoat_factor, 0.0);
            let smoothest = unit(coat.clearcoat_roughness_factor, 0.0).min(material.roughness);
            material.roughness += share * (smoothest - material.roughness);
        }
        if let Some(sheen) = &self.sheen {
            let color = sheen.sheen_color_factor.unwrap_or_default();
            material.sheen = color.map(|channel| unit(Some(channel), 0.0));
            let roughness = unit(sheen.sheen_roughness_factor, 0.0);
            material.sheen_roughness = roughness.max(SHARPEST_SHEEN);
        }
        if let Some(transmission) = &self.transmission {
            let share = unit(transmission.transmission_factor, 0.0);
            if share > 0.0 && material.alpha == AlphaMode::Opaque {
                material.alpha = AlphaMode::Blend;
                material.base_color[3] = 1.0 - CLEAREST * share;
            }
        }
        material.is_unlit = self.unlit.is_some();
        if material.is_unlit {
            let [r, g, b, alpha] = material.base_color;
            material.emissive = [r, g, b];
            material.emissive_texture = material.base_color_texture;
            material.base_color = [0.0, 0.0, 0.0, alpha];
            (material.sheen, material.sheen_texture) = ([0.0; 3], None);
            material.normal_texture = None;
            material.metallic_roughness_texture = None;
            (material.metallic, material.roughness, material.reflectance) = (0.0, 1.0, 0.0);
        }
    }
}
