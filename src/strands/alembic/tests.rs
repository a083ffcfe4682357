//! Tests of whole files.

use super::super::{Motion, Strands, Values};
use super::compound::digest_of;
use super::*;
use crate::head::{Limits, Up};
use crate::strands::tests::strands;
use proptest::prelude::*;
use std::io::Cursor;

/// Three strands within two transforms, written by Blender: `tests/interop/alembic.py`.
const BLENDER: &[u8] = include_bytes!("../../../tests/files/strands/blender.abc");

fn written(strands: &Strands, motion: Option<Motion>) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    write(&mut file, strands, motion).unwrap();
    file.into_inner()
}

fn read_with(bytes: &[u8], limits: &Limits) -> Result<Strands, String> {
    let budget = Budget::new(limits, bytes.len() as u64);
    read(bytes, &budget, &mut Moment::default(), &mut Vec::new())
}

fn opened(bytes: &[u8]) -> Result<Strands, String> {
    read_with(bytes, &Limits::default())
}

fn bytes_of(points: &[[f32; 3]]) -> Vec<u8> {
    let numbers = points.as_flattened().iter();
    numbers.flat_map(|x| x.to_le_bytes()).collect()
}

fn holds(file: &[u8], part: &[u8]) -> bool {
    file.windows(part.len()).any(|window| window == part)
}

proptest! {
    #[test]
    fn strands_are_read_as_they_were_written(mut strands in strands(false), is_bare: bool) {
        (strands.up, strands.unit_metres) = (None, None);
        if is_bare {
            strands.root_uvs.clear();
            strands.guides.clear();
        }
        let mut found = opened(&written(&strands, None)).unwrap();
        // Widths are written for each point.
        for (strand, range) in strands.ranges().enumerate() {
            for point in range {
                prop_assert_eq!(found.widths.at(strand, point), strands.widths.at(strand, point));
                let opacities = [&found, &strands].map(|side| side.opacities.at(strand, point));
                prop_assert_eq!(opacities[0], opacities[1]);
                let colors = [&found, &strands].map(|side| side.colors.at(strand, point));
                let [found, color] = colors.map(Option::unwrap_or_default);
                prop_assert!((0..3).all(|nth| (found[nth] - color[nth]).abs() < 1e-5));
            }
        }
        prop_assert_eq!(found.colors.is_none(), strands.colors.is_none());
        prop_assert_eq!(found.up.take(), Some(Up::Y));
        found.widths = strands.widths.clone();
        // Those of one strand are those of all.
        found.opacities = strands.opacities.clone();
        found.colors = strands.colors.clone();
        prop_assert_eq!(found, strands);
    }
}

/// Returns strands with all that can be written.
fn still() -> Strands {
    Strands {
        counts: vec![3, 2],
        points: (0..5).map(|nth| [nth as f32, 0.5, 1.0]).collect(),
        widths: Values::All(0.25),
        opacities: Values::All(0.5),
        colors: Values::Strands(vec![[0.0, 0.5, 1.0]; 2]),
        root_uvs: vec![[0.25, 0.75]; 2],
        guides: vec![true, false],
        ..Strands::default()
    }
}

#[test]
fn files_of_blender_are_read() {
    let mut warnings = Vec::new();
    let budget = Budget::new(&Limits::default(), BLENDER.len() as u64);
    let strands = read(BLENDER, &budget, &mut Moment::default(), &mut warnings).unwrap();
    assert_eq!(strands.counts, [3, 2, 4]);
    // As Blender computes it, with Y up.
    for (nth, place) in [
        (0, [-3.726_588, 3.093_955, -2.557_338]),
        (3, [-3.135_585, 3.557_273, -3.928_375]),
        (8, [-4.684_285, 4.471_995, -4.073_867]),
    ] {
        let distance = glam::Vec3::from(strands.points[nth]).distance(place.into());
        assert!(distance < 1e-5, "{:?}", strands.points);
    }
    let Values::Points(widths) = &strands.widths else {
        panic!("{:?}", strands.widths)
    };
    assert!((0..9).all(|nth| (widths[nth] - 0.01 * (nth + 1) as f32).abs() < 1e-6));
    assert_eq!(strands.guides, [true, false, true]);
    assert_eq!(strands.root_uvs, [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]);
    assert_eq!(warnings, [""; 0]);
}

