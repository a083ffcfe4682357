//! The measures of all sets side by side.

use super::palette::{FAINT, GRID, INK, LINE, hex};
use super::svg::{Anchor, Panel, escaped};
use super::{MEASURES, Report, Row};
use std::fmt::Write as _;

/// What a column of the table stands for: names that are longer than their numbers are broken.
const NAME: f64 = 210.0;
const LINE_HEIGHT: f64 = 31.0;
const HEADER: f64 = 44.0;

fn cell(row: &Row, nth: usize) -> String {
    let digits = MEASURES[nth].digits;
    row.values[nth].map_or("–".to_owned(), |value| format!("{value:.digits$}"))
}

pub(crate) fn height(report: &Report) -> f64 {
    HEADER + LINE_HEIGHT * report.rows.len() as f64 + 12.0
}

pub(crate) fn panel(report: &Report, width: f64) -> Panel {
    let mut panel = Panel::new(width, height(report));
    let column = (width - NAME) / MEASURES.len() as f64;
    let right = |nth: usize| NAME + column * (nth + 1) as f64 - 8.0;
    for (nth, measure) in MEASURES.iter().enumerate() {
        panel.text([right(nth), 24.0], 16.0, FAINT, Anchor::End, measure.label);
    }
    // Writing to a string cannot fail.
    let rule = |panel: &mut Panel, y: f64| {
        _ = writeln!(
            panel.body,
            "<rect x=\"0\" y=\"{y:.1}\" width=\"{width}\" height=\"1\" fill=\"{}\"/>",
            hex(GRID)
        );
    };
    rule(&mut panel, HEADER - 10.0);
    for (line, row) in report.rows.iter().enumerate() {
        let y = HEADER + LINE_HEIGHT * line as f64;
        if row.is_subject {
            _ = writeln!(
                panel.body,
                "<rect x=\"0\" y=\"{:.1}\" width=\"{width}\" height=\"{LINE_HEIGHT}\" fill=\"{}\" \
                 fill-opacity=\"0.1\"/>",
                y - 9.0,
                hex(LINE)
            );
        }
        let color = if row.is_subject { LINE } else { INK };
        panel.text([10.0, y + 12.0], 17.0, color, Anchor::Start, &row.name);
        for nth in 0..MEASURES.len() {
            panel.text(
                [right(nth), y + 12.0],
                17.0,
                color,
                Anchor::End,
                &cell(row, nth),
            );
        }
        rule(&mut panel, y + LINE_HEIGHT - 9.5);
    }
    panel
}

pub(crate) fn html(report: &Report) -> String {
    let mut html = "<table>\n<thead><tr><th></th>".to_owned();
    for measure in &MEASURES {
        // Writing to a string cannot fail.
        _ = write!(
            html,
            "<th scope=\"col\" title=\"{}\">{}</th>",
            escaped(measure.about),
            escaped(measure.label)
        );
    }
    html += "</tr></thead>\n<tbody>\n";
    for row in &report.rows {
        let class = if row.is_subject {
            " class=\"subject\""
        } else {
            ""
        };
        _ = write!(
            html,
            "<tr{class}><th scope=\"row\">{}</th>",
            escaped(&row.name)
        );
        for nth in 0..MEASURES.len() {
            _ = write!(html, "<td>{}</td>", cell(row, nth));
        }
        html += "</tr>\n";
    }
    html += "</tbody>\n</table>\n";
    html
}
