//! One fixed step: how the head moves, and what acts on the hair meanwhile.

use crate::sim::contact::Contacts;
use crate::sim::forces::Forces;
use crate::sim::head_motion::HeadMotion;
use crate::sim::pose::Pose;
use crate::sim::settings::SimSettings;
use crate::sim::simd::flush;
use crate::sim::time_step::STEP_SECS;
use glam::Vec3;

/// One step of [`STEP_SECS`]: the head moves from one pose to another while forces act.
#[derive(Clone, Debug)]
pub struct Step {
    from: Pose,
    to: Pose,
    /// Length, seconds.
    pub(crate) dt: f32,
    pub(crate) motion: HeadMotion,
    /// Angular velocity of the head, world space, 1/s: exact but for the third order of the angle.
    pub(crate) spin: Vec3,
    pub(crate) forces: Forces,
    pub(crate) contacts: Contacts,
}

impl Step {
    /// A step that ends at `time_secs` with the head at `to`.
    pub(crate) fn new(
        from: Pose,
        to: Pose,
        time_secs: f64,
        settings: &SimSettings,
        contacts: &Contacts,
    ) -> Self {
        let turn = to.rotation * from.rotation.conjugate();
        let twice = 2.0_f64.copysign(turn.w) / STEP_SECS;
        Self {
            dt: STEP_SECS as f32,
            motion: HeadMotion::new(&from, &to),
            spin: (turn.xyz() * twice).as_vec3().map(flush),
            forces: settings.forces.at(time_secs, STEP_SECS),
            contacts: contacts.under(&to),
            from,
            to,
        }
    }

    /// Whether hair meets no obstacles and no turbulence.
    pub(crate) fn is_free(&self) -> bool {
        self.contacts.is_empty() && self.is_calm()
    }

    /// Whether there is no turbulence.
    pub(crate) fn is_calm(&self) -> bool {
        self.forces.turbulence.strength == 0.0
    }

    /// Length, seconds.
    pub fn dt_secs(&self) -> f32 {
        self.dt
    }

    /// The head's pose when the step begins.
    pub fn from(&self) -> &Pose {
        &self.from
    }

    /// The head's pose when the step ends.
    pub fn to(&self) -> &Pose {
        &self.to
    }

    /// Acceleration of everything, world space, dm/s².
    pub fn gravity(&self) -> Vec3 {
        self.forces.gravity
    }

    /// Velocity of the air at a point, world space, dm/s.
    pub fn wind_at(&self, point: Vec3) -> Vec3 {
        self.forces.air_at(point)
    }

    /// Rate at which hair takes on the velocity of the air, 1/s.
    pub fn drag(&self) -> f32 {
        self.forces.drag
    }
}
