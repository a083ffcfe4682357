//! Work on the shipped head: reading it, sampling its roots, moving and combing long hair.

use super::harness::{Report, Row, best_ns, for_all};
use anyhow::Context;
use mohawk::groom::{Clump, Comb, Curl, Effect, Fall, Groom, GroomSettings, Modifier, Shares};
use mohawk::head::{Head, HeadSettings};
use mohawk::roots::{Amount, RootSettings, Roots};
use mohawk::sim::{
    HairSettings, HeadCollider, HeadShape, Pose, STEP_SECS, Scene, Sdf, SdfSettings, SimSettings,
    SolverKind,
};
use mohawk::style::{Camera, Measured, Saved, Stroke, Styler, View};
use mohawk::{Config, Scalp, Simulation};
use std::{hint::black_box, ops::ControlFlow, sync::Arc};

/// Strands of long hair.
const STRANDS: u32 = 50_000;

fn shipped() -> anyhow::Result<Head> {
    Ok(Head::shipped(&HeadSettings::default())?)
}

fn skin(head: &Head) -> anyhow::Result<Arc<Sdf>> {
    let go_on = &mut |_| ControlFlow::Continue(());
    Ok(Arc::new(Sdf::bake(head, &SdfSettings::default(), go_on)?))
}

/// Samples about `strands` roots on the shipped head.
fn sampled(head: &Head, strands: u32) -> anyhow::Result<Roots> {
    let scalp = Scalp::of_head(head).context("the shipped head is not painted")?;
    let settings = RootSettings {
        amount: Amount::Strands(strands),
        ..RootSettings::default()
    };
    Ok(Roots::sample(&scalp, &settings, &mut |_| {
        ControlFlow::Continue(())
    })?)
}

/// Measures how a head is read from bytes: parsed, checked, its textures decoded.
pub fn load(report: &mut Report) -> anyhow::Result<()> {
    let triangles = shipped()?.triangle_count();
    report.on_one_thread("loading the shipped head", || {
        let ns = best_ns(triangles, || _ = black_box(shipped().is_ok()));
        let text = "a triangle of the shipped head, read from memory with its textures";
        Ok(Row::new("load", text, [triangles, 1], ns))
    })
}

/// Measures the sampling of roots.
pub fn sample(report: &mut Report) -> anyhow::Result<()> {
    const ROOTS: u32 = 10_000;
    let head = shipped()?;
    let roots = sampled(&head, ROOTS)?.positions.len();
    report.on_one_thread("sampling the shipped head", || {
        let ns = best_ns(roots, || _ = black_box(sampled(&head, ROOTS).is_ok()));
        let text = "a root of a maximal Poisson-disk set on the shipped head";
        Ok(Row::new("sample", text, [roots, 1], ns))
    })
}

/// Measures what contact with the skin and with other hair costs long hair.
pub fn contact(report: &mut Report) -> anyhow::Result<()> {
    const PARTICLES: u32 = 16;
    /// Length of hair that reaches the shoulders, decimetres.
    const LENGTH: f32 = 2.5;
    /// Steps for the hair to fall before a measurement: two seconds.
    const FALL_STEPS: u32 = 480;
    const FALL_SECS: f64 = FALL_STEPS as f64 * STEP_SECS;
    report.show("growing long hair");
    let head = shipped()?;
    let mut groom = Groom::grow(&sampled(&head, STRANDS)?, &GroomSettings::default(), 0);
    groom.lengths.fill(LENGTH);
    let shape = HeadShape {
        ellipsoid: None,
        field: Some(skin(&head)?),
    };
    for (head_collider, [friction, repulsion], text) in [
        (HeadCollider::None, [0.0; 2], "meeting nothing"),
        (HeadCollider::Field, [0.0; 2], "on the skin"),
        (
            HeadCollider::Field,
            [2.0, 20.0],
            "on the skin, hair against hair",
        ),
    ] {
        report.on_pools(format!("long hair {text}"), || {
            let settings = SimSettings {
                solver: SolverKind::Ftl,
                strand_particles: PARTICLES,
                hold: 0.0,
                head_collider,
                hair: HairSettings {
                    friction,
                    repulsion,
                    ..HairSettings::default()
                },
                ..SimSettings::default()
            };
            let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
            simulation.set_head(shape.clone());
            // One by one: a single advance takes at most a quarter second.
            for _ in 0..FALL_STEPS {
                simulation.advance(STEP_SECS, &mut |_| Pose::IDENTITY);
            }
            let particles = PARTICLES as usize - 1;
            let ns = best_ns(groom.len() * particles, || {
                simulation.advance(STEP_SECS, &mut |t| Scene::Swing.pose(t - FALL_SECS));
            });
            let all = for_all(ns, groom.len() * particles);
            let text = format!("a particle: one step of 1/240 s of long hair {text}, {all}");
            Ok(Row::new("head", text, [groom.len(), particles], ns))
        })?;
    }
    Ok(())
}

