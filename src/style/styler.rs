//! A session with a style: strokes, undo, redo.

use super::brush::plant::Planting;
use super::brush::{Bench, Brush, Ground, Lengths, Move, Tool};
use super::camera::View;
use super::edits::Curve;
use super::grow::{self, Grown};
use super::history::{Change, History};
use super::neighbours::Neighbours;
use super::paint::Painting;
use super::sight::Sight;
use super::strands::Strands;
use super::stroke::Even;
use super::{Follicles, Style};
use crate::config::Config;
use crate::groom::{Groom, RestCurves};
use crate::head::{Head, Part};
use crate::maps::{Canvas, MapKind};
use crate::roots::SampleError;
use crate::sim::Field;
use glam::{DVec2, Vec3};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Roots that are farther from where they were belong to another head, decimetres.
const SAME_PLACE: f32 = 1e-3;
/// Hair that is moved by less is left as it grew, decimetres: lengths are brought back by rounding.
const PUSHED: f32 = 1e-4;

/// A head with its style, being worked on.
pub struct Styler {
    pub(super) head: Arc<Head>,
    pub(super) style: Style,
    pub(super) follicles: Follicles,
    /// The skin that hair must not go into.
    pub(super) field: Option<Arc<Field>>,
    pub(super) grown: Grown,
    /// Of the strands, measured when they were grown.
    pub(super) lengths: Lengths,
    /// Made when they are needed.
    neighbours: Option<Neighbours>,
    pub(super) canvas: Option<Canvas>,
    pub(super) history: History,
    stroke: Option<Active>,
}

/// A stroke that has not ended.
struct Active {
    brush: Brush,
    sides: Vec<Sight>,
    kind: Kind,
    /// Where the brush is.
    way: Even,
}

enum Kind {
    /// Strands that were touched, by number.
    Strands(BTreeSet<u32>),
    /// Follicles that were planted or emptied, and what they were before.
    Planting {
        growing: Vec<bool>,
        changed: BTreeSet<u32>,
    },
    Painting(Painting),
}

