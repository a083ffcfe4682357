use super::*;
use crate::maps::test_parts::{FULL_SQUARE, quad, shipped};
use crate::maps::{Map, MapKind};
use glam::{Vec2, Vec3};
use proptest::prelude::*;
use std::collections::HashMap;

fn by_texel(canvas: &Canvas) -> HashMap<u32, Vec<Vec3>> {
    let mut found: HashMap<u32, Vec<Vec3>> = HashMap::new();
    for place in canvas.places() {
        found.entry(place.texel).or_default().push(place.position);
    }
    found
}

/// The four texels that sampling a UV touches, where there is a tile to each side.
fn touched(uv: Vec2, side: u32) -> [u32; 4] {
    let at = uv.as_dvec2() * f64::from(side) - 0.5;
    let wrapped = |at: f64| (at.floor() as i64).rem_euclid(side.into()) as u32;
    [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)]
        .map(|(x, y)| wrapped(at.y + y) * side + wrapped(at.x + x))
}

#[test]
fn texels_of_a_quad_are_where_they_are_computed_by_hand() {
    let canvas = Canvas::of_part(&quad(FULL_SQUARE), 4);
    assert!((canvas.texel_size() - 0.5).abs() < 1e-6);
    let found = by_texel(&canvas);
    assert_eq!(found.len(), 16);
    for (texel, positions) in found {
        let (row, column) = ((texel / 4) as f32, (texel % 4) as f32);
        let expected = Vec3::new(-0.75 + 0.5 * column, 0.75 - 0.5 * row, 0.0);
        assert_eq!(positions.len(), 1, "{texel}: {positions:?}");
        assert!(positions[0].distance(expected) < 1e-6);
    }
}

#[test]
fn margins_go_straight_on() {
    let uvs = [[0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]].map(Vec2::from);
    let canvas = Canvas::of_part(&quad(Some(uvs)), 8);
    let found = by_texel(&canvas);
    // Texels 2 to 5 are the quad's, and the margin is one texel wide.
    assert_eq!(found[&(2 * 8 + 2)], [Vec3::new(-0.75, 0.75, 0.0)]);
    assert_eq!(found[&(2 * 8 + 1)], [Vec3::new(-1.25, 0.75, 0.0)]);
    assert_eq!(found[&(8 + 1)], [Vec3::new(-1.25, 1.25, 0.0)]);
    assert!(!found.contains_key(&0));
}

#[test]
fn mirrored_uvs_have_two_places() {
    let flip = |p: Vec3| p * Vec3::new(-1.0, 1.0, 1.0);
    let mut part = quad(FULL_SQUARE);
    part.positions.iter_mut().for_each(|p| p.x += 2.0);
    let mirrored: Vec<Vec3> = part.positions.iter().map(|&p| flip(p)).collect();
    part.positions.extend(mirrored);
    let uvs = part.uvs.as_mut().unwrap();
    uvs.extend_from_within(..);
    part.triangles.extend([[4, 7, 6], [4, 5, 7]]);
    let canvas = Canvas::of_part(&part, 32);
    let found = by_texel(&canvas);
    for positions in found.values() {
        let [a, b] = positions[..] else {
            panic!("{positions:?}")
        };
        assert!(a.distance(flip(b)) < 1e-5);
    }
    assert!((0..canvas.places().len()).all(|place| canvas.is_shared(place)));
}

#[test]
fn sampling_the_shipped_head_uses_values_with_places_nearby() {
    let part = shipped();
    let side = 512;
    let canvas = Canvas::of_part(&part, side);
    assert_eq!(canvas.skipped(), 0);
    let found = by_texel(&canvas);
    let uvs = part.uvs.as_ref().unwrap();
    let weights = [
        [1.0, 0.0, 0.0],
        [0.0, 0.5, 0.5],
        [0.34, 0.33, 0.33],
        [0.8, 0.1, 0.1],
    ];
    let (mut looked_at, mut far) = (0, 0);
    for corners in &part.triangles {
        let [a, b, c] = corners.map(|v| v as usize);
        // Texels of a stretched triangle are further apart than the mean.
        let stretch = |a: usize, b: usize| {
            let texels = uvs[a].distance(uvs[b]) * side as f32;
            part.positions[a].distance(part.positions[b]) / texels
        };
        let step = stretch(a, b).max(stretch(b, c)).max(stretch(c, a));
        let most = 3.0 * step.max(canvas.texel_size());
        for w in weights.map(Vec3::from) {
            let uv = uvs[a] * w.x + uvs[b] * w.y + uvs[c] * w.z;
            let p = part.positions[a] * w.x + part.positions[b] * w.y + part.positions[c] * w.z;
            for texel in touched(uv, side) {
                let places = found.get(&texel).expect("a place");
                let near = |q: &Vec3| q.distance(p) <= most;
                looked_at += 1;
                far += usize::from(!places.iter().any(near));
            }
        }
    }
    // Islands of the picture may lie nearer to each other than sampling needs.
    assert!(far * 200 < looked_at, "{far} of {looked_at}");
}

