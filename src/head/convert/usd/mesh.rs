//! The meshes of USD: polygons, whose corners have numbers by corner, by vertex or by polygon.

use super::layer::{Attribute, Layer};
use super::{WHAT, refused};
use crate::head::convert::builder::Arrays;
use crate::head::convert::polygons::{Channel, MOST_COLOR_SETS, Polygons};
use crate::head::error::{Result, quoted};
use crate::head::limits::Budget;
use crate::srgb::srgb_from_linear;
use std::collections::BTreeSet;

/// The index of what there is not.
const NONE: u32 = u32::MAX;
/// Memory of a polygon: its place, its part, and both sorted.
const BYTES_PER_FACE: u64 = 4 + 3 * 12;
/// Memory of a hole in a table.
const BYTES_PER_HOLE: u64 = 32;

/// The polygons of a mesh that share a material.
pub struct Piece {
    pub arrays: Arrays,
    /// The material, if it is not that of the mesh.
    pub material: Option<u32>,
    /// The colour of the whole mesh, linear.
    pub color: Option<[f32; 3]>,
}

/// A polygon.
#[derive(Clone, Copy)]
struct Face {
    /// The subset that it belongs to, counted from 1.
    part: u32,
    first: u32,
    count: u32,
}

/// A mesh while it is read.
struct Mesh<'s, 'a> {
    layer: &'s Layer<'a>,
    prim: u32,
    budget: &'s Budget,
    counts: Vec<u32>,
    /// The vertices at the corners.
    indices: Vec<u32>,
    points: usize,
}

/// Numbers at corners.
struct Primvar {
    values: Vec<f32>,
    width: usize,
    /// The number of the group at each corner; empty if one group is for all.
    indices: Vec<u32>,
}

/// Returns the pieces of a mesh.
pub fn pieces(layer: &Layer, prim: u32, budget: &Budget) -> Result<Vec<Piece>> {
    let place = format!("mesh {}", quoted(layer.prims[prim as usize].name));
    let list = |name: &str| layer.numbers(layer.attribute(prim, name), budget, index);
    let counts = list("faceVertexCounts")?;
    let indices = list("faceVertexIndices")?;
    let points = layer.attribute(prim, "points");
    let points = layer.numbers(points, budget, |number| number as f32)?;
    // They may be blocked, or missing.
    if points.is_empty() {
        return Ok(Vec::new());
    }
    let corners: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    if corners > indices.len() as u64 {
        let has = indices.len();
        return Err(refused(format!(
            "{place}: `faceVertexCounts` wants {corners} corners, but there are only {has}"
        )));
    }
    let mesh = Mesh {
        layer,
        prim,
        budget,
        counts,
        indices,
        points: points.len() / 3,
    };
    let positions = Channel::new(&points, 3, &mesh.indices, (1, 0), corners as usize);
    let wrong = |problem| refused(format!("{place}: `faceVertexIndices` {problem}"));
    let positions = positions.map_err(wrong)?;
    let normals = match mesh.primvar("primvars:normals", 3)? {
        Some(normals) => Some(normals),
        None => mesh.primvar("normals", 3)?,
    };
    let uvs = match mesh.uv_name() {
        Some((name, width)) => mesh.primvar(name, width)?,
        None => None,
    };
    let mut colors = Vec::new();
    let mut color = None;
    for (name, width) in mesh.color_names() {
        let Some(mut primvar) = mesh.primvar(name, width)? else {
            continue;
        };
        if primvar.indices.is_empty() {
            color = color.or(primvar.values.first_chunk().copied());
            continue;
        }
        for group in primvar.values.chunks_exact_mut(width) {
            for lane in &mut group[..3] {
                *lane = srgb_from_linear(lane.clamp(0.0, 1.0));
            }
        }
        colors.push(primvar);
    }
    let lists = Polygons {
        positions,
        normals: normals.as_ref().and_then(|it| it.channel(corners)),
        uvs: uvs.as_ref().and_then(|it| it.channel(corners)),
        colors: (colors.iter().filter_map(|it| it.channel(corners))).collect(),
    };
    let (faces, materials) = mesh.faces()?;
    let is_left = layer.word(prim, "orientation") == "leftHanded";
    let mut pieces = Vec::new();
    for faces in faces.chunk_by(|a, b| a.part == b.part) {
        let own = faces.iter().map(|face| (face.first, face.count));
        let mut triangles = lists.triangles(own, budget, &place)?;
        if is_left {
            for triangle in &mut triangles {
                triangle.swap(1, 2);
            }
        }
        let arrays = lists.arrays(&triangles, budget, &place)?;
        if !triangles.is_empty() {
            let part = faces[0].part as usize;
            let material = part.checked_sub(1).and_then(|part| materials[part]);
            pieces.push(Piece {
                arrays,
                material,
                color,
            });
        }
    }
    Ok(pieces)
}

/// Returns an index; what is none is out of every range.
fn index(number: f64) -> u32 {
    if number >= 0.0 { number as u32 } else { NONE }
}

impl Primvar {
    fn channel(&self, corners: u64) -> Option<Channel<'_>> {
        let (width, corners) = (self.width, corners as usize);
        Channel::new(&self.values, width, &self.indices, (1, 0), corners).ok()
    }
}

