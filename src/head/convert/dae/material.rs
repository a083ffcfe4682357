//! The materials of COLLADA: the diffuse colour or picture of the common profile, and opacity.

use super::xml::{Node, unescaped};
use super::{Ids, label, numbers, target};
use crate::head::convert::builder::{Builder, Picture, ROUGHNESS, SEE_THROUGH, Surface, visible};
use crate::head::error::Result;
use percent_encoding::percent_decode_str;
use std::collections::HashMap;

/// The longest path of a picture.
const MOST_PATH: usize = 4096;

/// The materials that were added.
#[derive(Default)]
pub struct Materials {
    /// Indices in the new file, by elements of the old.
    known: HashMap<u32, usize>,
}

impl Materials {
    /// Adds a material, unless it is there already, and returns its index.
    pub fn index(&mut self, material: Node, ids: &Ids, builder: &mut Builder) -> Result<usize> {
        if let Some(&known) = self.known.get(&material.index) {
            return Ok(known);
        }
        let effect = material.child("instance_effect");
        let effect = effect.and_then(|effect| target(ids, effect.attribute("url")));
        let profile = effect.and_then(|effect| effect.child("profile_COMMON"));
        let technique = profile.and_then(|profile| profile.child("technique"));
        let shading = technique.and_then(|technique| {
            let is_shading =
                |it: &Node| matches!(it.name(), "phong" | "lambert" | "blinn" | "constant");
            technique.find(is_shading)
        });
        let diffuse = shading.and_then(|it| it.child("diffuse").or_else(|| it.child("emission")));
        let color = diffuse.and_then(|it| it.child("color")).map(numbers::<4>);
        let [r, g, b, _] = color.unwrap_or([0.8; 4]).map(|lane| lane as f32);
        let texture = diffuse.and_then(|it| it.child("texture")?.attribute("texture"));
        let image = texture.and_then(|name| image(name, [profile, technique, effect], ids));
        let file = image.and_then(file);
        let picture = file.as_deref().map(Picture::File);
        let opacity = shading.map_or(1.0, |shading| opacity(shading, picture.is_some()));
        let index = builder.material(&Surface {
            name: &unescaped(label(material)),
            color: [r, g, b, opacity],
            roughness: ROUGHNESS,
            picture,
        })?;
        self.known.insert(material.index, index);
        Ok(index)
    }
}

/// Returns the image of a texture: it names a sampler, which names a surface, which names the image,
/// each as a parameter of the effect. Some programs name the image at once.
fn image<'d>(name: &str, places: [Option<Node<'d>>; 3], ids: &Ids<'d>) -> Option<Node<'d>> {
    let parameter = |sid: &str| {
        let is_own = |it: &Node| it.name() == "newparam" && it.attribute("sid") == Some(sid);
        places.iter().flatten().find_map(|place| place.find(is_own))
    };
    let sampler = parameter(name).and_then(|it| it.child("sampler2D"));
    let Some(sampler) = sampler else {
        return ids.get(name).copied();
    };
    if let Some(instance) = sampler.child("instance_image") {
        return target(ids, instance.attribute("url"));
    }
    let surface = parameter(sampler.child("source")?.text().trim())?;
    let image = surface.at(&["surface", "init_from"])?.text().trim();
    ids.get(image).copied()
}

/// Returns the path of an image.
fn file(image: Node) -> Option<String> {
    let from = image.child("init_from")?;
    let uri = from.child("ref").unwrap_or(from).text().trim();
    let path = unescaped(uri);
    let path = path.strip_prefix("file://").unwrap_or(&path);
    let path = percent_decode_str(path).decode_utf8_lossy().into_owned();
    (1..=MOST_PATH).contains(&path.len()).then_some(path)
}

/// Returns the opacity.
fn opacity(shading: Node, has_picture: bool) -> f32 {
    let Some(transparent) = shading.child("transparent") else {
        return 1.0;
    };
    if transparent.child("texture").is_some() {
        return if has_picture { SEE_THROUGH } else { 1.0 };
    }
    let [r, g, b, a] = transparent.child("color").map_or([1.0; 4], numbers);
    let amount = shading.at(&["transparency", "float"]);
    let amount = amount.map_or(1.0, |amount| numbers::<1>(amount)[0]);
    let brightness = 0.212671 * r + 0.715160 * g + 0.072169 * b;
    let opacity = match transparent.attribute("opaque") {
        Some("RGB_ZERO") => 1.0 - brightness * amount,
        Some("RGB_ONE") => brightness * amount,
        Some("A_ZERO") => 1.0 - a * amount,
        _ => a * amount,
    };
    visible(opacity as f32)
}
