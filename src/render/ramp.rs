//! Colours of distances to the nearest root, as shares of the spacing.

use crate::viridis::viridis;

/// Distances from 1 to this many spacings have colours of their own.
pub const RAMP_END: f64 = 1.5;

/// Closer than the spacing: what a Poisson-disk set does not have.
pub const TOO_CLOSE: [f32; 3] = [1.0, 0.20, 0.30];

/// A root whose nearest one stands exactly at the spacing may be off by rounding.
const ROUNDING: f64 = 1e-4;

/// The colour (sRGB as drawn) of a root whose nearest is `ratio` spacings away.
pub fn distance_color(ratio: f64) -> [f32; 3] {
    if ratio < 1.0 - ROUNDING {
        return TOO_CLOSE;
    }
    let share = ((ratio - 1.0) / (RAMP_END - 1.0)).clamp(0.0, 1.0);
    // Half of a maximal set is within a few hundredths of the spacing: the root spreads them.
    viridis(share.sqrt())
}

/// Cool, neutral and warm, of even brightness (Moreland 2009).
const DIVERGING: [[f32; 3]; 3] = [
    [59.0, 76.0, 192.0],
    [221.0, 221.0, 221.0],
    [180.0, 4.0, 38.0],
];

/// The colour (sRGB as drawn) of a share from -1, blue, by 0, light grey, to 1, red.
pub fn diverging(share: f32) -> [f32; 3] {
    let [cool, neutral, warm] = DIVERGING;
    let end = if share < 0.0 { cool } else { warm };
    let share = share.abs().clamp(0.0, 1.0);
    let share = if share.is_nan() { 0.0 } else { share };
    [0, 1, 2].map(|i| (neutral[i] + (end[i] - neutral[i]) * share) / 255.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_grow_brighter_with_the_distance_and_tell_what_is_too_close() {
        let luminance = |[r, g, b]: [f32; 3]| 0.30 * r + 0.59 * g + 0.11 * b;
        let ratios = (0..=50).map(|i| 1.0 + f64::from(i) / 100.0);
        let seen: Vec<f32> = ratios.map(|r| luminance(distance_color(r))).collect();
        assert!(seen.is_sorted_by(|a, b| a < b), "{seen:?}");
        assert_eq!(distance_color(f64::INFINITY), distance_color(RAMP_END));
        assert_eq!(distance_color(0.9), TOO_CLOSE);
        assert_ne!(distance_color(1.0 - 1e-6), TOO_CLOSE, "rounding");
    }

    #[test]
    fn what_is_less_is_blue_and_what_is_more_is_red() {
        let [less, none, more] = [-2.0, 0.0, 1.0].map(diverging);
        assert!(less[2] > 2.0 * less[0] && more[0] > 2.0 * more[2]);
        assert!(none[0] == none[1] && none[1] == none[2]);
        assert_eq!(diverging(f32::NAN), none);
    }
}
