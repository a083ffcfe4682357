//! The end of a picture: the mean of the samples over the sky, and what is shown with them.

use super::Stage;
use super::samples::opaque;
use crate::render::RenderError;
use crate::render::convert;
use crate::render::discs::Discs;
use crate::render::exposure::{Exposure, Sky};
use crate::render::frame::Frame;
use crate::render::outline::{Bounds, Rows};
use crate::render::shot::Shot;
use three_d::{ClearState, Geometry, RenderTarget, RendererError, Viewport};

/// Opacity of marks behind hair.
const FAINT: f32 = 0.35;

impl Stage {
    /// Returns the rows of the viewport in which anything is drawn.
    fn occupied(&self, viewport: Viewport, shot: &Shot, pixel_scale: f32) -> Rows {
        let size = glam::Vec2::new(viewport.width as f32, viewport.height as f32);
        // Widths in pixels, and the filter of a smaller picture.
        let margin = 4.0 + self.look.hair.width_px * pixel_scale;
        let mut rows = Rows::new(viewport, shot.camera.clip_from_world(size), margin);
        let lens = &self.look.lens;
        if self.look.light.floor || lens.bloom > 0.0 || lens.aperture > 0.0 {
            rows.cover_all();
        }
        for bounds in self.outline.iter().filter(|_| self.layers.head) {
            let corners = bounds.corners(0.0).into_iter();
            rows.cover(corners.map(|corner| shot.world_from_head.transform_point3(corner)));
        }
        for surface in self.solids.surfaces() {
            let bounds = surface.mesh.aabb();
            let [low, high] =
                [bounds.min(), bounds.max()].map(|end| glam::Vec3::from_array(end.into()));
            rows.cover(Bounds { low, high }.corners(0.0));
        }
        self.surroundings.cover(&mut rows);
        for hair in self.head_hair.iter().filter(|_| self.layers.head) {
            hair.cover(&mut rows);
        }
        for strands in self.strands.iter().filter(|_| self.layers.hair) {
            let radius = self.look.hair.radius;
            strands.cover(convert::mat4(shot.world_from_head), radius, &mut rows);
        }
        rows
    }

    fn shown_discs(&self) -> impl Iterator<Item = &Discs> {
        let discs = self.discs.iter().chain(&self.ring);
        discs.filter(|_| self.layers.discs)
    }

    /// Returns `true` if something is drawn with the samples that needs their depth.
    pub(super) fn needs_depth(&self) -> bool {
        self.shown_discs().next().is_some() || self.slice.is_some() || !self.marks.is_empty()
    }

    /// Draws the samples over the sky, and what is shown with them. `moves`: things were elsewhere
    /// in some samples.
    pub(super) fn finish(
        &mut self,
        exposure: &mut Exposure,
        target: &RenderTarget<'_>,
        viewport: Viewport,
        shot: &Shot,
        pixel_scale: f32,
        moves: bool,
    ) -> Result<(), RenderError> {
        let camera = shot.camera.to_three_d(viewport);
        let frame = Frame {
            pixel_scale,
            ..Frame::new(&self.context, &camera, convert::mat4(shot.world_from_head))
        };
        let deep = self.needs_depth();
        if deep {
            self.deepen(exposure, shot, pixel_scale)?;
            target.clear_partially(viewport.into(), ClearState::depth(1.0));
        }
        let bloom = self.look.lens.bloom;
        match shot.background {
            true => {
                let size = [viewport.width, viewport.height];
                let old = self.sky.take().filter(|sky| sky.size() == size);
                let mut sky = old.unwrap_or_else(|| Sky::new(&self.context, size));
                let backdrop = self.studio.backdrop();
                sky.update(&frame, &self.square, &self.look.sky, backdrop)?;
                let square = &self.square;
                if !exposure.show_again(&frame, square, target, &sky, bloom, deep)? {
                    let mut occupied = self.occupied(viewport, shot, pixel_scale);
                    if moves {
                        occupied.cover_all();
                    }
                    for area in occupied.others() {
                        target.write_partially(area, || sky.fill(&frame, square))?;
                    }
                    let bloom = exposure.bloom(&frame, square, bloom)?;
                    for area in occupied.areas() {
                        target.write_partially(area, || {
                            exposure.develop(&frame, square, Some(&sky), bloom.as_ref(), deep)
                        })?;
                    }
                }
                self.sky = Some(sky);
            }
            false => {
                let bloom = exposure.bloom(&frame, &self.square, bloom)?;
                target
                    .write(|| exposure.develop(&frame, &self.square, None, bloom.as_ref(), deep))?;
            }
        }
        target.write::<RendererError>(|| {
            for discs in self.shown_discs() {
                discs.draw(&frame)?;
            }
            if let Some(slice) = &self.slice {
                slice.draw(&frame)?;
            }
            self.marks.draw(&frame, 1.0)
        })?;
        if self.marks.is_empty() {
            return Ok(());
        }
        // Marks within the hair are visible through it, but not through the head.
        target
            .clear(ClearState::depth(1.0))
            .write::<RendererError>(|| {
                for surface in opaque(&self.head, self.layers, &self.solids) {
                    surface.draw_depth(&frame)?;
                }
                self.surroundings.draw_depth(&camera);
                self.marks.draw(&frame, FAINT)
            })?;
        Ok(())
    }
}
