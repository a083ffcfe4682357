//! The presets that the panel shows, and which of them the style is or comes from.

use crate::viewer::background::{BackgroundTask, TaskProgress};
use crate::viewer::files::{DocumentFile, FileState};
use mohawk::head::{HeadSettings, Model};
use mohawk::presets::Preset;
use mohawk::roots::RootSettings;
use mohawk::scene_file::SceneSetup;
use mohawk::style::Card;
use mohawk::style::{Follicles, Measured};
use mohawk::{Config, Head};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Weak;
use three_d::egui;
use web_time::Instant;

/// A preset in the strip.
pub(crate) struct Listed {
    pub(crate) preset: Preset,
    pub(crate) card: Card,
    /// Its picture, once it was shown.
    pub(crate) texture: Option<egui::TextureHandle>,
}

/// A preset that was asked for.
pub(crate) struct Asked {
    pub(crate) preset: Preset,
    /// `true` if nothing unsaved was there before.
    pub(crate) is_clean: bool,
    pub(crate) since: Instant,
}

/// Roots of presets on all skin of a head, with their settings; `None`: no preset needs them.
pub(crate) type Ahead = Option<(RootSettings, Follicles)>;

/// Heads that are not shown, the settings that they were read with, and what was measured.
pub(crate) type OtherHeads = Vec<(Model, HeadSettings, Measured)>;

/// A state of the style in which it was a preset, or in which the session began.
struct Origin {
    /// The name of the preset; `None`: the style is from elsewhere.
    name: Option<String>,
    /// `true` if nothing unsaved is lost with this state.
    is_clean: bool,
    config: Config,
    /// The state of the origin whose file the style has.
    file: u64,
}

/// The presets of the window.
#[derive(Default)]
pub(crate) struct Presets {
    pub(crate) listed: Vec<Listed>,
    /// The problems of the user's other presets, until they were shown.
    pub(crate) warnings: Vec<String>,
    /// The preset that the strip marks.
    pub(crate) marked: Option<String>,
    /// `true` if all presets are shown instead of a strip.
    pub(crate) all_shown: bool,
    /// The preset that a job is putting on the head.
    pub(crate) asked: Option<Asked>,
    /// `true` if the pointer has been over the strip.
    pub(crate) is_near: bool,
    /// Samples the roots of presets ahead.
    pub(crate) ahead: BackgroundTask<Ahead>,
    /// The head that roots were last sampled for.
    pub(crate) ahead_of: Option<Weak<Head>>,
    /// Measures the other shipped head, `None` before it has begun.
    pub(crate) measuring: Option<BackgroundTask<OtherHeads>>,
    /// The other shipped heads as they were measured.
    pub(crate) measured: OtherHeads,
    /// Saves the style as a preset, and the state and the settings that are saved, if their session is
    /// still shown.
    pub(crate) saving: BackgroundTask<Preset>,
    pub(crate) saved: Option<(u64, Config)>,
    /// The preset that is to be taken next.
    pub(crate) queued: Option<Preset>,
    pub(crate) session: Session,
    /// The scene that a preset has begun, and what played before it.
    pub(crate) playing: Option<(Rc<SceneSetup>, Option<Rc<SceneSetup>>)>,
}

/// The source of the style of a session.
#[derive(Default)]
pub(crate) struct Session {
    /// Origins by the state of the style's history.
    origins: BTreeMap<u64, Origin>,
    /// The files of origins that the style does not come from at present.
    files: BTreeMap<u64, FileState>,
    /// The origin of the settings that are in a file of their own.
    pub(crate) settings_origin: Option<u64>,
    /// The present state, and the largest one.
    state: u64,
    last_state: u64,
    /// The scene of the preset that it began with.
    pub(crate) scene: Option<Rc<SceneSetup>>,
}

impl Presets {
    pub(crate) fn new(config: &Config) -> Self {
        let mut presets = Self::default();
        presets.list();
        presets.begin(None, config.clone());
        presets
    }

