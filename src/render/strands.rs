//! Strands as camera-facing ribbons. The vertex shader reads each strand from textures and lights
//! its points.
//!
//! Per strand the GPU holds 32 bytes that change only with the groom and 16 bytes
//! that change every frame; the ribbon itself is one small template, instanced.
//!
//! Ribbons are as wide as hair, or a pixel wide and as opaque as the share of the pixel that hair
//! covers. They are blended, and so are drawn from back to front. Long strands are drawn in parts,
//! each in its own place of the order, because they cross.

use super::light::{SHADOW_STATES, Studio};
use crate::groom::{Fuzz, Groom};
use crate::look::{HairLook, Shading};
use crate::render::convert;
use crate::render::depth_order::back_to_front;
use crate::render::frame::{Drawn, Frame, OVER, TexelList};
use three_d::*;

/// Segments of a drawn strand. A quadratic Bezier bent by 90 degrees is then within half a per cent
/// of its length.
const SEGMENTS: u32 = 8;
/// Largest number of segments of a drawn strand that has particles.
const MAX_SEGMENTS: u32 = 24;
/// Parts of strands per instance: enough that instancing costs nothing, few enough that the
/// template stays in cache.
const BATCH: u32 = 64;
/// Parts of a strand that has particles, each drawn in its own place.
const PARTS: u32 = 4;

/// Up to this number of strands each one is drawn with at least [`FEW_WIDTH_PX`].
const FEW: u32 = 200;
/// Smallest drawn width of few strands, pixels.
const FEW_WIDTH_PX: f32 = 2.0;
/// Strands that are enough for a shadow, and the largest number of which one is drawn.
const SHADOW_STRANDS: u32 = 1500;
const MAX_SHADOW_STRIDE: u32 = 4;

/// Smallest drawn width of a dyed strand, as a share of the look's width.
const MIN_WIDTH: f32 = 0.1;

/// Colours of all strands, strand after strand, root first. They replace the colours of the look,
/// for example to show a measurement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tints {
    /// sRGB as drawn. The fourth value is not used.
    pub colors: Vec<[u8; 4]>,
    /// Number of colours of each strand, evenly spaced from root to tip; at least 1.
    pub per_strand: usize,
}

/// All strands of a groom on the GPU.
pub struct StrandModel {
    context: Context,
    ribbons: Template,
    /// The ribbons that cast the shadow. They have half the segments, as the shadow map is coarse.
    shadows: Template,
    root_length: TexelList<[f32; 4]>,
    direction_seed: TexelList<[f32; 4]>,
    /// Drawn tips, or particles.
    points: TexelList<[f32; 4]>,
    points_per_strand: u32,
    /// The colours and the `per_strand` of [`Tints`].
    tints: Option<(TexelList<[u8; 4]>, usize)>,
    /// Colours and widths of the groom, by which those of the look are multiplied.
    dyes: Option<TexelList<[u8; 4]>>,
    fuzz: Fuzz,
    count: u32,
    /// Roots, head space.
    roots: Vec<glam::Vec3>,
    /// The part of a strand that is drawn in each place: strand × parts + part.
    order: TexelList<f32>,
    /// The view that the order is for; `None` if points have changed since.
    ordered_for: Option<(Vec3, Vec3)>,
}

