//! Loads heads, samples their roots and grows their hair.

use super::style_job::ShownHair;
use super::task::{Progress, Stopped};
use mohawk::config::Config;
use mohawk::head::{Head, HeadSettings, Model};
use mohawk::roots::SampleError;
use mohawk::sim::{Sdf, SdfSettings};
use mohawk::style::{OpenError, Saved, Styler, with_skin};
use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

/// The source of a head.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum HeadSource {
    /// Embedded in the program.
    #[default]
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
        Some(kept) => *kept,
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
