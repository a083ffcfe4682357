//! Head poses from a NumPy file, one for each frame.

use anyhow::{Context, bail, ensure};
use glam::{DMat3, DQuat, DVec3};
use mohawk::files::read_plain;
use mohawk::npy::Npy;
use mohawk::sim::{Pose, PoseTrack};
use std::path::Path;

/// Largest file that is read, in bytes; it holds 8 million frames.
const MAX_BYTES: u64 = 1 << 30;
/// Largest difference between the upper left of a matrix and a rotation, as of single precision.
const ROTATION_TOLERANCE: f64 = 1e-3;

/// Reads `[frame, 4, 4]` of f32 or f64 from a NumPy file.
pub fn load(path: &Path, fps: f64) -> anyhow::Result<PoseTrack> {
    let name = path.display();
    let bytes = read_plain(path, MAX_BYTES).with_context(|| format!("{name} cannot be read"))?;
    let numbers = numbers(&bytes).with_context(|| format!("{name} is not a pose file"))?;
    let poses = (numbers.chunks_exact(16).enumerate())
        .map(|(frame, m)| pose(m).with_context(|| format!("{name}: pose of frame {frame}")))
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
    match array.kind() {
        "f4" => Ok(array.values::<f32>()?.into_iter().map(f64::from).collect()),
        "f8" => Ok(array.values()?),
        kind => bail!("it has numbers of type {kind:?}, expected float32 or float64"),
    }
}

/// Returns the pose of a matrix that is given row by row.
fn pose(m: &[f64]) -> anyhow::Result<Pose> {
    ensure!(m.iter().all(|x| x.is_finite()), "a number is not finite");
    let row = |i: usize| DVec3::new(m[4 * i], m[4 * i + 1], m[4 * i + 2]);
    let rotation = DMat3::from_cols(row(0), row(1), row(2)).transpose();
    let error = rotation * rotation.transpose() - DMat3::IDENTITY;
    let errors = error.to_cols_array().map(f64::abs);
    ensure!(
        errors.into_iter().fold(0.0, f64::max) < ROTATION_TOLERANCE && rotation.determinant() > 0.0,
        "its upper left is not a rotation; a head cannot be scaled or mirrored"
    );
    ensure!(
        [0.0, 0.0, 0.0, 1.0]
            .iter()
            .zip(&m[12..])
            .all(|(a, b)| (a - b).abs() < ROTATION_TOLERANCE),
        "its last row is not 0 0 0 1; the translation belongs in the last column"
    );
    let translation = DVec3::new(m[3], m[7], m[11]);
    ensure!(
        translation.abs().max_element() < 1e4,
        "it is more than 1 km from the origin"
    );
    let rotation = DQuat::from_mat3(&rotation).normalize();
    Ok(Pose::new(rotation, translation))
}
