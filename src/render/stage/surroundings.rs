//! Objects of a program's own in the pictures of a [`Stage`].

use super::Stage;
use crate::render::outline::{Bounds, Rows};
use crate::render::shadow_map::SHADOW_STATES;
use glam::Vec3;
use three_d::{Camera, DepthMaterial, Light, MaterialType, Object};

/// Objects of three-d, world space, and the lights on them.
#[derive(Default)]
pub struct Surroundings {
    objects: Vec<Box<dyn Object>>,
    lights: Vec<Box<dyn Light>>,
}

impl Stage {
    /// Shows objects of three-d around the head, world space, and their lights. Head and hair keep
    /// the lights of the look, and get the shadows of the objects. An object that moves can be an
    /// `Rc<RefCell<_>>`; this is called again when it has moved. Deferred materials are not drawn.
    pub fn set_surroundings(&mut self, objects: Vec<Box<dyn Object>>, lights: Vec<Box<dyn Light>>) {
        self.surroundings = Surroundings { objects, lights };
        self.changed = true;
    }
}

impl Surroundings {
    /// Draws the opaque objects, or the others in their order.
    pub(super) fn draw(&self, camera: &Camera, kind: MaterialType) {
        let lights: Vec<&dyn Light> = self.lights.iter().map(Box::as_ref).collect();
        let objects = self.objects.iter();
        for object in objects.filter(|object| object.material_type() == kind) {
            object.render(camera, &lights);
        }
    }

    /// Draws the depth of opaque objects.
    pub(super) fn draw_depth(&self, camera: &Camera) {
        let depth = DepthMaterial {
            render_states: SHADOW_STATES,
            ..DepthMaterial::default()
        };
        let objects = self.objects.iter();
        for object in objects.filter(|object| object.material_type() == MaterialType::Opaque) {
            object.render_with_material(&depth, camera, &[]);
        }
    }

    /// Covers the rows of a picture in which the objects can be.
    pub(super) fn cover(&self, rows: &mut Rows) {
        for bounds in self.objects.iter().map(|object| object.aabb()) {
            if bounds.is_infinite() {
                rows.cover_all();
            } else if !bounds.is_empty() {
                let [low, high] =
                    [bounds.min(), bounds.max()].map(|end| Vec3::from_array(end.into()));
                rows.cover(Bounds { low, high }.corners(0.0));
            }
        }
    }
}
