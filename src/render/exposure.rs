//! A picture in linear light: samples that are drawn one by one, their mean, and the final pass
//! that turns it into the colours of a screen, over the sky.

use super::bloom::Bloom;
use super::frame::{Drawn, Frame, OPAQUE, Squares, WHOLE, blank_texture};
use crate::look::SkyLook;
use three_d::*;

/// The light that falls on each pixel: premultiplied, linear, not limited to 1.
pub struct Exposure {
    /// The latest sample.
    sample: Texture2D,
    /// Its depth.
    depth: DepthTexture2D,
    /// `true` if hair has depth in it.
    is_deep: bool,
    /// The sum of the samples before; `None` if there was never more than one.
    sum: Option<Texture2D>,
    /// The number of samples.
    samples: u32,
    /// The number of samples that are to be taken.
    most: u32,
    shown: Shown,
}

/// The largest number of samples whose sum has half floats.
const MOST_HALF: u32 = 16;

/// How often samples were shown over the sky.
enum Shown {
    Never,
    Once,
    /// The outcome of the final pass is kept: to copy it takes a fraction of the time.
    Again(Texture2D),
}

impl Exposure {
    /// Returns a picture of `size` pixels without samples, for `most` of them.
    pub fn new(context: &Context, size: [u32; 2], most: u32) -> Self {
        let [width, height] = size;
        let clamp = Wrapping::ClampToEdge;
        Self {
            sample: blank_texture::<[f16; 4]>(context, size, Interpolation::Linear),
            depth: DepthTexture2D::new::<f32>(context, width, height, clamp, clamp),
            is_deep: false,
            sum: None,
            samples: 0,
            most,
            shown: Shown::Never,
        }
    }

