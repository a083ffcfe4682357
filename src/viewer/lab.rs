//! The laboratory: overlays that show what the simulation does.
//!
//! `strands`, `tint`, `air`, `density` and `slice` turn the simulation
//! into marks and colours, scaled by `scale` and explained by `legend`. `missing` says why
//! one has nothing to show, `picked` marks one strand, `graphs` shows measurements over time.

mod air;
mod density;
pub(super) mod graphs;
pub(super) mod legend;
mod missing;
mod picked;
mod scale;
mod slice;
mod strands;
mod tint;

pub(super) use missing::missing;
pub(super) use slice::Plane;

use super::subject::Subject;
use crate::viewer::files::tip_recording::TipRecording;
use crate::viewer::input::lab_overlay::LabOverlay;
use crate::viewer::subject::comparison::Side;
use legend::{Entry, PickedEntry};
use mohawk::render::{Marks, Tints};
use mohawk::sim::Sdf;
use scale::Top;
use std::sync::Arc;

/// The switches of the panel. They are no settings of hair and are not saved.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Switches {
    on: [bool; LabOverlay::ALL.len()],
    /// The plane that cuts the distance field.
    pub(super) plane: Plane,
    /// The index of the marked strand.
    pub(super) picked: Option<usize>,
}

impl Switches {
    pub(super) fn is_on(&self, overlay: LabOverlay) -> bool {
        self.on[overlay as usize]
    }

    /// Switches an overlay. At most one of those that colour strands is on.
    pub(super) fn set(&mut self, overlay: LabOverlay, on: bool) {
        if on && overlay.colors_strands() {
            for other in LabOverlay::ALL {
                self.on[other as usize] &= !other.colors_strands();
            }
        }
        self.on[overlay as usize] = on;
    }
}

/// The state of the laboratory. By default every overlay is off.
#[derive(Default)]
pub(super) struct Lab {
    pub(super) switches: Switches,
    pub(super) recording: Option<TipRecording>,
    /// The meaning of the colours in the picture.
    pub(super) legend: Vec<Entry>,
    /// The inputs of the picture as it is drawn.
    drawn_inputs: Option<Inputs>,
    /// Buffers, reused for one view after the other.
    marks: Marks,
    tints: Tints,
    tops: [Top; LabOverlay::ALL.len()],
}

/// Everything that the picture depends on.
#[derive(Clone, Debug, PartialEq)]
struct Inputs {
    switches: Switches,
    revision: u64,
    /// The address of the distance field, which identifies it.
    field: Option<usize>,
    /// Whether baking has ended, with a field or with an error.
    is_field_known: bool,
    rows: usize,
}

impl Inputs {
    /// Whether there is nothing to draw.
    fn is_bare(&self) -> bool {
        !self.switches.on.contains(&true) && self.switches.picked.is_none()
    }
}

impl Lab {
    /// Whether the distance field is needed for a slice.
    pub(super) fn needs_field(&self, subject: &Subject) -> bool {
        self.switches.is_on(LabOverlay::Field) && subject.shown_head().is_some()
    }

    /// Updates the marks in the picture. Returns whether the legend changed.
    pub(super) fn update(&mut self, subject: &mut Subject) -> bool {
        if self.switches.picked >= Some(subject.strands()) {
            self.switches.picked = None;
        }
        let now = Inputs {
            switches: self.switches.clone(),
            revision: subject.revision,
            field: field_of(subject).map(|field| Arc::as_ptr(&field) as usize),
            is_field_known: subject.field().is_some(),
            rows: self
                .recording
                .as_ref()
                .map_or(0, |recording| recording.rows),
        };
        if self.drawn_inputs.as_ref() == Some(&now) {
            return false;
        }
        let bare = now.is_bare();
        let before = self.drawn_inputs.replace(now);
        if bare && before.as_ref().is_none_or(Inputs::is_bare) {
            return false;
        }
        self.tops.iter_mut().for_each(Top::begin);
        if subject.simulations.beside().is_some() {
            self.draw(subject, Side::Right);
        }
        let legend = self.draw(subject, Side::Left);
        self.cut(subject, before.as_ref());
        let news = legend != self.legend;
        self.legend = legend;
        news
    }

    /// Draws the active overlays over one view and returns their legend.
    fn draw(&mut self, subject: &mut Subject, side: Side) -> Vec<Entry> {
        subject.looked_at = side;
        self.marks.clear();
        let mut tinted = false;
        let mut legend = Vec::new();
        for overlay in LabOverlay::ALL {
            let top = &mut self.tops[overlay as usize];
            if !self.switches.is_on(overlay) {
                *top = Top::default();
                continue;
            }
            if let Some(why) = missing(overlay, subject) {
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
            // Only the left simulation is recorded.
            let recording = self.recording.as_ref().filter(|_| side == Side::Left);
            picked::mark(subject, strand, recording, &mut self.marks);
        }
        subject.looked_at = Side::Left;
        let tints = tinted.then_some(&self.tints);
        subject.simulations.set_marks(side, &self.marks, tints);
        legend
    }

    /// Updates the slice through the distance field where the plane or the field changed.
    fn cut(&self, subject: &mut Subject, before: Option<&Inputs>) {
        let shows = |shown: &Inputs| {
            let field = shown.field?;
            (shown.switches.is_on(LabOverlay::Field)).then_some((field, shown.switches.plane))
        };
        let [was, now] = [before, self.drawn_inputs.as_ref()].map(|shown| shown.and_then(shows));
        if was != now {
            let plane = now.map(|(_, plane)| plane);
            let field = field_of(subject);
            subject
                .stage
                .set_slice(plane.zip(field).map(|(plane, field)| plane.cut(&field)));
        }
    }

    /// Returns the marked strand as the legend shows it.
    pub(super) fn picked_entry(&self) -> Option<PickedEntry> {
        self.switches.picked.map(|strand| PickedEntry {
            strand,
            rows: self.recording.as_ref().map(|recording| recording.rows),
        })
    }

    /// Returns the range of the plane along its axis, decimetres, once there is a field.
    pub(super) fn plane_range(&self, subject: &Subject) -> Option<[f32; 2]> {
        let (low, high) = field_of(subject)?.bounds();
        let axis = self.switches.plane.axis;
        Some([low[axis], high[axis]])
    }
}

/// Returns the distance field of the current head once it has been baked.
fn field_of(subject: &Subject) -> Option<Arc<Sdf>> {
    let field = subject.field().filter(|_| subject.shown_head().is_some());
    field?.ok().cloned()
}
