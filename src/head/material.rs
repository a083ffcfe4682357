//! Materials, their texture coordinates and the textures they use. Problems never stop a load: they
//! become warnings and, for the base colour, a visible checkerboard.

mod extensions;
mod image;
mod ktx2;

use self::extensions::{Extensions, REFLECTANCE, SHARPEST_SHEEN};
use self::image::Decoded;
pub use self::image::decode;
use super::error::{LoadErrorKind, Topic, Warnings, label, truncated};
use super::gltf::buffers::Buffers;
use super::gltf::document::{self, Document, Sampler, TextureInfo, TextureTransform};
use super::model::{AlphaMode, Material, Part, Texture, Wrap};
use ::gltf::json::texture as codes;
use glam::{DMat2, Vec2};
use std::collections::HashMap;

/// Materials and textures converted so far, each once.
#[derive(Default)]
pub struct Materials<'a> {
    pub materials: Vec<Material>,
    pub textures: Vec<Texture>,
    /// The index in `materials` of a material of the file; `None` is the default material.
    converted: HashMap<Option<usize>, usize>,
    /// The index in `textures` of a texture of the file; `None` if it cannot be shown.
    loaded: HashMap<usize, Option<usize>>,
    /// The index in `textures` of an image of the file with a sampler. An image is decoded once,
    /// however many textures show it.
    sampled: HashMap<(usize, Sampling), Result<usize, String>>,
    checkerboard: Option<usize>,
    /// It is called before each picture is decoded.
    pub between: Option<&'a mut dyn FnMut()>,
}

