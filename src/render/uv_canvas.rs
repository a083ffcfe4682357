//! Pictures of the UV layout of a part, to paint on: its triangles with their UVs as positions,
//! coloured by the values of a map.

use super::frame::{Drawn, with_program};
use super::{RenderError, gl, surface::upload};
use crate::head::{Head, Part};
use crate::maps::{Layout, Map, MapKind, triangles_in_unit_square};
use glam::Vec2;
use image::RgbaImage;
use std::collections::HashMap;
use three_d::*;

/// Side of the overview texture, pixels.
const OVERVIEW_SIDE: u32 = 512;
/// Longest side of the texture of a map; of larger maps every second value is shown, or fewer.
const MAX_MAP_SIDE: u32 = 2048;
/// Largest number of triangles that are drawn.
const MAX_TRIANGLES: usize = 4 << 20;
/// Samples per pixel.
const SAMPLES: u32 = 4;
/// Direction to the light that shows noses, ears and lips, head space, of length 1.
const LIGHT: glam::Vec3 = glam::Vec3::new(0.26, 0.84, 0.48);
/// Colour of skin without a texture or vertex colours, sRGB.
const GREY: f32 = 0.6;
/// The corners of two triangles that make a quadrangle.
const QUADRANGLE: [usize; 6] = [0, 1, 2, 2, 3, 0];

/// The UV layout of a part on the GPU.
///
/// Skin is drawn as bright as the map's value, with some of its own hue, texture and relief; maps
/// of colours show the colours as they are stored. Edges of triangles are thin lines, borders of UV
/// islands blue ones. Where there is no skin, the texture is dimmed.
pub struct UvCanvas {
    context: Context,
    /// The triangles, as indices into [`Part::triangles`]. Buffers hold three vertices for each,
    /// then ribbons along borders and the background.
    triangles: Vec<u32>,
    /// u, v, light from -1 to 1, and the kind: 0 skin, 1 background, 2 ribbon.
    places: VertexBuffer<three_d::Vec4>,
    /// Vertex colours, linear. Of a ribbon the UV of its other end, and its side.
    colors: VertexBuffer<three_d::Vec3>,
    /// Values of maps that have one per vertex.
    values: VertexBuffer<three_d::Vec3>,
    /// The base colour texture, and its factor.
    skin: Option<Texture2D>,
    factor: three_d::Vec3,
    /// Light, luma and coverage in red, green and alpha. The shader takes means from its mipmaps.
    overview: Texture2D,
    map: Option<Texture2D>,
    blank: Texture2D,
    is_grey: bool,
}

