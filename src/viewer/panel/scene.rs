//! The section of scenes and time.

use super::status::PanelStatus;
use crate::viewer::input::action::Action;
use crate::viewer::interface::rows::button;
use crate::viewer::playback::speed::Speed;
use mohawk::sim::Scene;
use three_d::egui::Ui;

/// Shows the scenes, the buttons for time, and the speed.
pub(crate) fn show(
    ui: &mut Ui,
    returns_to_rest: &mut bool,
    status: &PanelStatus<'_>,
    actions: &mut Vec<Action>,
) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let by_hand = ui.selectable_label(status.by_hand, "by hand");
        if by_hand
            .on_hover_text("Stop the scene; drag the head yourself")
            .clicked()
        {
            actions.push(Action::ByHand);
        }
        for scene in Scene::ALL {
            let label = ui.selectable_label(status.scene == Some(scene), scene.name());
            if label.on_hover_text(scene.about()).clicked() {
                actions.push(Action::Play(scene));
            }
        }
        if let Some(file) = status.file {
            let name = file.file_name().unwrap_or(file.as_os_str());
            let label = ui.selectable_label(status.plays_file, name.to_string_lossy());
            let path = file.display().to_string();
            if label.on_hover_text(path).clicked() {
                actions.push(Action::PlayFile);
            }
        }
    });
    ui.checkbox(returns_to_rest, "Head returns to rest when let go");
    ui.horizontal(|ui| {
        let name = if status.paused { "Continue" } else { "Pause" };
        let restart = "Restart the scene, or put the hair at rest without one (Home)";
        for (name, help, action) in [
            (name, "Space", Action::TogglePause),
            ("Step", "1/240 s, then pause ( . )", Action::StepOnce),
            ("Restart", restart, Action::Restart),
        ] {
            if button(ui, name, help) {
                actions.push(action);
            }
        }
    });
    let mut graphs = status.graphs;
    ui.checkbox(&mut graphs, "Graphs")
        .on_hover_text("Energy, stretch, depth and frame time (G)");
    if graphs != status.graphs {
        actions.push(Action::ToggleGraphs);
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.label("Speed").on_hover_text("Slow motion ( -  + )");
        for speed in Speed::all() {
            let label = ui.selectable_label(status.speed == speed, speed.name());
            if label.clicked() {
                actions.push(Action::Speed(speed));
            }
        }
    });
}
