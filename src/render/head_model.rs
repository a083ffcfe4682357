//! A head on the GPU: the surfaces of its parts, and the light from the sky that reaches them.

use super::coarse::coarse;
use super::convert;
use super::frame::Frame;
use super::occlusion::sky_shares;
use super::outline::Bounds;
use super::surface::{Surface, upload};
use crate::head::{self, AlphaMode};
use std::rc::Rc;
use three_d::*;

/// Largest height of a head that ends at its neck or below its shoulders, decimetres.
const BUST: f32 = 4.6;
/// Height of its lowest part that is not seen at all, decimetres.
const CUT: f32 = 0.06;
/// Models that are lower than this, decimetres, fade over less in proportion: a lawn has no neck.
const LOW: f32 = 2.0;

/// Mean areas of triangles below which skin is fine, and what mirrors its surroundings, square
/// decimetres.
const FINE_SKIN: f32 = 0.004;
const FINE_GLASS: f32 = 0.000_4;

/// The parts of a head on the GPU.
pub struct HeadModel {
    /// The surfaces and the numbers of their parts.
    parts: Vec<(usize, Surface)>,
    /// The lowest and the highest point, head space.
    extent: [f32; 2],
}

impl HeadModel {
    /// Uploads a head.
    pub fn new(context: &Context, head: &head::Head) -> Self {
        Self::in_parts(context, head, &mut || ())
    }

    /// Uploads a head. `between` is called between parts of the work that take long.
    pub fn in_parts(context: &Context, head: &head::Head, between: &mut dyn FnMut()) -> Self {
        let textures = head.textures.iter().map(|texture| {
            between();
            Rc::new(upload(context, texture))
        });
        let textures: Vec<_> = textures.collect();
        let surface = |part: &head::Part, sky_shares: Option<&[f32]>| {
            let has_uvs = part.uvs.is_some();
            let texture = |index: Option<usize>| textures.get(index.filter(|_| has_uvs)?).cloned();
            let material = &head.materials[part.material];
            let indices = [
                material.base_color_texture,
                material.metallic_roughness_texture,
                material.normal_texture,
                material.emissive_texture,
                material.sheen_texture,
            ];
            // Skin is rough; eyes and hair that is painted on cards are not skin.
            let is_skin = material.alpha == AlphaMode::Opaque
                && material.metallic < 0.5
                && (material.roughness > 0.3 || material.metallic_roughness_texture.is_some());
            let subsurface = if is_skin { 1.0 } else { 0.0 };
            let mesh = cpu_mesh(part, sky_shares);
            let mut surface = Surface::new(context, &mesh, material.clone(), subsurface);
            surface.textures = indices.map(texture);
            surface.fades = true;
            let is_plain =
                material.metallic == 0.0 && material.metallic_roughness_texture.is_none();
            let fine = match is_skin {
                true => FINE_SKIN,
                false => FINE_GLASS,
            };
            surface.is_fine = (is_skin || is_plain)
                && !material.double_sided
                && material.sheen == [0.0; 3]
                && mean_area(part) < fine;
            surface
        };
        // The alpha of opaque surfaces is not used otherwise.
        let is_opaque = |part: &&head::Part| {
            let is_surface = !part.triangles.is_empty();
            is_surface && head.materials[part.material].alpha == AlphaMode::Opaque
        };
        let opaque = || head.parts.iter().filter(is_opaque);
        let outside = Bounds::of(opaque().flat_map(|part| part.positions.iter().copied()));
        between();
        let hiding: Vec<_> = opaque()
            .map(|part| match coarse(part, &outside) {
                Some(coarse) => surface(&coarse, None),
                None => surface(part, None),
            })
            .collect();
        let triangles = hiding
            .iter()
            .map(|hiding| hiding.mesh.vertex_count() as usize / 3)
            .sum();
        let points: Vec<_> = opaque().flat_map(|part| &part.positions).copied().collect();
        let normals: Vec<_> = opaque().flat_map(|part| &part.normals).copied().collect();
        let draw_depth = |frame: &Frame| {
            let mut hiding = hiding.iter();
            hiding.try_for_each(|surface: &Surface| surface.draw_depth(frame))
        };
        let shares = sky_shares(context, triangles, &points, &normals, draw_depth, between);
        let shares = shares.unwrap_or_else(|_| vec![1.0; points.len()]);
        let mut rest = &shares[..];
        let surfaces = head.parts.iter().enumerate();
        let surfaces = surfaces.filter(|(_, part)| !part.triangles.is_empty());
        let parts = surfaces.map(|(number, part)| {
            let own = is_opaque(&part).then(|| {
                let (own, others) = rest.split_at(part.positions.len().min(rest.len()));
                rest = others;
                own
            });
            let inside = Bounds::of(part.positions.iter().copied());
            let mut surface = surface(part, own);
            surface.is_inner =
                inside.low.cmpge(outside.low).all() && inside.high.cmple(outside.high).all();
            (number, surface)
        });
        let surfaces = head.parts.iter().filter(|part| !part.triangles.is_empty());
        let heights = || {
            surfaces
                .clone()
                .flat_map(|part| &part.positions)
                .map(|p| p.y)
        };
        Self {
            parts: parts.collect(),
            extent: [
                heights().fold(f32::INFINITY, f32::min),
                heights().fold(f32::NEG_INFINITY, f32::max),
            ],
        }
    }

