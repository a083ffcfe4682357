//! The skin of a head in an animation of its file.

use super::Subject;
use mohawk::head::PartShape;
use mohawk::sim::SkinMotion;
use mohawk::style::with_skin;

impl Subject {
    /// Returns the animation that plays on the head, by its place in the list of the rig.
    fn animation(&self) -> Option<usize> {
        let animation = self.setup.as_ref()?.animation();
        animation.filter(|_| !self.frozen)
    }

    /// Lets the skin carry the strands if an animation plays.
    pub(super) fn move_skin(&mut self) {
        let skin = (self.animation().zip(self.head.as_ref())).and_then(|(animation, head)| {
            let strands = &self.hair.as_ref()?.groom;
            SkinMotion::new(&with_skin(head), animation, strands)
        });
        let mut is_new = skin.is_some();
        is_new |= self.shown_skin.is_some();
        if is_new {
            (self.simulations).change(|sim| sim.set_skin(skin.clone()));
        }
    }

    /// Shows the head and the roots where the animation that plays has them.
    pub(super) fn show_skin(&mut self) {
        let animation = self.animation();
        let secs = animation.map(|_| self.sim().skin_secs());
        if secs == self.shown_skin {
            return;
        }
        self.shown_skin = secs;
        let Some(head) = &self.head else {
            return;
        };
        let shapes = match (animation.zip(secs), &head.rig) {
            (Some((animation, secs)), Some(rig)) => rig.shapes(animation, secs),
            _ => head.parts.iter().map(PartShape::from).collect(),
        };
        self.stage.set_head_shapes(&shapes);
        let groom = self.simulations.of(self.looked_at).sim.groom();
        self.stage.carry_groom(groom);
    }
}
