//! Skin that is doubled: triangles at the same place. Exporters write them back to back for programs
//! that draw one side only. Hair grows on the outer side, and the inside is what that encloses.

use super::model::Part;
use glam::{DVec3, Vec3};
use std::borrow::Cow;
use std::collections::HashMap;

/// A patch is flat if the flux of its normals is below this share of what its area could give.
const FLAT: f64 = 1e-3;

/// A position, to the bit.
type Place = [u32; 3];

/// The place of a vertex that does not exist.
const NOWHERE: Place = [u32::MAX; 3];

/// A triangle that has others at its place.
struct Face {
    /// The corners of the first of them.
    corners: [u32; 3],
    /// The triangles that turn as the first one does, and those that turn the other way.
    sides: [Vec<u32>; 2],
}

/// The memory that the search for the outer ones takes for each triangle, bytes, about.
pub const BYTES_PER_TRIANGLE: u64 = 140;

impl Part {
    /// Returns the triangles of the part without copies of others, and without the inner ones of
    /// those that lie back to back.
    pub(crate) fn outer_triangles(&self) -> Cow<'_, [[u32; 3]]> {
        outer_triangles(&self.positions, &self.triangles)
    }
}

/// Returns the [`outer_triangles`](Part::outer_triangles) of a part with these positions.
pub fn outer_triangles<'t>(positions: &[Vec3], triangles: &'t [[u32; 3]]) -> Cow<'t, [[u32; 3]]> {
    let mut faces = faces(positions, triangles);
    let mut needless = copies(&mut faces);
    needless.extend(inner(positions, faces));
    without(&needless, Cow::Borrowed(triangles))
}

/// Returns triangles without copies of others: those with the same corners in the same order.
pub fn without_copies(positions: &[Vec3], triangles: Vec<[u32; 3]>) -> Vec<[u32; 3]> {
    let needless = copies(&mut faces(positions, &triangles));
    without(&needless, triangles.into()).into_owned()
}

/// Returns triangles without some of them.
fn without<'t>(needless: &[u32], triangles: Cow<'t, [[u32; 3]]>) -> Cow<'t, [[u32; 3]]> {
    if needless.is_empty() {
        return triangles;
    }
    let mut is_needless = vec![false; triangles.len()];
    (needless.iter()).for_each(|&triangle| is_needless[triangle as usize] = true);
    let outer = triangles.iter().zip(is_needless);
    let outer = outer.filter_map(|(corners, is_needless)| (!is_needless).then_some(*corners));
    Cow::Owned(outer.collect())
}

/// Takes from faces, and returns, all but the first of the triangles on each side.
fn copies(faces: &mut [Face]) -> Vec<u32> {
    let sides = faces.iter_mut().flat_map(|face| &mut face.sides);
    let sides = sides.filter(|side| !side.is_empty());
    sides.flat_map(|side| side.drain(1..)).collect()
}

/// Returns the triangles that face inwards, of faces with two sides.
fn inner(positions: &[Vec3], mut faces: Vec<Face>) -> Vec<u32> {
    let mut inner = Vec::new();
    faces.retain(|face| face.sides.iter().all(|side| !side.is_empty()));
    for patch in patches(positions, &faces) {
        let faces_out = faces_out(positions, &faces, &patch);
        for &(face, is_turned) in &patch {
            let side = usize::from(faces_out != is_turned);
            inner.extend(&faces[face].sides[side]);
        }
    }
    inner
}

