//! Filling a scalp with roots until no more fit: darts, then fragments.

mod darts;
mod levels;

use super::{Sampling, rounded_up};
use crate::roots::fragment::{Fragment, Placed};
use crate::roots::gaps::{Balls, Uncovered};
use crate::roots::index::{Neighbourhood, RootIndex, same_side};
use crate::roots::work::{Progress, Result};
use crate::roots::{MAX_STRANDS, Method, Roots, SampleError, work};
use crate::scalp::{Scalp, SurfacePoint};
use crate::{random::Random, roots::metric::Metric};
use glam::Vec3;

/// The number of fragments that lie together and get their darts together: few enough to keep the
/// roots around them in the cache, many enough to hide the order.
const PATCH: usize = 4096;
/// The area of such fragments in spacings², where triangles are smaller.
const PATCH_AREA: f64 = 1000.0;

/// The number of candidates per root of a tight set.
const TIGHT_CANDIDATES: u32 = 32;

/// The numbers of darts at each fragment that is not covered, round by round, before its gaps are
/// searched.
const ROUNDS: [u32; 2] = [2, 10];

/// The number of points that rounding or a wider spacing may put within a ball before a piece is
/// split.
const MISSES: u32 = 4;

/// The width of cracks that may stay between balls, in spacings.
pub const CRACK: f64 = 2.5e-4;

/// The number of fragments that are refined at once, 56 bytes each. It bounds the memory for any
/// mesh.
const BATCH: usize = 1 << 20;
/// The share of the work on a batch that is its first splitting.
const FIRST_SPLITTING: f64 = 0.3;

/// Roots are this much farther apart (relative) than promised, so that the promise still holds for
/// distances that are measured in f32.
pub const GUARD: f64 = 1e-6;

/// The largest number of roots. A spacing is checked against the area beforehand, but thin strips
/// take more roots than their area tells.
const ROOTS_CAP: usize = MAX_STRANDS as usize + MAX_STRANDS as usize / 8;

/// A set that is being made.
pub struct Filler<'a> {
    scalp: &'a Scalp,
    metric: Metric,
    index: RootIndex,
    near: Neighbourhood,
    balls: Balls,
    /// The place of each root. External roots are on another scalp.
    points: Vec<SurfacePoint>,
    /// The number of external roots, which come first.
    external_count: usize,
    /// The roots by rank, external points left out.
    order: Vec<u32>,
    /// The radius of each root, where they differ.
    radii: Vec<f64>,
    /// The radius with which one root holds each whole triangle, where levels follow each other.
    held: Vec<f32>,
    random: Random,
    /// The number of darts per root. The closest to other roots becomes the root, so that more of
    /// them fit.
    candidates: u32,
}

/// Returns the radius of the ball of a root where the spacing is `radius`.
fn ball_radius(radii: &[f64], root: usize, radius: f64) -> f64 {
    radii.get(root).map_or(radius, |own| radius.min(*own))
}

impl<'a> Filler<'a> {
    /// Returns an empty set.
    pub fn new(on: &Sampling<'a>, spacing: f32) -> Self {
        Filler {
            scalp: on.scalp,
            metric: Metric {
                radius: f64::from(spacing) * (1.0 + GUARD),
                scaled: on.method == Method::Variable,
            },
            index: RootIndex::default(),
            near: Neighbourhood::default(),
            balls: Balls::default(),
            points: Vec::new(),
            external_count: 0,
            order: Vec::new(),
            radii: Vec::new(),
            held: Vec::new(),
            random: Random::new(on.seed),
            candidates: match on.method {
                Method::Tight => TIGHT_CANDIDATES,
                _ => 1,
            },
        }
    }

    /// Counts the work of a piece, and of the queries before it.
    fn spend(&mut self, progress: &mut Progress) -> Result<()> {
        self.index.work += work::PIECE;
        progress.spend(&mut self.index.work)
    }

