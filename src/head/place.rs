//! The parts of a model: every primitive of every node of the default scene.

use super::error::{LoadErrorKind, Result, Warnings, label, limit_hint, truncated};
use super::gltf::buffers::Buffers;
use super::gltf::document::Document;
use super::mask::{Mask, names_of};
use super::material::{texture_coordinates, transform_uvs};
use super::mesh::attributes::Attributes;
use super::mesh::nodes::Shown;
use super::mesh::paint::PaintSearch;
use super::mesh::pose::Skins;
use super::mesh::{PlacedPart, primitive};
use super::model::PrimitiveRef;
use super::names::has_word;
use super::rig::{Limb, pose};
use std::collections::HashMap;

/// Reads every primitive of every node of the default scene, and with animations what moves each.
pub fn place_parts(
    buffers: &Buffers,
    shown: &Shown,
    (paint, mask): (PaintSearch, Option<&Mask>),
    hide: &[String],
    skins: &mut Skins,
    warnings: &mut Warnings,
) -> Result<(Vec<PlacedPart>, Vec<Limb>)> {
    let (document, limits) = (&buffers.document, &buffers.budget.limits);
    let (mut placed, mut limbs) = (Vec::new(), Vec::new());
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
            let own_names = names_of(document, node, mesh, primitive);
            let names_it = |word: &str| {
                let mut names = own_names.iter().flatten();
                names.any(|name| has_word(name, word))
            };
            if hide.iter().any(|word| names_it(word)) {
                hidden += 1;
                continue;
            }
            let attributes = Attributes::of(buffers, primitive, &place)?;
            let read = primitive::read(&attributes, uv_set, (paint, mask.is_some()), warnings)?;
            let Some((mut part, unpainted)) = read else {
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
            if let (Some(uvs), Some(transform)) = (&mut part.uvs, &transform) {
                transform_uvs(transform, uvs);
            }
            if let (None, Some(mask)) = (&part.paint, mask) {
                part.paint =
                    mask.paint(&attributes, own_names, posed, (&part, uv_set), warnings)?;
            }
            let (file_from_mesh, limb) =
                pose(&attributes, (node, weights), shown, skins, &mut part)?;
            limbs.extend(limb);
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
                unpainted,
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
