//! The desktop's file dialog.

use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The shortest time in which a user can cancel a dialog.
const FASTEST_CANCEL: Duration = Duration::from_millis(300);

/// The message of a desktop without a file dialog.
pub(crate) const NO_DIALOG: &str = "This desktop offers no file dialog: drop the file on the window, or type its path beside \"Open…\"";

/// The result of the file dialog.
#[derive(Debug)]
pub(crate) enum Picked {
    File(PathBuf),
    Nothing,
    /// This desktop has none.
    NoDialog,
}

/// The kind of file that is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Asked {
    /// A head, a style or a scene.
    Head,
    /// A doll.
    Doll,
}

/// Asks for a file, and waits for the answer.
pub(crate) fn ask(asked: Asked) -> Picked {
    let begun = Instant::now();
    let dialog = rfd::FileDialog::new();
    let dialog = match asked {
        Asked::Head => dialog
            .set_title("Open a head, a style or a scene")
            .add_filter(
                "Heads, styles and scenes",
                &["glb", "gltf", "mohawk", "toml"],
            )
            .add_filter("glTF heads", &["glb", "gltf"])
            .add_filter("Styles", &["mohawk"])
            .add_filter("Scenes", &["toml"]),
        Asked::Doll => (dialog.set_title("Open a doll")).add_filter("Dolls", &["doll", "json"]),
    };
    match dialog.pick_file() {
        Some(path) => Picked::File(path),
        // The toolkit tells a missing desktop service and "Cancel" alike.
        None if begun.elapsed() < FASTEST_CANCEL => Picked::NoDialog,
        None => Picked::Nothing,
    }
}
