//! The window: opening it, pumping its events, drawing frames when there is a reason to.

mod capture;
mod input;

use super::action::Action;
use super::app::{App, Request, Watched, start_loading};
use super::aside::Wake;
use super::dialog::{self, Picked};
use super::graphs::Costs;
use super::loader::Loader;
use super::moving::ms_since;
use super::open::{event_loop, frame_interval, open_gl, style};
use super::overlay::Kind;
use super::pointer::Pointer;
use super::report::Pictures;
use super::surveyor::Surveyor;
use super::{Options, Report, ViewerError};
use crate::render::{self, Quality, Stage};
use crate::watch::Watcher;
use capture::Capture;
use glam::Vec2;
use input::{Hovered, hide_tab};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use three_d::egui;
use three_d::{ClearState, FrameInputGenerator, GUI, RenderTarget, Viewport, WindowedContext};
use winit::event::{Event, WindowEvent};
use winit::event_loop::{ControlFlow, EventLoop, EventLoopProxy};
use winit::platform::run_return::EventLoopExtRunReturn;
use winit::window::{Window, WindowBuilder};

const PANEL_WIDTH: f32 = 320.0;

/// News from other threads.
#[derive(Debug)]
pub(super) enum News {
    /// The loading thread has progress or a result.
    Loader,
    /// The baking thread has progress or a result.
    Aside,
    /// Roots have been measured.
    Surveyor,
    /// Watched files have changed.
    Changed(Vec<PathBuf>),
    /// The file dialog was closed.
    Picked(Picked),
}

/// Opens the window and runs until it is closed.
pub(super) fn run(mut options: Options) -> Result<Report, ViewerError> {
    let mut event_loop = event_loop()?;
    let waker = event_loop.create_proxy();
    let watched = watch(&mut options, event_loop.create_proxy());
    // Before the window: the head comes while the window and the graphics driver get ready.
    let loader = start_loading(&options, move || {
        // The window may be closing; then nobody needs waking.
        let _ = waker.send_event(News::Loader);
    });
    let window = WindowBuilder::new()
        .with_title("mohawk – loading…")
        .with_inner_size(winit::dpi::LogicalSize::new(1280.0, 800.0))
        .with_min_inner_size(winit::dpi::LogicalSize::new(480.0, 320.0))
        .build(&event_loop)
        .map_err(|error| ViewerError::NoDisplay(error.to_string()))?;
    let gl = open_gl(&window)?;
    let mut shown = Shown::new(window, gl, &event_loop, options, loader);
    shown.app.watched = watched;
    let mut failure = None;
    event_loop.run_return(|event, _, control| {
        if let Err(error) = shown.handle(event) {
            failure = Some(error);
        }
        *control = if failure.is_some() || shown.app.quit {
            ControlFlow::Exit
        } else {
            shown.next_wake()
        };
    });
    match failure {
        Some(error) => Err(error),
        None => shown.report(),
    }
}

/// Watches what was asked for, and has the window told.
fn watch(options: &mut Options, proxy: EventLoopProxy<News>) -> Option<Watched> {
    let watch = options.watch.take()?;
    let watcher = Watcher::new(move |files| {
        // The window may be closing; then nobody needs the news.
        let _ = proxy.send_event(News::Changed(files));
    });
    Some(Watched::new(watcher, watch, options))
}

/// A window with what it shows. Fields are dropped in this order: what lives on the GPU goes
/// before the context, and the context's surface before the window.
struct Shown {
    app: App,
    gui: GUI,
    gl: WindowedContext,
    window: Window,
    input: FrameInputGenerator,
    pointer: Pointer,
    proxy: EventLoopProxy<News>,
    dialog_open: bool,
    title: String,
    /// Something happened that the picture may not show yet.
    dirty: bool,
    /// Something was asked for after the interface of this frame was made.
    acted: bool,
    animating: bool,
    next_frame: Instant,
    frame_interval: Duration,
    /// Nobody can see the window: nothing is simulated or drawn.
    hidden: bool,
    capture: Option<Capture>,
    pictures: Pictures,
    /// What the pointer was last seen over.
    hovered: Option<Hovered>,
}