impl<'a> Mesh<'_, 'a> {
    /// Returns the names of the attributes that are numbers of vertices, with their types.
    fn primvars(&self) -> impl Iterator<Item = &Attribute<'a>> {
        let prims = self.layer.sources(self.prim);
        prims.flat_map(|prim| &prim.attributes).filter(|it| {
            let name = it.name.strip_prefix("primvars:");
            name.is_some_and(|name| !name.contains(':'))
        })
    }

    /// Returns the name and the width of the first texture coordinates.
    fn uv_name(&self) -> Option<(&'a str, usize)> {
        let is_st = |it: &&Attribute| it.name == "primvars:st";
        let is_uv = |it: &&Attribute| {
            let name = it.name.to_ascii_lowercase();
            it.kind.starts_with("texCoord") || it.kind.starts_with("float2") && name.contains("uv")
        };
        let found = self.primvars().find(is_st);
        let found = found.or_else(|| self.primvars().find(is_uv))?;
        let width = if found.kind.starts_with("texCoord3") {
            3
        } else {
            2
        };
        Some((found.name, width))
    }

    /// Returns the names and the widths of colours.
    fn color_names(&self) -> Vec<(&'a str, usize)> {
        let is_color = |it: &&Attribute| it.kind.starts_with("color");
        let width = |kind: &str| if kind.starts_with("color4") { 4 } else { 3 };
        let colors = self.primvars().filter(is_color).take(MOST_COLOR_SETS);
        let mut colors: Vec<_> = colors.map(|it| (it.name, width(it.kind))).collect();
        colors.sort_by_key(|(name, _)| *name != "primvars:displayColor");
        colors.dedup_by_key(|(name, _)| *name);
        colors
    }

    /// Returns the numbers of an attribute. Where their count contradicts what they are for, it is what
    /// the count says; numbers that are for nothing are left out.
    fn primvar(&self, name: &str, width: usize) -> Result<Option<Primvar>> {
        let Some(attribute) = self.layer.attribute(self.prim, name) else {
            return Ok(None);
        };
        let (layer, budget) = (self.layer, self.budget);
        let values = layer.numbers(Some(attribute), budget, |number| number as f32)?;
        let own = layer.attribute(self.prim, &format!("{name}:indices"));
        let own = layer.numbers(own, budget, index)?;
        let count = match own.len() {
            0 => values.len() / width,
            count => count,
        };
        let counts = [
            ("faceVarying", self.indices.len()),
            ("vertex", self.points),
            ("varying", self.points),
            ("uniform", self.counts.len()),
            ("constant", 1),
        ];
        let stated = match attribute.interpolation {
            "" if name.starts_with("primvars:") => "constant",
            "" => "vertex",
            stated => stated,
        };
        let stated = counts.iter().find(|(name, _)| *name == stated);
        let stated = stated.filter(|(_, fitting)| *fitting == count);
        let fitting = stated.or_else(|| counts.iter().find(|(_, fitting)| *fitting == count));
        let Some((mode, _)) = fitting.filter(|_| count > 0) else {
            return Ok(None);
        };
        let corners = if *mode == "constant" {
            0
        } else {
            self.indices.len()
        };
        budget.take(corners as u64, size_of::<u32>() as u64, WHAT)?;
        let mut indices = Vec::with_capacity(corners);
        match *mode {
            "constant" => {}
            "faceVarying" => indices.extend(0..corners as u32),
            "uniform" => {
                for (face, &count) in self.counts.iter().enumerate() {
                    indices.extend(std::iter::repeat_n(face as u32, count as usize));
                }
            }
            _ => indices.extend_from_slice(&self.indices),
        }
        if !own.is_empty() {
            for index in &mut indices {
                *index = own.get(*index as usize).copied().unwrap_or(NONE);
            }
        }
        Ok(Some(Primvar {
            values,
            width,
            indices,
        }))
    }

    /// Returns the polygons that are no holes, sorted by the subset that they belong to, and the
    /// materials of the subsets.
    fn faces(&self) -> Result<(Vec<Face>, Vec<Option<u32>>)> {
        let (layer, budget) = (self.layer, self.budget);
        budget.take(self.counts.len() as u64, BYTES_PER_FACE, WHAT)?;
        let mut parts = vec![0; self.counts.len()];
        let mut materials = Vec::new();
        let children = layer.children(self.prim);
        for child in children.filter(|&child| layer.kind(child) == "GeomSubset") {
            let is_own = |name: &str, own: &str| matches!(layer.word(child, name), word if word.is_empty() || word == own);
            if !is_own("elementType", "face") || !is_own("familyName", "materialBind") {
                continue;
            }
            let bound = layer.attribute(child, "material:binding");
            materials.push(bound.and_then(|bound| Some(bound.targets.first()?.0)));
            for face in layer.numbers(layer.attribute(child, "indices"), budget, index)? {
                if let Some(part) = parts.get_mut(face as usize) {
                    *part = materials.len() as u32;
                }
            }
        }
        let holes = layer.numbers(layer.attribute(self.prim, "holeIndices"), budget, index)?;
        budget.take(holes.len() as u64, BYTES_PER_HOLE, WHAT)?;
        let holes: BTreeSet<u32> = holes.into_iter().collect();
        let mut first = 0;
        let mut faces = Vec::with_capacity(self.counts.len());
        for (nth, (&count, part)) in self.counts.iter().zip(parts).enumerate() {
            if !holes.contains(&(nth as u32)) {
                faces.push(Face { part, first, count });
            }
            first += count;
        }
        faces.sort_by_key(|face| face.part);
        Ok((faces, materials))
    }
}
