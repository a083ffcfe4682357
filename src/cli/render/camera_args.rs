//! The flags of the camera.

use crate::cli::settings::{choice, within};
use glam::Vec3;
use mohawk::look::CameraView;
#[cfg(feature = "viewer")]
use mohawk::look::ViewSettings;
#[cfg(feature = "viewer")]
use mohawk::render::OrbitCamera;

/// A named view, and what differs from it.
#[derive(Debug, clap::Args)]
pub struct CameraArgs {
    /// Camera position [default: that of the settings, view]
    #[arg(long, value_name = "SIDE", value_parser = choice::<CameraView>(), help_heading = "Camera")]
    pub camera: Option<CameraView>,
    /// Angle around the head, in degrees: 0 sees the face, 90 its left side
    #[arg(long, value_name = "DEG", value_parser = within(-3600.0..=3600.0), allow_negative_numbers = true, help_heading = "Camera")]
    yaw: Option<f64>,
    /// Angle above the horizon, in degrees, -88 to 88
    #[arg(long, value_name = "DEG", value_parser = within(-88.0..=88.0), allow_negative_numbers = true, help_heading = "Camera")]
    pitch: Option<f64>,
    /// Distance from the target, in decimetres
    ///
    /// With neither --distance nor --target the camera moves back until head and hair are in all
    /// pictures of the clip.
    #[arg(long, value_name = "DM", value_parser = within(0.05..=1000.0), help_heading = "Camera")]
    distance: Option<f64>,
    /// Point to look at, in decimetres; a head is at 0,0,0
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true, help_heading = "Camera")]
    target: Option<Vec3>,
    /// Vertical field of view, in degrees, 1 to 120
    ///
    /// Without --distance the target keeps its size.
    #[arg(long, value_name = "DEG", value_parser = within(1.0..=120.0), allow_negative_numbers = true, help_heading = "Camera")]
    fov: Option<f64>,
    /// Turn the camera once around the target, over all pictures
    #[arg(long, help_heading = "Camera")]
    pub turntable: bool,
}

#[cfg(feature = "viewer")]
impl CameraArgs {
    /// Returns the named camera, or that of the settings, with the direction and the field of view
    /// of the flags.
    pub fn direction(&self, settings: &ViewSettings) -> OrbitCamera {
        let named = self.camera.map(OrbitCamera::named);
        let camera = named.unwrap_or_else(|| OrbitCamera::of_settings(settings));
        let radians = |degrees: f64| degrees.to_radians() as f32;
        let [yaw, pitch, fov] = [self.yaw, self.pitch, self.fov].map(|angle| angle.map(radians));
        camera.seen_by(yaw, pitch, fov)
    }

    /// Returns `true` if the flags or the settings say where the camera is.
    pub fn is_placed(&self, settings: &ViewSettings) -> bool {
        let is_set = self.camera.is_none() && settings.distance > 0.0;
        is_set || self.distance.is_some() || self.target.is_some()
    }

    /// Returns a camera at the place of the flags.
    pub fn placed(&self, camera: OrbitCamera) -> OrbitCamera {
        OrbitCamera {
            distance: self.distance.map_or(camera.distance, |dm| dm as f32),
            target: self.target.unwrap_or(camera.target),
            ..camera
        }
    }
}

/// Parses a point.
fn point(text: &str) -> Result<Vec3, String> {
    let number = |text: &str| text.trim().parse().ok();
    let numbers: Option<Vec<f32>> = text.split(',').map(number).collect();
    let numbers = numbers.filter(|numbers| numbers.iter().all(|x| x.abs() <= 1000.0));
    let numbers: Option<[f32; 3]> = numbers.and_then(|numbers| numbers.try_into().ok());
    numbers
        .map(Vec3::from)
        .ok_or_else(|| "expected X,Y,Z, each from -1000 to 1000, for example 0,0.3,0".to_owned())
}
