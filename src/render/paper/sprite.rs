//! Drawings from SVG as textures.

use super::view::View;
use crate::render::error::RenderError;
use crate::render::gpu::frame::{Squares, over};
use crate::render::gpu::texture::blank_texture;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use three_d::*;

/// Blending of premultiplied colours, which textures from SVG have.
const PREMULTIPLIED: Blend = Blend::Enabled {
    source_rgb_multiplier: BlendMultiplierType::One,
    source_alpha_multiplier: BlendMultiplierType::One,
    destination_rgb_multiplier: BlendMultiplierType::OneMinusSrcAlpha,
    destination_alpha_multiplier: BlendMultiplierType::OneMinusSrcAlpha,
    rgb_equation: BlendEquationType::Add,
    alpha_equation: BlendEquationType::Add,
};

/// A drawing on the GPU.
pub struct Sprite(Texture2D);

impl Sprite {
    /// Returns a blank texture to draw into.
    pub fn blank(context: &Context, size: [u32; 2]) -> Self {
        Self(blank_texture::<[u8; 4]>(
            context,
            size,
            Interpolation::Nearest,
        ))
    }

    pub fn size(&self) -> [u32; 2] {
        [self.0.width(), self.0.height()]
    }

    /// Returns the texture as a target of drawing.
    pub fn target(&mut self) -> ColorTarget<'_> {
        self.0.as_color_target(None)
    }

    /// Draws the part of an SVG in a box (corner, width, height) with `scale` pixels per unit.
    /// `None` if it cannot be drawn, which is logged.
    pub fn of_svg(context: &Context, svg: &str, place: [f32; 4], scale: f32) -> Option<Self> {
        let [x, y, width, height] = place;
        let tree = Tree::from_str(svg, &Options::default());
        let tree = tree.map_err(|error| tracing::error!("a drawing is damaged: {error}"));
        let sides = [width, height].map(|side| (side * scale).ceil().clamp(1.0, 16_384.0) as u32);
        let mut pixels = Pixmap::new(sides[0], sides[1])?;
        // The box covers whole pixels.
        let [across, down] = [sides[0] as f32 / width, sides[1] as f32 / height];
        let shown = Transform::from_translate(-x, -y).post_scale(across, down);
        resvg::render(&tree.ok()?, shown, &mut pixels.as_mut());
        let texture = blank_texture::<[u8; 4]>(context, sides, Interpolation::Linear);
        texture.fill(pixels.data().as_chunks::<4>().0);
        Some(Self(texture))
    }
}

/// Draws sprites on the page.
pub struct SpriteProgram {
    program: Program,
    square: Squares,
}

impl SpriteProgram {
    pub fn new(context: &Context) -> Result<Self, RenderError> {
        let vertices = include_str!("sprite.vert");
        let fragments = include_str!("sprite.frag");
        Ok(Self {
            program: Program::from_source(context, vertices, fragments)
                .map_err(RendererError::from)?,
            square: Squares::one(context),
        })
    }

    /// Draws part of a sprite (left, top, right, bottom; 0 to 1 is the whole) on a box of the page.
    pub fn draw(&self, view: &View, sprite: &Sprite, part: [f32; 4], onto: [f32; 4]) {
        let program = &self.program;
        program.use_uniform("clipFromPage", view.clip_from_page());
        program.use_uniform("part", three_d::Vec4::from(part));
        program.use_uniform("onto", three_d::Vec4::from(onto));
        program.use_texture("picture", &sprite.0);
        let states = RenderStates {
            blend: PREMULTIPLIED,
            ..over(DepthTest::Always)
        };
        self.square.draw(program, states, view.viewport);
    }
}
