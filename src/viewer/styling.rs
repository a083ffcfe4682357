//! Styling in the window: the session with the style, and the stroke in progress, from the first
//! touch until it is done and recorded. `ring` is the circle of the brush, `canvas` the window with the
//! model's UV layout, and `layers` the list of layers of the map that is painted.

pub(super) mod canvas;
pub(super) mod layers;
pub(super) mod ring;

use crate::viewer::background::StyleJob;
use crate::viewer::files::StrokeRecording;
use crate::viewer::input::action::{Action, Hand};
use crate::viewer::subject::simulations::Side;
use canvas::CanvasWindow;
use layers::LayerList;
use mohawk::Config;
use mohawk::head::Model;
use mohawk::maps::{LayeredMap, MapKind};
use mohawk::strokes::VERSION;
use mohawk::style::{Camera, Card, FillSide, SelectBy, Stroke, StrokeFile, Styler, Tool, View};
use ring::Sizing;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use web_time::Instant;

/// The message where no hair can grow.
pub(super) const NO_SCALP: &str = "There is no head here that hair could grow on";

/// The message while a scene without a head is shown.
pub(super) const OWN_STRANDS: &str = "The scene has strands of its own: stop it to style hair";

/// The message while a scene shows another head than the user's.
pub(super) const OWN_HEAD: &str = "The scene has a head of its own: stop it to style hair";

/// A style that is saved when its hair has grown.
pub(super) struct AwaitedSave {
    /// The file, if one was given.
    pub(super) path: Option<PathBuf>,
    /// The action that follows, if one was asked for.
    pub(super) then: Option<Action>,
}

/// The message while the head that styling needs is not there.
pub(super) const STILL_LOADING: &str = "Please wait: the head is still being loaded";

/// The message where frozen hair would have to move.
pub(super) const FROZEN: &str = "Hair is frozen: T lets it move again";

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
    /// `true` if a brush is in hand.
    pub(super) on: bool,
    pub(super) hand: Hand,
    /// `true` if hair stands still at rest.
    pub(super) frozen: bool,
    /// The change of the radius or the strength in progress.
    pub(super) sizing: Option<Sizing>,
    pub(super) styler: StylerSlot,
    /// `true` if the style in the background task has more than settings, or will have.
    pub(super) sent_styled: bool,
    pub(super) stroke: Option<Ongoing>,
    /// The style that is saved when its hair has grown, if that was asked for.
    pub(super) saves: Option<AwaitedSave>,
    /// The recording of strokes in progress.
    pub(super) recording: Option<StrokeRecording<Stroke>>,
    /// The last advice about a head without hair.
    pub(super) advised: Option<String>,
    pub(super) canvas: CanvasWindow,
    pub(super) layers: LayerList,
    /// A number that changes with maps and hair.
    pub(super) revision: u64,
    /// The values at the strands of the mask that is painted, and that number with them.
    pub(super) masked: Option<(MapKind, u64, Arc<[f32]>)>,
    /// The model, as files name it.
    pub(super) model: Model,
    /// The line, the picture and the scene that lists show of the style.
    pub(super) card: Card,
    /// Settings that are being applied to the style.
    pub(super) asked: Option<Box<Config>>,
    /// The user's settings when the style left for a background task.
    pub(super) sent: Option<Box<Config>>,
    /// `true` if the settings that are being applied continue the last step.
    pub(super) continues: bool,
    /// `true` if the settings that are being applied are to be undone.
    pub(super) reverts: bool,
    /// Settings that failed to apply, and are not tried again.
    pub(super) refused: Option<Box<Config>>,
    /// `true` if changes of settings are one thing to undo, as while a slider is held.
    pub(super) merging: bool,
    /// The value of `merging` before the settings that are being applied.
    pub(super) sent_merging: Option<bool>,
    /// Jobs that wait for the one in progress, or until bald skin has follicles.
    pub(super) waiting: VecDeque<StyleJob>,
    /// The time when the last draft of the hair was asked for.
    pub(super) drafted: Option<Instant>,
}

impl Styling {
    /// Returns `true` if the first job that waits may need follicles on bald skin.
    pub(super) fn waits_for_bald(&self) -> bool {
        self.waiting.front().is_some_and(StyleJob::wants_bald)
    }

