//! Window events and frames.

use super::app::{DollApp, DragOwner};
use crate::viewer::ViewerError;
use crate::viewer::window_host::file_dialog::{self, Picked};
use crate::viewer::window_host::{WindowHost, WindowNews, hide_tab};
use glam::Vec2;
use mohawk::doll::PageFit;
use three_d::egui::{self, Color32, Stroke};
use three_d::{ClearState, RenderTarget, Viewport};
use winit::event::{Event, WindowEvent};
use winit::window::CursorIcon;

const PANEL_WIDTH: f32 = 288.0;

impl DollApp {
    pub(crate) fn handle(
        &mut self,
        host: &mut WindowHost,
        event: Event<'_, WindowNews>,
    ) -> Result<(), ViewerError> {
        match event {
            Event::WindowEvent { event, .. } => self.window_event(host, &event),
            Event::UserEvent(WindowNews::Picked(picked)) => {
                host.dialog_closed();
                match picked {
                    Picked::File(path) => self.load(&path),
                    Picked::Nothing => {}
                    Picked::NoDialog => self.overlay.advice(file_dialog::NO_DIALOG),
                }
            }
            Event::MainEventsCleared => host.draw_if_due(self.next_change()),
            Event::RedrawRequested(_) => self.frame(host)?,
            _ => {}
        }
        Ok(())
    }

    fn window_event(&mut self, host: &mut WindowHost, event: &WindowEvent<'_>) {
        host.note(event);
        match event {
            WindowEvent::CloseRequested => self.ask_to_quit(),
            WindowEvent::HoveredFile(_) => self.overlay.file_hovers = true,
            WindowEvent::HoveredFileCancelled => self.overlay.file_hovers = false,
            WindowEvent::DroppedFile(path) => {
                self.overlay.file_hovers = false;
                self.load(path);
            }
            WindowEvent::Focused(false) => self.end_stroke(),
            WindowEvent::CursorLeft { .. } if self.drag == DragOwner::Nothing => {
                self.pointer = None;
                self.update_face();
            }
            _ => {}
        }
    }

    fn frame(&mut self, host: &mut WindowHost) -> Result<(), ViewerError> {
        let Some([width, height]) = host.size() else {
            return Ok(());
        };
        let mut input = host.input.generate(&host.gl);
        let scale = input.device_pixel_ratio;
        let typing = host.gui.context().text_edit_focused();
        hide_tab(&mut input.events, true);
        let taken = self.show_interface(host, &mut input);
        hide_tab(&mut input.events, false);
        let window = Vec2::new(input.viewport.width as f32, input.viewport.height as f32);
        let page = (window / scale - Vec2::new(taken, 0.0)).max(Vec2::ONE);
        let viewport = Viewport {
            x: 0,
            y: 0,
            width: ((page.x * scale) as u32).max(1),
            height,
        };
        let fit = PageFit::of([viewport.width, viewport.height]);
        let to_logical = |pixels: f64| pixels / f64::from(scale);
        self.fit = PageFit {
            scale: to_logical(fit.scale),
            corner: fit.corner.map(to_logical),
        };
        let had = host.dirty;
        host.dirty = false;
        self.follow_input(host, &input, typing, page);
        let acted = std::mem::replace(&mut host.dirty, had);

        if std::mem::take(&mut self.stale) {
            self.paper.set_doll(self.session.doll());
        }
        let target = RenderTarget::screen(&host.gl, width, height);
        target.clear(ClearState::color_and_depth(0.0, 0.0, 0.0, 0.0, 1.0));
        self.paper.show(&target, viewport, self.face)?;
        target
            .write(|| host.gui.render())
            .map_err(|error| ViewerError::Graphics(error.to_string()))?;
        host.show()?;
        let takes_picture = std::mem::take(&mut self.takes_picture);
        if takes_picture {
            self.save_picture(host);
        }
        self.autosave();
        let title = self.title();
        host.set_title(&title);
        // The interface of this frame was made before keys and brush took effect.
        host.end_frame(false, acted || takes_picture);
        Ok(())
    }

    /// Shows the interface of this frame. Returns the width of the panel, logical pixels.
    fn show_interface(&mut self, host: &mut WindowHost, input: &mut three_d::FrameInput) -> f32 {
        let mut taken = 0.0;
        let mut actions = Vec::new();
        host.gui.update(
            &mut input.events,
            input.accumulated_time,
            input.viewport,
            input.device_pixel_ratio,
            |ui| {
                let ctx = ui.ctx().clone();
                if self.panel_shown {
                    let panel = egui::Panel::right("doll")
                        .exact_size(PANEL_WIDTH)
                        .resizable(false);
                    let shown = panel.show_inside(ui, |ui| self.show_panel(ui));
                    taken = shown.response.rect.width();
                    actions.extend(shown.inner);
                }
                let mut area = ctx.content_rect();
                area.max.x -= taken;
                self.show_brush(&ctx, area);
                actions.extend(self.overlay.show(&ctx, area, None));
            },
        );
        for action in actions {
            self.perform(host, action);
        }
        taken
    }

    /// Draws the circle of the tool.
    fn show_brush(&self, ctx: &egui::Context, area: egui::Rect) {
        let Some(at) = self.pointer.filter(|_| self.drag != DragOwner::Panel) else {
            return;
        };
        let [x, y] = [0, 1].map(|i| (at[i] * self.fit.scale + self.fit.corner[i]) as f32);
        let center = egui::pos2(x, y);
        if !area.contains(center) && self.drag == DragOwner::Nothing {
            return;
        }
        let layer = egui::LayerId::background();
        let painter = ctx.layer_painter(layer).with_clip_rect(area);
        let radius = (self.brush.radius * self.fit.scale) as f32;
        let [r, g, b] = self.brush.color.map(|c| (c * 255.0).round() as u8);
        let of_tool = match self.brush.tool {
            mohawk::doll::DollTool::Comb => Color32::from_rgb(226, 42, 74),
            mohawk::doll::DollTool::Cut => Color32::from_rgb(70, 84, 110),
            mohawk::doll::DollTool::Reset => Color32::from_rgb(60, 140, 90),
            _ => Color32::from_rgb(r, g, b),
        };
        painter.circle_stroke(
            center,
            radius,
            Stroke::new(4.0, Color32::from_white_alpha(150)),
        );
        let width = if self.drag == DragOwner::Brush {
            3.0
        } else {
            2.0
        };
        painter.circle_stroke(center, radius, Stroke::new(width, of_tool));
        painter.circle_filled(center, 2.5, of_tool);
    }

    /// Sets the cursor for what a drag would do.
    pub(super) fn show_cursor(&self, host: &WindowHost, over_page: bool) {
        let icon = match (self.drag, over_page) {
            (DragOwner::Panel, _) => return,
            (DragOwner::Brush, _) | (DragOwner::Nothing, true) => CursorIcon::Crosshair,
            (DragOwner::Nothing, false) => CursorIcon::Default,
        };
        host.window.set_cursor_icon(icon);
    }
}
