//! Colour ramps for measurements.

use crate::viridis::viridis;

/// Largest distance to the nearest root with a colour of its own, in spacings. The smallest is 1.
pub const RAMP_END: f64 = 1.5;

/// Colour of roots that are closer than the spacing, which a Poisson-disk set does not have.
pub const TOO_CLOSE: [f32; 3] = [1.0, 0.20, 0.30];

/// Tolerance for roots at exactly the spacing, as a share of it.
const ROUNDING: f64 = 1e-4;

/// Returns the colour (sRGB as drawn) of a root whose nearest root is `ratio` spacings away.
pub fn distance_color(ratio: f64) -> [f32; 3] {
    if ratio < 1.0 - ROUNDING {
        return TOO_CLOSE;
    }
    let share = ((ratio - 1.0) / (RAMP_END - 1.0)).clamp(0.0, 1.0);
    // Half of the roots of a maximal set are within a few hundredths of the spacing; the square
    // root spreads their colours.
    viridis(share.sqrt())
}

/// Cool, neutral and warm, of even brightness (Moreland 2009).
const DIVERGING: [[f32; 3]; 3] = [
    [59.0, 76.0, 192.0],
    [221.0, 221.0, 221.0],
    [180.0, 4.0, 38.0],
];

/// Returns the colour (sRGB as drawn) of a share: blue at -1, light grey at 0, red at 1.
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
    fn colours_grow_brighter_with_the_distance() {
        let luminance = |[r, g, b]: [f32; 3]| 0.30 * r + 0.59 * g + 0.11 * b;
        let ratios = (0..=50).map(|i| 1.0 + f64::from(i) / 100.0);
        let seen: Vec<f32> = ratios.map(|r| luminance(distance_color(r))).collect();
        assert!(seen.is_sorted_by(|a, b| a < b), "{seen:?}");
        assert_eq!(distance_color(f64::INFINITY), distance_color(RAMP_END));
        assert_eq!(distance_color(0.9), TOO_CLOSE);
        assert_ne!(distance_color(1.0 - 1e-6), TOO_CLOSE, "rounding");
    }

    #[test]
    fn negative_shares_are_blue_and_positive_ones_red() {
        let [less, none, more] = [-2.0, 0.0, 1.0].map(diverging);
        assert!(less[2] > 2.0 * less[0] && more[0] > 2.0 * more[2]);
        assert!(none[0] == none[1] && none[1] == none[2]);
        assert_eq!(diverging(f32::NAN), none);
    }
}
