//! What the viewer looks at: one head, its strands in motion, and both on the GPU; or the strands of
//! a scene in their place.

use super::lab::Recording;
use super::loader::Planted;
use super::pick;
use crate::config::Config;
use crate::groom::Groom;
use crate::head::Head;
use crate::render::{
    Disc, DistanceSlice, Layers, Marks, OrbitCamera, RenderError, Shot, Solid, Stage, Tints,
    ball_around,
};
use crate::scalp::Scalp;
use crate::sim::{Ellipsoid, Field, Pose, Simulation};
use crate::staging::Staging;
use glam::{Vec2, Vec3};
use std::rc::Rc;
use std::sync::Arc;

/// A head with its hair.
pub(super) struct Subject {
    pub(super) head: Option<Box<Head>>,
    pub(super) scalp: Option<Arc<Scalp>>,
    /// Absent: bald.
    pub(super) hair: Option<Planted>,
    /// What hair on the head collides with.
    skull: Option<Ellipsoid>,
    /// The scene that is played: it combs the hair, or hides all of the above behind its strands.
    staging: Option<Rc<Staging>>,
    sim: Simulation,
    points: Vec<[f32; 4]>,
    stage: Stage,
    layers: Layers,
    /// Changes with the strands, their motion and their settings.
    revision: u64,
    /// Counts heads.
    head_number: u64,
}

impl Subject {
    /// No head yet.
    pub(super) fn new(stage: Stage, config: &Config) -> Self {
        let sim = Simulation::new(&Groom::default(), config.sim.clone(), Pose::IDENTITY);
        Self {
            head: None,
            scalp: None,
            hair: None,
            skull: None,
            staging: None,
            sim,
            points: Vec::new(),
            stage,
            layers: Layers::default(),
            revision: 0,
            head_number: 0,
        }
    }

    /// Shows another head, bald and without discs until [`Subject::wear`].
    pub(super) fn show(&mut self, head: Box<Head>, scalp: Option<Arc<Scalp>>) {
        self.stage.set_head(&head);
        self.stage.set_discs(&[]);
        self.skull = Ellipsoid::of_head(&head);
        self.head = Some(head);
        self.head_number += 1;
        self.revision += 1;
        self.scalp = scalp;
        if self.own_strands().is_none() {
            self.sim.set_head(self.skull);
        }
    }

    /// Shows other hair; as many strands as before keep their motion.
    pub(super) fn wear(&mut self, hair: Option<Planted>) {
        self.hair = hair;
        if self.own_strands().is_none() {
            self.show_strands();
        }
    }

    /// Gives the picture to a scene, or with `None` back to the head: the strands are the scene's,
    /// or the head's as the scene combs them.
    pub(super) fn set_staging(&mut self, staging: Option<Rc<Staging>>) {
        self.staging = staging;
        let skull = match &self.staging {
            Some(staging) if staging.strands.is_some() => staging.skull,
            _ => None,
        };
        self.stage
            .set_skull(skull.map(|skull| (skull.center, skull.radii)));
        let reach = self.staging.as_ref().and_then(|staging| staging.reach());
        self.stage
            .set_extent(reach.and_then(|reach| ball_around(&reach)));
        let own = self.own_strands().is_some();
        self.sim.set_head(if own { skull } else { self.skull });
        self.show_strands();
    }

    /// Strands that the scene brings in place of a head.
    pub(super) fn own_strands(&self) -> Option<&Groom> {
        self.staging.as_ref()?.strands.as_ref()
    }

    fn show_strands(&mut self) {
        let groom = match (self.own_strands(), &self.hair) {
            (Some(strands), _) => strands.clone(),
            (None, Some(hair)) => {
                let mut groom = hair.groom.clone();
                if let Some(staging) = &self.staging {
                    staging.comb(&mut groom);
                }
                groom
            }
            (None, None) => Groom::default(),
        };
        self.sim.set_groom(&groom);
        self.stage.set_groom(&groom);
        self.update_points();
    }

    /// Puts looks and solver settings to work.
    pub(super) fn apply(&mut self, config: &Config) {
        self.stage.set_look(&config.look);
        self.sim.set_settings(config.sim.clone());
        self.update_points();
    }

    /// Chooses what is drawn of the head.
    pub(super) fn set_layers(&mut self, layers: Layers) {
        self.layers = layers;
        self.stage.set_layers(match self.own_strands() {
            None => layers,
            Some(_) => Layers {
                head: false,
                hair: true,
                discs: false,
            },
        });
    }

    /// Shows other spheres and capsules.
    pub(super) fn set_solids(&mut self, solids: &[Solid]) {
        self.stage.set_solids(solids);
    }

    /// Shows other discs on the skin, and no ring.
    pub(super) fn set_discs(&mut self, discs: &[Disc]) {
        self.stage.set_discs(discs);
    }

    /// Rings a place on the skin.
    pub(super) fn set_ring(&mut self, ring: Option<Disc>) {
        self.stage.set_ring(ring);
    }

    /// Colours strands otherwise than the look does, until other strands are shown.
    pub(super) fn set_tints(&mut self, tints: Option<&Tints>) {
        self.stage.set_tints(tints);
    }

    /// Shows other dots and lines over the picture.
    pub(super) fn set_marks(&mut self, marks: &Marks) {
        self.stage.set_marks(marks);
    }

