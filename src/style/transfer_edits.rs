//! Edits taken over to other roots.

use super::contents::Style;
use super::edits::{Curve, Edits};
use super::follicles::Follicles;
use super::grow::{self, LEAST_GROWN, Skin};
use super::progress::Progress;
use crate::roots::{RootIndex, RootSettings, Roots, SampleError};
use glam::{DVec3, Vec3};
use std::collections::BTreeMap;

/// How far from its root an edit is taken over, in the distances that roots keep there.
const REACH: f64 = 1.5;
/// Where hair is sparser, it counts as this.
const LEAST_DENSITY: f32 = 1.0 / 64.0;
/// Follicles between two questions whether to go on.
const OFTEN: usize = 256;

/// The edits of a style with `old` follicles, on `new` ones that are sampled with `roots`.
///
/// Each new follicle gets the curve of the nearest old strand, turned as the skin is, and as long as
/// that strand is; and hair by hand, or none, as the nearest old follicle.
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
    // How long hair is on the new roots without edits.
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
        ask(follicle, progress)?;
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
    // Where density leaves out hair, what is left is farther apart.
    let reach = |&follicle: &u32| {
        let density = match style.edits.planted.contains_key(&follicle) {
            true => 1.0,
            false => grow::density(style, skin, old, follicle as usize),
        };
        let spacing = old.spacing(follicle);
        let wide = f64::from(density.clamp(LEAST_DENSITY, 1.0)).sqrt().recip();
        (follicle, REACH * spacing * wide)
    };
    let strands = &grown.strands.follicles;
    let mut places = Places::new(old.roots(), strands.iter().map(reach));
    // Strands that the places leave out shift the others.
    let strand_of: BTreeMap<u32, usize> = strands.iter().copied().zip(0..).collect();
    let mut curves = BTreeMap::new();
    for follicle in 0..new.len() {
        ask(follicle, progress)?;
        let Some(nearest) = places.nearest(new.roots(), follicle) else {
            continue;
        };
        let from = places.follicles[nearest];
        let Some(curve) = style.edits.curves.get(&from) else {
            continue;
        };
        let length = grown.lengths[strand_of[&from]].max(LEAST_GROWN);
        let longer = f64::from(length) / f64::from(curve.grown);
        let turn = Turn::new(
            normal(old.roots(), from as usize),
            normal(new.roots(), follicle),
        );
        let points = curve.points.iter();
        let points = points.map(|point| turn.turned(point.as_dvec3() * longer).as_vec3());
        // Hair that density leaves out now would be as long as the strand that it takes after.
        let grown = lengths.get(&(follicle as u32)).copied().unwrap_or(length);
        let curve = Curve {
            points: points.collect(),
            grown: grown.max(LEAST_GROWN),
        };
        curves.insert(follicle as u32, curve);
    }
    Ok(curves)
}

fn ask(follicle: usize, progress: Progress) -> Result<(), SampleError> {
    match follicle.is_multiple_of(OFTEN) && progress(1.0).is_break() {
        true => Err(SampleError::Cancelled),
        false => Ok(()),
    }
}

/// Of the skin at a root, as [`Groom::grow`](crate::Groom::grow) has it.
fn normal(roots: &Roots, root: usize) -> Vec3 {
    let face_normal = roots.face_normals[root].normalize_or(Vec3::Y);
    roots.directions[root].normalize_or(face_normal)
}

/// Follicles by place, each with how far it reaches, decimetres.
struct Places {
    index: RootIndex,
    follicles: Vec<u32>,
    reaches: Vec<f64>,
    /// The least reach and the largest.
    range: [f64; 2],
}

impl Places {
    /// `follicles` are rising.
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
            // One that the index refuses lies on 32 others.
            if added.is_ok() {
                places.follicles.push(follicle);
                places.reaches.push(reach);
                places.range = [places.range[0].min(reach), places.range[1].max(reach)];
            }
        }
        places
    }

    /// The nearest one to a root, on its side of the skin, if it reaches so far; of equally near
    /// ones that of the lowest number.
    fn nearest(&mut self, roots: &Roots, root: usize) -> Option<usize> {
        let (position, face_normal) = (roots.positions[root], roots.face_normals[root]);
        let [mut radius, most] = self.range;
        // Step by step: where hair is dense, there is much of it within the largest reach.
        let nearest = loop {
            let nearest = self.index.nearest(position, face_normal, radius.min(most));
            if nearest.is_some() || radius >= most {
                break nearest?;
            }
            radius *= 2.0;
        };
        let away = (self.index.position(nearest as u32)).distance(position.as_dvec3());
        (away <= self.reaches[nearest]).then_some(nearest)
    }
}

/// The smallest rotation from one unit vector to another.
struct Turn {
    from: DVec3,
    across: DVec3,
    cos: f64,
}

impl Turn {
    fn new(from: Vec3, to: Vec3) -> Self {
        let [from, to] = [from, to].map(|v| v.as_dvec3().normalize_or(DVec3::Y));
        Self {
            from,
            across: from.cross(to),
            cos: from.dot(to),
        }
    }

    fn turned(&self, v: DVec3) -> DVec3 {
        if self.cos < -1.0 + 1e-9 {
            // Half a turn, about any axis.
            let axis = self.from.any_orthonormal_vector();
            return axis * (2.0 * axis.dot(v)) - v;
        }
        let sideways = self.across.cross(v);
        v + sideways + self.across.cross(sideways) / (1.0 + self.cos)
    }
}

#[cfg(test)]
mod tests;
