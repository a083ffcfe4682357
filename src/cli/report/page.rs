//! The whole report on one sheet, or as a page of HTML.

use super::palette::{FAINT, INK};
use super::svg::{Anchor, Panel, escaped};
use super::{MEASURES, Report, ReportError, charts, scalp, table};
use std::fmt::Write as _;

/// Pixels of the sheet.
pub(crate) const WIDTH: f64 = 1900.0;
const MARGIN: f64 = 48.0;
const HEADER: f64 = 104.0;
const DRAWING: [f64; 2] = [1010.0, 880.0];
const CHART: [f64; 2] = [374.0, 420.0];
const GAP: f64 = 40.0;
const FOOTER: f64 = 40.0;

/// One sheet with everything.
pub(crate) fn sheet(report: &Report) -> Result<Panel, ReportError> {
    let below = MARGIN + HEADER + DRAWING[1] + GAP;
    let height = below + table::height(report) + FOOTER + 0.5 * MARGIN;
    let mut sheet = Panel::new(WIDTH, height.ceil());
    // Writing to a string cannot fail.
    _ = writeln!(
        sheet.body,
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
    );
    sheet.text(
        [MARGIN, MARGIN + 26.0],
        36.0,
        INK,
        Anchor::Start,
        &shortened(&report.title, 90),
    );
    let facts: Vec<String> = (report.facts.iter())
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    let facts = shortened(&facts.join("   ·   "), 170);
    sheet.text([MARGIN, MARGIN + 62.0], 19.0, FAINT, Anchor::Start, &facts);
    let top = MARGIN + HEADER;
    sheet.put(
        [MARGIN, top],
        &scalp::panel(report, DRAWING[0], DRAWING[1])?,
    );
    let left = MARGIN + DRAWING[0] + GAP;
    for (nth, chart) in charts::panels(report, CHART[0], CHART[1])?
        .iter()
        .enumerate()
    {
        let x = left + (nth % 2) as f64 * (CHART[0] + GAP);
        let y = top + (nth / 2) as f64 * (CHART[1] + GAP);
        sheet.put([x, y], chart);
    }
    sheet.put([MARGIN, below], &table::panel(report, WIDTH - 2.0 * MARGIN));
    let foot = [MARGIN, sheet.height - 0.75 * MARGIN];
    sheet.text(
        foot,
        16.0,
        FAINT,
        Anchor::Start,
        &shortened(&report.command, 200),
    );
    Ok(sheet)
}

/// What fits on a line.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most - 1).collect();
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

/// The same as a page, with a table that can be copied.
pub(crate) fn html(report: &Report) -> Result<String, ReportError> {
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
    html += &scalp::panel(report, DRAWING[0], DRAWING[1])?.document();
    html += "<div class=\"charts\">\n";
    for chart in charts::panels(report, CHART[0], CHART[1])? {
        html += &chart.document();
    }
    html += "</div>\n<h2>Against other ways to choose as many</h2>\n<div class=\"wide\">\n";
    html += &table::html(report);
    html += "</div>\n<h2>What the columns say</h2>\n<dl class=\"terms\">\n";
    for measure in &MEASURES {
        let (label, about) = (escaped(measure.label), escaped(measure.about));
        _ = writeln!(html, "<dt>{label}</dt><dd>{about}</dd>");
    }
    let command = escaped(&report.command);
    _ = write!(
        html,
        "</dl>\n<h2>To make it again</h2>\n<code>{command}</code>\n</body>\n</html>\n"
    );
    Ok(html)
}
