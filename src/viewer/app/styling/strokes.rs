//! Strokes, from the pointer to the style.

use crate::viewer::app::App;
use crate::viewer::background::ShownHair;
use crate::viewer::files::stroke_recording::StrokeRecording;
use crate::viewer::styling::StylerSlot;
use crate::viewer::styling::stroke::{Ongoing, Surface, stroke_file};
use crate::viewer::subject::comparison::Side;
use glam::DVec2;
use mohawk::style::{Camera, View};

impl App {
    /// Returns the camera of a view in head space, and the size of its picture, pixels.
    fn brush_view(&self, side: Side) -> (Camera, [u32; 2]) {
        let camera = self.subject.camera_at_head(side, &self.view.camera);
        (camera, self.view.pixels())
    }

    /// Begins a stroke on the head.
    pub(crate) fn begin_stroke(&mut self) {
        let Some(pointer) = self.pointer.at else {
            return;
        };
        let (side, _) = self.in_view(pointer);
        let (camera, size) = self.brush_view(side);
        self.start_stroke(Surface::Head(side), camera, size);
        self.carry_brush();
    }

    fn start_stroke(&mut self, ground: Surface, camera: Camera, size: [u32; 2]) {
        // A stroke that waits for bald skin stays.
        if self.styling.stroke.is_some() {
            return self
                .overlay
                .notice("One moment: the last stroke is still being done");
        }
        if matches!(self.styling.styler, StylerSlot::Empty) {
            return self
                .overlay
                .notice("There is no head here that hair could grow on");
        }
        let hand = &self.styling.hand;
        let stroke = Ongoing::new(hand, self.view.pixel_scale, ground, camera, size);
        self.styling.stroke = Some(stroke);
    }

    /// Moves the brush to the pointer.
    pub(crate) fn carry_brush(&mut self) {
        let Some(pointer) = self.pointer.at else {
            return;
        };
        let (_, point) = self.in_view(pointer);
        let point = point.as_dvec2() * f64::from(self.view.pixel_scale);
        if let Some(stroke) = self.open_stroke(|ground| matches!(ground, Surface::Head(_))) {
            stroke.to(point.x, point.y);
        }
    }

    fn open_stroke(&mut self, on: impl Fn(Surface) -> bool) -> Option<&mut Ongoing> {
        let stroke = self.styling.stroke.as_mut()?;
        (!stroke.lifted && on(stroke.ground)).then_some(stroke)
    }

    /// Ends the stroke.
    pub(crate) fn end_stroke(&mut self) {
        if let Some(stroke) = &mut self.styling.stroke {
            stroke.lifted = true;
        }
    }

    /// Continues a stroke on the canvas.
    pub(crate) fn brush_flat(&mut self, began: Option<u32>, went: &[DVec2], ended: bool) {
        if let Some(side) = began {
            if !self.styling.hand.paints() {
                return self
                    .overlay
                    .notice("The canvas takes paint: choose Paint or Smooth map");
            }
            self.start_stroke(Surface::Flat, Camera::default(), [side; 2]);
        }
        if let Some(stroke) = self.open_stroke(|ground| ground == Surface::Flat) {
            went.iter().for_each(|at| stroke.to(at.x, at.y));
            stroke.lifted = ended;
        }
    }

    /// Applies the new points of the stroke, and shows the result. Returns whether the stroke has
    /// ended.
    pub(crate) fn brush(&mut self) -> bool {
        let ongoing = self.styling.stroke.take();
        let was_brushing = ongoing.is_some();
        if let Some(ongoing) = ongoing {
            self.go_on(ongoing);
        }
        was_brushing && self.styling.stroke.is_none()
    }

    fn go_on(&mut self, mut ongoing: Ongoing) {
        let StylerSlot::Ready(styler) = &mut self.styling.styler else {
            // It goes on when the style comes back. Without a style it is dropped.
            if matches!(self.styling.styler, StylerSlot::Working) {
                self.styling.stroke = Some(ongoing);
            }
            return;
        };
        // Without the field, hair might go into the skin.
        let Some(field) = self.subject.field() else {
            self.styling.stroke = Some(ongoing);
            return;
        };
        styler.set_field(field.ok().cloned());
        if ongoing.waits_for_bald(styler) {
            self.styling.stroke = Some(ongoing);
            return;
        }
        if let Surface::Head(side) = ongoing.ground {
            let camera = self.subject.camera_at_head(side, &self.view.camera);
            if ongoing.turned(camera)
                && let Ok(view) = View::new(&camera, ongoing.size)
            {
                styler.look(view);
            }
            if !ongoing.paints() {
                let points = self.subject.moved_shape(side, styler.strands());
                ongoing.on_moving |= points.is_some();
                styler.show(points);
            }
        }
        if let Err(why) = ongoing.feed(styler) {
            return self.overlay.error(why);
        }
        if styler.refresh() {
            self.subject.restyle(styler.groom());
            self.styling.revision += 1;
        }
        match ongoing.lifted {
            true => self.finish_stroke(ongoing),
            false => self.styling.stroke = Some(ongoing),
        }
    }

    fn finish_stroke(&mut self, ongoing: Ongoing) {
        let StylerSlot::Ready(styler) = &mut self.styling.styler else {
            return;
        };
        let changed = styler.end();
        let (hair, state) = (ShownHair::of(styler), styler.state());
        let name = ongoing.stroke.tool.name();
        tracing::info!("stroke: {name}, {} points", ongoing.stroke.points.len());
        self.take_hair(hair);
        if !changed {
            return;
        }
        if ongoing.shapes() && !self.styling.frozen && self.settings.config.sim.is_limp() {
            // Otherwise brushes seem to do nothing.
            let text = "Limp hair shows little of its shape: raise Hold (Settings, Motion), or \
                        freeze it (T)";
            self.overlay.notice(text);
        }
        if let Some(recording) = &mut self.styling.recording {
            if ongoing.on_moving {
                let text = "Hair moved under the brush: done again from the file, the stroke \
                            touches hair at rest (T freezes it)";
                self.overlay.notice(text);
            }
            recording.add(ongoing.stroke, state);
        }
    }

    /// Starts to record strokes, or saves those that were recorded.
    pub(crate) fn toggle_strokes(&mut self) {
        let (recording, overlay) = (&mut self.styling.recording, &mut self.overlay);
        StrokeRecording::toggle(recording, overlay, "mohawk style", stroke_file);
    }
}
