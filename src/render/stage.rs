//! Everything in a picture: a head, its strands, overlays, solids, lights and sky.

use super::camera::orbit::OrbitCamera;
use super::error::RenderError;
use super::gpu::convert;
use super::gpu::shape::ShapeGeometry;
use super::objects::light::{Quality, ShadowMaterial, Studio};
use super::objects::sky::SkyMaterial;
use super::objects::solids::{Solid, Solids};
use super::objects::strand_colors::Tints;
use super::objects::strands::{HairMaterial, StrandShape};
use super::objects::surface::HeadModel;
use super::overlay::discs::{Disc, DiscMaterial, DiscShape};
use super::overlay::marks::{MarkModels, Marks};
use super::overlay::slice::{DistanceSlice, SliceMaterial, SliceShape};
use crate::groom::Groom;
use crate::head::Head;
use crate::look::Look;
use glam::Mat4;
use std::cell::RefCell;
use std::rc::Rc;
use three_d::*;

/// The view of one picture.
#[derive(Clone, Copy, Debug)]
pub struct Shot {
    /// The camera.
    pub camera: OrbitCamera,
    /// The pose of the head.
    pub world_from_head: Mat4,
    /// Whether the sky is drawn. Otherwise the background is transparent.
    pub background: bool,
}

/// A head, its hair and what is shown with them, on the GPU.
pub struct Stage {
    context: Context,
    look: Look,
    studio: Rc<RefCell<Studio>>,
    head: Option<HeadModel>,
    strands: Option<Gm<ShapeGeometry<StrandShape>, HairMaterial>>,
    discs: Option<ShapeGeometry<DiscShape>>,
    ring: Option<ShapeGeometry<DiscShape>>,
    solids: Solids,
    slice: Option<ShapeGeometry<SliceShape>>,
    marks: MarkModels,
    layers: Layers,
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

impl Stage {
    /// Returns an empty stage.
    pub fn new(context: &Context, look: &Look, quality: Quality) -> Self {
        let studio = Rc::new(RefCell::new(Studio::new(context, look, quality)));
        Self {
            solids: Solids::new(context, &studio),
            slice: None,
            marks: MarkModels::new(context),
            context: context.clone(),
            look: look.clone(),
            studio,
            head: None,
            strands: None,
            discs: None,
            ring: None,
            layers: Layers::default(),
        }
    }

    /// Shows another head.
    pub fn set_head(&mut self, head: &Head) {
        self.head = Some(HeadModel::new(&self.context, head, &self.studio));
    }

    /// Shows other strands, at rest on a head at the origin until [`Stage::set_points`].
    pub fn set_groom(&mut self, groom: &Groom) {
        self.strands =
            StrandShape::geometry(&self.context, groom, &self.look.hair).map(|geometry| {
                let material = HairMaterial {
                    look: self.look.hair.clone(),
                    studio: self.studio.clone(),
                    is_tinted: false,
                    is_dyed: geometry.is_dyed(),
                };
                Gm::new(geometry, material)
            });
    }

    /// Changes colours, widths and sky.
    pub fn set_look(&mut self, look: &Look) {
        self.look = look.clone();
        self.studio.borrow_mut().set_look(look);
        if let Some(strands) = &mut self.strands {
            strands.geometry.look = look.hair.clone();
            strands.material.look = look.hair.clone();
        }
    }

    /// Shows other points in world space, `per_strand` of `[x, y, z, _]` for each strand of the
    /// groom: its tip if that is 1, else its particles, root first.
    pub fn set_points(&mut self, points: &[[f32; 4]], per_strand: usize) {
        if let Some(strands) = &mut self.strands {
            strands.geometry.set_points(points, per_strand);
        }
    }

    /// Replaces the colours of the look until other strands are shown. `None` restores them, and so
    /// do tints of another number of strands.
    pub fn set_tints(&mut self, tints: Option<&Tints>) {
        if let Some(strands) = &mut self.strands {
            strands.material.is_tinted = strands.geometry.set_tints(tints);
        }
    }

    /// Shows other dots and lines.
    pub fn set_marks(&mut self, marks: &Marks) {
        self.marks.set(marks);
    }

    /// Shows a plane of distances, or removes it.
    pub fn set_slice(&mut self, slice: Option<DistanceSlice>) {
        self.slice = slice.and_then(|slice| SliceShape::geometry(&self.context, slice));
    }

    /// Shows other discs on the skin and removes the ring.
    pub fn set_discs(&mut self, discs: &[Disc]) {
        self.discs = DiscShape::geometry(&self.context, discs);
        self.ring = None;
    }

