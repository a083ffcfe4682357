//! What all files of strokes share: their version, what a brush and its way may be, and steps of
//! even length.

mod even;

pub(crate) use even::{Even, STEP_PIXELS};

use glam::DVec2;
use serde::{Deserialize, de::DeserializeOwned};

/// The version of stroke files that this program reads and writes.
pub const VERSION: u32 = 1;
/// Largest radius of a brush, pixels.
pub const MOST_RADIUS: f32 = 4096.0;
/// Largest file, bytes.
pub const MOST_FILE: u64 = 256 << 20;
/// Farthest that a stroke goes from the picture's corner, pixels.
const FARTHEST: f64 = 65_536.0;
/// Most steps of a file: hours of brushing.
const MOST_STEPS: f64 = 1e6;

/// Why a stroke file is refused.
#[derive(Debug, thiserror::Error)]
pub enum StrokeError {
    /// Not JSON, or not of this shape.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A file of some other program.
    #[error("it has \"version\": {0}, and this program reads version {VERSION}")]
    Version(u32),
    /// A picture that strokes cannot be over: without size, or seen by a camera that shows nothing.
    #[error("{of}: {problem}")]
    Picture {
        /// Whose.
        of: String,
        /// Why.
        problem: String,
    },
    /// A value out of its range, or one that is missing.
    #[error("stroke {stroke}: {problem}")]
    Stroke {
        /// Its number, from 1.
        stroke: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// Too much for any head of hair.
    #[error(
        "the strokes are {steps:.0} steps of {STEP_PIXELS} pixels long; at most {MOST_STEPS:.0} are taken"
    )]
    TooLong {
        /// How many.
        steps: f64,
    },
}

/// The text of a file, whose version is told before the rest: another may spell that otherwise.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, StrokeError> {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    let Version { version } = serde_json::from_str(text)?;
    if version != VERSION {
        return Err(StrokeError::Version(version));
    }
    Ok(serde_json::from_str(text)?)
}

/// `Err` says what is wrong, as all of the following do.
pub(crate) fn check_share(name: &str, share: f32) -> Result<(), String> {
    match (0.0..=1.0).contains(&share) {
        true => Ok(()),
        false => Err(format!("\"{name}\" must be 0 to 1, not {share}")),
    }
}

pub(crate) fn check_radius(radius: f32) -> Result<(), String> {
    match radius > 0.0 && radius <= MOST_RADIUS {
        true => Ok(()),
        false => Err(format!(
            "\"radius\" must be above 0 to {MOST_RADIUS} pixels, not {radius}"
        )),
    }
}

/// Each is seconds, then pixels right and down.
pub(crate) fn check_points(points: &[[f64; 3]]) -> Result<(), String> {
    if points.is_empty() {
        return Err("\"points\" is empty: a tap has one, as [seconds, x, y]".into());
    }
    let is_there =
        |point: &[f64; 3]| point[0].is_finite() && point[1..].iter().all(|x| x.abs() <= FARTHEST);
    match points.iter().position(|point| !is_there(point)) {
        Some(point) => Err(format!(
            "point {} is not finite, or farther away than {FARTHEST:.0} pixels",
            point + 1
        )),
        None => Ok(()),
    }
}

/// Are all strokes of a file together short enough? `scale`: what a pixel of a step is in pixels of
/// the picture.
pub(crate) fn check_steps<'a>(
    strokes: impl Iterator<Item = &'a [[f64; 3]]>,
    scale: f64,
) -> Result<(), StrokeError> {
    let steps = strokes.map(|points| {
        let ways = points.windows(2).map(|pair| {
            let [_, x, y] = pair[0];
            let [_, to_x, to_y] = pair[1];
            DVec2::new(x, y).distance(DVec2::new(to_x, to_y))
        });
        1.0 + ways.sum::<f64>() / (STEP_PIXELS * scale)
    });
    match steps.sum() {
        steps if steps > MOST_STEPS => Err(StrokeError::TooLong { steps }),
        _ => Ok(()),
    }
}
