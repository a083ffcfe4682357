//! The viewer's subject: one head, its strands in motion, and both on the GPU; or the strands of a
//! scene in their place.
//!
//! `simulations` moves the strands, `picture` draws them, `pick` finds what is under the pointer,
//! `roots_view` shows how evenly roots are spread, `skin` moves the head as an animation says, and
//! `export` makes strands for other programs.

mod export;
pub(crate) mod pick;
mod picture;
pub(crate) mod roots_view;
pub(crate) mod simulations;
mod skin;

use crate::numbers::grouped;
use crate::viewer::background::ShownHair;
use glam::Vec3;
use mohawk::render::{HeadModel, Layers, OrbitCamera, Stage, ball_around};
use mohawk::scene_file::SceneSetup;
use mohawk::sim::{Ellipsoid, HeadShape, Pose, Sdf, Simulation};
use mohawk::style::{Camera, Strands};
use mohawk::{Config, Groom, Head, RayFinder};
use simulations::{Side, Simulations};
use std::{rc::Rc, sync::Arc};

/// A head with its hair.
pub(super) struct Subject {
    pub(super) head: Option<Arc<Head>>,
    /// Finds where the pointer is on the head.
    pub(super) rays: Option<Arc<RayFinder>>,
    /// Absent: bald.
    pub(super) hair: Option<ShownHair>,
    /// The ellipsoid that hair on the head collides with.
    skull: Option<Ellipsoid>,
    /// The distance field of the skin, or why there is none. `None`: it has not been baked.
    field: Option<Result<Arc<Sdf>, String>>,
    /// The scene that plays. It combs the hair, or hides all of the above behind its strands.
    setup: Option<Rc<SceneSetup>>,
    pub(super) simulations: Simulations,
    /// The side whose simulation [`sim`](Self::sim) and [`points`](Self::points) return.
    pub(super) looked_at: Side,
    pub(super) stage: Stage,
    /// The head that is shown next, if it is uploaded.
    pub(super) uploaded: Option<HeadModel>,
    pub(super) layers: Layers,
    /// `true` while hair stands still in its rest shape.
    frozen: bool,
    /// The time of the animation at which the stage has the head; `None`: as it was loaded.
    shown_skin: Option<f64>,
}

impl Subject {
    /// Returns a subject without a head.
    pub(super) fn new(stage: Stage, config: &Config) -> Self {
        let sim = Simulation::new(Groom::default(), config.sim.clone(), Pose::IDENTITY);
        Self {
            head: None,
            rays: None,
            hair: None,
            skull: None,
            field: None,
            setup: None,
            simulations: Simulations::new(sim),
            looked_at: Side::Left,
            stage,
            uploaded: None,
            layers: Layers::default(),
            frozen: false,
            shown_skin: None,
        }
    }

    /// Returns `true` if a head is the one that is shown.
    pub(super) fn shows(&self, head: &Arc<Head>) -> bool {
        (self.head.as_ref()).is_some_and(|shown| Arc::ptr_eq(shown, head))
    }

    /// Shows another head, bald and without discs until [`Subject::set_hair`].
    pub(super) fn show(&mut self, head: Arc<Head>, rays: Option<Arc<RayFinder>>) {
        self.rays = rays;
        if !self.shows(&head) {
            match self.uploaded.take() {
                Some(model) => self.stage.show_head(&head, model),
                None => self.stage.set_head(&head),
            }
            // They are on the graphics card now.
            (head.textures.iter()).for_each(|texture| texture.pixels.drop_decoded());
            self.skull = Ellipsoid::of_head(&mohawk::style::with_skin(&head));
        }
        self.stage.set_discs(&[]);
        self.field = None;
        self.shown_skin = None;
        self.head = Some(head);
        self.meet_head();
    }

    /// Takes the skin's distance field, with which hair collides from now on if the settings say
    /// so, or why there is none.
    pub(super) fn set_field(&mut self, field: Result<Arc<Sdf>, String>) {
        self.field = Some(field);
        self.meet_head();
    }

    /// Returns the skin's distance field, or why there is none; `None`: it has not been baked.
    pub(super) fn field(&self) -> Option<Result<&Arc<Sdf>, &str>> {
        let field = self.field.as_ref()?;
        Some(field.as_ref().map_err(String::as_str))
    }

