//! Dots and lines over the picture, a few pixels wide whatever the distance; arrows are lines.

use super::surface::OVER;
use glam::Vec3;
use three_d::*;

/// sRGB as drawn, and how much it covers, 0 to 1.
pub type Color = [f32; 4];

/// How large a dot is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Radius {
    /// Pixels, whatever the distance; with a dark rim.
    Pixels(f32),
    /// Decimetres; soft towards its rim.
    Decimetres(f32),
}

/// A disc that faces the eye, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// Its middle.
    pub center: Vec3,
    /// How large it is.
    pub radius: Radius,
    /// Its colour.
    pub color: Color,
}

/// A straight line, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Its ends.
    pub ends: [Vec3; 2],
    /// The colours there.
    pub colors: [Color; 2],
    /// Pixels.
    pub width_px: f32,
    /// Length of an arrow's head at the second end, pixels; 0: none.
    pub head_px: f32,
}

/// What is drawn over the picture. What hair hides stays visible, faintly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// Dots, above lines.
    pub dots: Vec<Dot>,
    /// Lines.
    pub lines: Vec<Line>,
}

impl Marks {
    /// Nothing at all.
    pub fn clear(&mut self) {
        self.dots.clear();
        self.lines.clear();
    }

    /// A line through points, of one colour.
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

/// What a [`MarkGeometry`] is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Dots,
    Lines,
}

impl Kind {
    /// What differs from mark to mark, as the shader calls it.
    fn attributes(self) -> &'static [&'static str] {
        match self {
            Kind::Dots => &["centerRadius", "colorFrom"],
            Kind::Lines => &["fromWidth", "toHead", "colorFrom", "colorTo"],
        }
    }
}

/// Dots or lines on the GPU: one square each, instanced.
pub(super) struct MarkGeometry {
    context: Context,
    kind: Kind,
    corners: VertexBuffer<three_d::Vec2>,
    elements: ElementBuffer<u8>,
    instances: Vec<InstanceBuffer<three_d::Vec4>>,
    count: u32,
    /// Drawn pixels per pixel of the picture.
    pub(super) pixel_scale: f32,
}

impl MarkGeometry {
    fn new(context: &Context, kind: Kind) -> Self {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let corners = corners.map(|(x, y)| vec2(x, y));
        let buffers = kind.attributes().iter();
        Self {
            context: context.clone(),
            kind,
            corners: VertexBuffer::new_with_data(context, &corners),
            elements: ElementBuffer::new_with_data(context, &[0, 1, 2, 0, 2, 3]),
            instances: buffers.map(|_| InstanceBuffer::new(context)).collect(),
            count: 0,
            pixel_scale: 1.0,
        }
    }

    fn fill<const N: usize>(&mut self, marks: impl Iterator<Item = [Color; N]>) {
        let mut values: [Vec<three_d::Vec4>; N] = std::array::from_fn(|_| Vec::new());
        for mark in marks {
            for (all, value) in values.iter_mut().zip(mark) {
                all.push(value.into());
            }
        }
        self.count = values[0].len() as u32;
        if self.count > 0 {
            for (buffer, values) in self.instances.iter_mut().zip(&values) {
                buffer.fill(values);
            }
        }
    }
}

/// All marks on the GPU.
pub(super) struct MarkModels {
    lines: MarkGeometry,
    dots: MarkGeometry,
}

impl MarkModels {
    /// None yet.
    pub(super) fn new(context: &Context) -> Self {
        Self {
            lines: MarkGeometry::new(context, Kind::Lines),
            dots: MarkGeometry::new(context, Kind::Dots),
        }
    }

    /// Shows other marks.
    pub(super) fn set(&mut self, marks: &Marks) {
        let with = |v: Vec3, w: f32| v.extend(w).to_array();
        self.lines.fill(marks.lines.iter().map(|line| {
            let ([from, to], [a, b]) = (line.ends, line.colors);
            [with(from, line.width_px), with(to, line.head_px), a, b]
        }));
        self.dots.fill(marks.dots.iter().map(|dot| {
            // The sign tells the shader which of the two it is.
            let radius = match dot.radius {
                Radius::Pixels(pixels) => -pixels,
                Radius::Decimetres(radius) => radius,
            };
            [with(dot.center, radius), dot.color]
        }));
    }

