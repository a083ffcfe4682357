//! Two solvers side by side.

use super::App;
use crate::viewer::input::action::Action;
use crate::viewer::subject::comparison::{self, Side};
use glam::Vec2;
use mohawk::render::Ray;
use mohawk::sim::SolverKind;
use three_d::egui;

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

    /// Returns the ray through a point of the scene.
    pub(crate) fn ray_at(&self, point: Vec2) -> Ray {
        let (_, point) = self.in_view(point);
        self.view.ray(point)
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
