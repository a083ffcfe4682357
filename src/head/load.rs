//! Reading a head: from a file, from memory or from the program to primitives in file space, the
//! scalp among them, and everything moved to head space.

use super::contents::Contents;
use super::convert::to_gltf;
use super::error::LoadErrorKind::{self, Unreadable};
use super::error::{LoadError, Result, Warnings, label, limit_hint, truncated};
use super::extent::{self, HeadBox, bounds};
use super::gltf::buffers::Buffers;
use super::gltf::document::Document;
use super::gltf::uri::read_limited;
use super::limits::Limits;
use super::mask::Mask;
use super::material::{Materials, texture_coordinates, transform_uvs};
use super::mesh::paint::{PaintColor, PaintSearch, scalp_triangles};
use super::mesh::pose::{Influences, Skins, Vectors, bend, morph, targets};
use super::mesh::primitive::Attributes;
use super::mesh::{PlacedPart, primitive};
use super::mesh::{nodes, normals};
use super::model::{Extent, Head, Model, PrimitiveRef, Units};
use super::names::has_word;
use super::rig::{Limb, Rig};
use super::scalp_part;
use super::settings::HeadSettings;
use crate::told::short;
use glam::{DMat4, DQuat};
use std::borrow::Cow;
use std::collections::HashMap;
use std::f64::consts::PI;
use std::fs;
use std::mem::take;
use std::path::Path;
use std::sync::Arc;

/// The height of the scalp part in decimetres, neck included.
///
/// The shipped head is 2.7383 high, so its scale is 1.0006.
pub const STANDARD_HEIGHT: f64 = 2.74;

impl Head {
    /// Reads a `.glb` or `.gltf` file with the buffers and images it names.
    ///
    /// # Errors
    ///
    /// A file that cannot be read or is invalid; the text names the file, the element in it and
    /// what to do. Broken textures are only warnings.
    pub fn load(path: &Path, settings: &HeadSettings) -> std::result::Result<Head, LoadError> {
        Model::File(path.to_owned()).load(settings)
    }

    /// Reads a self-contained file from memory; `name` is used in messages.
    ///
    /// # Errors
    ///
    /// The errors of [`Head::load`]; buffers in other files are an error too.
    pub fn from_bytes(
        name: &str,
        bytes: &[u8],
        settings: &HeadSettings,
    ) -> std::result::Result<Head, LoadError> {
        assemble(name, bytes, None, settings).map_err(LoadError::of(name))
    }

    /// Returns the head that ships with the program.
    ///
    /// # Errors
    ///
    /// Settings that are out of range.
    pub fn shipped(settings: &HeadSettings) -> std::result::Result<Head, LoadError> {
        Model::default().load(settings)
    }
}

impl Model {
    /// Reads the head.
    ///
    /// # Errors
    ///
    /// The errors of [`Head::load`].
    pub fn load(&self, settings: &HeadSettings) -> std::result::Result<Head, LoadError> {
        self.bytes(&settings.limits)
            .and_then(|bytes| assemble(&self.name(), &bytes, Some(self), settings))
            .map_err(LoadError::of(self.name()))
    }

    /// Returns the name of the file in messages.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Model::Shipped(model) => model.file_name().into(),
            Model::File(path) => path.to_string_lossy(),
            Model::Embedded(_) => "model.glb".into(),
        }
    }

    /// Returns `true` if two models are the same file, or self-contained files of the same content.
    pub fn is_same(&self, other: &Model) -> bool {
        let whole = |path: &Path| path.canonicalize().ok();
        match (self, other) {
            _ if self == other => true,
            (Model::File(a), Model::File(b)) if whole(a).is_some_and(|a| whole(b) == Some(a)) => {
                true
            }
            _ => (self.whole_content(other)).is_some_and(|a| other.whole_content(self) == Some(a)),
        }
    }

    /// Returns the content of a file that needs no others, if it may be that of `other`.
    fn whole_content(&self, other: &Model) -> Option<Cow<'_, [u8]>> {
        let Model::File(path) = self else {
            return self.bytes(&Limits::default()).ok();
        };
        let is_glb = path
            .extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("glb"));
        let as_large = match other {
            Model::File(other) => fs::metadata(other).ok()?.len(),
            _ => other.bytes(&Limits::default()).ok()?.len() as u64,
        };
        (is_glb && fs::metadata(path).ok()?.len() == as_large)
            .then(|| self.bytes(&Limits::default()).ok())?
    }

    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Model::File(path) => Some(path),
            _ => None,
        }
    }

    pub(super) fn bytes(&self, limits: &Limits) -> Result<Cow<'_, [u8]>> {
        match self {
            Model::Shipped(model) => Ok(model.bytes().into()),
            Model::File(path) => read_file(path, limits).map(Cow::Owned),
            Model::Embedded(bytes) => Ok(bytes[..].into()),
        }
    }
}

