//! Graphs of energy, stretch, depth and frame times over the last seconds.
//!
//! This file keeps the samples and says what the curves are; `plots` draws them.

mod plots;

pub(crate) use plots::{HEIGHT, show};

use crate::viewer::interface::rows::short;
use crate::viewer::subject::simulations::Side;
use mohawk::sim::{Measures, STEP_SECS};
use std::collections::VecDeque;
use three_d::egui::Color32;

/// The simulated time that the samples cover, seconds.
pub(crate) const HISTORY_SECS: f64 = 10.0;
/// The largest number of samples: one per step.
const MAX_SAMPLES: usize = 2_400;
/// The number of strands that are measured; measuring all would take longer than moving them.
pub(crate) const MEASURED_STRANDS: usize = 400;

/// The times of the parts of a frame, milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Costs {
    /// Simulating, per view.
    pub(crate) sim: [f32; 2],
    /// Writing strands to the GPU.
    pub(crate) strands: f32,
    /// Drawing the scene and the interface.
    pub(crate) drawing: f32,
    /// Laying out the interface, and measuring.
    pub(crate) panel: f32,
    /// Presenting: the rest of the driver's work and waiting for the screen.
    pub(crate) screen: f32,
}

/// The measures of one frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// The number of simulated steps.
    pub(crate) steps: u64,
    pub(crate) sides: [Option<Measures>; 2],
    pub(crate) costs: Costs,
}

/// The samples of recent frames in which simulated time advanced.
#[derive(Default)]
pub(crate) struct Graphs {
    pub(crate) shown: bool,
    samples: VecDeque<Sample>,
    /// The number of dropped samples. It keeps the choice of drawn samples stable as they move on.
    dropped: usize,
}

impl Sample {
    /// Returns the simulated time.
    fn secs(&self) -> f64 {
        self.steps as f64 * STEP_SECS
    }
}

impl Graphs {
    /// Drops all samples, for motion that does not continue the previous one.
    pub(crate) fn clear(&mut self) {
        *self = Self {
            shown: self.shown,
            ..Self::default()
        };
    }

    /// Shows or hides the graphs. Hidden graphs measure nothing.
    pub(crate) fn toggle(&mut self) {
        self.shown = !self.shown;
        self.clear();
    }

    /// Returns `true` if a frame after `steps` steps should be added.
    pub(crate) fn wants(&self, steps: u64) -> bool {
        self.shown && self.samples.back().is_none_or(|last| steps != last.steps)
    }

    /// Adds a frame.
    pub(crate) fn add(&mut self, sample: Sample) {
        if (self.samples.back()).is_some_and(|last| sample.steps < last.steps) {
            self.clear();
        }
        let since = sample.secs() - HISTORY_SECS;
        self.samples.push_back(sample);
        while self.samples.len() > MAX_SAMPLES
            || (self.samples.front()).is_some_and(|first| first.secs() < since)
        {
            self.samples.pop_front();
            self.dropped += 1;
        }
    }

    /// Returns times and values over the last `span` seconds, about `max` of them at most.
    fn curve(&self, quantity: Quantity, side: Side, span: f64, max: usize) -> Vec<[f64; 2]> {
        let Some(last) = self.samples.back() else {
            return Vec::new();
        };
        let since = last.secs() - span;
        let first = self.samples.partition_point(|sample| sample.secs() < since);
        let every = (self.samples.len() - first).div_ceil(max).max(1);
        let numbered = self.samples.iter().enumerate().skip(first);
        let newest = self.samples.len() - 1;
        numbered
            .filter(|(i, _)| (i + self.dropped).is_multiple_of(every) || *i == newest)
            .filter_map(|(_, sample)| Some([sample.secs(), quantity.value(sample, side)?]))
            .collect()
    }

    /// Returns the latest value.
    fn latest(&self, quantity: Quantity, side: Side) -> Option<f64> {
        quantity.value(self.samples.back()?, side)
    }
}

mohawk::choices! {
    /// A quantity that is drawn as a curve.
    pub enum Quantity: "quantity" = Kinetic {
        /// mean v²/2 per particle
        Kinetic = "kinetic",
        /// mean per particle: gravity relative to the rest shape, and springs
        Potential = "potential",
        /// of any segment against its rest length
        LargestStretch = "largest",
        /// of segments against their rest lengths
        MeanStretch = "mean",
        /// depth of the deepest particle inside the head or a collider
        Deepest = "deepest",
        /// moving the strands
        Simulation = "simulation",
        /// presenting: the rest of the driver's work, and waiting for the screen
        Screen = "screen",
        /// writing the strands to the GPU
        Strands = "strands",
        /// drawing the scene and the interface
        Drawing = "drawing",
        /// laying out the interface, and measuring for these graphs
        Panel = "panel",
    }
}

