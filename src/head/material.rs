//! Materials and the textures they use. Nothing here can stop a load: what is
//! wrong becomes a warning and, for the base colour, a visible placeholder.

use super::buffers::Buffers;
use super::error::{Warnings, short, thing};
use super::image::{self, Picture};
use super::uri::Wanted;
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
    /// From the file's image and how it is sampled: an image is decoded once, however
    /// many textures show it.
    sampled: HashMap<(usize, Sampling), Result<usize, String>>,
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
            sampled: HashMap::new(),
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
                    Ok((loaded, reduced_from)) => {
                        if let Some([width, height]) = reduced_from {
                            let texture = &self.textures[loaded];
                            warnings.push(format!(
                                "{place}: {role} texture {index} is {width} x {height}, made smaller: {} x {}",
                                texture.width, texture.height
                            ));
                        }
                        Some(loaded)
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
            let texture = finish(name, image::placeholder(), DEFAULT_SAMPLING);
            self.textures.push(texture);
            self.textures.len() - 1
        }))
    }

    /// The texture, and its size before it was made smaller just now. The error
    /// completes "texture 3 …".
    fn load(&mut self, index: usize) -> Result<(usize, Option<[u32; 2]>), String> {
        let document = self.buffers.document;
        let texture = document.textures.get(index).ok_or("is not in the file")?;
        let source = texture.source.value();
        if source == NO_SOURCE {
            return Err("has no PNG or JPEG source".to_owned());
        }
        let sampler = texture
            .sampler
            .and_then(|sampler| document.samplers.get(sampler.value()));
        let sampling = sampler.map_or(DEFAULT_SAMPLING, sampling);
        if let Some(done) = self.sampled.get(&(source, sampling)) {
            return done.clone().map(|loaded| (loaded, None));
        }
        let loaded = self.picture(source).map(|picture| {
            let image = document.images.get(source);
            let named = [
                Some(texture.name.as_ref()),
                image.map(|image| image.name.as_ref()),
            ];
            let mut named = named.into_iter().flatten().flatten();
            let name = named.find(|name| !name.is_empty());
            let name = name.map_or_else(|| format!("texture {index}"), |name| short(name));
            let reduced_from = picture.reduced_from;
            self.textures.push(finish(name, picture, sampling));
            (self.textures.len() - 1, reduced_from)
        });
        let kept = loaded.as_ref().map(|loaded| loaded.0);
        let kept = kept.map_err(String::clone);
        self.sampled.insert((source, sampling), kept);
        loaded
    }

    /// A decoded image. The error completes "texture 3 …".
    fn picture(&self, index: usize) -> Result<Picture, String> {
        let buffers = self.buffers;
        let missing = || format!("names image {index}, which is not in the file");
        let image = buffers.document.images.get(index).ok_or_else(missing)?;
        let at = thing("image", index, image.name.as_deref());
        let failed = |problem: String| format!("({at}) {problem}");
        let picture = match (&image.uri, image.buffer_view) {
            (_, Some(view)) => {
                let view = buffers
                    .view(view)
                    .map_err(|error| failed(error.to_string()))?;
                image::decode(view.bytes, &buffers.budget)
            }
            (Some(uri), None) => {
                let fetched = (buffers.folder).fetch(uri, &at, Wanted::Picture, &buffers.budget);
                let bytes =
                    fetched.map_err(|error| error.to_string().trim_end_matches('.').to_owned())?;
                image::decode(&bytes, &buffers.budget)
            }
            (None, None) => Err("has neither a URI nor a buffer view".to_owned()),
        };
        picture.map_err(failed)
    }
}

const BASE_COLOR: &str = "base colour";

/// What `gltf` puts where a texture has no source.
const NO_SOURCE: usize = u32::MAX as usize;

/// Wrapping along u and v, and whether it is smoothed.
type Sampling = ([Wrap; 2], bool);

const DEFAULT_SAMPLING: Sampling = ([Wrap::Repeat; 2], true);

fn sampling(sampler: &Sampler) -> Sampling {
    let wrap = |mode: Checked<WrappingMode>| match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => Wrap::Clamp,
        Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::Mirror,
        Checked::Valid(WrappingMode::Repeat) | Checked::Invalid => Wrap::Repeat,
    };
    let nearest = Some(Checked::Valid(MagFilter::Nearest));
    let smooth = sampler.mag_filter != nearest;
    ([wrap(sampler.wrap_s), wrap(sampler.wrap_t)], smooth)
}

fn finish(name: String, picture: Picture, (wrap, smooth): Sampling) -> Texture {
    Texture {
        name,
        width: picture.width,
        height: picture.height,
        pixels: picture.pixels,
        wrap,
        smooth,
    }
}
