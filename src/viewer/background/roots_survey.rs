//! Measuring roots on threads of their own, after their hair has been delivered.
//!
//! Not on the loading thread: the certificate cannot be stopped, and the next hair must not
//! wait for it.

use crate::roots_overlay::Spread;
use mohawk::roots::{Coverage, Roots, SampleError, certify};
use mohawk::scalp::Scalp;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

/// What has been found out about the roots that were asked about last, in this order.
pub(crate) enum SurveyNews {
    Spread(Box<Spread>),
    Coverage(Coverage),
    Failed(String),
}

/// Measures roots; a newer request voids an older one.
pub(crate) struct RootsSurvey {
    newest: Arc<AtomicU64>,
    outgoing: Sender<(u64, SurveyNews)>,
    results: Receiver<(u64, SurveyNews)>,
    /// Called whenever there is news, from any thread.
    wake: Arc<Mutex<dyn Fn() + Send>>,
}

impl RootsSurvey {
    /// `wake` is called from other threads whenever there is news.
    pub(crate) fn new(wake: impl Fn() + Send + 'static) -> Self {
        let (outgoing, results) = channel();
        Self {
            newest: Arc::default(),
            outgoing,
            results,
            wake: Arc::new(Mutex::new(wake)),
        }
    }

    /// Measures roots on a thread that ends with them: sampling a set takes about as long as
    /// measuring it, so there are never many.
    pub(crate) fn survey(&mut self, scalp: Arc<Scalp>, roots: Arc<Roots>) {
        let ticket = self.newest.fetch_add(1, Ordering::AcqRel) + 1;
        let newest = self.newest.clone();
        let (outgoing, wake) = (self.outgoing.clone(), self.wake.clone());
        std::thread::spawn(move || {
            let wanted = || newest.load(Ordering::Acquire) == ticket;
            let tell = |surveyed| {
                // The window may be gone; then nobody needs the result.
                let _ = outgoing.send((ticket, surveyed));
                if let Ok(wake) = wake.lock() {
                    wake();
                }
            };
            // A fault in here must not leave people waiting for ever.
            let done = catch_unwind(AssertUnwindSafe(|| survey(&scalp, &roots, &wanted, &tell)));
            match done {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tell(SurveyNews::Failed(error.to_string())),
                Err(_) => tell(SurveyNews::Failed("a fault in mohawk itself".into())),
            }
        });
    }

    /// Voids what was asked.
    pub(crate) fn forget(&mut self) {
        self.newest.fetch_add(1, Ordering::AcqRel);
    }

    /// What is new about the roots that were asked about last.
    pub(crate) fn poll(&mut self) -> Vec<SurveyNews> {
        let newest = self.newest.load(Ordering::Acquire);
        let results = self.results.try_iter();
        let current = results.filter(|(ticket, _)| *ticket == newest);
        current.map(|(_, surveyed)| surveyed).collect()
    }
}

fn survey(
    scalp: &Scalp,
    roots: &Roots,
    wanted: &dyn Fn() -> bool,
    tell: &dyn Fn(SurveyNews),
) -> Result<(), SampleError> {
    let spread = Spread::of(scalp, roots)?;
    tell(SurveyNews::Spread(Box::new(spread)));
    if wanted() {
        tell(SurveyNews::Coverage(certify(scalp, roots)?));
    }
    Ok(())
}
