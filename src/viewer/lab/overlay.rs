//! The overlays of the laboratory and their keys.

use three_d::Key;

mohawk::choices! {
    /// A property of the simulation that can be shown over the picture.
    pub enum LabOverlay: "overlay" = Particles {
        /// A dot at every particle of the strands as they are drawn.
        Particles = "Particles",
        /// Lines from the rest position of tips (with hold, of particles) to where they are.
        Anchors = "Anchors and springs",
        /// The strands at rest, under the pose of the head.
        RestCurves = "Rest curves",
        /// Every guide hair in its own colour; its followers in a darker one.
        Basis = "Basis hairs",
        /// Strands coloured by how far they are stretched or compressed.
        Tension = "Tension",
        /// An arrow along the velocity of every particle.
        Velocity = "Velocity",
        /// The current velocity of the air around the head.
        Wind = "Wind",
        /// A plane through the distances from the skin, with a line every 0.1 dm.
        Field = "Distance field",
        /// The density of hair on the grid of hair-hair interaction.
        Density = "Grid density",
    }
}

impl LabOverlay {
    /// Returns the key that switches it together with Shift.
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

    /// Returns `true` if the overlay colours the strands themselves.
    pub(crate) fn colors_strands(self) -> bool {
        matches!(self, Self::Basis | Self::Tension)
    }
}
