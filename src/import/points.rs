//! Point sets that other programs have sampled.

use super::{ImportError, ImportErrorKind, load};
use crate::mesh_file::ply::{self, Columns};
use crate::{head::MAX_COORDINATE, ply::PointSet, roots::MAX_STRANDS, told::short};
use glam::Vec3;
use std::path::Path;

/// The columns that are read, as [`Roots::to_ply`](crate::Roots::to_ply) names them.
const NAMES: [&str; 9] = ["x", "y", "z", "nx", "ny", "nz", "fx", "fy", "fz"];

impl PointSet {
    /// Reads `x y z` from a `.ply` or `.csv` file, and as normals `fx fy fz` or else `nx ny nz`.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, no points, more than [`MAX_STRANDS`], or numbers that are not
    /// finite or beyond [`MAX_COORDINATE`].
    pub fn load(path: &Path) -> Result<PointSet, ImportError> {
        load(path, |bytes, extension| match extension {
            "ply" => from_columns(
                &ply::read(bytes, &NAMES)
                    .map_err(ImportErrorKind::Ply)?
                    .columns,
            ),
            "csv" => from_columns(&read_csv(bytes)?),
            _ => Err(ImportErrorKind::Extension(".ply or .csv")),
        })
    }

    /// Returns the set if it can be measured.
    ///
    /// # Errors
    ///
    /// No points, more than [`MAX_STRANDS`], or numbers that are not finite or beyond
    /// [`MAX_COORDINATE`].
    pub fn checked(self) -> Result<PointSet, ImportErrorKind> {
        let (positions, normals) = (&self.positions, &self.normals);
        if positions.is_empty() {
            return Err(ImportErrorKind::NoPoints);
        }
        if positions.len() > MAX_STRANDS as usize {
            return Err(ImportErrorKind::TooMany(positions.len()));
        }
        let is_near = |v: Vec3| v.abs().max_element() <= MAX_COORDINATE && v.is_finite();
        let is_finite = |nth: &usize| {
            let normals = normals.as_ref();
            let normal = normals.and_then(|normals| normals.get(*nth));
            is_near(positions[*nth]) && is_near(normal.copied().unwrap_or_default())
        };
        match (0..positions.len()).find(|nth| !is_finite(nth)) {
            Some(nth) => Err(ImportErrorKind::NotFinite(nth)),
            None => Ok(self),
        }
    }
}

fn from_columns(columns: &Columns) -> Result<PointSet, ImportErrorKind> {
    let positions = vectors(&columns[..3]).unwrap_or_default();
    let normals = vectors(&columns[6..]).or_else(|| vectors(&columns[3..6]));
    PointSet { positions, normals }.checked()
}

/// Returns three columns as vectors, if all of them exist.
pub fn vectors(columns: &[Option<Vec<f32>>]) -> Option<Vec<Vec3>> {
    let [Some(x), Some(y), Some(z)] = columns else {
        return None;
    };
    let vectors = x.iter().zip(y).zip(z);
    Some(vectors.map(|((&x, &y), &z)| Vec3::new(x, y, z)).collect())
}

/// Reads three columns without a header, or named columns in any order.
fn read_csv(bytes: &[u8]) -> Result<Columns, ImportErrorKind> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(bytes);
    let mut rows = reader.records();
    let mut next = || {
        let row = rows.next().transpose();
        row.map_err(|error| ImportErrorKind::Csv(error.to_string()))
    };
    let first = next()?.ok_or(ImportErrorKind::NoPoints)?;
    let has_names = first.iter().any(|cell| cell.parse::<f32>().is_err());
    let position = |name: &str| {
        let mut cells = first.iter();
        cells.position(|cell| cell.eq_ignore_ascii_case(name))
    };
    // The place of each of the columns.
    let places: [Option<usize>; 9] = match has_names {
        true => NAMES.map(position),
        false => std::array::from_fn(|nth| (nth < first.len().min(3)).then_some(nth)),
    };
    if let Some(missing) = (0..3).find(|&nth| places[nth].is_none()) {
        let problem = format!("it has no column {}", NAMES[missing]);
        return Err(ImportErrorKind::Csv(problem));
    }
    let mut columns: Columns = places.map(|place| place.map(|_| Vec::new())).into();
    let mut row = if has_names { next()? } else { Some(first) };
    if row.is_none() {
        return Err(ImportErrorKind::NoPoints);
    }
    while let Some(cells) = row {
        for (place, column) in places.iter().zip(&mut columns) {
            let (Some(place), Some(column)) = (place, column) else {
                continue;
            };
            let cell = cells.get(*place).unwrap_or_default();
            column.push(cell.parse().map_err(|_| {
                let line = cells.position().map_or(0, csv::Position::line);
                let cell = short(cell);
                ImportErrorKind::Csv(format!("line {line}: {cell:?} is not a number"))
            })?);
        }
        row = next()?;
    }
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn csv(text: &[u8]) -> Result<PointSet, String> {
        let set = read_csv(text).and_then(|columns| from_columns(&columns));
        set.map_err(|error| error.to_string())
    }

    #[test]
    fn bare_and_named_columns_are_read() {
        let bare = csv(b"1,2,3\n4, 5e-1 ,-6\n").unwrap();
        assert_eq!(bare.positions[1], Vec3::new(4.0, 0.5, -6.0));
        assert_eq!(bare.normals, None);
        let named = csv(b"# ours\nid,Z,y,x,nx,ny,nz\na,1,2,3,0,0,1\nb,4,5,6,0,1,0\n").unwrap();
        assert_eq!(named.positions[0], Vec3::new(3.0, 2.0, 1.0));
        assert_eq!(named.normals, Some(vec![Vec3::Z, Vec3::Y]));
        let both = csv(b"x,y,z,nx,ny,nz,fx,fy,fz\n0,0,0,1,0,0,0,0,2").unwrap();
        assert_eq!(both.normals, Some(vec![Vec3::Z * 2.0]));
    }

    #[test]
    fn errors_name_the_line_or_the_column() {
        for (text, part) in [
            ("", "no points"),
            ("x,y,z\n", "no points"),
            ("x,y\n1,2\n", "no column z"),
            ("1,2\n", "no column z"),
            ("1,2,3\n4,5\n", "2 fields"),
            ("1,2,3\n4,inf,6\n", "point 1"),
            ("1,2,3\n4,1e99,6\n", "point 1"),
            (
                "1,2,3\n4,1e20,6\n",
                "point 1 has a coordinate or normal beyond 1000000000",
            ),
            ("x;y;z\n1;2;3\n", "no column x"),
        ] {
            let error = csv(text.as_bytes()).expect_err(text);
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_points_or_refused(bytes in prop::collection::vec(
            prop::sample::select(b"xyz,\n\"0123.-e \xff".to_vec()), 0..60,
        )) {
            drop(csv(&bytes));
        }
    }
}
