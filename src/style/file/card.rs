//! The card of a style, by which lists show it: a line of text, and a small picture.

use super::{FileErrorKind, MANIFEST};
use crate::files::read_plain;
use crate::scene_file::SceneSetup;
use crate::sim::Scene;
use image::{ImageFormat, ImageReader, RgbaImage};
use std::io::{self, Cursor};
use std::path::Path;
use std::sync::Arc;

/// Largest file of a thumbnail, bytes, and largest side, pixels.
pub(super) const MAX_BYTES: u64 = 1 << 20;
const MAX_SIDE: u32 = 512;

/// The line, the picture and the scene that lists show of a style.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Card {
    /// One line that describes the style; may be empty.
    pub about: String,
    /// A small picture of it, PNG or WebP.
    pub(super) thumbnail: Option<Arc<[u8]>>,
    /// The scene that it is shown with.
    pub(super) scene: Option<CardScene>,
}

/// A scene that a style is shown with: by its name, or from a file in the style.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CardScene {
    Named(Scene),
    /// The name of the file, and its text.
    File(String, Arc<str>),
}

impl CardScene {
    fn setup(&self) -> Result<SceneSetup, String> {
        match self {
            Self::Named(scene) => Ok((*scene).into()),
            Self::File(_, text) => SceneSetup::of_style(text),
        }
    }
}

impl Card {
    /// The largest number of characters of [`about`](Self::about).
    pub const MAX_ABOUT: usize = 200;
    /// The width and height of the pictures that the program makes, pixels.
    pub const SIDE: u32 = 160;

    /// Returns a card without a picture.
    pub fn new(about: &str) -> Self {
        Self {
            about: about.to_owned(),
            ..Self::default()
        }
    }

    /// Takes a small picture.
    ///
    /// # Errors
    ///
    /// The picture cannot be written as PNG.
    pub fn set_picture(&mut self, picture: &RgbaImage) -> io::Result<()> {
        let mut png = Cursor::new(Vec::new());
        let written = picture.write_to(&mut png, ImageFormat::Png);
        written.map_err(io::Error::other)?;
        self.thumbnail = Some(png.into_inner().into());
        Ok(())
    }

    /// Takes a small picture from a PNG or WebP file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is no PNG or WebP of at most 512 pixels a side.
    pub fn load_picture(&mut self, path: &Path) -> io::Result<()> {
        let picture = read_plain(path, MAX_BYTES)?;
        decode(&picture).map_err(io::Error::other)?;
        self.thumbnail = Some(picture.into());
        Ok(())
    }

    /// Returns the scene that the style is shown with, if it has one.
    pub fn scene(&self) -> Option<SceneSetup> {
        self.scene.as_ref()?.setup().ok()
    }

    /// Returns the small picture, if there is one.
    pub fn picture(&self) -> Option<RgbaImage> {
        decode(self.thumbnail.as_deref()?).ok()
    }

    /// Checks what was read from a style, whose picture has this name.
    pub(super) fn check(&self, name: &str) -> Result<(), FileErrorKind> {
        let is_line = !self.about.contains(char::is_control);
        if !is_line || self.about.chars().count() > Self::MAX_ABOUT {
            let max = Self::MAX_ABOUT;
            let problem = format!("has an about that is not one line of {max} characters");
            return Err(FileErrorKind::Entry(MANIFEST.to_owned(), problem));
        }
        if let Some(scene) = &self.scene {
            let setup = scene.setup().and_then(|setup| match setup.strands {
                Some(_) => Err("it has strands of its own".to_owned()),
                None => Ok(()),
            });
            setup.map_err(|problem| {
                let (entry, what) = match scene {
                    CardScene::Named(scene) => (MANIFEST, format!("has the scene {scene}, which")),
                    CardScene::File(name, _) => (&**name, String::new()),
                };
                let problem = format!("{what} is no scene of a style: {problem}");
                FileErrorKind::Entry(entry.to_owned(), problem.trim_start().to_owned())
            })?;
        }
        let decoded = self.thumbnail.as_deref().map(decode).transpose();
        decoded.map_err(|why| {
            let problem = format!("is no PNG or WebP of at most {MAX_SIDE} pixels a side: {why}");
            FileErrorKind::Entry(name.to_owned(), problem)
        })?;
        Ok(())
    }
}

/// Decodes a PNG or WebP.
fn decode(picture: &[u8]) -> image::ImageResult<RgbaImage> {
    let format = match picture.starts_with(b"RIFF") {
        true => ImageFormat::WebP,
        false => ImageFormat::Png,
    };
    let mut reader = ImageReader::with_format(Cursor::new(picture), format);
    let mut limits = image::Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(MAX_SIDE), Some(MAX_SIDE));
    reader.limits(limits);
    Ok(reader.decode()?.into_rgba8())
}
