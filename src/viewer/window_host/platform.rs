//! The parts of a window: an event loop, a GL context, the screen's refresh rate, a style.

use super::ViewerError;
use super::WindowNews;
use mohawk::render;
use std::time::Duration;
use three_d::egui;
use three_d::{HasContext, SurfaceSettings, WindowError, WindowedContext};
use winit::event_loop::{EventLoop, EventLoopBuilder};
use winit::window::Window;

/// winit 0.28 panics where there is no display; people get an error instead.
pub(crate) fn event_loop() -> Result<EventLoop<WindowNews>, ViewerError> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let built =
        std::panic::catch_unwind(|| EventLoopBuilder::<WindowNews>::with_user_event().build());
    std::panic::set_hook(hook);
    built.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        ViewerError::NoDisplay(
            text.unwrap_or("no X11 or Wayland display answered")
                .to_owned(),
        )
    })
}

/// A GL context with anti-aliasing if the machine draws in hardware.
pub(crate) fn open_gl(window: &Window) -> Result<WindowedContext, ViewerError> {
    // The toolkit's own text ends where its cause begins.
    let graphics = |error: WindowError| {
        let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}"));
        ViewerError::Graphics(format!("{error}{}", cause.unwrap_or_default()))
    };
    let open = |multisamples| {
        WindowedContext::from_winit_window(
            window,
            SurfaceSettings {
                multisamples,
                ..Default::default()
            },
        )
    };
    // Ask who draws before asking for samples: a software renderer gets four times
    // slower by them. The first context must be gone before the window takes another.
    let plain = open(0).map_err(graphics)?;
    let version = plain.version();
    if (version.major, version.minor) < (3, 3) && !version.is_embedded {
        return Err(ViewerError::Graphics(format!(
            "the driver offers OpenGL {}.{}; 3.3 is needed",
            version.major, version.minor
        )));
    }
    if render::renderer_name(&plain).1 {
        return Ok(plain);
    }
    drop(plain);
    open(4).or_else(|_| open(0)).map_err(graphics)
}

/// Time between two pictures on the screen that shows the window; 60 a second if it is unknown.
pub(crate) fn frame_interval(window: &Window) -> Duration {
    let monitor = window.current_monitor();
    let millihertz = monitor.and_then(|monitor| monitor.refresh_rate_millihertz());
    let millihertz = millihertz.unwrap_or(60_000).clamp(30_000, 360_000);
    Duration::from_secs_f64(1000.0 / f64::from(millihertz))
}

/// The interface's colours and measures.
pub(crate) fn style(ctx: &egui::Context) {
    ctx.set_visuals(egui::Visuals::dark());
    ctx.all_styles_mut(|style| {
        style.spacing.slider_width = 96.0;
        style.spacing.item_spacing = egui::vec2(6.0, 4.0);
        style.visuals.window_shadow = egui::Shadow::NONE;
        // A caret that blinks would keep the whole picture being drawn.
        style.visuals.text_cursor.blink = false;
    });
}
