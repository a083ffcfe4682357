//! Work on a doll: strokes, changes of settings, undo and redo.

use super::brush::{DollBrush, DollTool};
use super::clip::{self, Clip, MAX_CLIPS};
use super::file::Doll;
use super::grow::{self, DollSettings, LengthProfile, STATIONS};
use super::hair::DollHair;
use crate::history;
use crate::settings::SettingError;
use crate::strokes::StepSampler;
use glam::DVec2;
use std::collections::BTreeMap;

/// The changes of a doll that can be undone and redone.
pub type DollHistory = history::History<Change>;

/// A change, stored as the values before it.
#[derive(Debug)]
pub enum Change {
    /// The hairs that a stroke changed, by their numbers, and all clips if it changed one.
    Stroke(BTreeMap<u32, DollHair>, Option<Vec<Clip>>),
    /// The whole doll.
    All(Box<Doll>),
}

impl history::Change for Change {
    type Of = Doll;

    fn swap(&mut self, doll: &mut Doll) {
        match self {
            Change::Stroke(hairs, clips) => {
                for (number, hair) in hairs {
                    if let Some(now) = doll.hairs.get_mut(*number as usize) {
                        std::mem::swap(hair, now);
                    }
                }
                if let Some(clips) = clips {
                    std::mem::swap(clips, &mut doll.clips);
                }
            }
            Change::All(other) => std::mem::swap(&mut **other, doll),
        }
    }

    fn bytes(&self) -> usize {
        let of = |hair: &DollHair| size_of::<(u32, DollHair)>() + size_of_val(&hair.held[..]);
        match self {
            Change::Stroke(hairs, clips) => {
                let clips = clips.as_deref().map_or(0, size_of_val);
                clips + hairs.values().map(of).sum::<usize>()
            }
            Change::All(doll) => doll.hairs.iter().map(of).sum(),
        }
    }
}

/// A doll and the history of its changes.
#[derive(Debug)]
pub struct DollSession {
    doll: Doll,
    /// Its hair as it grew.
    grown: Vec<DollHair>,
    history: DollHistory,
    stroke: Option<ActiveStroke>,
}

/// A stroke that has not ended.
#[derive(Debug, Default)]
struct ActiveStroke {
    brush: DollBrush,
    path: StepSampler,
    /// The hairs that it changed, as they were before.
    hairs: BTreeMap<u32, DollHair>,
    /// The clips before it, if it changed them.
    clips: Option<Vec<Clip>>,
    /// `true` after its click, which adds or removes a clip.
    has_clicked: bool,
}

impl ActiveStroke {
    /// Applies `change` to the hairs with `is_near`, and stores those that it changed as they were.
    /// `change` receives the number of the hair and returns `false` to leave it as it is.
    fn change_hairs(
        &mut self,
        hairs: &mut [DollHair],
        is_near: impl Fn(&DollHair) -> bool,
        change: impl Fn(usize, &mut DollHair) -> bool,
    ) {
        for (number, hair) in hairs.iter_mut().enumerate() {
            // Only hairs near the brush are copied.
            if is_near(hair) {
                let mut changed = hair.clone();
                if change(number, &mut changed) && changed != *hair {
                    let before = std::mem::replace(hair, changed);
                    self.hairs.entry(number as u32).or_insert(before);
                }
            }
        }
    }

    /// Moves the brush by a step of the path.
    fn step(&mut self, doll: &mut Doll, grown: &[DollHair], [from, to]: [DVec2; 2]) {
        let brush = self.brush;
        self.change_hairs(
            &mut doll.hairs,
            |hair| brush.is_near(hair, to),
            |number, hair| brush.step(hair, &grown[number], to, to - from),
        );
    }

