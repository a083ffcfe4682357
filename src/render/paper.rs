//! The page of a doll: `sprite` draws figures and clips from SVG, `curves` the hair, and `area`
//! tells which part of the page changed. `view` maps the page to pixels.

mod area;
mod curves;
mod sprite;
mod view;

use super::error::RenderError;
use crate::doll::{Clip, ClipKind, Doll, Face, Figure, PAGE, PageFit, Palette, clip_svg};
use area::Area;
use curves::Curves;
use sprite::{Sprite, SpriteProgram};
use three_d::*;
use view::View;

/// Side of the box of the SVG of a clip.
const CLIP_SIDE: f32 = 100.0;

/// The whole of a drawing.
const WHOLE: [f32; 4] = [0.0, 0.0, 1.0, 1.0];
const WHITE: ClearState = ClearState::color(1.0, 1.0, 1.0, 1.0);
/// Width of the margins beside every figure, as a share of the page.
const MARGIN: f32 = 0.2;

/// A page on the GPU.
pub struct Paper {
    context: Context,
    sprites: SpriteProgram,
    curves: Curves,
    body: Option<(BodyKey, Sprite)>,
    face: Option<(FaceKey, Sprite)>,
    clips: Vec<(ClipKey, Sprite)>,
    drawn_clips: Vec<Clip>,
    /// The last drawing, and the part of it that has changed since.
    shown: Option<Sprite>,
    stale: Area,
}

/// The inputs of a drawing. The last value is drawn pixels per pixel of the page.
type BodyKey = (Figure, Palette, f32);
type FaceKey = (Figure, Palette, Face, f32);
type ClipKey = (ClipKind, [f32; 3], u32);

impl Paper {
    /// Returns an empty page.
    ///
    /// # Errors
    /// [`RenderError::Driver`] if the driver refuses a shader.
    pub fn new(context: &Context) -> Result<Self, RenderError> {
        Ok(Self {
            context: context.clone(),
            sprites: SpriteProgram::new(context)?,
            curves: Curves::new(context)?,
            body: None,
            face: None,
            clips: Vec::new(),
            drawn_clips: Vec::new(),
            shown: None,
            stale: Area::ALL,
        })
    }

    /// Shows the hair and the clips of a doll.
    pub fn set_doll(&mut self, doll: &Doll) {
        let mut stale = self.curves.set(&doll.hairs);
        if self.drawn_clips != doll.clips {
            let clips = self.drawn_clips.iter().chain(&doll.clips);
            stale = clips.fold(stale, |area, clip| area.with(Area::of_box(clip_box(clip))));
            self.drawn_clips.clone_from(&doll.clips);
        }
        self.stale = self.stale.with(stale);
    }

    /// Draws the page, as large as possible in the middle of the viewport. Its margins are mirrored
    /// beside it.
    ///
    /// # Errors
    /// [`RenderError::Driver`] if the driver fails.
    pub fn draw(
        &mut self,
        target: &RenderTarget<'_>,
        viewport: Viewport,
        figure: (Figure, Palette),
        face: Face,
    ) -> Result<(), RenderError> {
        let view = View::of(viewport);
        self.prepare(figure, face, &view);
        target
            .clear_partially(viewport.into(), WHITE)
            .write::<RendererError>(|| {
                self.paint(&view, figure.0);
                Ok(())
            })?;
        Ok(())
    }

    /// Draws as [`draw`](Self::draw) does, for a window: only the part that changed since the last
    /// call is drawn again.
    ///
    /// # Errors
    /// [`RenderError::Driver`] if the driver fails.
    pub fn show(
        &mut self,
        target: &RenderTarget<'_>,
        viewport: Viewport,
        figure: (Figure, Palette),
        face: Face,
    ) -> Result<(), RenderError> {
        let size = [viewport.width, viewport.height];
        let view = View::of(Viewport::new_at_origo(size[0], size[1]));
        self.prepare(figure, face, &view);
        let last = self.shown.take().filter(|shown| shown.size() == size);
        let mut shown = last.unwrap_or_else(|| {
            self.stale = Area::ALL;
            Sprite::blank(&self.context, size)
        });
        let stale = std::mem::replace(&mut self.stale, Area::NOTHING);
        if let Some(pixels) = stale.scissor(&view) {
            shown
                .target()
                .clear_partially(pixels, WHITE)
                .write_partially::<RendererError>(pixels, || {
                    self.paint(&view, figure.0);
                    Ok(())
                })?;
        }
        let view = View::of(viewport);
        target.write_partially::<RendererError>(viewport.into(), || {
            self.sprites.draw(&view, &shown, WHOLE, view.all());
            Ok(())
        })?;
        self.shown = Some(shown);
        Ok(())
    }

