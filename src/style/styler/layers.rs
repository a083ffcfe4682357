//! Layers of maps: those that strokes ask for, and changes of their list.

use super::Styler;
use super::paint::PaintError;
use crate::maps::{LayerEdit, LayerSettings, LayeredMap, Map, MapKind};
use crate::style::contents::Change;
use crate::style::follicles::Progress;
use std::sync::Arc;

impl Styler {
    /// Changes the list of layers of a map, about the layer of this name, which can be undone. A
    /// map that does not exist is created. With `merge` the change is one thing to undo with the
    /// last one, if that was the same change of the same layer: for sliders that are dragged.
    /// Returns whether anything has changed.
    ///
    /// # Errors
    ///
    /// [`PaintError`]; nothing has changed then.
    pub fn edit_layer(
        &mut self,
        kind: MapKind,
        name: &str,
        edit: &LayerEdit,
        merge: bool,
        progress: Progress,
    ) -> Result<bool, PaintError> {
        let (mut map, ..) = self.map_with_layer(kind, None, progress)?;
        let Some(told) = map.edit(name, edit)? else {
            return Ok(false);
        };
        let merges = merge && self.history.next_name(false) == Some(&told);
        if merges {
            self.history.toggle_last(&mut self.style);
        }
        let old = self.style.put_map(kind, Some(map));
        self.commit(&told, vec![Change::WholeMap(kind, old)], merges, None);
        Ok(true)
    }

    /// Prepares a change of a map. Returns the map, the number of its layer of this name, and
    /// whether either was created for it; `None`: the base.
    pub(super) fn map_with_layer(
        &mut self,
        kind: MapKind,
        name: Option<&str>,
        progress: Progress,
    ) -> Result<(LayeredMap, Option<usize>, bool), PaintError> {
        let layout = self.prepare_map(kind, progress)?;
        let known = self.style.layered_map(kind);
        let mut is_new = known.is_none();
        let mut map = match (known, kind) {
            (Some(known), _) => known,
            (None, MapKind::Density) => {
                let map = Arc::new(self.painted_density(layout)?);
                self.model_density = Some(map.clone());
                LayeredMap::new(map)
            }
            (None, _) => LayeredMap::new(Arc::new(Map::uniform(layout, kind, kind.neutral())?)),
        };
        let Some(name) = name else {
            return Ok((map, None, is_new));
        };
        if map.find(name).is_none() {
            is_new = true;
            map.add(LayerSettings::new(name))?;
        }
        let number = map.find(name);
        Ok((map, number, is_new))
    }
}