impl Quantity {
    /// Returns its value in a frame; `None`: the view was not there.
    fn value(self, sample: &Sample, side: Side) -> Option<f64> {
        let (measures, costs) = (sample.sides[side as usize].as_ref(), &sample.costs);
        Some(match self {
            Self::Kinetic => measures?.kinetic,
            Self::Potential => measures?.potential(),
            Self::LargestStretch => 100.0 * measures?.max_stretch,
            Self::MeanStretch => 100.0 * measures?.mean_stretch,
            Self::Deepest => 100.0 * measures?.max_penetration,
            Self::Simulation => measures.map(|_| costs.sim[side as usize])?.into(),
            Self::Screen => costs.screen.into(),
            Self::Strands => costs.strands.into(),
            Self::Drawing => costs.drawing.into(),
            Self::Panel => costs.panel.into(),
        })
    }

    /// Returns the colour of the curve of the whole frame. `None`: each view has a curve of its own
    /// in the colour of the view.
    fn own_color(self) -> Option<Color32> {
        Some(match self {
            Self::Screen => Color32::from_gray(140),
            Self::Strands => Color32::from_rgb(245, 200, 90),
            Self::Drawing => Color32::from_rgb(125, 210, 130),
            Self::Panel => Color32::from_rgb(180, 150, 250),
            _ => return None,
        })
    }

    /// Returns the colour of its curve in a view.
    fn color(self, side: Side) -> Color32 {
        self.own_color().unwrap_or_else(|| side.color())
    }

    fn is_dashed(self) -> bool {
        matches!(self, Self::Potential | Self::MeanStretch)
    }
}

/// A chart: curves that share axes.
struct Chart {
    title: &'static str,
    unit: &'static str,
    /// The smallest end of the axis; below it there is only noise.
    min_top: f64,
    quantities: &'static [Quantity],
}

impl Chart {
    /// Formats a value with three digits and without the noise of this axis.
    fn written(&self, value: f64) -> String {
        let finest = 0.1 * self.min_top;
        // Adding 0 turns -0 into 0.
        short((value / finest).round() * finest + 0.0)
    }
}

const CHARTS: [Chart; 4] = [
    Chart {
        title: "Energy",
        unit: "dm²/s²",
        min_top: 0.1,
        quantities: &[Quantity::Kinetic, Quantity::Potential],
    },
    Chart {
        title: "Stretch",
        unit: "%",
        min_top: 0.001,
        quantities: &[Quantity::LargestStretch, Quantity::MeanStretch],
    },
    Chart {
        title: "Depth",
        unit: "mm",
        min_top: 0.01,
        quantities: &[Quantity::Deepest],
    },
    Chart {
        title: "Time of a frame",
        unit: "ms",
        min_top: 1.0,
        quantities: &[
            Quantity::Simulation,
            Quantity::Screen,
            Quantity::Strands,
            Quantity::Drawing,
            Quantity::Panel,
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    const KINETIC: Quantity = Quantity::Kinetic;

    /// Returns a frame whose kinetic energy is its step.
    fn sample(step: u64) -> Sample {
        let measures = Measures {
            kinetic: step as f64,
            ..Measures::default()
        };
        Sample {
            steps: step,
            sides: [Some(measures), None],
            costs: Costs::default(),
        }
    }

    fn graphs(steps: std::ops::Range<u64>) -> Graphs {
        let mut graphs = Graphs::default();
        graphs.toggle();
        for step in steps {
            assert!(graphs.wants(step));
            graphs.add(sample(step));
            assert!(!graphs.wants(step), "time has not advanced");
        }
        graphs
    }

    #[test]
    fn samples_cover_ten_seconds() {
        let graphs = graphs(0..10_000);
        assert!(graphs.samples.len() <= MAX_SAMPLES);
        let curve = graphs.curve(KINETIC, Side::Left, HISTORY_SECS, usize::MAX);
        let (first, last) = (curve[0], curve[curve.len() - 1]);
        assert_eq!(last[1], 9_999.0);
        assert!((last[0] - first[0] - HISTORY_SECS).abs() < 0.01);
        let right = graphs.curve(KINETIC, Side::Right, HISTORY_SECS, 100);
        assert!(right.is_empty());
    }

    #[test]
    fn a_restarted_scene_clears_the_samples() {
        let mut graphs = graphs(0..100);
        graphs.add(sample(4));
        assert_eq!(graphs.samples.len(), 1);
        graphs.toggle();
        assert!(!graphs.wants(5) && graphs.samples.is_empty());
    }

    #[test]
    fn long_curves_keep_their_samples_as_they_move() {
        let (before, after) = (graphs(0..5_000), graphs(0..5_001));
        let curve = |graphs: &Graphs| graphs.curve(KINETIC, Side::Left, 2.0, 100);
        let (before, after) = (curve(&before), curve(&after));
        assert!((90..=102).contains(&after.len()), "{}", after.len());
        let same = after.iter().filter(|point| before.contains(point)).count();
        assert!(same + 2 >= after.len());
    }
}
