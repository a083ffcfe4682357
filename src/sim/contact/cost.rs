//! What turning segments out of the skin, with friction, costs beside asking how deep they are:
//! printed, for `docs/performance.md`.

use super::super::simd::blocks::{LANES, ParticleBlock, put3};
use super::*;
use crate::head::{Head, HeadSettings};
use crate::sim::{Field, FieldSettings, STEP_SECS, Step};
use glam::Vec3;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

const RUNS: usize = 40;

/// Eight segments whose ends are a little too deep.
struct Segments {
    parent: Lanes3,
    length: Lanes,
    state: ParticleBlock,
    end: Lanes3,
}

/// Along the skin, neighbours beside each other.
fn segments(head: &Head) -> Vec<Segments> {
    let parts = Field::skin_parts(head).into_iter();
    let corners = parts.flat_map(|part| {
        let part = &head.parts[part];
        let corner = |v: u32| part.positions[v as usize];
        (part.triangles.iter()).map(move |triangle| triangle.map(corner))
    });
    let each: Vec<(Vec3, Vec3)> = corners
        .map(|[a, b, c]| {
            let normal = (b - a).cross(c - a).normalize_or(Vec3::Y);
            let end = (a + b + c) / 3.0 + normal * 0.015;
            (
                end,
                end + normal * 0.01 + normal.any_orthonormal_vector() * 0.1,
            )
        })
        .collect();
    (each.chunks_exact(LANES))
        .map(|eight| {
            let (mut parent, mut end) = (Lanes3::default(), Lanes3::default());
            let mut length = Lanes::default();
            for (lane, (at, from)) in eight.iter().enumerate() {
                put3(&mut end, lane, at.to_array());
                put3(&mut parent, lane, from.to_array());
                length.0[lane] = at.distance(*from);
            }
            let state = ParticleBlock {
                position: end,
                velocity: Lanes3::default(),
            };
            Segments {
                parent,
                length,
                state,
                end,
            }
        })
        .collect()
}

/// The least time for a particle, nanoseconds.
fn least_ns(segments: &[Segments], mut each: impl FnMut(&Segments) -> f32) -> f64 {
    let mut least = f64::MAX;
    for _ in 0..RUNS {
        let start = Instant::now();
        let sum: f32 = segments.iter().map(&mut each).sum();
        let took = start.elapsed().as_secs_f64();
        assert!(sum.is_finite()); // and not left out
        least = least.min(took / (segments.len() * LANES) as f64);
    }
    least * 1e9
}

#[test]
#[ignore = "prints what contact costs: run with --release --ignored --nocapture"]
fn cost() {
    let head = Head::shipped(&HeadSettings::default()).unwrap();
    let go_on = &mut |_| ControlFlow::Continue(());
    let field = Field::bake(&head, &FieldSettings::default(), go_on).unwrap();
    let shape = HeadShape {
        ellipsoid: None,
        field: Some(Arc::new(field)),
    };
    let settings = SimSettings::default();
    let contacts = Contacts::new(&settings, &shape);
    let still = Pose::IDENTITY;
    let step = Step::new(still, still, STEP_SECS, &settings, &contacts);
    let skin = step.contacts.skin_alone().expect("nothing else");
    let segments = segments(&head);

    let asked = least_ns(&segments, |segment| {
        skin.distance(&segment.end, &Lanes::default()).0[0]
    });
    // Far enough from the root to have to be outside.
    let mut grown = Rise::of(
        &segments[0].end,
        &segments[0].end,
        &Lanes::default(),
        &step.contacts,
    );
    grown.climb(&Lanes::all(1.0));
    let slid = least_ns(&segments, |segment| {
        let (mut end, mut rise) = (segment.end, grown);
        slide(
            &segment.parent,
            &segment.length,
            &segment.state,
            &mut end,
            &step,
            &mut rise,
        );
        end[0].0[0]
    });
    println!("{asked:.1} ns to ask the field, {slid:.1} to slide, a particle");
}
