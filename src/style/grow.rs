//! The hair of a style: grown by settings, then maps, then changes to single strands.

use super::contents::{Edits, Style};
use super::follicles::Follicles;
use super::planted::Planted;
use super::strands::{Strands, length};
use crate::groom::{self, Checkpoint, Groom, RestCurves, Shares};
use crate::head::Part;
use crate::maps::{Map, MapKind, direction_of};
use crate::scalp::SurfacePoint;
use crate::sim::Sdf;
use glam::Vec3;
use rayon::prelude::*;
use std::sync::{Arc, OnceLock};

/// The most points of strands from a file that are kept: a million strands take 200 MB for each 16.
const MOST_POINTS: usize = 128;
/// Shorter hair counts as this long where curves are scaled, decimetres.
pub(super) const MIN_LENGTH: f32 = 1e-3;

/// The hair of a style.
#[derive(Clone, Debug)]
pub struct Grown {
    /// The follicle of each strand.
    pub(super) planted: Planted,
    /// The hair for the simulation.
    pub groom: Arc<Groom>,
    /// The least number of points of a strand.
    least_points: usize,
    /// Made when they are first needed.
    strands: OnceLock<Strands>,
    /// The length of each strand without edits, decimetres.
    pub(super) lengths: Vec<f32>,
}

/// Compares the hair. Places without hair do not count.
impl PartialEq for Grown {
    fn eq(&self, other: &Self) -> bool {
        self.groom == other.groom
            && self.strands() == other.strands()
            && self.lengths == other.lengths
    }
}

impl Grown {
    /// Returns the hair as polylines, for brushes.
    pub fn strands(&self) -> &Strands {
        let of_groom = || {
            Strands::of(
                &self.groom,
                self.planted.numbers.to_vec(),
                self.least_points,
            )
        };
        self.strands.get_or_init(of_groom)
    }

    /// Returns the polylines, for changes.
    pub(super) fn strands_mut(&mut self) -> &mut Strands {
        self.strands();
        self.strands.get_mut().expect("they were just made")
    }

    /// Copies the curves of all strands to the groom.
    pub(super) fn follow_strands(&mut self) {
        let Strands { per, points, .. } = self.strands();
        Arc::make_mut(&mut self.groom).curves = RestCurves::of_relative(*per, points);
    }

    /// Copies length and direction of a strand to the groom.
    pub(super) fn follow(&mut self, strand: usize) {
        let followed = followed(self.strands(), strand);
        let groom = Arc::make_mut(&mut self.groom);
        (groom.lengths[strand], groom.directions[strand]) = followed;
    }

    /// Copies everything that was changed of some strands, `true` for each, to the groom.
    pub(super) fn follow_all(&mut self, changed: &[bool]) {
        self.strands();
        let Some(strands) = self.strands.get() else {
            return;
        };
        let Groom {
            lengths,
            directions,
            ..
        } = Arc::make_mut(&mut self.groom);
        let groom = lengths.par_iter_mut().zip(directions).enumerate();
        groom.for_each(|(strand, (length, direction))| {
            if changed[strand] {
                (*length, *direction) = followed(strands, strand);
            }
        });
        self.follow_strands();
    }
}

/// Returns length and direction of a strand.
fn followed(strands: &Strands, strand: usize) -> (f32, Vec3) {
    let points = strands.strand(strand);
    let along = points[1] - points[0];
    (length(points), along.normalize_or(strands.normals[strand]))
}

/// The skin that a style grows on.
#[derive(Clone, Copy)]
pub(super) struct Skin<'a> {
    pub(super) part: &'a Part,
    /// The model's own paint, as a density map with the layout of the style's.
    pub(super) own: Option<&'a Map>,
    /// Its distance field, if it is known.
    pub(super) field: Option<&'a Sdf>,
}

impl<'a> Skin<'a> {
    /// Returns a part of which nothing else is known.
    pub(super) fn bare(part: &'a Part) -> Self {
        Self {
            part,
            own: None,
            field: None,
        }
    }
}

/// Grows the hair of a style. A pure function: the same style gives the same bits.
pub(super) fn grow(style: &Style, skin: Skin, follicles: &Follicles) -> Grown {
    let growing = growing(style, skin, follicles);
    grow_where(style, skin, follicles, &growing, &mut Checkpoint::default())
}

