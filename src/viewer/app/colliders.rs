//! The colliders that the user moves, adds and removes.

use super::App;
use crate::viewer::input::action::NewCollider;
use crate::viewer::input::{Under, collider_drag};
use mohawk::settings::ListItem as _;
use mohawk::sim::Collider;

impl App {
    /// Moves the held collider with the pointer.
    pub(super) fn carry_collider(&mut self) {
        if let Some(ray) = self.pointer_ray() {
            let all = &mut self.settings.config.sim.colliders;
            self.pointer.colliders.carry(all, &self.view.camera, ray);
            self.subject.apply(&self.settings.config);
        }
    }

    /// Adds a collider and selects it.
    pub(super) fn add_collider(&mut self, which: NewCollider) {
        let all = &self.settings.config.sim.colliders;
        if all.len() >= Collider::MAX {
            let text = format!("There are {} colliders, which is the limit", all.len());
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
        let count = self.settings.config.sim.colliders.len();
        let is_there = |index: &usize| *index < count;
        // Undo may have removed the selected one.
        let selected = self.pointer.colliders.selected.filter(is_there);
        let index = index.or(selected).or_else(pointed);
        let Some(index) = index.filter(is_there) else {
            return;
        };
        self.settings.remove_collider(index);
        self.pointer.colliders.removed(index);
        self.subject.apply(&self.settings.config);
    }
}
