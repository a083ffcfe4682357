//! A chart of growth: lines on logarithmic axes, each with its name at its end.

use super::axes::{self, Axis};
use super::panel::{FAINT, INK, Panel};
use anyhow::ensure;

/// Size of the chart, in pixels.
const SIZE: [f64; 2] = [960.0, 600.0];
/// Height of the titles and width of the names on the right, in pixels.
const TITLE: f64 = 80.0;
const NAMES: f64 = 190.0;
/// Smallest distance between names, in pixels.
const NAME_DISTANCE: f64 = 21.0;
/// Colours of the lines in order.
const COLORS: [&str; 7] = [
    "#2171b5", "#d63031", "#278c50", "#9452ac", "#e28712", "#6e5646", "#1f2430",
];

/// A chart of milliseconds over numbers of strands.
pub struct Growth {
    /// The title.
    pub title: String,
    /// The line below the title: what was measured and where.
    pub about: String,
    /// The milliseconds of a dashed line, which `about` explains.
    pub level: f64,
    /// Names and points, above 0 and in order of strands.
    pub lines: Vec<(String, Vec<(f64, f64)>)>,
}

impl Growth {
    /// Returns the chart as a file with this extension: SVG, or else PNG.
    ///
    /// # Errors
    /// There is nothing to draw.
    pub fn to_file(&self, extension: &str) -> anyhow::Result<Vec<u8>> {
        let ends = |of: fn(&(f64, f64)) -> f64| {
            let all = self.lines.iter().flat_map(|(_, line)| line).map(of);
            all.fold([f64::MAX, 0.0], |[low, high], n| [low.min(n), high.max(n)])
        };
        let ([left, right], [low, high]) = (ends(|point| point.0), ends(|point| point.1));
        ensure!(
            left > 0.0 && left < right && low > 0.0,
            "there is no line of at least two points above 0"
        );
        let axis = |values, pixels| Axis {
            values,
            pixels,
            is_log: true,
        };
        let x = axis([left, right], [84.0, SIZE[0] - NAMES]);
        let bottom = 10.0_f64.powf(low.log10().floor());
        let y = axis([bottom, 1.5 * high], [SIZE[1] - 54.0, TITLE + 24.0]);
        let mut panel = Panel::new(SIZE);
        panel.rect([0.0, 0.0], SIZE, "fill=\"#ffffff\"");
        panel.text([24.0, 36.0], 22.0, INK, "start", &self.title);
        panel.text([24.0, 60.0], 15.0, FAINT, "start", &self.about);
        panel.text([24.0, TITLE + 12.0], 15.0, FAINT, "start", "milliseconds");
        axes::draw(&mut panel, &x, &y, "strands");
        if (y.values[0]..y.values[1]).contains(&self.level) {
            axes::level(&mut panel, &x, &y, self.level);
        }
        let mut ends = Vec::new();
        for ((name, line), color) in self.lines.iter().zip(COLORS.iter().cycle()) {
            let points: Vec<_> = line.iter().map(|p| [x.at(p.0), y.at(p.1)]).collect();
            panel.line(points.iter().copied(), color, 2.4, "");
            for [x, y] in &points {
                panel.push(format_args!(
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.6\" fill=\"{color}\"/>"
                ));
            }
            ends.extend(points.last().map(|end| (*end, name, color)));
        }
        // Names are at the ends of lines. Close ones are moved up, from below.
        ends.sort_by(|a, b| b.0[1].total_cmp(&a.0[1]));
        let mut free = f64::INFINITY;
        for ([x, y], name, color) in ends {
            let y = y.min(free);
            free = y - NAME_DISTANCE;
            panel.text([x + 10.0, y + 5.0], 16.0, color, "start", name);
        }
        panel.to_file(extension)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(lines: Vec<(String, Vec<(f64, f64)>)>) -> Growth {
        Growth {
            title: "a < b".to_owned(),
            about: String::new(),
            level: 4.0,
            lines,
        }
    }

    #[test]
    fn names_of_lines_with_one_end_are_apart() {
        let named = |name: &str| (name.to_owned(), vec![(1e3, 0.1), (1e6, 10.0)]);
        let shown = growth(vec![named("one"), named("two")]);
        let svg = String::from_utf8(shown.to_file("svg").unwrap()).unwrap();
        assert!(svg.contains("a &lt; b") && svg.contains(">1,000,000<") && svg.contains(">0.1<"));
        let place = |name: &str| -> f64 {
            let (before, _) = svg.split_once(name).unwrap();
            let (_, y) = before.rsplit_once(" y=\"").unwrap();
            y.split_once('"').unwrap().0.parse().unwrap()
        };
        let apart = place(">one<") - place(">two<");
        assert!((apart - NAME_DISTANCE).abs() < 0.1, "{apart}");
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
