//! `--report`: the set beside as many roots of every other method.

use super::Surface;
use crate::cli::report::{JudgedRoots, Report, Row};
use crate::{cli::messages::Messages, numbers::grouped};
use anyhow::Context;
use glam::Vec3;
use mohawk::roots::distribution::{Spectrum, nearest_distances, spectrum, unit_square};
use mohawk::roots::{Amount, Method, RootSettings, Roots};
use mohawk::{config::Config, scalp::Scalp};
use std::{ops::ControlFlow, path::Path, time::Instant};
use tracing::debug;

/// Sets on a square that a spectrum is the mean of, and roots in each.
const SETS: u64 = 10;
const POINTS: std::ops::RangeInclusive<usize> = 200..=2000;

/// The subject of the report, and how it was made.
pub struct Subject<'a> {
    pub surface: &'a Surface,
    pub set: &'a JudgedRoots,
    /// The file of the points, if they were not sampled.
    pub points: Option<&'a Path>,
    pub config: &'a Config,
    /// The command that makes the report again.
    pub command: String,
}

/// Returns the file's bytes, in the format that its name ends in.
pub fn made(subject: &Subject, extension: &str, messages: Messages) -> anyhow::Result<Vec<u8>> {
    let rows = rows(subject, messages);
    let spinner = messages.spinner("drawing the report");
    let report = report(subject, rows)?;
    let bytes = report.to_file(extension);
    spinner.finish_and_clear();
    bytes.context("the report could not be drawn")
}

fn report<'a>(subject: &Subject<'a>, rows: Vec<Row>) -> anyhow::Result<Report<'a>> {
    let (surface, set) = (subject.surface, subject.set);
    let unit = surface.unit;
    let count = grouped(set.distribution.count);
    let plural = if set.distribution.count == 1 { "" } else { "s" };
    let mut facts = Vec::new();
    let mut fact = |name, value| facts.push((name, value));
    match subject.points {
        Some(points) => fact("points", points.display().to_string()),
        None => {
            fact("method", subject.config.roots.method.name().to_owned());
            fact("seed", subject.config.roots.seed.to_string());
        }
    }
    fact("spacing", format!("{:.5}{unit}", set.roots.spacing));
    if let Some(radius) = set.distribution.relative_radius {
        fact("relative radius", format!("{radius:.3}"));
    }
    let (maximal, area) = (set.coverage.maximal, set.distribution.area);
    let maximal = if maximal { "yes, proven" } else { "no" };
    fact("maximal", maximal.to_owned());
    let square = if unit.is_empty() { "" } else { "²" };
    fact("area", format!("{area:.3}{unit}{square}"));
    Ok(Report {
        title: format!("{count} root{plural} on {}", surface.name),
        facts,
        command: subject.command.clone(),
        unit,
        scalp: &surface.scalp,
        set,
        nearest: nearest_distances(&set.roots).context("the roots cannot be measured")?,
        spectrum: shown_spectrum(subject),
        rows,
    })
}

/// Returns the set, then every method with as many roots; one that cannot make them has no numbers.
fn rows(subject: &Subject, messages: Messages) -> Vec<Row> {
    let scalp = &subject.surface.scalp;
    let (count, own) = (subject.set.distribution.count, subject.config.roots.method);
    let bar = messages.progress("compared", Method::ALL.len() as u64);
    let mut rows = Vec::new();
    if let Some(points) = subject.points {
        let name = points.file_name().unwrap_or_default().to_string_lossy();
        rows.push(Row {
            name: name.chars().take(24).collect(),
            is_subject: true,
            values: subject.set.row(),
        });
    }
    for method in Method::ALL {
        let is_subject = subject.points.is_none() && method == own;
        let judged = || {
            let started = Instant::now();
            let mut on = |_| ControlFlow::Continue(());
            let roots = Roots::sample(scalp, &settings(subject, method, count, 0), &mut on)?;
            let seconds = started.elapsed().as_secs_f64();
            JudgedRoots::of(scalp, roots, Some(seconds), &mut on)
        };
        let values = match is_subject {
            true => subject.set.row(),
            false => judged().map_or_else(
                |error| {
                    debug!("{method}: {error}");
                    Default::default()
                },
                |judged| judged.row(),
            ),
        };
        rows.push(Row {
            name: method.name().to_owned(),
            is_subject,
            values,
        });
        bar.inc(1);
    }
    bar.finish_and_clear();
    rows
}

/// Returns the settings of `count` roots by a method, with the `nth` seed from that of the subject.
fn settings(subject: &Subject, method: Method, count: usize, nth: u64) -> RootSettings {
    RootSettings {
        amount: Amount::Strands(u32::try_from(count).unwrap_or(u32::MAX)),
        seed: subject.config.roots.seed.wrapping_add(nth),
        method,
    }
}

/// Returns the spectrum of the set if it lies on a square, else of its method on a square, and what
/// it is of.
fn shown_spectrum(subject: &Subject) -> Option<(Spectrum, String)> {
    let set = subject.set;
    // Fewer make no curve.
    let is_many = set.distribution.count >= *POINTS.start();
    let own = || unit_square(&subject.surface.scalp, &set.roots);
    if let Some(points) = is_many.then(own).flatten() {
        return Some((spectrum(&[points])?, "of this set".to_owned()));
    }
    if subject.points.is_some() {
        return None;
    }
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y];
    let triangles = vec![[0, 1, 2], [0, 2, 3]];
    let square = Scalp::new(corners, vec![Vec3::Z; 4], triangles, vec![1.0; 4]).ok()?;
    let (start, end) = POINTS.into_inner();
    let count = set.distribution.count.clamp(start, end);
    let sets: Option<Vec<_>> = (0..SETS)
        .map(|nth| {
            let settings = settings(subject, subject.config.roots.method, count, nth);
            let mut on = |_| ControlFlow::Continue(());
            let roots = Roots::sample(&square, &settings, &mut on).ok()?;
            unit_square(&square, &roots)
        })
        .collect();
    let of = format!("{SETS} sets of {} on a square", grouped(count));
    Some((spectrum(&sets?)?, of))
}
