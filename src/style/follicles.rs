//! Follicles: all places where hair could grow, on painted skin and then on bald skin, or where the
//! strands of a file begin.

use super::contents::RootSource;
use crate::bvh::bounds;
use crate::head::{Head, Part};
use crate::maps::skin_area;
use crate::roots::{RootSettings, Roots, SampleError};
use crate::scalp::{NearestFinder, Scalp, SurfacePoint};
use glam::Vec3;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The least side of the box around places, decimetres.
const LEAST_SIZE: f32 = 1e-3;

/// A callback that gets the finished share of the work, 0 to 1, and tells whether to go on.
pub type Progress<'a> = &'a mut dyn FnMut(f32) -> ControlFlow<()>;

/// The roots of a head, with or without hair. The numbers of follicles never change: edits belong
/// to them.
///
/// Surface points refer to [`scalp`](Self::scalp). Its first triangles are those of the painted
/// skin, so the roots of painted skin have the same surface points on [`Scalp::of_head`].
#[derive(Clone, Debug)]
pub struct Follicles {
    /// The index of the part of the head that they are on.
    part: usize,
    /// The triangles of the part that have an area.
    scalp: Arc<Scalp>,
    /// The painted skin; `None` if the head is not painted.
    paint: Option<Arc<Scalp>>,
    /// The roots of painted skin by rank, then those of bald skin by rank.
    roots: Arc<Roots>,
    /// The number of follicles on painted skin.
    painted: usize,
    /// `true` if bald skin has follicles.
    whole: bool,
}

impl Follicles {
    /// Samples the follicles of a head's painted skin with [`Roots::sample`]; of its largest part
    /// if the head is not painted. `None`: no triangle has an area.
    ///
    /// # Errors
    ///
    /// The errors of [`Roots::sample`].
    pub fn of_head(
        head: &Head,
        settings: &RootSettings,
        progress: Progress,
    ) -> Result<Option<Self>, SampleError> {
        let Some(part) = skin_part(head) else {
            return Ok(None);
        };
        let Some(scalp) = whole_scalp(&head.parts[part]) else {
            return Ok(None);
        };
        let paint = Scalp::of_head(head).map(Arc::new);
        let roots = match &paint {
            Some(paint) => Roots::sample(paint, settings, progress)?,
            None => Roots::sample(&scalp.bald_from(0), settings, progress)?,
        };
        Ok(Some(Self {
            part,
            scalp: Arc::new(scalp),
            painted: paint.as_ref().map_or(0, |_| roots.points.len()),
            whole: paint.is_none(),
            paint,
            roots: Arc::new(roots),
        }))
    }

    /// Returns the follicles of a source: those that it has of its own, or those that are sampled.
    ///
    /// # Errors
    ///
    /// The errors of [`of_head`](Self::of_head).
    pub fn of_source(
        head: &Head,
        source: &RootSource,
        progress: Progress,
    ) -> Result<Option<Self>, SampleError> {
        match &source.own {
            Some(own) => Ok(Self::at(head, own)),
            None => Self::of_head(head, &source.settings, progress),
        }
    }

    /// Returns follicles at places in head space, each on the skin next to it; `None` without skin. They
    /// stay where they are, also if that is off the skin.
    pub fn at(head: &Head, places: &[Vec3]) -> Option<Self> {
        let part = skin_part(head)?;
        let scalp = whole_scalp(&head.parts[part])?;
        let nearest = NearestFinder::of(&scalp);
        let found = places.par_iter();
        let found = found.map(|&place| Some(nearest.find(place, f64::INFINITY, |_| true)?.0));
        let points = found.collect::<Option<Vec<_>>>()?;
        let mut roots = Roots::at(&scalp, points, spacing_of(places));
        roots.positions = places.to_vec();
        roots.scaled = true;
        Some(Self {
            part,
            scalp: Arc::new(scalp),
            painted: places.len(),
            whole: true,
            paint: None,
            roots: Arc::new(roots),
        })
    }

    /// Adds the follicles of bald skin, once, with the spacing of the others, whose numbers stay.
    ///
    /// # Errors
    ///
    /// The errors of [`Roots::beside`]; nothing is added then.
    pub fn add_bald(
        &mut self,
        settings: &RootSettings,
        progress: Progress,
    ) -> Result<(), SampleError> {
        let paint = self.paint.as_ref();
        let painted = paint.map_or(0, |paint| paint.triangles().len());
        if self.whole || painted == self.scalp.triangles().len() {
            self.whole = true;
            return Ok(());
        }
        let bald = self.scalp.bald_from(painted);
        let mut beside = self.roots.beside(&bald, settings.seed, progress)?;
        for SurfacePoint { triangle, .. } in &mut beside.points {
            *triangle += painted as u32;
        }
        let first = self.roots.full_count as u32;
        let roots = Arc::make_mut(&mut self.roots);
        roots.points.append(&mut beside.points);
        roots.positions.append(&mut beside.positions);
        roots.directions.append(&mut beside.directions);
        roots.face_normals.append(&mut beside.face_normals);
        (roots.ranks).extend(beside.ranks.iter().map(|rank| first + rank));
        roots.full_count += beside.full_count;
        self.whole = true;
        Ok(())
    }

