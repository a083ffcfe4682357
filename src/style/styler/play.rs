//! Replaying stroke files.

use super::state::Styler;
use crate::style::brush::Tool;
use crate::style::paint::PaintError;
use crate::style::progress::Progress;
use crate::style::stroke_file::{PaintValue, Stroke, StrokeFile, StrokeTool};
use crate::style::view::View;
use std::ops::ControlFlow;

impl Styler {
    /// Performs all strokes of a checked file, then undoes as many of them as it says, but nothing
    /// that was done before. `progress` may cancel after any stroke.
    ///
    /// # Errors
    ///
    /// [`PaintError`]: roots of bald skin that cannot be sampled, or a stroke on the UV layout of a
    /// model without UVs.
    pub fn play(&mut self, file: &StrokeFile, progress: Progress) -> Result<(), PaintError> {
        let count = file.strokes.len().max(1) as f32;
        // Strokes that changed nothing cannot be undone.
        let mut changed = Vec::with_capacity(file.strokes.len());
        for (number, stroke) in file.strokes.iter().enumerate() {
            if progress(number as f32 / count).is_break() {
                break;
            }
            if let Ok(view) = file.view(stroke) {
                changed.push(self.stroke(stroke, view)?);
            }
        }
        let undone = changed.iter().rev().take(file.undo as usize);
        for _ in undone.filter(|&&changed| changed) {
            self.undo(&mut |_| ControlFlow::Continue(()))?;
        }
        Ok(())
    }

    /// Performs a whole stroke, over a picture of the view's size. Returns whether it changed
    /// anything.
    ///
    /// # Errors
    ///
    /// [`PaintError`].
    pub fn stroke(&mut self, stroke: &Stroke, view: View) -> Result<bool, PaintError> {
        let go_on = &mut |_| ControlFlow::Continue(());
        let brush = stroke.brush();
        match (stroke.tool, stroke.map) {
            (StrokeTool::Fill, Some(map)) => {
                let value = stroke.value.and_then(PaintValue::rgb);
                self.fill_map(map, value.unwrap_or_default(), go_on)?;
                return Ok(true);
            }
            (StrokeTool::Paint | StrokeTool::Brush(Tool::Smooth), Some(map)) => {
                let paint = stroke.paint();
                match stroke.flat {
                    true => self.begin_flat(map, paint, brush, view.size(), go_on)?,
                    false => self.begin_map(map, paint, brush, view, go_on)?,
                }
            }
            (StrokeTool::Brush(_), _) => self.begin(brush, view, go_on)?,
            // Refused when the file was checked.
            (StrokeTool::Fill | StrokeTool::Paint, None) => return Ok(false),
        }
        for &[_, x, y] in &stroke.points {
            self.move_to(x, y);
        }
        Ok(self.end())
    }
}
