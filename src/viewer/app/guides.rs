//! Guides of hair, drawn over the picture while a brush that changes them is in hand.

use super::App;
use crate::viewer::interface::rows::ACCENT;
use glam::{Vec2, Vec3};
use mohawk::sim::Sdf;
use mohawk::style::{Camera, Tool, View};
use three_d::egui::{self, Color32, Pos2, Stroke};

/// Points nearer to the skin than this are not hidden by it, decimetres.
const BESIDE: f32 = 0.1;
/// Depth in the skin from which on it hides what is behind, decimetres.
const WITHIN: f32 = 0.02;
/// Steps towards the eye after which nothing hides a point.
const MOST_STEPS: usize = 48;

impl App {
    /// Shows the guides.
    pub(crate) fn show_guides(&self, ctx: &egui::Context, area: egui::Rect) {
        if !self.styling.on || !self.styling.hand.guides() || self.subject.is_headless() {
            return;
        }
        let layer = egui::LayerId::new(egui::Order::Background, egui::Id::new("guides"));
        let painter = ctx.layer_painter(layer).with_clip_rect(area);
        if let Some(ongoing) = &self.styling.stroke
            && let (Some(side), Tool::Draw) = (ongoing.side, ongoing.stroke.tool)
        {
            let points = ongoing.stroke.points.iter().map(|&[_, x, y]| {
                let at = Vec2::new(x as f32, y as f32) / self.view.pixel_scale;
                let at = self.view.of_scene(at, side);
                (egui::pos2(at.x, at.y), false)
            });
            show(&painter, &points.collect::<Vec<_>>());
        }
        // During a stroke, the style has newer guides than the settings.
        let styler = self.styling.styler.ready();
        let config = styler.map_or(&self.settings.config, |styler| &styler.style().config);
        let Some((_, guides)) = config.groom.guides() else {
            return;
        };
        let side = self.view.side(self.pointer.at.unwrap_or_default());
        let camera = self.subject.camera_at_head(side, &self.view.camera);
        let Ok(view) = View::new(&camera, self.view.pixels()) else {
            return;
        };
        let field = self.subject.field().and_then(Result::ok);
        for guide in guides {
            let seen = guide.iter().filter_map(|&place| {
                let at = view.pixel(place.into())? / self.view.pixel_scale;
                let at = self.view.of_scene(at, side);
                let hides = |field: &Sdf| is_hidden(field, &camera, place.into());
                Some((
                    egui::pos2(at.x, at.y),
                    field.is_some_and(|field| hides(field)),
                ))
            });
            show(&painter, &seen.collect::<Vec<_>>());
        }
    }
}

/// Draws a guide by its points, each of which the skin may hide.
fn show(painter: &egui::Painter, points: &[(Pos2, bool)]) {
    for pair in points.windows(2) {
        let is_seen = pair.iter().any(|(_, hidden)| !hidden);
        let ends = [pair[0].0, pair[1].0];
        if is_seen {
            painter.line_segment(ends, Stroke::new(4.0, Color32::from_black_alpha(130)));
        }
        let color = ACCENT.gamma_multiply(if is_seen { 1.0 } else { 0.12 });
        painter.line_segment(ends, Stroke::new(2.0, color));
    }
    if let Some((root, false)) = points.first() {
        painter.circle(*root, 3.5, Color32::WHITE, Stroke::new(1.5, Color32::BLACK));
    }
}

/// Returns `true` if there is skin between a point and the eye: steps as long as the distance from
/// the skin cannot miss it.
fn is_hidden(field: &Sdf, camera: &Camera, point: Vec3) -> bool {
    let to_eye = Vec3::from(camera.eye) - point;
    let (way, length) = (to_eye.normalize_or_zero(), to_eye.length());
    let mut gone = BESIDE;
    for _ in 0..MOST_STEPS {
        if gone >= length {
            return false;
        }
        let away = field.distance((point + way * gone).to_array());
        if away < -WITHIN {
            return true;
        }
        gone += away.max(0.03);
    }
    false
}
