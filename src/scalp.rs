//! The painted surface that hair grows on.

mod nearest;
#[cfg(test)]
mod tests;

pub(crate) use nearest::NearestFinder;

use crate::bvh::bounds;
use crate::head::{Head, MAX_COORDINATE, Part, smooth_normals, without_copies};
use crate::ply::{self, PlyEncoding};
use glam::{DVec3, Vec3};

/// Scalp triangles only: triangles whose three corners all have density above 0.
///
/// Structure of arrays: `positions`, `normals` and `density` are per vertex;
/// `triangles`, `face_normals` and `areas` are per triangle. Lengths are in
/// decimetres, in head space.
#[derive(Clone, Debug)]
pub struct Scalp {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    density: Vec<f32>,
    triangles: Vec<[u32; 3]>,
    face_normals: Vec<Vec3>,
    areas: Vec<f64>,
    area: f64,
}

/// A point of the scalp: a triangle and barycentric weights that sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Index into [`Scalp::triangles`].
    pub triangle: u32,
    /// Weights of the three corners.
    pub weights: Vec3,
}

/// An error of making a scalp of triangles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScalpError {
    /// The lists of positions, normals and densities have these different lengths.
    #[error("{0} positions, but {1} normals and {2} densities")]
    Lengths(usize, usize, usize),
    /// The position, normal or density of this vertex is NaN or infinite.
    #[error("vertex {0} has a position, normal or density that is not finite")]
    NotFinite(usize),
    /// The position of this vertex is beyond [`MAX_COORDINATE`].
    #[error("vertex {0} is at a coordinate beyond {MAX_COORDINATE}")]
    Far(usize),
    /// This triangle names a vertex that does not exist.
    #[error("triangle {0} names a vertex beyond the last")]
    BadIndex(usize),
    /// There are no triangles.
    #[error("it has no faces")]
    NoFaces,
    /// The density is 0 everywhere.
    #[error("no triangle has a density above 0 at a corner")]
    NoDensity,
    /// No triangle has an area.
    #[error("no triangle has an area")]
    NoArea,
}

/// A triangle is dropped when its height is below this share of its longest
/// edge: its normal would be rounding noise, and a neighbour covers its points.
const MIN_HEIGHT: f64 = 1e-12;

impl Scalp {
    /// Returns a scalp made of all the given triangles, less those without an area and copies of
    /// others.
    ///
    /// `normals` (any length, zero allowed: the face normal stands in) and
    /// `density` (clamped to 0..=1) are per vertex, as `positions` is.
    ///
    /// # Errors
    ///
    /// Lists of different lengths, numbers that are not finite, coordinates beyond
    /// [`MAX_COORDINATE`], corner indices out of range, or no triangle left that has an area.
    pub fn new(
        positions: Vec<Vec3>,
        normals: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        density: Vec<f32>,
    ) -> Result<Scalp, ScalpError> {
        let (count, of_normals, of_density) = (positions.len(), normals.len(), density.len());
        if of_normals != count || of_density != count {
            return Err(ScalpError::Lengths(count, of_normals, of_density));
        }
        let finite =
            |v: usize| positions[v].is_finite() && normals[v].is_finite() && density[v].is_finite();
        if let Some(vertex) = (0..positions.len()).find(|&v| !finite(v)) {
            return Err(ScalpError::NotFinite(vertex));
        }
        let is_far = |p: &Vec3| p.abs().max_element() > MAX_COORDINATE;
        if let Some(vertex) = positions.iter().position(is_far) {
            return Err(ScalpError::Far(vertex));
        }
        check_corners(positions.len(), &triangles)?;

        let triangles = without_copies(&positions, triangles);
        let mut scalp = Scalp {
            positions,
            normals,
            density: density.into_iter().map(|d| d.clamp(0.0, 1.0)).collect(),
            triangles: Vec::with_capacity(triangles.len()),
            face_normals: Vec::with_capacity(triangles.len()),
            areas: Vec::with_capacity(triangles.len()),
            area: 0.0,
        };
        for triangle in triangles {
            let [a, b, c] = triangle.map(|v| scalp.positions[v as usize].as_dvec3());
            // f64 holds products of f32 differences without overflow or underflow.
            let cross = (b - a).cross(c - a);
            let edges2 = [b - a, c - b, a - c].map(DVec3::length_squared);
            let longest2 = edges2.into_iter().fold(0.0, f64::max);
            let twice_area = cross.length();
            if twice_area <= MIN_HEIGHT * longest2 {
                continue;
            }
            scalp.triangles.push(triangle);
            scalp.face_normals.push((cross / twice_area).as_vec3());
            scalp.areas.push(0.5 * twice_area);
            scalp.area += 0.5 * twice_area;
        }
        if scalp.triangles.is_empty() {
            return Err(ScalpError::NoArea);
        }
        Ok(scalp)
    }

