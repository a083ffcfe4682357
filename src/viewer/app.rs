//! The state of the window with a head, and what each request does to it.
//!
//! Parts own their state: `settings`, `loading`, `view`, `scene`, `run`, `skin`, and
//! the rooms beside this one. `act` performs gestures and actions, `run` lets time pass, and
//! `saving`, `styling`, `colliders`, `view` and `lab` perform those of their subject.

mod act;
mod colliders;
mod lab;
mod loading;
pub(crate) mod run;
mod saving;
mod scene;
mod settings;
mod skin;
mod styling;
pub(crate) mod view;

pub(super) use loading::reload::Watched;
pub(super) use loading::{HeadTask, start_loading};

use super::background::{StyleJob, Wake};
use super::files::document::DocumentFile;
use super::interface::overlay::Overlay;
use super::lab::Lab;
use super::playback::Playback;
use super::styling::Styling;
use super::subject::Subject;
use super::subject::roots_view::RootsView;
use super::{Options, Snapshot, ViewerError};
use crate::numbers::grouped;
use loading::Loading;
use mohawk::render::{RenderError, Stage};
use mohawk::style::Saved;
use run::Statistics;
use scene::Scenes;
use settings::Settings;
use skin::{BaldSkin, SkinField};
use std::path::Path;
use std::time::Instant;
use view::{PointerState, ViewState};

/// The state of the window with a head. Each part owns its state; requests go through `App`, which
/// tells the parts.
pub(super) struct App {
    pub(super) settings: Settings,
    /// Wakes the window when background tasks have news.
    pub(super) wake: Wake,
    pub(super) loading: Loading,
    pub(super) document: DocumentFile<Saved>,
    pub(super) view: ViewState,
    pub(super) pointer: PointerState,
    pub(super) playback: Playback,
    pub(super) scenes: Scenes,
    pub(super) subject: Subject,
    skin: SkinField,
    pub(super) styling: Styling,
    bald: BaldSkin,
    pub(super) roots_view: RootsView,
    pub(super) lab: Lab,
    pub(super) statistics: Statistics,
    pub(super) overlay: Overlay,
    pub(super) panel_shown: bool,
    /// The path of a file to open, as typed in the panel.
    pub(super) typed_path: String,
    /// A picture to take before the window closes.
    pub(super) snapshot_job: Option<SnapshotJob>,
    pub(super) title: String,
    pub(super) quit: bool,
}

/// A picture to take before the window closes.
pub(super) struct SnapshotJob {
    pub(super) snapshot: Snapshot,
    /// The time to take it, known once the head is on the screen.
    pub(super) due: Option<Instant>,
    /// The reason why there is nothing to take a picture of.
    pub(super) problem: Option<String>,
}

impl App {
    /// The state while the first head is on its way.
    pub(super) fn new(
        options: Options,
        head: HeadTask,
        wake: Wake,
        stage: Stage,
        renderer: String,
    ) -> Self {
        let mut app = Self {
            wake,
            loading: Loading::new(head, &options),
            document: DocumentFile::new(0, options.snapshot.is_none()),
            subject: Subject::new(stage, &options.config),
            settings: Settings::new(options.config, options.config_path),
            view: ViewState::default(),
            pointer: PointerState::default(),
            playback: Playback::default(),
            scenes: Scenes::default(),
            skin: SkinField::default(),
            styling: Styling::default(),
            bald: BaldSkin::default(),
            roots_view: RootsView::default(),
            lab: Lab::default(),
            statistics: Statistics {
                renderer,
                ..Statistics::default()
            },
            overlay: Overlay::default(),
            panel_shown: true,
            typed_path: String::new(),
            snapshot_job: options.snapshot.map(|snapshot| SnapshotJob {
                snapshot,
                due: None,
                problem: None,
            }),
            title: "mohawk – loading…".to_owned(),
            quit: false,
        };
        if app.snapshot_job.is_none() {
            app.document.offer_recovery(&mut app.overlay);
        }
        if let Some(opening) = options.scene {
            app.open_with(opening);
        }
        if options.graphs {
            app.statistics.graphs.toggle();
        }
        if options.split.is_some() {
            app.set_beside(options.split);
        }
        app
    }

    /// Names what is shown in the title: the style's file, else the head.
    fn retitle(&mut self) {
        let strands = self.subject.strands();
        let plural = if strands == 1 { "" } else { "s" };
        let file = self.document.path.as_deref().and_then(Path::file_name);
        let name = match file.filter(|_| !self.subject.is_headless()) {
            Some(name) => name.to_string_lossy().into_owned(),
            None => self.subject.name(),
        };
        let strands = grouped(strands);
        self.title = format!("mohawk – {name} – {strands} strand{plural}");
    }

    /// Opens a file: plays a scene, loads a head, or takes a picture as a map. The head on screen
    /// stays until the other one is loaded.
    pub(super) fn load(&mut self, path: &Path) {
        if path.extension().is_some_and(|end| end == "toml") {
            return self.open_scene(path);
        }
        if is_picture(path) {
            let job = StyleJob::Picture(self.styling.hand.map, path.to_owned());
            return self.start_after_planting(job);
        }
        if self.is_styled() && self.is_unsaved() {
            return self.overlay.asks_to_replace(path);
        }
        self.load_other(path);
    }

    /// Returns when the picture changes next without input or motion.
    pub(super) fn next_change(&self) -> Option<Instant> {
        let bald = self.awaits_bald_skin();
        let tasks = [
            self.loading.head.shows_at(),
            self.loading.style.shows_at(),
            self.skin.task.shows_at(),
            self.bald.task.shows_at().filter(|_| bald),
        ];
        let snapshot = self.snapshot_job.as_ref().and_then(|job| job.due);
        let others = [self.overlay.next_change(), snapshot, self.autosave_due()];
        tasks.into_iter().chain(others).flatten().min()
    }

    /// Returns the name and the finished share of a slow background task.
    pub(super) fn progress(&self) -> Option<(&'static str, f32)> {
        let bald = self.awaits_bald_skin();
        let loading = &self.loading;
        (loading.head.progress())
            .or_else(|| loading.style.progress())
            .or_else(|| self.skin.task.progress())
            .or_else(|| self.bald.task.progress().filter(|_| bald))
    }
}

/// Whether this is the name of a picture, from which maps are read.
fn is_picture(path: &Path) -> bool {
    let ends = ["png", "jpg", "jpeg"];
    (path.extension()).is_some_and(|end| ends.iter().any(|e| end.eq_ignore_ascii_case(e)))
}

impl From<RenderError> for ViewerError {
    fn from(error: RenderError) -> Self {
        ViewerError::Graphics(error.to_string())
    }
}
