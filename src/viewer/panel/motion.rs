//! The rows of the solver.

use super::forces;
use super::status::PanelStatus;
use crate::viewer::input::action::Action;
use crate::viewer::interface::rows::{LABEL_WIDTH, note, row, rows, setting};
use mohawk::sim::{
    AngularSettings, FtlSettings, ParticleSettings, RodSettings, SimSettings, SolverKind,
    SpringSettings,
};
use three_d::egui::{self, Ui};

/// Named values of `hold`.
const HOLDS: [(&str, f32); 4] = [
    ("limp", 0.0),
    ("soft", 0.3),
    ("styled", 0.8),
    ("rigid", 1.0),
];

/// Shows the solver, its settings, and the forces.
pub(crate) fn show(
    ui: &mut Ui,
    sim: &mut SimSettings,
    was: &SimSettings,
    status: &PanelStatus<'_>,
    actions: &mut Vec<Action>,
) {
    type S = SimSettings;
    rows!(ui, S, sim, was; choice: solver);
    note(ui, sim.solver.about());
    beside(ui, status, actions);
    rows!(ui, S, sim, was; number: hold);
    ui.horizontal(|ui| {
        ui.add_space(LABEL_WIDTH);
        for (name, hold) in HOLDS {
            let chosen = sim.hold == hold;
            if ui.selectable_label(chosen, name).clicked() {
                sim.hold = hold;
            }
        }
    });
    solver(ui, sim, was);
    if sim.solver != SolverKind::Spring {
        let (count, was_count) = (&mut sim.strand_particles, &was.strand_particles);
        setting(ui, &S::strand_particles, count, was_count, |ui, count| {
            let range = S::strand_particles.range();
            let slider = egui::Slider::new(count, *range.start() as u32..=*range.end() as u32);
            ui.add(slider.clamping(egui::SliderClamping::Edits));
        });
        rows!(ui, S, sim, was; choice: head_collider; number: friction);
    }
    if status.reset_strands > 0 {
        let text = format!("{} strands broke and were reset", status.reset_strands);
        note(ui, &text);
    }
    egui::CollapsingHeader::new("Guides").show(ui, |ui| {
        forces::guides(ui, &mut sim.guides, &was.guides);
    });
    egui::CollapsingHeader::new("Forces").show(ui, |ui| {
        forces::forces(ui, &mut sim.forces, &was.forces, sim.solver);
    });
}

/// Shows the row of the solver in the second view.
fn beside(ui: &mut Ui, status: &PanelStatus<'_>, actions: &mut Vec<Action>) {
    let help = "A second view with another solver and the same motion (V)";
    let mut chosen = status.beside;
    row(ui, "Beside it", help, &mut chosen, &None, |ui, chosen| {
        egui::ComboBox::from_id_salt("beside")
            .selected_text(chosen.map_or("none", SolverKind::name))
            .show_ui(ui, |ui| {
                ui.selectable_value(chosen, None, "none");
                for kind in SolverKind::ALL {
                    ui.selectable_value(chosen, Some(kind), kind.name())
                        .on_hover_text(kind.about());
                }
            });
    });
    if chosen != status.beside {
        actions.push(Action::Beside(chosen));
    }
}

/// Shows the settings of the current solver.
fn solver(ui: &mut Ui, sim: &mut SimSettings, was: &SimSettings) {
    match sim.solver {
        SolverKind::Spring => {
            let (now, was) = (&mut sim.spring, &was.spring);
            rows!(ui, SpringSettings, now, was; number: stiffness, damping);
            let (hertz, ratio) = (now.frequency_hz(), now.damping_ratio());
            note(ui, &format!("{hertz:.2} Hz, damping ratio {ratio:.2}"));
            rows!(ui, SpringSettings, now, was; number: weight);
        }
        SolverKind::Ftl => rows!(ui, FtlSettings, sim.ftl, was.ftl;
            number: damping, correction, hair_friction, hair_repulsion),
        SolverKind::Angular => rows!(ui, AngularSettings, sim.angular, was.angular;
            number: damping, inertia, friction_root, friction_tip, friction_crown,
                stiffness_root_deg, stiffness_tip_deg;
            switch: field),
        SolverKind::Particles => rows!(ui, ParticleSettings, sim.particles, was.particles;
            number: stiffness, damping; choice: stepping),
        SolverKind::Rod => rows!(ui, RodSettings, sim.rod, was.rod;
            number: bending, twisting, damping),
    }
}
