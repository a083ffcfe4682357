//! A doll in hand: strokes, other settings, undo and redo.

use super::clip::{self, MOST_CLIPS};
use super::history::{Change, DollHistory};
use super::{Clip, Doll, DollBrush, DollSettings, DollTool, Hair, Profile, grow};
use crate::settings::SettingError;
use crate::strokes::Even;
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};

/// A doll that is worked on.
#[derive(Debug)]
pub struct DollSession {
    doll: Doll,
    /// Its hair before anybody brushed it.
    grown: Vec<Hair>,
    history: DollHistory,
    stroke: Option<Active>,
}

/// A stroke that has not ended.
#[derive(Debug)]
struct Active {
    brush: DollBrush,
    way: Even,
    /// Hair that was touched, as it was before.
    before: BTreeMap<u32, Hair>,
    clips: Option<Vec<Clip>>,
    begun: bool,
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
    /// With a doll that was grown or opened.
    pub fn new(doll: Doll) -> Self {
        Self {
            grown: grow::grow(&doll.settings),
            doll,
            history: DollHistory::default(),
            stroke: None,
        }
    }

    /// As it is now, in the middle of a stroke too.
    pub fn doll(&self) -> &Doll {
        &self.doll
    }

    /// What can be undone and redone.
    pub fn history(&self) -> &DollHistory {
        &self.history
    }

    /// Is a stroke under way?
    pub fn is_brushing(&self) -> bool {
        self.stroke.is_some()
    }

    /// Hairs that the stroke under way has touched.
    pub fn touched(&self) -> usize {
        self.stroke.as_ref().map_or(0, |stroke| stroke.before.len())
    }

    /// Begins a stroke; one that has not ended ends.
    pub fn begin(&mut self, brush: DollBrush) {
        self.end();
        self.stroke = Some(Active {
            brush,
            way: Even::default(),
            before: BTreeMap::new(),
            clips: None,
            begun: false,
        });
    }

    /// The brush is here now, pixels of the page: works along the way from where it was, in steps of
    /// 4 pixels. The first place of a stroke is where it begins.
    pub fn move_to(&mut self, x: f64, y: f64) {
        let Some(mut active) = self.stroke.take() else {
            return;
        };
        let to = DVec2::new(x, y);
        if active.brush.tool == DollTool::Clip {
            if !std::mem::replace(&mut active.begun, true) {
                self.clip(&mut active, to);
            }
        } else {
            let mut steps = Vec::new();
            active.way.push(to, &mut |step| steps.push(step));
            steps
                .into_iter()
                .for_each(|step| self.step(&mut active, step));
        }
        self.stroke = Some(active);
    }