impl Shown {
    fn new(
        window: Window,
        gl: WindowedContext,
        event_loop: &EventLoop<News>,
        options: Options,
        loader: Loader,
    ) -> Self {
        let pictures = Pictures::from_now();
        let (renderer, _) = render::renderer_name(&gl);
        tracing::info!("drawing with {renderer}");
        let stage = Stage::new(&gl, &options.config.look, Quality::of_window(&gl));
        let gui = GUI::new(&gl);
        style(gui.context());
        let waker = event_loop.create_proxy();
        let wake = Wake::new(move || {
            // The window may be closing; then nobody needs waking.
            let _ = waker.send_event(News::Aside);
        });
        let waker = event_loop.create_proxy();
        let surveyor = Surveyor::new(move || {
            // The window may be closing; then nobody needs waking.
            let _ = waker.send_event(News::Surveyor);
        });
        Self {
            input: FrameInputGenerator::from_winit_window(&window),
            app: App::new(options, loader, (wake, surveyor), stage, renderer),
            gui,
            gl,
            pointer: Pointer::default(),
            proxy: event_loop.create_proxy(),
            dialog_open: false,
            title: String::new(),
            dirty: true,
            acted: false,
            animating: true,
            next_frame: Instant::now(),
            frame_interval: frame_interval(&window),
            hidden: false,
            capture: None,
            pictures,
            hovered: None,
            window,
        }
    }

    fn handle(&mut self, event: Event<'_, News>) -> Result<(), ViewerError> {
        match event {
            Event::WindowEvent { event, .. } => self.window_event(&event),
            Event::UserEvent(News::Loader) => {
                self.app.take_loaded();
                self.dirty = true;
            }
            Event::UserEvent(News::Aside | News::Surveyor) => self.dirty = true,
            Event::UserEvent(News::Changed(files)) => {
                self.app.files_changed(&files);
                self.dirty = true;
            }
            Event::UserEvent(News::Picked(picked)) => {
                self.dialog_open = false;
                match picked {
                    Picked::File(path) => self.app.load(&path),
                    Picked::Nothing => {}
                    Picked::NoDialog => self.app.overlay.say(Kind::Advice, dialog::NO_DIALOG),
                }
                self.dirty = true;
            }
            Event::MainEventsCleared => {
                let now = Instant::now();
                let changes = self.app.next_change().is_some_and(|at| at <= now);
                if !self.hidden
                    && now >= self.next_frame
                    && (self.dirty || self.animating || changes)
                {
                    self.window.request_redraw();
                }
            }
            Event::RedrawRequested(_) => self.frame()?,
            _ => {}
        }
        Ok(())
    }

    fn window_event(&mut self, event: &WindowEvent<'_>) {
        self.input.handle_winit_window_event(event);
        self.dirty = true;
        match event {
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
            WindowEvent::CloseRequested => self.app.ask_to_quit(),
            WindowEvent::HoveredFile(_) => self.app.overlay.file_hovers = true,
            WindowEvent::HoveredFileCancelled => self.app.overlay.file_hovers = false,
            WindowEvent::DroppedFile(path) => {
                self.app.overlay.file_hovers = false;
                self.app.load(path);
            }
            WindowEvent::Focused(false) => {
                self.pointer.release_all();
                self.app.end_drag();
            }
            _ => {}
        }
    }

    fn next_wake(&self) -> ControlFlow {
        if self.hidden {
            return ControlFlow::Wait;
        }
        if self.dirty || self.animating {
            return ControlFlow::WaitUntil(self.next_frame);
        }
        match self.app.next_change() {
            Some(at) => ControlFlow::WaitUntil(at.max(self.next_frame)),
            None => ControlFlow::Wait,
        }
    }

