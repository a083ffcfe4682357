//! Simpler sampling methods, for comparison.

use super::filler::GUARD;
use crate::random::Random;
use crate::roots::coverage::index::RootIndex;
use crate::roots::packing::PACKING;
use crate::roots::progress::Progress;
use crate::roots::work::{self, Work};
use crate::roots::{Roots, SampleError};
use crate::scalp::{Scalp, SurfacePoint};
use glam::Vec3;

/// The number of darts per root of a maximal set; nine in ten of those roots are then found.
const DARTS_PER_ROOT: f64 = 16.0;

/// A generator of random points on a scalp, uniform by area or by triangle.
pub(crate) struct RandomPoints<'a> {
    scalp: &'a Scalp,
    /// The running sums of the areas; empty if every triangle is equally likely.
    sums: Vec<f64>,
    random: Random,
}

impl<'a> RandomPoints<'a> {
    pub(crate) fn new(scalp: &'a Scalp, by_area: bool, seed: u64) -> Self {
        let mut total = 0.0;
        let areas = scalp.triangle_areas().iter().filter(|_| by_area);
        let sums = areas.map(|area| {
            total += area;
            total
        });
        Self {
            scalp,
            sums: sums.collect(),
            random: Random::new(seed),
        }
    }

    pub(crate) fn next(&mut self) -> SurfacePoint {
        let triangles = self.scalp.triangles().len();
        let triangle = match self.sums.last() {
            Some(total) => {
                let at = self.random.uniform() * total;
                self.sums.partition_point(|&sum| sum <= at)
            }
            None => (self.random.uniform() * triangles as f64) as usize,
        };
        let (s, t) = self.random.triangle();
        crate::roots::coverage::fragment::Fragment::whole(triangle.min(triangles - 1) as u32)
            .surface_point(s, t)
    }
}

/// Returns independent random points, uniform by area.
pub(crate) fn uniform(
    scalp: &Scalp,
    count: u32,
    spacing: f32,
    seed: u64,
    progress: &mut Progress,
) -> Result<Roots, SampleError> {
    let mut random = RandomPoints::new(scalp, true, seed);
    let mut points = Vec::with_capacity(count as usize);
    for n in 0..count {
        progress.step(f64::from(n) / f64::from(count))?;
        points.push(random.next());
    }
    progress.tell(1.0)?;
    Ok(Roots::at(scalp, points, spacing))
}

/// Throws a bounded number of darts and keeps each unless a root on its side is closer than the
/// spacing.
///
/// With triangles chosen evenly instead of by area, this is the original program, whose rejection
/// never rejected.
pub(crate) fn darts(
    scalp: &Scalp,
    spacing: f32,
    seed: u64,
    by_area: bool,
    progress: &mut Progress,
) -> Result<Roots, SampleError> {
    let mut random = RandomPoints::new(scalp, by_area, seed);
    let radius = f64::from(spacing) * (1.0 + GUARD);
    let most = PACKING * scalp.area() / (radius * radius);
    let darts = (DARTS_PER_ROOT * most).max(DARTS_PER_ROOT) as u64;
    let mut index = RootIndex::default();
    index.work = Work::new(progress.work_left);
    let mut points = Vec::new();
    for dart in 0..darts {
        progress.step(dart as f64 / darts as f64)?;
        index.work.add(work::PIECE);
        index.work.check()?;
        let point = random.next();
        let position = scalp.point(point);
        let face_normal = scalp.face_normal(point.triangle);
        if !index.any_closer(position, face_normal, radius) {
            index.add(position, face_normal)?;
            points.push(point);
        }
    }
    progress.work_left = index.work.left();
    progress.tell(1.0)?;
    Ok(Roots::at(scalp, points, spacing))
}

impl Roots {
    /// Returns roots at points of a scalp, in their order.
    pub(crate) fn at(scalp: &Scalp, points: Vec<SurfacePoint>, spacing: f32) -> Roots {
        let of = |f: &dyn Fn(SurfacePoint) -> Vec3| points.iter().map(|&p| f(p)).collect();
        Roots {
            spacing,
            positions: of(&|p| scalp.point(p)),
            directions: of(&|p| scalp.normal(p)),
            face_normals: of(&|p| scalp.face_normal(p.triangle)),
            ranks: (0..points.len() as u32).collect(),
            full_count: points.len(),
            scaled: false,
            points,
        }
    }
}
