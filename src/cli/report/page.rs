//! A report on one sheet, as SVG or PNG, or as an HTML page.

use super::charts::{self, SIZE as CHART};
use super::panel::{FAINT, GRID, INK, LINE, Panel, escaped};
use super::scalp::{self, SIZE as DRAWING};
use super::{Report, Row, measures::MEASURES};
use std::fmt::Write as _;

/// Sizes on the sheet, in pixels.
const WIDTH: f64 = 1900.0;
const MARGIN: f64 = 48.0;
const HEADER: f64 = 104.0;
const GAP: f64 = 40.0;
const FOOTER: f64 = 40.0;

/// Sizes in the table, in pixels.
const NAME: f64 = 210.0;
const LINE_HEIGHT: f64 = 31.0;
const TABLE_HEADER: f64 = 44.0;

impl Report<'_> {
    /// Returns the report as a file with this extension: an HTML page with the table as text, SVG,
    /// or else PNG. No file refers to another one.
    ///
    /// # Errors
    /// Something cannot be drawn.
    pub fn to_file(&self, extension: &str) -> anyhow::Result<Vec<u8>> {
        match extension {
            "html" => Ok(html(self)?.into_bytes()),
            _ => sheet(self)?.to_file(extension),
        }
    }
}

/// Draws everything on one sheet.
fn sheet(report: &Report) -> anyhow::Result<Panel> {
    let below = MARGIN + HEADER + DRAWING[1] + GAP;
    let table = table(report, WIDTH - 2.0 * MARGIN);
    let height = (below + table.size[1] + FOOTER + 0.5 * MARGIN).ceil();
    let mut sheet = Panel::new([WIDTH, height]);
    sheet.push(format_args!(
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
    ));
    let title = shortened(&report.title, 90);
    sheet.text([MARGIN, MARGIN + 26.0], 36.0, INK, "start", &title);
    let facts: Vec<String> = (report.facts.iter())
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    let facts = shortened(&facts.join("   ·   "), 170);
    sheet.text([MARGIN, MARGIN + 62.0], 19.0, FAINT, "start", &facts);
    let top = MARGIN + HEADER;
    sheet.put([MARGIN, top], &scalp::panel(report)?);
    let left = MARGIN + DRAWING[0] + GAP;
    for (nth, chart) in charts::panels(report).iter().enumerate() {
        let x = left + (nth % 2) as f64 * (CHART[0] + GAP);
        let y = top + (nth / 2) as f64 * (CHART[1] + GAP);
        sheet.put([x, y], chart);
    }
    sheet.put([MARGIN, below], &table);
    let foot = [MARGIN, height - 0.75 * MARGIN];
    let command = shortened(&report.command, 200);
    sheet.text(foot, 16.0, FAINT, "start", &command);
    Ok(sheet)
}

/// Returns at most `max` characters of a text, with an ellipsis if some are left out.
fn shortened(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    let start: String = text.chars().take(max - 1).collect();
    start + "…"
}

const STYLE: &str = "\
:root{color-scheme:light}\
body{margin:0 auto;max-width:1200px;padding:2rem 1.5rem 4rem;background:#fff;color:#1f2430;\
font:16px/1.5 Ubuntu,Roboto,Arial,sans-serif}\
h1{font-weight:400;font-size:1.9rem;margin:0 0 .3rem}\
h2{font-weight:400;font-size:1.3rem;margin:2.5rem 0 .6rem}\
dl.facts{display:flex;flex-wrap:wrap;gap:.2rem 2rem;margin:0 0 1.5rem}\
dl.facts div{display:flex;gap:.5rem}dt{color:#707786}dd{margin:0}\
svg{max-width:100%;height:auto;display:block}\
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(340px,1fr));gap:2.5rem;\
margin-top:2.5rem}\
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\
th,td{padding:.35rem .6rem;text-align:right;border-bottom:1px solid #e4e7ec;white-space:nowrap}\
th{font-weight:400;color:#707786}tbody th{text-align:left;color:inherit}\
.subject{background:#e9f1f8;color:#2171b5}\
dl.terms{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem}\
code{display:block;padding:.8rem 1rem;background:#f4f5f7;border-radius:6px;overflow-x:auto;\
white-space:pre;font:14px/1.5 monospace}";

