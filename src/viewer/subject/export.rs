//! The hair of the window as strands for other programs.

use super::Subject;
use crate::viewer::input::action::ExportedHair;
use mohawk::Config;
use mohawk::strands::Strands;

impl Subject {
    /// Returns the hair of the view that is looked at, in the space of the file of its head; that of a
    /// scene without a head, in world space.
    pub(crate) fn exported(&self, config: &Config, hair: ExportedHair) -> Strands {
        let (sim, units) = (self.sim(), self.shown_head().map(|head| &head.units));
        let strands = match hair.at_rest || self.frozen {
            true => Strands::for_file(sim.groom_on_loaded_head(), config, units, None),
            false => Strands::hanging(sim, config, units),
        };
        match hair.guides && !strands.guides.is_empty() {
            true => strands.subset(|strand| strands.guides[strand]),
            false => strands,
        }
    }
}
