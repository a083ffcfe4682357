//! Progressive sets: levels of decreasing spacing, each ranked after those before it.

use super::{CRACK, Filler, GUARD};
use crate::roots::Roots;
use crate::roots::fragment::Fragment;
use crate::roots::work::{Progress, Result};
use std::{cmp::Reverse, collections::BinaryHeap};

/// The width of cracks allowed at all levels but the last, in spacings.
const LEVEL_CRACK: f64 = 1e-3;

impl Filler<'_> {
    /// Adds the roots of another set, on a scalp beside this one, before there are any of this set.
    /// At every level, no root is nearer to them than their own spacing, and what they cover by
    /// that is covered.
    pub fn keep_off(&mut self, others: &Roots) -> Result<()> {
        for (&position, &normal) in others.positions.iter().zip(&others.face_normals) {
            self.index.add(position, normal)?;
        }
        self.points = others.points.clone();
        self.external_count = self.points.len();
        let own = f64::from(others.spacing) * (1.0 + GUARD);
        self.radii = vec![own; self.external_count];
        Ok(())
    }

    /// Fills decreasing spacings, each until it is maximal, and ranks the roots of each level after
    /// those of the levels before, farthest first.
    ///
    /// A prefix that ends in the level of spacing r contains the whole level before it. No point is
    /// therefore farther than 2^¼ r from its roots, and no two of them are closer than r.
    pub fn fill_by_levels(&mut self, spacing: f32, progress: &mut Progress) -> Result<()> {
        let (low, high) = self.scalp.bounds();
        let across = low.as_dvec3().distance(high.as_dvec3());
        let step = 2.0_f64.sqrt().sqrt();
        let mut radii = vec![f64::from(spacing)];
        while let Some(&last) = radii.last()
            && last < across
        {
            radii.push(last * step);
        }
        // The work of a level is proportional to its roots: half of that of two levels later.
        let shrink = 2.0_f64.sqrt().recip();
        let triangles = self.scalp.triangles().len();
        self.held = vec![f32::INFINITY; triangles];
        // One root nearly fills the first level. Without it, every triangle would be examined.
        let scalp: Vec<Fragment> = (0..triangles as u32).map(Fragment::whole).collect();
        self.throw(&scalp, triangles, |_| 1.0, progress)?;
        let mut done = shrink.powi(radii.len() as i32);
        for (level, &radius) in radii.iter().enumerate().rev() {
            let first = self.points.len();
            self.metric.radius = radius * (1.0 + GUARD);
            self.near.forget();
            let crack = if level == 0 { CRACK } else { LEVEL_CRACK };
            let to = shrink.powi(level as i32).max(done);
            progress.part(done, to, |part| self.fill(crack, part))?;
            done = to;
            self.farthest_first(first, step * radius, progress)?;
        }
        Ok(())
    }

    /// Ranks the roots from `first` on: each is the one farthest from all before it
    /// (farthest-point order, Gonzalez 1985), where more than `reach` counts as that.
    fn farthest_first(&mut self, first: usize, reach: f64, progress: &mut Progress) -> Result<()> {
        let count = self.points.len() - first;
        let mut nearest = vec![reach; count];
        // Roots of the level that are near each other, those of each root in a run that ends here.
        let (mut near, mut ends) = (Vec::new(), Vec::with_capacity(count));
        let mut found = Vec::new();
        for root in first..self.points.len() {
            self.index.same_side_within(root, reach, &mut found);
            progress.spend(&mut self.index.work)?;
            for &(other, distance) in &found {
                if other < self.external_count {
                    continue;
                }
                if other < first {
                    let nearest = &mut nearest[root - first];
                    *nearest = nearest.min(distance);
                } else {
                    near.push(((other - first) as u32, distance));
                }
            }
            ends.push(near.len());
        }
        // Distances only fall, so an entry is never below its place. Positive floats order as
        // their bits do.
        let key = |distance: f64, root: u32| (distance.to_bits(), Reverse(root));
        let mut heap: BinaryHeap<_> = (0..count as u32)
            .map(|root| key(nearest[root as usize], root))
            .collect();
        self.order.retain(|&root| (root as usize) < first);
        while let Some((claimed, Reverse(root))) = heap.pop() {
            let at = root as usize;
            if nearest[at].to_bits() < claimed {
                heap.push(key(nearest[at], root));
                continue;
            }
            self.order.push(first as u32 + root);
            let begin = at.checked_sub(1).map_or(0, |before| ends[before]);
            for &(other, distance) in &near[begin..ends[at]] {
                let nearest = &mut nearest[other as usize];
                *nearest = nearest.min(distance);
            }
        }
        Ok(())
    }
}
