//! The files of pictures.

use crate::cli::output;
use std::path::PathBuf;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Png,
    /// One PNG for each frame, with its number in the name.
    NumberedPngs,
    Gif,
}

/// A checked `--output`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub path: PathBuf,
    pub format: Format,
}

/// The part of a file name that becomes the frame number, which has at least four digits.
pub const FRAME_NUMBER: &str = "{frame}";

impl Target {
    /// Parses a path; its extension says the format.
    pub fn parse(text: &str) -> Result<Self, String> {
        let path = PathBuf::from(text);
        let numbered = path.file_name().unwrap_or_default();
        let numbered = numbered.to_string_lossy().contains(FRAME_NUMBER);
        let format = match output::extension(&path).as_str() {
            "png" if numbered => Format::NumberedPngs,
            "png" => Format::Png,
            "gif" if numbered => {
                let advice = "a GIF has all pictures in one file; leave out";
                return Err(format!("{advice} {FRAME_NUMBER}"));
            }
            "gif" => Format::Gif,
            "" => return Err("no extension; .png and .gif can be written".to_owned()),
            other => return Err(format!(".{other} cannot be written; .png and .gif can")),
        };
        Ok(Self { path, format })
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
        assert_eq!(target.format, Format::NumberedPngs);
        assert_eq!(target.path_of(7), Path::new("clips/{frame}/hair_0007.PNG"));
        let five_digits = Path::new("clips/{frame}/hair_12345.PNG");
        assert_eq!(target.path_of(12345), five_digits);
    }

    #[test]
    fn other_names_are_refused_with_what_can_be_written() {
        for (text, expected) in [
            ("hair.jpg", ".jpg cannot be written; .png and .gif can"),
            ("hair", "no extension; .png and .gif can be written"),
            ("", "no extension; .png and .gif can be written"),
            (
                "a_{frame}.gif",
                "a GIF has all pictures in one file; leave out {frame}",
            ),
        ] {
            assert_eq!(Target::parse(text), Err(expected.to_owned()), "{text}");
        }
    }
}