/// Reads a plain file within the limit on its size.
fn read_file(path: &Path, limits: &Limits) -> Result<Vec<u8>> {
    let fail = |problem: &dyn ToString, advice| Err(Unreadable(problem.to_string(), advice));
    let bytes = match path.metadata() {
        Err(error) => return fail(&error, "Check the path."),
        Ok(meta) if meta.is_dir() => {
            return fail(
                &"it is a directory",
                "Name the file of the head in it, for instance a .glb.",
            );
        }
        Ok(meta) if !meta.is_file() => {
            return fail(
                &"it is not a plain file",
                "Name the file of a head, for instance a .glb.",
            );
        }
        Ok(_) => read_limited(path, u64::MAX, 0, limits),
    };
    bytes.or_else(|error| fail(&error, "Check that it may be read, and its size."))
}

/// Returns the head from the bytes of `file`; URIs are relative to `model`.
fn assemble(
    file: &str,
    bytes: &[u8],
    model: Option<&Model>,
    settings: &HeadSettings,
) -> Result<Head> {
    let paint = PaintSearch {
        rule: settings.paint,
        color: PaintColor::new(settings.paint_color)?,
        is_masked: false,
    };
    if let Some(scale) = settings.scale
        && !(scale.is_finite() && scale > 0.0)
    {
        let problem = format!("{scale} is not a positive number of decimetres per file unit");
        let name = "scale";
        return Err(LoadErrorKind::Setting { name, problem });
    }
    let mut warnings = Warnings::default();
    let (bytes, budget) = to_gltf(bytes.into(), model, &settings.limits, &mut warnings)?;
    let buffers = Buffers::open(&bytes, model, budget)?;

    let document = &buffers.document;
    let ahead = match document.vrm.looks_back() {
        true => DQuat::from_rotation_y(PI),
        false => DQuat::IDENTITY,
    };
    let file_from_scene = DMat4::from_quat(settings.turn() * ahead);
    let shown = nodes::shown(&buffers.document, &buffers.budget, file_from_scene)?;
    let mask = Mask::of(&settings.mask, &buffers, &shown, &mut warnings);
    let is_masked = mask.is_some();
    let scalp_by = (PaintSearch { is_masked, ..paint }, mask.as_ref());
    let mut skins = Skins::default();
    let (mut placed, limbs) = place_parts(
        &buffers,
        &shown,
        scalp_by,
        &settings.hide,
        &mut skins,
        &mut warnings,
    )?;
    let unmasked = mask.as_ref().map(Mask::problem);
    let scalp = scalp_part::find(&placed, unmasked, &mut warnings);
    if let Some(mask) = mask {
        mask.give_back(&buffers.budget);
    }
    scalp_part::tell_of_hair(&placed, scalp.map(|(part, _)| part), &mut warnings);
    let scalp_part = scalp.map(|(part, _)| part);
    // The memory that `Scalp::of_head` and `Roots::sample` will take is reserved.
    if let Some(PlacedPart { part, place, .. }) = scalp_part.map(|part| &placed[part])
        && let Some(paint) = &part.paint
    {
        let triangles = scalp_triangles(paint, &part.triangles).count() as u64;
        let what = || format!("{place}: the scalp");
        // Per triangle: two lists of corners, normals, areas; pieces and sums of the sampler.
        buffers.budget.take(triangles, 44 + 64, what)?;
        // Per vertex: two lists of numbers, which may move as they grow; positions, normals,
        // density.
        let vertices = paint.density.len() as u64;
        buffers.budget.take(vertices, 4 + 8 + 28, what)?;
    }
    let (low, high) = bounds(placed.iter());
    let joints = shown.joints(&buffers.document);
    let of_head = extent::find(&placed, scalp_part, &joints, &mut warnings);
    let units = units(&of_head, settings.scale, &mut warnings)?;
    let mut materials = Materials::default();
    for placed in &mut placed {
        placed.part.material = materials.convert(&buffers, placed.material, &mut warnings);
        placed.move_to_head(&units, &buffers.budget, &mut warnings)?;
    }
    let parts: Vec<_> = placed.into_iter().map(|placed| placed.part).collect();
    let contents = Contents::of(
        document,
        &shown,
        &parts,
        &materials.materials,
        &mut warnings,
    );
    let stem = Path::new(file).file_stem().unwrap_or(file.as_ref());
    let mut head = Head {
        name: stem.to_string_lossy().into_owned(),
        licence: (document.vrm.licence())
            .or_else(|| document.copyright.clone())
            .map(|licence| short(&licence)),
        parts,
        materials: materials.materials,
        textures: materials.textures,
        scalp_part,
        units,
        extent: Extent {
            low,
            high,
            lowest: ((of_head.low.y - f64::from(units.centre.y)) * f64::from(units.scale)) as f32,
            head: of_head.high - of_head.low,
            measured: of_head.what,
            scalp_area: scalp.map_or(0.0, |(_, area)| area),
        },
        rig: None,
        contents,
        warnings: Vec::new(),
        files: buffers.folder.looked_at(model.and_then(Model::path)),
    };
    if !limbs.is_empty() {
        let rig = Rig::new(
            &buffers,
            &shown,
            file_from_scene,
            limbs,
            skins,
            &head,
            &mut warnings,
        )?;
        head.rig = rig.map(Arc::new);
    }
    head.warnings = warnings.finish();
    Ok(head)
}

