//! Presets: styles to start from. Some ship with the program, others are the user's own.
//!
//! A shipped preset is a style in the folder form, in `models/presets`, whose files are compiled into
//! the program. An own preset is a `.mohawk` file in the user's folder. Both are read as any style.

#[cfg(test)]
mod tests;

use crate::files::{ShippedFile, disk as fs, exists, is_file, shipped_file, user_folder};
use crate::head::{Limits, Model};
use crate::style::{self, Card, FileError, FileErrorKind, Files, Saved, StyleFile};
use std::io;
use std::path::{Path, PathBuf};

/// Lists the files of a preset in `models/presets`.
macro_rules! shipped {
    ($($name:literal: $($file:literal),+;)+) => {
        &[$(($name, &[$(shipped_file!(["presets/" $name "/"] $file)),+])),+]
    };
}

/// The shipped presets in their order: names, and their files by name.
const SHIPPED: &[(&str, Files)] = shipped! {
    "mohawk": "style.toml", "settings.toml", "thumbnail.png";
    "liberty-spikes": "style.toml", "settings.toml", "maps/density.png", "thumbnail.png";
    "fan": "style.toml", "settings.toml", "thumbnail.png";
    "buzz": "style.toml", "settings.toml", "maps/density.png", "maps/length.png", "maps/width.png", "thumbnail.png";
    "slicked-back": "style.toml", "settings.toml", "maps/density.png", "maps/length.png", "maps/width.png", "thumbnail.png";
    "bob": "style.toml", "settings.toml", "maps/density.png", "maps/mask1.png", "thumbnail.png";
    "long": "style.toml", "settings.toml", "maps/density.png", "maps/mask1.png", "maps/mask2.png", "thumbnail.png";
    "afro": "style.toml", "settings.toml", "maps/density.png", "thumbnail.png";
    "curls": "style.toml", "settings.toml", "maps/density.png", "maps/mask1.png", "thumbnail.png";
    "braids": "style.toml", "settings.toml", "maps/density.png", "thumbnail.png";
    "beard": "style.toml", "settings.toml", "maps/density.png", "maps/length.png", "maps/mask1.png", "maps/mask2.png", "maps/width.png", "thumbnail.png";
    "prairie": "style.toml", "settings.toml", "maps/direction.png", "maps/length.png", "maps/tint.png", "thumbnail.png";
    "prairie-face": "style.toml", "settings.toml", "maps/direction.png", "maps/length.png", "maps/tint.png", "maps/width.png", "thumbnail.png";
    "grass-skirt": "style.toml", "settings.toml", "hula.toml", "edits.npz", "maps/direction.png", "maps/tint.png", "maps/width.png", "thumbnail.png";
};

/// Extension of own presets.
const EXTENSION: &str = "mohawk";
/// Largest number of characters of a name.
const MAX_NAME: usize = 40;

/// A style to start from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    name: String,
    place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    /// A shipped preset, by number.
    Program(usize),
    /// A style.
    File(PathBuf),
}

/// The reason why there is no such preset, or why it cannot be saved.
#[derive(Debug, thiserror::Error)]
pub enum PresetError {
    /// The file is no style.
    #[error(
        "{0} is no style: a preset is a name that `mohawk presets` lists, a .mohawk file, or a file \
         of strands"
    )]
    NoStyle(String),
    /// There is no preset of this name; the others are listed.
    #[error("no preset is called {0:?}; there are {1}, and any style by its path")]
    Unknown(String, String),
    /// A preset cannot have this name.
    #[error(
        "a preset cannot be called {0:?}: a name has letters, digits, spaces, - and _, begins with a \
         letter or a digit, and has at most {MAX_NAME} characters"
    )]
    Name(String),
    /// A shipped preset has this name.
    #[error("{0} ships with the program: choose another name")]
    Taken(String),
    /// The system has no folder for the data of this user.
    #[error("there is no folder for presets: set HOME or XDG_DATA_HOME")]
    NoFolder,
    /// The folder cannot be created.
    #[error("{0} cannot be created: {1}")]
    Folder(String, io::Error),
    /// The file cannot be deleted.
    #[error("{0} cannot be deleted: {1}")]
    Delete(String, io::Error),
    /// The style cannot be written.
    #[error(transparent)]
    Save(#[from] FileError),
}

