//! Triangles in pieces, and which of them no root holds.

use super::{BATCH, Filler, ball_radius};
use crate::roots::SampleError;
use crate::roots::fragment::{Fragment, NO_ROOT, Placed};
use crate::roots::index::same_side;
use crate::roots::work::Progress;

/// The longest edge of the pieces that the first darts are thrown at, in spacings.
const COARSE_EDGE: f64 = 8.0;
/// The longest edge of the first fragments, in spacings.
const FIRST_EDGE: f64 = 1.8;

impl Filler<'_> {
    /// Cuts a triangle into pieces of some tens of roots each, unless there are very many.
    pub(crate) fn cut(&self, whole: Fragment, stack: &mut Vec<Placed>, pieces: &mut Vec<Fragment>) {
        if pieces.len() < BATCH {
            let longest = COARSE_EDGE * self.metric.radius;
            whole.cut(self.scalp, longest, stack, pieces);
        } else {
            pieces.push(whole);
        }
    }

    /// Splits pieces into the first fragments, and appends those that are not covered to `live`.
    pub(crate) fn split(
        &mut self,
        stack: &mut Vec<Placed>,
        live: &mut Vec<Fragment>,
        done: f64,
        progress: &mut Progress,
    ) -> Result<(), SampleError> {
        while let Some(mut piece) = stack.pop() {
            progress.step(done)?;
            self.spend(progress)?;
            let (edge, length2) = piece.longest_edge();
            let range = self.metric.range(self.scalp, &piece.fragment);
            let small = length2 <= 4.0 * range.0 * range.0;
            let longest = FIRST_EDGE * range.0;
            if small && self.covered(&mut piece, range, longest) {
                continue;
            }
            if length2 <= longest * longest {
                live.push(piece.fragment);
            } else {
                piece.split_into(edge, longest, stack);
            }
        }
        Ok(())
    }

    /// Returns `true` if roots hold the whole piece, one of them (balls are convex) or several
    /// together. Otherwise notes the one that comes nearest to it.
    fn covered(&mut self, piece: &mut Placed, range: (f64, f64), reach: f64) -> bool {
        let triangle = piece.fragment.triangle;
        let face_normal = self.scalp.face_normal(triangle);
        let (radius, farthest) = range;
        let radii = &self.radii;
        let own = |root: u32| ball_radius(radii, root as usize, radius);
        let mut least2 = f64::INFINITY;
        let holder = piece.fragment.holder;
        if holder != NO_ROOT {
            least2 = piece.farthest2(self.index.at(holder as usize).0);
            if least2 < own(holder).powi(2) {
                return true;
            }
        }
        let centroid = piece.centroid();
        let across = piece.farthest2(centroid).sqrt();
        let around = self.near.around(&mut self.index, centroid, farthest, reach);
        self.balls.start(piece.corners);
        let held = self.held.get_mut(triangle as usize);
        let mut held = held.filter(|_| piece.fragment.is_whole());
        for root in around {
            if !same_side(root.face_normal, face_normal) {
                continue;
            }
            let farthest2 = piece.farthest2(root.position);
            let own = own(root.number);
            if farthest2 < least2 {
                least2 = farthest2;
                piece.fragment.holder = root.number;
                if farthest2 < own * own {
                    match &mut held {
                        // The nearest holds it for the most levels.
                        Some(held) => **held = (farthest2.sqrt() as f32).next_up(),
                        None => return true,
                    }
                }
            }
            let is_external = (root.number as usize) < self.external_count;
            let touching = across + if is_external { own } else { radius };
            if root.position.distance_squared(centroid) < touching * touching {
                self.balls.push(root.position, own);
            }
        }
        held.is_some_and(|held| f64::from(*held) < radius) || self.balls.hold()
    }
}
