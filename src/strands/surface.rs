//! Strands as surfaces: ribbons that face outward, and tubes.

use super::Strands;
use glam::{Quat, Vec3};
use std::f32::consts::TAU;
use std::ops::RangeInclusive;

crate::choices! {
    /// The form of a strand in a file of meshes.
    pub enum Shape: "mesh" = Lines {
        /// A line without width.
        Lines = "lines",
        /// A flat ribbon as wide as the strand, with its side outward.
        Ribbons = "ribbons",
        /// A tube of three sides.
        Tubes = "tubes",
        /// A strip of quads for each bundle of strands, which are drawn into one texture.
        Cards = "cards",
    }
}

/// The form of strands in a file of meshes, which is glTF.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Form {
    /// The form of a strand.
    pub shape: Shape,
    /// The number of cards, in [`CARDS`](Self::CARDS); without, a thirtieth of the number of strands, at
    /// most 4,000.
    pub cards: Option<u32>,
    /// The side of the square texture of cards, texels, in [`TEXTURES`](Self::TEXTURES).
    pub texture: u32,
}

impl Form {
    /// The numbers of cards that can be made.
    pub const CARDS: RangeInclusive<u32> = 1..=100_000;
    /// The sides of textures that can be made, texels.
    pub const TEXTURES: RangeInclusive<u32> = 64..=8192;
    /// The side of the texture of cards unless another is given, texels.
    pub const TEXTURE: u32 = 2048;
}

impl Default for Form {
    fn default() -> Self {
        Shape::default().into()
    }
}

impl From<Shape> for Form {
    fn from(shape: Shape) -> Self {
        Self {
            shape,
            cards: None,
            texture: Self::TEXTURE,
        }
    }
}

/// The sides of a tube.
const SIDES: usize = 3;

/// A vertex of a surface.
pub struct Vertex {
    pub position: Vec3,
    pub normal: Vec3,
    /// Across the strand and along it, from 0 to 1; v is 0 at the tip, as in pictures of hair.
    pub uv: [f32; 2],
}

/// Strands as one mesh.
pub struct Surface<'a> {
    strands: &'a Strands,
    /// The vertices around each point.
    pub around: usize,
    is_tube: bool,
    middle: Vec3,
    width: f32,
}

impl<'a> Surface<'a> {
    /// Begins the surface of strands; `None` for lines and cards.
    pub fn new(strands: &'a Strands, shape: Shape) -> Option<Self> {
        let [low, high] = strands.bounds().map(Vec3::from);
        let is_tube = match shape {
            Shape::Lines | Shape::Cards => return None,
            Shape::Ribbons => false,
            Shape::Tubes => true,
        };
        Some(Self {
            strands,
            is_tube,
            // A tube ends where it began, for the texture's other border.
            around: if is_tube { SIDES + 1 } else { 2 },
            middle: (low + high) / 2.0,
            width: strands.usual_width(),
        })
    }

    /// Calls `take` with the vertices of each strand, point after point.
    pub fn for_each<E>(
        &self,
        mut take: impl FnMut(usize, &[Vertex]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut vertices = Vec::new();
        for (strand, range) in self.strands.ranges().enumerate() {
            vertices.clear();
            let points = &self.strands.points[range.clone()];
            let mut side = Vec3::ZERO;
            let mut before = Vec3::ZERO;
            for (nth, &point) in points.iter().enumerate() {
                let point = Vec3::from(point);
                let from = Vec3::from(points[nth.saturating_sub(1)]);
                let to = Vec3::from(points[(nth + 1).min(points.len() - 1)]);
                let along = (to - from).normalize_or(before).normalize_or(Vec3::Y);
                let outward = point - self.middle;
                side = match self.is_tube && nth > 0 {
                    // The frame follows the strand without twist.
                    true => Quat::from_rotation_arc(before, along) * side,
                    false => along
                        .cross(outward)
                        .normalize_or(along.any_orthonormal_vector()),
                };
                before = along;
                let width = self.strands.widths.at(strand, range.start + nth);
                let radius = width.unwrap_or(self.width) / 2.0;
                let v = 1.0 - nth as f32 / (points.len() - 1) as f32;
                let normal = side.cross(along);
                vertices.extend((0..self.around).map(|corner| {
                    let share = corner as f32 / (self.around - 1) as f32;
                    let (offset, normal) = match self.is_tube {
                        false => (side * (2.0 * share - 1.0), normal),
                        true => {
                            let (sine, cosine) = (share * TAU).sin_cos();
                            let outward = side * cosine - normal * sine;
                            (outward, outward)
                        }
                    };
                    Vertex {
                        position: point + offset * radius,
                        normal,
                        uv: [share, v],
                    }
                }));
            }
            take(strand, &vertices)?;
        }
        Ok(())
    }

    /// Calls `take` with the triangles of each strand.
    pub fn for_each_triangle<E>(
        &self,
        mut take: impl FnMut([u32; 3]) -> Result<(), E>,
    ) -> Result<(), E> {
        let around = self.around as u32;
        for range in self.strands.ranges() {
            for point in range.start..range.end - 1 {
                let first = point as u32 * around;
                for a in first..first + around - 1 {
                    let b = a + 1;
                    take([a, b, b + around])?;
                    take([a, b + around, a + around])?;
                }
            }
        }
        Ok(())
    }

    /// Returns the number of triangles.
    pub fn triangles(&self) -> usize {
        2 * (self.around - 1) * (self.strands.points.len() - self.strands.len())
    }
}
