//! Drawing with our own vertex shaders: programs with shared uniforms, blending, squares to draw
//! on, and textures whose texels are data.

use std::{cell::Cell, collections::hash_map::Entry, fmt::Display};
use three_d::*;

/// The vertex shader of a square that fills the viewport.
pub const WHOLE: &str = include_str!("whole.vert");

/// The outcome of drawing; the driver may refuse a shader.
pub type Drawn = Result<(), RendererError>;

/// Blends over the picture. Alpha adds up as coverage, so that transparent pictures stay right.
pub const OVER: Blend = blend_over(BlendMultiplierType::SrcAlpha);
/// Blends premultiplied colours over the picture.
pub const PREMULTIPLIED: Blend = blend_over(BlendMultiplierType::One);

const fn blend_over(source_rgb_multiplier: BlendMultiplierType) -> Blend {
    Blend::Enabled {
        source_rgb_multiplier,
        source_alpha_multiplier: BlendMultiplierType::One,
        destination_rgb_multiplier: BlendMultiplierType::OneMinusSrcAlpha,
        destination_alpha_multiplier: BlendMultiplierType::OneMinusSrcAlpha,
        rgb_equation: BlendEquationType::Add,
        alpha_equation: BlendEquationType::Add,
    }
}

/// The states of a square that replaces what is there.
pub const OPAQUE: RenderStates = RenderStates {
    write_mask: WriteMask::COLOR,
    depth_test: DepthTest::Always,
    blend: Blend::Disabled,
    cull: Cull::None,
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

/// The view of one picture, as programs with a vertex shader of their own need it.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    pub context: &'a Context,
    pub camera: &'a Camera,
    pub world_from_head: Mat4,
    /// Drawn pixels per pixel of the picture, for widths in pixels.
    pub pixel_scale: f32,
    /// The share of a head that is seen at a point: xyz times the point, plus w.
    pub fade: Vec4,
    /// `true` if all surfaces are lit by pixel, and have the bumps of their normal maps.
    pub fine: bool,
    /// The smallest width of a drawn strand, pixels. It is below 1 where samples are averaged.
    pub finest: f32,
    /// The turn of the shadow filter on surfaces, of 1: that of all pixels, and the share that
    /// differs from pixel to pixel. The samples of a picture differ in the first.
    pub filter_turn: [f32; 2],
}

impl<'a> Frame<'a> {
    /// The [`fade`](Self::fade) of what is seen whole.
    pub const UNFADED: Vec4 = Vec4::new(0.0, 0.0, 0.0, 1.0);

    /// Returns a plain view.
    pub fn new(context: &'a Context, camera: &'a Camera, world_from_head: Mat4) -> Self {
        Self {
            context,
            camera,
            world_from_head,
            pixel_scale: 1.0,
            fade: Self::UNFADED,
            fine: true,
            finest: 1.0,
            filter_turn: [0.0; 2],
        }
    }

    /// Returns the camera's projection times its view.
    pub fn clip_from_world(&self) -> Mat4 {
        self.camera.projection() * self.camera.view()
    }

    /// Calls `draw` with a [program](with_program) whose shared uniforms are set.
    pub fn with_program<S: Display>(
        &self,
        name: &str,
        defines: &[&str],
        shaders: impl FnOnce() -> [S; 2],
        draw: impl FnOnce(&Program),
    ) -> Drawn {
        with_program(self.context, name, defines, shaders, |program| {
            let viewport = self.camera.viewport();
            let [width, height] = [viewport.width as f32, viewport.height as f32];
            let projection = self.camera.projection();
            program.use_uniform_if_required("viewProjection", self.clip_from_world());
            program.use_uniform_if_required("worldFromHead", self.world_from_head);
            program.use_uniform_if_required("eye", self.camera.position());
            program.use_uniform_if_required("size", vec2(width, height));
            program.use_uniform_if_required("pixelSize", 2.0 / (projection.y.y * height));
            program.use_uniform_if_required("pixelScale", self.pixel_scale);
            draw(program);
        })
    }
}

/// The precision of texels, which is that of colours by default: strands and their numbers are
/// texels too.
const PRECISE: &str = "#ifdef GL_ES\nprecision highp sampler2D;\n#endif\n";

