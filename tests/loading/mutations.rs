//! Any bytes give a head or an error, and any head can be written again.

use mohawk::head::write::painted;
use mohawk::head::{Head, HeadSettings, Model};
use proptest::prelude::*;

const SHIPPED: &[u8] = include_bytes!("../../models/head.glb");

fn json_length() -> usize {
    u32::from_le_bytes(SHIPPED[12..16].try_into().unwrap()) as usize
}

fn load(bytes: &[u8]) {
    let (name, settings) = ("mutated.glb", HeadSettings::default());
    if let Ok(head) = Head::from_bytes(name, bytes, &settings) {
        assert!(!head.parts.is_empty() && !head.materials.is_empty());
        for part in &head.parts {
            let vertices = part.positions.len();
            assert_eq!(part.normals.len(), vertices);
            assert!(
                part.positions
                    .iter()
                    .chain(&part.normals)
                    .all(|v| v.is_finite())
            );
            assert!(
                part.triangles
                    .iter()
                    .flatten()
                    .all(|&corner| (corner as usize) < vertices)
            );
            assert!(part.material < head.materials.len());
        }
        let file = Model::Embedded(bytes.into());
        let Some(scalp) = head.scalp_part else {
            let bald = vec![0.0; head.parts[0].positions.len()];
            painted(&file, &head, 0, &bald, &settings).ok();
            return;
        };
        // Writing fails only for invalid JSON that the loader skips.
        let own = &head.parts[scalp].paint.as_ref().unwrap().density;
        if let Ok(written) = painted(&file, &head, scalp, own, &settings) {
            let again = Head::from_bytes(name, &written.glb, &settings).unwrap();
            assert_eq!(again.scalp_part, head.scalp_part);
            let read = &again.parts[scalp].paint.as_ref().unwrap().density;
            let differ = |(a, b): (&f32, &f32)| (a - b).abs() > 1.0 / 65535.0;
            assert!(!own.iter().zip(read).any(differ));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_changed_in_the_json(changes in prop::collection::vec((0usize..1 << 16, any::<u8>()), 1..4)) {
        let mut bytes = SHIPPED.to_vec();
        for (at, byte) in changes {
            bytes[20 + at % json_length()] = byte;
        }
        load(&bytes);
    }

    /// Digits stay digits, so that most of the documents parse.
    #[test]
    fn numbers_changed_in_the_json(changes in prop::collection::vec((0usize..1 << 16, b'0'..=b'9'), 1..6)) {
        let mut bytes = SHIPPED.to_vec();
        let json = &mut bytes[20..20 + json_length()];
        let digits: Vec<usize> = (0..json.len()).filter(|&at| json[at].is_ascii_digit()).collect();
        for (at, digit) in changes {
            json[digits[at % digits.len()]] = digit;
        }
        load(&bytes);
    }

    #[test]
    fn bytes_changed_in_the_buffer(changes in prop::collection::vec((0usize..1 << 24, any::<u8>()), 1..200)) {
        let mut bytes = SHIPPED.to_vec();
        let start = 28 + json_length();
        for (at, byte) in changes {
            let at = start + at % (bytes.len() - start);
            bytes[at] = byte;
        }
        load(&bytes);
    }

    #[test]
    fn any_bytes_at_all(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        load(&bytes);
    }
}
