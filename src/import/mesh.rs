//! A plain mesh.

use super::error::ImportErrorKind;
use crate::head::smooth_normals;
use crate::scalp::Scalp;
use glam::Vec3;

/// A mesh as read from a file. `normals` and `density`, if any, are as long as `positions`; all
/// corners are in range.
pub struct Mesh {
    pub positions: Vec<Vec3>,
    pub normals: Option<Vec<Vec3>>,
    pub density: Option<Vec<f32>>,
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    pub fn into_scalp(mut self) -> Result<Scalp, ImportErrorKind> {
        if self.triangles.is_empty() {
            return Err(ImportErrorKind::NoFaces);
        }
        if let Some(density) = &self.density {
            // NaN stays, for the check that names it.
            let is_painted = |&v: &u32| !density.get(v as usize).is_some_and(|&d| d <= 0.0);
            (self.triangles).retain(|corners| corners.iter().any(is_painted));
            if self.triangles.is_empty() {
                return Err(ImportErrorKind::NoDensity);
            }
        }
        let vertices = self.positions.len();
        let smooth = || smooth_normals(&self.positions, &self.triangles);
        let normals = self.normals.unwrap_or_else(smooth);
        let density = self.density.unwrap_or_else(|| vec![1.0; vertices]);
        Scalp::new(self.positions, normals, self.triangles, density).map_err(ImportErrorKind::Scalp)
    }
}
