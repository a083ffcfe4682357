//! The start of loading: of the first head, and of any.

use crate::viewer::Options;
use crate::viewer::background::{BackgroundTask, EarlyHead, LoadRequest, LoadedHead, Wake, load};
use crate::viewer::remembered::Remembered;
use std::sync::mpsc::{Receiver, channel};

/// The task that loads a head.
pub(crate) type HeadTask = BackgroundTask<Box<LoadedHead>>;

/// The task that loads the first head, and what it sends of a large one before its hair.
pub(crate) type FirstHead = (HeadTask, Receiver<EarlyHead>);

/// Starts to load the head that was asked for.
pub(crate) fn start_loading(options: &Options, remembered: &Remembered, wake: &Wake) -> FirstHead {
    let mut task = HeadTask::default();
    let (early, arrives) = channel();
    // With a scene that plays on a head, the scene's settings count.
    let scene = options.scene.as_ref();
    let scene = scene.filter(|scene| scene.setup.strands.is_none());
    let own = scene.and_then(|scene| scene.setup.head.clone());
    let mut config = scene.map_or(&options.config, |scene| &scene.config).clone();
    if let (None, Some(path)) = (scene, &options.head) {
        remembered.use_model(path, &mut config.head);
    }
    let request = LoadRequest {
        preset: options.preset.clone(),
        source: own.or_else(|| options.head.clone()),
        config,
        // They have been read already, with the flags that change them.
        own_settings: false,
        early: Some(early),
        ..LoadRequest::default()
    };
    begin(&mut task, wake, request);
    (task, arrives)
}

/// Begins to load a head, and drops the one that is on its way.
pub(crate) fn begin(task: &mut HeadTask, wake: &Wake, request: LoadRequest) {
    task.begin(wake, "Loading the head", move |progress| {
        load(request, progress).map(Box::new)
    });
}