    /// Lists all presets anew.
    pub(crate) fn list(&mut self) {
        let (all, warnings) = Preset::all();
        let listed = all.into_iter().map(|(preset, card)| Listed {
            preset,
            card,
            texture: None,
        });
        (self.listed, self.warnings) = (listed.collect(), warnings);
    }

    /// Returns the progress of what a queued preset waits for: roots, and other heads.
    pub(crate) fn preparing(&self) -> [Option<TaskProgress>; 2] {
        let measuring = self.measuring.as_ref().and_then(BackgroundTask::progress);
        let both = [self.ahead.progress(), measuring];
        both.map(|progress| progress.filter(|_| self.queued.is_some()))
    }

    /// Begins a session with a style, which is a preset if there is a name.
    pub(crate) fn begin(&mut self, name: Option<String>, config: Config) {
        self.resume(Session {
            settings_origin: Some(0),
            ..Session::default()
        });
        self.add_origin(0, name, true, config, 0);
    }

    /// Goes on with another session. What is being saved as a preset is of the one before.
    pub(crate) fn resume(&mut self, session: Session) {
        self.session = session;
        self.saved = None;
    }

    /// Notes that the style is a preset in its present state.
    pub(crate) fn took(&mut self, state: u64, name: &str, is_clean: bool, config: Config) {
        self.follow(state);
        self.add_origin(state, Some(name.to_owned()), is_clean, config, state);
    }

    /// Notes that a state was saved as a preset. The style stays in its file.
    pub(crate) fn saved_as(&mut self, state: u64, name: &str, config: Config) {
        if state > self.session.last_state {
            self.follow(state);
        }
        let before = self.session.origins.range(..=state).next_back();
        let file = before.map_or(state, |(_, origin)| origin.file);
        self.add_origin(state, Some(name.to_owned()), true, config, file);
    }

    fn add_origin(
        &mut self,
        state: u64,
        name: Option<String>,
        is_clean: bool,
        config: Config,
        file: u64,
    ) {
        let origin = Origin {
            name,
            is_clean,
            config,
            file,
        };
        self.session.origins.insert(state, origin);
    }

    /// Notes that the style that the session began with is not saved.
    pub(crate) fn began_unsaved(&mut self) {
        if let Some(origin) = self.session.origins.get_mut(&0) {
            origin.is_clean = false;
        }
    }

    /// Notes that the file of a preset is gone or has other hair: states that were in it are unsaved.
    pub(crate) fn lose(&mut self, name: &str) {
        for origin in self.session.origins.values_mut() {
            origin.is_clean &= origin.name.as_deref() != Some(name);
        }
    }

    /// Follows the history of the style. A new state after an undo ends those that were undone.
    pub(crate) fn follow(&mut self, state: u64) {
        if state > self.session.last_state {
            self.session.origins.split_off(&(self.session.state + 1));
            self.session.files.split_off(&(self.session.state + 1));
            self.session.last_state = state;
        }
        self.session.state = state;
    }

    /// Returns the state of the origin whose file the style has.
    pub(crate) fn file_origin(&self) -> Option<u64> {
        self.origin().map(|(_, origin)| origin.file)
    }

    /// Gives the document the file of its origin, which was another one at the state `before`: saving
    /// a preset must not replace the file of the style that was there before.
    pub(crate) fn switch_file(&mut self, before: Option<u64>, document: &mut DocumentFile) {
        let now = self.file_origin();
        if let (Some(before), Some(now)) = (before, now)
            && before != now
        {
            let (path, saved) = self.session.files.remove(&now).unwrap_or_default();
            self.session.files.insert(before, document.file());
            document.set_file(path.as_deref(), saved);
        }
    }

    fn origin(&self) -> Option<(u64, &Origin)> {
        let before = self
            .session
            .origins
            .range(..=self.session.state)
            .next_back();
        before.map(|(state, origin)| (*state, origin))
    }

    /// Returns the name of the preset that the style is or comes from, and whether it was changed
    /// since.
    pub(crate) fn chosen(&self) -> Option<(&str, bool)> {
        let (state, origin) = self.origin()?;
        Some((origin.name.as_deref()?, state != self.session.state))
    }

