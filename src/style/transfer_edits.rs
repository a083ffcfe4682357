//! Transfer of edits to other roots.

use super::contents::{Curve, Edits, Style};
use super::follicles::{Follicles, Progress};
use super::grow::{self, MIN_LENGTH, Skin};
use super::selection::Selection;
use crate::groom::normal_at;
use crate::roots::{RootIndex, RootSettings, SampleError};
use glam::{DQuat, DVec3};
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
/// that strand, and was planted or removed by hand, and is selected, as the nearest old follicle.
/// Roots from a file count as planted.
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
    let planted = &style.edits.planted;
    // Hair that was read from a file grows where it was, and nowhere else on the paint.
    let own = (style.edits.roots.is_some()).then(|| grow::growing(style, skin, old));
    if own.is_some() || !planted.is_empty() {
        if own.is_some() {
            let painted = (0..new.len() as u32).filter(|&follicle| !new.is_bald(follicle));
            edits
                .planted
                .extend(painted.map(|follicle| (follicle, false)));
        }
        let is_on_paint = |root: u32| {
            let triangle = old.roots().points[root as usize].triangle;
            (old.scalp().corner_densities(triangle).iter()).all(|&density| density > 0.0)
        };
        let all = (0..old.len() as u32).map(|follicle| (follicle, REACH * old.spacing(follicle)));
        for_each_nearest(all, old, new, progress, |follicle, nearest| {
            // Hair on the paint does not spread beyond it.
            if own.is_some() && new.is_bald(follicle) && is_on_paint(nearest) {
                return;
            }
            let by_hand = planted.get(&nearest).copied();
            let grows = by_hand.or(own.as_ref().map(|own| own[nearest as usize]));
            if let Some(grows) = grows {
                edits.planted.insert(follicle, grows);
            }
        })?;
    }
    let selection = &style.edits.selection;
    if !selection.is_all() {
        let all = (0..old.len() as u32).map(|follicle| (follicle, REACH * old.spacing(follicle)));
        let mut values = vec![0.0; new.len()];
        for_each_nearest(all, old, new, progress, |follicle, nearest| {
            values[follicle as usize] = selection.of(nearest);
        })?;
        edits.selection = Selection::new(values, selection.rest());
    }
    if style.edits.curves.is_empty() {
        return Ok(edits);
    }
    // The lengths of hair on the new roots without edits.
    let mut bare = style.clone();
    bare.config.roots = roots.clone();
    bare.edits = edits.clone();
    let (old_lengths, lengths) = (lengths(style, skin, old), lengths(&bare, skin, new));
    // Where the density is lower, the remaining strands are farther apart.
    let reach = |&follicle: &u32| {
        let density = match planted.contains_key(&follicle) {
            true => 1.0,
            false => grow::density(style, skin, old, follicle as usize),
        };
        let spacing = old.spacing(follicle);
        let widening = f64::from(density.clamp(MIN_DENSITY, 1.0)).sqrt().recip();
        (follicle, REACH * spacing * widening)
    };
    let strands = old_lengths.keys().map(reach);
    for_each_nearest(strands, old, new, progress, |follicle, from| {
        let Some(curve) = style.edits.curves.get(&from) else {
            return;
        };
        let length = old_lengths[&from].max(MIN_LENGTH);
        let scale = f64::from(length) / f64::from(curve.grown);
        let [from, to] = [(old.roots(), from), (new.roots(), follicle)]
            .map(|(roots, root)| normal_at(roots, root as usize).as_dvec3());
        let [from, to] = [from, to].map(|normal| normal.normalize_or(DVec3::Y));
        let turn = DQuat::from_rotation_arc(from, to);
        let points = curve.points.iter();
        let points = points.map(|point| (turn * (point.as_dvec3() * scale)).as_vec3());
        // Hair that the density leaves out has no length of its own: that of the old strand counts.
        let grown = lengths.get(&follicle).copied().unwrap_or(length);
        let curve = Curve {
            points: points.collect(),
            grown: grown.max(MIN_LENGTH),
        };
        edits.curves.insert(follicle, curve);
    })?;
    Ok(edits)
}

/// Returns the length of each strand without edits, by follicle.
fn lengths(style: &Style, skin: Skin, follicles: &Follicles) -> BTreeMap<u32, f32> {
    let grown = grow::grow(style, skin, follicles);
    (grown.planted.numbers.iter().copied())
        .zip(grown.lengths)
        .collect()
}

/// Calls `found` with each new follicle that has an old one on its side of the skin that reaches as
/// far, and the nearest such one. Of equally near ones the lowest number counts. `reaches` are old
/// follicles with their reaches, decimetres, in the order of their numbers.
fn for_each_nearest(
    reaches: impl Iterator<Item = (u32, f64)>,
    old: &Follicles,
    new: &Follicles,
    progress: Progress,
    mut found: impl FnMut(u32, u32),
) -> Result<(), SampleError> {
    let mut index = RootIndex::default();
    let mut indexed: Vec<(u32, f64)> = Vec::new();
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for (follicle, reach) in reaches {
        let (roots, at) = (old.roots(), follicle as usize);
        // The index refuses a root that lies on 32 others.
        if (index.add(roots.positions[at], roots.face_normals[at])).is_ok() {
            indexed.push((follicle, reach));
            (least, most) = (least.min(reach), most.max(reach));
        }
    }
    for follicle in 0..new.len() {
        if follicle.is_multiple_of(PROGRESS_STEP) && progress(1.0).is_break() {
            return Err(SampleError::Cancelled);
        }
        let position = new.roots().positions[follicle];
        let face_normal = new.roots().face_normals[follicle];
        // The radius grows step by step: dense hair has many roots within the largest reach.
        let mut radius = least;
        let nearest = loop {
            let nearest = index.nearest(position, face_normal, radius.min(most));
            if nearest.is_some() || radius >= most {
                break nearest;
            }
            radius *= 2.0;
        };
        if let Some(nearest) = nearest {
            let away = index.at(nearest).0.distance(position.as_dvec3());
            let (old, reach) = indexed[nearest];
            if away <= reach {
                found(follicle as u32, old);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
