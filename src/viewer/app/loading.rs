//! The head that is shown, and the one that is on its way.

mod loaded;
pub(super) mod reload;

use super::App;
use crate::viewer::Options;
use crate::viewer::background::{
    BackgroundTask, HeadSource, LoadRequest, LoadedHead, StyleResult, Wake, load,
};
use mohawk::autosave::Recoverable;
use mohawk::config::Config;
use mohawk::head::HeadSettings;
use mohawk::scene_file::SceneSetup;
use mohawk::style::Saved;
use reload::Watched;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::SystemTime;

/// The task that loads a head.
pub(crate) type HeadTask = BackgroundTask<Box<LoadedHead>>;

/// The source of the head, the head that is being loaded, and the work on its style.
#[derive(Default)]
pub(crate) struct Loading {
    pub(super) head: HeadTask,
    pub(super) style: BackgroundTask<StyleResult>,
    /// The head that is being loaded.
    pub(super) pending: Option<Pending>,
    /// The source of the head that is shown.
    pub(super) source: HeadSource,
    /// The settings that the head that is shown was read with.
    pub(super) head_settings: HeadSettings,
    /// Whether the shipped head has taken the place of one that could not be loaded.
    pub(super) fell_back: bool,
    /// The files that are watched for changes.
    pub(crate) watched: Option<Watched>,
    /// The style whose head is not shown while a scene has a head of its own.
    pub(super) stash: Option<Stash>,
    /// The unsaved style of a crashed session that is being opened.
    pub(super) recovering: Option<Recoverable>,
}

impl Loading {
    /// The state while the first head is on its way.
    pub(super) fn new(head: HeadTask, options: &Options) -> Self {
        let source = source_of(options);
        Self {
            head,
            pending: Some(Pending::new(source.clone(), Purpose::Quiet)),
            source,
            head_settings: options.config.head.clone(),
            ..Self::default()
        }
    }

    /// Whether a scene waits for the head that is being loaded.
    pub(super) fn awaits_scene(&self) -> bool {
        let pending = self.pending.as_ref();
        pending.is_some_and(|pending| matches!(pending.purpose, Purpose::Scene(_)))
    }
}

/// A head that is being loaded.
pub(super) struct Pending {
    pub(super) source: HeadSource,
    pub(super) since: SystemTime,
    pub(super) purpose: Purpose,
}

impl Pending {
    pub(super) fn new(source: HeadSource, purpose: Purpose) -> Self {
        Self {
            source,
            since: SystemTime::now(),
            purpose,
        }
    }
}

/// The reason why a head is loaded.
pub(super) enum Purpose {
    /// The user has chosen it.
    Chosen,
    /// Its file has changed.
    Again,
    /// Nobody has asked for it just now: it stops no scene.
    Quiet,
    /// A scene begins with it.
    Scene(Box<PendingScene>),
}

/// A scene that begins as soon as its head is loaded.
pub(super) struct PendingScene {
    pub(super) setup: Rc<SceneSetup>,
    /// The user's settings when the scene was asked for.
    pub(super) before: Config,
    /// The same with the scene's settings.
    pub(super) staged: Config,
    /// The user's head, where the scene has one of its own.
    pub(super) home: Option<HeadSource>,
}

/// A style whose head is not shown while a scene has a head of its own.
pub(super) struct Stash {
    pub(super) source: HeadSource,
    pub(super) saved: Saved,
    pub(super) path: Option<PathBuf>,
    /// The file name in the panel.
    pub(super) name: String,
    pub(super) is_saved: bool,
}

impl App {
    /// Loads a head, and cancels the work on the style of the last one.
    pub(super) fn load_head(&mut self, purpose: Purpose, request: LoadRequest) {
        let pending = Pending::new(request.source.clone(), purpose);
        self.loading.pending = Some(pending);
        self.loading.style.cancel();
        begin(&mut self.loading.head, &self.wake, request);
    }

    /// Loads a head that the user has not chosen anew. The head keeps its style; the style of the
    /// head that is shown is stashed until that head comes back.
    pub(super) fn load_kept(&mut self, source: HeadSource, config: Config, purpose: Purpose) {
        if self.is_styled() && self.loading.stash.is_none() {
            self.loading.stash = self.styling.styler.ready().map(|styler| Stash {
                source: self.loading.source.clone(),
                saved: self.saved(styler),
                path: self.document.path.clone(),
                name: self.document.name.clone(),
                is_saved: self.document.is_saved(styler.state()),
            });
        }
        let stash = self.loading.stash.as_ref();
        let stash = stash.filter(|stash| stash.source == source);
        let request = LoadRequest {
            kept: stash.map(|stash| Box::new(stash.saved.clone())),
            source,
            config,
            own_settings: false,
        };
        self.load_head(purpose, request);
    }
}

/// Starts to load the head that was asked for.
pub(crate) fn start_loading(options: &Options, wake: &Wake) -> HeadTask {
    let mut task = HeadTask::default();
    // With a scene that plays on a head, the scene's settings count.
    let scene = options.scene.as_ref();
    let scene = scene.filter(|scene| scene.setup.strands.is_none());
    let own = scene.and_then(|scene| scene.setup.head.clone());
    let request = LoadRequest {
        source: own.map_or_else(|| source_of(options), HeadSource::File),
        config: scene.map_or(&options.config, |scene| &scene.config).clone(),
        // They have been read already, with the flags that change them.
        own_settings: false,
        kept: None,
    };
    begin(&mut task, wake, request);
    task
}

fn begin(task: &mut HeadTask, wake: &Wake, request: LoadRequest) {
    task.begin(wake, "Loading the head", move |progress| {
        load(request, progress).map(Box::new)
    });
}

fn source_of(options: &Options) -> HeadSource {
    let source = options.head.clone();
    source.map_or(HeadSource::Shipped, HeadSource::File)
}
