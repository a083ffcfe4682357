//! Names of new files, and pictures on disk.

use std::io;
use std::path::{Path, PathBuf};
use three_d::RenderTarget;

/// Returns the first of mohawk-0001.png, mohawk-0002.png… that does not exist in the current
/// folder.
pub(crate) fn free_picture_name() -> PathBuf {
    first_free(numbered(1, "png"))
}

/// Returns the first of mohawk.toml, mohawk-0002.toml… that does not exist in the current folder.
pub(crate) fn free_settings_name() -> PathBuf {
    first_free(std::iter::once(PathBuf::from("mohawk.toml")).chain(numbered(2, "toml")))
}

/// Returns the first of mohawk-0001.csv, mohawk-0002.csv… that does not exist in the current
/// folder.
pub(crate) fn free_recording_name() -> PathBuf {
    first_free(numbered(1, "csv"))
}

/// Returns the first of mohawk.mohawk, mohawk-0002.mohawk… that does not exist in the current
/// folder.
pub(crate) fn free_style_name() -> PathBuf {
    first_free(std::iter::once(PathBuf::from("mohawk.mohawk")).chain(numbered(2, "mohawk")))
}

/// Returns the first of mohawk-0001.json, mohawk-0002.json… that does not exist in the current
/// folder.
pub(crate) fn free_strokes_name() -> PathBuf {
    first_free(numbered(1, "json"))
}

/// Returns the first of mohawk.doll, mohawk-0002.doll… that does not exist in the current folder.
pub(crate) fn free_doll_name() -> PathBuf {
    first_free(std::iter::once(PathBuf::from("mohawk.doll")).chain(numbered(2, "doll")))
}

fn numbered(from: u32, extension: &str) -> impl Iterator<Item = PathBuf> {
    (from..).map(move |i| PathBuf::from(format!("mohawk-{i:04}.{extension}")))
}

fn first_free(mut names: impl Iterator<Item = PathBuf>) -> PathBuf {
    names.find(|path| !path.exists()).unwrap_or_default()
}

/// Returns the absolute path, for messages.
pub(crate) fn shown(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    absolute.display().to_string()
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
