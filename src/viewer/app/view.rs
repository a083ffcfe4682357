//! The views of the scene, of one solver or of two side by side, what the pointer finds in them,
//! and the colliders that it moves.

use super::App;
use crate::viewer::input::Under;
use crate::viewer::input::action::{Action, NewCollider};
use crate::viewer::input::collider_drag;
use crate::viewer::interface::edit::combo;
use crate::viewer::interface::window;
use crate::viewer::subject::pick::Pick;
use crate::viewer::subject::simulations::Side;
use glam::{Vec2, Vec3};
use mohawk::look::ViewSettings;
use mohawk::render::{CameraView, OrbitCamera, Ray};
use mohawk::settings::ListItem as _;
use mohawk::sim::{Collider, SolverKind};
use three_d::egui::{self, Align2, Color32, Rect, RichText, Stroke, Ui};
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
    /// By how much both follow an animation that walks, world space.
    carried: Vec3,
    /// The size of all of it, logical pixels.
    pub(crate) size: Vec2,
    /// `true` if there are two views of one size, with a solver each.
    split: bool,
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

    /// The view that a point of the scene is in.
    pub(super) fn side(&self, point: Vec2) -> Side {
        match self.split && point.x >= 0.5 * self.size.x {
            true => Side::Right,
            false => Side::Left,
        }
    }

    /// A point of the scene as one of a view, which it may be outside of.
    pub(super) fn within(&self, point: Vec2, side: Side) -> Vec2 {
        match side {
            Side::Left => point,
            Side::Right => point - Vec2::new(0.5 * self.size.x, 0.0),
        }
    }

    /// A point of a view as one of the scene.
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
        self.placed.zoom(self.distance());
        self.placed.target += self.carried;
        self.camera = self.placed;
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
    fn set_split(&mut self, split: bool) {
        let before = self.distance();
        self.split = split;
        let factor = self.distance() / before;
        for camera in [&mut self.camera, &mut self.placed] {
            camera.zoom(factor);
        }
    }
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
        self.subject.simulations.set_beside(solver);
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
    /// solver, to be changed there, and what that costs.
    pub(crate) fn show_split(&self, ctx: &egui::Context, area: Rect, actions: &mut Vec<Action>) {
        let Some(right_solver) = self.subject.simulations.beside() else {
            return;
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
        let gap = |x| egui::vec2(x, 16.0);
        window(ctx, "left", left, Align2::RIGHT_TOP, gap(-8.0), |ui| {
            ui.horizontal(|ui| {
                costs(ui, left_ms);
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
                costs(ui, right_ms);
                let close = ui.small_button("✖").on_hover_text("One solver alone (V)");
                if close.clicked() {
                    actions.push(Action::Beside(None));
                }
            });
        });
    }

    /// Returns the thing under a point of the scene (logical pixels) that is nearest to the eye.
    pub(crate) fn locate(&self, point: Vec2) -> Under {
        let pick = self.pick(point);
        let reaches = self.brush_reaches();
        let depth = |away: Vec2| {
            let pixel = pick.pixel + away;
            // The strands of a scene cannot be dragged.
            (!self.subject.is_headless()).then(|| Pick { pixel, ..pick }.depth())?
        };
        // A brush touches what is within its circle.
        let head = depth(Vec2::ZERO).or_else(|| reaches.iter().find_map(|&away| depth(away)));
        let colliders = &self.settings.config.sim.colliders;
        match (collider_drag::nearest(colliders, pick.ray()), head) {
            (Some((grip, distance)), head) if head.is_none_or(|head| distance < head) => {
                Under::Collider(grip)
            }
            (_, Some(_)) => Under::Head,
            _ => Under::Background,
        }
    }

    /// Moves the held collider with the pointer.
    pub(super) fn carry_collider(&mut self) {
        if let Some(ray) = self.pointer_ray() {
            let all = &mut self.settings.config.sim.colliders;
            self.pointer.colliders.carry(all, &self.view.camera, ray);
            self.subject.apply(&self.settings.config);
        }
    }

    pub(super) fn add_collider(&mut self, which: NewCollider) {
        let all = &self.settings.config.sim.colliders;
        if all.len() >= Collider::MAX {
            let text = format!("There are {} colliders, which is the limit", all.len());
            return self.overlay.notice(text);
        }
        let camera = &self.view.camera;
        let ray = (self.pointer_ray()).filter(|_| which == NewCollider::AtPointer);
        let pointed =
            ray.and_then(|ray| collider_drag::on_plane(ray, camera.target, camera.outward()));
        let place =
            pointed.unwrap_or_else(|| collider_drag::beside(self.subject.points(), all, camera));
        let added = collider_drag::new(place, which == NewCollider::Capsule, camera);
        self.pointer.colliders.selected = Some(all.len());
        self.settings.config.sim.colliders.push(added);
        self.subject.apply(&self.settings.config);
    }

    /// Removes a collider; `None`: the selected one, else the one under the pointer.
    pub(super) fn remove_collider(&mut self, index: Option<usize>) {
        let pointed = || match self.locate(self.pointer.at?) {
            Under::Collider(grip) => Some(grip.index),
            _ => None,
        };
        let index = index.or(self.pointer.colliders.selected).or_else(pointed);
        let count = self.settings.config.sim.colliders.len();
        let Some(index) = index.filter(|index| *index < count) else {
            return;
        };
        self.settings.remove_collider(index);
        self.pointer.colliders.removed(index);
        self.subject.apply(&self.settings.config);
    }
}

fn dot(ui: &mut Ui, side: Side) {
    let (area, _) = ui.allocate_exact_size(egui::vec2(10.0, 10.0), egui::Sense::hover());
    ui.painter().circle_filled(area.center(), 4.5, side.color());
}

fn costs(ui: &mut Ui, ms: f32) {
    let text = RichText::new(format!("{ms:6.2} ms")).monospace().weak();
    ui.label(text).on_hover_text("Simulation, each frame");
}

/// A list of solvers; gives the one that was chosen just now.
fn choose(ui: &mut Ui, id: &str, now: SolverKind) -> Option<SolverKind> {
    let mut chosen = now;
    ui.spacing_mut().combo_width = 84.0;
    combo(ui, id, &mut chosen);
    (chosen != now).then_some(chosen)
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
