//! The window itself, whatever it shows: its GL context, its interface, and frames when there is a
//! reason to draw.

pub(crate) mod file_dialog;
pub(crate) mod platform;

use crate::viewer::ViewerError;
use crate::viewer::interface::overlay::Overlay;
use file_dialog::{Asked, Picked};
use platform::{frame_interval, open_gl, style};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use three_d::egui::{self, Ui};
use three_d::{FrameInput, FrameInputGenerator, GUI, WindowedContext};
use winit::event::{Event, WindowEvent};
use winit::event_loop::{ControlFlow, EventLoop, EventLoopProxy};
use winit::window::{Window, WindowBuilder};

/// News from other threads.
#[derive(Debug)]
pub(crate) enum WindowNews {
    /// A background task has progress or a result.
    BackgroundTask,
    /// Watched files have changed.
    Changed(Vec<PathBuf>),
    /// The file dialog was closed.
    Picked(Picked),
}

/// A window. Fields are dropped in this order: what lives on the GPU goes before the context, and
/// the context's surface before the window.
pub(crate) struct WindowHost {
    pub(crate) gui: GUI,
    pub(crate) gl: WindowedContext,
    pub(crate) window: Window,
    pub(crate) input: FrameInputGenerator,
    pub(crate) proxy: EventLoopProxy<WindowNews>,
    dialog_open: bool,
    title: String,
    /// Something happened that the picture may not show yet.
    pub(crate) dirty: bool,
    /// The next picture differs although nothing happens.
    pub(crate) animating: bool,
    next_frame: Instant,
    pub(crate) frame_interval: Duration,
    /// `true` while the window cannot be seen; nothing is simulated or drawn then.
    pub(crate) hidden: bool,
}

impl WindowHost {
    /// Opens a window.
    pub(crate) fn open(
        event_loop: &EventLoop<WindowNews>,
        title: &str,
    ) -> Result<Self, ViewerError> {
        let window = WindowBuilder::new()
            .with_title(title)
            .with_inner_size(winit::dpi::LogicalSize::new(1280.0, 800.0))
            .with_min_inner_size(winit::dpi::LogicalSize::new(480.0, 320.0))
            .build(event_loop)
            .map_err(|error| ViewerError::NoDisplay(error.to_string()))?;
        let gl = open_gl(&window)?;
        let gui = GUI::new(&gl);
        style(gui.context());
        Ok(Self {
            input: FrameInputGenerator::from_winit_window(&window),
            gui,
            gl,
            proxy: event_loop.create_proxy(),
            dialog_open: false,
            title: title.to_owned(),
            dirty: true,
            animating: true,
            next_frame: Instant::now(),
            frame_interval: frame_interval(&window),
            hidden: false,
            window,
        })
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
            Event::UserEvent(WindowNews::Picked(picked)) => {
                (self.dialog_open, self.dirty) = (false, true);
                match picked {
                    Picked::File(path) => return Some(path.clone()),
                    Picked::Nothing => {}
                    Picked::NoDialog => overlay.advice(file_dialog::NO_DIALOG),
                }
                return None;
            }
            _ => return None,
        };
        self.input.handle_winit_window_event(event);
        self.dirty = true;
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

    /// Requests a picture if there is a reason to draw. `change`: the time at which the picture
    /// changes without input.
    pub(crate) fn draw_if_due(&self, change: Option<Instant>) {
        let now = Instant::now();
        let changes = change.is_some_and(|at| at <= now);
        if !self.hidden && now >= self.next_frame && (self.dirty || self.animating || changes) {
            self.window.request_redraw();
        }
    }

    /// Returns the time until which there is nothing to do.
    pub(crate) fn next_wake(&self, change: Option<Instant>) -> ControlFlow {
        if self.hidden {
            return ControlFlow::Wait;
        }
        if self.dirty || self.animating {
            return ControlFlow::WaitUntil(self.next_frame);
        }
        match change {
            Some(at) => ControlFlow::WaitUntil(at.max(self.next_frame)),
            None => ControlFlow::Wait,
        }
    }

    /// Returns the size to draw in, pixels; `None`: there is none.
    pub(crate) fn size(&mut self) -> Option<[u32; 2]> {
        let size = self.window.inner_size();
        self.hidden |= size.width == 0 || size.height == 0;
        (!self.hidden).then_some([size.width, size.height])
    }

    /// Shows the picture that was drawn.
    pub(crate) fn show(&mut self) -> Result<(), ViewerError> {
        let shown = self.gl.swap_buffers();
        shown.map_err(|error| ViewerError::Graphics(error.to_string()))
    }

    /// Ends a frame. `dirty`: the next frame has to follow.
    pub(crate) fn end_frame(&mut self, animating: bool, dirty: bool) {
        self.animating = animating || self.gui.context().has_requested_repaint();
        self.dirty = dirty;
        self.next_frame = (self.next_frame + self.frame_interval).max(Instant::now());
    }

    pub(crate) fn set_title(&mut self, title: &str) {
        if self.title != title {
            title.clone_into(&mut self.title);
            self.window.set_title(title);
        }
    }

    /// Asks for a file on a thread of its own, so that the picture goes on moving.
    pub(crate) fn ask_for_file(&mut self, asked: Asked) {
        if std::mem::replace(&mut self.dialog_open, true) {
            return;
        }
        let proxy = self.proxy.clone();
        std::thread::spawn(move || {
            // The window may be closing; then nobody needs the file.
            let _ = proxy.send_event(WindowNews::Picked(file_dialog::ask(asked)));
        });
    }
}

/// Makes the interface of a frame.
pub(crate) fn make_interface(gui: &mut GUI, input: &mut FrameInput, add: impl FnMut(&mut Ui)) {
    let (time, ratio) = (input.accumulated_time, input.device_pixel_ratio);
    hide_tab(&mut input.events, true);
    gui.update(&mut input.events, time, input.viewport, ratio, add);
    hide_tab(&mut input.events, false);
}

/// Shows a panel at the right. Returns its width, logical pixels.
pub(crate) fn side_panel(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui)) -> f32 {
    let panel = egui::Panel::right("panel").exact_size(width);
    let shown = panel.resizable(false).show_inside(ui, add);
    shown.response.rect.width()
}

/// The interface would take Tab for a step to its next widget, and with a widget in focus
/// every other key too.
fn hide_tab(events: &mut [three_d::Event], hidden: bool) {
    for event in events {
        if let three_d::Event::KeyPress {
            kind: three_d::Key::Tab,
            handled,
            ..
        } = event
        {
            *handled = hidden;
        }
    }
}
