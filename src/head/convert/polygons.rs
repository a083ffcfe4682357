//! Makes polygons whose corners index lists of numbers, as most formats have them, triangles and
//! vertices.

use super::builder::Arrays;
use crate::head::error::Result;
use crate::head::limits::Budget;
use crate::mesh_file::polygon::triangulate;
use glam::Vec3;

/// Colour sets that are searched for paint.
pub const MOST_COLOR_SETS: usize = 8;
/// Vertices at one position that are compared with a corner; one more of the same does no harm.
const MOST_COMPARED: usize = 64;
/// Memory for each corner: its vertex, and two lists that grow.
const BYTES_PER_CORNER: u64 = 4 + 2 * 3 * 4;
/// The index of what there is not.
const NONE: u32 = u32::MAX;

/// Numbers in groups, and the group of each corner of the polygons.
#[derive(Clone, Copy)]
pub struct Channel<'a> {
    values: &'a [f32],
    /// Numbers from one group to the next.
    width: usize,
    indices: &'a [u32],
    /// Indices from one corner to the next.
    step: usize,
    /// The place of the index among those of a corner.
    offset: usize,
}

/// Polygons as a file has them.
pub struct Polygons<'a> {
    pub positions: Channel<'a>,
    pub normals: Option<Channel<'a>>,
    /// v up.
    pub uvs: Option<Channel<'a>>,
    /// RGB or RGBA in sRGB; at most [`MOST_COLOR_SETS`] count.
    pub colors: Vec<Channel<'a>>,
}

impl<'a> Channel<'a> {
    /// Returns the channel of values in groups of `width`; `step` and `offset` say which of the
    /// indices are its own, one for each of the corners. An error says what is out of range.
    pub fn new(
        values: &'a [f32],
        width: usize,
        indices: &'a [u32],
        (step, offset): (usize, usize),
        corners: usize,
    ) -> std::result::Result<Self, String> {
        let own = || indices.iter().skip(offset).step_by(step.max(1));
        if own().count() < corners {
            return Err(format!(
                "has {} indices for {corners} corners",
                own().count()
            ));
        }
        let count = values.len() / width.max(1);
        if let Some(index) = own().find(|&&index| index as usize >= count) {
            return Err(format!("names number {index}, but there are only {count}"));
        }
        Ok(Channel {
            values,
            width,
            indices,
            step,
            offset,
        })
    }

    fn index(&self, corner: u32) -> u32 {
        let at = corner as usize * self.step + self.offset;
        self.indices.get(at).copied().unwrap_or(NONE)
    }

    fn group(&self, corner: u32) -> &'a [f32] {
        let start = (self.index(corner) as usize).saturating_mul(self.width);
        let end = start.saturating_add(self.width);
        self.values.get(start..end).unwrap_or_default()
    }

    /// Returns `true` if two corners have the same numbers, whatever their indices.
    fn is_same(&self, a: u32, b: u32) -> bool {
        self.index(a) == self.index(b) || self.group(a) == self.group(b)
    }

    /// Returns the first numbers of the group of a corner; what a group lacks is 1.
    fn get<const N: usize>(&self, corner: u32) -> [f32; N] {
        let group = self.group(corner);
        std::array::from_fn(|lane| group.get(lane).copied().unwrap_or(1.0))
    }
}

impl Polygons<'_> {
    /// Returns the triangles of polygons, as numbers of corners; `faces` are the first corner of each
    /// polygon and the number of its corners.
    pub fn triangles(
        &self,
        faces: impl Iterator<Item = (u32, u32)> + Clone,
        budget: &Budget,
        what: &str,
    ) -> Result<Vec<[u32; 3]>> {
        let counts = faces
            .clone()
            .map(|(_, count)| u64::from(count.saturating_sub(2)));
        let count: u64 = counts.sum();
        budget.take(count, size_of::<[u32; 3]>() as u64, what)?;
        let mut triangles = Vec::with_capacity(count as usize);
        let mut places: Vec<Vec3> = Vec::new();
        for (first, count) in faces {
            places.clear();
            places.extend((0..count).map(|nth| Vec3::from(self.positions.get(first + nth))));
            triangulate(&places, |corners| {
                triangles.push(corners.map(|nth| first + nth as u32));
            });
        }
        Ok(triangles)
    }

    /// Returns the vertices of triangles: corners that differ in anything are different vertices.
    pub fn arrays(&self, triangles: &[[u32; 3]], budget: &Budget, what: &str) -> Result<Arrays> {
        let colors = &self.colors[..self.colors.len().min(MOST_COLOR_SETS)];
        let others: Vec<Channel> = (self.normals.iter().chain(&self.uvs).chain(colors))
            .copied()
            .collect();
        let corners = triangles.as_flattened();
        let positions = self.positions.values.len() / self.positions.width.max(1);
        budget.take(corners.len() as u64, BYTES_PER_CORNER, what)?;
        budget.take(positions as u64, size_of::<u32>() as u64, what)?;
        // The last vertex at each position; one corner of each vertex, and the vertex before.
        let mut last = vec![NONE; positions];
        let mut vertices: Vec<(u32, u32)> = Vec::new();
        let mut indices = Vec::with_capacity(corners.len());
        for &corner in corners {
            let last = &mut last[self.positions.index(corner) as usize];
            let before = |&vertex: &u32| Some(vertices[vertex as usize].1).filter(|&it| it != NONE);
            let mut known = std::iter::successors(Some(*last).filter(|&it| it != NONE), before);
            let is_same = |vertex: &u32| {
                let other = vertices[*vertex as usize].0;
                others.iter().all(|channel| channel.is_same(corner, other))
            };
            let vertex = known
                .by_ref()
                .take(MOST_COMPARED)
                .find(is_same)
                .unwrap_or_else(|| {
                    vertices.push((corner, *last));
                    *last = vertices.len() as u32 - 1;
                    *last
                });
            indices.push(vertex);
        }
        let sizes = 3 + 3 + 2 + 4 * colors.len() as u64;
        budget.take(vertices.len() as u64, sizes * size_of::<f32>() as u64, what)?;
        let corners = || vertices.iter().map(|&(corner, _)| corner);
        let normals = self.normals.iter();
        let uvs = self.uvs.iter();
        Ok(Arrays {
            positions: corners().map(|corner| self.positions.get(corner)).collect(),
            normals: normals
                .flat_map(|list| corners().map(|corner| list.get(corner)))
                .collect(),
            uvs: uvs
                .flat_map(|list| corners().map(|corner| list.get(corner)))
                .collect(),
            colors: colors
                .iter()
                .map(|list| corners().map(|corner| list.get(corner)).collect())
                .collect(),
            indices,
            ..Arrays::default()
        })
    }
}
