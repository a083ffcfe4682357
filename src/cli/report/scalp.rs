//! The scalp with its roots, each as a disc of half the spacing or as a dot, and a close view.

use super::Report;
use super::panel::{FAINT, INK, Panel, WORST, hex, listed, shade};
use super::view::{Surface, View};
use crate::cli::output;
use anyhow::Result;
use base64::Engine;
use glam::{DVec2, DVec3};

/// The size of the drawing, in pixels.
pub const SIZE: [f64; 2] = [1010.0, 880.0];

/// Number of different shades.
const SHADES: usize = 48;

/// Diameter of discs, in pixels, and number of roots for which there is a close view.
const CLOSE_BELOW: f64 = 22.0;
const CLOSE_ABOVE: usize = 60;
/// Approximate number of roots in the close view.
const CLOSE_ROOTS: f64 = 240.0;

/// Diameter below which discs are drawn as dots, in pixels.
const MIN_DISC: f64 = 3.0;

/// Largest number of dots that are SVG elements; more are drawn into the picture of the surface.
const MAX_DOTS: usize = 60_000;

/// Cosine to the line of sight below which faces show no discs.
const EDGE_ON: f64 = 0.08;

/// Distance between the largest gap and the edge of the close view, in pixels.
const EDGE: f64 = 24.0;

const GUTTER: f64 = 36.0;
const LEGEND: f64 = 74.0;
const LABEL: f64 = 34.0;

/// Returns the distances of the first and the last colour, in r_max: the 1st and the 96th
/// percentile, so that a few large ones do not leave one colour to all others.
fn scale(nearest: &[f64], r_max: f64) -> [f64; 2] {
    let finite = nearest.iter().filter(|d| d.is_finite());
    let mut known: Vec<f64> = finite.map(|d| d / r_max).collect();
    known.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| known.get((share * known.len().saturating_sub(1) as f64) as usize);
    let (low, high) = (at(0.01).unwrap_or(&0.0), at(0.96).unwrap_or(&1.0));
    // The distances in a lattice are equal.
    let margin = (0.02 - (high - low)).max(0.0);
    [(low - margin).max(0.0), high + margin]
}

/// Draws the scalp with its roots.
pub fn panel(report: &Report) -> Result<Panel> {
    let set = report.set;
    let scale @ [low, high] = scale(&report.nearest, set.r_max());
    let share = |distance: &f64| (distance / set.r_max() - low) / (high - low);
    let shades = report.nearest.iter().map(share);
    let shades = shades.map(|share| ((share * SHADES as f64) as usize).min(SHADES - 1));
    let shades: Vec<usize> = shades.collect();
    let mut panel = Panel::new(SIZE);
    let room = DVec2::new(SIZE[0], SIZE[1] - LEGEND - LABEL);
    let whole = View::whole(report.scalp, room);
    let disc = f64::from(set.roots.spacing).max(0.5 * set.r_max()) * whole.scale;
    let is_close = disc < CLOSE_BELOW && set.distribution.count > CLOSE_ABOVE;
    let [(main, main_size), (rest, rest_size)] = match is_close {
        true => split(&whole),
        false => [(DVec2::ZERO, room); 2],
    };
    let whole = View::whole(report.scalp, main_size);
    let close = close_view(report, rest_size).filter(|_| is_close);
    let mut drawing = picture(report, &whole, &shades, close.is_none())?;
    if let Some(close) = &close {
        frame(&mut drawing, &whole, close);
    }
    panel.put([main.x, LABEL + main.y], &drawing);
    panel.text([0.0, 18.0], 17.0, FAINT, "start", "whole scalp");
    if let Some(close) = &close {
        let drawing = picture(report, close, &shades, true)?;
        panel.put([rest.x, LABEL + rest.y], &drawing);
        let label = match set.distribution.largest_gap {
            Some(_) => "close view of the largest gap",
            None => "close view",
        };
        panel.text([rest.x, rest.y + 18.0], 17.0, FAINT, "start", label);
    }
    legend(&mut panel, report, scale);
    Ok(panel)
}

/// Returns the places (upper left corner, size) of the whole and of the close view. A wide scalp
/// has its close view below, others beside it.
fn split(whole: &View) -> [(DVec2, DVec2); 2] {
    let (room, aspect) = (whole.size, whole.extent.x / whole.extent.y);
    let (main, corner) = if aspect > 1.8 {
        let down = (room.x / aspect).clamp(120.0, 0.5 * (room.y - GUTTER));
        (DVec2::new(room.x, down), DVec2::new(0.0, down + GUTTER))
    } else {
        let across = (1.08 * room.y * aspect).clamp(130.0, 0.56 * (room.x - GUTTER));
        let down = (1.08 * across / aspect).min(room.y);
        (DVec2::new(across, down), DVec2::new(across + GUTTER, 0.0))
    };
    [(DVec2::ZERO, main), (corner, room - corner)]
}

