//! What extensions of materials say.

use crate::common::gltf_builder::*;
use crate::pictures::textured;
use image::ImageFormat::Png;
use mohawk::head::{AlphaMode, Material};
use serde_json::json;

/// Returns the material of a head with these extensions, named without `KHR_materials_`.
fn extended(material: serde_json::Value, extensions: &[(&str, serde_json::Value)]) -> Material {
    let mut gltf = textured(&picture(Png, 1, 1, [1, 2, 3]));
    gltf.json["materials"][0] = material;
    for (name, value) in extensions {
        let name = format!("KHR_materials_{name}");
        gltf.json["materials"][0]["extensions"][name] = value.clone();
    }
    let head = gltf.load().unwrap();
    assert!(
        head.warnings
            .iter()
            .all(|told| !told.contains("extensions")),
        "{:?}",
        head.warnings
    );
    head.materials[head.parts[0].material].clone()
}

#[test]
fn extensions_of_materials_are_shown_as_far_as_the_model_can() {
    let plain = extended(json!({}), &[]);
    let of = |name, value| extended(json!({}), &[(name, value)]);
    // The usual index of refraction changes nothing.
    let ior = of("ior", json!({"ior": 1.5}));
    assert!((ior.reflectance - plain.reflectance).abs() < 1e-6);
    assert_eq!(of("ior", json!({"ior": 1.0})).reflectance, 0.0);
    let half = of("specular", json!({"specularFactor": 0.5}));
    assert_eq!(half.reflectance, 0.5 * plain.reflectance);
    let coated = of(
        "clearcoat",
        json!({"clearcoatFactor": 1.0, "clearcoatRoughnessFactor": 0.1}),
    );
    assert!((coated.roughness - 0.1).abs() < 1e-6);
    let glass = of("transmission", json!({"transmissionFactor": 1.0}));
    assert!(glass.alpha == AlphaMode::Blend && glass.base_color[3] < 0.2);
    let velvet = of(
        "sheen",
        json!({"sheenColorFactor": [0.5, 2.0, 0.0], "sheenRoughnessFactor": 0.4,
        "sheenColorTexture": {"index": 0}}),
    );
    assert_eq!(
        (velvet.sheen, velvet.sheen_roughness),
        ([0.5, 1.0, 0.0], 0.4)
    );
    assert!(velvet.sheen_texture.is_some() && plain.sheen == [0.0; 3]);
    let glowing = json!({"emissiveFactor": [1.0, 0.5, 0.0]});
    let strong = extended(
        glowing,
        &[("emissive_strength", json!({"emissiveStrength": 4.0}))],
    );
    assert_eq!(strong.emissive, [4.0, 2.0, 0.0]);
    let red = json!({"pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.1, 0.0, 1.0],
        "baseColorTexture": {"index": 0}}});
    let unlit = extended(red, &[("unlit", json!({}))]);
    assert_eq!((unlit.emissive, unlit.reflectance), ([0.5, 0.1, 0.0], 0.0));
    assert!(unlit.base_color == [0.0, 0.0, 0.0, 1.0] && unlit.emissive_texture.is_some());
}

#[test]
fn specular_and_glossiness_become_metallic_and_roughness() {
    let of = |value| extended(json!({}), &[("pbrSpecularGlossiness", value)]);
    let skin = of(
        json!({"diffuseFactor": [0.6, 0.4, 0.3, 1.0], "specularFactor": [0.04, 0.04, 0.04],
        "glossinessFactor": 0.3, "diffuseTexture": {"index": 0}}),
    );
    assert_eq!(skin.base_color, [0.6, 0.4, 0.3, 1.0]);
    assert!(skin.metallic == 0.0 && (skin.roughness - 0.7).abs() < 1e-6);
    assert!(skin.base_color_texture.is_some());
    let gold = of(json!({"diffuseFactor": [0.0, 0.0, 0.0, 1.0],
        "specularFactor": [1.0, 0.8, 0.3]}));
    assert_eq!(
        (gold.base_color, gold.metallic),
        ([1.0, 0.8, 0.3, 1.0], 1.0)
    );
    // Factors of 1 only scale a texture.
    let leather = of(json!({"diffuseFactor": [0.2, 0.1, 0.08, 1.0],
        "specularGlossinessTexture": {"index": 0}}));
    assert_eq!((leather.metallic, leather.roughness), (0.0, 0.5));
}

#[test]
fn extensions_that_cannot_be_read_are_a_warning() {
    let mut gltf = Gltf::square();
    gltf.push("materials", json!({"extensions": {"KHR_materials_ior": 3}}));
    gltf.primitive()["material"] = json!(0);
    let warnings = gltf.load().unwrap().warnings;
    let told = |warning: &String| warning.contains("material 0: its extensions cannot be read");
    assert!(warnings.iter().any(told), "{warnings:?}");
}
