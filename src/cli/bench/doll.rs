//! A step of the comb over a doll's hair, and a picture of it.

use super::harness::{Report, Row, best_ns};
use glam::DVec2;
use mohawk::doll::{COUNTS, Doll, DollBrush, DollHair, DollSession, DollSettings};

/// The place where the comb moves to and fro, pixels of the page.
const AT: DVec2 = DVec2::new(310.0, 300.0);
/// A step of a stroke, pixels.
const STEP: f64 = 4.0;

pub fn measure(report: &mut Report) -> anyhow::Result<()> {
    report.show("a doll");
    let settings = DollSettings {
        hairs: COUNTS[1],
        ..DollSettings::default()
    };
    let doll = Doll::grown(settings)?;
    let count = doll.hairs.len();
    let mut session = combing(doll.clone());
    let (mut x, mut way) = (AT.x, STEP);
    let ns = best_ns(count, || {
        x += way;
        way = -way;
        session.move_to(x, AT.y);
    });
    let mut hairs = doll.hairs.clone();
    let (mut at, mut moved) = (AT, DVec2::new(STEP, 0.0));
    let naive_ns = best_ns(count, || {
        at += moved;
        listed_step(&mut hairs, at, moved);
        moved = -moved;
    });
    let text = format!(
        "a hair: one step of combing, a usual brush, {:.3} ms for all",
        ns * count as f64 * 1e-6
    );
    report.add(Row {
        threads: 1,
        naive_ns_per_element: Some(naive_ns),
        ..Row::new("doll", text, count, ns)
    })?;
    #[cfg(feature = "viewer")]
    {
        draw(report, &Doll::grown(DollSettings::default())?)?;
        draw(report, &doll)?;
    }
    Ok(())
}

/// Returns a session in which combing has begun.
fn combing(doll: Doll) -> DollSession {
    let mut session = DollSession::new(doll);
    session.begin(DollBrush::default());
    session.move_to(AT.x, AT.y);
    session
}

/// Takes a step as the source's listing does: of six samples of each curve, each that is within the
/// circle moves the hair once; then all hair is pulled back.
fn listed_step(hairs: &mut [DollHair], at: DVec2, moved: DVec2) {
    let mut nearby = Vec::new();
    for (number, hair) in hairs.iter().enumerate() {
        for sample in 0..=5 {
            let place = hair.curve.at(f64::from(sample) * 0.2);
            if place.distance(at) < 30.0 {
                nearby.push(number);
            }
        }
    }
    for number in nearby {
        let curve = &mut hairs[number].curve;
        curve.to += 0.5 * moved;
        let across = (curve.to - curve.from).perp();
        if moved.project_onto(across).x.abs() < 10.0 {
            curve.mid = 0.85 * curve.mid + 0.15 * 0.5 * (curve.from + curve.to);
        } else {
            curve.mid.x += 0.25 * moved.x;
        }
    }
    for hair in hairs {
        let along = hair.curve.to - hair.curve.from;
        if along.length() > hair.length {
            hair.curve.to = hair.curve.from + along.normalize() * hair.length;
        }
    }
}

#[cfg(feature = "viewer")]
fn draw(report: &mut Report, doll: &Doll) -> anyhow::Result<()> {
    use mohawk::render::{Offscreen, Paper, renderer_name};
    let offscreen = match Offscreen::new() {
        Ok(offscreen) => offscreen,
        Err(error) => {
            tracing::warn!("drawing is not measured: {error}");
            return Ok(());
        }
    };
    let (renderer, _) = renderer_name(offscreen.context());
    let size = [992, 800];
    let mut failed = None;
    let count = doll.hairs.len();
    let mut add = |kernel, what, ns: f64| {
        let text = format!(
            "a hair of a doll in a window's picture of {} x {}, {what}, {:.1} ms for all, {renderer}",
            size[0],
            size[1],
            ns * count as f64 * 1e-6
        );
        report.add(Row::new(kernel, text, count, ns))
    };
    let mut paper = Paper::new(offscreen.context())?;
    let mut dyed = doll.clone();
    let mut red = 0.0;
    let ns = best_ns(count, || {
        red = 1.0 - red;
        dyed.hairs.iter_mut().for_each(|hair| hair.color[0] = red);
        let picture = offscreen.draw_page_like_window(&mut paper, &dyed, size);
        failed = failed.take().or(picture.err());
    });
    add("dye-doll", "all of it dyed", ns)?;
    let mut session = combing(doll.clone());
    let mut step = STEP;
    let ns = best_ns(count, || {
        session.move_to(AT.x + step, AT.y);
        step = STEP - step;
        let picture = offscreen.draw_page_like_window(&mut paper, session.doll(), size);
        failed = failed.take().or(picture.err());
    });
    add("comb-doll", "with a step of combing", ns)?;
    failed.map_or(Ok(()), |error| Err(error.into()))
}
