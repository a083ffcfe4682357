//! Normals and tangents: computed where a file has none, repaired where they are broken.
//!
//! glTF asks for flat normals where there are none. Hair needs smooth ones: each is the mean
//! of the triangles that meet at a *position*, weighted by their angles there, so that
//! seams of texture coordinates do not show.

use crate::head::doubled;
use crate::head::error::Result;
use crate::head::limits::Budget;
use glam::{DVec3, Vec3, Vec4};

/// Memory that [`smooth`] needs, in bytes per vertex.
const BYTES_PER_VERTEX: u64 = 32;

/// Computes the normals of a part that are missing or have no direction, within a budget. `place`
/// names the part in errors.
pub fn complete(
    normals: &mut Vec<Vec3>,
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    (budget, place): (&Budget, &str),
) -> Result<()> {
    let is_broken = |normal: &Vec3| unit(*normal) == Vec3::ZERO;
    if normals.len() == positions.len() && !normals.iter().any(is_broken) {
        return Ok(());
    }
    let bytes = BYTES_PER_VERTEX * positions.len() as u64
        + doubled::BYTES_PER_TRIANGLE * triangles.len() as u64;
    budget.take(bytes, 1, format_args!("{place}: computing normals"))?;
    // Those of two sides would cancel out.
    let computed = smooth(positions, &doubled::outer_triangles(positions, triangles));
    budget.give_back(bytes, 1);
    normals.resize(positions.len(), Vec3::ZERO);
    for (normal, computed) in normals.iter_mut().zip(computed) {
        if is_broken(normal) {
            *normal = computed;
        }
    }
    Ok(())
}

/// Returns angle-weighted unit normals of vertices welded by position.
pub fn smooth(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    // Adding zero turns -0 into 0.
    let key = |v: u32| {
        (positions[v as usize] + Vec3::ZERO)
            .to_array()
            .map(f32::to_bits)
    };
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    order.sort_unstable_by_key(|&v| key(v));
    // The group of each vertex is the same for all vertices at one position.
    let mut group = vec![0u32; positions.len()];
    let mut groups = 0;
    for (nth, &v) in order.iter().enumerate() {
        if nth > 0 && key(order[nth - 1]) != key(v) {
            groups += 1;
        }
        group[v as usize] = groups;
    }
    drop(order);
    let mut sums = vec![Vec3::ZERO; positions.len().min(groups as usize + 1)];
    for corners in triangles {
        let p = corners.map(|corner| positions[corner as usize].as_dvec3());
        let Some(face) = face_normal(p) else { continue };
        for i in 0..3 {
            let to_next = (p[(i + 1) % 3] - p[i]).normalize_or_zero();
            let to_last = (p[(i + 2) % 3] - p[i]).normalize_or_zero();
            let angle = to_next.dot(to_last).clamp(-1.0, 1.0).acos();
            sums[group[corners[i] as usize] as usize] += (face * angle).as_vec3();
        }
    }
    let normals = group.iter().map(|&group| unit(sums[group as usize]));
    let mut normals: Vec<Vec3> = normals.collect();
    // The sums of two sheets back to back cancel; there each vertex takes the normal of a face.
    for corners in triangles {
        let is_zero = |&corner: &u32| normals[corner as usize] == Vec3::ZERO;
        if corners.iter().any(is_zero) {
            let p = corners.map(|corner| positions[corner as usize].as_dvec3());
            let face = face_normal(p).unwrap_or_default().as_vec3();
            for corner in corners {
                let normal = &mut normals[*corner as usize];
                *normal = if *normal == Vec3::ZERO { face } else { *normal };
            }
        }
    }
    for normal in normals.iter_mut().filter(|normal| **normal == Vec3::ZERO) {
        *normal = Vec3::Y;
    }
    normals
}

/// Returns the unit normal of a counter-clockwise triangle; `None` if it has no area.
fn face_normal([a, b, c]: [DVec3; 3]) -> Option<DVec3> {
    (b - a)
        .normalize_or_zero()
        .cross((c - a).normalize_or_zero())
        .try_normalize()
}

/// Returns the vector at unit length, or zero for a vector without direction.
pub fn unit(v: Vec3) -> Vec3 {
    v.as_dvec3().normalize_or_zero().as_vec3()
}

/// Returns a unit tangent at a right angle to a unit normal, with w = ±1.
pub fn tangent(tangent: Vec3, w: f32, normal: Vec3) -> Vec4 {
    let mut flat = unit(tangent - normal * normal.dot(tangent));
    if flat == Vec3::ZERO {
        flat = normal.any_orthonormal_vector();
    }
    flat.extend(if w < 0.0 { -1.0 } else { 1.0 })
}
