//! What `plotters` draws with, and what of its drawings goes into panels.

use super::palette::FONT;
use super::svg::Panel;
use plotters::prelude::*;
use std::sync::OnceLock;

/// `plotters` knows whole pixels only: it draws this much larger.
const FINE: f64 = 10.0;

/// A number of pixels, as it is drawn.
pub(crate) fn fine(pixels: f64) -> u32 {
    (pixels * FINE) as u32
}

pub(crate) fn rgb([r, g, b]: [u8; 3]) -> RGBColor {
    RGBColor(r, g, b)
}

/// Letters of a height in pixels.
pub(crate) fn letters(pixels: f64, color: [u8; 3]) -> TextStyle<'static> {
    (font(), 1.24 * FINE * pixels)
        .into_font()
        .color(&rgb(color))
}

/// Puts a drawing into a panel, so many pixels below its top.
pub(crate) fn put(panel: &mut Panel, top: f64, plot: &str) {
    // Of the document that plotters has made, what is in it.
    let inside = plot.split_once('>').map_or("", |(_, rest)| rest);
    let inside = inside
        .rsplit_once("</svg>")
        .map_or(inside, |(rest, _)| rest);
    let scale = 1.0 / FINE;
    panel.body += &format!("<g transform=\"translate(0 {top})scale({scale})\">{inside}</g>\n");
}

/// The letters by which labels are measured: there need not be any on the system.
fn font() -> &'static str {
    static REGISTERED: OnceLock<()> = OnceLock::new();
    REGISTERED.get_or_init(|| {
        // A font that cannot be read is said where it is first used.
        _ = plotters::style::register_font(
            FONT,
            FontStyle::Normal,
            epaint_default_fonts::UBUNTU_LIGHT,
        );
    });
    FONT
}
