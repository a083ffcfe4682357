//! The picture of the interface, which is kept while only the scene moves.

use crate::viewer::ViewerError;
use glam::Vec2;
use mohawk::render::Sheet;
use three_d::egui::{Order, Rect};
use three_d::{Context, CoreError, GUI, RenderTarget, ScissorBox};
use web_time::{Duration, Instant};

/// Time for which the picture is kept at most: figures change.
const KEPT_FOR: Duration = Duration::from_millis(100);
/// Width of the frame that is drawn around windows, logical pixels.
const FRAME: f32 = 2.0;

/// The latest interface.
#[derive(Default)]
pub(crate) struct KeptInterface {
    sheet: Option<Sheet>,
    /// The parts of the window that it covers.
    parts: Vec<ScissorBox>,
    /// The time when it was made; `None` if it was not kept.
    made: Option<Instant>,
    /// What panels take of the window, logical pixels.
    pub(crate) taken: Vec2,
}

impl KeptInterface {
    /// Returns `true` if it may be shown again in a window of `size` pixels.
    pub(crate) fn is_fresh(&self, gui: &GUI, size: [u32; 2]) -> bool {
        let fits = self.sheet.as_ref().is_some_and(|s| s.size() == size);
        let is_new = self.made.is_some_and(|made| made.elapsed() < KEPT_FOR);
        fits && is_new && !gui.context().has_requested_repaint()
    }

    /// Lets the next picture show a new interface.
    pub(crate) fn outdate(&mut self) {
        self.made = None;
    }

    /// Draws an interface that was just made. `keeps`: everything in it lies in panels, windows and
    /// areas, and is soon shown again.
    pub(crate) fn draw_new(
        &mut self,
        gui: &GUI,
        gl: &Context,
        target: &RenderTarget<'_>,
        taken: Vec2,
        keeps: bool,
    ) -> Result<(), ViewerError> {
        self.taken = taken;
        self.made = keeps.then(Instant::now);
        let failed = |error: CoreError| ViewerError::Graphics(error.to_string());
        if !keeps {
            target.write(|| gui.render()).map_err(failed)?;
            return Ok(());
        }
        let size = [target.width(), target.height()];
        let old = self.sheet.take().filter(|sheet| sheet.size() == size);
        let sheet = self
            .sheet
            .insert(old.unwrap_or_else(|| Sheet::new(gl, size)));
        sheet.paint(|| gui.render()).map_err(failed)?;
        self.parts = parts(gui, size, taken);
        self.draw(target)
    }

    /// Draws the interface that was kept.
    pub(crate) fn draw(&self, target: &RenderTarget<'_>) -> Result<(), ViewerError> {
        match &self.sheet {
            Some(sheet) => Ok(sheet.lay_over(target, &self.parts)?),
            None => Ok(()),
        }
    }
}

/// Returns the parts of a window that its interface covers.
fn parts(gui: &GUI, size: [u32; 2], taken: Vec2) -> Vec<ScissorBox> {
    let ctx = gui.context();
    let all = ctx.content_rect();
    let (mut right, mut bottom) = (all, all);
    right.min.x = all.max.x - taken.x;
    bottom.min.y = all.max.y - taken.y;
    let areas = ctx.memory(|memory| {
        let layers = memory.areas().visible_layer_ids().into_iter();
        let layers = layers.filter(|layer| layer.order != Order::Background);
        let areas = layers.filter_map(|layer| memory.area_rect(layer.id));
        let areas = areas.filter(|&area| !right.contains_rect(area) && !bottom.contains_rect(area));
        areas.map(|area| area.expand(FRAME)).collect::<Vec<Rect>>()
    });
    let scale = ctx.pixels_per_point();
    let whole = ScissorBox::new_at_origo(size[0], size[1]);
    let part = |rect: Rect| {
        let [left, right] = [rect.min.x.floor(), rect.max.x.ceil()].map(|x| (x * scale) as i32);
        let [top, bottom] = [rect.min.y.floor(), rect.max.y.ceil()].map(|y| (y * scale) as i32);
        let part = ScissorBox {
            x: left,
            y: size[1] as i32 - bottom,
            width: (right - left).max(0) as u32,
            height: (bottom - top).max(0) as u32,
        };
        whole.intersection(part)
    };
    let rects = [right, bottom].into_iter().chain(areas);
    let parts = rects.map(part);
    parts
        .filter(|part| part.width > 0 && part.height > 0)
        .collect()
}