    /// Returns how a head or a bust fades out, as [`Frame::fade`] says, over a height in
    /// decimetres; `None` if it does not.
    pub(super) fn fade(&self, world_from_head: Mat4, height: f32) -> Option<Vec4> {
        let [low, high] = self.extent;
        let share = ((high - low) / LOW).min(1.0);
        let (height, cut) = (height * share, CUT * share);
        if height <= 0.0 || high - low > BUST {
            return None;
        }
        let up = world_from_head.y.truncate() / height;
        let middle = world_from_head.w.truncate();
        Some(up.extend(-middle.dot(up) - low / height - cut / height))
    }

    /// Shows the parts in other shapes: one for each part of the head.
    #[allow(deprecated)] // The setters without a buffer count the corners of triangles as vertices.
    pub(super) fn set_shapes(&mut self, shapes: &[head::PartShape]) {
        for (number, surface) in &mut self.parts {
            let Some(shape) = shapes.get(*number) else {
                continue;
            };
            let vectors =
                |all: &[glam::Vec3]| all.iter().map(|&v| convert::vec3(v)).collect::<Vec<_>>();
            let mesh = &mut surface.mesh;
            mesh.positions_mut().fill(&vectors(&shape.positions));
            if let Some(normals) = mesh.normals_mut() {
                normals.fill(&vectors(&shape.normals));
            }
            if let (Some(buffer), Some(tangents)) = (mesh.tangents_mut(), &shape.tangents) {
                let tangents = tangents.iter().map(|t| t.to_array().into());
                buffer.fill(&tangents.collect::<Vec<_>>());
            }
        }
    }

    /// Returns the height of the lowest point, head space.
    pub(super) fn lowest(&self) -> f32 {
        self.extent[0]
    }

    pub(super) fn set_pose(&mut self, world_from_head: Mat4) {
        for (_, part) in &mut self.parts {
            part.mesh.set_transformation(world_from_head);
        }
    }

    /// Returns the parts that cast shadows and hide what is behind them.
    pub(super) fn opaque(&self) -> impl Iterator<Item = &Surface> {
        let parts = self.parts.iter().map(|(_, part)| part);
        parts.filter(|part| !part.is_blended())
    }

    /// Returns the parts that are blended over the rest, farthest first: those within the head, which
    /// hair is in front of, or the others.
    pub(super) fn blended(&self, inner: bool, eye: Vec3) -> Vec<&Surface> {
        let parts = self.parts.iter().map(|(_, part)| part);
        let parts = parts.filter(|part| part.is_blended());
        let mut parts: Vec<_> = parts.filter(|part| part.is_inner == inner).collect();
        let distance = |part: &&Surface| part.mesh.aabb().center().distance2(eye);
        parts.sort_by(|a, b| distance(b).total_cmp(&distance(a)));
        parts
    }
}

/// Returns the mean area of the triangles of a part, square decimetres.
fn mean_area(part: &head::Part) -> f32 {
    let area = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|corner| part.positions[corner as usize]);
        0.5 * (b - a).cross(c - a).length()
    };
    part.triangles.iter().map(area).sum::<f32>() / part.triangles.len().max(1) as f32
}

/// Returns the mesh of a part. The share of the sky that vertices see replaces their alpha.
fn cpu_mesh(part: &head::Part, sky_shares: Option<&[f32]>) -> CpuMesh {
    CpuMesh {
        positions: Positions::F32(part.positions.iter().map(|&p| convert::vec3(p)).collect()),
        indices: Indices::U32(part.triangles.as_flattened().to_vec()),
        normals: Some(part.normals.iter().map(|&n| convert::vec3(n)).collect()),
        tangents: (part.tangents.as_ref())
            .map(|tangents| tangents.iter().map(|t| t.to_array().into()).collect()),
        uvs: (part.uvs.as_ref()).map(|uvs| uvs.iter().map(|uv| uv.to_array().into()).collect()),
        colors: match sky_shares {
            Some(shares) => Some(
                (shares.iter().enumerate())
                    .map(|(vertex, &share)| {
                        let color = part.colors.as_ref().and_then(|colors| colors.get(vertex));
                        let color = color.copied().unwrap_or(glam::Vec4::ONE);
                        srgba(&color.truncate().extend(share))
                    })
                    .collect(),
            ),
            None => (part.colors.as_ref()).map(|colors| colors.iter().map(srgba).collect()),
        },
    }
}

/// Converts a vertex colour from linear floats, as in glTF, to sRGB bytes, as in three-d.
fn srgba(linear: &glam::Vec4) -> Srgba {
    if linear.truncate() == glam::Vec3::ONE {
        return Srgba::new(
            255,
            255,
            255,
            (255.0 * linear.w.clamp(0.0, 1.0)).round() as u8,
        );
    }
    let byte = |c: f32| (255.0 * c.clamp(0.0, 1.0)).round() as u8;
    let [r, g, b] =
        (linear.truncate().to_array()).map(|c| byte(convert::srgb_from_linear(c.clamp(0.0, 1.0))));
    Srgba::new(r, g, b, byte(linear.w))
}
