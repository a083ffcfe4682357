//! The marks over the left and the right view.

use crate::viewer::subject::comparison::Side;
use mohawk::render::{Marks, Stage, Tints};

/// Marks and strand colours of both views. The stage holds those of one at a time.
#[derive(Default)]
pub(crate) struct Overlays {
    sides: [(Marks, Option<Tints>); 2],
    active_scene: Option<Side>,
}

impl Overlays {
    pub(crate) fn set(&mut self, side: Side, marks: &Marks, tints: Option<&Tints>) {
        self.sides[side as usize] = (marks.clone(), tints.cloned());
        self.active_scene = None;
    }

    /// Forgets everything: the strands are others now.
    pub(crate) fn forget(&mut self) {
        self.sides = Default::default();
        self.active_scene = None;
    }

    /// Hands the marks and colours of a view to the stage.
    pub(crate) fn show_on(&mut self, stage: &mut Stage, side: Side) {
        if self.active_scene != Some(side) {
            let (marks, tints) = &self.sides[side as usize];
            stage.set_tints(tints.as_ref());
            stage.set_marks(marks);
            self.active_scene = Some(side);
        }
    }
}
