//! Ambient occlusion of heads: the share of the sky that each vertex sees past the head itself.
//!
//! The head is drawn from all sides into a depth map. For each side a shader compares all vertices,
//! which are texels of two textures, with the map, and adds up those that are not hidden, weighted
//! by the cosine to their normals.

use super::frame::{Drawn, Frame, Squares, TexelList, blank_texture, over};
use glam::Vec3;
use three_d::*;

/// Side of the depth map, texels.
pub const MAP_SIDE: u32 = 256;
/// Triangles that are drawn for all sides together, and the numbers of sides.
const TRIANGLES: usize = 1_000_000;
const SIDES: [usize; 2] = [16, 64];

/// Returns the share of the sky that vertices see past a head, 0 to 1: uniform light from all
/// sides, weighted by the cosine to the normal. `points` and `normals` are those of all vertices,
/// head space; `draw_depth` draws the depth of `triangles` that hide the sky. `between` is called
/// before some sides.
pub fn sky_shares(
    context: &Context,
    triangles: usize,
    points: &[Vec3],
    normals: &[Vec3],
    draw_depth: impl Fn(&Frame) -> Drawn,
    between: &mut dyn FnMut(),
) -> Result<Vec<f32>, RendererError> {
    let Ok(count) = u32::try_from(points.len()) else {
        return Ok(Vec::new());
    };
    let (center, radius) = ball(points);
    let texel = |v: &Vec3| v.extend(0.0).to_array();
    let positions = TexelList::fixed(context, count, points.iter().map(texel));
    let normals = TexelList::fixed(context, count, normals.iter().map(texel));
    let sum = blank_texture::<[f32; 4]>(context, positions.size(), Interpolation::Nearest);
    let clamp = Wrapping::ClampToEdge;
    let map = DepthTexture2D::new::<f32>(context, MAP_SIDE, MAP_SIDE, clamp, clamp);
    let square = Squares::one(context);
    sum.as_color_target(None)
        .clear(ClearState::color(0.0, 0.0, 0.0, 0.0));
    let [least, most] = SIDES;
    let sides = (TRIANGLES / triangles.max(1)).clamp(least, most);
    for side in 0..sides {
        if side % 16 == 0 {
            between();
        }
        let towards = spread(side, sides);
        let up = if towards.y.abs() < 0.9 {
            Vec3::Y
        } else {
            Vec3::X
        };
        let camera = Camera::new_orthographic(
            Viewport::new_at_origo(MAP_SIDE, MAP_SIDE),
            super::convert::vec3(center + towards * 2.0 * radius),
            super::convert::vec3(center),
            super::convert::vec3(up),
            2.0 * radius,
            radius,
            3.0 * radius,
        );
        let frame = Frame::new(context, &camera, Mat4::identity());
        let depth = map.as_depth_target();
        depth
            .clear(ClearState::default())
            .write(|| draw_depth(&frame))?;
        sum.as_color_target(None).write(|| {
            let shaders = || [include_str!("whole.vert"), include_str!("occlusion.frag")];
            frame.with_program("occlusion", &[], shaders, |program| {
                positions.use_as(program, "positions");
                normals.use_as(program, "normals");
                program.use_depth_texture("depthMap", &map);
                program.use_uniform("clipFromHead", frame.clip_from_world());
                program.use_uniform("towards", super::convert::vec3(towards));
                program.use_uniform("texel", 2.0 * radius / MAP_SIDE as f32);
                let states = RenderStates {
                    blend: Blend::ADD,
                    ..over(DepthTest::Always)
                };
                square.draw(
                    program,
                    states,
                    Viewport::new_at_origo(sum.width(), sum.height()),
                );
            })
        })?;
    }
    let sums: Vec<[f32; 4]> = sum.as_color_target(None).read();
    let share = |&[seen, all, ..]: &[f32; 4]| if all > 0.0 { seen / all } else { 1.0 };
    Ok(sums.iter().take(points.len()).map(share).collect())
}

/// Returns a ball around points.
fn ball(points: &[Vec3]) -> (Vec3, f32) {
    let low = points.iter().copied().fold(Vec3::MAX, Vec3::min);
    let high = points.iter().copied().fold(Vec3::MIN, Vec3::max);
    let center = 0.5 * (low + high);
    (center, (0.5 * low.distance(high)).max(1e-3))
}

/// Returns one of `count` directions that are evenly spread over the sphere (Fibonacci lattice).
fn spread(index: usize, count: usize) -> Vec3 {
    let height = 1.0 - (2 * index + 1) as f32 / count as f32;
    let (sin, cos) = (2.399_963_2 * index as f32).sin_cos();
    let ring = (1.0 - height * height).sqrt();
    Vec3::new(ring * sin, height, ring * cos)
}
