//! The background work on the skin: its distance field, and follicles where it is bald. Planting takes
//! seconds; other brushes go on meanwhile.

use crate::viewer::app::App;
use crate::viewer::background::{Progress, StyleJob, bake};
use crate::viewer::input::action::LabOverlay;
use crate::viewer::styling::{StylerSlot, wants_bald};
use mohawk::style::Styler;

/// On a head with more follicles, bald skin takes so long that it is planted only for a tool that
/// may need it.
const EAGER: usize = 20_000;

impl App {
    /// Bakes the field as soon as hair collides with it or an overlay shows it, and takes the
    /// result.
    pub(crate) fn update_skin(&mut self) {
        match self.skin.poll() {
            Some(Ok(field)) => self.subject.set_field(Ok(field)),
            Some(Err(why)) => {
                let text = format!("Hair collides with an ellipsoid, not with the skin: {why}");
                self.overlay.notice(text);
                self.subject.set_field(Err(why));
            }
            None => {}
        }
        let subject = &self.subject;
        let is_cut = self.lab.switches.is_on(LabOverlay::Field) && subject.shown_head().is_some();
        let wanted = (subject.needs_field() && !subject.is_headless()) || is_cut;
        // A head without paint has no hair that could collide, until it is styled. The canvas needs no
        // brush in hand.
        let is_styled = self.styling.on || self.styling.stroke.is_some();
        let wanted = (wanted && subject.has_skin()) || is_styled;
        let is_asked_for = self.skin.progress().is_some() || subject.field().is_some();
        if is_asked_for || !wanted || !self.loading.has_shown {
            return;
        }
        // A style whose shape depends on the skin has measured it already.
        let styler = self.styling.styler.ready();
        let styler = styler.filter(|styler| subject.shows(styler.head()));
        if let Some(field) = styler.and_then(Styler::field).cloned() {
            return self.subject.set_field(Ok(field));
        }
        if let Some(head) = &subject.head {
            let head = mohawk::style::with_skin(head);
            let bake = move |progress: Progress| bake(&head, progress);
            (self.skin).begin(&self.wake, "Measuring the skin", bake);
        }
    }

    /// Plants bald skin as soon as a brush is in hand, and takes the result.
    pub(crate) fn update_bald_skin(&mut self) {
        let StylerSlot::Ready(styler) = &mut self.styling.styler else {
            return; // Its roots may be others when it comes back.
        };
        let bald = &mut self.bald;
        bald.follow(&styler.style().config.roots);
        if styler.is_brushing() {
            return;
        }
        if let Some(whole) = bald.poll(&styler.style().config.roots) {
            // Follicles of other roots are refused, and planted again below.
            _ = styler.take_follicles(whole);
        }
        if styler.follicles().are_whole() {
            return self.start_waiting();
        }
        let stroke = self.styling.stroke.as_ref();
        let job_waits = self
            .styling
            .waiting
            .front()
            .is_some_and(StyleJob::wants_bald);
        let awaited = job_waits || stroke.is_some_and(|stroke| stroke.waits_for_bald(styler));
        let roots = &styler.style().config.roots;
        if let Some(why) = bald.problem(roots) {
            if awaited {
                self.overlay
                    .error(format!("No hair can grow on bald skin: {why}"));
                // Otherwise it would never end.
                self.styling.stroke = None;
                if job_waits {
                    self.styling.waiting.pop_front();
                }
                self.start_waiting();
                self.take_queued_preset();
            }
            return;
        }
        let hand = &self.styling.hand;
        let likely = wants_bald(&hand.stroke(1.0)) || styler.follicles().len() <= EAGER;
        if awaited || (self.styling.on && likely) {
            bald.plant(&self.wake, styler.follicles(), roots);
        }
    }

    /// Returns `true` if something waits for bald skin, so that the progress of planting it
    /// matters.
    pub(crate) fn awaits_bald_skin(&self) -> bool {
        let styling = &self.styling;
        let ongoing = styling.stroke.as_ref();
        (styling.on && wants_bald(&styling.hand.stroke(1.0)))
            || styling.waits_for_bald()
            || ongoing.is_some_and(|ongoing| wants_bald(&ongoing.stroke))
    }
}
