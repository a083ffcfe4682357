//! Strokes and commands that change the selection.

use super::Styler;
use crate::maps::MapKind;
use crate::style::contents::Change;
use crate::style::selection::{Around, SelectBy, Selection, clumps};
use crate::style::strands::Strands;
use crate::style::stroke_file::{PaintValue, Stroke};

/// A stroke that selects or deselects, and has not ended.
///
/// It goes to its value by the largest weight that the brush had over a strand, so that passing it
/// again changes nothing, and the edge stays as soft as the brush.
pub(super) struct Selecting {
    before: Selection,
    /// The values of all follicles that the stroke begins with.
    from: Vec<f32>,
    /// The value of follicles beyond them.
    rest: f32,
    value: f32,
    /// The number of the clump of each strand.
    clumps: Vec<u32>,
    /// The largest weight of each clump so far.
    reached: Vec<f32>,
}

impl Selecting {
    /// Adds the weights of strands in a step. Returns the selection.
    pub(super) fn step(&mut self, weights: &[(u32, f32)], strands: &Strands) -> Selection {
        for &(strand, weight) in weights {
            let reached = &mut self.reached[self.clumps[strand as usize] as usize];
            *reached = reached.max(weight);
        }
        let mut values = self.from.clone();
        for (&clump, &follicle) in self.clumps.iter().zip(&strands.follicles) {
            let (reached, value) = (self.reached[clump as usize], &mut values[follicle as usize]);
            *value += (self.value - *value) * reached;
        }
        match self.reached.iter().all(|&reached| reached == 0.0) {
            true => self.before.clone(),
            false => Selection::new(values, self.rest),
        }
    }

    /// Ends the stroke. Returns its name and what undoes it; `None` if nothing has changed.
    pub(super) fn end(self, now: &Selection) -> Option<(&'static str, Change)> {
        let name = if self.value > 0.0 {
            "select"
        } else {
            "deselect"
        };
        (self.before != *now).then_some((name, Change::Selection(self.before)))
    }

    /// Returns the selection before the stroke.
    pub(super) fn cancel(self) -> Selection {
        self.before
    }
}

impl Styler {
    /// Prepares a stroke that selects. While all hair is selected, it begins with none.
    pub(super) fn selecting(&self, stroke: &Stroke) -> Selecting {
        let before = self.style.edits.selection.clone();
        let value = stroke.value.and_then(PaintValue::rgb);
        let value = value.map_or(1.0, |[value, ..]| value);
        let strands = self.grown.strands();
        let count = self.follicles.len();
        let (from, rest) = match before.is_all() && value > 0.0 {
            true => (vec![0.0; count], 0.0),
            false => (before.spread(count), before.rest()),
        };
        let clumps = match stroke.by {
            SelectBy::Clump => clumps(strands, &self.style.config.groom),
            _ => (0..strands.len() as u32).collect(),
        };
        Selecting {
            before,
            from,
            rest,
            value,
            reached: vec![0.0; clumps.len()],
            clumps,
        }
    }

    /// Returns the share by which each strand is selected, 0 to 1; empty if all are.
    pub fn selected(&self) -> Vec<f32> {
        let selection = &self.style.edits.selection;
        let strands = (!selection.is_all()).then(|| self.grown.strands());
        let follicles = strands.iter().flat_map(|strands| &strands.follicles);
        follicles.map(|&follicle| selection.of(follicle)).collect()
    }

    /// Changes the selection, which can be undone. Returns whether it is another one now. Ways that
    /// need a [stroke](Self::begin) change nothing. A stroke in progress is cancelled.
    pub fn select(&mut self, by: SelectBy) -> bool {
        self.prepare_edit();
        let now = &self.style.edits.selection;
        let count = self.follicles.len();
        let new = match by {
            SelectBy::Strand | SelectBy::Clump => return false,
            SelectBy::All => Selection::default(),
            SelectBy::None => Selection::new(vec![0.0; count], 0.0),
            SelectBy::Invert => {
                let values = now.spread(count).into_iter();
                Selection::new(values.map(|value| 1.0 - value).collect(), 1.0 - now.rest())
            }
            SelectBy::Grow | SelectBy::Shrink | SelectBy::Soften => self.selected_around(by),
            SelectBy::Mask1 => self.selected_by(MapKind::Mask1),
            SelectBy::Mask2 => self.selected_by(MapKind::Mask2),
            SelectBy::Mask3 => self.selected_by(MapKind::Mask3),
            SelectBy::Mask4 => self.selected_by(MapKind::Mask4),
        };
        if new == *now {
            return false;
        }
        let before = std::mem::replace(&mut self.style.edits.selection, new);
        let name = format!("select {by}");
        self.history.push(name, vec![Change::Selection(before)]);
        true
    }

    fn selected_around(&self, by: SelectBy) -> Selection {
        let (strands, now) = (self.grown.strands(), self.selected());
        if now.is_empty() {
            return Selection::default();
        }
        let around = Around {
            strands,
            spacing: self.follicles.roots().spacing,
            by,
        };
        let mut values = self.style.edits.selection.spread(self.follicles.len());
        for (value, &follicle) in around.changed(&now).into_iter().zip(&strands.follicles) {
            values[follicle as usize] = value;
        }
        Selection::new(values, self.style.edits.selection.rest())
    }

    /// Returns the selection that a map has at the roots: all hair where there is no map.
    fn selected_by(&self, kind: MapKind) -> Selection {
        let values = self.values_at(kind, 0..self.follicles.len() as u32);
        values.map_or_else(Selection::default, |values| Selection::new(values, 0.0))
    }

    /// Returns the values of a map at the roots of the strands; `None`: there is no such map.
    pub fn values_at_strands(&self, kind: MapKind) -> Option<Vec<f32>> {
        let strands = self.grown.strands();
        self.values_at(kind, strands.follicles.iter().copied())
    }

    fn values_at(&self, kind: MapKind, follicles: impl Iterator<Item = u32>) -> Option<Vec<f32>> {
        let map = self.style.maps.get(&kind)?;
        let (part, scalp) = (self.part(), self.follicles.scalp());
        let points = &self.follicles.roots().points;
        let value = |follicle: u32| {
            let point = &points[follicle as usize];
            let corners = scalp.triangles()[point.triangle as usize];
            map.sample(part, corners, point.weights)
        };
        Some(follicles.map(value).collect())
    }
}
