//! A stroke in the window, from the first touch until it is done and recorded.

use crate::viewer::input::hand::Hand;
use crate::viewer::subject::simulations::Side;
use mohawk::maps::MapKind;
use mohawk::strokes::VERSION;
use mohawk::style::{Camera, Stroke, StrokeFile, StrokeTool, Styler, Tool, View};
use std::ops::ControlFlow;
use std::time::Instant;

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
    /// The camera that the head was last seen from.
    camera: Option<Camera>,
    /// The number of points that the style has; `None`: it has not begun the stroke.
    fed: Option<usize>,
    /// Whether the brush was lifted.
    pub(crate) lifted: bool,
    /// Whether hair moved under it. Replayed from a file, it would touch hair at rest.
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
            camera: None,
            fed: None,
            lifted: false,
            on_moving: false,
        }
    }

    /// Adds a position, pixels of its picture.
    pub(crate) fn to(&mut self, x: f64, y: f64) {
        let seconds = (self.since.elapsed().as_secs_f64() * 1e3).round() / 1e3;
        let [x, y] = [x, y].map(|pixels| (pixels * ROUND).round() / ROUND);
        self.stroke.points.push([seconds, x, y]);
    }

    /// Whether it has to wait until bald skin has follicles.
    pub(crate) fn waits_for_bald(&self, styler: &Styler) -> bool {
        self.wants_bald() && !styler.follicles().are_whole()
    }

    /// Whether it can make hair grow where the model is bald.
    pub(crate) fn wants_bald(&self) -> bool {
        let adds = [Tool::Add, Tool::Delete].map(StrokeTool::Brush);
        match self.stroke.map {
            Some(map) => map == MapKind::Density,
            None => adds.contains(&self.stroke.tool),
        }
    }

    /// Passes its new points to the style.
    ///
    /// # Errors
    ///
    /// The stroke cannot begin.
    pub(crate) fn feed(&mut self, styler: &mut Styler) -> Result<(), String> {
        if self.fed.is_none() {
            let camera = self.stroke.camera.unwrap_or_default();
            let view = View::new(&camera, self.size).map_err(|error| error.to_string())?;
            let go_on = &mut |_| ControlFlow::Continue(());
            let begun = styler.begin_stroke(&self.stroke, view, go_on);
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

    /// Whether it changes a map, and not strands.
    pub(crate) fn paints(&self) -> bool {
        self.stroke.map.is_some()
    }

    /// Whether it changes the shape of hair, and not its length or number.
    pub(crate) fn shapes(&self) -> bool {
        let others = [Tool::Cut, Tool::Grow, Tool::Add, Tool::Delete];
        !self.paints() && !others.map(StrokeTool::Brush).contains(&self.stroke.tool)
    }
}

/// Returns the stroke that fills a map with one value.
pub(crate) fn fill(hand: &Hand) -> Stroke {
    Stroke {
        tool: StrokeTool::Fill,
        map: Some(hand.map),
        value: Some(hand.value()),
        points: vec![[0.0; 3]],
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
