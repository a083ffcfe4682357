//! The window itself, whatever it shows: its event loop, GL context, interface and file dialog, and
//! frames when there is a reason to draw.

pub(crate) mod interface;
#[cfg(target_os = "linux")]
mod screen_reader;
mod touches;

use crate::viewer::ViewerError;
use crate::viewer::input::event_queue::EventQueue;
use crate::viewer::interface::Overlay;
use crate::viewer::interface::rows::set_sections;
#[cfg(target_arch = "wasm32")]
use crate::viewer::news::PageNews;
use crate::viewer::news::WindowNews;
use crate::viewer::platform::{self, FileDialog, Wake};
use crate::viewer::remembered::{Remembered, Theme};
use crate::viewer::window_host::touches::Touches;
use glam::Vec2;
use interface::{is_held_before, style};
use mohawk::render::renderer_name;
use std::path::PathBuf;
use three_d::egui;
use three_d::{ClearState, FrameInput, FrameInputGenerator, GUI, HasContext};
use three_d::{RenderTarget, SurfaceSettings, WindowError, WindowedContext};
use web_time::{Duration, Instant};
use winit::event::{Event, WindowEvent};
use winit::event_loop::{ControlFlow, EventLoop};
use winit::window::{Window, WindowBuilder};

/// The shortest time in which a user can cancel a file dialog.
const FASTEST_CANCEL: Duration = Duration::from_millis(300);

/// The smallest window into which the interface fits, logical pixels.
const LEAST_SIZE: Vec2 = Vec2::new(480.0, 320.0);

/// The message of a desktop without a file dialog.
const NO_DIALOG: &str = "This desktop offers no file dialog: drop the file on the window, or type its path in the menu beside \"Open…\"";

/// A window. Fields are dropped in this order: what lives on the GPU goes before the context, and
/// the context's surface before the window.
pub(crate) struct WindowHost {
    pub(crate) gui: GUI,
    pub(crate) gl: WindowedContext,
    pub(crate) window: Window,
    pub(crate) input: FrameInputGenerator,
    events: EventQueue,
    pub(crate) touches: Touches,
    wake: Wake,
    #[cfg(target_os = "linux")]
    screen_reader: screen_reader::ScreenReader,
    dialog_open: bool,
    /// `true` if the file dialog is for the doll.
    pub(crate) asks_for_doll: bool,
    title: String,
    /// Something happened that the picture may not show yet.
    pub(crate) dirty: bool,
    /// The next picture differs although nothing happens.
    pub(crate) animating: bool,
    next_frame: Instant,
    /// The next picture has a turn of its own.
    pub(crate) is_put_off: bool,
    pub(crate) frame_interval: Duration,
    /// `true` while the window cannot be seen; nothing is simulated or drawn then.
    pub(crate) hidden: bool,
    /// `true` while the page around this one lets it sleep; nothing is simulated or drawn then.
    pub(crate) asleep: bool,
    /// The size of the interface, as a multiple of what the system says.
    scale: f32,
}

impl WindowHost {
    /// Opens a window that looks as is remembered.
    pub(crate) fn open(
        event_loop: &EventLoop<WindowNews>,
        title: &str,
        remembered: &Remembered,
    ) -> Result<Self, ViewerError> {
        let [mut width, mut height] = remembered.window;
        if let Some(monitor) = event_loop.primary_monitor() {
            let room = monitor.size().to_logical::<f32>(monitor.scale_factor());
            // A monitor may not know its size.
            if room.width >= LEAST_SIZE.x && room.height >= LEAST_SIZE.y {
                (width, height) = (width.min(room.width), height.min(room.height));
            }
        }
        let window = platform::placed(WindowBuilder::new())
            .with_title(title)
            .with_inner_size(winit::dpi::LogicalSize::new(width, height))
            .with_min_inner_size(winit::dpi::LogicalSize::new(LEAST_SIZE.x, LEAST_SIZE.y))
            .build(event_loop)
            .map_err(|error| ViewerError::NoDisplay(error.to_string()))?;
        let gl = open_gl(&window)?;
        let gui = GUI::new(&gl);
        platform::fit(&window);
        style(gui.context());
        set_sections(gui.context(), &remembered.sections);
        let wake = Wake::new(event_loop);
        let mut host = Self {
            input: FrameInputGenerator::from_winit_window(&window),
            events: EventQueue::default(),
            touches: Touches::default(),
            #[cfg(target_os = "linux")]
            screen_reader: screen_reader::ScreenReader::new(gui.context(), wake.clone()),
            gui,
            gl,
            wake,
            dialog_open: false,
            asks_for_doll: false,
            title: title.to_owned(),
            dirty: true,
            animating: true,
            next_frame: Instant::now(),
            is_put_off: false,
            frame_interval: frame_interval(&window),
            hidden: false,
            asleep: false,
            scale: 1.0,
            window,
        };
        host.appear(remembered);
        Ok(host)
    }