    /// Returns `true` if a stroke or a job has not reached the style yet.
    pub(super) fn is_behind(&self) -> bool {
        self.stroke.is_some() || !self.waiting.is_empty()
    }

    /// Follows the layers of the chosen map, unless a job may be about to change them. Where the
    /// active layer is gone, the base is active.
    pub(crate) fn follow_layers(&mut self) {
        let (hand, list) = (&mut self.hand, &mut self.layers);
        if list.of != hand.map {
            *list = LayerList::default();
            list.of = hand.map;
        }
        if let StylerSlot::Ready(styler) = &self.styler
            && self.waiting.is_empty()
        {
            let map = styler.style().layered.get(&hand.map);
            let layers = map.map_or(&[][..], LayeredMap::layers);
            let rows = layers.iter().map(|layer| layer.settings.clone());
            list.rows = rows.collect();
            if hand.layer().is_some_and(|active| !list.has(active)) {
                hand.layers.remove(&hand.map);
            }
        }
    }
}

/// Positions are rounded to 1 / this of a pixel, so that files with few digits hold them exactly.
const ROUND: f64 = 64.0;

/// Size of the picture in files whose strokes have none, pixels.
const FLAT_SIZE: [u32; 2] = [1024; 2];

/// A stroke that has not ended.
pub(crate) struct Ongoing {
    pub(crate) stroke: Stroke,
    /// The view of the head that it is in; `None`: it is on the canvas.
    pub(crate) side: Option<Side>,
    /// Size of the picture that it is in, pixels.
    pub(crate) size: [u32; 2],
    since: Instant,
    /// Length of the string by which the pointer pulls the brush, pixels of the picture.
    string: f64,
    /// The camera that the head was last seen from.
    camera: Option<Camera>,
    /// The number of points that the style has; `None`: it has not begun the stroke.
    fed: Option<usize>,
    /// `true` if the brush was lifted.
    pub(crate) lifted: bool,
    /// `true` if hair moved under the brush. Replayed from a file, the stroke touches hair at rest.
    pub(crate) on_moving: bool,
}

impl Ongoing {
    /// Begins a stroke with the tool in hand, in a view of the head or on the canvas.
    pub(crate) fn new(
        hand: &Hand,
        scale: f32,
        view: Option<(Side, Camera)>,
        size: [u32; 2],
    ) -> Self {
        let mut stroke = hand.stroke(scale);
        stroke.size = Some(size);
        stroke.camera = view.map(|(_, camera)| camera);
        stroke.flat = view.is_none();
        Self {
            stroke,
            side: view.map(|(side, _)| side),
            size,
            since: Instant::now(),
            string: f64::from(hand.string * scale),
            camera: None,
            fed: None,
            lifted: false,
            on_moving: false,
        }
    }

    /// Adds a position of the pointer, pixels of its picture. On a string, the brush follows it when
    /// the string is taut.
    pub(crate) fn add_point(&mut self, x: f64, y: f64) {
        let (mut x, mut y) = (x, y);
        if let Some(&[_, from_x, from_y]) = self.stroke.points.last() {
            let away = (x - from_x).hypot(y - from_y);
            if away <= self.string && self.string > 0.0 {
                return;
            }
            let slack = self.string / away.max(1e-9);
            (x, y) = (x - (x - from_x) * slack, y - (y - from_y) * slack);
        }
        let seconds = (self.since.elapsed().as_secs_f64() * 1e3).round() / 1e3;
        let [x, y] = [x, y].map(|pixels| (pixels * ROUND).round() / ROUND);
        self.stroke.points.push([seconds, x, y]);
    }

    /// Returns `true` if the stroke has to wait until bald skin has follicles.
    pub(crate) fn waits_for_bald(&self, styler: &Styler) -> bool {
        wants_bald(&self.stroke) && !styler.follicles().are_whole()
    }

    /// Passes the new points of the stroke to the style.
    ///
    /// # Errors
    ///
    /// The stroke cannot begin.
    pub(crate) fn feed(&mut self, styler: &mut Styler) -> Result<(), String> {
        if self.fed.is_none() {
            let camera = self.stroke.camera.unwrap_or_default();
            let view = View::new(&camera, self.size).map_err(|error| error.to_string())?;
            let go_on = &mut |_| ControlFlow::Continue(());
            let begun = styler.begin(&self.stroke, view, go_on);
            begun.map_err(|error| error.to_string())?;
        }
        for &[_, x, y] in &self.stroke.points[self.fed.unwrap_or(0)..] {
            styler.move_to(x, y);
        }
        self.fed = Some(self.stroke.points.len());
        Ok(())
    }

