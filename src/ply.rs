//! PLY files: points and triangles.
//!
//! `ply` writes them, `read` reads them with its children `header` and `numbers`. [`PointSet`] is
//! what `roots` and `import` share.

mod read;

pub use read::PlyError;
pub(crate) use read::read;

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

/// Writes a PLY file: the header, then vertices, then triangles.
pub(crate) struct PlyWriter {
    encoding: PlyEncoding,
    bytes: Vec<u8>,
}

impl PlyWriter {
    /// Starts a file of `vertices` with the `float` properties `floats` and the `uint` properties
    /// `counts`, and of `triangles`.
    pub(crate) fn new(
        encoding: PlyEncoding,
        comment: &str,
        vertices: usize,
        floats: &[&str],
        counts: &[&str],
        triangles: usize,
    ) -> Self {
        let format = match encoding {
            PlyEncoding::BinaryLittleEndian => "binary_little_endian",
            PlyEncoding::Ascii => "ascii",
        };
        let mut header =
            format!("ply\nformat {format} 1.0\ncomment {comment}\nelement vertex {vertices}\n");
        let floats = floats.iter().map(|name| ("float", name));
        for (kind, name) in floats.chain(counts.iter().map(|name| ("uint", name))) {
            // Writing to a string cannot fail.
            _ = writeln!(header, "property {kind} {name}");
        }
        if triangles > 0 {
            _ = writeln!(header, "element face {triangles}");
            header.push_str("property list uchar uint vertex_indices\n");
        }
        header.push_str("end_header\n");
        Self {
            encoding,
            bytes: header.into_bytes(),
        }
    }

    /// Writes the next vertex.
    pub(crate) fn vertex(
        &mut self,
        floats: impl IntoIterator<Item = f32>,
        counts: impl IntoIterator<Item = u32>,
    ) {
        for x in floats {
            self.number(x.to_le_bytes(), f64::from(x));
        }
        for n in counts {
            self.number(n.to_le_bytes(), n);
        }
        self.end_line();
    }

    /// Writes the next triangle.
    pub(crate) fn triangle(&mut self, corners: [u32; 3]) {
        self.number([3], 3);
        for corner in corners {
            self.number(corner.to_le_bytes(), corner);
        }
        self.end_line();
    }

    fn number<const N: usize>(&mut self, bytes: [u8; N], text: impl ToString) {
        match self.encoding {
            PlyEncoding::BinaryLittleEndian => self.bytes.extend(bytes),
            PlyEncoding::Ascii => {
                if self.bytes.last() != Some(&b'\n') {
                    self.bytes.push(b' ');
                }
                self.bytes.extend(text.to_string().into_bytes());
            }
        }
    }

    fn end_line(&mut self) {
        if self.encoding == PlyEncoding::Ascii {
            self.bytes.push(b'\n');
        }
    }

    /// Returns the file.
    pub(crate) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}
