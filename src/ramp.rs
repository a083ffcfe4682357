//! Colour ramps for measurements. Colours are sRGB as drawn, 0 to 1.

/// Samples of Viridis (Smith and van der Walt 2015) in equal steps. Its lightness is uniform, also
/// with colour-vision deficiencies.
const VIRIDIS: [[u8; 3]; 9] = [
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
];

/// Returns the colour of Viridis at a position from 0 to 1.
pub fn viridis(share: f64) -> [f32; 3] {
    let steps = VIRIDIS.len() - 1;
    let position = share.clamp(0.0, 1.0) * steps as f64;
    let step = (position as usize).min(steps - 1);
    let share = (position - step as f64) as f32;
    std::array::from_fn(|channel| {
        let [a, b] = [step, step + 1].map(|step| f32::from(VIRIDIS[step][channel]) / 255.0);
        a + (b - a) * share
    })
}

/// Largest distance to the nearest root with a colour of its own, in spacings. The smallest is 1.
pub const RAMP_END: f64 = 1.5;

/// Colour of roots that are closer than the spacing, which a Poisson-disk set does not have.
pub const TOO_CLOSE: [f32; 3] = [1.0, 0.20, 0.30];

/// Tolerance for roots at exactly the spacing, as a share of it.
const ROUNDING: f64 = 1e-4;

/// Returns the colour of a root whose nearest root is `ratio` spacings away.
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

/// Returns the colour of a share: blue at -1, light grey at 0, red at 1.
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
