//! Styling: the brush, its circle and the canvas.

mod jobs;
mod strokes;

use super::App;
use crate::viewer::input::hand::Held;
use crate::viewer::styling::ring::{self, Sizing};
use glam::Vec2;
use three_d::egui;

impl App {
    /// Takes a brush in hand, or puts it away.
    pub(super) fn toggle_brush(&mut self) {
        if self.styling.on {
            self.end_stroke();
            self.styling.sizing = None;
        } else if self.subject.is_headless() {
            return self
                .overlay
                .notice("The scene has strands of its own: stop it to style hair");
        }
        self.styling.on = !self.styling.on;
        if self.styling.on {
            self.panel_shown = true;
        }
    }

    /// Takes a tool in hand.
    pub(super) fn hold(&mut self, held: Held) {
        if !self.styling.on {
            self.toggle_brush();
        }
        self.styling.hand.held = held;
    }

    /// Freezes hair, or lets it move again.
    pub(super) fn toggle_freeze(&mut self) {
        self.styling.frozen = !self.styling.frozen;
        self.subject.freeze(self.styling.frozen);
        let state = if self.styling.frozen {
            "frozen"
        } else {
            "free"
        };
        tracing::info!("hair is {state}");
    }

    /// Starts to change the size or the strength of the brush with the mouse.
    pub(super) fn begin_sizing(&mut self, strength: bool) {
        if let Some(at) = self.pointer.in_window {
            self.styling.sizing = Some(Sizing::new(strength, at, &self.styling.hand));
        }
    }

    pub(super) fn end_sizing(&mut self) {
        if let Some(sizing) = self.styling.sizing.take() {
            let told = sizing.told(&self.styling.hand);
            tracing::info!("brush {told}");
        }
    }

    /// Handles a move of the mouse, logical pixels.
    pub(crate) fn pointer_moved(&mut self, at: Option<Vec2>) {
        self.pointer.in_window = at;
        if let (Some(sizing), Some(at)) = (&self.styling.sizing, at) {
            sizing.follow(at, &mut self.styling.hand);
        }
    }

    /// Shows the canvas, and continues strokes on it.
    pub(crate) fn show_canvas(
        &mut self,
        ctx: &egui::Context,
        gl: &three_d::Context,
        area: egui::Rect,
    ) {
        let styling = &mut self.styling;
        let styler = styling.styler.ready();
        let (hand, window) = (&styling.hand, (ctx, gl));
        let touches = (styling.canvas).show(window, area, hand, styler, styling.revision);
        self.brush_flat(touches.began, &touches.went, touches.ended);
    }

    /// Shows the circle of the brush where it would touch hair.
    pub(crate) fn show_ring(&self, ctx: &egui::Context, area: egui::Rect) {
        if !self.styling.on || self.overlay.is_asking() {
            return;
        }
        let sizing = self.styling.sizing.as_ref();
        let at = sizing.map(|sizing| sizing.at).or(self.pointer.at);
        let is_busy = self.pointer.drag.is_some() && !self.is_brushing();
        if let Some(at) = at.filter(|_| !is_busy) {
            let layer = egui::LayerId::new(egui::Order::Background, egui::Id::new("brush"));
            let painter = ctx.layer_painter(layer).with_clip_rect(area);
            ring::show(&painter, &self.styling.hand, at, self.is_brushing(), sizing);
        }
    }

    /// Returns places around the pointer where the brush touches hair, logical pixels relative to
    /// it.
    pub(super) fn brush_reaches(&self) -> Vec<Vec2> {
        if !self.styling.on {
            return Vec::new();
        }
        let radius = self.styling.hand.brush.radius;
        let around = (0..8).map(|i| Vec2::from_angle(i as f32 * std::f32::consts::FRAC_PI_4));
        around.map(|way| way * (0.75 * radius)).collect()
    }

    /// Whether the brush is down on the head.
    fn is_brushing(&self) -> bool {
        self.pointer.drag == Some(crate::viewer::input::pointer::Drag::Brush)
    }

    pub(super) fn toggle_canvas(&mut self) {
        self.styling.canvas.open ^= true;
        if self.styling.canvas.open {
            if !self.styling.on {
                self.toggle_brush();
            }
            if !self.styling.hand.paints() {
                self.hold(Held::Paint);
            }
        }
    }
}
