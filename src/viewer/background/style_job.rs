//! Changes of a style that can take long: what runs in the background, and the hair that results.

use super::task::{Progress, Stopped};
use mohawk::config::Config;
use mohawk::groom::Groom;
use mohawk::maps::{Map, MapKind};
use mohawk::roots::Roots;
use mohawk::scalp::Scalp;
use mohawk::style::{PaintError, Styler};
use std::path::PathBuf;
use std::sync::Arc;

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
        let message = match self {
            StyleJob::Undo => told("undo", styler.undo(progress)?),
            StyleJob::Redo => told("redo", styler.redo(progress)?),
            StyleJob::Picture(kind, path) => {
                let name = path.display();
                let map = Map::load(&path, kind)
                    .map_err(|error| Stopped::Failed(format!("{name}: {error}")))?;
                styler.set_map(map, progress).map_err(paint_failed)?;
                format!("{name} is the {kind} map")
            }
            StyleJob::Settings { config, merge } => {
                styler.set_config(*config, merge, progress)?;
                return Ok(None);
            }
            StyleJob::Override(config) => {
                styler.override_config(*config, progress)?;
                return Ok(None);
            }
            StyleJob::Fill(kind, value) => {
                let filled = styler.fill_map(kind, value, progress);
                filled.map_err(paint_failed)?;
                return Ok(None);
            }
        };
        Ok(Some(message))
    }
}

fn paint_failed(error: PaintError) -> Stopped {
    match error {
        PaintError::Sample(error) => error.into(),
        error => Stopped::Failed(error.to_string()),
    }
}