    fn frame(&mut self) -> Result<(), ViewerError> {
        let size = self.window.inner_size();
        if size.width == 0 || size.height == 0 {
            self.hidden = true;
            return Ok(());
        }
        let was_idle = !self.animating;
        let mut input = self.input.generate(&self.gl);
        let scale = input.device_pixel_ratio;
        self.app.take_loaded();
        self.app.keep_field();
        self.app.keep_bald();

        // The key that ends typing is no command either.
        let typing = self.gui.context().text_edit_focused();
        hide_tab(&mut input.events, true);
        let started = Instant::now();
        let taken = self.show_interface(&mut input);
        let panel_ms = ms_since(started);
        hide_tab(&mut input.events, false);
        let window = Vec2::new(input.viewport.width as f32, input.viewport.height as f32);
        let scene_size = (window / scale - taken).max(Vec2::ONE);
        self.app.views.resize(scene_size);
        self.app.pixel_scale = scale;
        self.follow_input(&input, typing);
        self.acted |= self.app.brush();
        self.app.keep_style();

        let elapsed = input.elapsed_time / 1000.0;
        // Time that passed while nothing moved is no time to catch up with.
        self.app.advance(if was_idle {
            elapsed.min(self.frame_interval.as_secs_f64())
        } else {
            elapsed
        });

        let target = RenderTarget::screen(&self.gl, size.width, size.height);
        let height = ((scene_size.y * scale) as u32).clamp(1, size.height);
        let scene = Viewport {
            x: 0,
            y: (size.height - height) as i32,
            width: ((scene_size.x * scale) as u32).max(1),
            height,
        };
        // The panels cover the rest.
        target.clear(ClearState::color_and_depth(0.0, 0.0, 0.0, 0.0, 1.0));
        let drawing = Instant::now();
        let app = &mut self.app;
        let news = app.roots_view.update(&mut app.subject) | app.show_lab();
        let camera = app.camera;
        app.show_colliders();
        self.app.subject.draw(camera, &target, scene, scale)?;
        target
            .write(|| self.gui.render())
            .map_err(|error| ViewerError::Graphics(error.to_string()))?;
        let drawing_ms = ms_since(drawing);
        self.take_picture(&target, scene)?;
        let handing_over = Instant::now();
        self.gl
            .swap_buffers()
            .map_err(|error| ViewerError::Graphics(error.to_string()))?;
        self.shown();
        self.app.note_frame(Costs {
            drawing: drawing_ms,
            panel: panel_ms,
            screen: ms_since(handing_over),
            ..Costs::default()
        });

        if self.title != self.app.title {
            self.title.clone_from(&self.app.title);
            self.window.set_title(&self.title);
        }
        self.animating = self.app.is_animating()
            || self.gui.context().has_requested_repaint()
            || self.capture.is_some();
        // The interface of this frame was made before the news came, and before keys did anything.
        self.dirty = news | std::mem::take(&mut self.acted);
        self.next_frame = (self.next_frame + self.frame_interval).max(Instant::now());
        Ok(())
    }

    /// Runs the interface for this frame; returns what the panels take of the window, logical
    /// pixels.
    fn show_interface(&mut self, input: &mut three_d::FrameInput) -> Vec2 {
        let mut taken = Vec2::ZERO;
        let mut actions = Vec::new();
        let app = &mut self.app;
        app.hands.hovered = None;
        self.gui.update(
            &mut input.events,
            input.accumulated_time,
            input.viewport,
            input.device_pixel_ratio,
            |ui| {
                let ctx = ui.ctx().clone();
                if app.panel_shown {
                    let panel = egui::Panel::right("panel")
                        .exact_size(PANEL_WIDTH)
                        .resizable(false);
                    let shown = panel.show_inside(ui, |ui| app.show_panel(ui));
                    taken.x = shown.response.rect.width();
                    actions.extend(shown.inner);
                }
                taken.y = app.show_graphs(ui);
                let mut area = ctx.content_rect();
                area.max -= egui::vec2(taken.x, taken.y);
                app.show_legend(&ctx, area);
                app.show_badge(&ctx, area);
                actions.extend(app.show_split(&ctx, area));
                app.show_canvas(&ctx, area);
                app.show_ring(&ctx, area);
                app.show_lab_legend(&ctx, area);
                let progress = app.progress();
                actions.extend(app.overlay.show(&ctx, area, progress));
            },
        );
        for action in actions {
            self.perform(action);
        }
        taken
    }

    fn perform(&mut self, action: Action) {
        self.acted = true;
        match self.app.perform(action) {
            Some(Request::OpenDialog) => self.open_dialog(),
            Some(Request::Screenshot { transparent }) if transparent => {
                self.capture = Some(Capture::CutOut);
            }
            Some(Request::Screenshot { .. }) => self.capture = Some(Capture::Window),
            None => {}
        }
    }

    /// Asks for a file on a thread of its own: the head goes on moving meanwhile.
    fn open_dialog(&mut self) {
        if std::mem::replace(&mut self.dialog_open, true) {
            return;
        }
        let proxy = self.proxy.clone();
        std::thread::spawn(move || {
            // The window may be closing; then nobody needs the file.
            let _ = proxy.send_event(News::Picked(dialog::ask()));
        });
    }
}
