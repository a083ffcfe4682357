//! Filling a scalp with roots until no more fit: darts, then fragments.

mod darts;
mod external_roots;
mod order;
mod pieces;

use crate::random::Random;
use crate::roots::coverage::fragment::{Fragment, Placed};
use crate::roots::coverage::gaps::{Balls, Gap};
use crate::roots::coverage::index::{Neighbourhood, RootIndex, same_side};
use crate::roots::coverage::metric::Metric;
use crate::roots::settings::MAX_STRANDS;
use crate::roots::work::{self, Work};
use crate::roots::{Roots, SampleError};
use crate::scalp::{Scalp, SurfacePoint};
use glam::Vec3;

/// The number of fragments that lie together and get their darts together: few enough to keep the
/// roots around them in the cache, many enough to hide the order.
const PATCH: usize = 4096;
/// The area of such fragments in spacings², where triangles are smaller.
const PATCH_AREA: f64 = 1000.0;

/// The numbers of darts at each fragment that is not covered, round by round, before its gaps are
/// searched.
const ROUNDS: [u32; 2] = [2, 10];

/// The number of points that rounding or a wider spacing may put within a ball before a piece is
/// split.
const MISSES: u32 = 4;

/// Longest edge of the first fragments, in spacings.
const FIRST_EDGE: f64 = 1.8;

/// The width of cracks that may stay between balls, in spacings.
pub(crate) const CRACK: f64 = 2.5e-4;

/// Fragments refined at once, 56 bytes each: bounds the memory, whatever the mesh.
const BATCH: usize = 1 << 20;

/// Roots are kept this much farther apart (relative) than promised, so that the
/// promise still holds when somebody measures distances in f32.
pub(crate) const GUARD: f64 = 1e-6;

/// More roots than this are never made: a spacing is checked against the area
/// beforehand, but thin strips take more roots than their area tells.
const ROOTS_CAP: usize = MAX_STRANDS as usize + MAX_STRANDS as usize / 8;

/// Told the finished share of the work; may stop it.
pub(crate) type Step<'a> = &'a mut dyn FnMut(f64) -> Result<(), SampleError>;

/// A set in the making.
pub(crate) struct Filler<'a> {
    scalp: &'a Scalp,
    metric: Metric,
    pub(crate) index: RootIndex,
    near: Neighbourhood,
    balls: Balls,
    /// The place of each root. External roots are on another scalp.
    pub(crate) points: Vec<SurfacePoint>,
    /// The number of external roots, which come first.
    external_count: usize,
    /// The roots by rank, external points left out.
    order: Vec<u32>,
    /// Each root's own radius, where they differ.
    radii: Vec<f64>,
    /// The radius with which one root holds each whole triangle, where levels follow each other.
    held: Vec<f32>,
    random: Random,
    /// Darts of which the tightest is kept.
    candidates: u32,
}

