//! PLY files of every kind, and broken ones.

use super::*;
use crate::ply::{PlyEncoding, write};
use proptest::prelude::*;

const XYZ: [&str; 4] = ["x", "y", "z", "density"];

fn written(encoding: PlyEncoding) -> Vec<u8> {
    let vertices = [[0.1, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 2.5, -3.0], [0.0; 3]];
    let vertices = vertices.into_iter().map(|vertex| (vertex, []));
    let (names, triangles) = ((["z", "x", "y"], []), [[0, 1, 2], [2, 1, 3]]);
    write(encoding, "a comment", names, vertices, &triangles)
}

fn error(file: &str) -> String {
    read(file.as_bytes(), &XYZ).expect_err(file)
}

#[test]
fn other_types_orders_elements_and_polygons_are_read() {
    let header = "ply\r\nformat FORMAT 1.0\r\ncomment \u{fc}\r\nelement material 1\r\n\
        property list uchar short odd\r\nproperty char c\r\nelement face 2\r\n\
        property uchar flag\r\nproperty list uint int vertex_index\r\n\
        element nothing 4000000000\r\nelement vertex 5\r\nproperty double y\r\n\
        property list uchar float more\r\nproperty float x\r\nproperty ushort z\r\n\
        end_header\r\n";
    let text = header.replace("FORMAT", "ascii")
        + "2 -5 6 -1\n 7 5 0 1 2 3 4\n8 2 0 1\n"
        + "0.5 0 1 0  1.5 1 9 1 2  1 0 2 3 1 0 2 3 1 0 2 3";
    let ascii = read(text.as_bytes(), &XYZ).unwrap();
    let Ply {
        columns, triangles, ..
    } = &ascii;
    assert_eq!(*triangles, [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
    assert_eq!(columns[0], Some(vec![1.0, 1.0, 2.0, 2.0, 2.0]));
    assert_eq!(columns[1], Some(vec![0.5, 1.5, 1.0, 1.0, 1.0]));
    assert_eq!(columns[2], Some(vec![0.0, 2.0, 3.0, 3.0, 3.0]));
    assert_eq!(columns[3], None);

    // Big-endian numbers give the same.
    let mut binary = header.replace("FORMAT", "binary_big_endian").into_bytes();
    binary.push(2);
    binary.extend([-5_i16, 6].iter().flat_map(|odd| odd.to_be_bytes()));
    binary.extend((-1_i8).to_be_bytes());
    for (flag, corners) in [(7, &[0_i32, 1, 2, 3, 4][..]), (8, &[0, 1])] {
        binary.push(flag);
        binary.extend((corners.len() as u32).to_be_bytes());
        binary.extend(corners.iter().flat_map(|c| c.to_be_bytes()));
    }
    for nth in 0..5 {
        let [x, y, z] = [0, 1, 2].map(|column| columns[column].as_ref().unwrap()[nth]);
        binary.extend(f64::from(y).to_be_bytes());
        let more = &[9_f32][..usize::from(nth == 1)];
        binary.push(more.len() as u8);
        binary.extend(more.iter().flat_map(|item| item.to_be_bytes()));
        binary.extend(x.to_be_bytes());
        binary.extend((z as u16).to_be_bytes());
    }
    assert_eq!(read(&binary, &XYZ).unwrap(), ascii);
}

#[test]
fn errors_name_the_line_or_the_value() {
    let x = "element vertex 1\nproperty float x";
    let face = "element face 1\nproperty list uint int vertex_indices";
    for (header, text) in [
        (
            "binary_little_endian 1.0\nelement vertex 18446744073709551615\nproperty float x",
            "claims 18446744073709551615",
        ),
        (
            &format!("ascii 1.0\n{x}\n{face}"),
            "it ends within `face` 0",
        ),
        (&format!("ascii 1.0\n{x}"), "properties x, y and z"),
        (
            "ascii 1.0\nelement vertex 1\nproperty list int int x",
            "`x` of `vertex` 0 is 1.5",
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
        let error = error(&format!(
            "ply\nformat {header}\nend_header\n1.5 4000000000 1"
        ));
        assert!(error.contains(text), "{header}: {error}");
    }
    assert!(error("solid").contains("end_header"));
    assert!(error("solid\n").contains("no PLY file"));
    let text = String::from_utf8(written(PlyEncoding::Ascii)).unwrap();
    assert_eq!(
        error(&text.replace("3 2 1 3", "3 2 1 4")),
        "`vertex_indices` of `face` 1 is 4, not one of the 4 vertices"
    );
    assert!(error(&text.replace("2.5", "two")).contains("\"two\""));
}

proptest! {
    /// A damaged file is read or refused, and no face points beyond the vertices.
    #[test]
    fn damaged_files_are_read_or_refused(
        ascii: bool,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        end: prop::sample::Index,
        is_cut: bool,
    ) {
        let encoding = if ascii { PlyEncoding::Ascii } else { PlyEncoding::BinaryLittleEndian };
        let mut bytes = written(encoding);
        for (at, byte) in changes {
            *at.get_mut(&mut bytes) = byte;
        }
        if is_cut {
            bytes.truncate(end.index(bytes.len()));
        }
        if let Ok(Ply { columns, triangles, .. }) = read(&bytes, &XYZ) {
            let mut lengths = columns.iter().flatten().map(Vec::len);
            let vertices = lengths.next().unwrap_or(u32::MAX as usize);
            prop_assert!(lengths.all(|length| length == vertices));
            let mut corners = triangles.iter().flatten();
            prop_assert!(corners.all(|&v| (v as usize) < vertices));
        }
    }
}

#[test]
fn very_many_names_are_refused_soon() {
    let names: String = (0..200_000)
        .map(|nth| format!("property char a{nth}\n"))
        .collect();
    let text = format!("ply\nformat ascii 1.0\nelement vertex 1\n{names}end_header\n");
    let error = read(text.as_bytes(), &["x", "y", "z"]).unwrap_err();
    assert!(
        error.contains("names too many elements and properties"),
        "{error}"
    );
}
