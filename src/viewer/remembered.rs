//! The memory of the window between runs: colours, sizes, the place and sections of the panel,
//! recent files, and the hints that have done their work.
//!
//! It is one small TOML file beside the autosaves. A file that cannot be read or trusted is left
//! alone, and the defaults are used.

use mohawk::autosave::state_folder;
use mohawk::files::{disk as fs, read_plain, write_whole};
use mohawk::head::{HeadSettings, Limits};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{io, str};
use web_time::{Duration, Instant};

/// The choices of [`Remembered::scale`].
pub(crate) const SCALES: [f32; 5] = [0.8, 1.0, 1.25, 1.5, 2.0];
/// The size of a new window, logical pixels.
const NEW_SIZE: [f32; 2] = [1280.0, 800.0];
/// The smallest and largest remembered side of a window, logical pixels.
const SIDES: [f32; 2] = [320.0, 16_384.0];
/// The largest number of recent files.
const MAX_RECENT: usize = 8;
/// The largest number of files of heads of which it is known how to read them.
const MAX_MODELS: usize = 32;
/// The largest number of sections, and bytes in the title of one.
const MAX_SECTIONS: usize = 64;
/// The largest size of the file, bytes.
const MAX_BYTES: u64 = 1 << 16;
/// The shortest time between two writings.
const INTERVAL: Duration = Duration::from_secs(1);

mohawk::choices! {
    /// The colours of the interface.
    pub enum Theme: "theme" = Dark {
        /// Light text on dark ground.
        Dark = "dark",
        /// Dark text on light ground.
        Light = "light",
    }
}

mohawk::choices! {
    /// A place of the panel. *Style* is another one, which comes with a brush.
    pub enum Place: "place" = Look {
        /// Colour, length, light and background.
        Look = "look",
        /// Scenes, stiffness, wind, and what hair meets.
        Motion = "motion",
        /// Roots, solvers in depth, overlays and graphs.
        Lab = "lab",
    }
}

/// The things that are remembered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Remembered {
    pub(crate) theme: Theme,
    /// The size of the interface, as a multiple of what the system says.
    pub(crate) scale: f32,
    /// The size of the window, logical pixels.
    pub(crate) window: [f32; 2],
    pub(crate) place: Place,
    /// `true` once somebody has dragged the head.
    pub(crate) head_dragged: bool,
    /// The files that were opened or saved, the last one first.
    pub(crate) recent: Vec<PathBuf>,
    /// The files of heads that are read in another way than by default, the last one first.
    pub(crate) models: Vec<KeptModel>,
    /// `true` for sections that are open, of those on which somebody has clicked.
    pub(crate) sections: BTreeMap<String, bool>,
}

/// The settings with which a file of a head is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptModel {
    path: PathBuf,
    head: HeadSettings,
}

impl Default for Remembered {
    fn default() -> Self {
        Self {
            theme: Theme::Dark,
            scale: 1.0,
            window: NEW_SIZE,
            place: Place::Look,
            head_dragged: false,
            recent: Vec::new(),
            models: Vec::new(),
            sections: BTreeMap::new(),
        }
    }
}

impl Remembered {
    /// Puts a file that was opened or saved before the other recent files.
    pub(crate) fn add_recent(&mut self, path: &Path) {
        let path = std::path::absolute(path).ok();
        // TOML has no other texts than Unicode.
        let Some(path) = path.filter(|path| path.to_str().is_some()) else {
            return;
        };
        self.recent.retain(|recent| *recent != path);
        self.recent.insert(0, path);
        self.recent.truncate(MAX_RECENT);
    }

    /// Remembers how a file of a head is read.
    pub(crate) fn keep_model(&mut self, path: &Path, head: &HeadSettings) {
        let path = std::path::absolute(path).ok();
        let Some(path) = path.filter(|path| path.to_str().is_some()) else {
            return;
        };
        self.models.retain(|model| model.path != path);
        let head = HeadSettings {
            limits: Limits::default(),
            ..head.clone()
        };
        if head != HeadSettings::default() {
            self.models.insert(0, KeptModel { path, head });
            self.models.truncate(MAX_MODELS);
        }
    }

    /// Sets how a file of a head is read, if that is remembered and nothing else is asked for.
    pub(crate) fn use_model(&self, path: &Path, head: &mut HeadSettings) {
        let limits = head.limits.clone();
        let plain = HeadSettings {
            limits: limits.clone(),
            ..HeadSettings::default()
        };
        let path = std::path::absolute(path).ok();
        let mut models = self.models.iter();
        let known = models.find(|model| Some(&model.path) == path.as_ref());
        if let Some(known) = known.filter(|_| *head == plain) {
            *head = HeadSettings {
                limits,
                ..known.head.clone()
            };
        }
    }

