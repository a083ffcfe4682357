//! The curves of USD: hair, with widths, colours and what Unreal's grooms add.

use super::layer::{Attribute, Layer};
use super::refused;
use crate::head::convert::builder::Lines;
use crate::head::error::{Result, quoted};
use crate::head::limits::Budget;
use crate::spline;

/// Curves while they are read.
struct Curves<'s, 'a> {
    layer: &'s Layer<'a>,
    prim: u32,
    budget: &'s Budget,
    /// The number of points of each curve.
    counts: Vec<u32>,
    points: usize,
    /// The number of ends of segments of a curve with so many points.
    ends: fn(usize) -> usize,
}

/// Returns the number of points of each curve of a prim, and their values; `None` if it has none. Cubic
/// curves become polylines of as many points.
pub fn read(layer: &Layer, prim: u32, budget: &Budget) -> Result<Option<(Vec<u32>, Lines)>> {
    let place = format!("curves {}", quoted(layer.prims[prim as usize].name));
    let attribute = |name: &str| layer.attribute(prim, name);
    let counts = attribute("curveVertexCounts");
    let counts = layer.numbers(counts, budget, |number| number as u32)?;
    let mix = |a: f32, b: f32, share: f64| a + (b - a) * share as f32;
    let points = layer.mixed(attribute("points"), budget, |number| number as f32, mix)?;
    let mut points = points.as_chunks::<3>().0.to_vec();
    // They may be blocked, or missing.
    if points.is_empty() {
        return Ok(None);
    }
    let wanted: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    if wanted != points.len() as u64 {
        let has = points.len();
        let problem = format!("`curveVertexCounts` wants {wanted} points, but there are {has}");
        return Err(refused(format!("{place}: {problem}")));
    }
    let whole = 12 + 16 + 4 + 4 + 8;
    budget.take(points.len() as u64, whole, &place)?;
    let is_linear = layer.word(prim, "type") == "linear";
    let is_pinned = layer.word(prim, "wrap") == "pinned";
    let basis = layer.word(prim, "basis");
    if !is_linear {
        let mut rest = &mut points[..];
        for &count in &counts {
            let (curve, after) = rest.split_at_mut(count as usize);
            rest = after;
            match basis {
                "bspline" if is_pinned => spline::pinned(curve),
                "bspline" => spline::b_spline(curve, 4, None, None),
                // The points of these are on the curve.
                "catmullRom" => {}
                _ => spline::bezier(curve),
            }
        }
    }
    let curves = Curves {
        layer,
        prim,
        budget,
        counts,
        points: points.len(),
        ends: match basis {
            _ if is_linear || is_pinned => |points| points,
            "bspline" | "catmullRom" => |points| points.saturating_sub(2),
            _ => |points| points.saturating_sub(1) / 3 + 1,
        },
    };
    let first = |names: &[&str]| names.iter().find_map(|name| attribute(name));
    let widths = first(&["primvars:groom_width", "primvars:widths", "widths"]);
    let guides = first(&["primvars:groom_guide", "groom_guide"]);
    let uvs = [
        "primvars:groom_root_uv",
        "groom_root_uv",
        "primvars:st",
        "primvars:uv",
    ];
    let opacities = curves.values::<1>(first(&["primvars:displayOpacity"]))?;
    let colors = first(&["primvars:displayColor", "primvars:groom_color"]);
    let mut colors = curves.values::<3>(colors)?;
    if colors.is_empty() && !opacities.is_empty() {
        colors = vec![[1.0; 3]; opacities.len()];
    }
    let opacity = |nth: usize| opacities.get(nth).map_or(1.0, |&[opacity]| opacity);
    let colors = colors.iter().enumerate();
    let lines = Lines {
        colors: colors
            .map(|(nth, &[r, g, b])| [r, g, b, opacity(nth)])
            .collect(),
        widths: curves.values::<1>(widths)?.into_flattened(),
        guides: curves.values::<1>(guides)?.into_flattened(),
        // glTF has v down.
        root_uvs: (curves.values::<2>(first(&uvs))?.into_iter())
            .map(|[u, v]| [u, 1.0 - v])
            .collect(),
        positions: points,
        ..Lines::default()
    };
    Ok(Some((curves.counts, lines)))
}

impl<'a> Curves<'_, 'a> {
    /// Returns the numbers of an attribute at all points; what they are for is told by their count. None
    /// if they are for nothing.
    fn values<const N: usize>(&self, attribute: Option<&Attribute<'a>>) -> Result<Vec<[f32; N]>> {
        let number = |number| number as f32;
        let values = self.layer.numbers(attribute, self.budget, number)?;
        let mut values = values.as_chunks::<N>().0.to_vec();
        let indices = attribute.map(|it| format!("{}:indices", it.name));
        let indices = indices.and_then(|name| self.layer.attribute(self.prim, &name));
        if indices.is_some() {
            let number = |number| number as usize;
            let indices = self.layer.numbers(indices, self.budget, number)?;
            let picked = indices.iter().map(|&index| values.get(index).copied());
            values = picked.collect::<Option<_>>().unwrap_or_default();
        }
        let ends = |&count: &u32| (self.ends)(count as usize);
        let all_ends: usize = self.counts.iter().map(ends).sum();
        // The values of each curve are spread over its points.
        let spread = |values_of: &dyn Fn(usize, usize) -> usize| {
            let mut first = 0;
            let mut all = Vec::with_capacity(self.points);
            for (curve, &count) in self.counts.iter().enumerate() {
                let many = values_of(curve, count as usize);
                let own = &values[first..first + many];
                first += many;
                all.extend((0..count as usize).map(|nth| at(own, nth, count as usize)));
            }
            all
        };
        Ok(match values.len() {
            1 => vec![values[0]; self.points],
            count if count == self.points => values,
            count if count == self.counts.len() => spread(&|_, _| 1),
            count if count == all_ends => spread(&|_, points| (self.ends)(points)),
            _ => Vec::new(),
        })
    }
}

/// Returns the value at the point of this number of so many, of values that are evenly spaced.
fn at<const N: usize>(values: &[[f32; N]], nth: usize, points: usize) -> [f32; N] {
    let Some(last) = values.len().checked_sub(1) else {
        return [0.0; N];
    };
    let place = nth as f32 * last as f32 / points.saturating_sub(1).max(1) as f32;
    let (before, share) = (place as usize, place.fract());
    let (from, to) = (values[before.min(last)], values[(before + 1).min(last)]);
    std::array::from_fn(|lane| from[lane] + share * (to[lane] - from[lane]))
}
