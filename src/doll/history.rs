//! The history of a doll.

use super::clip::Clip;
use super::file::Doll;
use super::hair::DollHair;
use crate::history;

/// The changes of a doll that can be undone and redone.
pub type DollHistory = history::History<Change>;

/// A change, stored as the values before it.
#[derive(Debug)]
pub enum Change {
    Hairs(Vec<(u32, DollHair)>),
    Clips(Vec<Clip>),
    /// The whole doll.
    All(Box<Doll>),
}

impl Change {
    /// Whether the settings may differ.
    pub(super) fn has_settings(&self) -> bool {
        matches!(self, Change::All(_))
    }
}

impl history::Change for Change {
    type Of = Doll;

    fn swap(&mut self, doll: &mut Doll) {
        match self {
            Change::Hairs(hairs) => {
                for (number, hair) in hairs {
                    if let Some(now) = doll.hairs.get_mut(*number as usize) {
                        std::mem::swap(hair, now);
                    }
                }
            }
            Change::Clips(clips) => std::mem::swap(clips, &mut doll.clips),
            Change::All(other) => std::mem::swap(&mut **other, doll),
        }
    }

    fn bytes(&self) -> usize {
        let of = |hair: &DollHair| size_of::<(u32, DollHair)>() + size_of_val(&hair.held[..]);
        match self {
            Change::Hairs(hairs) => hairs.iter().map(|(_, hair)| of(hair)).sum(),
            Change::Clips(clips) => size_of_val(&clips[..]),
            Change::All(doll) => doll.hairs.iter().map(of).sum(),
        }
    }
}