    /// Returns the surface of a plain mesh, all of it painted.
    ///
    /// `normals` and `density` are per vertex, as `positions` is. Without normals they are smoothed
    /// over the faces, without a density it is 1. Triangles that are bald at all three corners are
    /// left out; the order of the others stays.
    ///
    /// # Errors
    ///
    /// [`ScalpError::NoFaces`], [`ScalpError::NoDensity`] and the errors of [`Scalp::new`].
    pub fn of_mesh(
        positions: Vec<Vec3>,
        normals: Option<Vec<Vec3>>,
        mut triangles: Vec<[u32; 3]>,
        density: Option<Vec<f32>>,
    ) -> Result<Scalp, ScalpError> {
        if triangles.is_empty() {
            return Err(ScalpError::NoFaces);
        }
        check_corners(positions.len(), &triangles)?;
        if let Some(density) = &density {
            // NaN stays, for the check that names it.
            let is_painted = |&v: &u32| !density.get(v as usize).is_some_and(|&d| d <= 0.0);
            triangles.retain(|corners| corners.iter().any(is_painted));
            if triangles.is_empty() {
                return Err(ScalpError::NoDensity);
            }
        }
        let normals = normals.unwrap_or_else(|| smooth_normals(&positions, &triangles));
        let density = density.unwrap_or_else(|| vec![1.0; positions.len()]);
        Scalp::new(positions, normals, triangles, density)
    }

    /// Returns a whole part with full density; `None` if no triangle has an area.
    pub(crate) fn of_part(part: &Part) -> Option<Scalp> {
        let (positions, normals) = (part.positions.clone(), part.normals.clone());
        Scalp::of_mesh(positions, Some(normals), part.triangles.clone(), None).ok()
    }

    /// Returns the number of each triangle in the list that [`Scalp::of_mesh`] has taken some from.
    pub fn numbers_in(&self, triangles: &[[u32; 3]]) -> Vec<u32> {
        // The order of both lists is the same.
        let mut all = triangles.iter().zip(0..);
        let number = |own| all.find_map(|(triangle, i)| (triangle == own).then_some(i));
        self.triangles.iter().filter_map(number).collect()
    }

    /// Returns the triangles from the one numbered `first` on, with full density.
    pub(crate) fn bald_from(&self, first: usize) -> Scalp {
        let (positions, normals) = (self.positions.clone(), self.normals.clone());
        let (triangles, full) = (self.triangles[first..].to_vec(), vec![1.0; positions.len()]);
        Scalp::new(positions, normals, triangles, full).unwrap_or_else(|_| self.clone())
    }

    /// Returns the scalp of a head: the triangles of [`Head::scalp_part`] whose three corners are
    /// painted, with only the vertices they use. Of triangles that lie back to back, the outer ones
    /// are scalp.
    ///
    /// `None` when nothing is painted, or only triangles without an area.
    pub fn of_head(head: &Head) -> Option<Scalp> {
        let part = head.parts.get(head.scalp_part?)?;
        let paint = part.paint.as_ref()?;
        let painted = |v: u32| paint.density.get(v as usize).is_some_and(|&d| d > 0.0);

        // Part vertex -> scalp vertex, u32::MAX where not used yet; and the way back.
        // Lists of the size they need: a head may take all the memory there is.
        let mut renumbered = vec![u32::MAX; part.positions.len()];
        let mut used: Vec<u32> = Vec::new();
        let scalp = |t: &&[u32; 3]| t.iter().all(|&v| painted(v));
        let outer = part.outer_triangles();
        let mut triangles = Vec::with_capacity(outer.iter().filter(scalp).count());
        triangles.extend(outer.iter().filter(scalp).map(|triangle| {
            triangle.map(|v| {
                let number = &mut renumbered[v as usize];
                if *number == u32::MAX {
                    *number = used.len() as u32;
                    used.push(v);
                }
                *number
            })
        }));
        drop(renumbered);
        let positions = used.iter().map(|&v| part.positions[v as usize]).collect();
        let normals = used.iter().map(|&v| part.normals[v as usize]).collect();
        let density = used.iter().map(|&v| paint.density[v as usize]).collect();
        drop(used);
        Scalp::new(positions, normals, triangles, density).ok()
    }

