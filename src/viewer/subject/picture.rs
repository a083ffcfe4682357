//! Pictures of the subject: in the window, refined, and small.

use super::Subject;
use super::simulations::Side;
use mohawk::render::{OrbitCamera, RenderError, Shot, refined_picture, small_picture};
use mohawk::style::Card;
use three_d::{RenderTarget, Viewport};

impl Subject {
    fn shot(&self, camera: OrbitCamera, background: bool) -> Shot {
        Shot {
            camera,
            world_from_head: self.sim().drawn_pose().to_mat4(),
            background,
        }
    }

    /// Returns the sides that are drawn and their viewports: one view, or two beside each other.
    fn views(&self, all: Viewport) -> Vec<(Side, Viewport)> {
        match self.simulations.beside() {
            None => vec![(Side::Left, all)],
            Some(_) => halves(all).to_vec(),
        }
    }

    /// Draws head, hair and sky into `viewport` of the target: as the best picture if it `is_kept`,
    /// else as fast as motion needs.
    pub(crate) fn draw(
        &mut self,
        is_kept: bool,
        camera: OrbitCamera,
        target: &RenderTarget<'_>,
        viewport: Viewport,
        pixel_scale: f32,
    ) -> Result<bool, RenderError> {
        self.show_skin();
        let shot = self.shot(camera, true);
        let mut refines = false;
        for (side, part) in self.views(viewport) {
            self.simulations.show_on(&mut self.stage, side);
            if is_kept {
                self.stage.draw_still(target, part, &shot, pixel_scale)?;
                refines = true;
            } else {
                refines |= self.stage.draw(target, part, &shot, pixel_scale)?;
            }
        }
        Ok(refines)
    }

    /// Compiles a program that [`draw`](Self::draw) needs, if one is missing. Returns `true` if none is.
    pub(crate) fn rehearse(
        &mut self,
        camera: OrbitCamera,
        target: &RenderTarget<'_>,
        pixel_scale: f32,
    ) -> Result<bool, RenderError> {
        self.show_skin();
        let shot = self.shot(camera, true);
        let mut has_all = true;
        for (side, part) in self.views(target.viewport()) {
            self.simulations.show_on(&mut self.stage, side);
            has_all &= self.stage.rehearse(target, part, &shot, pixel_scale)?;
        }
        Ok(has_all)
    }

    /// Returns the share of the samples that the picture has.
    pub(crate) fn refined_share(&self) -> f32 {
        let views = 1 + usize::from(self.simulations.beside().is_some());
        self.stage.refined_share(views)
    }

    /// Returns a small square picture of head and hair alone, without a background.
    pub(crate) fn thumbnail(
        &mut self,
        camera: OrbitCamera,
        context: &three_d::Context,
    ) -> Result<image::RgbaImage, RenderError> {
        self.show_skin();
        let (shot, side) = (self.shot(camera, false), self.looked_at);
        self.simulations.show_on(&mut self.stage, side);
        // The scale of a window of a usual height, so that strands are not drawn too wide.
        let scale = Card::SIDE as f32 / 800.0;
        small_picture(context, &mut self.stage, &shot, Card::SIDE, scale)
    }

    /// Returns the picture that was refined in `viewport`, with the sky or without a background.
    pub(crate) fn refined_picture(
        &mut self,
        shows_sky: bool,
        camera: OrbitCamera,
        context: &three_d::Context,
        viewport: Viewport,
        pixel_scale: f32,
    ) -> Result<image::RgbaImage, RenderError> {
        self.show_skin();
        let shot = self.shot(camera, shows_sky);
        let mut whole = image::RgbaImage::new(viewport.width, viewport.height);
        for (side, part) in self.views(viewport) {
            self.simulations.show_on(&mut self.stage, side);
            let (stage, [w, h]) = (&mut self.stage, [part.width, part.height]);
            let view = refined_picture(context, stage, &shot, w, h, pixel_scale)?;
            image::imageops::replace(&mut whole, &view, i64::from(part.x - viewport.x), 0);
        }
        // Between the halves of an odd width there is a column.
        let middle = viewport.width / 2;
        if self.simulations.beside().is_some() && viewport.width % 2 == 1 && middle > 0 {
            for y in 0..viewport.height {
                whole.put_pixel(middle, y, *whole.get_pixel(middle - 1, y));
            }
        }
        Ok(whole)
    }
}

/// Returns the two views within what is drawn, of one size to the pixel.
fn halves(all: Viewport) -> [(Side, Viewport); 2] {
    let width = (all.width / 2).max(1);
    let left = Viewport { width, ..all };
    let right = Viewport {
        x: all.x + (all.width - width) as i32,
        ..left
    };
    [(Side::Left, left), (Side::Right, right)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_of_one_size_and_within_the_whole() {
        for width in [1, 2, 959, 960] {
            let all = Viewport {
                x: 3,
                y: 5,
                width,
                height: 70,
            };
            let [(_, left), (_, right)] = halves(all);
            assert_eq!((left.width, left.height), (right.width, right.height));
            assert_eq!(left.x, all.x);
            assert_eq!(right.x + right.width as i32, all.x + width as i32);
        }
    }
}
