//! Meshes: from the scene graph to vertices and triangles in head space.
//!
//! `mesh` moves primitives from mesh space to file space and head space: winding, normals,
//! tangents. Its children find which meshes the default scene shows and their transforms
//! (`nodes`), read the attributes and the triangles of a primitive (`primitive`), compute hair
//! density from vertex colours (`paint`), and smooth normals where a file has none (`normals`).

pub mod nodes;
pub mod normals;
pub mod paint;
pub mod primitive;

use super::error::{LoadErrorKind, Result, Warnings};
use super::limits::Budget;
use super::model::{Part, PrimitiveRef, Units};
use glam::{DMat3, DMat4, DVec3, Vec2, Vec3, Vec4};

/// A primitive in mesh space with its transform to file space.
pub struct PlacedPrimitive {
    /// Unique in the head.
    pub name: String,
    /// The primitive as messages name it: `mesh 2 "head", primitive 0`.
    pub place: String,
    pub file_from_mesh: DMat4,
    pub geometry: primitive::Geometry,
    pub material: Option<usize>,
    pub source: PrimitiveRef,
}

impl PlacedPrimitive {
    /// Returns the position of a vertex in file space.
    pub fn position(&self, vertex: u32) -> DVec3 {
        let local = Vec3::from(self.geometry.positions[vertex as usize]);
        self.file_from_mesh.transform_point3(local.as_dvec3())
    }

    /// Moves the primitive to head space and completes its normals and tangents.
    pub fn into_part(
        self,
        units: &Units,
        material: usize,
        budget: &Budget,
        warnings: &mut Warnings,
    ) -> Result<Part> {
        let (geometry, place) = (self.geometry, self.place);
        let (scale, centre) = (f64::from(units.scale), units.centre.as_dvec3());
        let to_head = |p: [f32; 3]| {
            let local = Vec3::from(p).as_dvec3();
            ((self.file_from_mesh.transform_point3(local) - centre) * scale).as_vec3()
        };
        let positions: Vec<Vec3> = geometry.positions.into_iter().map(to_head).collect();
        if let Some(vertex) = positions.iter().position(|p| !p.is_finite()) {
            let problem = format!("vertex {vertex} is too far away after its node's transform");
            return Err(LoadErrorKind::invalid(place, problem));
        }

        // Directions do not depend on scale; dividing by the largest element avoids underflow.
        let linear = DMat3::from_mat4(self.file_from_mesh);
        let max_abs = |axis: DVec3| axis.abs().max_element();
        let (x, y, z) = (linear.x_axis, linear.y_axis, linear.z_axis);
        let largest = max_abs(x).max(max_abs(y)).max(max_abs(z));
        let linear = match largest > 0.0 {
            true => linear * (1.0 / largest),
            false => DMat3::IDENTITY,
        };
        let is_mirrored = linear.determinant() < 0.0;
        let sign = if is_mirrored { -1.0 } else { 1.0 };
        // The cofactor matrix is the inverse transpose up to a factor, and exists for flattened
        // primitives too.
        let (x, y, z) = (linear.x_axis, linear.y_axis, linear.z_axis);
        let cofactors = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y)) * sign;

        let mut triangles = geometry.triangles;
        if is_mirrored {
            triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
        }
        let turn =
            |n: [f32; 3]| normals::unit((cofactors * normals::unit(n.into()).as_dvec3()).as_vec3());
        let given = geometry.normals.unwrap_or_default().into_iter();
        let mut normals: Vec<Vec3> = given.map(turn).collect();
        let broken = normals.iter().filter(|&&n| n == Vec3::ZERO).count();
        if broken > 0 {
            warnings.push(format!(
                "{place}: {broken} normals have no direction; computed"
            ));
        }
        if normals.is_empty() || broken > 0 {
            let vertices = positions.len() as u64;
            let what = || format!("{place}: computing normals");
            budget.take(vertices, normals::BYTES_PER_VERTEX, what)?;
            let computed = normals::smooth(&positions, &triangles);
            budget.give_back(vertices, normals::BYTES_PER_VERTEX);
            normals.resize(computed.len(), Vec3::ZERO);
            for (normal, computed) in normals.iter_mut().zip(computed) {
                if *normal == Vec3::ZERO {
                    *normal = computed;
                }
            }
        }
        let tangents = geometry.tangents.map(|tangents| {
            let turn = |([x, y, z, w], &normal): ([f32; 4], &Vec3)| {
                let tangent = linear * normals::unit(Vec3::new(x, y, z)).as_dvec3();
                normals::tangent(tangent.as_vec3(), w * sign as f32, normal)
            };
            tangents.into_iter().zip(&normals).map(turn).collect()
        });
        let rgba = |color: [f32; 4]| Vec4::from(color).max(Vec4::ZERO);
        let colors = geometry.colors;
        let uvs = geometry.uvs;
        Ok(Part {
            name: self.name,
            positions,
            normals,
            tangents,
            uvs: uvs.map(|uvs| uvs.into_iter().map(Vec2::from).collect()),
            colors: colors.map(|colors| colors.into_iter().map(rgba).collect()),
            triangles,
            paint: geometry.paint,
            material,
            source: Some(self.source),
        })
    }
}

/// Returns the low and high corner of the box around all triangles, in file space.
pub fn bounds(primitives: &[PlacedPrimitive]) -> (DVec3, DVec3) {
    let corners = primitives.iter().flat_map(|primitive| {
        let corners = primitive.geometry.triangles.iter().flatten();
        corners.map(|&corner| primitive.position(corner))
    });
    let empty = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    corners.fold(empty, |(low, high), p| (low.min(p), high.max(p)))
}
