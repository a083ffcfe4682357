//! Maps that are filled with a value: all of a map, or one side of it.

use super::{PaintError, Styler};
use crate::groom::left_of_parting;
use crate::maps::{Layout, Map, MapKind};
use crate::style::follicles::Progress;
use crate::style::stroke_file::FillSide;

/// Width of the soft edge between two sides, decimetres.
const EDGE: f32 = 0.05;

impl Styler {
    /// Sets all values of a map, or those of one side, with a soft edge 0.05 dm wide.
    ///
    /// A side of a map that does not exist is filled on unpainted skin. A mask is bright there, so
    /// the other side of a mask becomes dark if the value is 0.5 or more.
    ///
    /// # Errors
    ///
    /// [`PaintError`].
    pub fn fill_map(
        &mut self,
        kind: MapKind,
        value: [f32; 3],
        side: Option<FillSide>,
        progress: Progress,
    ) -> Result<(), PaintError> {
        let layout = self.prepare_map(kind, progress)?;
        let (name, map) = match side {
            None => ("fill".to_owned(), Map::uniform(layout, kind, value)?),
            Some(side) => {
                let map = self.filled(kind, layout, value, side)?;
                (format!("fill {side}"), map)
            }
        };
        self.replace_map(&name, map);
        Ok(())
    }

    /// Returns the map with one side filled.
    fn filled(
        &mut self,
        kind: MapKind,
        layout: Layout,
        value: [f32; 3],
        side: FillSide,
    ) -> Result<Map, PaintError> {
        let parting = match side {
            FillSide::Left | FillSide::Right => None,
            FillSide::PartingLeft | FillSide::PartingRight => {
                let parting = left_of_parting(&self.style.config.groom.stack);
                Some(parting.ok_or(PaintError::NoParting)?)
            }
        };
        let sign = match side {
            FillSide::Left | FillSide::PartingLeft => 1.0,
            FillSide::Right | FillSide::PartingRight => -1.0,
        };
        use MapKind::{Mask1, Mask2, Mask3, Mask4};
        let is_mask = matches!(kind, Mask1 | Mask2 | Mask3 | Mask4);
        let mut map = match self.style.maps.get(&kind) {
            Some(map) => Map::clone(map),
            None if is_mask && value[0] >= 0.5 => Map::uniform(layout, kind, [0.0; 3])?,
            None => Map::clone(&*self.unpainted(kind, layout)?),
        };
        for place in self.canvas.iter().flat_map(|canvas| canvas.places()) {
            let leftward = match &parting {
                Some(parting) => parting(place.position),
                None => place.position.x,
            };
            let share = (0.5 + sign * leftward / EDGE).clamp(0.0, 1.0);
            if share > 0.0 {
                let index = place.texel as usize;
                let old = map.value(index);
                let mixed = |i: usize| old[i] + (value[i] - old[i]) * share;
                map.set(index, std::array::from_fn(mixed));
            }
        }
        Ok(map)
    }
}
