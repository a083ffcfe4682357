//! Results: on stdout what other programs read, and files that are whole or not there.

use anyhow::{Context, bail};
use mohawk::files::{read_plain, write_whole};
use mohawk::strokes::{MAX_FILE, StrokeError};
use serde::Serialize;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes data to stdout; a reader that has had enough (`| head`) is no failure.
pub fn print(data: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout
        .write_all(data.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("stdout could not be written"),
    }
}

/// Writes one JSON value and a line end to stdout.
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(value).context("a result that JSON cannot hold")?;
    print(&(text + "\n"))
}

/// The same in one line: for those who read values as they come.
#[cfg(feature = "viewer")]
pub fn print_json_line(value: &impl Serialize) -> anyhow::Result<()> {
    let text = serde_json::to_string(value).context("a result that JSON cannot hold")?;
    print(&(text + "\n"))
}

/// Finds out before the work is done that its result could not be written.
pub fn check_folder(path: &Path) -> anyhow::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        bail!(
            "there is no folder {0} to write {1} to; make it first: mkdir -p {0}",
            folder.display(),
            path.display()
        );
    }
    Ok(())
}

/// The one of the files that are read that writing to `output` would overwrite.
pub fn overwritten<'a>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
) -> Option<&'a PathBuf> {
    let written = fs::canonicalize(output).ok()?;
    let is_it = |input: &&PathBuf| fs::canonicalize(input).is_ok_and(|input| input == written);
    inputs.into_iter().find(is_it)
}

/// Writes a whole file or none.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_whole(path, bytes).with_context(|| format!("{} could not be written", path.display()))
}

/// A file of strokes.
pub fn strokes<T>(
    path: &Path,
    from_json: impl FnOnce(&str) -> Result<T, StrokeError>,
) -> anyhow::Result<T> {
    let name = path.display();
    let bytes = read_plain(path, MAX_FILE).with_context(|| format!("{name} cannot be read"))?;
    let text = String::from_utf8(bytes).with_context(|| format!("{name} is not text"))?;
    from_json(&text).with_context(|| format!("{name} is no file of strokes"))
}

/// The end of a file's name, in small letters.
pub fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_ascii_lowercase()
}

/// A file whose name ends in one of these.
pub fn known(text: &str, extensions: &[&str]) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if extensions.contains(&extension(&path).as_str()) {
        return Ok(path);
    }
    let listed: Vec<String> = extensions.iter().map(|e| format!(".{e}")).collect();
    Err(format!("its name must end in {}", listed.join(" or ")))
}
