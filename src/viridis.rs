//! The Viridis colour map.

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

/// Returns the sRGB colour, 0 to 1, at a position from 0 to 1.
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
