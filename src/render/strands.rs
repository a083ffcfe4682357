//! Strands as camera-facing ribbons, pulled by strand number from textures.
//!
//! Per strand the GPU holds 32 bytes that change only with the groom and 16 bytes
//! that change every frame; the ribbon itself is one small template, instanced.

use super::convert;
use super::dyes::DyeTexture;
use super::light::Studio;
use super::tints::{TintTexture, Tints};
use crate::groom::Groom;
use crate::look::HairLook;
use std::cell::RefCell;
use std::rc::Rc;
use three_d::*;

/// Segments of a drawn strand: a quadratic Bezier bent by 90 degrees is then
/// within half a per cent of its length.
const SEGMENTS: u32 = 8;
/// Most segments of a drawn strand that has particles.
const MOST_SEGMENTS: u32 = 24;
/// Strands per instance: enough that instancing costs nothing, few enough that the
/// template stays in cache.
const BATCH: u32 = 64;
/// Texels per row of textures with one texel a strand; a million strands need 977 rows.
const ROW: u32 = 1024;
/// Texels per row of a texture with particles: the 128 million of two million strands are within
/// the 16,384 rows that common drivers have.
const PARTICLE_ROW: u32 = 8192;

/// So few strands are looked at one by one...
const FEW: u32 = 200;
/// ...and are at least so wide, pixels.
const FEW_WIDTH_PX: f32 = 2.0;

/// All strands of a groom on the GPU.
pub(super) struct StrandGeometry {
    context: Context,
    ribbons: Template,
    /// What casts the shadow: half the segments, since the map's texels are as coarse.
    shadows: Template,
    root_length: Texture2D,
    direction_seed: Texture2D,
    /// Drawn tips, or particles.
    points: Texture2D,
    points_per_strand: u32,
    /// Colours in place of the look's.
    tints: Option<TintTexture>,
    /// Widths and colours of their own.
    dyes: Option<DyeTexture>,
    count: u32,
    /// Reused to pad the last row of `points`.
    padded: Vec<[f32; 4]>,
    pub(super) world_from_head: three_d::Mat4,
    pub(super) look: HairLook,
    /// Drawn pixels per pixel of the picture, for widths that are given in pixels.
    pub(super) pixel_scale: f32,
}

impl StrandGeometry {
    /// `None` for an empty groom: there is nothing to draw.
    pub(super) fn new(context: &Context, groom: &Groom, look: &HairLook) -> Option<Self> {
        let count = u32::try_from(groom.len()).ok().filter(|&count| count > 0)?;
        let rows = count.div_ceil(ROW);
        let texture = || texture(context, ROW, rows);
        let mut geometry = Self {
            context: context.clone(),
            ribbons: Template::new(context, SEGMENTS),
            shadows: Template::new(context, SEGMENTS / 2),
            root_length: texture(),
            direction_seed: texture(),
            points: texture(),
            points_per_strand: 1,
            tints: None,
            dyes: DyeTexture::of(context, groom),
            count,
            padded: vec![[0.0; 4]; (ROW * rows) as usize],
            world_from_head: Mat4::identity(),
            look: look.clone(),
            pixel_scale: 1.0,
        };
        let rows_of = |v: glam::Vec3, w: f32| [v.x, v.y, v.z, w];
        let roots = groom
            .roots
            .iter()
            .zip(&groom.lengths)
            .map(|(&root, &length)| rows_of(root, length));
        geometry.upload(roots, |g| &g.root_length);
        // The golden ratio's multiples are evenly spread whatever the count.
        let seeds = (0..).map(|i: u32| (f64::from(i) * 0.618_033_988_749_895).fract() as f32);
        let directions = groom
            .directions
            .iter()
            .zip(seeds)
            .map(|(&d, seed)| rows_of(d, seed));
        geometry.upload(directions, |g| &g.direction_seed);
        let tips = (0..groom.len())
            .map(|i| rows_of(groom.roots[i] + groom.directions[i] * groom.lengths[i], 0.0));
        geometry.upload(tips, |g| &g.points);
        Some(geometry)
    }

    fn upload(
        &mut self,
        texels: impl Iterator<Item = [f32; 4]>,
        texture: impl Fn(&Self) -> &Texture2D,
    ) {
        for (slot, texel) in self.padded.iter_mut().zip(texels) {
            *slot = texel;
        }
        texture(self).fill(&self.padded);
    }

    /// World-space points, `per_strand` of `[x, y, z, _]` for each strand: 1, its tip; more, its
    /// particles, root first.
    pub(super) fn set_points(&mut self, points: &[[f32; 4]], per_strand: usize) {
        let per_strand = per_strand.max(1) as u32;
        if per_strand != self.points_per_strand {
            self.make_room(per_strand);
        }
        let count = points.len().min((self.count * per_strand) as usize);
        self.padded[..count].copy_from_slice(&points[..count]);
        self.points.fill(&self.padded);
    }

    /// Colours strands otherwise than the look does; `None`, or colours for another number of
    /// strands: as the look does. Gives whether they are.
    pub(super) fn set_tints(&mut self, tints: Option<&Tints>) -> bool {
        let Some(tints) = tints else {
            self.tints = None;
            return false;
        };
        let taken = (self.tints.as_mut()).is_some_and(|shown| shown.take(tints, self.count));
        if !taken {
            self.tints = TintTexture::new(&self.context, tints, self.count);
        }
        self.tints.is_some()
    }

    /// Have strands widths or colours of their own?
    pub(super) fn is_dyed(&self) -> bool {
        self.dyes.is_some()
    }