/// Returns the close view: of the largest gap, or else of the first root.
fn close_view(report: &Report, size: DVec2) -> Option<View> {
    let set = report.set;
    let roots = &set.roots;
    let gap = set.distribution.largest_gap;
    let (point, normal) = match gap {
        Some(gap) => (gap.position, report.scalp.face_normal(gap.triangle)),
        None => (*roots.positions.first()?, *roots.face_normals.first()?),
    };
    let count = set.distribution.count as f64;
    let per_root = set.distribution.area / count;
    let shown = CLOSE_ROOTS.min(0.5 * count);
    let across = (shown * per_root * size.min_element() / size.max_element()).sqrt();
    let across = across.max(gap.map_or(0.0, |gap| 3.0 * gap.radius));
    let mut view = View::near(point, normal, across, size);
    // There is no scalp beyond a gap at the border: move towards the roots around it.
    let seen = |p: &&DVec3| view.contains(**p, 0.0) && p.z.abs() < across;
    let around: Vec<DVec3> = roots.positions.iter().map(|&p| view.project(p)).collect();
    let around: Vec<DVec3> = around.iter().filter(seen).copied().collect();
    if !around.is_empty() {
        let mean = around.iter().sum::<DVec3>() / around.len() as f64;
        let middle = 0.5 * size;
        let reach = gap.map_or(0.0, |gap| gap.radius * view.scale) + EDGE;
        let max = (middle - reach).max(DVec2::ZERO);
        // The mean is off the middle by half of the empty part.
        let away = 2.0 * (mean.truncate() - middle);
        view.move_to(middle + away.clamp(-max, max));
    }
    Some(view)
}

/// Draws the surface, the roots and the largest gap, with the size of the gap if `has_label`.
fn picture(report: &Report, view: &View, shades: &[usize], has_label: bool) -> Result<Panel> {
    let roots = &report.set.roots;
    let mut surface = Surface::of(report.scalp, view);
    let radius = 0.5 * f64::from(roots.spacing) * view.scale;
    // Sets with close pairs have discs too small to see.
    let dot = (0.18 * report.set.r_max() * view.scale).clamp(0.7, 3.0);
    let are_discs = 2.0 * radius >= MIN_DISC;
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
    let in_surface = !are_discs && visible.len() > MAX_DOTS;
    if in_surface {
        for (root, p, _) in &visible {
            surface.spot(*p, shade(shares(shades[*root])));
        }
    }
    let mut panel = Panel::new(view.size.to_array());
    let png = output::png(&surface.picture())?;
    let data = base64::engine::general_purpose::STANDARD.encode(png);
    let [width, height] = view.size.floor().to_array();
    panel.push(format_args!(
        "<image width=\"{width}\" height=\"{height}\" href=\"data:image/png;base64,{data}\"/>"
    ));
    let mut by_shade = vec![String::new(); SHADES];
    for (root, p, turned) in visible.iter().filter(|_| !in_surface) {
        by_shade[shades[*root]] += &match are_discs {
            true => disc(*p, *turned, radius),
            false => format!("M{:.1} {:.1}h0", p.x, p.y),
        };
    }
    for (nth, shapes) in by_shade.iter().enumerate().filter(|(_, s)| !s.is_empty()) {
        let color = hex(shade(shares(nth)));
        if are_discs {
            panel.push(format_args!(
                "<g fill=\"{color}\" fill-opacity=\"0.9\">{shapes}</g>"
            ));
        } else {
            let width = 2.0 * dot;
            panel.push(format_args!(
                "<path stroke=\"{color}\" stroke-width=\"{width:.1}\" stroke-linecap=\"round\" \
                 d=\"{shapes}\"/>"
            ));
        }
    }
    gap(&mut panel, report, view, &surface, has_label);
    Ok(panel)
}

/// Returns the largest depth of visible roots: points from a file need not lie on the surface.
fn slack(report: &Report) -> f64 {
    let (low, high) = report.scalp.bounds();
    0.01 * f64::from(low.distance(high))
}

/// Returns the share in the middle of a shade.
fn shares(shade: usize) -> f64 {
    (shade as f64 + 0.5) / SHADES as f64
}

