//! The vertices of ribbons, in more or less detail. They hold only where in a ribbon a vertex lies.

use three_d::*;

/// Segments of a strand that is drawn as a quadratic Bezier curve. One that is bent by 90 degrees is
/// then within half a per cent of its length, and within two in motion.
const SEGMENTS: ByDetail<u32> = ByDetail {
    still: 8,
    moving: 4,
};
/// Largest number of segments of a drawn strand that has particles.
const MAX_SEGMENTS: u32 = 24;
/// Parts of strands per instance: enough that instancing costs nothing, few enough that the
/// template stays in cache.
pub const BATCH: u32 = 64;

/// The detail of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Detail {
    /// For a picture that is looked at.
    Still,
    /// For a picture that is soon replaced by another, with this share of the strands.
    Moving(f32),
}

impl Detail {
    /// Returns the share of the strands that are drawn.
    pub fn share(self) -> f32 {
        match self {
            Detail::Still => 1.0,
            Detail::Moving(share) => share,
        }
    }
}

/// A value for each [`Detail`], whatever share of the strands is drawn.
pub struct ByDetail<T> {
    pub still: T,
    pub moving: T,
}

impl<T> ByDetail<T> {
    pub fn of(&self, detail: Detail) -> &T {
        match detail {
            Detail::Still => &self.still,
            Detail::Moving(_) => &self.moving,
        }
    }
}

/// The ribbons of one batch of parts.
pub struct Template {
    /// Segments of each part.
    pub segments: u32,
    /// Part within the batch, ring within the part, side.
    pub corners: VertexBuffer<three_d::Vec3>,
    pub elements: ElementBuffer<u32>,
}

/// Returns the templates of strands of so many points, drawn in so many parts.
pub fn templates(context: &Context, per_strand: u32, parts: u32) -> ByDetail<Template> {
    let between = per_strand - 1;
    let still = (2 * between)
        .clamp(SEGMENTS.still, MAX_SEGMENTS)
        .max(between);
    let moving = between.clamp(SEGMENTS.moving, MAX_SEGMENTS);
    ByDetail {
        still: Template::new(context, still.div_ceil(parts)),
        moving: Template::new(context, moving.div_ceil(parts)),
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
        Self {
            segments,
            corners: VertexBuffer::new_with_data(context, &corners),
            elements: ElementBuffer::new_with_data(context, &elements),
        }
    }
}
