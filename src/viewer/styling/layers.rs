//! The layers of the map that is painted, as the panel lists them.

use mohawk::maps::{LayerSettings, MapKind};
use three_d::egui;

/// The layers of a map as the list shows them.
#[derive(Default)]
pub(crate) struct LayerList {
    /// The map, and its layers from the lowest to the highest.
    pub(crate) of: MapKind,
    pub(crate) rows: Vec<LayerSettings>,
    /// The layer that is being renamed, and its name as typed.
    pub(crate) renamed: Option<(String, String)>,
    /// The place of the list, logical pixels.
    pub(crate) area: Option<egui::Rect>,
}

impl LayerList {
    /// Returns `true` if a layer has this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.rows.iter().any(|row| row.name == name)
    }

    /// Returns the name of the layer under one; `None`: the base.
    pub(crate) fn below(&self, name: &str) -> Option<String> {
        let number = self.rows.iter().position(|row| row.name == name)?;
        Some(self.rows.get(number.checked_sub(1)?)?.name.clone())
    }

    /// Returns a name that no layer has.
    pub(crate) fn free_name(&self) -> String {
        let names = (1..).map(|number| format!("Layer {number}"));
        let mut free = names.filter(|name| !self.has(name));
        free.next().unwrap_or_default()
    }
}
