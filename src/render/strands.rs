//! Strands as camera-facing ribbons. Shaders read each strand from textures. A first pass computes
//! the light from its rings, each once, and the vertices of the ribbon look it up.
//!
//! Per strand the GPU holds 32 bytes that change only with the groom and 16 bytes
//! that change every frame; the ribbon itself is one small template, instanced.
//!
//! Ribbons are as wide as hair, or a pixel wide and as opaque as the share of the pixel that hair
//! covers. They are blended, and so are drawn from back to front. Long strands are drawn in parts,
//! each in its own place of the order, because they cross, and hide what is behind them where the
//! order is wrong. Short strands do not: where the order is right, depth only makes them flicker.

use super::light::{SHADOW_STATES, Studio};
use super::ribbons::{Detail, Template, Templates};
use super::shot::Economy;
use super::survey::{Survey, sampled};
use crate::groom::{Fuzz, Groom, strand_curve_point};
use crate::look::{HairLook, Shading};
use crate::render::convert;
use crate::render::depth_order::back_to_front;
use crate::render::frame::{
    Drawn, Frame, OVER, Squares, TexelList, WHOLE, blank_texture, square_of,
};
use crate::render::outline::{Bounds, Rows, boxes_in, cells};
use three_d::*;

/// Parts of a strand that has particles, each drawn in its own place.
const PARTS: u32 = 4;

/// Up to this number of strands each one is drawn with at least [`FEW_WIDTH_PX`].
const FEW: u32 = 200;
/// Smallest drawn width of few strands, pixels.
const FEW_WIDTH_PX: f32 = 2.0;
/// Strands that are enough for a shadow, and the largest number of which one is drawn.
const SHADOW_STRANDS: u32 = 1500;
const MAX_SHADOW_STRIDE: u32 = 16;

/// Largest length of strands whose order is right, decimetres.
const SHORT: f32 = 1.2;

/// Distance from the skin at which hair that lies on it is drawn, decimetres.
const LIFT: f32 = 0.02;

/// Largest distance of a point of a stray hair from its curve, as a share of its length, as in
/// `strand.glsl`.
const STRAY: f32 = 0.6;
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
    /// `true` for hair that lies on the skin, into which coarse ribbons would sink. It is drawn a
    /// little nearer to the eye.
    pub lies_on_skin: bool,
    /// `true` if strands hide what is behind them by their depth too.
    is_deep: bool,
    ribbons: Templates,
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
    /// The cell of each strand, and in each the roots and the middles of rest curves, head space,
    /// and the points, world space.
    cells: Vec<u8>,
    rest_boxes: Vec<Bounds>,
    points_boxes: Vec<Bounds>,
    /// The largest distance of what is drawn from its rest curve, and from its points, decimetres.
    reach: [f32; 2],
    /// Roots, head space.
    roots: Vec<glam::Vec3>,
    /// The directions of the [`sampled`] strands, head space.
    directions: Vec<glam::Vec3>,
    /// The light from each ring of each strand that is drawn.
    light: Texture2D,
    /// The square on which the light is computed.
    square: Squares,
    /// The part that is drawn in each place: place of its strand in `strands` × parts + part.
    order: TexelList<f32>,
    /// The view that the order is for; `None` if points have changed since.
    ordered_for: Option<(Vec3, Vec3, f32)>,
    /// The strands that are drawn, and their share.
    drawn: Vec<u32>,
    drawn_share: f32,
    /// The list of `drawn` on the GPU.
    strands: TexelList<f32>,
}

