//! The laboratory: overlays that show what the simulation does.
//!
//! `strands`, `tint` and `fields` turn the simulation into marks and colours, scaled and explained
//! by `legend`. `graphs` shows measurements over time.

mod fields;
pub(super) mod graphs;
pub(super) mod legend;
mod strands;
mod tint;

pub(super) use fields::Plane;

use super::subject::Subject;
use crate::viewer::files::tip_recording::TipRecording;
use crate::viewer::input::action::LabOverlay;
use crate::viewer::subject::simulations::Side;
use legend::{Entry, Swatch, Top};
use mohawk::render::{Marks, Tints};
use mohawk::sim::{Sdf, SolverKind};
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
    pub(super) legend: Vec<(LabOverlay, Entry)>,
    /// The inputs of the picture as it is drawn.
    drawn_inputs: Option<Inputs>,
    /// The field and the plane of the slice in the picture.
    sliced: Option<(usize, Plane)>,
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
    /// `true` if baking has ended, with a field or with an error.
    is_field_known: bool,
    rows: usize,
    /// The share by which each strand is selected, if that is shown.
    selected: Option<Vec<f32>>,
    /// The values of a mask at the strands, if it is painted.
    masked: Option<Arc<[f32]>>,
}

impl Inputs {
    /// Returns `true` if there is nothing to draw.
    fn is_bare(&self) -> bool {
        let is_dark = !self.switches.on.contains(&true) && self.switches.picked.is_none();
        is_dark && self.selected.is_none() && self.masked.is_none()
    }
}

impl Lab {
    /// Updates the marks in the picture, with what is selected if a brush `is_in_hand`, and the
    /// values of a mask that is painted. Returns whether the legend changed.
    pub(super) fn update(
        &mut self,
        subject: &mut Subject,
        is_in_hand: bool,
        masked: Option<Arc<[f32]>>,
    ) -> bool {
        if self.switches.picked >= Some(subject.strands()) {
            self.switches.picked = None;
        }
        let recording = self.recording.as_ref();
        let now = Inputs {
            switches: self.switches.clone(),
            revision: subject.simulations.revision,
            field: field_of(subject).map(|field| Arc::as_ptr(&field) as usize),
            is_field_known: subject.field().is_some(),
            rows: recording.map_or(0, |recording| recording.rows),
            selected: subject
                .selected()
                .filter(|_| is_in_hand)
                .map(<[f32]>::to_vec),
            masked,
        };
        if self.drawn_inputs.as_ref() == Some(&now) {
            return false;
        }
        let slice = now.field.map(|field| (field, now.switches.plane));
        let slice = slice.filter(|_| now.switches.is_on(LabOverlay::Field));
        let bare = now.is_bare();
        let before = self.drawn_inputs.replace(now);
        if bare && before.is_none_or(|before| before.is_bare()) {
            return false;
        }
        self.tops.iter_mut().for_each(Top::begin);
        if subject.simulations.beside().is_some() {
            self.draw(subject, Side::Right);
        }
        let legend = self.draw(subject, Side::Left);
        if std::mem::replace(&mut self.sliced, slice) != slice {
            let plane = slice.map(|(_, plane)| plane);
            let cut = plane.zip(field_of(subject));
            (subject.stage).set_slice(cut.map(|(plane, field)| plane.cut(&field)));
        }
        let news = legend != self.legend;
        self.legend = legend;
        news
    }

    /// Draws the active overlays over one view and returns their legend.
    fn draw(&mut self, subject: &mut Subject, side: Side) -> Vec<(LabOverlay, Entry)> {
        subject.looked_at = side;
        self.marks.clear();
        let mut is_tinted = false;
        let mut legend = Vec::new();
        for overlay in LabOverlay::ALL {
            let top = &mut self.tops[overlay as usize];
            if !self.switches.is_on(overlay) {
                *top = Top::default();
                continue;
            }
            let (sim, marks, tints) = (subject.sim(), &mut self.marks, &mut self.tints);
            let entry = match (missing(overlay, subject), overlay) {
                (Some(why), _) => Entry::new(Swatch::Nothing, format!("nothing to show: {why}")),
                (_, LabOverlay::Particles) => strands::particles(subject, marks),
                (_, LabOverlay::Anchors) => strands::anchors(subject, top, marks),
                (_, LabOverlay::RestCurves) => strands::rest_curves(sim, marks),
                (_, LabOverlay::Velocity) => strands::velocities(subject, top, marks),
                (_, LabOverlay::Wind) => fields::wind(subject, top, marks),
                (_, LabOverlay::Density) => fields::density(sim, top, marks),
                (_, LabOverlay::Field) => fields::distance(subject),
                (_, LabOverlay::Basis) => tint::basis(subject, tints, marks),
                (_, LabOverlay::Tension) => tint::tension(sim, top, tints),
            };
            is_tinted |= overlay.colors_strands() && missing(overlay, subject).is_none();
            legend.push((overlay, entry));
        }
        if let Some(strand) = self.switches.picked {
            // Only the left simulation is recorded.
            let recording = self.recording.as_ref().filter(|_| side == Side::Left);
            strands::picked(subject, strand, recording, &mut self.marks);
        }
        let inputs = self.drawn_inputs.as_ref();
        let masked = inputs.and_then(|inputs| inputs.masked.as_deref());
        let selected = inputs.and_then(|inputs| inputs.selected.as_deref());
        match (masked, selected) {
            _ if is_tinted => {}
            (Some(masked), _) => tint::mask(masked, &mut self.tints),
            (None, Some(selected)) => tint::selection(selected, &mut self.tints),
            (None, None) => {}
        }
        is_tinted |= masked.is_some() || selected.is_some();
        subject.looked_at = Side::Left;
        let tints = is_tinted.then_some(&self.tints);
        subject.simulations.set_marks(side, &self.marks, tints);
        legend
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

/// Returns the reason why an overlay has nothing to show, or `None` if it has something.
pub(super) fn missing(overlay: LabOverlay, subject: &Subject) -> Option<&'static str> {
    let sim = subject.sim();
    let settings = sim.settings();
    let is_spring = settings.solver == SolverKind::Spring;
    let why = match overlay {
        LabOverlay::Anchors if !is_spring && settings.hold <= 0.0 => {
            "without hold nothing pulls hair to its rest shape"
        }
        LabOverlay::Basis if sim.basis_count().is_none() => {
            "every strand is simulated: lower the share of guide hairs"
        }
        LabOverlay::Field if subject.shown_head().is_none() => "there is no head",
        LabOverlay::Field if !subject.has_skin() => "nothing is painted, so the skin is unknown",
        LabOverlay::Density if !settings.hair.acts() => "hair friction and hair repulsion are 0",
        _ => return None,
    };
    Some(why)
}
