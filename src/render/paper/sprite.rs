//! Drawings from SVG as textures.

use crate::render::gpu::texture::blank_texture;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use three_d::{Context, Interpolation, Texture2D};

/// Draws the part of an SVG in a box (corner, width, height) with `scale` pixels per unit. `None`
/// if it cannot be drawn, which is logged.
pub fn from_svg(
    context: &Context,
    svg: &str,
    [x, y, width, height]: [f32; 4],
    scale: f32,
) -> Option<Texture2D> {
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
    Some(texture)
}