    /// Returns the number of follicles that were sampled on painted skin (on a head without paint:
    /// all of them), and their spacing, decimetres.
    pub fn sampled(&self) -> (usize, f32) {
        let count = match self.painted {
            0 => self.len(),
            painted => painted,
        };
        (count, self.roots.spacing)
    }

    /// Returns the scalp that the first follicles, up to one of a number, were sampled on: the
    /// painted skin if all of them are there.
    pub(super) fn scalp_below(&self, last: Option<u32>) -> &Arc<Scalp> {
        let beyond_paint = last.is_some_and(|last| last as usize >= self.painted);
        let paint = self.paint.as_ref().filter(|_| !beyond_paint);
        paint.unwrap_or(&self.scalp)
    }

    /// Returns `true` if bald skin has follicles.
    pub fn are_whole(&self) -> bool {
        self.whole
    }

    /// Returns the index of the part of the head that they are on.
    pub fn part(&self) -> usize {
        self.part
    }

    /// Returns the triangles of the part that have an area, first those of painted skin. Vertices
    /// are numbered as in the part.
    pub fn scalp(&self) -> &Scalp {
        &self.scalp
    }

    /// Returns the roots of all follicles.
    pub fn roots(&self) -> &Roots {
        &self.roots
    }

    /// Returns the number of follicles.
    pub fn len(&self) -> usize {
        self.roots.points.len()
    }

    /// Returns `true` if there are no follicles.
    pub fn is_empty(&self) -> bool {
        self.roots.points.is_empty()
    }

    /// Returns the density at a follicle as the model is painted, 0 to 1; 1 on all painted skin if
    /// the spacing already follows the paint.
    pub fn density(&self, follicle: usize) -> f32 {
        match follicle < self.painted {
            true if self.roots.scaled => 1.0,
            true => self.scalp.density(self.roots.points[follicle]),
            false => 0.0,
        }
    }

    /// Returns `true` if a follicle is on bald skin.
    pub(super) fn is_bald(&self, follicle: u32) -> bool {
        follicle as usize >= self.painted
    }

    /// Returns the spacing of follicles around one, decimetres.
    pub(super) fn spacing(&self, follicle: u32) -> f64 {
        let follicle = follicle as usize;
        // Roots from a file are no denser where paint is.
        match self.paint.is_some() && follicle < self.painted {
            true => (self.roots).spacing_at(&self.scalp, self.roots.points[follicle]),
            false => self.roots.spacing.into(),
        }
    }

    /// Returns `true` if hair grows from a follicle at a density: as [`Roots::thinned`], by the
    /// ranks on painted or on bald skin.
    pub fn grows(&self, follicle: usize, density: f32) -> bool {
        let (rank, count) = match follicle < self.painted {
            true => (follicle, self.painted),
            false => (follicle - self.painted, self.len() - self.painted),
        };
        Roots::stays(rank, f64::from(density), count)
    }
}

/// Returns the mean spacing of places: the side of the square that each has of the surface of the box
/// around all.
fn spacing_of(places: &[Vec3]) -> f32 {
    let (low, high) = bounds(places.iter().copied());
    let [x, y, z] = (high - low).max(Vec3::splat(LEAST_SIZE)).to_array();
    (2.0 * (x * y + y * z + z * x) / places.len().max(1) as f32).sqrt()
}

/// Returns the head with its scalp part set: on a head without paint, the part with the largest
/// area.
pub fn with_skin(head: &Arc<Head>) -> Arc<Head> {
    if head.scalp_part.is_some() {
        return head.clone();
    }
    let mut known = Head::clone(head);
    known.scalp_part = skin_part(head);
    Arc::new(known)
}

/// Returns the part with the scalp paint, or else the one with the largest area.
pub(super) fn skin_part(head: &Head) -> Option<usize> {
    let area = |part: &Part| {
        let areas = part.triangles.iter();
        areas.filter_map(|&corners| skin_area(part, corners)).sum()
    };
    let by_area = || {
        let areas = head.parts.iter().map(area).enumerate();
        Some(areas.max_by(|a, b| f64::total_cmp(&a.1, &b.1))?.0)
    };
    head.scalp_part
        .filter(|&part| part < head.parts.len())
        .or_else(by_area)
}

/// Returns the outer triangles of a part that have an area, first those that are painted at all
/// corners.
fn whole_scalp(part: &Part) -> Option<Scalp> {
    let density = match &part.paint {
        Some(paint) => paint.density.clone(),
        None => vec![0.0; part.positions.len()],
    };
    let is_painted = |corners: &[u32; 3]| {
        let density = |&v: &u32| density.get(v as usize).copied();
        corners.iter().all(|v| density(v).is_some_and(|d| d > 0.0))
    };
    let (mut triangles, bald): (Vec<_>, Vec<_>) =
        (part.outer_triangles().iter().copied()).partition(is_painted);
    triangles.extend(bald);
    let (positions, normals) = (part.positions.clone(), part.normals.clone());
    Scalp::new(positions, normals, triangles, density).ok()
}