impl UvCanvas {
    /// Uploads the layout of a part of a head. `None`: the part has no usable UVs.
    ///
    /// # Errors
    ///
    /// The driver refuses a shader.
    pub fn new(context: &Context, head: &Head, part: &Part) -> Result<Option<Self>, RenderError> {
        let mut triangles = Vec::new();
        let (mut places, mut colors) = (Vec::new(), Vec::new());
        let part_colors = part.colors.as_deref().unwrap_or_default();
        let (borders, mut ribbons) = (borders(part), Vec::new());
        for (number, uvs) in triangles_in_unit_square(part).take(MAX_TRIANGLES) {
            let corners = part.triangles[number as usize];
            triangles.push(number);
            let uvs = uvs.map(|uv| uv.as_vec2());
            for (uv, vertex) in uvs.into_iter().zip(corners) {
                let normal = part.normals.get(vertex as usize).copied();
                let light = normal.map_or(0.0, |normal| normal.dot(LIGHT).clamp(-1.0, 1.0));
                places.push(vec4(uv.x, uv.y, light, 0.0));
                let color = part_colors.get(vertex as usize);
                let color = color.map_or([1.0; 3], |color| color.truncate().to_array());
                colors.push(color.into());
            }
            let ends = |edge: usize| [uvs[(edge + 1) % 3], uvs[(edge + 2) % 3]];
            let is_border = |edge: &usize| borders[number as usize][*edge];
            ribbons.extend((0..3).filter(is_border).map(ends));
        }
        if triangles.is_empty() {
            return Ok(None);
        }
        for [a, b] in ribbons {
            // The sides of both ends are mirrored.
            let ends = [(a, b, -1.0), (a, b, 1.0), (b, a, -1.0), (b, a, 1.0)];
            for (end, other, side) in QUADRANGLE.map(|corner| ends[corner]) {
                places.push(vec4(end.x, end.y, 0.0, 2.0));
                colors.push(vec3(other.x, other.y, side));
            }
        }
        let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let square = QUADRANGLE.map(|corner| square[corner]);
        places.extend(square.map(|(u, v)| vec4(u, v, 0.0, 1.0)));
        colors.extend([vec3(1.0, 1.0, 1.0); QUADRANGLE.len()]);
        let material = head.materials.get(part.material);
        let texture = material.and_then(|material| material.base_color_texture);
        let skin = texture.and_then(|index| Some(upload(context, head.textures.get(index)?)));
        let plain = match skin.is_none() && part.colors.is_none() {
            true => GREY,
            false => 1.0,
        };
        let [red, green, blue, _] = material.map_or([1.0; 4], |material| material.base_color);
        let mut canvas = Self {
            triangles,
            places: VertexBuffer::new_with_data(context, &places),
            colors: VertexBuffer::new_with_data(context, &colors),
            values: VertexBuffer::new(context),
            skin,
            factor: vec3(red, green, blue).map(|c| c.max(0.0).sqrt() * plain),
            overview: texture_of(context, [OVERVIEW_SIDE; 2], Some(Mipmap::default())),
            map: None,
            blank: texture_of(context, [1, 1], None),
            is_grey: true,
            context: context.clone(),
        };
        canvas.blank.fill(&[[255_u8; 4]]);
        canvas.set_map(part, MapKind::Density, None);
        let target = canvas.overview.as_color_target(None);
        let target = target.clear(ClearState::color(0.0, 0.0, 0.0, 0.0));
        target.write(|| canvas.draw(OVERVIEW_SIDE, Vec2::ZERO, 1.0, true))?;
        Ok(Some(canvas))
    }

    /// Shows a map, or what painting of that kind would begin with: density as the part is painted
    /// (bald if it is not), other kinds neutral. `part`: the one that the canvas was made of.
    pub fn set_map(&mut self, part: &Part, kind: MapKind, map: Option<&Map>) {
        self.is_grey = kind.channels() == 1;
        self.map = map.and_then(|map| upload_map(&self.context, map));
        if self.map.is_some() {
            return;
        }
        let mut values = Vec::with_capacity(self.places.vertex_count() as usize);
        for &number in &self.triangles {
            let corners = part.triangles[number as usize].map(|vertex| vertex as usize);
            values.extend(match (map, kind, &part.paint) {
                (Some(map), ..) => corners.map(|vertex| map.value(vertex).into()),
                (None, MapKind::Density, Some(paint)) => {
                    let density = |vertex| paint.density.get(vertex).copied().unwrap_or(0.0);
                    let density = corners.map(density);
                    // A triangle with a bald corner is bald.
                    let is_bald = density.contains(&0.0);
                    density.map(|density| if is_bald { [0.0; 3] } else { [density; 3] }.into())
                }
                (None, MapKind::Density, None) => [three_d::Vec3::zero(); 3],
                (None, ..) => [kind.neutral().into(); 3],
            });
        }
        values.resize(self.places.vertex_count() as usize, three_d::Vec3::zero());
        self.values.fill(&values);
    }

    /// Draws a square part of the layout, `side` pixels wide, opaque. Its upper left corner is at
    /// the UV `corner`, and it is 1 / `zoom` wide and high in UV space.
    ///
    /// # Errors
    ///
    /// The driver fails.
    pub fn picture(&self, side: u32, corner: Vec2, zoom: f32) -> Result<RgbaImage, RenderError> {
        let side = side.clamp(1, gl::max_texture_size(&self.context));
        let target =
            RenderTargetMultisample::<[u8; 4], f32>::new(&self.context, side, side, SAMPLES);
        let target = target.clear(ClearState::default());
        target.write(|| self.draw(side, corner, zoom, false))?;
        let color = target.resolve_color();
        let pixels: Vec<[u8; 4]> = color.as_color_target(None).read();
        // There are as many bytes as the sides need.
        Ok(RgbaImage::from_raw(side, side, pixels.into_flattened()).unwrap_or_default())
    }

