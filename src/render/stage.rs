//! Everything in a picture: a head, its strands, overlays, solids, lights and sky.

use super::discs::{Disc, Discs};
use super::exposure::{Exposure, Sky};
use super::floor::Floor;
use super::follicles::Follicles;
use super::frame::{Drawn, Frame, Squares};
use super::head_hair::HeadHair;
use super::light::{Quality, Studio};
use super::marks::{MarkModels, Marks};
use super::outline::{Bounds, Rows, boxes_of};
use super::ribbons::Detail;
use super::shot::{Economy, Layers, Shot};
use super::slice::{DistanceSlice, SliceModel};
use super::strands::{StrandModel, Tints};
use super::surface::{HeadModel, Surface};
use super::{RenderError, solids::Solids};
use crate::{groom::Groom, head::Head, look::Look};
use three_d::{
    Camera, ClearState, Context, Geometry, Mat4, RenderTarget, RendererError, SquareMatrix,
    Viewport,
};

/// Opacity of marks behind hair.
const FAINT: f32 = 0.35;

/// A head, its hair and what is shown with them, on the GPU.
pub struct Stage {
    context: Context,
    look: Look,
    quality: Quality,
    studio: Studio,
    /// The square on which whole pictures are drawn.
    square: Squares,
    floor: Floor,
    head: Option<HeadModel>,
    head_hair: Option<HeadHair>,
    /// Boxes around the surfaces of the head, head space.
    outline: Vec<Bounds>,
    strands: Option<StrandModel>,
    follicles: Option<Follicles>,
    discs: Option<Discs>,
    ring: Option<Discs>,
    /// Spheres and capsules, and an ellipsoid in place of a head.
    pub solids: Solids,
    slice: Option<SliceModel>,
    marks: MarkModels,
    /// The layers that are drawn.
    pub layers: Layers,
    economy: Economy,
    /// The pictures of [`Stage::draw`]: of things that have moved, and that of things at rest.
    moving: Option<Exposure>,
    resting: Option<Exposure>,
    refines: bool,
    /// The sky behind the latest picture.
    sky: Option<Sky>,
    /// The shot, the layers, the scale and the place of the latest picture.
    shown: Option<(Shot, Layers, f32, Viewport)>,
    /// `true` if something else than pose, layers and camera has changed since the latest picture.
    changed: bool,
    /// The pose and the layers of the latest picture.
    posed: Option<(glam::Mat4, Layers)>,
}

impl Stage {
    /// Returns an empty stage.
    pub fn new(context: &Context, look: &Look, quality: Quality) -> Self {
        Self {
            quality,
            studio: Studio::new(context, look, quality),
            square: Squares::one(context),
            floor: Floor::new(context),
            solids: Solids::new(context),
            marks: MarkModels::new(context),
            context: context.clone(),
            look: look.clone(),
            head: None,
            head_hair: None,
            outline: Vec::new(),
            strands: None,
            follicles: None,
            discs: None,
            ring: None,
            slice: None,
            layers: Layers::default(),
            economy: Economy::NONE,
            moving: None,
            resting: None,
            refines: false,
            sky: None,
            shown: None,
            changed: true,
            posed: None,
        }
    }

    /// Shows another head.
    pub fn set_head(&mut self, head: &Head) {
        self.head = Some(HeadModel::new(&self.context, head));
        self.head_hair = Some(HeadHair::new(&self.context, head));
        let parts = head.parts.iter();
        let boxes = parts.flat_map(|part| boxes_of(&part.positions, &part.triangles));
        self.outline = boxes.collect();
        self.changed = true;
    }

    /// Shows other strands, at rest on a head at the origin until [`Stage::set_points`].
    pub fn set_groom(&mut self, groom: &Groom) {
        self.strands = StrandModel::new(&self.context, groom);
        self.follicles = Some(Follicles::new(&self.context, groom));
        self.changed = true;
    }

