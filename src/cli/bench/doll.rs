//! A step of the comb over a doll's hair.

use super::harness::{Report, Row, best_ns};
use glam::DVec2;
use mohawk::doll::{COUNTS, Doll, DollBrush, DollHair, DollSession, DollSettings};

/// The place where the comb moves to and fro, pixels of the page.
pub const AT: DVec2 = DVec2::new(310.0, 300.0);
/// A step of a stroke, pixels.
pub const STEP: f64 = 4.0;

/// Measures a step of combing.
pub fn measure(report: &mut Report) -> anyhow::Result<()> {
    let doll = dense()?;
    let count = doll.hairs.len();
    report.on_one_thread("a doll", || {
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
        Ok(Row {
            naive_ns_per_element: Some(naive_ns),
            ..Row::new("doll", text, [count, 1], ns)
        })
    })
}

/// Returns a doll with much hair.
pub fn dense() -> anyhow::Result<Doll> {
    Ok(Doll::grown(DollSettings {
        hairs: COUNTS[1],
        ..DollSettings::default()
    })?)
}

/// Returns a session in which combing has begun.
pub fn combing(doll: Doll) -> DollSession {
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
