//! PLY files: points and triangles as other programs read and write them.

mod read;

pub use read::PlyError;
pub(crate) use read::read;

use std::fmt::Write as _;

/// How the numbers of a PLY file are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlyEncoding {
    /// Small and exact.
    #[default]
    BinaryLittleEndian,
    /// For people; as exact, also for who reads it in double precision.
    Ascii,
}

/// A PLY file in the making: its header, then vertices, then triangles.
pub(crate) struct Ply {
    encoding: PlyEncoding,
    bytes: Vec<u8>,
}

impl Ply {
    /// A file of so many vertices with these `float` and then these `uint` properties, then so
    /// many triangles.
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

    /// The next vertex.
    pub(crate) fn vertex(
        &mut self,
        floats: impl IntoIterator<Item = f32>,
        counts: impl IntoIterator<Item = u32>,
    ) {
        let (floats, counts) = (floats.into_iter(), counts.into_iter());
        match self.encoding {
            PlyEncoding::BinaryLittleEndian => {
                self.bytes.extend(floats.flat_map(f32::to_le_bytes));
                self.bytes.extend(counts.flat_map(u32::to_le_bytes));
            }
            PlyEncoding::Ascii => {
                let floats = floats.map(|x| f64::from(x).to_string());
                self.line(floats.chain(counts.map(|n| n.to_string())));
            }
        }
    }

    /// The next triangle.
    pub(crate) fn triangle(&mut self, corners: [u32; 3]) {
        match self.encoding {
            PlyEncoding::BinaryLittleEndian => {
                self.bytes.push(3);
                (self.bytes).extend(corners.into_iter().flat_map(u32::to_le_bytes));
            }
            PlyEncoding::Ascii => {
                let numbers = std::iter::once(3).chain(corners);
                self.line(numbers.map(|n| n.to_string()));
            }
        }
    }

    fn line(&mut self, words: impl Iterator<Item = String>) {
        for (nth, word) in words.enumerate() {
            if nth > 0 {
                self.bytes.push(b' ');
            }
            self.bytes.extend(word.into_bytes());
        }
        self.bytes.push(b'\n');
    }

    /// The whole file.
    pub(crate) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}
