//! The canvas: the model's UV layout, to be painted on while the head shows what comes of it.

use super::hand::Hand;
use super::ring;
use crate::head::Head;
use crate::maps::{Flat, Map, MapKind};
use crate::style::Styler;
use glam::{DVec2, Vec2};
use std::sync::Arc;
use three_d::egui;

/// Smallest and first side of the picture, logical pixels.
const SIDES: [f32; 2] = [160.0, 300.0];
/// More pixels than this a side are not made.
const MOST_PIXELS: u32 = 1024;

/// What happened to the canvas in a frame.
#[derive(Default)]
pub(in crate::viewer) struct Touches {
    /// The picture's side, pixels, where the brush was put down.
    pub(in crate::viewer) began: Option<u32>,
    /// Where it went, pixels of the picture.
    pub(in crate::viewer) went: Vec<DVec2>,
    pub(in crate::viewer) ended: bool,
}

/// The window that shows it.
#[derive(Default)]
pub(in crate::viewer) struct FlatView {
    pub(in crate::viewer) open: bool,
    /// Of the head that it was made of.
    flat: Option<(Arc<Head>, usize, Option<Arc<Flat>>)>,
    texture: Option<egui::TextureHandle>,
    /// Where the picture is in the window, logical pixels.
    area: Option<egui::Rect>,
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

impl FlatView {
    /// Shows it over the scene; `styler`: if it is not away; `revision`: another one whenever a map
    /// has changed. Gives what the brush did there.
    pub(in crate::viewer) fn show(
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
        let side = ((logical * scale).round() as u32).clamp(1, MOST_PIXELS);
        if self.area != Some(area) {
            self.area = Some(area);
            // What tests go by.
            let (at, side) = (area.min, area.width());
            tracing::info!("canvas at {:.0}, {:.0}, {side:.0} wide", at.x, at.y);
        }
        self.paint_texture(ui.ctx(), hand.map, side, revision);
        if let Some(texture) = &self.texture {
            let whole = egui::Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
            ui.painter()
                .image(texture.id(), area, whole, egui::Color32::WHITE);
        }
        let within = |at: egui::Pos2| {
            let share = (at - area.min) / area.size();
            DVec2::new(share.x.into(), share.y.into()) * f64::from(side)
        };
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