impl<'a> Filler<'a> {
    /// An empty set. With several `candidates` the closest to other roots is kept of as many
    /// darts, so that more of them fit.
    pub(crate) fn new(
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
            external_count: 0,
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
    pub(crate) fn set_radius(&mut self, radius: f64) {
        self.metric.radius = radius * (1.0 + GUARD);
        self.near.forget();
    }

    /// Remembers which triangles single roots hold, for the next, smaller radius.
    pub(crate) fn remember(&mut self) {
        self.held = vec![f32::INFINITY; self.scalp.triangles().len()];
    }

    /// Fills what is uncovered until no root fits (Ebeida et al. 2012, on triangles);
    /// cracks up to `crack` radii wide may stay.
    pub(crate) fn fill(&mut self, crack: f64, step: Step) -> Result<(), SampleError> {
        let triangles = self.scalp.triangles().len();
        let (mut live, mut pieces, mut stack) = (Vec::new(), Vec::new(), Vec::new());
        let mut filled = 0;
        for triangle in 0..triangles {
            let whole = Fragment::whole(triangle as u32);
            if let Some(&radius) = self.held.get(triangle)
                && f64::from(radius) < self.metric.radius
            {
                continue;
            }
            pieces.clear();
            self.cut(whole, &mut stack, &mut pieces);
            for (number, &piece) in pieces.iter().enumerate() {
                let ending = number + 1 == pieces.len();
                let here = triangle as f64 + (number + 1) as f64 / pieces.len() as f64;
                // Of a batch, 0.3 of the work is its first splitting.
                let share = |batch: f64| {
                    (filled as f64 + batch * (here - filled as f64)) / triangles as f64
                };
                let done = share(0.3);
                stack.push(piece.place(self.scalp));
                self.split(&mut stack, FIRST_EDGE, &mut live, &mut || step(done))?;
                if live.len() >= BATCH {
                    self.refine(&mut live, crack, &mut |done| step(share(0.3 + 0.7 * done)))?;
                    live.clear();
                    if ending {
                        filled = triangle + 1;
                    }
                }
            }
        }
        let before = filled as f64 / triangles as f64;
        self.refine(&mut live, crack, &mut |done| {
            step(before + (1.0 - before) * (0.3 + 0.7 * done))
        })
    }

    /// Fills what these fragments leave uncovered, among those that lie together (for the
    /// cache): darts, then in random order a root at a random uncovered point of a fragment,
    /// until it has none.
    ///
    /// Darts hit in proportion to the uncovered area. Without them the least gap would get its
    /// root as soon as the largest, and roots would trace where fragments end: dyadic lines.
    fn refine(&mut self, live: &mut [Fragment], crack: f64, step: Step) -> Result<(), SampleError> {
        self.bring_together(live);
        let count = live.len() as f64;
        let (mut stack, mut first) = (Vec::new(), 0);
        while first < live.len() {
            let next = first + self.patch(&live[first..]);
            let patch = &mut live[first..next];
            let mut left = patch;
            for tries in ROUNDS {
                self.random.shuffle(left);
                let open = self.round(left, tries, &mut || step(first as f64 / count))?;
                left = &mut left[..open];
            }
            self.random.shuffle(left);
            for fragment in left {
                step(first as f64 / count)?;
                stack.push(fragment.place(self.scalp));
                while let Some(piece) = stack.pop() {
                    self.fill_piece(piece, crack, &mut stack)?;
                }
            }
            first = next;
        }
        self.near.forget();
        Ok(())
    }

    /// Returns the number of the first fragments that make a patch.
    fn patch(&self, live: &[Fragment]) -> usize {
        let areas = self.scalp.triangle_areas();
        let least = PATCH_AREA * self.metric.radius * self.metric.radius;
        let (mut count, mut area) = (0, 0.0);
        for fragment in live {
            if count >= PATCH && area >= least {
                break;
            }
            count += 1;
            area += areas[fragment.triangle as usize] * fragment.share();
        }
        count
    }

    /// Throws a number of darts at each fragment that is not covered. Moves these fragments to the
    /// front and returns their number.
    fn round(
        &mut self,
        fragments: &mut [Fragment],
        tries: u32,
        step: &mut dyn FnMut() -> Result<(), SampleError>,
    ) -> Result<usize, SampleError> {
        let mut open = 0;
        for number in 0..fragments.len() {
            step()?;
            let piece = fragments[number].place(self.scalp);
            let radius = self.gather(&piece);
            self.index.work.add(work::PIECE);
            self.index.work.check()?;
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

    /// Looks up the balls around a piece, of at most the least radius on it, which is returned.
    fn gather(&mut self, piece: &Placed) -> f64 {
        let face_normal = self.scalp.face_normal(piece.fragment.triangle);
        let centroid = piece.centroid();
        let (radius, farthest) = self.metric.range(self.scalp, &piece.fragment);
        let reach = farthest + piece.farthest2(centroid).sqrt();
        let (balls, radii) = (&mut self.balls, &self.radii);
        let across = reach - farthest;
        balls.start(piece.corners);
        self.index.visit(centroid, reach, |root, position, normal| {
            if same_side(normal, face_normal) {
                let own = radii.get(root).map_or(radius, |own| radius.min(*own));
                // External points may be very many, and most of them too small to matter.
                let near = own + across;
                if root >= self.external_count || position.distance_squared(centroid) < near * near
                {
                    balls.push(position, own);
                }
            }
        });
        radius
    }

    /// Makes an uncovered point of the piece whose balls are at hand a root, or the tightest of
    /// several, if it is uncovered still where rounding puts it.
    fn land(&mut self, piece: &Placed, s: f64, t: f64, radius: f64) -> Result<bool, SampleError> {
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
    ) -> Result<(), SampleError> {
        let radius = self.gather(&piece);
        let mut misses = 0;
        loop {
            self.index.work.add(work::PIECE);
            self.index.work.check()?;
            let gap = self.balls.gap(crack, &mut self.random);
            if let Gap::At(s, t) = gap {
                if self.land(&piece, s, t, radius)? {
                    continue;
                }
                misses += 1;
                if misses < MISSES {
                    continue;
                }
            }
            let (edge, length2) = piece.longest_edge();
            if gap != Gap::None && length2 > (crack * radius).powi(2) {
                stack.extend(piece.split(edge));
            }
            return Ok(());
        }
    }

    /// The one of several uncovered points that is closest to two roots, given the first.
    fn tightest(&mut self, piece: &Placed, s: f64, t: f64) -> (f64, f64) {
        let mut best = (f64::INFINITY, (s, t));
        for candidate in 0..self.candidates {
            let (s, t) = match candidate {
                0 => (s, t),
                _ => self.random.triangle(),
            };
            if self.candidates > 1
                && let Some(room) = self.balls.room(piece.at(s, t))
                && room < best.0
            {
                best = (room, (s, t));
            }
        }
        best.1
    }

    /// Whether a root is too close to a point with that spacing.
    fn conflicts(&mut self, position: Vec3, face_normal: Vec3, radius: f64) -> bool {
        let (index, radii) = (&mut self.index, &self.radii);
        let limit = |root: usize| radii.get(root).map_or(radius, |own| radius.min(*own));
        index.any(position, face_normal, radius, limit)
    }

    fn add(
        &mut self,
        point: SurfacePoint,
        position: Vec3,
        face_normal: Vec3,
        radius: f64,
    ) -> Result<(), SampleError> {
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
        } else if self.external_count > 0 {
            self.radii.push(f64::INFINITY);
        }
        Ok(())
    }

    /// Puts the roots in random order.
    pub(crate) fn shuffle(&mut self) {
        self.random.shuffle(&mut self.order);
    }

    /// The set.
    pub(crate) fn finish(self, spacing: f32) -> Roots {
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
