//! Dots, lines and arrows over the picture. Their widths are in pixels at any distance.

use crate::render::gpu::shape::{Shape, ShapeGeometry, Squares, over};
use glam::Vec3;
use three_d::*;

/// sRGB as drawn and opacity, 0 to 1.
pub type Color = [f32; 4];

/// The radius of a dot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Radius {
    /// In pixels at any distance. The dot has a dark rim.
    Pixels(f32),
    /// In decimetres. The dot is soft towards its rim.
    Decimetres(f32),
}

/// A disc that faces the eye, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// Its centre.
    pub center: Vec3,
    /// Its radius.
    pub radius: Radius,
    /// Its colour.
    pub color: Color,
}

/// A straight line, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Its ends.
    pub ends: [Vec3; 2],
    /// The colours of its ends.
    pub colors: [Color; 2],
    /// Its width, pixels.
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum MarkKind {
    Dots,
    Lines,
}

/// Dots or lines on the GPU.
pub struct MarkShape {
    kind: MarkKind,
    squares: Squares,
    /// Drawn pixels per pixel of the picture.
    pub pixel_scale: f32,
}

/// All marks on the GPU, lines first.
pub struct MarkModels([ShapeGeometry<MarkShape>; 2]);

impl MarkModels {
    pub fn new(context: &Context) -> Self {
        let shape = |kind, names: &[&'static str]| {
            let shape = MarkShape {
                kind,
                squares: Squares::with_attributes(context, names),
                pixel_scale: 1.0,
            };
            ShapeGeometry::new(context, shape)
        };
        let line = ["fromWidth", "toHead", "colorFrom", "colorTo"];
        Self([
            shape(MarkKind::Lines, &line),
            shape(MarkKind::Dots, &["centerRadius", "colorFrom"]),
        ])
    }

    /// Shows other marks.
    pub fn set(&mut self, marks: &Marks) {
        let with = |v: Vec3, w: f32| v.extend(w).to_array();
        let [lines, dots] = &mut self.0;
        lines.squares.fill(marks.lines.iter().map(|line| {
            let ([from, to], [a, b]) = (line.ends, line.colors);
            [with(from, line.width_px), with(to, line.head_px), a, b]
        }));
        dots.squares.fill(marks.dots.iter().map(|dot| {
            // The shader tells both units by the sign.
            let radius = match dot.radius {
                Radius::Pixels(pixels) => -pixels,
                Radius::Decimetres(radius) => radius,
            };
            [with(dot.center, radius), dot.color]
        }));
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|geometry| geometry.squares.is_empty())
    }

    /// Returns what is drawn, in order. `is_faint`: as seen through hair.
    pub fn models(
        &self,
        is_faint: bool,
    ) -> impl Iterator<Item = (&ShapeGeometry<MarkShape>, MarkMaterial)> {
        let shown = self
            .0
            .iter()
            .filter(|geometry| !geometry.squares.is_empty());
        shown.map(move |geometry| {
            let kind = geometry.kind;
            (geometry, MarkMaterial { kind, is_faint })
        })
    }

    /// Sets the number of drawn pixels per pixel of the picture.
    pub fn set_pixel_scale(&mut self, pixel_scale: f32) {
        for geometry in &mut self.0 {
            geometry.pixel_scale = pixel_scale;
        }
    }
}

impl Shape for MarkShape {
    const NAME: &'static str = "marks";

    fn id(&self) -> u16 {
        match self.kind {
            MarkKind::Dots => 0x0003,
            MarkKind::Lines => 0x0004,
        }
    }

    fn vertex_shader(&self) -> String {
        let main = match self.kind {
            MarkKind::Dots => include_str!("dots.vert"),
            MarkKind::Lines => include_str!("lines.vert"),
        };
        include_str!("marks.glsl").to_owned() + main
    }

    fn draw(&self, viewer: &dyn Viewer, program: &Program, states: RenderStates) {
        let viewport = viewer.viewport();
        let size = vec2(viewport.width as f32, viewport.height as f32);
        program.use_uniform("viewProjection", viewer.projection() * viewer.view());
        program.use_uniform("eye", viewer.position());
        program.use_uniform("size", size);
        program.use_uniform("pixelScale", self.pixel_scale);
        self.squares.draw(program, states, viewport);
    }
}

/// The material of marks.
pub struct MarkMaterial {
    kind: MarkKind,
    is_faint: bool,
}

/// Opacity of marks behind hair.
const FAINT: f32 = 0.35;

impl Material for MarkMaterial {
    fn fragment_shader_source(&self, _lights: &[&dyn Light]) -> String {
        match self.kind {
            MarkKind::Dots => include_str!("dot.frag").to_owned(),
            MarkKind::Lines => include_str!("line.frag").to_owned(),
        }
    }

    fn id(&self) -> EffectMaterialId {
        EffectMaterialId(0x0600 + self.kind as u16)
    }

    fn use_uniforms(&self, program: &Program, _viewer: &dyn Viewer, _lights: &[&dyn Light]) {
        program.use_uniform("presence", if self.is_faint { FAINT } else { 1.0 });
    }

    fn render_states(&self) -> RenderStates {
        over(DepthTest::Less)
    }

    fn material_type(&self) -> MaterialType {
        MaterialType::Transparent
    }
}
