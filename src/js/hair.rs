//! Hair at rest and in motion.

use super::arrays::{error, numbers, of};
use super::settings::pairs;
use glam::DMat4;
use mohawk::embed;
use mohawk::sim::Pose;
use std::ops::ControlFlow;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// Hair at rest.
#[wasm_bindgen]
pub struct Hair {
    hair: embed::Hair,
}

impl From<embed::Hair> for Hair {
    fn from(hair: embed::Hair) -> Self {
        Self { hair }
    }
}

#[wasm_bindgen]
impl Hair {
    /// The number of strands.
    pub fn count(&self) -> usize {
        self.hair.groom.len()
    }

    /// The roots, head space.
    pub fn roots(&self) -> Vec<f32> {
        numbers(&self.hair.groom.roots)
    }

    /// The unit normals of the skin at the roots.
    pub fn normals(&self) -> Vec<f32> {
        numbers(&self.hair.groom.normals)
    }

    /// The lengths of strands, decimetres.
    pub fn lengths(&self) -> Vec<f32> {
        self.hair.groom.lengths.clone()
    }

    /// The colours of root and tip, sRGB.
    pub fn colors(&self) -> Vec<f32> {
        self.hair.config.look.hair.colors().concat()
    }

    /// The parts of the style that belong to its own head and are left out on this one.
    pub fn left_out(&self) -> Option<String> {
        self.hair.left_out.clone()
    }

    /// Begins a simulation, with some settings changed.
    pub fn simulate(&self, settings: Vec<String>) -> Result<Motion, JsError> {
        Ok(Motion {
            motion: self.hair.simulate(&pairs(settings))?,
            points: Vec::new(),
            positions: Vec::new(),
            is_written: false,
        })
    }
}

/// Hair in motion.
#[wasm_bindgen]
pub struct Motion {
    motion: embed::Motion,
    points: Vec<[f32; 4]>,
    positions: Vec<f32>,
    is_written: bool,
}

#[wasm_bindgen]
impl Motion {
    /// Advances by a time, at whose end the head is at a pose.
    pub fn step(&mut self, secs: f64, pose: Option<Vec<f64>>) -> Result<(), JsError> {
        let pose = pose.map(|pose| read_pose(&pose)).transpose()?;
        let go_on = &mut |_| ControlFlow::Continue(());
        self.motion.advance(secs, pose, go_on)?;
        self.is_written = false;
        Ok(())
    }

    /// Puts all strands to rest under a pose, at time 0.
    pub fn reset(&mut self, pose: Option<Vec<f64>>) -> Result<(), JsError> {
        let pose = pose.map(|pose| read_pose(&pose)).transpose()?;
        self.motion.reset(pose);
        self.is_written = false;
        Ok(())
    }

    /// Changes settings. The motion goes on.
    pub fn set(&mut self, settings: Vec<String>) -> Result<(), JsError> {
        self.motion.set(&pairs(settings))?;
        self.is_written = false;
        Ok(())
    }

    /// The number of strands.
    pub fn strands(&self) -> usize {
        self.motion.simulation().strand_count()
    }

    /// The number of points of each strand.
    pub fn points(&self) -> usize {
        self.motion.simulation().strand_particles()
    }

    /// The address of the positions in the memory of the module: three numbers for each point of
    /// each strand, root first, world space, decimetres.
    pub fn positions(&mut self) -> *const f32 {
        if !self.is_written {
            self.motion.simulation().write_shape(&mut self.points);
            self.positions.clear();
            let numbers = self.points.iter().flat_map(|&[x, y, z, _]| [x, y, z]);
            self.positions.extend(numbers);
            self.is_written = true;
        }
        self.positions.as_ptr()
    }

    /// The pose that the positions are drawn under, column by column.
    pub fn pose(&self) -> Vec<f64> {
        let pose = self.motion.simulation().drawn_pose();
        pose.to_dmat4().to_cols_array().into()
    }

    /// The simulated time, seconds.
    pub fn time(&self) -> f64 {
        self.motion.simulation().time_secs()
    }

    /// The name of the solver.
    pub fn solver(&self) -> String {
        self.motion.simulation().solver_name().to_owned()
    }

    /// Returns `true` if nothing moves.
    pub fn is_settled(&self) -> bool {
        self.motion.simulation().is_settled()
    }

    /// Kinetic, gravitational and elastic energy, largest and mean stretch, largest depth, and the
    /// number of strands that were reset.
    pub fn measures(&self) -> Vec<f64> {
        let now = self.motion.simulation().measures(usize::MAX);
        let resets = self.motion.simulation().reset_strands() as f64;
        [
            [now.kinetic, now.gravity, now.elastic],
            [now.max_stretch, now.mean_stretch, now.max_penetration],
        ]
        .concat()
        .into_iter()
        .chain([resets])
        .collect()
    }
}

/// Reads a matrix, column by column.
fn read_pose(numbers: &[f64]) -> Result<Pose, JsError> {
    let Ok(columns) = numbers.try_into() else {
        let count = numbers.len();
        return Err(error(format!("pose: it has {count} numbers, expected 16")));
    };
    Pose::of_matrix(&DMat4::from_cols_array(columns)).map_err(of("pose"))
}