    /// Returns the vertex positions, head space, decimetres.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Returns the corners of triangles as indices into [`Scalp::positions`], counter-clockwise from
    /// outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns the unit geometric normal of a triangle. Panics if there is no such triangle.
    pub fn face_normal(&self, triangle: u32) -> Vec3 {
        self.face_normals[triangle as usize]
    }

    /// Returns the area of all triangles together, square decimetres.
    pub fn area(&self) -> f64 {
        self.area
    }

    /// Returns the area of each triangle, square decimetres.
    pub fn triangle_areas(&self) -> &[f64] {
        &self.areas
    }

    /// Returns the smallest and the largest corner of the bounding box of the triangles.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let corners = self.triangles.iter().flatten();
        bounds(corners.map(|&v| self.positions[v as usize]))
    }

    /// Returns the position of a surface point, head space. Panics if there is no such triangle.
    ///
    /// Computed in f64 and rounded once, the same on every machine: the position
    /// of a root is this value, to the bit.
    pub fn point(&self, at: SurfacePoint) -> Vec3 {
        let plane = self.plane(at.triangle);
        plane.at(at.weights.y.into(), at.weights.z.into()).as_vec3()
    }

    /// Returns the unit vertex normal interpolated at a surface point; the face normal where the
    /// vertex normals cancel. Panics if there is no such triangle.
    pub fn normal(&self, at: SurfacePoint) -> Vec3 {
        let corners = self.triangles[at.triangle as usize];
        let ([a, b, c], w) = (corners.map(|v| self.normals[v as usize]), at.weights);
        let sum = a * w.x + b * w.y + c * w.z;
        sum.try_normalize()
            .unwrap_or_else(|| self.face_normal(at.triangle))
    }

    /// Returns the hair density at a surface point, 0 to 1. Panics if there is no such triangle.
    pub fn density(&self, at: SurfacePoint) -> f32 {
        let ([a, b, c], w) = (self.corner_densities(at.triangle), at.weights);
        a * w.x + b * w.y + c * w.z
    }

    /// Returns the hair density at the corners of a triangle, 0 to 1.
    pub(crate) fn corner_densities(&self, triangle: u32) -> [f32; 3] {
        self.triangles[triangle as usize].map(|v| self.density[v as usize])
    }

    /// Returns a PLY mesh of the scalp triangles: `x y z` in head space (decimetres), `nx ny nz`
    /// vertex normals, `density` 0 to 1. The space is that of
    /// [`Roots::to_ply`](crate::Roots::to_ply).
    pub fn to_ply(&self, encoding: PlyEncoding) -> Vec<u8> {
        let names = (["x", "y", "z", "nx", "ny", "nz", "density"], []);
        let vertices = (0..self.positions.len()).map(|v| {
            let (p, n) = (self.positions[v], self.normals[v]);
            ([p.x, p.y, p.z, n.x, n.y, n.z, self.density[v]], [])
        });
        let comment = "scalp, decimetres";
        ply::write(encoding, comment, names, vertices, &self.triangles)
    }

    /// Returns the plane of a triangle, parametrised by the weights of its last two corners.
    pub(crate) fn plane(&self, triangle: u32) -> Plane {
        let corners = self.triangles[triangle as usize];
        let [a, b, c] = corners.map(|v| self.positions[v as usize].as_dvec3());
        Plane {
            origin: a,
            to_second: b - a,
            to_third: c - a,
        }
    }
}

/// Checks that the corners of triangles are among so many vertices.
fn check_corners(vertices: usize, triangles: &[[u32; 3]]) -> Result<(), ScalpError> {
    let is_beyond = |t: &[u32; 3]| t.iter().any(|&v| v as usize >= vertices);
    match triangles.iter().position(is_beyond) {
        Some(triangle) => Err(ScalpError::BadIndex(triangle)),
        None => Ok(()),
    }
}

/// `origin + u * to_second + v * to_third`: a triangle's plane in f64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    origin: DVec3,
    to_second: DVec3,
    to_third: DVec3,
}

impl Plane {
    /// Returns the point with weight `u` on the second and `v` on the third corner.
    pub(crate) fn at(&self, u: f64, v: f64) -> DVec3 {
        self.origin + self.to_second * u + self.to_third * v
    }
}
