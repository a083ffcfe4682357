//! The table of measures, one row for each set.

use super::content::{Report, Row};
use super::measures::MEASURES;
use super::panel::{Anchor, FAINT, GRID, INK, LINE, Panel, escaped, hex};

/// Width of the column of names, in pixels.
const NAME: f64 = 210.0;
const LINE_HEIGHT: f64 = 31.0;
const HEADER: f64 = 44.0;

/// Returns the value of a measure; a dash if it is undefined.
fn cell(row: &Row, nth: usize) -> String {
    let digits = MEASURES[nth].digits;
    row.values[nth].map_or("–".to_owned(), |value| format!("{value:.digits$}"))
}

/// Returns the height of the table, in pixels.
pub(crate) fn height(report: &Report) -> f64 {
    HEADER + LINE_HEIGHT * report.rows.len() as f64 + 12.0
}

/// Draws the table.
pub(crate) fn panel(report: &Report, width: f64) -> Panel {
    let mut panel = Panel::new(width, height(report));
    let column = (width - NAME) / MEASURES.len() as f64;
    let right = |nth: usize| NAME + column * (nth + 1) as f64 - 8.0;
    for (nth, measure) in MEASURES.iter().enumerate() {
        panel.text([right(nth), 24.0], 16.0, FAINT, Anchor::End, measure.label);
    }
    let grid = format!("fill=\"{}\"", hex(GRID));
    let rule = |panel: &mut Panel, y: f64| panel.rect([0.0, y], [width, 1.0], &grid);
    rule(&mut panel, HEADER - 10.0);
    for (line, row) in report.rows.iter().enumerate() {
        let y = HEADER + LINE_HEIGHT * line as f64;
        if row.is_subject {
            let fill = format!("fill=\"{}\" fill-opacity=\"0.1\"", hex(LINE));
            panel.rect([0.0, y - 9.0], [width, LINE_HEIGHT], &fill);
        }
        let color = if row.is_subject { LINE } else { INK };
        panel.text([10.0, y + 12.0], 17.0, color, Anchor::Start, &row.name);
        for nth in 0..MEASURES.len() {
            let place = [right(nth), y + 12.0];
            panel.text(place, 17.0, color, Anchor::End, &cell(row, nth));
        }
        rule(&mut panel, y + LINE_HEIGHT - 9.5);
    }
    panel
}

/// Returns the table as HTML.
pub(crate) fn html(report: &Report) -> String {
    let headings = MEASURES.iter().map(|measure| {
        let (about, label) = (escaped(measure.about), escaped(measure.label));
        format!("<th scope=\"col\" title=\"{about}\">{label}</th>")
    });
    let headings: String = headings.collect();
    let mut html = format!("<table>\n<thead><tr><th></th>{headings}</tr></thead>\n<tbody>\n");
    for row in &report.rows {
        let class = match row.is_subject {
            true => " class=\"subject\"",
            false => "",
        };
        let cells = (0..MEASURES.len()).map(|nth| format!("<td>{}</td>", cell(row, nth)));
        let (name, cells) = (escaped(&row.name), cells.collect::<String>());
        html += &format!("<tr{class}><th scope=\"row\">{name}</th>{cells}</tr>\n");
    }
    html += "</tbody>\n</table>\n";
    html
}