    /// Returns the size in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.sample.width(), self.sample.height()]
    }

    /// Returns the number of samples taken.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// Removes all samples.
    pub fn clear(&mut self) {
        self.samples = 0;
        self.shown = Shown::Never;
    }

    /// Returns the place within the pixel of the next sample, from -0.5 to 0.5. The first is in the
    /// middle; the multiples of the plastic number's powers are evenly spread for any count
    /// (Roberts 2018, "The Unreasonable Effectiveness of Quasirandom Sequences").
    pub fn next_offset(&self) -> [f32; 2] {
        let place = |step: f64| (0.5 + f64::from(self.samples) * step).fract() as f32 - 0.5;
        [place(0.754_877_666_246_693), place(0.569_840_290_998_053)]
    }

    /// Returns the turn of the shadow filter in the next sample, 0 to 1. The first is a half.
    pub fn next_turn(&self) -> f32 {
        turn_of(self.samples)
    }

    /// Returns the place on the lens of the next sample, in the unit disk. The first is in the
    /// middle.
    pub fn next_place(&self) -> [f32; 2] {
        let along = |step: f64| (f64::from(self.samples) * step).fract() as f32;
        // Steps that are no simple multiples of each other keep the places apart.
        let (radius, turn) = (along(0.618_033_988_749_895).sqrt(), along(0.524_889_0));
        let (sin, cos) = (std::f32::consts::TAU * turn).sin_cos();
        [radius * cos, radius * sin]
    }

    /// Takes a sample of what `surfaces` and then `rest` draw on nothing. `hiding` draws the depth of
    /// the surfaces anew, for surfaces that do not hide all that is behind them. `deep`: `rest` draws
    /// the depth of hair too.
    pub fn take(
        &mut self,
        (frame, square): (&Frame, &Squares),
        deep: bool,
        surfaces: impl FnOnce() -> Drawn,
        hiding: Option<impl FnOnce() -> Drawn>,
        rest: impl FnOnce() -> Drawn,
    ) -> Drawn {
        if self.samples > 0 {
            self.add(frame, square)?;
        }
        self.shown = Shown::Never;
        let color = self.sample.as_color_target(None);
        let nothing = ClearState::color_and_depth(0.0, 0.0, 0.0, 0.0, 1.0);
        let target = RenderTarget::new(color, self.depth.as_depth_target());
        target.clear(nothing);
        match hiding {
            None => target.write(|| surfaces().and_then(|()| rest()))?,
            Some(hiding) => {
                target.write(surfaces)?;
                let depth = self.depth.as_depth_target();
                depth.clear(ClearState::depth(1.0)).write(hiding)?;
                target.write(rest)?
            }
        };
        self.samples += 1;
        self.is_deep = deep;
        Ok(())
    }

    /// Adds the depth of hair, which `draw` draws, unless the latest sample has it.
    pub fn deepen(&mut self, draw: impl FnOnce() -> Drawn) -> Drawn {
        if !self.is_deep {
            self.depth.as_depth_target().write(draw)?;
            self.is_deep = true;
        }
        Ok(())
    }

    /// Adds the latest sample to the sum of those before.
    fn add(&mut self, frame: &Frame, square: &Squares) -> Drawn {
        let size = self.size();
        // Half floats would round each of many samples in the same direction.
        let blank = || match self.most > MOST_HALF {
            true => blank_texture::<[f32; 4]>(frame.context, size, Interpolation::Linear),
            false => blank_texture::<[f16; 4]>(frame.context, size, Interpolation::Linear),
        };
        let sum = self.sum.get_or_insert_with(blank).as_color_target(None);
        if self.samples == 1 {
            sum.clear(ClearState::color(0.0, 0.0, 0.0, 0.0));
        }
        let states = RenderStates {
            blend: Blend::ADD,
            ..OPAQUE
        };
        sum.write(|| copy(frame, square, &self.sample, None, states))?;
        Ok(())
    }

    /// Blurs the mean of the samples, if a `share` of it is to be mixed in by
    /// [`develop`](Self::develop).
    pub fn bloom(
        &self,
        frame: &Frame,
        square: &Squares,
        share: f32,
    ) -> Result<Option<(Bloom, f32)>, RendererError> {
        if share <= 0.0 {
            return Ok(None);
        }
        let switches: Vec<_> = self.switches().into_iter().collect();
        let blurred = Bloom::new(frame, square, self.size(), &switches, |program| {
            self.use_uniforms(program);
        })?;
        Ok(Some((blurred, share)))
    }

    /// Says that these samples will be shown again. The first picture of them is then copied too,
    /// since it could differ from copies by a step of colour.
    pub fn settle(&mut self) {
        if let Shown::Never = self.shown {
            self.shown = Shown::Once;
        }
    }

    /// Fills the viewport of a frame with samples that were shown before, over a sky and with a share
    /// of bloom that are the same as then. `deep`: with their depth. Returns `false`, and draws nothing,
    /// if they are new.
    pub fn show_again(
        &mut self,
        frame: &Frame,
        square: &Squares,
        target: &RenderTarget<'_>,
        sky: &Sky,
        bloom: f32,
        deep: bool,
    ) -> Result<bool, RendererError> {
        let viewport = frame.camera.viewport();
        let kept = match std::mem::replace(&mut self.shown, Shown::Once) {
            Shown::Never => return Ok(false),
            Shown::Once => {
                let mut camera = frame.camera.clone();
                camera.set_viewport(Viewport::new_at_origo(viewport.width, viewport.height));
                let camera = &camera;
                let frame = Frame { camera, ..*frame };
                let bloom = self.bloom(&frame, square, bloom)?;
                let size = [viewport.width, viewport.height];
                let kept = blank_texture::<[u8; 4]>(frame.context, size, Interpolation::Nearest);
                kept.as_color_target(None)
                    .write(|| self.develop(&frame, square, Some(sky), bloom.as_ref(), false))?;
                kept
            }
            Shown::Again(kept) => kept,
        };
        let depth = deep.then_some(&self.depth);
        let fill = || copy(frame, square, &kept, depth, OPAQUE);
        target.write_partially(viewport.into(), fill)?;
        self.shown = Shown::Again(kept);
        Ok(true)
    }

    /// Returns the sum of the samples before the latest one, if there are any.
    fn earlier(&self) -> Option<&Texture2D> {
        self.sum.as_ref().filter(|_| self.samples > 1)
    }

    /// Returns the switches of `samples.glsl`.
    fn switches(&self) -> Option<&'static str> {
        self.earlier().map(|_| "MANY")
    }

    /// Sets the uniforms of `samples.glsl`.
    fn use_uniforms(&self, program: &Program) {
        program.use_texture("sampleLight", &self.sample);
        if let Some(sum) = self.earlier() {
            program.use_texture("sumLight", sum);
            program.use_uniform("share", 1.0 / self.samples as f32);
        }
    }

    /// Draws the mean of the samples on a square, which fills the viewport of the frame: over a
    /// sky, or premultiplied without one. `deep`: with its depth.
    pub fn develop(
        &self,
        frame: &Frame,
        square: &Squares,
        sky: Option<&Sky>,
        bloom: Option<&(Bloom, f32)>,
        deep: bool,
    ) -> Drawn {
        let defines: Vec<_> = (self.switches().into_iter())
            .chain(sky.map(|_| "SKY"))
            .chain(bloom.map(|_| "BLOOM"))
            .chain(deep.then_some("DEPTH"))
            .collect();
        let fragment = concat!(
            include_str!("color.glsl"),
            include_str!("samples.glsl"),
            include_str!("develop.frag")
        );
        let shaders = || [WHOLE, fragment];
        frame.with_program("final pass", &defines, shaders, |program| {
            self.use_uniforms(program);
            if deep {
                program.use_depth_texture("sampleDepth", &self.depth);
            }
            if let Some((blurred, share)) = bloom {
                program.use_texture("blurred", blurred.picture());
                program.use_uniform("bloom", *share);
            }
            if let Some(sky) = sky {
                program.use_texture("skyColor", &sky.picture);
            }
            square.draw(program, with_depth(OPAQUE, deep), frame.camera.viewport());
        })
    }
}

