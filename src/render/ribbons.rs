//! The vertices of ribbons, in more or less detail. They hold only where in a ribbon a vertex lies.

use super::gl::{Fence, renderer_name};
use three_d::*;

/// Segments of a strand that is drawn as a quadratic Bezier curve. One that is bent by 90 degrees is
/// then within half a per cent of its length.
const SEGMENTS: u32 = 8;
/// Segments of each part of a strand in motion, of which one is chosen: of a curve, and of the parts
/// of a strand with particles.
const CURVE_CHOICES: [u32; 3] = [2, 3, 4];
const PART_CHOICES: [u32; 5] = [1, 2, 3, 4, 6];
/// Largest number of segments of a drawn strand that has particles.
const MAX_SEGMENTS: u32 = 24;
/// Parts of strands per instance: enough that instancing costs nothing, few enough that the
/// template stays in cache.
const BATCH: u32 = 64;
/// The number of triangles that a renderer on the CPU takes in at once: it keeps 270 bytes of each
/// until it is drawn, and may take in two or three times as many meanwhile.
const PACE: u32 = 20_000;

/// The detail of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Detail {
    /// The detail of a picture that is looked at.
    Still,
    /// The detail of a picture that is soon replaced by another.
    Moving {
        /// The share of the strands that are drawn.
        share: f32,
        /// Their width, by which it is multiplied.
        widening: f32,
    },
}

impl Detail {
    /// The detail of a picture in motion with all strands.
    pub const ALL_MOVING: Detail = Detail::Moving {
        share: 1.0,
        widening: 1.0,
    };

    /// Returns the share of the strands that are drawn.
    pub fn share(self) -> f32 {
        match self {
            Detail::Still => 1.0,
            Detail::Moving { share, .. } => share,
        }
    }

    /// Returns the factor of the width of strands.
    pub fn widening(self) -> f32 {
        match self {
            Detail::Still => 1.0,
            Detail::Moving { widening, .. } => widening,
        }
    }
}

/// The ribbons of one batch of parts.
pub struct Template {
    /// Segments of each part.
    pub segments: u32,
    /// Part within the batch, ring within the part, side.
    corners: VertexBuffer<three_d::Vec3>,
    elements: ElementBuffer<u32>,
    /// The number of batches in a call; `None` is all.
    pace: Option<u32>,
    context: Context,
}

/// The templates of strands, for each detail.
pub struct Templates {
    still: Template,
    /// Ribbons for motion, from the fewest to the most segments.
    moving: Vec<Template>,
    /// The one of `moving` that is used.
    chosen: usize,
}

impl Templates {
    /// Returns the templates of strands of so many points, drawn in so many parts.
    pub fn new(context: &Context, per_strand: u32, parts: u32) -> Self {
        let between = per_strand - 1;
        let still = (2 * between).clamp(SEGMENTS, MAX_SEGMENTS).max(between);
        let choices = match between {
            0 => &CURVE_CHOICES[..],
            _ => &PART_CHOICES[..],
        };
        let most = match between {
            0 => MAX_SEGMENTS,
            _ => between.clamp(4, MAX_SEGMENTS).div_ceil(parts),
        };
        let choices = choices.iter().filter(|&&segments| segments <= most);
        let moving: Vec<_> = choices.map(|&n| Template::new(context, n)).collect();
        Self {
            still: Template::new(context, still.div_ceil(parts)),
            chosen: moving.len() - 1,
            moving,
        }
    }

    /// Chooses the number of segments of each part in motion: so many, or the next that there is.
    pub fn choose(&mut self, segments: f32) {
        let enough = |template: &Template| template.segments as f32 >= segments;
        let last = self.moving.len() - 1;
        self.chosen = self.moving.iter().position(enough).unwrap_or(last);
    }

    /// Returns the template of a detail.
    pub fn of(&self, detail: Detail) -> &Template {
        match detail {
            Detail::Still => &self.still,
            Detail::Moving { .. } => &self.moving[self.chosen],
        }
    }

    /// Returns the template with the most segments in motion.
    pub fn finest_in_motion(&self) -> &Template {
        &self.moving[self.moving.len() - 1]
    }
}

impl Template {
    fn new(context: &Context, segments: u32) -> Self {
        let mut corners = Vec::new();
        let mut elements = Vec::new();
        for part in 0..BATCH {
            let first = corners.len() as u32;
            for ring in 0..=segments {
                for side in [-1.0, 1.0] {
                    corners.push(vec3(part as f32, ring as f32, side));
                }
            }
            for segment in 0..segments {
                let a = first + 2 * segment;
                elements.extend([a, a + 1, a + 2, a + 2, a + 1, a + 3]);
            }
        }
        let pace = (3 * PACE / elements.len() as u32).max(1);
        Self {
            segments,
            corners: VertexBuffer::new_with_data(context, &corners),
            elements: ElementBuffer::new_with_data(context, &elements),
            // A page cannot wait.
            pace: (!cfg!(target_arch = "wasm32") && renderer_name(context).1).then_some(pace),
            context: context.clone(),
        }
    }

    /// Draws so many parts.
    pub fn draw(&self, program: &Program, parts: u32, states: RenderStates, viewport: Viewport) {
        program.use_uniform("partCount", parts as i32);
        program.use_uniform("batch", BATCH as i32);
        let batches = parts.div_ceil(BATCH);
        let pace = self.pace.unwrap_or(batches).max(1);
        let mut before = None;
        for first in (0..batches).step_by(pace as usize) {
            program.use_vertex_attribute("corner", &self.corners);
            program.use_uniform("firstBatch", first as i32);
            let count = pace.min(batches - first);
            program.draw_elements_instanced(states, viewport, &self.elements, count);
            if first + count < batches {
                // The next call waits for all but the latest one.
                before = Fence::after(before, &self.context);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{CameraView, Offscreen, OrbitCamera, Shot};
    use crate::{Groom, Look};
    use glam::Vec3;

    /// Strands from left to right, in the order in which they are drawn.
    #[test]
    fn strands_are_all_drawn_however_many_calls_that_takes() {
        let triangles = 2 * SEGMENTS;
        let count = 5 * PACE / triangles;
        let root = |i| Vec3::new(2.0 * i as f32 / count as f32 - 1.0, 0.0, 0.0);
        let groom = Groom::parallel((0..count).map(root).collect(), Vec3::Y, 0.5);
        let gl = Offscreen::new().unwrap();
        let mut stage = gl.stage(&Look::default());
        stage.set_groom(&groom);
        let shot = Shot {
            camera: OrbitCamera {
                distance: 8.0,
                ..OrbitCamera::named(CameraView::Front)
            },
            world_from_head: glam::Mat4::IDENTITY,
            background: false,
        };
        let picture = gl.render(&mut stage, &shot, 80, 60).unwrap();
        let hairy = |&x: &u32| (0..60).any(|y| picture.get_pixel(x, y).0[3] > 100);
        let columns: Vec<u32> = (0..80).filter(hairy).collect();
        assert!(columns.len() > 15, "{columns:?}");
        assert_eq!(columns[0], 79 - columns[columns.len() - 1]);
        assert!(columns.windows(2).all(|pair| pair[0] + 1 == pair[1]));
    }
}
