//! Follicles on bald skin: they take seconds, and are planted while other brushes go on.

use super::App;
use crate::viewer::background::style_job::What;
use crate::viewer::background::task::{BackgroundTask, Hear, Wake};
use crate::viewer::interface::overlay::MessageKind;
use crate::viewer::styling::Bench;
use crate::viewer::styling::stroke::Ongoing;
use mohawk::head::Head;
use mohawk::roots::{RootSettings, SampleError};
use mohawk::style::Follicles;
use std::sync::Arc;
use std::time::Instant;

/// Of a head with more hair, bald skin takes so long that it is planted only when a tool is in hand
/// that could want it.
const EAGER: usize = 20_000;

/// Plants bald skin on a copy of a style's follicles.
pub(super) struct Planter {
    aside: BackgroundTask<Follicles>,
    /// The settings of the roots that it plants beside.
    of: Option<RootSettings>,
    /// Settings with which it cannot be done, and why.
    failed: Option<(RootSettings, String)>,
}

impl Planter {
    pub(super) fn new(wake: Wake) -> Self {
        Self {
            aside: BackgroundTask::new(wake),
            of: None,
            failed: None,
        }
    }

    /// Ends what was begun, and knows of nothing.
    pub(super) fn forget(&mut self) {
        self.aside.forget();
        (self.of, self.failed) = (None, None);
    }
}

impl App {
    /// Has bald skin planted as soon as a brush is in hand, and takes what has been planted.
    pub(crate) fn keep_bald(&mut self) {
        let Bench::Here(styler) = &mut self.styling.bench else {
            return; // roots may be others when it comes back
        };
        let planter = &mut self.planter;
        let roots = &styler.style().config.roots;
        if planter.of.as_ref().is_some_and(|of| of != roots) {
            planter.forget();
        }
        // Not in the middle of a stroke.
        if styler.is_brushing() {
            return;
        }
        let done = planter.aside.poll();
        if done.is_some() {
            planter.of = None;
        }
        match done {
            // Of roots that are gone: begun again below.
            Some(Ok(whole)) => _ = styler.take_follicles(whole),
            Some(Err(why)) => planter.failed = Some((styler.style().config.roots.clone(), why)),
            None => {}
        }
        if styler.follicles().are_whole() {
            if let Some(what) = self.styling.after_planting.take() {
                self.send(what);
            }
            return;
        }
        let stroke = self.styling.stroke.as_ref();
        let awaited = self.styling.after_planting.is_some()
            || stroke.is_some_and(|stroke| stroke.waits_for_bald(styler));
        let roots = &styler.style().config.roots;
        if let Some((_, why)) = planter.failed.as_ref().filter(|(of, _)| of == roots) {
            if awaited {
                // It would wait for what cannot be.
                (self.styling.stroke, self.styling.after_planting) = (None, None);
                self.styling.filling = None;
                let text = format!("No hair can grow on bald skin: {why}");
                self.overlay.say(MessageKind::Error, text);
            }
            return;
        }
        let hand = &self.styling.hand;
        let likely = hand.wants_bald() || styler.follicles().len() <= EAGER;
        if planter.of.is_none() && (awaited || (self.styling.on && likely)) {
            let (follicles, head) = (styler.follicles().clone(), styler.shared_head());
            planter.of = Some(roots.clone());
            let roots = roots.clone();
            (planter.aside).begin(move |hear| plant(follicles, &head, &roots, hear));
        }
    }

    /// Since when bald skin is being planted that is wanted now, and the finished share.
    pub(super) fn planting(&self) -> Option<(Instant, f32)> {
        let styling = &self.styling;
        let wanted = (styling.on && styling.hand.wants_bald())
            || styling.after_planting.is_some()
            || styling.stroke.as_ref().is_some_and(Ongoing::wants_bald);
        self.planter.aside.progress().filter(|_| wanted)
    }

    /// Sends the style away to have something done to it, once bald skin is planted if that needs
    /// it: beginning again there would take twice as long.
    pub(super) fn send_planted(&mut self, what: What) {
        let here = self.styling.bench.here();
        let waits = here.is_some_and(|styler| !styler.follicles().are_whole());
        match waits && what.wants_bald() {
            true => self.styling.after_planting = Some(what),
            false => self.send(what),
        }
    }
}

fn plant(
    mut follicles: Follicles,
    head: &Arc<Head>,
    roots: &RootSettings,
    hear: Hear,
) -> Option<Result<Follicles, String>> {
    match follicles.add_bald(head, roots, hear) {
        Err(SampleError::Cancelled) => None,
        Err(error) => Some(Err(error.to_string())),
        Ok(()) => Some(Ok(follicles)),
    }
}