/// Returns a disc on the surface, foreshortened along its normal.
fn disc(p: DVec3, normal: DVec3, radius: f64) -> String {
    let angle = normal.y.atan2(normal.x).to_degrees();
    let (DVec2 { x, y }, short) = (p.truncate(), radius * normal.z);
    if short > 0.985 * radius {
        return format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.2}\"/>");
    }
    format!(
        "<ellipse rx=\"{short:.2}\" ry=\"{radius:.2}\" \
         transform=\"translate({x:.1} {y:.1})rotate({angle:.0})\"/>"
    )
}

/// Draws a ring around the largest gap, with a label if `has_label`.
fn gap(panel: &mut Panel, report: &Report, view: &View, surface: &Surface, has_label: bool) {
    let Some(gap) = report.set.distribution.largest_gap else {
        return;
    };
    let p = view.project(gap.position);
    let turned = view.turn(report.scalp.face_normal(gap.triangle));
    let radius = gap.radius * view.scale;
    if turned.z < EDGE_ON || !view.contains(p, 0.0) || !surface.shows(p, slack(report)) {
        return;
    }
    // A ring of a pixel would be overlooked.
    let ring = disc(p, turned, radius.max(5.0));
    panel.push(format_args!(
        "<g fill=\"none\" stroke=\"#ffffff\" stroke-width=\"5\" stroke-opacity=\"0.85\">{ring}</g>\n\
         <g fill=\"none\" stroke=\"{WORST}\" stroke-width=\"2.5\">{ring}</g>"
    ));
    if !has_label {
        return;
    }
    // The label is within the ring, or else beside it towards the middle.
    let label = format!("largest gap {:.4}{}", gap.radius, report.unit);
    let long = 8.8 * label.len() as f64 + 12.0;
    let away = radius.max(5.0) + 4.0 + 0.5 * long;
    let x = match p.x > 0.5 * view.size.x {
        _ if 2.0 * turned.z * radius > long + 16.0 => p.x,
        true => p.x - away,
        false => p.x + away,
    };
    let x = x.max(0.5 * long).min(view.size.x - 0.5 * long);
    let start = x - 0.5 * long;
    let paper = "rx=\"5\" fill=\"#ffffff\" fill-opacity=\"0.9\"";
    panel.rect([start, p.y - 15.0], [long, 28.0], paper);
    panel.text([x, p.y + 5.0], 17.0, WORST, "middle", &label);
}

/// Draws the frame of the close view into the whole.
fn frame(panel: &mut Panel, whole: &View, close: &View) {
    // The part is not visible from the other side.
    if whole.toward.dot(close.toward) < EDGE_ON {
        return;
    }
    // A close view may reach over the edge.
    let within = |corner| {
        let place = whole.project_exact(corner).truncate();
        let place = place.clamp(DVec2::splat(2.0), whole.size - 2.0);
        place.to_array()
    };
    let points = listed(close.corners().map(within));
    panel.push(format_args!(
        "<polygon points=\"{points}\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"5\"/>\n\
         <polygon points=\"{points}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"2\"/>"
    ));
}

/// Draws the colour scale of the roots.
fn legend(panel: &mut Panel, report: &Report, [low, high]: [f64; 2]) {
    const BAR: f64 = 320.0;
    let top = SIZE[1] - LEGEND + 24.0;
    let stops: String = (0..=16)
        .map(|nth| {
            let share = f64::from(nth) / 16.0;
            let color = hex(shade(share));
            format!("<stop offset=\"{share}\" stop-color=\"{color}\"/>")
        })
        .collect();
    panel.push(format_args!(
        "<linearGradient id=\"nearest\">{stops}</linearGradient>\n\
         <rect x=\"0\" y=\"{top:.1}\" width=\"{BAR}\" height=\"14\" rx=\"3\" fill=\"url(#nearest)\"/>"
    ));
    for nth in 0..=4 {
        let share = f64::from(nth) / 4.0;
        let value = format!("{:.2}", low + share * (high - low));
        let anchor = match nth {
            0 => "start",
            4 => "end",
            _ => "middle",
        };
        panel.text([share * BAR, top + 34.0], 15.0, INK, anchor, &value);
    }
    let label = "distance to the nearest root / r_max";
    panel.text([BAR + 22.0, top + 12.0], 17.0, INK, "start", label);
    let r_max = format!(
        "r_max = {:.4}{}, as in a hexagonal lattice; radius of a disc: half the spacing",
        report.set.r_max(),
        report.unit
    );
    panel.text([BAR + 22.0, top + 34.0], 15.0, FAINT, "start", &r_max);
}
