//! Layers of maps in style files: a PNG with alpha for each, and their list in the manifest.

use super::archive::{Archive, MANIFEST, MAX_BYTES};
use super::{FileErrorKind, Manifest};
use crate::maps::{Layer, LayerSettings, LayeredMap, Map, MapError, MapKind};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A layer in the manifest.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LayerEntry {
    name: String,
    file: String,
    #[serde(default = "full")]
    opacity: f32,
    #[serde(default = "on")]
    on: bool,
}

fn full() -> f32 {
    1.0
}

fn on() -> bool {
    true
}

/// Checks that every list of layers belongs to a map.
pub(super) fn check(manifest: &Manifest) -> Result<(), FileErrorKind> {
    let mut kinds = manifest.layers.keys();
    match kinds.find(|kind| !manifest.maps.contains_key(kind)) {
        None => Ok(()),
        Some(kind) => Err(wrong(format!("has layers of a {kind} map that it lacks"))),
    }
}

/// Reads the layers of a map.
pub(super) fn read(
    archive: &mut Archive,
    base: Map,
    entries: &[LayerEntry],
) -> Result<LayeredMap, FileErrorKind> {
    let kind = base.kind();
    let mut map = LayeredMap::new(Arc::new(base));
    for entry in entries {
        let bytes = archive.read(&entry.file, MAX_BYTES)?;
        let values = Map::layer_from_bytes(kind, &bytes);
        let values = values.map_err(|problem| {
            let problem = format!("is no layer of the {kind} map: {problem}");
            FileErrorKind::Entry(entry.file.clone(), problem)
        })?;
        let settings = LayerSettings {
            name: entry.name.clone(),
            opacity: entry.opacity,
            on: entry.on,
        };
        let layer = Layer {
            settings,
            map: Arc::new(values),
        };
        let pushed = map.push(layer);
        pushed.map_err(|problem| wrong(format!("has a wrong layer: {problem}")))?;
    }
    Ok(map)
}

/// Returns the list of the layers of a map, and adds their pictures to the files.
pub(super) fn write(
    kind: MapKind,
    map: &LayeredMap,
    files: &mut Vec<(String, Vec<u8>)>,
) -> Result<Vec<LayerEntry>, MapError> {
    let entry = |(layer, number): (&Layer, u32)| {
        let file = format!("maps/{}-{number}.png", kind.name());
        files.push((file.clone(), layer.map.to_png()?));
        let settings = &layer.settings;
        Ok(LayerEntry {
            name: settings.name.clone(),
            file,
            opacity: settings.opacity,
            on: settings.on,
        })
    };
    map.layers().iter().zip(1..).map(entry).collect()
}

fn wrong(problem: String) -> FileErrorKind {
    FileErrorKind::Entry(MANIFEST.to_owned(), problem)
}