    /// Returns `true` if hair collides with the skin itself.
    pub(super) fn needs_field(&self) -> bool {
        let mut each = self.simulations.each();
        each.any(|drawn| drawn.sim.settings().needs_field())
    }

    /// Lets hair collide with the head, or with what the scene has in its place.
    fn meet_head(&mut self) {
        let shape = match &self.setup {
            Some(setup) if setup.strands.is_some() => setup.skull.into(),
            _ => HeadShape {
                ellipsoid: self.skull,
                field: self.field().and_then(Result::ok).cloned(),
            },
        };
        self.simulations.change(|sim| sim.set_head(shape.clone()));
    }

    /// Shows other hair. If the number of strands is the same, they keep their motion.
    pub(super) fn set_hair(&mut self, hair: Option<ShownHair>) {
        self.hair = hair;
        if !self.is_headless() {
            self.show_strands();
        }
    }

    /// Shows hair during a stroke.
    pub(super) fn restyle(&mut self, groom: &Arc<Groom>) {
        if let Some(hair) = &mut self.hair {
            hair.groom = groom.clone();
            hair.share = 1.0;
            if !self.is_headless() {
                self.show_strands();
            }
        }
    }

    /// Shows what is selected during a stroke.
    pub(super) fn select(&mut self, selected: Vec<f32>) {
        if let Some(hair) = &mut self.hair {
            hair.selected = selected;
        }
    }

    /// Returns the share by which each strand that is shown is selected, 0 to 1; `None`: all are.
    pub(super) fn selected(&self) -> Option<&[f32]> {
        let hair = self.hair.as_ref().filter(|_| !self.is_headless())?;
        (!hair.selected.is_empty()).then_some(&hair.selected)
    }

    /// Returns how much hair is selected, as text.
    pub(super) fn selected_text(&self) -> String {
        let of =
            |count: usize| format!("{} of {} strands", grouped(count), grouped(self.strands()));
        match self.selected() {
            None => "all hair is selected".to_owned(),
            Some(selected) => {
                let selected = selected.iter().filter(|&&selected| selected > 0.0);
                format!("{} selected", of(selected.count()))
            }
        }
    }

