//! What the viewer looks at: one head, its strands in motion, and both on the GPU; or the strands
//! of a scene in their place.

pub(crate) mod comparison;
pub(crate) mod drawn_shape;
mod overlays;
pub(crate) mod pick;
pub(crate) mod roots_view;
mod seen;
pub(crate) mod simulations;

use crate::viewer::background::style_job::ShownHair;
use crate::viewer::files::tip_recording::Recording;
use crate::viewer::subject::comparison::{Side, halves};
use crate::viewer::subject::simulations::Compared;
use glam::Vec3;
use mohawk::config::Config;
use mohawk::groom::Groom;
use mohawk::head::Head;
use mohawk::render::{
    Disc, DistanceSlice, Layers, Marks, OrbitCamera, RenderError, Shot, Solid, Stage, Tints,
    ball_around, picture,
};
use mohawk::scene_file::SceneSetup;
use mohawk::sim::{Ellipsoid, HeadShape, Pose, Sdf, Simulation, SolverKind};
use overlays::Overlays;
use std::rc::Rc;
use std::sync::Arc;

/// A head with its hair.
pub(super) struct Subject {
    pub(super) head: Option<Arc<Head>>,
    /// Absent: bald.
    pub(super) hair: Option<ShownHair>,
    /// The ellipsoid that hair on the head collides with.
    skull: Option<Ellipsoid>,
    /// The same, as its skin; or why there is no field of that. `None`: it has not been baked.
    field: Option<Result<Arc<Sdf>, String>>,
    /// The scene that is played: it combs the hair, or hides all of the above behind its strands.
    setup: Option<Rc<SceneSetup>>,
    moving: Compared,
    looked_at: Side,
    overlays: Overlays,
    stage: Stage,
    layers: Layers,
    /// Hair stands still.
    frozen: bool,
    /// Changes with the strands, their motion and their settings.
    revision: u64,
}

impl Subject {
    /// No head yet.
    pub(super) fn new(stage: Stage, config: &Config) -> Self {
        let sim = Simulation::new(&Groom::default(), config.sim.clone(), Pose::IDENTITY);
        Self {
            head: None,
            hair: None,
            skull: None,
            field: None,
            setup: None,
            moving: Compared::new(sim),
            looked_at: Side::Left,
            overlays: Overlays::default(),
            stage,
            layers: Layers::default(),
            frozen: false,
            revision: 0,
        }
    }

    /// Shows another head, bald and without discs until [`Subject::wear`].
    pub(super) fn show(&mut self, head: Arc<Head>) {
        self.stage.set_head(&head);
        self.stage.set_discs(&[]);
        self.skull = Ellipsoid::of_head(&head);
        self.field = None;
        self.head = Some(head);
        self.revision += 1;
        self.meet_head();
    }

    /// Takes the skin's distance field, with which hair collides from now on if the settings say
    /// so; or why there is none.
    pub(super) fn set_field(&mut self, field: Result<Arc<Sdf>, String>) {
        self.field = Some(field);
        self.meet_head();
    }

    /// The skin's distance field, or why there is none; `None`: it has not been baked.
    pub(super) fn field(&self) -> Option<Result<&Arc<Sdf>, &str>> {
        let field = self.field.as_ref()?;
        Some(field.as_ref().map_err(String::as_str))
    }

    /// Whether hair collides with the skin itself.
    pub(super) fn needs_field(&self) -> bool {
        let mut each = self.moving.each();
        each.any(|moving| moving.sim.settings().needs_field())
    }

    /// Returns the shape that hair on the head collides with.
    fn shape(&self) -> HeadShape {
        let field = self.field.as_ref();
        HeadShape {
            ellipsoid: self.skull,
            field: field.and_then(|field| field.as_ref().ok().cloned()),
        }
    }

    fn meet_head(&mut self) {
        if self.own_strands().is_none() {
            let shape = self.shape();
            self.moving.change(|sim| sim.set_head(shape.clone()));
        }
    }

    /// Shows other hair. If the number of strands is the same, they keep their motion.
    pub(super) fn set_hair(&mut self, hair: Option<ShownHair>) {
        self.hair = hair;
        if self.own_strands().is_none() {
            self.show_strands();
        }
    }

    /// Shows hair during a stroke.
    pub(super) fn restyle(&mut self, groom: &Groom) {
        if let Some(hair) = &mut self.hair {
            hair.groom.clone_from(groom);
            if self.own_strands().is_none() {
                self.show_strands();
            }
        }
    }

