//! The camera, and the views of the scene: of one solver, or of two side by side.

use super::subject::simulations::Side;
use glam::{Vec2, Vec3};
use mohawk::look::ViewSettings;
use mohawk::render::{CameraView, OrbitCamera};
use mohawk::sim::SolverKind;
use web_time::Instant;

/// The width over height that a head with its hair needs. In narrower views the camera goes back.
const HEAD_ASPECT: f32 = 0.85;

/// Cosine of the angle, 30°, from which on two styles are made to be seen from different sides.
const OTHER_SIDE: f32 = 0.866;

/// The camera, and the scene's part of the window.
pub(crate) struct ViewState {
    pub(crate) camera: OrbitCamera,
    /// The camera as the settings have placed it. Another one was moved by hand.
    placed: OrbitCamera,
    /// The factor on the distance that both have for narrow views.
    zoomed: f32,
    /// The way by which both follow an animation that walks, world space.
    carried: Vec3,
    /// The size of all of it, logical pixels.
    pub(crate) size: Vec2,
    /// `true` if there are two views of one size, with a solver each.
    pub(super) split: bool,
    /// The view that a drag began in.
    pub(super) held_in: Option<Side>,
    /// `true` once the user has clicked or dragged in the picture, or changed a setting.
    pub(crate) is_used: bool,
    /// The solver that was compared last.
    pub(super) compared_with: Option<SolverKind>,
    /// Pixels per logical pixel.
    pub(crate) pixel_scale: f32,
    /// A picture that is saved as soon as it has all samples. Time stands still until then.
    pub(crate) picture: Option<Picture>,
}

/// A picture to save.
#[derive(Clone, Copy)]
pub(crate) struct Picture {
    /// `true`: without the sky.
    pub(crate) transparent: bool,
    /// The time when it was asked for.
    pub(crate) since: Instant,
}

impl Default for ViewState {
    fn default() -> Self {
        Self {
            camera: OrbitCamera::named(CameraView::ThreeQuarter),
            placed: OrbitCamera::named(CameraView::ThreeQuarter),
            zoomed: 1.0,
            carried: Vec3::ZERO,
            size: Vec2::new(960.0, 800.0),
            split: false,
            held_in: None,
            is_used: false,
            compared_with: None,
            pixel_scale: 1.0,
            picture: None,
        }
    }
}

impl ViewState {
    /// Returns the size of one view in pixels.
    pub(super) fn pixels(&self) -> [u32; 2] {
        let pixels = self.each() * self.pixel_scale;
        pixels.to_array().map(|side| (side as u32).max(1))
    }

    /// Size of one view, logical pixels.
    pub(super) fn each(&self) -> Vec2 {
        let share = if self.split { 0.5 } else { 1.0 };
        (self.size * Vec2::new(share, 1.0)).max(Vec2::ONE)
    }

    /// Returns the view that a point of the scene is in.
    pub(super) fn side(&self, point: Vec2) -> Side {
        match self.split && point.x >= 0.5 * self.size.x {
            true => Side::Right,
            false => Side::Left,
        }
    }

    /// Returns a point of the scene as one of a view, which it may be outside of.
    pub(super) fn within(&self, point: Vec2, side: Side) -> Vec2 {
        match side {
            Side::Left => point,
            Side::Right => point - Vec2::new(0.5 * self.size.x, 0.0),
        }
    }

    /// Returns a point of a view as one of the scene.
    pub(super) fn of_scene(&self, point: Vec2, side: Side) -> Vec2 {
        point - self.within(Vec2::ZERO, side)
    }

    /// Returns the factor on the distance of the camera that narrow views need.
    pub(super) fn distance(&self) -> f32 {
        let each = self.each();
        match self.split {
            true => (HEAD_ASPECT * each.y / each.x).max(1.0),
            false => 1.0,
        }
    }

    /// Places the camera where settings say.
    pub(super) fn place(&mut self, view: &ViewSettings) {
        self.placed = OrbitCamera::of_settings(view);
        self.zoomed = self.distance();
        self.placed.zoom(self.zoomed);
        self.placed.target += self.carried;
        self.camera = self.placed;
    }

    /// Returns the settings of the camera, as it is where one view shows all.
    pub(super) fn settings(&self) -> ViewSettings {
        let mut camera = self.camera;
        camera.zoom(1.0 / self.zoomed);
        camera.target -= self.carried;
        camera.settings()
    }

    /// Moves the camera along with a head that walks.
    pub(super) fn carry(&mut self, to: Vec3) {
        let way = to - std::mem::replace(&mut self.carried, to);
        self.camera.target += way;
        self.placed.target += way;
    }

    /// Follows the settings of another style on the same model. A camera that was moved by hand
    /// stays, unless the styles are made to be seen from different sides.
    pub(super) fn follow(&mut self, before: &ViewSettings, now: &ViewSettings) {
        let [before, now_from] = [before, now].map(|view| OrbitCamera::of_settings(view).outward());
        if self.camera == self.placed || before.dot(now_from) < OTHER_SIDE {
            self.place(now);
        }
    }

    /// Splits the view, or joins its halves. The camera moves so that narrower views show all of what
    /// one view showed.
    pub(super) fn set_split(&mut self, split: bool) {
        self.split = split;
        // The window may have another size than when it was split.
        let distance = self.distance();
        let factor = distance / std::mem::replace(&mut self.zoomed, distance);
        for camera in [&mut self.camera, &mut self.placed] {
            camera.zoom(factor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mohawk::presets::Preset;

    /// Returns the view of a shipped preset.
    fn view_of(name: &str) -> ViewSettings {
        let preset = Preset::shipped().find(|preset| preset.name() == name);
        preset.unwrap().open().unwrap().style.config.view
    }

    #[test]
    fn a_camera_that_was_moved_by_hand_stays_and_another_follows_the_preset() {
        let [fan, buzz] = ["fan", "buzz"].map(view_of);
        let mut views = ViewState::default();
        views.place(&fan);
        views.follow(&fan, &buzz);
        assert_eq!(views.camera, OrbitCamera::of_settings(&buzz));
        views.camera.orbit(Vec2::new(300.0, 0.0));
        let moved = views.camera;
        views.follow(&buzz, &fan);
        assert_eq!(views.camera, moved);
        // Two views at once move the camera, but not by hand.
        views.place(&fan);
        for split in [true, false] {
            views.set_split(split);
            views.follow(&fan, &fan);
            assert_eq!(views.camera, views.placed);
        }
    }

    #[test]
    fn a_preset_that_is_seen_from_another_side_is_shown_from_there() {
        let [prairie, face] = ["prairie", "prairie-face"].map(view_of);
        let mut views = ViewState::default();
        views.place(&prairie);
        views.camera.orbit(Vec2::new(40.0, 0.0));
        views.follow(&prairie, &face);
        assert_eq!(views.camera, OrbitCamera::of_settings(&face));
    }

    #[test]
    fn points_are_mapped_into_the_half_that_they_are_in() {
        let mut views = ViewState::default();
        let point = Vec2::new(700.0, 300.0);
        assert_eq!(views.side(point), Side::Left);
        assert_eq!((views.each(), views.distance()), (views.size, 1.0));
        views.split = true;
        assert_eq!(views.each(), Vec2::new(480.0, 800.0));
        assert_eq!(views.side(point), Side::Right);
        assert_eq!(views.within(point, Side::Right), Vec2::new(220.0, 300.0));
        // A drag that began in the left half goes on there.
        assert_eq!(views.within(point, Side::Left), point);
        assert!(views.distance() > 1.0);
    }
}
