//! Styling: the brush, its circle, the canvas, and strokes from the pointer to the style.

mod jobs;
mod layers;
mod selecting;
mod skin;

use super::App;
use crate::viewer::background::ShownHair;
use crate::viewer::files::StrokeRecording;
use crate::viewer::input::Drag;
use crate::viewer::input::action::HandTool;
use crate::viewer::interface::eyedropper;
use crate::viewer::styling::ring::{shadowed_text, show_ring};
use crate::viewer::styling::{NO_SCALP, OWN_HEAD, OWN_STRANDS, Ongoing, STILL_LOADING};
use crate::viewer::styling::{StylerSlot, stroke_file};
use crate::viewer::subject::simulations::{Side, ms_since};
use glam::Vec2;
use mohawk::maps::MapKind;
use mohawk::style::{Camera, PaintValue, Tool, View};
use std::sync::Arc;
use three_d::egui::{self, Color32};
use web_time::Instant;

impl App {
    /// Takes a brush in hand, or puts it away.
    pub(super) fn toggle_brush(&mut self) {
        if self.styling.on {
            if let Some(stroke) = &mut self.styling.stroke {
                stroke.lifted = true;
            }
            self.styling.sizing = None;
        } else if self.subject.is_headless() {
            return self.overlay.notice(OWN_STRANDS);
        }
        self.styling.on = !self.styling.on;
        if self.styling.on {
            self.panel.shown = true;
        }
    }

    /// Freezes hair in its rest shape, or lets it move again. The greeting, which nobody asked for,
    /// leaves no head askew.
    pub(super) fn freeze(&mut self, frozen: bool) {
        if frozen == self.styling.frozen {
            return;
        }
        if self.scenes.active.is_none() && self.playback.motion.playing().is_some() {
            self.rest();
        }
        self.styling.frozen = frozen;
        self.subject.freeze(frozen);
        tracing::info!("hair is {}", if frozen { "frozen" } else { "free" });
    }

    /// Takes a tool in hand.
    pub(super) fn hold(&mut self, tool: HandTool) {
        if !self.styling.on {
            self.toggle_brush();
        }
        self.styling.hand.take(tool);
    }

    /// Follows a move of the mouse.
    pub(crate) fn pointer_moved(&mut self) {
        if let (Some(sizing), Some(at)) = (&self.styling.sizing, self.pointer.position) {
            sizing.follow(at, &mut self.styling.hand);
        }
    }

    /// Returns the values at the strands of the mask that is painted, which shows nowhere else.
    pub(crate) fn masked(&mut self) -> Option<Arc<[f32]>> {
        let styling = &mut self.styling;
        let kind = styling.hand.map;
        if !styling.on || !styling.hand.paints() || !kind.is_mask() {
            styling.masked = None;
            return None;
        }
        let now = (kind, styling.revision);
        let is_known = (styling.masked.as_ref()).is_some_and(|(kind, at, _)| (*kind, *at) == now);
        if let Some(styler) = styling.styler.ready().filter(|_| !is_known) {
            let values = styler.values_at_strands(kind);
            let values = values.unwrap_or_else(|| vec![1.0; styler.strands().len()]);
            styling.masked = Some((kind, styling.revision, values.into()));
        }
        styling.masked.as_ref().map(|(_, _, values)| values.clone())
    }

    /// Shows the canvas, and continues strokes on it.
    pub(crate) fn show_canvas(
        &mut self,
        ctx: &egui::Context,
        gl: &three_d::Context,
        area: egui::Rect,
    ) {
        let styling = &mut self.styling;
        let styler = styling.styler.ready();
        let (hand, window) = (&styling.hand, (ctx, gl));
        let is_open = styling.canvas.open;
        let touches = (styling.canvas).show(window, area, hand, styler, styling.revision);
        if let Some(side) = touches.began {
            if !self.styling.hand.paints() {
                let text = "Only Paint, Erase and Smooth map work on the canvas";
                return self.overlay.notice(text);
            }
            self.start_stroke(None, [side; 2]);
        }
        if let Some(stroke) = self.open_stroke(true) {
            for at in &touches.went {
                stroke.add_point(at.x, at.y);
            }
            stroke.lifted = touches.ended || !is_open;
        }
    }

    /// Shows the circle of the brush where it would touch hair.
    pub(crate) fn show_ring(&self, ctx: &egui::Context, area: egui::Rect) {
        if eyedropper::waiting(ctx).is_some() {
            return self.show_eyedropper(ctx, area);
        }
        if !self.styling.on || self.overlay.is_asking() {
            return;
        }
        let sizing = self.styling.sizing.as_ref();
        let at = sizing.map(|sizing| sizing.at).or(self.pointer.at);
        let is_busy = self.pointer.drag.is_some() && !self.is_brushing();
        if let Some(at) = at.filter(|_| !is_busy) {
            let layer = egui::LayerId::new(egui::Order::Background, egui::Id::new("brush"));
            let painter = ctx.layer_painter(layer).with_clip_rect(area);
            let at = match self.pulled_brush() {
                Some(brush) => {
                    let ends = [at, brush].map(|end| egui::pos2(end.x, end.y));
                    painter.line_segment(ends, (1.4, Color32::from_white_alpha(150)));
                    brush
                }
                None => at,
            };
            show_ring(&painter, &self.styling.hand, at, self.is_brushing(), sizing);
        }
    }