    /// Narrowest that a strand is drawn, drawn pixels: many make a picture together, one must be seen
    /// by itself.
    fn least_width_px(&self, shadow: bool) -> f32 {
        if shadow || self.count > FEW {
            0.9
        } else {
            FEW_WIDTH_PX * self.pixel_scale
        }
    }

    /// Takes on another number of points for each strand.
    fn make_room(&mut self, per_strand: u32) {
        let (row, segments) = if per_strand == 1 {
            (ROW, SEGMENTS)
        } else {
            let segments = (2 * (per_strand - 1)).clamp(SEGMENTS, MOST_SEGMENTS);
            (PARTICLE_ROW, segments.max(per_strand - 1))
        };
        let rows = (self.count * per_strand).div_ceil(row);
        self.points_per_strand = per_strand;
        self.points = texture(&self.context, row, rows);
        self.padded = vec![[0.0; 4]; (row * rows) as usize];
        self.ribbons = Template::new(&self.context, segments);
        self.shadows = Template::new(&self.context, segments / 2);
    }
}

/// A texture to be read texel by texel.
fn texture(context: &Context, width: u32, height: u32) -> Texture2D {
    Texture2D::new_empty::<[f32; 4]>(
        context,
        width,
        height,
        Interpolation::Nearest,
        Interpolation::Nearest,
        None,
        Wrapping::ClampToEdge,
        Wrapping::ClampToEdge,
    )
}

/// The ribbons of one batch, to be instanced.
struct Template {
    /// Strand within the batch, place along it, side.
    corners: VertexBuffer<three_d::Vec3>,
    /// Triangles.
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

impl Geometry for StrandGeometry {
    fn draw(&self, viewer: &dyn Viewer, program: &Program, render_states: RenderStates) {
        let projection = viewer.projection();
        let orthographic = projection.w.w == 1.0;
        let viewpoint = if orthographic {
            let view = viewer.view();
            vec4(view.x.z, view.y.z, view.z.z, 0.0)
        } else {
            viewer.position().extend(1.0)
        };
        let height = viewer.viewport().height as f32;
        program.use_uniform("viewProjection", projection * viewer.view());
        program.use_uniform("worldFromHead", self.world_from_head);
        program.use_uniform("viewpoint", viewpoint);
        program.use_uniform("pixelSize", 2.0 / (projection.y.y * height));
        program.use_uniform("radius", self.look.radius);
        program.use_uniform("taper", self.look.taper);
        program.use_uniform("straight", i32::from(self.look.straight));
        // The light's pixels are not the picture's.
        let width_px = if orthographic {
            0.0
        } else {
            self.look.width_px * self.pixel_scale
        };
        program.use_uniform("widthPx", width_px);
        program.use_uniform("minWidthPx", self.least_width_px(orthographic));
        program.use_uniform("strandCount", self.count as i32);
        program.use_uniform("batch", BATCH as i32);
        program.use_texture("rootLength", &self.root_length);
        program.use_texture("directionSeed", &self.direction_seed);
        program.use_texture("points", &self.points);
        program.use_uniform("pointsPerStrand", self.points_per_strand as i32);
        if let Some(tints) = &self.tints {
            tints.use_uniforms(program);
        }
        if let Some(dyes) = &self.dyes {
            dyes.use_uniforms(program);
        }
        let template = if orthographic {
            &self.shadows
        } else {
            &self.ribbons
        };
        program.use_vertex_attribute("corner", &template.corners);
        program.draw_elements_instanced(
            render_states,
            viewer.viewport(),
            &template.elements,
            self.count.div_ceil(BATCH),
        );
    }

    fn vertex_shader_source(&self) -> String {
        let tinted = self.tints.as_ref().map_or("", |_| "#define TINTED\n");
        let dyed = self.dyes.as_ref().map_or("", |_| "#define DYED\n");
        tinted.to_owned() + dyed + include_str!("shaders/strands.vert")
    }

    fn id(&self) -> GeometryId {
        let id = if self.tints.is_some() { 0x0006 } else { 0x0001 };
        GeometryId(id + 0x0010 * u16::from(self.is_dyed()))
    }

    fn render_with_material(
        &self,
        material: &dyn Material,
        viewer: &dyn Viewer,
        lights: &[&dyn Light],
    ) {
        let drawn = render_with_material(&self.context, viewer, self, material, lights);
        if let Err(error) = drawn {
            tracing::error!("strands cannot be drawn: {error}");
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
            tracing::error!("strands cannot be drawn: {error}");
        }
    }

    fn aabb(&self) -> AxisAlignedBoundingBox {
        AxisAlignedBoundingBox::INFINITE
    }
}

/// The strands' shading.
pub(super) struct HairMaterial {
    pub(super) look: HairLook,
    pub(super) studio: Rc<RefCell<Studio>>,
    /// The strands have other colours than the look's.
    pub(super) tinted: bool,
    /// The strands have widths or colours of their own.
    pub(super) dyed: bool,
}

impl Material for HairMaterial {
    fn fragment_shader_source(&self, _lights: &[&dyn Light]) -> String {
        let lit = if self.look.lit { "#define LIT\n" } else { "" };
        let tinted = if self.tinted { "#define TINTED\n" } else { "" };
        let dyed = if self.dyed { "#define DYED\n" } else { "" };
        lit.to_owned()
            + tinted
            + dyed
            + include_str!("shaders/lighting.glsl")
            + include_str!("shaders/hair.frag")
    }

    fn id(&self) -> EffectMaterialId {
        let variants = [self.look.lit, self.tinted, self.dyed];
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