    /// Shows a plane of distances, or none.
    pub(super) fn set_slice(&mut self, slice: Option<DistanceSlice>) {
        self.stage.set_slice(slice);
    }

    /// Is a head shown, and not the strands of a scene in its place?
    pub(super) fn is_headed(&self) -> bool {
        self.head.is_some() && self.own_strands().is_none()
    }

    /// Another number for every head.
    pub(super) fn head_number(&self) -> u64 {
        self.head_number
    }

    /// Another number whenever strands, their motion or their settings have changed.
    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    /// The distance field of the head that is shown, where it came with the head: the laboratory
    /// bakes one otherwise.
    pub(super) fn field(&self) -> Option<Arc<Field>> {
        None
    }

    /// The box around head and hair at rest, world space.
    pub(super) fn bounds(&self) -> (Vec3, Vec3) {
        let groom = self.sim.groom();
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
        self.sim.reset(pose);
        self.update_points();
    }

    /// Advances by a frame; see [`Simulation::advance`]. Every step is recorded, if anything is.
    pub(super) fn advance(
        &mut self,
        elapsed_secs: f64,
        pose_at: &mut dyn FnMut(f64) -> Pose,
        recording: Option<&mut Recording>,
    ) {
        match recording {
            None => self.sim.advance(elapsed_secs, pose_at),
            Some(recording) => {
                let record = &mut |sim: &Simulation| recording.add(sim);
                self.sim.advance_watched(elapsed_secs, pose_at, record);
            }
        }
        self.update_points();
    }

    fn update_points(&mut self) {
        self.revision += 1;
        self.sim.write_drawn(&mut self.points);
        let per_strand = self.sim.drawn_particles();
        self.stage.set_points(&self.points, per_strand);
    }

    /// The simulation, to look at.
    pub(super) fn sim(&self) -> &Simulation {
        &self.sim
    }

    /// What to call the head, or the scene that is shown in its place.
    pub(super) fn name(&self) -> String {
        match (self.own_strands(), &self.staging, &self.head) {
            (Some(_), Some(staging), _) => staging.to_string(),
            (_, _, Some(head)) => head.name.clone(),
            _ => "no head yet".to_owned(),
        }
    }

    /// Is there something to look at?
    pub(super) fn is_there(&self) -> bool {
        self.head.is_some() || self.own_strands().is_some()
    }

    /// What is drawn of strands: tips, or particles.
    pub(super) fn points(&self) -> &[[f32; 4]] {
        &self.points
    }

    /// Triangles of the head that is shown.
    pub(super) fn triangles(&self) -> usize {
        let head = self.head.iter().filter(|_| self.own_strands().is_none());
        let parts = head.flat_map(|head| &head.parts);
        parts.map(|part| part.triangles.len()).sum()
    }

    /// Number of strands.
    pub(super) fn strands(&self) -> usize {
        self.sim.strand_count()
    }

    /// Number of roots that density leaves out none of, and their spacing, decimetres.
    pub(super) fn whole(&self) -> Option<(usize, f32)> {
        let whole = &self.hair.as_ref()?.whole;
        Some((whole.positions.len(), whole.spacing))
    }

    /// Spacing of the roots, decimetres, where strands have roots on a head.
    pub(super) fn spacing(&self) -> Option<f32> {
        let hair = self.hair.as_ref().filter(|_| self.own_strands().is_none());
        hair.map(|hair| hair.roots.spacing)
    }

    /// How far along the ray through a point of a view of `size` logical pixels the head or its hair
    /// is, decimetres; `None` where neither is there, or the strands are a scene's, which nobody
    /// takes hold of.
    pub(super) fn depth_at(&self, camera: &OrbitCamera, point: Vec2, size: Vec2) -> Option<f32> {
        if self.own_strands().is_some() {
            return None;
        }
        let pose = self.sim.drawn_pose().to_mat4();
        let ray = camera.ray(point, size);
        let head = self.head.as_ref();
        let skin = head.and_then(|head| pick::skin_at(head, ray, pose));
        let points = (&self.points[..], self.sim.drawn_particles());
        let hair = self.hair.as_ref().filter(|_| self.layers.hair);
        let hair =
            hair.and_then(|hair| pick::hair_at(&hair.groom, points, pose, camera, point, size));
        skin.into_iter().chain(hair).min_by(f32::total_cmp)
    }

    /// The strand under a point of a view of `size` logical pixels, if none of the head is before it.
    pub(super) fn strand_at(&self, camera: &OrbitCamera, point: Vec2, size: Vec2) -> Option<usize> {
        let pose = self.sim.drawn_pose().to_mat4();
        let head = self.head.as_ref().filter(|_| self.own_strands().is_none());
        let skin = head.and_then(|head| pick::skin_at(head, camera.ray(point, size), pose));
        let points = (&self.points[..], self.sim.drawn_particles());
        let groom = self.sim.groom();
        pick::strand_at(groom, points, pose, camera, point, size, skin)
    }

    fn shot(&self, camera: OrbitCamera, background: bool) -> Shot {
        Shot {
            camera,
            world_from_head: self.sim.drawn_pose().to_mat4(),
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
        self.stage.draw(target, viewport, &shot, pixel_scale)
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
        let (width, height) = (viewport.width, viewport.height);
        crate::render::picture(context, &mut self.stage, &shot, width, height, pixel_scale)
    }
}
