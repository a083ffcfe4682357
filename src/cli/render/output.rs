//! Where pictures go: names, formats, and files that are whole or not there.

use anyhow::Context;
use image::{ImageFormat, RgbaImage};
use std::{io::Cursor, path::PathBuf};

/// What to write for each kind of file name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Png,
    /// The name has a place for the number.
    NumberedPngs,
    Gif,
}

/// A checked `--output`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    pub path: PathBuf,
    pub kind: Kind,
}

/// Stands for the picture's number, at least four digits.
const NUMBER: &str = "{frame}";

impl Output {
    pub fn parse(text: &str) -> Result<Output, String> {
        let path = PathBuf::from(text);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let numbered = name.contains(NUMBER);
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let kind = match extension.to_ascii_lowercase().as_str() {
            "png" if numbered => Kind::NumberedPngs,
            "png" => Kind::Png,
            "gif" if numbered => {
                return Err(format!("a GIF holds all pictures; leave out {NUMBER}"));
            }
            "gif" => Kind::Gif,
            "" => return Err("no extension; .png and .gif can be written".to_owned()),
            other => return Err(format!(".{other} cannot be written; .png and .gif can")),
        };
        Ok(Output { path, kind })
    }

    /// The file for one picture.
    pub fn path_of(&self, frame: u32) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let number = format!("{frame:04}");
        self.path.with_file_name(name.replace(NUMBER, &number))
    }

    /// What to type instead for numbered pictures.
    pub fn numbered(&self) -> PathBuf {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        self.path.with_file_name(format!("{stem}_{NUMBER}.png"))
    }
}

/// A picture as the bytes of a PNG file.
pub fn png(picture: &RgbaImage) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, ImageFormat::Png)
        .context("the picture could not be encoded as PNG")?;
    Ok(bytes.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn numbers_have_four_digits_and_replace_only_the_name() {
        let output = Output::parse("clips/{frame}/hair_{frame}.PNG").unwrap();
        assert_eq!(output.kind, Kind::NumberedPngs);
        assert_eq!(output.path_of(7), Path::new("clips/{frame}/hair_0007.PNG"));
        let tenthousand = Path::new("clips/{frame}/hair_12345.PNG");
        assert_eq!(output.path_of(12345), tenthousand);
    }

    #[test]
    fn other_names_are_refused_with_what_can_be_written() {
        for (text, expected) in [
            ("hair.jpg", ".jpg cannot be written; .png and .gif can"),
            ("hair", "no extension; .png and .gif can be written"),
            ("", "no extension; .png and .gif can be written"),
            (
                "a_{frame}.gif",
                "a GIF holds all pictures; leave out {frame}",
            ),
        ] {
            assert_eq!(Output::parse(text), Err(expected.to_owned()), "{text}");
        }
    }
}
