//! What a style consists of.

use super::edits::Edits;
use crate::config::Config;
use crate::maps::{Map, MapKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Everything that makes the hair of a head: what is saved, and what undo restores.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Style {
    /// Every setting.
    pub config: Config,
    /// Values over the skin that settings are multiplied by. The density map replaces the model's
    /// own paint.
    pub maps: BTreeMap<MapKind, Arc<Map>>,
    /// Changes to single strands.
    pub edits: Edits,
}

impl Style {
    /// A style of settings alone.
    pub fn of(config: Config) -> Self {
        Self {
            config,
            ..Self::default()
        }
    }

    /// Whether there are neither maps nor edits, only settings.
    pub fn is_plain(&self) -> bool {
        self.maps.is_empty() && self.edits.is_empty()
    }

    /// Whether hair could grow where the model is bald.
    pub(super) fn needs_bald(&self) -> bool {
        self.maps.contains_key(&MapKind::Density) || !self.edits.planted.is_empty()
    }
}
