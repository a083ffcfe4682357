use super::*;
use crate::head::Part;
use crate::maps::test_parts::{FULL_SQUARE, quad, shipped};
use crate::maps::{Layout, MapKind, UvLayout};
use glam::Vec2;
use std::collections::BTreeMap;

/// A map of one value, all numbers alike.
fn uniform(canvas: &Canvas, kind: MapKind, value: f32) -> Map {
    Map::uniform(canvas.layout(), kind, [value; 3]).unwrap()
}

fn touch(map: &mut Map, canvas: &Canvas, dab: &Dab) -> usize {
    map.dab(canvas, dab, &mut MapUndo::default())
}

/// A dab of a value, or one that smooths.
fn dab(centre: Vec3, radius: f32, value: Option<[f32; 3]>) -> Dab {
    Dab {
        centre,
        radius,
        value,
        ..Dab::default()
    }
}

#[test]
fn weights_are_those_computed_by_hand() {
    let weights = |falloff, strength| {
        let dab = Dab {
            radius: 2.0,
            strength,
            falloff,
            ..Dab::default()
        };
        [0.0, 0.5, 1.0, 1.5, 2.0, 2.1].map(|distance| dab.weight(distance))
    };
    assert_eq!(weights(0.0, 0.5), [0.5, 0.5, 0.5, 0.5, 0.5, 0.0]);
    // Fades all the way: 3 t² - 2 t³ at t = 1, 3/4, 1/2, 1/4, 0; then half the way.
    assert_eq!(weights(1.0, 1.0), [1.0, 0.84375, 0.5, 0.15625, 0.0, 0.0]);
    assert_eq!(weights(0.5, 1.0), [1.0, 1.0, 1.0, 0.5, 0.0, 0.0]);
    for (falloff, strength) in [(f32::NAN, 1.0), (9.0, 1.0), (0.5, f32::NAN), (-1.0, 7.0)] {
        assert!((0.0..=1.0).contains(&weights(falloff, strength)[0]));
    }
}

#[test]
fn a_dab_on_a_quad_is_the_one_computed_by_hand() {
    // Four by four values, half a decimetre apart.
    let canvas = Canvas::of_part(&quad(FULL_SQUARE), 4);
    let mut map = uniform(&canvas, MapKind::Length, 0.0);
    let half = Dab {
        strength: 0.5,
        falloff: 1.0,
        ..dab(Vec3::new(-0.75, 0.75, 0.0), 1.0, Some([0.8; 3]))
    };
    assert_eq!(touch(&mut map, &canvas, &half), 4);
    // The middle goes half of the way; half a radius away the falloff is 1/2 too; over the
    // corner, at √½, it is 3 t² - 2 t³ with t = 1 - √½: 0.20711.
    let corner = (0.5 * 0.207_106_8 * 0.8 * 65535.0_f32).round() as u16;
    assert_eq!(map.values()[..6], [26214, 13107, 0, 0, 13107, corner]);
    // Again: half of what is left.
    touch(&mut map, &canvas, &half);
    assert_eq!(map.values()[0], 39321);
    // Values per vertex are painted too.
    let part = quad(None);
    let canvas = Canvas::of_part(&part, 64);
    let mut map = uniform(&canvas, MapKind::Tint, 0.0);
    let color = dab(part.positions[1], 0.2, Some([1.0, 0.5, 0.0]));
    assert_eq!(touch(&mut map, &canvas, &color), 1);
    assert_eq!(map.stored(1), Some([65535, 32768, 0]));
}

#[test]
fn unusable_dabs_change_nothing() {
    let canvas = Canvas::of_part(&quad(FULL_SQUARE), 8);
    let mut map = uniform(&canvas, MapKind::Length, 0.0);
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
        for value in [Some([1.0; 3]), None] {
            let unusable = Dab {
                strength,
                mirror: true,
                ..dab(Vec3::X * x, radius, value)
            };
            assert_eq!(touch(&mut map, &canvas, &unusable), 0);
        }
    }
    assert_eq!(map, uniform(&canvas, MapKind::Length, 0.0));
    let mut other = Map::uniform(Layout::Vertices(4), MapKind::Length, [0.0; 3]).unwrap();
    assert_eq!(touch(&mut other, &canvas, &Dab::default()), 0);
    // An infinite radius covers the whole head.
    let all = dab(Vec3::ZERO, f32::INFINITY, Some([1.0; 3]));
    assert_eq!(touch(&mut map, &canvas, &all), 64);
}

#[test]
fn both_sides_are_touched_alike() {
    // An even number of values across a symmetric quad: each has a mirrored one.
    let canvas = Canvas::of_part(&quad(FULL_SQUARE), 32);
    for (kind, smooths) in [
        (MapKind::Density, false),
        (MapKind::Direction, false),
        (MapKind::Direction, true),
    ] {
        let mut map = uniform(&canvas, kind, kind.neutral()[0]);
        for (x, y, radius) in [(0.5, 0.1, 0.3), (0.1, -0.2, 0.4), (-0.7, 0.0, 0.6)] {
            let set = Dab {
                mirror: true,
                ..dab(Vec3::new(x, y, 0.0), radius, Some([0.1, 0.7, 0.3]))
            };
            touch(&mut map, &canvas, &set);
            let value = set.value.filter(|_| !smooths);
            touch(&mut map, &canvas, &Dab { value, ..set });
        }
        for texel in 0..32 * 32 {
            let value = |texel| map.stored(texel).unwrap();
            let here = kind.mirrored(value(texel));
            let there = value(texel / 32 * 64 + 31 - texel);
            let apart = here.iter().zip(there).map(|(a, b)| a.abs_diff(b));
            assert!(apart.max() <= Some(2), "{kind} {texel}: {here:?} {there:?}");
        }
    }
}

