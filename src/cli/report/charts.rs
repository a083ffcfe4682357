//! Charts of pair correlation, nearest distances, power spectrum and anisotropy.

use super::content::{Report, ReportError};
use super::panel::{Anchor, FAINT, GRID, INK, LINE, Panel, WORST};
use super::plot::{fine, letters, put, rgb};
use mohawk::roots::distribution::{HISTOGRAM_WIDTH, Spectrum};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Height of the title above a chart, in pixels.
const TITLE: f64 = 52.0;

/// A chart.
struct Chart {
    title: &'static str,
    about: String,
    x: &'static str,
    x_range: std::ops::Range<f64>,
    y_range: std::ops::Range<f64>,
    digits: usize,
    data: Data,
    /// The position of a dashed line, which `about` explains.
    level: Option<f64>,
    /// Named positions on the x axis.
    marks: Vec<(f64, &'static str)>,
}

enum Data {
    Line(Vec<(f64, f64)>),
    /// The width of bars, their left edges and heights.
    Bars(f64, Vec<(f64, f64)>),
}

/// Draws the charts that the report has data for.
pub(crate) fn panels(report: &Report, width: f64, height: f64) -> Result<Vec<Panel>, ReportError> {
    let charts = [pairs(report), nearest(report)].into_iter().flatten();
    let spectra = report.spectrum.iter().flat_map(|shown| {
        [
            power(&shown.spectrum, &shown.of),
            anisotropy(&shown.spectrum, &shown.of),
        ]
    });
    charts
        .chain(spectra)
        .map(|chart| chart.panel(width, height))
        .collect()
}

/// Returns the largest y of the points; at least `min`.
fn max_y(points: &[(f64, f64)], min: f64) -> f64 {
    points.iter().map(|(_, y)| *y).fold(min, f64::max)
}

fn pairs(report: &Report) -> Option<Chart> {
    let pairs = report.set.distribution.pair_correlation.as_ref()?;
    let bins = pairs.bins.iter();
    let line: Vec<(f64, f64)> = bins
        .filter_map(|bin| Some((bin.distance, bin.g?)))
        .collect();
    let top = max_y(&line, 1.6).min(6.0);
    Some(Chart {
        title: "Pair correlation",
        about: "density of pairs by distance; dashed: random points".to_owned(),
        x: "distance / √(A/N)",
        x_range: 0.0..4.0,
        y_range: 0.0..1.08 * top,
        digits: 1,
        data: Data::Line(line),
        level: Some(1.0),
        marks: Vec::new(),
    })
}

fn nearest(report: &Report) -> Option<Chart> {
    let set = report.set;
    let nearest = &set.distribution.nearest;
    nearest.min?;
    let count = set.measures.count.max(1) as f64;
    let bars: Vec<(f64, f64)> = (nearest.histogram.iter().enumerate())
        .map(|(bin, &roots)| (bin as f64 * HISTOGRAM_WIDTH, 100.0 * roots as f64 / count))
        .collect();
    let top = max_y(&bars, 5.0);
    let named = |distance: Option<f64>, name| Some((distance? / set.r_max(), name));
    let last = bars
        .iter()
        .rposition(|(_, share)| *share > 0.0)
        .unwrap_or(0);
    let end = ((last + 2) as f64 * HISTOGRAM_WIDTH).max(1.3);
    Some(Chart {
        title: "Nearest distances",
        about: "share of the roots, per cent".to_owned(),
        x: "distance to the nearest root / r_max",
        x_range: 0.0..end,
        y_range: 0.0..1.15 * top,
        digits: 0,
        data: Data::Bars(HISTOGRAM_WIDTH, bars),
        level: None,
        marks: [named(nearest.min, "closest"), named(nearest.mean, "mean")]
            .into_iter()
            .flatten()
            .filter(|(at, _)| *at < end)
            .collect(),
    })
}

fn power(spectrum: &Spectrum, of: &str) -> Chart {
    let unit = spectrum.points.sqrt();
    let rings = spectrum.rings.iter();
    let line: Vec<(f64, f64)> = rings
        .map(|ring| (f64::from(ring.frequency) / unit, ring.power))
        .collect();
    let top = max_y(&line, 1.5).min(6.0);
    Chart {
        title: "Power spectrum",
        about: format!("{of}; dashed: random"),
        x: "frequency / √N",
        x_range: 0.0..2.0,
        y_range: 0.0..1.08 * top,
        digits: 1,
        data: Data::Line(line),
        level: Some(1.0),
        marks: Vec::new(),
    }
}

fn anisotropy(spectrum: &Spectrum, of: &str) -> Chart {
    let unit = spectrum.points.sqrt();
    // Rings of few vectors have no meaningful anisotropy.
    let rings = spectrum.rings.iter().filter(|ring| ring.vectors >= 8);
    let line: Vec<(f64, f64)> = rings
        .filter_map(|ring| Some((f64::from(ring.frequency) / unit, ring.anisotropy_db?)))
        .collect();
    let isotropic = -10.0 * (spectrum.sets as f64).log10();
    let lows = line.iter().map(|(_, db)| db - 1.0);
    let low = lows.fold(isotropic - 5.0, f64::min);
    let high = max_y(&line, isotropic + 4.0) + 1.0;
    Chart {
        title: "Anisotropy, dB",
        about: format!("{of}; dashed: isotropic"),
        x: "frequency / √N",
        x_range: 0.0..2.0,
        y_range: low..high,
        digits: 0,
        data: Data::Line(line),
        level: Some(isotropic),
        marks: Vec::new(),
    }
}

impl Chart {
    fn panel(&self, width: f64, height: f64) -> Result<Panel, ReportError> {
        let mut plot = String::new();
        let size = [width, height - TITLE].map(fine);
        self.plot(&mut plot, size).map_err(ReportError::chart)?;
        let mut panel = Panel::new(width, height);
        panel.text([0.0, 20.0], 21.0, INK, Anchor::Start, self.title);
        panel.text([0.0, 41.0], 15.0, FAINT, Anchor::Start, &self.about);
        put(&mut panel, TITLE, &plot);
        Ok(panel)
    }

