//! The window: opening it, pumping its events, drawing frames when there is a reason to.

#[cfg(target_arch = "wasm32")]
mod asked;
mod capture;
mod interface;
mod opening;
mod pointer;
mod turns;

#[cfg(target_arch = "wasm32")]
pub(crate) use opening::open;
#[cfg(not(target_arch = "wasm32"))]
pub use opening::run;

use super::app::App;
use super::doll::{DollApp, Leave};
use super::view::Picture;
use super::{Report, ViewerError};
use crate::viewer::input::Under;
use crate::viewer::input::action::{Action, HandTool};
use crate::viewer::input::key_owner::KeyOwner;
use crate::viewer::interface::eyedropper;
use crate::viewer::interface::kept::KeptInterface;
use crate::viewer::lab::graphs::Costs;
#[cfg(target_arch = "wasm32")]
use crate::viewer::news::PageNews;
use crate::viewer::news::WindowNews;
use crate::viewer::panel::search_field;
use crate::viewer::paths::main_file;
use crate::viewer::platform::{self, FileDialog};
use crate::viewer::remembered::Memory;
use crate::viewer::subject::simulations::ms_since;
use crate::viewer::window_host::WindowHost;
use glam::Vec2;
use mohawk::doll::DollSession;
use mohawk::head::HEAD_EXTENSIONS;
use mohawk::maps::MapKind;
use mohawk::render::{Economy, OrbitCamera};
use mohawk::sim::Collider;
use mohawk::style;
use std::path::PathBuf;
use three_d::{PhysicalPoint, RenderTarget, Viewport};
use web_time::{Duration, Instant};
use winit::event::{Event, WindowEvent};
use winit::event_loop::ControlFlow;

/// The time after input in which the picture does not get better.
const BUSY: Duration = Duration::from_millis(100);

/// A window with a head. Fields are dropped in this order: what lives on the GPU goes before the
/// context.
pub(crate) struct HeadWindow {
    app: App,
    /// The file of what the next run finds.
    memory: Memory,
    /// The doll, once it was shown.
    doll: Option<DollApp>,
    at_doll: bool,
    /// `true` if the doll is shown in place of the head after this frame.
    goes_to_doll: bool,
    /// `true` if head or doll has agreed to the closing of the window, so that the other one is
    /// asked.
    other_may_go: bool,
    host: WindowHost,
    interface: KeptInterface,
    /// `true` if the brush is in hand for as long as a finger is on the head.
    brush_is_lent: bool,
    /// `true` if an action followed the interface of this frame.
    acted: bool,
    /// The time of the last input.
    touched: Instant,
    /// Files that were dropped together, of which one is opened.
    dropped: Vec<PathBuf>,
    /// The pixel whose colour is taken from the next frame.
    picked: Option<PhysicalPoint>,
    /// The time when the GL context was created.
    since: Instant,
    report: Report,
    #[cfg(target_arch = "wasm32")]
    around: asked::Around,
    /// The last look-up of what is under the pointer: the pointer, the view and the colliders, and
    /// the result.
    hovered: Option<(Vec2, OrbitCamera, Vec<Collider>, Under)>,
}

impl HeadWindow {
    /// Handles an event, and returns when the next one is expected.
    pub(crate) fn step(
        &mut self,
        event: Event<'_, WindowNews>,
    ) -> Result<ControlFlow, ViewerError> {
        #[cfg(target_arch = "wasm32")]
        if turns::is_void(&event) {
            return Ok(ControlFlow::Wait);
        }
        self.handle(event)?;
        Ok(match self.may_quit() {
            true => ControlFlow::Exit,
            false => self.next_wake(),
        })
    }

