//! Charts of pair correlation, nearest distances, power spectrum and anisotropy.

use super::axes::{self, Axis};
use super::contents::{LabelledSpectrum, Report};
use super::panel::{Anchor, FAINT, INK, LINE, Panel, WORST, hex, listed};
use mohawk::roots::distribution::{HISTOGRAM_WIDTH, Ring};

/// Height of the title above a chart, in pixels.
const TITLE: f64 = 52.0;

/// A chart. Its x axis starts at 0.
struct Chart {
    title: &'static str,
    about: String,
    x: &'static str,
    x_end: f64,
    y_range: [f64; 2],
    data: Data,
}

enum Data {
    /// The points of a line, and the y of a dashed line, which `about` explains.
    Line(Vec<(f64, f64)>, f64),
    /// The left edges and heights of bars, and named positions on the x axis.
    Bars(Vec<(f64, f64)>, Vec<(f64, &'static str)>),
}

/// Draws the charts that the report has data for.
pub(crate) fn panels(report: &Report, width: f64, height: f64) -> Vec<Panel> {
    let charts = [pairs(report), nearest(report)].into_iter().flatten();
    let spectra = report.spectrum.iter().flat_map(spectra);
    let charts = charts.chain(spectra);
    charts.map(|chart| chart.panel(width, height)).collect()
}

/// Returns the largest y of the points; at least `min`.
fn max_y(points: &[(f64, f64)], min: f64) -> f64 {
    points.iter().map(|(_, y)| *y).fold(min, f64::max)
}

fn pairs(report: &Report) -> Option<Chart> {
    let pairs = report.set.distribution.pair_correlation.as_ref()?;
    let bins = pairs.bins.iter();
    let line: Vec<_> = (bins.filter_map(|bin| Some((bin.distance, bin.g?)))).collect();
    Some(Chart {
        title: "Pair correlation",
        about: "density of pairs by distance; dashed: random points".to_owned(),
        x: "distance / √(A/N)",
        x_end: 4.0,
        y_range: [0.0, 1.08 * max_y(&line, 1.6).min(6.0)],
        data: Data::Line(line, 1.0),
    })
}

fn nearest(report: &Report) -> Option<Chart> {
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
    let marks = marks.into_iter().flatten().filter(|(at, _)| *at < x_end);
    Some(Chart {
        title: "Nearest distances",
        about: "share of the roots, per cent".to_owned(),
        x: "distance to the nearest root / r_max",
        x_end,
        y_range: [0.0, 1.15 * max_y(&bars, 5.0)],
        data: Data::Bars(bars, marks.collect()),
    })
}

fn spectra(LabelledSpectrum { spectrum, of }: &LabelledSpectrum) -> [Chart; 2] {
    let unit = spectrum.points.sqrt();
    let line = |value: fn(&Ring) -> Option<f64>| -> Vec<(f64, f64)> {
        let place = |ring: &Ring| Some((f64::from(ring.frequency) / unit, value(ring)?));
        spectrum.rings.iter().filter_map(place).collect()
    };
    let power = line(|ring| Some(ring.power));
    // Rings of few vectors have no meaningful anisotropy.
    let anisotropy = line(|ring| ring.anisotropy_db.filter(|_| ring.vectors >= 8));
    let isotropic = -10.0 * (spectrum.sets as f64).log10();
    let lows = anisotropy.iter().map(|(_, db)| db - 1.0);
    let low = lows.fold(isotropic - 5.0, f64::min);
    let high = max_y(&anisotropy, isotropic + 4.0) + 1.0;
    let power = Chart {
        title: "Power spectrum",
        about: format!("{of}; dashed: random"),
        x: "frequency / √N",
        x_end: 2.0,
        y_range: [0.0, 1.08 * max_y(&power, 1.5).min(6.0)],
        data: Data::Line(power, 1.0),
    };
    let anisotropy = Chart {
        title: "Anisotropy, dB",
        about: format!("{of}; dashed: isotropic"),
        y_range: [low, high],
        data: Data::Line(anisotropy, isotropic),
        ..power
    };
    [power, anisotropy]
}

impl Chart {
    fn panel(&self, width: f64, height: f64) -> Panel {
        let mut panel = Panel::new(width, height);
        panel.text([0.0, 20.0], 21.0, INK, Anchor::Start, self.title);
        panel.text([0.0, 41.0], 15.0, FAINT, Anchor::Start, &self.about);
        let x = Axis {
            values: [0.0, self.x_end],
            pixels: [48.0, width - 20.0],
            is_log: false,
        };
        let y = Axis {
            values: self.y_range,
            pixels: [height - 50.0, TITLE + 8.0],
            is_log: false,
        };
        axes::draw(&mut panel, &x, &y, self.x);
        let color = hex(LINE);
        match &self.data {
            Data::Line(line, level) => {
                let shown = line.iter().filter(|(value, _)| *value <= self.x_end);
                let points: Vec<_> = shown.map(|point| [x.at(point.0), y.at(point.1)]).collect();
                let base = |end: Option<&[f64; 2]>| end.map(|end| [end[0], y.at(*level)]);
                let area = [base(points.first()), base(points.last())];
                let area = points
                    .iter()
                    .copied()
                    .chain(area.into_iter().rev().flatten());
                let fill = format!("fill=\"{color}\" fill-opacity=\"0.12\"");
                panel.push(format_args!(
                    "<polygon points=\"{}\" {fill}/>",
                    listed(area)
                ));
                panel.line(points, LINE, 2.2, "");
                axes::level(&mut panel, &x, &y, *level);
            }
            Data::Bars(bars, marks) => {
                let fill = format!("fill=\"{color}\" fill-opacity=\"0.75\"");
                for &(left, share) in bars.iter().filter(|(left, _)| *left < self.x_end) {
                    let sides = [left, left + 0.92 * HISTOGRAM_WIDTH].map(|side| x.at(side));
                    let size = [sides[1] - sides[0], y.at(0.0) - y.at(share)];
                    panel.rect([sides[0], y.at(share)], size, &fill);
                }
                for (nth, (value, name)) in marks.iter().enumerate() {
                    let (at, [bottom, top]) = (x.at(*value), y.pixels);
                    panel.line([[at, bottom], [at, top]], WORST, 1.6, "");
                    // The names of close marks would overlap: one goes to each side.
                    let (anchor, at) = match nth == 0 && *value > 0.2 * self.x_end {
                        true => (Anchor::End, at - 4.0),
                        false => (Anchor::Start, at + 4.0),
                    };
                    panel.text([at, top + 12.0], 14.0, WORST, anchor, name);
                }
            }
        }
        panel
    }
}
