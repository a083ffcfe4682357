//! The page of a doll: figures and clips from SVG, and the hair (`curves`). `view` maps the page to
//! pixels, and tells which part of it changed.

mod curves;
mod view;

use super::RenderError;
use super::frame::{Drawn, PREMULTIPLIED, Squares, blank_texture, over, with_program};
use crate::doll::{Clip, ClipKind, Doll, Face, Figure, PAGE, Palette, clip_svg};
use curves::Curves;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use three_d::*;
use view::{Area, View};

/// Side of the box of the SVG of a clip.
const CLIP_SIDE: f32 = 100.0;

/// The box of what is drawn behind figures: corner, width, height. Windows are wider than the page.
const SCENERY: [f32; 4] = {
    const BESIDE: f32 = 400.0;
    let [width, height] = [PAGE[0] as f32, PAGE[1] as f32];
    [-BESIDE, 0.0, width + 2.0 * BESIDE, height]
};

/// The whole of a drawing.
const WHOLE: [f32; 4] = [0.0, 0.0, 1.0, 1.0];
const WHITE: ClearState = ClearState::color(1.0, 1.0, 1.0, 1.0);

/// A page on the GPU.
pub struct Paper {
    context: Context,
    square: Squares,
    curves: Curves,
    figure: (Figure, Palette),
    clips: Vec<Clip>,
    drawings: Vec<(Drawing, Texture2D)>,
    /// The last drawing, and the part of it that has changed since.
    shown: Option<Texture2D>,
    stale: Area,
}

/// The inputs of a drawing. The last is its size: drawn pixels per pixel of the page, or the side
/// of a clip in pixels. Clips of the same size share a drawing.
#[derive(Clone, Copy, PartialEq)]
enum Drawing {
    Body(Figure, Palette, f32),
    Face(Figure, Palette, Face, f32),
    Clip(ClipKind, [f32; 3], u32),
}

impl Drawing {
    fn of_clip(clip: &Clip, scale: f32) -> Self {
        let side = 2.0 * clip.half_width() as f32 * scale;
        Self::Clip(clip.kind, clip.color, side.ceil().clamp(8.0, 2048.0) as u32)
    }

    /// Makes the drawing, and returns the area of the page that it changes. `None` if it cannot be
    /// drawn, which is logged.
    fn make(self, context: &Context) -> (Option<Texture2D>, Area) {
        let (svg, [x, y, width, height], scale, area) = match self {
            Self::Body(figure, palette, scale) => {
                (figure.body_svg(palette), SCENERY, scale, Area::ALL)
            }
            Self::Face(figure, palette, face, scale) => {
                let place = figure.face_box();
                let svg = figure.face_svg(palette, face);
                (svg, place, scale, Area::of_box(place))
            }
            Self::Clip(kind, color, side) => {
                let place = [0.0, 0.0, CLIP_SIDE, CLIP_SIDE];
                let scale = side as f32 / CLIP_SIDE;
                (clip_svg(kind, color), place, scale, Area::NOTHING)
            }
        };
        let sides = [width, height].map(|side| (side * scale).ceil().clamp(1.0, 16_384.0) as u32);
        // The box covers whole pixels.
        let [across, down] = [sides[0] as f32 / width, sides[1] as f32 / height];
        let shown = Transform::from_translate(-x, -y).post_scale(across, down);
        let tree = Tree::from_str(&svg, &Options::default());
        let tree = tree.map_err(|error| tracing::error!("a drawing is damaged: {error}"));
        let drawn = tree.ok().zip(Pixmap::new(sides[0], sides[1]));
        let picture = drawn.map(|(tree, mut pixels)| {
            resvg::render(&tree, shown, &mut pixels.as_mut());
            let texture = blank_texture::<[u8; 4]>(context, sides, Interpolation::Linear);
            texture.fill(pixels.data().as_chunks::<4>().0);
            texture
        });
        (picture, area)
    }
}

