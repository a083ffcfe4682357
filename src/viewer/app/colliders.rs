//! Colliders: added, taken hold of, taken away.

use super::App;
use crate::viewer::input::action::NewCollider;
use crate::viewer::input::collider_drag::{self, Grip};
use crate::viewer::input::pointer::Under;
use crate::viewer::subject::pick::Pick;
use glam::Vec2;
use mohawk::settings::ListItem as _;
use mohawk::sim::Collider;

impl App {
    /// Returns the thing under a point of the scene (logical pixels) that is nearest to the eye.
    pub(crate) fn locate(&self, point: Vec2) -> Under {
        let pick = self.pick(point);
        let reaches = self.brush_reaches();
        let depth = |away: Vec2| {
            let pixel = pick.pixel + away;
            // The strands of a scene cannot be dragged.
            (!self.subject.is_headless()).then(|| Pick { pixel, ..pick }.depth())?
        };
        // A brush touches what is within its circle.
        let head = depth(Vec2::ZERO).or_else(|| reaches.iter().find_map(|&away| depth(away)));
        let colliders = &self.settings.config.sim.colliders;
        match (collider_drag::nearest(colliders, pick.ray()), head) {
            (Some((grip, distance)), head) if head.is_none_or(|head| distance < head) => {
                Under::Collider(grip)
            }
            (_, Some(_)) => Under::Head,
            _ => Under::Background,
        }
    }

    /// Updates the colliders in the picture.
    pub(crate) fn show_colliders(&mut self) {
        let all = &self.settings.config.sim.colliders;
        let solids = self.pointer.colliders.solids(all);
        self.subject.stage.solids.set(&solids);
    }

    /// Takes hold of a collider.
    pub(super) fn take_collider(&mut self, grip: Grip) {
        if let Some(ray) = self.pointer_ray() {
            let all = &self.settings.config.sim.colliders;
            self.pointer.colliders.take(grip, all, ray);
        }
    }

    /// Moves the held collider with the pointer.
    pub(super) fn carry_collider(&mut self) {
        if let Some(ray) = self.pointer_ray() {
            let all = &mut self.settings.config.sim.colliders;
            self.pointer.colliders.carry(all, &self.view.camera, ray);
            self.subject.apply(&self.settings.config);
        }
    }

    pub(super) fn resize_collider(&mut self, index: usize, factor: f32) {
        if let Some(collider) = self.settings.config.sim.colliders.get_mut(index) {
            collider.radius = collider_drag::resized(collider.radius, factor);
            self.subject.apply(&self.settings.config);
        }
    }

    pub(super) fn add_collider(&mut self, which: NewCollider) {
        let all = &self.settings.config.sim.colliders;
        if all.len() >= Collider::MAX {
            let text = format!("There are {} colliders already: no more fit", all.len());
            return self.overlay.notice(text);
        }
        let camera = &self.view.camera;
        let ray = (self.pointer_ray()).filter(|_| which == NewCollider::AtPointer);
        let pointed =
            ray.and_then(|ray| collider_drag::on_plane(ray, camera.target, camera.outward()));
        let place =
            pointed.unwrap_or_else(|| collider_drag::beside(self.subject.points(), all, camera));
        let added = collider_drag::new(place, which == NewCollider::Capsule, camera);
        self.pointer.colliders.selected = Some(all.len());
        self.settings.config.sim.colliders.push(added);
        self.subject.apply(&self.settings.config);
    }

    /// Removes a collider; `None`: the selected one, else the one under the pointer.
    pub(super) fn remove_collider(&mut self, index: Option<usize>) {
        let pointed = || match self.locate(self.pointer.at?) {
            Under::Collider(grip) => Some(grip.index),
            _ => None,
        };
        let index = index.or(self.pointer.colliders.selected).or_else(pointed);
        let count = self.settings.config.sim.colliders.len();
        let Some(index) = index.filter(|index| *index < count) else {
            return;
        };
        self.settings.remove_collider(index);
        self.pointer.colliders.removed(index);
        self.subject.apply(&self.settings.config);
    }
}