    /// Sets the camera that the head is seen from. Returns whether it moved during the stroke.
    pub(crate) fn turned(&mut self, camera: Camera) -> bool {
        let before = self.camera.replace(camera);
        self.fed.is_some() && before != Some(camera)
    }

    /// Returns `true` if the stroke changes a map, and not strands.
    pub(crate) fn paints(&self) -> bool {
        self.stroke.map.is_some()
    }

    /// Returns `true` if the stroke changes what is selected, and no hair.
    pub(crate) fn selects(&self) -> bool {
        self.stroke.tool == Tool::Select
    }

    /// Returns `true` if the stroke changes the shape of hair, and not its length or number.
    pub(crate) fn shapes(&self) -> bool {
        let others = [Tool::Cut, Tool::Grow, Tool::Add, Tool::Delete, Tool::Select];
        !self.paints() && !others.contains(&self.stroke.tool)
    }
}

/// Returns `true` if a stroke can make hair grow where the model is bald.
pub(crate) fn wants_bald(stroke: &Stroke) -> bool {
    match stroke.map {
        Some(map) => map == MapKind::Density,
        None => matches!(stroke.tool, Tool::Add | Tool::Delete) && !stroke.guides,
    }
}

/// Returns the stroke that fills a map, or one side, with one value.
pub(crate) fn fill(hand: &Hand, side: Option<FillSide>) -> Stroke {
    Stroke {
        tool: Tool::Fill,
        map: Some(hand.map),
        layer: hand.layer().map(str::to_owned),
        value: Some(hand.value()),
        side,
        points: vec![[0.0; 3]],
        by: SelectBy::default(),
        guides: false,
        ..hand.stroke(1.0)
    }
}

/// Returns the file of recorded strokes.
pub(crate) fn stroke_file(mut strokes: Vec<Stroke>) -> StrokeFile {
    let first = strokes.iter().find_map(|stroke| stroke.size);
    let size = first.unwrap_or(FLAT_SIZE);
    for stroke in &mut strokes {
        stroke.size.take_if(|own| *own == size);
    }
    StrokeFile {
        version: VERSION,
        camera: Camera::default(),
        size,
        strokes,
        undo: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::input::action::HandTool;

    #[test]
    fn a_recorded_fill_is_read_again_whatever_is_in_hand() {
        for tool in [Tool::Comb, Tool::Select] {
            let mut hand = Hand {
                tool: HandTool::Brush(tool),
                ..Hand::default()
            };
            (hand.brush.guides, hand.brush.by) = (true, SelectBy::Clump);
            let file = stroke_file(vec![fill(&hand, None)]);
            let json = serde_json::to_string(&file).unwrap();
            assert_eq!(StrokeFile::from_json(&json).unwrap().strokes.len(), 1);
        }
    }

    #[test]
    fn a_brush_on_a_string_trails_the_pointer() {
        let pulled = |string: f32| {
            let hand = Hand {
                string,
                ..Hand::default()
            };
            let mut ongoing = Ongoing::new(&hand, 2.0, None, [100, 100]);
            // To the right, and then a little up and down, as a shaking hand goes.
            for (x, y) in [
                (0.0, 0.0),
                (15.0, 0.0),
                (50.0, 0.0),
                (60.0, 8.0),
                (52.0, -8.0),
            ] {
                ongoing.add_point(x, y);
            }
            let points = ongoing.stroke.points.iter();
            points.map(|&[_, x, y]| [x, y]).collect::<Vec<_>>()
        };
        assert_eq!(pulled(0.0).len(), 5);
        let trailing = pulled(10.0);
        assert_eq!(trailing[..2], [[0.0, 0.0], [30.0, 0.0]]);
        // Two pixels a logical pixel: the last place but one is 20 pixels from the pointer.
        let [x, y] = trailing[2];
        assert!(
            ((60.0 - x).hypot(8.0 - y) - 20.0).abs() < 0.05,
            "{trailing:?}"
        );
        assert!(y < 4.0 && trailing.len() <= 4, "{trailing:?}");
    }
}
