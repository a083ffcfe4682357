//! Roots for other programs: PLY and CSV.

use super::Roots;
use crate::ply::{Ply, PlyEncoding};
use std::fmt::Write as _;

/// Position, growth direction, face normal.
const COLUMNS: [&str; 9] = ["x", "y", "z", "nx", "ny", "nz", "fx", "fy", "fz"];

impl Roots {
    /// A PLY point cloud: `x y z` position in head space (decimetres), `nx ny nz` unit growth
    /// direction, `fx fy fz` unit normal of the face the root sits on.
    pub fn to_ply(&self, encoding: PlyEncoding) -> Vec<u8> {
        let comment = "hair roots, decimetres: position, growth direction, face normal";
        let mut ply = Ply::new(encoding, comment, self.positions.len(), &COLUMNS, 0);
        for row in self.rows() {
            ply.vertex(row);
        }
        ply.finish()
    }

    /// The same as comma-separated values under a line of names. Each number is exact also for
    /// who reads it in double precision: rounding would move roots closer than the spacing.
    pub fn to_csv(&self) -> String {
        let mut csv = COLUMNS.join(",") + "\n";
        for row in self.rows() {
            for (nth, x) in row.into_iter().enumerate() {
                let comma = if nth > 0 { "," } else { "" };
                // Writing to a string cannot fail.
                _ = write!(csv, "{comma}{}", f64::from(x));
            }
            csv.push('\n');
        }
        csv
    }

    fn rows(&self) -> impl Iterator<Item = [f32; 9]> {
        let sides = self.directions.iter().zip(&self.face_normals);
        self.positions.iter().zip(sides).map(|(p, (d, f))| {
            let [p, d, f] = [p, d, f].map(|v| v.to_array());
            [p[0], p[1], p[2], d[0], d[1], d[2], f[0], f[1], f[2]]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn two() -> Roots {
        Roots {
            spacing: 0.5,
            points: Vec::new(),
            positions: vec![Vec3::new(0.1, -2.0, 3.5), Vec3::ZERO],
            directions: vec![Vec3::Y; 2],
            face_normals: vec![Vec3::Z, Vec3::X],
            ranks: vec![0, 1],
            full_count: 2,
            scaled: false,
        }
    }

    #[test]
    fn csv_has_names_and_exact_numbers() {
        let expected =
            "x,y,z,nx,ny,nz,fx,fy,fz\n0.10000000149011612,-2,3.5,0,1,0,0,0,1\n0,0,0,0,1,0,1,0,0\n";
        assert_eq!(two().to_csv(), expected);
    }

    #[test]
    fn both_kinds_of_ply_say_the_same() {
        let ascii = String::from_utf8(two().to_ply(PlyEncoding::Ascii)).unwrap();
        let (header, body) = ascii.split_once("end_header\n").unwrap();
        assert!(header.starts_with("ply\nformat ascii 1.0\n"), "{header}");
        assert!(
            header.contains("element vertex 2\nproperty float x\n"),
            "{header}"
        );
        assert_eq!(
            body,
            "0.10000000149011612 -2 3.5 0 1 0 0 0 1\n0 0 0 0 1 0 1 0 0\n"
        );

        let binary = two().to_ply(PlyEncoding::BinaryLittleEndian);
        let header = header.replace("ascii", "binary_little_endian") + "end_header\n";
        let (head, body) = binary.split_at(header.len());
        assert_eq!(head, header.as_bytes());
        let numbers: Vec<f32> = (body.chunks(4))
            .map(|four| f32::from_le_bytes(four.try_into().unwrap()))
            .collect();
        assert_eq!(numbers[..4], [0.1, -2.0, 3.5, 0.0]);
        assert_eq!(numbers.len(), 18);
    }
}
