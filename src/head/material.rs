//! Materials and the textures they use. Nothing here can stop a load: what is
//! wrong becomes a warning and, for the base colour, a visible placeholder.

use super::buffers::Buffers;
use super::document::{self, Int, MetallicRoughness, TextureInfo, TextureTransform};
use super::error::{Warnings, quoted, short, thing};
use super::image::{self, Picture};
use super::{AlphaMode, Material, Texture, Wrap};
use std::collections::HashMap;

/// Materials and textures converted so far, each once.
pub struct Materials<'a> {
    buffers: &'a Buffers<'a>,
    pub materials: Vec<Material>,
    pub textures: Vec<Texture>,
    /// From the file's index (none: the default material).
    converted: HashMap<Option<usize>, usize>,
    /// From the file's texture; none where it cannot be shown.
    loaded: HashMap<usize, Option<usize>>,
    placeholder: Option<usize>,
}

impl<'a> Materials<'a> {
    pub fn new(buffers: &'a Buffers<'a>) -> Self {
        Materials {
            buffers,
            materials: Vec::new(),
            textures: Vec::new(),
            converted: HashMap::new(),
            loaded: HashMap::new(),
            placeholder: None,
        }
    }

    /// Where a material of the file went; `None` is the default material of glTF.
    pub fn convert(&mut self, index: Option<usize>, warnings: &mut Warnings) -> usize {
        if let Some(&done) = self.converted.get(&index) {
            return done;
        }
        let document = self.buffers.document;
        let blank = document::Material::default();
        let raw = index
            .and_then(|index| document.materials.get(index))
            .unwrap_or(&blank);
        let place = match index {
            Some(index) => thing("material", index, raw.name.as_deref()),
            None => "default material".to_owned(),
        };
        let no_pbr = MetallicRoughness::default();
        let pbr = raw.pbr_metallic_roughness.as_deref().unwrap_or(&no_pbr);
        let unit = |value: f64| value.clamp(0.0, 1.0) as f32;
        let mut texture = |info: Option<&TextureInfo>, role: &str| {
            self.texture(info?.index, &place, role, warnings)
        };
        let material = Material {
            base_color_texture: texture(pbr.base_color_texture.as_ref(), BASE_COLOR),
            metallic_roughness_texture: texture(
                pbr.metallic_roughness_texture.as_ref(),
                "metallic-roughness",
            ),
            normal_texture: texture(raw.normal_texture.as_deref(), "normal"),
            emissive_texture: texture(raw.emissive_texture.as_deref(), "emissive"),
            name: match (&raw.name, index) {
                (Some(name), _) if !name.is_empty() => short(name),
                (_, Some(index)) => format!("material {index}"),
                _ => "default".to_owned(),
            },
            base_color: pbr.base_color_factor.unwrap_or([1.0; 4]).map(unit),
            metallic: unit(pbr.metallic_factor.unwrap_or(1.0)),
            roughness: unit(pbr.roughness_factor.unwrap_or(1.0)),
            normal_scale: raw
                .normal_texture
                .as_ref()
                .and_then(|info| info.scale)
                .map_or(1.0, |scale| scale.clamp(-100.0, 100.0) as f32),
            emissive: raw.emissive_factor.unwrap_or_default().map(unit),
            alpha: match raw.alpha_mode.as_deref() {
                None | Some("OPAQUE") => AlphaMode::Opaque,
                Some("BLEND") => AlphaMode::Blend,
                Some("MASK") => AlphaMode::Mask(unit(raw.alpha_cutoff.unwrap_or(0.5))),
                Some(other) => {
                    let mode = quoted(other);
                    warnings.push(format!(
                        "{place}: alpha mode {mode} is not known; taken as OPAQUE"
                    ));
                    AlphaMode::Opaque
                }
            },
            double_sided: raw.double_sided,
        };
        self.materials.push(material);
        self.converted.insert(index, self.materials.len() - 1);
        self.materials.len() - 1
    }

    fn texture(
        &mut self,
        index: Int,
        place: &str,
        role: &str,
        warnings: &mut Warnings,
    ) -> Option<usize> {
        let index = index.index();
        let loaded = match self.loaded.get(&index) {
            Some(&loaded) => loaded,
            None => {
                let loaded = match self.load(index) {
                    Ok((texture, reduced_from)) => {
                        if let Some([width, height]) = reduced_from {
                            warnings.push(format!(
                                "{place}: {role} texture {index} is {width} x {height}, made smaller: {} x {}",
                                texture.width, texture.height
                            ));
                        }
                        self.textures.push(texture);
                        Some(self.textures.len() - 1)
                    }
                    Err(problem) => {
                        let shown = if role == BASE_COLOR {
                            "a checker is shown"
                        } else {
                            "left out"
                        };
                        warnings.push(format!(
                            "{place}: {role} texture {index} {problem}; {shown}"
                        ));
                        None
                    }
                };
                self.loaded.insert(index, loaded);
                loaded
            }
        };
        if loaded.is_some() || role != BASE_COLOR {
            return loaded;
        }
        Some(*self.placeholder.get_or_insert_with(|| {
            let name = "placeholder".to_owned();
            self.textures.push(finish(name, image::placeholder(), None));
            self.textures.len() - 1
        }))
    }

