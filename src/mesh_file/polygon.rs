//! Cuts polygons into triangles.

use glam::Vec3;

/// Polygons of more corners are cut as fans: cutting ears may take time that grows with the square
/// of their number.
const MOST_CORNERS: usize = 4096;

/// Calls `take` with the triangles of a polygon, as numbers of its corners. Polygons may be concave,
/// and nearly flat.
pub fn triangulate(corners: &[Vec3], mut take: impl FnMut([usize; 3])) {
    let fan = 1..corners.len().saturating_sub(1);
    if corners.len() <= 3 || corners.len() > MOST_CORNERS || is_convex(corners) {
        return fan.for_each(|i| take([0, i, i + 1]));
    }
    let points: Vec<[f32; 3]> = corners.iter().map(|corner| corner.to_array()).collect();
    let mut flat = Vec::new();
    let mut cut: Vec<usize> = Vec::new();
    if earcut::utils3d::project3d_to_2d(&points, points.len(), &mut flat) {
        let mut earcut = earcut::Earcut::new();
        earcut.earcut(flat, &[], &mut cut);
    }
    // A polygon without an area, or one that crosses itself, may lose corners.
    let triangles = cut.as_chunks::<3>().0;
    if triangles.len() + 2 != corners.len() {
        return fan.for_each(|i| take([0, i, i + 1]));
    }
    // The cut triangles turn as the polygon does.
    let normal = newell(corners);
    for &[a, b, c] in triangles {
        let own = (corners[b] - corners[a]).cross(corners[c] - corners[a]);
        take(if own.dot(normal) < 0.0 {
            [a, c, b]
        } else {
            [a, b, c]
        });
    }
}

/// Returns twice the area of a polygon along its mean normal (Newell's method).
fn newell(corners: &[Vec3]) -> Vec3 {
    let first = corners[0];
    let edges = corners.windows(2);
    edges
        .map(|pair| (pair[0] - first).cross(pair[1] - first))
        .sum()
}

/// Returns `true` if every corner turns to the same side.
fn is_convex(corners: &[Vec3]) -> bool {
    let normal = newell(corners);
    let count = corners.len();
    (0..count).all(|i| {
        let [a, b, c] = [i, i + 1, i + 2].map(|k| corners[k % count]);
        (b - a).cross(c - b).dot(normal) >= 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn area(corners: &[Vec3]) -> (usize, f32, f32) {
        let (mut count, mut signed, mut whole) = (0, 0.0, 0.0);
        triangulate(corners, |triangle| {
            let [a, b, c] = triangle.map(|corner| corners[corner]);
            let double = (b - a).cross(c - a).dot(newell(corners).normalize());
            (count, signed, whole) = (count + 1, signed + double, whole + double.abs());
        });
        (count, signed / 2.0, whole / 2.0)
    }

    #[test]
    fn concave_polygons_are_not_covered_twice() {
        // An L, from either side, and a dart.
        let l = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]];
        let mut l = l.map(|[x, y]| Vec3::new(x as f32, y as f32, 5.0));
        for _ in 0..2 {
            assert_eq!(area(&l), (4, 3.0, 3.0));
            l.reverse();
        }
        let dart = [
            Vec3::new(1.0, 1.0, 0.0),
            Vec3::ZERO,
            Vec3::new(4.0, 0.0, 1.0),
            Vec3::new(1.2, 0.8, 0.2),
        ];
        let (count, signed, whole) = area(&dart);
        assert!(
            count == 2 && (signed - whole).abs() < 1e-5,
            "{signed} {whole}"
        );
    }

    proptest! {
        #[test]
        fn any_polygon_gives_two_triangles_fewer_than_corners(
            corners in prop::collection::vec(prop::array::uniform3(-10.0_f32..10.0), 0..40),
        ) {
            let corners: Vec<Vec3> = corners.into_iter().map(Vec3::from).collect();
            let mut count = 0;
            triangulate(&corners, |triangle| {
                count += 1;
                assert!(triangle.iter().all(|&corner| corner < corners.len()));
            });
            prop_assert_eq!(count, corners.len().saturating_sub(2));
        }
    }
}
