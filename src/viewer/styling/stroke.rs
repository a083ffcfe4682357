//! A stroke in the window, from the first touch until it is done and recorded.

use super::hand::Hand;
use crate::viewer::recording::Recording;
use crate::viewer::split::Side;
use mohawk::maps::MapKind;
use mohawk::roots::SampleError;
use mohawk::strokes::VERSION;
use mohawk::style::{Camera, PaintError, Stroke, StrokeFile, StrokeTool, Styler, View};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

/// Where a brush is: pixels are rounded to this share of one, so that files have few digits and
/// still say exactly where it was.
const ROUND: f64 = 64.0;

/// Of a file whose strokes are in no picture.
const FLAT_SIZE: [u32; 2] = [1024; 2];

/// What is brushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    /// The head, in one of the views.
    Head(Side),
    /// The canvas.
    Flat,
}

/// A stroke that has not been done to its end.
pub(crate) struct Ongoing {
    pub(crate) stroke: Stroke,
    pub(crate) ground: Ground,
    /// Of the picture that it is in, pixels.
    pub(crate) size: [u32; 2],
    since: Instant,
    /// Where the head was seen from last.
    camera: Option<Camera>,
    /// The style knows of it, and of so many of its points.
    begun: bool,
    fed: usize,
    /// The brush was lifted.
    pub(crate) lifted: bool,
    /// Hair moved under it: done again from its file, it touches hair at rest.
    pub(crate) on_moving: bool,
}

impl Ongoing {
    /// A stroke with what is in hand.
    pub(crate) fn new(
        hand: &Hand,
        scale: f32,
        ground: Ground,
        camera: Camera,
        size: [u32; 2],
    ) -> Self {
        let mut stroke = hand.stroke(scale);
        stroke.size = Some(size);
        match ground {
            Ground::Head(_) => stroke.camera = Some(camera),
            Ground::Flat => stroke.flat = true,
        }
        Self {
            stroke,
            ground,
            size,
            since: Instant::now(),
            camera: None,
            begun: false,
            fed: 0,
            lifted: false,
            on_moving: false,
        }
    }

    /// The brush is here now, pixels of its picture.
    pub(crate) fn to(&mut self, x: f64, y: f64) {
        let seconds = (self.since.elapsed().as_secs_f64() * 1e3).round() / 1e3;
        let [x, y] = [x, y].map(|pixels| (pixels * ROUND).round() / ROUND);
        self.stroke.points.push([seconds, x, y]);
    }

    /// Must bald skin have its follicles before it can begin?
    pub(crate) fn waits_for_bald(&self, styler: &Styler) -> bool {
        self.wants_bald() && !styler.follicles().are_whole()
    }

    /// Could it want hair where the model is bald?
    pub(crate) fn wants_bald(&self) -> bool {
        match (self.stroke.tool, self.stroke.map) {
            (_, Some(map)) => map == MapKind::Density,
            (StrokeTool::Brush(tool), None) => {
                matches!(tool, mohawk::style::Tool::Add | mohawk::style::Tool::Delete)
            }
            _ => false,
        }
    }

    /// Has the style do what is new of it.
    pub(crate) fn feed(&mut self, styler: &mut Styler) -> Result<(), String> {
        if !std::mem::replace(&mut self.begun, true) {
            self.begin(styler).map_err(|error| error.to_string())?;
        }
        for &[_, x, y] in &self.stroke.points[self.fed..] {
            styler.move_to(x, y);
        }
        self.fed = self.stroke.points.len();
        Ok(())
    }

    fn begin(&self, styler: &mut Styler) -> Result<(), PaintError> {
        let go_on = &mut |_| ControlFlow::Continue(());
        let (brush, paint) = (self.stroke.brush(), self.stroke.paint());
        let camera = self.stroke.camera.unwrap_or_default();
        // The window's camera always shows something.
        let Ok(view) = View::new(&camera, self.size) else {
            return Err(SampleError::Cancelled.into());
        };
        match (self.stroke.map, self.stroke.flat) {
            (Some(map), true) => styler.begin_flat(map, paint, brush, self.size, go_on),
            (Some(map), false) => styler.begin_map(map, paint, brush, view, go_on),
            (None, _) => Ok(styler.begin(brush, view, go_on)?),
        }
    }

    /// The camera sees the head from here now: is that elsewhere than before, in the middle of the
    /// stroke?
    pub(crate) fn turned(&mut self, camera: Camera) -> bool {
        let before = self.camera.replace(camera);
        self.begun && before != Some(camera)
    }

    /// Does it paint, and not brush strands?
    pub(crate) fn paints(&self) -> bool {
        self.stroke.map.is_some()
    }

    /// Does it change the shape of hair, and not its length or number?
    pub(crate) fn shapes(&self) -> bool {
        use mohawk::style::Tool;
        let of_other_kind = [Tool::Cut, Tool::Grow, Tool::Add, Tool::Delete];
        match self.stroke.tool {
            StrokeTool::Brush(tool) => !self.paints() && !of_other_kind.contains(&tool),
            StrokeTool::Paint | StrokeTool::Fill => false,
        }
    }

    /// All of a map made one value, as a stroke.
    pub(crate) fn fill(hand: &Hand) -> Self {
        let mut filled = Self::new(hand, 1.0, Ground::Flat, Camera::default(), FLAT_SIZE);
        let stroke = &mut filled.stroke;
        (stroke.tool, stroke.flat, stroke.size) = (StrokeTool::Fill, false, None);
        (stroke.map, stroke.value) = (Some(hand.map), Some(hand.value()));
        filled.to(0.0, 0.0);
        filled
    }
}

/// Writes strokes that were recorded.
pub(crate) fn save(recording: &Recording<Stroke>, path: &Path) -> io::Result<()> {
    let first = recording.strokes().find_map(|stroke| stroke.size);
    let size = first.unwrap_or(FLAT_SIZE);
    let strokes = recording.strokes().map(|stroke| Stroke {
        size: stroke.size.filter(|&own| own != size),
        ..stroke.clone()
    });
    let file = StrokeFile {
        version: VERSION,
        camera: Camera::default(),
        size,
        strokes: strokes.collect(),
        undo: 0,
    };
    let text = serde_json::to_vec_pretty(&file).map_err(io::Error::other)?;
    mohawk::files::write_whole(path, &text)
}
