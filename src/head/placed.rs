//! A primitive under its node: from mesh space to file space to head space.

use super::error::{LoadErrorKind, Result, Warnings};
use super::geometry::Geometry;
use super::limits::Budget;
use super::normals;
use super::{Part, PrimitiveRef, Units};
use glam::{DMat3, DMat4, DVec3, Vec3, Vec4};

/// A part in mesh space, and how it gets to file space.
pub struct Placed {
    /// Unique.
    pub name: String,
    /// For messages: `mesh 2 "head", primitive 0`.
    pub place: String,
    pub world: DMat4,
    pub geometry: Geometry,
    pub material: Option<usize>,
    pub source: PrimitiveRef,
}

impl Placed {
    /// A vertex in file space.
    pub fn position(&self, vertex: u32) -> DVec3 {
        let local = Vec3::from(self.geometry.positions[vertex as usize]);
        self.world.transform_point3(local.as_dvec3())
    }

    /// The box around all triangles, in file space.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let corners = self.geometry.triangles.iter().flatten();
        corners.fold(EMPTY, |(low, high), &corner| {
            let p = self.position(corner);
            (low.min(p), high.max(p))
        })
    }
}

/// The bounds of nothing.
pub const EMPTY: (DVec3, DVec3) = (DVec3::INFINITY, DVec3::NEG_INFINITY);

/// Moves a part to head space and completes its normals and tangents.
pub fn finish(
    part: Placed,
    units: &Units,
    material: usize,
    budget: &Budget,
    warnings: &mut Warnings,
) -> Result<Part> {
    let Placed {
        name,
        place,
        world,
        geometry,
        source,
        ..
    } = part;
    let scale = f64::from(units.scale);
    let centre = units.centre.as_dvec3();
    let to_head = |p: [f32; 3]| {
        let file = world.transform_point3(Vec3::from(p).as_dvec3());
        ((file - centre) * scale).as_vec3()
    };
    let positions: Vec<Vec3> = geometry.positions.into_iter().map(to_head).collect();
    if let Some(vertex) = positions.iter().position(|p| !p.is_finite()) {
        let problem = format!("vertex {vertex} is too far away after its node's transform");
        return Err(LoadErrorKind::invalid(place, problem));
    }

    // Directions do not care for size; a unit matrix keeps tiny scales from underflow.
    let linear = DMat3::from_mat4(world);
    let largest = linear
        .to_cols_array()
        .iter()
        .fold(0.0f64, |most, lane| most.max(lane.abs()));
    let linear = if largest > 0.0 {
        linear * (1.0 / largest)
    } else {
        DMat3::IDENTITY
    };
    let mirrored = linear.determinant() < 0.0;
    let sign = if mirrored { -1.0 } else { 1.0 };
    // The cofactor matrix is the inverse transpose but for a factor, and exists
    // for flattened parts too.
    let (x, y, z) = (linear.x_axis, linear.y_axis, linear.z_axis);
    let for_normals = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y)) * sign;

    let mut triangles = geometry.triangles;
    if mirrored {
        for [_, b, c] in &mut triangles {
            std::mem::swap(b, c);
        }
    }
    let mut normals: Vec<Vec3> = match geometry.normals {
        Some(given) => given
            .into_iter()
            .map(|n| normals::unit((for_normals * normals::unit(n.into()).as_dvec3()).as_vec3()))
            .collect(),
        None => Vec::new(),
    };
    let broken = normals
        .iter()
        .filter(|&&normal| normal == Vec3::ZERO)
        .count();
    if normals.is_empty() || broken > 0 {
        if broken > 0 {
            warnings.push(format!(
                "{place}: {broken} normals have no direction; computed"
            ));
        }
        let vertices = positions.len() as u64;
        let what = || format!("{place}: computing normals");
        budget.take(vertices, normals::BYTES_PER_VERTEX, what)?;
        let computed = normals::smooth(&positions, &triangles);
        budget.give_back(vertices, normals::BYTES_PER_VERTEX);
        if normals.is_empty() {
            normals = computed;
        } else {
            for (normal, computed) in normals.iter_mut().zip(computed) {
                if *normal == Vec3::ZERO {
                    *normal = computed;
                }
            }
        }
    }
    let tangents = geometry.tangents.map(|tangents| {
        let moved = tangents
            .into_iter()
            .zip(&normals)
            .map(|([x, y, z, w], &normal)| {
                let tangent = linear * normals::unit(Vec3::new(x, y, z)).as_dvec3();
                normals::tangent(tangent.as_vec3(), w * sign as f32, normal)
            });
        moved.collect()
    });
    let rgba = |colors: Vec<[f32; 4]>| {
        colors
            .into_iter()
            .map(|c| Vec4::from(c).max(Vec4::ZERO))
            .collect()
    };
    Ok(Part {
        name,
        positions,
        normals,
        tangents,
        uvs: geometry
            .uvs
            .map(|uvs| uvs.into_iter().map(Into::into).collect()),
        colors: geometry.colors.map(rgba),
        triangles,
        paint: geometry.paint,
        material,
        source: Some(source),
    })
}
