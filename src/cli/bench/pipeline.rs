//! Work before the first step: reading the head, sampling its roots.

use super::harness::{Report, Row, best_ns};
use anyhow::Context;
use mohawk::head::{Head, HeadSettings};
use mohawk::roots::{Amount, RootSettings, Roots};
use mohawk::scalp::Scalp;
use std::ops::ControlFlow;

/// Roots of the sampling row.
const ROOTS: u32 = 10_000;

/// Measures how a head is read from bytes: parsed, checked, its textures decoded.
pub fn load(report: &mut Report) -> anyhow::Result<()> {
    report.show("loading the shipped head");
    let settings = HeadSettings::default();
    let head = Head::shipped(&settings)?;
    let triangles: usize = head.parts.iter().map(|part| part.triangles.len()).sum();
    let ns = best_ns(triangles, || {
        std::hint::black_box(Head::shipped(&settings).is_ok());
    });
    let text = "a triangle of the shipped head, read from memory with its textures";
    report.add(Row {
        threads: 1,
        ..Row::new("load", text, triangles, ns)
    })
}

/// Measures the sampling of roots on the shipped head, on one thread.
pub fn sample(report: &mut Report) -> anyhow::Result<()> {
    report.show("sampling the shipped head");
    let head = Head::shipped(&HeadSettings::default())?;
    let scalp = Scalp::of_head(&head).context("the shipped head is not painted")?;
    let settings = RootSettings {
        amount: Amount::Strands(ROOTS),
        ..RootSettings::default()
    };
    let run = || Roots::sample(&scalp, &settings, &mut |_| ControlFlow::Continue(()));
    let roots = run()?.positions.len();
    let ns = best_ns(roots, || {
        std::hint::black_box(run().is_ok());
    });
    let text = "a root of a maximal Poisson-disk set on the shipped head";
    report.add(Row {
        threads: 1,
        ..Row::new("sample", text, roots, ns)
    })
}