/// The sky behind a picture. It is drawn again only when it has changed.
pub struct Sky {
    picture: Texture2D,
    /// The look and the view that are drawn.
    drawn: Option<(SkyLook, f32, Mat4)>,
}

impl Sky {
    /// Returns the sky of a picture of `size` pixels.
    pub fn new(context: &Context, size: [u32; 2]) -> Self {
        Self {
            picture: blank_texture::<[u8; 4]>(context, size, Interpolation::Nearest),
            drawn: None,
        }
    }

    /// Returns the size in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.picture.width(), self.picture.height()]
    }

    /// Draws the sky for a view with a share of its light, if it differs.
    pub fn update(
        &mut self,
        frame: &Frame,
        square: &Squares,
        look: &SkyLook,
        backdrop: f32,
    ) -> Drawn {
        let view = Some((look.clone(), backdrop, frame.clip_from_world()));
        if self.drawn == view {
            return Ok(());
        }
        self.drawn = view;
        let fragment = concat!(include_str!("color.glsl"), include_str!("sky.frag"));
        let shaders = || [WHOLE, fragment];
        self.picture.as_color_target(None).write(|| {
            frame.with_program("sky", &[], shaders, |program| {
                let world_from_clip = frame.clip_from_world().invert();
                let world_from_clip = world_from_clip.unwrap_or_else(Mat4::identity);
                program.use_uniform("worldFromClip", world_from_clip);
                program.use_uniform("topColor", Vec3::from(look.top_color));
                program.use_uniform("bottomColor", Vec3::from(look.bottom_color));
                program.use_uniform("contrast", look.contrast);
                program.use_uniform("wireColor", Vec3::from(look.wire_color));
                program.use_uniform("wireOpacity", look.wire_opacity);
                program.use_uniform("backdrop", backdrop);
                let [width, height] = self.size();
                square.draw(program, OPAQUE, Viewport::new_at_origo(width, height));
            })
        })?;
        Ok(())
    }

    /// Fills the viewport of a frame with the sky.
    pub fn fill(&self, frame: &Frame, square: &Squares) -> Drawn {
        copy(frame, square, &self.picture, None, OPAQUE)
    }
}

/// Copies a picture of the size of the viewport of a frame to it, with `depth` if there is one.
fn copy(
    frame: &Frame,
    square: &Squares,
    picture: &Texture2D,
    depth: Option<&DepthTexture2D>,
    states: RenderStates,
) -> Drawn {
    let shaders = || [WHOLE, include_str!("copy.frag")];
    let defines: &[_] = if depth.is_some() { &["DEPTH"] } else { &[] };
    frame.with_program("copy", defines, shaders, |program| {
        program.use_texture("picture", picture);
        if let Some(depth) = depth {
            program.use_depth_texture("pictureDepth", depth);
        }
        let states = with_depth(states, depth.is_some());
        square.draw(program, states, frame.camera.viewport());
    })
}

/// Returns states that write the depth too, if it is `deep`.
fn with_depth(states: RenderStates, deep: bool) -> RenderStates {
    let write_mask = match deep {
        true => WriteMask::COLOR_AND_DEPTH,
        false => states.write_mask,
    };
    RenderStates {
        write_mask,
        ..states
    }
}

/// Returns the turn of the shadow filter in a sample, 0 to 1. A filter of four taps looks alike after
/// a quarter of a turn. Multiples of the golden ratio's quarter are evenly spread within a quarter as
/// well as within a turn.
fn turn_of(sample: u32) -> f32 {
    (0.5 + f64::from(sample) * (0.25 * 0.618_033_988_749_895)).fract() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_of_a_picture_at_rest_are_evenly_spread() {
        const COUNT: u32 = 16;
        for parts in [1.0, 4.0] {
            let mut turns: Vec<f32> = (0..COUNT).map(|i| parts * turn_of(i) % 1.0).collect();
            turns.sort_by(f32::total_cmp);
            turns.push(turns[0] + 1.0);
            let gaps = turns.windows(2).map(|pair| pair[1] - pair[0]);
            let widest = gaps.fold(0.0, f32::max);
            assert!(widest < 2.0 / COUNT as f32, "{parts}: {widest}");
        }
    }
}
