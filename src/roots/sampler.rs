//! Maximal Poisson-disk sampling at a given spacing: darts, then fragments.

use super::fragment::{Fragment, NO_ROOT, Placed};
use super::index::{Neighbourhood, RootIndex, same_side};
use super::progress::Progress;
use super::settings::MAX_STRANDS;
use super::work::{self, Work};
use super::{Roots, SampleError};
use crate::scalp::{Scalp, SurfacePoint};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Roots of a maximal set on a closed surface: N = DENSITY * area / spacing².
/// Measured on this sampler; maximal darts on a plane jam at a packing of 0.547.
pub(super) const DENSITY: f64 = 0.696_55;

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
const LAST_EDGE: f64 = 2.5e-4;

/// Fragments refined at once, 56 bytes each: bounds the memory, whatever the mesh.
const BATCH: usize = 1 << 20;

/// Roots are kept this much farther apart (relative) than promised, so that the
/// promise still holds when somebody measures distances in f32.
const GUARD: f64 = 1e-6;

/// More roots than this are never made: a spacing is checked against the area
/// beforehand, but thin strips take more roots than their area tells.
const ROOTS_CAP: usize = MAX_STRANDS as usize + MAX_STRANDS as usize / 8;

/// The smallest spacing that needs no more than [`MAX_STRANDS`] by the area.
pub(crate) fn smallest_by_count(scalp: &Scalp) -> f64 {
    (DENSITY * scalp.area() / f64::from(MAX_STRANDS)).sqrt()
}

/// The smallest spacing that the scalp's f32 coordinates resolve: the rounding of
/// a position, at most 0.87 epsilon of the largest coordinate, must stay below the
/// tolerance of the coverage.
pub(crate) fn smallest_by_rounding(scalp: &Scalp) -> f64 {
    let (low, high) = scalp.bounds();
    let largest = low.abs().max(high.abs()).max_element();
    1200.0 * f64::from(f32::EPSILON) * f64::from(largest)
}

/// A maximal set for a finite spacing above 0.
pub(crate) fn sample(
    scalp: &Scalp,
    spacing: f32,
    seed: u64,
    progress: &mut Progress,
) -> Result<Roots, SampleError> {
    if !(spacing.is_finite() && spacing > 0.0) {
        return Err(SampleError::Spacing { spacing });
    }
    let smallest = smallest_by_rounding(scalp);
    if f64::from(spacing) < smallest {
        return Err(SampleError::too_many(spacing, smallest));
    }
    let mut sampler = Sampler::new(scalp, spacing, seed, progress);
    sampler.run(progress)?;
    progress.work_left = sampler.index.work.left();
    Ok(sampler.finish())
}

/// How many of so many darts land: no more roots than the spacing really gives, and far
/// cheaper to know.
pub(crate) fn pilot(
    scalp: &Scalp,
    spacing: f64,
    darts: u32,
    seed: u64,
    progress: &mut Progress,
) -> Result<usize, SampleError> {
    let mut sampler = Sampler::new(scalp, spacing as f32, seed, progress);
    let triangles = 0..scalp.triangles().len() as u32;
    let whole: Vec<Fragment> = triangles.map(Fragment::whole).collect();
    let darts = |_, _| f64::from(darts);
    sampler.throw(&whole, whole.len(), darts, |_| progress.step(0.0))?;
    progress.work_left = sampler.index.work.left();
    Ok(sampler.points.len())
}

struct Sampler<'a> {
    scalp: &'a Scalp,
    spacing: f32,
    radius: f64,
    index: RootIndex,
    near: Neighbourhood,
    points: Vec<SurfacePoint>,
    random: Pcg64Mcg,
}

