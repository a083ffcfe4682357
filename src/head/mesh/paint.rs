//! Scalp paint: hair density from vertex colours, or from attributes named so.
//!
//! For black paint (the default) density is `1 - mean(R, G, B)` in linear values. For another
//! paint P it is the position of the colour between white and P, less the square of four times its
//! distance from the line between them, both in units of |1 - P|: other colours are no paint, black
//! among them.
//!
//! Vertex colours are more often a tint than paint. Unless the user says which colour is paint, a
//! set is paint if it is black on white: hardly any of its colours are others, most are one or the
//! other, and what is not white is dark. Where some of that is opaque, what is transparent is no
//! paint: programs give it to a mesh without colours that they join to a painted one.

use super::attributes::{Attributes, UNIT};
use crate::head::error::{self, LoadErrorKind, Warnings, truncated};
use crate::head::gltf::accessor::Expected;
use crate::head::model::Paint;
use glam::{DVec3, Vec3};

/// The name of the accessors of paint that this program writes.
pub const PAINT_NAME: &str = "mohawk paint";
/// Density below this is bald: exporters round white, and soft edges fade out.
pub const BALD: f32 = 0.02;
/// The smallest distance of a paint colour from white, which means bald.
const MIN_CONTRAST: f32 = 0.1;
/// The root of the density that a colour loses by its distance from the line between white and the
/// paint.
const OTHER: f32 = 4.0;

/// The largest distance of a colour of black and white paint from grey.
const GREYNESS: f32 = 0.15;
/// The largest share of vertices with other colours, and with shades between paint and bald.
const OTHERS: f32 = 0.05;
const SHADES: f32 = 0.5;
/// The least mean density of what is painted.
const DARKNESS: f32 = 0.35;

crate::choices! {
    /// The vertex colours that are scalp paint.
    pub enum PaintRule: "paint" = Auto {
        /// Black on white, if the colours look like that; or the colour of the settings.
        Auto = "auto",
        /// The colour of the settings, by default black, whatever the colours look like.
        Color = "color",
        /// White on black.
        White = "white",
        /// Opacity.
        Alpha = "alpha",
    }
}

/// The search for paint among vertex colours.
#[derive(Clone, Copy)]
pub struct PaintSearch {
    pub rule: PaintRule,
    pub color: PaintColor,
}

impl PaintSearch {
    /// The search by what colours look like.
    pub const AUTO: Self = Self {
        rule: PaintRule::Auto,
        color: PaintColor([0.0; 3]),
    };

    /// Returns `true` if the user says which colours are paint.
    pub fn is_asked(self) -> bool {
        self.rule != PaintRule::Auto || self.color.0 != [0.0; 3]
    }

    /// Returns the paint in a colour set, or why there is none: `has other colours than the
    /// paint`. An own set was written by this program, and is paint whatever it looks like.
    pub fn find(self, set: u32, colors: &[[f32; 4]], is_own: bool) -> Result<Paint, &'static str> {
        let density = |color: &[f32; 4]| match self.rule {
            _ if is_own => Self::AUTO.color.density(*color),
            PaintRule::Auto | PaintRule::Color => self.color.density(*color),
            PaintRule::White => visible((color[0] + color[1] + color[2]) / 3.0),
            PaintRule::Alpha => visible(color[3]),
        };
        // Colours without opacity are read as opaque.
        if self.rule == PaintRule::Alpha && !is_own && colors.iter().all(|c| c[3] >= 0.999) {
            return Err("is opaque");
        }
        let mut density: Vec<f32> = colors.iter().map(density).collect();
        if density.iter().all(|&density| density == 0.0) {
            return Err("has other colours than the paint");
        }
        let is_free = !self.is_asked() && !is_own;
        let is_unset = |color: &[f32; 4]| color[3] == 0.0;
        let mut painted = density.iter().zip(colors);
        let is_set = painted.any(|(&density, color)| density > 0.0 && !is_unset(color));
        if is_free && is_set {
            let each = density.iter_mut().zip(colors);
            let unset = each.filter(|(_, color)| is_unset(color));
            unset.for_each(|(density, _)| *density = 0.0);
        }
        let why = match (self.rule, is_own) {
            (_, true) => "was painted here",
            (PaintRule::White, _) => "is white on black (--paint white)",
            (PaintRule::Alpha, _) => "has opacity (--paint alpha)",
            _ if is_free => {
                black_on_white(colors, &density)?;
                "is black on white"
            }
            _ => "has the colour of the paint",
        };
        Ok(Paint {
            set,
            is_own,
            why: format!("COLOR_{set} {why}"),
            density,
        })
    }
}

/// Attributes of one number per vertex that are density by their name.
pub const NAMED: [&str; 2] = ["_SCALP", "_DENSITY"];
const DENSITY: Expected = Expected {
    lanes: &[1],
    components: UNIT,
    quantized: &[],
    text: "SCALAR of f32, normalised u8 or u16",
    advice: "",
};