    /// Freezes hair in its rest shape, or lets it move again.
    pub(super) fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen;
        if frozen {
            self.moving.change(Simulation::rest);
        }
        self.revision += 1;
    }

    /// Shows a scene, or with `None` the head again. The strands are the scene's, or the head's as
    /// the scene combs them.
    pub(super) fn set_scene(&mut self, setup: Option<Rc<SceneSetup>>) {
        self.setup = setup;
        let skull = match &self.setup {
            Some(setup) if setup.strands.is_some() => setup.skull,
            _ => None,
        };
        self.stage
            .solids
            .set_ellipsoid(skull.map(|skull| (skull.center, skull.radii)));
        let reach = self.setup.as_ref().and_then(|setup| setup.reach());
        self.stage
            .set_extent(reach.and_then(|reach| ball_around(&reach)));
        let own = self.own_strands().is_some();
        let shape = if own { skull.into() } else { self.shape() };
        self.moving.change(|sim| sim.set_head(shape.clone()));
        self.show_strands();
    }

    /// Returns the strands of a scene that has no head.
    pub(super) fn own_strands(&self) -> Option<&Groom> {
        self.setup.as_ref()?.strands.as_ref()
    }

    fn show_strands(&mut self) {
        let groom = match (self.own_strands(), &self.hair) {
            (Some(strands), _) => strands.clone(),
            (None, Some(hair)) => {
                let mut groom = hair.groom.clone();
                if let Some(setup) = &self.setup {
                    setup.comb(&mut groom);
                }
                groom
            }
            (None, None) => Groom::default(),
        };
        self.stage.set_groom(&groom);
        let frozen = self.frozen;
        self.moving.change(|sim| {
            sim.set_groom(&groom);
            if frozen {
                sim.rest();
            }
        });
        self.overlays.forget();
        self.revision += 1;
    }

    /// Puts looks and solver settings to work.
    pub(super) fn apply(&mut self, config: &Config) {
        self.stage.set_look(&config.look);
        self.moving.apply(config);
        self.revision += 1;
    }

    /// Moves the same strands with another solver, too, in a view beside. `None`: there is one
    /// view.
    pub(super) fn set_beside(&mut self, solver: Option<SolverKind>) {
        self.moving.set_beside(solver);
        self.revision += 1;
    }

    /// The solver in the view beside, where there is one.
    pub(super) fn beside(&self) -> Option<SolverKind> {
        self.moving.beside()
    }

    /// Chooses what is drawn of the head.
    pub(super) fn set_layers(&mut self, layers: Layers) {
        self.layers = layers;
        self.stage.layers = match self.own_strands() {
            None => layers,
            Some(_) => Layers {
                head: false,
                hair: true,
                discs: false,
            },
        };
    }

    /// Shows other spheres and capsules.
    pub(super) fn set_solids(&mut self, solids: &[Solid]) {
        self.stage.solids.set(solids);
    }

    /// Shows other discs on the skin, and no ring.
    pub(super) fn set_discs(&mut self, discs: &[Disc]) {
        self.stage.set_discs(discs);
    }

    /// Rings a place on the skin.
    pub(super) fn set_ring(&mut self, ring: Option<Disc>) {
        self.stage.set_ring(ring);
    }

    /// Shows other dots and lines over a side of the picture, and colours its strands otherwise
    /// than the look does, until other strands are shown.
    pub(super) fn set_overlay(&mut self, side: Side, marks: &Marks, tints: Option<&Tints>) {
        self.overlays.set(side, marks, tints);
    }

    /// Shows a plane of distances, or none.
    pub(super) fn set_slice(&mut self, slice: Option<DistanceSlice>) {
        self.stage.set_slice(slice);
    }

    /// Whether the head has painted skin, with which hair can collide.
    pub(super) fn has_skin(&self) -> bool {
        self.head
            .as_ref()
            .is_some_and(|head| head.scalp_part.is_some())
    }

    /// Whether a head is shown, and not the strands of a scene.
    pub(super) fn is_headed(&self) -> bool {
        self.head.is_some() && self.own_strands().is_none()
    }

    /// Another number whenever strands, their motion or their settings have changed.
    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    /// The box around head and hair at rest, world space.
    pub(super) fn bounds(&self) -> (Vec3, Vec3) {
        let groom = self.sim().groom();
        let tips = (0..groom.len()).map(|i| groom.roots[i] + groom.reach(i));
        let hair = groom.roots.iter().copied().chain(tips);
        let head = self.head.iter().filter(|_| self.own_strands().is_none());
        let head = head.filter_map(|head| head.parts.get(head.scalp_part?));
        let head = head.flat_map(|part| part.positions.iter().copied());
        let all = hair.chain(head).filter(|point| point.is_finite());
        let reduced = all.fold(None, |found: Option<(Vec3, Vec3)>, point| {
            let (low, high) = found.unwrap_or((point, point));
            Some((low.min(point), high.max(point)))
        });
        reduced.unwrap_or((Vec3::NEG_ONE, Vec3::ONE))
    }

    /// Everything at rest, at time 0.
    pub(super) fn restart(&mut self, pose: Pose) {
        self.moving.change(|sim| sim.reset(pose));
        self.revision += 1;
    }

    /// Advances by a frame; see [`Simulation::advance`]. Every step of the left one is recorded, if
    /// anything is.
    pub(super) fn advance(
        &mut self,
        elapsed_secs: f64,
        pose_at: &mut dyn FnMut(f64) -> Pose,
        recording: Option<&mut Recording>,
    ) {
        self.moving.advance(elapsed_secs, pose_at, recording);
        self.revision += 1;
    }

    /// Selects the side of which [`sim`](Self::sim) and [`points`](Self::points) are.
    pub(super) fn look_at(&mut self, side: Side) {
        self.looked_at = side;
    }

    /// The simulation that is looked at: that of the settings' solver, unless [`look_at`] says
    /// otherwise. Time and the head's pose are the same in both.
    ///
    /// [`look_at`]: Self::look_at
    pub(super) fn sim(&self) -> &Simulation {
        &self.moving.of(self.looked_at).sim
    }

    /// Every simulation with what it takes.
    pub(super) fn moving(&self) -> &Compared {
        &self.moving
    }

    /// Returns the time that writing strands for drawing took in the last frame, milliseconds.
    pub(super) fn write_ms(&self) -> f32 {
        self.moving.each().map(|moving| moving.write_ms).sum()
    }

    /// Whether nothing moves as long as the head stays still.
    pub(super) fn is_settled(&self) -> bool {
        self.moving.each().all(|moving| moving.sim.is_settled())
    }

    /// Strands that were not finite and have been put to rest.
    pub(super) fn reset_strands(&self) -> u64 {
        self.moving
            .each()
            .map(|moving| moving.sim.reset_strands())
            .sum()
    }

    /// Returns the name of the head, or of the scene that is shown in its place.
    pub(super) fn name(&self) -> String {
        match (self.own_strands(), &self.setup, &self.head) {
            (Some(_), Some(setup), _) => setup.to_string(),
            (_, _, Some(head)) => head.name.clone(),
            _ => "no head yet".to_owned(),
        }
    }

    /// Whether there is something to look at.
    pub(super) fn is_there(&self) -> bool {
        self.head.is_some() || self.own_strands().is_some()
    }

    /// Returns the points of strands that are drawn: tips, or particles.
    pub(super) fn points(&self) -> &[[f32; 4]] {
        self.moving.of(self.looked_at).points().0
    }

    /// Triangles of the head that is shown.
    pub(super) fn triangles(&self) -> usize {
        let head = self.head.iter().filter(|_| self.own_strands().is_none());
        let parts = head.flat_map(|head| &head.parts);
        parts.map(|part| part.triangles.len()).sum()
    }

    /// Number of strands.
    pub(super) fn strands(&self) -> usize {
        self.sim().strand_count()
    }

    /// Number of roots that density leaves out none of, and their spacing, decimetres.
    pub(super) fn whole(&self) -> Option<(usize, f32)> {
        Some(self.hair.as_ref()?.whole)
    }

    /// Spacing of the roots, decimetres, where strands have roots on a head.
    pub(super) fn spacing(&self) -> Option<f32> {
        let hair = self.hair.as_ref().filter(|_| self.own_strands().is_none());
        let hair = hair.filter(|hair| !hair.roots.positions.is_empty());
        hair.map(|hair| hair.roots.spacing)
    }

    fn shot(&self, camera: OrbitCamera, background: bool) -> Shot {
        Shot {
            camera,
            world_from_head: self.sim().drawn_pose().to_mat4(),
            background,
        }
    }

    /// Draws head, hair and sky into `viewport` of the target.
    pub(super) fn draw(
        &mut self,
        camera: OrbitCamera,
        target: &three_d::RenderTarget<'_>,
        viewport: three_d::Viewport,
        pixel_scale: f32,
    ) -> Result<(), RenderError> {
        let shot = self.shot(camera, true);
        for (side, part) in self.views(viewport) {
            self.moving.show_on(&mut self.stage, side);
            self.overlays.show_on(&mut self.stage, side);
            self.stage.draw(target, part, &shot, pixel_scale)?;
        }
        Ok(())
    }

    /// Returns the sides that are drawn and their viewports: one view, or two beside each other.
    fn views(&self, all: three_d::Viewport) -> Vec<(Side, three_d::Viewport)> {
        match self.moving.beside() {
            None => vec![(Side::Left, all)],
            Some(_) => halves(all).to_vec(),
        }
    }

    /// Head and hair alone, on nothing, as large as `viewport`.
    pub(super) fn cut_out(
        &mut self,
        camera: OrbitCamera,
        context: &three_d::Context,
        viewport: three_d::Viewport,
        pixel_scale: f32,
    ) -> Result<image::RgbaImage, RenderError> {
        let shot = self.shot(camera, false);
        let mut whole = image::RgbaImage::new(viewport.width, viewport.height);
        for (side, part) in self.views(viewport) {
            self.moving.show_on(&mut self.stage, side);
            self.overlays.show_on(&mut self.stage, side);
            let size = (part.width, part.height);
            let stage = &mut self.stage;
            let view = picture(context, stage, &shot, size.0, size.1, pixel_scale)?;
            let place = i64::from(part.x - viewport.x);
            image::imageops::replace(&mut whole, &view, place, 0);
        }
        Ok(whole)
    }
}
