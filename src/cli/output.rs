//! Results: data on stdout, and files that are written whole or not at all.

use super::messages::usage_error;
use anyhow::{Context, bail};
use mohawk::files::{Part, overwritten, read_plain, write_whole};
use mohawk::strokes::{MAX_FILE, StrokeError};
use npyz::{NpyWriter, WriteOptions, WriterBuilder};
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes data to stdout. A reader that closes the pipe early, such as `head`, is no error.
pub fn print(data: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    match (stdout.write_all(data.as_bytes())).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("stdout could not be written"),
    }
}

/// Writes a JSON value and a line end to stdout.
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    print(&(serde_json::to_string_pretty(value).context(NOT_JSON)? + "\n"))
}

/// Writes a JSON value and a line end to stdout, if that was asked for.
pub fn print_if(is_json: bool, value: &impl Serialize) -> anyhow::Result<()> {
    match is_json {
        true => print_json(value),
        false => Ok(()),
    }
}

/// Writes a JSON value in one line to stdout, for readers of one value after the other.
#[cfg(feature = "viewer")]
pub fn print_json_line(value: &impl Serialize) -> anyhow::Result<()> {
    print(&(serde_json::to_string(value).context(NOT_JSON)? + "\n"))
}

const NOT_JSON: &str = "the result cannot be written as JSON";

/// The result of a command: JSON for programs, text for people.
pub trait CommandResult: Serialize + Sized {
    /// Returns the result as lines of text.
    fn text(&self) -> String;

    /// Writes the result to stdout.
    fn print(&self, as_json: bool) -> anyhow::Result<()> {
        match as_json {
            true => print_json(self),
            false => print(&self.text()),
        }
    }
}

/// Returns lines of `name: value` with the values in one column, and a line for each file that was
/// written.
pub fn table<'a>(rows: &str, written: impl IntoIterator<Item = &'a PathBuf>) -> String {
    let written = written.into_iter();
    let written = written.map(|file| format!("written: {}\n", file.display()));
    let rows = rows.to_owned() + &written.collect::<String>();
    let lines = rows.lines();
    let named = lines.map(|row| row.split_once(": ").unwrap_or(("", row)));
    let width = named.clone().map(|(name, _)| name.chars().count()).max();
    let width = width.unwrap_or(0) + 2;
    let lines = named.map(|(name, value)| format!("  {name:width$}{value}\n"));
    lines.collect()
}

/// Columns of a terminal that texts are wrapped to.
const COLUMNS: usize = 80;

/// Returns a text in lines after `start`, below which further lines begin. Words are not divided.
pub fn wrapped(start: &str, text: &str) -> String {
    let indent = start.chars().count();
    let mut lines = start.to_owned();
    let mut column = indent;
    for word in text.split_whitespace() {
        let width = word.chars().count();
        if column > indent && column + 1 + width > COLUMNS {
            lines += &format!("\n{:indent$}", "");
            column = indent;
        }
        if column > indent {
            lines.push(' ');
            column += 1;
        }
        lines += word;
        column += width;
    }
    lines.push('\n');
    lines
}

/// Starts a NumPy file of an array of 32-bit numbers with this shape.
pub fn npy<W: Write>(file: W, shape: &[u64]) -> io::Result<NpyWriter<f32, BufWriter<W>>> {
    let options = WriteOptions::new().default_dtype().shape(shape);
    options.writer(BufWriter::new(file)).begin_nd()
}

/// Checks that a file can be written: its folder exists, and it is none of the files that are read.
pub fn check(
    command: &'static str,
    output: &Path,
    inputs: impl IntoIterator<Item: AsRef<Path>>,
) -> anyhow::Result<()> {
    if let Some(input) = overwritten(output, inputs) {
        let (output, input) = (output.display(), input.as_ref().display());
        let message = format!("writing {output} would overwrite {input}, which is read");
        return Err(usage_error(command, message));
    }
    check_folder(output)
}

/// Returns the folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    parent.unwrap_or(Path::new("."))
}

/// Checks that a file can be made in its folder, before the work for that file is done.
pub fn check_folder(path: &Path) -> anyhow::Result<()> {
    let folder = folder_of(path);
    if !folder.is_dir() {
        let (folder, path) = (folder.display(), path.display());
        bail!("there is no folder {folder} to write {path} to; make it first: mkdir -p '{folder}'");
    }
    // Folders and devices are written in other ways.
    if !path.exists() || path.is_file() {
        let part = Part::of(path);
        let failed = || format!("{} could not be written", path.display());
        File::create(part.path()).with_context(failed)?;
    }
    Ok(())
}

/// Writes a file, whole or not at all.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_whole(path, bytes).with_context(|| format!("{} could not be written", path.display()))
}

/// Returns a picture as a PNG file.
pub fn png(picture: &image::RgbaImage) -> anyhow::Result<Vec<u8>> {
    encoded(picture, image::ImageFormat::Png)
}

/// Returns a picture as a file.
pub fn encoded(picture: &image::RgbaImage, format: image::ImageFormat) -> anyhow::Result<Vec<u8>> {
    let mut bytes = io::Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, format)
        .with_context(|| format!("the picture could not be encoded as {format:?}"))?;
    Ok(bytes.into_inner())
}

/// Reads a stroke file.
pub fn read_strokes<T>(
    path: &Path,
    from_json: impl FnOnce(&str) -> Result<T, StrokeError>,
) -> anyhow::Result<T> {
    let name = path.display();
    let bytes = read_plain(path, MAX_FILE).with_context(|| format!("{name} cannot be read"))?;
    let text = String::from_utf8(bytes).with_context(|| format!("{name} is not text"))?;
    from_json(&text).with_context(|| format!("{name} is not a stroke file"))
}

/// Returns the extension of a file name in lower case; empty if there is none.
pub fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_ascii_lowercase()
}

/// Returns the parser of a flag for a file whose name ends in one of `extensions`.
pub fn file_parser(
    extensions: &'static [&'static str],
) -> impl Fn(&str) -> Result<PathBuf, String> + Clone + Send + Sync + 'static {
    move |text| {
        let path = PathBuf::from(text);
        if extensions.contains(&extension(&path).as_str()) {
            return Ok(path);
        }
        let listed: Vec<String> = extensions.iter().map(|e| format!(".{e}")).collect();
        Err(format!("its name must end in {}", listed.join(" or ")))
    }
}
