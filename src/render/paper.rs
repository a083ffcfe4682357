//! The doll's page: a figure from SVG, hair as ribbons along quadratic Beziers, clips.

mod area;
mod curves;
mod sprite;

use super::RenderError;
use crate::doll::{Clip, ClipKind, Doll, Face, Figure, Fit, PAGE, Palette};
use area::Area;
use curves::Curves;
use sprite::{Brush, Sprite};
use three_d::*;

/// Clips are drawn for at least so many pixels a box of 100.
const CLIP_SIDE: f32 = 100.0;

/// Drawings have no more pixels per pixel of the page: larger pictures show them enlarged.
const FINEST: f32 = 4.0;
/// All of a drawing.
const WHOLE: [f32; 4] = [0.0, 0.0, 1.0, 1.0];
const WHITE: ClearState = ClearState::color(1.0, 1.0, 1.0, 1.0);
/// The part of the page at either side in which no figure is.
const BESIDE: f32 = 0.2;

/// What is on the page, on the GPU.
pub struct Paper {
    context: Context,
    brush: Brush,
    curves: Curves,
    body: Option<(BodyKey, Sprite)>,
    face: Option<(FaceKey, Sprite)>,
    clips: Vec<(ClipKey, Sprite)>,
    worn: Vec<Clip>,
    /// What has been shown, and where that is no longer true.
    shown: Option<Sprite>,
    stale: Area,
}

/// What a drawing was made of; the last is pixels drawn per pixel of the page.
type BodyKey = (Figure, Palette, f32);
type FaceKey = (Figure, Palette, Face, f32);
type ClipKey = (ClipKind, [f32; 3], u32);

impl Paper {
    /// Nothing yet.
    ///
    /// # Errors
    /// The driver refuses a shader.
    pub fn new(context: &Context) -> Result<Self, RenderError> {
        Ok(Self {
            context: context.clone(),
            brush: Brush::new(context)?,
            curves: Curves::new(context)?,
            body: None,
            face: None,
            clips: Vec::new(),
            worn: Vec::new(),
            shown: None,
            stale: Area::ALL,
        })
    }

    /// Takes on the hair and the clips of a doll.
    pub fn set_doll(&mut self, doll: &Doll) {
        let mut stale = self.curves.set(&doll.hairs);
        if self.worn != doll.clips {
            let clips = self.worn.iter().chain(&doll.clips);
            stale = clips.fold(stale, |area, clip| area.with(Area::of_box(clip_box(clip))));
            self.worn.clone_from(&doll.clips);
        }
        self.stale = self.stale.with(stale);
    }

    /// Draws all of it, as large as it can be in the middle of the viewport; beside it the
    /// page goes on as if in a mirror.
    ///
    /// # Errors
    /// The driver fails.
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

    /// As [`draw`](Self::draw), for a window: what was shown last is kept, and only the part of it
    /// that has changed is drawn anew.
    ///
    /// # Errors
    /// The driver fails.
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
        let kept = self.shown.take().filter(|shown| shown.size() == size);
        let mut shown = kept.unwrap_or_else(|| {
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
            self.brush.draw(&view, &shown, WHOLE, view.all());
            Ok(())
        })?;
        self.shown = Some(shown);
        Ok(())
    }

    fn paint(&self, view: &View, figure: Figure) {
        if let Some((_, body)) = &self.body {
            for (part, onto) in body_pieces(&view.fit) {
                self.brush.draw(view, body, part, onto);
            }
        }
        if let Some((_, sprite)) = &self.face {
            self.brush.draw(view, sprite, WHOLE, figure.face_box());
        }
        self.curves.draw(view);
        for clip in &self.worn {
            let key = clip_key(clip, view.detail());
            if let Some((_, sprite)) = self.clips.iter().find(|(k, _)| *k == key) {
                self.brush.draw(view, sprite, WHOLE, clip_box(clip));
            }
        }
    }

    /// Makes the drawings that are not there yet, in the size in which they are seen.
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
        let keys: Vec<ClipKey> = self.worn.iter().map(|clip| clip_key(clip, scale)).collect();
        self.clips.retain(|(key, _)| keys.contains(key));
        for (clip, key) in self.worn.iter().zip(keys) {
            if !self.clips.iter().any(|(k, _)| *k == key) {
                let svg_scale = key.2 as f32 / CLIP_SIDE;
                let side = [0.0, 0.0, CLIP_SIDE, CLIP_SIDE];
                let sprite = Sprite::of_svg(context, &clip.svg(), side, svg_scale);
                self.clips.extend(sprite.map(|sprite| (key, sprite)));
            }
        }
    }
}

