//! What strands do and what that takes, over the last seconds: kept while it is shown.

mod plots;

pub(super) use plots::{HEIGHT, show};

use super::rows::short;
use super::split::Side;
use mohawk::sim::Measures;
use std::collections::VecDeque;

/// Simulated time that is kept, seconds.
const KEPT_SECS: f64 = 10.0;
/// Most samples: one for each step.
const MOST_SAMPLES: usize = 2_400;
/// Strands that are measured of a simulation: all of them would take longer than moving them.
const MEASURED_STRANDS: usize = 400;

/// What the parts of a frame take, milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Costs {
    /// Moving strands, by side.
    pub(super) sim: [f32; 2],
    /// Bringing them to where they are drawn from.
    pub(super) strands: f32,
    /// The scene, and the interface on top of it.
    pub(super) drawing: f32,
    /// Making the interface, and measuring.
    pub(super) panel: f32,
    /// Handing the picture over: what the driver still draws, and waiting for the screen.
    pub(super) screen: f32,
}

/// One frame.
#[derive(Clone, Copy, Debug)]
struct Sample {
    secs: f64,
    sides: [Option<Measures>; 2],
    costs: Costs,
}

/// Frames in which time went on.
#[derive(Default)]
pub(super) struct Graphs {
    pub(super) shown: bool,
    samples: VecDeque<Sample>,
    /// How many have been dropped: which of many samples are drawn must not change as they go.
    dropped: usize,
    /// The step of the last one.
    steps: u64,
}

impl Graphs {
    /// Begins anew: what comes does not follow from what was.
    pub(super) fn clear(&mut self) {
        let shown = self.shown;
        *self = Self {
            shown,
            ..Self::default()
        };
    }

    /// Shows or hides them; only what is shown is measured.
    pub(super) fn toggle(&mut self) {
        self.shown = !self.shown;
        self.clear();
    }

    /// Would a frame after so many steps be news?
    pub(super) fn wants(&self, steps: u64) -> bool {
        self.shown && (self.samples.is_empty() || steps != self.steps)
    }

    /// Takes in a frame that ended at `secs`, after so many steps.
    pub(super) fn add(
        &mut self,
        (steps, secs): (u64, f64),
        sides: [Option<Measures>; 2],
        costs: Costs,
    ) {
        if steps < self.steps {
            self.clear();
        }
        self.steps = steps;
        self.samples.push_back(Sample { secs, sides, costs });
        while self.samples.len() > MOST_SAMPLES
            || (self.samples.front()).is_some_and(|first| first.secs < secs - KEPT_SECS)
        {
            self.samples.pop_front();
            self.dropped += 1;
        }
    }

    /// Measures a simulation as they want it.
    pub(super) fn measures(sim: &mohawk::Simulation) -> Measures {
        sim.measures(MEASURED_STRANDS)
    }

    /// A curve over the last `span` seconds: times and values, of at most about `most` samples.
    fn curve(&self, quantity: Quantity, side: Side, span: f64, most: usize) -> Vec<[f64; 2]> {
        let Some(last) = self.samples.back() else {
            return Vec::new();
        };
        let since = last.secs - span;
        let first = self.samples.partition_point(|sample| sample.secs < since);
        let every = (self.samples.len() - first).div_ceil(most).max(1);
        let numbered = self.samples.iter().enumerate().skip(first);
        let newest = self.samples.len() - 1;
        numbered
            .filter(|(i, _)| (i + self.dropped).is_multiple_of(every) || *i == newest)
            .filter_map(|(_, sample)| Some([sample.secs, quantity.of(sample, side)?]))
            .collect()
    }

    /// The last value.
    fn latest(&self, quantity: Quantity, side: Side) -> Option<f64> {
        quantity.of(self.samples.back()?, side)
    }
}

/// What is drawn as a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quantity {
    Kinetic,
    Potential,
    LargestStretch,
    MeanStretch,
    Depth,
    Simulation,
    Strands,
    Drawing,
    Panel,
    Screen,
}

