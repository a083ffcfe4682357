//! The laboratory: what the simulation does, shown over the picture.
//!
//! | file | what it is about |
//! |---|---|
//! | `overlays` | which there are, their names and keys, and where they have nothing to show |
//! | `strands` | particles, velocities, rest curves, springs: dots and lines |
//! | `tint` | strands in colours: whom they follow, how far they are stretched |
//! | `air`, `density` | wind, and hair on its grid |
//! | `slice` | a plane through the distance field |
//! | `drawn` | what of all that is over which side of the picture |
//! | `picked` | the strand that is marked |
//! | `record` | its tip, written to a file |
//! | `scale` | colours of numbers, and what they mean |
//! | `legend` | the same, shown |

mod air;
mod density;
mod drawn;
pub(super) mod legend;
mod overlays;
mod picked;
mod record;
mod scale;
mod slice;
mod strands;
mod tint;

pub(super) use drawn::Overlays;
pub(super) use overlays::LabOverlay;
pub(super) use record::{MOST_ROWS, Recording};
pub(super) use slice::Plane;

use super::split::Side;
use super::subject::Subject;
use legend::{Entry, PickedEntry};
use mohawk::render::{Marks, Tints};
use mohawk::sim::Field;
use scale::Top;
use std::sync::Arc;

/// What people switch; not a setting of hair, so not saved.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Switches {
    on: [bool; LabOverlay::ALL.len()],
    /// Where the distance field is cut.
    pub(super) plane: Plane,
    /// The strand that is marked.
    pub(super) picked: Option<usize>,
}

impl Switches {
    pub(super) fn is_on(&self, overlay: LabOverlay) -> bool {
        self.on[overlay as usize]
    }

    /// Switches one; of those that colour strands only one can be on.
    pub(super) fn set(&mut self, overlay: LabOverlay, on: bool) {
        if on && overlay.colors_strands() {
            for other in LabOverlay::ALL {
                self.on[other as usize] &= !other.colors_strands();
            }
        }
        self.on[overlay as usize] = on;
    }
}

/// The laboratory's state; by default everything is off.
#[derive(Default)]
pub(super) struct Lab {
    pub(super) switches: Switches,
    pub(super) recording: Option<Recording>,
    /// What the colours in the picture mean.
    pub(super) legend: Vec<Entry>,
    /// What the picture shows.
    shown: Option<Shown>,
    /// For one side after the other.
    marks: Marks,
    tints: Tints,
    tops: [Top; LabOverlay::ALL.len()],
}

/// All that the picture depends on.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    switches: Switches,
    revision: u64,
    /// Which field there is, by its address.
    field: Option<usize>,
    /// It is there, or will not be.
    knows_field: bool,
    rows: usize,
}

impl Shown {
    /// Is there nothing to draw?
    fn is_bare(&self) -> bool {
        !self.switches.on.contains(&true) && self.switches.picked.is_none()
    }
}

impl Lab {
    /// Is a distance field to be cut?
    pub(super) fn needs_field(&self, subject: &Subject) -> bool {
        self.switches.is_on(LabOverlay::Field) && subject.is_headed()
    }

    /// Brings the picture up to date; whether the legend has news.
    pub(super) fn update(&mut self, subject: &mut Subject) -> bool {
        if self.switches.picked >= Some(subject.strands()) {
            self.switches.picked = None;
        }
        let now = Shown {
            switches: self.switches.clone(),
            revision: subject.revision(),
            field: field_of(subject).map(|field| Arc::as_ptr(&field) as usize),
            knows_field: subject.field().is_some(),
            rows: self.recording.as_ref().map_or(0, Recording::rows),
        };
        if self.shown.as_ref() == Some(&now) {
            return false;
        }
        let bare = now.is_bare();
        let before = self.shown.replace(now);
        if bare && before.as_ref().is_none_or(Shown::is_bare) {
            return false;
        }
        self.tops.iter_mut().for_each(Top::begin);
        if subject.beside().is_some() {
            self.draw(subject, Side::Right);
        }
        let legend = self.draw(subject, Side::Left);
        self.cut(subject, before.as_ref());
        let news = legend != self.legend;
        self.legend = legend;
        news
    }

    /// Shows all overlays that are on over a side, and gives what their colours mean there.
    fn draw(&mut self, subject: &mut Subject, side: Side) -> Vec<Entry> {
        subject.look_at(side);
        self.marks.clear();
        let mut tinted = false;
        let mut legend = Vec::new();
        for overlay in LabOverlay::ALL {
            let top = &mut self.tops[overlay as usize];
            if !self.switches.is_on(overlay) {
                *top = Top::default();
                continue;
            }
            if let Some(why) = overlay.missing(subject) {
                legend.push(Entry::nothing(overlay, why));
                continue;
            }
            let (sim, marks) = (subject.sim(), &mut self.marks);
            legend.push(match overlay {
                LabOverlay::Particles => strands::particles(subject, marks),
                LabOverlay::Anchors => strands::anchors(subject, top, marks),
                LabOverlay::RestCurves => strands::rest_curves(sim, marks),
                LabOverlay::Velocity => strands::velocities(subject, top, marks),
                LabOverlay::Wind => air::wind(subject, top, marks),
                LabOverlay::Density => density::density(sim, top, marks),
                LabOverlay::Basis => {
                    tinted = true;
                    tint::basis(subject, &mut self.tints, marks)
                }
                LabOverlay::Tension => {
                    tinted = true;
                    tint::tension(sim, top, &mut self.tints)
                }
                LabOverlay::Field => slice::entry(subject),
            });
        }
        if let Some(strand) = self.switches.picked {
            // The left one is recorded.
            let recording = self.recording.as_ref().filter(|_| side == Side::Left);
            picked::mark(subject, strand, recording, &mut self.marks);
        }
        subject.look_at(Side::Left);
        subject.set_overlay(side, &self.marks, tinted.then_some(&self.tints));
        legend
    }

    /// Cuts the field anew where that is not what is shown.
    fn cut(&self, subject: &mut Subject, before: Option<&Shown>) {
        let shows = |shown: &Shown| {
            let field = shown
                .field
                .filter(|_| shown.switches.is_on(LabOverlay::Field));
            field.map(|field| (field, shown.switches.plane))
        };
        let [was, now] = [before, self.shown.as_ref()].map(|shown| shown.and_then(shows));
        if was != now {
            let plane = now.map(|(_, plane)| plane);
            let field = field_of(subject);
            subject.set_slice(plane.zip(field).map(|(plane, field)| plane.cut(&field)));
        }
    }

    /// The strand that is marked, as the legend shows it.
    pub(super) fn picked_entry(&self) -> Option<PickedEntry> {
        self.switches.picked.map(|strand| PickedEntry {
            strand,
            rows: self.recording.as_ref().map(Recording::rows),
        })
    }

    /// How far along its axis the plane can go, decimetres, once there is a field.
    pub(super) fn plane_range(&self, subject: &Subject) -> Option<[f32; 2]> {
        let (low, high) = field_of(subject)?.bounds();
        let axis = self.switches.plane.axis;
        Some([low[axis], high[axis]])
    }
}

/// The field of the head that is shown, once it is there.
fn field_of(subject: &Subject) -> Option<Arc<Field>> {
    let field = subject.field().filter(|_| subject.is_headed());
    field?.ok().cloned()
}
