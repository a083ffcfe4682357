//! Transfer of edits to other roots.

use super::contents::{Curve, Edits, Style};
use super::follicles::{Follicles, Progress};
use super::grow::{self, MIN_LENGTH, Skin};
use crate::roots::{RootIndex, RootSettings, Roots, SampleError};
use glam::{DQuat, DVec3, Vec3};
use std::collections::BTreeMap;

/// Largest distance from an old root to a new one that takes its edit, in local root spacings.
const REACH: f64 = 1.5;
/// Smallest density that widens this distance.
const MIN_DENSITY: f32 = 1.0 / 64.0;
/// Follicles between two calls of the progress.
const PROGRESS_STEP: usize = 256;

/// Returns the edits of a style with `old` follicles for `new` ones that were sampled with `roots`.
///
/// Each new follicle gets the curve of the nearest old strand, turned with the skin and as long as
/// that strand, and was planted or removed by hand if the nearest old follicle was.
///
/// # Errors
///
/// The progress stops it.
pub(super) fn transfer(
    style: &Style,
    skin: Skin,
    old: &Follicles,
    new: &Follicles,
    roots: &RootSettings,
    progress: Progress,
) -> Result<Edits, SampleError> {
    let mut edits = Edits::default();
    if !style.edits.planted.is_empty() {
        edits.planted = planted(&style.edits, old, new, progress)?;
    }
    if style.edits.curves.is_empty() {
        return Ok(edits);
    }
    // The lengths of hair on the new roots without edits.
    let mut bare = style.clone();
    bare.config.roots = roots.clone();
    bare.edits = edits.clone();
    let grown = grow::grow(&bare, skin, new);
    let follicles = grown.strands.follicles.iter().copied();
    let lengths: BTreeMap<u32, f32> = follicles.zip(grown.lengths).collect();
    edits.curves = curves(style, skin, [old, new], &lengths, progress)?;
    Ok(edits)
}

fn planted(
    edits: &Edits,
    old: &Follicles,
    new: &Follicles,
    progress: Progress,
) -> Result<BTreeMap<u32, bool>, SampleError> {
    let all = (0..old.len() as u32).map(|follicle| (follicle, REACH * old.spacing(follicle)));
    let mut places = Places::new(old.roots(), all);
    let mut planted = BTreeMap::new();
    for follicle in 0..new.len() {
        report(follicle, progress)?;
        let nearest = places.nearest(new.roots(), follicle);
        let by_hand = nearest.and_then(|i| edits.planted.get(&places.follicles[i]));
        if let Some(&by_hand) = by_hand {
            planted.insert(follicle as u32, by_hand);
        }
    }
    Ok(planted)
}

fn curves(
    style: &Style,
    skin: Skin,
    [old, new]: [&Follicles; 2],
    lengths: &BTreeMap<u32, f32>,
    progress: Progress,
) -> Result<BTreeMap<u32, Curve>, SampleError> {
    let grown = grow::grow(style, skin, old);
    // Where the density is lower, the remaining strands are farther apart.
    let reach = |&follicle: &u32| {
        let density = match style.edits.planted.contains_key(&follicle) {
            true => 1.0,
            false => grow::density(style, skin, old, follicle as usize),
        };
        let spacing = old.spacing(follicle);
        let widening = f64::from(density.clamp(MIN_DENSITY, 1.0)).sqrt().recip();
        (follicle, REACH * spacing * widening)
    };
    let strands = &grown.strands.follicles;
    let mut places = Places::new(old.roots(), strands.iter().map(reach));
    // The index of a strand differs from that of its place if places were refused.
    let strand_of: BTreeMap<u32, usize> = strands.iter().copied().zip(0..).collect();
    let mut curves = BTreeMap::new();
    for follicle in 0..new.len() {
        report(follicle, progress)?;
        let Some(nearest) = places.nearest(new.roots(), follicle) else {
            continue;
        };
        let from = places.follicles[nearest];
        let Some(curve) = style.edits.curves.get(&from) else {
            continue;
        };
        let length = grown.lengths[strand_of[&from]].max(MIN_LENGTH);
        let scale = f64::from(length) / f64::from(curve.grown);
        let normals = [
            normal(old.roots(), from as usize),
            normal(new.roots(), follicle),
        ];
        let turn = smallest_rotation(normals[0], normals[1]);
        let points = curve.points.iter();
        let points = points.map(|point| (turn * (point.as_dvec3() * scale)).as_vec3());
        // Hair that the density leaves out has no length of its own: that of the old strand counts.
        let grown = lengths.get(&(follicle as u32)).copied().unwrap_or(length);
        let curve = Curve {
            points: points.collect(),
            grown: grown.max(MIN_LENGTH),
        };
        curves.insert(follicle as u32, curve);
    }
    Ok(curves)
}

fn report(follicle: usize, progress: Progress) -> Result<(), SampleError> {
    match follicle.is_multiple_of(PROGRESS_STEP) && progress(1.0).is_break() {
        true => Err(SampleError::Cancelled),
        false => Ok(()),
    }
}

/// Returns the normal of the skin at a root, as [`Groom::grow`](crate::Groom::grow) uses it.
fn normal(roots: &Roots, root: usize) -> Vec3 {
    let face_normal = roots.face_normals[root].normalize_or(Vec3::Y);
    roots.directions[root].normalize_or(face_normal)
}

/// A spatial index of follicles.
struct Places {
    index: RootIndex,
    follicles: Vec<u32>,
    /// The largest distance at which each is found, decimetres.
    reaches: Vec<f64>,
    /// The smallest reach and the largest.
    range: [f64; 2],
}

impl Places {
    /// Indexes follicles with their reaches, in the order of their numbers.
    fn new(roots: &Roots, follicles: impl Iterator<Item = (u32, f64)>) -> Self {
        let mut places = Self {
            index: RootIndex::default(),
            follicles: Vec::new(),
            reaches: Vec::new(),
            range: [f64::INFINITY, 0.0],
        };
        for (follicle, reach) in follicles {
            let at = follicle as usize;
            let added = (places.index).add(roots.positions[at], roots.face_normals[at]);
            // The index refuses a root that lies on 32 others.
            if added.is_ok() {
                places.follicles.push(follicle);
                places.reaches.push(reach);
                places.range = [places.range[0].min(reach), places.range[1].max(reach)];
            }
        }
        places
    }

    /// Returns the index of the nearest follicle to a root, on its side of the skin, if it reaches
    /// that far. Of equally near ones the lowest number counts.
    fn nearest(&mut self, roots: &Roots, root: usize) -> Option<usize> {
        let (position, face_normal) = (roots.positions[root], roots.face_normals[root]);
        let [mut radius, max] = self.range;
        // The radius grows step by step: dense hair has many roots within the largest reach.
        let nearest = loop {
            let nearest = self.index.nearest(position, face_normal, radius.min(max));
            if nearest.is_some() || radius >= max {
                break nearest?;
            }
            radius *= 2.0;
        };
        let away = self.index.at(nearest).0.distance(position.as_dvec3());
        (away <= self.reaches[nearest]).then_some(nearest)
    }
}

/// Returns the smallest rotation from one direction to another.
fn smallest_rotation(from: Vec3, to: Vec3) -> DQuat {
    let [from, to] = [from, to].map(|v| v.as_dvec3().normalize_or(DVec3::Y));
    DQuat::from_rotation_arc(from, to)
}

#[cfg(test)]
mod tests;
