//! From a style to its hair: settings, then maps, then what brushes have made of single strands.

use super::edits::Edits;
use super::strands::Strands;
use super::{Follicles, Style};
use crate::groom::{Groom, RestCurves, Shares};
use crate::head::Part;
use crate::maps::{Map, MapKind, direction_of};
use crate::scalp::SurfacePoint;
use glam::Vec3;

/// What is shorter counts as this, decimetres: curves of it could not be scaled.
pub(super) const LEAST_GROWN: f32 = 1e-3;

/// The hair of a style.
#[derive(Clone, Debug, PartialEq)]
pub struct Grown {
    /// As the simulation takes it.
    pub groom: Groom,
    /// The same as polylines, for brushes.
    pub strands: Strands,
    /// How long each strand is without edits, decimetres.
    pub(super) lengths: Vec<f32>,
}

impl Grown {
    /// Takes the curves of all strands over into the groom.
    pub(super) fn follow_strands(&mut self) {
        let Strands { per, points, .. } = &self.strands;
        self.groom.curves = RestCurves::new(*per, points.clone());
    }
}

/// Grows a style. A pure function: the same style gives the same bits, whatever came before.
pub(super) fn grow(style: &Style, part: &Part, follicles: &Follicles) -> Grown {
    let growing = growing(style, part, follicles);
    let roots = follicles.roots().kept(&growing, style.config.groom.density);
    let numbers: Vec<u32> = (0..follicles.len() as u32)
        .filter(|&follicle| growing[follicle as usize])
        .collect();
    let at = |kind| style.maps.get(&kind).map(|map| (&**map, follicles));
    let grey = |kind| {
        at(kind).map_or(Vec::new(), |(map, _)| {
            roots
                .points
                .iter()
                .map(|&p| grey(map, part, follicles, p))
                .collect()
        })
    };
    let direction = at(MapKind::Direction).map_or(Vec::new(), |(map, _)| {
        let lean = |&point: &SurfacePoint| {
            let corners = follicles.scalp().triangles()[point.triangle as usize];
            direction_of(map.sample_rgb(part, corners, point.weights)).unwrap_or(Vec3::ZERO)
        };
        roots.points.iter().map(lean).collect()
    });
    let shares = Shares {
        length: grey(MapKind::Length),
        clump: grey(MapKind::Clump),
        curl: grey(MapKind::Curl),
        direction,
    };
    let settings = &style.config;
    let groom = Groom::grow_by(&roots, &settings.groom, &shares, settings.roots.seed);
    let lengths = groom.lengths.clone();
    let strands = Strands::of(&groom, numbers);
    let mut grown = Grown {
        groom,
        strands,
        lengths,
    };
    edit(&mut grown, &style.edits);
    grown
}

fn grey(map: &Map, part: &Part, follicles: &Follicles, point: SurfacePoint) -> f32 {
    let corners = follicles.scalp().triangles()[point.triangle as usize];
    map.sample(part, corners, point.weights)
}

/// Which follicles have hair.
pub(super) fn growing(style: &Style, part: &Part, follicles: &Follicles) -> Vec<bool> {
    let map = style.maps.get(&MapKind::Density);
    let share = style.config.groom.density;
    (0..follicles.len())
        .map(|follicle| {
            if let Some(&planted) = style.edits.planted.get(&(follicle as u32)) {
                return planted;
            }
            let density = match map {
                Some(map) => grey(map, part, follicles, follicles.roots().points[follicle]),
                None => follicles.density(follicle),
            };
            follicles.grows(follicle, density * share)
        })
        .collect()
}

/// Puts the curves of edited strands in.
fn edit(grown: &mut Grown, edits: &Edits) {
    let Grown {
        groom,
        strands,
        lengths,
    } = grown;
    if edits.curves.is_empty() || strands.is_empty() {
        return;
    }
    for (strand, &length) in lengths.iter().enumerate() {
        let Some(curve) = edits.curves.get(&strands.follicles[strand]) else {
            continue;
        };
        let points = strands.strand_mut(strand);
        match RestCurves::new(curve.points.len(), curve.points.to_vec()) {
            Some(one) => one.write(0, points),
            None => continue, // edits are checked where they come in
        }
        let ratio = length.max(LEAST_GROWN) / curve.grown;
        if ratio != 1.0 {
            points.iter_mut().for_each(|point| *point *= ratio);
        }
        follow(groom, strands, strand);
    }
    grown.follow_strands();
}

/// Takes the length and the direction of a strand from its curve.
pub(super) fn follow(groom: &mut Groom, strands: &Strands, strand: usize) {
    let points = strands.strand(strand);
    groom.lengths[strand] = strands.length(strand);
    groom.directions[strand] = (points[1] - points[0]).normalize_or(groom.normals[strand]);
}
