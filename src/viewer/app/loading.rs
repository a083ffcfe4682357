//! The head that is shown, and the one that is on its way.

mod loaded;
mod reload;
pub(crate) mod watched;

use crate::viewer::Options;
use crate::viewer::app::loading::watched::Watched;
use crate::viewer::background::{HeadSource, Kept, LoadRequest, Loader, Wake};
use mohawk::autosave::Recoverable;
use mohawk::config::Config;
use mohawk::head::HeadSettings;
use mohawk::scene_file::SceneSetup;
use mohawk::style::Model;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::SystemTime;

/// The source of the head, and the head that is being loaded.
pub(crate) struct Loading {
    pub(super) loader: Loader,
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
    pub(super) fn new(loader: Loader, options: &Options) -> Self {
        let source = source_of(options);
        Self {
            loader,
            pending: Some(Pending::quiet(source.clone())),
            source,
            head_settings: options.config.head.clone(),
            fell_back: false,
            watched: None,
            stash: None,
            recovering: None,
        }
    }

    /// Loads a head.
    pub(super) fn load(&mut self, pending: Pending, request: LoadRequest) {
        self.pending = Some(pending);
        self.loader.load(request);
    }

    /// Whether a scene waits for the head that is being loaded.
    pub(super) fn awaits_scene(&self) -> bool {
        self.pending
            .as_ref()
            .is_some_and(|pending| pending.next.is_some())
    }
}

/// A head that is being loaded.
pub(super) struct Pending {
    pub(super) source: HeadSource,
    pub(super) since: SystemTime,
    /// Whether it is the same head, whose file has changed.
    pub(super) again: bool,
    /// Whether nobody has asked for it just now: it stops no scene.
    pub(super) quiet: bool,
    /// The scene that begins with it.
    pub(super) next: Option<Box<PendingScene>>,
}

impl Pending {
    pub(super) fn new(source: HeadSource) -> Self {
        Self {
            source,
            since: SystemTime::now(),
            again: false,
            quiet: false,
            next: None,
        }
    }

    /// A head that nobody has asked for just now.
    pub(super) fn quiet(source: HeadSource) -> Self {
        Self {
            quiet: true,
            ..Self::new(source)
        }
    }

    /// A head that a scene waits for.
    pub(super) fn of_scene(source: HeadSource, next: PendingScene) -> Self {
        Self {
            next: Some(Box::new(next)),
            ..Self::new(source)
        }
    }
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

impl PendingScene {
    /// Returns the source of the scene's own head.
    pub(super) fn head(&self) -> Option<HeadSource> {
        self.setup.head.clone().map(HeadSource::File)
    }
}

/// A style whose head is not shown while a scene has a head of its own.
pub(super) struct Stash {
    pub(super) source: HeadSource,
    pub(super) kept: Kept,
    pub(super) model: Model,
    pub(super) path: Option<PathBuf>,
    /// The file name in the panel.
    pub(super) name: String,
    pub(super) is_saved: bool,
}

/// Starts to load the head that was asked for.
pub(crate) fn start_loading(options: &Options, wake: Wake) -> Loader {
    let mut loader = Loader::new(wake);
    // With a scene that plays on a head, the scene's settings count.
    let scene = options.scene.as_ref();
    let (source, config) = match scene.filter(|scene| scene.setup.strands.is_none()) {
        Some(scene) => {
            let own = scene.setup.head.clone().map(HeadSource::File);
            (own.unwrap_or_else(|| source_of(options)), &scene.config)
        }
        None => (source_of(options), &options.config),
    };
    loader.load(LoadRequest {
        source,
        config: config.clone(),
        // They have been read already, with the flags that change them.
        own_settings: false,
        kept: None,
    });
    loader
}

fn source_of(options: &Options) -> HeadSource {
    let source = options.head.clone();
    source.map_or(HeadSource::Shipped, HeadSource::File)
}
