//! Follicles: all places where hair could grow, on painted skin and then on bald skin.

use crate::head::{Head, Part};
use crate::roots::{RootSettings, Roots, SampleError};
use crate::scalp::{Scalp, SurfacePoint};
use std::ops::ControlFlow;
use std::sync::Arc;

/// All roots of a head, with or without hair. The numbers of follicles never change: edits belong
/// to them.
#[derive(Clone, Debug)]
pub struct Follicles {
    /// The part of the head that they are on, an index into its parts.
    part: usize,
    /// All triangles of the part with an area; vertices are the part's. Its density is the model's
    /// paint.
    scalp: Scalp,
    /// The roots of painted skin by rank, then those of bald skin by rank.
    roots: Roots,
    /// The number of follicles on painted skin.
    painted: usize,
    /// Whether bald skin has follicles.
    whole: bool,
}

impl Follicles {
    /// Samples the follicles of a head's painted skin with [`Roots::sample`]; of its largest part
    /// if the head is not painted. `None`: no triangle has an area.
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
            // Both lists leave out the same triangles and keep the part's order.
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

    /// Adds the follicles of bald skin, once, with the spacing of the others, whose numbers stay.
    ///
    /// # Errors
    ///
    /// As [`Roots::beside`]; nothing is added then.
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

    /// Whether these are the same follicles, possibly with those of bald skin added.
    pub(super) fn continues(&self, before: &Self) -> bool {
        let positions = &before.roots.positions;
        self.part == before.part
            && self.roots.spacing == before.roots.spacing
            && self.roots.positions.get(..positions.len()) == Some(positions)
    }

    /// The number of follicles that were sampled on painted skin (on a head without paint: all of
    /// them), and their spacing, decimetres.
    pub fn sampled(&self) -> (usize, f32) {
        let count = match self.painted {
            0 => self.len(),
            painted => painted,
        };
        (count, self.roots.spacing)
    }

    /// Returns the roots of some follicles, in order, and the scalp that their surface points refer
    /// to: the painted skin if all of them are there. `share` is the density of hair, which widens
    /// the spacing of the roots.
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

    /// Whether bald skin has follicles.
    pub fn are_whole(&self) -> bool {
        self.whole
    }

    /// The part of the head that they are on, an index into its parts.
    pub fn part(&self) -> usize {
        self.part
    }

    /// All triangles of the part with an area; their corners are the part's vertices.
    pub fn scalp(&self) -> &Scalp {
        &self.scalp
    }

    /// The roots of all follicles.
    pub fn roots(&self) -> &Roots {
        &self.roots
    }

    /// The number of follicles.
    pub fn len(&self) -> usize {
        self.roots.points.len()
    }

    /// Whether there are no follicles.
    pub fn is_empty(&self) -> bool {
        self.roots.points.is_empty()
    }

    /// The density at a follicle as the model is painted, 0 to 1; 1 on all painted skin if the
    /// spacing already follows the paint.
    pub fn density(&self, follicle: usize) -> f32 {
        match follicle < self.painted {
            true if self.roots.scaled => 1.0,
            true => self.scalp.density(self.roots.points[follicle]),
            false => 0.0,
        }
    }

    /// Whether a follicle is on bald skin.
    pub(super) fn is_bald(&self, follicle: u32) -> bool {
        follicle as usize >= self.painted
    }

    /// The spacing of follicles around one, decimetres.
    pub(super) fn spacing(&self, follicle: u32) -> f64 {
        let follicle = follicle as usize;
        match follicle < self.painted {
            true => (self.roots).spacing_at(&self.scalp, self.roots.points[follicle]),
            false => self.roots.spacing.into(),
        }
    }

    /// Whether hair grows from a follicle at a density: as [`Roots::thinned`], by the ranks on
    /// painted or on bald skin.
    pub fn grows(&self, follicle: usize, density: f32) -> bool {
        let (rank, count) = match follicle < self.painted {
            true => (follicle, self.painted),
            false => (follicle - self.painted, self.len() - self.painted),
        };
        rank as f64 + 0.5 < f64::from(density) * count as f64
    }
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

/// Returns the triangles that are painted at all corners, or the others.
fn numbered(scalp: &Scalp, painted: bool) -> Vec<u32> {
    let all = 0..scalp.triangles().len() as u32;
    let is_painted = |&t: &u32| scalp.corner_densities(t).iter().all(|&d| d > 0.0);
    all.filter(|t| is_painted(t) == painted).collect()
}

/// Returns a scalp of those triangles alone, with full density.
fn of_triangles(whole: &Scalp, part: &Part, painted: bool) -> Scalp {
    let triangles = numbered(whole, painted);
    let triangles = triangles.iter().map(|&t| whole.triangles()[t as usize]);
    let density = vec![1.0; part.positions.len()];
    let (positions, normals) = (part.positions.clone(), part.normals.clone());
    // This cannot fail: these are triangles of a scalp.
    Scalp::new(positions, normals, triangles.collect(), density).unwrap_or_else(|_| whole.clone())
}

/// Changes triangles of a part of the scalp to those of the whole.
fn renumber(roots: &mut Roots, numbers: &[u32]) {
    for SurfacePoint { triangle, .. } in &mut roots.points {
        *triangle = numbers[*triangle as usize];
    }
}
