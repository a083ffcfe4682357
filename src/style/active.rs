//! Strokes: what a brush is doing, until it is lifted.

use super::brush::plant::Planting;
use super::brush::{Bench, Brush, Ground, Move, Tool};
use super::camera::View;
use super::edits::Curve;
use super::flat::Sheet;
use super::grow;
use super::history::Change;
use super::neighbours::Neighbours;
use super::paint::Painting;
use super::styler::Styler;
use super::visibility::Sight;
use crate::roots::SampleError;
use crate::strokes::Even;
use glam::DVec2;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// A stroke that has not ended.
pub(super) struct Active {
    brush: Brush,
    /// What it is seen from, and with a mirror its twin; none on the flat.
    pub(super) sides: Vec<Sight>,
    /// What is painted on, if that is not the head.
    sheet: Option<Sheet>,
    pub(super) kind: Kind,
    /// Where the brush is.
    way: Even,
    /// It has done something that [`Styler::refresh`] has not grown yet.
    pub(super) news: bool,
}

pub(super) enum Kind {
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
    /// Begins a stroke, as it is seen in a view; one that has not ended is cancelled.
    ///
    /// # Errors
    ///
    /// Where hair is planted on bald skin for the first time, its roots are sampled: as
    /// [`Follicles::add_bald`](super::Follicles::add_bald).
    pub fn begin(
        &mut self,
        brush: Brush,
        view: View,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<(), SampleError> {
        self.make_ready();
        let kind = match brush.tool {
            Tool::Add | Tool::Delete => {
                self.add_bald(progress)?;
                Kind::Planting {
                    growing: grow::growing(&self.style, self.skin(), &self.follicles),
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

    pub(super) fn begin_on_sheet(&mut self, brush: Brush, sheet: Sheet, painting: Painting) {
        self.stroke = Some(Active {
            brush,
            sides: Vec::new(),
            sheet: Some(sheet),
            kind: Kind::Painting(painting),
            way: Even::default(),
            news: false,
        });
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
            sheet: None,
            kind,
            way: Even::default(),
            news: false,
        });
    }

    /// The brush is here now, in pixels of the view, or of the picture of the flat: works along the
    /// way from where it was, in steps of 4 pixels. The first place of a stroke is where it begins.
    pub fn move_to(&mut self, x: f64, y: f64) {
        let mut steps = Vec::new();
        if let Some(active) = &mut self.stroke {
            (active.way).push(DVec2::new(x, y), &mut |step| steps.push(step.into()));
        }
        steps.into_iter().for_each(|step| self.step(step));
    }

    /// The brush moves by a few pixels.
    pub(super) fn step(&mut self, step: Move) {
        let Some(mut active) = self.stroke.take() else {
            return;
        };
        active.news = true;
        match &mut active.kind {
            Kind::Strands(touched) => {
                let bench = Bench {
                    sides: &active.sides,
                    ground: Ground(self.field.as_deref()),
                    neighbours: self.neighbours.as_ref(),
                    shown: self.shown.as_deref(),
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
                let (brush, canvas) = (&active.brush, self.canvas.as_ref());
                let scalp = self.follicles.scalp();
                let spot = match (&active.sheet, active.sides.first()) {
                    (Some(sheet), _) => sheet.spot(self.part(), step.to, brush.radius),
                    (None, Some(sight)) => sight.spot(scalp, step.to, brush.radius),
                    (None, None) => None,
                };
                if let Some(spot) = spot {
                    painting.step(brush, spot, &mut self.style, canvas);
                }
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
            self.step(last.into());
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
                self.grown.follow_strands();
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
                let Some((name, change)) = painting.end(&mut self.style) else {
                    return false;
                };
                self.grow_more(name, change);
            }
        }
        true
    }

    /// Grows what was changed, keeps hair out of the skin, and remembers both as one thing to undo.
    pub(super) fn grow_more(&mut self, name: &str, change: Change) {
        self.grow();
        let mut changes = vec![change];
        let pushed = self.push_out(false);
        if !pushed.is_empty() {
            changes.push(Change::Curves(pushed));
        }
        self.history.push(name, changes);
    }

    /// Makes what a stroke has done to a strand an edit; gives what was there before.
    pub(super) fn keep(&mut self, strand: usize) -> (u32, Option<Curve>) {
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
}
