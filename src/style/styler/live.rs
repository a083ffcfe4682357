//! Strokes over moving hair, and their effect so far: for windows that show it while the brush is
//! down.

use super::state::{StrokeTarget, Styler};
use crate::sim::Sdf;
use crate::style::grow;
use crate::style::view::{View, Visibility};
use glam::Vec3;
use std::sync::Arc;

impl Styler {
    /// Sets where hair is seen, until other hair grows: brushes touch it there. `points` are laid
    /// out as those of [`strands`](Self::strands), relative to each strand's root, head space,
    /// decimetres. `None`, or points of other hair: hair is seen at rest.
    pub fn show(&mut self, points: Option<Vec<Vec3>>) {
        self.shown = points.filter(|points| points.len() == self.grown.strands.points.len());
    }

    /// Continues a stroke in another view, after the camera or the head has moved.
    pub fn look(&mut self, view: View) {
        let scalp = self.follicles.scalp();
        let Some(active) = &mut self.stroke else {
            return;
        };
        for (number, side) in active.sides.iter_mut().enumerate() {
            let view = if number == 0 { view } else { view.mirrored() };
            *side = Visibility::of(scalp, view);
        }
    }

    /// Sets the signed distance field of the skin, which hair must not enter.
    pub fn set_field(&mut self, field: Option<Arc<Sdf>>) {
        self.field = field;
    }

    /// Updates [`groom`](Self::groom) during a stroke. Returns whether anything had changed. New
    /// hair is kept out of the skin only when the stroke ends.
    pub fn refresh(&mut self) -> bool {
        let Some(active) = self.stroke.as_mut().filter(|active| active.is_stale) else {
            return false;
        };
        active.is_stale = false;
        match &active.target {
            StrokeTarget::Strands(touched) => {
                for &strand in touched {
                    let strands = &self.grown.strands;
                    grow::follow(&mut self.grown.groom, strands, strand as usize);
                }
                self.grown.follow_strands();
            }
            StrokeTarget::Planting { growing, .. } => {
                let part = &self.head.parts[self.follicles.part()];
                let grown = grow::grow_where(&self.style, part, &self.follicles, growing);
                self.set_grown(grown);
            }
            StrokeTarget::Painting(_) => self.grow(),
        }
        true
    }
}