fn html(report: &Report) -> anyhow::Result<String> {
    let title = escaped(&report.title);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         <dl class=\"facts\">\n"
    );
    // Writing to a string cannot fail.
    for (name, value) in &report.facts {
        let (name, value) = (escaped(name), escaped(value));
        _ = writeln!(html, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    }
    html += "</dl>\n";
    html += &scalp::panel(report)?.to_svg();
    html += "<div class=\"charts\">\n";
    for chart in charts::panels(report) {
        html += &chart.to_svg();
    }
    html +=
        "</div>\n<h2>Compared with other methods for as many roots</h2>\n<div class=\"wide\">\n";
    let headings = MEASURES.iter().map(|measure| {
        let (about, label) = (escaped(measure.about), escaped(measure.label));
        format!("<th scope=\"col\" title=\"{about}\">{label}</th>")
    });
    let headings: String = headings.collect();
    html += &format!("<table>\n<thead><tr><th></th>{headings}</tr></thead>\n<tbody>\n");
    for row in &report.rows {
        let class = row.is_subject.then_some(" class=\"subject\"");
        let class = class.unwrap_or_default();
        let cells = (0..MEASURES.len()).map(|nth| format!("<td>{}</td>", cell(row, nth)));
        let (name, cells) = (escaped(&row.name), cells.collect::<String>());
        html += &format!("<tr{class}><th scope=\"row\">{name}</th>{cells}</tr>\n");
    }
    html += "</tbody>\n</table>\n</div>\n<h2>The columns</h2>\n<dl class=\"terms\">\n";
    for measure in &MEASURES {
        let (label, about) = (escaped(measure.label), escaped(measure.about));
        _ = writeln!(html, "<dt>{label}</dt><dd>{about}</dd>");
    }
    let command = escaped(&report.command);
    _ = write!(
        html,
        "</dl>\n<h2>Command for this set</h2>\n<code>{command}</code>\n</body>\n</html>\n"
    );
    Ok(html)
}

/// Returns the value of a measure; a dash if it is undefined.
fn cell(row: &Row, nth: usize) -> String {
    let digits = MEASURES[nth].digits;
    row.values[nth].map_or("–".to_owned(), |value| format!("{value:.digits$}"))
}

/// Draws the table.
fn table(report: &Report, width: f64) -> Panel {
    let height = TABLE_HEADER + LINE_HEIGHT * report.rows.len() as f64 + 12.0;
    let mut panel = Panel::new([width, height]);
    let column = (width - NAME) / MEASURES.len() as f64;
    let right = |nth: usize| NAME + column * (nth + 1) as f64 - 8.0;
    for (nth, measure) in MEASURES.iter().enumerate() {
        panel.text([right(nth), 24.0], 16.0, FAINT, "end", measure.label);
    }
    let grid = format!("fill=\"{GRID}\"");
    let rule = |panel: &mut Panel, y: f64| panel.rect([0.0, y], [width, 1.0], &grid);
    rule(&mut panel, TABLE_HEADER - 10.0);
    for (line, row) in report.rows.iter().enumerate() {
        let y = TABLE_HEADER + LINE_HEIGHT * line as f64;
        if row.is_subject {
            let fill = format!("fill=\"{LINE}\" fill-opacity=\"0.1\"");
            panel.rect([0.0, y - 9.0], [width, LINE_HEIGHT], &fill);
        }
        let color = if row.is_subject { LINE } else { INK };
        panel.text([10.0, y + 12.0], 17.0, color, "start", &row.name);
        for nth in 0..MEASURES.len() {
            let place = [right(nth), y + 12.0];
            panel.text(place, 17.0, color, "end", &cell(row, nth));
        }
        rule(&mut panel, y + LINE_HEIGHT - 9.5);
    }
    panel
}
