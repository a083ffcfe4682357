//! Names of new files, and pictures on disk.

use crate::viewer::interface::overlay::Overlay;
use mohawk::render::RenderError;
use std::io;
use std::path::{Path, PathBuf};
use three_d::RenderTarget;

/// Returns the first name with this extension that no file in the current folder has:
/// mohawk-0001.png, mohawk-0002.png… for pictures and recordings, mohawk.toml, mohawk-0002.toml…
/// for documents and settings.
pub(crate) fn free_name(extension: &str) -> PathBuf {
    let is_document = ["toml", "mohawk", "doll"].contains(&extension);
    let names = (1..).map(|i| match i {
        1 if is_document => format!("mohawk.{extension}"),
        _ => format!("mohawk-{i:04}.{extension}"),
    });
    let mut paths = names.map(PathBuf::from);
    paths.find(|path| !path.exists()).unwrap_or_default()
}

/// Returns the absolute path, for messages.
pub(crate) fn shown(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    absolute.display().to_string()
}

/// Saves a picture under a new name, and says so.
pub(crate) fn save_new_picture(
    picture: Result<image::RgbaImage, RenderError>,
    overlay: &mut Overlay,
) {
    let path = free_name("png");
    let saved = picture
        .map_err(anyhow::Error::from)
        .and_then(|picture| Ok(save_picture(&path, &picture)?));
    let path = shown(&path);
    match saved {
        Ok(()) => overlay.notice(format!("Saved {path}")),
        Err(why) => overlay.error(format!("Cannot save {path}: {why:#}")),
    }
}

/// Returns the picture that the window shows.
pub(crate) fn screen_picture(target: &RenderTarget<'_>) -> image::RgbaImage {
    let pixels: Vec<[u8; 4]> = target.read_color();
    // The alpha of the window has no meaning.
    image::RgbaImage::from_fn(target.width(), target.height(), |x, y| {
        let [r, g, b, _] = pixels[(y * target.width() + x) as usize];
        image::Rgba([r, g, b, 255])
    })
}

/// Writes a PNG, whole or not at all.
pub(crate) fn save_picture(path: &Path, picture: &image::RgbaImage) -> io::Result<()> {
    let mut png = io::Cursor::new(Vec::new());
    picture
        .write_to(&mut png, image::ImageFormat::Png)
        .map_err(io::Error::other)?;
    mohawk::files::write_whole(path, png.get_ref())
}
