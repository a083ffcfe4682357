//! Work off the window's thread: every long job runs on a thread of its own and wakes the window
//! when it has news. The jobs here load heads, grow their hair and change styles.

use crate::viewer::window_host::WindowNews;
use mohawk::head::{Head, HeadSettings, Model};
use mohawk::maps::{LayerEdit, Map, MapKind};
use mohawk::presets::Preset;
use mohawk::roots::{Roots, SampleError};
use mohawk::sim::{Sdf, SdfSettings};
use mohawk::style::{
    self, Card, FillSide, Measured, OpenError, PaintError, Saved, Styler, with_skin,
};
use mohawk::{Config, Groom, Scalp};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant, SystemTime};
use std::{ops::ControlFlow, path::PathBuf, sync::Arc};
use winit::event_loop::EventLoopProxy;

/// The file of a head; `None`: the head that ships with the program.
pub(crate) type HeadSource = Option<PathBuf>;

/// Returns the name of a head in messages.
pub(crate) fn head_name(source: &HeadSource) -> String {
    let shipped = || "the head that ships with the program".to_owned();
    (source.as_ref()).map_or_else(shipped, |path| path.display().to_string())
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
    /// `true` if the head has the style of [`LoadRequest::kept`].
    pub(crate) keeps_style: bool,
    /// `true` if the settings of the style replace those in use.
    pub(crate) takes_over: bool,
    /// The reason why a painted head has no hair.
    pub(crate) problem: Option<String>,
    /// The preset that the head has, if it is shown for the first time.
    pub(crate) preset: Option<Preset>,
    /// What a list shows of the style.
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
    let is_style = source.as_deref().is_some_and(Saved::is_named) || begun.is_some();
    let begun = begun.unwrap_or_default();
    let mut left_out = None;
    let saved = match &source {
        // The style may be on another head than the one that is shown by default.
        None => (kept.as_deref()).map_or(begun, |kept| Saved {
            model: kept.model.clone(),
            ..Saved::default()
        }),
        Some(path) if Saved::is_named(path) => Saved::open(path).map_err(failed)?,
        // A head has the plain style.
        Some(path) => {
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
            let head = saved.model.load(&config.head);
            let head = head.map_err(|error| Stopped::Failed(error.to_string()))?;
            Measured::new(Arc::new(head), None)
        }
    };
    let head = measured.head().clone();
    let (model, settings) = (saved.model.clone(), config.head.clone());
    // A style that begins with a preset is another one.
    let card = match (&kept, &preset) {
        (Some(kept), _) => kept.card.clone(),
        (None, Some(_)) => Card::default(),
        (None, None) => saved.card.clone(),
    };
    let fitted = kept.map_or(saved, |kept| *kept);
    let must_fit = !fitted.style.is_plain();
    let moves = fitted.moves_to(&config.roots);
    // Edits that are transferred to other roots stay out of the skin. The window bakes it again
    // later, and reports a failure.
    let go_on = &mut |_| ControlFlow::Continue(());
    let bake = || Sdf::bake(&with_skin(&head), &SdfSettings::default(), go_on).ok();
    let measured = match moves.then(bake).flatten() {
        Some(field) => measured.with_field(Arc::new(field)),
        None => measured,
    };
    let (mut styler, mut problem) = (None, None);
    match Styler::open_on(measured, fitted, config, progress) {
        Ok(begun) => styler = Some(Box::new(begun)),
        Err(OpenError::Sample(SampleError::Cancelled)) => return Err(Stopped::Cancelled),
        Err(error) if must_fit => {
            let name = preset.map_or_else(|| head_name(&source), |preset| preset.name().to_owned());
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
        preset,
        card,
        notice,
    })
}

/// Returns the message about parts of a preset that another head cannot have.
fn left_out_notice(preset: &Preset, left_out: &str) -> String {
    format!("{}: {left_out}", preset.name())
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
    /// The share of the strands that there are; below 1 in drafts.
    pub(crate) share: f32,
    /// How much each strand is selected, 0 to 1; empty: all are.
    pub(crate) selected: Vec<f32>,
}

impl ShownHair {
    pub(crate) fn of(styler: &Styler) -> Self {
        let (scalp, roots) = styler.planted();
        Self {
            groom: styler.groom().clone(),
            scalp,
            roots,
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
    /// Shows the settings of a scene, as [`Styler::override_config`].
    Override(Box<Config>),
    Undo,
    Redo,
    /// Sets all of a map or of the layer of this name, or one side, to one value.
    Fill(MapKind, Option<String>, [f32; 3], Option<FillSide>),
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
    /// The name that is shown with the progress.
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
            StyleJob::Fill(map, ..) | StyleJob::Picture(map, _) | StyleJob::Layers { map, .. } => {
                *map == MapKind::Density
            }
            _ => false,
        }
    }

