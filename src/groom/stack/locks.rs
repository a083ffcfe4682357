//! Locks: strands whose roots are near each other.

use glam::Vec3;
use std::collections::HashMap;

/// Returns for each strand the strand in the middle of its lock.
///
/// Middles are picked greedily in the order of the roots, at least `radius` apart on one side of the
/// skin, and every strand belongs to the nearest. A strand whose root is not finite is alone.
pub(super) fn locks(roots: &[Vec3], normals: &[Vec3], radius: f32) -> Vec<u32> {
    let cell = |p: Vec3| (p / radius).floor().as_ivec3();
    let mut cells: HashMap<[i32; 3], Vec<u32>> = HashMap::new();
    let nearest = |cells: &HashMap<[i32; 3], Vec<u32>>, strand: usize| {
        let (root, normal) = (roots[strand], normals[strand]);
        let middle = cell(root);
        let mut best: Option<(f32, u32)> = None;
        for (dx, dy, dz) in around() {
            let key = [
                middle.x.saturating_add(dx),
                middle.y.saturating_add(dy),
                middle.z.saturating_add(dz),
            ];
            for &other in cells.get(&key).into_iter().flatten() {
                let away = roots[other as usize].distance_squared(root);
                let is_nearer = best.is_none_or(|(least, _)| away < least);
                if is_nearer && normals[other as usize].dot(normal) > 0.0 {
                    best = Some((away, other));
                }
            }
        }
        best.filter(|&(away, _)| away < radius * radius)
    };
    for strand in 0..roots.len() {
        if roots[strand].is_finite() && nearest(&cells, strand).is_none() {
            let key = cell(roots[strand]).to_array();
            cells.entry(key).or_default().push(strand as u32);
        }
    }
    let of = |strand: usize| nearest(&cells, strand).map_or(strand as u32, |(_, middle)| middle);
    (0..roots.len()).map(of).collect()
}

fn around() -> impl Iterator<Item = (i32, i32, i32)> {
    (-1..=1).flat_map(|x| (-1..=1).flat_map(move |y| (-1..=1).map(move |z| (x, y, z))))
}
