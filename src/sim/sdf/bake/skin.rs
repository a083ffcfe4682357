//! Finds the parts of a head that are its skin.
//!
//! The part with the scalp paint is skin, and so are parts that continue it: a head that is split
//! into face, scalp and ears has the same edges on both sides of the cuts. Eyes, teeth, lashes,
//! hair cards, hats and collars may touch or intersect the skin, but do not share its boundary
//! edges. Names of parts and materials are unreliable and ignored.

use crate::bvh::Corners;
use crate::head::{Head, Part};
use crate::sim::sdf::settings::SdfError;
use glam::{DVec3, Vec3};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The largest number of triangles. Baking that many takes 0.6 GB.
pub(crate) const MAX_TRIANGLES: usize = 2_000_000;

/// The number of boundary edges that two parts must share; one or two may be chance.
const MIN_SHARED_EDGES: usize = 3;
/// The number of rounds in which adjoining parts are searched; no head is split into longer chains.
const ROUNDS: usize = 8;
/// Positions are rounded to this many steps per decimetre, 6 µm apart.
const STEPS_PER_DM: f32 = 16_384.0;
/// A triangle whose height is below this share of its longest edge counts as having no area; its
/// normal would be rounding noise.
const MIN_HEIGHT: f64 = 1e-12;

/// Positions and corner indices.
pub(crate) type Mesh<'a> = (&'a [Vec3], Cow<'a, [[u32; 3]]>);
/// A rounded position.
type Position = [i32; 3];
/// An edge, with its ends in order.
type Edge = [Position; 2];

/// Returns the indices of the parts that are skin, the scalp's first.
pub(crate) fn parts(head: &Head) -> Vec<usize> {
    let Some(scalp) = head.scalp_part.filter(|&part| part < head.parts.len()) else {
        return Vec::new();
    };
    let mut found = vec![scalp];
    let mut left: Vec<usize> = (0..head.parts.len()).filter(|&p| p != scalp).collect();
    if left.is_empty() {
        return found;
    }
    let mut ends = ends_of(&head.parts[scalp], None);
    for _ in 0..ROUNDS {
        if ends.is_empty() {
            break;
        }
        let positions: HashSet<Position> = ends.iter().flatten().copied().collect();
        let joins = |part: &mut usize| {
            let common = ends_of(&head.parts[*part], Some(&positions));
            common.intersection(&ends).count() >= MIN_SHARED_EDGES
        };
        let joined: Vec<usize> = left.extract_if(.., joins).collect();
        let new_ends = |&part: &usize| ends_of(&head.parts[part], None);
        ends = joined.iter().flat_map(new_ends).collect();
        found.extend(joined);
    }
    found
}

/// Returns the boundary edges of a part, optionally only those between given positions.
fn ends_of(part: &Part, among: Option<&HashSet<Position>>) -> HashSet<Edge> {
    let mut uses: HashMap<Edge, u8> = HashMap::new();
    // Such a part is refused later; counting its edges would take much memory.
    if part.triangles.len() > MAX_TRIANGLES {
        return HashSet::new();
    }
    for triangle in &part.triangles {
        let corners = triangle.map(|vertex| {
            let position = part.positions.get(vertex as usize)?.to_array();
            let position = position.map(|x| (x * STEPS_PER_DM).round() as i32);
            let is_given = among.is_none_or(|positions| positions.contains(&position));
            is_given.then_some(position)
        });
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            if let (Some(a), Some(b)) = (corners[from], corners[to])
                && a != b
            {
                let count = uses.entry([a.min(b), a.max(b)]).or_insert(0);
                *count = count.saturating_add(1);
            }
        }
    }
    let ends = uses.into_iter().filter(|&(_, count)| count == 1);
    ends.map(|(edge, _)| edge).collect()
}

/// Returns the outer sides of the parts that are skin.
pub(crate) fn meshes(head: &Head) -> Vec<Mesh<'_>> {
    let parts = parts(head).into_iter().map(|part| &head.parts[part]);
    // Nothing is inside skin whose two sides cancel out.
    let meshes = parts.map(|part| (&part.positions[..], part.outer_triangles()));
    meshes.collect()
}

/// Returns the triangles of some meshes.
pub(crate) fn triangles(meshes: &[Mesh]) -> Result<Vec<Corners>, SdfError> {
    let (triangles, most) = (meshes.iter().map(|(_, t)| t.len()).sum(), MAX_TRIANGLES);
    if triangles > most {
        return Err(SdfError::TooManyTriangles { triangles, most });
    }
    let mut all = Vec::with_capacity(triangles);
    for (positions, triangles) in meshes {
        for (triangle, corners) in triangles.iter().enumerate() {
            let found = corners.map(|vertex| {
                let position = positions.get(vertex as usize).copied();
                position.filter(|p| p.is_finite())
            });
            let [Some(a), Some(b), Some(c)] = found else {
                return Err(SdfError::BadCorner { triangle });
            };
            all.push([a, b, c]);
        }
    }
    Ok(all)
}

/// Returns `true` if a triangle has an area.
pub(crate) fn has_area(corners: &Corners) -> bool {
    let corners = corners.map(|p| p.as_dvec3());
    let [a, b, c] = corners;
    (b - a).cross(c - a).length() > MIN_HEIGHT * longest_edge2(corners)
}

/// Returns the squared length of the longest edge of a triangle.
pub(crate) fn longest_edge2([a, b, c]: [DVec3; 3]) -> f64 {
    let edges = [b - a, c - b, a - c].map(DVec3::length_squared);
    edges[0].max(edges[1]).max(edges[2])
}
