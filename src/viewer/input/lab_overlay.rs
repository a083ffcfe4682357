//! The overlays of the laboratory: names, keys and descriptions.

use three_d::Key;

/// A property of the simulation that can be shown over the picture.
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
    /// Every overlay, in the order of the panel.
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

    /// The name, the key that switches it together with Shift, and what it shows.
    const fn describe(self) -> (&'static str, Key, &'static str) {
        match self {
            Self::Particles => (
                "Particles",
                Key::P,
                "A dot at every particle of the strands as they are drawn",
            ),
            Self::Anchors => (
                "Anchors and springs",
                Key::A,
                "Lines from the rest position of tips (with hold, of particles) to where they are",
            ),
            Self::RestCurves => (
                "Rest curves",
                Key::R,
                "The strands at rest, under the pose of the head",
            ),
            Self::Basis => (
                "Basis hairs",
                Key::B,
                "Every guide hair in its own colour; its followers in a darker one",
            ),
            Self::Tension => (
                "Tension",
                Key::T,
                "Strands coloured by how far they are stretched or compressed",
            ),
            Self::Velocity => (
                "Velocity",
                Key::V,
                "An arrow along the velocity of every particle",
            ),
            Self::Wind => (
                "Wind",
                Key::W,
                "The current velocity of the air around the head",
            ),
            Self::Field => (
                "Distance field",
                Key::F,
                "A plane through the distances from the skin, with a line every 0.1 dm",
            ),
            Self::Density => (
                "Grid density",
                Key::G,
                "The density of hair on the grid of hair-hair interaction",
            ),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        self.describe().0
    }

    pub(crate) fn key(self) -> Key {
        self.describe().1
    }

    pub(crate) fn about(self) -> &'static str {
        self.describe().2
    }

    /// Returns the overlay that Shift and this key switch.
    pub(crate) fn of_key(key: Key) -> Option<Self> {
        Self::ALL.into_iter().find(|overlay| overlay.key() == key)
    }

    /// Whether the overlay colours the strands themselves.
    pub(crate) fn colors_strands(self) -> bool {
        matches!(self, Self::Basis | Self::Tension)
    }
}
