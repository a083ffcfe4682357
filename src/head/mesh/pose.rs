//! The pose in which a file shows a primitive: morph targets by their weights, then skins by their
//! joints (glTF 2.0, sections 3.7.2.2 and 3.7.3).

use super::nodes::Shown;
use super::primitive::{Attributes, NORMAL, POSITION, checked};
use crate::head::error::{LoadErrorKind, Result, label};
use crate::head::gltf::accessor::{Accessor, Expected};
use crate::head::gltf::buffers::Buffers;
use crate::head::gltf::document::{Index, Node};
use crate::head::model::Part;
use ::gltf::accessor::DataType;
use glam::{DMat3, DMat4, Vec3};
use std::collections::HashMap;
use std::rc::Rc;

const JOINTS: Expected = Expected {
    lanes: &[4],
    components: &[DataType::U8, DataType::U16],
    quantized: &[],
    text: "VEC4 of u8 or u16",
    advice: "Export the skin again.",
};
const WEIGHTS: Expected = Expected {
    lanes: &[4],
    components: &[DataType::F32, DataType::U8, DataType::U16],
    text: "VEC4 of f32, normalised u8 or u16",
    ..JOINTS
};
const MATRICES: Expected = Expected {
    lanes: &[16],
    components: &[DataType::F32],
    text: "MAT4 of f32",
    ..JOINTS
};

/// Sets of four joints that a vertex may have.
const MOST_SETS: usize = 4;

/// The skins of a file that were used so far: the map of each joint from mesh space as it was bound
/// to file space.
#[derive(Default)]
pub struct Skins(HashMap<usize, Rc<Vec<DMat4>>>);

/// Adds the morph targets of a primitive to a part, by the weights of the node or else of the mesh.
pub fn morph(attributes: &Attributes, weights: &[f32], part: &mut Part) -> Result<()> {
    let targets = attributes.primitive.targets.as_deref().unwrap_or_default();
    for (nth, (target, &weight)) in targets.iter().zip(weights).enumerate() {
        let place = format!("{}, morph target {nth}", attributes.place);
        if !weight.is_finite() {
            return Err(LoadErrorKind::invalid(place, "its weight is not finite"));
        }
        let add = |role: &str, expected: &Expected, vectors: &mut [Vec3]| -> Result<()> {
            let Some(&index) = target
                .get(role)
                .filter(|_| weight != 0.0 && !vectors.is_empty())
            else {
                return Ok(());
            };
            let moves = Accessor::open(attributes.buffers, index, &place, role, expected)?;
            let moves = checked(moves, vectors.len())?;
            for (vector, by) in vectors.iter_mut().zip(moves.floats::<3>(0.0)) {
                *vector += weight * Vec3::from(by);
            }
            // The memory is not given back, so that it also limits the time of very many targets.
            match vectors.iter().position(|vector| !vector.is_finite()) {
                Some(vertex) => {
                    let problem = format!("vertex {vertex} is not finite");
                    Err(LoadErrorKind::invalid(moves.at, problem))
                }
                None => Ok(()),
            }
        };
        add("POSITION", &POSITION, &mut part.positions)?;
        add("NORMAL", &NORMAL, &mut part.normals)?;
    }
    Ok(())
}

