//! Tests that both sides of the UV seams of the shipped head get the same values.

use super::test_parts::shipped;
use super::{Canvas, Dab, Map, MapKind, MapUndo, Tool, UvLayout};
use crate::head::{Part, Wrap};
use glam::{Vec2, Vec3};
use std::collections::BTreeMap;

/// A point on a seam, and its UVs on both sides.
type SeamPoint = (Vec3, [Vec2; 2]);

/// Points on seams where hair grows: along edges that two triangles share on the skin, but not
/// in the picture.
fn seam_points(part: &Part) -> Vec<SeamPoint> {
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

/// The largest difference across seams, in stored numbers, and how many points are painted.
fn across(map: &Map, points: &[SeamPoint]) -> (f32, usize) {
    let at = |uv| map.sample_uv(uv, [Wrap::Repeat; 2])[0] * 65535.0;
    let painted = points.iter().filter(|(_, [uv, _])| at(*uv) > 100.0);
    let differences = points.iter().map(|(_, [a, b])| (at(*a) - at(*b)).abs());
    (differences.fold(0.0, f32::max), painted.count())
}

#[test]
fn seams_do_not_show() {
    let part = shipped();
    let points = seam_points(&part);
    assert!(points.len() >= 200, "{} points", points.len());
    let canvas = Canvas::of_part(&part, 1024);
    let mut map = Map::uniform(canvas.layout(), MapKind::Density, [0.0; 3]).unwrap();
    let layout = UvLayout::of_part(&part).unwrap();
    let mut paint = |dab: Dab| {
        for (nth, (centre, uvs)) in points.iter().enumerate().step_by(points.len() / 12) {
            // The UVs of both sides lead to the point.
            let found = layout.find(&part, uvs[nth % 2]).unwrap();
            assert!(found.position.distance(*centre) < 1e-4);
            let dab = Dab {
                centre: found.position,
                radius: 0.4,
                falloff: 1.0,
                value: [if nth % 2 == 0 { 1.0 } else { 0.3 }; 3],
                ..dab
            };
            map.dab(&canvas, &dab, &mut MapUndo::default());
        }
        across(&map, &points)
    };
    // Values of both sides lie on different points, so what is between them differs by what
    // bilinear sampling makes of the brush's bend: 6 / 0.4² · 0.0065² / 8 of 65535 is 13.
    let strength = 0.8;
    let (worst, painted) = paint(Dab {
        strength,
        ..Dab::default()
    });
    assert!(painted >= 150, "{painted}");
    assert!(worst <= 6.0, "{worst}");
    let tool = Tool::Smooth;
    let (worst, _) = paint(Dab {
        tool,
        ..Dab::default()
    });
    assert!(worst <= 40.0, "{worst}");
}

#[test]
fn vertices_at_the_same_place_get_the_same_to_the_bit() {
    let mut part = shipped();
    part.uvs = None;
    let canvas = Canvas::of_part(&part, 1024);
    let mut map = Map::uniform(canvas.layout(), MapKind::Density, [0.0; 3]).unwrap();
    for (nth, &centre) in part.positions.iter().enumerate().step_by(300) {
        let tool = if nth % 2 == 0 {
            Tool::Set
        } else {
            Tool::Smooth
        };
        let dab = Dab {
            centre,
            tool,
            value: [0.7; 3],
            mirror: nth % 3 == 0,
            ..Dab::default()
        };
        map.dab(&canvas, &dab, &mut MapUndo::default());
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
