//! The overlay of roots: measures them in the background and shows them on the skin.

use super::Subject;
use crate::roots_overlay::Spread;
use crate::viewer::background::{BackgroundTask, Stopped, Wake};
use mohawk::Scalp;
use mohawk::render::{Disc, Layers};
use mohawk::roots::{Coverage, Roots, certify};
use std::sync::Arc;

/// The switches of the overlay.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Switches {
    /// The overlay.
    pub(crate) roots: bool,
    /// Shows hair in spite of the overlay.
    pub(crate) hair: bool,
}

/// The roots that are measured, or have been.
type Measured = Option<(Arc<Scalp>, Arc<Roots>)>;

/// The overlay's state. At first it is off.
#[derive(Default)]
pub(crate) struct RootsView {
    pub(crate) switches: Switches,
    spread_task: BackgroundTask<Box<Spread>>,
    /// Follows `spread_task`, which shows sooner. It cannot be cancelled, only forgotten.
    coverage_task: BackgroundTask<Coverage>,
    measured: Measured,
    /// The largest gap, head space, once it is known.
    pub(crate) ring: Option<Disc>,
    /// The measurements of the roots on screen. `None`: not known yet.
    pub(crate) spread: Option<Box<Spread>>,
    pub(crate) coverage: Option<Coverage>,
    /// The reason why measuring failed.
    pub(crate) problem: Option<String>,
}

impl RootsView {
    /// Updates the overlay after changes of the switches, the hair and the measurements. Returns
    /// whether panel and legend have news.
    pub(crate) fn update(&mut self, subject: &mut Subject, wake: &Wake) -> bool {
        let Switches { roots, hair } = self.switches;
        subject.set_layers(Layers {
            head: true,
            hair: hair || !roots,
            discs: roots,
        });
        roots && (self.measure(subject, wake) | self.take_news(subject, wake))
    }

    /// Measures the roots on screen, unless they have been. Returns whether they are other roots.
    fn measure(&mut self, subject: &mut Subject, wake: &Wake) -> bool {
        let hair = subject.hair.as_ref();
        let hair = hair.filter(|hair| !hair.roots.positions.is_empty());
        let now = hair.map(|hair| (hair.scalp.clone(), hair.roots.clone()));
        let address = |of: &Measured| of.as_ref().map(|(_, roots)| Arc::as_ptr(roots));
        if address(&now) == address(&self.measured) {
            return false;
        }
        *self = Self {
            switches: self.switches,
            measured: now.clone(),
            ..Self::default()
        };
        match now {
            Some((scalp, roots)) => self.spread_task.begin(wake, "Measuring roots", move |_| {
                let spread = Spread::of(&scalp, &roots)?;
                Ok(Box::new(spread))
            }),
            None => subject.stage.set_discs(&[]),
        }
        true
    }

    fn take_news(&mut self, subject: &mut Subject, wake: &Wake) -> bool {
        let Some((scalp, roots)) = self.measured.clone() else {
            return false;
        };
        let spread = self.spread_task.poll();
        let coverage = self.coverage_task.poll();
        let any = spread.is_some() || coverage.is_some();
        match spread {
            Some(Ok(spread)) => {
                subject.stage.set_discs(&spread.discs);
                self.spread = Some(spread);
                let scalp = scalp.clone();
                self.coverage_task.begin(wake, "Measuring roots", move |_| {
                    certify(&scalp, &roots).map_err(Stopped::from)
                });
            }
            Some(Err(why)) => self.problem = Some(why),
            None => {}
        }
        match coverage {
            Some(Ok(coverage)) => {
                let gap = coverage.gap.as_ref();
                self.ring = gap.map(|gap| crate::roots_overlay::ring(&scalp, gap));
                subject.stage.set_ring(self.ring);
                self.coverage = Some(coverage);
            }
            Some(Err(why)) => self.problem = Some(why),
            None => {}
        }
        any
    }
}
