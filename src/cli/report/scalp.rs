//! The scalp with its roots: a disc of half the spacing for each, or a dot, and a closer look.

use super::palette::{FAINT, INK, WORST, hex, shade};
use super::svg::{Anchor, Panel};
use super::view::{Surface, View};
use super::{Report, ReportError};
use base64::Engine;
use glam::{DVec2, DVec3};
use std::fmt::Write as _;

/// Shades that are told apart.
const SHADES: usize = 48;

/// Where the discs are thinner than this many pixels, and they are many, there is a closer look,
/// of a stretch with about [`CLOSE`] of them.
const THIN: f64 = 22.0;
const MANY: usize = 60;
const CLOSE: f64 = 240.0;

/// Discs thinner than this many pixels are dots.
const THINNEST: f64 = 3.0;

/// More dots than this go into the picture of the surface.
const MOST_DOTS: usize = 60_000;

/// A face nearer to edge-on than this has no discs to show.
const EDGE_ON: f64 = 0.08;

/// Pixels between the largest gap and the edge of the closer look.
const EDGE: f64 = 24.0;

const GUTTER: f64 = 36.0;
const LEGEND: f64 = 74.0;
const LABEL: f64 = 34.0;

/// What the colours of the roots mean.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// From the 1st to the 96th percentile of the distances, in r_max: a few far ones would leave
    /// the others one colour.
    fn of(nearest: &[f64], r_max: f64) -> Scale {
        let finite = nearest.iter().filter(|d| d.is_finite());
        let mut known: Vec<f64> = finite.map(|d| d / r_max).collect();
        known.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| known.get((share * known.len().saturating_sub(1) as f64) as usize);
        let (low, high) = (at(0.01).copied(), at(0.96).copied());
        let (low, high) = (low.unwrap_or(0.0), high.unwrap_or(1.0));
        // A lattice has one distance: some room around it.
        let room = (0.02 - (high - low)).max(0.0);
        Scale {
            low: (low - room).max(0.0),
            high: high + room,
        }
    }

    fn share(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }
}

pub(crate) fn panel(report: &Report, width: f64, height: f64) -> Result<Panel, ReportError> {
    let set = report.set;
    let scale = Scale::of(&report.nearest, set.r_max());
    let shades: Vec<usize> = (report.nearest.iter())
        .map(|d| (scale.share(d / set.r_max()) * SHADES as f64) as usize)
        .map(|shade| shade.min(SHADES - 1))
        .collect();
    let mut panel = Panel::new(width, height);
    let room = height - LEGEND - LABEL;
    let whole = View::whole(report.scalp, width, room);
    let disc = f64::from(set.roots.spacing).max(0.5 * set.r_max()) * whole.scale;
    let is_close = disc < THIN && set.measures.count > MANY;
    let [main, rest] = if is_close {
        split(&whole)
    } else {
        [[0.0, 0.0, width, room]; 2]
    };
    let whole = View::whole(report.scalp, main[2], main[3]);
    let close = close_view(report, rest[2], rest[3]).filter(|_| is_close);
    let mut drawing = picture(report, &whole, &shades, close.is_none())?;
    if let Some(close) = &close {
        frame(&mut drawing, &whole, close);
    }
    panel.put([main[0], LABEL + main[1]], &drawing);
    panel.text([0.0, 18.0], 17.0, FAINT, Anchor::Start, "the whole");
    if let Some(close) = &close {
        panel.put(
            [rest[0], LABEL + rest[1]],
            &picture(report, close, &shades, true)?,
        );
        let label = match set.distribution.largest_gap {
            Some(_) => "around the largest gap, from above it",
            None => "a part, from above it",
        };
        let at = [rest[0], rest[1] + 18.0];
        panel.text(at, 17.0, FAINT, Anchor::Start, label);
    }
    legend(&mut panel, report, &scale);
    Ok(panel)
}

/// Where the whole and the closer look go, each as left, top, width and height: side by side,
/// or one above the other where the whole is wide.
fn split(whole: &View) -> [[f64; 4]; 2] {
    let (width, room) = (whole.width, whole.height);
    let aspect = whole.extent.x / whole.extent.y;
    if aspect > 1.8 {
        let main = (width / aspect).clamp(120.0, 0.5 * (room - GUTTER));
        let top = main + GUTTER;
        return [[0.0, 0.0, width, main], [0.0, top, width, room - top]];
    }
    let main = (1.08 * room * aspect).clamp(130.0, 0.56 * (width - GUTTER));
    let left = main + GUTTER;
    let down = (1.08 * main / aspect).min(room);
    [[0.0, 0.0, main, down], [left, 0.0, width - left, room]]
}

