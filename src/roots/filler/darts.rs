//! Throwing darts: at the whole scalp first, then at what is not covered yet.

use super::{Filler, Step};
use crate::roots::SampleError;
use crate::roots::fragment::Fragment;
use crate::roots::work;

/// Pieces of the first darts that lie together: fewer than later, as they are larger.
const COARSE_PATCH: usize = 1024;

impl Filler<'_> {
    /// Dart throwing on a surface (Cline et al. 2009): so many darts per area of spacing².
    pub(in crate::roots) fn first_darts(
        &mut self,
        per_area: f64,
        step: Step,
    ) -> Result<(), SampleError> {
        let coarse = self.coarse();
        let per_area = per_area / (self.metric.radius * self.metric.radius);
        // Everywhere at first, so that the tree grows evenly; then patch by patch.
        for (share, patch) in [(0.1, coarse.len()), (0.9, COARSE_PATCH)] {
            let darts = |_, area: f64| share * per_area * area;
            self.throw(&coarse, patch, darts, step)?;
        }
        Ok(())
    }

    /// So many darts at the whole scalp.
    pub(in crate::roots) fn darts(&mut self, darts: u32, step: Step) -> Result<(), SampleError> {
        let triangles = 0..self.scalp.triangles().len() as u32;
        let whole: Vec<Fragment> = triangles.map(Fragment::whole).collect();
        self.throw(&whole, whole.len(), |_, _| f64::from(darts), step)
    }

    /// The scalp in pieces of some tens of roots each.
    fn coarse(&self) -> Vec<Fragment> {
        let mut pieces = Vec::new();
        for triangle in 0..self.scalp.triangles().len() as u32 {
            self.cut(Fragment::whole(triangle), &mut pieces);
        }
        pieces
    }

    /// Throws darts at fragments, patch by patch (so many fragments that lie
    /// together, for the cache), uniformly by area within each; `darts` says how
    /// many at a patch of so many fragments with that much area.
    pub(super) fn throw(
        &mut self,
        fragments: &[Fragment],
        patch: usize,
        darts: impl Fn(usize, f64) -> f64,
        step: Step,
    ) -> Result<(), SampleError> {
        let scalp = self.scalp;
        let areas = scalp.triangle_areas();
        let mut sums = Vec::new();
        for (number, together) in fragments.chunks(patch.max(1)).enumerate() {
            let done = (number * patch) as f64 / fragments.len() as f64;
            let mut total = 0.0;
            sums.clear();
            sums.extend(together.iter().map(|fragment| {
                let area = areas[fragment.triangle as usize] * fragment.share();
                let (least, _) = self.metric.range(scalp, fragment);
                // Where the spacing is wider, as many darts fewer.
                total += area * (self.metric.radius / least).powi(2);
                total
            }));
            let darts = darts(together.len(), total).ceil() as usize;
            for _ in 0..darts {
                step(done)?;
                let at = self.random.uniform() * total;
                let hit = sums.partition_point(|&sum| sum <= at);
                let fragment = &together[hit.min(together.len() - 1)];
                self.best_dart(fragment)?;
            }
        }
        self.near.forget();
        Ok(())
    }

    /// A dart at a fragment; of several candidates the one that is closest to two roots.
    fn best_dart(&mut self, fragment: &Fragment) -> Result<(), SampleError> {
        let mut best = (f64::INFINITY, self.random.triangle());
        for _ in 1..self.candidates {
            let (s, t) = self.random.triangle();
            let point = fragment.surface_point(s, t);
            let position = self.scalp.point(point);
            let face_normal = self.scalp.face_normal(point.triangle);
            self.index.work.add(work::PIECE);
            let room = self.index.room(position, face_normal, self.metric.radius);
            if let Some(room) = room
                && room < best.0
            {
                best = (room, (s, t));
            }
        }
        let (s, t) = best.1;
        self.dart(fragment, s, t)
    }

    /// Makes a point of a fragment a root unless it conflicts with one.
    fn dart(&mut self, fragment: &Fragment, s: f64, t: f64) -> Result<(), SampleError> {
        let point = fragment.surface_point(s, t);
        let position = self.scalp.point(point);
        let face_normal = self.scalp.face_normal(point.triangle);
        let radius = self.metric.at(self.scalp, point);
        self.index.work.add(work::PIECE);
        self.index.work.check()?;
        if self.conflicts(position, face_normal, radius) {
            return Ok(());
        }
        self.add(point, position, face_normal, radius)
    }
}
