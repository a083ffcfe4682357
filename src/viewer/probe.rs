//! Measures the hair sixty times a simulated second, for the page around this one.

use glam::Vec3;
use mohawk::sim::Simulation;
use serde::Serialize;

/// The number of strands that are measured.
const STRANDS: usize = 32;
/// The number of steps of 1/240 s from one sample to the next.
const EVERY: u64 = 4;
/// Samples that are kept until they are taken: those of ten seconds.
const MOST: usize = 600;

/// The state of the hair at one time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Sample {
    /// Simulated time, seconds.
    secs: f64,
    /// The mean angle between the line from root to tip and where it is at rest, degrees.
    lean: f32,
    /// The mean offset of tips from where they rest, head space, decimetres.
    x: f32,
    y: f32,
    z: f32,
    /// The mean energy of a mass of 1, dm²/s².
    energy: f64,
    /// The largest stretch, percent.
    stretch: f64,
    /// The depth of the deepest particle in the head, millimetres.
    depth: f64,
}

/// The samples that nobody has taken yet.
#[derive(Default)]
pub(crate) struct Probe {
    samples: Vec<Sample>,
    strand: Vec<[f32; 4]>,
    rest: Vec<Vec3>,
}

impl Probe {
    /// Takes a sample if one is due after the step that has just been simulated.
    pub(crate) fn watch(&mut self, sim: &Simulation) {
        if !sim.steps().is_multiple_of(EVERY) || self.samples.len() >= MOST {
            return;
        }
        let every = sim.strand_count().div_ceil(STRANDS).max(1);
        let head_from_world = sim.pose().to_mat4().inverse();
        let (mut offset, mut lean, mut count) = (Vec3::ZERO, 0.0, 0);
        for strand in (0..sim.strand_count()).step_by(every) {
            sim.write_strand(strand, false, &mut self.strand);
            self.rest.resize(self.strand.len(), Vec3::ZERO);
            sim.groom().write_rest(strand, &mut self.rest);
            let [Some(root), Some(tip)] = [self.strand.first(), self.strand.last()]
                .map(|at| at.map(|at| head_from_world.transform_point3(Vec3::from_slice(at))))
            else {
                continue;
            };
            let [Some(rest_root), Some(rest_tip)] = [self.rest.first(), self.rest.last()] else {
                continue;
            };
            offset += tip - *rest_tip;
            lean += (tip - root)
                .angle_between(*rest_tip - *rest_root)
                .to_degrees();
            count += 1;
        }
        let each = 1.0 / (count as f32).max(1.0);
        let [x, y, z] = (offset * each).to_array();
        let measures = sim.measures(STRANDS);
        self.samples.push(Sample {
            secs: sim.time_secs(),
            lean: lean * each,
            x,
            y,
            z,
            energy: measures.kinetic + measures.potential(),
            stretch: 100.0 * measures.max_stretch,
            depth: 100.0 * measures.max_penetration,
        });
    }

    /// Returns the samples since the last call.
    pub(crate) fn take(&mut self) -> Vec<Sample> {
        std::mem::take(&mut self.samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::files::tip_recording::tests::swung;
    use mohawk::sim::SolverKind;

    #[test]
    fn samples_come_sixty_times_a_second_and_follow_the_hair() {
        for solver in SolverKind::ALL {
            let mut probe = Probe::default();
            let sim = swung(100, solver, 1.0, &mut |sim| probe.watch(sim));
            let samples = probe.take();
            assert_eq!(samples.len(), 30, "{solver}");
            let last = samples.last().unwrap();
            assert!((last.secs - sim.time_secs()).abs() < 1e-9);
            // The roots are close together, so that all strands move much alike.
            let mut strand = Vec::new();
            sim.write_strand(50, false, &mut strand);
            let [root, tip] = [&strand[0], strand.last().unwrap()]
                .map(|at| sim.pose().to_mat4().inverse() * Vec3::from_slice(at).extend(1.0))
                .map(|at| at.truncate());
            let offset = tip - root - Vec3::Y * 0.6;
            let mean = Vec3::new(last.x, last.y, last.z);
            assert!(
                offset.distance(mean) < 0.1 * offset.length(),
                "{solver}: {offset} for {mean}"
            );
            let lean = (tip - root).angle_between(Vec3::Y).to_degrees();
            assert!(
                (lean / last.lean - 1.0).abs() < 0.1,
                "{solver}: {lean} for {}",
                last.lean
            );
            assert!(lean > 1.0 && last.stretch < 30.0, "{solver}: {last:?}");
            assert!(probe.take().is_empty());
        }
    }
}
