//! The section of scenes and time.

use crate::viewer::app::App;
use crate::viewer::input::action::Action;
use crate::viewer::interface::rows::{buttons, choices};
use crate::viewer::playback::Speed;
use mohawk::sim::Scene;
use three_d::egui::Ui;

/// Shows the scenes, the buttons for time, and the speed.
pub(crate) fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let playing = app.playback.motion.playing();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let by_hand = "Stop the scene; drag the head yourself";
        choices(
            ui,
            [("by hand", by_hand, playing.is_none(), Action::ByHand)],
            actions,
        );
        let named = playing.and_then(|setup| setup.scene());
        let scenes = Scene::ALL.map(|scene| {
            let is_chosen = named == Some(scene);
            (scene.name(), scene.about(), is_chosen, Action::Play(scene))
        });
        choices(ui, scenes, actions);
        if let Some(file) = app.scenes.opened.as_ref().and_then(|setup| setup.file()) {
            let name = file
                .file_name()
                .unwrap_or(file.as_os_str())
                .to_string_lossy();
            let is_chosen = playing.is_some_and(|setup| setup.file().is_some());
            let path = file.display().to_string();
            choices(ui, [(&*name, path, is_chosen, Action::PlayFile)], actions);
        }
    });
    let returns_to_rest = &mut app.playback.returns_to_rest;
    ui.checkbox(returns_to_rest, "Head returns to rest when let go");
    ui.horizontal(|ui| {
        let name = if app.playback.paused {
            "Continue"
        } else {
            "Pause"
        };
        let restart = "Restart the scene, or put the hair at rest without one (Home)";
        let all = [
            (name, "Space", Action::TogglePause),
            ("Step", "1/240 s, then pause ( . )", Action::StepOnce),
            ("Restart", restart, Action::Restart),
        ];
        buttons(ui, all, actions);
    });
    let mut graphs = app.statistics.graphs.shown;
    let switch = ui.checkbox(&mut graphs, "Graphs");
    let switch = switch.on_hover_text("Energy, stretch, depth and frame time (G)");
    if switch.changed() {
        actions.push(Action::ToggleGraphs);
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let help = "Slow motion ( -  + )";
        ui.label("Speed").on_hover_text(help);
        let now = app.playback.speed;
        let speeds =
            Speed::all().map(|speed| (speed.name(), help, speed == now, Action::Speed(speed)));
        choices(ui, speeds, actions);
    });
}
