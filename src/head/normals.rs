//! Normals and tangents: computed where a file has none, repaired where they are broken.
//!
//! glTF asks for flat normals where there are none. Hair wants smooth ones, so
//! they are averaged over all triangles that meet at a *position* (seams of
//! texture coordinates vanish), each weighted by its angle there.

use glam::{DVec3, Vec3, Vec4};

/// Memory for [`smooth`], in bytes per vertex.
pub const BYTES_PER_VERTEX: u64 = 32;

/// Angle-weighted unit normals of vertices welded by position.
pub fn smooth(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    // welded[v] is the same for all vertices at one position.
    let key = |v: u32| {
        (positions[v as usize] + Vec3::ZERO)
            .to_array()
            .map(f32::to_bits)
    };
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    order.sort_unstable_by_key(|&v| key(v));
    let mut welded = vec![0u32; positions.len()];
    let mut groups = 0;
    for (nth, &v) in order.iter().enumerate() {
        if nth > 0 && key(order[nth - 1]) != key(v) {
            groups += 1;
        }
        welded[v as usize] = groups;
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
            sums[welded[corners[i] as usize] as usize] += (face * angle).as_vec3();
        }
    }
    let sum = |v: usize| sums.get(welded[v] as usize).copied().unwrap_or_default();
    let mut normals: Vec<Vec3> = (0..positions.len()).map(|v| unit(sum(v))).collect();
    // Two sheets back to back cancel out: there each vertex takes its own face's.
    for corners in triangles {
        if corners
            .iter()
            .any(|&corner| normals[corner as usize] == Vec3::ZERO)
        {
            let p = corners.map(|corner| positions[corner as usize].as_dvec3());
            let face = face_normal(p).unwrap_or_default().as_vec3();
            for &corner in corners {
                if normals[corner as usize] == Vec3::ZERO {
                    normals[corner as usize] = face;
                }
            }
        }
    }
    for normal in &mut normals {
        if *normal == Vec3::ZERO {
            *normal = Vec3::Y;
        }
    }
    normals
}

/// The unit normal of a counter-clockwise triangle; none if it has no area.
fn face_normal([a, b, c]: [DVec3; 3]) -> Option<DVec3> {
    (b - a)
        .normalize_or_zero()
        .cross((c - a).normalize_or_zero())
        .try_normalize()
}

/// Unit length, or zero for what has no direction.
pub fn unit(v: Vec3) -> Vec3 {
    v.as_dvec3().try_normalize().unwrap_or_default().as_vec3()
}

/// A unit tangent at a right angle to a unit normal, w = ±1.
pub fn tangent(tangent: Vec3, w: f32, normal: Vec3) -> Vec4 {
    let flat = unit(tangent - normal * normal.dot(tangent));
    let flat = if flat == Vec3::ZERO {
        normal.any_orthonormal_vector()
    } else {
        flat
    };
    flat.extend(if w < 0.0 { -1.0 } else { 1.0 })
}