/// What of the body is drawn where, so that it fills the viewport: all of it, and beside it its outer
/// fifth, in which there is nobody, as if between mirrors. Above and below its border goes on.
fn body_pieces(fit: &Fit) -> impl Iterator<Item = ([f32; 4], [f32; 4])> {
    let [width, height] = PAGE.map(|side| side as f32);
    let [beside, above] = fit.corner.map(|corner| (corner / fit.scale) as f32);
    let [top, bottom] = [-above / height, 1.0 + above / height];
    let piece = move |from: f32, to: f32, left: f32, wide: f32| {
        let onto = [left, -above, wide, height + 2.0 * above];
        ([from, top, to, bottom], onto)
    };
    let strip = BESIDE * width;
    let count = (beside / strip).ceil() as u32;
    let mirrored = (0..count).flat_map(move |i| {
        let far = i as f32 * strip;
        let (near, out) = match i % 2 {
            0 => (0.0, BESIDE),
            _ => (BESIDE, 0.0),
        };
        [
            piece(out, near, -far - strip, strip),
            piece(1.0 - near, 1.0 - out, width + far, strip),
        ]
    });
    [piece(0.0, 1.0, 0.0, width)].into_iter().chain(mirrored)
}

/// Where a clip is seen: corner, width, height.
fn clip_box(clip: &Clip) -> [f32; 4] {
    let half = clip.half_width() as f32;
    let [x, y] = clip.at.as_vec2().to_array();
    [x - half, y - half, 2.0 * half, 2.0 * half]
}

/// A drawing serves all clips that are seen in its size.
fn clip_key(clip: &Clip, scale: f32) -> ClipKey {
    let side = 2.0 * clip.half_width() as f32 * scale;
    (clip.kind, clip.color, side.ceil().clamp(8.0, 2048.0) as u32)
}

/// How the page lies in what is drawn to.
struct View {
    viewport: Viewport,
    fit: Fit,
}

impl View {
    fn of(viewport: Viewport) -> Self {
        let fit = Fit::of([viewport.width, viewport.height]);
        Self { viewport, fit }
    }

    /// Pixels of a drawing per pixel of the page.
    fn detail(&self) -> f32 {
        (self.fit.scale as f32).min(FINEST)
    }

    /// All that is seen, on the page: corner, width, height.
    fn all(&self) -> [f32; 4] {
        let [x, y] = self.fit.corner.map(|corner| -corner / self.fit.scale);
        let size = [self.viewport.width, self.viewport.height].map(f64::from);
        let [width, height] = size.map(|side| side / self.fit.scale);
        [x, y, width, height].map(|number| number as f32)
    }

    /// What gives clip space of a place on the page: factors, then what is added.
    fn clip_from_page(&self) -> three_d::Vec4 {
        let size = [self.viewport.width, self.viewport.height].map(f64::from);
        let factor = [0, 1].map(|i| 2.0 * self.fit.scale / size[i]);
        let added = [0, 1].map(|i| 2.0 * self.fit.corner[i] / size[i] - 1.0);
        vec4(
            factor[0] as f32,
            -factor[1] as f32,
            added[0] as f32,
            -added[1] as f32,
        )
    }

    /// What a drawn pixel is on the page.
    fn pixel(&self) -> f32 {
        (1.0 / self.fit.scale) as f32
    }
}
