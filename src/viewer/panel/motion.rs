//! The parts of the place *Motion* that have no file of their own, and those of the place *Lab* about
//! solvers.

use crate::viewer::app::App;
use crate::viewer::input::action::Action;
use crate::viewer::interface::edit::{row, rows, slider};
use crate::viewer::interface::rows::{LABEL_WIDTH, buttons, choices, note, wrapped};
use crate::viewer::interface::told::Told;
use crate::viewer::playback::Speed;
use crate::viewer::statistics::reset_text;
use mohawk::sim::{
    AngularSettings, ForceSettings, FtlSettings, GuideSettings, HairSettings, ParticleSettings,
    RodSettings, Scene, SimSettings, SolverKind, SpringSettings,
};
use three_d::egui::Ui;

/// Named values of `hold`.
const HOLDS: [(&str, f32); 4] = [
    ("none", 0.0),
    ("soft", 0.3),
    ("styled", 0.8),
    ("rigid", 1.0),
];

/// The most animations of a head that are shown, and the most letters of their names.
const MOST_ANIMATIONS: usize = 24;
const MOST_LETTERS: usize = 24;

/// Shows the scenes, the animations of the head, the buttons for time, and the speed.
pub(super) fn play(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let playing = app.playback.motion.playing();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let by_hand = "Stop the scene; drag the head yourself";
        let by_hand = ("by hand", by_hand, playing.is_none(), Action::StopScene);
        choices(ui, [by_hand], actions);
        let named = playing.and_then(|setup| setup.scene());
        let scenes = Scene::ALL.map(|scene| {
            let is_chosen = named == Some(scene);
            (scene.name(), scene.about(), is_chosen, Action::Play(scene))
        });
        choices(ui, scenes, actions);
        let rig = app.subject.shown_head().and_then(|head| head.rig.as_ref());
        let animations = rig.iter().flat_map(|rig| rig.animations()).enumerate();
        for (i, animation) in animations.take(MOST_ANIMATIONS) {
            let name: String = animation.name.chars().take(MOST_LETTERS).collect();
            let secs = animation.duration_secs;
            let help = format!("Animation of the head, {secs:.1} s: {}", animation.name);
            let is_chosen = playing.and_then(|setup| setup.animation()) == Some(i);
            choices(
                ui,
                [(&*name, help, is_chosen, Action::PlayAnimation(i))],
                actions,
            );
        }
        let opened = app.scenes.opened.as_ref();
        if let Some(file) = opened.and_then(|setup| setup.file.as_ref()) {
            let name = file.file_name().unwrap_or(file.as_os_str());
            let name = name.to_string_lossy();
            let is_chosen = playing.is_some_and(|setup| setup.file.is_some());
            let path = file.display().to_string();
            choices(ui, [(&*name, path, is_chosen, Action::PlayFile)], actions);
        }
    });
    let returns_to_rest = &mut app.playback.returns_to_rest;
    ui.checkbox(returns_to_rest, "Head returns to rest when let go");
    ui.horizontal(|ui| {
        let name = ["⏸ Pause", "▶ Continue"][usize::from(app.playback.paused)];
        let restart = "Restart the scene; if none plays, return everything to rest (Home)";
        let all = [
            (name, "Space", Action::TogglePause),
            ("⏭ Step", "1/240 s, then pause ( . )", Action::StepOnce),
            ("⏮ Restart", restart, Action::Restart),
        ];
        buttons(ui, all, actions);
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let help = "Slow motion ( -  + )";
        ui.label("Speed").help(help);
        let now = app.playback.speed;
        let choice = |speed: Speed| (speed.name(), help, speed == now, Action::Speed(speed));
        choices(ui, Speed::all().map(choice), actions);
    });
}

/// Shows the solver, and how stiff it makes the hair.
pub(super) fn stiffness(app: &mut App, ui: &mut Ui, _: &mut Vec<Action>) {
    let (config, was) = app.settings.edited();
    let (sim, was) = (&mut config.sim, &was.sim);
    rows!(ui, SimSettings, sim, was; solver);
    wrapped(ui, sim.solver.about());
    match sim.solver {
        SolverKind::Spring => swing(ui, &mut sim.spring, &was.spring),
        SolverKind::Ftl => rows!(ui, FtlSettings, sim.ftl, was.ftl; damping),
        SolverKind::Angular => rows!(ui, AngularSettings, sim.angular, was.angular;
            stiffness_root_deg, stiffness_tip_deg, damping),
        SolverKind::Particles => {
            rows!(ui, ParticleSettings, sim.particles, was.particles; stiffness, damping);
        }
        SolverKind::Rod => rows!(ui, RodSettings, sim.rod, was.rod; bending, twisting, damping),
    }
    rows!(ui, SimSettings, sim, was; hold);
    ui.horizontal(|ui| {
        ui.add_space(LABEL_WIDTH + ui.spacing().item_spacing.x);
        ui.spacing_mut().item_spacing.x = 2.0;
        for (name, hold) in HOLDS {
            ui.selectable_value(&mut sim.hold, hold, name)
                .chosen(sim.hold == hold);
        }
    });
    match app.subject.reset_strands() {
        0 => {}
        count => note(ui, reset_text(count)),
    }
}

