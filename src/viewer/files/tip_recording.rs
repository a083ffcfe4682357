//! Records the path of a strand's tip to a CSV file, one row per simulation step.

use glam::{EulerRot, Vec3};
use mohawk::files::write_whole;
use mohawk::sim::{STEP_SECS, Simulation};
use std::{collections::VecDeque, io, path::PathBuf};

/// The largest number of rows of a recording: ten minutes.
pub(crate) const MAX_ROWS: usize = 144_000;
/// The file is written after this many rows: ten seconds.
const SAVE_EVERY: usize = 2_400;
/// The number of recent tip positions that are drawn: one second.
const TRAIL: usize = 240;

/// The columns of the file.
const HEADER: &str = "time_s,strand,tip_x_dm,tip_y_dm,tip_z_dm,\
    velocity_x_dm_per_s,velocity_y_dm_per_s,velocity_z_dm_per_s,\
    length_dm,rest_length_dm,stretch,head_turn_deg,head_nod_deg,head_tilt_deg,simulated_time_s";

/// A running recording.
#[derive(Default)]
pub(crate) struct TipRecording {
    pub(crate) path: PathBuf,
    /// The index of the recorded strand.
    pub(crate) strand: usize,
    /// Its root at rest, which tells if the strand is still the same. `None`: no row so far.
    pub(crate) root: Option<Vec3>,
    /// The contents of the file.
    text: String,
    pub(crate) rows: usize,
    /// The most recent positions of the tip, world space.
    pub(crate) trail: VecDeque<Vec3>,
    now: Vec<[f32; 4]>,
    before: Vec<[f32; 4]>,
    /// The error that stopped the recording.
    pub(crate) problem: Option<io::Error>,
}

impl TipRecording {
    /// Starts a recording and creates its file, so that a file that cannot be written is reported
    /// before there are rows to lose.
    ///
    /// # Errors
    /// The error of the file system if the file cannot be written.
    pub(crate) fn start(path: PathBuf, strand: usize) -> io::Result<Self> {
        let recording = Self {
            path,
            strand,
            text: format!("{HEADER}\n"),
            ..Self::default()
        };
        recording.save()?;
        Ok(recording)
    }

    /// Adds a row for the step that has just been simulated.
    pub(crate) fn add(&mut self, sim: &Simulation) {
        if self.problem.is_some() || self.rows >= MAX_ROWS {
            return;
        }
        let root = sim.root_at_rest(self.strand);
        if self.root.is_some() && self.root != root {
            return;
        }
        self.root = root;
        sim.write_strand(self.strand, false, &mut self.now);
        sim.write_strand(self.strand, true, &mut self.before);
        let (Some(tip), Some(before)) = (self.now.last(), self.before.last()) else {
            return;
        };
        let [tip, before] = [tip, before].map(|at| Vec3::from_slice(at));
        self.rows += 1;
        if self.trail.len() >= TRAIL {
            self.trail.pop_front();
        }
        self.trail.push_back(tip);
        let velocity = (tip - before) / STEP_SECS as f32;
        let (length, rest) = self.lengths(sim);
        let stretch = if rest > 0.0 { length / rest - 1.0 } else { 0.0 };
        // Adding 0 turns -0 into 0.
        let degrees = |radians: f64| (radians.to_degrees() * 1e6).round() / 1e6 + 0.0;
        let (turn, nod, tilt) = sim.pose().rotation.to_euler(EulerRot::YXZ);
        let time_secs = self.rows as f64 * STEP_SECS;
        let mut row = vec![time_secs.to_string(), self.strand.to_string()];
        let numbers = [tip.into(), velocity.into(), [length, rest, stretch]];
        row.extend(numbers.as_flattened().iter().map(f32::to_string));
        row.extend([turn, nod, -tilt].map(|angle| degrees(angle).to_string()));
        row.push(sim.time_secs().to_string());
        self.text += &(row.join(",") + "\n");
        if self.rows.is_multiple_of(SAVE_EVERY) {
            self.problem = self.save().err();
        }
    }