impl StrandModel {
    /// Uploads a groom. `None` if it is empty.
    pub fn new(context: &Context, groom: &Groom) -> Option<Self> {
        let count = u32::try_from(groom.len()).ok().filter(|&count| count > 0)?;
        let texel = |v: glam::Vec3, w: f32| v.extend(w).to_array();
        let roots = groom.roots.iter().zip(&groom.lengths);
        let roots = roots.map(|(&root, &length)| texel(root, length));
        // The multiples of the golden ratio are evenly spread for any count.
        let seeds = (0..).map(|i: u32| (f64::from(i) * 0.618_033_988_749_895).fract() as f32);
        let directions = groom.directions.iter().zip(seeds);
        let directions = directions.map(|(&direction, seed)| texel(direction, seed));
        let tip = |i: usize| groom.roots[i] + groom.directions[i] * groom.lengths[i];
        let mut points = TexelList::new(context, count);
        points.fill((0..groom.len()).map(|i| texel(tip(i), 0.0)));
        let is_dyed = !(groom.widths.is_empty() && groom.tints.is_empty());
        Some(Self {
            context: context.clone(),
            ribbons: Template::new(context, SEGMENTS),
            shadows: Template::new(context, SEGMENTS / 2),
            order: TexelList::new(context, count),
            ordered_for: None,
            roots: groom.roots.clone(),
            root_length: TexelList::fixed(context, count, roots),
            direction_seed: TexelList::fixed(context, count, directions),
            points,
            points_per_strand: 1,
            tints: None,
            dyes: is_dyed.then(|| TexelList::fixed(context, count, dye_texels(groom))),
            fuzz: groom.fuzz,
            count,
        })
    }

    /// Shows other points, as [`Stage::set_points`](super::Stage::set_points) says. Returns `true`
    /// if they differ.
    pub fn set_points(&mut self, points: &[[f32; 4]], per_strand: usize) -> bool {
        let per_strand = per_strand.max(1) as u32;
        let points = &points[..points.len().min((self.count * per_strand) as usize)];
        if per_strand == self.points_per_strand && self.points.texels().starts_with(points) {
            return false;
        }
        if per_strand != self.points_per_strand {
            let between = per_strand - 1;
            let segments = (2 * between).clamp(SEGMENTS, MAX_SEGMENTS).max(between);
            self.points_per_strand = per_strand;
            let parts = self.parts();
            self.points = TexelList::new(&self.context, self.count * per_strand);
            self.order = TexelList::new(&self.context, self.count * parts);
            self.ribbons = Template::new(&self.context, segments.div_ceil(parts));
            self.shadows = Template::new(&self.context, (segments / 2).div_ceil(parts));
        }
        self.points.fill(points.iter().copied());
        self.ordered_for = None;
        true
    }

    /// The number of parts in which each strand is drawn.
    fn parts(&self) -> u32 {
        PARTS.min(self.points_per_strand)
    }

    /// Orders the parts from back to front, if the view or the points have changed.
    pub fn arrange(&mut self, camera: &Camera, world_from_head: Mat4) {
        let (eye, towards) = (camera.position(), camera.view_direction());
        if self.ordered_for == Some((eye, towards)) {
            return;
        }
        self.ordered_for = Some((eye, towards));
        let per_strand = self.points_per_strand as usize;
        let parts = self.parts() as usize;
        let points = self.points.texels();
        let point = |index: usize| Vec4::from(points[index]).truncate();
        let depth = |point: Vec3| (point - eye).dot(towards);
        let depths: Vec<f32> = match per_strand {
            1 => {
                let root = |&root: &glam::Vec3| world_from_head * convert::vec3(root).extend(1.0);
                let middle = |(strand, at)| 0.5 * (root(at).truncate() + point(strand));
                let roots = self.roots.iter().enumerate();
                roots.map(|strand| depth(middle(strand))).collect()
            }
            _ => {
                let middle = |part: usize| (2 * part + 1) * (per_strand - 1) / (2 * parts);
                let each = 0..self.count as usize * parts;
                let index = |part| part / parts * per_strand + middle(part % parts);
                each.map(|part| depth(point(index(part)))).collect()
            }
        };
        self.order
            .fill(back_to_front(&depths).into_iter().map(|part| part as f32));
    }

