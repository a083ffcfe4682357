//! Colours of distances to the nearest root, as shares of the spacing.

/// Distances from 1 to this many spacings have colours of their own.
pub const RAMP_END: f64 = 1.5;

/// Closer than the spacing: what a Poisson-disk set does not have.
pub const TOO_CLOSE: [f32; 3] = [1.0, 0.20, 0.30];

/// Viridis (Smith and van der Walt 2015), in equal steps: evenly brighter to every kind of eye.
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

/// A root whose nearest one stands exactly at the spacing may be off by rounding.
const ROUNDING: f64 = 1e-4;

/// The colour (sRGB as drawn) of a root whose nearest is `ratio` spacings away.
pub fn distance_color(ratio: f64) -> [f32; 3] {
    if ratio < 1.0 - ROUNDING {
        return TOO_CLOSE;
    }
    let steps = VIRIDIS.len() - 1;
    let share = ((ratio - 1.0) / (RAMP_END - 1.0)).clamp(0.0, 1.0);
    // Half of a maximal set is within a few hundredths of the spacing: the root spreads them.
    let place = share.sqrt() * steps as f64;
    let step = (place as usize).min(steps - 1);
    let share = (place - step as f64) as f32;
    std::array::from_fn(|channel| {
        let [a, b] = [step, step + 1].map(|step| f32::from(VIRIDIS[step][channel]) / 255.0);
        a + (b - a) * share
    })
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
}