impl StrandModel {
    /// Uploads a groom. `None` if it is empty.
    pub fn new(context: &Context, groom: &Groom) -> Option<Self> {
        let count = u32::try_from(groom.len()).ok().filter(|&count| count > 0)?;
        let texel = |v: glam::Vec3, w: f32| v.extend(w).to_array();
        let roots = groom.roots.iter().zip(&groom.lengths);
        let roots = roots.map(|(&root, &length)| texel(root, length));
        let directions = groom.directions.iter().zip((0..).map(seed));
        let directions = directions.map(|(&direction, seed)| texel(direction, seed));
        let tip = |i: usize| groom.roots[i] + groom.directions[i] * groom.lengths[i];
        let mut points = TexelList::new(context, count);
        points.fill((0..groom.len()).map(|i| texel(tip(i), 0.0)));
        let middle = |i: usize| groom.roots[i] + 0.5 * groom.lengths[i] * groom.directions[i];
        let (cells, cell_count) = cells(&groom.roots);
        let rest = (0..groom.len()).map(|i| [groom.roots[i], middle(i)]);
        let longest = groom.lengths.iter().copied().fold(0.0, f32::max);
        let is_dyed = !(groom.widths.is_empty() && groom.tints.is_empty());
        let mut strands = Self {
            context: context.clone(),
            lies_on_skin: false,
            is_deep: longest > SHORT,
            ribbons: Templates::new(context, 1, 1),
            light: blank_texture::<[f16; 4]>(context, [1, 1], Interpolation::Nearest),
            square: Squares::one(context),
            order: TexelList::new(context, count),
            ordered_for: None,
            strands: TexelList::new(context, count),
            drawn: Vec::new(),
            drawn_share: 0.0,
            rest_boxes: boxes_in(&cells, cell_count, rest),
            points_boxes: Vec::new(),
            cells,
            reach: [0.0, if groom.fuzz.stray > 0.0 { STRAY } else { 0.0 }]
                .map(|lean| longest * (groom.fuzz.frizz + lean) + 0.05),
            roots: groom.roots.clone(),
            directions: sampled(count).map(|i| groom.directions[i]).collect(),
            root_length: TexelList::fixed(context, count, roots),
            direction_seed: TexelList::fixed(context, count, directions),
            points,
            points_per_strand: 1,
            tints: None,
            dyes: is_dyed.then(|| TexelList::fixed(context, count, dye_texels(groom))),
            fuzz: groom.fuzz,
            count,
        };
        strands.box_points();
        Some(strands)
    }