    fn step(&mut self, active: &mut Active, [from, to]: [DVec2; 2]) {
        let hairs = self.doll.hairs.iter_mut().zip(&self.grown);
        for (number, (hair, grown)) in (0..).zip(hairs) {
            // Most hair is not touched, and copies cost.
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

    /// Puts a clip on, or takes the one off that is there.
    fn clip(&mut self, active: &mut Active, at: DVec2) {
        let doll = &mut self.doll;
        let mut keep = |number: u32, hair: &Hair| {
            active.before.entry(number).or_insert_with(|| hair.clone());
        };
        let is_there = |clip: &&Clip| clip.at.distance(at) <= clip.half_width();
        if let Some(there) = doll.clips.iter().rev().find(is_there).copied() {
            active.clips = Some(doll.clips.clone());
            doll.clips.retain(|clip| clip.number != there.number);
            for (number, hair) in (0..).zip(&mut doll.hairs) {
                let before = hair.clone();
                if clip::release(hair, there.number) {
                    keep(number, &before);
                }
            }
            return;
        }
        if doll.clips.len() >= MOST_CLIPS {
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
                keep(number, &before);
            }
        }
    }

    /// Ends the stroke, which can be undone from now on. Did it change anything?
    pub fn end(&mut self) -> bool {
        let Some(mut active) = self.stroke.take() else {
            return false;
        };
        let mut last = Vec::new();
        active.way.finish(&mut |step| last.push(step));
        last.into_iter()
            .for_each(|step| self.step(&mut active, step));
        self.drop_bare_clips(&mut active);
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

    /// Takes off the clips whose last hair the stroke has taken.
    fn drop_bare_clips(&mut self, active: &mut Active) {
        let held = |hairs: &mut dyn Iterator<Item = &Hair>| -> BTreeSet<u32> {
            let held = hairs.flat_map(|hair| &hair.held);
            held.map(|held| held.clip).collect()
        };
        let lost = held(&mut active.before.values());
        let kept = held(&mut self.doll.hairs.iter());
        let bare = |clip: &Clip| lost.contains(&clip.number) && !kept.contains(&clip.number);
        if self.doll.clips.iter().any(bare) {
            let clips = self.doll.clips.clone();
            active.clips.get_or_insert(clips);
            self.doll.clips.retain(|clip| !bare(clip));
        }
    }

    /// The stroke ends as if it had never begun.
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

    /// Grows hair from other settings. Hair that nobody has brushed, cut or dyed becomes other hair;
    /// what was done by hand stays, but for another figure. `merge`: one thing to undo with the
    /// settings before. A stroke that has not ended ends.
    ///
    /// # Errors
    ///
    /// Settings that are out of their range; then nothing changes.
    pub fn set_settings(
        &mut self,
        settings: DollSettings,
        merge: bool,
    ) -> Result<(), SettingError> {
        settings.validate()?;
        self.end();
        let folds = merge && self.history.is_open();
        if folds {
            // What is dragged there and back is taken over from where it was, once.
            self.history.swap_last(&mut self.doll);
            self.grown = grow::grow(&self.doll.settings);
        }
        if settings == self.doll.settings && !folds {
            return Ok(());
        }
        let grown = grow::grow(&settings);
        let doll = self.carried(&settings, &grown);
        let old = std::mem::replace(&mut self.doll, doll);
        let changes = vec![Change::All(Box::new(old))];
        match folds {
            true => self.history.fold_to(changes),
            false => self.history.push_settings(changes),
        }
        self.grown = grown;
        Ok(())
    }

    /// The doll with other settings, and all that was done by hand.
    fn carried(&self, settings: &DollSettings, grown: &[Hair]) -> Doll {
        let old = &self.doll;
        let mut hairs = grown.to_vec();
        let mut clips = Vec::new();
        let same_place =
            (settings.figure, settings.seed) == (old.settings.figure, old.settings.seed);
        if same_place {
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

    /// Takes everything back to how it grew, as one thing to undo; a stroke that has not ended ends.
    /// Did that change anything?
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

    /// Takes back what was done last, and says what it was. `None`: there was nothing. A stroke that
    /// has not ended is cancelled.
    pub fn undo(&mut self) -> Option<String> {
        self.cancel();
        let regrows = self.history.last_done().is_some_and(any_settings);
        let name = self.history.undo(&mut self.doll)?;
        self.regrow(regrows);
        Some(name)
    }

    /// Does again what was undone last, and says what it was. `None`: there was nothing.
    pub fn redo(&mut self) -> Option<String> {
        self.cancel();
        let regrows = self.history.last_undone().is_some_and(any_settings);
        let name = self.history.redo(&mut self.doll)?;
        self.regrow(regrows);
        Some(name)
    }

    fn regrow(&mut self, regrows: bool) {
        if regrows {
            self.grown = grow::grow(&self.doll.settings);
        }
    }

    /// The lengths of a profile that is like the hair as it grew.
    pub fn profile(&self) -> [f64; super::STATIONS] {
        match self.doll.settings.profile {
            Profile::Own(lengths) => lengths,
            Profile::Figure => grow::longest(&self.doll.settings),
        }
    }
}

fn any_settings(changes: &[Change]) -> bool {
    changes.iter().any(|change| change.settings().is_some())
}
