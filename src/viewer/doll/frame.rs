//! Window events, frames, drags and keys of the doll.

use super::DollApp;
use crate::viewer::ViewerError;
use crate::viewer::files::save_new_picture;
use crate::viewer::input::action::Action;
use crate::viewer::input::key_owner::KeyOwner;
use crate::viewer::input::{HeldKeys, action_of_sign, common_action, wheel_factor};
use crate::viewer::interface::DOLL_TEXTS;
use crate::viewer::interface::rows::color32;
use crate::viewer::news::WindowNews;
use crate::viewer::window_host::WindowHost;
use crate::viewer::window_host::interface::{
    is_over_interface, make_interface, side_panel, to_logical,
};
use glam::Vec2;
use mohawk::doll::{DollTool, PAGE, PageFit};
use mohawk::render::page_picture;
use three_d::egui::{self, Color32, Stroke};
use three_d::{FrameInput, Key, MouseButton, RenderTarget, Viewport};
use winit::event::{Event, WindowEvent};
use winit::window::CursorIcon;

const PANEL_WIDTH: f32 = 288.0;
/// Size of saved pictures, pixels: twice that of the page.
const PICTURE_SIZE: [u32; 2] = [2 * PAGE[0], 2 * PAGE[1]];

impl DollApp {
    fn is_dragging(&self) -> bool {
        self.stroke.is_some() || self.panel_dragged
    }

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
                WindowEvent::Focused(false) => {
                    self.end_stroke();
                    self.held = HeldKeys::default();
                }
                WindowEvent::CursorLeft { .. } if !self.is_dragging() => {
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
        let mut input = host.frame_input();
        let scale = input.device_pixel_ratio;
        let keys = KeyOwner::new(host.gui.context(), self.overlay.is_asking());
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
        self.follow_input(host, &input, &keys, page);
        let acted = std::mem::replace(&mut host.dirty, had);

        self.paper.set_doll(self.session.doll());
        let target = RenderTarget::screen(&host.gl, width, height);
        host.clear(&target);
        self.paper.draw(&target, viewport, self.face())?;
        target
            .write(|| host.gui.render())
            .map_err(|error| ViewerError::Graphics(error.to_string()))?;
        host.show()?;
        let takes_picture = std::mem::take(&mut self.takes_picture);
        if takes_picture {
            let picture = page_picture(&host.gl, self.session.doll(), PICTURE_SIZE);
            save_new_picture(picture, &mut self.overlay);
        }
        host.set_title(&self.title());
        // The interface of this frame was made before keys and brush took effect.
        host.end_frame(false, acted || takes_picture);
        Ok(())
    }

