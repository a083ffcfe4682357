//! Charts of pair correlation, nearest distances, power spectrum and anisotropy.

use super::Report;
use super::axes::{self, Axis};
use super::panel::{FAINT, INK, LINE, Panel, WORST, listed};
use mohawk::roots::distribution::{HISTOGRAM_WIDTH, Ring, Spectrum};

/// The size of a chart, and the height of the title above it, in pixels.
pub const SIZE: [f64; 2] = [374.0, 420.0];
const TITLE: f64 = 52.0;

/// Draws the charts that the report has data for.
pub fn panels(report: &Report) -> Vec<Panel> {
    let charts = [pairs(report), nearest(report)].into_iter().flatten();
    charts
        .chain(report.spectrum.iter().flat_map(spectra))
        .collect()
}

/// Returns the largest y of the points; at least `min`.
fn max_y(points: &[(f64, f64)], min: f64) -> f64 {
    points.iter().map(|(_, y)| *y).fold(min, f64::max)
}

fn pairs(report: &Report) -> Option<Panel> {
    let pairs = report.set.distribution.pair_correlation.as_ref()?;
    let bins = pairs.bins.iter();
    let line: Vec<_> = (bins.filter_map(|bin| Some((bin.distance, bin.g?)))).collect();
    let about = "density of pairs by distance; dashed: random points";
    let top = 1.08 * max_y(&line, 1.6).min(6.0);
    let name = "distance / √(A/N)";
    let chart = Chart::new("Pair correlation", about, name, 4.0, [0.0, top]);
    Some(chart.with_line(&line, 1.0))
}

fn nearest(report: &Report) -> Option<Panel> {
    let set = report.set;
    let nearest = &set.distribution.nearest;
    nearest.min?;
    let count = set.distribution.count.max(1) as f64;
    let bars: Vec<(f64, f64)> = (nearest.histogram.iter().enumerate())
        .map(|(bin, &roots)| (bin as f64 * HISTOGRAM_WIDTH, 100.0 * roots as f64 / count))
        .collect();
    let named = |distance: Option<f64>, name| Some((distance? / set.r_max(), name));
    let marks = [named(nearest.min, "closest"), named(nearest.mean, "mean")];
    let last = bars.iter().rposition(|(_, share)| *share > 0.0);
    let x_end = ((last.unwrap_or(0) + 2) as f64 * HISTOGRAM_WIDTH).max(1.3);
    let marks: Vec<_> = marks
        .into_iter()
        .flatten()
        .filter(|(at, _)| *at < x_end)
        .collect();
    let about = "share of the roots, per cent";
    let name = "distance to the nearest root / r_max";
    let y_range = [0.0, 1.15 * max_y(&bars, 5.0)];
    let chart = Chart::new("Nearest distances", about, name, x_end, y_range);
    Some(chart.with_bars(&bars, &marks))
}

fn spectra((spectrum, of): &(Spectrum, String)) -> [Panel; 2] {
    let unit = spectrum.points.sqrt();
    let line = |value: fn(&Ring) -> Option<f64>| -> Vec<(f64, f64)> {
        let place = |ring: &Ring| Some((f64::from(ring.frequency) / unit, value(ring)?));
        spectrum.rings.iter().filter_map(place).collect()
    };
    let power = line(|ring| Some(ring.power));
    // Rings of few vectors have no meaningful anisotropy.
    let anisotropy = line(|ring| ring.anisotropy_db.filter(|_| ring.vectors >= 8));
    let flat = -10.0 * (spectrum.sets as f64).log10();
    let lows = anisotropy.iter().map(|(_, db)| db - 1.0);
    let low = lows.fold(flat - 5.0, f64::min);
    let high = max_y(&anisotropy, flat + 4.0) + 1.0;
    let top = 1.08 * max_y(&power, 1.5).min(6.0);
    [
        ("Power spectrum", "random", [0.0, top], power, 1.0),
        ("Anisotropy, dB", "isotropic", [low, high], anisotropy, flat),
    ]
    .map(|(title, dashed, y_range, line, level)| {
        let about = format!("{of}; dashed: {dashed}");
        let chart = Chart::new(title, &about, "frequency / √N", 2.0, y_range);
        chart.with_line(&line, level)
    })
}

/// A chart whose axes are drawn. Its x axis starts at 0.
struct Chart {
    panel: Panel,
    x: Axis,
    y: Axis,
}

impl Chart {
    /// Draws title, explanation and axes. `name` is that of the x axis.
    fn new(title: &str, about: &str, name: &str, x_end: f64, y_range: [f64; 2]) -> Self {
        let mut panel = Panel::new(SIZE);
        panel.text([0.0, 20.0], 21.0, INK, "start", title);
        panel.text([0.0, 41.0], 15.0, FAINT, "start", about);
        let axis = |values, pixels| Axis {
            values,
            pixels,
            is_log: false,
        };
        let x = axis([0.0, x_end], [48.0, SIZE[0] - 20.0]);
        let y = axis(y_range, [SIZE[1] - 50.0, TITLE + 8.0]);
        axes::draw(&mut panel, &x, &y, name);
        Self { panel, x, y }
    }

    /// Draws a line through points, and a dashed line at a value of y, which the explanation names.
    fn with_line(self, line: &[(f64, f64)], level: f64) -> Panel {
        let Self { mut panel, x, y } = self;
        let shown = line.iter().filter(|(value, _)| *value <= x.values[1]);
        let points: Vec<_> = shown.map(|point| [x.at(point.0), y.at(point.1)]).collect();
        let base = |end: Option<&[f64; 2]>| end.map(|end| [end[0], y.at(level)]);
        let ends = [base(points.last()), base(points.first())];
        let area = listed(points.iter().copied().chain(ends.into_iter().flatten()));
        panel.push(format_args!(
            "<polygon points=\"{area}\" fill=\"{LINE}\" fill-opacity=\"0.12\"/>"
        ));
        panel.line(points, LINE, 2.2, "");
        axes::level(&mut panel, &x, &y, level);
        panel
    }

    /// Draws bars by left edge and height, and named marks on the x axis.
    fn with_bars(self, bars: &[(f64, f64)], marks: &[(f64, &str)]) -> Panel {
        let Self { mut panel, x, y } = self;
        let x_end = x.values[1];
        let fill = format!("fill=\"{LINE}\" fill-opacity=\"0.75\"");
        for &(left, share) in bars.iter().filter(|(left, _)| *left < x_end) {
            let sides = [left, left + 0.92 * HISTOGRAM_WIDTH].map(|side| x.at(side));
            let size = [sides[1] - sides[0], y.at(0.0) - y.at(share)];
            panel.rect([sides[0], y.at(share)], size, &fill);
        }
        for (nth, (value, name)) in marks.iter().enumerate() {
            let (at, [bottom, top]) = (x.at(*value), y.pixels);
            panel.line([[at, bottom], [at, top]], WORST, 1.6, "");
            // The names of close marks would overlap: one goes to each side.
            let (anchor, at) = match nth == 0 && *value > 0.2 * x_end {
                true => ("end", at - 4.0),
                false => ("start", at + 4.0),
            };
            panel.text([at, top + 12.0], 14.0, WORST, anchor, name);
        }
        panel
    }
}