/// Around the largest gap, or else around the first root.
fn close_view(report: &Report, width: f64, height: f64) -> Option<View> {
    let set = report.set;
    let roots = &set.roots;
    let gap = set.distribution.largest_gap;
    let (point, normal) = match gap {
        Some(gap) => (gap.position, report.scalp.face_normal(gap.triangle)),
        None => (*roots.positions.first()?, *roots.face_normals.first()?),
    };
    let count = set.measures.count as f64;
    let per_root = set.measures.area / count;
    let shown = CLOSE.min(0.5 * count);
    let across = (shown * per_root * width.min(height) / width.max(height)).sqrt();
    let across = across.max(gap.map_or(0.0, |gap| 3.0 * gap.radius));
    let mut view = View::near(point, normal, across, width, height);
    // A gap at a border has nothing beyond it: look at where the roots around it are.
    let seen = |p: &&DVec3| view.contains(**p, 0.0) && p.z.abs() < across;
    let around: Vec<DVec3> = roots.positions.iter().map(|&p| view.project(p)).collect();
    let around: Vec<DVec3> = around.iter().filter(seen).copied().collect();
    if !around.is_empty() {
        let mean = around.iter().sum::<DVec3>() / around.len() as f64;
        let middle = 0.5 * DVec2::new(width, height);
        let reach = gap.map_or(0.0, |gap| gap.radius * view.scale) + EDGE;
        let most = (middle - reach).max(DVec2::ZERO);
        // Where a part of the view is empty, the mean is half of that part away from the middle.
        let away = 2.0 * (mean.truncate() - middle);
        view.move_to(middle + away.clamp(-most, most));
    }
    Some(view)
}

/// Surface, roots and the largest gap, with its size if it `is_told`.
fn picture(
    report: &Report,
    view: &View,
    shades: &[usize],
    is_told: bool,
) -> Result<Panel, ReportError> {
    let roots = &report.set.roots;
    let mut surface = Surface::of(report.scalp, view);
    let radius = 0.5 * f64::from(roots.spacing) * view.scale;
    // Discs of sets that keep no distance would not show.
    let dot = (0.18 * report.set.r_max() * view.scale).clamp(0.7, 3.0);
    let are_discs = 2.0 * radius >= THINNEST;
    let slack = slack(report);
    let visible: Vec<(usize, DVec3, DVec3)> = (0..roots.positions.len())
        .filter_map(|root| {
            let turned = view.turn(roots.face_normals[root]);
            if turned.z < EDGE_ON {
                return None;
            }
            let p = view.project(roots.positions[root]);
            let margin = radius.max(dot);
            (view.contains(p, margin) && surface.shows(p, slack)).then_some((root, p, turned))
        })
        .collect();
    let baked = !are_discs && visible.len() > MOST_DOTS;
    if baked {
        for (root, p, _) in &visible {
            surface.spot(*p, shade(shares(shades[*root])));
        }
    }
    let mut panel = Panel::new(view.width, view.height);
    let png = surface.png().map_err(ReportError::Picture)?;
    let data = base64::engine::general_purpose::STANDARD.encode(png);
    // Writing to a string cannot fail.
    _ = writeln!(
        panel.body,
        "<image width=\"{}\" height=\"{}\" href=\"data:image/png;base64,{data}\"/>",
        view.width.floor(),
        view.height.floor()
    );
    let mut by_shade = vec![String::new(); SHADES];
    for (root, p, turned) in visible.iter().filter(|_| !baked) {
        let shapes = &mut by_shade[shades[*root]];
        _ = if are_discs {
            disc(shapes, *p, *turned, radius)
        } else {
            write!(shapes, "M{:.1} {:.1}h0", p.x, p.y)
        };
    }
    for (nth, shapes) in by_shade.iter().enumerate().filter(|(_, s)| !s.is_empty()) {
        let color = hex(shade(shares(nth)));
        _ = if are_discs {
            writeln!(
                panel.body,
                "<g fill=\"{color}\" fill-opacity=\"0.9\">{shapes}</g>"
            )
        } else {
            let width = 2.0 * dot;
            writeln!(
                panel.body,
                "<path stroke=\"{color}\" stroke-width=\"{width:.1}\" stroke-linecap=\"round\" d=\"{shapes}\"/>"
            )
        };
    }
    gap(&mut panel, report, view, &surface, is_told);
    Ok(panel)
}

/// How far a root may lie below the surface and still show: given points need not lie on it.
fn slack(report: &Report) -> f64 {
    let (low, high) = report.scalp.bounds();
    0.01 * f64::from(low.distance(high))
}

fn shares(shade: usize) -> f64 {
    (shade as f64 + 0.5) / SHADES as f64
}

/// A disc that lies on the surface: foreshortened along its normal.
fn disc(out: &mut String, p: DVec3, normal: DVec3, radius: f64) -> std::fmt::Result {
    let angle = normal.y.atan2(normal.x).to_degrees();
    let short = radius * normal.z;
    if short > 0.985 * radius {
        return write!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius:.2}\"/>",
            p.x, p.y
        );
    }
    write!(
        out,
        "<ellipse rx=\"{short:.2}\" ry=\"{radius:.2}\" \
         transform=\"translate({:.1} {:.1})rotate({angle:.0})\"/>",
        p.x, p.y
    )
}

