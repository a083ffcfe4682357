//! The motion of a head in an animation of its file.

use crate::head::{Animation, Head, Rig};
use crate::sim::Pose;
use glam::DVec3;
use std::sync::Arc;

/// The time between two places of the way of a head, seconds.
const WAY_STEP_SECS: f64 = 0.1;
/// The most places of a way.
const MOST_PLACES: usize = 3000;
/// The largest side of the box around a way that is seen from one place, decimetres.
const STAY: f64 = 4.0;
/// The time over which a longer way is averaged, seconds.
const SMOOTH_SECS: f64 = 1.0;
/// The smallest distance between the start and the end of an animation that goes elsewhere, decimetres.
const LEAST_TRAVEL: f64 = 0.1;
/// The time before its end at which an animation is taken to be there, seconds.
const END_SECS: f64 = 1e-6;

/// An animation that plays.
#[derive(Debug)]
pub struct Animated {
    rig: Arc<Rig>,
    number: usize,
    /// The way of the head in a period, from the end of which the next goes on.
    travel: DVec3,
    /// The places that a camera follows, at even times of a period.
    way: Vec<DVec3>,
}

impl Animated {
    /// Returns an animation of a head, by its place in the list of its [`Rig`].
    pub fn new(head: &Head, number: usize) -> Option<Self> {
        let rig = head.rig.clone()?;
        rig.animations().get(number)?;
        let mut animated = Self {
            rig,
            number,
            travel: DVec3::ZERO,
            way: Vec::new(),
        };
        let [start, end] = [0.0, animated.period_secs() - END_SECS].map(|secs| animated.pose(secs));
        let travel = end.translation - start.translation;
        if travel.length() >= LEAST_TRAVEL {
            animated.travel = travel;
        }
        animated.way = animated.followed();
        Some(animated)
    }

    /// Returns its place in the list of the [`Rig`].
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        let animation = self.rig.animations().get(self.number);
        animation.map_or("", |animation| &animation.name)
    }

    /// Returns the time after which it begins anew, seconds.
    pub fn period_secs(&self) -> f64 {
        let animation = self.rig.animations().get(self.number);
        animation.map_or(1.0, Animation::period_secs)
    }

    /// Returns the pose of the head at a time.
    pub fn pose(&self, secs: f64) -> Pose {
        let (rotation, translation) = self.rig.rigid_motion(self.number, secs);
        let rounds = (secs.max(0.0) / self.period_secs()).floor();
        Pose::new(rotation, translation + self.travel * rounds)
    }

    /// Returns the place that a camera follows at a time: that of a head which stays near it, else the
    /// mean of those around this time.
    pub fn followed_at(&self, secs: f64) -> DVec3 {
        let place = secs.max(0.0) / self.period_secs() * self.way.len() as f64;
        let before = place as usize;
        let at = |i: usize| repeated(&self.way, self.travel, i);
        at(before).lerp(at(before + 1), place - before as f64)
    }

    fn followed(&self) -> Vec<DVec3> {
        let period_secs = self.period_secs();
        let count = ((period_secs / WAY_STEP_SECS).ceil() as usize).clamp(1, MOST_PLACES);
        let step_secs = period_secs / count as f64;
        let places = (0..count).map(|i| self.pose(i as f64 * step_secs).translation);
        let places: Vec<DVec3> = places.collect();
        let low = places.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = places.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        if (high - low).max_element() <= STAY && self.travel == DVec3::ZERO {
            return vec![(low + high) / 2.0];
        }
        // Running sums, so that long animations take no longer for wide means.
        let half = (SMOOTH_SECS / step_secs / 2.0) as usize;
        let before = half.div_ceil(count) * count;
        let at = |i: usize| repeated(&places, self.travel, i);
        let mut sum: DVec3 = (0..=2 * half).map(|i| at(before - half + i)).sum();
        let rounds = self.travel * (before / count) as f64;
        let means = (0..count).map(|i| {
            let mean = sum / (2 * half + 1) as f64 - rounds;
            sum += at(before + i + half + 1) - at(before + i - half);
            mean
        });
        means.collect()
    }
}

/// Returns place `i` of a way that begins anew from where it ended.
fn repeated(way: &[DVec3], travel: DVec3, i: usize) -> DVec3 {
    let count = way.len().max(1);
    let place = way.get(i % count).copied().unwrap_or_default();
    place + travel * (i / count) as f64
}