    /// Replaces the colours of the look, or restores them for `None` and for tints of another
    /// number of strands. Returns `true` if they differ.
    pub fn set_tints(&mut self, tints: Option<&Tints>) -> bool {
        let len = |tints: &Tints| self.count as usize * tints.per_strand;
        let fitting =
            tints.filter(|tints| tints.per_strand > 0 && tints.colors.len() == len(tints));
        let old = self.tints.take();
        let Some(tints) = fitting else {
            return old.is_some();
        };
        if let Some((texels, per_strand)) = &old
            && *per_strand == tints.per_strand
            && texels.texels().starts_with(&tints.colors)
        {
            self.tints = old;
            return false;
        }
        let mut texels = match old {
            Some((texels, per_strand)) if per_strand == tints.per_strand => texels,
            _ => TexelList::new(&self.context, tints.colors.len() as u32),
        };
        texels.fill(tints.colors.iter().copied());
        self.tints = Some((texels, tints.per_strand));
        true
    }

    /// Draws the strands, which must have been [arranged](Self::arrange) for the frame.
    pub fn draw(&self, frame: &Frame, look: &HairLook, studio: &Studio) -> Drawn {
        let mut defines = self.defines();
        defines.extend(look.lit.then_some("LIT"));
        defines.extend((look.shading == Shading::KajiyaKay).then_some("KAJIYA_KAY"));
        let vertex = concat!(
            include_str!("color.glsl"),
            include_str!("lighting.glsl"),
            include_str!("hair.glsl"),
            include_str!("strands.vert")
        );
        let shaders = || [vertex, include_str!("hair.frag")];
        frame.with_program("strands", &defines, shaders, |program| {
            studio.use_uniforms(program, frame.camera);
            let color = |c: [f32; 3]| match look.lit {
                true => convert::linear_from_srgb(c),
                false => c.into(),
            };
            let [root, tip] = look.colors();
            program.use_uniform_if_required("rootColor", color(root));
            program.use_uniform_if_required("tipColor", color(tip));
            program.use_uniform_if_required("gloss", look.gloss);
            program.use_uniform_if_required("roughness", look.roughness);
            program.use_uniform_if_required("variation", look.variation);
            program.use_uniform_if_required("grey", look.grey);
            let min_width_px = match self.count > FEW {
                true => 0.0,
                false => FEW_WIDTH_PX * frame.pixel_scale,
            };
            program.use_uniform("viewpoint", frame.camera.position().extend(1.0));
            program.use_uniform("widthPx", look.width_px * frame.pixel_scale);
            program.use_uniform("minWidthPx", min_width_px);
            program.use_uniform("finest", frame.finest);
            let segments = self.ribbons.segments * self.parts();
            program.use_uniform("firstEnd", 1.0 / segments as f32);
            program.use_uniform("frizz", self.fuzz.frizz);
            program.use_uniform("stray", self.fuzz.stray);
            self.order.use_as(program, "order");
            let states = RenderStates {
                blend: OVER,
                cull: Cull::None,
                ..Default::default()
            };
            self.draw_ribbons(
                program,
                frame.camera,
                look,
                &self.ribbons,
                self.count,
                states,
            );
        })
    }

    /// Adds the strands to the hair map of the key light.
    pub fn cast_shadow(&self, frame: &Frame, look: &HairLook) -> Drawn {
        let shaders = || {
            [
                include_str!("strands.vert"),
                include_str!("hair_shadow.frag"),
            ]
        };
        let dyed = self.dyes.as_ref().map(|_| "DYED");
        let defines: Vec<_> = ["SHADOW"].into_iter().chain(dyed).collect();
        let states = RenderStates {
            write_mask: WriteMask::COLOR,
            blend: Blend::ADD,
            ..SHADOW_STATES
        };
        let stride = (self.count / SHADOW_STRANDS).clamp(1, MAX_SHADOW_STRIDE);
        frame.with_program("strand shadows", &defines, shaders, |program| {
            let view = frame.camera.view();
            program.use_uniform("viewpoint", vec4(view.x.z, view.y.z, view.z.z, 0.0));
            // Widths in pixels are those of the picture, not of the shadow map.
            program.use_uniform("widthPx", 0.0);
            program.use_uniform("minWidthPx", 0.0);
            program.use_uniform("stride", stride as i32);
            let drawn = self.count.div_ceil(stride);
            self.draw_ribbons(program, frame.camera, look, &self.shadows, drawn, states);
        })
    }

