//! What is played, and whether time goes on.

use super::Status;
use crate::viewer::action::Action;
use crate::viewer::speed::Speed;
use mohawk::sim::Scene;
use three_d::egui::Ui;

/// The scene picker, and what stops and steps time.
pub(super) fn show(
    ui: &mut Ui,
    returns_to_rest: &mut bool,
    status: &Status<'_>,
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
            if label.on_hover_text(about(scene)).clicked() {
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
        let name = if status.paused { "Go on" } else { "Pause" };
        if ui.button(name).on_hover_text("Space").clicked() {
            actions.push(Action::TogglePause);
        }
        if ui
            .button("Step")
            .on_hover_text("1/240 s, then pause ( . )")
            .clicked()
        {
            actions.push(Action::StepOnce);
        }
        if ui
            .button("Restart")
            .on_hover_text("The scene from its beginning; without one, all at rest (Home)")
            .clicked()
        {
            actions.push(Action::Restart);
        }
    });
    let mut graphs = status.graphs;
    ui.checkbox(&mut graphs, "Graphs")
        .on_hover_text("Energy, stretch, depth and time of a frame (G)");
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

fn about(scene: Scene) -> &'static str {
    match scene {
        Scene::Still => "The head does not move",
        Scene::Swing => "The head tilts from side to side",
        Scene::Nod => "The head nods",
        Scene::Turn => "The head turns left and right",
        Scene::Shake => "The head is shaken",
        Scene::Walk => "The head walks on the spot",
        Scene::Run => "The head runs on the spot",
        Scene::Drop => "Hair falls from its rest shape",
        Scene::Gust => "Wind on combed hair, as published for angular; sets forces",
        Scene::Pendulum => "One strand of one segment, without air or head",
        Scene::Cantilever => "One clamped strand bends under its weight, without a head",
    }
}
