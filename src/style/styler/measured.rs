//! A head that was measured in one session, for another session on the same head.

use super::Styler;
use super::kept_follicles::KeptFollicles;
use crate::head::Head;
use crate::roots::SampleError;
use crate::sim::{Sdf, SdfError, SdfSettings};
use crate::style::contents::Style;
use crate::style::follicles::{Progress, with_skin};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{TryRecvError, channel};
use std::thread::sleep;
use std::time::Duration;

/// The time between two reports of progress while nothing but the field is awaited.
const PATIENCE: Duration = Duration::from_millis(10);

/// A head with what takes seconds to measure: its follicles, and the distance field of its skin.
#[derive(Clone, Debug)]
pub struct Measured {
    pub(super) head: Arc<Head>,
    pub(super) field: Option<Arc<Sdf>>,
    /// `true` if the field is wanted even if the shape of hair does not depend on it.
    pub(super) wants_field: bool,
    pub(super) follicles: KeptFollicles,
}

impl Measured {
    /// Measures nothing yet.
    pub fn new(head: Arc<Head>, field: Option<Arc<Sdf>>) -> Self {
        Self {
            head,
            field,
            wants_field: false,
            follicles: KeptFollicles::default(),
        }
    }

    /// Has the distance field baked even if the shape of hair does not depend on it.
    pub fn wanting_field(self, wants_field: bool) -> Self {
        Self {
            wants_field,
            ..self
        }
    }

    /// Measures what a style needs.
    ///
    /// # Errors
    ///
    /// The errors of [`Follicles::of_head`] and [`Follicles::add_bald`].
    pub fn for_style(
        head: Arc<Head>,
        style: &Style,
        progress: Progress,
    ) -> Result<Self, SampleError> {
        let (source, needs_skin) = (style.root_source(), style.config.groom.needs_skin());
        let (sampled, baked) = beside_skin(&head, needs_skin, progress, |progress| {
            KeptFollicles::default().take_or_sample(&head, &source, style.needs_bald(), progress)
        })?;
        let mut measured = Self::new(head, baked.and_then(Result::ok));
        if let Some(follicles) = sampled {
            measured.follicles.keep(&source, &follicles);
        }
        Ok(measured)
    }

    /// Returns the head.
    pub fn head(&self) -> &Arc<Head> {
        &self.head
    }
}

impl Styler {
    /// Returns what the session has measured.
    pub fn measured(&self) -> Measured {
        let mut follicles = self.kept_follicles.clone();
        follicles.keep(&self.style.root_source(), &self.follicles);
        Measured {
            head: self.head.clone(),
            field: self.field.clone(),
            wants_field: false,
            follicles,
        }
    }
}

/// The distance field of a skin, or the reason why it has none.
pub(super) type Baked = Result<Arc<Sdf>, SdfError>;

/// Does some work while the distance field of the skin is baked on other threads, if that is
/// `wanted`. Each is half of the progress. Baking stops if the work fails.
pub(super) fn beside_skin<T>(
    head: &Arc<Head>,
    wanted: bool,
    progress: Progress,
    work: impl FnOnce(Progress) -> Result<T, SampleError>,
) -> Result<(T, Option<Baked>), SampleError> {
    if !wanted {
        return Ok((work(progress)?, None));
    }
    let bake = |tell: Progress| {
        let field = Sdf::bake(&with_skin(head), &SdfSettings::default(), tell);
        field.map(Arc::new)
    };
    // A page has one thread, and draws between two reports.
    if rayon::current_num_threads() == 1 {
        let done = work(&mut |done| progress(0.5 * done))?;
        return match bake(&mut |done| progress(0.5 + 0.5 * done)) {
            Err(SdfError::Cancelled) => Err(SampleError::Cancelled),
            baked => Ok((done, Some(baked))),
        };
    }
    let (share, has_failed) = (AtomicU32::new(0), AtomicBool::new(false));
    let tell = |done: f32| {
        share.store(done.to_bits(), Relaxed);
        match has_failed.load(Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let (send, baked) = channel();
    let both = |done: f32| 0.5 * (done + f32::from_bits(share.load(Relaxed)));
    rayon::in_place_scope(|scope| {
        scope.spawn(|_| {
            let send = send;
            _ = send.send(bake(&mut |done| tell(done)));
        });
        let done = work(&mut |done| progress(both(done)));
        has_failed.store(done.is_err(), Relaxed);
        let done = done?;
        loop {
            match baked.try_recv() {
                Err(TryRecvError::Empty) => {}
                // A panic in it goes on when the scope ends.
                baked => return Ok((done, baked.ok())),
            }
            // All threads may wait for a field: one of them bakes it then.
            if rayon::yield_now() != Some(rayon::Yield::Executed) {
                sleep(PATIENCE);
            }
            if progress(both(1.0)).is_break() {
                has_failed.store(true, Relaxed);
                return Err(SampleError::Cancelled);
            }
        }
    })
}
