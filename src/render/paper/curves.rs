//! Hair on the page: a ribbon along each quadratic Bezier, one pass for its shadow and one for
//! itself.

use super::View;
use crate::doll::Hair;
use crate::render::RenderError;
use crate::render::strands::{BATCH, ROW, Template, texture};
use crate::render::surface::OVER;
use three_d::*;

/// Segments of a hair: one that is bent back on itself is still round.
const SEGMENTS: u32 = 12;
/// Of one among many.
const FEWER_SEGMENTS: u32 = 8;
const MANY: u32 = 2400;
/// Of a shadow, which is soft.
const SHADOW_SEGMENTS: u32 = 6;
/// Hairs that have one, more or less, and how dark it is.
const MOST_SHADOWS: u32 = 800;
const SHADOW: f32 = 0.09;
/// Width of a hair, pixels of the page.
const WIDTH: f32 = 2.0;
/// Texels a curve.
const TEXELS: u32 = 3;

/// All hair on the GPU.
pub(super) struct Curves {
    context: Context,
    program: Program,
    ribbons: Template,
    coarser: Template,
    shadows: Template,
    texels: Option<Texture2D>,
    padded: Vec<[f32; 4]>,
    count: u32,
}

impl Curves {
    pub(super) fn new(context: &Context) -> Result<Self, RenderError> {
        let vertices = include_str!("../shaders/curves.vert");
        let fragments = include_str!("../shaders/curves.frag");
        Ok(Self {
            context: context.clone(),
            program: Program::from_source(context, vertices, fragments)
                .map_err(RendererError::from)?,
            ribbons: Template::new(context, SEGMENTS),
            coarser: Template::new(context, FEWER_SEGMENTS),
            shadows: Template::new(context, SHADOW_SEGMENTS),
            texels: None,
            padded: Vec::new(),
            count: 0,
        })
    }

    /// Takes on all hair, drawn one over the other.
    pub(super) fn set(&mut self, hairs: &[Hair]) {
        let had = self.padded.len();
        self.padded.clear();
        for (hair, number) in hairs.iter().zip(0_u32..) {
            let whole = hair.whole_length();
            let lengths = hair.held.iter().map(|held| held.length);
            let mut before = 0.0;
            for (curve, length) in hair.curves().zip(lengths.chain([hair.length])) {
                let [from, mid, to] =
                    [curve.from, curve.mid, curve.to].map(|place| place.as_vec2());
                let part = [before, before + length].map(|place| (place / whole) as f32);
                before += length;
                let [r, g, b] = hair.color;
                // The golden ratio's multiples are evenly spread whatever the count.
                let random = (f64::from(number) * 0.618_033_988_749_895).fract() as f32;
                self.padded.push([from.x, from.y, mid.x, mid.y]);
                self.padded.push([to.x, to.y, part[0], part[1]]);
                self.padded.push([r, g, b, random]);
            }
        }
        self.count = self.padded.len() as u32 / TEXELS;
        let rows = (self.padded.len() as u32).div_ceil(ROW);
        self.padded.resize((rows * ROW) as usize, [0.0; 4]);
        if had != self.padded.len() || self.texels.is_none() {
            self.texels = (rows > 0).then(|| texture(&self.context, ROW, rows));
        }
        if let Some(texels) = &self.texels {
            texels.fill(&self.padded);
        }
    }

    pub(super) fn draw(&self, view: &View) {
        let Some(texels) = &self.texels else {
            return;
        };
        let program = &self.program;
        let states = RenderStates {
            write_mask: WriteMask::COLOR,
            depth_test: DepthTest::Always,
            blend: OVER,
            cull: Cull::None,
        };
        let ribbons = match self.count > MANY {
            true => &self.coarser,
            false => &self.ribbons,
        };
        // Where there is much hair, that of some of it is shadow enough.
        let stride = (self.count / MOST_SHADOWS).max(1);
        let shadow = SHADOW * (stride as f32).sqrt();
        for (template, shadow, stride) in [(&self.shadows, shadow, stride), (ribbons, 0.0, 1)] {
            let count = self.count / stride;
            program.use_uniform("clipFromPage", view.clip_from_page());
            program.use_uniform("pixel", view.pixel());
            program.use_uniform("width", WIDTH);
            program.use_uniform("shadow", shadow);
            program.use_uniform("stride", stride as i32);
            program.use_uniform("curveCount", count as i32);
            program.use_uniform("batch", BATCH as i32);
            program.use_texture("texels", texels);
            program.use_vertex_attribute("corner", &template.corners);
            let batches = count.div_ceil(BATCH);
            let elements = &template.elements;
            program.draw_elements_instanced(states, view.viewport, elements, batches);
        }
    }
}
