//! Roots on meshes and on heads.

use super::arrays::{numbers, of, threes, vectors};
use super::settings::pairs;
use mohawk::{Config, Scalp, embed};
use std::ops::ControlFlow;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// Roots, each list in their order.
#[wasm_bindgen]
pub struct Roots {
    roots: mohawk::Roots,
    /// The triangle of each among those of the caller.
    triangles: Vec<u32>,
}

#[wasm_bindgen]
impl Roots {
    /// The smallest distance between roots on one side of a sheet.
    pub fn spacing(&self) -> f32 {
        self.roots.spacing
    }

    /// Three coordinates for each root.
    pub fn positions(&self) -> Vec<f32> {
        numbers(&self.roots.positions)
    }

    /// The unit normals, interpolated between those of the vertices.
    pub fn normals(&self) -> Vec<f32> {
        numbers(&self.roots.directions)
    }

    /// The triangle of each root.
    pub fn triangles(&self) -> Vec<u32> {
        self.triangles.clone()
    }

    /// The weights of the three corners of its triangle.
    pub fn barycentric(&self) -> Vec<f32> {
        let points = self.roots.points.iter();
        points.flat_map(|point| point.weights.to_array()).collect()
    }
}

impl From<mohawk::Roots> for Roots {
    /// Takes roots on a scalp whose triangles the caller knows.
    fn from(roots: mohawk::Roots) -> Self {
        Self {
            triangles: roots.points.iter().map(|point| point.triangle).collect(),
            roots,
        }
    }
}

/// Samples a mesh. Without `normals` they are smoothed over the faces; without a `density` it is 1.
#[wasm_bindgen]
pub fn sample(
    vertices: &[f32],
    faces: &[u32],
    normals: Option<Vec<f32>>,
    density: Option<Vec<f32>>,
    settings: Vec<String>,
) -> Result<Roots, JsError> {
    let vertices = vectors("vertices", vertices)?;
    let faces = threes("faces", faces)?;
    let normals = normals.map(|normals| vectors("normals", &normals));
    let mut config = Config::default();
    embed::set(&mut config, &pairs(settings), &["roots"])?;
    let scalp = Scalp::of_mesh(vertices, normals.transpose()?, faces.to_vec(), density)
        .map_err(of("the mesh"))?;
    let go_on = &mut |_| ControlFlow::Continue(());
    let roots = mohawk::Roots::sample(&scalp, &config.roots, go_on)?;
    let mut roots = Roots::from(roots.thinned(&scalp, 1.0));
    let numbers = scalp.numbers_in(faces);
    for triangle in &mut roots.triangles {
        *triangle = numbers[*triangle as usize];
    }
    Ok(roots)
}
