//! Loading the head and sampling its roots.

use super::harness::{Report, Row, best_ns};
use anyhow::Context;
use mohawk::head::{Head, HeadSettings};
use mohawk::roots::{Amount, RootSettings, Roots};
use mohawk::scalp::Scalp;
use std::ops::ControlFlow;

/// Number of roots that are sampled.
const ROOTS: u32 = 10_000;

/// Measures loading the shipped head: parsing, checking and decoding its textures.
pub fn load(report: &mut Report) -> anyhow::Result<()> {
    report.show("loading the shipped head");
    let settings = HeadSettings::default();
    let head = Head::shipped(&settings)?;
    let triangles: usize = head.parts.iter().map(|part| part.triangles.len()).sum();
    let ns = best_ns(triangles, || {
        std::hint::black_box(Head::shipped(&settings).is_ok());
    });
    let text = "a triangle of the shipped head, loaded from memory with its textures";
    report.add(Row::new("load", text, triangles, 1, ns))
}

/// Measures sampling roots on the shipped head with one thread.
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
    report.add(Row::new("sample", text, roots, 1, ns))
}
