//! STL: triangles, each with corners of its own; binary and text.

use glam::Vec3;

/// Bytes of the header, and of each triangle, of a binary file.
const HEADER: usize = 84;
const TRIANGLE: usize = 50;

/// Returns `true` if the bytes are a binary STL: its length tells.
pub fn is_binary(bytes: &[u8]) -> bool {
    wanted(bytes).is_some_and(|wanted| bytes.len() as u64 == wanted)
}

/// Returns `true` if the bytes may be the greater part of a binary STL.
pub fn may_be_cut(bytes: &[u8]) -> bool {
    let length = bytes.len() as u64;
    wanted(bytes).is_some_and(|wanted| (length + 1..2 * length).contains(&wanted))
}

/// Returns the length that a binary STL of such a beginning has.
fn wanted(bytes: &[u8]) -> Option<u64> {
    let count = u32::from_le_bytes(*bytes.get(80..)?.first_chunk()?);
    Some(HEADER as u64 + TRIANGLE as u64 * u64::from(count))
}

/// Reads the corners of the triangles, three for each. The error completes "its STL …".
pub fn read(bytes: &[u8]) -> Result<Vec<[Vec3; 3]>, String> {
    if is_binary(bytes) {
        let triangles = bytes[HEADER..].as_chunks::<TRIANGLE>().0.iter();
        let float = |bytes: &[u8], nth: usize| {
            let four = bytes[4 * nth..].first_chunk().copied();
            f32::from_le_bytes(four.unwrap_or_default())
        };
        // The normal comes first; it is computed again.
        let corner = |bytes: &[u8], nth: usize| {
            Vec3::from([0, 1, 2].map(|lane| float(bytes, 3 + 3 * nth + lane)))
        };
        let triangle = |bytes: &[u8; TRIANGLE]| [0, 1, 2].map(|nth| corner(bytes, nth));
        return Ok(triangles.map(triangle).collect());
    }
    let mut corners = Vec::new();
    for (nth, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let text = String::from_utf8_lossy(line);
        let mut words = text.split_whitespace();
        if words.next() == Some("vertex") {
            let mut next = || words.next()?.parse().ok();
            let mut vector = || Some(Vec3::new(next()?, next()?, next()?));
            let wrong = || format!("wants three numbers in line {}", nth + 1);
            corners.push(vector().ok_or_else(wrong)?);
        }
    }
    let (triangles, rest) = corners.as_chunks::<3>();
    match rest.is_empty() {
        true => Ok(triangles.to_vec()),
        false => Err("ends within a triangle".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_encodings_are_read() {
        let text = "solid a\nfacet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n\
            vertex 0 1 2.5e0\n endloop\nendfacet\nendsolid\n";
        let expected = [[Vec3::ZERO, Vec3::X, Vec3::new(0.0, 1.0, 2.5)]];
        assert_eq!(read(text.as_bytes()).unwrap(), expected);
        let mut binary = vec![b's'; 80];
        binary.extend(1_u32.to_le_bytes());
        let numbers = [[0.0; 3], [0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 2.5]].concat();
        binary.extend(numbers.iter().flat_map(|number: &f32| number.to_le_bytes()));
        binary.extend([0; 2]);
        assert_eq!(read(&binary).unwrap(), expected);
        assert!(read(b"solid\nvertex 1 2\n").unwrap_err().contains("line 2"));
        assert!(read(b"solid\nvertex 1 2 3\n").is_err());
    }
}
