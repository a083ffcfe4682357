//! The view and the layers that one picture shows, and the savings on it.

use super::{camera::OrbitCamera, ribbons::Detail};

/// The least number of strands that are drawn in motion, if there are as many.
const LEAST_STRANDS: f32 = 1000.0;

/// Layers of strands through which nothing is seen.
const DENSE_LAYERS: f32 = 25.0;

/// Layers of strands that are left at least. With fewer, the skin shows.
const LEAST_LAYERS: f32 = 5.0;

/// The least length of a strand in widths that fewer and wider strands have to keep. Shorter ones
/// look like leaves.
const LEAST_SLENDERNESS: f32 = 25.0;

/// Steps in which the share of strands is halved.
const STEPS_PER_HALVING: f32 = 8.0;

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
    /// Share of the strands of a groom that there are, up to 1: below that in drafts.
    pub present: f32,
    /// Layers of strands that are enough to look dense. Strands of which there are more are left out.
    pub layers: f32,
    /// `true` if no sample is added to a picture of things at rest: it takes time in which a window
    /// does not answer.
    pub waits: bool,
}

impl Economy {
    /// Nothing is saved.
    pub const NONE: Economy = Economy {
        resolution: 1.0,
        strands: 1.0,
        present: 1.0,
        layers: f32::INFINITY,
        waits: false,
    };

    /// Only what is hardly missed is saved: strands under many others.
    pub const HIDDEN: Economy = Economy {
        layers: DENSE_LAYERS,
        ..Economy::NONE
    };

    /// Returns the share of strands that is drawn, and the factor of their width. `count` strands lie
    /// in `layers` layers, and their mean length is `slender` widths.
    ///
    /// Few strands are all drawn, as each is seen. The width of others grows until they look dense,
    /// at most by 1 / √(share · [`present`](Self::present)).
    pub fn of_strands(&self, count: usize, layers: f32, slender: f32) -> Detail {
        let layers = layers.max(1e-3);
        // A quarter of the strands, twice as wide, lie in half as many layers.
        let widest = (slender / LEAST_SLENDERNESS).max(1.0);
        let least = (LEAST_LAYERS / layers)
            .powi(2)
            .max(LEAST_LAYERS / (widest * layers));
        let share = (self.strands * (self.layers / layers).min(1.0)).max(least);
        // The share changes in steps, so that the same strands are drawn from picture to picture.
        let share = (share.log2() * STEPS_PER_HALVING).ceil() / STEPS_PER_HALVING;
        let share = share.exp2().max(LEAST_STRANDS / count as f32).min(1.0);
        let widest = (share * self.present).sqrt().recip();
        Detail::Moving {
            share,
            widening: (DENSE_LAYERS / (share * layers)).clamp(1.0, widest),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_strands_are_wider_but_not_wider_than_dense() {
        let detail_of = |strands, layers, count, lie, slender| {
            let economy = Economy {
                strands,
                layers,
                ..Economy::NONE
            };
            let detail = economy.of_strands(count, lie, slender);
            [detail.share(), detail.widening()]
        };
        let detail = |strands, layers, count, lie| detail_of(strands, layers, count, lie, 0.0);
        assert_eq!(detail(1.0, f32::INFINITY, 100_000, 300.0), [1.0, 1.0]);
        assert_eq!(detail(0.25, f32::INFINITY, 100_000, 20.0), [0.25, 2.0]);
        assert_eq!(detail(1.0, 50.0, 100_000, 200.0), [0.25, 1.0]);
        assert_eq!(detail(0.5, 50.0, 100_000, 200.0), [0.125, 1.0]);
        // The share is rounded up by less than a tenth.
        let [share, widening] = detail(1.0, 25.0, 100_000, 260.0);
        assert!((25.0 / 260.0..27.5 / 260.0).contains(&share), "{share}");
        assert_eq!(widening, 1.0);
        assert_eq!(detail(0.25, 40.0, 100_000, 80.0), [0.125, 2.5]);
        // Few are all drawn, and so are those that hardly cover the skin, or lie out of the picture.
        assert_eq!(detail(0.2, 40.0, 900, 80.0), [1.0, 1.0]);
        assert_eq!(detail(0.2, 40.0, 100_000, 10.0), [0.5, 2.0_f32.sqrt()]);
        assert_eq!(detail(0.2, 40.0, 100_000, 3.0), [1.0, 1.0]);
        assert_eq!(detail(0.25, 40.0, 100_000, 0.0), [1.0, 1.0]);
        // Long and thin ones can be wider, so that fewer hide the skin.
        let long = |slender| detail_of(0.2, 40.0, 100_000, 10.0, slender);
        assert_eq!(long(100.0), [0.25, 2.0]);
        let [share, widening] = long(1.25 * LEAST_SLENDERNESS);
        assert!((0.4..0.44).contains(&share), "{share}");
        assert!((widening - share.sqrt().recip()).abs() < 1e-6, "{widening}");
        let draft = Economy {
            present: 0.25,
            ..Economy::NONE
        };
        let detail = draft.of_strands(100_000, 10.0, 0.0);
        assert_eq!([detail.share(), detail.widening()], [1.0, 2.0]);
    }
}