    fn plot(
        &self,
        out: &mut String,
        [width, height]: [u32; 2],
    ) -> Result<(), Box<dyn std::error::Error + '_>> {
        let area = SVGBackend::with_string(out, (width, height)).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin_top(fine(8.0))
            .margin_right(fine(20.0))
            .x_label_area_size(fine(50.0))
            .y_label_area_size(fine(48.0))
            .build_cartesian_2d(self.x_range.clone(), self.y_range.clone())?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(rgb(GRID).stroke_width(fine(1.0)))
            .axis_style(rgb(FAINT).stroke_width(fine(1.2)))
            .set_all_tick_mark_size(fine(5.0))
            .x_labels(6)
            .y_labels(6)
            .x_label_formatter(&|x| format!("{x:.1}"))
            .y_label_formatter(&|y| format!("{y:.0$}", self.digits))
            .label_style(letters(15.0, INK))
            .x_desc(self.x)
            .axis_desc_style(letters(15.0, FAINT))
            .draw()?;
        let (left, right) = (self.x_range.start, self.x_range.end);
        // Values beyond the axes would be drawn over them.
        let (bottom, top) = (self.y_range.start, self.y_range.end);
        let clamped = |y: f64| y.clamp(bottom, top);
        match &self.data {
            Data::Bars(width, bars) => {
                chart.draw_series(bars.iter().filter(|(x, y)| *y > 0.0 && *x < right).map(
                    |(x, y)| {
                        let corners = [(*x, 0.0), ((x + 0.92 * width).min(right), clamped(*y))];
                        Rectangle::new(corners, rgb(LINE).mix(0.75).filled())
                    },
                ))?;
            }
            Data::Line(line) => {
                let line = || {
                    line.iter()
                        .filter(|(x, _)| *x <= right)
                        .map(|(x, y)| (*x, clamped(*y)))
                };
                let base = self.level.unwrap_or(bottom);
                let fill = rgb(LINE).mix(0.12);
                chart.draw_series(AreaSeries::new(line(), base, fill))?;
                let style = rgb(LINE).stroke_width(fine(2.2));
                chart.draw_series(LineSeries::new(line(), style))?;
            }
        }
        if let Some(level) = self.level {
            let style = rgb(FAINT).stroke_width(fine(1.4));
            let ends = [(left, level), (right, level)];
            chart.draw_series(DashedLineSeries::new(ends, fine(6.0), fine(4.0), style))?;
        }
        for (nth, (x, name)) in self.marks.iter().enumerate() {
            let style = rgb(WORST).stroke_width(fine(1.6));
            chart.draw_series(LineSeries::new([(*x, bottom), (*x, top)], style))?;
            // The names of close marks would overlap: one goes to each side.
            let is_left = nth == 0 && *x > left + 0.2 * (right - left);
            let (side, away) = if is_left {
                (HPos::Right, -0.012)
            } else {
                (HPos::Left, 0.012)
            };
            let at = Pos::new(side, VPos::Top);
            let place = (x + away * (right - left), top);
            let style = letters(14.0, WORST).pos(at);
            chart.draw_series(std::iter::once(Text::new(*name, place, style)))?;
        }
        area.present()?;
        drop(chart);
        Ok(())
    }
}