    /// Freezes hair in its rest shape, or lets it move again.
    pub(super) fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen;
        // Hair comes to rest on the skin that is shown from now on.
        self.move_skin();
        if frozen {
            self.simulations.change(Simulation::rest);
        }
    }

    /// Shows a scene, or with `None` the head again. The strands are the scene's, or the head's as
    /// the scene combs them.
    pub(super) fn set_scene(&mut self, setup: Option<Rc<SceneSetup>>) {
        self.setup = setup;
        let setup = self.setup.as_ref();
        let headless = setup.filter(|setup| setup.strands.is_some());
        let skull = headless.and_then(|setup| setup.skull);
        let reach = setup.and_then(|setup| setup.reach());
        let solids = &mut self.stage.solids;
        solids.set_ellipsoid(skull.map(|skull| (skull.center, skull.radii)));
        self.stage
            .set_extent(reach.and_then(|reach| ball_around(&reach)));
        self.meet_head();
        self.show_strands();
    }

    /// Returns the strands of a scene that has no head.
    fn scene_strands(&self) -> Option<&Groom> {
        self.setup.as_ref()?.strands.as_ref()
    }

    /// Returns `true` if the strands of a scene are shown in place of the head.
    pub(super) fn is_headless(&self) -> bool {
        self.scene_strands().is_some()
    }

    /// Returns the head, unless the strands of a scene are shown in its place.
    pub(super) fn shown_head(&self) -> Option<&Arc<Head>> {
        self.head.as_ref().filter(|_| !self.is_headless())
    }

    /// Returns the share of the hair that is shown; below 1 in drafts.
    pub(super) fn hair_share(&self) -> f32 {
        let hair = self.hair.as_ref().filter(|_| !self.is_headless());
        hair.map_or(1.0, |hair| hair.share)
    }

    fn show_strands(&mut self) {
        let groom = match (self.scene_strands(), &self.hair) {
            (Some(strands), _) => strands.into(),
            (None, Some(hair)) => {
                let mut groom = hair.groom.clone();
                if let Some(setup) = &self.setup {
                    setup.comb(&mut groom);
                }
                groom
            }
            (None, None) => Arc::default(),
        };
        self.stage.set_groom(&groom);
        self.shown_skin = self.shown_skin.map(|_| f64::NAN);
        let frozen = self.frozen;
        self.simulations.change(|sim| {
            sim.set_groom(groom.clone());
            if frozen {
                sim.rest();
            }
        });
        self.move_skin();
        self.simulations.clear_marks();
    }

    /// Puts looks and solver settings to work.
    pub(super) fn apply(&mut self, config: &Config) {
        self.stage.set_look(&config.look);
        self.simulations.apply(config);
    }

    /// Chooses what is drawn of the head.
    pub(super) fn set_layers(&mut self, layers: Layers) {
        self.layers = layers;
        self.stage.layers = match self.is_headless() {
            false => layers,
            true => Layers {
                head: false,
                hair: true,
                discs: false,
            },
        };
    }

    /// Returns `true` if the head has painted skin, with which hair can collide.
    pub(super) fn has_skin(&self) -> bool {
        let head = self.head.as_ref();
        head.is_some_and(|head| head.scalp_part.is_some())
    }

    /// Returns the box around head and hair at rest, world space.
    pub(super) fn bounds(&self) -> (Vec3, Vec3) {
        let groom = self.sim().groom();
        let tips = (0..groom.len()).map(|i| groom.roots[i] + groom.reach(i));
        let hair = groom.roots.iter().copied().chain(tips);
        let part = (self.shown_head()).and_then(|head| head.parts.get(head.scalp_part?));
        let head = part.iter().flat_map(|part| part.positions.iter().copied());
        let all = hair.chain(head).filter(|point| point.is_finite());
        let none = (Vec3::MAX, Vec3::MIN);
        match all.fold(none, |(low, high), point| (low.min(point), high.max(point))) {
            found if found == none => (Vec3::NEG_ONE, Vec3::ONE),
            found => found,
        }
    }

    /// Returns the simulation that is looked at: that of the settings' solver, unless `looked_at`
    /// says otherwise. Time and the head's pose are the same in both.
    pub(super) fn sim(&self) -> &Simulation {
        &self.simulations.of(self.looked_at).sim
    }

    /// Returns the drawn points of the simulation that is looked at: tips, or particles.
    pub(super) fn points(&self) -> &[[f32; 4]] {
        &self.simulations.of(self.looked_at).points
    }

    /// Returns the number of strands that were not finite and have been put to rest.
    pub(super) fn reset_strands(&self) -> u64 {
        let each = self.simulations.each();
        each.map(|drawn| drawn.sim.reset_strands()).sum()
    }

    /// Returns the name of the head, or of the scene that is shown in its place.
    pub(super) fn name(&self) -> String {
        match (self.scene_strands(), &self.setup, &self.head) {
            (Some(_), Some(setup), _) => setup.to_string(),
            (_, _, Some(head)) => head.name.clone(),
            _ => "no head yet".to_owned(),
        }
    }

    /// Returns the number of triangles of the head that is shown.
    pub(super) fn triangles(&self) -> usize {
        self.shown_head().map_or(0, |head| head.triangle_count())
    }

    /// Returns the number of strands.
    pub(super) fn strands(&self) -> usize {
        self.sim().strand_count()
    }

    /// Returns the spacing of the roots, decimetres, where strands have roots on a head.
    pub(super) fn spacing(&self) -> Option<f32> {
        let hair = self.hair.as_ref().filter(|_| !self.is_headless());
        let hair = hair.filter(|hair| !hair.planted.is_empty());
        hair.map(|hair| hair.planted.spacing())
    }

    /// Returns the camera of a side in head space.
    pub(super) fn camera_at_head(&self, side: Side, camera: &OrbitCamera) -> Camera {
        let pose = self.simulations.of(side).sim.drawn_pose().to_mat4();
        let head_from_world = pose.inverse();
        let (_, up) = camera.right_up();
        Camera {
            eye: head_from_world.transform_point3(camera.eye()).to_array(),
            target: head_from_world.transform_point3(camera.target).to_array(),
            up: head_from_world.transform_vector3(up).to_array(),
            fov_degrees: camera.fov_y.to_degrees(),
        }
    }

    /// Returns the drawn points of strands on a side, relative to each root, head space. `None`:
    /// they are at rest.
    pub(super) fn moved_shape(&self, side: Side, strands: &Strands) -> Option<Vec<Vec3>> {
        match self.frozen || self.is_headless() {
            true => None,
            false => self.simulations.of(side).shape(strands),
        }
    }
}