    /// Shows a ring on the skin, with a reticle that is also visible, faintly, through the head.
    pub fn set_ring(&mut self, ring: Option<Disc>) {
        self.ring = DiscShape::geometry(&self.context, ring.as_slice());
    }

    /// Shows other spheres and capsules in the world.
    pub fn set_solids(&mut self, solids: &[Solid]) {
        self.solids.set(solids);
    }

    /// Shows an ellipsoid (centre and half axes, head space) in place of a head, or removes it.
    pub fn set_ellipsoid(&mut self, ellipsoid: Option<(glam::Vec3, glam::Vec3)>) {
        self.solids.set_ellipsoid(ellipsoid);
    }

    /// Limits shadows to a ball, world space; `None` is where heads are.
    pub fn set_extent(&mut self, ball: Option<(glam::Vec3, f32)>) {
        self.studio.borrow_mut().set_extent(ball);
    }

    /// Sets which layers are drawn.
    pub fn set_layers(&mut self, layers: Layers) {
        self.layers = layers;
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
        let world_from_head = convert::mat4(shot.world_from_head);
        if let Some(head) = &mut self.head {
            head.set_pose(world_from_head);
        }
        self.solids.set_pose(world_from_head);
        if let Some(strands) = &mut self.strands {
            strands.geometry.world_from_head = world_from_head;
            strands.geometry.pixel_scale = pixel_scale;
        }
        for discs in self.discs.iter_mut().chain(&mut self.ring) {
            discs.world_from_head = world_from_head;
            discs.pixel_scale = pixel_scale;
        }
        if let Some(slice) = &mut self.slice {
            slice.world_from_head = world_from_head;
            slice.pixel_scale = pixel_scale;
        }
        self.marks.set_pixel_scale(pixel_scale);
        let shown_strands = self.strands.iter().filter(|_| self.layers.hair);
        let discs = self.discs.iter().filter(|_| self.layers.discs);
        let ring = self.ring.iter().filter(|_| self.layers.discs);
        let head = self.head.as_ref().filter(|_| self.layers.head);
        let opaque = || {
            let parts = head.into_iter().flat_map(HeadModel::opaque);
            parts.chain(self.solids.models())
        };
        let surfaces = opaque().map(|part| {
            let geometry: &dyn Geometry = &part.geometry;
            (geometry, &part.material.shadow)
        });
        let whole = ShadowMaterial::default();
        let lit = shown_strands.clone().filter(|_| self.look.hair.lit);
        let strands = lit.map(|strands| (&strands.geometry as &dyn Geometry, &whole));
        self.studio.borrow().cast_shadows(surfaces.chain(strands))?;

        let camera = shot.camera.to_three_d(viewport);
        target
            .clear_partially(
                viewport.into(),
                ClearState::color_and_depth(0.0, 0.0, 0.0, 0.0, 1.0),
            )
            .write::<RendererError>(|| {
                if shot.background {
                    let sky = SkyMaterial {
                        look: &self.look.sky,
                    };
                    apply_screen_material(&self.context, &sky, &camera, &[]);
                }
                for part in opaque() {
                    self.draw_object(&camera, &part.geometry, &part.material)?;
                }
                for strands in shown_strands {
                    self.draw_object(&camera, &strands.geometry, &strands.material)?;
                }
                for part in head.iter().flat_map(|head| head.blended(camera.position())) {
                    self.draw_object(&camera, &part.geometry, &part.material)?;
                }
                for discs in discs {
                    self.draw_object(&camera, discs, &DiscMaterial::Root)?;
                }
                for ring in ring {
                    for material in [DiscMaterial::Ring, DiscMaterial::Reticle] {
                        self.draw_object(&camera, ring, &material)?;
                    }
                }
                if let Some(slice) = &self.slice {
                    for is_hidden in [true, false] {
                        self.draw_object(&camera, slice, &SliceMaterial { is_hidden })?;
                    }
                }
                for (marks, material) in self.marks.models(false) {
                    self.draw_object(&camera, marks, &material)?;
                }
                Ok(())
            })?;
        if self.marks.is_empty() {
            return Ok(());
        }
        // Marks within the hair are visible through it, but not through the head.
        target
            .clear(ClearState::depth(1.0))
            .write::<RendererError>(|| {
                for part in opaque() {
                    self.draw_object(&camera, &part.geometry, &part.material.shadow)?;
                }
                for (marks, material) in self.marks.models(true) {
                    self.draw_object(&camera, marks, &material)?;
                }
                Ok(())
            })?;
        Ok(())
    }

    fn draw_object(
        &self,
        camera: &Camera,
        geometry: &dyn Geometry,
        material: &dyn Material,
    ) -> Result<(), RendererError> {
        render_with_material(&self.context, camera, geometry, material, &[])
    }
}