    /// Returns `true` if there is room for a panel beside the picture.
    pub(crate) fn has_room_for_panel(&self) -> bool {
        let size = self.window.inner_size();
        let width = size.to_logical::<f32>(self.window.scale_factor()).width;
        width >= LEAST_SIZE.x * self.scale
    }

    /// Takes colours and size of the interface.
    pub(crate) fn appear(&mut self, remembered: &Remembered) {
        let theme = match remembered.theme {
            Theme::Dark => egui::Theme::Dark,
            Theme::Light => egui::Theme::Light,
        };
        let ctx = self.gui.context();
        if ctx.theme() != theme || self.scale != remembered.scale {
            ctx.set_theme(theme);
            (self.scale, self.dirty) = (remembered.scale, true);
        }
    }

    /// Returns the size of the window in logical pixels if it is another one than `last` and the
    /// user has chosen it.
    pub(crate) fn size_to_remember(&self, last: [f32; 2]) -> Option<[f32; 2]> {
        let size = self.window.inner_size();
        let size = size.to_logical::<f32>(self.window.scale_factor());
        let size = [size.width, size.height];
        // Asking the window whether it is maximised takes time.
        (size != last && !self.window.is_maximized()).then_some(size)
    }

    /// Returns the input of a frame. Logical pixels follow the size of the interface, which has to
    /// fit into the window.
    pub(crate) fn frame_input(&mut self) -> FrameInput {
        self.touches.rest(&mut self.input);
        let mut input = self.input.generate(&self.gl);
        let own = input.device_pixel_ratio;
        let window = Vec2::new(input.viewport.width as f32, input.viewport.height as f32);
        let largest = (window / LEAST_SIZE).min_element();
        let ratio = (own * self.scale).min(largest.max(0.5));
        for event in &mut input.events {
            if let three_d::Event::MouseMotion { delta, .. } = event {
                let way = own / ratio;
                *delta = (delta.0 * way, delta.1 * way);
            }
        }
        input.device_pixel_ratio = ratio;
        self.touches.ratio = ratio;
        input.events = self.events.frame(input.events);
        input
    }

    /// Clears what is behind the picture and the panels to the colour of panels, which draw none of
    /// their own: a clear costs less.
    pub(crate) fn clear(&self, target: &RenderTarget<'_>) {
        let visuals = match self.gui.context().theme() {
            egui::Theme::Dark => egui::Visuals::dark(),
            egui::Theme::Light => egui::Visuals::light(),
        };
        let [r, g, b, a] = visuals.panel_fill.to_normalized_gamma_f32();
        target.clear(ClearState::color_and_depth(r, g, b, a, 1.0));
    }

    /// Handles an event of the window or its file dialog. Returns the file that was dropped or
    /// picked.
    pub(crate) fn note(
        &mut self,
        event: &Event<'_, WindowNews>,
        overlay: &mut Overlay,
    ) -> Option<PathBuf> {
        let event = match event {
            Event::WindowEvent { event, .. } => event,
            Event::UserEvent(WindowNews::Picked(path, after)) => {
                (self.dialog_open, self.dirty) = (false, true);
                // The toolkit tells a missing desktop service and "Cancel" alike.
                if path.is_none() && *after < FASTEST_CANCEL {
                    overlay.advice(NO_DIALOG);
                }
                return path.clone();
            }
            #[cfg(target_os = "linux")]
            Event::UserEvent(WindowNews::ScreenReader) => {
                self.dirty = true;
                return None;
            }
            #[cfg(target_arch = "wasm32")]
            Event::UserEvent(WindowNews::Page(news)) => return self.note_page(news, overlay),
            _ => return None,
        };
        self.dirty = true;
        match event {
            WindowEvent::Touch(touch) => self.touches.follow(touch, &mut self.input),
            event if is_held_before(event) => {}
            event => self.input.handle_winit_window_event(event),
        }
        #[cfg(target_os = "linux")]
        match event {
            WindowEvent::Focused(is_focused) => self.screen_reader.focus(*is_focused),
            WindowEvent::Moved(_) | WindowEvent::Resized(_) => {
                self.screen_reader.place(&self.window);
            }
            _ => {}
        }
        match event {
            WindowEvent::HoveredFile(_) => overlay.file_hovers = true,
            WindowEvent::HoveredFileCancelled => overlay.file_hovers = false,
            WindowEvent::DroppedFile(path) => {
                overlay.file_hovers = false;
                return Some(path.clone());
            }
            WindowEvent::Resized(size) => {
                self.gl.resize(*size);
                self.hidden = size.width == 0 || size.height == 0; // minimised
                self.frame_interval = frame_interval(&self.window);
            }
            WindowEvent::ScaleFactorChanged { new_inner_size, .. } => {
                self.gl.resize(**new_inner_size);
                self.frame_interval = frame_interval(&self.window);
            }
            WindowEvent::Moved(_) => self.frame_interval = frame_interval(&self.window),
            WindowEvent::Occluded(hidden) => self.hidden = *hidden,
            _ => {}
        }
        None
    }

