//! The canvas: a window with the model's UV layout to paint on, while the head shows the result.

use super::ring::show_ring;
use crate::viewer::input::action::Hand;
use glam::{DVec2, Vec2};
use mohawk::Head;
use mohawk::maps::MapKind;
use mohawk::render::{RenderError, UvCanvas};
use mohawk::style::Styler;
use std::sync::Arc;
use three_d::{Context, egui};

const NO_UVS: &str = "This model has no UVs that could be laid out flat: paint on the head.";
/// Smallest and first side of the picture, logical pixels.
const SIDES: [f32; 2] = [160.0, 300.0];
/// Largest magnification.
const MAX_ZOOM: f64 = 12.0;
/// Largest side of the whole square, of which strokes hold pixels.
const MAX_SIDE: f64 = 16_384.0;
/// Exponent of the magnification per logical pixel of the wheel; a notch is about 50.
const ZOOM_PER_POINT: f32 = 0.005;

/// The strokes on the canvas in a frame.
#[derive(Default)]
pub(crate) struct Touches {
    /// The side of the whole square, pixels, if the brush was put down.
    pub(crate) began: Option<u32>,
    /// The points of the brush, pixels of the whole square.
    pub(crate) went: Vec<DVec2>,
    pub(crate) ended: bool,
}

/// The window that shows the canvas.
#[derive(Default)]
pub(crate) struct CanvasWindow {
    pub(crate) open: bool,
    layout: Option<Layout>,
    texture: Option<egui::TextureHandle>,
    /// The place of the picture in the window, logical pixels.
    area: Option<egui::Rect>,
    frame: Frame,
    /// The contents of the texture.
    shown: Option<Shown>,
}

/// The UV layout of a head.
struct Layout {
    head: Arc<Head>,
    /// `None` if the part has no usable UVs.
    canvas: Option<UvCanvas>,
    /// The kind and the revision of the map that it holds.
    holds: Option<(MapKind, u64)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Shown {
    /// The kind and the revision of the map.
    map: Option<(MapKind, u64)>,
    side: u32,
    frame: Frame,
}

/// The visible part of the unit square.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Frame {
    /// Magnification, 1 to [`MAX_ZOOM`]; at 1 the whole square is visible.
    zoom: f64,
    /// The UV of its upper left corner.
    corner: DVec2,
}

impl Default for Frame {
    fn default() -> Self {
        Self {
            zoom: 1.0,
            corner: DVec2::ZERO,
        }
    }
}

impl Frame {
    /// Returns the UV at a point given as a share of the frame.
    fn uv(self, share: DVec2) -> DVec2 {
        self.corner + share / self.zoom
    }

    /// Magnifies by a factor, up to `max`, and keeps the UV at a share of the frame where it is.
    fn zoom_about(&mut self, share: DVec2, factor: f64, max: f64) {
        let at = self.uv(share);
        self.zoom = (self.zoom * factor).clamp(1.0, max);
        self.place(at - share / self.zoom);
    }

    /// Moves the content by a share of the frame.
    fn shift(&mut self, way: DVec2) {
        self.place(self.corner - way / self.zoom);
    }

    /// Sets the corner so that nothing beyond the square is visible.
    fn place(&mut self, corner: DVec2) {
        self.corner = corner.clamp(DVec2::ZERO, DVec2::splat(1.0 - self.zoom.recip()));
    }
}

/// Returns a position as a share of the area, right and down.
fn share(area: egui::Rect, at: egui::Pos2) -> DVec2 {
    let share = (at - area.min) / area.size();
    DVec2::new(share.x.into(), share.y.into())
}

