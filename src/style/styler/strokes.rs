//! Strokes, from the first touch of a brush until it is lifted, and their replay from files.

use super::depenetrate::Before;
use super::guides::Around;
use super::paint::PaintError;
use super::skin_field::known;
use super::{ActiveStroke, StrokeTarget, Styler};
use crate::groom::Checkpoint;
use crate::strokes::StepSampler;
use crate::style::brush::{BrushStep, SkinField};
use crate::style::contents::{Change, Curve};
use crate::style::follicles::Progress;
use crate::style::grow::{self, Skin};
use crate::style::strands::{Lengths, Neighbours};
use crate::style::stroke_file::{PaintValue, Stroke, StrokeFile, Tool};
use crate::style::view::View;
use crate::style::visibility::Visibility;
use glam::{DVec2, Vec3};
use std::{collections::BTreeSet, ops::ControlFlow};

impl Styler {
    /// Begins a stroke over a picture of the view's size. A stroke in progress is cancelled.
    ///
    /// A map that does not exist is created: the density map as the model is painted, others
    /// neutral. So is a layer that does not exist. With `flat`, [`move_to`](Self::move_to) takes pixels of a picture of the part's UV
    /// layout that shows the whole unit square. The brush paints around the skin under its middle,
    /// as on the head, with its radius there, so that both sides of a UV seam get the same value.
    /// Where there is no skin, it does nothing. Neither does [`Tool::Paint`] without a map, nor
    /// [`Tool::Fill`] and ways to select without a brush: see [`fill_map`](Self::fill_map) and
    /// [`select`](Self::select).
    ///
    /// # Errors
    ///
    /// [`PaintError`]; nothing has begun then. Planting hair on bald skin for the first time
    /// samples its roots, as [`Follicles::add_bald`](crate::style::Follicles::add_bald).
    pub fn begin(
        &mut self,
        stroke: &Stroke,
        view: View,
        progress: Progress,
    ) -> Result<(), PaintError> {
        self.set_share(1.0);
        self.end_draft();
        let map = (stroke.map).filter(|_| matches!(stroke.tool, Tool::Paint | Tool::Smooth));
        let is_command = stroke.tool == Tool::Select && !stroke.by.is_brush();
        if (stroke.tool.is_for_maps() && map.is_none()) || is_command {
            self.cancel();
            return Ok(());
        }
        let target = match (map, stroke.tool) {
            _ if stroke.is_on_guides() => {
                self.prepare_edit();
                StrokeTarget::Guides(Box::new(self.guiding(stroke)?))
            }
            (Some(kind), _) => {
                StrokeTarget::Painting(self.painting(kind, stroke, view.size(), progress)?)
            }
            (None, Tool::Add | Tool::Delete) => {
                self.prepare_edit();
                (self.follicles).add_bald(&self.style.config.roots, progress)?;
                StrokeTarget::Planting {
                    growing: grow::growing(&self.style, self.skin(), &self.follicles),
                    changed: BTreeSet::new(),
                }
            }
            (None, Tool::Select) => {
                self.prepare_edit();
                StrokeTarget::Selecting(self.selecting(stroke))
            }
            (None, tool) => {
                self.prepare_edit();
                if tool == Tool::Smooth && self.neighbours.is_none() {
                    self.neighbours = Some(Neighbours::of(self.grown.strands()));
                }
                StrokeTarget::Strands(vec![false; self.grown.strands().len()])
            }
        };
        // Maps mirror their dabs themselves.
        let mirrors = stroke.mirror && map.is_none();
        let view = Some(view).filter(|_| map.is_none() || !stroke.flat);
        let mirrored = view.filter(|_| mirrors).map(|view| view.mirrored());
        let views = view.into_iter().chain(mirrored);
        let scalp = self.follicles.scalp();
        self.stroke = Some(ActiveStroke {
            brush: stroke.clone(),
            sides: views.map(|view| Visibility::of(scalp, view)).collect(),
            before: target.grows().then(|| self.as_before()),
            target,
            steps: StepSampler::default(),
            is_stale: false,
        });
        Ok(())
    }

    /// Moves the brush to a pixel of the view, or of the picture of the UV layout. It works along
    /// the way in steps of 4 pixels. The first position of a stroke is where it begins.
    pub fn move_to(&mut self, x: f64, y: f64) {
        let Some(active) = &mut self.stroke else {
            return;
        };
        for step in active.steps.push(DVec2::new(x, y)) {
            self.step(step);
        }
    }