impl Materials<'_> {
    /// Makes surfaces opaque that may be transparent and are nowhere. Programs write whole heads so;
    /// transparent surfaces hide nothing behind them, and are not lit as skin.
    pub fn close(&mut self, parts: &[Part]) {
        for (number, material) in self.materials.iter_mut().enumerate() {
            if material.alpha != AlphaMode::Blend || material.base_color[3] < 1.0 {
                continue;
            }
            let texture = material.base_color_texture.map(|at| &self.textures[at]);
            let mut surfaces = parts.iter().filter(|part| part.material == number);
            let tinted = |part: &Part| part.colors.iter().flatten().any(|color| color.w < 1.0);
            let is_clear = surfaces.any(tinted)
                || texture.is_some_and(|it| it.pixels.get().iter().any(|pixel| pixel[3] < 255));
            if !is_clear {
                material.alpha = AlphaMode::Opaque;
            }
        }
    }

    /// Returns the index of a converted material; `None` is the default material of glTF.
    pub fn convert(
        &mut self,
        buffers: &Buffers,
        index: Option<usize>,
        warnings: &mut Warnings,
    ) -> usize {
        if let Some(&done) = self.converted.get(&index) {
            return done;
        }
        let default = document::Material::default();
        let raw = index.and_then(|index| buffers.document.materials.get(index));
        let raw = raw.unwrap_or(&default);
        let place = match index {
            Some(index) => label("material", index, raw.name.as_deref()),
            None => "default material".to_owned(),
        };
        let extensions = Extensions::of(raw, &buffers.document);
        let extensions = extensions.unwrap_or_else(|problem| {
            warnings.push(format!("{place}: its extensions {problem}; left out"));
            Extensions::default()
        });
        let other = extensions.metallic_roughness();
        let pbr = other.as_ref().unwrap_or(&raw.pbr_metallic_roughness);
        let unit = |value: f32| value.clamp(0.0, 1.0);
        let factor = |value: Option<f32>| unit(value.unwrap_or(1.0));
        let mut texture = |info: &Option<TextureInfo>, role: &str| {
            let index = info.as_ref()?.index.index();
            self.texture(buffers, index, &place, role, warnings)
        };
        let normal_scale = raw.normal_texture.as_ref().and_then(|info| info.scale);
        let metallic_roughness = &pbr.metallic_roughness_texture;
        let mut material = Material {
            base_color_texture: texture(&pbr.base_color_texture, BASE_COLOR),
            metallic_roughness_texture: texture(metallic_roughness, "metallic-roughness"),
            normal_texture: texture(&raw.normal_texture, "normal"),
            emissive_texture: texture(&raw.emissive_texture, "emissive"),
            name: match (&raw.name, index) {
                (Some(name), _) if !name.is_empty() => truncated(name),
                (_, Some(index)) => format!("material {index}"),
                _ => "default".to_owned(),
            },
            base_color: pbr.base_color_factor.unwrap_or([1.0; 4]).map(unit),
            metallic: factor(pbr.metallic_factor),
            roughness: factor(pbr.roughness_factor),
            reflectance: REFLECTANCE,
            normal_scale: normal_scale.unwrap_or(1.0).clamp(-100.0, 100.0),
            emissive: raw.emissive_factor.unwrap_or_default().map(unit),
            sheen: [0.0; 3],
            sheen_roughness: SHARPEST_SHEEN,
            sheen_texture: texture(extensions.sheen_texture(), "sheen"),
            is_unlit: false,
            alpha: match raw.alpha_mode.as_deref() {
                None | Some("OPAQUE") => AlphaMode::Opaque,
                Some("BLEND") => AlphaMode::Blend,
                Some("MASK") => AlphaMode::Mask(unit(raw.alpha_cutoff.unwrap_or(0.5))),
                Some(_) => {
                    warnings.push(format!(
                        "{place}: its alpha mode is not known; taken as OPAQUE"
                    ));
                    AlphaMode::Opaque
                }
            },
            double_sided: raw.double_sided.unwrap_or(false),
        };
        extensions.apply(&mut material);
        self.materials.push(material);
        self.converted.insert(index, self.materials.len() - 1);
        self.materials.len() - 1
    }

    fn texture(
        &mut self,
        buffers: &Buffers,
        index: usize,
        place: &str,
        role: &str,
        warnings: &mut Warnings,
    ) -> Option<usize> {
        let loaded = match self.loaded.get(&index) {
            Some(&loaded) => loaded,
            None => {
                let what = format!("{place}: {role} texture {index}");
                let loaded = self.load(buffers, index, |problem| {
                    let told = format!("{what} {problem}; its plain picture is shown");
                    warnings.tell(Topic::Picture, told);
                });
                match &loaded {
                    Ok((_, None)) => {}
                    Ok((loaded, Some([width, height]))) => {
                        let texture = &self.textures[*loaded];
                        warnings.push(format!(
                            "{what} is {width} x {height}, made smaller: {} x {}",
                            texture.width, texture.height
                        ));
                    }
                    Err(problem) if role == BASE_COLOR => {
                        let told = format!("{what} {problem}; a checker is shown");
                        warnings.tell(Topic::Picture, told);
                    }
                    Err(problem) => {
                        warnings.tell(Topic::Picture, format!("{what} {problem}; left out"));
                    }
                }
                let loaded = loaded.ok().map(|(loaded, _)| loaded);
                self.loaded.insert(index, loaded);
                loaded
            }
        };
        if loaded.is_some() || role != BASE_COLOR {
            return loaded;
        }
        Some(*self.checkerboard.get_or_insert_with(|| {
            self.textures.push(image::checkerboard());
            self.textures.len() - 1
        }))
    }

    /// Returns the texture and, if it was made smaller just now, its size before that. The error
    /// completes "texture 3 …"; so does what is told of a picture that another one stands in for.
    fn load(
        &mut self,
        buffers: &Buffers,
        index: usize,
        tell: impl FnOnce(&str),
    ) -> Result<Shown, String> {
        let textures = &buffers.document.textures;
        let texture = textures.get(index).ok_or("is not in the file")?;
        let extensions = texture.extensions.as_ref();
        let [basis, webp] = extensions.map_or([None, None], |all| {
            [&all.basisu, &all.webp].map(|given| given.as_ref()?.source)
        });
        let mut sources = [basis, webp, texture.source].into_iter().flatten();
        let first = sources.next();
        let first = first.ok_or("has no PNG, JPEG, WebP or KTX2 source")?;
        let shown = self.show(buffers, index, first.index());
        let Err(problem) = &shown else {
            return shown;
        };
        let other = sources.find_map(|source| self.show(buffers, index, source.index()).ok());
        if other.is_some() {
            tell(problem);
        }
        other.map_or(shown, Ok)
    }

    /// Returns a texture that shows an image of the file.
    fn show(&mut self, buffers: &Buffers, index: usize, source: usize) -> Result<Shown, String> {
        let document = &buffers.document;
        let texture = document.textures.get(index).ok_or("is not in the file")?;
        let sampler = texture.sampler.map(|sampler| sampler.index());
        let sampler = sampler.and_then(|index| document.samplers.get(index));
        let sampling = sampler.map_or(DEFAULT_SAMPLING, sampling);
        if let Some(done) = self.sampled.get(&(source, sampling)) {
            return done.clone().map(|loaded| (loaded, None));
        }
        if let Some(between) = &mut self.between {
            between();
        }
        let loaded = picture(buffers, source).map(|(mut picture, reduced_from)| {
            let image = document.images.get(source);
            let image_name = image.and_then(|image| image.name.as_ref());
            let mut names = [texture.name.as_ref(), image_name].into_iter().flatten();
            let name = names.find(|name| !name.is_empty());
            picture.name = name.map_or_else(|| format!("texture {index}"), |name| truncated(name));
            (picture.wrap, picture.smooth) = sampling;
            self.textures.push(picture);
            (self.textures.len() - 1, reduced_from)
        });
        let result = loaded.clone().map(|(loaded, _)| loaded);
        self.sampled.insert((source, sampling), result);
        loaded
    }
}

