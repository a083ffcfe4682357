//! Coarser parts in place of those with very many triangles, where only what they hide counts.

use super::occlusion::MAP_SIDE;
use super::outline::Bounds;
use crate::head::Part;
use glam::Vec3;
use std::collections::HashMap;

/// Number of triangles from which a part hides the sky as a coarser one.
const MANY: usize = 200_000;

/// Returns a part with fewer triangles that hides as much, for one that has very many: vertices of one
/// cell become one of them. Cells are as large as a texel of the map in which they hide the sky.
pub fn coarse(part: &Part, all: &Bounds) -> Option<Part> {
    if part.triangles.len() < MANY {
        return None;
    }
    let cell = (all.high - all.low).length() / MAP_SIDE as f32;
    let mut firsts = HashMap::new();
    let mut positions = Vec::new();
    let numbers: Vec<u32> = (part.positions.iter())
        .map(|&position| {
            let key = ((position - all.low) / cell).as_i16vec3().to_array();
            *firsts.entry(key).or_insert_with(|| {
                positions.push(position);
                positions.len() as u32 - 1
            })
        })
        .collect();
    let mut triangles: Vec<[u32; 3]> = (part.triangles.iter())
        .map(|triangle| triangle.map(|vertex| numbers[vertex as usize]))
        .filter(|[a, b, c]| a != b && b != c && c != a)
        .collect();
    triangles.sort_unstable();
    triangles.dedup();
    Some(Part {
        normals: vec![Vec3::Y; positions.len()],
        positions,
        triangles,
        material: part.material,
        ..Part::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_triangles_stay_near_a_sheet_of_many() {
        const SIDE: u32 = 400;
        let at = |n: u32| (n % SIDE, n / SIDE);
        let position = |n: u32| {
            let (x, y) = at(n);
            let [x, y] = [x, y].map(|i| i as f32 / (SIDE - 1) as f32);
            Vec3::new(x, y, 0.2 * (6.0 * x).sin())
        };
        let quads = (0..SIDE * SIDE).filter(|&n| at(n).0 + 1 < SIDE && at(n).1 + 1 < SIDE);
        let triangles = quads.flat_map(|n| [[n, n + 1, n + SIDE], [n + 1, n + SIDE + 1, n + SIDE]]);
        let part = Part {
            positions: (0..SIDE * SIDE).map(position).collect(),
            triangles: triangles.collect(),
            ..Part::default()
        };
        let all = Bounds::of(part.positions.iter().copied());
        let coarse = coarse(&part, &all).unwrap();
        assert!(coarse.triangles.len() < part.triangles.len() / 2);
        let on_sheet = |p: &Vec3| (p.z - 0.2 * (6.0 * p.x).sin()).abs() < 1e-5;
        assert!(coarse.positions.iter().all(on_sheet));
        let area = |part: &Part| -> f32 {
            let areas = part.triangles.iter().map(|triangle| {
                let [a, b, c] = triangle.map(|vertex| part.positions[vertex as usize]);
                0.5 * (b - a).cross(c - a).length()
            });
            areas.sum()
        };
        assert!((area(&coarse) / area(&part) - 1.0).abs() < 0.03);
        let few = Part {
            triangles: part.triangles[..9].to_vec(),
            ..part
        };
        assert!(super::coarse(&few, &all).is_none());
    }
}