/// Grows hair from the follicles that `growing` tells, and replaces the curves of edited strands.
/// The skin must be that with which the checkpoint was made.
pub(super) fn grow_where(
    style: &Style,
    skin: Skin,
    follicles: &Follicles,
    growing: &[bool],
    checkpoint: &mut Checkpoint,
) -> Grown {
    let part = skin.part;
    let planted = Planted::of(follicles, growing, style.config.groom.density);
    let roots = planted.roots();
    let colors = |kind| {
        let Some(map) = style.maps.get(&kind) else {
            return Vec::new();
        };
        let color = |point: &SurfacePoint| {
            let corners = follicles.scalp().triangles()[point.triangle as usize];
            map.sample_rgb(part, corners, point.weights)
        };
        roots.points.iter().map(color).collect::<Vec<_>>()
    };
    let grey = |kind| colors(kind).into_iter().map(|[grey, ..]| grey).collect();
    let directions = colors(MapKind::Direction).into_iter().map(direction_of);
    let shares = Shares {
        length: grey(MapKind::Length),
        clump: grey(MapKind::Clump),
        curl: grey(MapKind::Curl),
        width: grey(MapKind::Width),
        stiffness: grey(MapKind::Stiffness),
        tint: colors(MapKind::Tint),
        direction: directions.map(Option::unwrap_or_default).collect(),
        masks: MapKind::MASKS.map(grey),
    };
    let settings = &style.config;
    let field = skin.field.map(|field| field as &dyn groom::Skin);
    let seed = settings.roots.seed;
    let groom = Groom::regrow_by(&roots, &settings.groom, &shares, seed, field, checkpoint);
    let mut grown = Grown {
        planted,
        lengths: groom.lengths.clone(),
        least_points: least_points(&style.edits, groom.len()),
        strands: OnceLock::new(),
        groom: Arc::new(groom),
    };
    if style.edits.curves.is_empty() || grown.groom.is_empty() {
        return grown;
    }
    for strand in 0..grown.groom.len() {
        let (length, number) = (grown.lengths[strand], grown.planted.numbers[strand]);
        let Some(curve) = style.edits.curves.get(&number) else {
            continue;
        };
        let points = grown.strands_mut().strand_mut(strand);
        match RestCurves::new(curve.points.len(), curve.points.to_vec()) {
            Some(one) => one.write(0, points),
            None => continue, // edits are checked when they are read
        }
        let ratio = length.max(MIN_LENGTH) / curve.grown;
        if ratio != 1.0 {
            points.iter_mut().for_each(|point| *point *= ratio);
        }
        grown.follow(strand);
    }
    grown.follow_strands();
    grown
}

/// Returns the most points of a strand that was brushed, or read from a file, up to a limit. A
/// modifier that needed them may be gone.
fn least_points(edits: &Edits, strands: usize) -> usize {
    let most = edits.curves.values().map(|curve| curve.points.len()).max();
    let limit = match edits.roots {
        Some(_) => MOST_POINTS,
        None => groom::most_points(strands),
    };
    most.unwrap_or(0).min(limit)
}

/// Returns for each follicle whether it has hair.
pub(super) fn growing(style: &Style, skin: Skin, follicles: &Follicles) -> Vec<bool> {
    let grows = |follicle| match style.edits.planted.get(&(follicle as u32)) {
        Some(&planted) => planted,
        None => follicles.grows(follicle, density(style, skin, follicles, follicle)),
    };
    (0..follicles.len()).map(grows).collect()
}

/// Returns the density of hair at a follicle, 0 to 1, without what was planted or removed by hand.
///
/// Where the map equals the model's paint, the model's own paint counts: a map is too coarse to
/// show where paint ends.
pub(super) fn density(style: &Style, skin: Skin, follicles: &Follicles, follicle: usize) -> f32 {
    let from_map = style.maps.get(&MapKind::Density).and_then(|map| {
        let SurfacePoint { triangle, weights } = follicles.roots().points[follicle];
        let corners = follicles.scalp().triangles()[triangle as usize];
        let is_unpainted = |own: &Map| map.agrees(own, skin.part, corners, weights);
        let is_painted = !skin.own.is_some_and(is_unpainted);
        is_painted.then(|| map.sample(skin.part, corners, weights))
    });
    let density = from_map.unwrap_or_else(|| follicles.density(follicle));
    density * style.config.groom.density
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::Layout;
    use crate::style::tests::{go_on, styler};

    #[test]
    fn maps_set_width_stiffness_and_tint_at_each_root() {
        let mut styler = styler(300, 0.75);
        let plain = styler.groom().clone();
        assert!(plain.widths.is_empty() && plain.stiffness.is_empty() && plain.tints.is_empty());
        // One value left of the head's middle and another right of it.
        let mut set = |left, right| {
            for kind in [MapKind::Width, MapKind::Stiffness, MapKind::Tint] {
                let positions = &styler.part().positions;
                let layout = Layout::Vertices(positions.len() as u32);
                let mut map = Map::uniform(layout, kind, right).unwrap();
                for (vertex, _) in positions.iter().enumerate().filter(|(_, p)| p.x < 0.0) {
                    map.set(vertex, left);
                }
                styler.set_map(map, &mut go_on).unwrap();
            }
            styler.groom().clone()
        };
        assert!(set([1.0; 3], [1.0; 3]) == plain, "white changes nothing");

        let (left, right) = ([0.2, 0.4, 0.6], [0.8, 0.0, 1.0]);
        let groom = set(left, right);
        assert_eq!(groom.roots, plain.roots);
        assert_eq!(groom.lengths, plain.lengths);
        let mut sides = [0; 2];
        for (i, root) in groom.roots.iter().enumerate() {
            // Triangles across the middle have values in between.
            if root.x.abs() < 0.06 {
                continue;
            }
            let expected = if root.x < 0.0 { left } else { right };
            sides[usize::from(root.x > 0.0)] += 1;
            let near = |a: f32, n: usize| (a - expected[n]).abs() < 1e-4;
            let grey = near(groom.widths[i], 0) && near(groom.stiffness[i], 0);
            assert!(grey, "{root}");
            assert!((0..3).all(|n| near(groom.tints[i][n], n)), "{root}");
        }
        assert!(sides.iter().all(|&strands| strands > 10), "{sides:?}");
        let some = groom.subset(&[5, 2]);
        assert_eq!(some.tints, [groom.tints[5], groom.tints[2]]);
        assert_eq!(some.widths, [groom.widths[5], groom.widths[2]]);
        assert_eq!(some.stiffness, [groom.stiffness[5], groom.stiffness[2]]);
    }
}
