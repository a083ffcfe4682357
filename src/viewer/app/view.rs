//! What the scene is seen from, and where the pointer is in it.

use crate::viewer::input::collider_drag::DragState;
use crate::viewer::input::pointer::Drag;
use crate::viewer::subject::comparison::{Side, Views};
use glam::Vec2;
use mohawk::render::{CameraView, OrbitCamera, Ray};
use mohawk::sim::SolverKind;

/// The camera, and the views that share it.
pub(crate) struct ViewState {
    pub(crate) camera: OrbitCamera,
    /// One view, or two with a solver each.
    pub(crate) panes: Views,
    /// The solver that was compared last.
    pub(super) compared_with: Option<SolverKind>,
    /// Pixels per logical pixel.
    pub(crate) pixel_scale: f32,
}

impl Default for ViewState {
    fn default() -> Self {
        Self {
            camera: OrbitCamera::named(CameraView::ThreeQuarter),
            panes: Views {
                size: Vec2::new(960.0, 800.0),
                split: false,
            },
            compared_with: None,
            pixel_scale: 1.0,
        }
    }
}

impl ViewState {
    /// Returns the ray through a point of one of the views, logical pixels.
    pub(super) fn ray(&self, point: Vec2) -> Ray {
        self.camera.ray(point, self.panes.each())
    }

    /// Returns the size of one view in pixels.
    pub(super) fn pixels(&self) -> [u32; 2] {
        let whole = self.panes.size * self.pixel_scale;
        let [width, height] = whole.to_array().map(|pixels| (pixels as u32).max(1));
        match self.panes.split {
            true => [(width / 2).max(1), height],
            false => [width, height],
        }
    }
}

/// The pointer, and what it holds.
#[derive(Default)]
pub(crate) struct PointerState {
    /// Its place in the scene, logical pixels; `None`: it is elsewhere.
    pub(crate) at: Option<Vec2>,
    /// Its place in the window, logical pixels.
    pub(super) in_window: Option<Vec2>,
    pub(crate) drag: Option<Drag>,
    /// The view that a drag began in.
    pub(super) held_in: Option<Side>,
    /// The colliders that are pointed at, selected and held.
    pub(crate) colliders: DragState,
    /// Whether a button is down.
    pub(crate) pressed: bool,
}
