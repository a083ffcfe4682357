//! The circle of the brush: how far it reaches, where it fades, and how strong it is.

use super::hand::{Hand, RADII};
use glam::Vec2;
use three_d::egui::{self, Color32, Stroke};

/// Pixels of the mouse's way that make the strength go from nothing to all.
const STRENGTH_PIXELS: f32 = 200.0;

/// The brush is being made larger or stronger: the circle stays while the mouse moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sizing {
    /// The strength, and not the radius.
    strength: bool,
    /// Where the circle is, and where the mouse was at first: logical pixels.
    pub(crate) at: Vec2,
    /// Radius or strength at first.
    from: f32,
}

impl Sizing {
    /// Begins with the mouse at a place.
    pub(crate) fn new(strength: bool, at: Vec2, hand: &Hand) -> Self {
        let from = match strength {
            true => hand.brush.strength,
            false => hand.brush.radius,
        };
        Self { strength, at, from }
    }

    /// What it is now, for people.
    pub(crate) fn told(&self, hand: &Hand) -> String {
        match self.strength {
            true => format!("strength {:.2}", hand.brush.strength),
            false => format!("radius {:.0} px", hand.brush.radius),
        }
    }

    /// The mouse is here now: to the right is more.
    pub(crate) fn follow(&self, pointer: Vec2, hand: &mut Hand) {
        let way = pointer.x - self.at.x;
        match self.strength {
            true => hand.brush.strength = (self.from + way / STRENGTH_PIXELS).clamp(0.0, 1.0),
            false => hand.brush.radius = (self.from + way).clamp(*RADII.start(), *RADII.end()),
        }
    }
}

/// Draws it around a place, logical pixels; `pressed`: it is at work.
pub(crate) fn show(
    painter: &egui::Painter,
    hand: &Hand,
    at: Vec2,
    pressed: bool,
    sizing: Option<&Sizing>,
) {
    let centre = egui::pos2(at.x, at.y);
    let brush = &hand.brush;
    let bright = if pressed { 255 } else { 200 };
    // Dark under bright: seen on every ground.
    painter.circle_stroke(
        centre,
        brush.radius,
        Stroke::new(3.0, Color32::from_black_alpha(110)),
    );
    painter.circle_stroke(
        centre,
        brush.radius,
        Stroke::new(1.4, Color32::from_white_alpha(bright)),
    );
    let inner = brush.radius * (1.0 - brush.falloff);
    if inner > 2.0 && brush.falloff > 0.02 {
        painter.circle_stroke(
            centre,
            inner,
            Stroke::new(1.0, Color32::from_white_alpha(70)),
        );
    }
    // As much of the circle again as there is strength.
    let turn = std::f32::consts::TAU * brush.strength;
    let on_circle = |i: usize| {
        let angle = turn * i as f32 / 48.0 - std::f32::consts::FRAC_PI_2;
        centre + (brush.radius + 4.0) * egui::vec2(angle.cos(), angle.sin())
    };
    let arc = (0..=48).map(on_circle).collect();
    let accent = crate::viewer::rows::ACCENT;
    painter.add(egui::Shape::line(arc, Stroke::new(2.0, accent)));
    if let Some(sizing) = sizing {
        let text = sizing.told(hand);
        let font = egui::FontId::proportional(14.0);
        let below = centre + egui::vec2(0.0, brush.radius + 12.0);
        let shadow = Color32::from_black_alpha(180);
        let align = egui::Align2::CENTER_TOP;
        painter.text(
            below + egui::vec2(1.0, 1.0),
            align,
            &text,
            font.clone(),
            shadow,
        );
        painter.text(below, align, text, font, Color32::WHITE);
    }
}
