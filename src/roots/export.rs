//! Exports roots as PLY and CSV.

use super::Roots;
use crate::ply::{self, PlyEncoding};
use crate::scalp::Scalp;
use std::fmt::Write as _;

/// The columns: position, growth direction, face normal, painted density.
const COLUMNS: [&str; 10] = ["x", "y", "z", "nx", "ny", "nz", "fx", "fy", "fz", "density"];
/// The column of the rank in the full set.
const RANK: &str = "rank";

impl Roots {
    /// Returns a PLY point cloud: `x y z` position in head space (decimetres), `nx ny nz` unit
    /// growth direction, `fx fy fz` unit normal of the face, `density` 0 to 1 as painted, and
    /// `rank` from 0. `scalp` is the one that was sampled.
    pub fn to_ply(&self, scalp: &Scalp, encoding: PlyEncoding) -> Vec<u8> {
        let comment = "hair roots, decimetres: position, growth direction, face normal";
        let names = (COLUMNS, [RANK]);
        ply::write(encoding, comment, names, self.rows(scalp), &[])
    }

    /// Returns the same as comma-separated values under a line of names. Numbers are exact also in
    /// double precision, since rounding would move roots closer than the spacing.
    pub fn to_csv(&self, scalp: &Scalp) -> String {
        let mut csv = format!("{},{RANK}\n", COLUMNS.join(","));
        for (row, [rank]) in self.rows(scalp) {
            for x in row {
                // Writing to a string cannot fail.
                _ = write!(csv, "{},", f64::from(x));
            }
            _ = writeln!(csv, "{rank}");
        }
        csv
    }

    fn rows(&self, scalp: &Scalp) -> impl ExactSizeIterator<Item = ([f32; 10], [u32; 1])> {
        let sides = self.directions.iter().zip(&self.face_normals);
        let places = self.points.iter().zip(&self.ranks);
        let roots = self.positions.iter().zip(sides).zip(places);
        roots.map(|((p, (d, f)), (&point, &rank))| {
            let [[x, y, z], [nx, ny, nz], [fx, fy, fz]] = [*p, *d, *f].map(|v| v.to_array());
            let row = [x, y, z, nx, ny, nz, fx, fy, fz, scalp.density(point)];
            (row, [rank])
        })
    }
}
