//! Work on a doll: strokes, changes of settings, undo and redo.

use super::brush::{DollBrush, DollTool};
use super::clip::{self, Clip, MAX_CLIPS};
use super::file::Doll;
use super::grow;
use super::hair::DollHair;
use super::history::{Change, DollHistory};
use super::settings::{DollSettings, LengthProfile, STATIONS};
use crate::settings::SettingError;
use crate::strokes::Even;
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};

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
#[derive(Debug)]
struct ActiveStroke {
    brush: DollBrush,
    path: Even,
    /// The hairs that it changed, as they were before.
    before: BTreeMap<u32, DollHair>,
    clips: Option<Vec<Clip>>,
    /// Whether the clip was added or removed.
    has_clicked: bool,
}

impl Default for DollSession {
    fn default() -> Self {
        let settings = DollSettings::default();
        Self::new(Doll {
            hairs: grow::grow(&settings),
            settings,
            clips: Vec::new(),
        })
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

    /// Whether a stroke is active.
    pub fn is_brushing(&self) -> bool {
        self.stroke.is_some()
    }

    /// Returns the number of hairs that the active stroke has changed.
    pub fn touched(&self) -> usize {
        self.stroke.as_ref().map_or(0, |stroke| stroke.before.len())
    }

    /// Begins a stroke. An active stroke ends.
    pub fn begin(&mut self, brush: DollBrush) {
        self.end();
        self.stroke = Some(ActiveStroke {
            brush,
            path: Even::default(),
            before: BTreeMap::new(),
            clips: None,
            has_clicked: false,
        });
    }

    /// Moves the brush to a position on the page, in steps of 4 pixels. The first position is the
    /// start of the stroke.
    pub fn move_to(&mut self, x: f64, y: f64) {
        let Some(mut active) = self.stroke.take() else {
            return;
        };
        let to = DVec2::new(x, y);
        if active.brush.tool == DollTool::Clip {
            if !std::mem::replace(&mut active.has_clicked, true) {
                self.clip(&mut active, to);
            }
        } else {
            let mut steps = Vec::new();
            active.path.push(to, &mut |step| steps.push(step));
            steps
                .into_iter()
                .for_each(|step| self.step(&mut active, step));
        }
        self.stroke = Some(active);
    }

    fn step(&mut self, active: &mut ActiveStroke, [from, to]: [DVec2; 2]) {
        let hairs = self.doll.hairs.iter_mut().zip(&self.grown);
        for (number, (hair, grown)) in (0..).zip(hairs) {
            // Only hairs near the brush are copied.
            let mut moved = None;
            if active.brush.is_near(hair, to) {
                let mut tried = hair.clone();
                if active.brush.step(&mut tried, grown, to, to - from) && tried != *hair {
                    moved = Some(tried);
                }
            }
            if let Some(moved) = moved {
                let before = std::mem::replace(hair, moved);
                active.before.entry(number).or_insert(before);
            }
        }
    }

    /// Adds a clip, or removes the clip that is there.
    fn clip(&mut self, active: &mut ActiveStroke, at: DVec2) {
        let doll = &mut self.doll;
        let mut save = |number: u32, hair: &DollHair| {
            active.before.entry(number).or_insert_with(|| hair.clone());
        };
        let is_hit = |clip: &&Clip| clip.at.distance(at) <= clip.half_width();
        if let Some(hit) = doll.clips.iter().rev().find(is_hit).copied() {
            active.clips = Some(doll.clips.clone());
            doll.clips.retain(|clip| clip.number != hit.number);
            for (number, hair) in (0..).zip(&mut doll.hairs) {
                let before = hair.clone();
                if clip::release(hair, hit.number) {
                    save(number, &before);
                }
            }
            return;
        }
        if doll.clips.len() >= MAX_CLIPS {
            return;
        }
        let is_free = |number: &u32| doll.clips.iter().all(|clip| clip.number != *number);
        let clip = Clip {
            // There are fewer clips than numbers.
            number: (1..).find(is_free).unwrap_or_default(),
            at,
            radius: active.brush.radius,
            kind: active.brush.clip,
            color: active.brush.color,
        };
        active.clips = Some(doll.clips.clone());
        doll.clips.push(clip);
        for (number, hair) in (0..).zip(&mut doll.hairs) {
            let before = hair.clone();
            if clip::catch(hair, &clip) {
                save(number, &before);
            }
        }
    }

    /// Ends the stroke and adds it to the history. Returns whether it changed anything.
    pub fn end(&mut self) -> bool {
        let Some(mut active) = self.stroke.take() else {
            return false;
        };
        let mut last = Vec::new();
        active.path.finish(&mut |step| last.push(step));
        last.into_iter()
            .for_each(|step| self.step(&mut active, step));
        self.remove_empty_clips(&mut active);
        let mut changes = Vec::new();
        if !active.before.is_empty() {
            changes.push(Change::Hairs(active.before.into_iter().collect()));
        }
        changes.extend(active.clips.map(Change::Clips));
        let changed = !changes.is_empty();
        if changed {
            self.history.push(active.brush.tool.name(), changes);
        }
        changed
    }

    /// Removes the clips that lost their last hair in the stroke.
    fn remove_empty_clips(&mut self, active: &mut ActiveStroke) {
        let held = |hairs: &mut dyn Iterator<Item = &DollHair>| -> BTreeSet<u32> {
            let held = hairs.flat_map(|hair| &hair.held);
            held.map(|held| held.clip).collect()
        };
        let lost = held(&mut active.before.values());
        let holding = held(&mut self.doll.hairs.iter());
        let is_empty = |clip: &Clip| lost.contains(&clip.number) && !holding.contains(&clip.number);
        if self.doll.clips.iter().any(is_empty) {
            let clips = self.doll.clips.clone();
            active.clips.get_or_insert(clips);
            self.doll.clips.retain(|clip| !is_empty(clip));
        }
    }

    /// Cancels the stroke and undoes its effect.
    pub fn cancel(&mut self) {
        let Some(active) = self.stroke.take() else {
            return;
        };
        for (number, hair) in active.before {
            self.doll.hairs[number as usize] = hair;
        }
        if let Some(clips) = active.clips {
            self.doll.clips = clips;
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
        match merges {
            true => self.history.fold_to(changes),
            false => self.history.push_settings(changes),
        }
        self.grown = grown;
        Ok(())
    }

    /// Returns the doll with other settings and the edits by hand.
    fn with_settings(&self, settings: &DollSettings, grown: &[DollHair]) -> Doll {
        let old = &self.doll;
        let mut hairs = grown.to_vec();
        let mut clips = Vec::new();
        let is_same_hair =
            (settings.figure, settings.seed) == (old.settings.figure, old.settings.seed);
        if is_same_hair {
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
    /// whether anything changed.
    pub fn reset(&mut self) -> bool {
        self.end();
        let fresh = Doll {
            settings: self.doll.settings.clone(),
            hairs: self.grown.clone(),
            clips: Vec::new(),
        };
        let changed = fresh != self.doll;
        if changed {
            let old = std::mem::replace(&mut self.doll, fresh);
            self.history.push("reset", vec![Change::All(Box::new(old))]);
        }
        changed
    }

    /// Undoes the last change and returns its name. `None` if there is none. An active stroke is
    /// cancelled.
    pub fn undo(&mut self) -> Option<String> {
        self.cancel();
        let regrow = self.history.last_done().is_some_and(any_settings);
        let name = self.history.undo(&mut self.doll)?;
        if regrow {
            self.grown = grow::grow(&self.doll.settings);
        }
        Some(name)
    }

    /// Redoes the change that was undone last and returns its name. `None` if there is none. An
    /// active stroke is cancelled.
    pub fn redo(&mut self) -> Option<String> {
        self.cancel();
        let regrow = self.history.last_undone().is_some_and(any_settings);
        let name = self.history.redo(&mut self.doll)?;
        if regrow {
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

fn any_settings(changes: &[Change]) -> bool {
    changes.iter().any(Change::has_settings)
}
