use super::*;
use crate::maps::test_parts::{FULL_SQUARE, quad};
use crate::maps::{Layout, MapKind};
use proptest::prelude::*;

fn black(canvas: &Canvas, kind: MapKind) -> Map {
    Map::uniform(canvas.layout(), kind, [0.0; 3]).unwrap()
}

#[test]
fn weights_are_those_computed_by_hand() {
    let dab = |falloff, strength| Dab {
        radius: 2.0,
        strength,
        falloff,
        ..Dab::default()
    };
    let hard = dab(0.0, 0.5);
    assert_eq!(
        [0.0, 1.9, 2.0, 2.1].map(|d| hard.weight(d)),
        [0.5, 0.5, 0.5, 0.0]
    );
    // All the way: 3 t² - 2 t³ at t = 1, 3/4, 1/2, 1/4, 0.
    let soft = dab(1.0, 1.0);
    let expected = [1.0, 0.84375, 0.5, 0.15625, 0.0];
    assert_eq!([0.0, 0.5, 1.0, 1.5, 2.0].map(|d| soft.weight(d)), expected);
    // Half the way.
    let half = dab(0.5, 1.0);
    assert_eq!(
        [0.0, 1.0, 1.5, 2.0].map(|d| half.weight(d)),
        [1.0, 1.0, 0.5, 0.0]
    );
    for (falloff, strength) in [(f32::NAN, 1.0), (9.0, 1.0), (0.5, f32::NAN), (-1.0, 7.0)] {
        assert!((0.0..=1.0).contains(&dab(falloff, strength).weight(0.1)));
    }
}

#[test]
fn a_dab_on_a_quad_is_the_one_computed_by_hand() {
    // Four by four values, half a decimetre apart.
    let canvas = Canvas::of_part(&quad(FULL_SQUARE), 4);
    let mut map = black(&canvas, MapKind::Length);
    let dab = Dab {
        centre: Vec3::new(-0.75, 0.75, 0.0),
        radius: 1.0,
        strength: 0.5,
        falloff: 1.0,
        value: [0.8; 3],
        ..Dab::default()
    };
    assert_eq!(map.dab(&canvas, &dab, &mut MapUndo::default()), 4);
    // The middle goes half of the way; half a radius away the falloff is 1/2 too; over the
    // corner, at √½, it is 3 t² - 2 t³ with t = 1 - √½: 0.20711.
    let corner = (0.5 * 0.207_106_8 * 0.8 * 65535.0_f32).round() as u16;
    assert_eq!(map.values()[..6], [26214, 13107, 0, 0, 13107, corner]);
    // Again: half of what is left.
    map.dab(&canvas, &dab, &mut MapUndo::default());
    assert_eq!(map.values()[0], 39321);
}

#[test]
fn nothing_happens_where_nothing_can() {
    let canvas = Canvas::of_part(&quad(FULL_SQUARE), 8);
    let mut map = black(&canvas, MapKind::Length);
    let mut record = MapUndo::default();
    let nan = f32::NAN;
    for (x, radius, strength) in [
        (nan, 1.0, 1.0),
        (f32::INFINITY, 1.0, 1.0),
        (3e38, 1.0, 1.0),
        (0.0, nan, 1.0),
        (0.0, -1.0, 1.0),
        (0.0, 0.0, 1.0),
        (0.0, 1.0, nan),
        (0.0, 1.0, 0.0),
        (9.0, 1.0, 1.0),
    ] {
        for tool in [Tool::Set, Tool::Smooth] {
            let centre = Vec3::X * x;
            let dab = Dab {
                centre,
                radius,
                strength,
                tool,
                mirror: true,
                ..Dab::default()
            };
            assert_eq!(map.dab(&canvas, &dab, &mut record), 0);
        }
    }
    assert!(record.is_empty());
    let mut other = Map::uniform(Layout::Vertices(4), MapKind::Length, [0.0; 3]).unwrap();
    assert_eq!(other.dab(&canvas, &Dab::default(), &mut record), 0);
    // A radius without end is all of the head.
    let all = Dab {
        radius: f32::INFINITY,
        ..Dab::default()
    };
    assert_eq!(map.dab(&canvas, &all, &mut record), 64);
}

#[test]
fn both_sides_are_touched_alike() {
    // An even number of values across a symmetric quad: each has a mirrored one.
    let canvas = Canvas::of_part(&quad(FULL_SQUARE), 32);
    for (kind, tool) in [
        (MapKind::Density, Tool::Set),
        (MapKind::Direction, Tool::Set),
        (MapKind::Direction, Tool::Smooth),
    ] {
        let mut map = black(&canvas, kind);
        map.fill(kind.neutral(), &mut MapUndo::default());
        for (x, y, radius) in [(0.5, 0.1, 0.3), (0.1, -0.2, 0.4), (-0.7, 0.0, 0.6)] {
            let set = Dab {
                centre: Vec3::new(x, y, 0.0),
                radius,
                value: [0.1, 0.7, 0.3],
                mirror: true,
                ..Dab::default()
            };
            let mut record = MapUndo::default();
            map.dab(&canvas, &set, &mut record);
            map.dab(&canvas, &Dab { tool, ..set }, &mut record);
        }
        for (row, column) in (0..32_usize).flat_map(|row| (0..16).map(move |column| (row, column)))
        {
            let value = |column| map.stored(row * 32 + column).unwrap();
            let (here, there) = (kind.mirrored(value(column)), value(31 - column));
            for (a, b) in here.into_iter().zip(there) {
                assert!(
                    a.abs_diff(b) <= 2,
                    "{kind} {row} {column}: {here:?} {there:?}"
                );
            }
        }
    }
}

