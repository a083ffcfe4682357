//! Dots, lines and arrows over the picture. Their widths are in pixels at any distance.

use crate::render::frame::{Drawn, Frame, Squares, over};
use glam::Vec3;
use three_d::*;

/// sRGB as drawn and opacity, 0 to 1.
pub type Color = [f32; 4];

/// The radius of a dot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Radius {
    /// A radius in pixels at any distance. The dot has a dark rim.
    Pixels(f32),
    /// A radius in decimetres. The dot is soft towards its rim.
    Decimetres(f32),
}

/// A disc that faces the eye, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// The centre.
    pub center: Vec3,
    /// The radius.
    pub radius: Radius,
    /// The colour.
    pub color: Color,
}

/// A straight line, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// The ends.
    pub ends: [Vec3; 2],
    /// The colours of its ends.
    pub colors: [Color; 2],
    /// The width, pixels.
    pub width_px: f32,
    /// Length of an arrowhead at the second end, pixels; 0 for none.
    pub head_px: f32,
}

/// Dots and lines over the picture. Those that hair hides stay faintly visible.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// Dots, drawn above the lines.
    pub dots: Vec<Dot>,
    /// Lines.
    pub lines: Vec<Line>,
}

impl Marks {
    /// Removes all marks.
    pub fn clear(&mut self) {
        self.dots.clear();
        self.lines.clear();
    }

    /// Adds a line of one colour through points.
    pub fn add_path(&mut self, points: impl Iterator<Item = Vec3>, color: Color, width_px: f32) {
        let mut last = None;
        for point in points {
            if let Some(last) = last.replace(point) {
                self.lines.push(Line {
                    ends: [last, point],
                    colors: [color; 2],
                    width_px,
                    head_px: 0.0,
                });
            }
        }
    }
}

/// All marks on the GPU.
pub struct MarkModels {
    lines: Squares,
    dots: Squares,
}

impl MarkModels {
    /// Returns no marks.
    pub fn new(context: &Context) -> Self {
        let line = ["fromWidth", "toHead", "colorFrom", "colorTo"];
        Self {
            lines: Squares::with_attributes(context, &line),
            dots: Squares::with_attributes(context, &["centerRadius", "colorFrom"]),
        }
    }

    /// Shows other marks.
    pub fn set(&mut self, marks: &Marks) {
        let with = |v: Vec3, w: f32| v.extend(w).to_array();
        self.lines.fill(marks.lines.iter().map(|line| {
            let ([from, to], [a, b]) = (line.ends, line.colors);
            [with(from, line.width_px), with(to, line.head_px), a, b]
        }));
        self.dots.fill(marks.dots.iter().map(|dot| {
            // The shader tells both units by the sign.
            let radius = match dot.radius {
                Radius::Pixels(pixels) => -pixels,
                Radius::Decimetres(radius) => radius,
            };
            [with(dot.center, radius), dot.color]
        }));
    }

    /// Returns `true` if there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.dots.is_empty()
    }

    /// Draws the lines, then the dots. `presence` is a factor on their opacity.
    pub fn draw(&self, frame: &Frame, presence: f32) -> Drawn {
        let lines = concat!(include_str!("marks.glsl"), include_str!("lines.vert"));
        let dots = concat!(include_str!("marks.glsl"), include_str!("dots.vert"));
        for (name, squares, shaders) in [
            ("lines", &self.lines, [lines, include_str!("line.frag")]),
            ("dots", &self.dots, [dots, include_str!("dot.frag")]),
        ] {
            if squares.is_empty() {
                continue;
            }
            let shaders = || shaders;
            frame.with_program(name, &[], shaders, |program| {
                program.use_uniform("presence", presence);
                squares.draw(program, over(DepthTest::Less), frame.camera.viewport());
            })?;
        }
        Ok(())
    }
}
