//! The work on the skin: its distance field, and follicles where it is bald.

use super::{BackgroundTask, Progress, Stopped, Wake};
use mohawk::Head;
use mohawk::roots::RootSettings;
use mohawk::sim::{Sdf, SdfError, SdfSettings};
use mohawk::style::Follicles;
use std::sync::Arc;

/// Plants bald skin beside a style's follicles.
#[derive(Default)]
pub(crate) struct BaldSkin {
    pub(crate) task: BackgroundTask<Follicles>,
    /// The settings of the roots that the task plants.
    planting: Option<RootSettings>,
    /// Settings with which planting failed, and why.
    failed: Option<(RootSettings, String)>,
}

impl BaldSkin {
    /// Drops the work for other roots than these.
    pub(crate) fn follow(&mut self, roots: &RootSettings) {
        if self.planting.as_ref().is_some_and(|of| of != roots) {
            *self = Self::default();
        }
    }

    /// Plants bald skin of these roots beside follicles, unless a task does that.
    pub(crate) fn plant(&mut self, wake: &Wake, follicles: &Follicles, roots: &RootSettings) {
        if self.planting.is_some() {
            return;
        }
        let (mut follicles, roots) = (follicles.clone(), roots.clone());
        self.planting = Some(roots.clone());
        let plant = move |progress: Progress| {
            follicles.add_bald(&roots, progress)?;
            Ok(follicles)
        };
        self.task.begin(wake, "Planting bald skin", plant);
    }

    /// Returns all follicles once they have been planted. A failure counts for these roots.
    pub(crate) fn poll(&mut self, roots: &RootSettings) -> Option<Follicles> {
        let done = self.task.poll()?;
        self.planting = None;
        match done {
            Ok(whole) => Some(whole),
            Err(why) => {
                self.failed = Some((roots.clone(), why));
                None
            }
        }
    }

    /// Returns why bald skin of these roots could not be planted.
    pub(crate) fn problem(&self, roots: &RootSettings) -> Option<&str> {
        let (of, why) = self.failed.as_ref()?;
        (of == roots).then_some(why)
    }
}

/// Bakes on threads of its own: those that rayon shares carry the simulation, which goes on.
pub(crate) fn bake(head: &Head, progress: Progress) -> Result<Arc<Sdf>, Stopped> {
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
