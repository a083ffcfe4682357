//! The jobs that change a style, and the hair that comes of them.

use super::load::left_out_notice;
use super::{Progress, Stopped};
use mohawk::head::Model;
use mohawk::maps::{LayerEdit, Map, MapKind};
use mohawk::presets::Preset;
use mohawk::style::{PaintValue, Planted, Stroke, Styler};
use mohawk::{Config, Groom};
use std::{path::PathBuf, sync::Arc};
use web_time::Instant;

/// The hair of a style, as it is shown.
pub(crate) struct ShownHair {
    pub(crate) groom: Arc<Groom>,
    /// The roots that have hair, and the skin that they are on.
    pub(crate) planted: Planted,
    /// Number and spacing (decimetres) of the roots before the density map thins them out.
    pub(crate) whole: (usize, f32),
    /// The share of the strands that there are; below 1 in drafts.
    pub(crate) share: f32,
    /// The share by which each strand is selected, 0 to 1; empty: all are.
    pub(crate) selected: Vec<f32>,
}

impl ShownHair {
    pub(crate) fn of(styler: &Styler) -> Self {
        Self {
            groom: styler.groom().clone(),
            planted: styler.planted().clone(),
            whole: styler.follicles().sampled(),
            share: styler.draft().unwrap_or(1.0),
            selected: styler.selected(),
        }
    }
}

/// A change of a style.
pub(crate) enum StyleJob {
    /// Changes the user's settings, as [`Styler::set_config`], and grows this share of the hair.
    Settings {
        config: Box<Config>,
        merge: bool,
        share: f32,
    },
    /// Changes the user's settings, and shows those of a scene instead, as
    /// [`Styler::override_config`].
    Override {
        user: Box<Config>,
        config: Box<Config>,
        merge: bool,
    },
    Undo,
    Redo,
    /// Sets all of a map or of one of its layers, or one side, to one value.
    Fill(Box<Stroke>),
    /// Changes the layers of a map, as [`Styler::edit_layer`].
    Layers {
        map: MapKind,
        name: String,
        edit: LayerEdit,
        merge: bool,
    },
    /// Loads a picture as a map.
    Picture(MapKind, PathBuf),
    /// Takes this number of guides from hair, as [`Styler::take_guides`].
    Guides(Option<usize>, usize),
    /// Takes a preset in place of the style, on the head that is shown.
    Preset(Preset, Model),
}

/// The result of a [`StyleJob`].
pub(crate) struct Change {
    pub(crate) hair: ShownHair,
    /// The fill of a map that it was.
    pub(crate) filled: Option<Box<Stroke>>,
    /// A message for the user.
    pub(crate) message: Option<String>,
    /// `true` if the style's settings replace those in use.
    pub(crate) takes_settings: bool,
    /// `true` if the style is now a preset.
    pub(crate) is_preset: bool,
}

/// A session that comes back from a job, and the job's result.
pub(crate) type StyleResult = (Box<Styler>, Result<Box<Change>, Stopped>);

impl StyleJob {
    /// Returns the name that is shown with the progress.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            StyleJob::Undo => "Undoing",
            StyleJob::Redo => "Redoing",
            _ => "Growing hair",
        }
    }

    /// Returns `true` if hair may grow where the model is bald.
    pub(crate) fn wants_bald(&self) -> bool {
        match self {
            StyleJob::Fill(stroke) => stroke.map == Some(MapKind::Density),
            StyleJob::Picture(map, _) | StyleJob::Layers { map, .. } => *map == MapKind::Density,
            _ => false,
        }
    }

    /// Returns `true` if it is a step of the history.
    pub(crate) fn is_step(&self) -> bool {
        matches!(self, StyleJob::Undo | StyleJob::Redo)
    }

    /// Returns `true` if it changes more than settings.
    pub(crate) fn edits(&self) -> bool {
        use StyleJob::{Fill, Layers, Picture};
        matches!(self, Fill(_) | Layers { .. } | Picture(..))
    }

    /// Runs the job, and grows the hair that is shown.
    pub(crate) fn run(self, styler: &mut Styler, progress: Progress) -> Result<Change, Stopped> {
        let is_preset = matches!(self, StyleJob::Preset(..));
        let takes_guides = matches!(self, StyleJob::Guides(..));
        let takes_settings = is_preset || takes_guides || self.is_step();
        let filled = match &self {
            StyleJob::Fill(stroke) => Some(stroke.clone()),
            _ => None,
        };
        let started = Instant::now();
        let message = self.apply(styler, progress)?;
        let (strands, ms) = (styler.groom().len(), started.elapsed().as_millis());
        tracing::debug!("grew {strands} strands in {ms} ms");
        Ok(Change {
            hair: ShownHair::of(styler),
            filled,
            message,
            takes_settings,
            is_preset,
        })
    }

    /// Changes the style. Returns a message for the user.
    pub(crate) fn apply(
        self,
        styler: &mut Styler,
        progress: Progress,
    ) -> Result<Option<String>, Stopped> {
        styler.set_share(1.0);
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
            StyleJob::Preset(preset, model) => {
                let (name, started) = (preset.name(), Instant::now());
                let opened = preset.open();
                let saved = opened.map_err(|error| Stopped::Failed(error.to_string()))?;
                let is_own = saved.model.is_same(&model);
                let (mut saved, left_out) = saved.on_model(model);
                // A head without a scalp keeps the hair that the user has painted on it.
                if !is_own && saved.strands.is_none() && styler.head().scalp_part.is_none() {
                    saved.style.take_map(styler.style(), MapKind::Density);
                }
                let read = started.elapsed().as_millis();
                styler.replace(saved, &format!("preset {name}"), progress)?;
                let all = started.elapsed().as_millis();
                tracing::debug!("preset {name}: read in {read} ms, grown after {all} ms");
                left_out.map(|left_out| left_out_notice(&preset, &left_out))
            }
            StyleJob::Settings {
                config,
                merge,
                share,
            } => {
                styler.set_share(share);
                styler.set_config(*config, merge, progress)?;
                None
            }
            StyleJob::Override {
                user,
                config,
                merge,
            } => {
                if *user != *styler.user_config() {
                    styler.set_config(*user, merge, progress)?;
                }
                styler.override_config(*config, progress)?;
                None
            }
            StyleJob::Guides(modifier, count) => {
                let taken = styler.take_guides(modifier, count);
                Some(format!("{taken} guides, evenly spread"))
            }
            StyleJob::Fill(stroke) => {
                let value = stroke.value.and_then(PaintValue::rgb);
                if let Some(map) = stroke.map {
                    styler.fill_map(map, stroke.layer.as_deref(), value, stroke.side, progress)?;
                }
                None
            }
            StyleJob::Layers {
                map,
                name,
                edit,
                merge,
            } => {
                styler.edit_layer(map, &name, &edit, merge, progress)?;
                None
            }
        })
    }
}
