//! Hair as files of strands of other programs.

use super::motion::check_fps;
use super::{EmbedError, Hair, Motion, Progress};
use crate::strands::{Form, Format, Motion as Frames, Strands, particles_to_file};
use std::io;
use std::path::Path;

impl Hair {
    /// Writes the hair at rest: in the units and axes of the model that it is on, or in decimetres with Y up
    /// without one. `points` are those of each strand; without, as many as the hair has. Returns what the
    /// format does not keep.
    ///
    /// # Errors
    ///
    /// [`EmbedError::StrandsFile`].
    pub fn save(
        &self,
        path: &Path,
        points: Option<u32>,
        form: Form,
    ) -> Result<Vec<&'static str>, EmbedError> {
        let strands = self.strands_of(points);
        strands.save(path, form, None)?;
        Ok(losses(path, &strands, form))
    }
}

impl Motion {
    /// Plays frames as [`play`](Self::play) does, and writes them, one after the other, in the units and
    /// axes of the model. One frame is a pose, which all formats hold. Returns what the format does not
    /// keep.
    ///
    /// # Errors
    ///
    /// [`EmbedError::Fps`], [`EmbedError::StrandsFile`] and [`EmbedError::Cancelled`]; there is no new
    /// file then.
    pub fn save(
        &mut self,
        path: &Path,
        (frames, fps): (u32, f64),
        form: Form,
        progress: Progress,
    ) -> Result<Vec<&'static str>, EmbedError> {
        check_fps(fps)?;
        let start = self.simulation().steps();
        let units = self.skin().map(|skin| skin.head.units);
        let mut strands = self.strands();
        let (mut particles, mut stopped) = (Vec::new(), None);
        let mut show = |frame: usize, points: &mut [[f32; 3]]| {
            let place = (frame as u32, frames, fps);
            if let Err(error) = self.show(start, place, &mut particles, progress) {
                stopped = Some(error);
                return Err(io::Error::other("it was stopped"));
            }
            particles_to_file(points, &particles, units.as_ref());
            Ok(())
        };
        let mut motion = None;
        if frames == 1 {
            _ = show(0, &mut strands.points);
        } else {
            motion = Some(Frames {
                fps,
                frames: frames as usize,
                frame: &mut show,
            });
        }
        let saved = strands.save(path, form, motion);
        match stopped {
            Some(error) => return Err(error),
            None => saved?,
        }
        super::tell(progress, 1.0)?;
        Ok(losses(path, &strands, form))
    }
}

/// Returns what the format of a file does not keep.
fn losses(path: &Path, strands: &Strands, form: Form) -> Vec<&'static str> {
    Format::of_path(path).map_or(Vec::new(), |format| format.losses(strands, form.shape))
}
