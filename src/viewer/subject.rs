//! What the viewer looks at: one head, its strands in motion, and both on the GPU.

use super::loader::Planted;
use super::pick;
use super::pointer::Under;
use crate::config::Config;
use crate::groom::Groom;
use crate::head::Head;
use crate::render::{Disc, Layers, OrbitCamera, RenderError, Shot, Stage};
use crate::scalp::Scalp;
use crate::sim::{Ellipsoid, Pose, Simulation};
use glam::Vec2;
use std::sync::Arc;

/// A head with its hair.
pub(super) struct Subject {
    pub(super) head: Option<Box<Head>>,
    pub(super) scalp: Option<Arc<Scalp>>,
    /// Absent: bald.
    pub(super) hair: Option<Planted>,
    sim: Simulation,
    points: Vec<[f32; 4]>,
    stage: Stage,
    layers: Layers,
}

impl Subject {
    /// No head yet.
    pub(super) fn new(stage: Stage, config: &Config) -> Self {
        let sim = Simulation::new(&Groom::default(), config.sim.clone(), Pose::IDENTITY);
        Self {
            head: None,
            scalp: None,
            hair: None,
            sim,
            points: Vec::new(),
            stage,
            layers: Layers::default(),
        }
    }

    /// Shows another head, bald and without discs until [`Subject::wear`].
    pub(super) fn show(&mut self, head: Box<Head>, scalp: Option<Arc<Scalp>>) {
        self.stage.set_head(&head);
        self.sim.set_head(Ellipsoid::of_head(&head));
        self.stage.set_discs(&[]);
        self.head = Some(head);
        self.scalp = scalp;
    }

    /// Shows other hair; as many strands as before keep their motion.
    pub(super) fn wear(&mut self, hair: Option<Planted>) {
        let bald = Groom::default();
        let groom = hair.as_ref().map_or(&bald, |hair| &hair.groom);
        self.sim.set_groom(groom);
        self.stage.set_groom(groom);
        self.hair = hair;
        self.update_points();
    }

    /// Puts looks and solver settings to work.
    pub(super) fn apply(&mut self, config: &Config) {
        self.stage.set_look(&config.look);
        self.sim.set_settings(config.sim.clone());
    }

    /// Chooses what is drawn.
    pub(super) fn set_layers(&mut self, layers: Layers) {
        self.stage.set_layers(layers);
        self.layers = layers;
    }

    /// Shows other discs on the skin, and no ring.
    pub(super) fn set_discs(&mut self, discs: &[Disc]) {
        self.stage.set_discs(discs);
    }

    /// Rings a place on the skin.
    pub(super) fn set_ring(&mut self, ring: Option<Disc>) {
        self.stage.set_ring(ring);
    }

    /// Everything at rest under an unmoved head.
    pub(super) fn reset(&mut self) {
        self.sim.reset(Pose::IDENTITY);
        self.update_points();
    }

    /// Advances by a frame; see [`Simulation::advance`].
    pub(super) fn advance(&mut self, elapsed_secs: f64, pose_at: &mut dyn FnMut(f64) -> Pose) {
        self.sim.advance(elapsed_secs, pose_at);
        self.update_points();
    }

    fn update_points(&mut self) {
        self.sim.write_drawn(&mut self.points);
        let per_strand = self.sim.drawn_particles();
        self.stage.set_points(&self.points, per_strand);
    }

    /// The simulation, to look at.
    pub(super) fn sim(&self) -> &Simulation {
        &self.sim
    }

    /// What to call the head.
    pub(super) fn name(&self) -> &str {
        self.head.as_ref().map_or("no head yet", |head| &head.name)
    }

    /// Triangles of the head.
    pub(super) fn triangles(&self) -> usize {
        let parts = self.head.iter().flat_map(|head| &head.parts);
        parts.map(|part| part.triangles.len()).sum()
    }

    /// Number of strands.
    pub(super) fn strands(&self) -> usize {
        self.hair.as_ref().map_or(0, |hair| hair.groom.len())
    }

    /// Number of roots that density leaves out none of, and their spacing, decimetres.
    pub(super) fn whole(&self) -> Option<(usize, f32)> {
        let whole = &self.hair.as_ref()?.whole;
        Some((whole.positions.len(), whole.spacing))
    }

    /// Spacing of the roots, decimetres.
    pub(super) fn spacing(&self) -> Option<f32> {
        self.hair.as_ref().map(|hair| hair.roots.spacing)
    }

    /// What is under a point of a view of `size` logical pixels.
    pub(super) fn locate(&self, camera: &OrbitCamera, point: Vec2, size: Vec2) -> Under {
        let pose = self.sim.drawn_pose().to_mat4();
        let skin =
            (self.head.iter()).any(|head| pick::hits_skin(head, camera.ray(point, size), pose));
        let points = (&self.points[..], self.sim.drawn_particles());
        let hit = skin
            || (self.hair.iter().filter(|_| self.layers.hair))
                .any(|hair| pick::hits_hair(&hair.groom, points, pose, camera, point, size));
        if hit { Under::Head } else { Under::Background }
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