/// Reads every primitive of every node of the default scene, and with animations what moves each.
fn place_parts(
    buffers: &Buffers,
    shown: &nodes::Shown,
    (paint, mask): (PaintSearch, Option<&Mask>),
    hide: &[String],
    skins: &mut Skins,
    warnings: &mut Warnings,
) -> Result<(Vec<PlacedPart>, Vec<Limb>)> {
    let (document, limits) = (&buffers.document, &buffers.budget.limits);
    let (mut placed, mut limbs) = (Vec::new(), Vec::new());
    let is_animated = !document.animations.is_empty();
    let mut names = HashMap::new();
    let (mut seen, mut vertices, mut hidden) = (0, 0, 0);
    let mut coordinates = HashMap::new();
    for &(node, of) in &shown.meshes {
        let mesh = &document.meshes[of];
        let posed = &document.nodes[node];
        let weights = posed.weights.as_ref().unwrap_or(&mesh.weights);
        let mesh_label = label("mesh", of, mesh.name.as_deref());
        for (nth, primitive) in mesh.primitives.iter().enumerate() {
            let place = format!("{mesh_label}, primitive {nth}");
            let too_many = |what: String, limit: &str, advice: &str| {
                let problem = format!("{what} {}", limit_hint(limit));
                Err(LoadErrorKind::advised(&place, problem, advice))
            };
            seen += 1;
            if seen > limits.primitives {
                let what = format!("the nodes show more than {} primitives", limits.primitives);
                return too_many(what, "primitives", "Join the meshes.");
            }
            let index = primitive.material.map(|material| material.index());
            let material = index.and_then(|index| document.materials.get(index));
            if let (Some(index), None) = (index, material) {
                let count = document.materials.len();
                return Err(LoadErrorKind::missing(place, "material", index, count));
            }
            // The extensions of a material are parsed once.
            let (uv_set, transform) = *coordinates
                .entry(index)
                .or_insert_with(|| texture_coordinates(material, document, &place, warnings));
            let own_names = [
                document.nodes[node].name.as_deref(),
                mesh.name.as_deref(),
                material.and_then(|material| material.name.as_deref()),
            ];
            let names_it = |word: &str| {
                let mut names = own_names.iter().flatten();
                names.any(|name| has_word(name, word))
            };
            if hide.iter().any(|word| names_it(word)) {
                hidden += 1;
                continue;
            }
            let attributes = Attributes::of(buffers, primitive, &place)?;
            let read = primitive::read(&attributes, uv_set, paint, warnings)?;
            let Some((mut part, color_sets)) = read else {
                continue;
            };
            vertices += part.positions.len() as u64;
            if vertices > limits.vertices {
                let what = format!("the head has more than {} vertices", limits.vertices);
                return too_many(what, "vertices", "Decimate it.");
            }
            if part.triangles.is_empty() && part.lines.is_empty() {
                warnings.push(format!("{place}: it has neither triangles nor lines"));
                continue;
            }
            if let (None, Some(mask)) = (&part.paint, mask) {
                part.paint = mask.paint(&attributes, own_names, posed, &part, warnings)?;
            }
            if let (Some(uvs), Some(transform)) = (&mut part.uvs, &transform) {
                transform_uvs(transform, uvs);
            }
            let count = part.positions.len();
            let targets = targets(&attributes, weights, count, is_animated)?;
            let influences = Influences::read(&attributes, posed, count, shown, skins)?;
            let mut vectors = Vectors {
                positions: take(&mut part.positions),
                normals: take(&mut part.normals),
                tangents: part.tangents.take().unwrap_or_default(),
            };
            let modelled = match is_animated {
                true => {
                    let what = || format!("{place}: as it was modelled");
                    (buffers.budget).take(count as u64, Vectors::BYTES_PER_VERTEX, what)?;
                    let mut modelled = vectors.clone();
                    if modelled.normals.is_empty() {
                        let what = || format!("{place}: computing normals");
                        let each = normals::BYTES_PER_VERTEX;
                        buffers.budget.take(count as u64, each, what)?;
                        buffers.budget.give_back(count as u64, each);
                        modelled.normals = normals::smooth(&modelled.positions, &part.triangles);
                    }
                    Some(modelled)
                }
                false => None,
            };
            morph(&targets, weights, &mut vectors);
            if let Some(vertex) = vectors.positions.iter().position(|p| !p.is_finite()) {
                let problem = format!("its morph targets move vertex {vertex} out of range");
                return Err(LoadErrorKind::invalid(place, problem));
            }
            // Skins replace the transform of the node.
            let file_from_mesh = match &influences {
                Some(influences) => {
                    let (_, joints) = &skins[&influences.skin];
                    if bend(|vertex| influences.blend(vertex, joints), &mut vectors) {
                        let triangles = part.triangles.iter_mut();
                        triangles.for_each(|corners| corners.swap(1, 2));
                    }
                    DMat4::IDENTITY
                }
                None => shown.file_from_node(node).unwrap_or_default(),
            };
            part.positions = vectors.positions;
            part.normals = vectors.normals;
            part.tangents = Some(vectors.tangents).filter(|tangents| !tangents.is_empty());
            match (modelled, influences) {
                (Some(vectors), influences) => limbs.push(Limb {
                    node,
                    vectors,
                    targets,
                    weights: weights.clone(),
                    influences,
                }),
                (None, Some(influences)) => {
                    (buffers.budget).give_back(count as u64, influences.bytes_per_vertex());
                }
                (None, None) => {}
            }
            part.name = part_name(document, node, of, &mut names);
            part.source = Some(PrimitiveRef {
                mesh: of,
                primitive: nth,
            });
            placed.push(PlacedPart {
                part,
                place,
                file_from_mesh,
                node,
                is_hair: names_it("hair"),
                material: index,
                color_sets,
            });
        }
    }
    if (placed.iter()).all(|placed| placed.part.triangles.is_empty()) {
        let (meshes, nodes) = (document.meshes.len(), document.nodes.len());
        let shown = seen - hidden;
        let hidden = match hidden {
            0 => String::new(),
            hidden => format!(", {hidden} hidden by name"),
        };
        let found = format!("{meshes} meshes, {nodes} nodes, {shown} primitives shown{hidden}");
        return Err(LoadErrorKind::Empty(found));
    }
    Ok((placed, limbs))
}

