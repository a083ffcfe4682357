//! The pose of a primitive: morph targets by their weights, then skins by their joints (glTF 2.0,
//! sections 3.7.2.2 and 3.7.3). Loading shows the pose of the default scene; [`Rig`] shows that of a
//! moment of an animation.
//!
//! [`Rig`]: crate::head::Rig

use super::attributes::{Attributes, JOINTS, MOST_SETS, NORMAL, POSITION, checked};
use super::nodes::{Shown, affine};
use crate::head::error::{LoadErrorKind, Result, label};
use crate::head::gltf::accessor::{Accessor, Expected};
use crate::head::gltf::buffers::Buffers;
use crate::head::gltf::document::Node;
use crate::head::model::Part;
use ::gltf::accessor::DataType;
use glam::{DMat3, DMat4, Vec3, Vec4};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

const MATRICES: Expected = Expected {
    lanes: &[16],
    components: &[DataType::F32],
    text: "MAT4 of f32",
    ..JOINTS
};

/// The shape of a [`Part`] at a moment, head space: as many vectors as the part has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartShape {
    /// Vertex positions.
    pub positions: Vec<Vec3>,
    /// Unit normals.
    pub normals: Vec<Vec3>,
    /// Tangents with the sign of the bitangent, if the part has them.
    pub tangents: Option<Vec<Vec4>>,
}

impl From<&Part> for PartShape {
    fn from(part: &Part) -> Self {
        Self {
            positions: part.positions.clone(),
            normals: part.normals.clone(),
            tangents: part.tangents.clone(),
        }
    }
}

/// A morph target: the vertices that it moves, and by how much it moves them and their normals.
#[derive(Debug)]
pub struct Target(Vec<(u32, Vec3, Vec3)>);

impl Target {
    /// Returns by how much it moves a vertex.
    pub fn of(&self, vertex: usize) -> Vec3 {
        let found = (self.0).binary_search_by_key(&vertex, |(moved, ..)| *moved as usize);
        found.map_or(Vec3::ZERO, |at| self.0[at].1)
    }
}

/// Reads the morph targets of a primitive that has so many vertices: those of a weight above or below
/// 0, or `all`. The others are empty.
pub fn targets(
    attributes: &Attributes,
    weights: &[f32],
    vertices: usize,
    all: bool,
) -> Result<Vec<Target>> {
    let targets = attributes.primitive.targets.as_deref().unwrap_or_default();
    let mut read = Vec::new();
    for (nth, target) in targets.iter().enumerate() {
        let place = format!("{}, morph target {nth}", attributes.place);
        let weight = weights.get(nth).copied().unwrap_or_default();
        if !weight.is_finite() {
            return Err(LoadErrorKind::invalid(place, "its weight is not finite"));
        }
        if weight == 0.0 && !all {
            read.push(Target(Vec::new()));
            continue;
        }
        let moves = |role: &str, expected: &Expected| -> Result<Vec<[f32; 3]>> {
            let Some(&index) = target.get(role) else {
                return Ok(Vec::new());
            };
            let moves = Accessor::open(attributes.buffers, index, &place, role, expected)?;
            let moves = checked(moves, vertices)?;
            let vectors = moves.floats::<3>(0.0);
            // The memory is not given back, so that it also limits the time of very many targets.
            match vectors.iter().flatten().position(|lane| !lane.is_finite()) {
                Some(lane) => {
                    let problem = format!("vertex {} is not finite", lane / 3);
                    Err(LoadErrorKind::invalid(moves.at, problem))
                }
                None => Ok(vectors),
            }
        };
        let (positions, normals) = (moves("POSITION", &POSITION)?, moves("NORMAL", &NORMAL)?);
        let of = |list: &[[f32; 3]], vertex: usize| {
            list.get(vertex).copied().map_or(Vec3::ZERO, Vec3::from)
        };
        let moved = (0..positions.len().max(normals.len()))
            .map(|vertex| (vertex as u32, of(&positions, vertex), of(&normals, vertex)))
            .filter(|(_, position, normal)| *position != Vec3::ZERO || *normal != Vec3::ZERO);
        let moved: Vec<_> = moved.collect();
        (attributes.buffers.budget).take(moved.len() as u64, 4, &place)?;
        read.push(Target(moved));
    }
    Ok(read)
}

