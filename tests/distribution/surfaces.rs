//! Surfaces that heads are made of, and some that they should not be: every promise on each.

use super::brute::check_on;
use super::meshes::{
    cone, cube, ear, graded_torus, grid, hemisphere, placed, scalp, sphere, square, strip,
    together, unwelded, with_copy,
};
use super::{MAXIMAL, hold, sample_by, strands_by};
use glam::Vec3;
use mohawk::roots::{Amount, Method, certify};
use mohawk::scalp::Scalp;
use std::path::Path;

/// A surface with a name to tell in failures.
pub struct Surface {
    pub name: String,
    pub scalp: Scalp,
}

impl Surface {
    pub fn new(name: &str, scalp: Scalp) -> Self {
        Surface {
            name: name.into(),
            scalp,
        }
    }
}

/// The painted scalp of the shipped head, and of the one that `MOHAWK_HEAD` names.
pub fn heads() -> Vec<Surface> {
    let settings = Default::default();
    let shipped = mohawk::Head::shipped(&settings).expect("the shipped head");
    let shipped = Scalp::of_head(&shipped).expect("a painted head");
    let mut heads = vec![Surface::new("shipped head", shipped)];
    if let Some(file) = std::env::var_os("MOHAWK_HEAD").filter(|file| !file.is_empty()) {
        let head = mohawk::Head::load(Path::new(&file), &settings)
            .unwrap_or_else(|error| panic!("MOHAWK_HEAD cannot be loaded: {error}"));
        let name = Path::new(&file).display().to_string();
        let scalp = Scalp::of_head(&head).unwrap_or_else(|| {
            let advice = head.paint_advice().unwrap_or_default();
            panic!("MOHAWK_HEAD={name} has no painted scalp. {advice}")
        });
        heads.push(Surface { name, scalp });
    }
    heads
}

fn all() -> Vec<Surface> {
    let piece = |by: f32, size: f32| placed(&square(2), move |p| p * size + Vec3::X * by);
    let ball = placed(&sphere(), |p| p * 0.2 + Vec3::new(0.0, 2.0, 0.0));
    let far = Vec3::new(90.0, -60.0, 30.0);
    let triangle = vec![Vec3::ZERO, Vec3::new(1.0, 0.2, 0.3), Vec3::Y];
    let bumps = |p: glam::Vec2| p.extend(0.15 * (9.0 * p.x).sin() * (7.0 * p.y).cos());
    let mut surfaces = vec![
        Surface::new("unit square", square(5)),
        Surface::new("hemisphere", hemisphere(8)),
        Surface::new("closed sphere", sphere()),
        Surface::new("bumpy field", grid(12, 9, bumps)),
        Surface::new("ear of two close sheets", ear()),
        Surface::new(
            "pieces",
            together(&[piece(0.0, 1.0), piece(1.5, 0.5), piece(2.5, 0.05), ball]),
        ),
        Surface::new("single triangle", scalp(triangle, vec![[0, 1, 2]])),
        Surface::new("far from the origin", placed(&square(4), |p| p + far)),
        Surface::new("cone of 300 needles", cone(300, 0.5)),
        Surface::new("cube with faces of two triangles", cube()),
        Surface::new("seams with doubled vertices", unwelded(&strip())),
        Surface::new(
            "close sheets that face apart",
            with_copy(&square(4), Vec3::new(0.0, 0.0, -0.002), true),
        ),
        Surface::new("torus of uneven triangles", graded_torus()),
    ];
    surfaces.extend(heads());
    surfaces
}

fn holds_on_all_surfaces(method: Method) {
    for Surface { name, scalp } in all() {
        let seed = 1;
        let roots = strands_by(&scalp, method, 2000, seed);
        let off = roots.positions.len() as f64 - 2000.0;
        hold(
            &name,
            method.name(),
            "roots off 2000 by",
            seed,
            off,
            -20.0..=20.0,
        );
        let set = format!("{name}: {}, seed {seed}", method.name());
        check_on(&set, &scalp, &roots);
        let proven = certify(&scalp, &roots).expect("a certificate");
        hold(
            &name,
            method.name(),
            "R/r",
            seed,
            proven.ratio_upper_bound,
            0.5..=1.001,
        );
    }
}

#[test]
fn progressive_keeps_its_promises_on_all_surfaces() {
    holds_on_all_surfaces(Method::Progressive);
}

#[test]
fn maximal_keeps_its_promises_on_all_surfaces() {
    holds_on_all_surfaces(Method::Maximal);
}

#[test]
fn tight_keeps_its_promises_on_all_surfaces() {
    holds_on_all_surfaces(Method::Tight);
}

#[test]
fn variable_keeps_its_promises_on_all_surfaces() {
    holds_on_all_surfaces(Method::Variable);
}

/// They were refused as `Uneven` while gaps were found by halving triangles.
#[test]
fn cones_of_needles_are_sampled() {
    for (radius, methods) in [
        (0.5, &MAXIMAL[..]),
        (0.05, &MAXIMAL[1..]),
        (0.005, &MAXIMAL[1..2]),
    ] {
        let scalp = cone(300, radius);
        for &method in methods {
            let set = format!("cone of 300 needles, radius {radius}: {}", method.name());
            let spacing = (0.7 * scalp.area() / 4000.0).sqrt() as f32;
            let roots = sample_by(&scalp, method, Amount::Spacing(spacing), 1)
                .unwrap_or_else(|error| panic!("{set}: {error}"));
            check_on(&set, &scalp, &roots);
            println!("{set}: {} roots", roots.positions.len());
        }
    }
}

/// Far more triangles than roots: most have none. The count is that of the wanted, and what was
/// made is proven.
#[test]
fn a_million_triangles_are_sampled() {
    let bumps = |p: glam::Vec2| p.extend(0.1 * (9.0 * p.x).sin() * (7.0 * p.y).cos());
    let (name, scalp) = ("a million triangles", grid(1000, 500, bumps));
    assert_eq!(scalp.triangles().len(), 1_000_000);
    for method in [Method::Maximal, Method::Progressive] {
        let roots = strands_by(&scalp, method, 2000, 1);
        let off = roots.positions.len() as f64 - 2000.0;
        let what = "roots off 2000 by";
        hold(name, method.name(), what, 1, off, -20.0..=20.0);
        check_on(name, &scalp, &roots);
    }
}