#[test]
fn samples_have_the_digests_of_other_writers() {
    let counts = [3_u32, 2, 4].map(u32::to_le_bytes).concat();
    assert!(holds(BLENDER, &[&digest_of(&counts)[..], &counts].concat()));
}

#[test]
fn every_frame_is_written_and_the_first_is_read() {
    let strands = still();
    let moved = |frame: usize| {
        let moved = |&[x, y, z]: &[f32; 3]| [x + 10.0 * frame as f32, y, z];
        strands.points.iter().map(moved).collect::<Vec<_>>()
    };
    let mut frame = |frame: usize, points: &mut [[f32; 3]]| {
        points.copy_from_slice(&moved(frame + 1));
        Ok(())
    };
    let motion = Motion {
        fps: 25.0,
        frames: 3,
        frame: &mut frame,
    };
    let file = written(&strands, Some(motion));
    for frame in 1..4 {
        let bytes = bytes_of(&moved(frame));
        let sample = [&digest_of(&bytes)[..], &bytes].concat();
        assert!(holds(&file, &sample), "{frame}");
    }
    assert_eq!(opened(&file).unwrap().points, moved(1));
}

#[test]
fn parts_and_damages_of_files_do_no_harm() {
    for file in [BLENDER.to_vec(), written(&still(), None)] {
        let whole = opened(&file).unwrap();
        for end in 0..file.len() {
            assert!(opened(&file[..end]).is_err(), "{end}");
        }
        for place in 0..file.len() {
            for change in [1, 0x80, 0xff] {
                let mut file = file.clone();
                file[place] ^= change;
                // A point has a place of its own, or none that counts.
                if let Ok(strands) = opened(&file) {
                    assert!(strands.points.len() <= whole.points.len(), "{place}");
                }
            }
        }
    }
}

/// Returns a file whose only object is in itself, twice.
fn endless() -> Vec<u8> {
    let mut file = [MAGIC, &[0xff, 0, 1], &[0; 8]].concat();
    let put = |file: &mut Vec<u8>, numbers: &[u64]| {
        let place = file.len() as u64;
        file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        place
    };
    let data = 1 << 63;
    let headers = file.len() as u64;
    let header = [&1_u32.to_le_bytes()[..], b"a", &[0]].concat();
    put(&mut file, &[2 * header.len() as u64 + 32]);
    file.extend([&header[..], &header, &[0; 32]].concat());
    let top = file.len() as u64;
    put(&mut file, &[4, 0, top, top, headers | data]);
    let root = put(&mut file, &[6, data, data, top, data, data, data]);
    file[8..16].copy_from_slice(&root.to_le_bytes());
    file
}

#[test]
fn problems_are_told() {
    let error = |bytes: &[u8]| opened(bytes).unwrap_err();
    let limited = |bytes: &[u8], limits| read_with(bytes, &limits).unwrap_err();
    assert!(error(&endless()).contains("node-depth"));
    let limits = Limits {
        node_depth: u64::MAX,
        ..Limits::default()
    };
    assert!(limited(&endless(), limits).contains("memory-free"));
    assert!(error(b"\x89HDF\r\n\x1a\n").contains("export it with Ogawa"));
    let mut file = written(&still(), None);
    let limits = Limits {
        memory_free: 0,
        memory_per_byte: 0,
        ..Limits::default()
    };
    assert!(limited(&file, limits).contains("memory-free"));
    file[5] = 0;
    assert_eq!(error(&file), "it was not written to its end");
    let wrong = Strands {
        counts: vec![3, 9],
        widths: Values::None,
        ..still()
    };
    let message = "object `strands`: its curves have 12 points, but it holds 5";
    assert_eq!(error(&written(&wrong, None)), message);
    let empty = written(&Strands::default(), None);
    assert_eq!(error(&empty), "it has no curves");
}
