//! Names of new files, and paths in messages.

use mohawk::files::exists;
use mohawk::head::HEAD_EXTENSIONS;
use std::path::{Path, PathBuf};

/// Returns the first name that begins and ends like this and that no file in the current folder has:
/// mohawk-0001.png, mohawk-0002.png… for pictures and recordings, mohawk.toml, mohawk-0002.toml…
/// for documents and settings.
pub(crate) fn free_name(start: &str, extension: &str) -> PathBuf {
    let mut paths = names(start, extension);
    paths.find(|path| !exists(path)).unwrap_or_default()
}

/// Returns how the name of a new file of a style begins: like the model or the preset that it comes
/// from, which may be named by the path of a file.
pub(crate) fn start_of_name(source: Option<&str>) -> &str {
    let source = source.and_then(|name| Path::new(name).file_stem()?.to_str());
    source.unwrap_or("mohawk")
}

fn names(start: &str, extension: &str) -> impl Iterator<Item = PathBuf> {
    let is_document = ["toml", "mohawk", "doll"].contains(&extension);
    let names = (1..).map(move |i| match i {
        1 if is_document => format!("{start}.{extension}"),
        _ => format!("{start}-{i:04}.{extension}"),
    });
    names.map(PathBuf::from)
}

/// Returns the file to open of several that were dropped together: a head or a style, which may need
/// the others beside it, or the first that is no part of another file.
pub(crate) fn main_file(paths: Vec<PathBuf>) -> Option<PathBuf> {
    let rank = |path: &PathBuf| {
        let extension = path.extension().and_then(|end| end.to_str());
        let extension = extension.unwrap_or_default().to_lowercase();
        match extension.as_str() {
            "mohawk" => 0,
            // Surfaces may lie beside the head that uses them.
            "obj" | "ply" | "stl" => 1,
            known if HEAD_EXTENSIONS.contains(&known) => 0,
            "bin" | "mtl" => 3,
            "png" | "jpg" | "jpeg" | "webp" | "ktx2" | "tga" | "bmp" | "tif" | "tiff" => 2,
            _ => 1,
        }
    };
    paths.into_iter().min_by_key(rank)
}

/// Returns the absolute path, for messages.
pub(crate) fn shown(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    absolute.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_opened_rather_than_its_parts() {
        let opened = |names: &[&str]| {
            let first = main_file(names.iter().map(PathBuf::from).collect());
            first.unwrap_or_default().display().to_string()
        };
        assert_eq!(opened(&["skin.png", "head.bin", "Head.GLTF"]), "Head.GLTF");
        assert_eq!(opened(&["head.mtl", "skin.jpg", "head.obj"]), "head.obj");
        assert_eq!(opened(&["density.png"]), "density.png");
        assert_eq!(opened(&["a.toml", "b.toml"]), "a.toml");
        assert_eq!(opened(&[]), "");
    }

    #[test]
    fn new_files_are_numbered_and_named_after_their_source() {
        for (source, start) in [
            (None, "mohawk"),
            (Some("bob"), "bob"),
            (Some("hair/my bob.mohawk"), "my bob"),
            (Some("heads/plain.glb"), "plain"),
        ] {
            assert_eq!(start_of_name(source), start);
        }
        let first_two =
            |start, extension| -> Vec<PathBuf> { names(start, extension).take(2).collect() };
        let documents = ["bob.mohawk", "bob-0002.mohawk"].map(PathBuf::from);
        assert_eq!(first_two("bob", "mohawk"), documents);
        let pictures = ["mohawk-0001.png", "mohawk-0002.png"].map(PathBuf::from);
        assert_eq!(first_two("mohawk", "png"), pictures);
    }
}
