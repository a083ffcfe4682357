//! OBJ meshes: `v`, `vn` and `f`; objects, groups, materials, lines and the rest are left out.
//!
//! Own code: `tobj` 4.0 overflows on indices from hostile files.

use super::ImportErrorKind;
use super::mesh::Mesh;
use glam::Vec3;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// A face's corner: which position, and which normal if it names one.
type Corner = (u32, Option<u32>);

/// All objects of the file as one mesh. Corners with normals of their own become vertices of
/// their own, so that creases stay; normals only count if every corner has one.
pub(super) fn read(bytes: &[u8]) -> Result<Mesh, ImportErrorKind> {
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    let mut triangles: Vec<[Corner; 3]> = Vec::new();
    let mut corners = Vec::new();
    for (nth, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let wrong = |problem: &str| ImportErrorKind::Obj {
            line: nth + 1,
            problem: problem.to_owned(),
        };
        // Names may be in any encoding; what matters is ASCII.
        let line = String::from_utf8_lossy(line);
        let mut words = line.split_whitespace();
        let keyword = words.next();
        let vector = |words: &mut dyn Iterator<Item = &str>| {
            let mut next = || words.next().and_then(|word| word.parse().ok());
            let [x, y, z] = [next(), next(), next()];
            let vector = x.zip(y).zip(z).map(|((x, y), z)| Vec3::new(x, y, z));
            vector.ok_or_else(|| wrong("wants three numbers"))
        };
        match keyword {
            Some("v") => positions.push(vector(&mut words)?),
            Some("vn") => normals.push(vector(&mut words)?),
            Some("f") => {
                corners.clear();
                for word in words {
                    let mut numbers = word.split('/');
                    let position = numbers.next().and_then(|n| index(n, positions.len()));
                    let position = position
                        .ok_or_else(|| wrong("names a vertex that was not given before"))?;
                    let normal = numbers.nth(1).filter(|n| !n.is_empty());
                    let normal = normal.map(|n| {
                        let wrong = || wrong("names a normal that was not given before");
                        index(n, normals.len()).ok_or_else(wrong)
                    });
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
    Ok(mesh(positions, &normals, &triangles))
}

/// Counted from 1, or from the last with a minus.
fn index(word: &str, count: usize) -> Option<u32> {
    let number: i64 = word.parse().ok()?;
    let count = i64::try_from(count).ok()?;
    let index = if number < 0 {
        count.checked_add(number)?
    } else {
        number.checked_sub(1)?
    };
    (0..count)
        .contains(&index)
        .then_some(index)?
        .try_into()
        .ok()
}

fn mesh(positions: Vec<Vec3>, normals: &[Vec3], triangles: &[[Corner; 3]]) -> Mesh {
    if !triangles.iter().flatten().all(|(_, n)| n.is_some()) {
        let corners = |triangle: &[Corner; 3]| triangle.map(|(position, _)| position);
        return Mesh {
            positions,
            normals: None,
            density: None,
            triangles: triangles.iter().map(corners).collect(),
        };
    }
    let mut known = HashMap::new();
    let (mut at, mut facing) = (Vec::new(), Vec::new());
    let mut vertex = |corner: Corner| match known.entry(corner) {
        Entry::Occupied(known) => *known.get(),
        Entry::Vacant(new) => {
            at.push(positions[corner.0 as usize]);
            facing.push(corner.1.map_or(Vec3::ZERO, |n| normals[n as usize]));
            *new.insert(at.len() as u32 - 1)
        }
    };
    let triangles = triangles.iter().map(|t| t.map(&mut vertex)).collect();
    Mesh {
        positions: at,
        normals: Some(facing),
        density: None,
        triangles,
    }
}
