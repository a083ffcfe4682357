//! Which part of a model is the head: its box sets scale and origin of head space.
//!
//! Measured is the node of the scalp, or the whole model without one. A few vertices far from the
//! rest do not count. Of a model with a body, what is above the neck is the head: above the joint of
//! that name, or else where the outline is narrow between head and shoulders.

use super::error::Warnings;
use super::mesh::PlacedPart;
use super::names::has_word;
use glam::DVec3;

/// A box in file space, and what it is the box of.
pub struct HeadBox {
    pub low: DVec3,
    pub high: DVec3,
    /// For messages: `mesh 0 "head", primitive 0`.
    pub what: String,
}

/// Joints of the default scene, by name, with their heights in file space.
pub type Joints = [(String, f64)];

/// The share of vertices, on each side of each axis, that may lie far from the rest.
const STRAYS: f64 = 0.002;
/// Corners that are looked at for strays.
const SAMPLES: usize = 1 << 16;
/// Strays make a box this many times as large as it is without them.
const FAR: f64 = 3.0;
/// The largest and the least share of the height of a model that a head with a body has.
const MOST: f64 = 0.5;
const LEAST: f64 = 0.02;
/// The height of a head above its joint, over that from the neck.
const ABOVE_JOINT: f64 = 0.72;
/// The way that the lower half of a head reaches beyond the upper half, sideways, over its height.
const BESIDE: f64 = 0.25;
/// Slices of an outline.
const SLICES: usize = 64;

/// Returns the box of the head among the parts of a model.
pub fn find(
    placed: &[PlacedPart],
    scalp: Option<usize>,
    joints: &Joints,
    warnings: &mut Warnings,
) -> HeadBox {
    let own = scalp.map(|scalp| &placed[scalp]);
    // A primitive for each material is usual, and a skin for all that belongs together.
    let belongs = |part: &PlacedPart| match own {
        Some(own) => part.node == own.node,
        None => true,
    };
    let measured = || placed.iter().filter(|part| belongs(part));
    let what = match own {
        Some(own) if measured().count() == 1 => own.place.clone(),
        Some(own) => format!("the node of {}", own.place),
        None => "the default scene".to_owned(),
    };
    let whole = bounds(measured());
    let (low, high) = without_strays(measured(), whole, &what, warnings).unwrap_or(whole);
    let height = high.y - low.y;
    let is_inside = |p: &DVec3| p.cmpge(low).all() && p.cmple(high).all();
    let is_likely = |(neck, _): &(f64, String)| {
        let share = (high.y - neck) / height;
        share < MOST && share > LEAST
    };
    let neck = neck_joint(joints, high.y).filter(is_likely);
    let neck = neck.or_else(|| narrowest(measured(), low, high).filter(is_likely));
    let Some((neck, above)) = neck else {
        return HeadBox { low, high, what };
    };
    let box_of = |is_part: &dyn Fn(&DVec3) -> bool| {
        box_around(corners(measured()).filter(is_inside).filter(is_part))
    };
    // Arms may reach above the neck, and hardly above the middle of the head.
    let tall = high.y - neck;
    let upper = box_of(&|p| p.y >= neck + 0.5 * tall);
    let (from, to) = (upper.0 - BESIDE * tall, upper.1 + BESIDE * tall);
    let is_beside = |p: &DVec3| p.x < from.x || p.x > to.x || p.z < from.z || p.z > to.z;
    let (mut low, high) = box_of(&|p| p.y >= neck && !is_beside(p));
    low.y = neck;
    HeadBox {
        low,
        high,
        what: format!("{what}, {above}"),
    }
}

fn corners<'a>(
    parts: impl Iterator<Item = &'a PlacedPart> + 'a,
) -> impl Iterator<Item = DVec3> + 'a {
    parts.flat_map(|placed| {
        let corners = placed.part.triangles.iter().flatten();
        corners.map(|&corner| placed.position(corner))
    })
}

/// Returns the low and high corner of the box around all triangles, in file space.
pub fn bounds<'a>(parts: impl Iterator<Item = &'a PlacedPart> + 'a) -> (DVec3, DVec3) {
    box_around(corners(parts))
}

fn box_around(points: impl Iterator<Item = DVec3>) -> (DVec3, DVec3) {
    let empty = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    points.fold(empty, |(low, high), p| (low.min(p), high.max(p)))
}

