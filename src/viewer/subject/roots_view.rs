//! The overlay of roots: measures them in the background and shows them on the skin.

use super::Subject;
use crate::roots_overlay::Spread;
use crate::viewer::background::{BackgroundTask, Stopped, Wake};
use mohawk::render::{Disc, Layers};
use mohawk::roots::{Coverage, certify};
use mohawk::style::Planted;

/// The switches of the overlay.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Switches {
    /// The overlay.
    pub(crate) roots: bool,
    /// Shows hair in spite of the overlay.
    pub(crate) hair: bool,
}

/// The overlay's state. At first it is off.
#[derive(Default)]
pub(crate) struct RootsView {
    pub(crate) switches: Switches,
    spread_task: BackgroundTask<Box<Spread>>,
    /// Follows `spread_task`, which shows sooner. It cannot be cancelled, only forgotten.
    coverage_task: BackgroundTask<Coverage>,
    /// The roots that are measured, or have been.
    measured: Option<Planted>,
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

    /// Lets the roots be measured again: their discs have gone with the head.
    pub(crate) fn forget(&mut self) {
        *self = Self {
            switches: self.switches,
            ..Self::default()
        };
    }

    /// Measures the roots on screen, unless they have been. Returns whether they are other roots.
    fn measure(&mut self, subject: &mut Subject, wake: &Wake) -> bool {
        let hair = subject.hair.as_ref();
        let hair = hair.filter(|hair| !hair.planted.is_empty());
        let now = hair.map(|hair| &hair.planted);
        let is_measured = match (now, &self.measured) {
            (Some(now), Some(measured)) => now.is(measured),
            (now, measured) => now.is_none() && measured.is_none(),
        };
        if is_measured {
            return false;
        }
        let now = now.cloned();
        *self = Self {
            switches: self.switches,
            measured: now.clone(),
            ..Self::default()
        };
        match now {
            Some(planted) => self.spread_task.begin(wake, "Measuring roots", move |_| {
                let spread = Spread::of(planted.scalp(), &planted.roots())?;
                Ok(Box::new(spread))
            }),
            None => subject.stage.set_discs(&[]),
        }
        true
    }

    fn take_news(&mut self, subject: &mut Subject, wake: &Wake) -> bool {
        let Some(planted) = self.measured.clone() else {
            return false;
        };
        let spread = self.spread_task.poll();
        let coverage = self.coverage_task.poll();
        let any = spread.is_some() || coverage.is_some();
        match spread {
            Some(Ok(spread)) => {
                subject.stage.set_discs(&spread.discs);
                self.spread = Some(spread);
                let planted = planted.clone();
                self.coverage_task.begin(wake, "Measuring roots", move |_| {
                    certify(planted.scalp(), &planted.roots()).map_err(Stopped::from)
                });
            }
            Some(Err(why)) => self.problem = Some(why),
            None => {}
        }
        match coverage {
            Some(Ok(coverage)) => {
                let gap = coverage.gap.as_ref();
                self.ring = gap.map(|gap| crate::roots_overlay::ring(planted.scalp(), gap));
                subject.stage.set_ring(self.ring);
                self.coverage = Some(coverage);
            }
            Some(Err(why)) => self.problem = Some(why),
            None => {}
        }
        any
    }
}
