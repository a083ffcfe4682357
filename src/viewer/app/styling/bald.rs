//! Follicles on bald skin, which take seconds: other brushes go on while they are planted.

use crate::viewer::app::App;
use crate::viewer::background::{BackgroundTask, Progress, Stopped, StyleJob, Wake};
use crate::viewer::styling::StylerSlot;
use crate::viewer::styling::stroke::Ongoing;
use mohawk::roots::RootSettings;
use mohawk::style::Follicles;

/// On a head with more follicles, bald skin takes so long that it is planted only for a tool that
/// may need it.
const EAGER: usize = 20_000;

/// Plants bald skin beside a style's follicles.
pub(crate) struct BaldSkin {
    pub(crate) task: BackgroundTask<Follicles>,
    /// The settings of the roots that the task plants.
    planting: Option<RootSettings>,
    /// Settings with which planting failed, and why.
    failed: Option<(RootSettings, String)>,
}

impl BaldSkin {
    pub(crate) fn new(wake: Wake) -> Self {
        Self {
            task: BackgroundTask::new(wake),
            planting: None,
            failed: None,
        }
    }

    /// Cancels the task, and forgets what is known of other follicles.
    pub(crate) fn forget(&mut self) {
        self.task.forget();
        (self.planting, self.failed) = (None, None);
    }
}

impl App {
    /// Plants bald skin as soon as a brush is in hand, and takes the result.
    pub(crate) fn update_bald_skin(&mut self) {
        let StylerSlot::Ready(styler) = &mut self.styling.styler else {
            return; // Its roots may be others when it comes back.
        };
        let bald = &mut self.bald;
        let roots = &styler.style().config.roots;
        if bald.planting.as_ref().is_some_and(|of| of != roots) {
            bald.forget();
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
            let follicles = styler.follicles().clone();
            let roots = roots.clone();
            bald.planting = Some(roots.clone());
            bald.task.begin("Planting bald skin", move |progress| {
                plant(follicles, &roots, progress)
            });
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

fn plant(
    mut follicles: Follicles,
    roots: &RootSettings,
    progress: Progress,
) -> Result<Follicles, Stopped> {
    follicles.add_bald(roots, progress)?;
    Ok(follicles)
}