    /// Adds a clip, or removes the clip that is there.
    fn click(&mut self, doll: &mut Doll, at: DVec2) {
        let before = doll.clips.clone();
        let is_hit = |clip: &Clip| clip.at.distance(at) <= clip.half_width();
        if let Some(hit) = doll.clips.iter().rposition(is_hit) {
            let clip = doll.clips.remove(hit);
            let release = |_, hair: &mut DollHair| clip::release(hair, clip.number);
            self.change_hairs(&mut doll.hairs, |_| true, release);
        } else if doll.clips.len() < MAX_CLIPS {
            let is_free = |number: &u32| doll.clips.iter().all(|clip| clip.number != *number);
            let clip = Clip {
                // There are fewer clips than numbers.
                number: (1..).find(is_free).unwrap_or_default(),
                at,
                radius: self.brush.radius,
                kind: self.brush.clip,
                color: self.brush.color,
            };
            doll.clips.push(clip);
            let catch = |_, hair: &mut DollHair| clip::catch(hair, &clip);
            self.change_hairs(&mut doll.hairs, |_| true, catch);
        } else {
            return;
        }
        self.clips = Some(before);
    }

    /// Removes the clips that lost their last hair in the stroke.
    fn remove_empty_clips(&mut self, doll: &mut Doll) {
        let is_held = |hair: &DollHair, by: &Clip| hair.held.iter().any(|h| h.clip == by.number);
        let is_empty = |clip: &Clip| {
            self.hairs.values().any(|hair| is_held(hair, clip))
                && !doll.hairs.iter().any(|hair| is_held(hair, clip))
        };
        if doll.clips.iter().any(is_empty) {
            self.clips.get_or_insert_with(|| doll.clips.clone());
            doll.clips.retain(|clip| !is_empty(clip));
        }
    }

    /// Returns the change that undoes the stroke, or `None` if it changed nothing.
    fn into_change(self) -> Option<Change> {
        let changed = !self.hairs.is_empty() || self.clips.is_some();
        changed.then_some(Change::Stroke(self.hairs, self.clips))
    }
}

impl Default for DollSession {
    fn default() -> Self {
        Self::new(Doll::fresh(DollSettings::default()))
    }
}

impl DollSession {
    /// Returns a session with a doll and an empty history.
    pub fn new(doll: Doll) -> Self {
        Self {
            grown: grow::grow(&doll.settings),
            doll,
            history: DollHistory::default(),
            stroke: None,
        }
    }

    /// Returns the doll, including the effect of an active stroke.
    pub fn doll(&self) -> &Doll {
        &self.doll
    }

    /// Returns the history.
    pub fn history(&self) -> &DollHistory {
        &self.history
    }

    /// Returns `true` while a stroke is active.
    pub fn is_brushing(&self) -> bool {
        self.stroke.is_some()
    }

    /// Begins a stroke. An active stroke ends.
    pub fn begin(&mut self, brush: DollBrush) {
        self.end();
        self.stroke = Some(ActiveStroke {
            brush,
            ..ActiveStroke::default()
        });
    }

    /// Moves the brush to a position on the page, in steps of 4 pixels. The first position is the
    /// start of the stroke.
    pub fn move_to(&mut self, x: f64, y: f64) {
        let Some(active) = &mut self.stroke else {
            return;
        };
        let to = DVec2::new(x, y);
        if active.brush.tool == DollTool::Clip {
            if !std::mem::replace(&mut active.has_clicked, true) {
                active.click(&mut self.doll, to);
            }
        } else {
            for step in active.path.push(to) {
                active.step(&mut self.doll, &self.grown, step);
            }
        }
    }

    /// Ends the stroke and adds it to the history. Returns `true` if it changed anything.
    pub fn end(&mut self) -> bool {
        let Some(mut active) = self.stroke.take() else {
            return false;
        };
        if let Some(step) = active.path.finish() {
            active.step(&mut self.doll, &self.grown, step);
        }
        active.remove_empty_clips(&mut self.doll);
        let name = active.brush.tool.name();
        let change = active.into_change();
        let recorded = change.map(|change| self.history.push(name, vec![change]));
        recorded.is_some()
    }

