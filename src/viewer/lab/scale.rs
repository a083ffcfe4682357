//! Colour scales.

use crate::numbers::round_up;
use mohawk::ramp::diverging;
use mohawk::render::SLICE_COLORS;

/// The upper end of a scale: a round number that does not flicker while the values swing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Top {
    end: f32,
    /// The largest end that was needed since [`begin`](Self::begin).
    used: f32,
}

/// A scale shrinks when no more than this fraction of it is used.
const UNUSED: f32 = 0.1;

impl Top {
    /// Begins the next picture. A scale that was hardly used in the last one shrinks.
    pub(super) fn begin(&mut self) {
        if self.used > 0.0 && self.used <= UNUSED * self.end {
            self.end = self.used;
        }
        self.used = 0.0;
    }

    /// Returns the end of a scale that contains `value`, at least `least`.
    pub(super) fn above(&mut self, value: f32, least: f32) -> f32 {
        self.used = self
            .used
            .max(round_up(value.max(least).into(), &[1.0, 2.0, 5.0]) as f32);
        self.end = self.end.max(self.used);
        self.end
    }
}

// The colours of amounts. They differ from those of the sky and of skin.
const FAINTEST: [f32; 3] = [0.86, 0.97, 1.0];
const MIDDLE: [f32; 3] = [1.0, 0.88, 0.22];
const STRONGEST: [f32; 3] = [1.0, 0.33, 0.05];

/// A colour ramp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ramp {
    /// From zero to the largest amount.
    Amount,
    /// From zero to the largest pull.
    Pull,
    /// From negative over zero to positive.
    Diverging,
    /// From inside over the skin to outside.
    Distance,
}

impl Ramp {
    /// Returns the sRGB colour at a position on the scale: 0 to 1, or -1 to 1 for two-sided ramps.
    pub(super) fn color(self, share: f32) -> [f32; 3] {
        let mixed = |a: [f32; 3], b: [f32; 3], share: f32| {
            let share = share.clamp(0.0, 1.0);
            [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * share)
        };
        match self {
            Ramp::Amount if share < 0.5 => mixed(FAINTEST, MIDDLE, 2.0 * share),
            Ramp::Amount => mixed(MIDDLE, STRONGEST, 2.0 * share - 1.0),
            Ramp::Pull => mixed([0.30, 0.95, 0.75], [1.0, 0.42, 0.05], share.sqrt()),
            Ramp::Diverging => diverging(share),
            Ramp::Distance => {
                let [inside, skin, outside] = SLICE_COLORS;
                let end = if share < 0.0 { inside } else { outside };
                mixed(skin, end, share.abs().powf(0.7))
            }
        }
    }

    /// Returns the position at which the scale begins.
    pub(super) fn begin(self) -> f32 {
        match self {
            Ramp::Amount | Ramp::Pull => 0.0,
            Ramp::Diverging | Ramp::Distance => -1.0,
        }
    }
}

/// Returns the largest finite value, at least 0.
pub(super) fn largest(values: impl Iterator<Item = f32>) -> f32 {
    values.filter(|value| value.is_finite()).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_grows_at_once_and_shrinks_only_when_hardly_used() {
        let mut top = Top::default();
        let mut picture = |values: &[f32]| {
            top.begin();
            values.iter().map(|&value| top.above(value, 0.01)).last()
        };
        let seen = [3.0, 7.0, 2.0, 0.9, 0.9].map(|value| picture(&[value]));
        assert_eq!(seen, [5.0, 10.0, 10.0, 10.0, 1.0].map(Some));
        // With two views, the larger value counts, whichever comes first.
        let seen = [[6.0, 0.1], [0.1, 6.0], [0.1, 6.0]].map(|values| picture(&values));
        assert_eq!(seen, [10.0; 3].map(Some));
    }
}
