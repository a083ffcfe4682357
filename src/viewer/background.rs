//! Work off the window's thread: every long job runs on a thread of its own and wakes the window
//! when it has news.
//!
//! `task` is one job with its progress and its result. The jobs here load heads, grow their hair
//! and change styles.

mod task;

pub(crate) use task::{BackgroundTask, Progress, Stopped, Wake};

use mohawk::head::{Head, HeadSettings, Model};
use mohawk::maps::{Map, MapKind};
use mohawk::roots::{Roots, SampleError};
use mohawk::sim::{Sdf, SdfSettings};
use mohawk::style::{OpenError, PaintError, Saved, Styler, with_skin};
use mohawk::{Config, Groom, Scalp};
use std::{ops::ControlFlow, path::PathBuf, sync::Arc, time::SystemTime};

/// The file of a head; `None`: the head that ships with the program.
pub(crate) type HeadSource = Option<PathBuf>;

/// Returns the name of a head in messages.
pub(crate) fn head_name(source: &HeadSource) -> String {
    let shipped = || "the head that ships with the program".to_owned();
    (source.as_ref()).map_or_else(shipped, |path| path.display().to_string())
}

/// A head to load.
pub(crate) struct LoadRequest {
    pub(crate) source: HeadSource,
    pub(crate) config: Config,
    /// Whether the settings in a style file replace `config`.
    pub(crate) own_settings: bool,
    /// The style to put on the head, instead of the one that `source` has.
    pub(crate) kept: Option<Box<Saved>>,
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

/// Loads a head, or a style with its head, and grows its hair.
pub(crate) fn load(request: LoadRequest, progress: Progress) -> Result<LoadedHead, Stopped> {
    let LoadRequest {
        source,
        config,
        own_settings,
        kept,
    } = request;
    let since = SystemTime::now();
    let saved = saved(&source)?;
    let is_style = source.as_deref().is_some_and(Saved::is_named);
    let keeps_style = kept.is_some();
    let takes_over = is_style && own_settings && kept.is_none();
    let config = match takes_over {
        true => saved.style.config.clone(),
        false => config,
    };
    let head = saved.model.load(&config.head);
    let head = Arc::new(head.map_err(|error| Stopped::Failed(error.to_string()))?);
    let (model, settings) = (saved.model.clone(), config.head.clone());
    let fitted = kept.map_or(saved, |kept| *kept);
    let must_fit = !fitted.style.is_plain();
    let moves = fitted.moves_to(&config.roots);
    let field = moves.then(|| skin(&head)).flatten();
    let (mut styler, mut problem) = (None, None);
    match Styler::open(head.clone(), field, fitted, config, progress) {
        Ok(begun) => styler = Some(Box::new(begun)),
        Err(OpenError::Sample(SampleError::Cancelled)) => return Err(Stopped::Cancelled),
        Err(error) if must_fit => {
            let name = head_name(&source);
            return Err(Stopped::Failed(format!("{name}: {error}")));
        }
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
        None => Ok(Saved::default()),
        Some(path) if Saved::is_named(path) => {
            Saved::open(path).map_err(|error| Stopped::Failed(error.to_string()))
        }
        Some(path) => Ok(Saved {
            model: Model::File(path.clone()),
            ..Saved::default()
        }),
    }
}

/// The hair of a style, as it is shown.
pub(crate) struct ShownHair {
    pub(crate) groom: Groom,
    /// The skin that the roots are on.
    pub(crate) scalp: Arc<Scalp>,
    /// The roots that have hair.
    pub(crate) roots: Arc<Roots>,
    /// Number and spacing (decimetres) of the roots before the density map thins them out.
    pub(crate) whole: (usize, f32),
}

impl ShownHair {
    pub(crate) fn of(styler: &Styler) -> Self {
        let (scalp, roots) = styler.planted();
        Self {
            groom: styler.groom().clone(),
            scalp,
            roots,
            whole: styler.follicles().sampled(),
        }
    }
}

/// A change of a style.
pub(crate) enum StyleJob {
    /// Changes the user's settings, as [`Styler::set_config`].
    Settings {
        config: Box<Config>,
        merge: bool,
    },
    /// Shows the settings of a scene, as [`Styler::override_config`].
    Override(Box<Config>),
    Undo,
    Redo,
    /// Sets all of a map to one value.
    Fill(MapKind, [f32; 3]),
    /// Loads a picture as a map.
    Picture(MapKind, PathBuf),
}

/// The result of a [`StyleJob`].
pub(crate) struct Change {
    pub(crate) hair: ShownHair,
    /// A message for the user.
    pub(crate) message: Option<String>,
    /// Whether the style's settings replace those in use.
    pub(crate) takes_settings: bool,
}

/// A session that comes back from a job, and the job's result.
pub(crate) type StyleResult = (Box<Styler>, Result<Box<Change>, Stopped>);

impl StyleJob {
    /// The name that is shown with the progress.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            StyleJob::Undo => "Undoing",
            StyleJob::Redo => "Redoing",
            _ => "Growing hair",
        }
    }

    /// Whether hair may grow where the model is bald.
    pub(crate) fn wants_bald(&self) -> bool {
        match self {
            StyleJob::Fill(kind, _) | StyleJob::Picture(kind, _) => *kind == MapKind::Density,
            _ => false,
        }
    }

    /// Does the job, and grows the hair that is shown.
    pub(crate) fn run(self, styler: &mut Styler, progress: Progress) -> Result<Change, Stopped> {
        let takes_settings = matches!(self, StyleJob::Undo | StyleJob::Redo);
        let message = self.apply(styler, progress)?;
        Ok(Change {
            hair: ShownHair::of(styler),
            message,
            takes_settings,
        })
    }

    /// Changes the style. Returns a message for the user.
    pub(crate) fn apply(
        self,
        styler: &mut Styler,
        progress: Progress,
    ) -> Result<Option<String>, Stopped> {
        let told = |word, done: Option<String>| match done {
            Some(name) => format!("{word}: {name}"),
            None => format!("nothing to {word}"),
        };
        Ok(match self {
            StyleJob::Undo => Some(told("undo", styler.undo(progress)?)),
            StyleJob::Redo => Some(told("redo", styler.redo(progress)?)),
            StyleJob::Picture(kind, path) => {
                let name = path.display();
                let map = Map::load(&path, kind)
                    .map_err(|error| Stopped::Failed(format!("{name}: {error}")))?;
                styler.set_map(map, progress)?;
                Some(format!("{name} is the {kind} map"))
            }
            StyleJob::Settings { config, merge } => {
                styler.set_config(*config, merge, progress)?;
                None
            }
            StyleJob::Override(config) => {
                styler.override_config(*config, progress)?;
                None
            }
            StyleJob::Fill(kind, value) => {
                styler.fill_map(kind, value, progress)?;
                None
            }
        })
    }
}

impl From<PaintError> for Stopped {
    fn from(error: PaintError) -> Self {
        match error {
            PaintError::Sample(error) => error.into(),
            error => Stopped::Failed(error.to_string()),
        }
    }
}
