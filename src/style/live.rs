//! Strokes over hair that moves, and what they have done so far: for windows, which show it while
//! the brush is still down.

use super::active::Kind;
use super::camera::View;
use super::grow;
use super::styler::Styler;
use super::visibility::Sight;
use crate::sim::Field;
use glam::Vec3;
use std::sync::Arc;

impl Styler {
    /// Has brushes touch hair where it is seen, until other hair grows: `points` as those of
    /// [`strands`](Self::strands), seen from each strand's root, head space, decimetres. `None`, or
    /// points of other hair: where it is at rest.
    pub fn show(&mut self, points: Option<Vec<Vec3>>) {
        self.shown = points.filter(|points| points.len() == self.grown.strands.points.len());
    }

    /// Goes on with a stroke as it is seen in another view: the camera or the head has moved.
    pub fn look(&mut self, view: View) {
        let scalp = self.follicles.scalp();
        let Some(active) = &mut self.stroke else {
            return;
        };
        for (number, side) in active.sides.iter_mut().enumerate() {
            *side = Sight::of(scalp, if number == 0 { view } else { view.mirrored() });
        }
    }

    /// Takes the skin that hair must not go into.
    pub fn set_field(&mut self, field: Option<Arc<Field>>) {
        self.field = field;
    }

    /// Is a stroke going on?
    pub fn is_brushing(&self) -> bool {
        self.stroke.is_some()
    }

    /// Brings [`groom`](Self::groom) up to date in the middle of a stroke; whether there was news.
    /// What is grown anew is kept out of the skin when the stroke ends.
    pub fn refresh(&mut self) -> bool {
        let Some(active) = self.stroke.as_mut().filter(|active| active.news) else {
            return false;
        };
        active.news = false;
        match &active.kind {
            Kind::Strands(touched) => {
                for &strand in touched {
                    let strands = &self.grown.strands;
                    grow::follow(&mut self.grown.groom, strands, strand as usize);
                }
                self.grown.follow_strands();
            }
            Kind::Planting { growing, .. } => {
                let part = &self.head.parts[self.follicles.part()];
                let grown = grow::grow_where(&self.style, part, &self.follicles, growing);
                self.wear(grown);
            }
            Kind::Painting(_) => self.grow(),
        }
        true
    }
}
