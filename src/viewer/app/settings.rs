//! The settings: shown in the panel, saved, and whether they are.

use super::App;
use crate::viewer::action::Action;
use crate::viewer::overlay::Kind;
use crate::viewer::panel::{Edited, Status};
use crate::viewer::saving::{free_settings_name, shown};

impl App {
    /// Quits, or asks first if that would lose changed settings.
    pub(in crate::viewer) fn ask_to_quit(&mut self) {
        let unsaved = self.own() != self.saved && self.smoke.is_none();
        self.overlay.asks_to_quit = unsaved;
        self.quit = !unsaved;
    }

    /// Saves the settings where they came from, else in a new file; true if that worked.
    pub(super) fn save(&mut self) -> bool {
        let own = self.own();
        let path = self.config_path.clone().unwrap_or_else(free_settings_name);
        let place = shown(&path);
        match own.save(&path) {
            Ok(()) => {
                self.saved = own;
                self.config_path = Some(path);
                self.config_saved();
                let text = format!("Saved {place}: use it with mohawk --config");
                self.overlay.say(Kind::Notice, text);
                true
            }
            Err(error) => {
                let error = anyhow::Error::from(error);
                self.overlay.say(Kind::Error, format!("{error:#}"));
                false
            }
        }
    }

    /// Shows the panel in `ui` and puts to work what changed in it.
    pub(in crate::viewer) fn show_panel(&mut self, ui: &mut three_d::egui::Ui) -> Vec<Action> {
        let before = self.config.clone();
        let unsaved = self.own() != self.saved;
        let name = self.subject.name();
        let playing = self.motion.playing();
        let opened = self.opened.as_ref();
        let status = Status {
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
        let scene = self.on_stage.as_ref();
        let lent = scene.and_then(|scene| scene.lent.as_ref());
        let started = lent.map_or(&self.started, |lent| lent.staged());
        let edited = Edited {
            config: &mut self.config,
            hands: &mut self.hands,
            switches: &mut self.roots_view.switches,
            returns_to_rest: &mut self.returns_to_rest,
            plane: &mut self.lab.switches.plane,
        };
        let actions = self.panel.show(ui, edited, started, &status);
        if self.config.look != before.look || self.config.sim != before.sim {
            self.subject.apply(&self.config);
        }
        self.plant_what_changed();
        actions
    }
}