impl<'a> Sampler<'a> {
    fn new(scalp: &'a Scalp, spacing: f32, seed: u64, progress: &Progress) -> Self {
        let mut sampler = Sampler {
            scalp,
            spacing,
            radius: f64::from(spacing) * (1.0 + GUARD),
            index: RootIndex::default(),
            near: Neighbourhood::new(),
            points: Vec::new(),
            random: Pcg64Mcg::seed_from_u64(seed),
        };
        sampler.index.work = Work::new(progress.work_left);
        sampler
    }

    /// Dart throwing on a surface (Cline et al. 2009) until what is left to hit
    /// is small, then on the uncovered fragments only (Ebeida et al. 2012).
    fn run(&mut self, progress: &mut Progress) -> Result<(), SampleError> {
        let coarse = self.coarse();
        let per_area = FIRST_DARTS / (self.radius * self.radius);
        // Everywhere at first, so that the tree grows evenly; then patch by patch.
        for (share, patch) in [(0.1, coarse.len()), (0.9, COARSE_PATCH)] {
            let darts = |_, area: f64| share * per_area * area;
            self.throw(&coarse, patch, darts, |done| progress.step(0.25 * done))?;
        }

        let (mut live, mut filled) = (Vec::new(), 0);
        for (number, &piece) in coarse.iter().enumerate() {
            // First darts 0.25 of the work; of a batch, 0.3 is its first splitting.
            let share = |pieces: usize| 0.75 * pieces as f64 / coarse.len() as f64;
            let before = 0.25 + share(filled);
            let split = before + 0.3 * share(number - filled);
            let edge = FIRST_EDGE * self.radius;
            self.split(piece, edge, &mut live, || progress.step(split))?;
            if live.len() >= BATCH || number + 1 == coarse.len() {
                let batch = share(number + 1 - filled);
                self.refine(std::mem::take(&mut live), |done| {
                    progress.step(before + batch * (0.3 + 0.7 * done))
                })?;
                filled = number + 1;
            }
        }
        progress.tell(1.0)
    }

    /// The scalp in pieces of some tens of roots each.
    fn coarse(&self) -> Vec<Fragment> {
        let mut pieces = Vec::new();
        for triangle in 0..self.scalp.triangles().len() as u32 {
            let whole = Fragment::whole(triangle);
            if pieces.len() < BATCH {
                whole.cut(self.scalp, COARSE_EDGE * self.radius, &mut pieces);
            } else {
                pieces.push(whole);
            }
        }
        pieces
    }

    /// Fills what these fragments leave uncovered, round by round.
    fn refine(
        &mut self,
        mut live: Vec<Fragment>,
        mut step: impl FnMut(f64) -> Result<(), SampleError>,
    ) -> Result<(), SampleError> {
        let mut edge = FIRST_EDGE * self.radius;
        let mut left = 1.0;
        while !live.is_empty() && edge > LAST_EDGE * self.radius {
            let darts = |count, _| ROUND_DARTS * count as f64;
            self.throw(&live, PATCH, darts, |_| step(1.0 - left))?;
            edge *= 0.5;
            let mut smaller = Vec::new();
            for fragment in live {
                self.split(fragment, edge, &mut smaller, || step(1.0 - 0.75 * left))?;
            }
            live = smaller;
            // Each round leaves about half as many fragments.
            left *= 0.5;
        }
        // What survives is a crack at most LAST_EDGE wide: its middle either takes
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
        mut step: impl FnMut(f64) -> Result<(), SampleError>,
    ) -> Result<(), SampleError> {
        let areas = self.scalp.triangle_areas();
        let mut sums = Vec::new();
        for (number, together) in fragments.chunks(patch).enumerate() {
            let done = (number * patch) as f64 / fragments.len() as f64;
            let mut total = 0.0;
            sums.clear();
            sums.extend(together.iter().map(|fragment| {
                total += areas[fragment.triangle as usize] * fragment.share();
                total
            }));
            let darts = darts(together.len(), total).ceil() as usize;
            for _ in 0..darts {
                step(done)?;
                let at = self.uniform() * total;
                let hit = sums.partition_point(|&sum| sum <= at);
                let fragment = &together[hit.min(together.len() - 1)];
                let (s, t) = (self.uniform(), self.uniform());
                // The unit square's far half, folded over, is the triangle again.
                let (s, t) = if s + t > 1.0 {
                    (1.0 - s, 1.0 - t)
                } else {
                    (s, t)
                };
                self.dart(fragment, s, t)?;
            }
        }
        self.near.forget();
        Ok(())
    }

