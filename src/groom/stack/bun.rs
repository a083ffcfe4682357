//! Buns: hair that is led to a place, and coiled around it.

use super::braid::{flip, follow, over_skin};
use super::strands::{Strand, Strands};
use super::{Bun, Modifier};
use crate::det_math::{sin_cos, smooth_step};
use glam::Vec3;
use std::f32::consts::TAU;

/// The radius of the coiled rope of hair as a share of the bun's.
const ROPE: f32 = 0.4;
/// Length of a step along the rope, as a share of its radius.
const STEP: f32 = 0.25;
/// Steps at most.
const STEPS: usize = 600;
/// Turns of hair about the rope's middle for each turn of the rope.
const TWIST: f32 = 1.5;
/// Distance from the skin on the way to the bun, as a share of the rope's radius.
const LAYER: f32 = 0.45;

impl Strands<'_> {
    /// Hair rises in the middle of the bun and coils outwards and down as a twisted rope.
    pub(super) fn bun(&mut self, modifier: &Modifier, bun: &Bun) {
        self.each(modifier, |strand, points| {
            let flip = flip(bun.mirror, bun.at, strand.root);
            follow(
                strand,
                &path(strand, bun, Vec3::from(bun.at) * flip),
                points,
            );
        });
    }
}

/// Returns the way of a strand over the skin to a bun and in it.
fn path(strand: Strand, bun: &Bun, at: Vec3) -> Vec<Vec3> {
    let mut random = strand.random();
    let across = (random.uniform() as f32).sqrt();
    let around = TAU * random.uniform() as f32;
    let on_skin = strand.distance(at - strand.root);
    let out = on_skin.map_or(at.normalize_or(strand.normal), |(_, out)| out);
    let base = at - out * on_skin.map_or(0.0, |(away, _)| away);
    let e1 = out
        .cross(Vec3::new(0.31, 0.17, -0.94))
        .normalize_or(out.any_orthonormal_vector());
    let e2 = out.cross(e1);

    let rope = ROPE * bun.radius;
    let outer = bun.radius - rope;
    // The place in the bun at an angle of the coil.
    let place = |turns: f32| {
        let share = (turns / bun.turns).min(1.0);
        let (sin, cos) = sin_cos(f64::from(TAU * turns));
        let away = e1 * cos as f32 + e2 * sin as f32;
        // A dome: nearly flat at the top, steep at the side.
        let radius = outer * (0.12 + 0.88 * share);
        let height = rope * (0.9 + 1.2 * (1.0 - share * share));
        let (sin, cos) = sin_cos(f64::from(around + TAU * TWIST * turns));
        // The end is tucked under the coil.
        let thick = rope * across * (1.0 - 0.7 * smooth_step(4.0 * (turns - bun.turns) + 1.0));
        base + (away * (radius + thick * cos as f32)) + out * (height + thick * sin as f32)
    };
    let height = rope * LAYER * (0.2 + 0.8 * random.uniform() as f32);
    // Hair comes to the bun from its own side and goes in under the coil.
    let begin = strand.root - base;
    let begin = (begin - out * begin.dot(out)).normalize_or(e1);
    let begin = base + begin * (0.5 * outer) + out * height - strand.root;
    let mut points = over_skin(strand, begin, height);
    let size = STEP * rope;
    let mut turns = 0.0;
    for _ in 0..STEPS {
        points.push(place(turns) - strand.root);
        if turns >= bun.turns {
            break;
        }
        let share = turns / bun.turns;
        let radius = (outer * (0.12 + 0.88 * share)).max(size);
        turns = (turns + size / (TAU * radius)).min(bun.turns);
    }
    points
}