    /// Cancels the stroke and undoes its effect.
    pub fn cancel(&mut self) {
        let change = self.stroke.take().and_then(ActiveStroke::into_change);
        if let Some(mut change) = change {
            history::Change::swap(&mut change, &mut self.doll);
        }
    }

    /// Changes the settings and ends an active stroke. Edits by hand are kept, unless the figure or
    /// the seed changes. With `merge` this is one step of the history with the previous change of
    /// settings.
    ///
    /// # Errors
    /// [`SettingError`] if a setting is out of its range. Nothing changes then.
    pub fn set_settings(
        &mut self,
        settings: DollSettings,
        merge: bool,
    ) -> Result<(), SettingError> {
        settings.validate()?;
        self.end();
        let merges = merge && self.history.is_open();
        if merges {
            // A dragged slider applies to the doll before the drag, so that nothing is lost on the
            // way.
            self.history.swap_last(&mut self.doll);
            self.grown = grow::grow(&self.doll.settings);
        }
        if settings == self.doll.settings && !merges {
            return Ok(());
        }
        let grown = grow::grow(&settings);
        let doll = self.with_settings(&settings, &grown);
        let old = std::mem::replace(&mut self.doll, doll);
        let changes = vec![Change::All(Box::new(old))];
        self.history.push_settings(changes, merges);
        self.grown = grown;
        Ok(())
    }

    /// Returns the doll with other settings and the edits by hand.
    fn with_settings(&self, settings: &DollSettings, grown: &[DollHair]) -> Doll {
        let old = &self.doll;
        let mut hairs = grown.to_vec();
        let mut clips = Vec::new();
        if (settings.figure, settings.seed) == (old.settings.figure, old.settings.seed) {
            clips.clone_from(&old.clips);
            let (then, now) = (old.settings.layers(), settings.layers());
            let layers = [
                (0, 0, then[0].min(now[0])),
                (then[0], now[0], then[1].min(now[1])),
            ];
            for (from, to, count) in layers {
                for i in 0..count {
                    let (was, is) = (&self.grown[from + i], &old.hairs[from + i]);
                    let hair = &mut hairs[to + i];
                    if is.color != was.color {
                        hair.color = is.color;
                    }
                    if (&is.held, is.curve, is.length) != (&was.held, was.curve, was.length) {
                        hair.held.clone_from(&is.held);
                        (hair.curve, hair.length) = (is.curve, is.length);
                    }
                }
            }
        }
        Doll {
            settings: settings.clone(),
            hairs,
            clips,
        }
    }

    /// Restores all hair as it grew, as one step of the history. An active stroke ends. Returns
    /// `true` if anything changed.
    pub fn reset(&mut self) -> bool {
        self.end();
        let fresh = Doll::fresh(self.doll.settings.clone());
        if fresh == self.doll {
            return false;
        }
        let old = std::mem::replace(&mut self.doll, fresh);
        self.history.push("reset", vec![Change::All(Box::new(old))]);
        true
    }

    /// Undoes the last change and returns its name. `None` if there is none. An active stroke is
    /// cancelled.
    pub fn undo(&mut self) -> Option<String> {
        self.step_history(false)
    }

    /// Redoes the change that was undone last and returns its name. `None` if there is none. An
    /// active stroke is cancelled.
    pub fn redo(&mut self) -> Option<String> {
        self.step_history(true)
    }

    fn step_history(&mut self, forward: bool) -> Option<String> {
        self.cancel();
        let before = self.doll.settings.clone();
        let name = self.history.step(&mut self.doll, forward)?;
        if self.doll.settings != before {
            self.grown = grow::grow(&self.doll.settings);
        }
        Some(name)
    }

    /// Returns the lengths of the present profile, pixels.
    pub fn profile(&self) -> [f64; STATIONS] {
        match self.doll.settings.profile {
            LengthProfile::Custom(lengths) => lengths,
            LengthProfile::Figure => grow::figure_profile(&self.doll.settings),
        }
    }
}
