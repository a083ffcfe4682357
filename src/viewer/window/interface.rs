//! The interface of a frame: what it shows, when it may stay, and what is remembered of it.

use super::HeadWindow;
use crate::viewer::input::Drag;
use crate::viewer::interface::HEAD_TEXTS;
use crate::viewer::interface::eyedropper;
use crate::viewer::interface::rows::sections;
use crate::viewer::window_host::interface::{make_interface, side_panel};
use glam::Vec2;
use three_d::egui;
use three_d::{Event, FrameInput};
use web_time::Instant;

const PANEL_WIDTH: f32 = 320.0;

impl HeadWindow {
    /// Returns `true` if the interface may be shown again: things move, and nothing of it is painted
    /// on the scene itself.
    pub(super) fn keeps_interface(&self, is_kept: bool) -> bool {
        let app = &self.app;
        let paints = app.styling.on || app.subject.simulations.beside().is_some();
        let paints = paints || app.statistics.graphs.shown || app.overlay.is_asking();
        let paints = paints || app.panel.shows_axes() || app.pointer.line.is_some();
        let paints = paints || eyedropper::waiting(self.host.gui.context()).is_some();
        app.is_animating() && !is_kept && app.view.picture.is_none() && !paints
    }

    /// Returns `true` if the interface is as it was in the last frame, since nothing else has
    /// happened than that a drag in the scene goes on.
    pub(super) fn interface_stays(&self, input: &FrameInput, size: [u32; 2]) -> bool {
        let moves = |event: &Event| matches!(event, Event::MouseMotion { .. });
        let drags = (self.app.pointer.drag).is_some_and(|drag| drag != Drag::Interface);
        let same = input.events.iter().all(|event| drags && moves(event));
        same && self.interface.is_fresh(&self.host.gui, size)
    }

    /// Runs the interface for this frame; returns what the panels take of the window, logical
    /// pixels.
    pub(super) fn show_interface(&mut self, input: &mut FrameInput, is_kept: bool) -> Vec2 {
        let mut taken = Vec2::ZERO;
        let mut actions = Vec::new();
        let (app, gl) = (&mut self.app, &self.host.gl);
        app.pointer.colliders.hovered = None;
        make_interface(&mut self.host.gui, input, |ui| {
            let ctx = ui.ctx().clone();
            app.pointer.pressed = ctx.input(|input| input.pointer.any_down());
            if app.panel.shown {
                taken.x = side_panel(ui, PANEL_WIDTH, |ui| app.show_panel(ui, &mut actions));
            }
            taken.y = app.show_graphs(ui);
            let mut area = ctx.content_rect();
            area.max -= egui::vec2(taken.x, taken.y);
            app.show_legend(&ctx, area);
            if !is_kept {
                app.offer_panel(&ctx, area, &mut actions);
                app.show_reduced(&ctx, area);
                app.show_hint(&ctx, area);
            }
            let below = app.show_split(&ctx, area, &mut actions);
            app.show_badge(&ctx, below);
            app.show_axes(&ctx, area, &mut actions);
            app.show_canvas(&ctx, gl, area);
            app.show_guides(&ctx, area);
            app.show_ring(&ctx, area);
            if let Some(line) = &app.pointer.line {
                line.show(&ctx, area);
            }
            app.show_lab_legend(&ctx, below);
            let now = Instant::now();
            let progress = app.tasks().find(|task| task.shows_at <= now);
            let progress = progress.map(|task| (task.name, task.share));
            actions.extend(app.overlay.show(&ctx, below, progress, HEAD_TEXTS));
        });
        for action in actions {
            self.perform(action);
        }
        self.remember();
        taken
    }

    /// Follows what the user has chosen for the interface, and keeps it for the next run.
    fn remember(&mut self) {
        let now = &mut self.app.remembered;
        now.sections = sections(self.host.gui.context());
        if let Some(size) = self.host.size_to_remember(now.window) {
            now.window = size;
        }
        self.host.appear(now);
        if !self.app.pointer.pressed {
            self.memory.keep(now, false);
        }
    }
}
