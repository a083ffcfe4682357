//! The circle of the brush, and how the mouse sizes it.

use crate::viewer::input::action::{Hand, RADII};
use crate::viewer::interface::rows::ACCENT;
use glam::Vec2;
use three_d::egui::{self, Color32};

/// Distance of the mouse for a change of the strength from 0 to 1, pixels.
const STRENGTH_PIXELS: f32 = 200.0;

/// A change of the radius or the strength by moving the mouse, while the circle stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sizing {
    /// `true` if the strength changes, and not the radius.
    strength: bool,
    /// Position of the circle, and of the mouse at first, logical pixels.
    pub(crate) at: Vec2,
    /// The radius or strength at first.
    from: f32,
}

impl Sizing {
    /// Begins a change with the mouse at a position.
    pub(crate) fn new(strength: bool, at: Vec2, hand: &Hand) -> Self {
        let from = match strength {
            true => hand.brush.strength,
            false => hand.brush.radius,
        };
        Self { strength, at, from }
    }

    /// Returns the current value as text.
    pub(crate) fn description(&self, hand: &Hand) -> String {
        match self.strength {
            true => format!("strength {:.2}", hand.brush.strength),
            false => format!("radius {:.0} px", hand.brush.radius),
        }
    }

    /// Follows the mouse: to the right is more.
    pub(crate) fn follow(&self, pointer: Vec2, hand: &mut Hand) {
        let way = pointer.x - self.at.x;
        match self.strength {
            true => hand.brush.strength = (self.from + way / STRENGTH_PIXELS).clamp(0.0, 1.0),
            false => hand.brush.radius = (self.from + way).clamp(*RADII.start(), *RADII.end()),
        }
    }
}

/// Draws the circle around a position, logical pixels. `pressed`: the brush is down.
pub(crate) fn show_ring(
    painter: &egui::Painter,
    hand: &Hand,
    at: Vec2,
    pressed: bool,
    sizing: Option<&Sizing>,
) {
    let centre = egui::pos2(at.x, at.y);
    let brush = &hand.brush;
    let bright = if pressed { 255 } else { 200 };
    // Dark under bright is visible on every background.
    let circle = |radius: f32, width: f32, color: Color32| {
        painter.circle_stroke(centre, radius, egui::Stroke::new(width, color));
    };
    circle(brush.radius, 3.0, Color32::from_black_alpha(110));
    circle(brush.radius, 1.4, Color32::from_white_alpha(bright));
    let inner = brush.radius * (1.0 - brush.falloff);
    if inner > 2.0 && brush.falloff > 0.02 {
        circle(inner, 1.0, Color32::from_white_alpha(70));
    }
    // An arc around the circle shows the strength.
    let turn = std::f32::consts::TAU * brush.strength;
    let on_circle = |i: usize| {
        let angle = turn * i as f32 / 48.0 - std::f32::consts::FRAC_PI_2;
        centre + (brush.radius + 4.0) * egui::vec2(angle.cos(), angle.sin())
    };
    let arc = (0..=48).map(on_circle).collect();
    painter.add(egui::Shape::line(arc, egui::Stroke::new(2.0, ACCENT)));
    if let Some(sizing) = sizing {
        let below = centre + egui::vec2(0.0, brush.radius + 12.0);
        shadowed_text(painter, below, &sizing.description(hand));
    }
}

/// Shows a text under a position that can be read on every background.
pub(crate) fn shadowed_text(painter: &egui::Painter, at: egui::Pos2, text: &str) {
    let font = egui::FontId::proportional(14.0);
    let align = egui::Align2::CENTER_TOP;
    let shadow = (egui::vec2(1.0, 1.0), Color32::from_black_alpha(180));
    for (offset, color) in [shadow, (egui::Vec2::ZERO, Color32::WHITE)] {
        painter.text(at + offset, align, text, font.clone(), color);
    }
}
