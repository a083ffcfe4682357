//! The settings: shown in the panel, and put to work when they change there.

use super::App;
use crate::viewer::input::action::Action;
use crate::viewer::interface::panel::{Edited, PanelStatus};

impl App {
    /// Shows the panel in `ui` and puts to work what changed in it.
    pub(crate) fn show_panel(&mut self, ui: &mut three_d::egui::Ui) -> Vec<Action> {
        let before = self.config.clone();
        let unsaved = self.is_unsaved();
        self.pressing = ui.input(|input| input.pointer.any_down());
        if !self.pressing {
            self.styling.merging = false;
        }
        let name = self.subject.name();
        let playing = self.motion.playing();
        let opened = self.opened.as_ref();
        let status = PanelStatus {
            head_name: &name,
            triangles: self.subject.triangles(),
            headless: self.subject.own_strands().is_some(),
            strands: self.subject.strands(),
            spacing: self.subject.spacing(),
            whole: self.subject.whole(),
            findings: &self.roots_view.findings,
            frames_per_second: self.frame_secs.get().max(1e-4).recip(),
            sim_ms_per_frame: self.sim_ms.get(),
            renderer: &self.renderer,
            paused: self.paused,
            speed: self.speed,
            graphs: self.graphs.shown,
            beside: self.subject.beside(),
            scene: playing.and_then(|staging| staging.scene()),
            by_hand: playing.is_none(),
            file: opened.and_then(|staging| staging.file()),
            plays_file: playing.is_some_and(|staging| staging.file().is_some()),
            reset_strands: self.subject.reset_strands(),
            unsaved,
            lab: self.lab_status(),
        };
        let scene = self.active_scene.as_ref();
        let overrides = scene.and_then(|scene| scene.overrides.as_ref());
        let started = overrides.map_or(&self.started, |overrides| overrides.staged());
        let edited = Edited {
            config: &mut self.config,
            drag_state: &mut self.drag_state,
            switches: &mut self.roots_view.switches,
            returns_to_rest: &mut self.returns_to_rest,
            plane: &mut self.lab.switches.plane,
            styling: &mut self.styling,
        };
        let actions = self.panel.show(ui, edited, started, &status);
        if self.config.look != before.look || self.config.sim != before.sim {
            self.subject.apply(&self.config);
        }
        self.hurry();
        self.follow_settings();
        actions
    }
}
