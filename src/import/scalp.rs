//! A scalp from the file of a plain mesh.

use super::{ImportError, ImportErrorKind, load, points::vectors};
use crate::mesh_file::{obj, ply};
use crate::scalp::{Scalp, ScalpError};
use std::path::Path;

impl Scalp {
    /// Reads the surface of a plain mesh, `.ply` or `.obj`, all of it painted.
    ///
    /// Lengths stay as they are: where this library says decimetres, read units of the file. A
    /// PLY vertex property `density` is the density, as [`Scalp::to_ply`] writes it; triangles
    /// that are bald at all three corners are left out. Normals come from the file, or are
    /// smoothed over the faces.
    ///
    /// # Errors
    ///
    /// A file that cannot be read or is not a valid surface.
    pub fn from_mesh_file(path: &Path) -> Result<Scalp, ImportError> {
        load(path, |bytes, extension| match extension {
            "ply" => {
                let names = ["x", "y", "z", "nx", "ny", "nz", "density"];
                let read = ply::read(bytes, &names).map_err(ImportErrorKind::Ply);
                let ply::Ply {
                    columns, triangles, ..
                } = read?;
                let positions = vectors(&columns[..3]).unwrap_or_default();
                let normals = vectors(&columns[3..6]);
                scalp((positions, normals, triangles), columns[6].clone())
            }
            "obj" => {
                let wrong = |(line, problem)| ImportErrorKind::Obj { line, problem };
                scalp(obj::read(bytes).map_err(wrong)?.welded(), None)
            }
            _ => Err(ImportErrorKind::Extension(".ply or .obj")),
        })
    }
}

/// Returns the scalp of a mesh; `density` is per vertex.
fn scalp(
    (positions, normals, triangles): obj::Mesh,
    density: Option<Vec<f32>>,
) -> Result<Scalp, ImportErrorKind> {
    Scalp::of_mesh(positions, normals, triangles, density).map_err(|error| match error {
        ScalpError::NoFaces => ImportErrorKind::NoFaces,
        ScalpError::NoDensity => ImportErrorKind::NoDensity,
        error => ImportErrorKind::Scalp(error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlyEncoding;
    use glam::Vec3;
    use proptest::prelude::*;

    /// A square of two triangles, and a quad beside it in another object.
    const OBJ: &str = "mtllib nowhere.mtl\no one\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n\
        f 1 2 3\nf 1/1 3/1/ 4\n\
        o two\nusemtl skin\nv 2 0 0\nv 2 1 0\nvn 0 0 1\nvt 0 0\nf 2//1 5//1 6//1 -4//-1\nl 1 2\n";

    fn file(name: &str, bytes: &[u8]) -> Result<Scalp, ImportError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        Scalp::from_mesh_file(&path)
    }

    #[test]
    fn corners_with_different_normals_are_different_vertices() {
        let roof = "v 0 0 0\nv 0 1 0\nv 1 0 -1\nv -1 0 -1\nvn 1 0 1\nvn -1 0 1\n\
            f 1//1 3//1 2//1\nf 1//2 2//2 4//2\n";
        for (roof, vertices) in [(roof, 6), (&roof.replace("//2", ""), 4)] {
            let scalp = file("roof.obj", roof.as_bytes()).unwrap();
            assert_eq!(scalp.positions().len(), vertices);
        }
    }

    #[test]
    fn written_scalps_read_back() {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE];
        let normals = vec![Vec3::Z, Vec3::X, Vec3::Z, -Vec3::X];
        let triangles = vec![[0, 1, 2], [1, 3, 2]];
        let density = vec![0.25, 1.0, 0.5, 0.1];
        let scalp = Scalp::new(positions, normals, triangles, density).unwrap();
        for encoding in [PlyEncoding::Ascii, PlyEncoding::BinaryLittleEndian] {
            let written = scalp.to_ply(encoding);
            let read = file("scalp.ply", &written).unwrap();
            assert_eq!(read.to_ply(encoding), written);
            assert_eq!(read.area(), scalp.area());
        }
    }

    #[test]
    fn objects_of_an_obj_are_one_surface() {
        let scalp = file("a.OBJ", OBJ.as_bytes()).unwrap();
        assert_eq!(scalp.triangles().len(), 4);
        assert!((scalp.area() - 2.0).abs() < 1e-9);
        let middle = crate::scalp::SurfacePoint {
            triangle: 0,
            weights: Vec3::splat(1.0 / 3.0),
        };
        assert!((scalp.normal(middle) - Vec3::Z).length() < 1e-6);
    }

    #[test]
    fn errors_name_the_file_and_the_element() {
        let with = |vertices: &str| {
            format!(
                "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
                 property float z\nproperty float density\nelement face 1\n\
                 property list uchar int vertex_indices\nend_header\n{vertices}\n3 0 1 2\n"
            )
        };
        assert!(file("a.ply", with("0 0 0 0.5  1 0 0 1  0 1 0 1").as_bytes()).is_ok());
        for (name, text, part) in [
            ("a.stl", "solid", "must end in .ply or .obj"),
            (
                "a.ply",
                &with("0 0 0 0  1 0 0 0  0 1 0 0"),
                "no triangle has a `density` above 0 at a corner",
            ),
            (
                "a.ply",
                &with("0 0 0 nan  1 0 0 1  0 1 0 1"),
                "vertex 0 has a position, normal or density",
            ),
            (
                "a.ply",
                &with("0 0 0 1  1e20 0 0 1  0 1 0 1"),
                "vertex 1 is at a coordinate beyond 1000000000. Repair",
            ),
            (
                "a.ply",
                &with("0 0 0 1  0 0 0 1  0 1 0 1"),
                "no triangle has an area",
            ),
            ("a.obj", "v 0 0 0\nf 1 2 3\n", "line 2 names a vertex"),
            ("a.obj", "v 0 0 zero\n", "line 1 wants three numbers"),
            (
                "a.obj",
                "v 0 0 0\nf 1//1 1//1 1//1",
                "line 2 names a normal",
            ),
        ] {
            let error = file(name, text.as_bytes()).expect_err(text).to_string();
            assert!(error.contains(part) && error.contains(name), "{error}");
        }
    }

    proptest! {
        #[test]
        fn damaged_obj_files_are_read_or_refused(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
            words in prop::collection::vec(
                (any::<prop::sample::Index>(), "[-0-9/ vfnt\n]{0,9}|9223372036854775807|-9223372036854775808"),
                0..3,
            ),
        ) {
            let mut bytes = OBJ.as_bytes().to_vec();
            for (at, byte) in changes {
                *at.get_mut(&mut bytes) = byte;
            }
            for (at, word) in words {
                let at = at.index(bytes.len());
                bytes.splice(at..at, word.into_bytes());
            }
            drop(obj::read(&bytes).map(|file| scalp(file.welded(), None)));
        }
    }
}
