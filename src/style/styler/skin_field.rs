//! The distance field of the skin, which hair must not enter. Baking takes seconds, so that is done
//! when it is needed, beside other work.

use super::Styler;
use crate::config::Config;
use crate::head::Head;
use crate::roots::SampleError;
use crate::sim::{Sdf, SdfError, SdfSettings};
use crate::style::follicles::{Progress, with_skin};
use std::ops::ControlFlow;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{TryRecvError, channel};
use std::thread::sleep;
use std::time::Duration;

/// The time between two reports of progress while nothing but the field is awaited.
const PATIENCE: Duration = Duration::from_millis(10);

impl Styler {
    /// Returns the signed distance field of the skin, if it was given or baked.
    pub fn field(&self) -> Option<&Arc<Sdf>> {
        self.field.as_ref()?.as_ref().ok()
    }

    /// Returns the error of baking the field, if it was tried.
    pub fn field_error(&self) -> Option<&SdfError> {
        self.field.as_ref()?.as_ref().err()
    }

    /// Returns the field as it was baked, if that was tried.
    pub(crate) fn baked_field(&self) -> Option<&Baked> {
        self.field.as_ref()
    }

    /// Sets the signed distance field of the skin, which hair must not enter.
    pub fn set_field(&mut self, field: Option<Arc<Sdf>>) {
        let is_known =
            |field: &Arc<Sdf>| known(&self.field).is_some_and(|own| ptr::eq(own, &**field));
        if let Some(field) = field.filter(|field| !is_known(field)) {
            self.growth.checkpoints = Default::default();
            self.field = Some(Ok(field));
        }
    }

    /// Returns `true` if the distance field of the skin is still to be baked for these settings.
    pub(super) fn lacks_field(&self, config: &Config) -> bool {
        config.groom.needs_skin() && self.field.is_none()
    }

    /// Takes the field that was baked, if it was.
    pub(super) fn take_baked(&mut self, baked: Option<Baked>) {
        if baked.is_some() {
            self.field = baked;
        }
    }

    /// Bakes the distance field of the skin if the shape of hair depends on it.
    pub(super) fn meet_skin(&mut self) {
        if self.lacks_field(&self.style.config) {
            self.field = Some(bake_skin(&self.head, &mut |_| ControlFlow::Continue(())));
        }
    }
}

/// The distance field of a skin, or the reason why it has none.
pub(crate) type Baked = Result<Arc<Sdf>, SdfError>;

/// Returns the field if there is one.
pub(super) fn known(field: &Option<Baked>) -> Option<&Sdf> {
    field.as_ref()?.as_deref().ok()
}

/// Bakes the field of a head with the default settings.
pub(crate) fn bake_skin(head: &Arc<Head>, tell: Progress) -> Baked {
    let field = Sdf::bake(&with_skin(head), &SdfSettings::default(), tell);
    field.map(Arc::new)
}

/// Runs some work while other threads bake the distance field of the skin, if that is `wanted`. Each
/// is half of the progress. Baking stops if the work fails.
pub(super) fn beside_skin<T>(
    head: &Arc<Head>,
    wanted: bool,
    progress: Progress,
    work: impl FnOnce(Progress) -> Result<T, SampleError>,
) -> Result<(T, Option<Baked>), SampleError> {
    if !wanted {
        return Ok((work(progress)?, None));
    }
    // A page has one thread, and draws between two reports.
    if rayon::current_num_threads() == 1 {
        let done = work(&mut |done| progress(0.5 * done))?;
        return match bake_skin(head, &mut |done| progress(0.5 + 0.5 * done)) {
            Err(SdfError::Cancelled) => Err(SampleError::Cancelled),
            baked => Ok((done, Some(baked))),
        };
    }
    let (share, has_failed) = (AtomicU32::new(0), AtomicBool::new(false));
    let (send, baked) = channel();
    let both = |done: f32| 0.5 * (done + f32::from_bits(share.load(Relaxed)));
    rayon::in_place_scope(|scope| {
        scope.spawn(|_| {
            let send = send;
            let field = bake_skin(head, &mut |done| {
                share.store(done.to_bits(), Relaxed);
                match has_failed.load(Relaxed) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            _ = send.send(field);
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