#[test]
fn smoothing_takes_edges_off_and_leaves_what_is_even() {
    let canvas = Canvas::of_part(&quad(FULL_SQUARE), 64);
    let mut map = black(&canvas, MapKind::Density);
    let mut record = MapUndo::default();
    let edge = Dab {
        centre: Vec3::NEG_X,
        radius: 1.0,
        falloff: 0.0,
        ..Dab::default()
    };
    map.dab(&canvas, &edge, &mut record);
    let steepest = |map: &Map| {
        let row = &map.values()[32 * 64..33 * 64];
        row.windows(2)
            .map(|pair| pair[0].abs_diff(pair[1]))
            .max()
            .unwrap()
    };
    assert_eq!(steepest(&map), u16::MAX);
    let smooth = Dab {
        radius: 0.5,
        tool: Tool::Smooth,
        ..Dab::default()
    };
    map.dab(&canvas, &smooth, &mut record);
    assert!(steepest(&map) < u16::MAX / 4, "{}", steepest(&map));

    map.fill([0.25; 3], &mut record);
    assert_eq!(map.dab(&canvas, &smooth, &mut record), 0);
}

#[test]
fn values_per_vertex_are_painted_too() {
    let part = quad(None);
    let canvas = Canvas::of_part(&part, 64);
    let mut map = black(&canvas, MapKind::Tint);
    let dab = Dab {
        centre: part.positions[1],
        value: [1.0, 0.5, 0.0],
        ..Dab::default()
    };
    assert_eq!(map.dab(&canvas, &dab, &mut MapUndo::default()), 1);
    assert_eq!(map.stored(1), Some([65535, 32768, 0]));
    let at = map.sample_rgb(&part, [0, 3, 1], Vec3::new(0.5, 0.0, 0.5));
    assert!((at[0] - 0.5).abs() < 1e-5);
}

/// A stroke of some dabs.
fn dabs() -> impl Strategy<Value = Vec<Dab>> {
    let dab = (
        [-1.2_f32..1.2, -1.2_f32..1.2, -0.2_f32..0.2],
        (0.01_f32..2.0, 0.0_f32..1.0, 0.0_f32..1.0),
        [0.0_f32..1.0, 0.0_f32..1.0, 0.0_f32..1.0],
        any::<[bool; 2]>(),
    )
        .prop_map(
            |(centre, (radius, strength, falloff), value, [smooth, mirror])| Dab {
                centre: Vec3::from(centre),
                radius,
                strength,
                falloff,
                value,
                tool: if smooth { Tool::Smooth } else { Tool::Set },
                mirror,
            },
        );
    prop::collection::vec(dab, 0..6)
}

proptest! {
    #[test]
    fn undo_and_redo_lead_back_to_the_bit(
        strokes in prop::collection::vec((dabs(), any::<[bool; 3]>()), 1..5),
        kind in prop::sample::select(MapKind::ALL.to_vec()),
        mirrored_uvs in any::<bool>(),
        has_uvs in any::<bool>(),
    ) {
        let mut uvs = FULL_SQUARE.unwrap();
        if mirrored_uvs {
            uvs[0].x = 1.0;
            uvs[2].x = 1.0;
            uvs[1].x = 0.5;
            uvs[3].x = 0.5;
        }
        let canvas = Canvas::of_part(&quad(has_uvs.then_some(uvs)), 16);
        let mut map = Map::uniform(canvas.layout(), kind, kind.neutral()).unwrap();
        let mut states = vec![map.clone()];
        let mut records = Vec::new();
        for (dabs, [fill, mirror, finish]) in strokes {
            let mut record = MapUndo::default();
            for (number, dab) in dabs.iter().enumerate() {
                map.dab(&canvas, dab, &mut record);
                if fill && number == 1 {
                    map.fill(dab.value, &mut record);
                }
                if mirror && number == 2 {
                    map.mirror_left_to_right(&canvas, &mut record);
                }
                if finish {
                    record.finish();
                }
            }
            states.push(map.clone());
            records.push(record);
        }
        for _ in 0..2 {
            for (record, before) in records.iter_mut().zip(&states).rev() {
                record.swap(&mut map);
                prop_assert_eq!(&map, before);
            }
            for (record, after) in records.iter_mut().zip(&states[1..]) {
                record.swap(&mut map);
                prop_assert_eq!(&map, after);
            }
        }
    }
}
