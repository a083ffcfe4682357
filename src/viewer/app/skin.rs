//! The background work for the skin: its distance field, and follicles where it is bald. Planting
//! takes seconds; other brushes go on meanwhile.

use super::App;
use crate::viewer::background::{BackgroundTask, Progress, Stopped, StyleJob};
use crate::viewer::styling::StylerSlot;
use crate::viewer::styling::stroke::Ongoing;
use mohawk::head::Head;
use mohawk::roots::RootSettings;
use mohawk::sim::{Sdf, SdfError, SdfSettings};
use mohawk::style::Follicles;
use std::sync::Arc;

/// On a head with more follicles, bald skin takes so long that it is planted only for a tool that
/// may need it.
const EAGER: usize = 20_000;

/// The field of the head on screen.
#[derive(Default)]
pub(super) struct SkinField {
    pub(super) task: BackgroundTask<Arc<Sdf>>,
    /// Whether it has been asked for.
    requested: bool,
}

/// Plants bald skin beside a style's follicles.
#[derive(Default)]
pub(crate) struct BaldSkin {
    pub(crate) task: BackgroundTask<Follicles>,
    /// The settings of the roots that the task plants.
    planting: Option<RootSettings>,
    /// Settings with which planting failed, and why.
    failed: Option<(RootSettings, String)>,
}

impl App {
    /// Bakes the field as soon as hair collides with it or an overlay shows it, and takes the
    /// result.
    pub(crate) fn update_skin(&mut self) {
        match self.skin.task.poll() {
            Some(Ok(field)) => self.subject.set_field(Ok(field)),
            Some(Err(why)) => {
                let text = format!("Hair collides with an ellipsoid, not with the skin: {why}");
                self.overlay.notice(text);
                self.subject.set_field(Err(why));
            }
            None => {}
        }
        let subject = &self.subject;
        let wanted = subject.needs_field() || self.lab.needs_field(subject);
        // A head without paint has no hair that could collide, until it is styled.
        let wanted = (wanted && subject.has_skin()) || self.styling.on;
        if self.skin.requested || !wanted {
            return;
        }
        if let Some(head) = &subject.head {
            self.skin.requested = true;
            let head = mohawk::style::with_skin(head);
            let bake = move |progress: Progress| bake(&head, progress);
            (self.skin.task).begin(&self.wake, "Measuring the skin", bake);
        }
    }

    /// Plants bald skin as soon as a brush is in hand, and takes the result.
    pub(crate) fn update_bald_skin(&mut self) {
        let StylerSlot::Ready(styler) = &mut self.styling.styler else {
            return; // Its roots may be others when it comes back.
        };
        let bald = &mut self.bald;
        let roots = &styler.style().config.roots;
        if bald.planting.as_ref().is_some_and(|of| of != roots) {
            *bald = BaldSkin::default();
        }
        if styler.is_brushing() {
            return;
        }
        let done = bald.task.poll();
        if done.is_some() {
            bald.planting = None;
        }
        match done {
            // Follicles of other roots are refused, and planted again below.
            Some(Ok(whole)) => _ = styler.take_follicles(whole),
            Some(Err(why)) => bald.failed = Some((styler.style().config.roots.clone(), why)),
            None => {}
        }
        if styler.follicles().are_whole() {
            if let Some(job) = self.styling.after_planting.take() {
                self.start_style_job(job);
            }
            return;
        }
        let stroke = self.styling.stroke.as_ref();
        let awaited = self.styling.after_planting.is_some()
            || stroke.is_some_and(|stroke| stroke.waits_for_bald(styler));
        let roots = &styler.style().config.roots;
        if let Some((_, why)) = bald.failed.as_ref().filter(|(of, _)| of == roots) {
            if awaited {
                // It would wait for ever.
                (self.styling.stroke, self.styling.after_planting) = (None, None);
                self.styling.filling = None;
                self.overlay
                    .error(format!("No hair can grow on bald skin: {why}"));
            }
            return;
        }
        let hand = &self.styling.hand;
        let likely = hand.wants_bald() || styler.follicles().len() <= EAGER;
        if bald.planting.is_none() && (awaited || (self.styling.on && likely)) {
            let mut follicles = styler.follicles().clone();
            let roots = roots.clone();
            bald.planting = Some(roots.clone());
            let plant = move |progress: Progress| {
                follicles.add_bald(&roots, progress)?;
                Ok(follicles)
            };
            (bald.task).begin(&self.wake, "Planting bald skin", plant);
        }
    }

    /// Whether something waits for bald skin, so that the progress of planting it matters.
    pub(crate) fn awaits_bald_skin(&self) -> bool {
        let styling = &self.styling;
        (styling.on && styling.hand.wants_bald())
            || styling.after_planting.is_some()
            || styling.stroke.as_ref().is_some_and(Ongoing::wants_bald)
    }

    /// Starts a job on the style, after bald skin is planted if the job needs it: within the job,
    /// planting would begin anew.
    pub(crate) fn start_after_planting(&mut self, job: StyleJob) {
        let here = self.styling.styler.ready();
        let waits = here.is_some_and(|styler| !styler.follicles().are_whole());
        match waits && job.wants_bald() {
            true => self.styling.after_planting = Some(job),
            false => self.start_style_job(job),
        }
    }
}

/// Bakes on threads of its own: those that rayon shares carry the simulation, which goes on.
fn bake(head: &Head, progress: Progress) -> Result<Arc<Sdf>, Stopped> {
    let settings = SdfSettings::default();
    let threads = rayon::ThreadPoolBuilder::new().build();
    let baked = match threads {
        Ok(threads) => threads.install(|| Sdf::bake(head, &settings, progress)),
        // Without more threads, this one does it.
        Err(_) => Sdf::bake(head, &settings, progress),
    };
    match baked {
        Err(SdfError::Cancelled) => Err(Stopped::Cancelled),
        baked => baked
            .map(Arc::new)
            .map_err(|error| Stopped::Failed(error.to_string())),
    }
}