/// The index in [`Materials::textures`] and, if the texture was made smaller just now, its width and
/// height before that.
type Shown = (usize, Option<[u32; 2]>);

/// Returns a decoded image. The error completes "texture 3 …".
fn picture(buffers: &Buffers, index: usize) -> Result<Decoded, String> {
    let missing = || format!("names image {index}, which is not in the file");
    let image = buffers.document.images.get(index).ok_or_else(missing)?;
    let at = label("image", index, image.name.as_deref());
    let failed = |problem: String| format!("({at}) {problem}");
    let decode = |bytes: &[u8]| image::decode_and_keep(bytes, &buffers.budget);
    let picture = match (&image.uri, image.buffer_view) {
        (_, Some(view)) => {
            let view = buffers.view(view);
            let (bytes, _) = view.map_err(|error| failed(error.to_string()))?;
            decode(bytes)
        }
        (Some(uri), None) => {
            let fetched = buffers.folder.fetch_picture(uri, &at, &buffers.budget);
            let unread = |error: LoadErrorKind| error.to_string().trim_end_matches('.').to_owned();
            decode(&fetched.map_err(unread)?)
        }
        (None, None) => Err("has neither a URI nor a buffer view".to_owned()),
    };
    picture.map_err(failed)
}

const BASE_COLOR: &str = "base colour";

/// The wrapping along u and v, and whether magnification is linear.
type Sampling = ([Wrap; 2], bool);

const DEFAULT_SAMPLING: Sampling = ([Wrap::Repeat; 2], true);

fn sampling(sampler: &Sampler) -> Sampling {
    let code = |code: Option<document::Index>| code.and_then(|code| u32::try_from(code.0).ok());
    let wrap = |mode| match code(mode) {
        Some(codes::CLAMP_TO_EDGE) => Wrap::Clamp,
        Some(codes::MIRRORED_REPEAT) => Wrap::Mirror,
        _ => Wrap::Repeat,
    };
    let smooth = code(sampler.mag_filter) != Some(codes::NEAREST);
    ([wrap(sampler.wrap_s), wrap(sampler.wrap_t)], smooth)
}

/// Returns the set of texture coordinates of a material and their transform: those of the base
/// colour texture, or else of the first texture.
pub fn texture_coordinates(
    material: Option<&document::Material>,
    document: &Document,
    place: &str,
    warnings: &mut Warnings,
) -> (u64, Option<TextureTransform>) {
    let Some(material) = material else {
        return (0, None);
    };
    let extensions = Extensions::of(material, document).unwrap_or_default();
    let other = extensions.metallic_roughness();
    let pbr = other.as_ref().unwrap_or(&material.pbr_metallic_roughness);
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
    let mut transform = extensions.and_then(|extensions| extensions.texture_transform);
    // The set is not a part of the transform.
    let set = transform
        .as_mut()
        .and_then(|transform| transform.tex_coord.take());
    (set.or(info.tex_coord).unwrap_or_default().0, transform)
}

/// Transforms texture coordinates.
pub fn transform_uvs(transform: &TextureTransform, uvs: &mut [Vec2]) {
    let [scale, offset] = [transform.scale, transform.offset].map(|v| Vec2::from(v).as_dvec2());
    let rotation = DMat2::from_angle(-f64::from(transform.rotation));
    for uv in uvs {
        let moved = (rotation * (scale * uv.as_dvec2()) + offset).as_vec2();
        // A finite f64 may be infinite as f32.
        *uv = Vec2::select(moved.is_finite_mask(), moved, Vec2::ZERO);
    }
}
