//! Filling a scalp with roots until no more fit: darts, then fragments.

use super::fragment::{Fragment, NO_ROOT, Placed};
use super::index::{Neighbourhood, RootIndex, same_side};
use super::metric::Metric;
use super::settings::MAX_STRANDS;
use super::union::Balls;
use super::work::{self, Work};
use super::{Roots, SampleError};
use crate::scalp::{Scalp, SurfacePoint};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Darts at the whole scalp, per area of spacing². More of them would mostly
/// miss; fewer leave work to the fragments, which cost more.
const FIRST_DARTS: f64 = 1.1;

/// Longest edge of the pieces that the first darts are thrown at, in spacings.
const COARSE_EDGE: f64 = 16.0;

/// Fragments that lie together and get their darts together: few enough for the
/// roots around them to stay in the cache, many enough for the order not to show.
const PATCH: usize = 4096;

/// The same for the first darts, whose pieces are larger.
const COARSE_PATCH: usize = 256;

/// Darts per fragment still alive, in each round.
const ROUND_DARTS: f64 = 0.8;

/// Longest edge of the first fragments, in spacings.
const FIRST_EDGE: f64 = 0.87;

/// Where splitting stops, in spacings: what is left is covered to within this.
pub(super) const LAST_EDGE: f64 = 2.5e-4;

/// Fragments refined at once, 56 bytes each: bounds the memory, whatever the mesh.
const BATCH: usize = 1 << 20;

/// Roots are kept this much farther apart (relative) than promised, so that the
/// promise still holds when somebody measures distances in f32.
pub(super) const GUARD: f64 = 1e-6;

/// More roots than this are never made: a spacing is checked against the area
/// beforehand, but thin strips take more roots than their area tells.
const ROOTS_CAP: usize = MAX_STRANDS as usize + MAX_STRANDS as usize / 8;

/// Told the finished share of the work; may stop it.
pub(super) type Step<'a> = &'a mut dyn FnMut(f64) -> Result<(), SampleError>;

/// A set in the making.
pub(super) struct Filler<'a> {
    scalp: &'a Scalp,
    metric: Metric,
    pub(super) index: RootIndex,
    near: Neighbourhood,
    balls: Balls,
    pub(super) points: Vec<SurfacePoint>,
    /// The roots by rank.
    order: Vec<u32>,
    /// Each root's own radius, where they differ.
    radii: Vec<f64>,
    /// The radius with which one root holds each whole triangle, where levels follow each other.
    held: Vec<f32>,
    pub(super) random: Random,
    /// Darts of which the tightest is kept.
    candidates: u32,
}

/// Uniform numbers, the same from the same bits on any machine.
pub(super) struct Random(Pcg64Mcg);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random(Pcg64Mcg::seed_from_u64(seed))
    }

    /// In [0, 1), 53 bits.
    pub(super) fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A point of the unit triangle.
    pub(super) fn triangle(&mut self) -> (f64, f64) {
        let (s, t) = (self.uniform(), self.uniform());
        // The unit square's far half, folded over, is the triangle again.
        if s + t > 1.0 {
            (1.0 - s, 1.0 - t)
        } else {
            (s, t)
        }
    }
}

impl<'a> Filler<'a> {
    /// An empty set. With several `candidates` the closest to other roots is kept of as many
    /// darts, so that more of them fit.
    pub(super) fn new(
        scalp: &'a Scalp,
        metric: Metric,
        seed: u64,
        candidates: u32,
        work_left: u64,
    ) -> Self {
        let mut filler = Filler {
            scalp,
            metric,
            index: RootIndex::default(),
            near: Neighbourhood::new(),
            balls: Balls::default(),
            points: Vec::new(),
            order: Vec::new(),
            radii: Vec::new(),
            held: Vec::new(),
            random: Random::new(seed),
            candidates,
        };
        filler.set_radius(metric.radius);
        filler.index.work = Work::new(work_left);
        filler
    }

    /// The spacing from now on.
    pub(super) fn set_radius(&mut self, radius: f64) {
        self.metric.radius = radius * (1.0 + GUARD);
        self.near.forget();
    }

    /// Remembers which triangles single roots hold, for the next, smaller radius.
    pub(super) fn remember(&mut self) {
        self.held = vec![f32::INFINITY; self.scalp.triangles().len()];
    }

    /// Dart throwing on a surface (Cline et al. 2009) until what is left to hit is small.
    pub(super) fn first_darts(&mut self, step: Step) -> Result<(), SampleError> {
        let coarse = self.coarse();
        let per_area = FIRST_DARTS / (self.metric.radius * self.metric.radius);
        // Everywhere at first, so that the tree grows evenly; then patch by patch.
        for (share, patch) in [(0.1, coarse.len()), (0.9, COARSE_PATCH)] {
            let darts = |_, area: f64| share * per_area * area;
            self.throw(&coarse, patch, darts, step)?;
        }
        Ok(())
    }

