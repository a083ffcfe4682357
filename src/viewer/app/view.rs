//! The views of the scene, of one solver or of two side by side, and what the pointer finds in them.

use super::App;
use crate::viewer::input::Under;
use crate::viewer::input::action::Action;
use crate::viewer::input::collider_drag;
use crate::viewer::interface::edit::combo;
use crate::viewer::interface::told::Told;
use crate::viewer::interface::window;
use crate::viewer::subject::pick::{Pick, STRAND_REACH};
use crate::viewer::subject::simulations::Side;
use glam::Vec2;
use mohawk::render::Ray;
use mohawk::sim::SolverKind;
use three_d::egui::{self, Align2, Color32, Rect, RichText, Stroke, Ui};

impl App {
    pub(crate) fn set_solver(&mut self, solver: SolverKind) {
        self.settings.config.sim.solver = solver;
        self.subject.apply(&self.settings.config);
        self.overlay
            .notice(format!("solver {solver}: {}", solver.about()));
    }

    /// Compares with another solver; `None`: ends the comparison.
    pub(crate) fn set_beside(&mut self, solver: Option<SolverKind>) {
        self.subject.simulations.set_beside(solver);
        // Curves of the view that was there before would go on in those of the new one.
        self.statistics.graphs.clear();
        if let Some(right) = solver {
            self.view.compared_with = Some(right);
            tracing::info!("solver {} beside {right}", self.settings.config.sim.solver);
        }
        if self.view.split != solver.is_some() {
            self.view.set_split(solver.is_some());
            if self.subject.is_headless() {
                self.reset_camera();
            }
        }
    }

    /// Returns the view of a point of the scene, and the point within that view. A drag stays in
    /// its view.
    pub(crate) fn in_view(&self, point: Vec2) -> (Side, Vec2) {
        let view = &self.view;
        let side = view.held_in.unwrap_or_else(|| view.side(point));
        (side, view.within(point, side))
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
            size: self.view.each(),
            rays: (self.subject.rays.as_deref()).filter(|_| !self.subject.is_headless()),
            strands: self.subject.simulations.of(side),
            is_hair_drawn: self.subject.layers.hair,
        }
    }

    /// Draws the line between two views, if there are two, with a label on either side of it: its
    /// solver, to be changed there, and what that costs. Returns the area below the labels.
    pub(crate) fn show_split(
        &self,
        ctx: &egui::Context,
        area: Rect,
        actions: &mut Vec<Action>,
    ) -> Rect {
        const LABELS: f32 = 40.0;
        let Some(right_solver) = self.subject.simulations.beside() else {
            return area;
        };
        let [left_ms, right_ms] = self.statistics.side_ms;
        let left_solver = self.settings.config.sim.solver;
        let middle = area.center().x;
        let layer = egui::LayerId::new(egui::Order::Background, egui::Id::new("divider"));
        let painter = ctx.layer_painter(layer).with_clip_rect(area);
        let dark = Stroke::new(3.0, Color32::from_black_alpha(90));
        for line in [dark, Stroke::new(1.0, Color32::from_white_alpha(170))] {
            painter.vline(middle, area.y_range(), line);
        }

        let (mut left, mut right) = (area, area);
        (left.max.x, right.min.x) = (middle, middle);
        let has_room = left.width() > 230.0;
        let gap = |x| egui::vec2(x, 16.0);
        window(ctx, "left", left, Align2::RIGHT_TOP, gap(-8.0), |ui| {
            ui.horizontal(|ui| {
                if has_room {
                    costs(ui, left_ms);
                }
                let chosen = choose(ui, "left solver", left_solver);
                actions.extend(chosen.map(Action::Solver));
                dot(ui, Side::Left);
            });
        });
        window(ctx, "right", right, Align2::LEFT_TOP, gap(8.0), |ui| {
            ui.horizontal(|ui| {
                dot(ui, Side::Right);
                let chosen = choose(ui, "right solver", right_solver);
                actions.extend(chosen.map(|solver| Action::Beside(Some(solver))));
                if has_room {
                    costs(ui, right_ms);
                }
                let close = ui.small_button("✖").help("One solver alone (V)");
                if close.clicked() {
                    actions.push(Action::Beside(None));
                }
            });
        });
        area.with_min_y(area.min.y + LABELS)
    }

    /// Returns the thing under a point of the scene (logical pixels) that is nearest to the eye.
    pub(crate) fn locate(&self, point: Vec2) -> Under {
        let pick = self.pick(point);
        let reaches = self.brush_reaches();
        let depth = |away: Vec2, is_hair_drawn: bool| {
            let pixel = pick.pixel + away;
            let pick = Pick {
                pixel,
                is_hair_drawn,
                ..pick
            };
            // The strands of a scene cannot be dragged.
            (!self.subject.is_headless()).then(|| pick.depth())?
        };
        // A brush touches what is within its circle. One look tells whether that may be hair.
        let head = depth(Vec2::ZERO, pick.is_hair_drawn).or_else(|| {
            let radius = reaches.first()?.length();
            let has_hair = pick.has_hair_within(radius + STRAND_REACH);
            reaches.iter().find_map(|&away| depth(away, has_hair))
        });
        let colliders = &self.settings.config.sim.colliders;
        match (collider_drag::nearest(colliders, pick.ray()), head) {
            (Some((grip, distance)), head) if head.is_none_or(|head| distance < head) => {
                Under::Collider(grip)
            }
            (_, Some(_)) => Under::Head,
            _ => Under::Background,
        }
    }

    /// Turns the camera to the largest gap, from straight above, if it is known.
    pub(super) fn face_gap(&mut self) {
        /// The height of the picture, in spacings.
        const SPACINGS: f32 = 24.0;
        let ring = self.roots_view.ring.zip(self.subject.spacing());
        if let Some((ring, spacing)) = ring {
            let pose = self.subject.sim().drawn_pose().to_mat4();
            let center = pose.transform_point3(ring.center);
            let normal = pose.transform_vector3(ring.normal);
            self.view.camera.face(center, normal, SPACINGS * spacing);
        }
    }
}

fn dot(ui: &mut Ui, side: Side) {
    let (area, _) = ui.allocate_exact_size(egui::vec2(10.0, 10.0), egui::Sense::hover());
    ui.painter().circle_filled(area.center(), 4.5, side.color());
}

fn costs(ui: &mut Ui, ms: f32) {
    let decimals = if ms < 10.0 { 2 } else { 1 };
    let text = RichText::new(format!("{ms:6.decimals$} ms"))
        .monospace()
        .weak();
    ui.label(text).help("Simulation, each frame");
}

/// Shows a list of solvers. Returns the one that was chosen just now.
fn choose(ui: &mut Ui, id: &str, now: SolverKind) -> Option<SolverKind> {
    let mut chosen = now;
    ui.spacing_mut().combo_width = 84.0;
    combo(ui, id, &mut chosen);
    (chosen != now).then_some(chosen)
}
