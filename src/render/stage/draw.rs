//! Drawing pictures of a stage: sample by sample in a window, or whole.

use super::Stage;
use crate::render::RenderError;
use crate::render::exposure::Exposure;
use crate::render::shot::{Layers, Shot};
use three_d::{RenderTarget, Viewport};

/// The pictures of a view that [`Stage::draw`] draws.
#[derive(Default)]
pub(super) struct ViewPictures {
    /// The latest picture.
    exposure: Option<Exposure>,
    /// `true` if it is one of things at rest, which has more and more samples.
    rests: bool,
    /// The shot, the layers, the scale and the place of the latest picture; `None` if something
    /// else has changed since.
    pub(super) shown: Option<(Shot, Layers, f32, Viewport)>,
}

impl ViewPictures {
    /// Returns the number of samples of the picture of things at rest.
    fn resting_samples(&self) -> u32 {
        let resting = self.exposure.as_ref().filter(|_| self.rests);
        resting.map_or(0, Exposure::samples)
    }
}

impl Stage {
    /// Clears `viewport` of `target` and draws into it, as a window does: with one sample per
    /// pixel, and with one more whenever nothing has changed since, up to
    /// [`Quality::samples`](crate::render::Quality::samples), but none while the economy waits.
    /// `pixel_scale` is the number of target pixels per pixel in which widths are given. Returns
    /// `true` if the picture gets better when it is drawn again.
    ///
    /// # Errors
    /// [`RenderError::Driver`] if the driver refuses a shader.
    pub fn draw(
        &mut self,
        target: &RenderTarget<'_>,
        viewport: Viewport,
        shot: &Shot,
        pixel_scale: f32,
    ) -> Result<bool, RenderError> {
        if self.update(shot) {
            self.forget_views();
        }
        let shown = (*shot, self.layers, pixel_scale, viewport);
        let view = &mut self.views[self.view];
        let is_draft = self.economy.present < 1.0;
        let changed = view.shown.replace(shown) != Some(shown) || is_draft;
        let has_moving = !view.rests && view.exposure.is_some();
        // The picture of things in motion is shown until there is a better one.
        let moves = changed || self.economy.waits && has_moving;
        let begins = changed || view.rests == moves;
        view.rests = !moves;
        let scale = if moves { self.economy.resolution } else { 1.0 };
        let size = [viewport.width, viewport.height];
        let size = size.map(|side| ((side as f32 * scale).round() as u32).max(1));
        // The picture that waits for a better one keeps its size.
        let kept = view.exposure.take();
        let size = match &kept {
            Some(old) if moves && !changed => old.size(),
            _ => size,
        };
        let exposure = kept.filter(|old| old.size() == size);
        let mut exposure =
            exposure.unwrap_or_else(|| Exposure::new(&self.context, size, self.quality.samples));
        if begins {
            exposure.clear();
        }
        if changed {
            let economy = Some(self.economy);
            self.expose(&mut exposure, shot, pixel_scale * scale, economy, true)?;
        } else if !self.economy.waits && exposure.samples() < self.quality.samples {
            let is_first = exposure.samples() == 0;
            self.expose(&mut exposure, shot, pixel_scale, None, is_first)?;
        }
        if !moves && exposure.samples() >= self.quality.samples {
            exposure.settle();
        }
        let done = self.finish(&mut exposure, target, viewport, shot, pixel_scale, false);
        let refines = !is_draft && (moves || exposure.samples() < self.quality.samples);
        self.views[self.view].exposure = Some(exposure);
        done.map(|()| refines)
    }

    /// Draws the picture of the view that [`draw`](Self::draw) has refined, with or without its
    /// background. Without such a picture, all samples are taken first.
    ///
    /// # Errors
    /// [`RenderError::Driver`] if the driver refuses a shader.
    pub(in crate::render) fn draw_refined(
        &mut self,
        target: &RenderTarget<'_>,
        shot: &Shot,
        pixel_scale: f32,
    ) -> Result<(), RenderError> {
        let viewport = target.viewport();
        let view = &mut self.views[self.view];
        let size = [viewport.width, viewport.height];
        let is_refined = view.resting_samples() > 0;
        let kept = &mut view.exposure;
        let Some(mut exposure) = kept.take_if(|kept| is_refined && kept.size() == size) else {
            return self.draw_still(target, viewport, shot, pixel_scale);
        };
        let done = self.finish(&mut exposure, target, viewport, shot, pixel_scale, false);
        self.views[self.view].exposure = Some(exposure);
        done
    }

    /// Returns the share of the samples that the pictures of `views` views have, of the one that has
    /// the fewest.
    pub fn refined_share(&self, views: usize) -> f32 {
        let views = self.views.iter().take(views);
        let fewest = views.map(ViewPictures::resting_samples).min();
        fewest.unwrap_or(0) as f32 / self.quality.samples.max(1) as f32
    }

    /// Lets the next picture of each view begin anew.
    fn forget_views(&mut self) {
        self.views.iter_mut().for_each(|view| view.shown = None);
    }

    /// Draws a picture as [`draw`](Self::draw) does, with all samples at once.
    ///
    /// # Errors
    /// [`RenderError::Driver`] if the driver refuses a shader.
    pub fn draw_still(
        &mut self,
        target: &RenderTarget<'_>,
        viewport: Viewport,
        shot: &Shot,
        pixel_scale: f32,
    ) -> Result<(), RenderError> {
        self.draw_moving(target, viewport, pixel_scale, |_, _| *shot)
    }

    /// Draws a picture as [`draw_still`](Self::draw_still) does, with one sample per pixel.
    ///
    /// # Errors
    /// [`RenderError::Driver`] if the driver refuses a shader.
    pub(in crate::render) fn draw_once(
        &mut self,
        target: &RenderTarget<'_>,
        shot: &Shot,
        pixel_scale: f32,
    ) -> Result<(), RenderError> {
        let samples = std::mem::replace(&mut self.quality.samples, 1);
        let drawn = self.draw_still(target, target.viewport(), shot, pixel_scale);
        self.quality.samples = samples;
        drawn
    }

    /// Draws a picture of things that move while its samples are taken. `moment` shows the things at
    /// a share of that time, from 0 to below 1, and returns the shot. The sky is that of the middle.
    ///
    /// # Errors
    /// [`RenderError::Driver`] if the driver refuses a shader.
    pub fn draw_moving(
        &mut self,
        target: &RenderTarget<'_>,
        viewport: Viewport,
        pixel_scale: f32,
        mut moment: impl FnMut(&mut Stage, f64) -> Shot,
    ) -> Result<(), RenderError> {
        self.forget_views();
        let samples = self.quality.samples.max(1);
        let size = [viewport.width, viewport.height];
        let mut exposure = Exposure::new(&self.context, size, samples);
        let (mut last, mut middle, mut moves) = (None, None, false);
        for sample in 0..samples {
            let shot = moment(self, f64::from(sample) / f64::from(samples));
            let differs = self.update(&shot) | (last != Some(shot));
            moves |= differs && sample > 0;
            last = Some(shot);
            if sample == samples / 2 {
                middle = last;
            }
            self.expose(&mut exposure, &shot, pixel_scale, None, differs)?;
        }
        match middle {
            Some(shot) => self.finish(&mut exposure, target, viewport, &shot, pixel_scale, moves),
            None => Ok(()),
        }
    }
}
