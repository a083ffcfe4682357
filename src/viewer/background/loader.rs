//! Loading heads, sampling their roots and growing their hair; and the work on their styles.

use super::style_job::{ShownHair, StyleJob, StyleResult};
use super::task::{BackgroundTask, Progress, Stopped, Wake};
use glam::Vec3;
use mohawk::config::Config;
use mohawk::head::{Head, HeadSettings};
use mohawk::roots::SampleError;
use mohawk::sim::{Sdf, SdfSettings};
use mohawk::style::{Model, OpenError, Saved, Style, Styler, with_skin};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

/// The source of a head.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum HeadSource {
    /// Embedded in the program.
    Shipped,
    /// A file.
    File(PathBuf),
}

impl fmt::Display for HeadSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeadSource::Shipped => f.write_str("the head that ships with the program"),
            HeadSource::File(path) => path.display().fmt(f),
        }
    }
}

/// A head to load.
pub(crate) struct LoadRequest {
    pub(crate) source: HeadSource,
    pub(crate) config: Config,
    /// Whether the settings in a style file replace `config`.
    pub(crate) own_settings: bool,
    /// The style to put on the head, instead of the one that `source` has.
    pub(crate) kept: Option<Box<Kept>>,
}

/// A style that stays while its head is loaded again.
#[derive(Clone)]
pub(crate) struct Kept {
    pub(crate) style: Style,
    /// The places of the edited roots.
    pub(crate) roots: BTreeMap<u32, Vec3>,
}

/// A head, and its hair if any can grow.
pub(crate) struct LoadedHead {
    pub(crate) source: HeadSource,
    /// The name of the head in a style that is saved.
    pub(crate) model: Model,
    /// The settings that the head was read with.
    pub(crate) settings: HeadSettings,
    /// The time when reading its files began.
    pub(crate) since: SystemTime,
    pub(crate) head: Arc<Head>,
    /// The session with the style; `None`: no hair can grow.
    pub(crate) styler: Option<Box<Styler>>,
    pub(crate) hair: Option<ShownHair>,
    /// Whether the head has the style of [`LoadRequest::kept`].
    pub(crate) keeps_style: bool,
    /// Whether the settings of the style replace those in use.
    pub(crate) takes_over: bool,
    /// The reason why a painted head has no hair.
    pub(crate) problem: Option<String>,
}

/// Loads heads, and works on styles. Loading a head cancels the work on the style of the last one.
pub(crate) struct Loader {
    head: BackgroundTask<Box<LoadedHead>>,
    style: BackgroundTask<StyleResult>,
}

/// A result of the [`Loader`].
pub(crate) enum Loaded {
    Head(Box<LoadedHead>),
    Style(StyleResult),
    /// The reason why there is no result. What is shown stays.
    Failed(String),
}

impl Loader {
    pub(crate) fn new(wake: Wake) -> Self {
        Self {
            head: BackgroundTask::new(wake.clone()),
            style: BackgroundTask::new(wake),
        }
    }

    /// Loads a head, or a style with its head, and grows its hair.
    pub(crate) fn load(&mut self, request: LoadRequest) {
        self.style.cancel();
        self.head.begin("Loading the head", move |progress| {
            load(request, progress).map(Box::new)
        });
    }

    /// Runs a job on a style. The session always comes back with its result.
    pub(crate) fn style(&mut self, mut styler: Box<Styler>, job: StyleJob) {
        self.style.begin(job.name(), move |progress| {
            let done = job.run(&mut styler, progress).map(Box::new);
            Ok((styler, done))
        });
    }

    /// Cancels the work on the style.
    pub(crate) fn cancel_style(&mut self) {
        self.style.cancel();
    }

    /// Returns when a job becomes slow enough to show its progress.
    pub(crate) fn shows_at(&self) -> Option<Instant> {
        let times = self.head.shows_at().into_iter();
        times.chain(self.style.shows_at()).min()
    }

    /// Returns the name and the finished share of a job that is slow.
    pub(crate) fn progress(&self) -> Option<(&'static str, f32)> {
        self.head.progress().or_else(|| self.style.progress())
    }

    /// Returns the next result. Styles come first: they may be of the last head.
    pub(crate) fn poll(&mut self) -> Option<Loaded> {
        let style = self.style.poll().map(|done| done.map(Loaded::Style));
        let done = style.or_else(|| self.head.poll().map(|done| done.map(Loaded::Head)))?;
        Some(done.unwrap_or_else(Loaded::Failed))
    }
}

fn load(request: LoadRequest, progress: Progress) -> Result<LoadedHead, Stopped> {
    let LoadRequest {
        source,
        config,
        own_settings,
        kept,
    } = request;
    let since = SystemTime::now();
    let saved = saved(&source)?;
    let is_style = matches!(&source, HeadSource::File(path) if Saved::is_named(path));
    let keeps_style = kept.is_some();
    let takes_over = is_style && own_settings && kept.is_none();
    let config = match takes_over {
        true => saved.style.config.clone(),
        false => config,
    };
    let head = saved.model.load(&config.head);
    let head = Arc::new(head.map_err(|error| Stopped::Failed(error.to_string()))?);
    let model = saved.model.clone();
    let settings = config.head.clone();
    let fitted = match kept {
        Some(kept) => Saved {
            style: kept.style,
            roots: kept.roots,
            ..saved
        },
        None => saved,
    };
    let must_fit = !fitted.style.is_plain();
    let moves = fitted.moves_to(&config.roots);
    let field = moves.then(|| skin(&head)).flatten();
    let (mut styler, mut problem) = (None, None);
    match Styler::open(head.clone(), field, fitted, config, progress) {
        Ok(begun) => styler = Some(Box::new(begun)),
        Err(OpenError::Sample(SampleError::Cancelled)) => return Err(Stopped::Cancelled),
        Err(error) if must_fit => return Err(Stopped::Failed(format!("{source}: {error}"))),
        Err(OpenError::Sample(error)) if head.scalp_part.is_some() => {
            problem = Some(error.to_string());
        }
        // Without paint nothing was to grow yet.
        Err(_) => {}
    }
    Ok(LoadedHead {
        hair: styler.as_deref().map(ShownHair::of),
        source,
        model,
        settings,
        since,
        head,
        styler,
        keeps_style,
        takes_over,
        problem,
    })
}

/// Bakes the skin that edits stay out of while they are transferred to other roots. The window
/// bakes it again later, and reports a failure.
fn skin(head: &Arc<Head>) -> Option<Arc<Sdf>> {
    let go_on = &mut |_| ControlFlow::Continue(());
    let baked = Sdf::bake(&with_skin(head), &SdfSettings::default(), go_on);
    baked.ok().map(Arc::new)
}

/// Opens the style that a source names; for a head, the plain style.
fn saved(source: &HeadSource) -> Result<Saved, Stopped> {
    match source {
        HeadSource::Shipped => Ok(Saved::default()),
        HeadSource::File(path) if Saved::is_named(path) => {
            Saved::open(path).map_err(|error| Stopped::Failed(error.to_string()))
        }
        HeadSource::File(path) => Ok(Saved {
            model: Model::File(path.clone()),
            ..Saved::default()
        }),
    }
}