impl Skins {
    /// Moves a part to file space by the joints of the skin of its node. Returns `false` if it has
    /// none.
    pub fn bend(
        &mut self,
        attributes: &Attributes,
        node: &Node,
        shown: &Shown,
        part: &mut Part,
    ) -> Result<bool> {
        let (Some(skin), buffers) = (node.skin, attributes.buffers) else {
            return Ok(false);
        };
        let mut sets = Vec::new();
        for set in 0..MOST_SETS {
            let open = |role: &str, expected: &Expected| {
                let role = format!("{role}_{set}");
                attributes.of_vertices(&role, expected, part.positions.len())
            };
            let (Some(joints), Some(weights)) =
                (open("JOINTS", &JOINTS)?, open("WEIGHTS", &WEIGHTS)?)
            else {
                break;
            };
            sets.push((joints.whole::<4>(), weights.floats::<4>(0.0)));
        }
        if sets.is_empty() {
            return Ok(false);
        }
        let matrices = self.matrices(buffers, skin, shown)?;
        let joint = |vertex: usize, joint: u32| {
            matrices.get(joint as usize).ok_or_else(|| {
                let (place, count) = (attributes.place, matrices.len());
                let problem = format!("vertex {vertex} names joint {joint} of {count} of its skin");
                LoadErrorKind::invalid(place, problem)
            })
        };
        // Vertices that a mirrored joint turns inside out, less the others.
        let mut mirrored = 0_i64;
        for vertex in 0..part.positions.len() {
            let (mut matrix, mut sum) = (DMat4::ZERO, 0.0);
            for (joints, weights) in &sets {
                for (&number, &weight) in joints[vertex].iter().zip(&weights[vertex]) {
                    // A joint that does not count may have any number.
                    if weight != 0.0 {
                        matrix += *joint(vertex, number)? * f64::from(weight);
                        sum += f64::from(weight);
                    }
                }
            }
            let matrix = match sum != 0.0 && sum.is_finite() {
                true => matrix * (1.0 / sum),
                false => *joint(vertex, 0)?,
            };
            part.positions[vertex] = matrix
                .transform_point3(part.positions[vertex].as_dvec3())
                .as_vec3();
            let linear = DMat3::from_mat4(matrix);
            let (x, y, z) = (linear.x_axis, linear.y_axis, linear.z_axis);
            let is_mirrored = x.cross(y).dot(z) < 0.0;
            mirrored += if is_mirrored { 1 } else { -1 };
            let turned = |by: DMat3, v: Vec3| (by * v.as_dvec3()).normalize_or_zero().as_vec3();
            if let Some(normal) = part.normals.get_mut(vertex) {
                let sign = if is_mirrored { -1.0 } else { 1.0 };
                let cofactors = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y)) * sign;
                *normal = turned(cofactors, *normal);
            }
            let tangents = part.tangents.as_mut();
            if let Some(tangent) = tangents.and_then(|tangents| tangents.get_mut(vertex)) {
                *tangent = turned(linear, tangent.truncate()).extend(tangent.w);
            }
        }
        if mirrored > 0 {
            let triangles = part.triangles.iter_mut();
            triangles.for_each(|corners| corners.swap(1, 2));
        }
        let bytes = sets.len() * size_of::<([u32; 4], [f32; 4])>();
        (buffers.budget).give_back(part.positions.len() as u64, bytes as u64);
        Ok(true)
    }

    fn matrices(
        &mut self,
        buffers: &Buffers,
        index: Index,
        shown: &Shown,
    ) -> Result<Rc<Vec<DMat4>>> {
        if let Some(known) = self.0.get(&index.index()) {
            return Ok(known.clone());
        }
        let document = &buffers.document;
        let Some(skin) = document.skins.get(index.index()) else {
            let problem = format!("there are only {}", document.skins.len());
            return Err(LoadErrorKind::invalid(
                label("skin", index.index(), None),
                problem,
            ));
        };
        let at = label("skin", index.index(), skin.name.as_deref());
        let joints = skin.joints.len();
        let what = || format!("{at}, with {joints} joints,");
        buffers
            .budget
            .take(joints as u64, size_of::<DMat4>() as u64, what)?;
        let bound = match skin.inverse_bind_matrices {
            None => Vec::new(),
            Some(index) => {
                let role = "inverseBindMatrices";
                let accessor = Accessor::open(buffers, index, &at, role, &MATRICES)?;
                if accessor.count < joints {
                    let problem = format!("has {} matrices for {joints} joints", accessor.count);
                    return Err(LoadErrorKind::invalid(accessor.at, problem));
                }
                accessor.floats::<16>(0.0)
            }
        };
        let mut matrices = Vec::with_capacity(joints);
        for (nth, joint) in skin.joints.iter().enumerate() {
            let Some(file_from_joint) = shown.file_from_node(joint.index()) else {
                let problem = format!("its joint {} has no place", joint.0);
                return Err(LoadErrorKind::invalid(&at, problem));
            };
            let bound = bound.get(nth).map(|matrix| matrix.map(f64::from));
            let mut bound = bound.map_or(DMat4::IDENTITY, |m| DMat4::from_cols_array(&m));
            if !bound.is_finite() {
                let problem = format!("the matrix of joint {nth} is not finite");
                return Err(LoadErrorKind::invalid(&at, problem));
            }
            // The matrices are affine; a projective row is noise.
            (
                bound.x_axis.w,
                bound.y_axis.w,
                bound.z_axis.w,
                bound.w_axis.w,
            ) = (0.0, 0.0, 0.0, 1.0);
            matrices.push(file_from_joint * bound);
        }
        let matrices = Rc::new(matrices);
        self.0.insert(index.index(), matrices.clone());
        Ok(matrices)
    }
}
