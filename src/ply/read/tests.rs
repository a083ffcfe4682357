use super::*;
use crate::ply::{PlyEncoding, PlyWriter};
use proptest::prelude::*;

const XYZ: [&str; 4] = ["x", "y", "z", "density"];

fn ours(encoding: PlyEncoding) -> Vec<u8> {
    let mut ply = PlyWriter::new(encoding, "a comment", 4, &["z", "x", "y"], &[], 2);
    for corner in [[0.1, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 2.5, -3.0], [0.0; 3]] {
        ply.vertex(corner, []);
    }
    ply.triangle([0, 1, 2]);
    ply.triangle([2, 1, 3]);
    ply.finish()
}

#[test]
fn what_we_write_is_read() {
    for encoding in [PlyEncoding::Ascii, PlyEncoding::BinaryLittleEndian] {
        let read = read(&ours(encoding), &XYZ).unwrap();
        assert_eq!(read.triangles, [[0, 1, 2], [2, 1, 3]]);
        assert_eq!(read.columns[2], Some(vec![0.1, 0.0, 1.0, 0.0]));
        assert_eq!(read.columns[0], Some(vec![0.0, 1.0, 2.5, 0.0]));
        assert_eq!(read.columns[3], None);
    }
}

#[test]
fn other_types_orders_elements_and_polygons_are_read() {
    let header = "ply\r\nformat FORMAT 1.0\r\ncomment \u{fc}\r\nelement material 1\r\n\
        property list uchar short odd\r\nproperty char c\r\nelement face 2\r\nproperty uchar flag\r\n\
        property list uint int vertex_index\r\nelement nothing 4000000000\r\n\
        element vertex 5\r\nproperty double y\r\nproperty list uchar float more\r\n\
        property float x\r\nproperty ushort z\r\nend_header\r\n";
    let text = header.replace("FORMAT", "ascii")
        + "2 -5 6 -1\n 7 5 0 1 2 3 4\n8 2 0 1\n"
        + "0.5 0 1 0  1.5 1 9 1 2  1 0 2 3 1 0 2 3 1 0 2 3";
    let ascii = read(text.as_bytes(), &XYZ).unwrap();
    assert_eq!(ascii.triangles, [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
    assert_eq!(ascii.columns[0], Some(vec![1.0, 1.0, 2.0, 2.0, 2.0]));
    assert_eq!(ascii.columns[1], Some(vec![0.5, 1.5, 1.0, 1.0, 1.0]));
    assert_eq!(ascii.columns[2], Some(vec![0.0, 2.0, 3.0, 3.0, 3.0]));

    // The same in big endian.
    let mut binary = header.replace("FORMAT", "binary_big_endian").into_bytes();
    binary.push(2);
    for odd in [-5_i16, 6] {
        binary.extend(odd.to_be_bytes());
    }
    binary.extend((-1_i8).to_be_bytes());
    for (flag, corners) in [(7, vec![0_i32, 1, 2, 3, 4]), (8, vec![0, 1])] {
        binary.push(flag);
        binary.extend((corners.len() as u32).to_be_bytes());
        binary.extend(corners.iter().flat_map(|c| c.to_be_bytes()));
    }
    for nth in 0..5 {
        let column = |number: usize| ascii.columns[number].as_ref().unwrap()[nth];
        binary.extend(f64::from(column(1)).to_be_bytes());
        binary.push(if nth == 1 { 1 } else { 0 });
        if nth == 1 {
            binary.extend(9_f32.to_be_bytes());
        }
        binary.extend(column(0).to_be_bytes());
        binary.extend((column(2) as u16).to_be_bytes());
    }
    assert_eq!(read(&binary, &XYZ).unwrap(), ascii);
}

#[test]
fn claims_beyond_the_bytes_are_refused() {
    for (header, text) in [
        (
            "ascii 1.0\nelement vertex 4000000000\nproperty float x",
            "claims 4000000000",
        ),
        (
            "binary_little_endian 1.0\nelement vertex 18446744073709551615\nproperty float x",
            "claims 18446744073709551615",
        ),
        (
            "ascii 1.0\nelement vertex 1\nproperty float x\nelement face 1\n\
             property list uint int vertex_indices",
            "it ends within `face` 0",
        ),
        (
            "ascii 1.0\nelement vertex 1\nproperty list int int x",
            "`x` of `vertex` 0",
        ),
        ("ascii 1.0\nelement edge 0", "no element `vertex`"),
        ("ascii 1.0\nelement vertex many", "line 3"),
        ("morse 1.0", "a format that does not exist"),
        ("ascii 1.0\nproperty float x", "no element"),
        (
            "ascii 1.0\nelement vertex 1\nproperty quad x",
            "a type that does not",
        ),
    ] {
        let file = format!("ply\nformat {header}\nend_header\n1.5 4000000000 1");
        let error = read(file.as_bytes(), &XYZ).expect_err(header).to_string();
        assert!(error.contains(text), "{header}: {error}");
    }
    let error = read(b"solid", &XYZ).unwrap_err().to_string();
    assert!(error.contains("end_header"), "{error}");
    let error = read(b"solid\n", &XYZ).unwrap_err().to_string();
    assert!(error.contains("no PLY file"), "{error}");
}

#[test]
fn faces_of_missing_vertices_are_named() {
    let text = String::from_utf8(ours(PlyEncoding::Ascii)).unwrap();
    let error = read(text.replace("3 2 1 3", "3 2 1 4").as_bytes(), &XYZ).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`vertex_indices` of `face` 1 is 4, not one of the 4 vertices"
    );
    let error = read(text.replace("2.5", "two").as_bytes(), &XYZ).unwrap_err();
    assert!(error.to_string().contains("\"two\""), "{error}");
}

proptest! {
    /// Whatever happens to a file, it is read or refused, and no face points beyond the vertices.
    #[test]
    fn damaged_files_are_read_or_refused(
        ascii: bool,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        end: prop::sample::Index,
        is_cut: bool,
    ) {
        let encoding = if ascii { PlyEncoding::Ascii } else { PlyEncoding::BinaryLittleEndian };
        let mut bytes = ours(encoding);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if is_cut {
            bytes.truncate(end.index(bytes.len()));
        }
        if let Ok(contents) = read(&bytes, &XYZ) {
            let mut lengths = contents.columns.iter().flatten().map(Vec::len);
            let vertices = lengths.next().unwrap_or(u32::MAX as usize);
            prop_assert!(lengths.all(|length| length == vertices));
            prop_assert!(contents.triangles.iter().flatten().all(|&v| (v as usize) < vertices));
        }
    }
}
