//! Axes of charts.

use super::panel::{FAINT, GRID, INK, Panel};
use crate::numbers::{grouped, round_up};

/// Largest number of steps between the labels of an axis with a linear scale.
const MAX_STEPS: f64 = 8.0;

/// An axis of a chart.
pub struct Axis {
    /// The values at its start and its end.
    pub values: [f64; 2],
    /// The places of its start and its end, in pixels.
    pub pixels: [f64; 2],
    pub is_log: bool,
}

impl Axis {
    /// Returns the place of a value, in pixels. Values beyond an end are at this end.
    pub fn at(&self, value: f64) -> f64 {
        let [low, high] = self.values;
        let [low, value, high] =
            [low, value.clamp(low, high), high].map(|value| match self.is_log {
                true => value.ln(),
                false => value,
            });
        let [start, end] = self.pixels;
        start + (value - low) / (high - low) * (end - start)
    }

    /// Returns round values with their labels: powers of ten on a logarithmic scale.
    fn ticks(&self) -> Vec<(f64, String)> {
        let [low, high] = self.values;
        // The tolerance hides errors of rounding.
        let whole = |low: f64, high: f64| (low - 1e-6).ceil() as i32..=(high + 1e-6).floor() as i32;
        let labelled = |value: f64, step: f64| {
            let digits = (-step.log10().floor()).max(0.0) as usize;
            let label = match value < 1000.0 {
                true => format!("{value:.digits$}"),
                false => grouped(value.round() as usize),
            };
            (value, label)
        };
        if self.is_log {
            let powers = whole(low.log10(), high.log10()).map(|n| 10.0_f64.powi(n));
            return powers.map(|power| labelled(power, power)).collect();
        }
        let step = round_up((high - low) / MAX_STEPS, &[1.0, 2.0, 5.0]);
        let steps = whole(low / step, high / step).map(f64::from);
        steps.map(|nth| labelled(nth * step, step)).collect()
    }
}

/// Draws axes with labels, the name of the x axis, and a line across at each label of y.
pub fn draw(panel: &mut Panel, x: &Axis, y: &Axis, name: &str) {
    let ([left, right], [bottom, top]) = (x.pixels, y.pixels);
    for (value, label) in y.ticks() {
        let at = y.at(value);
        panel.line([[left, at], [right, at]], GRID, 1.0, "");
        panel.text([left - 9.0, at + 5.0], 15.0, INK, "end", &label);
    }
    for (value, label) in x.ticks() {
        let at = x.at(value);
        panel.line([[at, bottom], [at, bottom + 5.0]], FAINT, 1.2, "");
        panel.text([at, bottom + 21.0], 15.0, INK, "middle", &label);
    }
    let corners = [[left, top], [left, bottom], [right, bottom]];
    panel.line(corners, FAINT, 1.2, "");
    let middle = 0.5 * (left + right);
    panel.text([middle, bottom + 43.0], 15.0, FAINT, "middle", name);
}

/// Draws a dashed line across at a value of y.
pub fn level(panel: &mut Panel, x: &Axis, y: &Axis, value: f64) {
    let across = x.pixels.map(|side| [side, y.at(value)]);
    panel.line(across, FAINT, 1.4, "stroke-dasharray=\"6 4\"");
}
