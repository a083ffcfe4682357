//! How strands move.

use super::{Status, forces};
use crate::viewer::action::Action;
use crate::viewer::rows::{LABEL_WIDTH, row, slider};
use mohawk::sim::{
    AngularSettings, FtlSettings, HeadCollider, ParticleSettings, RodSettings, SimSettings,
    SolverKind, SpringSettings, Stepping,
};
use three_d::egui::{self, RichText, Ui};

/// How hair may be set: as the methods were published, soft, as a style keeps, as if of wood.
const HOLDS: [(&str, f32); 4] = [
    ("limp", 0.0),
    ("soft", 0.3),
    ("styled", 0.8),
    ("rigid", 1.0),
];

/// The solver, its settings, and the forces.
pub(super) fn show(
    ui: &mut Ui,
    sim: &mut SimSettings,
    was: &SimSettings,
    status: &Status<'_>,
    actions: &mut Vec<Action>,
) {
    row(
        ui,
        "Solver",
        "How hair moves; to be changed in mid-swing",
        &mut sim.solver,
        &was.solver,
        |ui, solver| {
            egui::ComboBox::from_id_salt("solver")
                .selected_text(solver.name())
                .show_ui(ui, |ui| {
                    for kind in SolverKind::ALL {
                        ui.selectable_value(solver, kind, kind.name())
                            .on_hover_text(kind.about());
                    }
                });
        },
    );
    ui.label(RichText::new(sim.solver.about()).small().weak());
    beside(ui, status, actions);
    row(
        ui,
        "Hold",
        "How much hair keeps its shape: 0 as the method was published, 1 rigid",
        &mut sim.hold,
        &was.hold,
        |ui, v| slider(ui, v, 0.0..=1.0, false, ""),
    );
    ui.horizontal(|ui| {
        ui.add_space(LABEL_WIDTH);
        for (name, hold) in HOLDS {
            let chosen = sim.hold == hold;
            if ui.selectable_label(chosen, name).clicked() {
                sim.hold = hold;
            }
        }
    });
    match sim.solver {
        SolverKind::Spring => spring(ui, &mut sim.spring, &was.spring),
        SolverKind::Ftl => ftl(ui, &mut sim.ftl, &was.ftl),
        SolverKind::Angular => angular(ui, &mut sim.angular, &was.angular),
        SolverKind::Particles => particles(ui, &mut sim.particles, &was.particles),
        SolverKind::Rod => rod(ui, &mut sim.rod, &was.rod),
    }
    if sim.solver != SolverKind::Spring {
        row(
            ui,
            "Particles",
            "Of each strand, its root included",
            &mut sim.strand_particles,
            &was.strand_particles,
            |ui, v| {
                ui.add(egui::Slider::new(v, 2..=64).clamping(egui::SliderClamping::Edits));
            },
        );
        row(
            ui,
            "Collide",
            "With what of the head",
            &mut sim.head_collider,
            &was.head_collider,
            |ui, v| {
                egui::ComboBox::from_id_salt("head_collider")
                    .selected_text(v.name())
                    .show_ui(ui, |ui| {
                        for kind in HeadCollider::ALL {
                            ui.selectable_value(v, kind, kind.name())
                                .on_hover_text(kind.about());
                        }
                    });
            },
        );
        row(
            ui,
            "Friction",
            "Of hair on the head",
            &mut sim.friction,
            &was.friction,
            |ui, v| slider(ui, v, 0.0..=2.0, false, ""),
        );
    }
    if status.reset_strands > 0 {
        let text = format!("{} strands broke and were put back", status.reset_strands);
        ui.label(RichText::new(text).small().weak());
    }
    egui::CollapsingHeader::new("Guides").show(ui, |ui| {
        forces::guides(ui, &mut sim.guides, &was.guides);
    });
    egui::CollapsingHeader::new("Forces").show(ui, |ui| {
        forces::forces(ui, &mut sim.forces, &was.forces, sim.solver);
    });
}

