//! The rows of guide hairs and of forces.

use crate::viewer::interface::rows::rows;
use mohawk::sim::{ForceSettings, GuideSettings, SolverKind};
use three_d::egui::Ui;

pub(crate) fn guides(ui: &mut Ui, guides: &mut GuideSettings, was: &GuideSettings) {
    rows!(ui, GuideSettings, guides, was; number: share; choice: choice, blend; number: clump);
}

pub(crate) fn forces(
    ui: &mut Ui,
    forces: &mut ForceSettings,
    was: &ForceSettings,
    solver: SolverKind,
) {
    rows!(ui, ForceSettings, forces, was; vector: gravity, wind; number: gust, gust_secs);
    if solver != SolverKind::Spring {
        rows!(ui, ForceSettings, forces, was; number: turbulence, turbulence_scale, drag);
    }
}
