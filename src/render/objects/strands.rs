//! Strands as camera-facing ribbons. The vertex shader reads each strand from textures.
//!
//! Per strand the GPU holds 32 bytes that change only with the groom and 16 bytes
//! that change every frame; the ribbon itself is one small template, instanced.

use super::light::Studio;
use super::strand_colors::{TintTexture, Tints, dyes};
use crate::groom::Groom;
use crate::look::HairLook;
use crate::render::gpu::convert;
use crate::render::gpu::shape::{Shape, ShapeGeometry};
use crate::render::gpu::texture::TexelList;
use std::cell::RefCell;
use std::rc::Rc;
use three_d::*;

/// Segments of a drawn strand. A quadratic Bezier bent by 90 degrees is then within half a per cent
/// of its length.
const SEGMENTS: u32 = 8;
/// Largest number of segments of a drawn strand that has particles.
const MAX_SEGMENTS: u32 = 24;
/// Strands per instance: enough that instancing costs nothing, few enough that the
/// template stays in cache.
const BATCH: u32 = 64;
/// Texels per row of textures with one texel per strand; a million strands need 977 rows.
const ROW: u32 = 1024;
/// Texels per row of a texture with particles. The 128 million particles of two million strands fit
/// into the 16,384 rows that common drivers have.
const PARTICLE_ROW: u32 = 8192;

/// Up to this number of strands each one is drawn with at least [`FEW_WIDTH_PX`].
const FEW: u32 = 200;
/// Smallest drawn width of few strands, pixels.
const FEW_WIDTH_PX: f32 = 2.0;
/// Smallest drawn width of many strands and of shadows, drawn pixels.
const MANY_WIDTH_PX: f32 = 0.9;

/// All strands of a groom on the GPU.
pub struct StrandShape {
    context: Context,
    ribbons: Template,
    /// The ribbons that cast the shadow. They have half the segments, as the shadow map is coarse.
    shadows: Template,
    root_length: TexelList<[f32; 4]>,
    direction_seed: TexelList<[f32; 4]>,
    /// Drawn tips, or particles.
    points: TexelList<[f32; 4]>,
    points_per_strand: u32,
    /// Colours in place of the look's.
    tints: Option<TintTexture>,
    /// Colours and widths of the groom.
    dyes: Option<TexelList<[u8; 4]>>,
    count: u32,
    pub world_from_head: three_d::Mat4,
    pub look: HairLook,
    /// Drawn pixels per pixel of the picture, for widths in pixels.
    pub pixel_scale: f32,
}

impl StrandShape {
    /// Uploads a groom. `None` if it is empty.
    pub fn geometry(
        context: &Context,
        groom: &Groom,
        look: &HairLook,
    ) -> Option<ShapeGeometry<Self>> {
        let count = u32::try_from(groom.len()).ok().filter(|&count| count > 0)?;
        let texel = |v: glam::Vec3, w: f32| v.extend(w).to_array();
        let roots = groom.roots.iter().zip(&groom.lengths);
        let roots = roots.map(|(&root, &length)| texel(root, length));
        // The multiples of the golden ratio are evenly spread for any count.
        let seeds = (0..).map(|i: u32| (f64::from(i) * 0.618_033_988_749_895).fract() as f32);
        let directions = groom.directions.iter().zip(seeds);
        let directions = directions.map(|(&direction, seed)| texel(direction, seed));
        let tip = |i: usize| groom.roots[i] + groom.directions[i] * groom.lengths[i];
        let mut points = TexelList::new(context, ROW, count);
        points.fill((0..groom.len()).map(|i| texel(tip(i), 0.0)));
        let shape = Self {
            context: context.clone(),
            ribbons: Template::new(context, SEGMENTS),
            shadows: Template::new(context, SEGMENTS / 2),
            root_length: TexelList::fixed(context, ROW, count, roots),
            direction_seed: TexelList::fixed(context, ROW, count, directions),
            points,
            points_per_strand: 1,
            tints: None,
            dyes: dyes(context, groom),
            count,
            world_from_head: Mat4::identity(),
            look: look.clone(),
            pixel_scale: 1.0,
        };
        Some(ShapeGeometry::new(context, shape))
    }

    /// Shows other points in world space, `per_strand` of `[x, y, z, _]` for each strand: its tip
    /// if that is 1, else its particles, root first.
    pub fn set_points(&mut self, points: &[[f32; 4]], per_strand: usize) {
        let per_strand = per_strand.max(1) as u32;
        if per_strand != self.points_per_strand {
            self.set_points_per_strand(per_strand);
        }
        let count = points.len().min((self.count * per_strand) as usize);
        self.points.fill(points[..count].iter().copied());
    }

    /// Replaces the colours of the look, or restores them for `None` and for tints of another
    /// number of strands. Returns whether they are replaced.
    pub fn set_tints(&mut self, tints: Option<&Tints>) -> bool {
        let Some(tints) = tints else {
            self.tints = None;
            return false;
        };
        let old = self.tints.take();
        let replaced = old.and_then(|mut old| old.replace(tints, self.count).then_some(old));
        self.tints = replaced.or_else(|| TintTexture::new(&self.context, tints, self.count));
        self.tints.is_some()
    }

    /// Whether the groom has colours or widths of its own.
    pub fn is_dyed(&self) -> bool {
        self.dyes.is_some()
    }

    fn set_points_per_strand(&mut self, per_strand: u32) {
        let (row, segments) = if per_strand == 1 {
            (ROW, SEGMENTS)
        } else {
            let segments = (2 * (per_strand - 1)).clamp(SEGMENTS, MAX_SEGMENTS);
            (PARTICLE_ROW, segments.max(per_strand - 1))
        };
        self.points_per_strand = per_strand;
        self.points = TexelList::new(&self.context, row, self.count * per_strand);
        self.ribbons = Template::new(&self.context, segments);
        self.shadows = Template::new(&self.context, segments / 2);
    }
}

