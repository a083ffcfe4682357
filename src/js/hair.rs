//! Hair at rest and in motion.

use crate::arrays::{error, numbers, of};
use crate::head::Skin;
use crate::settings::apply;
use glam::DMat4;
use mohawk::sim::{Ellipsoid, HeadShape, Pose};
use mohawk::style::Styler;
use mohawk::{Config, Groom};
use std::rc::Rc;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// The longest time of one call, seconds. It takes minutes.
const MAX_SECS: f64 = 60.0;
/// The library drops what is longer in one go, as after a sleep of the computer.
const FRAME_SECS: f64 = 0.25;

/// Hair at rest.
#[wasm_bindgen]
pub struct Hair {
    groom: Groom,
    config: Config,
    skin: Rc<Skin>,
    left_out: Option<String>,
}

impl Hair {
    pub fn new(styler: &Styler, config: Config, skin: Rc<Skin>, left_out: Option<String>) -> Self {
        Self {
            groom: styler.groom().clone(),
            config,
            skin,
            left_out,
        }
    }
}

#[wasm_bindgen]
impl Hair {
    /// The number of strands.
    pub fn count(&self) -> usize {
        self.groom.len()
    }

    /// The roots, head space.
    pub fn roots(&self) -> Vec<f32> {
        numbers(&self.groom.roots)
    }

    /// The unit normals of the skin at the roots.
    pub fn normals(&self) -> Vec<f32> {
        numbers(&self.groom.normals)
    }

    /// The lengths of strands, decimetres.
    pub fn lengths(&self) -> Vec<f32> {
        self.groom.lengths.clone()
    }

    /// The colours of root and tip, sRGB.
    pub fn colors(&self) -> Vec<f32> {
        let hair = &self.config.look.hair;
        [hair.root_color, hair.tip_color].concat()
    }

    /// The parts of the style that belong to its own head and are left out on this one.
    pub fn left_out(&self) -> Option<String> {
        self.left_out.clone()
    }

    /// Begins a simulation, with some settings changed.
    pub fn simulate(&self, settings: Vec<String>) -> Result<Motion, JsError> {
        let mut config = self.config.clone();
        apply(&mut config, &settings, &["sim"])?;
        let mut simulation =
            mohawk::Simulation::new(&self.groom, config.sim.clone(), Pose::IDENTITY);
        simulation.set_head(shape(&self.skin, &config));
        Ok(Motion {
            simulation,
            config,
            skin: self.skin.clone(),
            goal: Pose::IDENTITY,
            points: Vec::new(),
            positions: Vec::new(),
            is_written: false,
        })
    }
}

/// Returns the shape that hair collides with. The field takes long, so only if it is needed.
fn shape(skin: &Skin, config: &Config) -> HeadShape {
    HeadShape {
        ellipsoid: Ellipsoid::of_head(&skin.head),
        field: config.sim.needs_field().then(|| skin.field()).flatten(),
    }
}

/// Hair in motion.
#[wasm_bindgen]
pub struct Motion {
    simulation: mohawk::Simulation,
    config: Config,
    skin: Rc<Skin>,
    /// The pose that was asked for last.
    goal: Pose,
    points: Vec<[f32; 4]>,
    positions: Vec<f32>,
    is_written: bool,
}

#[wasm_bindgen]
impl Motion {
    /// Advances by a time, at whose end the head is at a pose.
    pub fn step(&mut self, secs: f64, pose: Option<Vec<f64>>) -> Result<(), JsError> {
        if !(0.0..=MAX_SECS).contains(&secs) {
            return Err(error(format!("seconds = {secs}: expected 0 to {MAX_SECS}")));
        }
        if let Some(pose) = pose {
            self.goal = read_pose(&pose)?;
        }
        let from = self.simulation.pose();
        let mut done = 0.0;
        while done < secs {
            let part = (secs - done).min(FRAME_SECS);
            done += part;
            let to = from.interpolate(&self.goal, done / secs);
            let mut poses = self.simulation.poses_to(part, to);
            self.simulation.advance(part, &mut poses);
        }
        self.is_written = false;
        Ok(())
    }

    /// Puts all strands to rest under a pose, at time 0.
    pub fn reset(&mut self, pose: Option<Vec<f64>>) -> Result<(), JsError> {
        self.goal = pose.map_or(Ok(Pose::IDENTITY), |pose| read_pose(&pose))?;
        self.simulation.reset(self.goal);
        self.is_written = false;
        Ok(())
    }

    /// Changes settings. The motion goes on.
    pub fn set(&mut self, settings: Vec<String>) -> Result<(), JsError> {
        let mut config = self.config.clone();
        apply(&mut config, &settings, &["sim"])?;
        self.config = config;
        self.simulation.set_settings(self.config.sim.clone());
        self.simulation.set_head(shape(&self.skin, &self.config));
        self.is_written = false;
        Ok(())
    }

    /// The number of strands.
    pub fn strands(&self) -> usize {
        self.simulation.strand_count()
    }

    /// The number of points of each strand.
    pub fn points(&self) -> usize {
        self.simulation.strand_particles()
    }

    /// The address of the positions in the memory of the module: three numbers for each point of
    /// each strand, root first, world space, decimetres.
    pub fn positions(&mut self) -> *const f32 {
        if !self.is_written {
            self.simulation.write_shape(&mut self.points);
            self.positions.clear();
            let numbers = self.points.iter().flat_map(|&[x, y, z, _]| [x, y, z]);
            self.positions.extend(numbers);
            self.is_written = true;
        }
        self.positions.as_ptr()
    }

    /// The pose that the positions are drawn under, column by column.
    pub fn pose(&self) -> Vec<f64> {
        let pose = self.simulation.drawn_pose();
        pose.to_dmat4().to_cols_array().into()
    }

    /// The simulated time, seconds.
    pub fn time(&self) -> f64 {
        self.simulation.time_secs()
    }

    /// The name of the solver.
    pub fn solver(&self) -> String {
        self.simulation.solver_name().to_owned()
    }

    /// Returns `true` if nothing moves.
    pub fn is_settled(&self) -> bool {
        self.simulation.is_settled()
    }

    /// Kinetic, gravitational and elastic energy, largest and mean stretch, largest depth, and the
    /// number of strands that were reset.
    pub fn measures(&self) -> Vec<f64> {
        let now = self.simulation.measures(usize::MAX);
        let resets = self.simulation.reset_strands() as f64;
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
