//! Changes of the list of layers of a map.

use super::{Layer, LayerError, LayerSettings, LayeredMap};
use crate::maps::Map;
use crate::maps::map::stored;
use std::sync::Arc;

/// A change of the list of layers, about one of them.
#[derive(Clone, Debug, PartialEq)]
pub enum LayerEdit {
    /// Adds it above all others, without coverage.
    Add,
    /// Deletes it.
    Delete,
    /// Moves it above the next layer.
    Raise,
    /// Moves it below the layer under it.
    Lower,
    /// Lays it over the layer under it, or over the base, and makes one of both. What is seen
    /// stays: the layer then has an opacity of 1, and is on.
    MergeDown,
    /// Gives it another name, opacity or switch.
    Set(LayerSettings),
}

impl LayerEdit {
    /// Returns what is done to a layer with these settings, for a list of what can be undone.
    fn told(&self, before: &LayerSettings) -> String {
        let name = &before.name;
        match self {
            LayerEdit::Add => format!("add layer {name}"),
            LayerEdit::Delete => format!("delete layer {name}"),
            LayerEdit::Raise => format!("raise layer {name}"),
            LayerEdit::Lower => format!("lower layer {name}"),
            LayerEdit::MergeDown => format!("merge layer {name} down"),
            LayerEdit::Set(new) if new.name != *name => format!("rename layer {name}"),
            LayerEdit::Set(new) if new.on && !before.on => format!("switch layer {name} on"),
            LayerEdit::Set(new) if !new.on && before.on => format!("switch layer {name} off"),
            LayerEdit::Set(_) => format!("opacity of layer {name}"),
        }
    }
}

impl LayeredMap {
    /// Adds a layer above all others.
    ///
    /// # Errors
    ///
    /// [`LayerError`]: it does not fit, its settings are wrong, or there are too many.
    pub(crate) fn push(&mut self, layer: Layer) -> Result<(), LayerError> {
        if layer.map.layout() != self.base.layout() {
            return Err(LayerError::Size(layer.settings.name));
        }
        self.layers.push(layer);
        self.check()
    }

    /// Adds a layer without coverage above all others.
    ///
    /// # Errors
    ///
    /// Those of [`push`](Self::push).
    pub(crate) fn add(&mut self, settings: LayerSettings) -> Result<(), LayerError> {
        let (kind, layout) = (self.base.kind(), self.base.layout());
        let map = Arc::new(Map {
            kind,
            layout,
            has_coverage: true,
            values: vec![0; layout.values() * (kind.channels() + 1)],
        });
        self.push(Layer { settings, map })
    }

    /// Changes the list of layers. Returns the name of what was done; `None` if nothing changed.
    ///
    /// # Errors
    ///
    /// [`LayerError`]; the list is of no use then.
    pub(crate) fn edit(
        &mut self,
        name: &str,
        edit: &LayerEdit,
    ) -> Result<Option<String>, LayerError> {
        if *edit == LayerEdit::Add {
            let settings = LayerSettings::new(name);
            let told = edit.told(&settings);
            return self.add(settings).map(|()| Some(told));
        }
        let missing = || LayerError::Missing(self.base.kind(), name.to_owned());
        let number = self.find(name).ok_or_else(missing)?;
        let (last, old) = (self.layers.len() - 1, &mut self.layers[number].settings);
        let told = edit.told(old);
        match edit {
            LayerEdit::Set(new) if *new != *old => old.clone_from(new),
            LayerEdit::Delete => _ = self.layers.remove(number),
            LayerEdit::Raise if number < last => self.layers.swap(number, number + 1),
            LayerEdit::Lower if number > 0 => self.layers.swap(number - 1, number),
            LayerEdit::MergeDown => self.merge(number),
            _ => return Ok(None),
        }
        self.check().map(|()| Some(told))
    }

    /// Lays a layer over what is directly under it.
    fn merge(&mut self, number: usize) {
        let upper = self.layers.remove(number);
        match number.checked_sub(1).and_then(|n| self.layers.get_mut(n)) {
            Some(lower) => lower.merge(&upper),
            None => {
                let (base, layers) = (self.base.clone(), vec![upper]);
                self.base = LayeredMap { base, layers }.flattened();
            }
        }
    }

    fn check(&self) -> Result<(), LayerError> {
        let kind = self.base.kind();
        if self.layers.len() > Self::MAX_LAYERS {
            return Err(LayerError::TooMany(kind));
        }
        let sizes = self
            .layers
            .iter()
            .map(|layer| size_of_val(layer.map.values()));
        if sizes.sum::<usize>() > Self::MAX_BYTES {
            return Err(LayerError::TooLarge(kind));
        }
        for (number, layer) in self.layers.iter().enumerate() {
            layer.settings.check()?;
            let name = &layer.settings.name;
            if self.find(name) != Some(number) {
                return Err(LayerError::Taken(kind, name.clone()));
            }
        }
        Ok(())
    }
}

impl Layer {
    /// Lays another layer over this one.
    fn merge(&mut self, upper: &Layer) {
        let lower = self.clone();
        let map = Arc::make_mut(&mut self.map);
        for index in 0..map.layout().values() {
            let (below, above) = (lower.seen(index), upper.seen(index));
            let both = above.w + below.w * (1.0 - above.w);
            let share = if both > 0.0 { above.w / both } else { 0.0 };
            let value = (below + (above - below) * share).truncate();
            map.put(index, value.to_array().map(|number| (number + 0.5) as u16));
            map.cover(index, stored(both));
        }
        (self.settings.opacity, self.settings.on) = (1.0, true);
    }
}