    /// Does the job, and grows the hair that is shown.
    pub(crate) fn run(self, styler: &mut Styler, progress: Progress) -> Result<Change, Stopped> {
        let is_preset = matches!(self, StyleJob::Preset(..));
        let others = matches!(self, StyleJob::Undo | StyleJob::Redo | StyleJob::Guides(..));
        let takes_settings = is_preset || others;
        let started = Instant::now();
        let message = self.apply(styler, progress)?;
        let (strands, ms) = (styler.groom().len(), started.elapsed().as_millis());
        tracing::debug!("grew {strands} strands in {ms} ms");
        Ok(Change {
            hair: ShownHair::of(styler),
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
                let (saved, left_out) = saved.on_model(model);
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
            StyleJob::Override(config) => {
                styler.override_config(*config, progress)?;
                None
            }
            StyleJob::Guides(modifier, count) => {
                let taken = styler.take_guides(modifier, count);
                Some(format!("{taken} guides, evenly spread"))
            }
            StyleJob::Fill(kind, layer, value, side) => {
                styler.fill_map(kind, layer.as_deref(), Some(value), side, progress)?;
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

impl From<OpenError> for Stopped {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Sample(error) => error.into(),
            error => Stopped::Failed(error.to_string()),
        }
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

/// The window is woken for progress no more often than this.
const WAKE_INTERVAL: Duration = Duration::from_millis(50);

/// Jobs that take longer than this show their progress.
const SLOW: Duration = Duration::from_millis(150);

/// Receives the finished share of a job, and says whether the job shall go on.
pub(crate) type Progress<'a> = &'a mut (dyn FnMut(f32) -> ControlFlow<()> + Send);

/// The reason why a job ended without a result.
pub(crate) enum Stopped {
    Cancelled,
    /// The reason, for the user.
    Failed(String),
}

impl From<SampleError> for Stopped {
    fn from(error: SampleError) -> Self {
        match error {
            SampleError::Cancelled => Stopped::Cancelled,
            error => Stopped::Failed(error.to_string()),
        }
    }
}

/// The progress of a job.
pub(crate) struct TaskProgress {
    pub(crate) name: &'static str,
    /// The finished share.
    pub(crate) share: f32,
    /// The time from which it is shown: short jobs show none.
    pub(crate) shows_at: Instant,
}

/// Wakes the window, from any thread.
pub(crate) type Wake = EventLoopProxy<WindowNews>;

/// Runs one job at a time. Dropped, it tells the job to stop.
pub(crate) struct BackgroundTask<T> {
    running: Option<Running<T>>,
}

impl<T> Default for BackgroundTask<T> {
    fn default() -> Self {
        Self { running: None }
    }
}

struct Running<T> {
    name: &'static str,
    since: Instant,
    /// False: the job is cancelled.
    wanted: Arc<AtomicBool>,
    /// Finished share, in millionths.
    progress: Arc<AtomicU32>,
    result: Receiver<Result<T, String>>,
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        self.wanted.store(false, Ordering::Release);
    }
}

impl<T: Send + 'static> BackgroundTask<T> {
    /// Begins a job, and drops the one that runs. `name` is shown with its progress. Progress and
    /// the result wake the window.
    pub(crate) fn begin(
        &mut self,
        wake: &Wake,
        name: &'static str,
        job: impl FnOnce(Progress) -> Result<T, Stopped> + Send + 'static,
    ) {
        let (outgoing, result) = channel();
        let running = Running {
            name,
            since: Instant::now(),
            wanted: Arc::new(AtomicBool::new(true)),
            progress: Arc::default(),
            result,
        };
        let (wanted, progress) = (running.wanted.clone(), running.progress.clone());
        let wake = wake.clone();
        self.running = Some(running);
        std::thread::spawn(move || {
            // The window may be gone; then nobody needs waking.
            let wake = || drop(wake.send_event(WindowNews::BackgroundTask));
            let mut woken = Instant::now();
            let mut report = |share: f32| {
                progress.store((share * 1e6) as u32, Ordering::Release);
                if woken.elapsed() > WAKE_INTERVAL {
                    woken = Instant::now();
                    wake();
                }
                match wanted.load(Ordering::Acquire) {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            };
            // Otherwise the window would never learn of a panic.
            let done = match catch_unwind(AssertUnwindSafe(|| job(&mut report))) {
                Ok(Err(Stopped::Cancelled)) => return,
                Ok(Err(Stopped::Failed(why))) => Err(why),
                Ok(Ok(done)) => Ok(done),
                Err(_) => Err("an internal error of mohawk ended the work".to_owned()),
            };
            let _ = outgoing.send(done);
            wake();
        });
    }

    /// Tells the job to stop. If it has a result all the same, [`poll`](Self::poll) returns it.
    pub(crate) fn cancel(&mut self) {
        if let Some(running) = &self.running {
            running.wanted.store(false, Ordering::Release);
        }
    }

    /// Returns the progress of the job, unless it is cancelled.
    pub(crate) fn progress(&self) -> Option<TaskProgress> {
        let running = self.running.as_ref()?;
        let wanted = running.wanted.load(Ordering::Acquire);
        wanted.then(|| TaskProgress {
            name: running.name,
            share: running.progress.load(Ordering::Acquire) as f32 / 1e6,
            shows_at: running.since + SLOW,
        })
    }

    /// Returns the result once, or for the user why there is none.
    pub(crate) fn poll(&mut self) -> Option<Result<T, String>> {
        let done = match self.running.as_ref()?.result.try_recv() {
            Ok(done) => Some(done),
            Err(TryRecvError::Empty) => return None,
            // It was cancelled.
            Err(TryRecvError::Disconnected) => None,
        };
        self.running = None;
        done
    }
}