/// Calls `draw` with the program of a vertex and a fragment shader. The program is compiled when
/// `name` is first used with these `defines`; only then is `shaders` called.
pub fn with_program<S: Display>(
    context: &Context,
    name: &str,
    defines: &[&str],
    shaders: impl FnOnce() -> [S; 2],
    draw: impl FnOnce(&Program),
) -> Drawn {
    let rehearsal = REHEARSAL.get();
    let key = format!("mohawk {name} {}", defines.join(" ")).into_bytes();
    let mut programs = context.programs.write().unwrap_or_else(|e| e.into_inner());
    let program = match programs.entry(key) {
        Entry::Occupied(compiled) => compiled.into_mut(),
        Entry::Vacant(_) if rehearsal == Some(true) => return Ok(()),
        Entry::Vacant(empty) => {
            let defines: String = defines.iter().map(|d| format!("#define {d}\n")).collect();
            let [vertex, fragment] = shaders().map(|source| format!("{PRECISE}{defines}{source}"));
            REHEARSAL.set(rehearsal.map(|_| true));
            empty.insert(Program::from_source(context, &vertex, &fragment)?)
        }
    };
    if rehearsal.is_none() {
        draw(program);
    }
    Ok(())
}

thread_local! {
    /// Within a rehearsal: `true` if it has compiled its program.
    static REHEARSAL: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Calls `draw` for the programs that it uses: the first one that is missing is compiled, and nothing
/// is drawn. Returns `true` if none is missing.
pub fn rehearse<T, E>(draw: impl FnOnce() -> Result<T, E>) -> Result<bool, E> {
    REHEARSAL.set(Some(false));
    let drawn = draw();
    let compiled = REHEARSAL.take();
    drawn.map(|_| compiled == Some(false))
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

    /// Returns `true` if there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the number of squares.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Draws all squares.
    pub fn draw(&self, program: &Program, states: RenderStates, viewport: Viewport) {
        self.draw_first(self.count, program, states, viewport);
    }

    /// Draws the first squares, of which there are at least so many.
    pub fn draw_first(
        &self,
        count: u32,
        program: &Program,
        states: RenderStates,
        viewport: Viewport,
    ) {
        program.use_vertex_attribute("corner", &self.corners);
        for (name, buffer) in &self.attributes {
            program.use_instance_attribute(name, buffer);
        }
        program.draw_elements_instanced(states, viewport, &self.elements, count);
    }
}

/// Returns a blank texture without mipmaps that is clamped at its edges.
pub fn blank_texture<T: TextureDataType>(
    context: &Context,
    [width, height]: [u32; 2],
    filter: Interpolation,
) -> Texture2D {
    let clamp = Wrapping::ClampToEdge;
    Texture2D::new_empty::<T>(context, width, height, filter, filter, None, clamp, clamp)
}

/// Returns the width and the height of a texture of `len` texels: about a square, since common
/// drivers have only 16,384 rows for the 128 million particles of two million strands.
pub fn square_of(len: u32) -> [u32; 2] {
    let row = (f64::from(len).sqrt().ceil() as u32).max(1);
    [row, len.div_ceil(row).max(1)]
}

/// A texture that shaders read as a list of texels, row after row.
pub struct TexelList<T> {
    texture: Texture2D,
    /// Texels of all rows. The last row is padded.
    texels: Vec<T>,
}

impl<T: TextureDataType + Default + Clone> TexelList<T> {
    /// Returns a list of `len` texels.
    pub fn new(context: &Context, len: u32) -> Self {
        let size = square_of(len);
        Self {
            texture: blank_texture::<T>(context, size, Interpolation::Nearest),
            texels: vec![T::default(); size[0] as usize * size[1] as usize],
        }
    }

    /// Returns a list that is never filled again.
    pub fn fixed(context: &Context, len: u32, texels: impl Iterator<Item = T>) -> Self {
        let mut list = Self::new(context, len);
        list.fill(texels);
        list.texels = Vec::new();
        list
    }

    /// Replaces the first texels and uploads all. Texels beyond the end are ignored.
    pub fn fill(&mut self, texels: impl IntoIterator<Item = T>) {
        for (slot, texel) in self.texels.iter_mut().zip(texels) {
            *slot = texel;
        }
        self.texture.fill(&self.texels);
    }

    /// Returns the width and the height of the texture.
    pub fn size(&self) -> [u32; 2] {
        [self.texture.width(), self.texture.height()]
    }

    /// Returns the texels, in rows whose last is padded; none if the list is [fixed](Self::fixed).
    pub fn texels(&self) -> &[T] {
        &self.texels
    }

    /// Binds the texture to a sampler of a shader, if the shader has it.
    pub fn use_as(&self, program: &Program, name: &str) {
        if program.requires_uniform(name) {
            program.use_texture(name, &self.texture);
        }
    }
}