    /// Makes a point of a fragment a root unless it conflicts with one.
    fn dart(&mut self, fragment: &Fragment, s: f64, t: f64) -> Result<(), SampleError> {
        let point = fragment.surface_point(s, t);
        // The rounded position is what is stored, so it is what is tested.
        let position = self.scalp.point(point);
        let face_normal = self.scalp.face_normal(point.triangle);
        let holder = fragment.holder;
        let index = &mut self.index;
        index.work.add(work::PIECE);
        index.work.check()?;
        if (holder != NO_ROOT && index.is_closer(holder, position, face_normal, self.radius))
            || index.any_closer(position, face_normal, self.radius)
        {
            return Ok(());
        }
        if self.index.len() >= ROOTS_CAP {
            // The area law was of no use here; the count falls at least with 1/spacing.
            return Err(SampleError::too_many(
                self.spacing,
                2.0 * f64::from(self.spacing),
            ));
        }
        self.index.add(position, face_normal)?;
        self.points.push(point);
        Ok(())
    }

    /// Splits a fragment down to an edge length; keeps what no single root covers.
    fn split(
        &mut self,
        fragment: Fragment,
        longest: f64,
        keep: &mut Vec<Fragment>,
        mut step: impl FnMut() -> Result<(), SampleError>,
    ) -> Result<(), SampleError> {
        let mut stack = vec![fragment.place(self.scalp)];
        while let Some(mut piece) = stack.pop() {
            step()?;
            self.index.work.add(work::PIECE);
            self.index.work.check()?;
            let (edge, length2) = piece.longest_edge();
            let small = length2 <= 4.0 * self.radius * self.radius;
            if small && self.covered(&mut piece, longest) {
                continue;
            }
            if length2 <= longest * longest {
                keep.push(piece.fragment);
            } else {
                stack.extend(piece.split(edge));
            }
        }
        Ok(())
    }

    /// Whether the ball of one root holds the whole piece: exact, as balls are convex.
    /// If none does, notes the one that comes nearest to it.
    fn covered(&mut self, piece: &mut Placed, reach: f64) -> bool {
        let face_normal = self.scalp.face_normal(piece.fragment.triangle);
        let radius2 = self.radius * self.radius;
        let mut least2 = f64::INFINITY;
        let holder = piece.fragment.holder;
        if holder != NO_ROOT {
            least2 = piece.farthest2(self.index.position(holder));
            if least2 < radius2 {
                return true;
            }
        }
        let centroid = piece.centroid();
        let around = self
            .near
            .around(&mut self.index, centroid, self.radius, 2.0 * reach);
        for root in around {
            let farthest2 = piece.farthest2(root.position);
            if farthest2 < least2 && same_side(root.face_normal, face_normal) {
                least2 = farthest2;
                piece.fragment.holder = root.number;
                if farthest2 < radius2 {
                    return true;
                }
            }
        }
        false
    }

    /// A number in [0, 1), 53 bits: the same from the same bits on any machine.
    fn uniform(&mut self) -> f64 {
        (self.random.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    fn finish(self) -> Roots {
        let (positions, face_normals) = self.index.into_parts();
        let directions = self.points.iter().map(|&p| self.scalp.normal(p)).collect();
        Roots {
            ranks: (0..self.points.len() as u32).collect(),
            full_count: self.points.len(),
            scaled: false,
            spacing: self.spacing,
            points: self.points,
            positions,
            directions,
            face_normals,
        }
    }
}