/// Shows the parameters of the solver in use.
pub(super) fn solver(app: &mut App, ui: &mut Ui, _: &mut Vec<Action>) {
    let (config, was) = app.settings.edited();
    let (sim, was) = (&mut config.sim, &was.sim);
    rows!(ui, SimSettings, sim, was; solver);
    match sim.solver {
        SolverKind::Spring => {
            rows!(ui, SpringSettings, sim.spring, was.spring; stiffness, damping, weight);
        }
        SolverKind::Ftl => {
            rows!(ui, FtlSettings, sim.ftl, was.ftl; damping, correction, mass_variation);
        }
        SolverKind::Angular => rows!(ui, AngularSettings, sim.angular, was.angular;
            damping, inertia, friction_root, friction_tip, friction_crown, stiffness_root_deg,
            stiffness_tip_deg, field),
        SolverKind::Particles => {
            rows!(ui, ParticleSettings, sim.particles, was.particles; stiffness, damping, stepping);
        }
        SolverKind::Rod => rows!(ui, RodSettings, sim.rod, was.rod; bending, twisting, damping),
    }
    rows!(ui, SimSettings, sim, was; sag_free);
    if sim.solver != SolverKind::Spring {
        rows!(ui, SimSettings, sim, was; strand_particles);
    }
}

/// Shows how hair touches the head and itself.
pub(super) fn contact(app: &mut App, ui: &mut Ui, _: &mut Vec<Action>) {
    let (config, was) = app.settings.edited();
    let (sim, was) = (&mut config.sim, &was.sim);
    if sim.solver != SolverKind::Spring {
        rows!(ui, SimSettings, sim, was; head_collider, friction);
    }
    rows!(ui, HairSettings, sim.hair, was.hair; friction, repulsion, density);
}

/// Shows which hairs are simulated.
pub(super) fn guides(app: &mut App, ui: &mut Ui, _: &mut Vec<Action>) {
    let (config, was) = app.settings.edited();
    let (guides, was) = (&mut config.sim.guides, &was.sim.guides);
    rows!(ui, GuideSettings, guides, was; share, choice, blend, clump);
}

/// Shows gravity and the air.
pub(super) fn forces(app: &mut App, ui: &mut Ui, _: &mut Vec<Action>) {
    let (config, was) = app.settings.edited();
    let has_air = config.sim.solver != SolverKind::Spring;
    let (forces, was) = (&mut config.sim.forces, &was.sim.forces);
    rows!(ui, ForceSettings, forces, was; wind, gust, gust_secs);
    if has_air {
        rows!(ui, ForceSettings, forces, was; turbulence, turbulence_scale, drag);
    }
    rows!(ui, ForceSettings, forces, was; gravity);
    if !has_air {
        // Without weight, gravity does nothing to springs.
        let (config, was) = app.settings.edited();
        let (spring, was) = (&mut config.sim.spring, &was.sim.spring);
        rows!(ui, SpringSettings, spring, was; weight);
    }
}

/// Shows the spring as a frequency and a damping ratio, which its constants follow.
fn swing(ui: &mut Ui, spring: &mut SpringSettings, was: &SpringSettings) {
    let of = |spring: &SpringSettings| (spring.frequency_hz(), spring.damping_ratio());
    let (mut now, at_start) = (of(spring), of(was));
    let before = now;
    let help = "How often hair swings to and fro in a second, √k / 2π";
    let texts = ["Frequency", help];
    row(ui, texts, &mut now.0, &at_start.0, |ui, frequency| {
        slider(ui, frequency, [[0.1, 5.0], [0.02, 15.0]], true, " Hz");
    });
    let help = "How soon it comes to rest, c / 2√k: 0 never, from 1 on without swinging back";
    let texts = ["Damping ratio", help];
    row(ui, texts, &mut now.1, &at_start.1, |ui, ratio| {
        slider(ui, ratio, [[0.02, 2.0], [0.0, 10.0]], true, "");
    });
    if now != before {
        *spring = spring.tuned(now.0, now.1);
        // A reset restores the very constants.
        if now.0 == at_start.0 {
            spring.stiffness = was.stiffness;
        }
        if now == at_start {
            spring.damping = was.damping;
        }
    }
}
