use super::raster::Triangle;
use super::*;
use crate::maps::test_parts::{FULL_SQUARE, quad, shipped};
use crate::maps::{Map, MapKind};
use glam::Vec2;
use proptest::prelude::*;
use std::collections::HashMap;

fn by_texel(canvas: &Canvas) -> HashMap<u32, Vec<Vec3>> {
    let mut found: HashMap<u32, Vec<Vec3>> = HashMap::new();
    for place in canvas.places() {
        found.entry(place.texel).or_default().push(place.position);
    }
    found
}

/// A map of the positions of its values.
fn map_of_positions(canvas: &Canvas) -> Map {
    let mut map = Map::uniform(canvas.layout(), MapKind::Tint, [0.0; 3]).unwrap();
    for place in canvas.places() {
        let value = place.position * 0.1 + 0.5;
        map.set(place.texel as usize, value.to_array());
    }
    map
}

fn scattered(points: &[[f32; 3]], texel_size: f32) -> Canvas {
    let places = (0..).zip(points.iter().map(|&point| Vec3::from(point)));
    let places = places.map(|(texel, position)| Place { texel, position });
    let layout = Layout::Vertices(points.len() as u32);
    Canvas::of_places(layout, places.collect(), texel_size)
}

#[test]
fn places_far_apart_take_no_more_cells_than_places() {
    let canvas = scattered(&[[-3e38; 3], [0.0; 3], [1e-38, 0.0, 0.0], [3e38; 3]], 1e-3);
    assert!(canvas.starts.len() < 5000);
    let mut found = 0;
    canvas.visit(Vec3::ZERO, 1.0, |_, _| found += 1);
    assert_eq!(found, 2);
}

#[test]
fn texels_of_a_quad_are_where_they_are_computed_by_hand() {
    // Texels 2 to 5 are the quad's. The margin goes straight on, one and a half texels wide.
    let uvs = [[0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]].map(Vec2::from);
    let canvas = Canvas::of_part(&quad(Some(uvs)), 8);
    assert!((canvas.texel_size() - 0.5).abs() < 1e-6);
    let found = by_texel(&canvas);
    assert_eq!(found.len(), 6 * 6 + 4 * 4);
    for (texel, positions) in found {
        let (row, column) = ((texel / 8) as f32, (texel % 8) as f32);
        let expected = Vec3::new(-1.75 + 0.5 * column, 1.75 - 0.5 * row, 0.0);
        assert_eq!(positions.len(), 1, "{texel}: {positions:?}");
        assert!(positions[0].distance(expected) < 1e-6);
    }
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

/// Sampling uses values with places nearby: a map of positions gives back the position of a point.
#[test]
fn sampled_values_lie_near_the_point() {
    let part = shipped();
    let canvas = Canvas::of_part(&part, 512);
    let map = map_of_positions(&canvas);
    let mut apart = Vec::new();
    for &corners in &part.triangles {
        let [a, b, c] = corners.map(|v| part.positions[v as usize]);
        for weights in [Vec3::X, Vec3::splat(1.0 / 3.0), Vec3::new(0.0, 0.5, 0.5)] {
            let p = a * weights.x + b * weights.y + c * weights.z;
            let back = (Vec3::from(map.sample_rgb(&part, corners, weights)) - 0.5) * 10.0;
            apart.push(back.distance(p) / canvas.texel_size());
        }
    }
    // Islands of the picture may lie nearer to each other than sampling needs.
    for (texels, one_in) in [(1.0, 100), (2.0, 200)] {
        let far = apart.iter().filter(|&&apart| apart > texels).count();
        assert!(far * one_in < apart.len(), "{far} of {}", apart.len());
    }
    let mut drawn = raster::bands(&part, [512; 2]).0.concat();
    drawn.sort_unstable();
    drawn.dedup();
    assert_eq!(drawn.len(), part.triangles.len(), "triangles are skipped");
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
    let is_bare = |part: &Part, side| Canvas::of_part(part, side).places().is_empty();
    for side in [1, 1024, 8192] {
        for bad in bad {
            let mut uvs = FULL_SQUARE.unwrap();
            uvs[0].x = bad;
            assert!(is_bare(&quad(Some(uvs)), side));
        }
    }
    // Vertices that do not exist.
    let mut part = quad(FULL_SQUARE);
    part.triangles = vec![[0, 1, 4], [0, 1, u32::MAX]];
    assert!(is_bare(&part, 16));
    part.uvs = Some(Vec::new());
    assert!(is_bare(&part, 16));
    // The work is limited: only the first of many covering triangles are drawn.
    let mut part = quad(FULL_SQUARE.map(|uvs| uvs.map(|uv| uv * 7.0)));
    part.positions.push(Vec3::Z);
    part.uvs.as_mut().unwrap().push(Vec2::ZERO);
    part.triangles = vec![[0, 2, 3]; 10_000];
    part.triangles.push([4, 2, 3]);
    let canvas = Canvas::of_part(&part, 256);
    let is_flat = |place: &Place| place.position.z == 0.0;
    assert!(!canvas.places().is_empty() && canvas.places().iter().all(is_flat));
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
    #[test]
    fn exactly_the_places_in_reach_are_visited(
        points in prop::collection::vec([-2.0_f32..2.0, -1.0_f32..1.0, -0.1_f32..0.1], 0..200),
        centre in [-3.0_f32..3.0, -3.0_f32..3.0, -1.0_f32..1.0],
        radius in 0.001_f32..3.0,
        texel_size in 0.0_f32..0.2,
    ) {
        let (canvas, centre) = (scattered(&points, texel_size), Vec3::from(centre));
        let mut found = Vec::new();
        canvas.visit(centre, radius, |at, place| {
            assert_eq!(canvas.places[at], *place);
            assert_eq!(place.position, Vec3::from(points[place.texel as usize]));
            found.push(place.texel);
        });
        found.sort_unstable();
        let near = |texel: &u32| {
            let point = Vec3::from(points[*texel as usize]);
            point.distance_squared(centre) <= radius * radius
        };
        let expected: Vec<u32> = (0..points.len() as u32).filter(near).collect();
        prop_assert_eq!(found, expected);
    }

    /// Against looking at every texel.
    #[test]
    fn no_texel_of_a_triangle_or_its_margin_is_missed(
        corners in prop::array::uniform3([-0.2_f32..1.4, -0.2_f32..1.4]),
    ) {
        let uvs = corners.map(Vec2::from);
        let part = quad(Some([uvs[0], uvs[1], uvs[2], Vec2::ZERO]));
        let triangle = Triangle::of(&part, [16, 12], [0, 1, 2], 0.0).unwrap();
        let mut visits = 0;
        for row in -40..60 {
            let columns = triangle.columns(row);
            let rows = triangle.rows();
            visits += if rows.contains(&row) { columns.clone().count() } else { 0 };
            for column in -40..60 {
                let looked_at = rows.contains(&row) && columns.contains(&column);
                prop_assert!(looked_at || triangle.spot(column, row).is_none());
            }
        }
        prop_assert!(visits as f64 <= triangle.visits());
    }

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
        let map = map_of_positions(&Canvas::of_part(&part, side));
        let [u, v] = weights;
        let back = (Vec3::from(map.bilinear(shift + size * Vec2::new(u, v), [side; 2])) - 0.5) * 10.0;
        let p = Vec3::new(2.0 * u - 1.0, 1.0 - 2.0 * v, 0.0);
        prop_assert!(back.distance(p) < 1e-2, "{back} {p}");
    }
}
