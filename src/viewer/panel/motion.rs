//! The section of motion: the solver, its settings, guides and forces.

use crate::viewer::app::App;
use crate::viewer::input::action::Action;
use crate::viewer::interface::rows::{LABEL_WIDTH, note, row, rows, slider};
use mohawk::sim::{
    AngularSettings, ForceSettings, FtlSettings, GuideSettings, HairSettings, ParticleSettings,
    RodSettings, SimSettings, SolverKind, SpringSettings,
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
pub(super) fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let (config, was) = app.settings.edited();
    let (sim, was) = (&mut config.sim, &was.sim);
    rows!(ui, SimSettings, sim, was; choice: solver);
    note(ui, sim.solver.about());
    beside(ui, app.subject.simulations.beside(), actions);
    rows!(ui, SimSettings, sim, was; number: hold);
    ui.horizontal(|ui| {
        ui.add_space(LABEL_WIDTH);
        for (name, hold) in HOLDS {
            ui.selectable_value(&mut sim.hold, hold, name);
        }
    });
    rows!(ui, SimSettings, sim, was; switch: sag_free);
    solver(ui, sim, was);
    if sim.solver != SolverKind::Spring {
        rows!(ui, SimSettings, sim, was; number: strand_particles; choice: head_collider;
            number: friction);
    }
    rows!(ui, HairSettings, sim.hair, was.hair; number: friction, repulsion, density);
    match app.subject.reset_strands() {
        0 => {}
        count => note(
            ui,
            format!("{count} strands became unstable and were reset"),
        ),
    }
    egui::CollapsingHeader::new("Guides").show(ui, |ui| {
        rows!(ui, GuideSettings, sim.guides, was.guides;
            number: share; choice: choice, blend; number: clump);
    });
    egui::CollapsingHeader::new("Forces").show(ui, |ui| {
        let (forces, was) = (&mut sim.forces, &was.forces);
        rows!(ui, ForceSettings, forces, was; vector: gravity, wind; number: gust, gust_secs);
        if sim.solver != SolverKind::Spring {
            rows!(ui, ForceSettings, forces, was; number: turbulence, turbulence_scale, drag);
        }
    });
}

/// Shows the row of the solver in the second view.
fn beside(ui: &mut Ui, now: Option<SolverKind>, actions: &mut Vec<Action>) {
    let help = "A second view with another solver and the same motion (V)";
    let mut chosen = now;
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
    if chosen != now {
        actions.push(Action::Beside(chosen));
    }
}

/// Shows the settings of the current solver.
fn solver(ui: &mut Ui, sim: &mut SimSettings, was: &SimSettings) {
    match sim.solver {
        SolverKind::Spring => {
            let (now, was) = (&mut sim.spring, &was.spring);
            swing(ui, now, was);
            rows!(ui, SpringSettings, now, was; number: stiffness, damping, weight);
        }
        SolverKind::Ftl => rows!(ui, FtlSettings, sim.ftl, was.ftl;
            number: damping, correction),
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

/// Shows the spring as a frequency and a damping ratio, which its constants follow.
fn swing(ui: &mut Ui, spring: &mut SpringSettings, was: &SpringSettings) {
    let of = |spring: &SpringSettings| (spring.frequency_hz(), spring.damping_ratio());
    let (mut now, was) = (of(spring), of(was));
    let before = now;
    let help = "How often hair swings to and fro in a second, √k / 2π";
    row(
        ui,
        "Frequency",
        help,
        &mut now.0,
        &was.0,
        |ui, frequency| {
            slider(ui, frequency, [0.1, 5.0], true, " Hz");
        },
    );
    let help = "How soon it comes to rest, c / 2√k: 0 never, from 1 on without swinging back";
    row(
        ui,
        "Damping ratio",
        help,
        &mut now.1,
        &was.1,
        |ui, ratio| {
            slider(ui, ratio, [0.02, 2.0], true, "");
        },
    );
    if now != before {
        *spring = spring.tuned(now.0, now.1);
    }
}