    /// Fills what is uncovered until no root fits (Ebeida et al. 2012, on triangles). Cracks up to
    /// `crack` radii wide may stay.
    pub fn fill(&mut self, crack: f64, progress: &mut Progress) -> Result<()> {
        let triangles = self.scalp.triangles().len();
        let (mut live, mut pieces, mut stack) = (Vec::new(), Vec::new(), Vec::new());
        // The share of the scalp that earlier batches filled.
        let mut filled = 0.0;
        for triangle in 0..triangles {
            if let Some(&radius) = self.held.get(triangle)
                && f64::from(radius) < self.metric.radius
            {
                continue;
            }
            pieces.clear();
            self.cut(Fragment::whole(triangle as u32), &mut stack, &mut pieces);
            for (number, &piece) in pieces.iter().enumerate() {
                let here = triangle as f64 + (number + 1) as f64 / pieces.len() as f64;
                let here = here / triangles as f64;
                let split = filled + FIRST_SPLITTING * (here - filled);
                stack.push(piece.place(self.scalp));
                self.split(&mut stack, &mut live, split, progress)?;
                if live.len() >= BATCH {
                    progress.part(split, here, |part| self.refine(&mut live, crack, part))?;
                    live.clear();
                    filled = here;
                }
            }
        }
        let split = filled + FIRST_SPLITTING * (1.0 - filled);
        progress.part(split, 1.0, |part| self.refine(&mut live, crack, part))
    }

    /// Fills what these fragments leave uncovered, among those that lie together (for the cache):
    /// darts, then in random order a root at a random uncovered point of a fragment, until it has
    /// none.
    ///
    /// Darts hit in proportion to the uncovered area. Without them the smallest gap would get its
    /// root as soon as the largest, and roots would trace where fragments end: dyadic lines.
    fn refine(&mut self, live: &mut [Fragment], crack: f64, progress: &mut Progress) -> Result<()> {
        self.bring_together(live);
        let count = live.len() as f64;
        let (mut stack, mut first) = (Vec::new(), 0);
        while first < live.len() {
            let done = first as f64 / count;
            let next = first + self.patch(&live[first..]);
            let mut left = &mut live[first..next];
            for tries in ROUNDS {
                self.random.shuffle(left);
                let open = self.round(left, tries, done, progress)?;
                left = &mut left[..open];
            }
            self.random.shuffle(left);
            for fragment in left {
                progress.step(done)?;
                stack.push(fragment.place(self.scalp));
                while let Some(piece) = stack.pop() {
                    self.fill_piece(piece, crack, &mut stack, progress)?;
                }
            }
            first = next;
        }
        self.near.forget();
        Ok(())
    }

    /// Returns the number of the first fragments that make a patch.
    fn patch(&self, live: &[Fragment]) -> usize {
        let least = PATCH_AREA * self.metric.radius * self.metric.radius;
        let (mut count, mut area) = (0, 0.0);
        for fragment in live {
            if count >= PATCH && area >= least {
                break;
            }
            count += 1;
            area += fragment.area(self.scalp);
        }
        count
    }

    /// Throws a number of darts at each fragment that is not covered. Moves these fragments to the
    /// front and returns their number.
    fn round(
        &mut self,
        fragments: &mut [Fragment],
        tries: u32,
        done: f64,
        progress: &mut Progress,
    ) -> Result<usize> {
        let mut open = 0;
        for number in 0..fragments.len() {
            progress.step(done)?;
            let piece = fragments[number].place(self.scalp);
            let radius = self.gather(&piece);
            self.spend(progress)?;
            if self.balls.hold() {
                continue;
            }
            fragments.swap(open, number);
            open += 1;
            for _ in 0..tries {
                let (s, t) = self.random.triangle();
                if self.balls.room(piece.at(s, t)).is_some() {
                    self.land(&piece, s, t, radius)?;
                }
            }
        }
        Ok(open)
    }

    /// Looks up the balls around a piece. Returns the smallest radius on it, which limits theirs.
    fn gather(&mut self, piece: &Placed) -> f64 {
        let face_normal = self.scalp.face_normal(piece.fragment.triangle);
        let centroid = piece.centroid();
        let (radius, farthest) = self.metric.range(self.scalp, &piece.fragment);
        let reach = farthest + piece.farthest2(centroid).sqrt();
        let (balls, radii) = (&mut self.balls, &self.radii);
        let across = reach - farthest;
        let mut passed = 0;
        balls.start(piece.corners);
        self.index.visit(centroid, reach, |root, position, normal| {
            if same_side(normal, face_normal) {
                let own = ball_radius(radii, root, radius);
                // External points may be very many, and most of them too small to matter.
                let near = own + across;
                if root >= self.external_count || position.distance_squared(centroid) < near * near
                {
                    balls.push(position, own);
                } else {
                    passed += 1;
                }
            }
        });
        self.index.work -= (work::QUERY[1] - work::NEIGHBOUR) * passed;
        radius
    }

