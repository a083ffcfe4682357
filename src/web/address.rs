//! What the address of a page says: `#preset=fan&solver=rod&strands=3000&scene=swing`, and any
//! setting of a groom file by its key, such as `groom.length=1.2`.

use crate::viewer::{Opening, Options};
use mohawk::Config;
use mohawk::presets::Preset;
use mohawk::sim::{Scene, SolverKind};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// Settings that have a short name in an address.
const SHORT: [(&str, &str); 2] = [("solver", "sim.solver"), ("strands", "roots.strands")];

/// Signs that are escaped in a value.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'&')
    .add(b'<');

/// Returns the address of a preset with other settings, and of a scene.
pub(crate) fn of(
    preset: Option<&str>,
    settings: &[(String, String)],
    others: &[(&str, &str)],
) -> String {
    let settings = settings.iter().map(|(key, value)| {
        let short = SHORT.iter().find(|(_, whole)| whole == key);
        (
            short.map_or(key.as_str(), |(short, _)| short),
            value.as_str(),
        )
    });
    let preset = preset.map(|name| ("preset", name));
    let parts = preset
        .into_iter()
        .chain(settings)
        .chain(others.iter().copied());
    let parts = parts.map(|(key, value)| format!("{key}={}", utf8_percent_encode(value, ESCAPED)));
    format!("#{}", parts.collect::<Vec<_>>().join("&"))
}

/// Returns what an address asks for, and what is wrong with the parts that are left out.
pub(crate) fn options(address: &str) -> (Options, Vec<String>) {
    let mut options = Options::default();
    let mut problems = Vec::new();
    let mut settings = Vec::new();
    let mut scene = None;
    let parts = address.trim_start_matches('#').split('&');
    for part in parts.filter(|part| !part.is_empty()) {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let value = percent_decode_str(value).decode_utf8_lossy();
        match key {
            "preset" => match Preset::find(&value) {
                Ok(preset) => options.preset = Some(preset),
                Err(error) => problems.push(error.to_string()),
            },
            "scene" => match value.parse::<Scene>() {
                Ok(named) => scene = Some(named),
                Err(error) => problems.push(error.to_string()),
            },
            "split" => match value.parse::<SolverKind>() {
                Ok(solver) => options.split = Some(solver),
                Err(error) => problems.push(error.to_string()),
            },
            "graphs" => options.graphs = true,
            _ => {
                let short = SHORT.iter().find(|(short, _)| *short == key);
                settings.push((short.map_or(key, |(_, whole)| whole).to_owned(), value));
            }
        }
    }
    if let Some(preset) = &options.preset {
        match preset.open() {
            Ok(saved) => options.config = saved.style.config,
            Err(error) => problems.push(error.to_string()),
        }
    }
    let mut set = |config: &mut Config| {
        for (key, value) in &settings {
            if let Err(error) = config.set(key, value) {
                problems.push(error.to_string());
            }
        }
    };
    set(&mut options.config);
    if let Some(scene) = scene {
        let setup = mohawk::scene_file::SceneSetup::from(scene);
        let mut config = options.config.clone();
        match setup.prepare(&mut config) {
            Ok(()) => options.scene = Some(Opening { setup, config }),
            Err(error) => problems.push(error.to_string()),
        }
    }
    (options, problems)
}
