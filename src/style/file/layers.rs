//! Layers of maps in style files: a PNG with alpha for each, and their list in the manifest.

use super::archive::{Archive, MANIFEST, MAX_BYTES};
use super::{FileErrorKind, Manifest, Style};
use crate::maps::{Layer, LayerSettings, LayeredMap, Map, MapError, MapErrorKind, MapKind};
use crate::zip_file::{take, too_big};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A layer in the manifest.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LayerEntry {
    name: String,
    pub(super) file: String,
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
        let values = map_of(archive, &entry.file, kind, true)?;
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
    if !entries.is_empty() {
        // The map that they flatten to.
        let taken = take(&archive.budget, size_of_val(map.base().values()) as u64);
        taken.map_err(|problem| wrong(format!("has layers of the {kind} map: it {problem}")))?;
    }
    Ok(map)
}

/// Reads a picture with the values of a map, or of a layer of it.
pub(super) fn map_of(
    archive: &mut Archive,
    name: &str,
    kind: MapKind,
    is_layer: bool,
) -> Result<Map, FileErrorKind> {
    let entry = |problem| FileErrorKind::Entry(name.to_owned(), problem);
    let bytes = archive.read(name, MAX_BYTES)?;
    let left = archive.budget.left();
    let map = Map::from_bytes_within(kind, is_layer, &bytes, left).map_err(|problem| {
        entry(match problem {
            MapErrorKind::Memory(needs) => too_big(needs, left),
            problem if is_layer => format!("is no layer of the {kind} map: {problem}"),
            problem => format!("is no {kind} map: {problem}"),
        })
    })?;
    take(&archive.budget, size_of_val(map.values()) as u64).map_err(entry)?;
    archive.release(bytes);
    Ok(map)
}

/// Returns the list of the layers of a map, and adds their pictures to the files.
pub(super) fn write(
    kind: MapKind,
    map: &LayeredMap,
    files: &mut Vec<(String, Vec<u8>)>,
    is_plain: bool,
) -> Result<Vec<LayerEntry>, MapError> {
    let entry = |(layer, number): (&Layer, u32)| {
        let file = format!("maps/{}-{number}.png", kind.name());
        files.push((file.clone(), layer.map.to_png_of(is_plain)?));
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

/// Returns the bytes of memory that all maps take, with their layers.
pub(super) fn memory(style: &Style) -> usize {
    let below = style.layered.values().flat_map(|all| {
        let layers = all.layers().iter().map(|layer| &layer.map);
        layers.chain([all.base()])
    });
    let maps = style.maps.values().chain(below);
    maps.map(|map| size_of_val(map.values())).sum()
}

fn wrong(problem: String) -> FileErrorKind {
    FileErrorKind::Entry(MANIFEST.to_owned(), problem)
}
