//! Follows addresses while the window is open, and reports its state to the page around this one.

use super::HeadWindow;
use crate::viewer::address::{Address, asked};
use crate::viewer::input::action::{Action, LabOverlay};
use crate::viewer::platform::page;
use crate::viewer::playback::Speed;
use crate::viewer::probe::{Probe, Sample};
use mohawk::presets::Preset;
use serde::Serialize;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// The page around this one.
#[derive(Default)]
pub(super) struct Around {
    /// The measures for it.
    probe: Option<Rc<RefCell<Probe>>>,
    /// The addresses that wait for a preset that is on its way.
    waiting: VecDeque<Address>,
}

/// The state of the window for the page around it.
#[derive(Serialize)]
struct State {
    /// The head, or the strands of a scene.
    name: String,
    /// `false` until the first hair is there, and while other hair is on its way.
    loaded: bool,
    strands: usize,
    paused: bool,
    /// Simulated time, seconds.
    secs: f64,
    samples: Vec<Sample>,
}

impl HeadWindow {
    /// Shows what an address asks for. Parts that are wrong are told, and the others are shown.
    pub(crate) fn ask(&mut self, address: Address) {
        self.stage(&address);
        self.around.waiting.push_back(address);
        self.show_asked();
        self.interface.outdate();
        self.host.dirty = true;
    }

    /// Shows what was asked for, until a preset has to come first.
    fn show_asked(&mut self) {
        self.acted |= !self.around.waiting.is_empty() && !self.app.awaits_preset();
        while !self.app.awaits_preset()
            && let Some(mut address) = self.around.waiting.pop_front()
        {
            let mut problems = Vec::new();
            let preset = address.take("preset");
            if let Some(preset) = asked(preset.as_deref(), &mut problems, Preset::find) {
                self.app.take_preset(preset);
                self.around.waiting.push_front(address);
            } else {
                self.show(&address, &mut problems);
            }
            for problem in problems {
                self.tell_error(&problem);
            }
        }
    }

    /// Shows hair and scenes of an address.
    fn show(&mut self, address: &Address, problems: &mut Vec<String>) {
        let app = &mut self.app;
        match address.part("split") {
            Some("off") => app.set_beside(None),
            solver => {
                if let Some(solver) = asked(solver, problems, str::parse) {
                    app.set_beside(Some(solver));
                }
            }
        }
        let graphs = address.switch("graphs");
        if graphs.is_some_and(|on| on != app.statistics.graphs.shown) {
            app.statistics.graphs.toggle();
        }
        match address.part("scene") {
            Some("off") => app.perform(Action::StopScene),
            scene => {
                if let Some(scene) = asked(scene, problems, str::parse) {
                    app.perform(Action::Play(scene));
                }
            }
        }
        // They count more than what the scene sets.
        app.set_settings(address.settings(), problems);
        if let Some(view) = asked(address.part("view"), problems, str::parse) {
            app.perform(Action::View(view));
        }
        self.act(address, true);
    }

    /// Takes the parts of an address that are neither hair nor scenes.
    pub(crate) fn stage(&mut self, address: &Address) {
        let (app, problems) = (&mut self.app, &mut Vec::new());
        if let Some(on) = address.switch("panel") {
            app.panel.shown = on;
        }
        if let Some(names) = address.part("overlays") {
            for overlay in LabOverlay::ALL {
                app.lab.switches.set(overlay, false);
            }
            for name in names.split(',').filter(|name| !["", "off"].contains(name)) {
                if let Some(overlay) = asked(Some(name), problems, overlay) {
                    app.lab.switches.set(overlay, true);
                }
            }
        }
        if let Some(speed) = asked(address.part("speed"), problems, speed) {
            app.perform(Action::Speed(speed));
        }
        for problem in problems {
            self.tell_error(problem);
        }
        self.act(address, false);
    }

    /// Performs the action that the part `do` names, if it belongs to this time: at once, or `after` the
    /// hair that was asked for is shown.
    pub(crate) fn act(&mut self, address: &Address, after: bool) {
        let action = address.part("do").unwrap_or_default();
        match (action, after) {
            ("play", false) => self.app.playback.paused = false,
            ("pause", false) => self.app.playback.paused = true,
            ("step", true) => self.app.perform(Action::StepOnce),
            ("restart", true) => self.app.perform(Action::Restart),
            ("rest", true) => self.app.perform(Action::Reset),
            // Nobody sees the page: nothing is simulated or drawn.
            ("sleep", false) => self.host.asleep = true,
            ("wake", false) => {
                self.host.asleep = false;
                // Time that passed meanwhile is no time to catch up with.
                self.host.animating = false;
            }
            ("dismiss", false) => self.app.overlay.messages.clear(),
            ("" | "step" | "restart" | "rest", _) | (_, true) => {}
            (_, false) => {
                let all = "play, pause, step, restart, rest, sleep, wake, dismiss";
                self.tell_error(&format!("do: {action:?} is none of {all}"));
            }
        }
    }

    /// Measures the hair from now on, and tells the page around this one with every picture.
    pub(crate) fn begin_reports(&mut self) {
        let probe = Rc::new(RefCell::new(Probe::default()));
        self.around.probe = Some(probe.clone());
        // The page around this one says what to do.
        self.app.panel.is_withheld = true;
        self.app.remembered.head_dragged = true;
        self.app.watch = Some(Box::new(move |sim| probe.borrow_mut().watch(sim)));
    }

    /// Tells the page around this one what is shown, and shows what had to wait for that.
    pub(super) fn report(&mut self) {
        if !self.around.waiting.is_empty() {
            self.show_asked();
        }
        if self.app.panel.model_changed && !self.app.pointer.pressed {
            self.app.perform(Action::ReadModel);
        }
        let Some(probe) = &self.around.probe else {
            return;
        };
        let app = &self.app;
        let sim = app.subject.sim();
        let state = State {
            name: app.subject.name(),
            loaded: app.loading.has_ended(),
            strands: app.subject.strands(),
            paused: app.playback.paused,
            secs: sim.time_secs(),
            samples: probe.borrow_mut().take(),
        };
        match serde_json::to_string(&state) {
            Ok(state) => page::report(&state),
            Err(error) => tracing::warn!("the page around this one is not told: {error}"),
        }
    }
}

/// Returns the overlay of a name such as `rest-curves`.
fn overlay(name: &str) -> Result<LabOverlay, String> {
    let plain = name.replace('-', "");
    let mut all = LabOverlay::ALL.into_iter();
    let found = all.find(|overlay| format!("{overlay:?}").eq_ignore_ascii_case(&plain));
    found.ok_or_else(|| format!("overlays: there is none called {name:?}"))
}

fn speed(name: &str) -> Result<Speed, String> {
    let mut all = Speed::all();
    let names: Vec<_> = Speed::all().map(Speed::name).collect();
    let found = all.find(|speed| speed.name() == name);
    found.ok_or_else(|| format!("speed: {name:?} is none of {}", names.join(", ")))
}
