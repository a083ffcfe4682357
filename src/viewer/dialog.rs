//! The desktop's file dialog.

use std::path::PathBuf;
use std::time::{Duration, Instant};

/// No hand cancels a dialog faster than this.
const FASTEST_CANCEL: Duration = Duration::from_millis(300);

/// What to say where there is no dialog.
pub(super) const NO_DIALOG: &str = "This desktop offers no file dialog: drop the file on the window, or type its path beside \"Open…\"";

/// What came of the file dialog.
#[derive(Debug)]
pub(super) enum Picked {
    File(PathBuf),
    Nothing,
    /// This desktop has none.
    NoDialog,
}

/// Asks for a head or a scene file, and waits for the answer.
pub(super) fn ask() -> Picked {
    let asked = Instant::now();
    let picked = rfd::FileDialog::new()
        .set_title("Open a head, a style or a scene")
        .add_filter(
            "Heads, styles and scenes",
            &["glb", "gltf", "mohawk", "toml"],
        )
        .add_filter("glTF heads", &["glb", "gltf"])
        .add_filter("Styles", &["mohawk"])
        .add_filter("Scenes", &["toml"])
        .pick_file();
    match picked {
        Some(path) => Picked::File(path),
        // The toolkit tells a missing desktop service and "Cancel" alike.
        None if asked.elapsed() < FASTEST_CANCEL => Picked::NoDialog,
        None => Picked::Nothing,
    }
}
