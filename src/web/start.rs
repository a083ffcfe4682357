//! Starts the window in the page.

use crate::log::Console;
use crate::viewer::address::{Address, asked};
use crate::viewer::{Opening, Options, ViewerError, page};
use mohawk::presets::Preset;
use mohawk::render::OrbitCamera;
use mohawk::scene_file::SceneSetup;
use mohawk::sim::Scene;
use wasm_bindgen::prelude::wasm_bindgen;
use winit::event_loop::ControlFlow;
use winit::platform::web::EventLoopExtWebSys;

/// Opens the window with what an address asks for. The page calls this once. `reports`: the page
/// around this one is told what is shown.
///
/// # Errors
///
/// The reason why nothing can be drawn.
#[wasm_bindgen]
pub fn start(address: &str, reports: bool) -> Result<(), String> {
    std::panic::set_hook(Box::new(|panic| {
        page::ended(&format!("An error of mohawk has ended it: {panic}"));
    }));
    // A page that is started twice keeps the first log.
    _ = tracing::subscriber::set_global_default(Console);
    mohawk::files::disk::listen(page::written);
    open(&Address::read(address), reports).map_err(|error| error.to_string())
}

/// Opens the window. Its events are handled from now on.
fn open(address: &Address, reports: bool) -> Result<(), ViewerError> {
    let mut problems = Vec::new();
    let options = options(address, &mut problems);
    let (event_loop, mut window) = crate::viewer::open(options)?;
    for problem in &problems {
        window.tell_error(problem);
    }
    window.stage(address);
    window.act(address, true);
    if reports {
        window.begin_reports();
    }
    event_loop.spawn(move |event, _, control| match window.step(event) {
        Ok(next) => *control = next,
        Err(_) if page::is_lost() => {}
        Err(error) => {
            page::failed(&error.to_string());
            *control = ControlFlow::Exit;
        }
    });
    Ok(())
}

/// Returns what an address asks for, without the parts that are wrong, which are added to
/// `problems`.
fn options(address: &Address, problems: &mut Vec<String>) -> Options {
    let mut options = Options {
        graphs: address.switch("graphs") == Some(true),
        preset: asked(address.part("preset"), problems, Preset::find),
        split: asked(address.part("split"), problems, str::parse),
        ..Options::default()
    };
    if let Some(preset) = &options.preset {
        match preset.open() {
            Ok(saved) => options.config = saved.style.config,
            Err(error) => problems.push(error.to_string()),
        }
    }
    for (key, value) in address.settings() {
        if let Err(error) = options.config.set(key, value) {
            problems.push(error.to_string());
        }
    }
    if let Some(view) = asked(address.part("view"), problems, str::parse) {
        let named = OrbitCamera::named(view);
        options.config.view.yaw_deg = named.yaw.to_degrees();
        options.config.view.pitch_deg = named.pitch.to_degrees();
    }
    if let Some(scene) = asked(address.part("scene"), problems, str::parse::<Scene>) {
        let (setup, mut config) = (SceneSetup::from(scene), options.config.clone());
        match setup.prepare(&mut config) {
            Ok(()) => {
                // The settings of the address count more than those of the scene. Their errors are
                // told above.
                for (key, value) in address.settings() {
                    _ = config.set(key, value);
                }
                options.scene = Some(Opening { setup, config });
            }
            Err(error) => problems.push(error.to_string()),
        }
    }
    options
}
