//! Hair on the page: a ribbon along each quadratic Bezier. Shadows are drawn first.

use super::view::{Area, View};
use crate::doll::{Curve, DollHair};
use crate::render::frame::{Drawn, over, with_program};
use three_d::*;

/// Largest number of segments of a curve. A curve that is bent back on itself is still round.
const MAX_SEGMENTS: f64 = 12.0;
/// Largest distance of a ribbon from its curve with fewer segments, pixels of the page.
const MAX_ERROR: f64 = 0.35;
/// Approximate largest number of hairs with a shadow.
const MAX_SHADOWS: usize = 600;
/// Opacity of the shadow if every hair has one.
const SHADOW: f32 = 0.09;
/// Largest distance of a hair and its shadow from the curve, pixels of the page.
const REACH: f64 = 6.0;
/// Width of a hair, pixels of the page.
const WIDTH: f32 = 2.0;

/// All hair on the GPU.
pub struct Curves {
    context: Context,
    /// Position on the page, and the direction across the hair.
    places: VertexBuffer<three_d::Vec4>,
    /// Position along the hair (0 at the root, 1 at the tip), and the side (-1 or 1).
    corners: VertexBuffer<three_d::Vec2>,
    /// Colour of the hair and a random number.
    colors: VertexBuffer<three_d::Vec4>,
    elements: ElementBuffer<u32>,
    shadow_elements: ElementBuffer<u32>,
    shadow: f32,
    ribbons: Ribbons,
    hairs: Vec<DollHair>,
}

/// The contents of the buffers, kept to reuse their memory.
#[derive(Default)]
struct Ribbons {
    places: Vec<three_d::Vec4>,
    corners: Vec<three_d::Vec2>,
    colors: Vec<three_d::Vec4>,
    elements: Vec<u32>,
    shadow_elements: Vec<u32>,
}

impl Curves {
    pub fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            places: VertexBuffer::new(context),
            corners: VertexBuffer::new(context),
            colors: VertexBuffer::new(context),
            elements: ElementBuffer::new(context),
            shadow_elements: ElementBuffer::new(context),
            shadow: 0.0,
            ribbons: Ribbons::default(),
            hairs: Vec::new(),
        }
    }

    /// Shows other hair, drawn in order. Returns the area that changes.
    pub fn set(&mut self, hairs: &[DollHair]) -> Area {
        let area = match self.hairs.len() == hairs.len() {
            true => {
                let pairs = self.hairs.iter().zip(hairs);
                let changed = pairs.filter(|(before, after)| before != after);
                let changed = changed.flat_map(|(before, after)| [before, after]);
                let curves = changed.flat_map(DollHair::curves);
                let points = curves.flat_map(|curve| [curve.from, curve.mid, curve.to]);
                Area::around(points, REACH)
            }
            false => Area::ALL,
        };
        if area == Area::NOTHING {
            return area;
        }
        hairs.clone_into(&mut self.hairs);
        // The shadows of some hairs are enough if there are many.
        let stride = (hairs.len() / MAX_SHADOWS).max(1);
        self.shadow = SHADOW * (stride as f32).sqrt();
        let ribbons = &mut self.ribbons;
        ribbons.clear();
        for (number, hair) in hairs.iter().enumerate() {
            ribbons.add(hair, number, number % stride == 0);
        }
        self.places.fill(&ribbons.places);
        self.corners.fill(&ribbons.corners);
        self.colors.fill(&ribbons.colors);
        self.elements.fill(&ribbons.elements);
        self.shadow_elements.fill(&ribbons.shadow_elements);
        area
    }

    pub fn draw(&self, view: &View) -> Drawn {
        if self.ribbons.elements.is_empty() {
            return Ok(());
        }
        let shaders = || [include_str!("curves.vert"), include_str!("curves.frag")];
        with_program(&self.context, "curves", &[], shaders, |program| {
            for (elements, shadow) in [(&self.shadow_elements, self.shadow), (&self.elements, 0.0)]
            {
                program.use_uniform("clipFromPage", view.clip_from_page());
                program.use_uniform("pixel", (1.0 / view.fit.scale) as f32);
                program.use_uniform("width", WIDTH);
                program.use_uniform("shadow", shadow);
                program.use_vertex_attribute("place", &self.places);
                program.use_vertex_attribute("corner", &self.corners);
                program.use_vertex_attribute("hair", &self.colors);
                program.draw_elements(over(DepthTest::Always), view.viewport, elements);
            }
        })
    }
}

