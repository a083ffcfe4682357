//! The axes of the file in a corner of the scene, while the part *Model* is open: a click on one sets
//! which way is up, a drag turns the model.

use crate::viewer::app::App;
use crate::viewer::input::action::Action;
use crate::viewer::interface::told::Told;
use mohawk::head::Up;
use three_d::egui::{self, Align2, Color32, FontId, Pos2, Sense, Stroke};

/// The radius of the disc, the length of the axes and the radius of the balls at their ends, logical
/// pixels.
const DISC: f32 = 62.0;
const LENGTH: f32 = 44.0;
const BALL: f32 = 9.0;
/// The distance of the disc from the edges of the scene.
const MARGIN: f32 = 14.0;
/// A drag turns by a degree for each pixel, in steps of this many.
const STEP: f32 = 5.0;

const HELP: &str = "Axes of the file. Click the one that points to the crown of the head; drag \
                    left or right to turn the model";

/// The end of an axis.
struct End {
    up: Up,
    at: Pos2,
    /// The distance from the middle towards the viewer, in lengths of the axis.
    depth: f32,
}

impl App {
    /// Shows the axes of the file while the part *Model* is open.
    pub(crate) fn show_axes(
        &mut self,
        ctx: &egui::Context,
        area: egui::Rect,
        actions: &mut Vec<Action>,
    ) {
        if !self.panel.shows_axes() {
            return;
        }
        let corner = area.right_bottom() - egui::Vec2::splat(MARGIN);
        egui::Area::new(egui::Id::new("axes"))
            .fixed_pos(corner)
            .pivot(Align2::RIGHT_BOTTOM)
            .show(ctx, |ui| {
                let size = egui::Vec2::splat(2.0 * DISC);
                let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
                let mut ends = self.ends(rect.center());
                ends.sort_by(|a, b| a.depth.total_cmp(&b.depth));
                let pointed = response.hover_pos().and_then(|at| {
                    let mut near = ends.iter().rev();
                    near.find(|end| end.at.distance(at) < BALL + 3.0)
                });
                let pointed = pointed.map(|end| end.up);
                paint(
                    ui,
                    rect.center(),
                    &ends,
                    self.settings.config.head.up,
                    pointed,
                );
                self.follow_axes(ui, &response, pointed);
                response.help(HELP);
            });
        if self.panel.model_changed && !self.pointer.pressed {
            actions.push(Action::ReadModel);
        }
    }

    /// Returns the ends of the axes on the screen.
    fn ends(&self, middle: Pos2) -> Vec<End> {
        let world_from_head = self.subject.sim().drawn_pose().to_mat4();
        let (right, up) = self.view.camera.right_up();
        let turn = self.settings.config.head.turn();
        let end = |&axis: &Up| {
            let direction = (turn * axis.direction()).as_vec3();
            let direction = world_from_head.transform_vector3(direction);
            let flat = egui::vec2(direction.dot(right), -direction.dot(up));
            End {
                up: axis,
                at: middle + flat * LENGTH,
                depth: direction.dot(right.cross(up)),
            }
        };
        Up::ALL.iter().map(end).collect()
    }

    /// Sets what a click or a drag asks for.
    fn follow_axes(&mut self, ui: &egui::Ui, response: &egui::Response, pointed: Option<Up>) {
        let head = &mut self.settings.config.head;
        let before = head.clone();
        // A slow picture may have the moves and the end of a drag in one frame.
        let id = response.id.with("held");
        let held: Option<(f32, f32)> = ui.data(|data| data.get_temp(id));
        let is_held = response.is_pointer_button_down_on();
        let at = ui.input(|input| input.pointer.latest_pos());
        match (held, at) {
            (None, Some(at)) if is_held => {
                ui.data_mut(|data| data.insert_temp(id, (head.turn_deg, at.x)));
            }
            (Some((turn_deg, x)), Some(at)) if (at.x - x).abs() >= STEP => {
                let turned = ((turn_deg + at.x - x) / STEP).round() * STEP;
                head.turn_deg = (turned + 180.0).rem_euclid(360.0) - 180.0;
            }
            _ => {}
        }
        if !is_held {
            ui.data_mut(|data| data.remove::<(f32, f32)>(id));
        }
        if let Some(up) = pointed.filter(|_| response.clicked()) {
            head.up = up;
        }
        self.panel.model_changed |= *head != before;
    }
}

/// Paints the axes, those that are farther away first.
fn paint(ui: &egui::Ui, middle: Pos2, ends: &[End], up: Up, pointed: Option<Up>) {
    let painter = ui.painter();
    painter.circle_filled(middle, DISC, Color32::from_black_alpha(110));
    for end in ends {
        let name = end.up.name().to_uppercase().replace('-', "−");
        let shade = 0.65 + 0.35 * (end.depth + 1.0) / 2.0;
        let color = color(end.up).gamma_multiply(shade);
        let is_positive = name.len() == 1;
        let is_up = end.up == up;
        let fill = match is_positive || is_up || pointed == Some(end.up) {
            true => color,
            false => Color32::from_black_alpha(160),
        };
        if is_positive || is_up {
            painter.line_segment([middle, end.at], Stroke::new(2.0, color));
        }
        painter.circle(end.at, BALL, fill, Stroke::new(1.5, color));
        if is_up || pointed == Some(end.up) {
            painter.circle_stroke(end.at, BALL + 3.0, Stroke::new(1.5, Color32::WHITE));
        }
        if is_positive || is_up || pointed == Some(end.up) {
            let font = FontId::proportional(12.0);
            painter.text(end.at, Align2::CENTER_CENTER, name, font, Color32::BLACK);
        }
    }
}

/// Returns the usual colour of an axis.
fn color(axis: Up) -> Color32 {
    match axis {
        Up::X | Up::MinusX => Color32::from_rgb(236, 92, 96),
        Up::Y | Up::MinusY => Color32::from_rgb(140, 200, 72),
        Up::Z | Up::MinusZ => Color32::from_rgb(84, 148, 240),
    }
}
