//! A step of a brush over long hair on the shipped head.

use super::harness::{Report, Row, best_ns};
use anyhow::Context;
use mohawk::Config;
use mohawk::head::{Head, HeadSettings};
use mohawk::roots::Amount;
use mohawk::sim::{Sdf, SdfSettings};
use mohawk::style::{Brush, Camera, Style, Styler, View};
use rayon::ThreadPool;
use std::ops::ControlFlow;
use std::sync::Arc;

const STRANDS: u32 = 50_000;
/// Radii of a brush over all of the hair and of a usual one, pixels.
const RADII: [(f32, &str); 2] = [
    (600.0, "all of it under the brush"),
    (40.0, "a usual brush"),
];
const SIZE: [u32; 2] = [1280, 720];

pub fn measure(report: &mut Report, pools: &[ThreadPool]) -> anyhow::Result<()> {
    let go_on = &mut |_| ControlFlow::Continue(());
    let mut config = Config::default();
    config.roots.amount = Amount::Strands(STRANDS);
    config.groom.length = 1.5;
    report.show("hair to comb");
    let head = Arc::new(Head::shipped(&HeadSettings::default())?);
    let field = Arc::new(Sdf::bake(&head, &SdfSettings::default(), go_on)?);
    for (radius, text) in RADII {
        for pool in pools {
            let style = Style::of(config.clone());
            let styler = Styler::new(head.clone(), Some(field.clone()), style, go_on)?;
            let mut styler = styler.context("the shipped head has no skin")?;
            let view = View::new(&Camera::default(), SIZE)?;
            let brush = Brush {
                radius,
                ..Brush::default()
            };
            styler.begin(brush, view, go_on)?;
            let (strands, per) = (styler.strands().len(), styler.strands().per_strand());
            // To and fro: hair stays under the brush.
            let (mut x, mut way) = (640.0, 4.0);
            styler.move_to(x, 230.0);
            let ns = pool.install(|| {
                best_ns(strands * per, || {
                    x += way;
                    way = -way;
                    styler.move_to(x, 230.0);
                })
            });
            let text = format!(
                "a point: one step of combing, {text}, {:.1} ms for all",
                ns * (strands * per) as f64 * 1e-6
            );
            report.add(Row {
                particles: per as u64,
                threads: pool.current_num_threads(),
                ..Row::new("comb", text, strands, ns)
            })?;
        }
    }
    Ok(())
}
