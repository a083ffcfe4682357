//! The overlay of roots: switched on, it has them measured and shown on the skin.

use crate::roots_overlay::Spread;
use crate::viewer::background::roots_survey::{RootsSurvey, SurveyNews};
use crate::viewer::subject::Subject;
use mohawk::render::{Disc, Layers};
use mohawk::roots::{Coverage, Roots};
use std::sync::Arc;

/// What people switch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Switches {
    /// The overlay.
    pub(crate) roots: bool,
    /// Hair, although the overlay is on.
    pub(crate) hair: bool,
}

impl Switches {
    fn layers(self) -> Layers {
        Layers {
            head: true,
            hair: self.hair || !self.roots,
            discs: self.roots,
        }
    }
}

/// The overlay's state.
pub(crate) struct RootsView {
    pub(crate) switches: Switches,
    surveyor: RootsSurvey,
    /// The roots that are measured, or have been.
    asked: Option<Arc<Roots>>,
    /// The largest gap, head space, once it is known.
    pub(crate) ring: Option<Disc>,
    /// What is known of them.
    pub(crate) findings: Findings,
}

/// What is known of the roots on screen; nothing yet where a field is `None`.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) spread: Option<Box<Spread>>,
    pub(crate) coverage: Option<Coverage>,
    /// Why there is no more to know.
    pub(crate) problem: Option<String>,
}

impl RootsView {
    /// An overlay that is off.
    pub(crate) fn new(surveyor: RootsSurvey) -> Self {
        Self {
            switches: Switches::default(),
            surveyor,
            asked: None,
            ring: None,
            findings: Findings::default(),
        }
    }

    /// Brings what is shown up to date with the switches, the hair and what has been measured;
    /// whether there is news for the panel and the legend too.
    pub(crate) fn update(&mut self, subject: &mut Subject) -> bool {
        subject.set_layers(self.switches.layers());
        self.switches.roots && (self.ask(subject) | self.take_news(subject))
    }

    /// Has the roots on screen measured, unless they are; whether they were others.
    fn ask(&mut self, subject: &mut Subject) -> bool {
        let hair = subject.hair.as_ref();
        let hair = hair.filter(|hair| !hair.roots.positions.is_empty());
        let roots = hair.map(|hair| hair.roots.clone());
        let same = match (&roots, &self.asked) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        if same {
            return false;
        }
        self.asked.clone_from(&roots);
        self.findings = Findings::default();
        self.ring = None;
        match (&subject.hair, roots) {
            (Some(hair), Some(roots)) => self.surveyor.survey(hair.scalp.clone(), roots),
            _ => {
                self.surveyor.forget();
                subject.set_discs(&[]);
            }
        }
        true
    }

    fn take_news(&mut self, subject: &mut Subject) -> bool {
        let scalp = subject.hair.as_ref().map(|hair| hair.scalp.clone());
        let (Some(scalp), Some(roots)) = (scalp, &self.asked) else {
            return false;
        };
        let all = self.surveyor.poll();
        let any = !all.is_empty();
        for news in all {
            match news {
                SurveyNews::Spread(spread) => {
                    subject.set_discs(&spread.discs(&scalp, roots));
                    self.findings.spread = Some(spread);
                }
                SurveyNews::Coverage(coverage) => {
                    let gap = coverage.gap.as_ref();
                    self.ring = gap.map(|gap| crate::roots_overlay::ring(&scalp, gap));
                    subject.set_ring(self.ring);
                    self.findings.coverage = Some(coverage);
                }
                SurveyNews::Failed(why) => self.findings.problem = Some(why),
            }
        }
        any
    }
}
