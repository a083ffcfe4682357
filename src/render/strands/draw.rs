//! Drawing strands: the light from them, the ribbons, their depth and their shadows.

use super::StrandModel;
use crate::look::{HairLook, Shading};
use crate::render::convert;
use crate::render::frame::{Drawn, Frame, OVER, WHOLE, blank_texture, square_of};
use crate::render::light::Studio;
use crate::render::ribbons::{Detail, Template};
use crate::render::shadow_map::SHADOW_STATES;
use three_d::*;

/// Up to this number of strands each one is drawn with at least [`FEW_WIDTH_PX`].
const FEW: u32 = 200;
/// Smallest drawn width of few strands, pixels.
const FEW_WIDTH_PX: f32 = 2.0;
/// Strands that are enough for a shadow, and the largest number of which one is drawn.
const SHADOW_STRANDS: u32 = 1500;
const MAX_SHADOW_STRIDE: u32 = 16;

/// Distance from the skin at which hair that lies on it is drawn, decimetres.
const LIFT: f32 = 0.02;

impl StrandModel {
    /// Computes the light from the strands towards the camera of a frame. `in_turns`: only that
    /// from one half of them, if the other half has its light from the frame before.
    pub fn light(
        &mut self,
        frame: &Frame,
        look: &HairLook,
        studio: &Studio,
        detail: Detail,
        in_turns: bool,
    ) -> Drawn {
        let rings = self.ribbons.of(detail).segments * self.parts() + 1;
        let size = square_of(self.drawn.len() as u32 * rings);
        if [self.light.width(), self.light.height()] != size {
            self.light = blank_texture::<[f16; 4]>(&self.context, size, Interpolation::Nearest);
        }
        let was_lit = self.lit_rings.replace(rings) == Some(rings);
        self.lights_second_half = in_turns && was_lit && !self.lights_second_half;
        let mut rows = ScissorBox::new_at_origo(size[0], size[1]);
        if in_turns && was_lit {
            let [first, second] = [size[1] / 2, size[1].div_ceil(2)];
            (rows.y, rows.height) = match self.lights_second_half {
                true => (first as i32, second),
                false => (0, first),
            };
        }
        let tinted = self.tints.as_ref().map(|_| "TINTED");
        let mut defines: Vec<_> = tinted.into_iter().chain(self.dyed()).collect();
        defines.extend(self.wets.as_ref().map(|_| "WET"));
        defines.extend(look.lit.then_some("LIT"));
        defines.extend((look.shading == Shading::KajiyaKay).then_some("KAJIYA_KAY"));
        let fragment = concat!(
            include_str!("../color.glsl"),
            include_str!("../lighting.glsl"),
            include_str!("../strand.glsl"),
            include_str!("../hair.glsl"),
            include_str!("../strand_light.frag")
        );
        let shaders = || [WHOLE, fragment];
        let states = RenderStates {
            write_mask: WriteMask::COLOR,
            depth_test: DepthTest::Always,
            ..Default::default()
        };
        self.light.as_color_target(None).write_partially(rows, || {
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
        let vertex = concat!(
            include_str!("../strand.glsl"),
            include_str!("../strands.vert")
        );
        let shaders = || [vertex, include_str!("../hair.frag")];
        let defines: Vec<_> = self.thinned().into_iter().chain(switch).collect();
        frame.with_program("strands", &defines, shaders, |program| {
            // Few brows or lashes are no thicker than many.
            let min_width_px = match self.count > FEW || self.lies_on_skin {
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
                concat!(
                    include_str!("../strand.glsl"),
                    include_str!("../strands.vert")
                ),
                include_str!("../hair_shadow.frag"),
            ]
        };
        let defines: Vec<_> = ["SHADOW"].into_iter().chain(self.thinned()).collect();
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
            let ribbons = self.ribbons.finest_in_motion();
            self.draw_ribbons(program, frame.camera, look, ribbons, drawn, states);
        })
    }

    /// Returns the switch of shaders for strands with colours of their own.
    fn dyed(&self) -> Option<&'static str> {
        self.dyes.as_ref().map(|_| "DYED")
    }

    /// Returns the switch of shaders for strands with widths of their own.
    fn thinned(&self) -> Option<&'static str> {
        self.widths.as_ref().map(|_| "THINNED")
    }

    /// Sets the uniforms of `strand.glsl`.
    fn use_strands(&self, program: &Program, look: &HairLook, rings: u32) {
        program.use_uniform_if_required("straight", i32::from(look.straight));
        program.use_uniform_if_required("drawn", self.drawn.len() as i32);
        program.use_uniform_if_required("pointsPerStrand", self.points_per_strand as i32);
        program.use_uniform_if_required("rings", rings as i32);
        program.use_uniform_if_required("frizz", self.fuzz.frizz * self.frizzy);
        program.use_uniform_if_required("stray", self.fuzz.stray * self.frizzy);
        self.root_length.use_as(program, "rootLength");
        self.direction_seed.use_as(program, "directionSeed");
        self.points.use_as(program, "points");
        self.strands.use_as(program, "strands");
        if let Some((dyes, per_strand)) = &self.dyes {
            dyes.use_as(program, "dyes");
            program.use_uniform_if_required("dyesPerStrand", *per_strand as i32);
        }
        if let Some((wets, per_strand)) = &self.wets {
            wets.use_as(program, "wets");
            program.use_uniform_if_required("wetsPerStrand", *per_strand as i32);
        }
        if let Some((widths, per_strand)) = &self.widths {
            widths.use_as(program, "widths");
            program.use_uniform_if_required("widthsPerStrand", *per_strand as i32);
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
