//! What the markers of a JPEG tell before it is decoded.

/// How a JPEG is made up.
#[derive(Debug, Default, PartialEq)]
pub struct Outline {
    /// Coefficients come in several scans and are kept until the last.
    pub progressive: bool,
    /// Each scan costs time for the whole picture, however short it is.
    pub scans: u64,
    /// Whether the end is there: the decoder takes a picture that is cut off for whole.
    pub ends: bool,
}

/// Walks the markers up to the end of the picture.
pub fn outline(bytes: &[u8]) -> Outline {
    let mut outline = Outline::default();
    let mut at = 2;
    while let Some(&byte) = bytes.get(at) {
        let marker = bytes.get(at + 1);
        match (byte, marker) {
            (0xFF, Some(0xD9)) => {
                outline.ends = true;
                break;
            }
            // In scans a 0 follows a byte 0xFF; restarts and 0x01 stand alone.
            (0xFF, Some(0x00 | 0x01 | 0xD0..=0xD8)) => at += 2,
            (0xFF, Some(0xFF)) | (0..=0xFE, _) => at += 1,
            (0xFF, Some(marker)) => {
                match marker {
                    0xC2 | 0xC6 | 0xCA | 0xCE => outline.progressive = true,
                    0xDA => outline.scans += 1,
                    _ => {}
                }
                let length = bytes.get(at + 2..at + 4);
                let length = length.map_or(0, |two| usize::from(two[0]) << 8 | usize::from(two[1]));
                at += 2 + length;
            }
            (0xFF, None) => break,
        }
    }
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_told_from_data() {
        // A comment that holds markers, a progressive frame, two scans.
        let jpeg = [
            &[0xFF, 0xD8, 0xFF, 0xFE, 0, 6, 0xFF, 0xDA, 0xFF, 0xD9][..],
            &[
                0xFF, 0xC2, 0, 2, 0xFF, 0xDA, 0, 3, 9, 1, 0xFF, 0, 0xFF, 0xD0, 7,
            ],
            &[0xFF, 0xFF, 0xDA, 0, 2, 5, 0xFF, 0xD9],
        ]
        .concat();
        let whole = Outline {
            progressive: true,
            scans: 2,
            ends: true,
        };
        assert_eq!(outline(&jpeg), whole);
        for length in 0..jpeg.len() {
            assert!(!outline(&jpeg[..length]).ends, "{length}");
        }
    }
}
