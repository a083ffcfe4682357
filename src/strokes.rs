//! The common part of the stroke files of heads and dolls: the version, checks, and steps of equal
//! length.

use crate::told::parser_text;
use glam::DVec2;
use serde::{Deserialize, de::DeserializeOwned};

/// The version of the files of strokes and dolls that this program reads and writes.
pub const VERSION: u32 = 1;
/// Largest radius of a brush, pixels.
pub const MAX_RADIUS: f32 = 4096.0;
/// Largest stroke file, bytes.
pub const MAX_FILE: u64 = 256 << 20;
/// Length of a step, pixels; the last step of a stroke may be shorter.
pub(crate) const STEP_PIXELS: f64 = 4.0;
/// Largest distance of a point from the corner of the picture, pixels.
const MAX_DISTANCE: f64 = 65_536.0;
/// Largest number of steps in a file: hours of brushing.
const MAX_STEPS: f64 = 1e6;

/// An error of a stroke file.
#[derive(Debug, thiserror::Error)]
pub enum StrokeError {
    /// The file is not JSON, or has other fields.
    #[error("{}", parser_text(.0))]
    Json(serde_json::Error),
    /// The file has another version.
    #[error("it has \"version\": {0}, and this program reads version {VERSION}")]
    Version(u32),
    /// A value is missing or out of its range, or a camera is unusable. The place (the file, a
    /// field of it or a stroke), and the problem.
    #[error("{0}: {1}")]
    Content(String, String),
    /// All strokes together have this many steps, too many.
    #[error(
        "the strokes are {0:.0} steps of {STEP_PIXELS} pixels long; at most {MAX_STEPS:.0} are taken"
    )]
    TooLong(f64),
}

/// The text of the cause is in that of the error, so it is no source of it.
impl From<serde_json::Error> for StrokeError {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}

impl StrokeError {
    /// Returns the conversion of problems of a part of the file to errors, for `map_err`.
    pub(crate) fn of<E: ToString>(of: &str) -> impl FnOnce(E) -> Self {
        let of = of.to_owned();
        move |problem| Self::Content(of, problem.to_string())
    }
}

/// Parses a file of strokes, or of a doll. The version is checked first, as others may have other
/// fields.
///
/// # Errors
///
/// [`StrokeError::Json`] or [`StrokeError::Version`].
pub(crate) fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, StrokeError> {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    let Version { version } = serde_json::from_slice(text)?;
    if version != VERSION {
        return Err(StrokeError::Version(version));
    }
    Ok(serde_json::from_slice(text)?)
}

/// Checks a share; the error is a message for [`StrokeError::Content`], as below.
pub(crate) fn check_share(name: &str, share: f32) -> Result<(), String> {
    match (0.0..=1.0).contains(&share) {
        true => Ok(()),
        false => Err(format!("\"{name}\" must be 0 to 1, not {share}")),
    }
}

/// Checks the radius of a brush.
pub(crate) fn check_radius(radius: f32) -> Result<(), String> {
    match radius > 0.0 && radius <= MAX_RADIUS {
        true => Ok(()),
        false => Err(format!(
            "\"radius\" must be above 0 and at most {MAX_RADIUS} pixels, not {radius}"
        )),
    }
}

/// Checks the points of a stroke: seconds, then pixels right and down.
pub(crate) fn check_points(points: &[[f64; 3]]) -> Result<(), String> {
    if points.is_empty() {
        return Err("\"points\" is empty: a tap has one, as [seconds, x, y]".into());
    }
    let is_valid = |&[seconds, x, y]: &[f64; 3]| {
        seconds.is_finite() && x.abs() <= MAX_DISTANCE && y.abs() <= MAX_DISTANCE
    };
    match points.iter().position(|point| !is_valid(point)) {
        Some(point) => Err(format!(
            "point {} is not finite, or farther away than {MAX_DISTANCE:.0} pixels",
            point + 1
        )),
        None => Ok(()),
    }
}

/// Checks the length of all strokes of a file together. `scale`: pixels of the picture per pixel of
/// a step.
///
/// # Errors
///
/// [`StrokeError::TooLong`].
pub(crate) fn check_steps<'a>(
    strokes: impl Iterator<Item = &'a [[f64; 3]]>,
    scale: f64,
) -> Result<(), StrokeError> {
    let steps = strokes.map(|points| {
        let lengths = points.windows(2).map(|pair| {
            let [from, to] = [pair[0], pair[1]].map(|[_, x, y]| DVec2::new(x, y));
            from.distance(to)
        });
        1.0 + lengths.sum::<f64>() / (STEP_PIXELS * scale)
    });
    match steps.sum() {
        steps if steps > MAX_STEPS => Err(StrokeError::TooLong(steps)),
        _ => Ok(()),
    }
}

/// Resamples the positions of a mouse to steps of equal length, however often it reports.
#[derive(Debug, Default)]
pub(crate) struct StepSampler {
    /// The end of the last whole step.
    at: Option<DVec2>,
    /// The last reported position.
    last: DVec2,
    /// Length of the way since the last whole step, pixels.
    since: f64,
    /// `true` after the first step.
    has_stepped: bool,
}

impl StepSampler {
    /// Adds a position. Returns both ends of each whole step on the way to it.
    pub(crate) fn push(&mut self, to: DVec2) -> Vec<[DVec2; 2]> {
        let mut steps = Vec::new();
        let Some(mut at) = self.at else {
            (self.at, self.last) = (Some(to), to);
            return steps;
        };
        let (from, way) = (self.last, to.distance(self.last));
        let mut done = 0.0;
        while self.since + (way - done) >= STEP_PIXELS {
            done += STEP_PIXELS - self.since;
            let next = from + (to - from) * (done / way);
            steps.push([at, next]);
            (at, self.since, self.has_stepped) = (next, 0.0, true);
        }
        self.since += way - done;
        (self.at, self.last) = (Some(at), to);
        steps
    }

    /// Ends the stroke. Returns the step for the rest of the way, or for a tap.
    pub(crate) fn finish(&mut self) -> Option<[DVec2; 2]> {
        let done = std::mem::take(self);
        let at = done.at.filter(|&at| at != done.last || !done.has_stepped);
        at.map(|at| [at, done.last])
    }
}
