//! Selecting strands in other ways than with the brush.

use crate::viewer::app::App;
use crate::viewer::background::ShownHair;
use crate::viewer::input::action::HandTool;
use crate::viewer::styling::StylerSlot;
use mohawk::style::{SelectBy, Stroke, Tool};

/// Radius around the pointer in which a strand is meant, logical pixels.
const POINTED: f32 = 6.0;

impl App {
    /// Changes what is selected.
    pub(in crate::viewer::app) fn select(&mut self, by: SelectBy) {
        if !self.styling.on {
            self.toggle_brush();
        }
        if !self.styling.on || self.styling.stroke.is_some() || self.refuses_styling() {
            return;
        }
        if by == SelectBy::Clump {
            return self.select_clump();
        }
        let StylerSlot::Ready(styler) = &mut self.styling.styler else {
            return;
        };
        if !styler.select(by) {
            return;
        }
        let (hair, state) = (ShownHair::of(styler), styler.history().state());
        if let Some(recording) = &mut self.styling.recording {
            let stroke = Stroke {
                tool: Tool::Select,
                by,
                points: vec![[0.0; 3]],
                ..Stroke::default()
            };
            recording.add(stroke, state);
        }
        self.take_hair(hair);
        tracing::info!("select {by}: {}", self.subject.selected_text());
    }

    /// Selects the clump of the strand under the pointer.
    fn select_clump(&mut self) {
        // The tool in hand may not begin a stroke here.
        let held = std::mem::replace(&mut self.styling.hand.tool, HandTool::Brush(Tool::Select));
        self.begin_stroke();
        self.styling.hand.tool = held;
        let radius = POINTED * self.view.pixel_scale;
        if let Some(ongoing) = self.open_stroke(false) {
            let stroke = &mut ongoing.stroke;
            (stroke.by, stroke.value) = (SelectBy::Clump, None);
            (stroke.strength, stroke.falloff, stroke.tips) = (1.0, 0.0, 0.0);
            stroke.radius = radius;
            ongoing.lifted = true;
        }
    }
}