    fn paint(&self, view: &View, figure: Figure) {
        if let Some((_, body)) = &self.body {
            for (part, onto) in body_pieces(&view.fit) {
                self.sprites.draw(view, body, part, onto);
            }
        }
        if let Some((_, sprite)) = &self.face {
            self.sprites.draw(view, sprite, WHOLE, figure.face_box());
        }
        self.curves.draw(view);
        for clip in &self.drawn_clips {
            let key = clip_key(clip, view.detail());
            if let Some((_, sprite)) = self.clips.iter().find(|(k, _)| *k == key) {
                self.sprites.draw(view, sprite, WHOLE, clip_box(clip));
            }
        }
    }

    /// Makes the missing drawings, in the size in which they are shown.
    fn prepare(&mut self, (figure, palette): (Figure, Palette), face: Face, view: &View) {
        let context = &self.context;
        let scale = view.detail();
        let body = (figure, palette, scale);
        if self.body.as_ref().is_none_or(|(key, _)| *key != body) {
            let [width, height] = PAGE.map(|side| side as f32);
            let svg = figure.body_svg(palette);
            let page = [0.0, 0.0, width, height];
            self.body = Sprite::of_svg(context, &svg, page, scale).map(|sprite| (body, sprite));
            self.stale = Area::ALL;
        }
        let key = (figure, palette, face, scale);
        if self.face.as_ref().is_none_or(|(k, _)| *k != key) {
            let svg = figure.face_svg(palette, face);
            let sprite = Sprite::of_svg(context, &svg, figure.face_box(), scale);
            self.face = sprite.map(|sprite| (key, sprite));
            self.stale = self.stale.with(Area::of_box(figure.face_box()));
        }
        let keys: Vec<ClipKey> = self
            .drawn_clips
            .iter()
            .map(|clip| clip_key(clip, scale))
            .collect();
        self.clips.retain(|(key, _)| keys.contains(key));
        for (clip, key) in self.drawn_clips.iter().zip(keys) {
            if !self.clips.iter().any(|(k, _)| *k == key) {
                let svg_scale = key.2 as f32 / CLIP_SIDE;
                let side = [0.0, 0.0, CLIP_SIDE, CLIP_SIDE];
                let sprite =
                    Sprite::of_svg(context, &clip_svg(clip.kind, clip.color), side, svg_scale);
                self.clips.extend(sprite.map(|sprite| (key, sprite)));
            }
        }
    }
}

/// Returns the parts of the body's drawing (left, top, right, bottom) and their boxes on the page,
/// which together fill the viewport: the whole body, and its margins mirrored beside it again and
/// again. The border is repeated above and below.
fn body_pieces(fit: &PageFit) -> impl Iterator<Item = ([f32; 4], [f32; 4])> {
    let [width, height] = PAGE.map(|side| side as f32);
    let [beside, above] = fit.corner.map(|corner| (corner / fit.scale) as f32);
    let [top, bottom] = [-above / height, 1.0 + above / height];
    let piece = move |from: f32, to: f32, left: f32, wide: f32| {
        let onto = [left, -above, wide, height + 2.0 * above];
        ([from, top, to, bottom], onto)
    };
    let strip = MARGIN * width;
    let count = (beside / strip).ceil() as u32;
    let mirrored = (0..count).flat_map(move |i| {
        let far = i as f32 * strip;
        let (near, out) = match i % 2 {
            0 => (0.0, MARGIN),
            _ => (MARGIN, 0.0),
        };
        [
            piece(out, near, -far - strip, strip),
            piece(1.0 - near, 1.0 - out, width + far, strip),
        ]
    });
    [piece(0.0, 1.0, 0.0, width)].into_iter().chain(mirrored)
}

/// Returns the box of a clip on the page: corner, width, height.
fn clip_box(clip: &Clip) -> [f32; 4] {
    let half = clip.half_width() as f32;
    let [x, y] = clip.at.as_vec2().to_array();
    [x - half, y - half, 2.0 * half, 2.0 * half]
}

/// Returns the key of the drawing of a clip. Clips of the same size share it.
fn clip_key(clip: &Clip, scale: f32) -> ClipKey {
    let side = 2.0 * clip.half_width() as f32 * scale;
    (clip.kind, clip.color, side.ceil().clamp(8.0, 2048.0) as u32)
}
