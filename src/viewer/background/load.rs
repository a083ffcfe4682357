//! The job that loads a head, or a style with its head, and grows its hair.

use super::{Progress, ShownHair, Stopped};
use crate::viewer::platform::Beside;
use mohawk::head::{Head, HeadSettings, Model};
use mohawk::presets::Preset;
use mohawk::roots::SampleError;
use mohawk::style::{self, Card, Measured, OpenError, Saved, Styler};
use mohawk::{Config, RayFinder};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use web_time::{Duration, SystemTime};

/// The file of a head; `None`: the head that ships with the program.
pub(crate) type HeadSource = Option<PathBuf>;

/// Returns the name of a head in messages.
pub(crate) fn head_name(source: &HeadSource) -> String {
    let shipped = || "the head that ships with the program".to_owned();
    (source.as_ref()).map_or_else(shipped, |path| path.display().to_string())
}

/// Returns `true` if a file has a style, and not only a head.
pub(crate) fn has_style(path: &Path) -> bool {
    Saved::is_named(path) || style::is_hair(path)
}

/// A head to load. By default it is the one that ships with the program.
#[derive(Default)]
pub(crate) struct LoadRequest {
    pub(crate) source: HeadSource,
    pub(crate) config: Config,
    /// The style for the head in place of a plain one.
    pub(crate) preset: Option<Preset>,
    /// `true` if the settings in a style file or a preset replace `config`.
    pub(crate) own_settings: bool,
    /// The head of the preset as it was measured before, and the settings that it was read with.
    pub(crate) measured: Option<(HeadSettings, Measured)>,
    /// The head that is shown, and the settings that it was read with: strands that are opened may lie
    /// on it.
    pub(crate) shown: Option<(Model, HeadSettings)>,
    /// The style to put on the head, instead of the one that `source` has.
    pub(crate) kept: Option<Box<Saved>>,
    /// Takes a large head as soon as it is read, before its hair.
    pub(crate) early: Option<Sender<EarlyHead>>,
}

/// A head before its hair, and what is dropped once it is on the screen.
pub(crate) type EarlyHead = (Arc<Head>, Sender<()>);

/// Heads of more triangles are shown before their hair: roots are sampled on them for a second or more.
const LARGE: usize = 300_000;

/// Hair does not wait longer for the first picture of a large head: a hidden window draws none.
const LONGEST_DRAWING: Duration = Duration::from_secs(5);

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
    /// Finds where the pointer is on it.
    pub(crate) rays: Option<Arc<RayFinder>>,
    /// The session with the style; `None`: no hair can grow.
    pub(crate) styler: Option<Box<Styler>>,
    pub(crate) hair: Option<ShownHair>,
    /// `true` if the head has the style of [`LoadRequest::kept`].
    pub(crate) keeps_style: bool,
    /// `true` if the settings of the style replace those in use.
    pub(crate) takes_over: bool,
    /// The reason why a painted head has no hair.
    pub(crate) problem: Option<String>,
    /// The preset that the head has, if it is shown for the first time.
    pub(crate) preset: Option<Preset>,
    /// The line, the picture and the scene that lists show of the style.
    pub(crate) card: Card,
    /// A message for the user.
    pub(crate) notice: Option<String>,
}