    /// Changes colours, widths and sky.
    pub fn set_look(&mut self, look: &Look) {
        if self.look == *look {
            return;
        }
        self.changed = true;
        self.look = look.clone();
        self.studio.set_look(look);
    }

    /// Shows other points in world space, `per_strand` of `[x, y, z, _]` for each strand of the
    /// groom: its tip if that is 1, else its particles, root first.
    pub fn set_points(&mut self, points: &[[f32; 4]], per_strand: usize) {
        if let Some(strands) = &mut self.strands {
            self.changed |= strands.set_points(points, per_strand);
        }
    }

    /// Replaces the colours of the look until other strands are shown. `None` restores them, and so
    /// do tints of another number of strands.
    pub fn set_tints(&mut self, tints: Option<&Tints>) {
        if let Some(strands) = &mut self.strands {
            self.changed |= strands.set_tints(tints);
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
        self.changed = true;
    }

    /// Clears `viewport` of `target` and draws into it, as a window does: with one sample per
    /// pixel, and with one more whenever nothing has changed since, up to [`Quality::samples`].
    /// `pixel_scale` is the number of target pixels per pixel in which widths are given.
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
        let view = (*shot, self.layers, pixel_scale, viewport);
        let changed = self.update(shot) | (self.shown.replace(view) != Some(view));
        let kept = match changed {
            true => &mut self.moving,
            false => &mut self.resting,
        };
        let scale = if changed {
            self.economy.resolution
        } else {
            1.0
        };
        let size = [viewport.width, viewport.height];
        let size = size.map(|side| ((side as f32 * scale).round() as u32).max(1));
        let exposure = kept.take().filter(|old| old.size() == size);
        let mut exposure = exposure.unwrap_or_else(|| Exposure::new(&self.context, size));
        if changed {
            exposure.clear();
            let count = self.strands.as_ref().map_or(0, StrandModel::count);
            let detail = Detail::Moving(self.economy.share_of(count));
            self.expose(&mut exposure, shot, pixel_scale * scale, detail, true)?;
            self.resting.iter_mut().for_each(Exposure::clear);
        } else if exposure.samples() < self.quality.samples {
            let is_first = exposure.samples() == 0;
            self.expose(&mut exposure, shot, pixel_scale, Detail::Still, is_first)?;
        }
        let done = self.finish(&exposure, target, viewport, shot, pixel_scale, false);
        self.refines = changed || exposure.samples() < self.quality.samples;
        match changed {
            true => self.moving = Some(exposure),
            false => self.resting = Some(exposure),
        }
        done
    }

    /// Sets what is saved on pictures in motion.
    pub fn set_economy(&mut self, economy: Economy) {
        self.economy = economy;
    }

    /// Returns `true` if the picture gets better when it is [drawn](Self::draw) again.
    pub fn is_refining(&self) -> bool {
        self.refines
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
        self.shown = None;
        let mut exposure = Exposure::new(&self.context, [viewport.width, viewport.height]);
        let samples = self.quality.samples.max(1);
        let (mut last, mut middle, mut moves) = (None, None, false);
        for sample in 0..samples {
            let shot = moment(self, f64::from(sample) / f64::from(samples));
            let differs = self.update(&shot) | (last != Some(shot));
            moves |= differs && sample > 0;
            last = Some(shot);
            if sample == samples / 2 {
                middle = last;
            }
            self.expose(&mut exposure, &shot, pixel_scale, Detail::Still, differs)?;
        }
        match middle {
            Some(shot) => self.finish(&exposure, target, viewport, &shot, pixel_scale, moves),
            None => Ok(()),
        }
    }

    /// Brings everything to the pose of a shot. Returns `true` if what is seen has changed, apart
    /// from the camera.
    fn update(&mut self, shot: &Shot) -> bool {
        let world_from_head = matrix(shot.world_from_head);
        if let Some(head) = &mut self.head {
            head.set_pose(world_from_head);
        }
        if let Some(hair) = &mut self.head_hair {
            hair.set_pose(shot.world_from_head);
        }
        self.solids.set_pose(world_from_head);
        let scene = (shot.world_from_head, self.layers);
        let changed = self.solids.take_changed()
            | std::mem::take(&mut self.changed)
            | (self.posed.replace(scene) != Some(scene));
        if changed {
            self.studio.outdate_shadows();
        }
        changed
    }

