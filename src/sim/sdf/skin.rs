//! Which parts of a head are its skin.
//!
//! Hair grows on skin, so the part with the scalp paint is; and so is whatever goes on where that
//! ends: a head cut into face, scalp and ears, by materials or by hand, has the same edges on both
//! sides of the cuts. Eyes, teeth, lashes, brows, cards of hair, hats and collars may touch the
//! skin or be stuck through it, but the skin does not end at their edges. Names of parts and
//! materials would tell nothing reliable, and are not looked at.

use super::FieldError;
use super::bake::MOST_TRIANGLES;
use super::tree::Corners;
use crate::head::{Head, Part};
use glam::Vec3;
use std::collections::{HashMap, HashSet};

/// Edges that two parts must have in common, each the end of both: one or two may be chance.
const COMMON_EDGES: usize = 3;
/// Times that parts are looked for that go on where those found so far end: no head is cut into a
/// longer row of pieces.
const ROUNDS: usize = 8;
/// Positions count as the same on a grid of this many lines a decimetre, 6 µm apart.
const LINES: f32 = 16_384.0;

/// A position up to rounding.
type Spot = [i32; 3];
/// An edge, the same in both directions.
type Edge = [Spot; 2];

/// Numbers of the parts that are skin, the scalp's first.
pub(crate) fn parts(head: &Head) -> Vec<usize> {
    let Some(scalp) = head.scalp_part.filter(|&part| part < head.parts.len()) else {
        return Vec::new();
    };
    let mut found = vec![scalp];
    if head.parts.len() == 1 {
        return found;
    }
    let mut left: Vec<usize> = (0..head.parts.len()).filter(|&p| p != scalp).collect();
    let mut ends: HashSet<Edge> = ends_of(&head.parts[scalp], None);
    for _ in 0..ROUNDS {
        let spots: HashSet<Spot> = ends.iter().flatten().copied().collect();
        let mut joined = Vec::new();
        if !spots.is_empty() {
            left.retain(|&part| {
                let common = ends_of(&head.parts[part], Some(&spots));
                let joins = common.intersection(&ends).count() >= COMMON_EDGES;
                if joins {
                    joined.push(part);
                }
                !joins
            });
        }
        if joined.is_empty() {
            break;
        }
        ends = joined
            .iter()
            .flat_map(|&p| ends_of(&head.parts[p], None))
            .collect();
        found.extend(joined);
    }
    found
}

/// The edges that only one triangle of a part has; of those between given spots, if they are given.
fn ends_of(part: &Part, among: Option<&HashSet<Spot>>) -> HashSet<Edge> {
    let mut uses: HashMap<Edge, u8> = HashMap::new();
    // Too large for a field anyhow: what follows would take much memory.
    if part.triangles.len() > MOST_TRIANGLES {
        return HashSet::new();
    }
    for triangle in &part.triangles {
        let corners = triangle.map(|vertex| {
            let position = part.positions.get(vertex as usize)?;
            let spot = position.to_array().map(|x| (x * LINES).round() as i32);
            among
                .is_none_or(|spots| spots.contains(&spot))
                .then_some(spot)
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

/// The triangles of some parts.
pub(crate) fn triangles(head: &Head, parts: &[usize]) -> Result<Vec<Corners>, FieldError> {
    let count = parts.iter().map(|&p| head.parts[p].triangles.len()).sum();
    let mut all = Vec::with_capacity(within_limit(count)?);
    for &part in parts {
        let part = &head.parts[part];
        gather(&part.positions, &part.triangles, &mut all)?;
    }
    Ok(all)
}

/// Adds triangles to a list.
pub(crate) fn gather(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    into: &mut Vec<Corners>,
) -> Result<(), FieldError> {
    for (triangle, corners) in triangles.iter().enumerate() {
        let found = corners.map(|vertex| {
            let position = positions.get(vertex as usize).copied();
            position.filter(|p| p.is_finite())
        });
        let [Some(a), Some(b), Some(c)] = found else {
            return Err(FieldError::BadCorner { triangle });
        };
        into.push([a, b, c]);
    }
    Ok(())
}

/// So many triangles, unless they are too many.
pub(crate) fn within_limit(triangles: usize) -> Result<usize, FieldError> {
    let most = MOST_TRIANGLES;
    if triangles > most {
        return Err(FieldError::TooManyTriangles { triangles, most });
    }
    Ok(triangles)
}
