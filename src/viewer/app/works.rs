//! What is done to the style on the loading thread: settings, undo, bald skin; and what comes back.

use super::App;
use crate::viewer::background::loader::Stopped;
use crate::viewer::background::style_job::{Change, What, Work, Worn};
use crate::viewer::interface::overlay::MessageKind;
use crate::viewer::styling::Bench;
use crate::viewer::styling::stroke::Ongoing;
use mohawk::config::Config;
use mohawk::groom::GroomSettings;
use mohawk::roots::RootSettings;
use mohawk::style::Styler;
use std::sync::Arc;

/// What of the settings decides how hair grows.
fn of_hair(config: &Config) -> (&RootSettings, &GroomSettings) {
    (&config.roots, &config.groom)
}

impl App {
    /// Shows hair that has been grown.
    pub(super) fn take_worn(&mut self, worn: Worn) {
        self.painted += 1;
        if !worn.groom.is_empty()
            && let Some(advice) = self.styling.advised.take()
        {
            self.overlay.unsay(&advice);
        }
        self.subject.wear(Some(worn));
        self.retitle();
    }

    /// Sends the style away to have something done to it.
    pub(super) fn send(&mut self, what: What) {
        match std::mem::replace(&mut self.styling.bench, Bench::Away) {
            Bench::Here(mut styler) => {
                let field = self.subject.field().and_then(Result::ok);
                styler.set_field(field.cloned());
                self.styling.sent_styled = !styler.style().is_plain();
                let own = match &what {
                    What::Lend(_) => None,
                    _ => self.styling.own.take(),
                };
                self.loader.style(styler, Work { own, what });
            }
            other => self.styling.bench = other,
        }
    }

    /// Takes the style back.
    pub(super) fn take_styled(&mut self, styler: Box<Styler>, done: Result<Box<Change>, Stopped>) {
        let head = styler.shared_head();
        if !(self.subject.head.as_ref()).is_some_and(|shown| Arc::ptr_eq(shown, &head)) {
            return; // of a head that is gone
        }
        let own = styler.style().config.clone();
        self.styling.bench = Bench::Here(styler);
        self.styling.asked = None;
        match done {
            Ok(change) => {
                self.take_worn(change.worn);
                self.record_change();
                if let Some(told) = change.told {
                    self.overlay.say(MessageKind::Notice, told);
                }
                if change.takes_settings {
                    self.set_own(own);
                    self.subject.apply(&self.config);
                }
            }
            Err(Stopped::Cancelled) => {}
            Err(Stopped::Failed(why)) => {
                self.styling.refused = Some(Box::new(self.config.clone()));
                // It would wait for what cannot be, and ask for it again and again.
                self.styling.stroke = None;
                self.overlay.say(MessageKind::Error, why);
            }
        }
        self.follow_settings();
    }

    /// What was done on the loading thread may belong to what is recorded.
    fn record_change(&mut self) {
        let state = self.styling.bench.here().map(Styler::state);
        let filled = self.styling.filling.take();
        if let (Some(recording), Some(state)) = (&mut self.styling.recording, state) {
            match filled {
                Some(stroke) => recording.add(stroke.stroke, state),
                None => recording.redo(state),
            }
        }
    }

    /// Has the style take on the settings in use, when they are others than its own.
    pub(super) fn follow_settings(&mut self) {
        if self.pending.is_some() || self.styling.stroke.is_some() {
            return;
        }
        let overrides = self.has_overrides();
        let Bench::Here(styler) = &mut self.styling.bench else {
            return self.try_other_roots();
        };
        let now = &styler.style().config;
        if *now == self.config || self.styling.refused.as_deref() == Some(&self.config) {
            if !overrides {
                self.styling.own = None;
            }
            return;
        }
        self.styling.refused = None;
        let grows = of_hair(now) != of_hair(&self.config);
        let config = Box::new(self.config.clone());
        let config_asked = config.clone();
        let what = match overrides {
            true => {
                let now = now.clone();
                self.styling.own.get_or_insert_with(|| Box::new(now));
                What::Lend(config)
            }
            false => {
                let merge = std::mem::replace(&mut self.styling.merging, self.pressing);
                What::Settings { config, merge }
            }
        };
        if grows || self.styling.own.is_some() {
            self.styling.asked = Some(config_asked);
            return self.send(what);
        }
        // Looks and solvers cost nothing.
        let go_on = &mut |_| std::ops::ControlFlow::Continue(());
        let taken = match what {
            What::Settings { config, merge } => styler.set_config(*config, merge, go_on),
            What::Lend(config) => styler.override_config(*config, go_on),
            _ => Ok(()),
        };
        if let Err(error) = taken {
            self.overlay.say(MessageKind::Error, error.to_string());
        }
    }

    /// Roots that could not be sampled may be with other settings.
    fn try_other_roots(&mut self) {
        let is_bald = matches!(self.styling.bench, Bench::Empty) && self.subject.has_skin();
        let refused = self.styling.refused.as_deref();
        if !is_bald || refused.is_some_and(|refused| of_hair(refused) == of_hair(&self.config)) {
            return;
        }
        let was_refused = refused.is_some();
        self.styling.refused = Some(Box::new(self.config.clone()));
        if was_refused {
            self.load_again();
        }
    }

    /// What is being done to the style is not what is wanted any more: breaks it off.
    pub(super) fn hurry(&mut self) {
        if matches!(self.styling.bench, Bench::Away) && self.pending.is_none() {
            let asked = self.styling.asked.take_if(|asked| **asked != self.config);
            if asked.is_some() {
                self.loader.cancel();
            }
        }
    }

    /// Takes back what was done last, or does it again.
    pub(super) fn undo(&mut self, what: What) {
        if self.styling.stroke.is_some() || matches!(self.styling.bench, Bench::Away) {
            return self
                .overlay
                .say(MessageKind::Notice, "One moment: hair is still growing");
        }
        self.follow_settings();
        let state = self.styling.bench.here().map(Styler::state);
        if let (What::Undo, Some(recording), Some(state)) =
            (&what, &mut self.styling.recording, state)
        {
            recording.undo(state);
        }
        self.send(what);
    }

    /// Makes all of the chosen map the chosen value.
    pub(super) fn fill_map(&mut self) {
        let hand = &self.styling.hand;
        let Some(value) = hand.value().rgb() else {
            let text = "Choose one direction to fill the map with";
            return self.overlay.say(MessageKind::Notice, text);
        };
        let (stroke, map) = (Ongoing::fill(hand), hand.map);
        self.styling.filling = Some(stroke);
        self.send_planted(What::Fill(map, value));
    }
}
