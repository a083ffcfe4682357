//! The painted surface that hair grows on.

use crate::head::Head;
use glam::Vec3;

/// Scalp triangles only: triangles whose three corners all have density above 0.
#[derive(Clone, Debug)]
pub struct Scalp {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    density: Vec<f32>,
    triangles: Vec<[u32; 3]>,
    face_normals: Vec<Vec3>,
    areas: Vec<f64>,
    area: f64,
}

/// A point of the scalp: a triangle and barycentric weights that sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Index into [`Scalp::triangles`].
    pub triangle: u32,
    /// Weights of the three corners.
    pub weights: Vec3,
}

impl Scalp {
    /// The scalp of a head; `None` when nothing is painted.
    pub fn of_head(_head: &Head) -> Option<Scalp> {
        unimplemented!()
    }
}