    /// Is there anything to draw?
    pub(super) fn is_empty(&self) -> bool {
        self.models(false).next().is_none()
    }

    /// What is to be drawn, in order; `faint`: as what hair hides.
    pub(super) fn models(
        &self,
        faint: bool,
    ) -> impl Iterator<Item = (&MarkGeometry, MarkMaterial)> {
        let shown = [&self.lines, &self.dots].into_iter();
        let shown = shown.filter(|geometry| geometry.count > 0);
        shown.map(move |geometry| {
            let kind = geometry.kind;
            (geometry, MarkMaterial { kind, faint })
        })
    }

    /// Drawn pixels per pixel of the picture.
    pub(super) fn set_pixel_scale(&mut self, pixel_scale: f32) {
        self.lines.pixel_scale = pixel_scale;
        self.dots.pixel_scale = pixel_scale;
    }
}

impl Geometry for MarkGeometry {
    fn draw(&self, viewer: &dyn Viewer, program: &Program, render_states: RenderStates) {
        let viewport = viewer.viewport();
        let size = vec2(viewport.width as f32, viewport.height as f32);
        program.use_uniform("viewProjection", viewer.projection() * viewer.view());
        program.use_uniform("eye", viewer.position());
        program.use_uniform("size", size);
        program.use_uniform("pixelScale", self.pixel_scale);
        program.use_vertex_attribute("corner", &self.corners);
        for (name, buffer) in self.kind.attributes().iter().zip(&self.instances) {
            program.use_instance_attribute(name, buffer);
        }
        program.draw_elements_instanced(render_states, viewport, &self.elements, self.count);
    }

    fn vertex_shader_source(&self) -> String {
        let own = match self.kind {
            Kind::Dots => include_str!("shaders/dots.vert"),
            Kind::Lines => include_str!("shaders/lines.vert"),
        };
        include_str!("shaders/marks.glsl").to_owned() + own
    }

    fn id(&self) -> GeometryId {
        GeometryId(match self.kind {
            Kind::Dots => 0x0003,
            Kind::Lines => 0x0004,
        })
    }

    fn render_with_material(
        &self,
        material: &dyn Material,
        viewer: &dyn Viewer,
        lights: &[&dyn Light],
    ) {
        let drawn = render_with_material(&self.context, viewer, self, material, lights);
        if let Err(error) = drawn {
            tracing::error!("marks cannot be drawn: {error}");
        }
    }

    fn render_with_effect(
        &self,
        effect: &dyn Effect,
        viewer: &dyn Viewer,
        lights: &[&dyn Light],
        color: Option<ColorTexture>,
        depth: Option<DepthTexture>,
    ) {
        let drawn = render_with_effect(&self.context, viewer, self, effect, lights, color, depth);
        if let Err(error) = drawn {
            tracing::error!("marks cannot be drawn: {error}");
        }
    }

    fn aabb(&self) -> AxisAlignedBoundingBox {
        AxisAlignedBoundingBox::INFINITE
    }
}

/// How marks are filled.
pub(super) struct MarkMaterial {
    kind: Kind,
    faint: bool,
}

/// How much of marks is seen through hair.
const FAINT: f32 = 0.35;

impl Material for MarkMaterial {
    fn fragment_shader_source(&self, _lights: &[&dyn Light]) -> String {
        match self.kind {
            Kind::Dots => include_str!("shaders/dot.frag").to_owned(),
            Kind::Lines => include_str!("shaders/line.frag").to_owned(),
        }
    }

    fn id(&self) -> EffectMaterialId {
        EffectMaterialId(match self.kind {
            Kind::Dots => 0x0600,
            Kind::Lines => 0x0601,
        })
    }

    fn use_uniforms(&self, program: &Program, _viewer: &dyn Viewer, _lights: &[&dyn Light]) {
        program.use_uniform("presence", if self.faint { FAINT } else { 1.0 });
    }

    fn render_states(&self) -> RenderStates {
        RenderStates {
            write_mask: WriteMask::COLOR,
            depth_test: DepthTest::Less,
            blend: OVER,
            cull: Cull::None,
        }
    }

    fn material_type(&self) -> MaterialType {
        MaterialType::Transparent
    }
}