impl Quantity {
    fn name(self) -> &'static str {
        match self {
            Quantity::Kinetic => "kinetic",
            Quantity::Potential => "potential",
            Quantity::LargestStretch => "largest",
            Quantity::MeanStretch => "mean",
            Quantity::Depth => "deepest",
            Quantity::Simulation => "simulation",
            Quantity::Strands => "strands",
            Quantity::Drawing => "drawing",
            Quantity::Panel => "panel",
            Quantity::Screen => "screen",
        }
    }

    /// What it is, in a line.
    fn about(self) -> &'static str {
        match self {
            Quantity::Kinetic => "v\u{b2}/2 of a particle, on average",
            Quantity::Potential => {
                "of a particle, on average: gravity's above the rest shape, and what springs have stored"
            }
            Quantity::LargestStretch => "of any segment against its rest length",
            Quantity::MeanStretch => "of segments against their rest lengths, on average",
            Quantity::Depth => "how deep the deepest particle is in the head or a collider",
            Quantity::Simulation => "moving the strands",
            Quantity::Strands => "bringing strands to where they are drawn from",
            Quantity::Drawing => "the scene, and the interface on top of it",
            Quantity::Panel => "making the interface, and measuring for these graphs",
            Quantity::Screen => {
                "handing the picture over: what the driver still draws, and waiting for the screen"
            }
        }
    }

    /// Is it one of each solver, or of the whole frame?
    fn has_sides(self) -> bool {
        !matches!(
            self,
            Quantity::Strands | Quantity::Drawing | Quantity::Panel | Quantity::Screen
        )
    }

    fn of(self, sample: &Sample, side: Side) -> Option<f64> {
        let measured = sample.sides[side as usize];
        let costs = &sample.costs;
        Some(match self {
            Quantity::Kinetic => measured?.kinetic,
            Quantity::Potential => measured?.potential(),
            Quantity::LargestStretch => 100.0 * measured?.max_stretch,
            Quantity::MeanStretch => 100.0 * measured?.mean_stretch,
            Quantity::Depth => 100.0 * measured?.max_penetration,
            Quantity::Simulation => {
                measured?;
                costs.sim[side as usize].into()
            }
            Quantity::Strands => costs.strands.into(),
            Quantity::Drawing => costs.drawing.into(),
            Quantity::Panel => costs.panel.into(),
            Quantity::Screen => costs.screen.into(),
        })
    }
}

/// Curves that share axes.
struct Chart {
    title: &'static str,
    unit: &'static str,
    quantities: &'static [Quantity],
    /// An axis that ends lower shows noise, not values.
    least_top: f64,
}

impl Chart {
    /// A value as people read it: three digits, without what is noise on this axis.
    fn written(&self, value: f64) -> String {
        let finest = 0.1 * self.least_top;
        // Adding 0 makes a 0 of a -0.
        short((value / finest).round() * finest + 0.0)
    }
}

const CHARTS: [Chart; 4] = [
    Chart {
        title: "Energy",
        unit: "dm\u{b2}/s\u{b2}",
        quantities: &[Quantity::Kinetic, Quantity::Potential],
        least_top: 0.1,
    },
    Chart {
        title: "Stretch",
        unit: "%",
        quantities: &[Quantity::LargestStretch, Quantity::MeanStretch],
        least_top: 0.001,
    },
    Chart {
        title: "Depth",
        unit: "mm",
        quantities: &[Quantity::Depth],
        least_top: 0.01,
    },
    Chart {
        title: "Time of a frame",
        unit: "ms",
        quantities: &[
            Quantity::Simulation,
            Quantity::Screen,
            Quantity::Strands,
            Quantity::Drawing,
            Quantity::Panel,
        ],
        least_top: 1.0,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(kinetic: f64) -> [Option<Measures>; 2] {
        let measures = Measures {
            kinetic,
            ..Measures::default()
        };
        [Some(measures), None]
    }

    fn graphs(steps: std::ops::Range<u64>) -> Graphs {
        let mut graphs = Graphs::default();
        graphs.toggle();
        for step in steps {
            assert!(graphs.wants(step));
            let time = (step, step as f64 / 240.0);
            graphs.add(time, measured(step as f64), Costs::default());
            assert!(!graphs.wants(step), "time has not gone on");
        }
        graphs
    }

    #[test]
    fn ten_seconds_are_kept_and_not_more() {
        let graphs = graphs(0..10_000);
        assert!(graphs.samples.len() <= MOST_SAMPLES);
        let curve = graphs.curve(Quantity::Kinetic, Side::Left, KEPT_SECS, usize::MAX);
        let (first, last) = (curve[0], curve[curve.len() - 1]);
        assert_eq!(last[1], 9_999.0);
        assert!((last[0] - first[0] - KEPT_SECS).abs() < 0.01);
        assert!(
            graphs
                .curve(Quantity::Kinetic, Side::Right, KEPT_SECS, 100)
                .is_empty()
        );
    }

    #[test]
    fn a_scene_that_begins_anew_clears_them() {
        let mut graphs = graphs(0..100);
        graphs.add((4, 4.0 / 240.0), measured(1.0), Costs::default());
        assert_eq!(graphs.samples.len(), 1);
        graphs.toggle();
        assert!(!graphs.wants(5) && graphs.samples.is_empty());
    }

    #[test]
    fn long_curves_are_drawn_by_the_same_samples_as_they_go() {
        let (before, after) = (graphs(0..5_000), graphs(0..5_001));
        let curve = |graphs: &Graphs| graphs.curve(Quantity::Kinetic, Side::Left, 2.0, 100);
        let (before, after) = (curve(&before), curve(&after));
        assert!((90..=102).contains(&after.len()), "{}", after.len());
        let same = after.iter().filter(|point| before.contains(point)).count();
        assert!(same + 2 >= after.len());
    }
}