    /// Brings the shadow maps up to date for a view.
    fn cast_shadows(&mut self, view: &Camera, detail: Detail) -> Drawn {
        let pose = self
            .posed
            .map_or_else(Mat4::identity, |(pose, _)| matrix(pose));
        let (head, solids) = (&self.head, &self.solids);
        let surfaces = |light: &Camera| {
            let mut surfaces = opaque(head, self.layers, solids);
            let light = Frame::new(&self.context, light, pose);
            surfaces.try_for_each(|surface| surface.draw_depth(&light))
        };
        let strands = self.strands.as_ref().filter(|_| self.layers.hair);
        let strands = strands.filter(|_| self.look.hair.lit);
        let hair = |light: &Camera| {
            let light = Frame::new(&self.context, light, pose);
            let mut strands = strands.into_iter();
            strands.try_for_each(|strands| strands.cast_shadow(&light, &self.look.hair))
        };
        let in_motion = detail != Detail::Still;
        self.studio.cast_shadows(view, in_motion, surfaces, hair)
    }

    /// Takes another sample of head, solids and hair. `differs`: they or the view are not those of
    /// the sample before.
    fn expose(
        &mut self,
        exposure: &mut Exposure,
        shot: &Shot,
        pixel_scale: f32,
        detail: Detail,
        differs: bool,
    ) -> Drawn {
        let [width, height] = exposure.size();
        let viewport = Viewport::new_at_origo(width, height);
        let camera = shot.camera.to_three_d(viewport);
        self.cast_shadows(&camera, detail)?;
        let world_from_head = matrix(shot.world_from_head);
        let offset = exposure.next_offset();
        let (place, focus) = match (self.look.lens.aperture, detail) {
            (aperture, Detail::Still) if aperture > 0.0 => {
                let place = exposure.next_place();
                (place.map(|along| along * aperture), self.look.lens.focus)
            }
            _ => ([0.0; 2], 0.0),
        };
        // A single sample trades the pattern of few taps for grain.
        let grain = if detail == Detail::Still { 0.0 } else { 1.0 };
        let has_floor = self.look.light.floor;
        let head = self.head.as_ref().filter(|_| !has_floor);
        let fade = head.and_then(|head| head.fade(world_from_head, self.look.light.fade));
        let plain = Frame::new(&self.context, &camera, world_from_head);
        let frame = Frame {
            pixel_scale,
            fade: fade.unwrap_or(plain.fade),
            bumps: detail == Detail::Still || self.quality.fine_in_motion,
            finest: finest(exposure.samples()),
            filter_turn: [0.5 + offset[0], grain],
            ..plain
        };
        let (studio, layers) = (&self.studio, self.layers);
        let head_hair = self.head_hair.as_mut();
        if let Some(hair) = head_hair.filter(|_| layers.head && differs) {
            hair.prepare(&frame, &self.look.hair, studio, detail)?;
        }
        let strands = self.strands.as_mut();
        if let Some(strands) = strands.filter(|_| layers.hair && differs) {
            strands.arrange(&camera, world_from_head, detail);
            strands.light(&frame, &self.look.hair, studio, detail)?;
        }
        let frame = Frame {
            camera: &shot.camera.shifted(viewport, offset, place, focus),
            ..frame
        };
        exposure.take(&frame, &self.square, || {
            for surface in opaque(&self.head, self.layers, &self.solids) {
                surface.draw(&frame, studio)?;
            }
            let head = self.head.iter().filter(|_| has_floor && layers.head);
            for height in head.map(HeadModel::lowest) {
                self.floor.draw(&frame, studio, height)?;
            }
            let follicles = self.follicles.iter().filter(|_| layers.hair);
            for follicles in follicles {
                follicles.draw(&frame, &self.look.hair)?;
            }
            if let Some(hair) = self.head_hair.as_ref().filter(|_| layers.head) {
                hair.draw(&frame, &self.look.hair, detail)?;
            }
            if let Some(strands) = self.strands.as_ref().filter(|_| layers.hair) {
                strands.draw(&frame, &self.look.hair, detail)?;
            }
            let head = self.head.iter().filter(|_| layers.head);
            for surface in head.flat_map(|head| head.blended(camera.position())) {
                surface.draw(&frame, studio)?;
            }
            Ok(())
        })
    }

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
        for hair in self.head_hair.iter().filter(|_| self.layers.head) {
            hair.cover(&mut rows);
        }
        for strands in self.strands.iter().filter(|_| self.layers.hair) {
            strands.cover(matrix(shot.world_from_head), &mut rows);
        }
        rows
    }

    /// Draws the samples over the sky, and what is shown with them. `moves`: things were elsewhere
    /// in some samples.
    fn finish(
        &mut self,
        exposure: &Exposure,
        target: &RenderTarget<'_>,
        viewport: Viewport,
        shot: &Shot,
        pixel_scale: f32,
        moves: bool,
    ) -> Result<(), RenderError> {
        let camera = shot.camera.to_three_d(viewport);
        let frame = Frame {
            pixel_scale,
            ..Frame::new(&self.context, &camera, matrix(shot.world_from_head))
        };
        let discs = self.discs.iter().chain(&self.ring);
        let mut discs = discs.filter(|_| self.layers.discs).peekable();
        // What is drawn with them needs the depth of the samples.
        let deep = discs.peek().is_some() || self.slice.is_some() || !self.marks.is_empty();
        if deep {
            target.clear_partially(viewport.into(), ClearState::depth(1.0));
        }
        let share = self.look.lens.bloom;
        let bloom = (share > 0.0).then(|| exposure.bloom(&frame, &self.square));
        let bloom = bloom.transpose()?.map(|blurred| (blurred, share));
        match shot.background {
            true => {
                let size = [viewport.width, viewport.height];
                let old = self.sky.take().filter(|sky| sky.size() == size);
                let sky = self
                    .sky
                    .insert(old.unwrap_or_else(|| Sky::new(&self.context, size)));
                let backdrop = self.studio.backdrop();
                sky.update(&frame, &self.square, &self.look.sky, backdrop)?;
                let sky = &*sky;
                target.write(|| sky.fill(&frame, &self.square))?;
                let mut occupied = self.occupied(viewport, shot, pixel_scale);
                if moves {
                    occupied.cover_all();
                }
                for area in occupied.areas() {
                    target.write_partially(area, || {
                        exposure.develop(
                            &frame,
                            &self.square,
                            self.sky.as_ref(),
                            bloom.as_ref(),
                            deep,
                        )
                    })?;
                }
            }
            false => {
                target
                    .write(|| exposure.develop(&frame, &self.square, None, bloom.as_ref(), deep))?;
            }
        }
        target.write::<RendererError>(|| {
            for discs in discs {
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
                self.marks.draw(&frame, FAINT)
            })?;
        Ok(())
    }
}

/// Returns the surfaces that hide what is behind them.
fn opaque<'a>(
    head: &'a Option<HeadModel>,
    layers: Layers,
    solids: &'a Solids,
) -> impl Iterator<Item = &'a Surface> {
    let head = head.iter().filter(move |_| layers.head);
    head.flat_map(HeadModel::opaque).chain(solids.surfaces())
}

/// Returns the smallest width of strands in a sample, pixels, after `samples` others. Samples in
/// more places draw thinner strands without gaps.
fn finest(samples: u32) -> f32 {
    (1.0 / (1.0 + samples as f32).sqrt()).max(0.25)
}

fn matrix(pose: glam::Mat4) -> Mat4 {
    Mat4::from(pose.to_cols_array_2d())
}