/// Returns the density in an attribute that is named so, and its name.
pub fn named_density(
    attributes: &Attributes,
    count: usize,
    warnings: &mut Warnings,
) -> Option<(&'static str, Vec<f32>)> {
    NAMED.into_iter().find_map(|role| {
        let density = density(attributes, role, count, warnings)?;
        let is_painted = density.iter().any(|&density| density > 0.0);
        is_painted.then_some((role, density))
    })
}

/// Returns the density in an attribute. One that cannot be read is left out with a warning: its name
/// may mean something else.
pub fn density(
    attributes: &Attributes,
    role: &str,
    count: usize,
    warnings: &mut Warnings,
) -> Option<Vec<f32>> {
    let density = match attributes.of_vertices(role, &DENSITY, count) {
        Ok(accessor) => accessor?.floats::<1>(0.0).into_flattened(),
        Err(error) => {
            warnings.push(format!("{error} It is left out."));
            return None;
        }
    };
    if !(density.iter()).all(|density| (0.0..=1.0).contains(density)) {
        let (place, role) = (attributes.place, truncated(role));
        warnings.push(format!(
            "{place}: {role} is not a density from 0 to 1 for each vertex; left out"
        ));
        return None;
    }
    Some(density.into_iter().map(visible).collect())
}

/// Returns a density of at most 1, or 0 if it is below what counts.
pub fn visible(density: f32) -> f32 {
    match density < BALD {
        true => 0.0,
        false => density.min(1.0),
    }
}

/// Returns why colours are not black paint on white, if they are not.
fn black_on_white(colors: &[[f32; 4]], density: &[f32]) -> Result<(), &'static str> {
    let count = colors.len() as f32;
    let share = |number: usize| number as f32 / count;
    let is_other = |&&[r, g, b, _]: &&[f32; 4]| {
        let (low, high) = (r.min(g).min(b), r.max(g).max(b));
        high - low > GREYNESS
    };
    if share(colors.iter().filter(is_other).count()) > OTHERS {
        return Err("has other colours than black and white");
    }
    let is_shade = |&&density: &&f32| (0.15..0.85).contains(&density);
    let painted = density.iter().filter(|&&density| density > 0.0);
    let mean = painted.clone().sum::<f32>() / painted.count().max(1) as f32;
    let shades = share(density.iter().filter(is_shade).count());
    match shades > SHADES || mean < DARKNESS {
        true => Err("has shades rather than black on white"),
        false => Ok(()),
    }
}

/// The linear RGB colour of full paint, which converts colours to density.
#[derive(Clone, Copy)]
pub struct PaintColor(pub [f32; 3]);

impl PaintColor {
    /// Checks the setting `paint_color`.
    pub fn new(rgb: [f32; 3]) -> error::Result<Self> {
        let fail = |problem: &str| LoadErrorKind::Setting {
            name: "paint_color",
            problem: problem.to_owned(),
        };
        if !rgb.iter().all(|lane| (0.0..=1.0).contains(lane)) {
            return Err(fail("each of red, green and blue must be from 0 to 1"));
        }
        if (Vec3::ONE - Vec3::from(rgb)).length() < MIN_CONTRAST {
            return Err(fail(
                "white means bald; choose a colour that can be told from it",
            ));
        }
        Ok(PaintColor(rgb))
    }

    /// Returns the hair density of a linear colour, 0 to 1.
    pub fn density(self, [r, g, b, _]: [f32; 4]) -> f32 {
        let color = Vec3::new(r, g, b).clamp(Vec3::ZERO, Vec3::ONE);
        let density = match self.0 == [0.0; 3] {
            true => 1.0 - color.element_sum() / 3.0,
            false => {
                let (offset, paint) = (Vec3::ONE - color, Vec3::ONE - Vec3::from(self.0));
                let along = (offset.dot(paint) / paint.length_squared()).clamp(0.0, 1.0);
                let beside = (offset - paint * along).length() / paint.length();
                along - (OTHER * beside).powi(2)
            }
        };
        visible(density)
    }
}

/// Returns the triangles with paint at all three corners.
pub fn scalp_triangles<'a>(
    paint: &'a Paint,
    triangles: &'a [[u32; 3]],
) -> impl Iterator<Item = [u32; 3]> + 'a {
    let is_painted = |&corner: &u32| paint.density[corner as usize] > 0.0;
    let scalp = triangles.iter().copied();
    scalp.filter(move |corners| corners.iter().all(is_painted))
}

/// Returns the area of the triangles with paint at all three corners.
pub fn scalp_area(paint: &Paint, triangles: &[[u32; 3]], position: impl Fn(u32) -> DVec3) -> f64 {
    let areas = scalp_triangles(paint, triangles).map(|corners| {
        let [a, b, c] = corners.map(&position);
        (b - a).cross(c - a).length() / 2.0
    });
    areas.sum()
}
