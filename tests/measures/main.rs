//! The measures of `roots::distribution` against closed forms, brute force and nonsense.

#[path = "../common/hang.rs"]
mod hang;
#[path = "../distribution/meshes.rs"]
#[allow(dead_code)]
mod meshes;
#[path = "../common/random.rs"]
mod random;

mod exact;
mod limits;
mod values;

use glam::{DVec3, Vec3};
use mohawk::roots::distribution::{Distribution, PAIR_WIDTH, analyse};
use mohawk::roots::{Amount, Method, RootSettings, Roots};
use mohawk::scalp::{Scalp, SurfacePoint};
use random::Random;
use std::ops::ControlFlow;

fn continued(_: f32) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn maximal(scalp: &Scalp, strands: u32, seed: u64) -> Roots {
    let settings = RootSettings {
        amount: Amount::Strands(strands),
        seed,
        method: Method::Maximal,
    };
    Roots::sample(scalp, &settings, &mut continued).expect("a sample")
}

/// Roots made elsewhere: their spacing says nothing.
fn made(positions: Vec<Vec3>, face_normals: Vec<Vec3>) -> Roots {
    let count = positions.len();
    Roots {
        spacing: f32::NAN,
        points: Vec::new(),
        directions: face_normals.clone(),
        ranks: (0..count as u32).collect(),
        full_count: count,
        scaled: false,
        positions,
        face_normals,
    }
}

/// Area-weighted random points.
fn random(scalp: &Scalp, count: usize, seed: u64) -> Roots {
    let mut random = Random(seed);
    let mut total = 0.0;
    let areas = scalp.triangle_areas().iter();
    let sums: Vec<f64> = areas
        .map(|area| {
            total += area;
            total
        })
        .collect();
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let at = random.uniform() * total;
        let triangle = sums.partition_point(|&sum| sum <= at).min(sums.len() - 1) as u32;
        let (u, v) = (random.uniform(), random.uniform());
        let (u, v) = if u + v > 1.0 {
            (1.0 - u, 1.0 - v)
        } else {
            (u, v)
        };
        let weights = DVec3::new(1.0 - u - v, u, v).as_vec3();
        positions.push(scalp.point(SurfacePoint { triangle, weights }));
        normals.push(scalp.face_normal(triangle));
    }
    made(positions, normals)
}

fn measured(scalp: &Scalp, roots: &Roots) -> Distribution {
    analyse(scalp, roots, &mut continued).expect("measures")
}

/// Checks that a measure lies between two bounds.
fn between(what: &str, seed: u64, value: Option<f64>, low: f64, high: f64) {
    let value = value.unwrap_or(f64::NAN);
    assert!(
        low <= value && value <= high,
        "{what}, seed {seed}: {value} is not in {low} to {high}"
    );
}

/// √(A/N).
fn unit(of: &Distribution) -> f64 {
    (of.area / of.count as f64).sqrt()
}

/// g of the bins that lie wholly between two distances in √(A/N).
fn pairs(of: &Distribution, from: f64, to: f64) -> Vec<f64> {
    let bins = of.pair_correlation.as_ref().expect("pairs").bins.iter();
    bins.filter(|bin| {
        from <= bin.distance - 0.5 * PAIR_WIDTH + 1e-9
            && bin.distance + 0.5 * PAIR_WIDTH <= to + 1e-9
    })
    .map(|bin| bin.g.expect("random points at this distance"))
    .collect()
}
