//! The curves of an object, as strands.

use super::super::bytes::take_memory;
use super::super::{Moment, Strands, Values};
use super::archive::{Archive, Object, Property, find};
use super::numbers::{all, groups};
use crate::spline::{b_spline, bezier};
use crate::srgb::srgb_from_linear;
use glam::{DMat4, DVec4};

// Names of properties; the first that is there counts.
const WIDTHS: &[&str] = &["width", ".widths", "groom_width", "widths"];
const COLORS: &[&str] = &["groom_color", "Cs", "displayColor", "Cd"];
const OPACITIES: &[&str] = &["opacity", "displayOpacity", "Alpha", "Os"];
const ROOT_UVS: &[&str] = &["groom_root_uv", "uv"];
const GUIDES: &[&str] = &["groom_guide"];

// Types and bases of curves.
pub const LINEAR: u8 = 1;
const BEZIER: u8 = 1;
const B_SPLINE: u8 = 2;
/// The order of cubic curves.
const CUBIC: usize = 4;

/// The largest number of warnings on values.
const MOST_WARNINGS: usize = 16;

/// The curves of an object while they are read.
struct Curves<'a, 'w> {
    archive: &'w Archive<'a>,
    label: String,
    properties: Vec<Property<'a>>,
    counts: Vec<u32>,
    points: Vec<[f32; 3]>,
    is_bezier: bool,
    warnings: &'w mut Vec<String>,
}

/// Reads the curves of an object, and how they move. `matrix` is its transform.
pub fn read(
    archive: &Archive,
    object: &Object,
    matrix: DMat4,
    moment: &mut Moment,
    warnings: &mut Vec<String>,
) -> Result<Strands, String> {
    let mut properties = archive.within(&archive.properties_of(object)?, ".geom")?;
    for more in [".arbGeomParams", ".userProperties"] {
        properties.extend(archive.within(&properties, more)?);
    }
    let counts = list(archive, find(&properties, "nVertices"), |[count]| {
        count as u32
    })?;
    if let Some(points) = find(&properties, "P") {
        moment.tell(points.moments(), archive.rate(points));
    }
    let narrow = |point: [f64; 3]| point.map(|x| x as f32);
    let mut curves = Curves {
        archive,
        counts,
        points: list(archive, find(&properties, "P"), narrow)?,
        properties,
        label: object.label(),
        is_bezier: false,
        warnings,
    };
    let held: u64 = curves.counts.iter().map(|&count| u64::from(count)).sum();
    let points = curves.points.len();
    if held != points as u64 {
        let label = curves.label;
        return Err(format!(
            "{label}: its curves have {held} points, but it holds {points}"
        ));
    }
    curves.flatten()?;
    for point in &mut curves.points {
        let place = matrix.transform_point3(point.map(f64::from).into());
        *point = place.as_vec3().into();
    }
    let scale = matrix.determinant().abs().cbrt() as f32;
    let roots = curves.values::<2>("texture coordinates", ROOT_UVS)?;
    let guides = curves.values("guides", GUIDES)?.map(|[guide]| guide != 0.0);
    Ok(Strands {
        widths: curves
            .values("widths", WIDTHS)?
            .map(|[width]| width.max(0.0) * scale),
        opacities: (curves.values("opacities", OPACITIES)?)
            .map(|[opacity]| opacity.clamp(0.0, 1.0)),
        colors: (curves.values("colours", COLORS)?)
            .map(|color: [f32; 3]| color.map(|x| srgb_from_linear(x.clamp(0.0, 1.0)))),
        root_uvs: curves.of_strands(&roots)?,
        guides: curves.of_strands(&guides)?,
        counts: curves.counts,
        points: curves.points,
        ..Strands::default()
    })
}

/// Returns the groups of `N` numbers of a property, and none without a property.
fn list<T, const N: usize>(
    archive: &Archive,
    property: Option<&Property>,
    convert: impl Fn([f64; N]) -> T,
) -> Result<Vec<T>, String> {
    let Some(property) = property else {
        return Ok(Vec::new());
    };
    let groups = groups(archive, property)?;
    take_memory(archive.budget, groups.len() as u64, size_of::<T>() as u64)?;
    Ok(groups.map(convert).collect())
}

