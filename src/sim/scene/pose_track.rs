//! Head poses sampled at even times, as a mouse or motion capture gives them.

use crate::det_math::hermite;
use crate::sim::pose::Pose;
use glam::{DQuat, DVec3};

/// Poses at even times, smooth in between.
///
/// Between frames, translations and quaternions follow Hermite's cubics, with velocities from the
/// four frames around each. Velocities therefore have no steps, which hair would follow.
#[derive(Clone, Debug)]
pub struct PoseTrack {
    /// Neighbouring rotations are in the same half of the sphere.
    poses: Vec<Pose>,
    fps: f64,
}

impl PoseTrack {
    /// Returns a track of one pose for each frame, the first at time 0. Returns `None` without
    /// poses, and if one is not finite or has no rotation.
    pub fn new(poses: impl IntoIterator<Item = Pose>, fps: f64) -> Option<Self> {
        let mut track: Vec<Pose> = Vec::new();
        for pose in poses {
            let mut pose = pose.usable()?;
            if let Some(last) = track.last()
                && last.rotation.dot(pose.rotation) < 0.0
            {
                pose.rotation = -pose.rotation;
            }
            track.push(pose);
        }
        let usable = !track.is_empty() && fps.is_finite() && fps > 0.0;
        usable.then_some(Self { poses: track, fps })
    }

    /// Returns the number of poses, at least 1.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.poses.len()
    }

    /// Returns the time from the first pose to the last, seconds.
    pub fn duration_secs(&self) -> f64 {
        (self.poses.len() - 1) as f64 / self.fps
    }

    /// Returns the pose at a time: exactly that of the frame at its time, the first before the
    /// start, the last after the end.
    pub fn at(&self, time_secs: f64) -> Pose {
        let last = self.poses.len() - 1;
        let place = time_secs * self.fps;
        if place.is_nan() || place <= 0.0 {
            return self.poses[0];
        }
        let frame = place as usize;
        let share = place - frame as f64;
        if frame >= last {
            return self.poses[last];
        }
        if share == 0.0 {
            return self.poses[frame];
        }
        let ends = [frame, frame + 1];
        let [h0, h1, k0, k1] = hermite(share);
        let [q0, q1] = ends.map(|i| self.poses[i].rotation);
        let [t0, t1] = ends.map(|i| self.poses[i].translation);
        let [v0, v1] = ends.map(|i| self.velocity(i));
        let rotation: DQuat = q0 * h0 + q1 * h1 + v0.rotation * k0 + v1.rotation * k1;
        let translation: DVec3 = t0 * h0 + t1 * h1 + v0.translation * k0 + v1.translation * k1;
        // Rotations that are opposite one frame apart cancel.
        let rotation = if rotation.length_squared() > 1e-6 {
            rotation.normalize()
        } else {
            q0
        };
        Pose::new(rotation, translation)
    }

    /// Returns the change per frame at a frame: of fourth order inside, of second order near the
    /// ends.
    fn velocity(&self, frame: usize) -> Pose {
        let last = self.poses.len() - 1;
        let stencil: &[(isize, f64)] = match (frame, last - frame) {
            (0, 1) => &[(0, -1.0), (1, 1.0)],
            (1, 0) => &[(-1, -1.0), (0, 1.0)],
            (0, _) => &[(0, -1.5), (1, 2.0), (2, -0.5)],
            (_, 0) => &[(0, 1.5), (-1, -2.0), (-2, 0.5)],
            (1, _) | (_, 1) => &[(-1, -0.5), (1, 0.5)],
            _ => &[
                (-2, 1.0 / 12.0),
                (-1, -8.0 / 12.0),
                (1, 8.0 / 12.0),
                (2, -1.0 / 12.0),
            ],
        };
        let mut velocity = Pose::new(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DVec3::ZERO);
        for &(offset, weight) in stencil {
            let pose = &self.poses[frame.saturating_add_signed(offset).min(last)];
            velocity.rotation += pose.rotation * weight;
            velocity.translation += pose.translation * weight;
        }
        velocity
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nod(t: f64) -> Pose {
        Pose::about_neck(DQuat::from_rotation_x(0.4 * (6.0 * t).sin()))
    }

    #[test]
    fn tracks_pass_through_their_poses_and_follow_the_motion() {
        let track = PoseTrack::new((0..31).map(|i| nod(f64::from(i) / 30.0)), 30.0).unwrap();
        assert_eq!(track.len(), 31);
        for i in 0..31 {
            let t = f64::from(i) / 30.0;
            assert!(track.at(t).rotation.dot(nod(t).rotation).abs() > 1.0 - 1e-12);
        }
        for i in 0..=240 {
            let t = f64::from(i) / 240.0;
            let off = track.at(t).translation.distance(nod(t).translation);
            let allowed = if (16..224).contains(&i) { 1e-5 } else { 1e-3 };
            assert!(off < allowed, "{t}: {off}");
        }
        assert_eq!(track.at(-1.0), track.at(0.0));
        assert_eq!(track.at(9.0), track.at(1.0));
    }

    #[test]
    fn unusable_poses_are_refused() {
        assert!(PoseTrack::new([], 30.0).is_none());
        let broken = Pose::new(DQuat::IDENTITY, DVec3::NAN);
        assert!(PoseTrack::new([broken], 30.0).is_none());
        let turned = Pose::new(-DQuat::IDENTITY, DVec3::ZERO);
        let track = PoseTrack::new([Pose::IDENTITY, turned], 30.0).unwrap();
        assert_eq!(track.at(0.5 / 30.0), Pose::IDENTITY);
        let single = PoseTrack::new([Pose::IDENTITY], 30.0).unwrap();
        assert_eq!(single.at(0.5), Pose::IDENTITY);
    }
}
