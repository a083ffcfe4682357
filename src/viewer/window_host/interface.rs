//! The interface of a window: its looks, a frame of it, and which input is its own.

use crate::viewer::platform;
use glam::Vec2;
use three_d::egui::{self, Ui};
use three_d::{FrameInput, GUI, PhysicalPoint};
use winit::event::{ElementState, VirtualKeyCode, WindowEvent};

/// The interface's colours and measures.
pub(super) fn style(ctx: &egui::Context) {
    for (theme, mut visuals) in [
        (egui::Theme::Dark, egui::Visuals::dark()),
        (egui::Theme::Light, egui::Visuals::light()),
    ] {
        visuals.panel_fill = egui::Color32::TRANSPARENT;
        ctx.set_visuals_of(theme, visuals);
    }
    // Where pictures take long, the release of a click comes late.
    ctx.options_mut(|options| options.input_options.max_click_duration = f64::INFINITY);
    ctx.all_styles_mut(|style| {
        style.spacing.slider_width = 96.0;
        let small = egui::FontId::proportional(10.0);
        style.text_styles.insert(egui::TextStyle::Small, small);
        style.spacing.item_spacing = egui::vec2(6.0, 4.0);
        style.visuals.window_shadow = egui::Shadow::NONE;
        // A caret that blinks would keep the whole picture being drawn.
        style.visuals.text_cursor.blink = false;
    });
}

/// Makes the interface of a frame.
pub(crate) fn make_interface(gui: &mut GUI, input: &mut FrameInput, add: impl FnMut(&mut Ui)) {
    let (time, ratio) = (input.accumulated_time, input.device_pixel_ratio);
    let has_focus = |gui: &GUI| gui.context().memory(|memory| memory.focused().is_some());
    let (had_focus, asks) = (has_focus(gui), is_modal(gui.context()));
    gui.update(&mut input.events, time, input.viewport, ratio, add);
    platform::type_text(gui.context().text_edit_focused());
    // A question takes all keys.
    if asks || is_modal(gui.context()) || gui.context().text_edit_focused() {
        return;
    }
    // The toolkit takes all keys for a widget that has the keyboard; commands stay commands.
    let takes = had_focus || has_focus(gui);
    for event in &mut input.events {
        if let three_d::Event::KeyPress { kind, handled, .. } = event {
            *handled = takes && is_for_widgets(*kind);
        }
    }
}

/// Shows a panel at the right. Returns its width, logical pixels.
pub(crate) fn side_panel(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui)) -> f32 {
    let panel = egui::Panel::right("panel").exact_size(width);
    let shown = panel.resizable(false).show_inside(ui, add);
    shown.response.rect.width()
}

/// Returns `true` for keys that step between widgets, press them, change their values or leave them.
fn is_for_widgets(key: three_d::Key) -> bool {
    use three_d::Key::*;
    matches!(
        key,
        Tab | Space | Enter | Escape | Delete | ArrowUp | ArrowDown | ArrowLeft | ArrowRight
    )
}

/// Converts the position of an event to logical pixels from the top left.
pub(crate) fn to_logical(input: &FrameInput, at: PhysicalPoint) -> Vec2 {
    let down = input.viewport.height as f32 - at.y;
    Vec2::new(at.x, down) / input.device_pixel_ratio
}

/// Returns `true` if a question takes all input.
fn is_modal(ctx: &egui::Context) -> bool {
    ctx.memory(|memory| memory.top_modal_layer().is_some())
}

/// Returns `true` if a position is beside the picture, which is `size` logical pixels large, or
/// under a part of the interface.
pub(crate) fn is_over_interface(ctx: &egui::Context, size: Vec2, at: Vec2) -> bool {
    let layer = ctx.layer_id_at(egui::pos2(at.x, at.y));
    at.cmpge(size).any()
        || is_modal(ctx)
        || layer.is_some_and(|layer| layer.order != egui::Order::Background)
}

/// Returns `true` for a key that was down before the window got the keyboard, as one that has answered
/// a file dialog. Modifiers count.
pub(super) fn is_held_before(event: &WindowEvent<'_>) -> bool {
    use VirtualKeyCode::{LAlt, LControl, LShift, LWin, RAlt, RControl, RShift, RWin};
    let WindowEvent::KeyboardInput {
        input,
        is_synthetic: true,
        ..
    } = event
    else {
        return false;
    };
    let modifiers = [LAlt, LControl, LShift, LWin, RAlt, RControl, RShift, RWin];
    let is_modifier = |key| modifiers.contains(&key);
    input.state == ElementState::Pressed && !input.virtual_keycode.is_some_and(is_modifier)
}
