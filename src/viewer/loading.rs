//! The head that is shown and the one that is on its way: their sources, the work on them, and the
//! styles that are kept meanwhile.

mod start;
pub(super) mod trail;
mod watched;

pub(super) use start::{FirstHead, HeadTask, begin, start_loading};
pub(super) use watched::Watched;

use super::Options;
use super::background::{BackgroundTask, EarlyHead, HeadSource, LoadedHead, StyleResult};
#[cfg(target_arch = "wasm32")]
use super::{background::Wake, news::WindowNews, platform::page};
use mohawk::Config;
use mohawk::autosave::Recoverable;
use mohawk::head::HeadSettings;
use mohawk::render::HeadModel;
use mohawk::scene_file::SceneSetup;
use mohawk::style::Saved;
#[cfg(target_arch = "wasm32")]
use std::sync::mpsc::channel;
use std::sync::mpsc::{Receiver, Sender};
use std::{path::PathBuf, rc::Rc};
#[cfg(target_arch = "wasm32")]
use three_d::Context;
use trail::Trail;
use web_time::SystemTime;

/// The source of the head, the head that is being loaded, and the work on its style.
#[derive(Default)]
pub(crate) struct Loading {
    pub(super) head: HeadTask,
    /// The first head, if it is large, before its hair.
    pub(super) early: Option<Receiver<EarlyHead>>,
    /// Dropped once that head is on the screen.
    pub(super) drawing: Option<Sender<()>>,
    /// The head that is being uploaded. A page has one thread.
    pub(super) uploaded: Option<Receiver<UploadedHead>>,
    /// `true` once a head was shown with the hair that it has.
    pub(crate) has_shown: bool,
    /// `true` if a head has come since the program last gave memory back.
    pub(crate) leaves_memory: bool,
    pub(super) style: BackgroundTask<StyleResult>,
    /// The head that is being loaded.
    pub(super) pending: Option<Pending>,
    /// The source of the head that is shown.
    pub(super) source: HeadSource,
    /// The settings that the head that is shown was read with.
    pub(super) head_settings: HeadSettings,
    /// The settings of the user's head before another one was chosen.
    pub(super) model_before: Option<HeadSettings>,
    /// `true` if the shipped head has taken the place of one that could not be loaded.
    pub(super) fell_back: bool,
    /// The files that are watched for changes.
    pub(crate) watched: Option<Watched>,
    /// The style whose head is not shown while a scene has a head of its own.
    pub(super) stash: Option<Stash>,
    /// The styles on other models that undo and redo lead back to.
    pub(super) trail: Trail,
    /// The unsaved style of a crashed session that is being opened.
    pub(super) recovering: Option<Recoverable>,
}

impl Loading {
    /// Returns the state while the first head is on its way.
    pub(super) fn new((head, early): FirstHead, options: &Options) -> Self {
        Self {
            head,
            early: Some(early),
            pending: Some(Pending::new(options.head.clone(), Purpose::Quiet)),
            source: options.head.clone(),
            head_settings: options.config.head.clone(),
            ..Self::default()
        }
    }

    /// Uploads a head, in turns with the picture.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn upload(&mut self, loaded: Box<LoadedHead>, context: &Context, wake: &Wake) {
        let (done, uploaded) = channel();
        let (context, wake) = (context.clone(), wake.clone());
        self.uploaded = Some(uploaded);
        page::spawn(move || {
            let between = &mut page::give_way_to_driver;
            let model = HeadModel::in_parts(&context, &loaded.head, between);
            // Another head may be on its way by now.
            _ = done.send((loaded, model));
            wake.send(WindowNews::BackgroundTask);
        });
    }

    /// Returns the head that was uploaded, once.
    pub(super) fn take_uploaded(&mut self) -> Option<UploadedHead> {
        let uploaded = self.uploaded.as_ref()?.try_recv().ok();
        self.uploaded.take_if(|_| uploaded.is_some());
        uploaded
    }

    /// Returns `true` if a head is shown, and no other one is on its way.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn has_ended(&self) -> bool {
        self.has_shown && self.pending.is_none()
    }

    /// Returns `true` if a head is being loaded.
    pub(super) fn goes_on(&self) -> bool {
        self.pending.is_some()
    }

    /// Forgets a head that could not be loaded: another one is shown.
    pub(super) fn forget_failed(&mut self) {
        self.fell_back = false;
        if let Some(watched) = &mut self.watched {
            watched.failed = None;
        }
    }

    /// Returns `true` if the head that is being loaded is one that the user has asked for.
    pub(super) fn awaits_chosen(&self) -> bool {
        let pending = self.pending.as_ref().filter(|_| self.has_shown);
        pending.is_some_and(|pending| matches!(pending.purpose, Purpose::Chosen | Purpose::Preset))
    }

    /// Returns `true` if a scene waits for the head that is being loaded.
    pub(super) fn awaits_scene(&self) -> bool {
        let pending = self.pending.as_ref();
        pending.is_some_and(|pending| matches!(pending.purpose, Purpose::Scene(_)))
    }
}

/// A head, and its model on the GPU.
pub(super) type UploadedHead = (Box<LoadedHead>, HeadModel);

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
    /// The file of the head has changed.
    Again,
    /// The user has changed how its file is read.
    Read,
    /// It comes with a preset that the user has chosen. Motion goes on.
    Preset,
    /// Undo or redo leads back to it. Motion goes on.
    Back,
    /// It is loaded without a request of the user, and stops no scene.
    Quiet,
    /// A scene begins with it.
    Scene(Box<PendingScene>),
}

/// A scene that begins as soon as its head is loaded.
pub(super) struct PendingScene {
    pub(super) setup: Rc<SceneSetup>,
    /// The user's settings when the scene was asked for.
    pub(super) before: Config,
    /// The user's settings with those of the scene.
    pub(super) staged: Config,
    /// The user's head, where the scene has one of its own.
    pub(super) home: Option<HeadSource>,
}

/// A style whose head is not shown while a scene has a head of its own.
pub(super) struct Stash {
    pub(super) source: HeadSource,
    pub(super) saved: Saved,
    pub(super) path: Option<PathBuf>,
    pub(super) is_saved: bool,
    /// The name of the preset that it comes from.
    pub(super) preset: Option<String>,
}
