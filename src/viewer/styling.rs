//! Styling in the window: the tool in `hand`, the `stroke` in progress, and the session with the
//! style. `ring` is the circle of the brush, `canvas` the window with the model's UV layout.

pub(super) mod canvas;
pub(super) mod ring;
pub(super) mod stroke;

use crate::viewer::background::StyleJob;
use crate::viewer::files::output::StrokeRecording;
use crate::viewer::input::hand::Hand;
use canvas::CanvasWindow;
use mohawk::config::Config;
use mohawk::head::Model;
use mohawk::style::{Stroke, Styler};
use ring::Sizing;
use stroke::Ongoing;

/// The session with the style, or where it is.
#[derive(Default)]
pub(super) enum StylerSlot {
    /// No head, or none that hair can grow on.
    #[default]
    Empty,
    Ready(Box<Styler>),
    /// A background task is working on it.
    Working,
}

impl StylerSlot {
    /// Returns the session, if no background task has it.
    pub(super) fn ready(&self) -> Option<&Styler> {
        match self {
            StylerSlot::Ready(styler) => Some(styler),
            StylerSlot::Empty | StylerSlot::Working => None,
        }
    }
}

/// The state of styling that the rest of the window does not need.
#[derive(Default)]
pub(super) struct Styling {
    /// Whether a brush is in hand.
    pub(super) on: bool,
    pub(super) hand: Hand,
    /// Whether hair stands still at rest.
    pub(super) frozen: bool,
    /// The change of the radius or the strength in progress.
    pub(super) sizing: Option<Sizing>,
    pub(super) styler: StylerSlot,
    /// Whether the style in the background task has more than settings.
    pub(super) sent_styled: bool,
    pub(super) stroke: Option<Ongoing>,
    /// The recording of strokes in progress.
    pub(super) recording: Option<StrokeRecording<Stroke>>,
    /// The last advice about a head without hair.
    pub(super) advised: Option<String>,
    /// The job for the style that waits until bald skin has follicles.
    pub(super) after_planting: Option<StyleJob>,
    /// The fill of a map in progress, to be recorded at its end.
    pub(super) filling: Option<Stroke>,
    pub(super) canvas: CanvasWindow,
    /// A number that changes with maps and hair.
    pub(super) revision: u64,
    /// The model, as files name it.
    pub(super) model: Model,
    /// Settings that are being applied to the style.
    pub(super) asked: Option<Box<Config>>,
    /// Settings that failed to apply, and are not tried again.
    pub(super) refused: Option<Box<Config>>,
    /// Whether changes of settings are one thing to undo, as while a slider is held.
    pub(super) merging: bool,
}
