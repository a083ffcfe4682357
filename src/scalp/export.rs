//! The scalp for other programs.

use super::Scalp;
use crate::ply::{Ply, PlyEncoding};

impl Scalp {
    /// A PLY mesh of the scalp triangles: `x y z` in head space (decimetres), `nx ny nz` vertex
    /// normals, `density` 0 to 1. The space is that of [`Roots::to_ply`](crate::Roots::to_ply).
    pub fn to_ply(&self, encoding: PlyEncoding) -> Vec<u8> {
        let names = ["x", "y", "z", "nx", "ny", "nz", "density"];
        let properties = names.map(|name| format!("float {name}"));
        let properties = properties.each_ref().map(String::as_str);
        let elements = [
            ("vertex", self.positions.len(), &properties[..]),
            (
                "face",
                self.triangles.len(),
                &["list uchar uint vertex_indices"],
            ),
        ];
        let mut ply = Ply::new(encoding, "scalp, decimetres", &elements);
        let vertices = self.positions.iter().zip(&self.normals).zip(&self.density);
        for ((p, n), &density) in vertices {
            ply.floats([p.x, p.y, p.z, n.x, n.y, n.z, density]);
        }
        for &triangle in &self.triangles {
            ply.triangle(triangle);
        }
        ply.finish()
    }
}
