//! The rows of the solver.

use super::{PanelStatus, forces};
use crate::viewer::action::Action;
use crate::viewer::rows::{LABEL_WIDTH, choice, note, number, row, setting, switch};
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
pub(super) fn show(
    ui: &mut Ui,
    sim: &mut SimSettings,
    was: &SimSettings,
    status: &PanelStatus<'_>,
    actions: &mut Vec<Action>,
) {
    type S = SimSettings;
    choice(ui, &S::solver, &mut sim.solver, &was.solver);
    note(ui, sim.solver.about());
    beside(ui, status, actions);
    number(ui, &S::hold, &mut sim.hold, &was.hold);
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
        let (shape, was_shape) = (&mut sim.head_collider, &was.head_collider);
        choice(ui, &S::head_collider, shape, was_shape);
        number(ui, &S::friction, &mut sim.friction, &was.friction);
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
            type S = SpringSettings;
            let (now, was) = (&mut sim.spring, &was.spring);
            number(ui, &S::stiffness, &mut now.stiffness, &was.stiffness);
            number(ui, &S::damping, &mut now.damping, &was.damping);
            let (hertz, ratio) = (now.frequency_hz(), now.damping_ratio());
            let text = format!("{hertz:.2} Hz, damping ratio {ratio:.2}");
            note(ui, &text);
            number(ui, &S::weight, &mut now.weight, &was.weight);
        }
        SolverKind::Ftl => {
            type S = FtlSettings;
            let (now, was) = (&mut sim.ftl, &was.ftl);
            number(ui, &S::damping, &mut now.damping, &was.damping);
            number(ui, &S::correction, &mut now.correction, &was.correction);
            let (friction, was_friction) = (&mut now.hair_friction, &was.hair_friction);
            number(ui, &S::hair_friction, friction, was_friction);
            let (repulsion, was_repulsion) = (&mut now.hair_repulsion, &was.hair_repulsion);
            number(ui, &S::hair_repulsion, repulsion, was_repulsion);
        }
        SolverKind::Angular => {
            type S = AngularSettings;
            let (now, was) = (&mut sim.angular, &was.angular);
            for (field, now, was) in [
                (&S::damping, &mut now.damping, &was.damping),
                (&S::inertia, &mut now.inertia, &was.inertia),
                (
                    &S::friction_root,
                    &mut now.friction_root,
                    &was.friction_root,
                ),
                (&S::friction_tip, &mut now.friction_tip, &was.friction_tip),
                (
                    &S::friction_crown,
                    &mut now.friction_crown,
                    &was.friction_crown,
                ),
                (
                    &S::stiffness_root_deg,
                    &mut now.stiffness_root_deg,
                    &was.stiffness_root_deg,
                ),
                (
                    &S::stiffness_tip_deg,
                    &mut now.stiffness_tip_deg,
                    &was.stiffness_tip_deg,
                ),
            ] {
                number(ui, field, now, was);
            }
            switch(ui, &S::field, &mut now.field, &was.field);
        }
        SolverKind::Particles => {
            type S = ParticleSettings;
            let (now, was) = (&mut sim.particles, &was.particles);
            number(ui, &S::stiffness, &mut now.stiffness, &was.stiffness);
            number(ui, &S::damping, &mut now.damping, &was.damping);
            choice(ui, &S::stepping, &mut now.stepping, &was.stepping);
        }
        SolverKind::Rod => {
            type S = RodSettings;
            let (now, was) = (&mut sim.rod, &was.rod);
            number(ui, &S::bending, &mut now.bending, &was.bending);
            number(ui, &S::twisting, &mut now.twisting, &was.twisting);
            number(ui, &S::damping, &mut now.damping, &was.damping);
        }
    }
}
