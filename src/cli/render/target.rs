//! The files of pictures.

use crate::cli::output;
use image::ImageFormat;
use std::{collections::BTreeSet, fs, io, ops::Range, path::PathBuf};

/// The kind of the files that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One picture.
    Picture(ImageFormat),
    /// One file for each picture, with its number in the name.
    Numbered(ImageFormat),
    /// All pictures in one file.
    Clip(Clip),
}

/// A file format of many pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clip {
    Apng,
    Gif,
    Mp4,
    WebM,
}

impl Clip {
    /// Returns the name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Clip::Apng => "an APNG",
            Clip::Gif => "a GIF",
            Clip::Mp4 => "an MP4",
            Clip::WebM => "a WebM",
        }
    }

    /// Returns `true` if the program `ffmpeg` writes it.
    pub fn needs_ffmpeg(self) -> bool {
        matches!(self, Clip::Mp4 | Clip::WebM)
    }
}

/// A checked `--output`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub path: PathBuf,
    pub format: Format,
}

/// The part of a file name that becomes the frame number, which has at least four digits.
pub const FRAME_NUMBER: &str = "{frame}";

const WRITABLE: &str = ".png, .webp, .apng, .gif, .mp4 and .webm";

impl Target {
    /// Parses a path; its extension says the format.
    pub fn parse(text: &str) -> Result<Self, String> {
        let path = PathBuf::from(text);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_numbered = name.contains(FRAME_NUMBER);
        let still = |still| match is_numbered {
            true => Format::Numbered(still),
            false => Format::Picture(still),
        };
        let format = match output::extension(&path).as_str() {
            "png" => still(ImageFormat::Png),
            "webp" => still(ImageFormat::WebP),
            "apng" => Format::Clip(Clip::Apng),
            "gif" => Format::Clip(Clip::Gif),
            "mp4" => Format::Clip(Clip::Mp4),
            "webm" => Format::Clip(Clip::WebM),
            "" => return Err(format!("no extension; {WRITABLE} can be written")),
            other => return Err(format!(".{other} cannot be written; {WRITABLE} can")),
        };
        if let (Format::Clip(clip), true) = (format, is_numbered) {
            let advice = "has all pictures in one file; leave out";
            return Err(format!("{} {advice} {FRAME_NUMBER}", clip.name()));
        }
        Ok(Self { path, format })
    }

    /// Returns those of the frames that have no numbered file yet.
    pub fn missing(&self, frames: Range<u32>) -> Vec<u32> {
        // A crash of the machine may have left an empty file.
        let is_written = |path: PathBuf| fs::metadata(path).is_ok_and(|file| file.len() > 0);
        frames
            .filter(|frame| !is_written(self.path_of(*frame)))
            .collect()
    }

    /// Returns the numbers of the frames that are there.
    pub fn there(&self) -> io::Result<BTreeSet<u32>> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let (before, _) = name.split_once(FRAME_NUMBER).unwrap_or_default();
        let mut numbers = BTreeSet::new();
        for file in fs::read_dir(output::folder_of(&self.path))? {
            let path = self.path.with_file_name(file?.file_name());
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let rest = name.strip_prefix(before).unwrap_or_default();
            let end = rest.find(|c: char| !c.is_ascii_digit());
            let number = rest[..end.unwrap_or(rest.len())].parse();
            numbers.extend(number.ok().filter(|&number| self.path_of(number) == path));
        }
        Ok(numbers)
    }

    /// Checks that no file that is read would be overwritten by the pictures of these frames.
    pub fn check_spares(&self, frames: &Range<u32>, inputs: &[PathBuf]) -> anyhow::Result<()> {
        let frames = match self.format {
            Format::Numbered(_) => frames.clone(),
            _ => frames.start..frames.start + 1,
        };
        let paths = frames.map(|frame| self.path_of(frame));
        for path in paths.filter(|path| path.exists()) {
            output::check("render", &path, inputs)?;
        }
        Ok(())
    }

    /// Returns the path of a frame.
    pub fn path_of(&self, frame: u32) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let number = format!("{frame:04}");
        self.path
            .with_file_name(name.replace(FRAME_NUMBER, &number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn numbers_have_four_digits_and_replace_only_the_name() {
        let target = Target::parse("clips/{frame}/hair_{frame}.PNG").unwrap();
        assert_eq!(target.format, Format::Numbered(ImageFormat::Png));
        assert_eq!(target.path_of(7), Path::new("clips/{frame}/hair_0007.PNG"));
        let five_digits = Path::new("clips/{frame}/hair_12345.PNG");
        assert_eq!(target.path_of(12345), five_digits);
    }

    #[test]
    fn other_names_are_refused_with_what_can_be_written() {
        for (text, expected) in [
            (
                "hair.jpg",
                format!(".jpg cannot be written; {WRITABLE} can"),
            ),
            ("hair", format!("no extension; {WRITABLE} can be written")),
            ("", format!("no extension; {WRITABLE} can be written")),
            (
                "a_{frame}.gif",
                "a GIF has all pictures in one file; leave out {frame}".to_owned(),
            ),
        ] {
            assert_eq!(Target::parse(text), Err(expected), "{text}");
        }
    }
}
