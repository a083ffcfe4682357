//! The motion that an animation gives the skin of a head, beside that of the whole head.

use super::{SKIN_STEPS, SkinMotion};
use crate::bvh::bounds;
use crate::head::{Head, Rig};
use crate::sim::Sdf;
use crate::sim::sdf::{Bend, BendMotion, Lattice, Moved};
use glam::{DMat3, Mat3, Vec3};
use std::collections::HashSet;
use std::sync::Arc;

/// The distance between points of skin, in cells of the grid that takes their motion.
const SPACING: f32 = 0.6;
/// Skin that moves by less than this rests, decimetres.
const REST: f32 = 1e-4;
/// Joints that shrink volumes below this share turn nothing.
const LEAST_VOLUME: f64 = 1e-6;

/// The skin of a head, as points spread over it, and its motion.
#[derive(Clone, Debug)]
pub(super) struct BentSkin {
    parts: Arc<Vec<Points>>,
    /// The box around skin, in all its places so far.
    extent: (Vec3, Vec3),
    /// The last places of skin; empty before they are first needed.
    last: Vec<Moved>,
    /// `None`: all skin is as it was loaded.
    motion: Option<Arc<BendMotion>>,
    /// `true` if the motion ends where it begins.
    rests: bool,
}

/// Vertices of a part of a head.
#[derive(Debug)]
struct Points {
    part: usize,
    vertices: Vec<u32>,
    /// Their places on the head as it was loaded, and the turn that its nodes and joints give the
    /// mesh there.
    at_rest: Vec<(Vec3, DMat3)>,
}

impl BentSkin {
    /// Returns the skin of a head as it was loaded.
    pub(super) fn new(head: &Head, rig: &Rig) -> Self {
        let parts = Sdf::skin_parts(head);
        let skin = parts.iter().map(|&part| &head.parts[part]);
        let all = skin.flat_map(|part| part.positions.iter().copied());
        let extent = bounds(all.filter(|position| position.is_finite()));
        let spacing = SPACING * Lattice::around(extent).cell;
        let points = parts.into_iter().map(|number| {
            let part = &head.parts[number];
            let mut taken = HashSet::new();
            let mut vertices: Vec<u32> = part.triangles.iter().flatten().copied().collect();
            vertices.sort_unstable();
            vertices.dedup();
            vertices.retain(|&vertex| {
                let cell = (part.positions[vertex as usize] / spacing).floor();
                taken.insert(cell.as_ivec3())
            });
            let turns = rig.turned_vertices(None, number, &vertices);
            let places = vertices
                .iter()
                .map(|&vertex| part.positions[vertex as usize]);
            Points {
                part: number,
                at_rest: places
                    .zip(turns)
                    .map(|(place, (_, turn))| (place, turn))
                    .collect(),
                vertices,
            }
        });
        Self {
            parts: Arc::new(points.collect()),
            extent,
            last: Vec::new(),
            motion: None,
            rests: true,
        }
    }

    /// Returns a grid around skin in all its places so far and now.
    fn lattice_around(&mut self, now: &[Moved]) -> Lattice {
        let (low, high) = bounds(now.iter().map(|point| point.now));
        self.extent = (self.extent.0.min(low), self.extent.1.max(high));
        Lattice::around(self.extent)
    }

    fn at(&self, rig: &Rig, animation: usize, secs: f64) -> Vec<Moved> {
        let mut all = Vec::new();
        for points in self.parts.iter() {
            let now = rig.turned_vertices(Some((animation, secs)), points.part, &points.vertices);
            all.extend(now.into_iter().zip(&points.at_rest).map(
                |((now, turn), (then, before))| {
                    let back = match turn.determinant().abs()
                        > LEAST_VOLUME * before.determinant().abs()
                    {
                        true => (*before * turn.inverse()).as_mat3(),
                        false => Mat3::IDENTITY,
                    };
                    Moved {
                        now,
                        then: *then,
                        back,
                    }
                },
            ));
        }
        all
    }
}

impl SkinMotion {
    /// Puts the skin that a field was baked from where it is at a time of the animation.
    pub(in crate::sim) fn put_bent(&mut self, field: &Sdf, secs: f64) {
        let skin = &mut self.bent;
        let now = skin.at(&self.rig, self.animation, secs);
        if is_finite(&now) {
            let lattice = skin.lattice_around(&now);
            skin.motion = BendMotion::new(field, lattice, None, &now, SKIN_STEPS);
            (skin.last, skin.rests) = (now, true);
        }
    }

    /// Moves the skin that a field was baked from to a time of the animation, in [`SKIN_STEPS`].
    /// Returns whether any of it moves.
    pub(in crate::sim) fn bend(&mut self, field: &Sdf, secs: f64) -> bool {
        let skin = &mut self.bent;
        let now = skin.at(&self.rig, self.animation, secs);
        if !is_finite(&now) || now.len() != skin.last.len() {
            return false;
        }
        let moves =
            |(now, last): (&Moved, &Moved)| now.now.distance_squared(last.now) > REST * REST;
        let rests = !now.iter().zip(&skin.last).any(moves);
        if rests && skin.rests {
            return false;
        }
        let lattice = skin.lattice_around(&now);
        let before = (!rests).then_some((&skin.last[..], skin.motion.as_deref()));
        skin.motion = BendMotion::new(field, lattice, before, &now, SKIN_STEPS);
        (skin.last, skin.rests) = (now, rests);
        true
    }

    /// Returns how the skin is bent once so many steps have begun; `None`: it is as it was loaded.
    pub(in crate::sim) fn bend_at(&self, steps: u64) -> Option<Bend> {
        let motion = self.bent.motion.clone()?;
        let step = (steps + SKIN_STEPS - 1) % SKIN_STEPS + 1;
        Some(Bend::new(motion, step as f32 / SKIN_STEPS as f32))
    }
}

fn is_finite(skin: &[Moved]) -> bool {
    skin.iter().all(|point| point.now.is_finite())
}
