//! Plays a scene for its pictures, and finds where the hair goes.

use super::frames::{Timing, moment};
use crate::cli::pipeline::SceneHair;
use glam::Vec3;
use mohawk::render::Framing;
use mohawk::{Config, Simulation, scene_file::SceneSetup};
use std::cmp::Reverse;

/// Longest time that the simulation advances at once, in seconds. It drops much longer times as
/// pauses.
const MAX_ADVANCE_SECS: f64 = 0.1;

/// The most strands that are played to find where the hair goes.
const SCOUTS: usize = 512;
/// The most points of a head that are kept in the picture.
const HEAD_POINTS: usize = 4096;
/// Moments of a second at which hair and head are kept in the picture.
const SCOUTED_FPS: f64 = 25.0;
/// Rounds of a scene after which hair goes nowhere new.
const SCOUTED_LOOPS: f64 = 2.0;

/// Hair that plays a scene from picture to picture.
///
/// It goes through the times of all pictures, also of those that are not taken, and of all moments
/// of each. A picture has the same bits whichever others are taken.
pub struct Player<'a> {
    setup: &'a SceneSetup,
    timing: &'a Timing,
    sim: Simulation,
    played_secs: f64,
    /// The moments of each picture.
    moments: u32,
    /// The moment after the one that was reached, counted over all pictures.
    next: u64,
}

impl<'a> Player<'a> {
    pub fn new(setup: &'a SceneSetup, timing: &'a Timing, sim: Simulation) -> Self {
        Self {
            moments: timing.moments(),
            setup,
            timing,
            sim,
            played_secs: 0.0,
            next: 0,
        }
    }

    /// Plays up to the start of a picture. For one that is past, the scene starts again.
    pub fn at(&mut self, frame: u32) -> &Simulation {
        self.during(frame, 0.0)
    }

    /// Plays up to a share of the time, from 0 to below 1, in which a picture is taken.
    pub fn during(&mut self, frame: u32, share: f64) -> &Simulation {
        let moments = f64::from(self.moments);
        let wanted = moment(frame, share, self.moments);
        if wanted + 1 < self.next {
            self.sim.reset(self.setup.pose(0.0));
            (self.played_secs, self.next) = (0.0, 0);
        }
        while self.next <= wanted {
            let frame = (self.next / u64::from(self.moments)) as u32;
            let moment = (self.next % u64::from(self.moments)) as f64;
            let open_secs = self.timing.shutter / self.timing.fps;
            self.play_to(self.timing.secs(frame) + open_secs * moment / moments);
            self.next += 1;
        }
        &self.sim
    }

    fn play_to(&mut self, time_secs: f64) {
        let setup = self.setup;
        while self.played_secs < time_secs {
            let next_secs = time_secs.min(self.played_secs + MAX_ADVANCE_SECS);
            let elapsed_secs = next_secs - self.played_secs;
            self.sim.advance(elapsed_secs, &mut |t| setup.pose(t));
            self.played_secs = next_secs;
        }
    }
}

/// Brings the head, and with `with_hair` the hair, into the picture at all times of the clip. Some
/// of the strands are played for that; the longest are among them.
pub fn scout(
    framing: &mut Framing,
    cast: &SceneHair,
    config: &Config,
    timing: &Timing,
    with_hair: bool,
) {
    let (head, setup) = (head_points(cast), &cast.setup);
    let groom = match with_hair {
        true => cast.groom.subset(&scouts(&cast.groom.lengths)).into(),
        false => Default::default(),
    };
    let mut player = Player::new(setup, timing, cast.simulation_of(groom, config));
    let most = (SCOUTED_LOOPS * setup.loop_secs() * timing.fps).ceil() as u32;
    let every = (timing.fps / SCOUTED_FPS).ceil() as usize;
    let mut points = Vec::new();
    for frame in (0..timing.total.min(most.max(1))).step_by(every) {
        let sim = player.at(frame);
        let (pose, followed) = (sim.drawn_pose(), setup.followed_at(sim.time_secs()));
        for &point in &head {
            framing.add(pose.transform_point(point.into()).as_vec3() - followed, 0.0);
        }
        sim.write_shape(&mut points);
        for &[x, y, z, _] in &points {
            framing.add(Vec3::new(x, y, z) - followed, 0.0);
        }
    }
}

/// Returns the numbers of strands to play: half of them spread over all, half the longest.
fn scouts(lengths: &[f32]) -> Vec<u32> {
    let mut all: Vec<u32> = (0..lengths.len() as u32).collect();
    if all.len() <= SCOUTS {
        return all;
    }
    let spread = all.iter().step_by(all.len().div_ceil(SCOUTS / 2));
    let mut scouts: Vec<u32> = spread.copied().collect();
    // The order is that of lengths, then of numbers. Bits of positive numbers have their order.
    all.sort_unstable_by_key(|&i| (Reverse(lengths[i as usize].to_bits()), i));
    scouts.extend(&all[..SCOUTS / 2]);
    scouts.sort_unstable();
    scouts.dedup();
    scouts
}

/// Returns points spread over the part of the head that hair grows on, or over all of its parts, but
/// not over a body.
fn head_points(cast: &SceneHair) -> Vec<Vec3> {
    let Some(head) = &cast.head else {
        return Vec::new();
    };
    let parts = head.parts.iter().enumerate();
    let shown = parts.filter(|(i, _)| head.scalp_part.is_none_or(|scalp| *i == scalp));
    let points: Vec<Vec3> = shown
        .flat_map(|(_, part)| &part.positions)
        .copied()
        // Rounding.
        .filter(|place| place.y >= head.extent.lowest - 1e-3)
        .collect();
    let every = points.len().div_ceil(HEAD_POINTS).max(1);
    points.into_iter().step_by(every).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mohawk::sim::Scene;

    #[test]
    fn scouts_are_the_longest_strands_and_some_of_each_place() {
        let mut lengths = vec![1.0; 5000];
        lengths[4321] = 3.0;
        let scouts = scouts(&lengths);
        assert!(scouts.len() <= SCOUTS && scouts.contains(&4321));
        let widest = scouts.windows(2).map(|pair| pair[1] - pair[0]).max();
        assert!(widest.is_some_and(|widest| widest <= 20), "{widest:?}");
    }

    #[test]
    fn a_picture_does_not_depend_on_those_taken_before() {
        let groom = mohawk::Groom::parallel(vec![Vec3::Y], Vec3::Y, 1.0);
        let setup = SceneSetup::from(Scene::Swing);
        let timing = Timing {
            total: 60,
            taken: 0..60,
            start_secs: 0.07,
            fps: 7.3,
            shutter: 0.5,
            samples: 3,
        };
        let player = || {
            let sim = Simulation::new(&groom, Default::default(), setup.pose(0.0));
            Player::new(&setup, &timing, sim)
        };
        let drawn = |sim: &Simulation| {
            let mut points = Vec::new();
            sim.write_drawn(&mut points);
            (points, sim.drawn_pose())
        };
        let mut whole = player();
        let all: Vec<_> = (0..60).map(|frame| drawn(whole.at(frame))).collect();
        let late = drawn(whole.during(59, 2.0 / 3.0));
        assert_ne!(late, all[59]);
        for first in [0, 1, 17, 59] {
            assert_eq!(drawn(player().at(first)), all[first as usize], "{first}");
        }
        assert_eq!(drawn(player().during(59, 2.0 / 3.0)), late);
        // Back, and twice the same.
        for frame in [3, 3, 40] {
            assert_eq!(drawn(whole.at(frame)), all[frame as usize], "{frame}");
        }
    }
}