    fn box_points(&mut self) {
        let point = |texel: &[f32; 4]| glam::Vec4::from(*texel).truncate();
        let strands = self
            .points
            .texels()
            .chunks_exact(self.points_per_strand as usize);
        let strands = strands.map(|strand| strand.iter().map(point));
        self.points_boxes = boxes_in(&self.cells, self.rest_boxes.len(), strands);
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
            self.points_per_strand = per_strand;
            let parts = self.parts();
            self.points = TexelList::new(&self.context, self.count * per_strand);
            self.order = TexelList::new(&self.context, self.count * parts);
            self.ribbons = Templates::new(&self.context, per_strand, parts);
        }
        self.points.fill(points.iter().copied());
        self.box_points();
        self.ordered_for = None;
        true
    }

    /// The number of parts in which each strand is drawn.
    fn parts(&self) -> u32 {
        PARTS.min(self.points_per_strand)
    }

    /// Covers all strands in rows of a picture.
    pub fn cover(&self, world_from_head: Mat4, rows: &mut Rows) {
        let world_from_head = glam::Mat4::from_cols_array_2d(&world_from_head.into());
        for (rest, points) in self.rest_boxes.iter().zip(&self.points_boxes) {
            let rest = rest.corners(self.reach[0]);
            let rest = rest.map(|corner| world_from_head.transform_point3(corner));
            rows.cover(rest.into_iter().chain(points.corners(self.reach[1])));
        }
    }

    /// Returns the number of strands.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// Returns how the strands are drawn in motion, with these savings.
    pub fn in_motion(
        &mut self,
        camera: &Camera,
        world_from_head: Mat4,
        look: &HairLook,
        economy: Economy,
    ) -> Detail {
        let survey = self.survey(camera, world_from_head, look);
        self.ribbons.choose(survey.segments / self.parts() as f32);
        let width = match look.width_px > 0.0 {
            true => look.width_px,
            false => look.radius * (1.0 + look.taper) / survey.pixel,
        };
        economy.of_strands(self.count(), survey.layers(self.count, width))
    }

    fn survey(&self, camera: &Camera, world_from_head: Mat4, look: &HairLook) -> Survey {
        let per_strand = self.points_per_strand as usize;
        let world_from_head = glam::Mat4::from_cols_array_2d(&world_from_head.into());
        let point = |texel: &[f32; 4]| glam::Vec4::from(*texel).truncate();
        let strands = sampled(self.count).zip(&self.directions);
        let strands = strands.map(|(strand, &direction)| {
            let points = &self.points.texels()[strand * per_strand..][..per_strand];
            if per_strand > 1 {
                return points.iter().map(point).collect();
            }
            let root = world_from_head.transform_point3(self.roots[strand]);
            let direction = world_from_head.transform_vector3(direction);
            let tip = point(&points[0]);
            let along = |i: u8| 0.25 * f32::from(i);
            let points = (0..5).map(|i| match look.straight {
                true => root.lerp(tip, along(i)),
                false => strand_curve_point(root, direction, tip, along(i)),
            });
            points.collect()
        });
        Survey::of(camera, strands)
    }

    /// Orders the parts of the strands that are drawn from back to front, if the view, the detail or
    /// the points have changed.
    pub fn arrange(&mut self, camera: &Camera, world_from_head: Mat4, detail: Detail) {
        let (eye, towards) = (camera.position(), camera.view_direction());
        let share = detail.share();
        if self.ordered_for == Some((eye, towards, share)) {
            return;
        }
        self.ordered_for = Some((eye, towards, share));
        let per_strand = self.points_per_strand as usize;
        let parts = self.parts() as usize;
        let points = self.points.texels();
        let point = |index: usize| Vec4::from(points[index]).truncate();
        let depth = |point: Vec3| (point - eye).dot(towards);
        if self.drawn_share != share {
            self.drawn_share = share;
            self.drawn = (0..self.count).filter(|&i| seed(i) < share).collect();
            (self.strands).fill(self.drawn.iter().map(|&strand| strand as f32));
        }
        let drawn = &self.drawn;
        let depths: Vec<f32> = match per_strand {
            1 => {
                let root = |root: glam::Vec3| world_from_head * convert::vec3(root).extend(1.0);
                let middle = |i: usize| 0.5 * (root(self.roots[i]).truncate() + point(i));
                drawn.iter().map(|&i| depth(middle(i as usize))).collect()
            }
            _ => {
                let middle = |part: usize| (2 * part + 1) * (per_strand - 1) / (2 * parts);
                let parts = drawn.iter().flat_map(|&strand| {
                    let first = strand as usize * per_strand;
                    (0..parts).map(move |part| first + middle(part))
                });
                parts.map(|index| depth(point(index))).collect()
            }
        };
        let order = back_to_front(&depths).into_iter();
        self.order.fill(order.map(|part| part as f32));
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

    /// Computes the light from the strands towards the camera of a frame.
    pub fn light(
        &mut self,
        frame: &Frame,
        look: &HairLook,
        studio: &Studio,
        detail: Detail,
    ) -> Drawn {
        let rings = self.ribbons.of(detail).segments * self.parts() + 1;
        let size = square_of(self.drawn.len() as u32 * rings);
        if [self.light.width(), self.light.height()] != size {
            self.light = blank_texture::<[f16; 4]>(&self.context, size, Interpolation::Nearest);
        }
        let tinted = self.tints.as_ref().map(|_| "TINTED");
        let mut defines: Vec<_> = tinted.into_iter().chain(self.dyed()).collect();
        defines.extend(studio.switches());
        defines.extend(look.lit.then_some("LIT"));
        defines.extend((look.shading == Shading::KajiyaKay).then_some("KAJIYA_KAY"));
        let fragment = concat!(
            include_str!("color.glsl"),
            include_str!("lighting.glsl"),
            include_str!("strand.glsl"),
            include_str!("hair.glsl"),
            include_str!("strand_light.frag")
        );
        let shaders = || [WHOLE, fragment];
        let states = RenderStates {
            write_mask: WriteMask::COLOR,
            depth_test: DepthTest::Always,
            ..Default::default()
        };
        self.light.as_color_target(None).write(|| {
            frame.with_program("light on strands", &defines, shaders, |program| {
                studio.use_uniforms(program, frame.camera);
                // An unlit look is drawn as it is.
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
                let [width, height] = size.map(|side| side as i32);
                program.use_uniform("target", vec2(width, height));
                if let Some((tints, per_strand)) = &self.tints {
                    tints.use_as(program, "tints");
                    program.use_uniform_if_required("tintsPerStrand", *per_strand as i32);
                }
                self.use_strands(program, look, rings);
                let viewport = Viewport::new_at_origo(size[0], size[1]);
                self.square.draw(program, states, viewport);
            })
        })?;
        Ok(())
    }

    /// Draws the strands, which must have been [arranged](Self::arrange) and [lit](Self::light) for
    /// the view.
    pub fn draw(&self, frame: &Frame, look: &HairLook, detail: Detail) -> Drawn {
        let (switch, write_mask) = match self.is_deep {
            true => (Some("DEEP"), WriteMask::COLOR_AND_DEPTH),
            false => (None, WriteMask::COLOR),
        };
        self.draw_with(frame, look, detail, switch, write_mask)
    }

    /// Draws the depth of strands that have been [drawn](Self::draw), for what is drawn after them.
    pub fn draw_depth(&self, frame: &Frame, look: &HairLook, detail: Detail) -> Drawn {
        match self.is_deep {
            true => Ok(()),
            false => self.draw_with(frame, look, detail, Some("CORE"), WriteMask::DEPTH),
        }
    }

    fn draw_with(
        &self,
        frame: &Frame,
        look: &HairLook,
        detail: Detail,
        switch: Option<&str>,
        write_mask: WriteMask,
    ) -> Drawn {
        let vertex = concat!(include_str!("strand.glsl"), include_str!("strands.vert"));
        let shaders = || [vertex, include_str!("hair.frag")];
        let defines: Vec<_> = self.dyed().into_iter().chain(switch).collect();
        frame.with_program("strands", &defines, shaders, |program| {
            let min_width_px = match self.count > FEW {
                true => 0.0,
                false => FEW_WIDTH_PX * frame.pixel_scale,
            };
            program.use_uniform("viewpoint", frame.camera.position().extend(1.0));
            program.use_uniform("widthPx", look.width_px * frame.pixel_scale);
            program.use_uniform("minWidthPx", min_width_px);
            program.use_uniform("finest", frame.finest);
            program.use_uniform("lift", if self.lies_on_skin { LIFT } else { 0.0 });
            program.use_uniform("share", detail.share());
            program.use_uniform("widening", detail.widening());
            program.use_texture("light", &self.light);
            self.order.use_as(program, "order");
            let states = RenderStates {
                write_mask,
                blend: OVER,
                cull: Cull::None,
                ..Default::default()
            };
            let ribbons = self.ribbons.of(detail);
            let count = self.drawn.len() as u32;
            self.draw_ribbons(program, frame.camera, look, ribbons, count, states);
        })
    }

    /// Adds the strands to the hair map of a light.
    pub fn cast_shadow(&self, frame: &Frame, look: &HairLook) -> Drawn {
        let shaders = || {
            [
                concat!(include_str!("strand.glsl"), include_str!("strands.vert")),
                include_str!("hair_shadow.frag"),
            ]
        };
        let defines: Vec<_> = ["SHADOW"].into_iter().chain(self.dyed()).collect();
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
            // The shadow map is coarse.
            let ribbons = self.ribbons.coarse();
            self.draw_ribbons(program, frame.camera, look, ribbons, drawn, states);
        })
    }

    /// Returns the switch of shaders for strands with colours and widths of their own.
    fn dyed(&self) -> Option<&'static str> {
        self.dyes.as_ref().map(|_| "DYED")
    }

    /// Sets the uniforms of `strand.glsl`.
    fn use_strands(&self, program: &Program, look: &HairLook, rings: u32) {
        program.use_uniform_if_required("straight", i32::from(look.straight));
        program.use_uniform_if_required("drawn", self.drawn.len() as i32);
        program.use_uniform_if_required("pointsPerStrand", self.points_per_strand as i32);
        program.use_uniform_if_required("rings", rings as i32);
        program.use_uniform_if_required("frizz", self.fuzz.frizz);
        program.use_uniform_if_required("stray", self.fuzz.stray);
        self.root_length.use_as(program, "rootLength");
        self.direction_seed.use_as(program, "directionSeed");
        self.points.use_as(program, "points");
        self.strands.use_as(program, "strands");
        if let Some(dyes) = &self.dyes {
            dyes.use_as(program, "dyes");
        }
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
        self.use_strands(program, look, template.segments * self.parts() + 1);
        program.use_uniform("radius", look.radius);
        program.use_uniform("taper", look.taper);
        program.use_uniform("parts", self.parts() as i32);
        template.draw(program, strands * self.parts(), states, camera.viewport());
    }
}

/// Returns the random number of a strand, in [0, 1). The multiples of the golden ratio are evenly
/// spread for any count, and so are strands whose numbers lie below a limit.
fn seed(strand: u32) -> f32 {
    (f64::from(strand) * 0.618_033_988_749_895).fract() as f32
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
