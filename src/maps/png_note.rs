//! The note in a PNG that its values are per vertex.

/// Bytes before the first chunk that may be a note: the signature and the header chunk.
const HEADER: usize = 8 + 25;
/// The keyword of the note, up to the zero byte that ends it.
const KEYWORD: &[u8] = b"mohawk vertices\0";

/// A PNG with a note of how many vertices it has values for.
pub(super) fn with_note(png: &[u8], vertices: u32) -> Vec<u8> {
    let (header, rest) = png.split_at(HEADER.min(png.len()));
    let mut chunk = b"tEXt".to_vec();
    chunk.extend(KEYWORD);
    chunk.extend(vertices.to_string().bytes());
    let length = (chunk.len() - 4) as u32;
    let sum = checksum(&chunk);
    let length = length.to_be_bytes();
    [header, &length, &chunk, &sum.to_be_bytes(), rest].concat()
}

/// What the note of a PNG says, if it has one.
pub(super) fn note(png: &[u8]) -> Option<String> {
    let mut rest = png.get(8..)?;
    loop {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let length = u32::from_be_bytes(*length) as usize;
        let (name, after) = after.split_first_chunk::<4>()?;
        let data = after.get(..length)?;
        match name {
            b"tEXt" if data.starts_with(KEYWORD) => {
                let said = data.iter().skip(KEYWORD.len()).take(20);
                return Some(said.map(|&byte| char::from(byte)).collect());
            }
            b"IEND" => return None,
            _ => rest = after.get(length.checked_add(4)?..)?,
        }
    }
}

/// CRC-32 as PNG wants it (ISO 3309): the remainder of the bits, lowest first.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for &byte in bytes {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ (0xEDB8_8320 * (sum & 1));
        }
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(checksum(b"123456789"), 0xCBF4_3926);
        assert_eq!(checksum(b"IEND"), 0xAE42_6082);
    }

    #[test]
    fn notes_are_found_and_files_cut_off_are_none() {
        let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        png.resize(HEADER, 0);
        png.extend(b"\0\0\0\0IEND\xae\x42\x60\x82");
        assert_eq!(note(&png), None);
        let noted = with_note(&png, 1234);
        assert_eq!(note(&noted).as_deref(), Some("1234"));
        for end in 0..HEADER + 8 {
            assert_eq!(note(noted.get(..end).unwrap()), None);
        }
    }
}
