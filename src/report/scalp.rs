//! The scalp with its roots: a disc of half the spacing for each, or a dot, and a closer look.

use super::palette::{FAINT, INK, WORST, hex, viridis};
use super::svg::{Anchor, Panel};
use super::view::{Surface, View};
use super::{Judged, Report, ReportError};
use base64::Engine;
use glam::{DVec3, Vec3};
use std::fmt::Write as _;

/// Shades that are told apart.
const SHADES: usize = 48;

/// With more roots there is a closer look, of a stretch with about [`CLOSE`] of them.
const MANY: usize = 600;
const CLOSE: f64 = 220.0;

/// Discs thinner than this many pixels are dots.
const THINNEST: f64 = 3.0;

/// More dots than this go into the picture of the surface.
const MOST_DOTS: usize = 60_000;

/// A face nearer to edge-on than this has no discs to show.
const EDGE_ON: f64 = 0.08;

const GUTTER: f64 = 36.0;
const LEGEND: f64 = 74.0;
const LABEL: f64 = 34.0;

/// What the colours of the roots mean.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// From the 1st to the 99th percentile of the distances, in r_max.
    fn of(nearest: &[f64], r_max: f64) -> Scale {
        let finite = nearest.iter().filter(|d| d.is_finite());
        let mut known: Vec<f64> = finite.map(|d| d / r_max).collect();
        known.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| known.get((share * known.len().saturating_sub(1) as f64) as usize);
        let (low, high) = (at(0.01).copied(), at(0.99).copied());
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

pub(super) fn panel(report: &Report, width: f64, height: f64) -> Result<Panel, ReportError> {
    let set = report.set;
    let scale = Scale::of(&report.nearest, set.r_max());
    let shades: Vec<usize> = (report.nearest.iter())
        .map(|d| (scale.share(d / set.r_max()) * SHADES as f64) as usize)
        .map(|shade| shade.min(SHADES - 1))
        .collect();
    let mut panel = Panel::new(width, height);
    let room = height - LEGEND - LABEL;
    let is_close = set.measures.count > MANY;
    let main = if is_close {
        0.5 * (width - GUTTER)
    } else {
        width
    };

    let whole = View::whole(report.scalp, main, room);
    let close = close_view(report, width - main - GUTTER, room).filter(|_| is_close);
    let mut drawing = picture(report, &whole, &shades)?;
    if let Some(close) = &close {
        frame(&mut drawing, &whole, close, set);
    }
    panel.put([0.0, LABEL], &drawing);
    let shown = "all of it, from where most is seen";
    panel.text([0.0, 18.0], 17.0, FAINT, Anchor::Start, shown);
    if let Some(close) = &close {
        let at = width - close.width;
        panel.put([at, LABEL], &picture(report, close, &shades)?);
        let label = match set.distribution.largest_gap {
            Some(_) => "around the largest gap, from above it",
            None => "a part, from above it",
        };
        panel.text([at, 18.0], 17.0, FAINT, Anchor::Start, label);
    }
    legend(&mut panel, report, &scale);
    Ok(panel)
}

/// Around the largest gap, or else around the first root.
fn close_view(report: &Report, width: f64, height: f64) -> Option<View> {
    let set = report.set;
    let gap = set.distribution.largest_gap;
    let (point, normal) = match gap {
        Some(gap) => (gap.position, report.scalp.face_normal(gap.triangle)),
        None => (
            *set.roots.positions.first()?,
            *set.roots.face_normals.first()?,
        ),
    };
    let per_root = set.measures.area / set.measures.count as f64;
    let across = (CLOSE * per_root * width.min(height) / width.max(height)).sqrt();
    let across = across.max(gap.map_or(0.0, |gap| 3.0 * gap.radius));
    Some(View::near(point, normal, across, width, height))
}

/// Surface, roots and the largest gap.
fn picture(report: &Report, view: &View, shades: &[usize]) -> Result<Panel, ReportError> {
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
            surface.spot(*p, viridis(shares(shades[*root])));
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
    for (shade, shapes) in by_shade.iter().enumerate().filter(|(_, s)| !s.is_empty()) {
        let color = hex(viridis(shares(shade)));
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
    gap(&mut panel, report, view, &surface);
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

fn gap(panel: &mut Panel, report: &Report, view: &View, surface: &Surface) {
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
    if radius < 12.0 {
        return;
    }
    // Beside the ring, on the side where there is more room.
    let is_left = p.x > 0.5 * view.width;
    let away = radius + 10.0;
    let (x, anchor, start) = if is_left {
        (p.x - away, Anchor::End, p.x - away - 172.0)
    } else {
        (p.x + away, Anchor::Start, p.x + away - 8.0)
    };
    _ = writeln!(
        panel.body,
        "<rect x=\"{start:.1}\" y=\"{:.1}\" width=\"180\" height=\"28\" rx=\"5\" fill=\"#ffffff\" \
         fill-opacity=\"0.9\"/>",
        p.y - 15.0
    );
    let label = format!("largest gap {:.4}{}", gap.radius, report.unit);
    panel.text([x, p.y + 5.0], 17.0, WORST, anchor, &label);
}

/// Where the closer look is, in the whole.
fn frame(panel: &mut Panel, whole: &View, close: &View, set: &Judged) {
    let centre = set.distribution.largest_gap.map(|gap| gap.position);
    let centre: Option<Vec3> = centre.or(set.roots.positions.first().copied());
    let Some(centre) = centre else { return };
    // From the other side there is nothing to frame.
    if whole.toward.dot(close.toward) < EDGE_ON {
        return;
    }
    let p = whole.project(centre);
    let factor = whole.scale / close.scale;
    let (width, height) = (close.width * factor, close.height * factor);
    let color = hex(INK);
    // Writing to a string cannot fail.
    _ = writeln!(
        panel.body,
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"none\" \
         stroke=\"{color}\" stroke-width=\"1.5\"/>",
        p.x - 0.5 * width,
        p.y - 0.5 * height
    );
}

fn legend(panel: &mut Panel, report: &Report, scale: &Scale) {
    const BAR: f64 = 320.0;
    let top = panel.height - LEGEND + 24.0;
    let stops: String = (0..=16)
        .map(|nth| {
            let share = f64::from(nth) / 16.0;
            let color = hex(viridis(share));
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
        "r_max = {:.4}{}, of a hexagonal lattice; discs have half the spacing as radius",
        report.set.r_max(),
        report.unit
    );
    panel.text([BAR + 22.0, top + 34.0], 15.0, FAINT, Anchor::Start, &r_max);
}
