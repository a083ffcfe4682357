//! Reading files of strands, frame by frame.

use super::format::{Format, StrandsError, StrandsErrorKind};
use super::{Moment, Strands, alembic, data, gltf, hair, npz, obj, ply, tfx};
use crate::files::{FileError, read_plain};
use crate::head::{Budget, Limits};
use std::path::{Path, PathBuf};

/// A file of strands, of which each frame can be read.
#[derive(Debug)]
pub struct StrandsFile {
    path: PathBuf,
    bytes: Vec<u8>,
    limits: Limits,
    /// The times of frames in USD.
    times: Vec<f64>,
    /// The number of frames: 1 without a motion.
    pub frames: usize,
    /// The frames per second of a motion.
    pub fps: f64,
}

/// Strands, and notes on what was left out of their file.
pub type Noted = (Strands, Vec<String>);

impl StrandsFile {
    /// Opens a file, and returns it with its strands: those that have no time, or those of the first
    /// frame.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is damaged, has no strands or takes more memory than its size allows.
    pub fn open(path: &Path, limits: &Limits) -> Result<(Self, Noted), StrandsError> {
        let read = read_plain(path, limits.file_bytes);
        let read = read.map_err(|error| StrandsErrorKind::Unreadable(error.to_string()));
        let opened = read.and_then(|bytes| {
            let mut moment = Moment::default();
            let noted = parse(&bytes, path, limits, &mut moment)?;
            let file = Self {
                path: path.to_owned(),
                bytes,
                limits: limits.clone(),
                times: moment.times,
                frames: moment.frames.max(1),
                fps: moment.fps,
            };
            Ok((file, noted))
        });
        opened.map_err(FileError::of(path.display()))
    }

    /// Reads a frame, the first of which is 0.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open), or there is no such frame.
    pub fn frame(&self, frame: usize) -> Result<Strands, StrandsError> {
        let of_file = FileError::of(self.path.display());
        if frame >= self.frames {
            let problem = match self.frames - 1 {
                0 => format!("it has one frame, 0, and no frame {frame}"),
                last => format!("it has the frames 0 to {last}, and no frame {frame}"),
            };
            return Err(of_file(StrandsErrorKind::Unfit(problem)));
        }
        let mut moment = Moment {
            frame,
            time: self.times.get(frame).copied(),
            ..Moment::default()
        };
        let read = parse(&self.bytes, &self.path, &self.limits, &mut moment);
        read.map(|(strands, _)| strands).map_err(of_file)
    }
}

impl Strands {
    /// Reads a file, as [`StrandsFile::open`] does.
    ///
    /// # Errors
    ///
    /// Those of [`StrandsFile::open`].
    pub fn load(path: &Path, limits: &Limits) -> Result<Noted, StrandsError> {
        StrandsFile::open(path, limits).map(|(_, noted)| noted)
    }

    /// Reads the bytes of a file of this name, as [`StrandsFile::open`] does.
    ///
    /// # Errors
    ///
    /// Those of [`StrandsFile::open`].
    pub fn parse(bytes: &[u8], path: &Path, limits: &Limits) -> Result<Noted, StrandsErrorKind> {
        parse(bytes, path, limits, &mut Moment::default())
    }
}

/// Reads the bytes of a file of this name at a moment.
fn parse(
    bytes: &[u8],
    path: &Path,
    limits: &Limits,
    moment: &mut Moment,
) -> Result<Noted, StrandsErrorKind> {
    let budget = Budget::new(limits, bytes.len() as u64);
    let mut notes = Vec::new();
    let strands = match Format::of_file(bytes, path).ok_or(StrandsErrorKind::Unknown)? {
        Format::Hair => hair::read(bytes, &budget),
        Format::Tfx => tfx::read(bytes, &budget),
        Format::Data => data::read(bytes, &budget),
        Format::Usd | Format::Gltf => gltf::read(bytes, limits, &budget, moment, &mut notes),
        Format::Alembic => alembic::read(bytes, &budget, moment, &mut notes),
        Format::Npz => npz::read(bytes, &budget, moment),
        Format::Obj => obj::read(bytes, &budget),
        Format::Ply => ply::read(bytes, &budget),
    };
    let (strands, short) = strands
        .and_then(Strands::checked)
        .map_err(StrandsErrorKind::Broken)?;
    if short > 0 {
        notes.push(format!(
            "{short} strands of less than two points are left out"
        ));
    }
    Ok((strands, notes))
}
