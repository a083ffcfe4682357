//! Maps and layers that are filled with a value: all of one, or one side of it.

use super::paint::check_shown;
use super::{PaintError, Styler};
use crate::groom::left_of_parting;
use crate::maps::MapKind;
use crate::style::follicles::Progress;
use crate::style::stroke_file::FillSide;
use glam::Vec3;

/// Width of the soft edge between two sides, decimetres.
const EDGE: f32 = 0.05;

impl Styler {
    /// Sets all values of a map's base, or of a layer, which then covers all below it; or those of one
    /// side, with a soft edge 0.05 dm wide. A layer that does not exist is created. Without a value,
    /// the layer is erased, and the base is as unpainted skin.
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
        layer: Option<&str>,
        value: Option<[f32; 3]>,
        side: Option<FillSide>,
        progress: Progress,
    ) -> Result<(), PaintError> {
        let left = side.map(|side| self.left_of(side)).transpose()?;
        let (mut map, layer, is_new) = self.map_with_layer(kind, layer, progress)?;
        check_shown(&map, layer)?;
        let name = match side.zip(left) {
            None => {
                map.fill(layer, value)?;
                "fill".to_owned()
            }
            Some((side, left)) => {
                let is_base = is_new && layer.is_none() && kind.is_mask();
                if is_base && value.is_some_and(|[v, ..]| v >= 0.5) {
                    map.fill(None, Some([0.0; 3]))?;
                }
                let (sign, what) = match side {
                    FillSide::Left => (1.0, "left half"),
                    FillSide::Right => (-1.0, "right half"),
                    FillSide::PartingLeft => (1.0, "left of the parting"),
                    FillSide::PartingRight => (-1.0, "right of the parting"),
                };
                let places = self.canvas.iter().flat_map(|canvas| canvas.places());
                let shares = places.map(|place| {
                    let share = 0.5 + sign * left(place.position) / EDGE;
                    (place.texel as usize, share.clamp(0.0, 1.0))
                });
                map.mix(layer, value, shares);
                format!("fill {what}")
            }
        };
        self.replace_map(&name, map);
        Ok(())
    }

    /// Returns the distance of a place from the border of a side, positive to the left of the head.
    fn left_of(&self, side: FillSide) -> Result<Box<dyn Fn(Vec3) -> f32>, PaintError> {
        match side {
            FillSide::Left | FillSide::Right => Ok(Box::new(|place| place.x)),
            FillSide::PartingLeft | FillSide::PartingRight => {
                // The parting is that of the user's settings, as the map is.
                let user = self.active_override.as_ref().map(|user| &user.config);
                let config = user.unwrap_or(&self.style.config);
                let parting = left_of_parting(&config.groom.stack);
                Ok(Box::new(parting.ok_or(PaintError::NoParting)?))
            }
        }
    }
}
