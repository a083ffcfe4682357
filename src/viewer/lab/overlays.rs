//! Which overlays there are, their names and keys, and where they have nothing to show.

use crate::viewer::subject::Subject;
use mohawk::sim::SolverKind;
use three_d::Key;

/// Something of the simulation that can be shown over the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabOverlay {
    Particles,
    Anchors,
    RestCurves,
    Basis,
    Tension,
    Velocity,
    Wind,
    Field,
    Density,
}

impl LabOverlay {
    /// Every one, in the order of the panel.
    pub(crate) const ALL: [Self; 9] = [
        Self::Particles,
        Self::Anchors,
        Self::RestCurves,
        Self::Basis,
        Self::Tension,
        Self::Velocity,
        Self::Wind,
        Self::Field,
        Self::Density,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Particles => "Particles",
            Self::Anchors => "Anchors and springs",
            Self::RestCurves => "Rest curves",
            Self::Basis => "Basis hairs",
            Self::Tension => "Tension",
            Self::Velocity => "Velocity",
            Self::Wind => "Wind",
            Self::Field => "Distance field",
            Self::Density => "Grid density",
        }
    }

    pub(crate) fn about(self) -> &'static str {
        match self {
            Self::Particles => "A dot at every particle of the strands as they are drawn",
            Self::Anchors => {
                "Lines from where tips (or, with hold, particles) would rest to where they are"
            }
            Self::RestCurves => "The strands at rest, under the head's pose",
            Self::Basis => {
                "Every basis hair in a colour of its own, those that follow it in a darker one"
            }
            Self::Tension => "Strands coloured by how far they are stretched or compressed",
            Self::Velocity => "A line along the velocity of every particle",
            Self::Wind => "The velocity of the air around the head, as of now",
            Self::Field => "A plane through the distances from the skin, a line every 0.1 dm",
            Self::Density => "The grid on which hair feels hair, and how much hair is where",
        }
    }

    /// Switches it together with Shift.
    pub(crate) fn key(self) -> Key {
        match self {
            Self::Particles => Key::P,
            Self::Anchors => Key::A,
            Self::RestCurves => Key::R,
            Self::Basis => Key::B,
            Self::Tension => Key::T,
            Self::Velocity => Key::V,
            Self::Wind => Key::W,
            Self::Field => Key::F,
            Self::Density => Key::G,
        }
    }

    /// The one that Shift and this key switch.
    pub(crate) fn of_key(key: Key) -> Option<Self> {
        Self::ALL.into_iter().find(|overlay| overlay.key() == key)
    }

    /// Does it colour the strands themselves?
    pub(super) fn colors_strands(self) -> bool {
        matches!(self, Self::Basis | Self::Tension)
    }

    /// Why it has nothing to show; `None`: it has.
    pub(crate) fn missing(self, subject: &Subject) -> Option<&'static str> {
        let sim = subject.sim();
        let settings = sim.settings();
        let is_spring = settings.solver == SolverKind::Spring;
        let crowded = settings.ftl.hair_friction > 0.0 || settings.ftl.hair_repulsion > 0.0;
        let why = match self {
            Self::Anchors if !is_spring && settings.hold <= 0.0 => {
                "without hold nothing pulls hair to where it rests"
            }
            Self::Basis if sim.basis_count().is_none() => {
                "every strand is simulated: lower the share of basis hairs"
            }
            Self::Field if !subject.is_headed() => "there is no head",
            Self::Field if !subject.has_skin() => "nothing is painted, so the skin is not known",
            Self::Density if settings.solver != SolverKind::Ftl => {
                "of all solvers only ftl lets hair feel hair"
            }
            Self::Density if !crowded => "hair friction and hair repulsion are 0",
            _ => return None,
        };
        Some(why)
    }
}
