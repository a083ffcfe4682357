//! The curves of USD: hair, with widths, colours and what Unreal's grooms add.

use super::basis::Basis;
use super::layer::{Attribute, Layer};
use super::refused;
use crate::head::convert::builder::Lines;
use crate::head::error::{Result, quoted};
use crate::head::limits::Budget;

/// Curves while they are read.
struct Curves<'s, 'a> {
    layer: &'s Layer<'a>,
    prim: u32,
    budget: &'s Budget,
    counts: Vec<u32>,
    basis: Basis,
    is_pinned: bool,
    /// The points of all curves in the file, and of their polylines.
    sizes: [usize; 2],
}

/// Returns the points of each curve of a prim, and their values; `None` if it has none.
pub fn read(layer: &Layer, prim: u32, budget: &Budget) -> Result<Option<(Vec<u32>, Lines)>> {
    let place = format!("curves {}", quoted(layer.prims[prim as usize].name));
    let attribute = |name: &str| layer.attribute(prim, name);
    let counts = layer.numbers(attribute("curveVertexCounts"), budget, |number| {
        number as u32
    })?;
    let points = layer.numbers(attribute("points"), budget, |number| number as f32)?;
    let points = points.as_chunks::<3>().0;
    let wanted: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    if wanted != points.len() as u64 {
        let has = points.len();
        let problem = format!("`curveVertexCounts` wants {wanted} points, but there are {has}");
        return Err(refused(format!("{place}: {problem}")));
    }
    let kind = layer.word(prim, "type");
    let basis = Basis::of(kind, layer.word(prim, "basis"));
    let is_pinned = layer.word(prim, "wrap") == "pinned";
    let of_polyline = |&count: &u32| basis.points(basis.segments(count as usize, is_pinned));
    let polylines: usize = counts.iter().map(of_polyline).sum();
    budget.take(polylines as u64, 12 + 16 + 4 + 4 + 8, || place.clone())?;
    let curves = Curves {
        layer,
        prim,
        budget,
        basis,
        is_pinned,
        sizes: [points.len(), polylines],
        counts,
    };
    let positions = curves.along(points);
    let first = |names: &[&str]| names.iter().find_map(|name| attribute(name));
    let widths = first(&["primvars:groom_width", "primvars:widths", "widths"]);
    let guides = first(&["primvars:groom_guide", "groom_guide"]);
    let uvs = first(&[
        "primvars:groom_root_uv",
        "groom_root_uv",
        "primvars:st",
        "primvars:uv",
    ]);
    let colors = first(&["primvars:displayColor", "primvars:groom_color"]);
    let opacities = curves.values::<1>(first(&["primvars:displayOpacity"]))?;
    let colors = curves.values::<3>(colors)?;
    let opacity = |nth: usize| opacities.get(nth).map_or(1.0, |&[opacity]| opacity);
    let lines = Lines {
        colors: match colors.is_empty() && !opacities.is_empty() {
            true => opacities
                .iter()
                .map(|&[opacity]| [1.0, 1.0, 1.0, opacity])
                .collect(),
            false => {
                let colors = colors.iter().enumerate();
                colors
                    .map(|(nth, &[r, g, b])| [r, g, b, opacity(nth)])
                    .collect()
            }
        },
        widths: curves.values::<1>(widths)?.into_flattened(),
        guides: curves.values::<1>(guides)?.into_flattened(),
        // glTF has v down.
        root_uvs: (curves.values::<2>(uvs)?.into_iter())
            .map(|[u, v]| [u, 1.0 - v])
            .collect(),
        positions,
        edges: Vec::new(),
    };
    let counts = curves.counts.iter().map(|count| of_polyline(count) as u32);
    let counts: Vec<u32> = counts.collect();
    Ok((polylines > 0).then_some((counts, lines)))
}

impl<'a> Curves<'_, 'a> {
    /// Returns the numbers of an attribute at the points of the polylines; what they are for is told by
    /// their count. None if they are for nothing.
    fn values<const N: usize>(&self, attribute: Option<&Attribute<'a>>) -> Result<Vec<[f32; N]>> {
        let values = self
            .layer
            .numbers(attribute, self.budget, |number| number as f32)?;
        let mut values = values.as_chunks::<N>().0.to_vec();
        let indices = attribute.map(|it| format!("{}:indices", it.name));
        let indices = indices.and_then(|name| self.layer.attribute(self.prim, &name));
        if indices.is_some() {
            let indices = self
                .layer
                .numbers(indices, self.budget, |number| number as usize)?;
            let picked = indices.iter().map(|&index| values.get(index).copied());
            values = picked.collect::<Option<_>>().unwrap_or_default();
        }
        let [points, polylines] = self.sizes;
        let spread = |each: &dyn Fn(usize) -> [f32; N]| {
            let curves = self.counts.iter().enumerate();
            let values = curves.flat_map(|(curve, &count)| {
                let segments = self.basis.segments(count as usize, self.is_pinned);
                std::iter::repeat_n(each(curve), self.basis.points(segments))
            });
            values.collect()
        };
        Ok(match values.len() {
            0 => Vec::new(),
            1 => spread(&|_| values[0]),
            count if count == self.counts.len() => spread(&|curve| values[curve]),
            count if count == points => self.along(&values),
            count if count == polylines => values,
            count if count == self.varying() => self.between(&values),
            _ => Vec::new(),
        })
    }

    /// Returns values of points at the points of the polylines.
    fn along<const N: usize>(&self, values: &[[f32; N]]) -> Vec<[f32; N]> {
        let mut rest = values;
        let mut all = Vec::with_capacity(self.sizes[1]);
        for &count in &self.counts {
            let (curve, after) = rest.split_at(count as usize);
            rest = after;
            all.extend(self.basis.along(curve, self.is_pinned));
        }
        all
    }

    /// Returns the number of ends of segments.
    fn varying(&self) -> usize {
        let segments = |&count: &u32| self.basis.segments(count as usize, self.is_pinned);
        self.counts
            .iter()
            .map(segments)
            .map(|segments| segments + 1)
            .sum()
    }

    /// Returns values of the ends of segments at the points of the polylines.
    fn between<const N: usize>(&self, values: &[[f32; N]]) -> Vec<[f32; N]> {
        let mut first = 0;
        let mut all = Vec::with_capacity(self.sizes[1]);
        for &count in &self.counts {
            let segments = self.basis.segments(count as usize, self.is_pinned);
            let points = self.basis.points(segments);
            all.extend((0..points).map(|nth| {
                let place = nth as f32 * segments as f32 / (points - 1) as f32;
                let (before, share) = (place as usize, place.fract());
                let (from, to) = (
                    values[first + before],
                    values[first + (before + 1).min(segments)],
                );
                std::array::from_fn(|lane| from[lane] + share * (to[lane] - from[lane]))
            }));
            first += segments + 1;
        }
        all
    }
}
