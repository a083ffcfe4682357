//! Work on a doll: strokes, changes of settings, undo and redo.

use super::brush::{DollBrush, DollTool};
use super::clip::{self, Clip, MAX_CLIPS};
use super::file::Doll;
use super::grow::{self, DollSettings};
use super::hair::DollHair;
use crate::history;
use crate::settings::SettingError;
use crate::strokes::StepSampler;
use glam::DVec2;

/// The changes of a doll that can be undone and redone.
pub type DollHistory = history::History<Change>;

/// A change, stored as the values before it.
#[derive(Debug)]
pub enum Change {
    /// The hairs that a stroke changed, by their numbers, and all clips.
    Stroke(Vec<(usize, DollHair)>, Vec<Clip>),
    /// The whole doll.
    All(Box<Doll>),
}

impl history::Change for Change {
    type Of = Doll;

    fn swap(&mut self, doll: &mut Doll) {
        match self {
            Change::Stroke(hairs, clips) => {
                for (number, hair) in hairs {
                    if let Some(now) = doll.hairs.get_mut(*number) {
                        std::mem::swap(hair, now);
                    }
                }
                std::mem::swap(clips, &mut doll.clips);
            }
            Change::All(other) => std::mem::swap(&mut **other, doll),
        }
    }

    fn bytes(&self) -> usize {
        let of = |hair: &DollHair| size_of::<(usize, DollHair)>() + size_of_val(&hair.held[..]);
        match self {
            Change::Stroke(hairs, clips) => {
                size_of_val(&clips[..]) + hairs.iter().map(|(_, hair)| of(hair)).sum::<usize>()
            }
            Change::All(doll) => doll.hairs.iter().map(of).sum(),
        }
    }
}

/// A doll and the history of its changes.
#[derive(Debug)]
pub struct DollSession {
    doll: Doll,
    history: DollHistory,
    stroke: Option<ActiveStroke>,
}

/// A stroke that has not ended.
#[derive(Debug)]
struct ActiveStroke {
    brush: DollBrush,
    path: StepSampler,
    /// The doll before it.
    before: Doll,
    /// `true` after the click that adds or removes a clip.
    has_clicked: bool,
}

impl ActiveStroke {
    /// Moves the brush by a step of the path.
    fn step(&self, doll: &mut Doll, [from, to]: [DVec2; 2]) {
        for (number, hair) in doll.hairs.iter_mut().enumerate() {
            let grown = || grow::hair(&doll.settings, number);
            self.brush.step(hair, grown, to, to - from);
        }
    }

    /// Adds a clip, or removes the clip that is there.
    fn click(&self, doll: &mut Doll, at: DVec2) {
        let is_hit = |clip: &Clip| clip.at.distance(at) <= clip.half_width();
        if let Some(hit) = doll.clips.iter().rposition(is_hit) {
            let clip = doll.clips.remove(hit);
            let hairs = doll.hairs.iter_mut();
            hairs.for_each(|hair| clip::release(hair, clip.number));
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
            let hairs = doll.hairs.iter_mut();
            hairs.for_each(|hair| clip::catch(hair, &clip));
        }
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
            path: StepSampler::default(),
            before: self.doll.clone(),
            has_clicked: false,
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
                active.step(&mut self.doll, step);
            }
        }
    }

    /// Ends the stroke and adds it to the history. Returns `true` if it changed anything.
    pub fn end(&mut self) -> bool {
        let Some(mut active) = self.stroke.take() else {
            return false;
        };
        if let Some(step) = active.path.finish() {
            active.step(&mut self.doll, step);
        }
        let before = active.before;
        // Clips that lost their last hair in the stroke are removed.
        let holds = |clip: &Clip, hair: &DollHair| hair.held.iter().any(|h| h.clip == clip.number);
        let Doll { hairs, clips, .. } = &mut self.doll;
        clips.retain(|clip| {
            hairs.iter().any(|hair| holds(clip, hair))
                || !before.hairs.iter().any(|hair| holds(clip, hair))
        });
        let were = before.hairs.into_iter().enumerate().zip(hairs);
        let changed = were.filter(|((_, was), is)| was != *is);
        let changed: Vec<(usize, DollHair)> = changed.map(|(was, _)| was).collect();
        let has_changed = !changed.is_empty() || before.clips != *clips;
        if has_changed {
            let change = Change::Stroke(changed, before.clips);
            self.history.push(active.brush.tool.name(), vec![change]);
        }
        has_changed
    }

    /// Cancels the stroke and undoes its effect.
    pub fn cancel(&mut self) {
        if let Some(active) = self.stroke.take() {
            self.doll = active.before;
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
            self.history.toggle_last(&mut self.doll);
        }
        if settings == self.doll.settings && !merges {
            return Ok(());
        }
        let doll = self.with_settings(settings);
        let old = std::mem::replace(&mut self.doll, doll);
        let changes = vec![Change::All(Box::new(old))];
        self.history.push_settings("settings", changes, merges);
        Ok(())
    }

    /// Returns the doll with other settings and the edits by hand.
    fn with_settings(&self, settings: DollSettings) -> Doll {
        let (old, mut doll) = (&self.doll, Doll::fresh(settings));
        if (doll.settings.figure, doll.settings.seed) != (old.settings.figure, old.settings.seed) {
            return doll;
        }
        doll.clips.clone_from(&old.clips);
        let (then, now) = (old.settings.layers(), doll.settings.layers());
        let back = (0..then[0].min(now[0])).map(|i| (i, i));
        let fringe = (0..then[1].min(now[1])).map(|i| (then[0] + i, now[0] + i));
        for (from, to) in back.chain(fringe) {
            let (was, is) = (&grow::hair(&old.settings, from), &old.hairs[from]);
            let hair = &mut doll.hairs[to];
            if is.color != was.color {
                hair.color = is.color;
            }
            if (&is.held, is.curve, is.length) != (&was.held, was.curve, was.length) {
                hair.held.clone_from(&is.held);
                (hair.curve, hair.length) = (is.curve, is.length);
            }
        }
        doll
    }

    /// Restores all hair as it grew, as one step of the history. An active stroke ends. Returns
    /// `true` if anything changed.
    pub fn reset(&mut self) -> bool {
        self.begin(DollBrush {
            tool: DollTool::Reset,
            ..DollBrush::default()
        });
        // The end of the stroke takes away those that held hair.
        let clips = std::mem::take(&mut self.doll.clips);
        self.doll = Doll {
            clips,
            ..Doll::fresh(self.doll.settings.clone())
        };
        self.end()
    }

    /// Undoes the last change and returns its name. `None` if there is none. An active stroke is
    /// cancelled.
    pub fn undo(&mut self) -> Option<String> {
        self.cancel();
        self.history.step(&mut self.doll, false)
    }

    /// Redoes the change that was undone last and returns its name. `None` if there is none. An
    /// active stroke is cancelled.
    pub fn redo(&mut self) -> Option<String> {
        self.cancel();
        self.history.step(&mut self.doll, true)
    }
}
