//! Materials and the textures they use. Nothing here can stop a load: what is
//! wrong becomes a warning and, for the base colour, a visible placeholder.

use super::buffers::Buffers;
use super::error::{Warnings, short, thing};
use super::image::{self, Picture};
use super::{AlphaMode, Material, Texture, Wrap};
use gltf::json::texture::{Info, MagFilter, Sampler, WrappingMode};
use gltf::json::validation::Checked;
use gltf::json::{self, Index};
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
        let blank = json::Material::default();
        let raw = index
            .and_then(|index| document.materials.get(index))
            .unwrap_or(&blank);
        let place = match index {
            Some(index) => thing("material", index, raw.name.as_deref()),
            None => "default material".to_owned(),
        };
        let pbr = &raw.pbr_metallic_roughness;
        let unit = |value: f32| value.clamp(0.0, 1.0);
        let mut texture = |index: Option<Index<json::Texture>>, role: &str| {
            self.texture(index?, &place, role, warnings)
        };
        let of = |info: &Option<Info>| info.as_ref().map(|info| info.index);
        let normal = raw.normal_texture.as_ref();
        let material = Material {
            base_color_texture: texture(of(&pbr.base_color_texture), BASE_COLOR),
            metallic_roughness_texture: texture(
                of(&pbr.metallic_roughness_texture),
                "metallic-roughness",
            ),
            normal_texture: texture(normal.map(|info| info.index), "normal"),
            emissive_texture: texture(of(&raw.emissive_texture), "emissive"),
            name: match (&raw.name, index) {
                (Some(name), _) if !name.is_empty() => short(name),
                (_, Some(index)) => format!("material {index}"),
                _ => "default".to_owned(),
            },
            base_color: pbr.base_color_factor.0.map(unit),
            metallic: unit(pbr.metallic_factor.0),
            roughness: unit(pbr.roughness_factor.0),
            normal_scale: normal.map_or(1.0, |info| info.scale.clamp(-100.0, 100.0)),
            emissive: raw.emissive_factor.0.map(unit),
            alpha: match raw.alpha_mode {
                Checked::Valid(json::material::AlphaMode::Opaque) => AlphaMode::Opaque,
                Checked::Valid(json::material::AlphaMode::Blend) => AlphaMode::Blend,
                Checked::Valid(json::material::AlphaMode::Mask) => {
                    AlphaMode::Mask(unit(raw.alpha_cutoff.unwrap_or_default().0))
                }
                Checked::Invalid => {
                    warnings.push(format!(
                        "{place}: its alpha mode is not known; taken as OPAQUE"
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
        index: Index<json::Texture>,
        place: &str,
        role: &str,
        warnings: &mut Warnings,
    ) -> Option<usize> {
        let index = index.value();
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
        let source = texture.source.value();
        if source == NO_SOURCE {
            return Err("has no PNG or JPEG source".to_owned());
        }
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
            .and_then(|sampler| document.samplers.get(sampler.value()));
        let name = name.map_or_else(|| format!("texture {index}"), |name| short(name));
        let picture = picture.map_err(failed)?;
        let reduced_from = picture.reduced_from;
        Ok((finish(name, picture, sampler), reduced_from))
    }
}

const BASE_COLOR: &str = "base colour";

/// What `gltf` puts where a texture has no source.
const NO_SOURCE: usize = u32::MAX as usize;

fn finish(name: String, picture: Picture, sampler: Option<&Sampler>) -> Texture {
    let wrap = |mode: Checked<WrappingMode>| match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => Wrap::Clamp,
        Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::Mirror,
        Checked::Valid(WrappingMode::Repeat) | Checked::Invalid => Wrap::Repeat,
    };
    let nearest = Some(Checked::Valid(MagFilter::Nearest));
    Texture {
        name,
        width: picture.width,
        height: picture.height,
        pixels: picture.pixels,
        wrap: sampler.map_or([Wrap::Repeat; 2], |sampler| {
            [wrap(sampler.wrap_s), wrap(sampler.wrap_t)]
        }),
        smooth: sampler.is_none_or(|sampler| sampler.mag_filter != nearest),
    }
}