    /// Shows an error to the user.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn tell_error(&mut self, text: &str) {
        self.app.overlay.error(text.to_owned());
    }

    /// Keeps all that the next visit of the page finds.
    #[cfg(target_arch = "wasm32")]
    fn keep_all(&mut self) {
        self.keep_memory();
        self.app.autosave(true);
        self.doll.iter_mut().for_each(|doll| doll.autosave(true));
    }

    /// Writes down what the next run finds.
    pub(super) fn keep_memory(&mut self) {
        self.memory.keep(&self.app.remembered, true);
    }

    fn handle(&mut self, event: Event<'_, WindowNews>) -> Result<(), ViewerError> {
        if matches!(event, Event::MainEventsCleared) {
            if let Some(path) = main_file(std::mem::take(&mut self.dropped)) {
                self.app.load(&path);
            }
            self.app.autosave(false);
            self.doll.iter_mut().for_each(|doll| doll.autosave(false));
        }
        let at_doll = match event {
            // The answer is for the one that asked, which may not be shown any more.
            Event::UserEvent(WindowNews::Picked(..)) => self.host.asks_for_doll,
            _ => self.at_doll,
        };
        let doll = self.doll.as_mut().filter(|_| at_doll);
        match (event, doll) {
            (Event::UserEvent(WindowNews::BackgroundTask), _) => {
                self.take_loaded();
                self.host.dirty = true;
            }
            #[cfg(target_arch = "wasm32")]
            (Event::UserEvent(WindowNews::Page(PageNews::Leaving)), _) => self.keep_all(),
            #[cfg(target_arch = "wasm32")]
            (Event::UserEvent(WindowNews::Page(PageNews::Asked(address))), _) => self.ask(address),
            #[cfg(target_arch = "wasm32")]
            (Event::UserEvent(WindowNews::Page(PageNews::Shipped(are_here))), _) => {
                self.app.take_shipped(are_here);
                self.host.dirty = true;
            }
            (Event::UserEvent(WindowNews::Changed(files)), _) => {
                self.app.files_changed(&files);
                self.host.dirty = true;
            }
            (event, Some(doll)) => {
                doll.handle(&mut self.host, event)?;
                if let Some(leave) = doll.leaves.take() {
                    self.at_doll = false;
                    self.app.pointer.held = std::mem::take(&mut doll.held);
                    // Time that passed meanwhile is no time to catch up with.
                    self.host.animating = false;
                    self.host.dirty = true;
                    match leave {
                        Leave::Quit if self.other_may_go => self.app.quit = true,
                        Leave::Quit => {
                            self.other_may_go = true;
                            self.app.ask_to_quit();
                        }
                        Leave::ToHead => {}
                    }
                }
            }
            (event, None) => self.handle_head(event)?,
        }
        Ok(())
    }

    fn handle_head(&mut self, event: Event<'_, WindowNews>) -> Result<(), ViewerError> {
        let path = self.host.note(&event, &mut self.app.overlay);
        self.dropped.extend(path);
        match event {
            Event::WindowEvent { event, .. } => match event {
                WindowEvent::CloseRequested => self.app.ask_to_quit(),
                WindowEvent::Focused(false) => self.app.let_go(),
                _ => {}
            },
            Event::MainEventsCleared => {
                self.host.draw_if_due(self.app.next_change());
            }
            Event::RedrawRequested(_) => self.frame()?,
            _ => {}
        }
        Ok(())
    }

    fn next_wake(&self) -> ControlFlow {
        let change = match &self.doll {
            Some(doll) if self.at_doll => doll.next_change(),
            _ => self.app.next_change(),
        };
        let doll = self.doll.as_ref().and_then(DollApp::autosave_due);
        let keep = self.app.autosave_due().into_iter().chain(doll).min();
        self.host.next_wake(change, keep)
    }

    /// Returns `true` if the window may be closed. If the head may go and the doll has unsaved
    /// changes, the doll is shown and asks.
    fn may_quit(&mut self) -> bool {
        let unsaved = self.doll.as_mut().filter(|doll| doll.is_unsaved());
        if self.app.quit
            && !self.other_may_go
            && let Some(doll) = unsaved
        {
            doll.ask_to_quit();
            self.app.overlay.asks_to_quit = false;
            (self.app.quit, self.at_doll, self.other_may_go) = (false, true, true);
            self.host.dirty = true;
        }
        let doll_asks = (self.doll.as_ref()).is_some_and(|doll| doll.overlay.asks_to_quit);
        let asks = self.app.overlay.asks_to_quit || doll_asks;
        // If the user cancels, the next attempt to close asks again.
        self.other_may_go &= asks || self.app.quit;
        self.app.quit
    }

    fn frame(&mut self) -> Result<(), ViewerError> {
        let Some([width, height]) = self.host.size() else {
            return Ok(());
        };
        let started_frame = Instant::now();
        let was_idle = !self.host.animating;
        // Known before the interface is made, which shows other things in pictures that are kept.
        let is_kept = self.snapshot_is_due();
        if self.waits([width, height])? {
            return Ok(());
        }
        let mut input = self.host.frame_input();
        let scale = input.device_pixel_ratio;
        self.app.update_skin();
        self.app.update_bald_skin();
        self.app.prepare_presets();
        // Keys change settings without a panel, too.
        self.app.follow_settings();
        if !input.events.is_empty() {
            self.touched = started_frame;
        }

        let keys = KeyOwner::new(self.host.gui.context(), self.app.overlay.is_asking());
        let started = Instant::now();
        let keeps = self.keeps_interface(is_kept);
        let made = match keeps && self.interface_stays(&input, [width, height]) {
            true => None,
            false => Some(self.show_interface(&mut input, is_kept)),
        };
        let taken = made.unwrap_or(self.interface.taken);
        let panel_ms = ms_since(started);
        let window = Vec2::new(input.viewport.width as f32, input.viewport.height as f32);
        let scene_size = (window / scale - taken).max(Vec2::ONE);
        self.app.view.size = scene_size;
        self.app.view.pixel_scale = scale;
        self.follow_input(&input, &keys);
        self.acted |= self.app.brush();

        let elapsed = input.elapsed_time / 1000.0;
        // Time that passed while nothing moved is no time to catch up with.
        let frame = self.host.frame_interval.as_secs_f64();
        let elapsed = elapsed.min(if was_idle { frame } else { f64::MAX });
        self.app.advance(elapsed);

        let target = RenderTarget::screen(&self.host.gl, width, height);
        let high = ((scene_size.y * scale) as u32).clamp(1, height);
        let scene = Viewport {
            x: 0,
            y: (height - high) as i32,
            width: ((scene_size.x * scale) as u32).max(1),
            height: high,
        };
        self.host.clear(&target);
        let drawing = Instant::now();
        let app = &mut self.app;
        let masked = app.masked();
        let news = app.roots_view.update(&mut app.subject, &app.wake)
            | app.lab.update(&mut app.subject, app.styling.on, masked);
        let camera = app.view.camera;
        let all = &app.settings.config.sim.colliders;
        app.subject
            .stage
            .solids
            .set(&app.pointer.colliders.solids(all));
        let (economy, present) = (app.statistics.detail.economy(), app.subject.hair_share());
        (app.subject.stage).set_economy(Economy {
            strands: (economy.strands / present).min(1.0),
            present,
            waits: self.touched.elapsed() < BUSY && app.view.picture.is_none(),
            ..economy
        });
        let refines = (app.subject).draw(is_kept, camera, &target, scene, scale)?;
        self.take_picked_color(&target);
        let (gui, gl) = (&self.host.gui, &self.host.gl);
        match made {
            Some(taken) => (self.interface).draw_new(gui, gl, &target, taken, keeps)?,
            None => self.interface.draw(&target)?,
        }
        let drawing_ms = ms_since(drawing);
        if is_kept {
            self.take_snapshot(&target)?;
        }
        if !refines && present >= 1.0 {
            self.save_view(scene);
            if std::mem::take(&mut self.app.loading.leaves_memory) {
                platform::give_memory_back();
            }
        }
        let handing_over = Instant::now();
        self.host.show()?;
        self.shown();
        #[cfg(target_arch = "wasm32")]
        self.report();
        self.app.note_frame(Costs {
            drawing: drawing_ms,
            panel: panel_ms,
            screen: ms_since(handing_over),
            ..Costs::default()
        });

        if self.app.is_animating() && !is_kept && self.app.view.picture.is_none() {
            let detail = &mut self.app.statistics.detail;
            // A page hands a picture over before it is drawn: only the pace of pictures tells how
            // long they take.
            detail.note(match cfg!(target_arch = "wasm32") {
                true => elapsed as f32,
                false => started_frame.elapsed().as_secs_f32(),
            });
        }

        self.host.set_title(&self.app.title());
        let moves = self.app.is_animating() || self.app.view.picture.is_some();
        // The interface of this frame was made before the news came, and before keys did anything.
        let outdated = news | std::mem::take(&mut self.acted);
        if outdated {
            self.interface.outdate();
        }
        let dirty = outdated | (made.is_none() && !moves);
        // Loading is done sooner if the picture gets no finer meanwhile.
        let refines = refines && !self.app.loading.goes_on();
        self.host.end_frame(moves || refines, dirty);
        if std::mem::take(&mut self.goes_to_doll) {
            let new = || DollApp::new(&self.host, DollSession::default(), None, true);
            self.doll.get_or_insert_with(new).held = self.app.pointer.held.clone();
            self.app.let_go();
            (self.at_doll, self.host.dirty) = (true, true);
        }
        Ok(())
    }

    fn perform(&mut self, action: Action) {
        self.acted = true;
        match action {
            Action::Doll => self.goes_to_doll = true,
            Action::Open => {
                let hair: Vec<&str> = style::hair_extensions().collect();
                let all = [&HEAD_EXTENSIONS[..], &hair, &["mohawk", "toml"]].concat();
                let dialog = FileDialog {
                    title: "Open a head, a style, strands or a scene",
                    kinds: vec![
                        ("Heads, styles, strands and scenes", all),
                        ("Heads", HEAD_EXTENSIONS.to_vec()),
                        ("Styles", vec!["mohawk"]),
                        ("Strands", hair),
                        ("Scenes", vec!["toml"]),
                    ],
                };
                self.host.ask_for_file(dialog, false);
            }
            Action::Search => {
                self.app.perform(Action::Search);
                // Letters that follow go to the field already in the frame that shows it next.
                let ctx = self.host.gui.context();
                ctx.memory_mut(|memory| memory.request_focus(search_field()));
            }
            Action::PickColor => {
                self.app.perform(Action::Hold(HandTool::PaintMap));
                self.app.styling.hand.map = MapKind::Tint;
                eyedropper::start(self.host.gui.context(), eyedropper::painted());
            }
            Action::Escape if eyedropper::cancel(self.host.gui.context()) => {}
            Action::Screenshot { transparent } => {
                let since = Instant::now();
                self.app.view.picture = Some(Picture { transparent, since });
            }
            Action::SavePreset { name, about } => {
                let app = &mut self.app;
                let picture = (app.subject).thumbnail(app.view.camera, &self.host.gl);
                app.save_preset(&name, about, picture);
            }
            action => self.app.perform(action),
        }
    }
}
