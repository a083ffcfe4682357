//! Colours and letters that all panels share.

use mohawk::viridis::viridis;

/// Families to look for. The first is what PNG files are written with.
pub(crate) const FONT: &str = "Ubuntu, Roboto, Arial, sans-serif";

pub(crate) const INK: [u8; 3] = [31, 36, 48];
pub(crate) const FAINT: [u8; 3] = [112, 119, 134];
pub(crate) const GRID: [u8; 3] = [228, 231, 236];
pub(crate) const LINE: [u8; 3] = [33, 113, 181];
/// The largest gap, the closest pair: what a set is worst at.
pub(crate) const WORST: [u8; 3] = [214, 48, 49];

/// The colour of a share from 0 to 1, as bytes.
pub(crate) fn shade(share: f64) -> [u8; 3] {
    viridis(share).map(|channel| (255.0 * channel).round() as u8)
}

pub(crate) fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}