/// Adds morph targets by their weights.
pub fn morph(targets: &[Target], weights: &[f32], vectors: &mut PartShape) {
    for (Target(moved), &weight) in targets.iter().zip(weights) {
        if weight == 0.0 {
            continue;
        }
        for &(vertex, position, normal) in moved {
            vectors.positions[vertex as usize] += weight * position;
            if let Some(to) = vectors.normals.get_mut(vertex as usize) {
                *to += weight * normal;
            }
        }
    }
}

/// The joints that each vertex of a primitive follows.
#[derive(Debug)]
pub struct Influences {
    /// The number of the skin in the file.
    pub skin: usize,
    sets: Vec<JointSet>,
}

/// Four joints of each vertex, and their weights.
#[derive(Debug)]
struct JointSet {
    joints: Vec<[u32; 4]>,
    weights: Vec<[f32; 4]>,
}

/// A skin: at least one joint.
#[derive(Debug)]
pub struct Skin {
    /// The nodes of the joints, and the maps to them from mesh space as it was bound.
    joints: Vec<(usize, DMat4)>,
}

/// The skins of a file that were read so far, by their numbers, each with the maps of its joints
/// from mesh space to file space in the default scene.
pub type Skins = BTreeMap<usize, (Skin, Vec<DMat4>)>;

impl Influences {
    /// Reads the influences on a primitive with so many vertices; `None` if it has no skin.
    pub fn read(
        attributes: &Attributes,
        node: &Node,
        vertices: usize,
        shown: &Shown,
        skins: &mut Skins,
    ) -> Result<Option<Self>> {
        let Some(skin) = node.skin else {
            return Ok(None);
        };
        let mut sets = Vec::new();
        for set in 0..MOST_SETS {
            let Some([joints, weights]) = attributes.joints(set, vertices)? else {
                break;
            };
            sets.push(JointSet {
                joints: joints.whole(),
                weights: weights.floats(0.0),
            });
        }
        if sets.is_empty() {
            return Ok(None);
        }
        let skin = skin.index();
        let count = match skins.entry(skin) {
            Entry::Occupied(known) => known.get().1.len(),
            Entry::Vacant(new) => new
                .insert(Skin::read(attributes.buffers, skin, shown)?)
                .1
                .len(),
        };
        for JointSet { joints, weights } in &sets {
            for (vertex, (joints, weights)) in joints.iter().zip(weights).enumerate() {
                // A joint that does not count may have any number.
                let mut counting = joints
                    .iter()
                    .zip(weights)
                    .filter(|(_, weight)| **weight != 0.0);
                if let Some((joint, _)) = counting.find(|(joint, _)| **joint as usize >= count) {
                    let problem =
                        format!("vertex {vertex} names joint {joint} of {count} of its skin");
                    return Err(LoadErrorKind::invalid(attributes.place, problem));
                }
            }
        }
        Ok(Some(Self { skin, sets }))
    }

    /// Returns the numbers in the skin of the joints that a vertex follows.
    pub fn joints_of(&self, vertex: usize) -> impl Iterator<Item = usize> {
        let sets = self.sets.iter();
        let pairs =
            sets.flat_map(move |set| set.joints[vertex].into_iter().zip(set.weights[vertex]));
        let counting = pairs.filter(|(_, weight)| *weight != 0.0);
        counting.map(|(joint, _)| joint as usize)
    }

    /// Returns the bytes that it takes per vertex.
    pub fn bytes_per_vertex(&self) -> u64 {
        (self.sets.len() * size_of::<[(u32, f32); 4]>()) as u64
    }

    /// Returns the blend of the matrices of the joints that a vertex follows.
    pub fn blend(&self, vertex: usize, of_joints: &[DMat4]) -> DMat4 {
        let (mut matrix, mut sum) = (DMat4::ZERO, 0.0);
        for JointSet { joints, weights } in &self.sets {
            for (&joint, &weight) in joints[vertex].iter().zip(&weights[vertex]) {
                if weight != 0.0 {
                    matrix += of_joints[joint as usize] * f64::from(weight);
                    sum += f64::from(weight);
                }
            }
        }
        match sum != 0.0 && sum.is_finite() {
            true => matrix * (1.0 / sum),
            false => of_joints[0],
        }
    }
}

