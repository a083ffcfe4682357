//! Reads from the markers of a JPEG how much work its decoding takes.

/// The structure of a JPEG, read from its markers before it is decoded.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct JpegStructure {
    /// `true` if the decoder keeps the coefficients of all scans until the last.
    pub(crate) is_progressive: bool,
    /// The number of scans; each takes time for the whole picture, however short it is.
    pub(crate) scans: u64,
    /// `true` if the end marker exists; the decoder accepts a truncated picture.
    pub(crate) is_complete: bool,
}

impl JpegStructure {
    /// Walks the markers up to the end of the picture.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut structure = Self::default();
        let mut at = 2;
        while let Some(&byte) = bytes.get(at) {
            let marker = bytes.get(at + 1);
            match (byte, marker) {
                (0xFF, Some(0xD9)) => {
                    structure.is_complete = true;
                    break;
                }
                // Scan data writes 0xFF as 0xFF 0; restarts and 0x01 have no length.
                (0xFF, Some(0x00 | 0x01 | 0xD0..=0xD8)) => at += 2,
                (0xFF, Some(0xFF)) | (0..=0xFE, _) => at += 1,
                (0xFF, Some(marker)) => {
                    match marker {
                        0xC2 | 0xC6 | 0xCA | 0xCE => structure.is_progressive = true,
                        0xDA => structure.scans += 1,
                        _ => {}
                    }
                    let length = bytes.get(at + 2..).and_then(<[u8]>::first_chunk);
                    at += 2 + length.map_or(0, |&two| usize::from(u16::from_be_bytes(two)));
                }
                (0xFF, None) => break,
            }
        }
        structure
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_inside_segments_and_scan_data_are_ignored() {
        // A comment that holds markers, a progressive frame, two scans.
        let jpeg = [
            &[0xFF, 0xD8, 0xFF, 0xFE, 0, 6, 0xFF, 0xDA, 0xFF, 0xD9][..],
            &[
                0xFF, 0xC2, 0, 2, 0xFF, 0xDA, 0, 3, 9, 1, 0xFF, 0, 0xFF, 0xD0, 7,
            ],
            &[0xFF, 0xFF, 0xDA, 0, 2, 5, 0xFF, 0xD9],
        ]
        .concat();
        let whole = JpegStructure {
            is_progressive: true,
            scans: 2,
            is_complete: true,
        };
        assert_eq!(JpegStructure::of(&jpeg), whole);
        for length in 0..jpeg.len() {
            assert!(!JpegStructure::of(&jpeg[..length]).is_complete, "{length}");
        }
    }
}
