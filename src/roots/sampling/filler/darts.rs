//! Pieces of triangles: cutting them, dropping those that roots hold, throwing darts at the rest.

use super::{BATCH, Filler, ball_radius};
use crate::roots::fragment::{Fragment, NO_ROOT, Placed};
use crate::roots::work::{self, Progress, Result};
use crate::{random::pick, roots::index::same_side};

/// The number of darts per spacing² before gaps are filled. More darts would mostly miss; fewer
/// leave more work to the gaps, which cost more.
const FIRST_DARTS: f64 = 1.1;
/// The number of darts of a tight set, which cost more. With far fewer, roots would trace the
/// borders of fragments.
const TIGHT_FIRST_DARTS: f64 = 0.7;

/// The number of pieces of the first darts that lie together. They are fewer than later, as they
/// are larger.
const COARSE_PATCH: usize = 1024;

/// The area from which a tight set chooses each root, in spacings², where fragments are smaller. In
/// much more area, the candidates are too few; in much less, they are all alike.
const CHOICE_AREA: f64 = 0.5;

/// The longest edge of the pieces that the first darts are thrown at, in spacings.
const COARSE_EDGE: f64 = 8.0;
/// The longest edge of the first fragments, in spacings.
const FIRST_EDGE: f64 = 1.8;