impl Paper {
    /// Returns an empty page.
    pub fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            square: Squares::one(context),
            curves: Curves::new(context),
            figure: Default::default(),
            clips: Vec::new(),
            drawings: Vec::new(),
            shown: None,
            stale: Area::ALL,
        }
    }

    /// Shows another doll.
    pub fn set_doll(&mut self, doll: &Doll) {
        self.figure = (doll.settings.figure, doll.settings.palette);
        self.stale = self.stale.with(self.curves.set(&doll.hairs));
        if self.clips != doll.clips {
            for clip in self.clips.iter().chain(&doll.clips) {
                self.stale = self.stale.with(Area::of_box(clip_box(clip)));
            }
            self.clips.clone_from(&doll.clips);
        }
    }

    /// Draws the page, as large as possible in the middle of the viewport, and its scenery beside it.
    /// Only the part that changed since the last call is made again.
    ///
    /// # Errors
    /// [`RenderError::Driver`] if the driver fails.
    pub fn draw(
        &mut self,
        target: &RenderTarget<'_>,
        viewport: Viewport,
        face: Face,
    ) -> Result<(), RenderError> {
        let size = [viewport.width, viewport.height];
        let view = View::of(Viewport::new_at_origo(size[0], size[1]));
        self.prepare(face, &view);
        let last = self.shown.take();
        let last = last.filter(|shown| [shown.width(), shown.height()] == size);
        let shown = last.unwrap_or_else(|| {
            self.stale = Area::ALL;
            blank_texture::<[u8; 4]>(&self.context, size, Interpolation::Nearest)
        });
        let stale = std::mem::replace(&mut self.stale, Area::NOTHING);
        if let Some(pixels) = stale.scissor(&view) {
            let target = shown.as_color_target(None);
            let target = target.clear_partially(pixels, WHITE);
            target.write_partially(pixels, || self.paint(face, &view))?;
        }
        let view = View::of(viewport);
        target.write_partially(viewport.into(), || {
            self.draw_part(&view, &shown, WHOLE, view.all())
        })?;
        self.shown = Some(shown);
        Ok(())
    }

    /// Draws the whole page on a whole target, as [`draw`](Self::draw) does, but keeps nothing for
    /// the next picture.
    ///
    /// # Errors
    /// [`RenderError::Driver`] if the driver fails.
    pub fn draw_once(&mut self, target: &RenderTarget<'_>, face: Face) -> Result<(), RenderError> {
        let view = View::of(target.viewport());
        self.prepare(face, &view);
        let target = target.clear(WHITE);
        target.write(|| self.paint(face, &view))?;
        Ok(())
    }

    fn paint(&self, face: Face, view: &View) -> Drawn {
        let (figure, palette) = self.figure;
        let drawing = |wanted: Drawing| {
            let mut drawings = self.drawings.iter();
            Some(&drawings.find(|(drawing, _)| *drawing == wanted)?.1)
        };
        let scale = view.detail();
        if let Some(body) = drawing(Drawing::Body(figure, palette, scale)) {
            let onto @ [x, y, wide, high] = view.all();
            let [left, top, width, height] = SCENERY;
            let [x, y] = [x - left, y - top];
            let part = [
                x / width,
                y / height,
                (x + wide) / width,
                (y + high) / height,
            ];
            self.draw_part(view, body, part, onto)?;
        }
        if let Some(face) = drawing(Drawing::Face(figure, palette, face, scale)) {
            self.draw_part(view, face, WHOLE, figure.face_box())?;
        }
        self.curves.draw(view)?;
        for clip in &self.clips {
            if let Some(drawn) = drawing(Drawing::of_clip(clip, scale)) {
                self.draw_part(view, drawn, WHOLE, clip_box(clip))?;
            }
        }
        Ok(())
    }

    /// Draws part of a picture (left, top, right, bottom; 0 to 1 is the whole) on a box of the
    /// page. Beside the picture, its border is shown.
    fn draw_part(&self, view: &View, picture: &Texture2D, part: [f32; 4], onto: [f32; 4]) -> Drawn {
        let vertex = include_str!("paper/sprite.vert");
        let shaders = || [vertex, include_str!("paper/sprite.frag")];
        with_program(&self.context, "sprites", &[], shaders, |program| {
            program.use_uniform("clipFromPage", view.clip_from_page());
            program.use_uniform("part", Vec4::from(part));
            program.use_uniform("onto", Vec4::from(onto));
            program.use_texture("picture", picture);
            let states = RenderStates {
                blend: PREMULTIPLIED,
                ..over(DepthTest::Always)
            };
            self.square.draw(program, states, view.viewport);
        })
    }

    /// Makes the missing drawings, in the size in which they are shown.
    fn prepare(&mut self, face: Face, view: &View) {
        let ((figure, palette), scale) = (self.figure, view.detail());
        let mut wanted = vec![
            Drawing::Body(figure, palette, scale),
            Drawing::Face(figure, palette, face, scale),
        ];
        let clips = self.clips.iter();
        wanted.extend(clips.map(|clip| Drawing::of_clip(clip, scale)));
        self.drawings
            .retain(|(drawing, _)| wanted.contains(drawing));
        for drawing in wanted {
            if self.drawings.iter().all(|(made, _)| *made != drawing) {
                let (picture, area) = drawing.make(&self.context);
                self.drawings
                    .extend(picture.map(|picture| (drawing, picture)));
                self.stale = self.stale.with(area);
            }
        }
    }
}

/// Returns the box of a clip on the page: corner, width, height.
fn clip_box(clip: &Clip) -> [f32; 4] {
    let half = clip.half_width() as f32;
    let [x, y] = clip.at.as_vec2().to_array();
    [x - half, y - half, 2.0 * half, 2.0 * half]
}
