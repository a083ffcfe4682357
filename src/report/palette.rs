//! Colours and letters that all panels share.

/// Families to look for. The first is what PNG files are written with.
pub(super) const FONT: &str = "Ubuntu, Roboto, Arial, sans-serif";

pub(super) const INK: [u8; 3] = [31, 36, 48];
pub(super) const FAINT: [u8; 3] = [112, 119, 134];
pub(super) const GRID: [u8; 3] = [228, 231, 236];
pub(super) const LINE: [u8; 3] = [33, 113, 181];
/// The largest gap, the closest pair: what a set is worst at.
pub(super) const WORST: [u8; 3] = [214, 48, 49];

/// Viridis by its ends and three between (van der Walt and Smith 2015): even in lightness, and
/// told apart by the colour-blind.
const VIRIDIS: [[u8; 3]; 5] = [
    [68, 1, 84],
    [59, 82, 139],
    [33, 145, 140],
    [94, 201, 98],
    [253, 231, 37],
];

/// The colour of a share from 0 to 1.
pub(super) fn viridis(share: f64) -> [u8; 3] {
    let at = share.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let low = (at as usize).min(VIRIDIS.len() - 2);
    let part = at - low as f64;
    std::array::from_fn(|channel| {
        let [a, b] = [VIRIDIS[low], VIRIDIS[low + 1]].map(|color| f64::from(color[channel]));
        (a + (b - a) * part).round() as u8
    })
}

pub(super) fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}
