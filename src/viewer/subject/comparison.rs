//! Two solvers side by side: which half of the scene is whose, and what stands there.

use crate::viewer::input::action::Action;
use crate::viewer::interface::overlay::window;
use crate::viewer::interface::rows::{ACCENT, combo};
use glam::Vec2;
use mohawk::sim::SolverKind;
use three_d::Viewport;
use three_d::egui::{self, Align2, Color32, Rect, RichText, Stroke, Ui};

/// The width over height that a head with its hair needs. In narrower views the camera goes back.
const HEAD_ASPECT: f32 = 0.85;

/// One of two views; the left one is there alone where nothing is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Side {
    /// Moved by the solver of the settings.
    #[default]
    Left,
    /// Moved by the one that it is compared with.
    Right,
}

/// The scene's part of the window, and how it is shared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Views {
    /// All of it, logical pixels.
    pub(crate) size: Vec2,
    /// Two views of one size.
    pub(crate) split: bool,
}

impl Views {
    /// Size of one view, logical pixels.
    pub(crate) fn each(&self) -> Vec2 {
        let share = if self.split { 0.5 } else { 1.0 };
        (self.size * Vec2::new(share, 1.0)).max(Vec2::ONE)
    }

    /// The view that a point of the scene is in.
    pub(crate) fn side(&self, point: Vec2) -> Side {
        match self.split && point.x >= 0.5 * self.size.x {
            true => Side::Right,
            false => Side::Left,
        }
    }

    /// A point of the scene as one of a view, which it may be outside of.
    pub(crate) fn within(&self, point: Vec2, side: Side) -> Vec2 {
        match side {
            Side::Left => point,
            Side::Right => point - Vec2::new(0.5 * self.size.x, 0.0),
        }
    }

    /// Returns the factor on the distance of the camera that narrow views need.
    pub(crate) fn distance(&self) -> f32 {
        let each = self.each();
        match self.split {
            true => (HEAD_ASPECT * each.y / each.x).max(1.0),
            false => 1.0,
        }
    }
}

/// The two views within what is drawn, of one size to the pixel.
pub(crate) fn halves(all: Viewport) -> [(Side, Viewport); 2] {
    let width = (all.width / 2).max(1);
    let left = Viewport { width, ..all };
    let right = Viewport {
        x: all.x + (all.width - width) as i32,
        ..left
    };
    [(Side::Left, left), (Side::Right, right)]
}

/// Draws the line between two views, with a label on either side of it: its solver, to be changed
/// there, and what that costs in milliseconds.
pub(crate) fn show(ctx: &egui::Context, area: Rect, labels: [(SolverKind, f32); 2]) -> Vec<Action> {
    let middle = area.center().x;
    let layer = egui::LayerId::new(egui::Order::Background, egui::Id::new("divider"));
    let painter = ctx.layer_painter(layer).with_clip_rect(area);
    let (dark, bright) = (
        Color32::from_black_alpha(90),
        Color32::from_white_alpha(170),
    );
    for (width, color) in [(3.0, dark), (1.0, bright)] {
        painter.vline(middle, area.y_range(), Stroke::new(width, color));
    }

    let (mut left, mut right) = (area, area);
    (left.max.x, right.min.x) = (middle, middle);
    let [(left_solver, left_ms), (right_solver, right_ms)] = labels;
    let mut actions = Vec::new();
    let gap = |x| egui::vec2(x, 16.0);
    window(ctx, "left", left, Align2::RIGHT_TOP, gap(-8.0), |ui| {
        ui.horizontal(|ui| {
            costs(ui, left_ms);
            if let Some(solver) = choose(ui, "left solver", left_solver) {
                actions.push(Action::Solver(solver));
            }
            dot(ui, Side::Left);
        });
    });
    window(ctx, "right", right, Align2::LEFT_TOP, gap(8.0), |ui| {
        ui.horizontal(|ui| {
            dot(ui, Side::Right);
            if let Some(solver) = choose(ui, "right solver", right_solver) {
                actions.push(Action::Beside(Some(solver)));
            }
            costs(ui, right_ms);
            let close = ui.small_button("✖").on_hover_text("One solver alone (V)");
            if close.clicked() {
                actions.push(Action::Beside(None));
            }
        });
    });
    actions
}

/// The colour that a side has in graphs, and here.
pub(crate) fn color(side: Side) -> Color32 {
    match side {
        Side::Left => ACCENT,
        Side::Right => Color32::from_rgb(95, 205, 255),
    }
}

fn dot(ui: &mut Ui, side: Side) {
    let (area, _) = ui.allocate_exact_size(egui::vec2(10.0, 10.0), egui::Sense::hover());
    ui.painter().circle_filled(area.center(), 4.5, color(side));
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

    #[test]
    fn points_are_mapped_into_the_half_that_they_are_in() {
        let size = Vec2::new(960.0, 800.0);
        let mut views = Views { size, split: false };
        let point = Vec2::new(700.0, 300.0);
        assert_eq!(views.side(point), Side::Left);
        assert_eq!((views.each(), views.distance()), (size, 1.0));
        views.split = true;
        assert_eq!(views.each(), Vec2::new(480.0, 800.0));
        assert_eq!(views.side(point), Side::Right);
        assert_eq!(views.within(point, Side::Right), Vec2::new(220.0, 300.0));
        // A drag that began in the left half goes on there.
        assert_eq!(views.within(point, Side::Left), point);
        assert!(views.distance() > 1.0);
    }

    #[test]
    fn halves_are_of_one_size_and_within_the_whole() {
        for width in [1, 2, 959, 960] {
            let all = Viewport {
                x: 3,
                y: 5,
                width,
                height: 70,
            };
            let [(_, left), (_, right)] = halves(all);
            assert_eq!((left.width, left.height), (right.width, right.height));
            assert_eq!(left.x, all.x);
            assert_eq!(right.x + right.width as i32, all.x + width as i32);
        }
    }
}
