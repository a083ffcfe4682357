//! The canvas: the model's UV layout, to be painted on while the head shows what comes of it.

use super::hand::Hand;
use super::ring;
use glam::{DVec2, Vec2};
use mohawk::head::Head;
use mohawk::maps::{Flat, Map, MapKind};
use mohawk::style::Styler;
use std::sync::Arc;
use three_d::egui;

/// Smallest and first side of the picture, logical pixels.
const SIDES: [f32; 2] = [160.0, 300.0];
/// More pixels than this a side are not made; zoomed in on, they are seen larger.
const MOST_PIXELS: u32 = 1024;
/// How much larger it can be seen.
const MOST_ZOOM: f64 = 12.0;
/// Pixels of a square that strokes are in.
const MOST_SIDE: f64 = 16_384.0;
/// Of the wheel: a notch is about 50 logical pixels.
const ZOOM_PER_POINT: f32 = 0.005;

/// What happened to the canvas in a frame.
#[derive(Default)]
pub(crate) struct Touches {
    /// The picture's side, pixels, where the brush was put down.
    pub(crate) began: Option<u32>,
    /// Where it went, pixels of the picture.
    pub(crate) went: Vec<DVec2>,
    pub(crate) ended: bool,
}

/// The window that shows it.
#[derive(Default)]
pub(crate) struct FlatView {
    pub(crate) open: bool,
    /// Of the head that it was made of.
    flat: Option<(Arc<Head>, usize, Option<Arc<Flat>>)>,
    texture: Option<egui::TextureHandle>,
    /// Where the picture is in the window, logical pixels.
    area: Option<egui::Rect>,
    frame: Frame,
    /// What the texture shows.
    shown: Option<Shown>,
    /// What it was when the style was last here.
    last: Option<(MapKind, Option<Arc<Map>>)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Shown {
    kind: MapKind,
    side: u32,
    revision: u64,
}

/// What of the square is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Frame {
    /// Times that it is larger than the whole square would be, 1 to [`MOST_ZOOM`].
    zoom: f64,
    /// The UV of its corner at the top left.
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
    /// The UV at a share of the frame.
    fn uv(self, share: DVec2) -> DVec2 {
        self.corner + share / self.zoom
    }

    fn uvs(self) -> egui::Rect {
        let [low, high] = [DVec2::ZERO, DVec2::ONE].map(|share| self.uv(share).as_vec2());
        egui::Rect::from_min_max(egui::pos2(low.x, low.y), egui::pos2(high.x, high.y))
    }

    /// Makes it larger, up to `most`, with the same UV at a share of the frame.
    fn zoom_about(&mut self, share: DVec2, factor: f64, most: f64) {
        let at = self.uv(share);
        self.zoom = (self.zoom * factor).clamp(1.0, most);
        self.place(at - share / self.zoom);
    }

    /// Moves what is in it by a share of the frame.
    fn shift(&mut self, way: DVec2) {
        self.place(self.corner - way / self.zoom);
    }

    /// Nothing beyond the square is seen.
    fn place(&mut self, corner: DVec2) {
        self.corner = corner.clamp(DVec2::ZERO, DVec2::splat(1.0 - self.zoom.recip()));
    }
}

/// How far right and down in the area.
fn share(area: egui::Rect, at: egui::Pos2) -> DVec2 {
    let share = (at - area.min) / area.size();
    DVec2::new(share.x.into(), share.y.into())
}

impl FlatView {
    /// Shows it over the scene; `styler`: if it is not away; `revision`: another one whenever a map
    /// has changed. Gives what the brush did there.
    pub(crate) fn show(
        &mut self,
        ctx: &egui::Context,
        area: egui::Rect,
        hand: &Hand,
        styler: Option<&mut Styler>,
        revision: u64,
    ) -> Touches {
        let mut touches = Touches::default();
        if !self.open {
            return touches;
        }
        if let Some(styler) = styler {
            self.follow(styler, hand.map);
        }
        let mut open = true;
        let most = (area.width().min(area.height()) - 72.0).max(SIDES[0]);
        egui::Window::new(format!("Canvas: {}", hand.map))
            .id(egui::Id::new("canvas"))
            .open(&mut open)
            .constrain_to(area)
            .default_pos(area.left_bottom() + egui::vec2(16.0, -16.0))
            .pivot(egui::Align2::LEFT_BOTTOM)
            .default_size([SIDES[1].min(most); 2])
            .min_size([SIDES[0]; 2])
            .max_size([most; 2])
            .resizable(true)
            .collapsible(true)
            .show(ctx, |ui| match &self.flat {
                Some((.., Some(_))) => self.canvas(ui, hand, revision, &mut touches),
                Some((.., None)) => {
                    ui.label("This model has no UVs to lay it out flat: paint on the head.");
                }
                None => {
                    ui.label("There is nothing to paint on.");
                }
            });
        self.open = open;
        touches
    }

