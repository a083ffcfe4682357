//! Sets beside sets: bald skin that gets hair later.

use super::hold;
use super::meshes::square;
use glam::Vec3;
use mohawk::roots::{Method, Roots, certify, min_distance};
use mohawk::scalp::Scalp;
use std::ops::ControlFlow;

/// The triangles of a scalp whose middles are on one side.
fn half(whole: &Scalp, wanted: impl Fn(Vec3) -> bool) -> (Scalp, Vec<u32>) {
    let middle = |t: &[u32; 3]| {
        t.map(|v| whole.positions()[v as usize])
            .iter()
            .sum::<Vec3>()
            / 3.0
    };
    let numbers: Vec<u32> = (0..whole.triangles().len() as u32)
        .filter(|&t| wanted(middle(&whole.triangles()[t as usize])))
        .collect();
    let triangles = numbers.iter().map(|&t| whole.triangles()[t as usize]);
    let count = whole.positions().len();
    let (positions, normals) = (
        whole.positions().to_vec(),
        vec![whole.face_normal(0); count],
    );
    let scalp = Scalp::new(positions, normals, triangles.collect(), vec![1.0; count]);
    (scalp.expect("a half"), numbers)
}

/// Both sets on the whole scalp.
fn together(first: &Roots, numbers: &[u32], second: &Roots, others: &[u32]) -> Roots {
    let mut roots = first.clone();
    roots
        .points
        .iter_mut()
        .for_each(|p| p.triangle = numbers[p.triangle as usize]);
    let mut more = second.clone();
    more.points
        .iter_mut()
        .for_each(|p| p.triangle = others[p.triangle as usize]);
    roots.points.append(&mut more.points);
    roots.positions.append(&mut more.positions);
    roots.directions.append(&mut more.directions);
    roots.face_normals.append(&mut more.face_normals);
    roots.ranks = (0..roots.points.len() as u32).collect();
    roots.full_count = roots.points.len();
    roots
}

#[test]
fn a_set_beside_another_keeps_off_it_and_leaves_no_gap() {
    let whole = square(16);
    let (left, lefts) = half(&whole, |p| p.x + 0.2 * p.y < 0.4);
    let (right, rights) = half(&whole, |p| p.x + 0.2 * p.y >= 0.4);
    for (method, strands) in [
        (Method::Progressive, 4000),
        (Method::Variable, 2000),
        (Method::Tight, 300),
    ] {
        let first = super::strands_by(&left, method, strands, 3);
        let second = first
            .beside(&right, 3, &mut |_| ControlFlow::Continue(()))
            .expect("beside");
        let all = together(&first, &lefts, &second, &rights);
        let closest = min_distance(&all).expect("finite").expect("pairs");
        let of = format!("{strands} {}", method.name());
        let spacing = f64::from(all.spacing);
        hold(
            "two halves",
            &of,
            "closest",
            3,
            closest / spacing,
            1.0 - 1e-9..,
        );
        let covered = certify(&whole, &all).expect("a certificate");
        hold(
            "two halves",
            &of,
            "R/r",
            3,
            covered.ratio_upper_bound,
            0.5..=1.001,
        );
        // Painted thinly, the second set is evenly spread too.
        if method == Method::Progressive {
            for share in [0.25, 0.06] {
                let count = (share * second.points.len() as f64) as usize;
                let mut part = second.prefix(count);
                part.spacing = second.spacing / (share as f32).sqrt();
                let covered = certify(&right, &part).expect("a certificate");
                // What the first set covers is left bare.
                hold(
                    "the right half",
                    &of,
                    "R/r",
                    3,
                    covered.ratio_upper_bound,
                    0.5..=1.7,
                );
            }
        }
    }
}
