//! Makes a page or a module for JavaScript of the program.
//!
//! ```text
//! mohawk-web-tool bind PROGRAM.wasm FOLDER NAME   writes NAME.js and NAME_bg.wasm
//! mohawk-web-tool split PROGRAM.wasm LIST REST.wasm   moves functions that a list names into REST.wasm
//! mohawk-web-tool pack MODELS FILE.zip            packs the models and presets that are fetched later
//! ```

mod reach;
mod split;

use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use wasm_bindgen_cli_support::Bindgen;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["bind", program, folder, name] => bind(program.as_ref(), folder.as_ref(), name),
        ["split", program, list, rest] => {
            split::split(program.as_ref(), list.as_ref(), rest.as_ref())
        }
        ["pack", models, archive] => pack(models.as_ref(), archive.as_ref()),
        _ => bail!(
            "usage: mohawk-web-tool bind PROGRAM.wasm FOLDER NAME | split PROGRAM.wasm LIST REST.wasm | pack MODELS FILE.zip"
        ),
    }
}

/// Writes the JavaScript that connects others to the program, and the program for it.
fn bind(program: &Path, folder: &Path, name: &str) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(program).out_name(name).typescript(false);
    bindgen.web(true)?.generate(folder)
}

/// Packs the models and the files of presets, in the order of their names, all with the same date.
fn pack(models: &Path, archive: &Path) -> Result<()> {
    let mut files = Vec::new();
    collect(models, &mut files)?;
    files.sort();
    let made = File::create(archive).with_context(|| archive.display().to_string())?;
    let mut zip = ZipWriter::new(made);
    // The files are compressed already.
    let plain = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for file in files {
        let name = file
            .strip_prefix(models)?
            .to_string_lossy()
            .replace('\\', "/");
        zip.start_file(name, plain)?;
        zip.write_all(&fs::read(&file).with_context(|| file.display().to_string())?)?;
    }
    zip.finish()?;
    Ok(())
}

/// Collects all that the program may lack, which `ShippedFile` decides: only what it surely has, and
/// is large, is left out.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_fetched = match name.rsplit_once('.').map_or("", |(_, end)| end) {
            "glb" => name != "head.glb",
            "png" => name != "thumbnail.png",
            "npz" | "toml" => true,
            _ => false,
        };
        if path.is_dir() {
            collect(&path, files)?;
        } else if is_fetched {
            files.push(path);
        }
    }
    Ok(())
}