/// Returns the name of the node or else of its mesh, made unique: `head`, `head 2`, `head 3`.
/// `taken` holds the last number of each name.
fn part_name(
    document: &Document,
    node: usize,
    mesh: usize,
    taken: &mut HashMap<String, u32>,
) -> String {
    let names = [&document.nodes[node].name, &document.meshes[mesh].name];
    let mut names = names.into_iter().flatten();
    let name = names.find(|name| !name.is_empty());
    let name = name.map_or_else(|| format!("mesh {mesh}"), |name| truncated(name));
    let mut unique = name.clone();
    while taken.contains_key(&unique) {
        let number = taken.entry(name.clone()).or_insert(1);
        *number += 1;
        unique = format!("{name} {number}");
    }
    taken.insert(unique.clone(), 1);
    unique
}

/// Returns the map to head space: the head is centred and scaled to [`STANDARD_HEIGHT`].
fn units(of_head: &HeadBox, scale: Option<f32>, warnings: &mut Warnings) -> Result<Units> {
    let HeadBox { low, high, what } = of_head;
    let size = *high - *low;
    let fail = |problem: String| {
        let advice = "Check its scale and apply transforms before exporting, or set `scale`.";
        Err(LoadErrorKind::advised(what, problem, advice))
    };
    if !size.is_finite() {
        return fail(format!("its size, {size}, is not finite"));
    }
    let scale = match scale {
        Some(scale) => scale,
        None => {
            let mut height = size.y;
            if height <= size.max_element() * 1e-6 {
                height = size.max_element();
                warnings.push("the head has no height; its largest side is taken instead");
            }
            if height <= 0.0 {
                return fail("all its corners are at one point".to_owned());
            }
            let scale = (STANDARD_HEIGHT / height) as f32;
            if !scale.is_finite() || scale < f32::MIN_POSITIVE {
                let problem = format!("it is {height:e} high, which cannot be scaled");
                return fail(problem);
            }
            scale
        }
    };
    // Rounded before it is used, so that the inverse map is exact.
    let centre = ((*low + *high) / 2.0).as_vec3();
    if !centre.is_finite() {
        return fail(format!("its centre, {centre}, is out of range"));
    }
    Ok(Units { scale, centre })
}