impl Ribbons {
    fn clear(&mut self) {
        self.places.clear();
        self.corners.clear();
        self.colors.clear();
        self.elements.clear();
        self.shadow_elements.clear();
    }

    fn add(&mut self, hair: &DollHair, number: usize, casts_shadow: bool) {
        let whole = hair.whole_length();
        let lengths = hair.held.iter().map(|held| held.length);
        let [r, g, b] = hair.color;
        // The multiples of the golden ratio are evenly spread for any count.
        let random = (number as f64 * 0.618_033_988_749_895).fract() as f32;
        let color = vec4(r, g, b, random);
        let first = self.elements.len();
        let mut before = 0.0;
        for (curve, length) in hair.curves().zip(lengths.chain([hair.length])) {
            self.add_curve(&curve, [before / whole, (before + length) / whole], color);
            before += length;
        }
        if casts_shadow {
            let elements = &self.elements[first..];
            self.shadow_elements.extend_from_slice(elements);
        }
    }

    /// Adds a curve that is the part `part` (from, to) of a hair.
    fn add_curve(&mut self, curve: &Curve, part: [f64; 2], color: three_d::Vec4) {
        let first = self.places.len() as u32;
        let segments = segments(curve);
        for ring in 0..=segments {
            let t = f64::from(ring) / f64::from(segments);
            let at = curve.at(t).as_vec2();
            let chord = curve.to - curve.from;
            let along = (curve.mid - curve.from).lerp(curve.to - curve.mid, t);
            let along = along.try_normalize().or(chord.try_normalize());
            let across = along.map_or(glam::Vec2::X, |along| along.perp().as_vec2());
            let place = (part[0] + (part[1] - part[0]) * t) as f32;
            for side in [-1.0, 1.0] {
                self.places.push(vec4(at.x, at.y, across.x, across.y));
                self.corners.push(vec2(place, side));
                self.colors.push(color);
            }
        }
        for a in (0..segments).map(|segment| first + 2 * segment) {
            self.elements.extend([a, a + 1, a + 2, a + 2, a + 1, a + 3]);
        }
    }
}

/// Returns the number of segments that keep the ribbon within [`MAX_ERROR`] of the curve. Each of n
/// segments is at most |bend| / (4 n²) away. Only the part across the curve counts, as the rest
/// moves points along it.
fn segments(curve: &Curve) -> u32 {
    let legs = [curve.mid - curve.from, curve.to - curve.mid];
    let bend = legs[1] - legs[0];
    // With both signs the curve is somewhere perpendicular to its bend.
    let along = legs.map(|leg| leg.dot(bend));
    let across = match along[0] * along[1] <= 0.0 {
        true => bend.length(),
        false => legs[0].perp_dot(legs[1]).abs() / legs[0].length().min(legs[1].length()),
    };
    let segments = (across / (4.0 * MAX_ERROR)).sqrt().ceil();
    segments.clamp(1.0, MAX_SEGMENTS) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec2;
    use proptest::prelude::*;

    proptest! {
        /// `MAX_SEGMENTS` are enough for these bends.
        #[test]
        fn ribbons_follow_their_curves(points in prop::array::uniform6(0.0..40.0_f64)) {
            let [a, b, c, d, e, f] = points;
            let curve = Curve {
                from: DVec2::new(a, b),
                mid: DVec2::new(c, d),
                to: DVec2::new(e, f),
            };
            let segments = f64::from(segments(&curve));
            let straight = |t: f64| {
                let ring = (t * segments).floor().min(segments - 1.0);
                let ends = [ring, ring + 1.0].map(|ring| curve.at(ring / segments));
                (ends[0], ends[1])
            };
            for step in 0..=100 {
                let t = f64::from(step) * 0.01;
                let (start, end) = straight(t);
                let to = curve.at(t) - start;
                let along = end - start;
                let part = (to.dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
                let off = (to - part * along).length();
                prop_assert!(off <= MAX_ERROR + 1e-9, "{off} at {t}, {segments} segments");
            }
        }
    }
}