impl Filler<'_> {
    /// Cuts a triangle into pieces of some tens of roots each, unless there are very many. `stack`
    /// is an empty buffer.
    pub fn cut(&self, whole: Fragment, stack: &mut Vec<Placed>, pieces: &mut Vec<Fragment>) {
        if pieces.len() >= BATCH {
            pieces.push(whole);
            return;
        }
        let longest = COARSE_EDGE * self.metric.radius;
        stack.push(whole.place(self.scalp));
        while let Some(piece) = stack.pop() {
            let (edge, length2) = piece.longest_edge();
            if length2 <= longest * longest {
                pieces.push(piece.fragment);
            } else {
                piece.split_into(edge, longest, stack);
            }
        }
    }

    /// Splits pieces into the first fragments, and appends those that are not covered to `live`.
    pub fn split(
        &mut self,
        stack: &mut Vec<Placed>,
        live: &mut Vec<Fragment>,
        done: f64,
        progress: &mut Progress,
    ) -> Result<()> {
        while let Some(mut piece) = stack.pop() {
            progress.step(done)?;
            self.spend(progress)?;
            let (edge, length2) = piece.longest_edge();
            let range = self.metric.range(self.scalp, &piece.fragment);
            let small = length2 <= 4.0 * range.0 * range.0;
            let longest = FIRST_EDGE * range.0;
            if small && self.covered(&mut piece, range, longest) {
                continue;
            }
            if length2 <= longest * longest {
                live.push(piece.fragment);
            } else {
                piece.split_into(edge, longest, stack);
            }
        }
        Ok(())
    }

    /// Returns `true` if roots hold the whole piece, one of them (balls are convex) or several
    /// together. Otherwise notes the one that comes nearest to it.
    fn covered(&mut self, piece: &mut Placed, range: (f64, f64), reach: f64) -> bool {
        let triangle = piece.fragment.triangle;
        let face_normal = self.scalp.face_normal(triangle);
        let (radius, farthest) = range;
        let radii = &self.radii;
        let own = |root: u32| ball_radius(radii, root as usize, radius);
        let mut least2 = f64::INFINITY;
        let holder = piece.fragment.holder;
        if holder != NO_ROOT {
            least2 = piece.farthest2(self.index.at(holder as usize).0);
            if least2 < own(holder).powi(2) {
                return true;
            }
        }
        let centroid = piece.centroid();
        let across = piece.farthest2(centroid).sqrt();
        (self.near).around(&mut self.index, centroid, farthest, reach);
        self.balls.start(piece.corners);
        let held = self.held.get_mut(triangle as usize);
        let mut held = held.filter(|_| piece.fragment.is_whole());
        let is_external = |root: u32| (root as usize) < self.external_count;
        // A ball touches the piece only if its root is nearer to the centroid than this.
        let touching = |root: u32| across + if is_external(root) { own(root) } else { radius };
        for (cluster, roots) in self.near.clusters() {
            // A corner of the piece is at least as far from a root as the centroid is.
            let distance = cluster.distance(centroid);
            if distance > touching(cluster.last) && distance * distance > least2 {
                continue;
            }
            self.index.work += work::NEIGHBOUR * roots.len() as u64;
            for &(number, position, normal) in roots {
                if !same_side(normal, face_normal) {
                    continue;
                }
                let farthest2 = piece.farthest2(position);
                let own = own(number);
                if farthest2 < least2 {
                    least2 = farthest2;
                    piece.fragment.holder = number;
                    if farthest2 < own * own {
                        match &mut held {
                            // The nearest holds it for the most levels.
                            Some(held) => **held = (farthest2.sqrt() as f32).next_up(),
                            None => return true,
                        }
                    }
                }
                let touching = touching(number);
                if position.distance_squared(centroid) < touching * touching {
                    self.balls.push(position, own);
                }
            }
        }
        held.is_some_and(|held| f64::from(*held) < radius) || self.balls.hold()
    }

    /// Dart throwing on a surface (Cline et al. 2009): a number of darts per area of spacing².
    pub fn first_darts(&mut self, progress: &mut Progress) -> Result<()> {
        // Pieces of some tens of roots each.
        let (mut stack, mut coarse) = (Vec::new(), Vec::new());
        for triangle in 0..self.scalp.triangles().len() as u32 {
            self.cut(Fragment::whole(triangle), &mut stack, &mut coarse);
        }
        self.bring_together(&mut coarse);
        let per_area = match self.candidates {
            1 => FIRST_DARTS,
            _ => TIGHT_FIRST_DARTS,
        };
        let per_area = per_area / (self.metric.radius * self.metric.radius);
        // Everywhere at first, so that the tree grows evenly; then patch by patch.
        for (share, patch) in [(0.1, coarse.len()), (0.9, COARSE_PATCH)] {
            self.throw(&coarse, patch, |area| share * per_area * area, progress)?;
        }
        Ok(())
    }

    /// Sorts fragments by place for a tight set, which chooses from several that lie together
    /// where triangles are small: along a Z-order curve of cells half a spacing wide.
    pub fn bring_together(&self, fragments: &mut [Fragment]) {
        if self.candidates == 1 {
            return;
        }
        let areas = fragments.iter().map(|piece| piece.area(self.scalp));
        let mean = areas.sum::<f64>() / fragments.len() as f64;
        let spacing = self.metric.radius;
        if mean > 0.5 * CHOICE_AREA * spacing * spacing {
            return;
        }
        let (low, high) = self.scalp.bounds();
        let (low, high) = (low.as_dvec3(), high.as_dvec3());
        let cell = (0.5 * spacing).max((high - low).max_element() / f64::from(1 << 20));
        fragments.sort_by_cached_key(|fragment| {
            let at = (fragment.place(self.scalp).centroid() - low) / cell;
            let [x, y, z] = at.to_array().map(|along| along.max(0.0) as u64);
            (0..21).fold(0_u64, |code, bit| {
                let bits = [x, y, z].map(|along| along >> bit & 1);
                code | (bits[0] | bits[1] << 1 | bits[2] << 2) << (3 * bit)
            })
        });
    }

    /// Throws darts at fragments, uniformly by area within each patch. A patch is `patch` fragments
    /// that lie together, for the cache. `darts` returns the number of darts at a patch from its
    /// area.
    pub fn throw(
        &mut self,
        fragments: &[Fragment],
        patch: usize,
        darts: impl Fn(f64) -> f64,
        progress: &mut Progress,
    ) -> Result<()> {
        let scalp = self.scalp;
        let mut sums = Vec::new();
        for (number, together) in fragments.chunks(patch.max(1)).enumerate() {
            let done = (number * patch) as f64 / fragments.len() as f64;
            let mut total = 0.0;
            sums.clear();
            sums.extend(together.iter().map(|fragment| {
                let (least, _) = self.metric.range(scalp, fragment);
                // Darts are as much rarer as the spacing is wider.
                total += fragment.area(scalp) * (self.metric.radius / least).powi(2);
                total
            }));
            let darts = darts(total).ceil() as usize;
            for _ in 0..darts {
                progress.step(done)?;
                let at = self.random.uniform() * total;
                let (number, (s, t)) = self.aim(together, &sums, at);
                let point = together[number].surface_point(s, t);
                let position = self.scalp.point(point);
                let face_normal = self.scalp.face_normal(point.triangle);
                let radius = self.metric.at(self.scalp, point);
                self.spend(progress)?;
                if !self.conflicts(position, face_normal, radius) {
                    self.add(point, position, face_normal, radius)?;
                }
            }
        }
        self.near.forget();
        Ok(())
    }

    /// Returns the fragment that a dart hits, by its place in the running sums of their areas, and
    /// the point. In a tight set, the point is the one of several around there that is closest to
    /// two roots.
    fn aim(&mut self, together: &[Fragment], sums: &[f64], at: f64) -> (usize, (f64, f64)) {
        let hit = pick(sums, at);
        let mut best = (f64::INFINITY, (hit, self.random.triangle()));
        if self.candidates == 1 {
            return best.1;
        }
        let before = hit.checked_sub(1).map_or(0.0, |before| sums[before]);
        let choice = CHOICE_AREA * self.metric.radius * self.metric.radius;
        let several = sums[hit] - before < 0.5 * choice;
        let from = before.min((at - 0.5 * choice).max(0.0));
        let to = sums[hit].max((at + 0.5 * choice).min(sums[sums.len() - 1]));
        for _ in 1..self.candidates {
            let number = match several {
                true => pick(sums, from + self.random.uniform() * (to - from)),
                false => hit,
            };
            let (s, t) = self.random.triangle();
            let point = together[number].surface_point(s, t);
            let position = self.scalp.point(point);
            let face_normal = self.scalp.face_normal(point.triangle);
            self.index.work += work::PIECE;
            if let Some(room) = self.index.room(position, face_normal, self.metric.radius)
                && room < best.0
            {
                best = (room, (number, (s, t)));
            }
        }
        best.1
    }
}
