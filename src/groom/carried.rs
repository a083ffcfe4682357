//! Strands that skin carries along as it moves.

use super::Groom;
use crate::head::Part;
use crate::scalp::{NearestFinder, Scalp};
use glam::{Mat3, Vec3};
use rayon::prelude::*;

/// Strands on the triangles of a part of a head.
#[derive(Clone, Debug)]
pub struct CarriedStrands {
    /// The strands on the part as it was loaded.
    at_rest: Groom,
    /// The vertices of the part that carry roots, ascending.
    vertices: Vec<u32>,
    roots: Vec<CarriedRoot>,
}

/// A root on a triangle of skin.
#[derive(Clone, Copy, Debug)]
struct CarriedRoot {
    /// Indices into the list of vertices that carry roots.
    corners: [u32; 3],
    weights: Vec3,
    /// The map from head space to the frame of the triangle at rest.
    frame_from_head: Mat3,
}

impl CarriedStrands {
    /// Finds the triangle that each root is on: the nearest one. Returns `None` without strands, and if
    /// the part has no triangle with an area.
    pub fn new(groom: &Groom, part: &Part) -> Option<Self> {
        if groom.is_empty() {
            return None;
        }
        let skin = Scalp::of_part(part)?;
        let nearest = NearestFinder::of(&skin);
        let found = groom.roots.par_iter().map(|&root| {
            let (point, _) = nearest.find(root, f64::INFINITY, |_| true)?;
            let corners = skin.triangles()[point.triangle as usize];
            let frame = frame(corners.map(|vertex| skin.positions()[vertex as usize]));
            Some((corners, point.weights, frame.transpose()))
        });
        let found = found.collect::<Option<Vec<_>>>()?;
        let mut vertices: Vec<u32> = found.iter().flat_map(|(corners, ..)| *corners).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let index = |vertex: u32| vertices.partition_point(|&carrying| carrying < vertex) as u32;
        let roots = found
            .into_iter()
            .map(|(corners, weights, frame_from_head)| CarriedRoot {
                corners: corners.map(index),
                weights,
                frame_from_head,
            });
        Some(Self {
            roots: roots.collect(),
            vertices,
            at_rest: groom.clone(),
        })
    }

    /// Returns the strands on the part as it was loaded.
    pub fn at_rest(&self) -> &Groom {
        &self.at_rest
    }

    /// Returns the vertices of the part that carry roots, ascending.
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// Returns the strands on skin whose [`vertices`](Self::vertices) are at these positions, head
    /// space. Each moves as its triangle does and keeps its shape.
    pub fn on(&self, positions: &[Vec3]) -> Groom {
        let mut groom = self.at_rest.clone();
        let turns: Vec<Mat3> = (self.roots.par_iter())
            .map(|root| {
                let corners = root.corners.map(|vertex| positions[vertex as usize]);
                frame(corners) * root.frame_from_head
            })
            .collect();
        for (at, root) in groom.roots.iter_mut().zip(&self.roots) {
            let [a, b, c] = root.corners.map(|vertex| positions[vertex as usize]);
            *at = a * root.weights.x + b * root.weights.y + c * root.weights.z;
        }
        for vectors in [&mut groom.directions, &mut groom.normals] {
            for (vector, turn) in vectors.iter_mut().zip(&turns) {
                *vector = (*turn * *vector).normalize_or(*vector);
            }
        }
        groom.curves = (self.at_rest.curves.as_ref()).map(|curves| curves.turned(&turns));
        groom
    }
}

/// Returns the axes of a triangle: its normal, a direction in its plane, and the one across both.
fn frame([a, b, c]: [Vec3; 3]) -> Mat3 {
    let normal = (b - a).cross(c - a).normalize_or(Vec3::Y);
    // The direction of the middle of an edge turns less than an edge where the triangle shears.
    let along = (b - a) + (b - c);
    let along = along - normal * along.dot(normal);
    let along = along.normalize_or(normal.any_orthonormal_vector());
    Mat3::from_cols(normal, along, normal.cross(along))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groom::RestCurves;
    use glam::Quat;

    fn part() -> Part {
        Part {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(9.0, 9.0, 9.0)],
            normals: vec![Vec3::Z; 4],
            triangles: vec![[0, 1, 2]],
            ..Part::default()
        }
    }

    #[test]
    fn strands_move_as_their_triangle_does() {
        let mut groom = Groom::parallel(vec![Vec3::new(0.25, 0.5, 0.0)], Vec3::Z, 1.0);
        let curve = vec![Vec3::ZERO, Vec3::Z * 0.5, Vec3::new(0.3, 0.0, 0.9)];
        groom.curves = RestCurves::new(3, curve.clone());
        let carried = CarriedStrands::new(&groom, &part()).unwrap();
        assert_eq!(carried.vertices(), [0, 1, 2]);
        let turn = Quat::from_rotation_x(0.7) * Quat::from_rotation_y(-2.0);
        let shift = Vec3::new(0.1, -0.4, 2.0);
        let moved = |point: &Vec3| turn * *point + shift;
        let positions: Vec<Vec3> = part().positions[..3].iter().map(moved).collect();
        let groom = carried.on(&positions);
        assert!(groom.roots[0].distance(moved(&Vec3::new(0.25, 0.5, 0.0))) < 1e-6);
        assert!(groom.normals[0].distance(turn * Vec3::Z) < 1e-6);
        assert!(groom.directions[0].distance(turn * Vec3::Z) < 1e-6);
        let curves = groom.curves.unwrap();
        for (point, at_rest) in curves.strand(0).iter().zip(curve) {
            assert!(point.distance(turn * at_rest) < 1e-6);
        }
    }

    #[test]
    fn skin_that_stretches_does_not_stretch_hair() {
        let groom = Groom::parallel(vec![Vec3::new(0.5, 0.5, 0.0)], Vec3::Z, 1.0);
        let carried = CarriedStrands::new(&groom, &part()).unwrap();
        let groom = carried.on(&[Vec3::ZERO, Vec3::X * 3.0, Vec3::Y]);
        assert!(groom.roots[0].distance(Vec3::new(1.5, 0.5, 0.0)) < 1e-6);
        assert_eq!((groom.lengths[0], groom.directions[0]), (1.0, Vec3::Z));
    }
}
