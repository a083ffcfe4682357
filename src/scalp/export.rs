//! The scalp for other programs.

use super::Scalp;
use crate::ply::{PlyEncoding, PlyWriter};

impl Scalp {
    /// A PLY mesh of the scalp triangles: `x y z` in head space (decimetres), `nx ny nz` vertex
    /// normals, `density` 0 to 1. The space is that of [`Roots::to_ply`](crate::Roots::to_ply).
    pub fn to_ply(&self, encoding: PlyEncoding) -> Vec<u8> {
        let names = ["x", "y", "z", "nx", "ny", "nz", "density"];
        let (vertices, triangles) = (self.positions.len(), self.triangles.len());
        let mut ply = PlyWriter::new(
            encoding,
            "scalp, decimetres",
            vertices,
            &names,
            &[],
            triangles,
        );
        let vertices = self.positions.iter().zip(&self.normals).zip(&self.density);
        for ((p, n), &density) in vertices {
            ply.vertex([p.x, p.y, p.z, n.x, n.y, n.z, density], []);
        }
        for &triangle in &self.triangles {
            ply.triangle(triangle);
        }
        ply.finish()
    }
}