#[test]
fn smoothing_softens_edges_and_leaves_even_values() {
    let canvas = Canvas::of_part(&quad(FULL_SQUARE), 64);
    let mut map = uniform(&canvas, MapKind::Density, 0.0);
    let edge = Dab {
        falloff: 0.0,
        ..dab(Vec3::NEG_X, 1.0, Some([1.0; 3]))
    };
    touch(&mut map, &canvas, &edge);
    let steepest = |map: &Map| {
        let row = &map.values()[32 * 64..33 * 64];
        let steps = row.windows(2).map(|pair| pair[0].abs_diff(pair[1]));
        steps.max().unwrap()
    };
    assert_eq!(steepest(&map), u16::MAX);
    let smooth = dab(Vec3::ZERO, 0.5, None);
    touch(&mut map, &canvas, &smooth);
    assert!(steepest(&map) < u16::MAX / 4, "{}", steepest(&map));

    let mut even = uniform(&canvas, MapKind::Density, 0.25);
    assert_eq!(touch(&mut even, &canvas, &smooth), 0);
}

/// Returns points on seams where hair grows, and their UVs on both sides: along edges that two
/// triangles share on the skin, but not in the picture.
fn seam_points(part: &Part) -> Vec<(Vec3, [Vec2; 2])> {
    let uvs = part.uvs.as_ref().unwrap();
    let density = &part.paint.as_ref().unwrap().density;
    let grows = |corners: &&[u32; 3]| corners.iter().all(|&v| density[v as usize] > 0.0);
    let bits = |v: u32| part.positions[v as usize].to_array().map(f32::to_bits);
    let mut edges: BTreeMap<_, Vec<[u32; 2]>> = BTreeMap::new();
    for &[a, b, c] in part.triangles.iter().filter(grows) {
        for [i, j] in [[a, b], [b, c], [c, a]] {
            let [i, j] = if bits(i) <= bits(j) { [i, j] } else { [j, i] };
            edges.entry([bits(i), bits(j)]).or_default().push([i, j]);
        }
    }
    let mut points = Vec::new();
    for sides in edges.values() {
        let [[a, b], [c, d]] = sides[..] else {
            continue;
        };
        let [a, b, c, d] = [a, b, c, d].map(|v| v as usize);
        if uvs[a].distance(uvs[c]) < 0.01 && uvs[b].distance(uvs[d]) < 0.01 {
            continue;
        }
        for share in [0.0, 0.3, 0.5, 0.8] {
            let p = part.positions[a].lerp(part.positions[b], share);
            let sides = [uvs[a].lerp(uvs[b], share), uvs[c].lerp(uvs[d], share)];
            points.push((p, sides));
        }
    }
    points
}

/// Values across seams differ by what bilinear sampling makes of the brush's bend, as those of both
/// sides lie on different points: 6 / 0.4² · 0.0065² / 8 of 65535 is 13.
#[test]
fn seams_do_not_show() {
    let part = shipped();
    let points = seam_points(&part);
    assert!(points.len() >= 200, "{} points", points.len());
    let canvas = Canvas::of_part(&part, 1024);
    let mut map = uniform(&canvas, MapKind::Density, 0.0);
    let layout = UvLayout::of_part(&part).unwrap();
    for (smooths, strength, max) in [(false, 0.8, 6.0), (true, 1.0, 40.0)] {
        for (nth, (centre, uvs)) in points.iter().enumerate().step_by(points.len() / 12) {
            // The UVs of both sides lead to the point.
            let (found, _) = layout.find(&part, uvs[nth % 2]).unwrap();
            assert!(found.distance(*centre) < 1e-4);
            let value = if nth % 2 == 0 { 1.0 } else { 0.3 };
            let soft = Dab {
                strength,
                falloff: 1.0,
                ..dab(found, 0.4, (!smooths).then_some([value; 3]))
            };
            touch(&mut map, &canvas, &soft);
        }
        let at = |uv| map.bilinear(uv, [1024; 2])[0] * 65535.0;
        let painted = points.iter().filter(|(_, [uv, _])| at(*uv) > 100.0);
        assert!(painted.count() >= 150);
        let apart = points.iter().map(|(_, [a, b])| (at(*a) - at(*b)).abs());
        let worst = apart.fold(0.0, f32::max);
        assert!(worst <= max, "{worst}");
    }
}

#[test]
fn vertices_at_the_same_place_get_the_same_to_the_bit() {
    let mut part = shipped();
    part.uvs = None;
    let canvas = Canvas::of_part(&part, 1024);
    let mut map = uniform(&canvas, MapKind::Density, 0.0);
    for (nth, &centre) in part.positions.iter().enumerate().step_by(300) {
        let some = Dab {
            mirror: nth % 3 == 0,
            ..dab(centre, 0.2, (nth % 2 == 0).then_some([0.7; 3]))
        };
        touch(&mut map, &canvas, &some);
    }
    let mut found = BTreeMap::new();
    let mut twins = 0;
    for (position, &value) in part.positions.iter().zip(map.values()) {
        let bits = position.to_array().map(f32::to_bits);
        if let Some(before) = found.insert(bits, value) {
            assert_eq!(before, value);
            twins += 1;
        }
    }
    assert!(twins > 0);
}