impl Styler {
    /// Begins with a style of a head. `None`: no triangle of it has an area.
    ///
    /// # Errors
    ///
    /// As [`Follicles::of_head`].
    pub fn new(
        head: Arc<Head>,
        field: Option<Arc<Field>>,
        style: Style,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Option<Self>, SampleError> {
        let Some(follicles) = Follicles::of_head(&head, &style.config.roots, progress)? else {
            return Ok(None);
        };
        let mut styler = Self {
            head,
            style,
            follicles,
            field,
            grown: Grown {
                groom: Groom::default(),
                strands: Strands::default(),
                lengths: Vec::new(),
            },
            lengths: Lengths::default(),
            neighbours: None,
            canvas: None,
            history: History::default(),
            stroke: None,
        };
        if styler.style.needs_bald() {
            styler.add_bald(progress)?;
        }
        styler.grow();
        Ok(Some(styler))
    }

    fn add_bald(
        &mut self,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<(), SampleError> {
        let roots = &self.style.config.roots;
        self.follicles.add_bald(&self.head, roots, progress)
    }

    /// All hair anew from the style.
    pub(super) fn grow(&mut self) {
        let part = &self.head.parts[self.follicles.part()];
        self.grown = grow::grow(&self.style, part, &self.follicles);
        self.lengths = Lengths::of(&self.grown.strands);
        self.neighbours = None;
    }

    /// What is being worked on.
    pub fn style(&self) -> &Style {
        &self.style
    }

    /// The head that it grows on.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The same, to keep.
    pub fn shared_head(&self) -> Arc<Head> {
        self.head.clone()
    }

    /// The density map at each vertex of the part, 0 to 1; `None` without one.
    pub fn vertex_density(&self) -> Option<Vec<f32>> {
        let map = self.style.maps.get(&MapKind::Density)?;
        let part = self.part();
        let at = |vertex| map.sample(part, [vertex; 3], Vec3::X);
        Some((0..part.positions.len() as u32).map(at).collect())
    }

    /// The part of it that hair grows on.
    pub fn part(&self) -> &Part {
        &self.head.parts[self.follicles.part()]
    }

    /// Where hair could grow.
    pub fn follicles(&self) -> &Follicles {
        &self.follicles
    }

    /// The hair as polylines, in the middle of a stroke too.
    pub fn strands(&self) -> &Strands {
        &self.grown.strands
    }

    /// The hair as the simulation takes it, after the last stroke that ended.
    pub fn groom(&self) -> &Groom {
        &self.grown.groom
    }

    /// What can be undone and redone.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// How deep the deepest point of any strand is in the skin, by its field, decimetres: beyond
    /// its own root, which lies in pockets that the field closes (nostrils, ears). Not above 0 where
    /// none is in it. `None`: there is no field.
    pub fn deepest(&self) -> Option<f32> {
        let field = self.field.as_deref()?;
        let strands = &self.grown.strands;
        let depth = |p: Vec3| -field.distance(p.to_array());
        let deepest = (0..strands.len()).into_par_iter().map(|strand| {
            let root = strands.roots[strand];
            let depths = strands.strand(strand)[1..].iter().map(|&p| depth(root + p));
            depths.fold(f32::NEG_INFINITY, f32::max) - depth(root).max(0.0)
        });
        Some(deepest.reduce(|| f32::NEG_INFINITY, f32::max))
    }

    /// Begins a stroke, as it is seen in a view.
    ///
    /// # Errors
    ///
    /// Where hair is planted on bald skin for the first time, its roots are sampled: as
    /// [`Follicles::add_bald`].
    pub fn begin(
        &mut self,
        brush: Brush,
        view: View,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<(), SampleError> {
        let kind = match brush.tool {
            Tool::Add | Tool::Delete => {
                self.add_bald(progress)?;
                Kind::Planting {
                    growing: grow::growing(&self.style, self.part(), &self.follicles),
                    changed: BTreeSet::new(),
                }
            }
            Tool::Smooth => {
                if self.neighbours.is_none() {
                    self.neighbours = Some(Neighbours::of(&self.grown.strands));
                }
                Kind::Strands(BTreeSet::new())
            }
            _ => Kind::Strands(BTreeSet::new()),
        };
        self.start(brush, view, kind);
        Ok(())
    }

    pub(super) fn begin_painting(&mut self, brush: Brush, view: View, painting: Painting) {
        self.start(brush, view, Kind::Painting(painting));
    }

    fn start(&mut self, brush: Brush, view: View, kind: Kind) {
        let mut sides = vec![Sight::of(self.follicles.scalp(), view)];
        // A map mirrors its dabs by itself.
        if brush.mirror && !matches!(kind, Kind::Painting(_)) {
            sides.push(Sight::of(self.follicles.scalp(), view.mirrored()));
        }
        self.stroke = Some(Active {
            brush,
            sides,
            kind,
            way: Even::default(),
        });
    }

    /// The brush is here now, in pixels of the view: works along the way from where it was, in
    /// steps of 4 pixels. The first place of a stroke is where it begins.
    pub fn move_to(&mut self, x: f64, y: f64) {
        let mut steps = Vec::new();
        if let Some(active) = &mut self.stroke {
            (active.way).push(DVec2::new(x, y), &mut |step| steps.push(step));
        }
        steps.into_iter().for_each(|step| self.step(step));
    }

    /// The brush moves by a few pixels.
    pub(super) fn step(&mut self, step: Move) {
        let Some(mut active) = self.stroke.take() else {
            return;
        };
        match &mut active.kind {
            Kind::Strands(touched) => {
                let bench = Bench {
                    sides: &active.sides,
                    ground: Ground(self.field.as_deref()),
                    neighbours: self.neighbours.as_ref(),
                };
                let strands = &mut self.grown.strands;
                touched.extend(active.brush.step(step, &bench, strands, &mut self.lengths));
            }
            Kind::Planting { growing, changed } => {
                let planting = Planting {
                    brush: &active.brush,
                    follicles: &self.follicles,
                    sides: &active.sides,
                };
                let now = active.brush.tool == Tool::Add;
                let follicles = match now {
                    true => planting.added(step, growing),
                    false => planting.taken(step, growing),
                };
                for follicle in follicles {
                    growing[follicle as usize] = now;
                    changed.insert(follicle);
                }
            }
            Kind::Painting(painting) => {
                let scalp = self.follicles.scalp();
                let sight = &active.sides[0];
                painting.step(
                    &active.brush,
                    step,
                    sight,
                    scalp,
                    &mut self.style,
                    self.canvas.as_ref(),
                );
            }
        }
        self.stroke = Some(active);
    }

    /// The stroke ends, and can be undone from now on. Did it change anything?
    pub fn end(&mut self) -> bool {
        let mut last = None;
        if let Some(active) = &mut self.stroke {
            active.way.finish(&mut |step| last = Some(step));
        }
        if let Some(last) = last {
            self.step(last);
        }
        let Some(active) = self.stroke.take() else {
            return false;
        };
        let name = active.brush.tool.name();
        match active.kind {
            Kind::Strands(touched) => {
                if touched.is_empty() {
                    return false;
                }
                let changes = touched.iter().map(|&strand| self.keep(strand as usize));
                let changes = vec![Change::Curves(changes.collect())];
                let (groom, strands) = (&mut self.grown.groom, &self.grown.strands);
                groom.curves = RestCurves::new(strands.per, strands.points.clone());
                self.history.push(name, changes);
            }
            Kind::Planting { growing, changed } => {
                if changed.is_empty() {
                    return false;
                }
                let planted = &mut self.style.edits.planted;
                let old = changed.into_iter().map(|follicle| {
                    (
                        follicle,
                        planted.insert(follicle, growing[follicle as usize]),
                    )
                });
                let planted = Change::Planted(old.collect());
                self.grow_more(name, planted);
            }
            Kind::Painting(painting) => {
                let Some((name, change)) = painting.end() else {
                    return false;
                };
                self.grow_more(name, change);
            }
        }
        true
    }

    /// Grows what was changed, keeps hair that was not there before out of the skin, and remembers
    /// both as one thing to undo.
    pub(super) fn grow_more(&mut self, name: &str, change: Change) {
        let before = std::mem::take(&mut self.grown.strands.follicles);
        self.grow();
        let mut changes = vec![change];
        let pushed = self.push_out(&before);
        if !pushed.is_empty() {
            changes.push(Change::Curves(pushed));
        }
        self.history.push(name, changes);
    }

    /// Turns strands out of the skin, but for those that were there `before`.
    fn push_out(&mut self, before: &[u32]) -> Vec<(u32, Option<Curve>)> {
        if self.field.is_none() {
            return Vec::new();
        }
        let ground = Ground(self.field.as_deref());
        let strands = &self.grown.strands;
        let pushed = (0..strands.len()).into_par_iter().filter_map(|strand| {
            // Both lists rise.
            if before.binary_search(&strands.follicles[strand]).is_ok() {
                return None;
            }
            let old = strands.strand(strand);
            let mut points = old.to_vec();
            let segments = self.lengths.segments(strand, strands.per);
            let root = strands.roots[strand];
            let moved = ground.settle(root, segments, old, &mut points, &[]);
            let way = points.iter().zip(old).map(|(a, b)| a.distance(*b));
            (moved && way.fold(0.0, f32::max) > PUSHED).then_some((strand, points))
        });
        let pushed: Vec<(usize, Vec<Vec3>)> = pushed.collect();
        let mut changes = Vec::with_capacity(pushed.len());
        for (strand, points) in pushed {
            self.grown
                .strands
                .strand_mut(strand)
                .copy_from_slice(&points);
            changes.push(self.keep(strand));
        }
        if !changes.is_empty() {
            let (groom, strands) = (&mut self.grown.groom, &self.grown.strands);
            groom.curves = RestCurves::new(strands.per, strands.points.clone());
        }
        changes
    }

    /// Makes what a stroke has done to a strand an edit; gives what was there before.
    fn keep(&mut self, strand: usize) -> (u32, Option<Curve>) {
        let strands = &self.grown.strands;
        let follicle = strands.follicles[strand];
        let curve = Curve {
            points: strands.strand(strand).into(),
            grown: self.grown.lengths[strand].max(grow::LEAST_GROWN),
        };
        grow::follow(&mut self.grown.groom, strands, strand);
        (follicle, self.style.edits.curves.insert(follicle, curve))
    }

    /// The stroke ends as if it had never begun.
    pub fn cancel(&mut self) {
        if let Some(active) = self.stroke.take() {
            if let Kind::Painting(painting) = active.kind {
                painting.cancel(&mut self.style);
            }
            self.grow();
        }
    }

    /// Other settings, which can be undone.
    ///
    /// # Errors
    ///
    /// As [`Follicles::of_head`], where roots are to be others; then nothing changes.
    pub fn set_config(
        &mut self,
        config: Config,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<(), SampleError> {
        if config == self.style.config {
            return Ok(());
        }
        let old = std::mem::replace(&mut self.style.config, config);
        if let Err(error) = self.follow_roots(&old, progress) {
            self.style.config = old;
            return Err(error);
        }
        self.history
            .push("settings", vec![Change::Config(Box::new(old))]);
        self.grow();
        Ok(())
    }

    /// Samples roots where those of `old` settings were others.
    fn follow_roots(
        &mut self,
        old: &Config,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<(), SampleError> {
        if old.roots != self.style.config.roots {
            let roots = &self.style.config.roots;
            if let Some(follicles) = Follicles::of_head(&self.head, roots, progress)? {
                self.follicles = follicles;
            }
        }
        match self.style.needs_bald() {
            true => self.add_bald(progress),
            false => Ok(()),
        }
    }

    /// Takes back what was done last, and says what it was. `None`: there was nothing.
    ///
    /// # Errors
    ///
    /// As [`set_config`](Self::set_config).
    pub fn undo(
        &mut self,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Option<String>, SampleError> {
        self.back_or_forth(progress, History::undo)
    }

    /// Does again what was undone last, and says what it was. `None`: there was nothing.
    ///
    /// # Errors
    ///
    /// As [`set_config`](Self::set_config).
    pub fn redo(
        &mut self,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Option<String>, SampleError> {
        self.back_or_forth(progress, History::redo)
    }

    fn back_or_forth(
        &mut self,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
        go: fn(&mut History, &mut Style) -> Option<String>,
    ) -> Result<Option<String>, SampleError> {
        self.cancel();
        let old = self.style.config.clone();
        let Some(name) = go(&mut self.history, &mut self.style) else {
            return Ok(None);
        };
        self.follow_roots(&old, progress)?;
        self.grow();
        Ok(Some(name))
    }
}

impl Styler {
    /// Where the roots of strands with edits are: what tells whether a saved style is on its head.
    pub fn edited_roots(&self) -> BTreeMap<u32, Vec3> {
        let edits = &self.style.edits;
        let positions = &self.follicles.roots().positions;
        let all = edits.curves.keys().chain(edits.planted.keys());
        all.filter_map(|&f| Some((f, *positions.get(f as usize)?)))
            .collect()
    }

    /// The first root of an edited strand that is not where it was when the style was saved, and
    /// how far away it is, decimetres.
    pub fn misplaced(&self, saved: &BTreeMap<u32, Vec3>) -> Option<(u32, f32)> {
        let positions = &self.follicles.roots().positions;
        saved.iter().find_map(
            |(&follicle, place)| match positions.get(follicle as usize) {
                Some(root) => {
                    let away = root.distance(*place);
                    (away > SAME_PLACE).then_some((follicle, away))
                }
                // Of bald skin, on which nothing grows.
                None if !self.follicles.are_whole() => None,
                None => Some((follicle, f32::INFINITY)),
            },
        )
    }
}