    /// Performs one step of the stroke in progress.
    pub(in crate::style) fn step(&mut self, [from, to]: [DVec2; 2]) {
        let (from, to) = (from.as_vec2(), to.as_vec2());
        let Some(mut active) = self.stroke.take() else {
            return;
        };
        active.is_stale = true;
        match &mut active.target {
            target @ (StrokeTarget::Strands(_) | StrokeTarget::Selecting(_)) => {
                let strands = self.grown.strands_mut();
                let lengths = (self.lengths).get_or_insert_with(|| Lengths::of(strands));
                let brush_step = BrushStep {
                    skin: SkinField(known(&self.field)),
                    selection: (active.brush.tool != Tool::Select)
                        .then_some(&self.style.edits.selection),
                    neighbours: self.neighbours.as_ref(),
                    shown: self.shown.as_deref(),
                    ..BrushStep::new(
                        &active.brush,
                        [from, to],
                        &active.sides,
                        self.follicles.scalp(),
                        strands,
                        lengths,
                    )
                };
                match target {
                    StrokeTarget::Selecting(selecting) => {
                        let reached = brush_step.reached();
                        self.style.edits.selection = selecting.step(&reached, strands);
                    }
                    StrokeTarget::Strands(touched) => {
                        let (numbers, points) = brush_step.moved();
                        strands.replace(&numbers, &points);
                        if active.brush.tool.changes_length() {
                            lengths.measure_all(strands, &numbers);
                        }
                        (numbers.iter()).for_each(|&number| touched[number as usize] = true);
                    }
                    _ => {}
                }
            }
            StrokeTarget::Planting { growing, changed } => {
                let brush = &active.brush;
                let (follicles, selection) = (&self.follicles, &self.style.edits.selection);
                for follicle in brush.plant(to, &active.sides, follicles, growing, selection) {
                    growing[follicle as usize] = brush.tool == Tool::Add;
                    changed.insert(follicle);
                }
            }
            StrokeTarget::Guides(guiding) => {
                let around = Around {
                    scalp: self.follicles.scalp(),
                    skin: SkinField(known(&self.field)),
                };
                guiding.step(&active.brush, &active.sides, [from, to], &around);
                active.is_stale = guiding.give(&mut self.style.config);
            }
            StrokeTarget::Painting(painting) => {
                let (brush, scalp) = (&active.brush, self.follicles.scalp());
                let ball = match (&painting.sheet, active.sides.first()) {
                    (Some(sheet), _) => sheet.ball(self.part(), to, brush.radius),
                    (None, Some(side)) => side.ball(scalp, to, brush.radius),
                    (None, None) => None,
                };
                if let (Some(ball), Some(canvas)) = (ball, &self.canvas) {
                    painting.step(brush, ball, &mut self.style, canvas);
                }
            }
        }
        self.stroke = Some(active);
    }

    /// Ends the stroke, which can be undone from now on. Returns whether it changed anything.
    pub fn end(&mut self) -> bool {
        let Some(active) = &mut self.stroke else {
            return false;
        };
        if let Some(last) = active.steps.finish() {
            self.step(last);
        }
        let Some(active) = self.stroke.take() else {
            return false;
        };
        let name = active.brush.tool.name();
        match active.target {
            StrokeTarget::Selecting(selecting) => {
                let now = &self.style.edits.selection;
                let Some((name, change)) = selecting.end(now) else {
                    return false;
                };
                self.history.push(name, vec![change]);
            }
            StrokeTarget::Strands(touched) => {
                let curves = numbers(&touched).map(|strand| self.record(strand));
                let curves: Vec<_> = curves.collect();
                if curves.is_empty() {
                    return false;
                }
                // As after any other change, so that a replay has the same bits.
                self.lengths = None;
                self.grown.follow_strands();
                self.history.push(name, vec![Change::Curves(curves)]);
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
                let old: Vec<_> = old.collect();
                let all = old.iter().map(|(follicle, _)| *follicle);
                let new = all.filter(|&follicle| growing[follicle as usize]);
                let selection = &mut self.style.edits.selection;
                let selected = Change::Selection(selection.clone());
                selection.add(new);
                let changes = vec![Change::Planted(old), selected];
                self.commit(name, changes, false, active.before);
            }
            StrokeTarget::Guides(guiding) => {
                let around = Around {
                    scalp: self.follicles.scalp(),
                    skin: SkinField(known(&self.field)),
                };
                let ended = guiding.end(&active.brush, &around, &mut self.style.config);
                self.set_share(1.0);
                let Some(before) = ended else {
                    return false;
                };
                self.grow();
                let change = Change::Config(Box::new(before));
                self.history.push(format!("{name} guides"), vec![change]);
            }
            StrokeTarget::Painting(painting) => {
                let Some((name, change)) = painting.end(&mut self.style) else {
                    return false;
                };
                self.commit(name, vec![change], false, active.before);
            }
        }
        true
    }

    /// Grows what was changed, keeps hair out of the skin, and records both as one thing to undo; with
    /// `merges` in place of the last, which is undone temporarily. `before`: the hair before, if it has
    /// grown since.
    pub(super) fn commit(
        &mut self,
        name: &str,
        mut changes: Vec<Change>,
        merges: bool,
        before: Option<Before>,
    ) {
        let before = before.unwrap_or_else(|| self.as_before());
        self.grow();
        self.depenetrate_changed(&mut changes, &before);
        self.history.push_settings(name, changes, merges);
        self.history.reopen(false);
    }

