//! The rows of guide hairs and of forces.

use crate::viewer::rows::{choice, number, vector};
use mohawk::sim::{ForceSettings, GuideSettings, SolverKind};
use three_d::egui::Ui;

pub(super) fn guides(ui: &mut Ui, guides: &mut GuideSettings, was: &GuideSettings) {
    type G = GuideSettings;
    number(ui, &G::share, &mut guides.share, &was.share);
    choice(ui, &G::choice, &mut guides.choice, &was.choice);
    choice(ui, &G::blend, &mut guides.blend, &was.blend);
    number(ui, &G::clump, &mut guides.clump, &was.clump);
}

pub(super) fn forces(
    ui: &mut Ui,
    forces: &mut ForceSettings,
    was: &ForceSettings,
    solver: SolverKind,
) {
    type F = ForceSettings;
    vector(ui, &F::gravity, &mut forces.gravity, &was.gravity);
    vector(ui, &F::wind, &mut forces.wind, &was.wind);
    number(ui, &F::gust, &mut forces.gust, &was.gust);
    number(ui, &F::gust_secs, &mut forces.gust_secs, &was.gust_secs);
    if solver != SolverKind::Spring {
        number(ui, &F::turbulence, &mut forces.turbulence, &was.turbulence);
        let (scale, was_scale) = (&mut forces.turbulence_scale, &was.turbulence_scale);
        number(ui, &F::turbulence_scale, scale, was_scale);
        number(ui, &F::drag, &mut forces.drag, &was.drag);
    }
}
