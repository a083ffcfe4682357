//! Matte solids: spheres and capsules in the world, and an ellipsoid in place of a head.

use super::surface::Surface;
use crate::render::convert;
use glam::{Quat, Vec3};
use std::f32::consts::{PI, TAU};
use three_d::{Context, CpuMesh, Indices, Mat4, Positions};

/// Largest distance of a facet from the smooth surface, decimetres. Hair lies on the smooth
/// surface.
const FLATNESS: f32 = 0.002;
/// Smallest and largest number of facets around a solid.
const FACETS: [u32; 2] = [64, 384];

/// sRGB of ribbons.
const RIBBON: [f32; 3] = [0.55, 0.06, 0.12];
/// The radius of a ribbon around hair of radius 1: some strands stand out.
const WOUND: f32 = 1.35;
/// Half the thickness and half the height of a ribbon of radius 1.
const RIBBON_SIZE: [f32; 2] = [0.16, 0.45];

/// sRGB of solids without highlight.
const PLAIN: [f32; 3] = [0.60, 0.62, 0.65];

/// The highlight of a solid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Highlight {
    /// No highlight.
    #[default]
    Plain,
    /// The pointer is over the solid.
    Hovered,
    /// The solid is selected.
    Selected,
}

/// A sphere, or a capsule between two ends, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// Centre of the sphere, or one end of the capsule, decimetres.
    pub from: Vec3,
    /// The other end; `None` for a sphere.
    pub to: Option<Vec3>,
    /// The radius, decimetres.
    pub radius: f32,
    /// The highlight.
    pub highlight: Highlight,
}

/// A ribbon that is wound around hair, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ring {
    /// The middle, decimetres.
    pub place: Vec3,
    /// The direction of the hair, unit.
    pub axis: Vec3,
    /// The radius of the hair, decimetres.
    pub radius: f32,
}

/// Solids on the GPU.
pub struct Solids {
    context: Context,
    shown: Vec<(Solid, Surface)>,
    rings: Vec<(Option<Ring>, Surface)>,
    ellipsoid: Option<Surface>,
    changed: bool,
}

impl Solids {
    pub(crate) fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            shown: Vec::new(),
            rings: Vec::new(),
            ellipsoid: None,
            changed: false,
        }
    }

    /// Shows other spheres and capsules in the world. Those that did not change stay on the GPU.
    pub fn set(&mut self, solids: &[Solid]) {
        self.changed |= self.shown.len() > solids.len();
        self.shown.truncate(solids.len());
        for (i, solid) in solids.iter().enumerate() {
            if self.shown.get(i).is_some_and(|(shown, _)| shown == solid) {
                continue;
            }
            self.changed = true;
            let color = match solid.highlight {
                Highlight::Plain => PLAIN,
                Highlight::Hovered => [0.76, 0.80, 0.84],
                Highlight::Selected => [0.46, 0.68, 0.77],
            };
            let to = solid.to.unwrap_or(solid.from);
            let mesh = capsule(solid.from, to, Vec3::splat(solid.radius));
            let surface = (*solid, Surface::matte(&self.context, &mesh, color));
            match self.shown.get_mut(i) {
                Some(shown) => *shown = surface,
                None => self.shown.push(surface),
            }
        }
    }

    /// Shows ribbons in the world. Returns whether they differ from those before.
    pub fn set_rings(&mut self, rings: &[Ring]) -> bool {
        let mut differ = self.rings.len() > rings.len();
        self.rings.truncate(rings.len());
        while self.rings.len() < rings.len() {
            let surface = Surface::matte(&self.context, &ribbon(), RIBBON);
            self.rings.push((None, surface));
        }
        for ((shown, surface), ring) in self.rings.iter_mut().zip(rings) {
            if *shown == Some(*ring) {
                continue;
            }
            differ = true;
            *shown = Some(*ring);
            let turn = Quat::from_rotation_arc(Vec3::Y, ring.axis);
            let scale = Vec3::splat(WOUND * ring.radius);
            let world = glam::Mat4::from_scale_rotation_translation(scale, turn, ring.place);
            surface.mesh.set_transformation(convert::mat4(world));
        }
        differ
    }

    /// Shows an ellipsoid (centre and half axes, head space) in place of a head, or removes it.
    pub fn set_ellipsoid(&mut self, ellipsoid: Option<(Vec3, Vec3)>) {
        self.changed = true;
        self.ellipsoid = ellipsoid.map(|(center, radii)| {
            Surface::matte(&self.context, &capsule(center, center, radii), PLAIN)
        });
    }

    /// Sets the pose of the ellipsoid.
    pub(crate) fn set_pose(&mut self, world_from_head: Mat4) {
        if let Some(ellipsoid) = &mut self.ellipsoid {
            ellipsoid.mesh.set_transformation(world_from_head);
        }
    }

    /// Returns `true` if other solids are shown since the last call.
    pub(crate) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Returns all solids.
    pub(crate) fn surfaces(&self) -> impl Iterator<Item = &Surface> {
        self.shown
            .iter()
            .map(|(_, surface)| surface)
            .chain(self.rings.iter().map(|(_, surface)| surface))
            .chain(&self.ellipsoid)
    }
}