    /// Returns the length of the strand now and at rest. With springs both are from root to tip.
    fn lengths(&self, sim: &Simulation) -> (f32, f32) {
        if let Some(ends) = sim.spring_of(self.strand, 1.0) {
            return (ends.root.distance(ends.tip), ends.chord);
        }
        let length = |points: &[Vec3]| points.windows(2).map(|p| p[0].distance(p[1])).sum();
        let now: Vec<Vec3> = self.now.iter().map(|at| Vec3::from_slice(at)).collect();
        let mut rest = vec![Vec3::ZERO; now.len()];
        sim.groom().write_rest(self.strand, &mut rest);
        (length(&now), length(&rest))
    }

    /// Writes all rows to the file.
    ///
    /// # Errors
    /// The error of the file system if the file cannot be written.
    pub(crate) fn save(&self) -> io::Result<()> {
        write_whole(&self.path, self.text.as_bytes())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use mohawk::groom::Groom;
    use mohawk::sim::{Pose, Scene, SimSettings, SolverKind};

    /// Returns upright strands in half a second of swinging, every step of which is recorded.
    pub(crate) fn swung(
        strands: usize,
        solver: SolverKind,
        share: f32,
        record: &mut dyn FnMut(&Simulation),
    ) -> Simulation {
        let at = |i: usize| Vec3::new((i % 5) as f32 * 0.1, 1.0, (i / 5) as f32 * 0.1);
        let groom = Groom::parallel((0..strands).map(at).collect(), Vec3::Y, 0.6);
        let mut settings = SimSettings::default();
        (settings.solver, settings.guides.share) = (solver, share);
        let mut sim = Simulation::new(&groom, settings, Pose::IDENTITY);
        for _ in 0..30 {
            sim.advance_watched(1.0 / 60.0, &mut |t| Scene::Swing.pose(t), record);
        }
        sim
    }

    fn rows(solver: SolverKind, share: f32) -> Vec<Vec<f64>> {
        let folder = tempfile::tempdir().unwrap();
        let mut recording = TipRecording::start(folder.path().join("a.csv"), 2).unwrap();
        swung(3, solver, share, &mut |sim| recording.add(sim));
        recording.save().unwrap();
        assert!(recording.problem.is_none());
        assert_eq!(recording.trail.len(), 120);
        let mut csv = csv::Reader::from_path(&recording.path).unwrap();
        let columns: Vec<&str> = csv.headers().unwrap().iter().collect();
        assert_eq!(columns.join(","), HEADER);
        csv.deserialize().map(Result::unwrap).collect()
    }

    #[test]
    fn every_step_has_a_row_of_numbers_that_agree() {
        for (solver, share) in [
            (SolverKind::Spring, 1.0),
            (SolverKind::Ftl, 1.0),
            (SolverKind::Particles, 0.4),
        ] {
            let rows = rows(solver, share);
            assert_eq!(rows.len(), 120, "{solver}");
            for (i, row) in rows.iter().enumerate() {
                assert!((row[0] - (i + 1) as f64 / 240.0).abs() < 1e-9);
                assert_eq!((row[1], row[14]), (2.0, row[0]));
                assert!((row[8] / row[9] - 1.0 - row[10]).abs() < 1e-5);
                assert!((row[9] - 0.6).abs() < 1e-5);
            }
            let axes = |pair| [(pair, 2), (pair, 3), (pair, 4)];
            for (pair, axis) in rows.windows(2).flat_map(axes) {
                let way = (pair[1][axis] - pair[0][axis]) * 240.0;
                assert!((way - pair[1][3 + axis]).abs() < 2e-3, "{solver}: {way}");
            }
            assert!(rows.iter().any(|row| row[13].abs() > 1.0), "the head tilts");
        }
    }

    #[test]
    fn a_file_that_cannot_be_written_is_reported_at_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("no such folder").join("a.csv");
        assert!(TipRecording::start(path, 0).is_err());
    }
}
