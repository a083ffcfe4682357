//! The materials of USD: the diffuse colour or picture, roughness and opacity of `UsdPreviewSurface`.

use super::layer::{Attribute, Layer};
use super::package::Package;
use crate::head::convert::builder::{Builder, Picture, ROUGHNESS, SEE_THROUGH, Surface};
use crate::head::error::Result;
use crate::srgb::srgb_from_linear;
use std::collections::HashMap;

/// Connections from one input to another.
const MOST_CONNECTIONS: usize = 8;

/// The materials that were added.
pub struct Materials<'s> {
    package: &'s Package<'s>,
    /// The name of the layer in the package.
    layer_name: &'s str,
    /// Indices in the new file, by prims.
    known: HashMap<u32, usize>,
}

/// The value of an input.
enum Input<'l, 'a> {
    Value(&'l Attribute<'a>),
    /// A shader that makes it.
    Shader(u32),
}

impl<'s> Materials<'s> {
    pub fn new(package: &'s Package<'s>, layer_name: &'s str) -> Self {
        Materials {
            package,
            layer_name,
            known: HashMap::new(),
        }
    }

    /// Adds a material, unless it is there already, and returns its index.
    pub fn index(&mut self, layer: &Layer, prim: u32, builder: &mut Builder) -> Result<usize> {
        if let Some(&known) = self.known.get(&prim) {
            return Ok(known);
        }
        let shader = match input(layer, prim, "outputs:surface") {
            Some(Input::Shader(shader)) => Some(shader),
            _ => None,
        };
        let of = |name: &str| shader.and_then(|shader| input(layer, shader, name));
        let mut color = [0.8, 0.8, 0.8, 1.0];
        let mut file = "";
        match of("inputs:diffuseColor") {
            Some(Input::Value(value)) => {
                if let Some(linear) = layer.group::<3>(Some(value), builder.budget)? {
                    color[..3].copy_from_slice(&linear.map(srgb));
                }
            }
            Some(Input::Shader(texture)) => {
                if let Some(Input::Value(value)) = input(layer, texture, "inputs:file") {
                    file = layer.words(Some(value)).first().copied().unwrap_or("");
                }
            }
            None => {}
        }
        // A picture in tiles is shown by its first.
        let path = file
            .strip_prefix("./")
            .unwrap_or(file)
            .replace("<UDIM>", "1001");
        let picture = match (path.is_empty(), self.package.find(self.layer_name, &path)) {
            (true, _) => None,
            (false, Some(content)) => Some(Picture::Content(content)),
            (false, None) => Some(Picture::File(&path)),
        };
        color[3] = match of("inputs:opacity") {
            Some(Input::Value(value)) => {
                let opacity = layer.group(Some(value), builder.budget)?;
                opacity.map_or(1.0, |[opacity]| opacity as f32)
            }
            Some(Input::Shader(_)) if picture.is_some() => SEE_THROUGH,
            _ => 1.0,
        };
        let roughness = match of("inputs:roughness") {
            Some(Input::Value(value)) => layer.group(Some(value), builder.budget)?,
            _ => None,
        };
        let roughness = roughness.map_or(ROUGHNESS, |[roughness]| roughness as f32);
        let index = builder.material(&Surface {
            name: layer.prims[prim as usize].name,
            color,
            roughness,
            picture,
        })?;
        self.known.insert(prim, index);
        Ok(index)
    }

    /// Adds a material of a linear colour, and returns its index.
    pub fn plain(&self, color: [f32; 3], builder: &mut Builder) -> Result<usize> {
        let [r, g, b] = color.map(|lane| srgb(lane.into()));
        builder.material(&Surface {
            name: "",
            color: [r, g, b, 1.0],
            roughness: ROUGHNESS,
            picture: None,
        })
    }
}

fn srgb(linear: f64) -> f32 {
    srgb_from_linear((linear as f32).clamp(0.0, 1.0))
}

/// Returns what an input or an output of a prim has, along its connections.
fn input<'l, 'a>(layer: &'l Layer<'a>, prim: u32, name: &str) -> Option<Input<'l, 'a>> {
    let mut attribute = layer.attribute(prim, name)?;
    for _ in 0..MOST_CONNECTIONS {
        let Some(&(next, name)) = attribute.targets.first() else {
            return Some(Input::Value(attribute));
        };
        if layer.kind(next) == "Shader" {
            return Some(Input::Shader(next));
        }
        attribute = layer.attribute(next, name)?;
    }
    None
}
