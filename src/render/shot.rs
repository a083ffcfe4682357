//! The wishes for a picture: its view, its layers and the savings on it.

use super::camera::OrbitCamera;

/// The least number of strands that are drawn in motion, if there are as many.
const LEAST: f32 = 1000.0;

/// The view of one picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shot {
    /// The camera.
    pub camera: OrbitCamera,
    /// The pose of the head.
    pub world_from_head: glam::Mat4,
    /// `true` if the sky is drawn. Otherwise the background is transparent.
    pub background: bool,
}

/// The savings on pictures in motion, which let them follow each other fast enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Economy {
    /// Drawn pixels along each side per pixel of the target, up to 1.
    pub resolution: f32,
    /// Share of the strands, up to 1. Those that are drawn are wider.
    pub strands: f32,
}

impl Economy {
    /// Nothing is saved.
    pub const NONE: Economy = Economy {
        resolution: 1.0,
        strands: 1.0,
    };

    /// Returns the share that is drawn of so many strands. Few are all drawn, as each is seen.
    pub fn share_of(&self, count: usize) -> f32 {
        self.strands.max(LEAST / count as f32).min(1.0)
    }
}

/// The layers of a picture that can be hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// The surfaces of the head and their shadow.
    pub head: bool,
    /// The strands and their shadow.
    pub hair: bool,
    /// The discs and the ring.
    pub discs: bool,
}

impl Default for Layers {
    fn default() -> Self {
        Self {
            head: true,
            hair: true,
            discs: false,
        }
    }
}