/// Returns the box without vertices that lie far from the rest, if there are such.
fn without_strays<'a>(
    parts: impl Iterator<Item = &'a PlacedPart> + Clone + 'a,
    (low, high): (DVec3, DVec3),
    what: &str,
    warnings: &mut Warnings,
) -> Option<(DVec3, DVec3)> {
    let mut inner = (low, high);
    let every = corners(parts.clone()).count().div_ceil(SAMPLES).max(1);
    for axis in 0..3 {
        let some = corners(parts.clone()).step_by(every);
        let mut places: Vec<f64> = some.map(|p| p[axis]).collect();
        let beyond = (places.len() as f64 * STRAYS) as usize + 3;
        if places.len() < 20 * beyond {
            return None;
        }
        let last = places.len() - 1 - beyond;
        inner.0[axis] = *places.select_nth_unstable_by(beyond, f64::total_cmp).1;
        inner.1[axis] = *places.select_nth_unstable_by(last, f64::total_cmp).1;
    }
    let (size, inner_size) = (high - low, inner.1 - inner.0);
    let is_far = size.cmpgt(inner_size * FAR) & size.cmpgt(DVec3::splat(inner_size.max_element()));
    if !is_far.any() || inner_size.max_element() <= 0.0 {
        return None;
    }
    // The rest reaches a little beyond.
    let margin = DVec3::splat(0.25 * inner_size.max_element());
    let (from, to) = (inner.0 - margin, inner.1 + margin);
    let is_near = |p: &DVec3| p.cmpge(from).all() && p.cmple(to).all();
    let near = box_around(corners(parts.clone()).filter(is_near));
    let away = corners(parts).filter(|p| !is_near(p)).count();
    warnings.push(format!(
        "{what}: {away} corners of triangles lie far from the rest; its size is taken without them"
    ));
    Some(near)
}

/// Returns the height of the neck by the joints of a skin, and how it was found.
fn neck_joint(joints: &Joints, top: f64) -> Option<(f64, String)> {
    let named = |name: &str| {
        let named = joints.iter().filter(|(joint, _)| has_word(joint, name));
        named.min_by(|a, b| a.1.total_cmp(&b.1))
    };
    if let Some((name, height)) = named("neck") {
        return Some((*height, format!("above joint {name:?}")));
    }
    let (name, height) = named("head")?;
    let neck = top - (top - height) / ABOVE_JOINT;
    Some((neck, format!("from a little below joint {name:?}")))
}

/// Returns the height at which the outline, seen from the front and from the side, is narrow below a
/// head and above shoulders.
fn narrowest<'a>(
    parts: impl Iterator<Item = &'a PlacedPart> + 'a,
    low: DVec3,
    high: DVec3,
) -> Option<(f64, String)> {
    let height = high.y - low.y;
    if height <= 0.0 {
        return None;
    }
    let slice = |y: f64| ((high.y - y) / height * SLICES as f64).clamp(0.0, SLICES as f64 - 1.0);
    let mut spans = [(f64::INFINITY, f64::NEG_INFINITY); SLICES];
    for placed in parts {
        for corners in &placed.part.triangles {
            let corners = corners.map(|corner| placed.position(corner));
            // Strays.
            if !corners
                .iter()
                .all(|p| p.cmpge(low).all() && p.cmple(high).all())
            {
                continue;
            }
            let top = corners.iter().fold(f64::NEG_INFINITY, |a, p| a.max(p.y));
            let bottom = corners.iter().fold(f64::INFINITY, |a, p| a.min(p.y));
            let left = corners.iter().fold(f64::INFINITY, |a, p| a.min(p.x));
            let right = corners.iter().fold(f64::NEG_INFINITY, |a, p| a.max(p.x));
            for span in &mut spans[slice(top) as usize..=slice(bottom) as usize] {
                *span = (span.0.min(left), span.1.max(right));
            }
        }
    }
    let widths = spans.map(|(left, right)| (right - left).max(0.0));
    let most = (MOST * SLICES as f64) as usize;
    let mut widest = 0.0_f64;
    // The narrowest slice so far that is narrow against the head above.
    let mut neck: Option<usize> = None;
    for (nth, &width) in widths.iter().enumerate().take(2 * most) {
        match neck {
            Some(at) if width < widths[at] => neck = Some(nth),
            Some(at) if width > 1.5 * widest && width > 1.8 * widths[at] => {
                let y = high.y - (at as f64 + 0.5) / SLICES as f64 * height;
                return Some((y, "above its neck".to_owned()));
            }
            None if width < 0.75 * widest => neck = Some(nth),
            _ if neck.is_none() => widest = widest.max(width),
            _ => {}
        }
    }
    None
}