    /// Shows the interface of this frame. Returns the width of the panel, logical pixels.
    fn show_interface(&mut self, host: &mut WindowHost, input: &mut FrameInput) -> f32 {
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
            actions.extend(self.overlay.show(&ctx, area, None, DOLL_TEXTS));
        });
        for action in actions {
            self.perform(host, action);
        }
        taken
    }

    /// Draws the circle of the tool.
    fn show_brush(&self, ctx: &egui::Context, area: egui::Rect) {
        let Some(at) = self.pointer.filter(|_| !self.panel_dragged) else {
            return;
        };
        let [x, y] = [0, 1].map(|i| (at[i] * self.fit.scale + self.fit.corner[i]) as f32);
        let center = egui::pos2(x, y);
        if !area.contains(center) && self.stroke.is_none() {
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
        let width = if self.stroke.is_some() { 3.0 } else { 2.0 };
        painter.circle_stroke(center, radius, Stroke::new(width, color));
        painter.circle_filled(center, 2.5, color);
    }

    /// Handles the pointer and the keys of this frame. `page` is the size of the part of the window
    /// that shows the page, logical pixels.
    fn follow_input(
        &mut self,
        host: &mut WindowHost,
        input: &FrameInput,
        keys: &KeyOwner,
        page: Vec2,
    ) {
        use three_d::Event;
        let ctx = host.gui.context().clone();
        let is_over_page = |at: Vec2| !is_over_interface(&ctx, page, at);
        let mut last = None;
        for event in &input.events {
            let repeats = self.held.repeats(event);
            match event {
                Event::MousePress {
                    button, position, ..
                } if !self.is_dragging() => {
                    let at = to_logical(input, *position);
                    last = Some(at);
                    if !is_over_page(at) {
                        self.panel_dragged = true;
                    } else if *button == MouseButton::Left {
                        self.begin_stroke(at);
                    }
                    host.dirty = true;
                }
                Event::MouseRelease { button, .. } => {
                    self.panel_dragged = false;
                    if *button == MouseButton::Left {
                        self.end_stroke();
                    }
                    host.dirty = true;
                }
                Event::MouseMotion { position, .. } => {
                    let at = to_logical(input, *position);
                    last = Some(at);
                    // The circle of this frame was drawn at the previous position.
                    host.dirty |= self.pointer.take().is_some();
                    if self.stroke.is_some() || is_over_page(at) {
                        self.point(at);
                        host.dirty = true;
                    }
                }
                Event::MouseWheel {
                    delta,
                    handled: false,
                    position,
                    ..
                } if is_over_page(to_logical(input, *position)) => {
                    self.perform(host, Action::ResizeBrush(wheel_factor(*delta)));
                }
                _ if keys.takes(&ctx, event) => {}
                _ => {
                    if let Some(action) = key_action(event).filter(|_| !repeats) {
                        self.perform(host, action);
                    }
                }
            }
        }
        // The cursor shows what a drag would do.
        let is_over_page = match last {
            Some(at) => is_over_page(at),
            None if self.pointer.is_some() => true,
            None => return,
        };
        if !self.panel_dragged {
            host.window
                .set_cursor_icon(match is_over_page || self.stroke.is_some() {
                    true => CursorIcon::Crosshair,
                    false => CursorIcon::Default,
                });
        }
    }
}

/// Returns the action of a key that the interface did not handle.
fn key_action(event: &three_d::Event) -> Option<Action> {
    let (key, modifiers) = match event {
        three_d::Event::Text(text) => return action_of_sign(text),
        three_d::Event::KeyPress {
            kind,
            modifiers,
            handled: false,
        } => (*kind, modifiers),
        _ => return None,
    };
    let command = modifiers.ctrl || modifiers.command;
    Some(match (key, command) {
        (Key::Num1, false) => Action::DollTool(DollTool::Comb),
        (Key::Num2, false) => Action::DollTool(DollTool::Cut),
        (Key::Num3, false) => Action::DollTool(DollTool::Color),
        (Key::Num4, false) => Action::DollTool(DollTool::Clip),
        (Key::Num5, false) => Action::DollTool(DollTool::Reset),
        (Key::P, false) => Action::Screenshot { transparent: false },
        _ => return common_action(key, modifiers.shift, command),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_do_what_the_cheat_sheet_says() {
        let tool = |tool| Some(Action::DollTool(tool));
        for (kind, ctrl, shift, action) in [
            (Key::Num1, false, false, tool(DollTool::Comb)),
            (Key::Num5, false, false, tool(DollTool::Reset)),
            (Key::Num1, true, false, None),
            (Key::Z, true, false, Some(Action::Undo)),
            (Key::Z, true, true, Some(Action::Redo)),
            (Key::Z, false, false, None),
            (Key::R, true, false, Some(Action::ToggleStrokes)),
            (Key::R, false, false, Some(Action::Reset)),
        ] {
            let mut modifiers = three_d::Modifiers::default();
            (modifiers.ctrl, modifiers.command, modifiers.shift) = (ctrl, ctrl, shift);
            let event = three_d::Event::KeyPress {
                kind,
                modifiers,
                handled: false,
            };
            assert_eq!(key_action(&event), action, "{kind:?}");
        }
    }
}
