//! Roots on meshes and on heads.

use crate::arrays::{numbers, of, threes, vectors};
use crate::settings::apply;
use mohawk::roots::RootSettings;
use mohawk::{Config, Scalp};
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

impl Roots {
    /// Samples a scalp. `triangles` are the numbers of its triangles for the caller; `None`: its own.
    pub fn on(
        scalp: &Scalp,
        settings: &RootSettings,
        triangles: Option<&[u32]>,
    ) -> Result<Self, JsError> {
        let roots = mohawk::Roots::sample(scalp, settings, &mut |_| ControlFlow::Continue(()))?;
        let roots = roots.thinned(scalp, 1.0);
        let own = roots.points.iter().map(|point| point.triangle);
        let number = |own: u32| triangles.map_or(own, |triangles| triangles[own as usize]);
        Ok(Self {
            triangles: own.map(number).collect(),
            roots,
        })
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
    apply(&mut config, &settings, &["roots"])?;
    let scalp = Scalp::of_mesh(vertices, normals.transpose()?, faces.to_vec(), density)
        .map_err(of("the mesh"))?;
    // The scalp has some of the faces, in their order.
    let mut all = faces.iter().zip(0..);
    let place = |triangle| all.find_map(|(face, i)| (face == triangle).then_some(i));
    let places: Vec<u32> = scalp.triangles().iter().filter_map(place).collect();
    Roots::on(&scalp, &config.roots, Some(&places))
}