#[test]
fn parts_without_uvs_have_a_place_per_vertex() {
    let canvas = Canvas::of_part(&quad(None), 64);
    assert_eq!(canvas.layout(), Layout::Vertices(4));
    let mut places = canvas.places().to_vec();
    places.sort_by_key(|place| place.texel);
    let positions: Vec<Vec3> = places.iter().map(|place| place.position).collect();
    assert_eq!(positions, quad(None).positions);
    assert_eq!(canvas.texel_size(), 1.0);
}

#[test]
fn unusable_uvs_have_no_places() {
    let bad = [f32::NAN, f32::INFINITY, f32::MAX, 1e9, -1e9, 100.0];
    for side in [1, 1024, 8192] {
        for bad in bad {
            let mut uvs = FULL_SQUARE.unwrap();
            uvs[0].x = bad;
            let canvas = Canvas::of_part(&quad(Some(uvs)), side);
            assert_eq!((canvas.skipped(), canvas.places().len()), (2, 0));
        }
    }
    // Of many triangles that cover the picture, only some are drawn.
    let mut part = quad(FULL_SQUARE.map(|uvs| uvs.map(|uv| uv * 7.0)));
    part.triangles = vec![[0, 2, 3]; 10_000];
    let canvas = Canvas::of_part(&part, 256);
    assert!(canvas.skipped() > 9_000);
    // Vertices that do not exist.
    part.triangles = vec![[0, 1, 4], [0, 1, u32::MAX]];
    assert_eq!(Canvas::of_part(&part, 16).skipped(), 2);
    part.uvs = Some(Vec::new());
    assert_eq!(Canvas::of_part(&part, 16).skipped(), 2);
}

#[test]
fn points_and_lines_in_uvs_have_places_on_the_skin() {
    let one = Vec2::splat(0.5);
    let canvas = Canvas::of_part(&quad(Some([one; 4])), 16);
    let is_on_quad = |place: &Place| place.position.abs().max_element() <= 1.0;
    assert!(!canvas.places().is_empty() && canvas.places().iter().all(is_on_quad));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let part = shipped();
    let places = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let draw = || Canvas::of_part(&part, 128);
        pool.build().unwrap().install(draw).places().to_vec()
    };
    assert_eq!(places(1), places(3));
}

proptest! {
    /// The texels that sampling uses have places near the point, wherever the UVs are.
    #[test]
    fn uvs_beyond_the_picture_tile(
        shift in [-9.0_f32..9.0, -9.0_f32..9.0],
        size in [0.3_f32..0.6, 0.3_f32..0.6],
        side in 8_u32..40,
        weights in [0.0_f32..1.0, 0.0_f32..1.0],
    ) {
        let (shift, size) = (Vec2::from(shift), Vec2::from(size));
        let uvs = FULL_SQUARE.unwrap().map(|uv| shift + uv * size);
        let part = quad(Some(uvs));
        let canvas = Canvas::of_part(&part, side);
        let found = by_texel(&canvas);
        let [u, v] = weights;
        let uv = shift + size * Vec2::new(u, v);
        let p = Vec3::new(2.0 * u - 1.0, 1.0 - 2.0 * v, 0.0);
        let step = 2.0 / (size.min_element() * side as f32);
        for texel in touched(uv, side) {
            let near = |q: &Vec3| q.distance(p) <= 2.0 * step;
            prop_assert!(found[&texel].iter().any(near));
        }
        // A map of the positions of its values gives back the position of the point.
        let mut map = Map::uniform(canvas.layout(), MapKind::Tint, [0.0; 3]).unwrap();
        for place in canvas.places() {
            let value = (place.position * 0.25 + 0.5).to_array().map(|x| (x * 65535.0) as u16);
            map.put(place.texel as usize, value);
        }
        let back = (Vec3::from(map.bilinear(uv, [side; 2])) - 0.5) * 4.0;
        prop_assert!(back.distance(p) < 1e-2, "{back} {p}");
    }
}