impl CanvasWindow {
    /// Shows the window over the scene, and returns what the brush did in it. `styler` is `None`
    /// while a background task has it. `revision` differs whenever a map has changed.
    pub(crate) fn show(
        &mut self,
        (ctx, gl): (&egui::Context, &Context),
        area: egui::Rect,
        hand: &Hand,
        styler: Option<&Styler>,
        revision: u64,
    ) -> Touches {
        let mut touches = Touches::default();
        if !self.open {
            return touches;
        }
        if let Some(styler) = styler {
            self.follow(gl, styler, (hand.map, revision));
        }
        let mut open = true;
        let max = (area.width().min(area.height()) - 72.0).max(SIDES[0]);
        egui::Window::new(format!("Canvas: {}", hand.map))
            .id(egui::Id::new("canvas"))
            .open(&mut open)
            .constrain_to(area)
            .default_pos(area.left_bottom() + egui::vec2(16.0, -16.0))
            .pivot(egui::Align2::LEFT_BOTTOM)
            .default_size([SIDES[1].min(max); 2])
            .min_size([SIDES[0]; 2])
            .max_size([max; 2])
            .resizable(true)
            .collapsible(true)
            .show(ctx, |ui| match &self.layout {
                Some(layout) if layout.canvas.is_some() => self.canvas(ui, hand, &mut touches),
                Some(_) => _ = ui.label(NO_UVS),
                None => _ = ui.label("There is no head to paint on."),
            });
        self.open = open;
        touches
    }

    /// Follows the head and the map of the style.
    fn follow(&mut self, gl: &Context, styler: &Styler, map: (MapKind, u64)) {
        let head = styler.head();
        let last = self.layout.take();
        let layout = last.filter(|layout| Arc::ptr_eq(&layout.head, head));
        let layout = self.layout.insert(layout.unwrap_or_else(|| {
            self.shown = None;
            Layout {
                canvas: UvCanvas::new(gl, head, styler.part()).unwrap_or_else(log_error),
                head: head.clone(),
                holds: None,
            }
        }));
        if let Some(canvas) = layout.canvas.as_mut().filter(|_| layout.holds != Some(map)) {
            let content = styler.style().maps.get(&map.0);
            canvas.set_map(styler.part(), map.0, content.map(|content| &**content));
            layout.holds = Some(map);
        }
    }

    fn canvas(&mut self, ui: &mut egui::Ui, hand: &Hand, touches: &mut Touches) {
        let logical = ui.available_size().min_elem().max(SIDES[0]);
        let size = egui::Vec2::splat(logical);
        let (area, response) = ui.allocate_exact_size(size, egui::Sense::drag());
        let pixels = f64::from(logical * ui.ctx().pixels_per_point());
        let max_zoom = (MAX_SIDE / pixels).clamp(1.0, MAX_ZOOM);
        self.move_frame(&response, max_zoom);
        let frame = self.frame;
        if self.area != Some(area) {
            self.area = Some(area);
            // Window tests read this.
            let (at, side) = (area.min, area.width());
            tracing::info!("canvas at {:.0}, {:.0}, {side:.0} wide", at.x, at.y);
        }
        let shown = Shown {
            map: self.layout.as_ref().and_then(|layout| layout.holds),
            side: pixels.round().max(1.0) as u32,
            frame,
        };
        if self.shown != Some(shown) {
            self.draw(ui.ctx(), shown).unwrap_or_else(log_error);
        }
        if let Some(texture) = &self.texture {
            egui::Image::new(texture).paint_at(ui, area);
        }
        let whole = (pixels * frame.zoom).round().max(1.0);
        let within = |at: egui::Pos2| frame.uv(share(area, at)) * whole;
        let primary = egui::PointerButton::Primary;
        let began = response.drag_started_by(primary);
        touches.ended = response.drag_stopped_by(primary);
        if began {
            touches.began = Some(whole as u32);
        }
        if began || touches.ended || response.dragged_by(primary) {
            // One frame may have all of a quick stroke.
            ui.input(|input| {
                touches
                    .went
                    .extend(stroke_points(&input.events, began).map(within))
            });
        }
        let pointer = response.hover_pos().or(response.interact_pointer_pos());
        if let Some(at) = pointer.filter(|_| hand.paints()) {
            let painter = ui.painter().with_clip_rect(area);
            let at = Vec2::new(at.x, at.y);
            show_ring(&painter, hand, at, response.dragged(), None);
        }
    }