    /// Takes the layout of the head and the map of the style.
    fn follow(&mut self, styler: &mut Styler, kind: MapKind) {
        let head = styler.shared_head();
        let same = (self.flat.as_ref()).is_some_and(|(of, ..)| Arc::ptr_eq(of, &head));
        if !same {
            let part = styler.follicles().part();
            self.flat = Some((head, part, styler.flat()));
            self.shown = None;
        }
        self.last = Some((kind, styler.style().maps.get(&kind).cloned()));
    }

    fn canvas(&mut self, ui: &mut egui::Ui, hand: &Hand, revision: u64, touches: &mut Touches) {
        let logical = ui.available_size().min_elem().max(SIDES[0]);
        let (area, response) =
            ui.allocate_exact_size(egui::Vec2::splat(logical), egui::Sense::drag());
        let scale = ui.ctx().pixels_per_point();
        let shown = f64::from(logical * scale);
        self.move_frame(
            ui,
            area,
            &response,
            (MOST_SIDE / shown).clamp(1.0, MOST_ZOOM),
        );
        let frame = self.frame;
        // Of the whole square, as large as it is seen.
        let side = (shown * frame.zoom).round().max(1.0) as u32;
        if self.area != Some(area) {
            self.area = Some(area);
            // What tests go by.
            let (at, side) = (area.min, area.width());
            tracing::info!("canvas at {:.0}, {:.0}, {side:.0} wide", at.x, at.y);
        }
        self.paint_texture(ui.ctx(), hand.map, side.min(MOST_PIXELS), revision);
        if let Some(texture) = &self.texture {
            let painter = ui.painter();
            painter.image(texture.id(), area, frame.uvs(), egui::Color32::WHITE);
        }
        let within = |at: egui::Pos2| frame.uv(share(area, at)) * f64::from(side);
        if response.drag_started_by(egui::PointerButton::Primary) {
            touches.began = Some(side);
            let pressed = ui.input(|input| input.pointer.press_origin());
            touches.went.extend(pressed.map(within));
        }
        if response.dragged_by(egui::PointerButton::Primary) {
            ui.input(|input| {
                let moved = input.events.iter().filter_map(|event| match event {
                    egui::Event::PointerMoved(at) => Some(within(*at)),
                    _ => None,
                });
                touches.went.extend(moved);
            });
        }
        touches.ended = response.drag_stopped_by(egui::PointerButton::Primary);
        let pointer = response.hover_pos().or(response.interact_pointer_pos());
        if let Some(at) = pointer.filter(|_| hand.paints()) {
            let painter = ui.painter().with_clip_rect(area);
            ring::show(
                &painter,
                hand,
                Vec2::new(at.x, at.y),
                response.dragged(),
                None,
            );
        }
    }

    /// The wheel zooms about the pointer, the right and the middle button move.
    fn move_frame(
        &mut self,
        ui: &egui::Ui,
        area: egui::Rect,
        response: &egui::Response,
        most: f64,
    ) {
        let before = self.frame;
        if let Some(at) = response.hover_pos() {
            let (wheel, pinch) =
                ui.input(|input| (input.smooth_scroll_delta.y, input.zoom_delta()));
            let factor = f64::from((wheel * ZOOM_PER_POINT).exp() * pinch);
            self.frame.zoom_about(share(area, at), factor, most);
        }
        let moves = [egui::PointerButton::Secondary, egui::PointerButton::Middle];
        if moves.iter().any(|&button| response.dragged_by(button)) {
            let way = response.drag_delta() / area.size();
            self.frame.shift(DVec2::new(way.x.into(), way.y.into()));
        }
        if self.frame != before {
            // What tests go by.
            let Frame { zoom, corner } = self.frame;
            tracing::info!(
                "canvas {zoom:.2} times, from {:.3}, {:.3}",
                corner.x,
                corner.y
            );
        }
    }

    fn paint_texture(&mut self, ctx: &egui::Context, kind: MapKind, side: u32, revision: u64) {
        let wanted = Shown {
            kind,
            side,
            revision,
        };
        if self.shown == Some(wanted) {
            return;
        }
        let (Some((head, part, Some(flat))), Some((kind, map))) = (&self.flat, &self.last) else {
            return;
        };
        let part = &head.parts[*part];
        let picture = flat.picture_of(part, *kind, map.as_deref(), side);
        let size = [picture.width() as usize, picture.height() as usize];
        let image = egui::ColorImage::from_rgba_unmultiplied(size, picture.as_raw());
        let options = egui::TextureOptions::LINEAR;
        match &mut self.texture {
            Some(texture) => texture.set(image, options),
            None => self.texture = Some(ctx.load_texture("canvas", image, options)),
        }
        self.shown = Some(wanted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// What is under the pointer stays there, and only the square is ever seen.
        #[test]
        fn frames_stay_in_the_square(
            moves in prop::collection::vec((0.0..=1.0_f64, 0.0..=1.0_f64, 0.2..4.0_f64, -0.5..0.5_f64), 1..30),
        ) {
            let mut frame = Frame::default();
            for (x, y, factor, way) in moves {
                let share = DVec2::new(x, y);
                let before = frame.uv(share);
                frame.zoom_about(share, factor, MOST_ZOOM);
                prop_assert!((1.0..=MOST_ZOOM).contains(&frame.zoom));
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
