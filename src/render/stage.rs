//! Everything in a picture: a head, its strands, overlays, solids, lights and sky.

use super::discs::{Disc, Discs};
use super::frame::{Frame, Squares};
use super::light::{Quality, Studio, draw_sky};
use super::marks::{MarkModels, Marks};
use super::slice::{DistanceSlice, SliceModel};
use super::strands::{StrandModel, Tints};
use super::{RenderError, camera::OrbitCamera, solids::Solids, surface::HeadModel};
use crate::{groom::Groom, head::Head, look::Look};
use glam::Mat4;
use three_d::{ClearState, Context, RenderTarget, RendererError, Viewport};

/// Opacity of marks behind hair.
const FAINT: f32 = 0.35;

/// The view of one picture.
#[derive(Clone, Copy, Debug)]
pub struct Shot {
    /// The camera.
    pub camera: OrbitCamera,
    /// The pose of the head.
    pub world_from_head: Mat4,
    /// `true` if the sky is drawn. Otherwise the background is transparent.
    pub background: bool,
}

/// The layers of a picture that can be hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// The surfaces of the head and their shadow.
    pub head: bool,
    /// The strands and their shadow.
    pub hair: bool,
    /// The discs and the ring.
    pub discs: bool,
}

impl Default for Layers {
    fn default() -> Self {
        Self {
            head: true,
            hair: true,
            discs: false,
        }
    }
}

/// A head, its hair and what is shown with them, on the GPU.
pub struct Stage {
    context: Context,
    look: Look,
    studio: Studio,
    /// The square on which the sky is drawn.
    sky: Squares,
    head: Option<HeadModel>,
    strands: Option<StrandModel>,
    discs: Option<Discs>,
    ring: Option<Discs>,
    /// Spheres and capsules, and an ellipsoid in place of a head.
    pub solids: Solids,
    slice: Option<SliceModel>,
    marks: MarkModels,
    /// The layers that are drawn.
    pub layers: Layers,
}

impl Stage {
    /// Returns an empty stage.
    pub fn new(context: &Context, look: &Look, quality: Quality) -> Self {
        Self {
            studio: Studio::new(context, &look.sky, quality),
            sky: Squares::one(context),
            solids: Solids::new(context),
            marks: MarkModels::new(context),
            context: context.clone(),
            look: look.clone(),
            head: None,
            strands: None,
            discs: None,
            ring: None,
            slice: None,
            layers: Layers::default(),
        }
    }

    /// Shows another head.
    pub fn set_head(&mut self, head: &Head) {
        self.head = Some(HeadModel::new(&self.context, head));
    }

    /// Shows other strands, at rest on a head at the origin until [`Stage::set_points`].
    pub fn set_groom(&mut self, groom: &Groom) {
        self.strands = StrandModel::new(&self.context, groom);
    }

    /// Changes colours, widths and sky.
    pub fn set_look(&mut self, look: &Look) {
        self.look = look.clone();
        self.studio.set_sky(&look.sky);
    }

    /// Shows other points in world space, `per_strand` of `[x, y, z, _]` for each strand of the
    /// groom: its tip if that is 1, else its particles, root first.
    pub fn set_points(&mut self, points: &[[f32; 4]], per_strand: usize) {
        if let Some(strands) = &mut self.strands {
            strands.set_points(points, per_strand);
        }
    }

    /// Replaces the colours of the look until other strands are shown. `None` restores them, and so
    /// do tints of another number of strands.
    pub fn set_tints(&mut self, tints: Option<&Tints>) {
        if let Some(strands) = &mut self.strands {
            strands.set_tints(tints);
        }
    }

    /// Shows other dots and lines.
    pub fn set_marks(&mut self, marks: &Marks) {
        self.marks.set(marks);
    }

    /// Shows a plane of distances, or removes it.
    pub fn set_slice(&mut self, slice: Option<DistanceSlice>) {
        self.slice = slice.and_then(|slice| SliceModel::new(&self.context, slice));
    }

    /// Shows other discs on the skin and removes the ring.
    pub fn set_discs(&mut self, discs: &[Disc]) {
        self.discs = Discs::new(&self.context, discs, false);
        self.ring = None;
    }

    /// Shows a ring on the skin, with a reticle that is also visible, faintly, through the head.
    pub fn set_ring(&mut self, ring: Option<Disc>) {
        self.ring = Discs::new(&self.context, ring.as_slice(), true);
    }

    /// Limits shadows to a ball, world space; `None` is where heads are.
    pub fn set_extent(&mut self, ball: Option<(glam::Vec3, f32)>) {
        self.studio.set_extent(ball);
    }

    /// Clears `viewport` of `target` and draws into it. `pixel_scale` is the number of target
    /// pixels per pixel in which widths are given (supersampling, display scale).
    ///
    /// # Errors
    /// [`RenderError::Driver`] if the driver refuses a shader.
    pub fn draw(
        &mut self,
        target: &RenderTarget<'_>,
        viewport: Viewport,
        shot: &Shot,
        pixel_scale: f32,
    ) -> Result<(), RenderError> {
        let world_from_head = three_d::Mat4::from(shot.world_from_head.to_cols_array_2d());
        if let Some(head) = &mut self.head {
            head.set_pose(world_from_head);
        }
        self.solids.set_pose(world_from_head);
        let camera = shot.camera.to_three_d(viewport);
        let frame = Frame {
            context: &self.context,
            camera: &camera,
            world_from_head,
            pixel_scale,
        };
        if let Some(strands) = self.strands.as_mut().filter(|_| self.layers.hair) {
            strands.arrange(&frame);
        }
        let (studio, look) = (&self.studio, &self.look);
        let layers = self.layers;
        let head = self.head.as_ref().filter(|_| layers.head);
        let strands = self.strands.as_ref().filter(|_| layers.hair);
        let opaque = || {
            let parts = head.into_iter().flat_map(HeadModel::opaque);
            parts.chain(self.solids.surfaces())
        };

        studio.cast_shadows(|| {
            let light = Frame {
                camera: &studio.shadow_camera,
                ..frame
            };
            for surface in opaque() {
                surface.draw_depth(&light)?;
            }
            match strands.filter(|_| look.hair.lit) {
                Some(strands) => strands.cast_shadow(&light, &look.hair),
                None => Ok(()),
            }
        })?;

        let clear = ClearState::color_and_depth(0.0, 0.0, 0.0, 0.0, 1.0);
        let target = target.clear_partially(viewport.into(), clear);
        target.write::<RendererError>(|| {
            if shot.background {
                draw_sky(&frame, &self.sky, &look.sky)?;
            }
            for surface in opaque() {
                surface.draw(&frame, studio)?;
            }
            if let Some(strands) = strands {
                strands.draw(&frame, &look.hair, studio)?;
            }
            for surface in head.iter().flat_map(|head| head.blended(camera.position())) {
                surface.draw(&frame, studio)?;
            }
            for discs in self.discs.iter().chain(&self.ring).filter(|_| layers.discs) {
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
                for surface in opaque() {
                    surface.draw_depth(&frame)?;
                }
                self.marks.draw(&frame, FAINT)
            })?;
        Ok(())
    }
}