/// What the solver is compared with.
fn beside(ui: &mut Ui, status: &Status<'_>, actions: &mut Vec<Action>) {
    let help = "Another solver on the same motion, in a view beside (V)";
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

fn spring(ui: &mut Ui, spring: &mut SpringSettings, was: &SpringSettings) {
    row(
        ui,
        "Spring k",
        "Spring constant, 1/s²: how hard a tip is pulled to its anchor",
        &mut spring.stiffness,
        &was.stiffness,
        |ui, v| slider(ui, v, 0.1..=400.0, true, " /s²"),
    );
    row(
        ui,
        "Damping c",
        "1/s: how fast motion dies out, and how much the wind pulls",
        &mut spring.damping,
        &was.damping,
        |ui, v| slider(ui, v, 0.0..=40.0, true, " /s"),
    );
    let (hertz, ratio) = (spring.frequency_hz(), spring.damping_ratio());
    ui.label(
        RichText::new(format!("{hertz:.2} Hz, damping ratio {ratio:.2}"))
            .small()
            .weak(),
    );
    row(
        ui,
        "Weight",
        "Share of gravity that tips feel",
        &mut spring.weight,
        &was.weight,
        |ui, v| slider(ui, v, 0.0..=1.0, false, ""),
    );
}

fn ftl(ui: &mut Ui, ftl: &mut FtlSettings, was: &FtlSettings) {
    row(
        ui,
        "Damping",
        "1/s: how fast velocities die out, on top of what the method damps itself",
        &mut ftl.damping,
        &was.damping,
        |ui, v| slider(ui, v, 0.0..=40.0, true, " /s"),
    );
    row(
        ui,
        "Correction",
        "Share of a correction that the particle before gives back: how the mass is spread",
        &mut ftl.correction,
        &was.correction,
        |ui, v| slider(ui, v, 0.0..=1.0, false, ""),
    );
    row(
        ui,
        "Hair friction",
        "1/s: how fast hair takes on the velocity of hair around it",
        &mut ftl.hair_friction,
        &was.hair_friction,
        |ui, v| slider(ui, v, 0.0..=50.0, true, " /s"),
    );
    row(
        ui,
        "Hair repulsion",
        "Acceleration from where hair is dense to where it is not, dm/s²: volume",
        &mut ftl.hair_repulsion,
        &was.hair_repulsion,
        |ui, v| slider(ui, v, 0.0..=500.0, true, ""),
    );
}

fn angular(ui: &mut Ui, angular: &mut AngularSettings, was: &AngularSettings) {
    row(
        ui,
        "Damping",
        "1/s: how fast turning dies out",
        &mut angular.damping,
        &was.damping,
        |ui, v| slider(ui, v, 0.0..=40.0, true, " /s"),
    );
    row(
        ui,
        "Inertia",
        "What forces have to turn, decimetres; 0: the strand's own length",
        &mut angular.inertia,
        &was.inertia,
        |ui, v| slider(ui, v, 0.0..=200.0, true, " dm"),
    );
    let friction = |ui: &mut Ui, name: &str, help: &str, v: &mut f32, was: &f32| {
        row(ui, name, help, v, was, |ui, v| {
            slider(ui, v, 0.0..=1.0, false, "")
        });
    };
    let help = "Share of the force that the first segment feels";
    friction(
        ui,
        "c at root",
        help,
        &mut angular.friction_root,
        &was.friction_root,
    );
    let help = "Share of the force that the last segment feels";
    friction(
        ui,
        "c at tip",
        help,
        &mut angular.friction_tip,
        &was.friction_tip,
    );
    let help = "Factor on both on top of the head: hair there moves later";
    friction(
        ui,
        "c at crown",
        help,
        &mut angular.friction_crown,
        &was.friction_crown,
    );
    let limit = |ui: &mut Ui, name: &str, v: &mut f32, was: &f32| {
        let help = "Largest angle between neighbouring segments";
        row(ui, name, help, v, was, |ui, v| {
            slider(ui, v, 0.0..=90.0, false, "°")
        });
    };
    limit(
        ui,
        "Stiff at root",
        &mut angular.stiffness_root_deg,
        &was.stiffness_root_deg,
    );
    limit(
        ui,
        "Stiff at tip",
        &mut angular.stiffness_tip_deg,
        &was.stiffness_tip_deg,
    );
    row(
        ui,
        "Force field",
        "Forces fade out near the skin",
        &mut angular.field,
        &was.field,
        |ui, v| {
            ui.checkbox(v, "");
        },
    );
}

fn particles(ui: &mut Ui, particles: &mut ParticleSettings, was: &ParticleSettings) {
    row(
        ui,
        "Spring k",
        "Between neighbouring particles, 1/s²: softer hair stretches more",
        &mut particles.stiffness,
        &was.stiffness,
        |ui, v| slider(ui, v, 1e3..=1e7, true, " /s²"),
    );
    row(
        ui,
        "Damping",
        "Between neighbouring particles, 1/s",
        &mut particles.damping,
        &was.damping,
        |ui, v| slider(ui, v, 0.0..=1000.0, true, " /s"),
    );
    row(
        ui,
        "Steps",
        "How motion is integrated",
        &mut particles.stepping,
        &was.stepping,
        |ui, v| {
            ui.selectable_value(v, Stepping::Euler, "Euler");
            ui.selectable_value(v, Stepping::Verlet, "Verlet");
        },
    );
}

fn rod(ui: &mut Ui, rod: &mut RodSettings, was: &RodSettings) {
    row(
        ui,
        "Bending",
        "Stiffness over mass per length, dm^4/s^2; a human hair has about 9",
        &mut rod.bending,
        &was.bending,
        |ui, v| slider(ui, v, 0.0..=1000.0, true, ""),
    );
    row(
        ui,
        "Twisting",
        "Stiffness against twist, likewise; of round hair two thirds of that; for curls",
        &mut rod.twisting,
        &was.twisting,
        |ui, v| slider(ui, v, 0.0..=1000.0, true, ""),
    );
    row(
        ui,
        "Damping",
        "1/s: how fast velocities die out",
        &mut rod.damping,
        &was.damping,
        |ui, v| slider(ui, v, 0.0..=40.0, true, " /s"),
    );
}