    /// So many darts at the whole scalp.
    pub(super) fn darts(&mut self, darts: u32, step: Step) -> Result<(), SampleError> {
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

    /// Cuts a triangle into pieces of some tens of roots each, unless there are very many.
    fn cut(&self, whole: Fragment, pieces: &mut Vec<Fragment>) {
        if pieces.len() < BATCH {
            whole.cut(self.scalp, COARSE_EDGE * self.metric.radius, pieces);
        } else {
            pieces.push(whole);
        }
    }

    /// Fills what is uncovered until no root fits (Ebeida et al. 2012, on triangles);
    /// cracks up to `last_edge` radii wide may stay.
    pub(super) fn fill(&mut self, last_edge: f64, step: Step) -> Result<(), SampleError> {
        let triangles = self.scalp.triangles().len();
        let (mut live, mut pieces) = (Vec::new(), Vec::new());
        let mut filled = 0;
        for triangle in 0..triangles {
            let whole = Fragment::whole(triangle as u32);
            if let Some(&radius) = self.held.get(triangle)
                && f64::from(radius) < self.metric.radius
            {
                continue;
            }
            pieces.clear();
            self.cut(whole, &mut pieces);
            for (number, &piece) in pieces.iter().enumerate() {
                let ending = number + 1 == pieces.len();
                let here = triangle as f64 + (number + 1) as f64 / pieces.len() as f64;
                // Of a batch, 0.3 of the work is its first splitting.
                let share = |batch: f64| {
                    (filled as f64 + batch * (here - filled as f64)) / triangles as f64
                };
                let done = share(0.3);
                self.split(piece, FIRST_EDGE, &mut live, &mut || step(done))?;
                if live.len() >= BATCH {
                    self.refine(std::mem::take(&mut live), last_edge, &mut |done| {
                        step(share(0.3 + 0.7 * done))
                    })?;
                    if ending {
                        filled = triangle + 1;
                    }
                }
            }
        }
        let before = filled as f64 / triangles as f64;
        self.refine(live, last_edge, &mut |done| {
            step(before + (1.0 - before) * (0.3 + 0.7 * done))
        })
    }

    /// Fills what these fragments leave uncovered, round by round.
    fn refine(
        &mut self,
        mut live: Vec<Fragment>,
        last_edge: f64,
        step: Step,
    ) -> Result<(), SampleError> {
        let mut edge = FIRST_EDGE;
        let mut left = 1.0;
        while !live.is_empty() && edge > last_edge {
            // Fragments much smaller than the round's need no dart each.
            let usual = (0.25 * edge * self.metric.radius).powi(2);
            let darts = |count, area: f64| ROUND_DARTS * (area / usual).min(count as f64);
            self.throw(&live, PATCH, darts, &mut |_| step(1.0 - left))?;
            edge *= 0.5;
            let mut smaller = Vec::new();
            for fragment in live {
                self.split(fragment, edge, &mut smaller, &mut || {
                    step(1.0 - 0.75 * left)
                })?;
            }
            live = smaller;
            // Each round leaves about half as many fragments.
            left *= 0.5;
        }
        // What survives is a crack at most `last_edge` wide: its middle either takes
        // a root, whose ball then holds it all, or is itself within a ball.
        for fragment in live {
            step(1.0)?;
            self.dart(&fragment, 1.0 / 3.0, 1.0 / 3.0)?;
        }
        self.near.forget();
        Ok(())
    }

    /// Throws darts at fragments, patch by patch (so many fragments that lie
    /// together, for the cache), uniformly by area within each; `darts` says how
    /// many at a patch of so many fragments with that much area.
    fn throw(
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

    /// A dart at a fragment, or the tightest of several.
    fn best_dart(&mut self, fragment: &Fragment) -> Result<(), SampleError> {
        let mut best: Option<(f64, f64, f64)> = None;
        for _ in 1..self.candidates {
            let (s, t) = self.random.triangle();
            let point = fragment.surface_point(s, t);
            let position = self.scalp.point(point);
            let face_normal = self.scalp.face_normal(point.triangle);
            self.index.work.add(work::PIECE);
            let radius = self.metric.radius;
            if let Some(gap) = self.index.room(position, face_normal, radius, 2.0 * radius)
                && best.is_none_or(|(least, ..)| gap < least)
            {
                best = Some((gap, s, t));
            }
        }
        let (s, t) = match best {
            Some((_, s, t)) => (s, t),
            None => self.random.triangle(),
        };
        self.dart(fragment, s, t)
    }

    /// Makes a point of a fragment a root unless it conflicts with one.
    fn dart(&mut self, fragment: &Fragment, s: f64, t: f64) -> Result<(), SampleError> {
        let point = fragment.surface_point(s, t);
        // The rounded position is what is stored, so it is what is tested.
        let position = self.scalp.point(point);
        let face_normal = self.scalp.face_normal(point.triangle);
        let holder = fragment.holder;
        let radius = self.metric.at(self.scalp, point);
        let index = &mut self.index;
        index.work.add(work::PIECE);
        index.work.check()?;
        let conflict = if self.metric.scaled {
            let radii = &self.radii;
            index.any(position, face_normal, radius, |root| {
                radius.min(radii[root])
            })
        } else {
            (holder != NO_ROOT && index.is_closer(holder, position, face_normal, radius))
                || index.any_closer(position, face_normal, radius)
        };
        if conflict {
            return Ok(());
        }
        if self.index.len() >= ROOTS_CAP {
            // The area law was of no use here; the count falls at least with 1/spacing.
            let spacing = self.metric.radius;
            return Err(SampleError::too_many(spacing as f32, 2.0 * spacing));
        }
        self.index.add(position, face_normal)?;
        self.order.push(self.points.len() as u32);
        self.points.push(point);
        if self.metric.scaled {
            self.radii.push(radius);
        }
        Ok(())
    }

    /// Splits a fragment down to an edge length (in radii); keeps what no single root covers.
    fn split(
        &mut self,
        fragment: Fragment,
        longest: f64,
        keep: &mut Vec<Fragment>,
        step: &mut dyn FnMut() -> Result<(), SampleError>,
    ) -> Result<(), SampleError> {
        let mut stack = vec![fragment.place(self.scalp)];
        while let Some(mut piece) = stack.pop() {
            step()?;
            self.index.work.add(work::PIECE);
            self.index.work.check()?;
            let (edge, length2) = piece.longest_edge();
            let range = self.metric.range(self.scalp, &piece.fragment);
            let small = length2 <= 4.0 * range.0 * range.0;
            let longest = longest * range.0;
            if small && self.covered(&mut piece, range, longest) {
                continue;
            }
            if length2 <= longest * longest {
                keep.push(piece.fragment);
            } else {
                piece.split_into(edge, longest, &mut stack);
            }
        }
        Ok(())
    }

    /// Whether roots hold the whole piece, one of them (balls are convex) or several together.
    /// If not, notes the one that comes nearest to it.
    fn covered(&mut self, piece: &mut Placed, range: (f64, f64), reach: f64) -> bool {
        let triangle = piece.fragment.triangle;
        let face_normal = self.scalp.face_normal(triangle);
        let (radius, farthest) = range;
        let radii = &self.radii;
        let own = |root: u32| {
            radii
                .get(root as usize)
                .map_or(radius, |own| radius.min(*own))
        };
        let mut least2 = f64::INFINITY;
        let holder = piece.fragment.holder;
        if holder != NO_ROOT {
            least2 = piece.farthest2(self.index.position(holder));
            if least2 < own(holder).powi(2) {
                return true;
            }
        }
        let centroid = piece.centroid();
        let touching = radius + piece.farthest2(centroid).sqrt();
        let around = self
            .near
            .around(&mut self.index, centroid, farthest, 2.0 * reach);
        self.balls.clear();
        for root in around {
            if !same_side(root.face_normal, face_normal) {
                continue;
            }
            let farthest2 = piece.farthest2(root.position);
            let own = own(root.number);
            if farthest2 < least2 {
                least2 = farthest2;
                piece.fragment.holder = root.number;
                if farthest2 < own * own {
                    if let Some(held) = self.held.get_mut(triangle as usize)
                        && piece.fragment.is_whole()
                    {
                        *held = (farthest2.sqrt() as f32).next_up();
                    }
                    return true;
                }
            }
            if root.position.distance_squared(centroid) < touching * touching {
                self.balls.push(root.position, own);
            }
        }
        self.balls.hold(&piece.corners)
    }

    /// Puts the roots from `first` on in random order.
    pub(super) fn shuffle_from(&mut self, first: usize) {
        for last in (first + 1..self.points.len()).rev() {
            let other = first + (self.random.uniform() * (last + 1 - first) as f64) as usize;
            self.order.swap(last, other);
        }
    }

    /// The set.
    pub(super) fn finish(self, spacing: f32) -> Roots {
        let (positions, face_normals) = self.index.into_parts();
        let order = || self.order.iter().map(|&root| root as usize);
        let points: Vec<SurfacePoint> = order().map(|root| self.points[root]).collect();
        Roots {
            spacing,
            positions: order().map(|root| positions[root]).collect(),
            directions: points.iter().map(|&p| self.scalp.normal(p)).collect(),
            face_normals: order().map(|root| face_normals[root]).collect(),
            ranks: (0..points.len() as u32).collect(),
            full_count: points.len(),
            scaled: self.metric.scaled,
            points,
        }
    }
}
