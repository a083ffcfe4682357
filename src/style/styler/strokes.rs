//! Strokes, from the first touch of a brush until it is lifted.

use super::state::{ActiveStroke, StrokeTarget, Styler};
use crate::roots::SampleError;
use crate::strokes::Even;
use crate::style::brush::{Brush, BrushContext, Move, Neighbours, Planting, SkinField, Tool};
use crate::style::change::Change;
use crate::style::edits::Curve;
use crate::style::grow;
use crate::style::paint::{Painting, UvSheet};
use crate::style::progress::Progress;
use crate::style::view::{View, Visibility};
use glam::DVec2;
use std::collections::BTreeSet;

impl Styler {
    /// Begins a stroke on hair, as it is seen in a view. A stroke in progress is cancelled.
    ///
    /// # Errors
    ///
    /// As [`Follicles::add_bald`](crate::style::Follicles::add_bald): planting hair on bald skin
    /// for the first time samples its roots.
    pub fn begin(
        &mut self,
        brush: Brush,
        view: View,
        progress: Progress,
    ) -> Result<(), SampleError> {
        self.prepare_edit();
        let target = match brush.tool {
            Tool::Add | Tool::Delete => {
                self.add_bald(progress)?;
                StrokeTarget::Planting {
                    growing: grow::growing(&self.style, self.skin(), &self.follicles),
                    changed: BTreeSet::new(),
                }
            }
            _ => StrokeTarget::Strands(BTreeSet::new()),
        };
        if brush.tool == Tool::Smooth && self.neighbours.is_none() {
            self.neighbours = Some(Neighbours::of(&self.grown.strands));
        }
        self.start(brush, Some(view), None, target);
        Ok(())
    }

    /// Begins a stroke on a map, over the head as it is seen in a view, or over a UV layout.
    pub(super) fn begin_painting(
        &mut self,
        brush: Brush,
        view: Option<View>,
        sheet: Option<UvSheet>,
        painting: Painting,
    ) {
        self.start(brush, view, sheet, StrokeTarget::Painting(painting));
    }

    fn start(
        &mut self,
        brush: Brush,
        view: Option<View>,
        sheet: Option<UvSheet>,
        target: StrokeTarget,
    ) {
        // Maps mirror their dabs themselves.
        let mirrors = brush.mirror && !matches!(target, StrokeTarget::Painting(_));
        let mirrored = view.filter(|_| mirrors).map(|view| view.mirrored());
        let views = view.into_iter().chain(mirrored);
        let scalp = self.follicles.scalp();
        self.stroke = Some(ActiveStroke {
            brush,
            sides: views.map(|view| Visibility::of(scalp, view)).collect(),
            sheet,
            target,
            steps: Even::default(),
            is_stale: false,
        });
    }

    /// Moves the brush to a pixel of the view, or of the picture of the UV layout. It works along
    /// the way in steps of 4 pixels. The first position of a stroke is where it begins.
    pub fn move_to(&mut self, x: f64, y: f64) {
        let mut steps = Vec::new();
        if let Some(active) = &mut self.stroke {
            (active.steps).push(DVec2::new(x, y), &mut |step| steps.push(step.into()));
        }
        steps.into_iter().for_each(|step| self.step(step));
    }

    /// Performs one step of the stroke in progress.
    pub(in crate::style) fn step(&mut self, step: Move) {
        let Some(mut active) = self.stroke.take() else {
            return;
        };
        active.is_stale = true;
        match &mut active.target {
            StrokeTarget::Strands(touched) => {
                let context = BrushContext {
                    sides: &active.sides,
                    skin: SkinField(self.field.as_deref()),
                    neighbours: self.neighbours.as_ref(),
                    shown: self.shown.as_deref(),
                };
                let strands = &mut self.grown.strands;
                touched.extend(
                    active
                        .brush
                        .step(step, &context, strands, &mut self.lengths),
                );
            }
            StrokeTarget::Planting { growing, changed } => {
                let planting = Planting {
                    brush: &active.brush,
                    follicles: &self.follicles,
                    sides: &active.sides,
                };
                let adds = active.brush.tool == Tool::Add;
                let follicles = match adds {
                    true => planting.added(step, growing),
                    false => planting.taken(step, growing),
                };
                for follicle in follicles {
                    growing[follicle as usize] = adds;
                    changed.insert(follicle);
                }
            }
            StrokeTarget::Painting(painting) => {
                let (brush, canvas) = (&active.brush, self.canvas.as_ref());
                let scalp = self.follicles.scalp();
                let spot = match (&active.sheet, active.sides.first()) {
                    (Some(sheet), _) => sheet.spot(self.part(), step.to, brush.radius),
                    (None, Some(side)) => side.spot(scalp, step.to, brush.radius),
                    (None, None) => None,
                };
                if let Some(spot) = spot {
                    painting.step(brush, spot, &mut self.style, canvas);
                }
            }
        }
        self.stroke = Some(active);
    }

    /// Ends the stroke, which can be undone from now on. Returns whether it changed anything.
    pub fn end(&mut self) -> bool {
        let mut last = None;
        if let Some(active) = &mut self.stroke {
            active.steps.finish(&mut |step| last = Some(step));
        }
        if let Some(last) = last {
            self.step(last.into());
        }
        let Some(active) = self.stroke.take() else {
            return false;
        };
        let name = active.brush.tool.name();
        match active.target {
            StrokeTarget::Strands(touched) => {
                if touched.is_empty() {
                    return false;
                }
                let curves = touched.iter().map(|&strand| self.record(strand as usize));
                let changes = vec![Change::Curves(curves.collect())];
                self.grown.follow_strands();
                self.history.push(name, changes);
            }
            StrokeTarget::Planting { growing, changed } => {
                if changed.is_empty() {
                    return false;
                }
                let planted = &mut self.style.edits.planted;
                let old = changed.into_iter().map(|follicle| {
                    let grows = growing[follicle as usize];
                    (follicle, planted.insert(follicle, grows))
                });
                let change = Change::Planted(old.collect());
                self.commit(name, change);
            }
            StrokeTarget::Painting(painting) => {
                let Some(change) = painting.end(&mut self.style) else {
                    return false;
                };
                self.commit("paint", change);
            }
        }
        true
    }

    /// Grows what was changed, keeps hair out of the skin, and records both as one thing to undo.
    pub(super) fn commit(&mut self, name: &str, change: Change) {
        self.grow();
        let mut changes = vec![change];
        let curves = self.depenetrate(false);
        if !curves.is_empty() {
            changes.push(Change::Curves(curves));
        }
        self.history.push(name, changes);
    }

    /// Makes the current shape of a strand an edit. Returns its follicle and the edit before.
    pub(super) fn record(&mut self, strand: usize) -> (u32, Option<Curve>) {
        let strands = &self.grown.strands;
        let follicle = strands.follicles[strand];
        let curve = Curve {
            points: strands.strand(strand).into(),
            grown: self.grown.lengths[strand].max(grow::MIN_LENGTH),
        };
        grow::follow(&mut self.grown.groom, strands, strand);
        (follicle, self.style.edits.curves.insert(follicle, curve))
    }

    /// Ends the stroke as if it had never begun.
    pub fn cancel(&mut self) {
        if let Some(active) = self.stroke.take() {
            if let StrokeTarget::Painting(painting) = active.target {
                painting.cancel(&mut self.style);
            }
            self.grow();
        }
    }
}
