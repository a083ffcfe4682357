//! The views of the scene, of one solver or of two side by side, and the pointer's place in them.

use super::App;
use crate::viewer::input::action::Action;
use crate::viewer::input::collider_drag::DragState;
use crate::viewer::input::pointer::Drag;
use crate::viewer::subject::comparison::{self, Side, Views};
use crate::viewer::subject::pick::Pick;
use glam::Vec2;
use mohawk::render::{CameraView, OrbitCamera, Ray};
use mohawk::sim::SolverKind;
use std::sync::Arc;
use three_d::egui;

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

impl App {
    pub(crate) fn set_solver(&mut self, solver: SolverKind) {
        self.settings.config.sim.solver = solver;
        self.subject.apply(&self.settings.config);
        self.overlay
            .notice(format!("solver {solver}: {}", solver.about()));
    }

    /// Compares with another solver; `None`: ends the comparison.
    pub(crate) fn set_beside(&mut self, solver: Option<SolverKind>) {
        self.subject.set_beside(solver);
        if let Some(right) = solver {
            self.view.compared_with = Some(right);
            tracing::info!("solver {} beside {right}", self.settings.config.sim.solver);
        }
        if self.view.panes.split != solver.is_some() {
            self.share_views(solver.is_some());
        }
    }

    pub(crate) fn toggle_split(&mut self) {
        let solver = match self.subject.simulations.beside() {
            Some(_) => None,
            None => {
                let next = self.settings.config.sim.solver.next();
                Some(self.view.compared_with.unwrap_or(next))
            }
        };
        self.set_beside(solver);
    }

    /// Moves the camera so that narrower views show all of what one view showed.
    fn share_views(&mut self, split: bool) {
        let before = self.view.panes.distance();
        self.view.panes.split = split;
        if self.subject.is_headless() {
            self.reset_camera();
        } else {
            self.view.camera.zoom(self.view.panes.distance() / before);
        }
    }

    /// Returns the view of a point of the scene, and the point within that view. A drag stays in
    /// its view.
    pub(crate) fn in_view(&self, point: Vec2) -> (Side, Vec2) {
        let side = self
            .pointer
            .held_in
            .unwrap_or_else(|| self.view.panes.side(point));
        (side, self.view.panes.within(point, side))
    }

    /// Returns the ray through the pointer, if it is in the scene.
    pub(super) fn pointer_ray(&self) -> Option<Ray> {
        Some(self.pick(self.pointer.at?).ray())
    }

    /// Returns what there is to pick at a point of the scene.
    pub(super) fn pick(&self, point: Vec2) -> Pick<'_> {
        let (side, pixel) = self.in_view(point);
        Pick {
            camera: &self.view.camera,
            pixel,
            size: self.view.panes.each(),
            head: self.subject.shown_head().map(Arc::as_ref),
            strands: self.subject.simulations.of(side),
            is_hair_drawn: self.subject.layers.hair,
        }
    }

    /// Labels the views, if there are two.
    pub(crate) fn show_split(&self, ctx: &egui::Context, area: egui::Rect) -> Vec<Action> {
        let Some(right) = self.subject.simulations.beside() else {
            return Vec::new();
        };
        let [left_ms, right_ms] = self.statistics.side_ms.each_ref().map(|ms| ms.get());
        let left = self.settings.config.sim.solver;
        let labels = [(left, left_ms), (right, right_ms)];
        comparison::show(ctx, area, labels)
    }
}
