//! Window events and frames.

use super::app::{DollApp, DragOwner};
use crate::viewer::ViewerError;
use crate::viewer::interface::rows::color32;
use crate::viewer::window_host::{WindowHost, WindowNews, make_interface, side_panel};
use glam::Vec2;
use mohawk::doll::{DollTool, PageFit};
use three_d::egui::{self, Color32, Stroke};
use three_d::{ClearState, RenderTarget, Viewport};
use winit::event::{Event, WindowEvent};

const PANEL_WIDTH: f32 = 288.0;

impl DollApp {
    pub(crate) fn handle(
        &mut self,
        host: &mut WindowHost,
        event: Event<'_, WindowNews>,
    ) -> Result<(), ViewerError> {
        if let Some(path) = host.note(&event, &mut self.overlay) {
            self.load(&path);
        }
        match event {
            Event::WindowEvent { event, .. } => match event {
                WindowEvent::CloseRequested => self.ask_to_quit(),
                WindowEvent::Focused(false) => self.end_stroke(),
                WindowEvent::CursorLeft { .. } if self.drag == DragOwner::Nothing => {
                    self.pointer = None;
                }
                _ => {}
            },
            Event::MainEventsCleared => host.draw_if_due(self.next_change()),
            Event::RedrawRequested(_) => self.frame(host)?,
            _ => {}
        }
        Ok(())
    }

    fn frame(&mut self, host: &mut WindowHost) -> Result<(), ViewerError> {
        let Some([width, height]) = host.size() else {
            return Ok(());
        };
        let mut input = host.input.generate(&host.gl);
        let scale = input.device_pixel_ratio;
        let typing = host.gui.context().text_edit_focused();
        let taken = self.show_interface(host, &mut input);
        let window = Vec2::new(input.viewport.width as f32, input.viewport.height as f32);
        let page = (window / scale - Vec2::new(taken, 0.0)).max(Vec2::ONE);
        let page_width = ((page.x * scale) as u32).max(1);
        let viewport = Viewport::new_at_origo(page_width, height);
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

        self.paper.set_doll(self.session.doll());
        let target = RenderTarget::screen(&host.gl, width, height);
        target.clear(ClearState::color_and_depth(0.0, 0.0, 0.0, 0.0, 1.0));
        self.paper.draw(&target, viewport, self.face())?;
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
        make_interface(&mut host.gui, input, |ui| {
            let ctx = ui.ctx().clone();
            if self.panel_shown {
                taken = side_panel(ui, PANEL_WIDTH, |ui| self.show_panel(ui, &mut actions));
            }
            let mut area = ctx.content_rect();
            area.max.x -= taken;
            self.show_brush(&ctx, area);
            actions.extend(self.overlay.show(&ctx, area, None));
        });
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
        let color = match self.brush.tool {
            DollTool::Comb => Color32::from_rgb(226, 42, 74),
            DollTool::Cut => Color32::from_rgb(70, 84, 110),
            DollTool::Reset => Color32::from_rgb(60, 140, 90),
            DollTool::Color | DollTool::Clip => color32(self.brush.color),
        };
        let halo = Stroke::new(4.0, Color32::from_white_alpha(150));
        painter.circle_stroke(center, radius, halo);
        let is_pressed = self.drag == DragOwner::Brush;
        let width = if is_pressed { 3.0 } else { 2.0 };
        painter.circle_stroke(center, radius, Stroke::new(width, color));
        painter.circle_filled(center, 2.5, color);
    }
}