impl Curves<'_, '_> {
    /// Makes polylines of splines. Those of other bases, such as Catmull–Rom, pass through their points.
    fn flatten(&mut self) -> Result<(), String> {
        let number = |[number]: [f64; 1]| number;
        let list = |name| list(self.archive, find(&self.properties, name), number);
        let Some(form) = find(&self.properties, "curveBasisAndType") else {
            return Ok(());
        };
        let form = all(self.archive, form)?;
        let [kind, _, basis] = [0, 1, 2].map(|nth| form.get(nth).map_or(0, |&form| form as u8));
        if kind == LINEAR {
            return Ok(());
        }
        let (orders, knots, weights) = (list(".orders")?, list(".knots")?, list("w")?);
        let order = |curve: usize| match (orders.get(curve), &orders[..]) {
            (Some(&order), _) | (None, &[order]) => order as u8 as usize,
            _ => CUBIC,
        };
        let total: usize = (0..self.counts.len()).map(&order).sum();
        let has_knots = knots.len() == self.points.len() + total;
        self.is_bezier = basis == BEZIER && !has_knots;
        if !self.is_bezier && basis != B_SPLINE && !has_knots {
            return Ok(());
        }
        let longest = self.counts.iter().max().copied().unwrap_or(0);
        // A B-spline stores its points with their weights.
        take_memory(
            self.archive.budget,
            longest.into(),
            size_of::<DVec4>() as u64,
        )?;
        let (mut first, mut first_knot) = (0, 0);
        for (curve, &count) in self.counts.iter().enumerate() {
            let (end, order) = (first + count as usize, order(curve));
            let points = &mut self.points[first..end];
            if self.is_bezier {
                bezier(points);
            } else {
                let end_knot = first_knot + count as usize + order;
                let knots = has_knots.then(|| &knots[first_knot..end_knot]);
                b_spline(points, order, knots, weights.get(first..end));
                first_knot = end_knot;
            }
            first = end;
        }
        Ok(())
    }

    /// Returns the values of the first property that is there, of those named. Values that fit neither
    /// strands nor points are left out, with a warning.
    fn values<const N: usize>(
        &mut self,
        what: &str,
        names: &[&str],
    ) -> Result<Values<[f32; N]>, String> {
        let Some(property) = names.iter().find_map(|name| find(&self.properties, name)) else {
            return Ok(Values::None);
        };
        let archive = self.archive;
        let convert = |group: [f64; N]| {
            // Other programs divide by zero at times.
            let number = |x: f64| Some(x as f32).filter(|x| x.is_finite());
            group.map(|x| number(x).unwrap_or_default())
        };
        let values = if property.is_compound {
            let parts = archive.properties(property.group)?;
            let values = list(archive, find(&parts, ".vals"), convert)?;
            let pick = |[index]: [f64; 1]| values.get(index as usize).copied().unwrap_or([0.0; N]);
            list(archive, find(&parts, ".indices"), pick)?
        } else {
            list(archive, Some(property), convert)?
        };
        let (strands, points) = (self.counts.len(), self.points.len());
        let ends = |&count: &u32| (count as usize).div_ceil(3);
        let count = values.len();
        Ok(match &values[..] {
            [] => Values::None,
            [value] => Values::All(*value),
            _ if count == points => Values::Points(values),
            _ if count == strands => Values::Strands(values),
            _ if self.is_bezier && count == self.counts.iter().map(ends).sum::<usize>() => {
                take_memory(archive.budget, points as u64, 4 * N as u64)?;
                Values::Points(self.between_ends(&values))
            }
            _ => {
                if self.warnings.len() < MOST_WARNINGS {
                    let label = &self.label;
                    self.warnings.push(format!(
                        "{label} has {count} {what} for {strands} curves of {points} points; they are left out"
                    ));
                }
                Values::None
            }
        })
    }

    /// Returns a value for each point of Bézier curves, of those for the ends of their segments.
    fn between_ends<const N: usize>(&self, ends: &[[f32; N]]) -> Vec<[f32; N]> {
        let mut values = Vec::with_capacity(self.points.len());
        let mut rest = ends;
        for &count in &self.counts {
            let (ends, after) = rest.split_at((count as usize).div_ceil(3));
            rest = after;
            values.extend((0..count as usize).map(|point| {
                let (from, share) = (ends[point / 3], (point % 3) as f32 / 3.0);
                let to = ends.get(point / 3 + 1).unwrap_or(&from);
                std::array::from_fn(|nth| (1.0 - share) * from[nth] + share * to[nth])
            }));
        }
        values
    }

    /// Returns the value of each strand, that of its root if each point has one; none without values.
    fn of_strands<T: Copy>(&self, values: &Values<T>) -> Result<Vec<T>, String> {
        let (counts, mut root) = (&self.counts, 0);
        take_memory(
            self.archive.budget,
            counts.len() as u64,
            size_of::<T>() as u64,
        )?;
        let strands = counts.iter().enumerate().filter_map(|(strand, &count)| {
            let value = values.at(strand, root);
            root += count as usize;
            value
        });
        Ok(strands.collect())
    }
}
