//! Strands put together again: lengths kept, roots locked, out of the skin.

use crate::sim::Field;
use crate::style::strands;
use glam::Vec3;

/// Hair is kept so far from skin, decimetres, and near its root as far as the root is...
const CLEARANCE: f32 = 0.02;
/// ... and so much of its length more. Steep, so that hair that grows in a crease leaves it by its
/// opening and not through its side.
const RISE: f32 = 0.8;
/// Times that a point is pushed out and brought back to its length.
const PUSHES: usize = 8;
/// What is left of the clearance where skin is too tight for all of it.
const LEAST: f32 = 0.4;

/// Hair that is deeper than its root by more is in the skin, decimetres.
pub(crate) const DEEP: f32 = 0.005;

/// Hair that is planted in a pocket is cut so short, decimetres: it cannot be deeper than that.
pub(crate) const STUB: f32 = 0.01;

/// What hair must not go into.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a>(pub(crate) Option<&'a Field>);

impl Ground<'_> {
    /// How much of a strand, from its root on, is out of the skin; `None`: all of it. Roots lie in
    /// pockets that the field closes (nostrils, ears): deep is what is deeper than its root.
    pub(crate) fn deep(&self, root: Vec3, points: &[Vec3]) -> Option<f32> {
        let field = self.0?;
        let depth = |p: Vec3| -field.distance((root + p).to_array());
        let most = depth(Vec3::ZERO).max(0.0) + DEEP;
        let first = (1..points.len()).find(|&i| depth(points[i]) > most)?;
        Some(strands::length(&points[..first]).max(DEEP))
    }

    /// Does a root lie in a pocket that the field closes? There it cannot tell skin from air, and
    /// longer hair may go through the lips or the rim of an ear.
    pub(crate) fn is_pocket(&self, root: Vec3) -> bool {
        let field = self.0;
        field.is_some_and(|field| field.distance(root.to_array()) < -DEEP)
    }

    /// Gives a strand's `segments` their lengths back, after its points were moved: taut hair is
    /// pulled along towards the root, then each point goes from the root outwards to its distance
    /// from the one before, and out of the skin. `false`: it would be deeper in the skin than it
    /// was.
    ///
    /// `weights`: which points were touched, of one or more sides; hair rootwards of the last is
    /// pulled.
    pub(crate) fn settle(
        &self,
        root: Vec3,
        segments: &[f32],
        old: &[Vec3],
        points: &mut [Vec3],
        weights: &[f32],
    ) -> bool {
        let touched = (1..points.len())
            .rev()
            .find(|&i| (weights.chunks_exact(points.len())).any(|weights| weights[i] > 0.0));
        // A chain: pulled where it is taut, left alone where it is slack.
        for i in (2..=touched.unwrap_or(0)).rev() {
            let (away, length) = (points[i - 1] - points[i], segments[i]);
            if away.length_squared() > length * length {
                points[i - 1] = points[i] + away.normalize_or_zero() * length;
            }
        }
        points[0] = Vec3::ZERO;
        let mut rise = self.0.map(|field| Rise::new(field, root));
        for i in 1..points.len() {
            let length = segments[i];
            let from = points[i - 1];
            let before = (old[i] - old[i - 1]).normalize_or(Vec3::Y);
            let mut to = from + (points[i] - from).normalize_or(before) * length;
            if let Some(rise) = &mut rise {
                rise.climb(length);
                to = rise.out(from, to, length);
                if !rise.allows(to, old[i]) {
                    return false;
                }
            }
            points[i] = to;
        }
        true
    }
}

/// How near skin a strand may come, from its root on.
struct Rise<'a> {
    field: &'a Field,
    root: Vec3,
    /// How far the root itself is from skin, by the field.
    level: f32,
    along: f32,
}

impl<'a> Rise<'a> {
    fn new(field: &'a Field, root: Vec3) -> Self {
        Self {
            field,
            root,
            level: field.distance(root.to_array()).min(CLEARANCE),
            along: 0.0,
        }
    }

    fn climb(&mut self, length: f32) {
        self.along += length;
    }

    fn least(&self) -> f32 {
        (self.level + RISE * self.along).min(CLEARANCE)
    }

    /// Turns a segment about its beginning until its end is out of the skin.
    fn out(&self, from: Vec3, mut to: Vec3, length: f32) -> Vec3 {
        let least = self.least();
        for _ in 0..PUSHES {
            let (distance, gradient) = self.field.sample((self.root + to).to_array());
            if distance >= least {
                break;
            }
            let normal = Vec3::from(gradient).normalize_or(Vec3::Y);
            // A little farther, so that turning it back leaves it outside.
            let pushed = to + normal * (1.1 * (least - distance) + 1e-4);
            to = from + (pushed - from).normalize_or(normal) * length;
        }
        to
    }

    /// Is a point far enough from skin, or no deeper than it was?
    fn allows(&self, point: Vec3, old: Vec3) -> bool {
        let distance = |p: Vec3| self.field.distance((self.root + p).to_array());
        let least = self.level.min(0.0) + LEAST * (self.least() - self.level.min(0.0));
        let now = distance(point);
        now >= least || now >= distance(old)
    }
}