/// Moves vectors from mesh space by the matrix of each vertex. Returns `true` if most of the vertices
/// are turned inside out.
pub fn bend(matrix_of: impl Fn(usize) -> DMat4, vectors: &mut PartShape) -> bool {
    // Vertices that a mirrored joint turns inside out, less the others.
    let mut mirrored = 0_i64;
    for (vertex, position) in vectors.positions.iter_mut().enumerate() {
        let matrix = matrix_of(vertex);
        *position = matrix.transform_point3(position.as_dvec3()).as_vec3();
        let linear = DMat3::from_mat4(matrix);
        let (x, y, z) = (linear.x_axis, linear.y_axis, linear.z_axis);
        let is_mirrored = x.cross(y).dot(z) < 0.0;
        mirrored += if is_mirrored { 1 } else { -1 };
        let turned = |by: DMat3, v: Vec3| (by * v.as_dvec3()).normalize_or_zero().as_vec3();
        let sign = if is_mirrored { -1.0 } else { 1.0 };
        if let Some(normal) = vectors.normals.get_mut(vertex) {
            let cofactors = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y)) * f64::from(sign);
            *normal = turned(cofactors, *normal);
        }
        let tangents = vectors.tangents.as_mut();
        if let Some(tangent) = tangents.and_then(|all| all.get_mut(vertex)) {
            *tangent = turned(linear, tangent.truncate()).extend(tangent.w * sign);
        }
    }
    mirrored > 0
}

impl Skin {
    /// Returns a skin, and the maps of its joints in the default scene.
    fn read(buffers: &Buffers, number: usize, shown: &Shown) -> Result<(Self, Vec<DMat4>)> {
        let document = &buffers.document;
        let Some(skin) = document.skins.get(number) else {
            let problem = format!("there are only {}", document.skins.len());
            return Err(LoadErrorKind::invalid(label("skin", number, None), problem));
        };
        let at = label("skin", number, skin.name.as_deref());
        let count = skin.joints.len();
        if count == 0 {
            return Err(LoadErrorKind::invalid(at, "it has no joints"));
        }
        let what = format_args!("{at}, with {count} joints,");
        // The maps as they were bound, and as they are in the default scene and in a moment.
        let each = size_of::<(usize, DMat4)>() + 2 * size_of::<DMat4>();
        buffers.budget.take(count as u64, each as u64, what)?;
        let bound = match skin.inverse_bind_matrices {
            None => Vec::new(),
            Some(index) => {
                let role = "inverseBindMatrices";
                let accessor = Accessor::open(buffers, index, &at, role, &MATRICES)?;
                if accessor.count < count {
                    let problem = format!("has {} matrices for {count} joints", accessor.count);
                    return Err(LoadErrorKind::invalid(accessor.at, problem));
                }
                accessor.floats::<16>(0.0)
            }
        };
        let mut joints = Vec::with_capacity(count);
        for (nth, joint) in skin.joints.iter().enumerate() {
            let bound = bound.get(nth).map(|matrix| matrix.map(f64::from));
            let bound = bound.map_or(DMat4::IDENTITY, |m| DMat4::from_cols_array(&m));
            if !bound.is_finite() {
                let problem = format!("the matrix of joint {nth} is not finite");
                return Err(LoadErrorKind::invalid(&at, problem));
            }
            joints.push((joint.index(), affine(bound)));
        }
        let skin = Self { joints };
        let matrices = skin.matrices(|node| shown.file_from_node(node));
        match matrices {
            Ok(matrices) => Ok((skin, matrices)),
            Err(joint) => {
                let problem = format!("its joint {joint} has no place");
                Err(LoadErrorKind::invalid(&at, problem))
            }
        }
    }

    /// Returns the nodes of the joints.
    pub fn joints(&self) -> impl Iterator<Item = usize> {
        self.joints.iter().map(|(node, _)| *node)
    }

    /// Returns the maps of the joints from mesh space to the space in which `placed` places nodes.
    /// The error is the node of a joint that has no place.
    pub fn matrices(
        &self,
        placed: impl Fn(usize) -> Option<DMat4>,
    ) -> std::result::Result<Vec<DMat4>, usize> {
        let joints = self.joints.iter();
        let matrices = joints.map(|&(node, bound)| Ok(placed(node).ok_or(node)? * bound));
        matrices.collect()
    }
}
