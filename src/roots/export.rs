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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalp::SurfacePoint;
    use glam::Vec3;

    #[test]
    fn both_kinds_of_ply_say_the_same() {
        let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        let (normals, density) = (vec![Vec3::Z; 3], vec![0.5, 0.5, 1.0]);
        let scalp = Scalp::new(corners, normals, vec![[0, 1, 2]], density).unwrap();
        let points = [Vec3::X, Vec3::Z].map(|weights| SurfacePoint {
            triangle: 0,
            weights,
        });
        let roots = Roots {
            points: points.to_vec(),
            positions: vec![Vec3::new(0.1, -2.0, 3.5), Vec3::ZERO],
            directions: vec![Vec3::Y; 2],
            face_normals: vec![Vec3::Z, Vec3::X],
            ranks: vec![0, 7],
            ..Roots::default()
        };
        let csv = "x,y,z,nx,ny,nz,fx,fy,fz,density,rank\n\
            0.10000000149011612,-2,3.5,0,1,0,0,0,1,0.5,0\n0,0,0,0,1,0,1,0,0,1,7\n";
        assert_eq!(roots.to_csv(&scalp), csv);

        let ascii = String::from_utf8(roots.to_ply(&scalp, PlyEncoding::Ascii)).unwrap();
        let (header, body) = ascii.split_once("end_header\n").unwrap();
        for part in [
            "ply\nformat ascii 1.0\n",
            "element vertex 2\nproperty float x\n",
        ] {
            assert!(header.contains(part), "{header}");
        }
        assert!(header.ends_with("property uint rank\n"), "{header}");
        assert_eq!(body, csv.split_once('\n').unwrap().1.replace(',', " "));

        let header = header.replace("ascii", "binary_little_endian") + "end_header\n";
        let mut binary = header.into_bytes();
        for line in body.lines() {
            let (floats, rank) = line.rsplit_once(' ').unwrap();
            let floats = floats.split(' ').map(|x| x.parse::<f32>().unwrap());
            binary.extend(floats.flat_map(f32::to_le_bytes));
            binary.extend(rank.parse::<u32>().unwrap().to_le_bytes());
        }
        assert!(roots.to_ply(&scalp, PlyEncoding::BinaryLittleEndian) == binary);
    }
}