    /// Returns the settings that the style began with, to which the panel resets.
    pub(crate) fn base(&self) -> Option<&Config> {
        self.origin().map(|(_, origin)| &origin.config)
    }

    /// Returns `true` if the style with these settings is a preset in a state, and nothing else is lost
    /// with it.
    pub(crate) fn is_clean(&self, state: u64, config: &Config) -> bool {
        let origin = self.session.origins.get(&state);
        origin.is_some_and(|origin| {
            origin.is_clean && origin.name.is_some() && origin.config == *config
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undo_leads_back_to_the_preset_before() {
        let mut presets = Presets::new(&Config::default());
        presets.begin(Some("a".to_owned()), Config::default());
        let mut config = Config::default();
        config.groom.length = 2.0;
        presets.took(1, "b", true, config.clone());
        assert_eq!(presets.chosen(), Some(("b", false)));
        assert!(presets.is_clean(1, &config) && !presets.is_clean(1, &Config::default()));
        presets.follow(2);
        assert_eq!(presets.chosen(), Some(("b", true)));
        assert!(!presets.is_clean(2, &config));
        assert_eq!(presets.base(), Some(&config));
        for state in [1, 0] {
            presets.follow(state);
        }
        assert_eq!(presets.chosen(), Some(("a", false)));
        // Changes from here on start from the first preset.
        presets.follow(3);
        assert_eq!(presets.chosen(), Some(("a", true)));
        assert_eq!(presets.base(), Some(&Config::default()));
    }

    #[test]
    fn every_preset_has_a_file_of_its_own() {
        let mut document = DocumentFile::new::<mohawk::style::Saved>(0, None);
        let mut presets = Presets::new(&Config::default());
        let first = std::path::Path::new("first.mohawk");
        document.set_file(Some(first), Some(0));
        let go = |presets: &mut Presets, document: &mut DocumentFile, state, name: Option<&str>| {
            let before = presets.file_origin();
            presets.follow(state);
            if let Some(name) = name {
                presets.took(state, name, true, Config::default());
            }
            presets.switch_file(before, document);
            document.path.clone()
        };
        let is_first = |path: Option<std::path::PathBuf>| path.as_deref() == Some(first);
        assert!(
            is_first(go(&mut presets, &mut document, 1, None)),
            "an edit"
        );
        assert_eq!(go(&mut presets, &mut document, 2, Some("b")), None);
        assert!(!document.is_saved(0));
        assert!(is_first(go(&mut presets, &mut document, 1, None)), "undo");
        assert!(document.is_saved(0));
        assert_eq!(go(&mut presets, &mut document, 2, None), None, "redo");
        // A style that is saved as a preset stays in its file.
        assert!(is_first(go(&mut presets, &mut document, 1, None)), "undo");
        presets.saved_as(3, "mine", Config::default());
        assert_eq!(presets.chosen(), Some(("mine", false)));
        for state in [3, 1, 3] {
            assert!(is_first(go(&mut presets, &mut document, state, None)));
        }
    }

    #[test]
    fn work_before_a_preset_is_not_forgotten() {
        let mut presets = Presets::new(&Config::default());
        presets.took(4, "b", false, Config::default());
        assert!(!presets.is_clean(4, &Config::default()));
        presets.begin(Some("a".to_owned()), Config::default());
        assert!(presets.is_clean(0, &Config::default()));
        presets.began_unsaved();
        assert!(!presets.is_clean(0, &Config::default()));
    }

    #[test]
    fn a_state_is_unsaved_once_its_preset_is_gone() {
        let mut presets = Presets::new(&Config::default());
        presets.took(1, "mine", true, Config::default());
        presets.took(2, "other", true, Config::default());
        presets.lose("mine");
        assert!(!presets.is_clean(1, &Config::default()));
        assert!(presets.is_clean(2, &Config::default()));
        // A preset that is being saved belongs to the session before.
        presets.saved = Some((2, Config::default()));
        presets.resume(Session::default());
        assert!(presets.saved.is_none());
    }
}