fn gap(panel: &mut Panel, report: &Report, view: &View, surface: &Surface, is_told: bool) {
    let Some(gap) = report.set.distribution.largest_gap else {
        return;
    };
    let p = view.project(gap.position);
    let turned = view.turn(report.scalp.face_normal(gap.triangle));
    let radius = gap.radius * view.scale;
    if turned.z < EDGE_ON || !view.contains(p, 0.0) || !surface.shows(p, slack(report)) {
        return;
    }
    let mut ring = String::new();
    // Writing to a string cannot fail. A ring of a pixel would not be found.
    _ = disc(&mut ring, p, turned, radius.max(5.0));
    let color = hex(WORST);
    _ = writeln!(
        panel.body,
        "<g fill=\"none\" stroke=\"#ffffff\" stroke-width=\"5\" stroke-opacity=\"0.85\">{ring}</g>\n\
         <g fill=\"none\" stroke=\"{color}\" stroke-width=\"2.5\">{ring}</g>"
    );
    if !is_told {
        return;
    }
    // Within the ring, or beside it where there is more room.
    let label = format!("largest gap {:.4}{}", gap.radius, report.unit);
    let long = 8.8 * label.len() as f64 + 12.0;
    let away = radius.max(5.0) + 4.0 + 0.5 * long;
    let beside = if p.x > 0.5 * view.width {
        p.x - away
    } else {
        p.x + away
    };
    let is_within = 2.0 * turned.z * radius > long + 16.0;
    let x = if is_within { p.x } else { beside };
    let x = x.max(0.5 * long).min(view.width - 0.5 * long);
    let start = x - 0.5 * long;
    _ = writeln!(
        panel.body,
        "<rect x=\"{start:.1}\" y=\"{:.1}\" width=\"{long:.1}\" height=\"28\" rx=\"5\" \
         fill=\"#ffffff\" fill-opacity=\"0.9\"/>",
        p.y - 15.0
    );
    panel.text([x, p.y + 5.0], 17.0, WORST, Anchor::Middle, &label);
}

/// Where the closer look is, in the whole.
fn frame(panel: &mut Panel, whole: &View, close: &View) {
    // From the other side there is nothing to frame.
    if whole.toward.dot(close.toward) < EDGE_ON {
        return;
    }
    // Of a closer look that reaches over the edge, what is in sight.
    let most = DVec2::new(whole.width - 2.0, whole.height - 2.0);
    let within = |corner| {
        whole
            .project_exact(corner)
            .truncate()
            .clamp(DVec2::splat(2.0), most)
    };
    let corners = close.corners().map(within);
    let points: String = (corners.iter())
        .map(|p| format!("{:.1},{:.1} ", p.x, p.y))
        .collect();
    let color = hex(INK);
    // Writing to a string cannot fail.
    _ = writeln!(
        panel.body,
        "<polygon points=\"{points}\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"5\"/>\n\
         <polygon points=\"{points}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>"
    );
}

fn legend(panel: &mut Panel, report: &Report, scale: &Scale) {
    const BAR: f64 = 320.0;
    let top = panel.height - LEGEND + 24.0;
    let stops: String = (0..=16)
        .map(|nth| {
            let share = f64::from(nth) / 16.0;
            let color = hex(shade(share));
            format!("<stop offset=\"{share}\" stop-color=\"{color}\"/>")
        })
        .collect();
    // Writing to a string cannot fail.
    _ = writeln!(
        panel.body,
        "<linearGradient id=\"nearest\">{stops}</linearGradient>\n\
         <rect x=\"0\" y=\"{top:.1}\" width=\"{BAR}\" height=\"14\" rx=\"3\" fill=\"url(#nearest)\"/>"
    );
    for nth in 0..=4 {
        let share = f64::from(nth) / 4.0;
        let value = format!("{:.2}", scale.low + share * (scale.high - scale.low));
        let anchor = match nth {
            0 => Anchor::Start,
            4 => Anchor::End,
            _ => Anchor::Middle,
        };
        panel.text([share * BAR, top + 34.0], 15.0, INK, anchor, &value);
    }
    let label = "distance to the nearest root / r_max";
    panel.text([BAR + 22.0, top + 12.0], 17.0, INK, Anchor::Start, label);
    let r_max = format!(
        "r_max = {:.4}{}, as in a hexagonal lattice; radius of a disc: half the spacing",
        report.set.r_max(),
        report.unit
    );
    panel.text([BAR + 22.0, top + 34.0], 15.0, FAINT, Anchor::Start, &r_max);
}