    /// Says at the pointer that a click takes a colour.
    fn show_eyedropper(&self, ctx: &egui::Context, area: egui::Rect) {
        if let Some(at) = self.pointer.at {
            let layer = egui::LayerId::new(egui::Order::Background, egui::Id::new("brush"));
            let painter = ctx.layer_painter(layer).with_clip_rect(area);
            let below = egui::pos2(at.x, at.y + 14.0);
            shadowed_text(&painter, below, "click to take this colour");
        }
    }

    /// Returns the place of the brush that the pointer pulls by a string, logical pixels.
    fn pulled_brush(&self) -> Option<Vec2> {
        let stroke = self.styling.stroke.as_ref()?;
        let is_pulled = self.styling.hand.string > 0.0 && !stroke.lifted;
        let side = stroke.side.filter(|_| is_pulled)?;
        let &[_, x, y] = stroke.stroke.points.last()?;
        let within = Vec2::new(x as f32, y as f32) / self.view.pixel_scale;
        Some(self.view.of_scene(within, side))
    }

    /// Returns places around the pointer where the brush touches hair, logical pixels relative to
    /// it.
    pub(super) fn brush_reaches(&self) -> Vec<Vec2> {
        if !self.styling.on {
            return Vec::new();
        }
        let radius = self.styling.hand.brush.radius;
        let around = (0..8).map(|i| Vec2::from_angle(i as f32 * std::f32::consts::FRAC_PI_4));
        around.map(|way| way * (0.75 * radius)).collect()
    }

    /// Returns `true` if the brush is down on the head.
    fn is_brushing(&self) -> bool {
        self.pointer.drag == Some(Drag::Brush)
    }

    pub(super) fn toggle_canvas(&mut self) {
        if !self.styling.canvas.open && !self.styling.on {
            self.toggle_brush();
            if !self.styling.on {
                return; // There is no skin.
            }
        }
        self.styling.canvas.open ^= true;
        if self.styling.canvas.open && !self.styling.hand.paints() {
            self.hold(HandTool::PaintMap);
        }
    }

    /// Begins a stroke on the head.
    pub(crate) fn begin_stroke(&mut self) {
        let Some(pointer) = self.pointer.at else {
            return;
        };
        let (side, _) = self.in_view(pointer);
        let camera = self.subject.camera_at_head(side, &self.view.camera);
        self.start_stroke(Some((side, camera)), self.view.pixels());
        self.carry_brush();
    }

    /// Returns `true` while the last stroke is being applied, and says so.
    pub(super) fn awaits_stroke(&mut self) -> bool {
        let awaits = self.styling.stroke.is_some();
        if awaits {
            let text = "Please wait: the last stroke is still being applied";
            self.overlay.notice(text);
        }
        awaits
    }

    /// Starts to record strokes, or saves those that were recorded.
    pub(super) fn toggle_strokes(&mut self) {
        let (recording, overlay) = (&mut self.styling.recording, &mut self.overlay);
        StrokeRecording::toggle(recording, overlay, "mohawk style", stroke_file);
    }

    /// Returns `true` if the user's style cannot be changed now, and says why.
    pub(super) fn refuses_styling(&mut self) -> bool {
        let why = match self.styling.styler {
            StylerSlot::Empty => NO_SCALP,
            // The style that goes on with it has been taken already.
            _ if self.loading.goes_on() => STILL_LOADING,
            // Its own style goes with it.
            _ if self.shows_head_of_scene() => OWN_HEAD,
            StylerSlot::Ready(_) | StylerSlot::Working => return false,
        };
        self.overlay.notice(why);
        true
    }

    fn start_stroke(&mut self, view: Option<(Side, Camera)>, size: [u32; 2]) {
        // A stroke that waits for bald skin stays.
        if self.awaits_stroke() {
            return;
        }
        if self.subject.is_headless() {
            return self.overlay.notice(OWN_STRANDS);
        }
        if self.refuses_styling() {
            return;
        }
        self.styling.follow_layers();
        let hand = &self.styling.hand;
        if hand.tool == HandTool::EraseMap && hand.layer().is_none() {
            let text = "Only layers can be erased: choose one below the map";
            return self.overlay.notice(text);
        }
        let mut ongoing = Ongoing::new(hand, self.view.pixel_scale, view, size);
        if ongoing.selects() && self.pointer.is_shifted() {
            ongoing.stroke.value = Some(PaintValue::Grey(0.0));
        }
        self.styling.stroke = Some(ongoing);
    }

