//! Strands gathered around the middle strand of their clump, or made like their neighbours.

use super::locks::{Middles, locks};
use super::strands::{Strands, length, turned};
use super::{Blend, Clump, Modifier};
use crate::det_math::smooth_step;
use glam::Vec3;
use rayon::prelude::*;

/// Strands that get farther from their middle than this leave the clump, in its sizes.
const PARTED: f32 = 2.0;

impl Strands<'_> {
    pub(super) fn clump(&mut self, modifier: &Modifier, clump: &Clump) {
        let middles = locks(&self.groom.roots, &self.groom.normals, clump.size);
        let old: Vec<Vec3> = self.points.par_iter().copied().collect();
        let per = self.per;
        let roots = self.groom.roots.clone();
        let twist = f64::from(clump.twist_deg).to_radians();
        self.each(modifier, |strand, points| {
            let middle = middles[strand.index] as usize;
            if middle == strand.index {
                return;
            }
            let guide = &old[middle * per..][..per];
            let from_middle = strand.root - roots[middle];
            // Loose clumps are uneven, tight ones end in a point.
            let loose = 1.0 - clump.tightness;
            let spread = 1.0 - 0.8 * loose * strand.random().uniform() as f32;
            let segment = |points: &[Vec3]| points[1].distance(points[0]);
            let scale = segment(points) / segment(guide).max(1e-6);
            let way = guide[per - 1].normalize_or(strand.normal);
            let target = |j: usize, own: Vec3| {
                let t = j as f32 / (per - 1) as f32;
                // Strands may be shorter or longer than the one that they follow.
                let place = t * scale;
                let on_guide = along(guide, place);
                let closed = smooth_step(t / clump.taper.max(1e-3));
                let offset = from_middle + own - on_guide;
                // Hair on the other side of a parting goes its own way.
                let parted = (offset.length() - from_middle.length()) / clump.size;
                let near = 1.0 - smooth_step((parted - PARTED) / PARTED);
                let acts = near * strand.at(j, per);
                let weight = clump.tightness * spread * closed * acts;
                let offset = turned(offset, way, twist * f64::from(t * acts));
                on_guide - from_middle + offset * (1.0 - weight)
            };
            let mut at = Vec3::ZERO;
            let mut own_before = points[0];
            for (j, point) in points.iter_mut().enumerate().skip(1) {
                let size = point.distance(own_before);
                own_before = *point;
                let step = target(j, *point) - at;
                at += step.normalize_or(strand.normal) * size;
                *point = at;
            }
        });
    }

    /// Each strand takes the shape that the locks around it have on average: that of a lock is the
    /// mean of its strands, each scaled to length 1, and weighs (1 − d² / size²)² at the distance d
    /// of its middle, so that shapes change smoothly over the skin.
    pub(super) fn blend(&mut self, modifier: &Modifier, blend: &Blend) {
        let (roots, normals) = (self.groom.roots.clone(), self.groom.normals.clone());
        // Middles nearer than the size leave no step between locks.
        let middles = Middles::spaced(&roots, &normals, 0.5 * blend.size, blend.size);
        let (per, old) = (self.per, &self.points);
        let mut members = vec![Vec::new(); roots.len()];
        for strand in 0..roots.len() {
            let middle = middles.nearest(strand).unwrap_or(strand as u32);
            members[middle as usize].push(strand);
        }
        let mean = |members: &Vec<usize>| {
            let mut mean = vec![Vec3::ZERO; per * usize::from(!members.is_empty())];
            for &strand in members {
                let points = &old[strand * per..][..per];
                let share = 1.0 / (length(points).max(1e-6) * members.len() as f32);
                (mean.iter_mut().zip(points)).for_each(|(mean, &point)| *mean += point * share);
            }
            mean
        };
        let means: Vec<Vec<Vec3>> = members.par_iter().map(mean).collect();
        self.each(modifier, |strand, points| {
            let (mut shape, mut sum) = (vec![Vec3::ZERO; per], 0.0);
            middles.near(strand.index, |middle, away| {
                let left = 1.0 - away / (blend.size * blend.size);
                let weight = left * left;
                sum += weight;
                let mean = &means[middle as usize];
                (shape.iter_mut().zip(mean)).for_each(|(at, &mean)| *at += mean * weight);
            });
            if sum > 0.0 {
                let scale = length(points) / sum;
                strand.lead(points, |j, own| {
                    own.lerp(shape[j] * scale, strand.at(j, per))
                });
            }
        });
    }
}

/// Returns the point at a share of a polyline's segments, beyond the end on its last segment.
fn along(points: &[Vec3], share: f32) -> Vec3 {
    let last = points.len() - 1;
    let place = share * last as f32;
    let i = (place as usize).min(last - 1);
    points[i] + (points[i + 1] - points[i]) * (place - i as f32)
}