    /// The texture, and its size before it was made smaller. The error completes
    /// "texture 3 …".
    fn load(&self, index: usize) -> Result<(Texture, Option<[u32; 2]>), String> {
        let document = self.buffers.document;
        let texture = document.textures.get(index).ok_or("is not in the file")?;
        let source = texture.source.ok_or("has no PNG or JPEG source")?.index();
        let image = document
            .images
            .get(source)
            .ok_or(format!("names image {source}, which is not in the file"))?;
        let at = thing("image", source, image.name.as_deref());
        let failed = |problem: String| format!("({at}) {problem}");
        let picture = match (&image.uri, image.buffer_view) {
            (_, Some(view)) => {
                let view = self
                    .buffers
                    .view(view)
                    .map_err(|error| failed(error.to_string()))?;
                image::decode(view.bytes, &self.buffers.budget)
            }
            (Some(uri), None) => {
                let fetched = self.buffers.folder.fetch(uri, &at, &self.buffers.budget);
                let bytes =
                    fetched.map_err(|error| error.to_string().trim_end_matches('.').to_owned())?;
                image::decode(&bytes, &self.buffers.budget)
            }
            (None, None) => Err("has neither a URI nor a buffer view".to_owned()),
        };
        let named = [&texture.name, &image.name];
        let name = named.into_iter().flatten().find(|name| !name.is_empty());
        let sampler = texture
            .sampler
            .and_then(|sampler| document.samplers.get(sampler.index()));
        let name = name.map_or_else(|| format!("texture {index}"), |name| short(name));
        let picture = picture.map_err(failed)?;
        let reduced_from = picture.reduced_from;
        Ok((finish(name, picture, sampler), reduced_from))
    }
}

const BASE_COLOR: &str = "base colour";

fn finish(name: String, picture: Picture, sampler: Option<&document::Sampler>) -> Texture {
    let wrap = |code: Option<Int>| match code {
        Some(Int(33071)) => Wrap::Clamp,
        Some(Int(33648)) => Wrap::Mirror,
        _ => Wrap::Repeat,
    };
    Texture {
        name,
        width: picture.width,
        height: picture.height,
        pixels: picture.pixels,
        wrap: [
            wrap(sampler.and_then(|sampler| sampler.wrap_s)),
            wrap(sampler.and_then(|sampler| sampler.wrap_t)),
        ],
        smooth: sampler.and_then(|sampler| sampler.mag_filter) != Some(Int(9728)),
    }
}

/// Which texture coordinates a material uses: those of its base colour texture,
/// or of its first texture if that has none.
pub fn texcoords(
    material: Option<&document::Material>,
    place: &str,
    warnings: &mut Warnings,
) -> (u32, Option<TextureTransform>) {
    let Some(material) = material else {
        return (0, None);
    };
    let pbr = material.pbr_metallic_roughness.as_deref();
    let infos = [
        pbr.and_then(|pbr| pbr.base_color_texture.as_ref()),
        material.normal_texture.as_deref(),
        pbr.and_then(|pbr| pbr.metallic_roughness_texture.as_ref()),
        material.emissive_texture.as_deref(),
    ];
    let mut used = infos.into_iter().flatten().map(|info| {
        let transform = info.extensions.transform.as_deref().cloned();
        let moved = transform.as_ref().and_then(|transform| transform.tex_coord);
        let set = u32::try_from(moved.unwrap_or(info.tex_coord).0).unwrap_or(u32::MAX);
        (set, transform)
    });
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

/// Applies `KHR_texture_transform` to texture coordinates.
pub fn transform_uvs(uvs: &mut [[f32; 2]], transform: &TextureTransform) {
    let [su, sv] = transform.scale.unwrap_or([1.0; 2]);
    let [ou, ov] = transform.offset.unwrap_or_default();
    let (sin, cos) = transform.rotation.sin_cos();
    for uv in uvs {
        let (u, v) = (su * f64::from(uv[0]), sv * f64::from(uv[1]));
        let moved = [cos * u + sin * v + ou, cos * v - sin * u + ov];
        *uv = moved.map(|lane| if lane.is_finite() { lane as f32 } else { 0.0 });
    }
}
