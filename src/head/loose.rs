//! A model of nothing but places that hair grows from.

use super::convert::to_gltf;
use super::error::Warnings;
use super::limits::Limits;
use crate::ply::{self, PlyEncoding};
use glam::Vec3;

/// Returns a model of a triangle with a side of this length at each place, whose normal is given.
pub(crate) fn loose_model(places: impl Iterator<Item = (Vec3, Vec3)>, side: f32) -> Vec<u8> {
    let triangle = |(place, normal): (Vec3, Vec3)| {
        let (a, b) = normal.any_orthonormal_pair();
        let corners = [a, b - a, -b].map(|corner| place + corner * side);
        corners.map(|corner| {
            let ([x, y, z], [nx, ny, nz]) = (corner.to_array(), normal.to_array());
            ([x, y, z, nx, ny, nz, 1.0], [])
        })
    };
    let vertices: Vec<_> = places.flat_map(triangle).collect();
    let faces: Vec<[u32; 3]> = (0..vertices.len() as u32 / 3)
        .map(|i| [3 * i, 3 * i + 1, 3 * i + 2])
        .collect();
    let names = (["x", "y", "z", "nx", "ny", "nz", "density"], []);
    let encoding = PlyEncoding::BinaryLittleEndian;
    let mesh = ply::write(encoding, "roots", names, vertices.into_iter(), &faces);
    let limits = Limits {
        memory_free: u64::MAX,
        ..Limits::default()
    };
    let model = to_gltf((&mesh[..]).into(), None, &limits, &mut Warnings::default());
    let model = model.map(|model| model.bytes.into_owned());
    // A mesh of our own is converted, or else read as it is.
    model.unwrap_or(mesh)
}