/// Loads a head, or a style with its head, and grows its hair.
pub(crate) fn load(request: LoadRequest, progress: Progress) -> Result<LoadedHead, Stopped> {
    let (source, config, kept) = (request.source, request.config, request.kept);
    let since = SystemTime::now();
    let failed = |error: style::FileError| Stopped::Failed(error.to_string());
    let preset = request.preset.filter(|_| kept.is_none());
    let begun = preset
        .as_ref()
        .map(Preset::open)
        .transpose()
        .map_err(failed)?;
    let is_hair = source.as_deref().is_some_and(style::is_hair);
    let is_style = source.as_deref().is_some_and(has_style) || begun.is_some();
    let begun = begun.unwrap_or_default();
    let mut left_out = None;
    let saved = match (&source, kept.as_deref()) {
        // The style may be on another head than the one that is shown by default, and its file gone.
        (_, Some(kept)) => Saved {
            model: kept.model.clone(),
            ..Saved::default()
        },
        (None, None) => begun,
        (Some(path), None) if is_hair => {
            let shown: Vec<_> = request.shown.into_iter().collect();
            let opened = style::open_hair(path, &shown, &config.head.limits);
            opened.map_err(|error| Stopped::Failed(error.to_string()))?
        }
        (Some(path), None) if Saved::is_named(path) => Saved::open(path).map_err(failed)?,
        // A head has the plain style.
        (Some(path), None) => {
            let (saved, lost) = begun.on_model(Model::File(path.clone()));
            left_out = lost;
            saved
        }
    };
    let notice = (preset.as_ref().zip(left_out))
        .map(|(preset, left_out)| left_out_notice(preset, &left_out));
    let keeps_style = kept.is_some();
    let takes_over = is_style && request.own_settings && kept.is_none();
    let config = match takes_over {
        true => saved.style.config.clone(),
        false => config,
    };
    let measured = request.measured.filter(|(with, _)| *with == config.head);
    let measured = match measured {
        Some((_, measured)) => measured,
        None => {
            // A page draws between the parts of the job.
            let between = &mut || _ = progress(0.0);
            let head = saved.model.load_in_parts(&config.head, between);
            let head = Arc::new(head.map_err(|error| Stopped::Failed(error.to_string()))?);
            if let Some(early) = request.early.filter(|_| head.triangle_count() > LARGE) {
                let (drawn, is_drawn) = channel();
                // The window may be gone.
                _ = early.send((head.clone(), drawn));
                _ = progress(0.0);
                // The picture comes sooner if nothing else works meanwhile. A page draws in turns.
                if !cfg!(target_arch = "wasm32") {
                    _ = is_drawn.recv_timeout(LONGEST_DRAWING);
                }
            }
            _ = progress(0.0);
            Measured::new(head, None)
        }
    };
    let head = measured.head().clone();
    // Its tree takes about as long as reading the head.
    let rays = Beside::begin({
        let head = head.clone();
        move || RayFinder::of(&head)
    });
    _ = progress(0.0);
    let (model, settings) = (saved.model.clone(), config.head.clone());
    // A style that begins with a preset is another one.
    let card = match (&kept, &preset) {
        (Some(kept), _) => kept.card.clone(),
        (None, Some(_)) => Card::default(),
        (None, None) => saved.card.clone(),
    };
    let fitted = kept.map_or(saved, |kept| *kept);
    let must_fit = !fitted.is_plain();
    let (mut styler, mut problem) = (None, None);
    match Styler::open(measured, fitted, config, progress) {
        Ok(begun) => styler = Some(Box::new(begun)),
        Err(OpenError::Sample(SampleError::Cancelled)) => return Err(Stopped::Cancelled),
        Err(error) if must_fit => {
            let name = preset.map_or_else(|| head_name(&source), |preset| preset.name().to_owned());
            return Err(Stopped::Failed(format!("{name}: {error}")));
        }
        Err(OpenError::Sample(error)) if head.scalp_part.is_some() => {
            problem = Some(error.to_string());
        }
        // Nothing was to grow yet without paint.
        Err(_) => {}
    }
    Ok(LoadedHead {
        hair: styler.as_deref().map(ShownHair::of),
        source,
        model,
        settings,
        since,
        head,
        rays: rays.join().map(Arc::new),
        styler,
        keeps_style,
        takes_over,
        problem,
        preset,
        card,
        notice,
    })
}

/// Returns the message about parts of a preset that another head cannot have.
pub(super) fn left_out_notice(preset: &Preset, left_out: &str) -> String {
    format!("{}: {left_out}", preset.name())
}
