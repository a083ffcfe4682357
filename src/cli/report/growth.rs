//! A chart of growth: lines on logarithmic axes, each with its name at its end.

use super::content::ReportError;
use super::panel::{Anchor, FAINT, GRID, INK, Panel};
use super::plot::{fine, letters, put, rgb};
use crate::numbers::grouped;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Size of the chart, in pixels.
const SIZE: [f64; 2] = [960.0, 600.0];
/// Height of the titles and width of the names on the right, in pixels.
const TITLE: f64 = 80.0;
const NAMES: f64 = 190.0;
/// Smallest distance between names, as a share of the axis.
const NAME_DISTANCE: f64 = 0.045;
/// Colours of the lines in order.
const COLORS: [[u8; 3]; 7] = [
    [33, 113, 181],
    [214, 48, 49],
    [39, 140, 80],
    [148, 82, 172],
    [226, 135, 18],
    [110, 86, 70],
    [31, 36, 48],
];

/// A chart of times over numbers.
pub struct Growth {
    /// The title.
    pub title: String,
    /// The line below the title: what was measured and where.
    pub about: String,
    /// The name of the x axis.
    pub x: &'static str,
    /// The name of the y axis.
    pub y: &'static str,
    /// The y of a dashed line, which `about` explains.
    pub level: Option<f64>,
    /// Names and points, above 0 and in order of x.
    pub lines: Vec<(String, Vec<(f64, f64)>)>,
}

impl Growth {
    /// Returns the chart as a file with this extension: SVG, or else PNG.
    ///
    /// # Errors
    /// [`ReportError`] if there is nothing to draw.
    pub fn to_file(&self, extension: &str) -> Result<Vec<u8>, ReportError> {
        self.panel()?.to_file(extension)
    }

    fn panel(&self) -> Result<Panel, ReportError> {
        let mut plot = String::new();
        let [width, height] = SIZE;
        self.plot(&mut plot, [width, height - TITLE].map(fine))
            .map_err(ReportError::chart)?;
        let mut panel = Panel::new(width, height);
        panel.rect([0.0, 0.0], SIZE, "fill=\"#ffffff\"");
        panel.text([24.0, 36.0], 22.0, INK, Anchor::Start, &self.title);
        panel.text([24.0, 60.0], 15.0, FAINT, Anchor::Start, &self.about);
        put(&mut panel, TITLE, &plot);
        Ok(panel)
    }

    fn plot(
        &self,
        out: &mut String,
        [width, height]: [u32; 2],
    ) -> Result<(), Box<dyn std::error::Error + '_>> {
        let all = || self.lines.iter().flat_map(|(_, line)| line.iter().copied());
        let ends = |of: &dyn Fn((f64, f64)) -> f64| {
            all().fold((f64::MAX, 0.0_f64), |(low, high), point| {
                (low.min(of(point)), high.max(of(point)))
            })
        };
        let ((left, right), (low, high)) = (ends(&|p| p.0), ends(&|p| p.1));
        if !(left > 0.0 && left < right && low > 0.0) {
            return Err("there is no line of at least two points above 0".into());
        }
        let (low, high) = (10.0_f64.powf(low.log10().floor()), 1.5 * high);
        let area = SVGBackend::with_string(out, (width, height)).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin_top(fine(8.0))
            .margin_right(fine(NAMES))
            .margin_left(fine(16.0))
            .x_label_area_size(fine(54.0))
            .y_label_area_size(fine(68.0))
            .build_cartesian_2d((left..right).log_scale(), (low..high).log_scale())?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(rgb(GRID).stroke_width(fine(1.0)))
            .axis_style(rgb(FAINT).stroke_width(fine(1.2)))
            .set_all_tick_mark_size(fine(5.0))
            .x_labels(6)
            .y_labels(8)
            .x_label_formatter(&|x| grouped(*x as usize))
            .y_label_formatter(&|y| format!("{y}"))
            .label_style(letters(15.0, INK))
            .x_desc(self.x)
            .y_desc(self.y)
            .axis_desc_style(letters(15.0, FAINT))
            .draw()?;
        if let Some(level) = self.level.filter(|level| (low..high).contains(level)) {
            let style = rgb(FAINT).stroke_width(fine(1.4));
            let across = [(left, level), (right, level)];
            chart.draw_series(DashedLineSeries::new(across, fine(6.0), fine(4.0), style))?;
        }
        for ((_, line), color) in self.lines.iter().zip(COLORS.iter().cycle()) {
            let style = rgb(*color).stroke_width(fine(2.4));
            chart.draw_series(LineSeries::new(line.iter().copied(), style))?;
            let dot = |point: &(f64, f64)| Circle::new(*point, fine(3.6), rgb(*color).filled());
            chart.draw_series(line.iter().map(dot))?;
        }
        let axis = (high / low).ln();
        for (nth, height) in self.name_places(|y| (y / low).ln() / axis) {
            let color = COLORS[nth % COLORS.len()];
            let style = letters(16.0, color).pos(Pos::new(HPos::Left, VPos::Center));
            let (name, line) = &self.lines[nth];
            let x = line.last().map_or(right, |last| last.0);
            let at = (x, low * (height * axis).exp());
            // On the area beside the chart, where nothing is clipped.
            let at = chart.backend_coord(&at);
            area.draw(&Text::new(
                name.as_str(),
                (at.0 + fine(10.0) as i32, at.1),
                style,
            ))?;
        }
        area.present()?;
        drop(chart);
        Ok(())
    }

    /// Returns the positions of names on the axis, from below: at the ends of lines, but apart.
    fn name_places(&self, share: impl Fn(f64) -> f64) -> Vec<(usize, f64)> {
        let ends = self.lines.iter().enumerate();
        let mut places: Vec<_> = ends
            .filter_map(|(nth, (_, line))| Some((nth, share(line.last()?.1))))
            .collect();
        places.sort_by(|a, b| a.1.total_cmp(&b.1));
        for i in 1..places.len() {
            places[i].1 = places[i].1.max(places[i - 1].1 + NAME_DISTANCE);
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(lines: Vec<(String, Vec<(f64, f64)>)>) -> Growth {
        Growth {
            title: "a < b".to_owned(),
            about: String::new(),
            x: "strands",
            y: "ms",
            level: Some(4.0),
            lines,
        }
    }

    #[test]
    fn names_of_lines_with_one_end_are_apart() {
        let line = |y: f64| vec![(1e3, 0.1), (1e6, y)];
        let shown = growth(vec![
            ("one".to_owned(), line(10.0)),
            ("two".to_owned(), line(10.0)),
        ]);
        let places = shown.name_places(|y| y / 20.0);
        assert!((places[1].1 - places[0].1 - NAME_DISTANCE).abs() < 1e-9);
        let svg = String::from_utf8(shown.to_file("svg").unwrap()).unwrap();
        assert!(svg.contains("a &lt; b") && svg.contains("two") && svg.contains("1,000,000"));
        assert!(shown.to_file("png").unwrap().starts_with(b"\x89PNG"));
    }

    #[test]
    fn charts_without_lines_are_errors() {
        let zero = ("zero".to_owned(), vec![(1.0, 0.0), (2.0, 0.0)]);
        for lines in [Vec::new(), vec![zero]] {
            assert!(growth(lines).to_file("svg").is_err());
        }
    }
}