/// Returns the places that several triangles share.
fn faces(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Face> {
    let place = |vertex: u32| {
        positions
            .get(vertex as usize)
            .map_or(NOWHERE, |&p| place(p))
    };
    let sorted = |corners: [u32; 3]| {
        let mut places = corners.map(place);
        places.sort_unstable();
        places
    };
    // Triangles at one place have the same sum.
    let sum = |corners: &[u32; 3]| {
        (corners.iter()).fold(0u64, |sum, &vertex| sum.wrapping_add(mixed(place(vertex))))
    };
    let sums = triangles.iter().map(sum).zip(0u32..);
    let mut sums: Vec<(u64, u32)> = sums.collect();
    sums.sort_unstable();
    let crowds = sums.chunk_by(|a, b| a.0 == b.0);
    let crowds = crowds.filter(|crowd| crowd.len() > 1);
    let mut faces: Vec<Face> = crowds
        .filter_map(|crowd| {
            let corners = triangles[crowd[0].1 as usize];
            let (first, all) = (corners.map(place), sorted(corners));
            let has_width = all[0] != all[1] && all[1] != all[2] && all[2] != NOWHERE;
            let mut sides = [Vec::new(), Vec::new()];
            for &(_, triangle) in crowd {
                let corners = triangles[triangle as usize];
                if sorted(corners) == all {
                    let places = corners.map(place);
                    let turns = (0..3).any(|k| {
                        let [a, b, c] = places;
                        [[a, b, c], [b, c, a], [c, a, b]][k] == first
                    });
                    sides[usize::from(!turns)].push(triangle);
                }
            }
            has_width.then_some(Face { corners, sides })
        })
        .collect();
    faces.sort_unstable_by_key(|face| face.sides[0][0]);
    faces
}

/// Returns the faces that hang together, with whether each has to be turned round for its patch to
/// have one side.
fn patches(positions: &[Vec3], faces: &[Face]) -> Vec<Vec<(usize, bool)>> {
    // Edges, with the faces at them and the direction in which they run along them.
    let mut edges: HashMap<[Place; 2], Vec<(usize, bool)>> = HashMap::new();
    let edges_of = |face: &Face| {
        let [a, b, c] = face.corners.map(|vertex| place(positions[vertex as usize]));
        [[a, b], [b, c], [c, a]].map(|[from, to]| ([from.min(to), from.max(to)], from < to))
    };
    for (number, face) in faces.iter().enumerate() {
        for (edge, is_forward) in edges_of(face) {
            edges.entry(edge).or_default().push((number, is_forward));
        }
    }
    let mut is_found = vec![false; faces.len()];
    let mut patches = Vec::new();
    for first in 0..faces.len() {
        if std::mem::replace(&mut is_found[first], true) {
            continue;
        }
        let mut patch = vec![(first, false)];
        let mut next = 0;
        while let Some(&(face, is_turned)) = patch.get(next) {
            next += 1;
            for (edge, is_forward) in edges_of(&faces[face]) {
                // Where more than two meet, nothing tells which goes on.
                let [a, b] = edges[&edge][..] else { continue };
                let (other, runs_forward) = if a.0 == face { b } else { a };
                if !std::mem::replace(&mut is_found[other], true) {
                    // Neighbours of one side run along their edge in opposite directions.
                    patch.push((other, is_turned ^ (is_forward == runs_forward)));
                }
            }
        }
        patches.push(patch);
    }
    patches
}

/// Returns `true` if the first side of a patch faces outwards: away from its middle, or, if it is
/// flat, away from the middle of the part.
fn faces_out(positions: &[Vec3], faces: &[Face], patch: &[(usize, bool)]) -> bool {
    let corners = |face: usize| {
        let corners = faces[face].corners;
        corners.map(|vertex| positions[vertex as usize].as_dvec3())
    };
    let middle = |[a, b, c]: [DVec3; 3]| (a + b + c) / 3.0;
    let twice_area = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a);
    let (mut area, mut moment) = (0.0, DVec3::ZERO);
    for &(face, _) in patch {
        let corners = corners(face);
        let own = twice_area(corners).length();
        (area, moment) = (area + own, moment + middle(corners) * own);
    }
    let flux = |around: DVec3| -> f64 {
        let each = patch.iter().map(|&(face, is_turned)| {
            let corners = corners(face);
            let out = twice_area(corners).dot(middle(corners) - around);
            if is_turned { -out } else { out }
        });
        each.sum()
    };
    let own = flux(moment / area.max(f64::MIN_POSITIVE));
    if own.abs() > FLAT * area.powf(1.5) {
        return own > 0.0;
    }
    let count = positions.len().max(1) as f64;
    flux(positions.iter().map(|p| p.as_dvec3()).sum::<DVec3>() / count) >= 0.0
}

/// Returns the bits of a position; both zeros are one.
fn place(position: Vec3) -> Place {
    (position + Vec3::ZERO).to_array().map(f32::to_bits)
}

