//! Writing PLY files, and the point sets that `roots` and `import` share.

use glam::Vec3;
use std::fmt::Write as _;

/// Points, usually on a surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointSet {
    /// The positions, in the units of the surface.
    pub positions: Vec<Vec3>,
    /// The surface normal at each point, of any length: tells the sides of a thin sheet apart.
    pub normals: Option<Vec<Vec3>>,
}

/// The encoding of the numbers of a PLY file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlyEncoding {
    /// Small and exact.
    #[default]
    BinaryLittleEndian,
    /// Readable text; exact also when it is read in double precision.
    Ascii,
}

/// Returns a PLY file of vertices and triangles. `names` are those of the `float` and the `uint`
/// properties of a vertex.
pub(crate) fn write<const F: usize, const U: usize>(
    encoding: PlyEncoding,
    comment: &str,
    names: ([&str; F], [&str; U]),
    vertices: impl ExactSizeIterator<Item = ([f32; F], [u32; U])>,
    triangles: &[[u32; 3]],
) -> Vec<u8> {
    let format = match encoding {
        PlyEncoding::BinaryLittleEndian => "binary_little_endian",
        PlyEncoding::Ascii => "ascii",
    };
    let mut header = format!("ply\nformat {format} 1.0\ncomment {comment}\n");
    // Writing to a string cannot fail.
    _ = writeln!(header, "element vertex {}", vertices.len());
    let floats = names.0.map(|name| ("float", name));
    for (kind, name) in floats.into_iter().chain(names.1.map(|name| ("uint", name))) {
        _ = writeln!(header, "property {kind} {name}");
    }
    if !triangles.is_empty() {
        _ = writeln!(header, "element face {}", triangles.len());
        header.push_str("property list uchar uint vertex_indices\n");
    }
    header.push_str("end_header\n");
    let mut file = header.into_bytes();
    for (floats, integers) in vertices {
        match encoding {
            PlyEncoding::BinaryLittleEndian => {
                file.extend(floats.iter().flat_map(|x| x.to_le_bytes()));
                file.extend(integers.iter().flat_map(|n| n.to_le_bytes()));
            }
            PlyEncoding::Ascii => {
                let floats = floats.iter().map(|&x| f64::from(x).to_string());
                let words: Vec<_> = floats.chain(integers.iter().map(u32::to_string)).collect();
                file.extend((words.join(" ") + "\n").into_bytes());
            }
        }
    }
    for [a, b, c] in triangles {
        match encoding {
            PlyEncoding::BinaryLittleEndian => {
                file.push(3);
                file.extend([a, b, c].iter().flat_map(|corner| corner.to_le_bytes()));
            }
            PlyEncoding::Ascii => file.extend(format!("3 {a} {b} {c}\n").into_bytes()),
        }
    }
    file
}
