//! Drawings from SVG, as textures.

use super::View;
use crate::render::RenderError;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use three_d::*;

/// Colours of a texture from SVG are premultiplied.
const OVER: Blend = Blend::Enabled {
    source_rgb_multiplier: BlendMultiplierType::One,
    source_alpha_multiplier: BlendMultiplierType::One,
    destination_rgb_multiplier: BlendMultiplierType::OneMinusSrcAlpha,
    destination_alpha_multiplier: BlendMultiplierType::OneMinusSrcAlpha,
    rgb_equation: BlendEquationType::Add,
    alpha_equation: BlendEquationType::Add,
};

/// A drawing on the GPU.
pub(super) struct Sprite(Texture2D);

impl Sprite {
    /// Nothing yet, drawn pixel by pixel.
    pub(super) fn blank(context: &Context, size: [u32; 2]) -> Self {
        Self(texture(context, size, Interpolation::Nearest))
    }

    pub(super) fn size(&self) -> [u32; 2] {
        [self.0.width(), self.0.height()]
    }

    /// To draw to it.
    pub(super) fn target(&mut self) -> ColorTarget<'_> {
        self.0.as_color_target(None)
    }

    /// The part of a drawing in a box (corner, width, height), so many pixels a unit. `None`: it
    /// cannot be drawn, which is told.
    pub(super) fn of_svg(
        context: &Context,
        svg: &str,
        place: [f32; 4],
        scale: f32,
    ) -> Option<Self> {
        let [x, y, width, height] = place;
        let tree = Tree::from_str(svg, &Options::default());
        let tree = tree.map_err(|error| tracing::error!("a drawing is damaged: {error}"));
        let sides = [width, height].map(|side| (side * scale).ceil().clamp(1.0, 16_384.0) as u32);
        let mut pixels = Pixmap::new(sides[0], sides[1])?;
        // Whole pixels: none at the border is covered in part.
        let [across, down] = [sides[0] as f32 / width, sides[1] as f32 / height];
        let shown = Transform::from_translate(-x, -y).post_scale(across, down);
        resvg::render(&tree.ok()?, shown, &mut pixels.as_mut());
        let texture = texture(context, sides, Interpolation::Linear);
        texture.fill(pixels.data().as_chunks::<4>().0);
        Some(Self(texture))
    }
}

fn texture(context: &Context, [width, height]: [u32; 2], filter: Interpolation) -> Texture2D {
    let clamp = Wrapping::ClampToEdge;
    Texture2D::new_empty::<[u8; 4]>(context, width, height, filter, filter, None, clamp, clamp)
}

/// What puts drawings on the page.
pub(super) struct Brush {
    program: Program,
    corners: VertexBuffer<three_d::Vec2>,
    elements: ElementBuffer<u8>,
}

impl Brush {
    pub(super) fn new(context: &Context) -> Result<Self, RenderError> {
        let vertices = include_str!("../shaders/sprite.vert");
        let fragments = include_str!("../shaders/sprite.frag");
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| vec2(x, y));
        Ok(Self {
            program: Program::from_source(context, vertices, fragments)
                .map_err(RendererError::from)?,
            corners: VertexBuffer::new_with_data(context, &corners),
            elements: ElementBuffer::new_with_data(context, &[0, 1, 2, 0, 2, 3]),
        })
    }

    /// Puts part of a drawing (left, top, right, bottom; 0 to 1 is all of it) on a box of the page.
    pub(super) fn draw(&self, view: &View, sprite: &Sprite, part: [f32; 4], onto: [f32; 4]) {
        let program = &self.program;
        program.use_uniform("clipFromPage", view.clip_from_page());
        program.use_uniform("part", three_d::Vec4::from(part));
        program.use_uniform("onto", three_d::Vec4::from(onto));
        program.use_texture("picture", &sprite.0);
        program.use_vertex_attribute("corner", &self.corners);
        let states = RenderStates {
            write_mask: WriteMask::COLOR,
            depth_test: DepthTest::Always,
            blend: OVER,
            cull: Cull::None,
        };
        program.draw_elements(states, view.viewport, &self.elements);
    }
}