    /// Zooms about the pointer with the wheel, and moves with the right or the middle button.
    fn move_frame(&mut self, response: &egui::Response, max_zoom: f64) {
        let (before, area, ctx) = (self.frame, response.rect, &response.ctx);
        if let Some(at) = response.hover_pos() {
            // The points of a stroke are in one picture.
            let paints = response.dragged_by(egui::PointerButton::Primary);
            let wheel = ctx.input(|input| input.smooth_scroll_delta.y);
            let wheel = if paints { 0.0 } else { wheel };
            let pinch = ctx.input(|input| input.zoom_delta());
            let factor = f64::from((wheel * ZOOM_PER_POINT).exp() * pinch);
            self.frame.zoom_about(share(area, at), factor, max_zoom);
        }
        let moves = [egui::PointerButton::Secondary, egui::PointerButton::Middle];
        if moves.iter().any(|&button| response.dragged_by(button)) {
            let way = response.drag_delta() / area.size();
            self.frame.shift(DVec2::new(way.x.into(), way.y.into()));
        }
        if self.frame != before {
            // Window tests read this.
            let (zoom, DVec2 { x, y }) = (self.frame.zoom, self.frame.corner);
            tracing::info!("canvas {zoom:.2} times, from {x:.3}, {y:.3}");
        }
    }

    /// Draws the picture anew.
    fn draw(&mut self, ctx: &egui::Context, shown: Shown) -> Result<(), RenderError> {
        let layout = self.layout.as_mut();
        let Some(canvas) = layout.and_then(|layout| layout.canvas.as_mut()) else {
            return Ok(());
        };
        let Frame { corner, zoom } = shown.frame;
        let picture = canvas.picture(shown.side, corner.as_vec2(), zoom as f32)?;
        let size = [picture.width(), picture.height()].map(|side| side as usize);
        let image = egui::ColorImage::from_rgba_unmultiplied(size, picture.as_raw());
        let options = egui::TextureOptions::LINEAR;
        match &mut self.texture {
            Some(texture) => texture.set(image, options),
            None => self.texture = Some(ctx.load_texture("canvas", image, options)),
        }
        self.shown = Some(shown);
        Ok(())
    }
}

/// Returns the positions of the primary button's stroke in the events of a frame. `begins`: the
/// button was pressed in this frame, and earlier positions are none of the stroke's.
fn stroke_points(events: &[egui::Event], begins: bool) -> impl Iterator<Item = egui::Pos2> {
    let mut is_down = !begins;
    events.iter().filter_map(move |event| match *event {
        egui::Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            ..
        } => {
            is_down = pressed;
            pressed.then_some(pos)
        }
        egui::Event::PointerMoved(at) => is_down.then_some(at),
        _ => None,
    })
}

/// Logs an error of the driver, and goes on without what it was about.
fn log_error<T: Default>(error: RenderError) -> T {
    tracing::error!("the canvas cannot be drawn: {error}");
    T::default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_stroke_within_one_frame_has_all_its_points() {
        let at = |x: f32| egui::pos2(x, 5.0);
        let button = |x, pressed| egui::Event::PointerButton {
            pos: at(x),
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        };
        let moved = |x| egui::Event::PointerMoved(at(x));
        let all = [
            moved(0.0),
            button(1.0, true),
            moved(2.0),
            button(2.0, false),
            moved(3.0),
        ];
        let xs = |events: &[egui::Event], begins| -> Vec<f32> {
            stroke_points(events, begins).map(|at| at.x).collect()
        };
        assert_eq!(xs(&all, true), [1.0, 2.0]);
        assert_eq!(xs(&all[2..], false), [2.0]);
    }

    proptest! {
        /// Zooming keeps the UV under the pointer, and nothing beyond the square is visible.
        #[test]
        fn frames_stay_in_the_square(
            moves in prop::collection::vec((0.0..=1.0_f64, 0.0..=1.0_f64, 0.2..4.0_f64, -0.5..0.5_f64), 1..30),
        ) {
            let mut frame = Frame::default();
            for (x, y, factor, way) in moves {
                let share = DVec2::new(x, y);
                let before = frame.uv(share);
                frame.zoom_about(share, factor, MAX_ZOOM);
                prop_assert!((1.0..=MAX_ZOOM).contains(&frame.zoom));
                if factor >= 1.0 {
                    prop_assert!(frame.uv(share).distance(before) < 1e-9);
                }
                frame.shift(DVec2::new(way, -way));
                for corner in [DVec2::ZERO, DVec2::ONE] {
                    let uv = frame.uv(corner);
                    prop_assert!(uv.min_element() >= -1e-9 && uv.max_element() <= 1.0 + 1e-9);
                }
            }
        }
    }
}