/// The ribbons of one batch of strands.
struct Template {
    /// Strand within the batch, place along it, side.
    corners: VertexBuffer<three_d::Vec3>,
    elements: ElementBuffer<u32>,
}

impl Template {
    fn new(context: &Context, segments: u32) -> Self {
        let mut corners = Vec::new();
        let mut elements = Vec::new();
        for strand in 0..BATCH {
            let first = corners.len() as u32;
            for ring in 0..=segments {
                for side in [-1.0, 1.0] {
                    corners.push(vec3(strand as f32, ring as f32 / segments as f32, side));
                }
            }
            for segment in 0..segments {
                let a = first + 2 * segment;
                elements.extend([a, a + 1, a + 2, a + 2, a + 1, a + 3]);
            }
        }
        Self {
            corners: VertexBuffer::new_with_data(context, &corners),
            elements: ElementBuffer::new_with_data(context, &elements),
        }
    }
}

impl Shape for StrandShape {
    const NAME: &'static str = "strands";

    fn id(&self) -> u16 {
        let id = if self.tints.is_some() { 0x0006 } else { 0x0001 };
        id + 0x0010 * u16::from(self.is_dyed())
    }

    fn vertex_shader(&self) -> String {
        let tinted = self.tints.as_ref().map_or("", |_| "#define TINTED\n");
        let dyed = self.dyes.as_ref().map_or("", |_| "#define DYED\n");
        tinted.to_owned() + dyed + include_str!("strands.vert")
    }

    fn draw(&self, viewer: &dyn Viewer, program: &Program, states: RenderStates) {
        let projection = viewer.projection();
        let is_shadow = projection.w.w == 1.0;
        // Widths in pixels are those of the picture, not of the shadow map.
        let (viewpoint, width_px, template) = match is_shadow {
            true => {
                let view = viewer.view();
                (vec4(view.x.z, view.y.z, view.z.z, 0.0), 0.0, &self.shadows)
            }
            false => {
                let width_px = self.look.width_px * self.pixel_scale;
                (viewer.position().extend(1.0), width_px, &self.ribbons)
            }
        };
        let min_width_px = match is_shadow || self.count > FEW {
            true => MANY_WIDTH_PX,
            false => FEW_WIDTH_PX * self.pixel_scale,
        };
        let height = viewer.viewport().height as f32;
        program.use_uniform("viewProjection", projection * viewer.view());
        program.use_uniform("worldFromHead", self.world_from_head);
        program.use_uniform("viewpoint", viewpoint);
        program.use_uniform("pixelSize", 2.0 / (projection.y.y * height));
        program.use_uniform("radius", self.look.radius);
        program.use_uniform("taper", self.look.taper);
        program.use_uniform("straight", i32::from(self.look.straight));
        program.use_uniform("widthPx", width_px);
        program.use_uniform("minWidthPx", min_width_px);
        program.use_uniform("strandCount", self.count as i32);
        program.use_uniform("batch", BATCH as i32);
        program.use_uniform("pointsPerStrand", self.points_per_strand as i32);
        self.root_length.use_as(program, "rootLength");
        self.direction_seed.use_as(program, "directionSeed");
        self.points.use_as(program, "points");
        if let Some(tints) = &self.tints {
            tints.use_uniforms(program);
        }
        if let Some(dyes) = &self.dyes {
            dyes.use_as(program, "dyes");
        }
        program.use_vertex_attribute("corner", &template.corners);
        program.draw_elements_instanced(
            states,
            viewer.viewport(),
            &template.elements,
            self.count.div_ceil(BATCH),
        );
    }
}

/// The shading of strands.
pub struct HairMaterial {
    pub look: HairLook,
    pub studio: Rc<RefCell<Studio>>,
    /// Whether tints replace the colours of the look.
    pub is_tinted: bool,
    /// Whether the groom has colours or widths of its own.
    pub is_dyed: bool,
}

impl Material for HairMaterial {
    fn fragment_shader_source(&self, _lights: &[&dyn Light]) -> String {
        let lit = if self.look.lit { "#define LIT\n" } else { "" };
        let tinted = if self.is_tinted {
            "#define TINTED\n"
        } else {
            ""
        };
        let dyed = if self.is_dyed { "#define DYED\n" } else { "" };
        lit.to_owned() + tinted + dyed + include_str!("lighting.glsl") + include_str!("hair.frag")
    }

    fn id(&self) -> EffectMaterialId {
        let variants = [self.look.lit, self.is_tinted, self.is_dyed];
        let bits = variants
            .iter()
            .rev()
            .fold(0, |bits, &is| 2 * bits + u16::from(is));
        EffectMaterialId(0x0200 + bits)
    }

    fn use_uniforms(&self, program: &Program, viewer: &dyn Viewer, _lights: &[&dyn Light]) {
        self.studio.borrow().use_uniforms(program, viewer);
        let color = |c: [f32; 3]| {
            if self.look.lit {
                convert::linear_from_srgb(c)
            } else {
                c.into()
            }
        };
        program.use_uniform_if_required("rootColor", color(self.look.root_color));
        program.use_uniform_if_required("tipColor", color(self.look.tip_color));
        program.use_uniform_if_required("gloss", self.look.gloss);
    }

    fn render_states(&self) -> RenderStates {
        RenderStates {
            cull: Cull::None,
            ..Default::default()
        }
    }

    fn material_type(&self) -> MaterialType {
        MaterialType::Opaque
    }
}
