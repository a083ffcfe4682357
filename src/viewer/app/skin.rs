//! The distance field of the skin, baked in the background.

use super::App;
use crate::viewer::background::{BackgroundTask, Progress, Stopped, Wake};
use mohawk::head::Head;
use mohawk::sim::{Sdf, SdfError, SdfSettings};
use std::sync::Arc;

/// The field of the head on screen.
pub(super) struct SkinField {
    pub(super) task: BackgroundTask<Arc<Sdf>>,
    /// Whether it has been asked for.
    requested: bool,
}

impl SkinField {
    pub(super) fn new(wake: Wake) -> Self {
        Self {
            task: BackgroundTask::new(wake),
            requested: false,
        }
    }

    /// Another head is shown: its field is another, too.
    pub(super) fn forget(&mut self) {
        self.requested = false;
        self.task.forget();
    }
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
            self.skin.task.begin("Measuring the skin", bake);
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
