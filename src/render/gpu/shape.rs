//! The base of geometries with a vertex shader of their own.

use std::ops::{Deref, DerefMut};
use three_d::*;

/// Blends over the picture. Alpha adds up as coverage, so that transparent pictures stay right.
pub const OVER: Blend = Blend::Enabled {
    source_rgb_multiplier: BlendMultiplierType::SrcAlpha,
    source_alpha_multiplier: BlendMultiplierType::One,
    destination_rgb_multiplier: BlendMultiplierType::OneMinusSrcAlpha,
    destination_alpha_multiplier: BlendMultiplierType::OneMinusSrcAlpha,
    rgb_equation: BlendEquationType::Add,
    alpha_equation: BlendEquationType::Add,
};

/// Returns the states of what is blended over the picture and does not hide anything drawn later.
pub fn over(depth_test: DepthTest) -> RenderStates {
    RenderStates {
        write_mask: WriteMask::COLOR,
        depth_test,
        blend: OVER,
        cull: Cull::None,
    }
}

/// A custom geometry: its buffers and its shader.
pub trait Shape {
    /// The name in error messages.
    const NAME: &'static str;

    /// Returns the number that tells its vertex shader from others.
    fn id(&self) -> u16;

    /// Returns the source of its vertex shader.
    fn vertex_shader(&self) -> String;

    /// Sets uniforms and attributes and draws.
    fn draw(&self, viewer: &dyn Viewer, program: &Program, states: RenderStates);
}

/// The three-d geometry of a [`Shape`].
pub struct ShapeGeometry<T> {
    context: Context,
    shape: T,
}

impl<T: Shape> ShapeGeometry<T> {
    /// Returns the geometry of a shape.
    pub fn new(context: &Context, shape: T) -> Self {
        let context = context.clone();
        Self { context, shape }
    }
}

impl<T> Deref for ShapeGeometry<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.shape
    }
}

impl<T> DerefMut for ShapeGeometry<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.shape
    }
}

impl<T: Shape> Geometry for ShapeGeometry<T> {
    fn draw(&self, viewer: &dyn Viewer, program: &Program, render_states: RenderStates) {
        self.shape.draw(viewer, program, render_states);
    }

    fn vertex_shader_source(&self) -> String {
        self.shape.vertex_shader()
    }

    fn id(&self) -> GeometryId {
        GeometryId(self.shape.id())
    }

    fn render_with_material(
        &self,
        material: &dyn Material,
        viewer: &dyn Viewer,
        lights: &[&dyn Light],
    ) {
        let drawn = render_with_material(&self.context, viewer, self, material, lights);
        if let Err(error) = drawn {
            tracing::error!("{} cannot be drawn: {error}", T::NAME);
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
            tracing::error!("{} cannot be drawn: {error}", T::NAME);
        }
    }

    fn aabb(&self) -> AxisAlignedBoundingBox {
        AxisAlignedBoundingBox::INFINITE
    }
}

/// Instances of the unit square, which a vertex shader reads as `corner`, from 0 to 1.
pub struct Squares {
    corners: VertexBuffer<three_d::Vec2>,
    elements: ElementBuffer<u8>,
    /// Attributes of each square, with their names in the shader.
    attributes: Vec<(&'static str, InstanceBuffer<three_d::Vec4>)>,
    count: u32,
}

impl Squares {
    /// Returns one square without attributes.
    pub fn one(context: &Context) -> Self {
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| vec2(x, y));
        Self {
            corners: VertexBuffer::new_with_data(context, &corners),
            elements: ElementBuffer::new_with_data(context, &[0, 1, 2, 0, 2, 3]),
            attributes: Vec::new(),
            count: 1,
        }
    }

    /// Returns no squares yet, with the names of their attributes.
    pub fn with_attributes(context: &Context, names: &[&'static str]) -> Self {
        let buffer = |&name| (name, InstanceBuffer::new(context));
        Self {
            attributes: names.iter().map(buffer).collect(),
            count: 0,
            ..Self::one(context)
        }
    }

    /// Replaces all squares by those with these attributes.
    pub fn fill<const N: usize>(&mut self, squares: impl Iterator<Item = [[f32; 4]; N]>) {
        let mut values: [Vec<three_d::Vec4>; N] = std::array::from_fn(|_| Vec::new());
        for square in squares {
            for (all, value) in values.iter_mut().zip(square) {
                all.push(value.into());
            }
        }
        self.count = values[0].len() as u32;
        if self.count > 0 {
            for ((_, buffer), values) in self.attributes.iter_mut().zip(&values) {
                buffer.fill(values);
            }
        }
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Draws all squares.
    pub fn draw(&self, program: &Program, states: RenderStates, viewport: Viewport) {
        program.use_vertex_attribute("corner", &self.corners);
        for (name, buffer) in &self.attributes {
            program.use_instance_attribute(name, buffer);
        }
        program.draw_elements_instanced(states, viewport, &self.elements, self.count);
    }
}