    /// Handles what the page tells. Returns the file that was dropped.
    #[cfg(target_arch = "wasm32")]
    fn note_page(&mut self, news: &PageNews, overlay: &mut Overlay) -> Option<PathBuf> {
        self.dirty = true;
        match news {
            PageNews::Dropped(path) => return Some(path.clone()),
            PageNews::Hovered(hovers) => overlay.file_hovers = *hovers,
            PageNews::Room => platform::fit(&self.window),
            PageNews::Leaving | PageNews::Shipped(_) | PageNews::Asked(_) => {}
        }
        None
    }

    /// Returns `true` while nothing is drawn.
    pub(crate) fn rests(&self) -> bool {
        self.hidden || self.asleep
    }

    /// Requests a picture if there is a reason to draw. `change`: the time at which the picture
    /// changes without input.
    pub(crate) fn draw_if_due(&mut self, change: Option<Instant>) {
        let now = Instant::now();
        let changes = change
            .into_iter()
            .chain(self.touches.rests_at())
            .any(|at| at <= now);
        if !self.rests() && now >= self.next_frame && (self.dirty || self.animating || changes) {
            self.is_put_off = false;
            self.window.request_redraw();
        }
    }

    /// Returns the time until which there is nothing to do. `keep`: the time of the next autosave,
    /// which a window that rests wakes for.
    pub(crate) fn next_wake(&self, change: Option<Instant>, keep: Option<Instant>) -> ControlFlow {
        if self.rests() {
            return keep.map_or(ControlFlow::Wait, platform::wait_until);
        }
        let change = change.into_iter().chain(keep).min();
        let change = change.into_iter().chain(self.touches.rests_at()).min();
        if self.dirty || self.animating {
            return platform::wait_until(self.next_frame);
        }
        match change {
            Some(at) => platform::wait_until(at.max(self.next_frame)),
            None => ControlFlow::Wait,
        }
    }

    /// Returns the size to draw in, pixels; `None`: there is none.
    pub(crate) fn size(&mut self) -> Option<[u32; 2]> {
        let size = self.window.inner_size();
        self.hidden |= size.width == 0 || size.height == 0;
        (!self.rests()).then_some([size.width, size.height])
    }

    /// Draws the next picture soon, in a turn of its own.
    pub(crate) fn put_off(&mut self) {
        (self.dirty, self.is_put_off) = (true, true);
        self.next_frame = Instant::now() + self.frame_interval / 8;
    }

    /// Shows the picture that was drawn.
    pub(crate) fn show(&mut self) -> Result<(), ViewerError> {
        let shown = self.gl.swap_buffers();
        shown.map_err(|error| ViewerError::Graphics(error.to_string()))
    }

    /// Ends a frame. `dirty`: the next frame has to follow, as it does if events wait for it.
    pub(crate) fn end_frame(&mut self, animating: bool, dirty: bool) {
        #[cfg(target_os = "linux")]
        self.screen_reader.show(&self.title);
        self.animating = animating || self.gui.context().has_requested_repaint();
        self.dirty = dirty || !self.events.is_empty();
        self.next_frame = (self.next_frame + self.frame_interval).max(Instant::now());
    }

    pub(crate) fn set_title(&mut self, title: &str) {
        if self.title != title {
            title.clone_into(&mut self.title);
            platform::set_title(&self.window, title);
        }
    }

    /// Asks for a file, for the doll or the head. The picture goes on moving.
    pub(crate) fn ask_for_file(&mut self, dialog: FileDialog, for_doll: bool) {
        if std::mem::replace(&mut self.dialog_open, true) {
            return;
        }
        self.asks_for_doll = for_doll;
        let (wake, begun) = (self.wake.clone(), Instant::now());
        platform::ask_for_file(dialog, move |picked| {
            wake.send(WindowNews::Picked(picked, begun.elapsed()));
        });
    }
}

/// A GL context with anti-aliasing if the machine draws in hardware.
fn open_gl(window: &Window) -> Result<WindowedContext, ViewerError> {
    // The toolkit's own text ends where its cause begins.
    let graphics = |error: WindowError| {
        let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}"));
        ViewerError::Graphics(format!("{error}{}", cause.unwrap_or_default()))
    };
    let open = |multisamples| {
        let settings = SurfaceSettings {
            multisamples,
            ..Default::default()
        };
        WindowedContext::from_winit_window(window, settings)
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
    if renderer_name(&plain).1 {
        return Ok(plain);
    }
    drop(plain);
    open(4).or_else(|_| open(0)).map_err(graphics)
}

/// Time between two pictures on the screen that shows the window; 60 a second if it is unknown.
fn frame_interval(window: &Window) -> Duration {
    let monitor = window.current_monitor();
    let millihertz = monitor.and_then(|monitor| monitor.refresh_rate_millihertz());
    let millihertz = millihertz.unwrap_or(60_000).clamp(30_000, 360_000);
    Duration::from_secs_f64(1000.0 / f64::from(millihertz))
}
