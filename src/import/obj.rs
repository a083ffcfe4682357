//! OBJ meshes: `v`, `vn` and `f`; objects, groups, materials and lines are ignored.
//!
//! `tobj` 4.0 is not used: it overflows on indices from hostile files.

use super::ImportErrorKind;
use glam::Vec3;
use std::collections::HashMap;

/// The positions, the normals, if any, and the triangles of a mesh.
pub type Mesh = (Vec<Vec3>, Option<Vec<Vec3>>, Vec<[u32; 3]>);

/// A corner of a face: the indices of its position and, if given, of its normal.
type Corner = (u32, Option<u32>);

/// Reads all objects of the file as one mesh.
///
/// Corners at one position with different normals become different vertices, which keeps creases.
/// Normals are ignored unless every corner has one.
pub fn read(bytes: &[u8]) -> Result<Mesh, ImportErrorKind> {
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    let mut triangles: Vec<[Corner; 3]> = Vec::new();
    let mut corners = Vec::new();
    for (nth, text) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let line = nth + 1;
        let wrong = |problem| ImportErrorKind::Obj { line, problem };
        // Names may have any encoding; the rest is ASCII.
        let text = String::from_utf8_lossy(text);
        let mut words = text.split_whitespace();
        let keyword = words.next();
        let vector = |words: &mut dyn Iterator<Item = &str>| {
            let mut next = || words.next()?.parse().ok();
            let mut vector = || Some(Vec3::new(next()?, next()?, next()?));
            vector().ok_or_else(|| wrong("wants three numbers"))
        };
        match keyword {
            Some("v") => positions.push(vector(&mut words)?),
            Some("vn") => normals.push(vector(&mut words)?),
            Some("f") => {
                corners.clear();
                for word in words {
                    let mut numbers = word.split('/');
                    let position = numbers.next().and_then(|n| index(n, positions.len()));
                    let unknown = || wrong("names a vertex that was not given before");
                    let position = position.ok_or_else(unknown)?;
                    let normal = numbers.nth(1).filter(|n| !n.is_empty());
                    let unknown = || wrong("names a normal that was not given before");
                    let normal = normal.map(|n| index(n, normals.len()).ok_or_else(unknown));
                    corners.push((position, normal.transpose()?));
                }
                if let [first, rest @ ..] = &corners[..] {
                    let fan = rest.windows(2);
                    triangles.extend(fan.map(|edge| [*first, edge[0], edge[1]]));
                }
            }
            _ => {}
        }
    }
    if !triangles.iter().flatten().all(|(_, n)| n.is_some()) {
        let corners = |triangle: &[Corner; 3]| triangle.map(|(position, _)| position);
        return Ok((positions, None, triangles.iter().map(corners).collect()));
    }
    let mut known = HashMap::new();
    let (mut vertex_positions, mut vertex_normals) = (Vec::new(), Vec::new());
    let mut vertex = |corner: Corner| {
        *known.entry(corner).or_insert_with(|| {
            vertex_positions.push(positions[corner.0 as usize]);
            vertex_normals.push(corner.1.map_or(Vec3::ZERO, |n| normals[n as usize]));
            vertex_positions.len() as u32 - 1
        })
    };
    let triangles = triangles.iter().map(|t| t.map(&mut vertex)).collect();
    Ok((vertex_positions, Some(vertex_normals), triangles))
}

/// Returns an index from 0; the file counts from 1, or from the last with a minus.
fn index(word: &str, count: usize) -> Option<u32> {
    let number: i64 = word.parse().ok()?;
    let count = i64::try_from(count).ok()?;
    let start = if number < 0 { count } else { -1 };
    let index = start.checked_add(number)?;
    u32::try_from(index).ok().filter(|_| index < count)
}
