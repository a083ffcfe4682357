//! Meshes: from the scene graph to vertices and triangles in head space.
//!
//! `mesh` moves primitives from mesh space to file space and head space: winding, normals,
//! tangents. Its children find which meshes the default scene shows and their transforms
//! (`nodes`), check the attributes of a primitive (`attributes`), read it (`primitive`), bend it as
//! morph targets and skins say (`pose`), compute hair density from vertex colours (`paint`), and
//! smooth normals where a file has none (`normals`).

pub mod attributes;
pub mod nodes;
pub mod normals;
pub mod paint;
pub mod pose;
pub mod primitive;

use super::error::{LoadErrorKind, Result, Warnings};
use super::limits::{Budget, MAX_COORDINATE};
use super::model::Part;
use super::units::Units;
use glam::{DMat3, DMat4, DVec3, Vec3};
use primitive::Unpainted;

/// A part in mesh space, on its way to head space.
pub struct PlacedPart {
    pub part: Part,
    /// The primitive as messages name it: `mesh 2 "head", primitive 0`.
    pub place: String,
    pub file_from_mesh: DMat4,
    /// The index of its node in the file.
    pub node: usize,
    /// `true` if a name of it has the word hair.
    pub is_hair: bool,
    /// The index of the material in the file.
    pub material: Option<usize>,
    pub unpainted: Unpainted,
}

impl PlacedPart {
    /// Returns the position of a vertex in file space.
    pub fn position(&self, vertex: u32) -> DVec3 {
        let local = self.part.positions[vertex as usize];
        self.file_from_mesh.transform_point3(local.as_dvec3())
    }

    /// Moves the part to head space and completes its normals and tangents.
    pub fn move_to_head(
        &mut self,
        units: &Units,
        budget: &Budget,
        warnings: &mut Warnings,
    ) -> Result<()> {
        let (part, place) = (&mut self.part, &self.place);
        let (scale, centre) = (f64::from(units.scale), units.centre.as_dvec3());
        for position in &mut part.positions {
            let in_file = self.file_from_mesh.transform_point3(position.as_dvec3());
            *position = ((in_file - centre) * scale).as_vec3();
        }
        let is_near = |p: &Vec3| p.is_finite() && p.abs().max_element() <= MAX_COORDINATE;
        if let Some(vertex) = part.positions.iter().position(|p| !is_near(p)) {
            let problem = format!("vertex {vertex} is too far away after its node's transform");
            return Err(LoadErrorKind::invalid(place, problem));
        }

        // Directions do not depend on scale; dividing by the largest element avoids underflow.
        let linear = DMat3::from_mat4(self.file_from_mesh);
        let (x, y, z) = (linear.x_axis, linear.y_axis, linear.z_axis);
        let largest = x.abs().max(y.abs()).max(z.abs()).max_element();
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

        if is_mirrored {
            let triangles = part.triangles.iter_mut();
            triangles.for_each(|corners| corners.swap(1, 2));
        }
        for normal in &mut part.normals {
            *normal = normals::unit((cofactors * normals::unit(*normal).as_dvec3()).as_vec3());
        }
        let broken = part.normals.iter().filter(|&&n| n == Vec3::ZERO).count();
        if broken > 0 {
            warnings.push(format!(
                "{place}: {broken} normals have no direction; computed"
            ));
        }
        let (positions, triangles) = (&part.positions, &part.triangles);
        normals::complete(&mut part.normals, positions, triangles, (budget, place))?;
        let tangents = part.tangents.iter_mut().flatten();
        for (tangent, &normal) in tangents.zip(&part.normals) {
            let turned = linear * normals::unit(tangent.truncate()).as_dvec3();
            *tangent = normals::tangent(turned.as_vec3(), tangent.w * sign as f32, normal);
        }
        Ok(())
    }
}