    /// Makes an uncovered point of the piece around which balls were gathered a root, or the
    /// tightest of several. Returns `false` if it is not uncovered where rounding puts it.
    fn land(&mut self, piece: &Placed, s: f64, t: f64, radius: f64) -> Result<bool> {
        let face_normal = self.scalp.face_normal(piece.fragment.triangle);
        let (s, t) = self.tightest(piece, s, t);
        let point = piece.fragment.surface_point(s, t);
        // The rounded position is what is stored, so it is what is tested.
        let position = self.scalp.point(point);
        let own = self.metric.at(self.scalp, point);
        // All roots that can conflict are among the balls, but theirs are the smallest
        // radii on this piece.
        let fits = self.balls.room(position.as_dvec3()).is_some()
            && !(self.metric.scaled && self.conflicts(position, face_normal, own));
        if fits {
            self.add(point, position, face_normal, own)?;
            self.balls.push(position.as_dvec3(), own.min(radius));
        }
        Ok(fits)
    }

    /// Puts roots on a piece until it is covered, or pushes its halves.
    fn fill_piece(
        &mut self,
        piece: Placed,
        crack: f64,
        stack: &mut Vec<Placed>,
        progress: &mut Progress,
    ) -> Result<()> {
        let radius = self.gather(&piece);
        let mut misses = 0;
        loop {
            self.spend(progress)?;
            let uncovered = self.balls.uncovered(crack, &mut self.random);
            if let Uncovered::Point(s, t) = uncovered {
                if self.land(&piece, s, t, radius)? {
                    continue;
                }
                misses += 1;
                if misses < MISSES {
                    continue;
                }
            }
            let (edge, length2) = piece.longest_edge();
            if uncovered != Uncovered::Nothing && length2 > (crack * radius).powi(2) {
                stack.extend(piece.split(edge));
            }
            return Ok(());
        }
    }

    /// Returns the one of several uncovered points that is closest to two roots, given the first.
    fn tightest(&mut self, piece: &Placed, s: f64, t: f64) -> (f64, f64) {
        if self.candidates == 1 {
            return (s, t);
        }
        let others = (1..self.candidates).map(|_| self.random.triangle());
        let places = std::iter::once((s, t)).chain(others);
        let open = places.filter_map(|(s, t)| Some((self.balls.room(piece.at(s, t))?, (s, t))));
        let tightest = open.min_by(|a, b| a.0.total_cmp(&b.0));
        tightest.map_or((s, t), |(_, place)| place)
    }

    /// Returns `true` if a root is too close to a point with that spacing.
    fn conflicts(&mut self, position: Vec3, face_normal: Vec3, radius: f64) -> bool {
        let (index, radii) = (&mut self.index, &self.radii);
        let limit = |root: usize| ball_radius(radii, root, radius);
        index.any(position, face_normal, radius, limit)
    }

    fn add(&mut self, point: SurfacePoint, position: Vec3, side: Vec3, radius: f64) -> Result<()> {
        if self.points.len() >= ROOTS_CAP {
            // The area law was of no use here; the count falls at least with 1/spacing.
            let spacing = self.metric.radius;
            return Err(SampleError::TooMany {
                spacing: spacing as f32,
                smallest: rounded_up(2.0 * spacing),
            });
        }
        self.index.add(position, side)?;
        self.order.push(self.points.len() as u32);
        self.points.push(point);
        if self.metric.scaled {
            self.radii.push(radius);
        } else if self.external_count > 0 {
            self.radii.push(f64::INFINITY);
        }
        Ok(())
    }

    /// Puts the roots in random order.
    pub fn shuffle(&mut self) {
        self.random.shuffle(&mut self.order);
    }

    /// Returns the set.
    pub fn finish(self, spacing: f32) -> Roots {
        let points = self.order.iter().map(|&root| self.points[root as usize]);
        Roots {
            scaled: self.metric.scaled,
            ..Roots::at(self.scalp, points.collect(), spacing)
        }
    }
}