/// Measures how hair grows anew after a change of a setting.
pub fn grow(report: &mut Report) -> anyhow::Result<()> {
    report.show("roots and skin to grow on");
    let head = shipped()?;
    let (roots, field) = (sampled(&head, STRANDS)?, skin(&head)?);
    let lying = vec![
        Effect::Comb(Comb::default()),
        Effect::Fall(Fall::default()),
        Effect::Clump(Clump::default()),
    ];
    let curled = [lying.clone(), vec![Effect::Curl(Curl::default())]].concat();
    for (effects, text) in [
        (Vec::new(), "plain"),
        (lying, "combed, fallen and clumped on the skin"),
        (curled.clone(), "the same, and curled"),
    ] {
        let settings = GroomSettings {
            length: 2.0,
            stack: effects.into_iter().map(Modifier::new).collect(),
            ..GroomSettings::default()
        };
        report.on_pools(format!("growing hair, {text}"), || {
            let grown = || Groom::grow_by(&roots, &settings, &Shares::default(), 0, Some(&*field));
            let groom = grown();
            let per = (groom.curves.as_ref()).map_or(1, |curves| curves.per_strand());
            let points = groom.len() * per;
            let ns = best_ns(points, || _ = black_box(grown()));
            let all = for_all(ns, points);
            let text = format!("a point: growing hair, {text}, {all}");
            Ok(Row::new("grow", text, [groom.len(), per], ns))
        })?;
    }
    slider(report, Arc::new(head), field, curled)
}

/// Measures what a slider of the last of several modifiers costs, in a style as the window has it.
fn slider(
    report: &mut Report,
    head: Arc<Head>,
    field: Arc<Sdf>,
    effects: Vec<Effect>,
) -> anyhow::Result<()> {
    let mut config = Config::default();
    config.roots.amount = Amount::Strands(STRANDS);
    config.groom.length = 2.0;
    config.groom.stack = effects.into_iter().map(Modifier::new).collect();
    report.on_pools("a slider of the stack", || {
        let go_on = &mut |_| ControlFlow::Continue(());
        let head = Measured::new(head.clone(), Some(field.clone()));
        let config = config.clone();
        let mut styler = Styler::open(head, Saved::default(), config.clone(), go_on)?;
        let mut amount = 1.0;
        let mut change = |styler: &mut Styler| {
            let mut config = config.clone();
            amount = 1.5 - amount;
            if let Some(last) = config.groom.stack.last_mut() {
                last.amount = amount;
            }
            styler.set_config(config, false, &mut |_| ControlFlow::Continue(()))
        };
        // The first change tells what the next ones spare.
        change(&mut styler)?;
        let groom = styler.groom();
        let per = (groom.curves.as_ref()).map_or(1, |curves| curves.per_strand());
        let points = groom.len() * per;
        let ns = best_ns(points, || _ = black_box(change(&mut styler)));
        let all = for_all(ns, points);
        let text = format!("a point: the last modifier of them changed again, {all}");
        Ok(Row::new("grow", text, [styler.groom().len(), per], ns))
    })
}

/// Measures a step of a brush over long hair.
pub fn comb(report: &mut Report) -> anyhow::Result<()> {
    /// Radii of a brush over all of the hair and of a usual one, pixels.
    const RADII: [(f32, &str); 2] = [
        (600.0, "all of it under the brush"),
        (40.0, "a usual brush"),
    ];
    let mut config = Config::default();
    config.roots.amount = Amount::Strands(STRANDS);
    config.groom.length = 1.5;
    report.show("hair to comb");
    let head = Arc::new(shipped()?);
    let field = skin(&head)?;
    for (radius, text) in RADII {
        report.on_pools("combing", || {
            let go_on = &mut |_| ControlFlow::Continue(());
            let head = Measured::new(head.clone(), Some(field.clone()));
            let mut styler = Styler::open(head, Saved::default(), config.clone(), go_on)?;
            let view = View::new(&Camera::default(), [1280, 720])?;
            let brush = Stroke {
                radius,
                ..Stroke::default()
            };
            styler.begin(&brush, view, go_on)?;
            let (strands, per) = (styler.strands().len(), styler.strands().per_strand());
            // The brush moves back and forth, so that hair stays under it.
            let (mut x, mut way) = (640.0, 4.0);
            styler.move_to(x, 230.0);
            let ns = best_ns(strands * per, || {
                x += way;
                way = -way;
                styler.move_to(x, 230.0);
            });
            let all = for_all(ns, strands * per);
            let text = format!("a point: one step of combing, {text}, {all}");
            Ok(Row::new("comb", text, [strands, per], ns))
        })?;
    }
    Ok(())
}