    /// Moves the brush to the pointer.
    pub(crate) fn carry_brush(&mut self) {
        let Some(pointer) = self.pointer.at else {
            return;
        };
        let (_, point) = self.in_view(pointer);
        let point = point.as_dvec2() * f64::from(self.view.pixel_scale);
        let size = self.view.pixels();
        if let Some(stroke) = self.open_stroke(false) {
            // A stroke has one picture: in another one it would go on beside the pointer.
            match stroke.size == size {
                true => stroke.add_point(point.x, point.y),
                false => stroke.lifted = true,
            }
        }
    }

    /// Returns the stroke on the canvas or on the head, unless the brush was lifted.
    pub(super) fn open_stroke(&mut self, flat: bool) -> Option<&mut Ongoing> {
        let stroke = self.styling.stroke.as_mut();
        stroke.filter(|stroke| !stroke.lifted && stroke.side.is_none() == flat)
    }

    /// Applies the new points of the stroke, and shows the result. Returns whether the stroke has
    /// ended.
    pub(crate) fn brush(&mut self) -> bool {
        let Some(ongoing) = self.styling.stroke.take() else {
            return false;
        };
        self.styling.stroke = self.go_on(ongoing);
        self.styling.stroke.is_none()
    }

    /// Goes on with a stroke. Returns it unless it has ended.
    fn go_on(&mut self, mut ongoing: Ongoing) -> Option<Ongoing> {
        let styler = match &mut self.styling.styler {
            StylerSlot::Ready(styler) => styler,
            // It goes on when the style comes back.
            StylerSlot::Working => return Some(ongoing),
            StylerSlot::Empty => return None,
        };
        // Without the field, hair might go into the skin.
        let Some(field) = self.subject.field() else {
            return Some(ongoing);
        };
        styler.set_field(field.ok().cloned());
        if ongoing.waits_for_bald(styler) {
            return Some(ongoing);
        }
        if let Some(side) = ongoing.side {
            let camera = self.subject.camera_at_head(side, &self.view.camera);
            if ongoing.turned(camera)
                && let Ok(view) = View::new(&camera, ongoing.size)
            {
                styler.look(view);
                // A recorded stroke has one camera.
                ongoing.on_moving = true;
            }
            if !ongoing.paints() {
                let points = self.subject.moved_shape(side, styler.strands());
                ongoing.on_moving |= points.is_some();
                styler.show(points);
            }
        }
        let started = Instant::now();
        if let Err(why) = ongoing.feed(styler) {
            self.overlay.error(why);
            return None;
        }
        let brushed = ms_since(started);
        if ongoing.selects() {
            self.subject.select(styler.selected());
        }
        let guides = ongoing.stroke.is_on_guides();
        if guides {
            styler.set_share(jobs::draft_share(styler));
        }
        let grown = styler.refresh();
        let draft = (grown && guides).then(|| ShownHair::of(styler));
        if grown {
            self.styling.revision += 1;
            if !guides {
                self.subject.restyle(styler.groom());
            }
            let all = ms_since(started);
            tracing::debug!("brushed in {brushed:.1} ms, shown after {all:.1} ms");
        }
        if let Some(hair) = draft.filter(|_| !ongoing.lifted) {
            self.subject.set_hair(Some(hair));
        }
        if !ongoing.lifted {
            return Some(ongoing);
        }
        let changed = styler.end();
        let (hair, state) = (ShownHair::of(styler), styler.history().state());
        let name = ongoing.stroke.tool.name();
        tracing::info!("stroke: {name}, {} points", ongoing.stroke.points.len());
        if ongoing.stroke.tool == Tool::Draw && !changed {
            let text = "Nothing was drawn: begin on the head, and draw along";
            self.overlay.notice(text);
        }
        let is_bald = hair.groom.is_empty() && ongoing.stroke.map != Some(MapKind::Density);
        if ongoing.stroke.tool == Tool::Paint && is_bald {
            let text = "No hair grows here yet: paint the density first";
            self.overlay.notice(text);
        }
        if guides && changed {
            let config = styler.style().config.clone();
            let count = config.groom.guides().map_or(0, |(_, guides)| guides.len());
            tracing::info!("guides: {count}");
            // Other settings may have changed while the stroke went on.
            let mut user = self.settings.user();
            user.groom.stack = config.groom.stack;
            self.set_user_settings(user);
        }
        self.take_hair(hair);
        if ongoing.selects() {
            tracing::info!("select: {}", self.subject.selected_text());
        }
        if changed && ongoing.shapes() && !self.styling.frozen && self.settings.config.sim.is_limp()
        {
            // Otherwise brushes seem to do nothing.
            let text = "Limp hair shows little of its shape: raise Hold (tab Motion), or \
                        freeze it (T)";
            self.overlay.notice(text);
        }
        if let (Some(recording), true) = (&mut self.styling.recording, changed) {
            if ongoing.on_moving {
                let text = "Hair moved under the brush. Replayed from the file, the stroke touches \
                            hair at rest. T freezes hair";
                self.overlay.notice(text);
            }
            recording.add(ongoing.stroke, state);
        }
        None
    }
}