    fn draw(&self, side: u32, corner: Vec2, zoom: f32, is_overview: bool) -> Drawn {
        let states = RenderStates {
            // Of triangles that overlap, the first one counts, as for strokes.
            depth_test: DepthTest::Less,
            cull: Cull::None,
            ..RenderStates::default()
        };
        // A texture must not be read while it is drawn to.
        let (overview, vertices) = match is_overview {
            true => (&self.blank, 3 * self.triangles.len() as u32),
            false => (&self.overview, self.places.vertex_count()),
        };
        let vertex = include_str!("uv_canvas/uv_canvas.vert");
        let shaders = || [vertex, include_str!("uv_canvas/uv_canvas.frag")];
        with_program(&self.context, "UV canvas", &[], shaders, |program| {
            program.use_uniform("corner", vec2(corner.x, corner.y));
            program.use_uniform("zoom", zoom);
            program.use_uniform("pixel", 2.0 / side as f32);
            program.use_uniform("factor", self.factor);
            for (name, flag) in [
                ("isOverview", is_overview),
                ("isTextured", self.skin.is_some()),
                ("isMapped", self.map.is_some()),
                ("isGrey", self.is_grey),
            ] {
                program.use_uniform(name, i32::from(flag));
            }
            program.use_texture("overview", overview);
            program.use_texture("skin", self.skin.as_ref().unwrap_or(&self.blank));
            program.use_texture("map", self.map.as_ref().unwrap_or(&self.blank));
            program.use_vertex_attribute("place", &self.places);
            program.use_vertex_attribute("color", &self.colors);
            program.use_vertex_attribute("value", &self.values);
            program.draw_arrays(states, Viewport::new_at_origo(side, side), vertices);
        })
    }
}

/// Returns for each triangle of a part and each corner `true` if no other triangle shares the
/// opposite edge, in UV space and on the skin.
fn borders(part: &Part) -> Vec<[bool; 3]> {
    let uvs = part.uvs.as_deref().unwrap_or_default();
    // Files may store vertices twice that differ in their normals only. Both zeros are the same.
    let key = |v: u32| {
        let uv = uvs.get(v as usize).copied().unwrap_or_default();
        let position = part.positions.get(v as usize).copied().unwrap_or_default();
        let numbers = [uv.x, uv.y, position.x, position.y, position.z];
        numbers.map(|number| (number + 0.0).to_bits())
    };
    let edges = |&[a, b, c]: &[u32; 3]| {
        [(b, c), (c, a), (a, b)].map(|(from, to)| {
            let (from, to) = (key(from), key(to));
            (from.min(to), from.max(to))
        })
    };
    let mut uses: HashMap<_, u32> = HashMap::new();
    for edge in part.triangles.iter().flat_map(edges) {
        *uses.entry(edge).or_default() += 1;
    }
    let is_border = |corners| edges(corners).map(|edge| uses[&edge] == 1);
    part.triangles.iter().map(is_border).collect()
}

fn texture_of(context: &Context, [width, height]: [u32; 2], mipmap: Option<Mipmap>) -> Texture2D {
    let (filter, wrap) = (Interpolation::Linear, Wrapping::Repeat);
    Texture2D::new_empty::<[u8; 4]>(context, width, height, filter, filter, mipmap, wrap, wrap)
}

/// Uploads a map that is a picture; others have a value per vertex.
fn upload_map(context: &Context, map: &Map) -> Option<Texture2D> {
    let Layout::Picture { width, height } = map.layout() else {
        return None;
    };
    let step = width.max(height).div_ceil(MAX_MAP_SIDE);
    let [columns, rows] = [width, height].map(|side| side.div_ceil(step));
    let row = |row: u32| (0..columns).map(move |column| row * step * width + column * step);
    let channels = map.kind().channels();
    // The upper byte of each number.
    let value = |index: u32| match map.values()[index as usize * channels..] {
        [red, green, blue, ..] if channels == 3 => {
            [red, green, blue, u16::MAX].map(|number| (number >> 8) as u8)
        }
        [grey, ..] => [(grey >> 8) as u8; 4],
        [] => [0; 4],
    };
    let values: Vec<[u8; 4]> = (0..rows).flat_map(row).map(value).collect();
    let texture = texture_of(context, [columns, rows], None);
    texture.fill(&values);
    Some(texture)
}

#[cfg(test)]
mod tests;