/// Returns the mesh of a ribbon around hair of radius 1 along y: a ring of elliptical section.
fn ribbon() -> CpuMesh {
    const AROUND: [u32; 2] = [48, 12];
    let [thick, high] = RIBBON_SIZE;
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for i in 0..=AROUND[0] {
        let (east, north) = (TAU * i as f32 / AROUND[0] as f32).sin_cos();
        let out = Vec3::new(east, 0.0, north);
        for j in 0..=AROUND[1] {
            let (up, away) = (TAU * j as f32 / AROUND[1] as f32).sin_cos();
            positions.push(convert::vec3(
                out * (1.0 + thick * away) + Vec3::Y * (high * up),
            ));
            normals.push(convert::vec3(
                (out * (away / thick) + Vec3::Y * (up / high)).normalize(),
            ));
        }
    }
    mesh(AROUND, positions, normals)
}

/// Returns the mesh of two half ellipsoids with straight sides between them:
///
/// ```text
///   ring 0          the pole beyond `to`
///    ...            half an ellipsoid around `to`
///   ring half       its equator
///   ring half + 1   the same around `from`: straight sides in between
///    ...
///   last ring       the pole beyond `from`
/// ```
fn capsule(from: Vec3, to: Vec3, radii: Vec3) -> CpuMesh {
    let around = facets(radii.max_element());
    let half = around / 4;
    let axis = (to - from).normalize_or(Vec3::Y);
    let upright = Quat::from_rotation_arc(Vec3::Y, axis);
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for ring in 0..=2 * half + 1 {
        let (center, step) = if ring <= half {
            (to, ring)
        } else {
            (from, ring - 1)
        };
        let (sin, cos) = (PI * step as f32 / (2 * half) as f32).sin_cos();
        for i in 0..=around {
            let (east, north) = (TAU * i as f32 / around as f32).sin_cos();
            let unit = upright * Vec3::new(sin * east, cos, sin * north);
            positions.push(convert::vec3(center + unit * radii));
            normals.push(convert::vec3((unit / radii).normalize_or(axis)));
        }
    }
    mesh([2 * half + 1, around], positions, normals)
}

/// Returns the mesh of a grid of this many bands of facets, each from one ring of vertices to the
/// next. The first vertex of a ring stands again at its end.
fn mesh(
    [bands, around]: [u32; 2],
    positions: Vec<three_d::Vec3>,
    normals: Vec<three_d::Vec3>,
) -> CpuMesh {
    let row = around + 1;
    let quads = (0..bands).flat_map(|ring| (0..around).map(move |i| ring * row + i));
    let triangles = quads.flat_map(|a| [a, a + row, a + 1, a + 1, a + row, a + row + 1]);
    CpuMesh {
        positions: Positions::F32(positions),
        indices: Indices::U32(triangles.collect()),
        normals: Some(normals),
        ..CpuMesh::default()
    }
}

/// Returns the number of facets around a circle that are within [`FLATNESS`] of it: a chord of
/// angle 2a leaves r (1 - cos a), about r a² / 2.
fn facets(radius: f32) -> u32 {
    let count = PI * (radius / (2.0 * FLATNESS)).sqrt();
    let [min, max] = FACETS;
    // Whole quarters, so that there are vertices at the poles and on the equator.
    (count as u32).clamp(min, max).next_multiple_of(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(mesh: &CpuMesh) -> Vec<Vec3> {
        let points = mesh.positions.to_f32();
        points.iter().map(|p| Vec3::new(p.x, p.y, p.z)).collect()
    }

    #[test]
    fn capsules_have_round_ends_and_face_outwards() {
        let (from, to) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.5, 1.0, 3.2));
        let mesh = capsule(from, to, Vec3::splat(0.3));
        let points = points(&mesh);
        let outward = |p: Vec3| {
            let axis = to - from;
            let along = ((p - from).dot(axis) / axis.length_squared()).clamp(0.0, 1.0);
            p - (from + along * axis)
        };
        for &p in &points {
            let off = outward(p).length();
            assert!((off - 0.3).abs() < 1e-4, "{p} is {off} from the line");
        }
        let Indices::U32(indices) = &mesh.indices else {
            panic!("indices of 32 bits");
        };
        for corners in indices.as_chunks().0 {
            let [a, b, c] = corners.map(|i| points[i as usize]);
            let outward = outward((a + b + c) / 3.0);
            assert!((b - a).cross(c - a).dot(outward) > -1e-7, "{a} {b} {c}");
        }
    }

    #[test]
    fn ellipsoids_are_exact_and_large_ones_have_more_facets() {
        let (center, radii) = (Vec3::Y, Vec3::new(0.5, 1.0, 2.0));
        for p in points(&capsule(center, center, radii)) {
            let level = ((p - center) / radii).length();
            assert!((level - 1.0).abs() < 1e-4, "{p}: {level}");
        }
        assert!(facets(0.3) == 64 && facets(5.0) > 100 && facets(1e9) == 384);
    }
}