    /// Reads what a file says, with each value moved into its range.
    fn read(path: &Path) -> io::Result<Self> {
        let bytes = read_plain(path, MAX_BYTES)?;
        let text = str::from_utf8(&bytes).map_err(io::Error::other)?;
        let mut read: Self =
            toml::from_str(text).map_err(|error| io::Error::other(error.message().to_owned()))?;
        let default = Self::default();
        let near = |scale: &f32| (scale - read.scale).abs() < 1e-3;
        read.scale = SCALES.into_iter().find(near).unwrap_or(default.scale);
        let [min, max] = SIDES;
        let is_side = |side: &f32| (min..=max).contains(side);
        if !read.window.iter().all(is_side) {
            read.window = default.window;
        }
        read.recent.retain(|path| path.is_absolute());
        read.recent.truncate(MAX_RECENT);
        (read.models).retain(|model| model.path.is_absolute() && model.head.validate().is_ok());
        read.models.truncate(MAX_MODELS);
        read.sections.retain(|title, _| title.len() <= MAX_SECTIONS);
        while read.sections.len() > MAX_SECTIONS {
            read.sections.pop_last();
        }
        Ok(read)
    }

    /// Returns this with what another window has written, where this one has not changed since `last`.
    fn beside(&self, last: &Self, other: Self) -> Self {
        let mut all = self.clone();
        if self.theme == last.theme {
            all.theme = other.theme;
        }
        if self.scale == last.scale {
            all.scale = other.scale;
        }
        if self.window == last.window {
            all.window = other.window;
        }
        if self.place == last.place {
            all.place = other.place;
        }
        all.head_dragged |= other.head_dragged;
        for (title, open) in other.sections {
            if self.sections.get(&title) == last.sections.get(&title) {
                all.sections.insert(title, open);
            }
        }
        if self.recent == last.recent {
            all.recent = other.recent;
        } else {
            let opened = self
                .recent
                .iter()
                .take_while(|&path| last.recent.first() != Some(path));
            let opened: Vec<PathBuf> = opened.cloned().collect();
            let others = other.recent.into_iter().chain(self.recent.clone());
            let others: Vec<PathBuf> = others.filter(|path| !opened.contains(path)).collect();
            all.recent = opened;
            for path in others {
                if !all.recent.contains(&path) {
                    all.recent.push(path);
                }
            }
            all.recent.truncate(MAX_RECENT);
        }
        let own = || self.models.iter().chain(&last.models);
        let is_new = |model: &KeptModel| own().all(|own| own.path != model.path);
        all.models.extend(other.models.into_iter().filter(is_new));
        all.models.truncate(MAX_MODELS);
        all
    }

    fn write(&self, path: &Path) -> io::Result<()> {
        let text = toml::to_string(self).map_err(io::Error::other)?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        write_whole(path, text.as_bytes())
    }
}

/// The file of what is remembered.
#[derive(Default)]
pub(crate) struct Memory {
    /// `None`: nothing is written.
    file: Option<PathBuf>,
    /// Its contents.
    written: Remembered,
    /// The time when it was written.
    since: Option<Instant>,
}

impl Memory {
    /// Returns the memory of this user, and what is in it.
    pub(crate) fn of_user() -> (Self, Remembered) {
        match state_folder() {
            Some(folder) => Self::open(folder.join("window.toml")),
            None => Self::default().with(Remembered::default()),
        }
    }

    /// Returns a memory that is never written, for pictures: they show nothing of the user's.
    pub(crate) fn none() -> (Self, Remembered) {
        Self::default().with(Remembered {
            head_dragged: true,
            ..Remembered::default()
        })
    }

    fn open(file: PathBuf) -> (Self, Remembered) {
        let read = Remembered::read(&file);
        let is_refused = |error: &io::Error| error.kind() != io::ErrorKind::NotFound;
        let refused = read.as_ref().err().filter(|error| is_refused(error));
        if let Some(error) = refused {
            tracing::warn!("{} is ignored: {error}", file.display());
        }
        let memory = Self {
            file: refused.is_none().then_some(file),
            ..Self::default()
        };
        memory.with(read.unwrap_or_default())
    }

    fn with(mut self, now: Remembered) -> (Self, Remembered) {
        self.written = now.clone();
        (self, now)
    }

    /// Writes what has changed, not too often unless this is the `last` time.
    pub(crate) fn keep(&mut self, now: &Remembered, last: bool) {
        let Some(file) = self.file.as_ref().filter(|_| *now != self.written) else {
            return;
        };
        let is_early = self.since.is_some_and(|since| since.elapsed() < INTERVAL);
        if is_early && !last {
            return;
        }
        self.since = Some(Instant::now());
        let last = std::mem::replace(&mut self.written, now.clone());
        // Another window may have written since.
        let other = Remembered::read(file).unwrap_or_else(|_| last.clone());
        if let Err(error) = now.beside(&last, other).write(file) {
            tracing::warn!("{} cannot be written: {error}", file.display());
            self.file = None;
        }
    }
}

#[cfg(test)]
mod tests;
