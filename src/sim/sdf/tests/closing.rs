//! Tests of closing: a ball that rolls over the skin fills what it cannot reach.

use super::fixtures::*;
use super::{at, shipped};
use crate::sim::{Sdf, SdfSettings};
use glam::Vec3;

/// Between two touching balls, closing fills a ring.
#[test]
fn closing_fills_the_space_that_the_ball_cannot_reach() {
    let ball = icosphere(4);
    let balls = [-1.0, 1.0].map(|x| moved(&ball, Vec3::X * x)).concat();
    let radius = 0.25_f32;
    let [open, closed] = [0.0, radius].map(|closing| {
        let settings = SdfSettings {
            margin: 0.6,
            closing,
            ..open(0.05)
        };
        bake_all(&balls, &settings).unwrap()
    });
    // The rolling ball is a distance of 1 + radius from both centres.
    let far = ((1.0 + radius) * (1.0 + radius) - 1.0).sqrt();
    for p in beside(&balls, 3000, 0.4) {
        let (before, after) = (at(&open, p), at(&closed, p));
        assert!(after <= before + 1e-6, "{p}: {before} {after}");
        let ring = p.y.hypot(p.z) as f32;
        let x = p.x.abs() as f32;
        // `true` if the point is between the balls, seen from the centre of the rolling ball.
        let between = x * far < far - ring;
        let off = (far - ring).hypot(x);
        if before < -0.15 {
            continue;
        }
        let expected = if between { radius - off } else { before };
        // Centres are at nodes, so the best one may be up to a cell away.
        let error = (after - expected).abs();
        assert!(error < 0.05, "{p}: {after}, not {expected} ({before})");
    }
}

#[test]
fn closing_fills_the_eye_sockets_of_the_shipped_head_and_keeps_its_scalp() {
    let head = shipped();
    let [open, closed] = [open(0.025), SdfSettings::default()]
        .map(|settings| Sdf::bake(&head, &settings, &mut go_on).unwrap());
    let eyes = head.parts.iter().find(|part| part.name == "eyes").unwrap();
    let eyes = eyes.positions.iter().map(|p| p.to_array());
    let hollow = eyes.clone().filter(|&p| open.distance(p) > 0.0).count();
    assert!(hollow > 50, "{hollow} of {}", eyes.len());
    for p in eyes {
        assert!(closed.distance(p) < 0.05, "{p:?}: {}", closed.distance(p));
    }
    let scalp = crate::Scalp::of_head(&head).unwrap();
    for p in scalp.positions().iter().map(|p| p.to_array()) {
        let change = open.distance(p) - closed.distance(p);
        assert!(change.abs() < 1e-3, "{p:?}");
    }
}
