//! What undo and redo exchange in a doll.

use super::file::Doll;
use super::{Clip, DollSettings, Hair};
use crate::history;

/// What can be undone and redone of a doll.
pub type DollHistory = history::History<Change>;

/// One thing that was changed, as what it takes to change it back.
#[derive(Debug)]
pub enum Change {
    Hairs(Vec<(u32, Hair)>),
    Clips(Vec<Clip>),
    /// Another doll.
    All(Box<Doll>),
}

impl Change {
    pub(super) fn settings(&self) -> Option<&DollSettings> {
        match self {
            Change::All(doll) => Some(&doll.settings),
            Change::Hairs(_) | Change::Clips(_) => None,
        }
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
        let of = |hair: &Hair| size_of::<(u32, Hair)>() + size_of_val(&hair.held[..]);
        match self {
            Change::Hairs(hairs) => hairs.iter().map(|(_, hair)| of(hair)).sum(),
            Change::Clips(clips) => size_of_val(&clips[..]),
            Change::All(doll) => doll.hairs.iter().map(of).sum(),
        }
    }
}
