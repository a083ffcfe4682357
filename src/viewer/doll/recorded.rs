//! Strokes as recordings have them.

use mohawk::doll::{DollStroke, DollStrokes, DollTool, PAGE};
use mohawk::strokes::{MAX_RADIUS, VERSION};

/// Returns the file of recorded strokes.
pub(super) fn stroke_file(strokes: Vec<DollStroke>) -> DollStrokes {
    DollStrokes {
        version: VERSION,
        size: PAGE,
        strokes,
        undo: 0,
    }
}

/// Returns the stroke that restores all hair as it grew.
pub(super) fn whole_reset() -> DollStroke {
    let [width, height] = PAGE.map(f64::from);
    DollStroke {
        tool: DollTool::Reset,
        radius: MAX_RADIUS,
        strength: 1.0,
        color: None,
        clip: None,
        points: vec![[0.0, 0.5 * width, 0.5 * height]],
    }
}
