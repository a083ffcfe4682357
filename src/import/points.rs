//! Points that somebody else has sampled.

use super::{ImportError, ImportErrorKind};
use crate::ply;
use crate::roots::MAX_STRANDS;
use glam::Vec3;
use std::path::Path;

/// The columns that are read, as [`Roots::to_ply`](crate::Roots::to_ply) names them.
const NAMES: [&str; 9] = ["x", "y", "z", "nx", "ny", "nz", "fx", "fy", "fz"];

/// A set of points, wherever it comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointSet {
    /// Where the points are, in the units of the surface they lie on.
    pub positions: Vec<Vec3>,
    /// Which way the surface looks at each point, of any length: tells the sides of a thin sheet.
    pub normals: Option<Vec<Vec3>>,
}

impl PointSet {
    /// Reads `x y z` from a `.ply` or `.csv` file; as normals `fx fy fz`, or else `nx ny nz`.
    ///
    /// # Errors
    ///
    /// What cannot be read, no points, more than [`MAX_STRANDS`], or numbers that are not finite.
    pub fn load(path: &Path) -> Result<PointSet, ImportError> {
        let of_points = |(bytes, extension): (Vec<u8>, String)| {
            let columns = match extension.as_str() {
                "ply" => {
                    ply::read(&bytes, &NAMES)
                        .map_err(ImportErrorKind::Ply)?
                        .columns
                }
                "csv" => from_csv(&bytes)?,
                _ => return Err(ImportErrorKind::Extension(".ply or .csv")),
            };
            PointSet::of_columns(&columns)
        };
        super::read(path)
            .and_then(of_points)
            .map_err(|kind| ImportError {
                file: path.display().to_string(),
                kind,
            })
    }

    fn of_columns(columns: &[Option<Vec<f32>>]) -> Result<PointSet, ImportErrorKind> {
        let three = |at: usize| zipped(&columns[at], &columns[at + 1], &columns[at + 2]);
        let positions = three(0).ok_or(ImportErrorKind::Ply(ply::PlyError::NoVertices))?;
        let normals = three(6).or_else(|| three(3));
        if positions.is_empty() {
            return Err(ImportErrorKind::NoPoints);
        }
        if positions.len() > MAX_STRANDS as usize {
            return Err(ImportErrorKind::TooMany(positions.len()));
        }
        let finite = |nth: usize| {
            let normal = normals.as_ref().map_or(Vec3::ZERO, |normals| normals[nth]);
            positions[nth].is_finite() && normal.is_finite()
        };
        if let Some(nth) = (0..positions.len()).find(|&nth| !finite(nth)) {
            return Err(ImportErrorKind::NotFinite(nth));
        }
        Ok(PointSet { positions, normals })
    }
}

/// Three columns as vectors, if all are there and none is shorter.
pub(super) fn zipped(
    x: &Option<Vec<f32>>,
    y: &Option<Vec<f32>>,
    z: &Option<Vec<f32>>,
) -> Option<Vec<Vec3>> {
    let (x, y, z) = (x.as_ref()?, y.as_ref()?, z.as_ref()?);
    let vectors = x.iter().zip(y).zip(z);
    Some(vectors.map(|((&x, &y), &z)| Vec3::new(x, y, z)).collect())
}

/// Three columns without a header, or named ones in any order.
fn from_csv(bytes: &[u8]) -> Result<Vec<Option<Vec<f32>>>, ImportErrorKind> {
    let wrong = |problem: String| ImportErrorKind::Csv(problem);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(bytes);
    let mut row = csv::StringRecord::new();
    let mut read = |row: &mut csv::StringRecord| {
        let read = reader.read_record(row);
        read.map_err(|error| wrong(error.to_string()))
    };
    if !read(&mut row)? {
        return Err(ImportErrorKind::NoPoints);
    }
    let is_bare = row.iter().all(|cell| cell.parse::<f32>().is_ok());
    let place = |name: &str| row.iter().position(|cell| cell.eq_ignore_ascii_case(name));
    // Where each of the wanted columns is.
    let places: [Option<usize>; 9] = if is_bare {
        std::array::from_fn(|nth| (nth < 3).then_some(nth))
    } else {
        NAMES.map(place)
    };
    if let Some(missing) = (0..3).find(|&nth| places[nth].is_none_or(|at| at >= row.len())) {
        return Err(wrong(format!("it has no column {}", NAMES[missing])));
    }
    let mut columns: Vec<Option<Vec<f32>>> = (places.iter())
        .map(|place| place.map(|_| Vec::new()))
        .collect();
    if !is_bare && !read(&mut row)? {
        return Err(ImportErrorKind::NoPoints);
    }
    loop {
        for (place, column) in places.iter().zip(&mut columns) {
            if let (Some(at), Some(column)) = (place, column) {
                let cell = row.get(*at).unwrap_or_default();
                column.push(cell.parse().map_err(|_| {
                    let line = row.position().map_or(0, csv::Position::line);
                    wrong(format!("line {line}: {cell:?} is not a number"))
                })?);
            }
        }
        if !read(&mut row)? {
            return Ok(columns);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn csv(text: &str) -> Result<PointSet, String> {
        let columns = from_csv(text.as_bytes()).map_err(|error| error.to_string())?;
        PointSet::of_columns(&columns).map_err(|error| error.to_string())
    }

    #[test]
    fn bare_and_named_columns_are_read() {
        let bare = csv("1,2,3\n4, 5e-1 ,-6\n").unwrap();
        assert_eq!(bare.positions[1], Vec3::new(4.0, 0.5, -6.0));
        assert_eq!(bare.normals, None);
        let named = csv("# ours\nid,Z,y,x,nx,ny,nz\na,1,2,3,0,0,1\nb,4,5,6,0,1,0\n").unwrap();
        assert_eq!(named.positions[0], Vec3::new(3.0, 2.0, 1.0));
        assert_eq!(named.normals, Some(vec![Vec3::Z, Vec3::Y]));
        let both = csv("x,y,z,nx,ny,nz,fx,fy,fz\n0,0,0,1,0,0,0,0,2").unwrap();
        assert_eq!(both.normals, Some(vec![Vec3::Z * 2.0]));
    }

    #[test]
    fn what_is_no_point_is_named() {
        for (text, part) in [
            ("", "no points"),
            ("x,y,z\n", "no points"),
            ("x,y\n1,2\n", "no column z"),
            ("1,2\n", "no column z"),
            ("1,2,3\n4,five,6\n", "line 2: \"five\""),
            ("1,2,3\n4,5\n", "2 fields"),
            ("1,2,3\n4,inf,6\n", "point 1"),
            ("1,2,3\n4,1e99,6\n", "point 1"),
            ("x;y;z\n1;2;3\n", "no column x"),
        ] {
            let error = csv(text).expect_err(text);
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_points_or_refused(bytes in prop::collection::vec(
            prop::sample::select(b"xyz,\n\"0123.-e \xff".to_vec()), 0..60,
        )) {
            if let Ok(columns) = from_csv(&bytes) {
                drop(PointSet::of_columns(&columns));
            }
        }
    }
}
