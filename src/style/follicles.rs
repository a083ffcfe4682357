//! Every place where hair could grow: the roots of painted skin first, then those of bald skin.

use crate::head::{Head, Part};
use crate::roots::{RootSettings, Roots, SampleError};
use crate::scalp::{Scalp, SurfacePoint};
use std::ops::ControlFlow;
use std::sync::Arc;

/// All roots of a head, whether hair grows from them or not. Numbers of follicles never change:
/// what is painted, combed or taken away belongs to them.
#[derive(Clone, Debug)]
pub struct Follicles {
    /// The part of the head that they are on.
    part: usize,
    /// All of its triangles, by the part's own vertices; its density is the model's paint.
    scalp: Scalp,
    /// Those of painted skin, by rank, then the others, by theirs.
    roots: Roots,
    /// How many are on painted skin.
    painted: usize,
    /// Whether bald skin has its follicles yet.
    whole: bool,
}

impl Follicles {
    /// Those of a head's painted skin, which are [`Roots::sample`]'s; of a head without paint those
    /// of its largest part. `None`: no triangle has an area.
    ///
    /// # Errors
    ///
    /// As [`Roots::sample`].
    pub fn of_head(
        head: &Head,
        settings: &RootSettings,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Option<Self>, SampleError> {
        let Some(part) = skin_part(head) else {
            return Ok(None);
        };
        let Some(scalp) = whole_scalp(&head.parts[part]) else {
            return Ok(None);
        };
        if let Some(painted) = Scalp::of_head(head) {
            let mut roots = Roots::sample(&painted, settings, progress)?;
            // Both lists leave out the same triangles, and are in the part's order.
            let numbers: Vec<u32> = numbered(&scalp, true);
            renumber(&mut roots, &numbers);
            let count = roots.points.len();
            return Ok(Some(Self {
                part,
                scalp,
                painted: count,
                roots,
                whole: false,
            }));
        }
        let bald = Roots::sample(
            &of_triangles(&scalp, &head.parts[part], false),
            settings,
            progress,
        )?;
        Ok(Some(Self {
            part,
            scalp,
            roots: bald,
            painted: 0,
            whole: true,
        }))
    }

    /// Adds those of bald skin, once: as dense as those that are there, whose numbers they leave.
    ///
    /// # Errors
    ///
    /// As [`Roots::beside`]; then nothing is added.
    pub fn add_bald(
        &mut self,
        head: &Head,
        settings: &RootSettings,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<(), SampleError> {
        let numbers = numbered(&self.scalp, false);
        if self.whole || numbers.is_empty() {
            self.whole = true;
            return Ok(());
        }
        let bald = of_triangles(&self.scalp, &head.parts[self.part], false);
        let mut beside = self.roots.beside(&bald, settings.seed, progress)?;
        renumber(&mut beside, &numbers);
        let first = self.roots.full_count as u32;
        let roots = &mut self.roots;
        roots.points.append(&mut beside.points);
        roots.positions.append(&mut beside.positions);
        roots.directions.append(&mut beside.directions);
        roots.face_normals.append(&mut beside.face_normals);
        (roots.ranks).extend(beside.ranks.iter().map(|rank| first + rank));
        roots.full_count += beside.full_count;
        self.whole = true;
        Ok(())
    }

    /// Are these the same, some maybe with those of bald skin added since?
    pub(super) fn continues(&self, before: &Self) -> bool {
        let positions = &before.roots.positions;
        self.part == before.part
            && self.roots.spacing == before.roots.spacing
            && self.roots.positions.get(..positions.len()) == Some(positions)
    }

    /// How many were sampled where the model is painted (on a head without paint: on all of it), and
    /// how far apart they are, decimetres.
    pub fn sampled(&self) -> (usize, f32) {
        let count = match self.painted {
            0 => self.len(),
            painted => painted,
        };
        (count, self.roots.spacing)
    }

    /// The roots of some follicles, in order, a share of them all; and the skin that their places
    /// are of: the painted skin if they all are there.
    pub(super) fn planted(&self, head: &Head, numbers: &[u32], share: f32) -> (Scalp, Roots) {
        let mut stays = vec![false; self.len()];
        for &number in numbers {
            stays[number as usize] = true;
        }
        let mut roots = self.roots.kept(&stays, share);
        let on_paint = numbers
            .last()
            .is_none_or(|&last| (last as usize) < self.painted);
        match Scalp::of_head(head).filter(|_| on_paint) {
            Some(painted) => {
                let triangles = numbered(&self.scalp, true);
                for SurfacePoint { triangle, .. } in &mut roots.points {
                    *triangle = triangles.partition_point(|&t| t < *triangle) as u32;
                }
                (painted, roots)
            }
            None => (self.scalp.clone(), roots),
        }
    }

    /// Does bald skin have its follicles?
    pub fn are_whole(&self) -> bool {
        self.whole
    }

    /// The part of the head that they are on.
    pub fn part(&self) -> usize {
        self.part
    }

    /// All of the part's triangles with an area: corners are the part's vertices.
    pub fn scalp(&self) -> &Scalp {
        &self.scalp
    }

    /// All of them, as roots.
    pub fn roots(&self) -> &Roots {
        &self.roots
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.roots.points.len()
    }

    /// None at all.
    pub fn is_empty(&self) -> bool {
        self.roots.points.is_empty()
    }

    /// The density at a follicle as the model is painted, 0 to 1; where the spacing follows the
    /// paint already, 1 on all of it.
    pub fn density(&self, follicle: usize) -> f32 {
        match follicle < self.painted {
            true if self.roots.scaled => 1.0,
            true => self.scalp.density(self.roots.points[follicle]),
            false => 0.0,
        }
    }

    /// Is one where the model has no hair?
    pub(super) fn is_bald(&self, follicle: u32) -> bool {
        follicle as usize >= self.painted
    }

    /// How far apart follicles are around one, decimetres.
    pub(super) fn spacing(&self, follicle: u32) -> f64 {
        let follicle = follicle as usize;
        match follicle < self.painted {
            true => (self.roots).spacing_at(&self.scalp, self.roots.points[follicle]),
            false => self.roots.spacing.into(),
        }
    }

    /// Does hair grow from a follicle, where the density is this? As [`Roots::thinned`], in the
    /// ranks of painted or of bald skin.
    pub fn grows(&self, follicle: usize, density: f32) -> bool {
        let (rank, count) = match follicle < self.painted {
            true => (follicle, self.painted),
            false => (follicle - self.painted, self.len() - self.painted),
        };
        rank as f64 + 0.5 < f64::from(density) * count as f64
    }
}

/// The head, with the part known for its skin that hair would grow on: without paint nobody says
/// which it is.
pub fn with_skin(head: &Arc<Head>) -> Arc<Head> {
    if head.scalp_part.is_some() {
        return head.clone();
    }
    let mut known = Head::clone(head);
    known.scalp_part = skin_part(head);
    Arc::new(known)
}

/// The part with the scalp paint, else the one with the largest area.
fn skin_part(head: &Head) -> Option<usize> {
    let area = |part: &Part| {
        let corner = |v: u32| part.positions.get(v as usize).map(|p| p.as_dvec3());
        let areas = part.triangles.iter().filter_map(|&[a, b, c]| {
            let (a, b, c) = (corner(a)?, corner(b)?, corner(c)?);
            Some((b - a).cross(c - a).length())
        });
        areas.sum::<f64>()
    };
    let by_area = || {
        let areas = head.parts.iter().map(area).enumerate();
        Some(areas.max_by(|a, b| a.1.total_cmp(&b.1))?.0)
    };
    head.scalp_part
        .filter(|&part| part < head.parts.len())
        .or_else(by_area)
}

fn whole_scalp(part: &Part) -> Option<Scalp> {
    let density = match &part.paint {
        Some(paint) => paint.density.clone(),
        None => vec![0.0; part.positions.len()],
    };
    let (positions, normals) = (part.positions.clone(), part.normals.clone());
    Scalp::new(positions, normals, part.triangles.clone(), density).ok()
}

/// Triangles painted at all corners, or the others.
fn numbered(scalp: &Scalp, painted: bool) -> Vec<u32> {
    let all = 0..scalp.triangles().len() as u32;
    let is_painted = |&t: &u32| scalp.corner_densities(t).iter().all(|&d| d > 0.0);
    all.filter(|t| is_painted(t) == painted).collect()
}

/// A scalp of those triangles alone, all of it to be sampled.
fn of_triangles(whole: &Scalp, part: &Part, painted: bool) -> Scalp {
    let triangles = numbered(whole, painted);
    let triangles = triangles.iter().map(|&t| whole.triangles()[t as usize]);
    let density = vec![1.0; part.positions.len()];
    let (positions, normals) = (part.positions.clone(), part.normals.clone());
    // All of it has been checked: these are triangles of a scalp.
    Scalp::new(positions, normals, triangles.collect(), density).unwrap_or_else(|_| whole.clone())
}

/// From triangles of a part of the scalp to those of all of it.
fn renumber(roots: &mut Roots, numbers: &[u32]) {
    for SurfacePoint { triangle, .. } in &mut roots.points {
        *triangle = numbers[*triangle as usize];
    }
}
