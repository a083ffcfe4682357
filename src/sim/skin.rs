//! Skin that an animation moves under hair: [`bent`] is what hair collides with.

mod bent;

use super::STEP_SECS;
use crate::groom::{CarriedStrands, Groom};
use crate::head::{Head, Rig};
use bent::BentSkin;
use glam::Vec3;
use std::sync::Arc;

/// Skin is moved every so many steps, 60 times a second: faces move slowly.
pub(super) const SKIN_STEPS: u64 = 4;
/// Roots that move by less than this are left where they are, decimetres.
const LEAST_MOVE: f32 = 1e-3;

/// The motion of the skin of a head in an animation, with the strands on it.
#[derive(Clone, Debug)]
pub struct SkinMotion {
    rig: Arc<Rig>,
    animation: usize,
    part: usize,
    strands: Arc<CarriedStrands>,
    /// The last places of the vertices that carry roots.
    last: Vec<Vec3>,
    /// The time of the animation at which that was, seconds; `None`: they never moved.
    pub(super) carried_secs: Option<f64>,
    bent: BentSkin,
}

impl SkinMotion {
    /// Returns the motion of the scalp of a head in an animation of its [`Rig`], with strands that grow on
    /// it. Returns `None` if the head has no such animation or no scalp, or there are no strands.
    pub fn new(head: &Head, animation: usize, strands: &Groom) -> Option<Self> {
        let rig = head.rig.clone()?;
        rig.animations().get(animation)?;
        let part = head.scalp_part?;
        let part_at_rest = head.parts.get(part)?;
        let strands = CarriedStrands::new(strands, part_at_rest)?;
        let vertices = strands.vertices().iter();
        let last = vertices.map(|&vertex| part_at_rest.positions[vertex as usize]);
        Some(Self {
            bent: BentSkin::new(head, &rig),
            rig,
            animation,
            part,
            last: last.collect(),
            carried_secs: None,
            strands: Arc::new(strands),
        })
    }

    /// Returns the strands at a time of the animation; `None` if they are where they were last.
    pub(super) fn strands_at(&mut self, secs: f64) -> Option<Groom> {
        let vertices = self.strands.vertices();
        let positions = (self.rig).vertices(self.animation, secs, self.part, vertices);
        if !positions.iter().all(|position| position.is_finite()) {
            return None;
        }
        let mut both = positions.iter().zip(&self.last);
        both.any(|(now, last)| now.distance_squared(*last) > LEAST_MOVE * LEAST_MOVE)
            .then(|| {
                self.last = positions;
                self.carried_secs = Some(secs);
                self.strands.on(&self.last)
            })
    }

    /// Returns the strands as they are carried to such a time.
    pub fn carried_to(&self, secs: Option<f64>) -> Groom {
        let Some(secs) = secs else {
            return self.strands.at_rest().clone();
        };
        let vertices = self.strands.vertices();
        let positions = (self.rig).vertices(self.animation, secs, self.part, vertices);
        self.strands.on(&positions)
    }

    /// Returns the strands on the head as it was loaded; `None` if they never moved.
    pub(super) fn strands_at_rest(&self) -> Option<&Groom> {
        self.carried_secs.map(|_| self.strands.at_rest())
    }
}

/// Returns the time to which skin has moved once so many steps have begun, seconds.
pub(super) fn skin_secs(steps: u64) -> f64 {
    steps.next_multiple_of(SKIN_STEPS) as f64 * STEP_SECS
}
