//! Parts as they are modelled, and what moves them.

use crate::head::error::{LoadErrorKind, Result};
use crate::head::mesh::attributes::Attributes;
use crate::head::mesh::nodes::Shown;
use crate::head::mesh::normals;
use crate::head::mesh::pose::{Influences, PartShape, Skins, Target, bend, morph, targets};
use crate::head::model::Part;
use glam::{DMat4, Vec3, Vec4};
use std::mem::take;

/// The memory of the vectors of a vertex.
const BYTES_PER_VERTEX: u64 = (2 * size_of::<Vec3>() + size_of::<Vec4>()) as u64;

/// A part as it was modelled, and what moves it.
#[derive(Debug)]
pub struct Limb {
    pub node: usize,
    /// Mesh space.
    pub vectors: PartShape,
    pub targets: Vec<Target>,
    pub weights: Vec<f32>,
    pub influences: Option<Influences>,
}

/// Moves a part by the morph targets and the skin of its node, as the default scene has them. Returns
/// the map that is left from there to file space, and with animations what moves the part.
pub fn pose(
    attributes: &Attributes,
    (node, weights): (usize, &[f32]),
    shown: &Shown,
    skins: &mut Skins,
    part: &mut Part,
) -> Result<(DMat4, Option<Limb>)> {
    let (buffers, place, count) = (attributes.buffers, attributes.place, part.positions.len());
    let is_animated = !buffers.document.animations.is_empty();
    let posed = &buffers.document.nodes[node];
    // Nodes that share a mesh take these lists again and again, so that this is never given back.
    let lists = attributes.primitive.targets.as_ref().map_or(0, Vec::len) + weights.len();
    (buffers.budget).take(lists as u64, 32, format_args!("{place}: its morph targets"))?;
    let targets = targets(attributes, weights, count, is_animated)?;
    let influences = Influences::read(attributes, posed, count, shown, skins)?;
    let mut vectors = PartShape {
        positions: take(&mut part.positions),
        normals: take(&mut part.normals),
        tangents: part.tangents.take(),
    };
    let modelled = match is_animated {
        true => {
            let what = format_args!("{place}: as it was modelled");
            (buffers.budget).take(count as u64, BYTES_PER_VERTEX, what)?;
            let mut modelled = vectors.clone();
            let triangles = &part.triangles;
            let within = (&buffers.budget, place);
            normals::complete(
                &mut modelled.normals,
                &modelled.positions,
                triangles,
                within,
            )?;
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
    part.tangents = vectors.tangents;
    if let (None, Some(influences)) = (&modelled, &influences) {
        (buffers.budget).give_back(count as u64, influences.bytes_per_vertex());
    }
    let limb = modelled.map(|vectors| Limb {
        node,
        vectors,
        targets,
        weights: weights.to_vec(),
        influences,
    });
    Ok((file_from_mesh, limb))
}
