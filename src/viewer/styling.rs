//! Styling in the window: what is in hand, the stroke that is going on, and the style itself.
//!
//! | file | what it is about |
//! |---|---|
//! | `hand` | tools and how they are held |
//! | `stroke` | a stroke, from the first touch until it is done and recorded |
//! | `ring` | the circle of the brush |
//! | `canvas` | the canvas: the model's UV layout, to be painted on |

pub(super) mod canvas;
pub(super) mod hand;
pub(super) mod ring;
pub(super) mod stroke;

use super::recording::Recording;
use super::works::What;
use canvas::CanvasWindow;
use hand::Hand;
use mohawk::config::Config;
use mohawk::style::Stroke;
use mohawk::style::{Model, Styler};
use ring::Sizing;
use std::path::PathBuf;
use stroke::Ongoing;

/// Where the session with the style is.
#[derive(Default)]
pub(super) enum Bench {
    /// Nothing can grow on the head, or there is none.
    #[default]
    Empty,
    Here(Box<Styler>),
    /// On the loading thread, which is doing something to it.
    Away,
}

impl Bench {
    /// The session, if it is here.
    pub(super) fn here(&self) -> Option<&Styler> {
        match self {
            Bench::Here(styler) => Some(styler),
            Bench::Empty | Bench::Away => None,
        }
    }
}

/// All that styling needs and the rest of the window does not.
#[derive(Default)]
pub(super) struct Styling {
    /// A brush is in hand.
    pub(super) on: bool,
    pub(super) hand: Hand,
    /// Hair stands still, as it is at rest.
    pub(super) frozen: bool,
    /// The brush is being made larger or stronger.
    pub(super) sizing: Option<Sizing>,
    pub(super) bench: Bench,
    /// What was sent to the loading thread was more than settings.
    pub(super) sent_styled: bool,
    pub(super) stroke: Option<Ongoing>,
    /// Strokes that are being recorded.
    pub(super) recording: Option<Recording<Stroke>>,
    /// What was said of a head without hair.
    pub(super) advised: Option<String>,
    /// What is done to the style as soon as bald skin has its follicles.
    pub(super) after_planting: Option<What>,
    /// A map that is being filled, to be recorded when it is.
    pub(super) filling: Option<Ongoing>,
    pub(super) canvas: CanvasWindow,
    /// What the head is called in files.
    pub(super) model: Model,
    /// Where the style was opened from, or saved to last.
    pub(super) file: Option<PathBuf>,
    /// What is typed to save it under.
    pub(super) name: String,
    /// The state that is saved.
    pub(super) saved: u64,
    /// The style holds settings that a scene has lent: these are the person's that it held before.
    pub(super) own: Option<Box<Config>>,
    /// Settings that the style is taking on.
    pub(super) asked: Option<Box<Config>>,
    /// Settings that could not be put to work, and are not tried again.
    pub(super) refused: Option<Box<Config>>,
    /// Settings are changed in one go: a slider is held.
    pub(super) merging: bool,
}
