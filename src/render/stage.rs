//! Everything in a picture: a head, its strands, overlays, solids, lights and sky. `samples` takes
//! the samples of a picture, `finish` puts their mean over the sky, `draw` does both, `rehearsal`
//! compiles what a picture needs, and `surroundings` are objects of a program's own.

mod draw;
mod finish;
mod rehearsal;
mod samples;
mod surroundings;

use super::convert;
use super::discs::{Disc, Discs};
use super::exposure::Sky;
use super::floor::Floor;
use super::follicles::Follicles;
use super::frame::Squares;
use super::head_hair::HeadHair;
use super::head_model::HeadModel;
use super::light::{Quality, Studio};
use super::marks::{MarkModels, Marks};
use super::outline::{Bounds, boxes_of};
use super::shot::{Economy, Layers, Shot};
use super::slice::{DistanceSlice, SliceModel};
use super::solids::{Ring, Solids};
use super::strands::{StrandModel, Tints};
use crate::groom::Groom;
use crate::head::{Head, PartShape};
use crate::look::Look;
use draw::ViewPictures;
use three_d::Context;

/// A head, its hair and what is shown with them, on the GPU.
pub struct Stage {
    context: Context,
    look: Look,
    /// The look of dry hair, and how wet it is.
    dry_look: Look,
    wetness: f32,
    quality: Quality,
    studio: Studio,
    /// The square on which whole pictures are drawn.
    square: Squares,
    floor: Floor,
    head: Option<HeadModel>,
    head_hair: Option<HeadHair>,
    /// Boxes around the surfaces of the head, head space.
    outline: Vec<Bounds>,
    /// The triangles of each part of a head that is animated.
    triangles: Vec<Vec<[u32; 3]>>,
    strands: Option<StrandModel>,
    follicles: Option<Follicles>,
    discs: Option<Discs>,
    ring: Option<Discs>,
    /// Spheres and capsules, and an ellipsoid in place of a head.
    pub solids: Solids,
    surroundings: surroundings::Surroundings,
    slice: Option<SliceModel>,
    marks: MarkModels,
    /// The layers that are drawn.
    pub layers: Layers,
    economy: Economy,
    /// The share of the strands in the latest picture.
    drawn_share: f32,
    views: [ViewPictures; 2],
    /// The index of the view that is drawn next.
    view: usize,
    /// The view that the light of the strands is for; `None` if there is none.
    lit_view: Option<usize>,
    /// `true` if the strands have other points or colours than in the latest sample.
    unprepared: bool,
    /// The sky behind the latest picture.
    sky: Option<Sky>,
    /// `true` if something else than pose, layers and camera has changed since the latest picture.
    pub(super) changed: bool,
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
            surroundings: Default::default(),
            marks: MarkModels::new(context),
            context: context.clone(),
            look: look.clone(),
            dry_look: look.clone(),
            wetness: 0.0,
            head: None,
            head_hair: None,
            outline: Vec::new(),
            triangles: Vec::new(),
            strands: None,
            follicles: None,
            discs: None,
            ring: None,
            slice: None,
            layers: Layers::default(),
            economy: Economy::NONE,
            drawn_share: 1.0,
            views: Default::default(),
            view: 0,
            lit_view: None,
            unprepared: true,
            sky: None,
            changed: true,
            posed: None,
        }
    }

    /// Returns the context that it draws with.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Shows another head.
    pub fn set_head(&mut self, head: &Head) {
        self.show_head(head, HeadModel::new(&self.context, head));
    }

    /// Shows another head, which is uploaded.
    pub fn show_head(&mut self, head: &Head, model: HeadModel) {
        self.head = Some(model);
        self.head_hair = Some(HeadHair::new(&self.context, head));
        let parts = head.parts.iter();
        let boxes = parts.flat_map(|part| boxes_of(&part.positions, &part.triangles));
        self.outline = boxes.collect();
        self.triangles = match head.rig {
            Some(_) => (head.parts.iter())
                .map(|part| part.triangles.clone())
                .collect(),
            None => Vec::new(),
        };
        self.changed = true;
    }

    /// Shows the parts of an animated head in other shapes: one for each part.
    pub fn set_head_shapes(&mut self, shapes: &[PartShape]) {
        if let Some(head) = &mut self.head {
            head.set_shapes(shapes);
        }
        if let Some(hair) = &mut self.head_hair {
            hair.set_shapes(shapes);
        }
        let parts = shapes.iter().zip(&self.triangles);
        let boxes = parts.flat_map(|(shape, triangles)| boxes_of(&shape.positions, triangles));
        self.outline = boxes.collect();
        self.changed = true;
    }

    /// Takes the roots and directions of the strands that are shown, as skin has carried them.
    pub fn carry_groom(&mut self, groom: &Groom) {
        let strands = self.strands.as_mut();
        if let Some(strands) = strands.filter(|strands| strands.count() == groom.len()) {
            strands.carry(groom);
            self.follicles = Some(Follicles::new(&self.context, groom));
            self.changed = true;
        }
    }

    /// Shows other strands, at rest on a head at the origin until [`Stage::set_points`].
    pub fn set_groom(&mut self, groom: &Groom) {
        self.strands = StrandModel::new(&self.context, groom);
        self.wet_strands();
        self.follicles = Some(Follicles::new(&self.context, groom));
        self.changed = true;
    }

    /// Changes colours, widths and sky.
    pub fn set_look(&mut self, look: &Look) {
        if self.dry_look == *look {
            return;
        }
        self.dry_look = look.clone();
        self.show_look();
    }

    /// Shows hair as wet as that, from 0 (dry) to 1: darker, glossier and without frizz.
    pub fn set_wetness(&mut self, wetness: f32) {
        if self.wetness == wetness {
            return;
        }
        self.wetness = wetness;
        self.wet_strands();
        self.show_look();
    }

    fn wet_strands(&mut self) {
        if let Some(strands) = &mut self.strands {
            strands.frizzy = 1.0 - self.wetness.clamp(0.0, 1.0);
        }
    }

    fn show_look(&mut self) {
        self.changed = true;
        self.look = Look {
            hair: self.dry_look.hair.wetted(self.wetness),
            ..self.dry_look.clone()
        };
        self.studio.set_look(&self.look);
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

    /// Turns to one of two views, which differ in points, in the colours of strands and in ribbons, and
    /// have pictures of their own, and shows its strands. `is_new`: the view has not shown these
    /// before.
    pub fn show_view(
        &mut self,
        view: usize,
        is_new: bool,
        (points, per_strand): (&[[f32; 4]], usize),
        tints: Option<&Tints>,
        rings: &[Ring],
    ) {
        let turns = std::mem::replace(&mut self.view, view) != view;
        let mut differ = self.solids.set_rings(rings);
        if let Some(strands) = &mut self.strands {
            differ |= strands.set_points(points, per_strand) | strands.set_tints(tints);
            self.unprepared |= differ;
        }
        if is_new && (differ || turns) {
            self.views[view].shown = None;
        }
        if differ {
            self.studio.outdate_shadows();
        }
    }

    /// Shows ribbons in the world.
    pub fn set_rings(&mut self, rings: &[Ring]) {
        self.changed |= self.solids.set_rings(rings);
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

    /// Sets what is saved on pictures in motion.
    pub fn set_economy(&mut self, economy: Economy) {
        self.economy = economy;
    }

    /// Returns the share of the strands that were drawn in the latest picture.
    pub fn drawn_share(&self) -> f32 {
        self.drawn_share
    }

    /// Brings everything to the pose of a shot. Returns `true` if what is seen has changed, apart
    /// from the camera.
    fn update(&mut self, shot: &Shot) -> bool {
        let world_from_head = convert::mat4(shot.world_from_head);
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
            self.studio.follow(shot.world_from_head.w_axis.truncate());
            self.studio.outdate_shadows();
        }
        changed
    }
}
