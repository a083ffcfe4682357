//! The panel: what it shows, and what follows from changes in it.

use super::App;
use crate::viewer::input::action::Action;
use crate::viewer::panel::{Edited, PanelStatus};

impl App {
    /// Shows the panel, applies its changes, and returns the actions asked for in it.
    pub(crate) fn show_panel(&mut self, ui: &mut three_d::egui::Ui) -> Vec<Action> {
        let before = self.settings.config.clone();
        let unsaved = self.is_unsaved();
        self.pointer.pressed = ui.input(|input| input.pointer.any_down());
        if !self.pointer.pressed {
            self.styling.merging = false;
        }
        let name = self.subject.name();
        let playing = self.playback.motion.playing();
        let opened = self.scenes.opened.as_ref();
        let status = PanelStatus {
            head_name: &name,
            triangles: self.subject.triangles(),
            headless: self.subject.own_strands().is_some(),
            strands: self.subject.strands(),
            spacing: self.subject.spacing(),
            whole: self.subject.whole(),
            findings: &self.roots_view.findings,
            frames_per_second: self.statistics.frame_secs.get().max(1e-4).recip(),
            sim_ms_per_frame: self.statistics.sim_ms.get(),
            renderer: &self.statistics.renderer,
            paused: self.playback.paused,
            speed: self.playback.speed,
            graphs: self.statistics.graphs.shown,
            beside: self.subject.beside(),
            scene: playing.and_then(|setup| setup.scene()),
            by_hand: playing.is_none(),
            file: opened.and_then(|setup| setup.file()),
            plays_file: playing.is_some_and(|setup| setup.file().is_some()),
            reset_strands: self.subject.reset_strands(),
            unsaved,
            lab: self.lab_status(),
        };
        let (config, reset) = self.settings.edited();
        let edited = Edited {
            config,
            drag_state: &mut self.pointer.colliders,
            switches: &mut self.roots_view.switches,
            returns_to_rest: &mut self.playback.returns_to_rest,
            plane: &mut self.lab.switches.plane,
            styling: &mut self.styling,
            file_name: &mut self.document.name,
        };
        let actions = self.panel.show(ui, edited, reset, &status);
        if self.settings.config.look != before.look || self.settings.config.sim != before.sim {
            self.subject.apply(&self.settings.config);
        }
        self.cancel_outdated_job();
        self.follow_settings();
        actions
    }
}