    /// Returns the switches of the shaders that are on.
    fn defines(&self) -> Vec<&'static str> {
        let tinted = self.tints.as_ref().map(|_| "TINTED");
        let dyed = self.dyes.as_ref().map(|_| "DYED");
        tinted.into_iter().chain(dyed).collect()
    }

    fn draw_ribbons(
        &self,
        program: &Program,
        camera: &Camera,
        look: &HairLook,
        template: &Template,
        strands: u32,
        states: RenderStates,
    ) {
        program.use_uniform("radius", look.radius);
        program.use_uniform("taper", look.taper);
        program.use_uniform("straight", i32::from(look.straight));
        program.use_uniform("strandCount", self.count as i32);
        program.use_uniform("parts", self.parts() as i32);
        program.use_uniform("batch", BATCH as i32);
        program.use_uniform("pointsPerStrand", self.points_per_strand as i32);
        self.root_length.use_as(program, "rootLength");
        self.direction_seed.use_as(program, "directionSeed");
        self.points.use_as(program, "points");
        if let Some((tints, per_strand)) = &self.tints {
            tints.use_as(program, "tints");
            program.use_uniform_if_required("tintsPerStrand", *per_strand as i32);
        }
        if let Some(dyes) = &self.dyes {
            dyes.use_as(program, "dyes");
        }
        program.use_vertex_attribute("corner", &template.corners);
        let batches = (strands * self.parts()).div_ceil(BATCH);
        program.draw_elements_instanced(states, camera.viewport(), &template.elements, batches);
    }
}

/// Returns the dyes of all strands: sRGB, share of the width.
fn dye_texels(groom: &Groom) -> impl Iterator<Item = [u8; 4]> + '_ {
    // Casts saturate, and not-a-number becomes 0.
    let byte = |share: f32| (share * 255.0).round() as u8;
    (0..groom.len()).map(move |strand| {
        let [r, g, b] = groom.tints.get(strand).copied().unwrap_or([1.0; 3]);
        let width = groom.widths.get(strand).copied().unwrap_or(1.0);
        [r, g, b, width.max(MIN_WIDTH)].map(byte)
    })
}

/// The ribbons of one batch of parts.
struct Template {
    /// Segments of each part.
    segments: u32,
    /// Part within the batch, place along it, side.
    corners: VertexBuffer<three_d::Vec3>,
    elements: ElementBuffer<u32>,
}

impl Template {
    fn new(context: &Context, segments: u32) -> Self {
        let mut corners = Vec::new();
        let mut elements = Vec::new();
        for part in 0..BATCH {
            let first = corners.len() as u32;
            for ring in 0..=segments {
                for side in [-1.0, 1.0] {
                    corners.push(vec3(part as f32, ring as f32 / segments as f32, side));
                }
            }
            for segment in 0..segments {
                let a = first + 2 * segment;
                elements.extend([a, a + 1, a + 2, a + 2, a + 1, a + 3]);
            }
        }
        Self {
            segments,
            corners: VertexBuffer::new_with_data(context, &corners),
            elements: ElementBuffer::new_with_data(context, &elements),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_have_a_minimum_and_missing_dyes_are_white() {
        let groom = Groom {
            roots: vec![glam::Vec3::ZERO; 4],
            widths: vec![1.0, 0.5, 0.0, f32::NAN],
            tints: vec![[1.0, 0.0, 0.2], [1.0; 3]],
            ..Groom::default()
        };
        let expected = [
            [255, 0, 51, 255],
            [255, 255, 255, 128],
            [255, 255, 255, 26],
            [255, 255, 255, 26],
        ];
        assert!(dye_texels(&groom).eq(expected));
    }
}
