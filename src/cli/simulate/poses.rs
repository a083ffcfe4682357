//! Head poses from a NumPy file, one for each frame.

use anyhow::{Context, ensure};
use glam::DMat4;
use mohawk::files::read_plain;
use mohawk::npy::Npy;
use mohawk::sim::{Pose, PoseTrack};
use std::path::Path;

/// Largest file that is read, in bytes; it holds 8 million frames.
const MAX_BYTES: u64 = 1 << 30;

/// Reads `[frame, 4, 4]` of f32 or f64 from a NumPy file.
pub fn load(path: &Path, fps: f64) -> anyhow::Result<PoseTrack> {
    let name = path.display();
    let bytes = read_plain(path, MAX_BYTES).with_context(|| format!("{name} cannot be read"))?;
    let numbers = numbers(&bytes).with_context(|| format!("{name} is not a pose file"))?;
    let poses = (numbers.chunks_exact(16).enumerate())
        .map(|(frame, rows)| {
            let pose = Pose::of_matrix(&DMat4::from_cols_slice(rows).transpose());
            pose.with_context(|| format!("{name}: pose of frame {frame}"))
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    PoseTrack::new(poses, fps).with_context(|| format!("{name}: it has no poses"))
}

/// Returns all numbers of a NumPy file of shape [frames, 4, 4].
fn numbers(bytes: &[u8]) -> anyhow::Result<Vec<f64>> {
    let array = Npy::parse(bytes)?;
    let shape = array.shape();
    ensure!(
        matches!(shape, [_, 4, 4]),
        "its shape is {shape:?}, expected [frames, 4, 4]"
    );
    Ok(array.values()?)
}
