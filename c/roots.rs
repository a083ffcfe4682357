//! Points on meshes and heads.

use crate::error::{Failure, MohawkStatus};
use crate::input::{array, create, existing, free, go_on, settings};
use glam::Vec3;
use mohawk::{Config, Roots, Scalp, embed};
use std::ffi::c_char;

/// A mesh of the caller, in any unit.
#[repr(C)]
pub struct MohawkMesh {
    /// Three coordinates for each vertex.
    pub vertices: *const f32,
    /// The number of vertices.
    pub vertex_count: usize,
    /// The vertices of each triangle.
    pub faces: *const u32,
    /// The number of triangles.
    pub face_count: usize,
    /// Three numbers for each vertex, or NULL: normals are smoothed over the faces.
    pub normals: *const f32,
    /// A density for each vertex, 0 to 1, or NULL: it is 1.
    pub density: *const f32,
}

/// Points that are spread evenly over a surface.
pub struct MohawkRoots {
    roots: Roots,
    faces: Vec<u32>,
    weights: Vec<Vec3>,
}

impl MohawkRoots {
    /// Takes points, and the number of the triangle of each.
    pub fn new(roots: Roots, faces: Vec<u32>) -> Self {
        Self {
            weights: roots.points.iter().map(|point| point.weights).collect(),
            roots,
            faces,
        }
    }
}

/// Spreads points over a mesh. Settings are `roots.strands` or `roots.spacing`, `roots.method` and
/// `roots.seed`. Free the points with `mohawk_roots_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_sample(
    mesh: *const MohawkMesh,
    settings: *const *const c_char,
    roots: *mut *mut MohawkRoots,
) -> MohawkStatus {
    // SAFETY: the caller gives a mesh whose arrays have the lengths in it.
    unsafe { create(roots, || sample(existing("mesh", mesh)?, settings)) }
}

unsafe fn sample(mesh: &MohawkMesh, list: *const *const c_char) -> Result<MohawkRoots, Failure> {
    let count = mesh.vertex_count;
    let vectors = |name, first: *const f32| -> Result<Vec<Vec3>, Failure> {
        // SAFETY: the mesh has three numbers for each vertex.
        let vectors = unsafe { array(name, first.cast::<[f32; 3]>(), count) }?;
        Ok(vectors.iter().copied().map(Vec3::from).collect())
    };
    let vertices = vectors("vertices", mesh.vertices)?;
    let normals = match mesh.normals.is_null() {
        true => None,
        false => Some(vectors("normals", mesh.normals)?),
    };
    // SAFETY: the mesh has three numbers for each triangle.
    let faces = unsafe { array("faces", mesh.faces.cast::<[u32; 3]>(), mesh.face_count) }?;
    let density = match mesh.density.is_null() {
        true => None,
        // SAFETY: the mesh has a number for each vertex.
        false => Some(unsafe { array("density", mesh.density, count) }?.to_vec()),
    };
    let mut config = Config::default();
    // SAFETY: as the caller of `mohawk_sample` promises.
    embed::set(&mut config, &unsafe { settings(list) }?, &["roots"])?;
    let scalp = Scalp::of_mesh(vertices, normals, faces.to_vec(), density)
        .map_err(|error| Failure::of_input(format!("mesh: {error}")))?;
    let roots = Roots::sample(&scalp, &config.roots, &mut go_on)
        .map_err(|error| Failure::of_input(format!("mesh: {error}")))?;
    let roots = roots.thinned(&scalp, 1.0);
    let numbers = scalp.numbers_in(faces);
    let triangles = roots.points.iter();
    let faces = triangles.map(|point| numbers[point.triangle as usize]);
    let faces = faces.collect();
    Ok(MohawkRoots::new(roots, faces))
}

/// Returns the number of points.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_roots_count(roots: *const MohawkRoots) -> usize {
    // SAFETY: the caller gives null or a handle.
    unsafe { roots.as_ref() }.map_or(0, |roots| roots.faces.len())
}

/// Returns the smallest distance between points on one side of a sheet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_roots_spacing(roots: *const MohawkRoots) -> f32 {
    // SAFETY: the caller gives null or a handle.
    unsafe { roots.as_ref() }.map_or(0.0, |roots| roots.roots.spacing)
}

/// Returns three coordinates for each point, which are valid until the handle is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_roots_positions(roots: *const MohawkRoots) -> *const f32 {
    // SAFETY: the caller gives null or a handle.
    first(unsafe { roots.as_ref() }.map(|roots| &roots.roots.positions[..]))
}

/// Returns the unit normal at each point, three numbers, interpolated between those of the vertices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_roots_normals(roots: *const MohawkRoots) -> *const f32 {
    // SAFETY: the caller gives null or a handle.
    first(unsafe { roots.as_ref() }.map(|roots| &roots.roots.directions[..]))
}

/// Returns the triangle of each point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_roots_faces(roots: *const MohawkRoots) -> *const u32 {
    // SAFETY: the caller gives null or a handle.
    first(unsafe { roots.as_ref() }.map(|roots| &roots.faces[..]))
}

/// Returns the weights of the three corners of the triangle of each point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_roots_weights(roots: *const MohawkRoots) -> *const f32 {
    // SAFETY: the caller gives null or a handle.
    first(unsafe { roots.as_ref() }.map(|roots| &roots.weights[..]))
}

/// Frees points. NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mohawk_roots_free(roots: *mut MohawkRoots) {
    // SAFETY: the caller gives null or a handle that it uses no more.
    unsafe { free(roots) }
}

/// Returns a pointer to the first number of a list; null if there is none.
pub fn first<T, N>(list: Option<&[T]>) -> *const N {
    let list = list.filter(|list| !list.is_empty());
    list.map_or(std::ptr::null(), |list| list.as_ptr().cast())
}
