//! What takes long to do to a style, and the hair that comes of it.

use crate::viewer::background::loader::Stopped;
use mohawk::config::Config;
use mohawk::groom::Groom;
use mohawk::maps::{Map, MapKind};
use mohawk::roots::Roots;
use mohawk::scalp::Scalp;
use mohawk::style::{PaintError, Styler};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// Hair as it is shown, and what it grows from.
pub(crate) struct Worn {
    pub(crate) groom: Groom,
    /// The roots that have hair, and the skin that their places are of.
    pub(crate) roots: Arc<Roots>,
    pub(crate) scalp: Arc<Scalp>,
    /// Roots that density leaves out none of: how many, and how far apart, decimetres.
    pub(crate) whole: (usize, f32),
}

impl Worn {
    pub(crate) fn of(styler: &Styler) -> Self {
        let (scalp, roots) = styler.planted();
        let whole = styler.follicles().sampled();
        Self {
            groom: styler.groom().clone(),
            roots: Arc::new(roots),
            scalp: Arc::new(scalp),
            whole,
        }
    }
}

/// Something to do to a style.
pub(crate) struct Work {
    /// The person's settings, where a scene has lent it others.
    pub(crate) own: Option<Box<Config>>,
    pub(crate) what: What,
}

pub(crate) enum What {
    /// Other settings, which can be undone; or, merged, as one with those before.
    Settings {
        config: Box<Config>,
        merge: bool,
    },
    /// A scene's settings, which cannot.
    Lend(Box<Config>),
    Undo,
    Redo,
    /// One value for all of a map.
    Fill(MapKind, [f32; 3]),
    /// A picture for a map.
    Picture(MapKind, PathBuf),
}

impl What {
    /// Could hair grow where the model is bald?
    pub(crate) fn wants_bald(&self) -> bool {
        match self {
            What::Fill(kind, _) | What::Picture(kind, _) => *kind == MapKind::Density,
            _ => false,
        }
    }
}

/// What was done.
pub(crate) struct Change {
    pub(crate) worn: Worn,
    /// What to tell people.
    pub(crate) told: Option<String>,
    /// Settings may be others than those that were asked for.
    pub(crate) takes_settings: bool,
}

impl Work {
    pub(crate) fn name(&self) -> &'static str {
        match self.what {
            What::Settings { .. } | What::Lend(_) => "Growing hair",
            What::Undo => "Undoing",
            What::Redo => "Redoing",
            What::Fill(..) | What::Picture(..) => "Growing hair",
        }
    }

    pub(crate) fn run(
        self,
        styler: &mut Styler,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Change, Stopped> {
        if let Some(own) = self.own {
            styler.override_config(*own, progress)?;
        }
        let mut told = None;
        let mut takes_settings = false;
        match self.what {
            What::Settings { config, merge } => styler.set_config(*config, merge, progress)?,
            What::Lend(config) => styler.override_config(*config, progress)?,
            What::Undo | What::Redo => {
                takes_settings = true;
                let (done, word) = match self.what {
                    What::Undo => (styler.undo(progress)?, "undo"),
                    _ => (styler.redo(progress)?, "redo"),
                };
                told = Some(match done {
                    Some(name) => format!("{word}: {name}"),
                    None => format!("nothing to {word}"),
                });
            }
            What::Fill(kind, value) => styler.fill_map(kind, value, progress).map_err(painted)?,
            What::Picture(kind, path) => {
                let name = path.display();
                let map = Map::load(&path, kind)
                    .map_err(|error| Stopped::Failed(format!("{name}: {error}")))?;
                styler.set_map(map, progress).map_err(painted)?;
                told = Some(format!("{name} is the {kind} map"));
            }
        }
        Ok(Change {
            worn: Worn::of(styler),
            told,
            takes_settings,
        })
    }
}

fn painted(error: PaintError) -> Stopped {
    match error {
        PaintError::Sample(error) => error.into(),
        error => Stopped::Failed(error.to_string()),
    }
}