    /// Makes the current shape of a strand an edit. Returns its follicle and the edit before.
    pub(super) fn record(&mut self, strand: usize) -> (u32, Option<Curve>) {
        let strands = self.grown.strands();
        let follicle = strands.follicles[strand];
        let curve = Curve {
            points: strands.strand(strand).into(),
            grown: self.grown.lengths[strand].max(grow::MIN_LENGTH),
        };
        self.grown.follow(strand);
        (follicle, self.style.edits.curves.insert(follicle, curve))
    }

    /// Ends the stroke as if it had never begun.
    pub fn cancel(&mut self) {
        if let Some(active) = self.stroke.take() {
            match active.target {
                StrokeTarget::Selecting(selecting) => {
                    self.style.edits.selection = selecting.cancel();
                    return;
                }
                StrokeTarget::Painting(painting) => painting.cancel(&mut self.style),
                StrokeTarget::Guides(guiding) => self.style.config = guiding.cancel(),
                _ => {}
            }
            self.grow();
        }
    }

    /// Sets where hair is seen, until other hair grows: brushes touch it there. `points` are laid
    /// out as those of [`strands`](Self::strands), relative to each strand's root, head space,
    /// decimetres. `None`, or points of other hair: hair is seen at rest.
    pub fn show(&mut self, points: Option<Vec<Vec3>>) {
        self.shown = points.filter(|points| points.len() == self.grown.strands().points.len());
    }

    /// Continues a stroke in another view, after the camera or the head has moved.
    pub fn look(&mut self, view: View) {
        let scalp = self.follicles.scalp();
        let Some(active) = &mut self.stroke else {
            return;
        };
        for (side, view) in active.sides.iter_mut().zip([view, view.mirrored()]) {
            *side = Visibility::of(scalp, view);
        }
    }

    /// Updates [`groom`](Self::groom) during a stroke. Returns whether hair had changed. New
    /// hair is kept out of the skin only when the stroke ends.
    pub fn refresh(&mut self) -> bool {
        let Some(active) = self.stroke.as_mut().filter(|active| active.is_stale) else {
            return false;
        };
        active.is_stale = false;
        match &active.target {
            StrokeTarget::Selecting(_) => return false,
            // Straight hair that becomes curves is drawn a little differently.
            StrokeTarget::Strands(touched) if !touched.contains(&true) => return false,
            StrokeTarget::Strands(touched) => {
                self.grown.follow_all(touched);
            }
            StrokeTarget::Planting { growing, .. } => {
                let skin = Skin {
                    part: &self.head.parts[self.follicles.part()],
                    own: self.model_density.as_deref(),
                    field: known(&self.field),
                };
                let grown = grow::grow_where(
                    &self.style,
                    skin,
                    &self.follicles,
                    growing,
                    &mut Checkpoint::default(),
                );
                self.set_grown(grown);
            }
            StrokeTarget::Painting(_) | StrokeTarget::Guides(_) => self.grow(),
        }
        true
    }

    /// Performs all strokes of a checked file, then undoes as many of them as it says, but nothing
    /// that was done before. `progress` may cancel after any stroke.
    ///
    /// # Errors
    ///
    /// [`PaintError`]: roots of bald skin that cannot be sampled, or a stroke on the UV layout of a
    /// model without UVs.
    pub fn play(&mut self, file: &StrokeFile, progress: Progress) -> Result<(), PaintError> {
        let go_on = &mut |_| ControlFlow::Continue(());
        let count = file.strokes.len().max(1) as f32;
        // Strokes that changed nothing cannot be undone.
        let mut changed = Vec::with_capacity(file.strokes.len());
        for (number, stroke) in file.strokes.iter().enumerate() {
            if progress(number as f32 / count).is_break() {
                return Ok(());
            }
            let Ok(view) = file.view(stroke) else {
                continue;
            };
            match (stroke.tool, stroke.map) {
                (Tool::Fill, Some(map)) => {
                    let value = stroke.value.and_then(PaintValue::rgb);
                    let layer = stroke.layer.as_deref();
                    self.fill_map(map, layer, value, stroke.side, go_on)?;
                    changed.push(true);
                }
                (Tool::Select, _) if !stroke.by.is_brush() => changed.push(self.select(stroke.by)),
                _ => {
                    self.begin(stroke, view, go_on)?;
                    for &[_, x, y] in &stroke.points {
                        self.move_to(x, y);
                    }
                    changed.push(self.end());
                }
            }
        }
        let undone = changed.iter().rev().take(file.undo as usize);
        for _ in undone.filter(|&&changed| changed) {
            self.undo(go_on)?;
        }
        Ok(())
    }
}

/// Returns the numbers of the strands that were touched.
fn numbers(touched: &[bool]) -> impl Iterator<Item = usize> + '_ {
    (0..touched.len()).filter(|&strand| touched[strand])
}