/// Returns a number that few places share.
fn mixed([x, y, z]: Place) -> u64 {
    let mut bits = u64::from(x) | u64::from(y) << 32;
    for more in [u64::from(z), 0] {
        // The multiplier and the shifts of SplitMix64 (Steele and others 2014).
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits ^= (bits >> 27) ^ more;
    }
    bits.wrapping_mul(0x94d0_49bb_1331_11eb)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the triangles of a ball, or of its upper half, of this many rings.
    fn ball(rings: u32, is_half: bool) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let columns = 2 * rings;
        let height = std::f32::consts::PI * if is_half { 0.5 } else { 1.0 };
        let positions = (0..=rings).flat_map(|ring| {
            (0..columns).map(move |column| {
                let polar = height * ring as f32 / rings as f32;
                let around = std::f32::consts::TAU * column as f32 / columns as f32;
                let (sin, cos) = polar.sin_cos();
                Vec3::new(sin * around.sin(), cos, sin * around.cos())
            })
        });
        let quads = (0..rings).flat_map(|ring| (0..columns).map(move |column| (ring, column)));
        let triangles = quads.flat_map(|(ring, column)| {
            let next = (column + 1) % columns;
            let [a, b] = [column, next].map(|column| ring * columns + column);
            let [c, d] = [column, next].map(|column| (ring + 1) * columns + column);
            [[a, c, d], [a, d, b]]
        });
        (positions.collect(), triangles.collect())
    }

    fn normal(part: &Part, corners: &[u32; 3]) -> Vec3 {
        let [a, b, c] = corners.map(|vertex| part.positions[vertex as usize]);
        (b - a).cross(c - a)
    }

    #[test]
    fn of_doubled_skin_the_outer_side_stays() {
        for is_half in [false, true] {
            for has_own_vertices in [false, true] {
                for inner_first in [false, true] {
                    let (mut positions, outer) = ball(9, is_half);
                    let shift = if has_own_vertices { positions.len() } else { 0 } as u32;
                    if has_own_vertices {
                        positions.extend_from_within(..);
                    }
                    let inner = outer.iter().map(|&[a, b, c]| [b, a, c].map(|v| v + shift));
                    let inner: Vec<[u32; 3]> = inner.collect();
                    let both = match inner_first {
                        true => [inner, outer.clone()],
                        false => [outer.clone(), inner],
                    };
                    let part = Part {
                        positions,
                        triangles: both.concat(),
                        ..Part::default()
                    };
                    let found = part.outer_triangles();
                    let wide = |corners: &&[u32; 3]| normal(&part, corners).length() > 1e-6;
                    let found: Vec<_> = found.iter().filter(wide).collect();
                    assert_eq!(found.len(), outer.iter().filter(wide).count());
                    for corners in found {
                        let middle: Vec3 = corners.map(|v| part.positions[v as usize]).iter().sum();
                        assert!(normal(&part, corners).dot(middle) > 0.0);
                    }
                }
            }
        }
    }

    #[test]
    fn a_flat_patch_faces_away_from_the_rest() {
        let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let mut positions: Vec<Vec3> = square.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec();
        positions.push(Vec3::new(0.0, -3.0, 0.0));
        let part = Part {
            positions,
            triangles: vec![[0, 1, 2], [0, 2, 3], [2, 1, 0], [3, 2, 0]],
            ..Part::default()
        };
        assert_eq!(*part.outer_triangles(), [[2, 1, 0], [3, 2, 0]]);
    }

    #[test]
    fn skin_with_one_side_stays_as_it_is_and_copies_go() {
        let (positions, triangles) = ball(9, false);
        let mut part = Part {
            positions,
            triangles,
            ..Part::default()
        };
        assert!(matches!(part.outer_triangles(), Cow::Borrowed(_)));
        assert_eq!(Part::default().outer_triangles().len(), 0);
        let wide = |part: &Part, triangles: &[[u32; 3]]| {
            let triangles = triangles.iter();
            let wide = triangles.filter(|corners| normal(part, corners).length() > 1e-6);
            wide.copied().collect::<Vec<_>>()
        };
        let once = wide(&part, &part.triangles);
        part.triangles = part.triangles.repeat(3);
        assert_eq!(wide(&part, &part.outer_triangles()), once);
    }

    #[test]
    fn very_many_triangles_at_one_place_are_one_face() {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        let part = Part {
            positions,
            triangles: [[0, 1, 2], [1, 0, 2], [1, 2, 0]].repeat(100_000),
            ..Part::default()
        };
        assert_eq!(part.outer_triangles().len(), 1);
    }
}