impl Preset {
    /// Returns the shipped presets in their order. The first is the style without changes.
    pub fn shipped() -> impl Iterator<Item = Self> {
        Self::shipped_names().enumerate().map(|(i, name)| Self {
            name: name.to_owned(),
            place: Place::Program(i),
        })
    }

    /// Returns the names of the shipped presets in their order.
    pub fn shipped_names() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|(name, _)| *name)
    }

    /// Returns the folder of the user's presets: `mohawk/presets` where the system keeps the data of
    /// programs (`XDG_DATA_HOME` or `~/.local/share`; `~/Library/Application Support` on macOS,
    /// `%LOCALAPPDATA%` on Windows). `None`: the user has no such place.
    pub fn folder() -> Option<PathBuf> {
        let variable = |name: &str| std::env::var_os(name);
        Some(user_folder("XDG_DATA_HOME", ".local/share", variable)?.join("presets"))
    }

    /// Returns the presets in a folder by name, whatever is in their files. A folder that does not
    /// exist has none.
    pub fn own(folder: &Path) -> Vec<Self> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        let mut own: Vec<Self> = paths.filter_map(Self::of_own_file).collect();
        own.sort_by(|a, b| a.name.cmp(&b.name));
        own
    }

    fn of_own_file(path: PathBuf) -> Option<Self> {
        let is_style = path.extension()?.eq_ignore_ascii_case(EXTENSION) && is_file(&path);
        let name = path.file_stem()?.to_str()?.to_owned();
        // Files that are being written begin with a dot.
        (is_style && !name.starts_with('.')).then_some(Self {
            name,
            place: Place::File(path),
        })
    }

    /// Returns all presets that can be listed, each with its card: the shipped ones in their order,
    /// then the user's own by name. Also returns what is wrong with the user's others.
    pub fn all() -> (Vec<(Self, Card)>, Vec<String>) {
        let own = Self::folder().map(|folder| Self::own(&folder));
        let mut warnings = Vec::new();
        let mut listed = Vec::new();
        for preset in Self::shipped().chain(own.into_iter().flatten()) {
            if preset.path().is_some() && is_shipped(&preset.name) {
                let (path, name) = (preset.place_name(), preset.name);
                warnings.push(format!(
                    "{path}: a preset called {name} ships with the program; rename the file"
                ));
                continue;
            }
            match preset.card() {
                Ok(card) => listed.push((preset, card)),
                Err(error) => warnings.push(error.to_string()),
            }
        }
        (listed, warnings)
    }

    /// Returns the preset of a name: a shipped one, one of the user's own, or any style by its path.
    ///
    /// # Errors
    ///
    /// [`PresetError::Unknown`] and [`PresetError::NoStyle`].
    pub fn find(name: &str) -> Result<Self, PresetError> {
        if let Some(shipped) = Self::shipped().find(|preset| preset.name == name) {
            return Ok(shipped);
        }
        let own = Self::folder().map_or_else(Vec::new, |folder| Self::own(&folder));
        if let Some(own) = own.iter().find(|preset| preset.name == name) {
            return Ok(own.clone());
        }
        let path = Path::new(name);
        let is_zip = path.extension().is_some_and(|end| end == EXTENSION);
        if is_zip || (exists(path) && style::opens(path)) {
            return Ok(Self {
                name: name.to_owned(),
                place: Place::File(path.to_owned()),
            });
        }
        if exists(path) {
            return Err(PresetError::NoStyle(name.to_owned()));
        }
        let known: Vec<String> = Self::shipped().chain(own).map(|known| known.name).collect();
        Err(PresetError::Unknown(name.to_owned(), known.join(", ")))
    }

    /// Saves a style as a preset in a folder, which is created if necessary. A preset of that name
    /// is replaced.
    ///
    /// # Errors
    ///
    /// The name cannot be used, or the file cannot be written.
    pub fn save(name: &str, saved: &Saved, folder: &Path) -> Result<Self, PresetError> {
        let name = name.trim();
        Self::check_name(name)?;
        let created = fs::create_dir_all(folder);
        created.map_err(|error| PresetError::Folder(folder.display().to_string(), error))?;
        let path = folder.join(format!("{name}.{EXTENSION}"));
        saved.save(&path)?;
        Ok(Self {
            name: name.to_owned(),
            place: Place::File(path),
        })
    }

    /// Deletes the file of a preset of the user's.
    ///
    /// # Errors
    ///
    /// [`PresetError::Taken`] for a shipped preset, and [`PresetError::Delete`].
    pub fn delete(&self) -> Result<(), PresetError> {
        let Some(path) = self.path() else {
            return Err(PresetError::Taken(self.name.clone()));
        };
        fs::remove_file(path).map_err(|error| PresetError::Delete(self.place_name(), error))
    }

    /// Checks that an own preset can have this name.
    ///
    /// # Errors
    ///
    /// [`PresetError::Name`] or [`PresetError::Taken`].
    pub fn check_name(name: &str) -> Result<(), PresetError> {
        let is_part = |c: char| c.is_alphanumeric() || [' ', '-', '_'].contains(&c);
        let begins = name.starts_with(char::is_alphanumeric) && !name.ends_with(' ');
        if !begins || !name.chars().all(is_part) || name.chars().count() > MAX_NAME {
            return Err(PresetError::Name(name.to_owned()));
        }
        match is_shipped(name) {
            true => Err(PresetError::Taken(name.to_owned())),
            false => Ok(()),
        }
    }

    /// Returns the name. For a style by its path it is the path as given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the file; `None` for a shipped preset.
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::Program(_) => None,
            Place::File(path) => Some(path),
        }
    }

    /// Returns the place in messages.
    fn place_name(&self) -> String {
        match &self.place {
            Place::Program(_) => format!("preset {}", self.name),
            Place::File(path) => path.display().to_string(),
        }
    }

    /// Reads what a list shows of it.
    ///
    /// # Errors
    ///
    /// The errors of [`Saved::open`] about this.
    pub fn card(&self) -> Result<Card, FileError> {
        match self.hair() {
            Some(_) => Ok(Card::default()),
            None => self.read(StyleFile::card),
        }
    }

    /// Returns the file of strands that it is, if it is no style.
    fn hair(&self) -> Option<&Path> {
        self.path().filter(|path| style::is_hair(path))
    }

    /// Returns the model that the style is for.
    ///
    /// # Errors
    ///
    /// The errors of [`Saved::open`] about this.
    pub fn model(&self) -> Result<Model, FileError> {
        match self.hair() {
            Some(path) => Ok(style::open_within(path, &Limits::default())?.model),
            None => self.read(StyleFile::model),
        }
    }

    /// Returns the paths in the folder `models` of the files that have to be fetched before it is
    /// opened and its model loaded; none but in a browser.
    pub fn missing_files(&self) -> Vec<&'static str> {
        let Place::Program(i) = self.place else {
            return Vec::new();
        };
        let own = SHIPPED[i].1.iter().filter_map(ShippedFile::missing);
        match self.model() {
            Ok(Model::Shipped(model)) => own.chain(model.missing_files()).collect(),
            _ => own.collect(),
        }
    }

    /// Reads the style.
    ///
    /// # Errors
    ///
    /// The errors of [`Saved::open`].
    pub fn open(&self) -> Result<Saved, FileError> {
        self.open_within(&Limits::default())
    }

    /// Reads the style, with limits on files of strands.
    ///
    /// # Errors
    ///
    /// The errors of [`Saved::open`].
    pub fn open_within(&self, limits: &Limits) -> Result<Saved, FileError> {
        match self.hair() {
            Some(path) => style::open_within(path, limits),
            None => self.read(StyleFile::saved),
        }
    }

    fn read<T>(
        &self,
        what: impl FnOnce(&mut StyleFile) -> Result<T, FileErrorKind>,
    ) -> Result<T, FileError> {
        match &self.place {
            Place::Program(i) => StyleFile::read_files(&self.place_name(), SHIPPED[*i].1, what),
            Place::File(path) => StyleFile::read(path, what),
        }
    }
}

/// Returns `true` if a shipped preset has a name, in any case: some systems do not tell the case of
/// file names.
fn is_shipped(name: &str) -> bool {
    Preset::shipped_names().any(|known| known.eq_ignore_ascii_case(name))
}
